//! `jrace demo`: the bundled demos. Their sources are in this binary, so it works anywhere a JDK is.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::run;
use crate::args::{Demo, Forms};
use crate::java;
use crate::output::Stream;
use crate::report::terminal::Detail;
use crate::settings::{self, Settings, text};
use crate::signals::Temporary;

/// Paths below `demo-apps/`, and contents.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/demo_files.rs"));

#[derive(Deserialize, Default)]
struct Catalogue {
    #[serde(default, rename = "demo")]
    demos: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    main: String,
    #[serde(default)]
    args: Words,
    #[serde(default)]
    about: String,
}

/// Arguments, as one string or as a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

impl Default for Words {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Words {
    fn list(&self) -> Vec<String> {
        match self {
            Self::One(text) => text.split_whitespace().map(str::to_owned).collect(),
            Self::Many(words) => words.clone(),
        }
    }
}

/// Lists the demos, or runs one.
///
/// # Errors
/// No such demo, no JDK, or anything that keeps [`run::run_job`] from running it.
pub fn demo(args: &Demo) -> Result<u8> {
    let catalogue = catalogue()?;
    match args.name.as_deref().filter(|_| !args.list) {
        None => {
            Stream::Out.show(&list(&catalogue));
            Ok(0)
        }
        Some(name) => match catalogue.demos.iter().find(|entry| entry.name == name) {
            Some(entry) => run_demo(entry, args),
            None => bail!("there is no demo `{name}`: `jrace demo --list` names them all"),
        },
    }
}

fn catalogue() -> Result<Catalogue> {
    match FILES.iter().find(|(path, _)| *path == "demos.toml") {
        Some((_, text)) => toml::from_str(text).context("the bundled demos.toml is damaged"),
        None => Ok(Catalogue::default()),
    }
}

fn list(catalogue: &Catalogue) -> String {
    if catalogue.demos.is_empty() {
        return "This jrace was built without demos.\n".to_owned();
    }
    let width = catalogue.demos.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let mut text = String::from("Run one with `jrace demo NAME`:\n\n");
    for entry in &catalogue.demos {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:width$}  {}", entry.name, entry.about.trim());
    }
    text
}

fn run_demo(entry: &Entry, args: &Demo) -> Result<u8> {
    java::check_home()?;
    let folder = Temporary::named("demo-").context("no temporary directory for the demo")?;
    let (sources, classes) = (folder.path().join("src"), folder.path().join("classes"));
    let settings = demo_settings(args, &sources, folder.path())?;
    write_sources(&sources)?;
    compile(&sources.join(&entry.name), &sources, &classes)?;
    let arguments = if args.arguments.is_empty() { entry.args.list() } else { args.arguments.clone() };
    let mut command = vec![text(&java::tool("java"))?, "-cp".to_owned(), text(&classes)?, entry.main.clone()];
    command.extend(arguments);
    run::run_job(&run::Job {
        settings: &settings,
        checking: &args.checking,
        detail: Detail::of(&args.showing),
        forms: &Forms::default(),
        json: None,
        fails_tests: false,
        keeps_findings: args.checking.output.is_some(),
        command: &command,
    })
}

/// The user's settings; without `--output`, findings go away with the demo.
fn demo_settings(args: &Demo, sources: &Path, folder: &Path) -> Result<Settings> {
    let mut flags = settings::flags(Some(&args.checking), &args.judging, &args.showing)?;
    if args.checking.output.is_none() {
        flags.push(("output".to_owned(), text(&folder.join("findings"))?));
    }
    let others = args.showing.source_path.iter().map(|path| text(path)).collect::<Result<Vec<_>>>()?;
    let sources = std::iter::once(text(sources)?).chain(others).collect::<Vec<_>>().join(":");
    flags.push(("source_path".to_owned(), sources));
    flags.push(("strip_path_prefix".to_owned(), format!("{}/src/", text(folder)?)));
    Settings::gather(flags)
}

fn write_sources(root: &Path) -> Result<()> {
    for (path, contents) in FILES {
        let path = root.join(path);
        let parent = path.parent().unwrap_or(root);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, contents))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(())
}

fn compile(folder: &Path, root: &Path, classes: &Path) -> Result<()> {
    let mut sources = Vec::new();
    java_files(folder, &mut sources).with_context(|| format!("cannot read `{}`", folder.display()))?;
    if sources.is_empty() {
        bail!("the bundled demo `{}` has no sources", folder.display());
    }
    let javac = java::tool("javac");
    let status = Command::new(&javac)
        .env_remove("JAVA_TOOL_OPTIONS")
        .args(["-g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-sourcepath"])
        .arg(root)
        .arg("-d")
        .arg(classes)
        .args(&sources)
        .status()
        .with_context(|| format!("cannot start `{}`; install a JDK, or set JAVA_HOME to one", javac.display()))?;
    if !status.success() {
        bail!("`{}` did not compile the demo ({status})", javac.display());
    }
    Ok(())
}

fn java_files(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            java_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_demo_has_its_main_class() {
        for entry in catalogue().unwrap().demos {
            let source = format!("{}.java", entry.main.split('$').next().unwrap().replace('.', "/"));
            assert!(FILES.iter().any(|(path, _)| *path == source), "{} has no {source}", entry.name);
        }
    }

    #[test]
    fn arguments_can_be_a_string_or_a_list() {
        let text = "[[demo]]\nname='a'\nmain='a.A'\nargs='1 2'\n[[demo]]\nname='b'\nmain='b.B'\nargs=['1', '2']\nbench_args='9'";
        let catalogue: Catalogue = toml::from_str(text).unwrap();
        assert!(catalogue.demos.iter().all(|entry| entry.args.list() == ["1", "2"]));
    }
}
