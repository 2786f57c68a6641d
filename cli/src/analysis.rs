//! The static analysis of an application, with progress and complaints.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use facts::name::dotted;
use indicatif::ProgressBar;
use static_typer::classpath::ClassPath;
use static_typer::focus;
use static_typer::program::Program;
use static_typer::types::{Bodies, Types};

use crate::java;
use crate::output::err;
use crate::report::words;

/// An analysed application.
pub struct Analysis {
    /// Its classes.
    pub program: Program,
    /// Their code.
    pub bodies: Bodies,
    /// Who owns their fields.
    pub types: Types,
}

impl Analysis {
    /// Analyses an application with its libraries and a JDK.
    ///
    /// # Errors
    /// There is no JDK, or a part of the application cannot be read.
    pub fn of(application: &[PathBuf], libraries: &[PathBuf], jdk: Option<&Path>) -> Result<Self> {
        let progress = spinner("reading classes");
        let program = load(application, libraries, jdk, Program::load)?;
        progress.set_message("building bodies");
        let bodies = Bodies::of(&program);
        progress.set_message("inferring types");
        let types = Types::infer(&program, &bodies);
        progress.finish_and_clear();
        Ok(Self { program, bodies, types })
    }

    /// Writes the focus set.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_focus_set(&self, path: &Path) -> Result<()> {
        let set = focus::focus_set(&self.program, &self.types);
        let file = File::create(path).map(BufWriter::new);
        let written = file.and_then(|mut file| set.write(&mut file).and_then(|()| file.flush()));
        written.with_context(|| format!("the focus set cannot be written to `{}`", path.display()))
    }
}

/// Something that turns on a terminal while an analysis works.
pub fn spinner(message: &'static str) -> ProgressBar {
    let progress = ProgressBar::new_spinner().with_message(message);
    progress.enable_steady_tick(Duration::from_millis(100));
    progress
}

/// Loads an application with its libraries and a JDK, by `load`, and says what could not be read.
///
/// # Errors
/// There is no JDK, a part of the application cannot be read, or it has no class.
pub fn load(
    application: &[PathBuf],
    libraries: &[PathBuf],
    jdk: Option<&Path>,
    load: impl FnOnce(&mut ClassPath) -> Program,
) -> Result<Program> {
    let jdk = jdk.map(Path::to_owned).or_else(java::home);
    let jdk = jdk.context("no JDK was found: set JAVA_HOME to one, or name it with --jdk")?;
    // Its message has the cause already.
    let path = ClassPath::open(application, libraries, Some(&jdk)).map_err(|error| anyhow!("{error}"));
    let mut path = path?;
    let program = load(&mut path);
    complain(&path, &program);
    let places: Vec<_> = application.iter().map(|path| format!("`{}`", path.display())).collect();
    ensure!(program.application().next().is_some(), "no class was found in {}", places.join(", "));
    Ok(program)
}

/// Says what could not be read; nothing about it is proved.
fn complain(path: &ClassPath, program: &Program) {
    // A damaged class file may not tell its name, and may have been asked for more than once.
    let left_out = program.problems().iter().map(|problem| {
        let name = dotted(&problem.class);
        let class = if name.is_empty() { "a class" } else { &name };
        format!("{class} in {} is left out: {}", problem.origin.display(), problem.reason)
    });
    let problems: BTreeSet<String> = path.problems().iter().map(ToString::to_string).chain(left_out).collect();
    for problem in problems {
        err(&format!("jrace: {problem}\n"));
    }
    let missing: Vec<String> = program.missing().map(|name| dotted(&name)).collect();
    if let Some((first, others)) = missing.split_first() {
        let others = match others.len() {
            0 => String::new(),
            number => format!(" and {}", words::count(number as u64, "other")),
        };
        err(&format!("jrace: {first}{others} cannot be found, so less is proved: add jars with --library\n"));
    }
}
