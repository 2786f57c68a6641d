//! `jrace doctor`: whether JVMs can be checked on this machine, what stands in the way, and what to do.
//!
//! Nothing is guessed that can be tried: a JVM of its own loads the agent and has to leave findings. What is said of the machine
//! besides tells why it does not.

use std::ffi::CStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::archives::Archives;
use super::launch::{self, JvmOptions, Streams};
use crate::agent;
use crate::args::{Doctor, Judging, Showing};
use crate::exit;
use crate::java;
use crate::output::{Stream, create_private};
use crate::paint::Paint;
use crate::report::load;
use crate::report::merge::Merged;
use crate::report::words::{count, printable};
use crate::settings::{self, Settings};
use crate::signals::Temporary;

/// The oldest JDK that can be checked.
const OLDEST_JDK: u32 = 17;

/// Variables from which JVMs take options.
const VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];

/// How many lines of a JVM that fails are shown.
const MAX_LINES: usize = 3;

/// What was found out about one thing.
struct Diagnosis {
    state: State,
    what: &'static str,
    text: String,
}

/// Whether it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Works,
    /// It works, and there is something to know.
    Note,
    Fails,
}

impl Diagnosis {
    /// That it works, or why not and what to do.
    fn of(what: &'static str, result: Result<String>) -> Self {
        match result {
            Ok(text) => Self { state: State::Works, what, text },
            Err(error) => Self { state: State::Fails, what, text: format!("{error:#}") },
        }
    }

    fn note(what: &'static str, text: String) -> Self {
        Self { state: State::Note, what, text }
    }

    fn line(&self, paint: Paint) -> String {
        let word = match self.state {
            State::Works => "works ".to_owned(),
            State::Note => paint.strong("note  "),
            State::Fails => paint.alarm("FAILS "),
        };
        format!("{word}{:9}{}\n", self.what, printable(&self.text))
    }
}

/// Tries everything and says what came of it.
///
/// # Errors
/// Options that cannot be read.
pub fn doctor(args: &Doctor) -> Result<u8> {
    let mut settings = Settings::gather(settings::flags(None, &Judging::default(), &Showing::default())?)?;
    if let Some(output) = &args.output {
        settings = settings.with("output", &settings::text(&std::path::absolute(output)?)?)?;
    }
    let agent = agent::locate(args.agent.as_deref());
    let mut found = vec![Diagnosis::of("JDK", jdk())];
    found.extend(other_java());
    found.push(Diagnosis::of("glibc", agent.as_deref().map_err(|_| ()).map_or_else(|()| Ok(glibc_here()), glibc)));
    found.extend(options());
    found.push(Diagnosis::of("folder", writable(&settings)));
    found.push(Diagnosis::of("agent", agent.and_then(|agent| try_agent(&agent, &settings))));
    found.push(archives());
    let n_failed = found.iter().filter(|diagnosis| diagnosis.state == State::Fails).count();
    let code = if n_failed == 0 { 0 } else { exit::FAILURE };
    let paint = Stream::Out.paint();
    let lines: String = found.iter().map(|diagnosis| diagnosis.line(paint)).collect();
    Stream::Out.show(&format!("{lines}SUMMARY: jrace doctor: {}, exit {code}\n", summary(n_failed)));
    Ok(code)
}

fn summary(n_failed: usize) -> String {
    match n_failed {
        0 => "JVMs can be checked here".to_owned(),
        1 => "1 thing is to be mended before JVMs can be checked".to_owned(),
        _ => format!("{} are to be mended before JVMs can be checked", count(n_failed as u64, "thing")),
    }
}

/// The JDK that demos and analyses use, and most builds.
fn jdk() -> Result<String> {
    java::check_home()?;
    let home =
        java::home().context("no `java` was found: install a JDK, and put it on the PATH or set JAVA_HOME to it")?;
    let version = java::version(&home);
    let shown = version.clone().unwrap_or_else(|| "of a version that it does not tell".to_owned());
    let text = format!("{shown} in `{}`", home.display());
    let feature = version.as_deref().and_then(feature);
    ensure!(
        feature.is_none_or(|feature| feature >= OLDEST_JDK),
        "{text} is too old: set JAVA_HOME to a JDK {OLDEST_JDK} or later"
    );
    Ok(text)
}

/// `17` of `17.0.9`, `8` of `1.8.0_392`.
fn feature(version: &str) -> Option<u32> {
    let mut numbers = version.split(['.', '_', '-', '+']).map(|number| number.parse().ok());
    match numbers.next()? {
        Some(1) => numbers.next()?,
        number => number,
    }
}

/// Another `java` on the PATH than that of `JAVA_HOME`: commands start one, builds the other.
fn other_java() -> Option<Diagnosis> {
    let home = java::home()?;
    let folders = std::env::var_os("PATH")?;
    let other = std::env::split_paths(&folders).map(|folder| folder.join("java")).find(|java| java.is_file())?;
    let other = other.canonicalize().ok()?;
    (!other.starts_with(&home)).then(|| {
        let text =
            format!("`java` on the PATH is `{}`, not that of JAVA_HOME: a command may start either", other.display());
        Diagnosis::note("PATH", text)
    })
}

/// Whether the machine's C library is new enough for an agent.
fn glibc(agent: &Path) -> Result<String> {
    let library = fs::read(agent).with_context(|| format!("the agent `{}` cannot be read", agent.display()))?;
    compare_glibc(&here(), needed(&library))
}

fn glibc_here() -> String {
    here()
}

fn here() -> String {
    // SAFETY: the call has no preconditions, and returns a string that lives as long as the process.
    let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
    version.to_string_lossy().into_owned()
}

fn compare_glibc(here: &str, needed: Option<(u32, u32)>) -> Result<String> {
    let Some((major, minor)) = needed else { return Ok(here.to_owned()) };
    let text = format!("{here}, and the agent needs {major}.{minor}");
    let is_enough = parse_version(here).is_none_or(|here| here >= (major, minor));
    ensure!(is_enough, "{text}: use a newer system or container, or build the agent on this one");
    Ok(text)
}

/// The newest version of the C library of which a library names a symbol.
fn needed(library: &[u8]) -> Option<(u32, u32)> {
    const NAME: &[u8] = b"GLIBC_";
    let at = library.windows(NAME.len()).enumerate().filter(|(_, name)| *name == NAME).map(|(at, _)| at + NAME.len());
    let version = |at: usize| {
        let digits = library[at..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
        parse_version(&digits.map(|byte| char::from(*byte)).collect::<String>())
    };
    at.filter_map(version).max()
}

/// `(2, 34)` of `2.34` or `2.34.1`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// What variables add to every JVM.
fn options() -> Vec<Diagnosis> {
    let of_variable = |name: &'static str| std::env::var(name).ok().map(|value| told(name, &value)).unwrap_or_default();
    let found: Vec<Diagnosis> = VARIABLES.into_iter().flat_map(of_variable).collect();
    if found.is_empty() {
        vec![Diagnosis::of("options", Ok("no variable adds an agent to JVMs".into()))]
    } else {
        found
    }
}

/// What is to be known of the agents in a variable.
fn told(variable: &str, value: &str) -> Vec<Diagnosis> {
    let agents = value.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let agents = agents
        .filter(|word| ["-javaagent:", "-agentpath:", "-agentlib:"].iter().any(|option| word.starts_with(option)));
    agents.map(|agent| Diagnosis { what: "options", ..of_agent(variable, agent) }).collect()
}

fn of_agent(variable: &str, agent: &str) -> Diagnosis {
    // What comes after the name may be a secret.
    let name = agent.split('=').next().unwrap_or(agent);
    let (state, text) = if agent.contains("libjrace.so") {
        (State::Fails, "loads jrace already, which a JVM cannot do twice: unset it")
    } else if agent.starts_with("-agentlib:jdwp") {
        (State::Note, "is a debugger: it takes the breakpoints by which reflection is noted; the rest works")
    } else {
        (State::Note, "is another agent: jrace weaves what it leaves; if classes cannot be woven then, try without it")
    };
    Diagnosis { state, what: "options", text: format!("`{name}` in {variable} {text}") }
}

/// Whether findings can be written.
fn writable(settings: &Settings) -> Result<String> {
    let output = &settings.options().output;
    let shown = settings.shown(output);
    let missing: Vec<&Path> = output.ancestors().take_while(|folder| !folder.exists()).collect();
    let tried = create_private(output).and_then(|()| tempfile::tempfile_in(output));
    for folder in missing {
        // Only an empty one goes away.
        let _ = fs::remove_dir(folder);
    }
    tried.with_context(|| {
        format!("findings cannot be written to `{shown}`: run jrace elsewhere, or choose another folder with --output")
    })?;
    Ok(format!("findings can be written to `{shown}`"))
}

/// Starts a JVM with the agent that does nothing else.
fn try_agent(agent: &Path, settings: &Settings) -> Result<String> {
    let folder = Temporary::named("doctor-")
        .context("no folder can be made in the temporary directory: set TMPDIR to another")?;
    let (findings, log) = (folder.path().join("findings"), folder.path().join("log"));
    create_private(&findings).context("the temporary directory cannot be written to: set TMPDIR to another")?;
    let tool = launch::tool_options(&[], Some((agent, &settings.agent_string(&findings)?)), &[])?;
    let options = JvmOptions { tool, last: Archives::of(&[], &[]).last_options(), gradle: None };
    let command = [settings::text(&java::tool("java"))?, "-version".to_owned()];
    let status = launch::run_command(&command, &options, Streams::Kept(&File::create(&log)?))?;
    let said = fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let merged = load::load_run(&findings, &|path| path.display().to_string())?;
    judge(agent, status.success(), &merged, &said)
}

fn judge(agent: &Path, has_succeeded: bool, merged: &Merged, said: &str) -> Result<String> {
    let name = agent.display();
    if let Some(reason) = merged.jvms.values().flat_map(|facts| &facts.unchecked).next() {
        anyhow::bail!("`{name}` refuses this JVM: {reason}");
    }
    let last: Vec<&str> = said.lines().filter(|line| !line.starts_with("Picked up ")).take(MAX_LINES).collect();
    let last = if last.is_empty() { "nothing".to_owned() } else { format!("`{}`", last.join("; ")) };
    ensure!(
        has_succeeded,
        "a JVM with `{name}` does not start and says {last}: name another agent with --agent, or another JDK with JAVA_HOME"
    );
    ensure!(
        merged.unread.is_empty() && merged.n_checked() > 0,
        "a JVM that was to load `{name}` left no findings and said {last}: it must be a HotSpot JVM that reads JAVA_TOOL_OPTIONS"
    );
    Ok(format!("a JVM has loaded `{name}` and left findings"))
}

/// Archives of classes, which start JVMs faster.
fn archives() -> Diagnosis {
    let home = java::home().unwrap_or_default();
    let is_there = ["classes.jsa", "classes_nocoops.jsa"].iter().any(|name| archive(&home, name).is_file());
    let text = if is_there {
        "checked JVMs do not use the JDK's archive of classes, so each starts 50 to 80 ms later; nothing is to be done"
    } else {
        "the JDK has no archive of classes, and checked JVMs would not use it"
    };
    Diagnosis::note("CDS", text.to_owned())
}

fn archive(home: &Path, name: &str) -> PathBuf {
    home.join("lib/server").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::{file, jvm};
    use facts::finding::{Record, Summary};

    #[test]
    fn versions_are_read() {
        assert_eq!(
            ["17.0.9", "1.8.0_392", "25-ea", "25", "x"].map(feature),
            [Some(17), Some(8), Some(25), Some(25), None]
        );
        let library = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_PRIVATE\0GLIBC_2.4\0GLIBC_";
        assert_eq!(needed(library), Some((2, 34)));
        assert_eq!(needed(b"no library"), None);
    }

    #[test]
    fn an_old_library_is_told_with_the_remedy() {
        assert_eq!(compare_glibc("2.36", Some((2, 34))).unwrap(), "2.36, and the agent needs 2.34");
        assert_eq!(compare_glibc("2.36", None).unwrap(), "2.36");
        // As numbers, not as text.
        assert!(compare_glibc("2.100", Some((2, 34))).is_ok());
        let error = compare_glibc("2.28", Some((2, 34))).unwrap_err().to_string();
        assert_eq!(
            error,
            "2.28, and the agent needs 2.34: use a newer system or container, or build the agent on this one"
        );
    }

    #[test]
    fn agents_in_variables_are_named_without_their_options() {
        let value = "-Xmx1g -javaagent:/a/jacoco.jar=password=x \"-agentpath:/b c/libjrace.so=y\" -agentpath:/d/libjrace.so=y \
                     -agentlib:jdwp=transport=dt_socket";
        let found: Vec<(State, String)> =
            told("X", value).into_iter().map(|diagnosis| (diagnosis.state, diagnosis.text)).collect();
        assert!(found.iter().all(|(_, text)| !text.contains("password") && !text.contains("dt_socket")), "{found:?}");
        let states: Vec<State> = found.iter().map(|(state, _)| *state).collect();
        assert!(states.contains(&State::Fails) && found[0].0 == State::Note, "{found:?}");
        assert!(found.iter().any(|(_, text)| text.starts_with("`-agentlib:jdwp` in X is a debugger")), "{found:?}");
        assert!(told("X", "-Xmx1g").is_empty());
    }

    #[test]
    fn a_jvm_has_to_leave_findings() {
        let agent = Path::new("/a/libjrace.so");
        let tell = |has_succeeded, merged: &Merged, said| {
            format!("{:#}", judge(agent, has_succeeded, merged, said).unwrap_err())
        };
        let whole = file(1, vec![Record::Jvm(jvm(1)), Record::End(Summary::default())]);
        assert_eq!(judge(agent, true, &whole, "").unwrap(), "a JVM has loaded `/a/libjrace.so` and left findings");
        let said = tell(false, &whole, "Picked up JAVA_TOOL_OPTIONS: x\nno such symbol\n");
        assert!(said.contains("does not start and says `no such symbol`: name another agent"), "{said}");
        assert!(tell(true, &Merged::default(), "").contains("left no findings and said nothing: it must be"));
        let refused = file(1, vec![Record::Jvm(jvm(1)), Record::Unchecked("this is JDK 11".into())]);
        assert_eq!(tell(true, &refused, ""), "`/a/libjrace.so` refuses this JVM: this is JDK 11");
    }
}
