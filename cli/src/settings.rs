//! Options merged from their sources: `jrace.toml` in the working directory, then `JRACE_OPTIONS`, then flags.
//!
//! A later source replaces a value, it does not add to it. Paths are made absolute here, once, so that they mean the same
//! in JVMs that start in other directories.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use facts::config;
use facts::options::{self, Form, OptionRow, Options};

use crate::args::{Checking, Judging, Showing, TransactionChecker};
use crate::report::source;

/// The merged options.
#[derive(Clone, Debug)]
pub struct Settings {
    directory: PathBuf,
    given: BTreeMap<String, String>,
    options: Options,
    /// The tables [`config::SUPPRESS`] of the file, and its name.
    suppress: Option<(String, toml::Value)>,
}

/// What a configuration file says.
#[derive(Default)]
struct Config {
    name: String,
    pairs: Vec<(String, String)>,
    suppress: Option<toml::Value>,
}

impl Settings {
    /// Merges `jrace.toml` and `JRACE_OPTIONS` of this process with flags.
    ///
    /// # Errors
    /// The first option that is unknown or has a bad value, and where it stands.
    pub fn gather(flags: Vec<(String, String)>) -> Result<Self> {
        let directory = std::env::current_dir().context("the working directory cannot be found")?;
        let environment = match std::env::var("JRACE_OPTIONS") {
            Ok(text) => options::pairs(&text).context("in JRACE_OPTIONS")?,
            Err(std::env::VarError::NotPresent) => Vec::new(),
            Err(error) => return Err(error).context("JRACE_OPTIONS cannot be read"),
        };
        let file = match config_of(&environment, &flags).as_str() {
            "" => Config::default(),
            name => read_file(&directory, name).with_context(|| format!("in {name}"))?,
        };
        Self::merge(directory, file, environment, flags)
    }

    fn merge(
        directory: PathBuf,
        file: Config,
        environment: Vec<(String, String)>,
        flags: Vec<(String, String)>,
    ) -> Result<Self> {
        let mut options = Options::default();
        options.output = directory.join(options.output);
        let name = file.name;
        let suppress = file.suppress.map(|tables| (name.clone(), tables));
        let mut settings = Self { directory, given: BTreeMap::new(), options, suppress };
        settings.set_all(file.pairs).with_context(|| format!("in {name}"))?;
        settings.set_all(environment).context("in JRACE_OPTIONS")?;
        settings.set_all(flags)?;
        Ok(settings)
    }

    fn set_all(&mut self, pairs: Vec<(String, String)>) -> Result<()> {
        pairs.iter().try_for_each(|(name, value)| self.set(name, value))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let value = self.absolute(name, value)?;
        self.options.set(name, &value)?;
        self.given.insert(name.to_owned(), value);
        Ok(())
    }

    fn absolute(&self, name: &str, value: &str) -> Result<String> {
        let absolute = |path: &str| text(&self.directory.join(path));
        match OptionRow::of(name).map(|row| row.form) {
            _ if value.is_empty() => Ok(String::new()),
            Some(Form::Path) => absolute(value),
            Some(Form::Paths) => {
                let parts = value.split(':').filter(|part| !part.is_empty());
                Ok(parts.map(absolute).collect::<Result<Vec<_>>>()?.join(":"))
            }
            Some(Form::Word) | None => Ok(value.to_owned()),
        }
    }

    /// The same with one more option.
    ///
    /// # Errors
    /// The option is unknown or has a bad value.
    pub fn with(&self, name: &str, value: &str) -> Result<Self> {
        let mut settings = self.clone();
        settings.set(name, value)?;
        Ok(settings)
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The suppressions of the configuration file, with its name.
    pub fn suppress(&self) -> Option<(&str, &toml::Value)> {
        self.suppress.as_ref().map(|(name, tables)| (name.as_str(), tables))
    }

    /// The working directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A path as it is shown: relative to the working directory where it lies there, without `strip_path_prefix`.
    pub fn shown(&self, path: &Path) -> String {
        shown(path, &self.directory, &self.options.strip_path_prefix)
    }

    /// The option string for the agent: what was given, as far as it concerns the agent, with findings going to `output`.
    ///
    /// # Errors
    /// A value that cannot be written in an option string.
    pub fn agent_string(&self, output: &Path) -> Result<String> {
        let mut given = self.given.clone();
        given.retain(|name, _| !OptionRow::of(name).is_some_and(|row| row.is_of_reports));
        given.insert("output".to_owned(), text(output)?);
        // It has been read; the JVM may start where another one lies.
        given.insert("config".to_owned(), String::new());
        let mut string = String::new();
        for (name, value) in &given {
            if value.ends_with('\\') {
                bail!(
                    "option `{name}` cannot be `{value}`: the agent could not tell where a value ending in `\\` stops"
                );
            }
            let separator = if string.is_empty() { "" } else { "," };
            write!(string, "{separator}{name}={}", options::escape(value))?;
        }
        Ok(string)
    }
}

/// A path as it is shown; see [`Settings::shown`].
pub fn shown(path: &Path, directory: &Path, prefix: &str) -> String {
    let relative = path.strip_prefix(directory).unwrap_or(path).to_string_lossy();
    let whole = path.to_string_lossy();
    let stripped =
        [&whole, &relative].into_iter().find_map(|text| text.strip_prefix(prefix).filter(|_| !prefix.is_empty()));
    stripped.map_or(&*relative, |rest| rest.trim_start_matches('/')).to_owned()
}

/// A path as text.
pub fn text(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("the path `{}` is not valid UTF-8; rename it", path.display()))?;
    Ok(text.to_owned())
}

fn read_file(directory: &Path, name: &str) -> Result<Config> {
    let path = directory.join(name);
    let read = std::fs::read_to_string(&path);
    let suppress = match &read {
        Ok(text) => config::table(text)?.remove(config::SUPPRESS),
        Err(_) => None,
    };
    Ok(Config { name: name.to_owned(), pairs: config::of(&path, read)?, suppress })
}

/// The last source that names a configuration file; empty for none.
fn config_of(environment: &[(String, String)], flags: &[(String, String)]) -> String {
    let named = environment.iter().chain(flags).rev().find(|(name, _)| name == "config");
    named.map_or_else(|| config::FILE.to_owned(), |(_, value)| value.clone())
}

/// Flags as options; `--option` comes last.
pub fn flags(checking: Option<&Checking>, judging: &Judging, showing: &Showing) -> Result<Vec<(String, String)>> {
    let mut flags = Flags::default();
    if let Some(checking) = checking {
        flags.path("output", checking.output.as_deref())?;
        flags.word("check", checking.check.as_deref());
        flags.word("granularity", checking.granularity.as_deref());
        flags.word("arrays", checking.arrays.as_deref());
        flags.word("tasks", checking.tasks.then_some("1"));
        flags.list("include", &checking.include);
        flags.list("exclude", &checking.exclude);
        flags.path("models", checking.models.as_deref())?;
        flags.path("record", checking.record.as_deref())?;
        flags.path("record_reflection", checking.record_reflection.as_deref())?;
        flags.path("focus_set", checking.focus_set.as_deref())?;
        flags.word(
            "atomicity",
            checking.atomicity.map(|checker| match checker {
                TransactionChecker::Block => "block",
                TransactionChecker::Reduction => "reduction",
            }),
        );
        flags.word("deadlocks", checking.deadlocks.then_some("1"));
        flags.word("halt_on_error", checking.halt_on_error.then_some("1"));
    }
    flags.path("suppressions", judging.suppressions.as_deref())?;
    flags.path("baseline", judging.baseline.as_deref())?;
    flags.word("exitcode", judging.exitcode.as_deref());
    flags.word("exitcode_on", judging.exitcode_on.as_deref());
    flags.word("fail_on", judging.fail_on.as_deref());
    flags.word("allow_none", judging.allow_none.then_some("1"));
    flags.word("strip_path_prefix", showing.strip_path_prefix.as_deref());
    source::check(&showing.source_path)?;
    flags.list("source_path", &showing.source_path.iter().map(|path| text(path)).collect::<Result<Vec<_>>>()?);
    for option in checking.map(|checking| checking.options.as_slice()).unwrap_or_default() {
        let (name, value) = option
            .split_once('=')
            .with_context(|| format!("option `{option}` has no value: write `{option}=VALUE`"))?;
        flags.word(name, Some(value));
    }
    Ok(flags.pairs)
}

#[derive(Default)]
struct Flags {
    pairs: Vec<(String, String)>,
}

impl Flags {
    fn word(&mut self, name: &str, value: Option<&str>) {
        self.pairs.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    }

    fn path(&mut self, name: &str, value: Option<&Path>) -> Result<()> {
        let value = value.map(text).transpose()?;
        self.word(name, value.as_deref());
        Ok(())
    }

    fn list(&mut self, name: &str, values: &[String]) {
        if !values.is_empty() {
            self.word(name, Some(&values.join(":")));
        }
    }
}

#[cfg(test)]
mod tests {
    use facts::access::Granularity;

    use super::*;

    fn merge(file: &str, environment: &str, flags: &[(&str, &str)]) -> Result<Settings> {
        let flags = flags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let pairs = config::pairs(file).context("in jrace.toml")?;
        let file = Config { name: config::FILE.to_owned(), pairs, suppress: None };
        let environment = options::pairs(environment).context("in JRACE_OPTIONS")?;
        Settings::merge("/work/app".into(), file, environment, flags)
    }

    #[test]
    fn later_sources_replace_earlier_ones() {
        let file = "granularity = 'object'\ninclude = ['a.*', 'b.*']\nstack_depth = 8\njdk = true\nlog_path = 'x'";
        let settings = merge(file, "stack_depth=9,exitcode=7", &[("exitcode", "8")]).unwrap();
        let options = settings.options();
        assert_eq!(options.granularity, Granularity::Object);
        assert_eq!(options.include, ["a.*", "b.*"]);
        assert_eq!((options.stack_depth, options.exitcode, options.jdk), (9, 8, true));
        assert_eq!(options.output, Path::new("/work/app/.jrace"));
        assert_eq!(
            settings.agent_string(Path::new("/o,p")).unwrap(),
            "config=,exitcode=8,granularity=object,include=a.*:b.*,jdk=1,log_path=/work/app/x,output=/o\\,p,stack_depth=9"
        );
    }

    #[test]
    fn the_agent_reads_what_was_given() {
        let settings = merge("", "", &[("suppressions", "a,b\\,c"), ("include", "p.*"), ("source_path", "s")]).unwrap();
        let mut read = Options::default();
        read.apply(&settings.agent_string(Path::new("/out")).unwrap()).unwrap();
        assert_eq!(read.suppressions, settings.options().suppressions);
        assert_eq!(read.include, settings.options().include);
        assert!(read.source_path.is_empty() && settings.options().source_path == [Path::new("/work/app/s")]);
        assert_eq!(read.output, Path::new("/out"));
    }

    #[test]
    fn suppressions_are_no_option() {
        let pairs = config::pairs("jdk = true\n[[suppress]]\nrace = 'a.*'\nreason = 'x'\n").unwrap();
        assert_eq!(pairs, [("jdk".to_owned(), "1".to_owned())], "also for the agent");
    }

    #[test]
    fn mistakes_say_where_they_stand() {
        for (file, environment, flags, expected) in [
            (
                "granularty = 'field'",
                "",
                &[][..],
                "in jrace.toml: unknown option `granularty` (did you mean `granularity`?); `jrace help options` lists them all",
            ),
            ("", "jdk=maybe", &[], "in JRACE_OPTIONS: option `jdk` cannot be `maybe`: it takes 0 or 1"),
            ("", "jdk", &[], "in JRACE_OPTIONS: option `jdk` has no value: write `jdk=VALUE`"),
            ("", "", &[("arrays", "no")], "option `arrays` cannot be `no`: it takes `object`, `element` or `off`"),
            ("jdk = 1\nx =", "", &[], "in jrace.toml: line 2: string values must be quoted, expected literal string"),
            (
                "jdk = 1.5",
                "",
                &[],
                "in jrace.toml: option `jdk` cannot be a float: write a string, a number, a boolean or a list",
            ),
        ] {
            assert_eq!(format!("{:#}", merge(file, environment, flags).unwrap_err()), expected);
        }
    }

    #[test]
    fn shown_paths_are_short() {
        let settings = merge("", "strip_path_prefix=src/", &[]).unwrap();
        assert_eq!(settings.shown(Path::new("/work/app/src/a/B.java")), "a/B.java");
        assert_eq!(settings.shown(Path::new("/work/app/test/B.java")), "test/B.java");
        assert_eq!(settings.shown(Path::new("/other/B.java")), "/other/B.java");
        for prefix in ["/ci/job/", "/ci/job"] {
            assert_eq!(shown(Path::new("/ci/job/B.java"), Path::new("/x"), prefix), "B.java");
        }
    }
}
