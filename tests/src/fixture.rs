//! The Java programs below `tests/java/agent`: a *group* is compiled together, a *case* is a package in it with a class
//! `Main`. Their comments say what is reported; see [`crate::expect`].

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};

use crate::expect::Expectations;
use crate::jdk::{Jdk, sources};
use crate::launch::Launch;
use crate::root;
use crate::run::Run;

/// Where the groups lie.
#[must_use]
pub fn folder() -> PathBuf {
    root().join("tests/java/agent")
}

/// The classes of a group, with those of `util`, compiled for the oldest release that is supported.
///
/// # Errors
/// What javac says.
pub fn classes(group: &str) -> Result<PathBuf> {
    let mut all = sources(&folder().join(group))?;
    all.extend(sources(&folder().join("util"))?);
    compiled(&Jdk::oldest(), &all, &["--release", "17"])
}

/// The line of a source file that declares a field, from 1.
///
/// # Errors
/// There is no such file, or it declares no such field.
pub fn declaration(sources: &[PathBuf], file: &str, field: &str) -> Result<u16> {
    let path = sources.iter().find(|path| path.ends_with(file)).with_context(|| format!("no {file}"))?;
    let declares = |line: &str| {
        let declared = line.split(['=', ';']).next().unwrap_or_default().trim();
        line.starts_with("    ") && !declared.contains('(') && declared.ends_with(&format!(" {field}"))
    };
    let line = std::fs::read_to_string(path)?.lines().position(declares);
    Ok(u16::try_from(line.with_context(|| format!("{file} declares no {field}"))? + 1)?)
}

/// Compiles sources into a directory that is kept while sources, options and JDK stay the same.
///
/// # Errors
/// What javac says.
pub fn compiled(jdk: &Jdk, sources: &[PathBuf], options: &[&str]) -> Result<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let mut hasher = DefaultHasher::new();
    (&jdk.home, options).hash(&mut hasher);
    for source in sources {
        (source, std::fs::read(source)?).hash(&mut hasher);
    }
    let cache = std::env::temp_dir().join("jrace-fixtures");
    let kept = cache.join(format!("{:016x}", hasher.finish()));
    if !kept.is_dir() {
        std::fs::create_dir_all(&cache)?;
        let fresh = tempfile::tempdir_in(&cache)?;
        jdk.compile(sources, fresh.path(), options)?;
        if std::fs::rename(fresh.path(), &kept).is_ok() {
            // The directory has a new name, and nothing is left to delete.
            let _ = fresh.keep();
        }
    }
    ensure!(kept.is_dir(), "{} cannot be made", kept.display());
    Ok(kept)
}

/// The expectations of a case.
///
/// # Errors
/// A source cannot be read.
pub fn expectations(group: &str, case: &str) -> Result<Expectations> {
    Expectations::of(&sources(&folder().join(group).join(case))?)
}

/// Runs a case on every JDK: it reports what its comments say, and its output and exit code are those without the agent.
///
/// # Errors
/// What differs.
pub fn check(group: &str, case: &str, options: &str) -> Result<()> {
    let classes = classes(group)?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, &format!("{case}.Main"));
        let run = same_as_without(&launch, options)?;
        let expected = expectations(group, case)?;
        let expected = if options.contains("check=eraser") { expected.by_locks() } else { expected };
        compared(&run, &expected, case)
    })
}

/// The same for a case whose expectations depend on the options: these variables are reported, and no others.
///
/// # Errors
/// What differs.
pub fn reports(group: &str, case: &str, options: &str, expected: &[&str]) -> Result<()> {
    let classes = classes(group)?;
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    on_every_jdk(|jdk| {
        let run = same_as_without(&Launch::main(jdk, &classes, &format!("{case}.Main")), options)?;
        ensure!(run.racy() == expected, "reported: {:?}", run.racy());
        Ok(())
    })
}

/// Whether a run reported what the comments of a case say.
///
/// # Errors
/// What differs.
pub fn compare(run: &Run, group: &str, case: &str) -> Result<()> {
    compared(run, &expectations(group, case)?, case)
}

fn compared(run: &Run, expected: &Expectations, case: &str) -> Result<()> {
    expected
        .compare(&run.racy())
        .with_context(|| format!("{case}: {}\n{}", run.stdout().trim_end(), run.stderr().trim_end()))
}

/// Runs a program with and without the agent: output and exit code must be the same.
///
/// # Errors
/// What differs.
pub fn same_as_without(launch: &Launch, options: &str) -> Result<Run> {
    let without = launch.clone().unchecked().run()?;
    let with = launch.clone().checked(options).run()?;
    let told = |run: &Run| (run.output.status.code(), run.stdout(), run.stderr());
    ensure!(told(&with) == told(&without), "with the agent: {:?}\nwithout: {:?}", told(&with), told(&without));
    Ok(with)
}

/// Runs a check on every JDK and collects what fails.
///
/// # Errors
/// Everything that failed.
pub fn on_every_jdk(check: impl FnMut(&Jdk) -> Result<()>) -> Result<()> {
    on_jdks(&Jdk::all(), check)
}

/// The same on two of them, for what takes long.
///
/// # Errors
/// Everything that failed.
pub fn on_oldest_and_newest(check: impl FnMut(&Jdk) -> Result<()>) -> Result<()> {
    on_jdks(&Jdk::oldest_and_newest(), check)
}

/// The same on one of them, for what takes very long.
///
/// # Errors
/// What failed.
pub fn on_newest(check: impl FnMut(&Jdk) -> Result<()>) -> Result<()> {
    on_jdks(&Jdk::newest(), check)
}

/// The same on some JDKs.
///
/// # Errors
/// Everything that failed.
pub fn on_jdks(jdks: &[Jdk], mut check: impl FnMut(&Jdk) -> Result<()>) -> Result<()> {
    let mut failures = String::new();
    for jdk in jdks {
        if let Err(error) = check(jdk) {
            writeln!(failures, "JDK {}: {error:#}", jdk.feature)?;
        }
    }
    ensure!(failures.is_empty(), "{failures}");
    Ok(())
}

/// The classes of a source that a test has written, below a folder of its own. Every JDK runs them.
///
/// # Errors
/// The folder cannot be written, or what javac says.
pub fn compiled_text(folder: &Path, file: &str, text: &str) -> Result<PathBuf> {
    let (source, classes) = (folder.join(file), folder.join("classes"));
    std::fs::write(&source, text)?;
    Jdk::oldest().compile(&[source], &classes, &["--release", "17"])?;
    Ok(classes)
}

/// A jar of a directory, optionally with lines for its manifest.
///
/// # Errors
/// The tool `jar` fails.
pub fn jar(jdk: &Jdk, jar: &Path, manifest: Option<&str>, directory: &Path) -> Result<()> {
    let mut command = jdk.tool("jar");
    let lines = tempfile::NamedTempFile::new()?;
    match manifest {
        Some(text) => {
            std::fs::write(lines.path(), text)?;
            command.arg("-cfm").arg(jar).arg(lines.path());
        }
        None => {
            command.arg("-cf").arg(jar);
        }
    }
    let output = command.arg("-C").arg(directory).arg(".").output()?;
    ensure!(output.status.success(), "jar failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// One test for each case of a group: `cases! { "group"; case_name: "options"; … }`.
#[macro_export]
macro_rules! cases {
    ($group:literal; $($(#[$attribute:meta])* $case:ident: $options:literal;)*) => {
        $(
            $(#[$attribute])*
            #[test]
            fn $case() -> anyhow::Result<()> {
                $crate::fixture::check($group, stringify!($case), $options)
            }
        )*
    };
}
