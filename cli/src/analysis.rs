//! The static analysis of an application, with progress and complaints.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use facts::focus::FocusSet;
use facts::name::dotted;
use indicatif::ProgressBar;
use static_typer::classpath::{ClassPath, ClassPathError};
use static_typer::focus::{self, Goal, MethodFacts, Presumed, Search, Searched, Untyped};
use static_typer::points_to::test_methods;
use static_typer::program::{ClassId, Program};
use static_typer::races::RaceFree;
use static_typer::types::{Bodies, Reached, Types};

use crate::args::{Begin, Focus};
use crate::entries::Entries;
use crate::java;
use crate::output::{say, say_once};
use crate::report::words;

/// An analysed application.
pub struct Analysis {
    /// Its classes.
    pub program: Program,
    /// Their code.
    pub bodies: Bodies,
    /// Who owns their fields.
    pub types: Types,
    /// The version of the JDK.
    jdk: Option<String>,
    /// What the classes are analysed for.
    pub focus: Focus,
    origin: Origin,
    /// Where it begins.
    pub entries: Entries,
    reached: OnceCell<Reached>,
    /// Which method ran that a search counts on not to run, in words.
    unforeseen: Option<String>,
    /// Whether tests have run in more than one thread.
    is_parallel: bool,
    /// Classes that come under other names in each run, those together that name each other.
    families: Vec<BTreeSet<String>>,
    /// Megabytes that the search may take.
    memory: u32,
}

/// Where classes come from, and so what is to be done when some are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// From a class path, which may lack jars.
    ClassPath,
    /// From runs, which have not loaded every class that is named.
    Runs,
}

/// Megabytes that a search for races may take for a focus set, unless an option says something else.
const SEARCH_MEMORY: u32 = 2048;

impl Analysis {
    /// Analyses an application with its libraries and a JDK, as far as a focus needs it, once `annotate` has had the program.
    /// `learnt` are classes of libraries that are there though none may name them, if runs have left the classes.
    ///
    /// # Errors
    /// There is no JDK, a part of the application cannot be read, or an entry that is named is not there.
    pub fn of(
        application: &[PathBuf],
        libraries: &[PathBuf],
        jdk: Option<&Path>,
        focus: Focus,
        learnt: Option<Vec<String>>,
        begin: &Begin,
        annotate: impl FnOnce(&mut Program) -> Result<()>,
    ) -> Result<Self> {
        let progress = spinner("reading classes");
        let is_whole = searches(focus);
        let origin = if learnt.is_some() { Origin::Runs } else { Origin::ClassPath };
        let mut is_program = false;
        let mut program = load(application, libraries, jdk, origin, |path| {
            is_program = path.is_program();
            if is_whole { Program::load_whole_and(path, learnt.unwrap_or_default()) } else { Program::load(path) }
        })?;
        annotate(&mut program)?;
        let entries = Entries::of(begin, &program, is_program)?.or_everything(&program);
        progress.set_message("building bodies");
        let bodies = Bodies::of(&program);
        progress.set_message("inferring types");
        let infer = if entries.is_shared() { Types::infer_for_clients } else { Types::infer };
        let types = infer(&program, &bodies);
        progress.finish_and_clear();
        let jdk = jdk_version(jdk);
        let reached = OnceCell::new();
        Ok(Self {
            program,
            bodies,
            types,
            jdk,
            focus,
            origin,
            entries,
            reached,
            unforeseen: None,
            is_parallel: false,
            families: Vec::new(),
            memory: SEARCH_MEMORY,
        })
    }

    /// Whether an entry reaches a class: of others, nothing is proved.
    pub fn reaches(&self, class: ClassId) -> bool {
        let reached = || {
            let tests = test_methods(&self.program, &|_| true);
            Reached::of(&self.program, &self.bodies, &self.entries.methods, &tests)
        };
        self.reached.get_or_init(reached).has(class)
    }

    /// Knows what runs have shown: that a method ran which a search counts on not to run, now as then (in words), whether tests
    /// have run in more than one thread, and which classes come under other names in each.
    pub fn beside_runs(self, unforeseen: Option<String>, is_parallel: bool, families: Vec<BTreeSet<String>>) -> Self {
        Self { unforeseen, is_parallel, families, ..self }
    }

    /// The same with a search that takes no more than so many megabytes.
    pub fn within(self, memory: u32) -> Self {
        Self { memory, ..self }
    }

    /// The same for [`Focus::Method`], which needs what [`Focus::Field`] does.
    pub fn by_methods(self) -> Self {
        Self { focus: Focus::Method, ..self }
    }

    /// What types prove.
    pub fn typed(&self) -> RaceFree {
        focus::typed(&self.types, self.goal())
    }

    /// What is presumed about owners, if the focus goes by methods.
    pub fn presumed(&self) -> Presumed {
        match self.focus {
            Focus::Method => Presumed::of(&self.program, &self.bodies, &self.types),
            _ => Presumed::default(),
        }
    }

    /// Which methods keep to no type.
    pub fn untyped(&self) -> Untyped {
        Untyped::of(&self.bodies, &self.types, &self.presumed())
    }

    fn goal(&self) -> Goal {
        if self.focus == Focus::Unshared { Goal::Unshared } else { Goal::RaceFree }
    }

    /// What is proved without a search.
    pub fn typed_set(&self) -> FocusSet {
        self.set(&[self.typed()], &MethodFacts::default(), &self.presumed())
    }

    fn set(&self, proofs: &[RaceFree], facts: &MethodFacts, presumed: &Presumed) -> FocusSet {
        let mut set = focus::focus_set(&self.program, proofs, facts, presumed);
        focus::add_families(&mut set, &self.program, &self.families);
        set
    }

    /// What is proved; says so if that is by types only though more was asked for.
    pub fn focus_set(&self) -> FocusSet {
        if !searches(self.focus) {
            return self.typed_set();
        }
        let (typed, presumed) = (self.typed(), self.presumed());
        let searched = self.search(false).map(|searched| (searched.race_free, searched.methods));
        let (searched, methods) = searched.unwrap_or_else(|reason| {
            say(&format!("the focus is by the types of fields only, as {reason}"));
            Default::default()
        });
        let jdk = searched.called.as_ref().and(self.jdk.clone());
        let mut set = self.set(&[typed, searched], &methods, &presumed);
        set.basis.jdk = jdk;
        set
    }

    /// What a search for races finds; `explains` asks for its reasons too.
    ///
    /// # Errors
    /// In words: why it proves nothing.
    pub fn search(&self, explains: bool) -> Result<Searched, String> {
        if let Some(reason) = &self.unforeseen {
            return Err(reason.clone());
        }
        let Self { program, bodies, types, is_parallel, origin, .. } = self;
        // Only runs that learn know of a guard that was met; and explained is what these check.
        let has_guards = explains || *origin == Origin::Runs;
        let (goal, is_parallel) = (self.goal(), *is_parallel);
        let search = Search { goal, is_parallel, has_guards, explains, memory_bytes: u64::from(self.memory) << 20 };
        let progress = spinner("searching for races");
        let searched = focus::search(program, bodies, types, &search, &|n| {
            progress.set_message(format!("searching for races: {n} methods in their contexts"));
        });
        progress.finish_and_clear();
        searched
    }

    /// Writes the focus set.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_focus_set(&self, path: &Path) -> Result<()> {
        write(&self.focus_set(), path).with_context(|| {
            format!("cannot write the focus set to `{}`; choose another file with --focus-set", path.display())
        })
    }
}

/// Writes a focus set; whoever finds the file finds all of it.
///
/// # Errors
/// The file cannot be written.
pub fn write_set(set: &FocusSet, path: &Path) -> Result<()> {
    let part = path.with_extension("part");
    let written = write(set, &part).and_then(|()| fs::rename(&part, path));
    written.with_context(|| format!("cannot write the focus set to `{}`", path.display()))
}

fn write(set: &FocusSet, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    set.write(&mut file)?;
    file.flush()
}

/// Whether a focus has the code of libraries searched for races, too.
pub fn searches(focus: Focus) -> bool {
    matches!(focus, Focus::Combined | Focus::Unshared)
}

/// Something that turns on a terminal while an analysis works.
pub fn spinner(message: &'static str) -> ProgressBar {
    let progress = ProgressBar::new_spinner().with_message(message);
    progress.enable_steady_tick(Duration::from_millis(100));
    progress
}

/// The version of the JDK that [`load`] takes the classes from.
pub fn jdk_version(jdk: Option<&Path>) -> Option<String> {
    java::version(&jdk.map(Path::to_owned).or_else(java::home)?)
}

/// A JDK for a reader: `17.0.15, /usr/lib/jvm/java-17-openjdk-amd64`.
pub fn jdk_said(jdk: Option<&Path>) -> Option<String> {
    let home = jdk.map(Path::to_owned).or_else(java::home)?;
    let version = java::version(&home).map(|version| version + ", ").unwrap_or_default();
    Some(format!("{version}{}", home.display()))
}

/// Loads an application with its libraries and a JDK, by `load`, and says what could not be read.
///
/// # Errors
/// There is no JDK, a part of the application cannot be read, or it has no class.
pub fn load(
    application: &[PathBuf],
    libraries: &[PathBuf],
    jdk: Option<&Path>,
    origin: Origin,
    load: impl FnOnce(&mut ClassPath) -> Program,
) -> Result<Program> {
    if jdk.is_none() {
        java::check_home()?;
    }
    for path in application {
        let is_there = path.exists() || path.file_name().is_some_and(|name| name == "*");
        ensure!(is_there, "there is no `{}`: name jars or directories of classes", path.display());
    }
    libraries.iter().try_for_each(|path| try_library(path))?;
    let jdk = jdk.map(Path::to_owned).or_else(java::home);
    let jdk = jdk.context("no JDK was found: set JAVA_HOME to one, or name it with --jdk")?;
    // Its message has the cause already.
    let path = ClassPath::open(application, libraries, Some(&jdk)).map_err(|error| match error {
        ClassPathError::Jdk { .. } => anyhow!("{error}"),
        _ => anyhow!("{error}; name jars or directories of classes"),
    });
    let mut path = path?;
    let program = load(&mut path);
    complain(&path, &program, origin);
    let places: Vec<_> = application.iter().map(|path| format!("`{}`", path.display())).collect();
    ensure!(
        program.application().next().is_some(),
        "no class was found in {}: name jars or directories of classes",
        places.join(", ")
    );
    Ok(program)
}

/// A library that somebody has named and that is not there would be missed without a word.
fn try_library(path: &Path) -> Result<()> {
    let is_pattern = path.file_name().is_some_and(|name| name == "*");
    let named = if is_pattern { path.parent().filter(|folder| !folder.as_os_str().is_empty()) } else { Some(path) };
    ensure!(
        named.is_none_or(Path::exists),
        "the library `{}` does not exist: correct it, or leave it out of --library",
        path.display()
    );
    Ok(())
}

/// Says what could not be read; nothing about it is proved.
fn complain(path: &ClassPath, program: &Program, origin: Origin) {
    // A damaged class file may not tell its name, and may have been asked for more than once.
    let left_out = program.problems().iter().map(|problem| {
        let name = dotted(&problem.class);
        let class = if name.is_empty() { "a class" } else { &name };
        format!("{class} in {} is left out: {}", problem.origin.display(), problem.reason)
    });
    let problems: BTreeSet<String> = path.problems().iter().map(ToString::to_string).chain(left_out).collect();
    for problem in problems {
        say_once(&problem, &problem);
    }
    let missing: Vec<String> = program.missing().map(|name| dotted(&name)).collect();
    if let Some((first, others)) = missing.split_first() {
        let others = match others.len() {
            0 => String::new(),
            number => format!(" and {}", words::count(number as u64, "other")),
        };
        let text = match origin {
            Origin::ClassPath => {
                format!("{first}{others} cannot be found, so less is proved: add jars with --library")
            }
            Origin::Runs => format!("no run has loaded {first}{others}, so less is proved"),
        };
        say_once("missing classes", &text);
    }
}
