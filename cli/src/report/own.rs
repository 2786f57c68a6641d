//! Which classes are the user's own.
//!
//! A class whose source lies below the working directory, or where `--source-path` says, is the user's own, or that of a test if it
//! lies in a folder for tests; and so is one in the package of the main class, or below it. When no class of a report is known
//! to be the user's own, nobody knows of any which one it is, and all but those of the JDK and of test runners are taken for it.

use std::collections::HashMap;
use std::path::Path;

use facts::finding::Variable;
use facts::site::Place;

use super::frames::{is_folded, says_little};
use super::judge::{Judged, Status, Verdict};
use super::source::{Sources, is_test};

/// Main classes that only start another one.
const LAUNCHERS: [&str; 2] = ["org/codehaus/plexus/", "org/springframework/boot/loader/"];

/// Types of what compilers put into the user's classes for themselves: Groovy's call sites, which it replaces while threads read them.
const OF_COMPILERS: [&str; 1] = ["[Lorg/codehaus/groovy/runtime/callsite/CallSite;"];

/// Whose a class is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Whose {
    /// The user's own.
    Program,
    /// A test of the user's.
    Test,
    /// A library's, or the JDK's.
    Library,
}

impl Whose {
    /// In a word: `own`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Program => "own",
            Self::Test => "tests",
            Self::Library => "libraries",
        }
    }

    /// As a heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Program => "Your code",
            Self::Test => "Tests",
            Self::Library => "Libraries",
        }
    }
}

/// Whose the classes of a report are.
#[derive(Default)]
pub struct Own {
    classes: HashMap<String, Whose>,
    packages: Vec<String>,
    is_known: bool,
}

impl Own {
    /// Looks up all classes on the stacks of a verdict. `shown` is how the path of a source appears.
    pub fn of(verdict: &Verdict<'_>, sources: &mut Sources, shown: &impl Fn(&Path) -> String) -> Self {
        let commands = verdict.jvms.values().map(|facts| facts.jvm.command.as_str());
        let mut own =
            Self { classes: HashMap::new(), packages: commands.filter_map(main_package).collect(), is_known: false };
        for place in frames(verdict).filter(|place| !is_folded(place)) {
            if own.classes.get(&place.class).is_none_or(|whose| *whose == Whose::Library) {
                let whose = own.look_up(place, sources, shown);
                own.classes.insert(place.class.clone(), whose);
            }
        }
        for place in verdict.with(Status::New).map(|judged| declaration(&judged.key.variable)) {
            if !own.classes.contains_key(&place.class) && !is_folded(&place) {
                let whose = own.look_up(&place, sources, shown);
                own.classes.insert(place.class, whose);
            }
        }
        own.is_known = own.classes.values().any(|whose| *whose != Whose::Library);
        own
    }

    fn look_up(&self, place: &Place, sources: &mut Sources, shown: &impl Fn(&Path) -> String) -> Whose {
        let paths = sources.paths(place);
        if paths.is_empty() {
            let is_near = self.packages.iter().any(|package| is_in(&place.class, package));
            return if is_near { Whose::Program } else { Whose::Library };
        }
        // Of several modules' sources none may be shown, but all of them are the user's.
        if paths.iter().all(|path| is_test(Path::new(&shown(path)))) { Whose::Test } else { Whose::Program }
    }

    /// Whether any class is known to be the user's own.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whose a finding is: that of the code that makes either access, or of the class of the variable. If nobody knows, the user's.
    pub fn of_finding(&self, judged: &Judged<'_>) -> Whose {
        if !self.is_known {
            return Whose::Program;
        }
        if is_of_compiler(&judged.key.variable) {
            return Whose::Library;
        }
        let conflicts = judged.conflicts.iter().map(|sighting| &sighting.conflict);
        let accesses = conflicts.flat_map(|conflict| [&conflict.current, &conflict.previous]);
        let places = accesses.filter_map(|access| access.stack.iter().find(|place| !is_folded(place)));
        let classes = places.map(|place| place.class.as_str()).chain([class_of(&judged.key.variable)]);
        classes.filter_map(|class| self.classes.get(class)).min().copied().unwrap_or(Whose::Library)
    }

    /// Whether a frame is of the user's own code, or may be.
    pub fn has(&self, place: &Place) -> bool {
        let is_own = self.classes.get(&place.class).is_some_and(|whose| *whose != Whose::Library);
        is_own || !self.is_known && !is_folded(place)
    }
}

fn is_of_compiler(variable: &Variable) -> bool {
    matches!(variable, Variable::Array { descriptor, .. } if OF_COMPILERS.contains(&descriptor.as_str()))
}

/// The internal name of the class that has a variable, or a method that loads it.
fn class_of(variable: &Variable) -> &str {
    match variable {
        Variable::Field { class, .. } | Variable::Static { class, .. } | Variable::Object { class } => class,
        Variable::Array { origin, .. } | Variable::Contents { origin, .. } => {
            origin.rsplit_once('.').map_or(origin, |(class, _)| class)
        }
    }
}

/// The first line of the file in which the class of a variable should be.
fn declaration(variable: &Variable) -> Place {
    let class = class_of(variable).to_owned();
    let simple = class.rsplit('/').next().and_then(|name| name.split('$').next()).unwrap_or_default();
    Place {
        file: Some(format!("{simple}.java")),
        line: Some(1),
        method: String::new(),
        descriptor: String::new(),
        offset: 0,
        class,
    }
}

/// All frames of the accesses, and of the starts of their threads.
fn frames<'a>(verdict: &'a Verdict<'_>) -> impl Iterator<Item = &'a Place> {
    let conflicts = verdict.with(Status::New).flat_map(|judged| &judged.conflicts);
    let accesses = conflicts.flat_map(|sighting| [&sighting.conflict.current, &sighting.conflict.previous]);
    let scenarios = verdict.hazards_with(Status::New).flat_map(|judged| &judged.scenarios);
    let steps = scenarios.flat_map(|foreseen| &foreseen.scenario.steps).map(|step| &step.access);
    accesses.chain(steps).flat_map(|access| access.stack.iter().chain(&access.thread.created))
}

/// The package of the main class, `bank/`; none of a jar, and of what only starts another program.
fn main_package(command: &str) -> Option<String> {
    let main = command.split_whitespace().next()?;
    // Of a module, `module/class`.
    let class = main.rsplit('/').next()?.replace('.', "/");
    let is_launcher = LAUNCHERS.iter().any(|launcher| class.starts_with(launcher));
    let is_program = !has_extension(main) && !says_little(&class) && !is_launcher;
    is_program.then(|| class.rsplit_once('/').map_or(String::new(), |(package, _)| format!("{package}/")))
}

fn has_extension(main: &str) -> bool {
    [".jar", ".war", ".java"].iter().any(|extension| main.ends_with(extension))
}

/// Whether a class is in a package or below it; below the package without a name are its classes only.
fn is_in(class: &str, package: &str) -> bool {
    if package.is_empty() { !class.contains('/') } else { class.starts_with(package) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_files_that_fit_each_is_the_user_s() {
        let directory = tempfile::tempdir().unwrap();
        let text = "package app;\nclass Main {\n  int a;\n";
        for path in ["a/app/Main.java", "b/app/Main.java", "a/src/test/app/Case.java", "b/src/test/app/Case.java"] {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut sources = Sources::new(directory.path(), &[]);
        let shown = |path: &Path| path.strip_prefix(directory.path()).unwrap().display().to_string();
        let mut look_up = |class: &str| {
            let file = format!("{}.java", facts::name::simple(class));
            let place = Place { file: Some(file), ..super::super::fixtures::place(class, "m", 3) };
            Own::default().look_up(&place, &mut sources, &shown)
        };
        assert_eq!(look_up("app/Main"), Whose::Program);
        assert_eq!(look_up("app/Case"), Whose::Test);
        assert_eq!(look_up("app/Other"), Whose::Library);
    }

    #[test]
    fn the_main_class_tells_the_package() {
        for (command, package) in [
            ("bank.app.Main --fast", Some("bank/app/")),
            ("Main", Some("")),
            ("bank/bank.app.Main x", Some("bank/app/")),
            ("target/app-1.jar bank.Main", None),
            ("jdk.compiler/com.sun.tools.javac.launcher.Main A.java", None),
            ("org.apache.maven.surefire.booter.ForkedBooter x", None),
            ("org.codehaus.plexus.classworlds.launcher.Launcher test", None),
            ("", None),
        ] {
            assert_eq!(main_package(command).as_deref(), package, "{command}");
        }
        assert!(is_in("bank/app/x/A", "bank/app/") && !is_in("bank/application/A", "bank/app/"));
        assert!(is_in("A", "") && !is_in("a/A", ""));
    }
}
