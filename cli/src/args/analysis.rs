//! Commands that look at classes without running them.

use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};
use static_typer::races::Bounds;

use super::report::{Compared, Forms};
use super::run::Focus;

/// Prove fields race-free without running anything, and show where a lock is missing
///
/// Every field of the classes gets a type: final, volatile, read-only, guarded by a lock, or confined to one thread. A field
/// without one is race-unsafe; where most of its accesses hold a lock, those that do not are reported.
///
/// Exit code: 66 (see --exitcode) if a lock is missing (with --baseline: where none was), 0 if not, 2 if the classes cannot be read.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace check --library 'lib/*' app.jar")]
pub struct Check {
    #[command(flatten)]
    pub classes: Classes,
    #[command(flatten)]
    pub begin: Begin,
    /// List every race-unsafe field with its accesses, also where no lock is held at most of them, and what no entry reaches
    #[arg(long)]
    pub all: bool,
    /// Hold the code to the owners that `jrace discover` has observed: a type log; can be repeated
    #[arg(long, value_name = "LOG")]
    pub types: Vec<PathBuf>,
    /// File of annotations for code that cannot be annotated: lines `package.Class.field @GuardedBy("this")`
    #[arg(long, value_name = "FILE")]
    pub annotations: Option<PathBuf>,
    /// Join what `jrace run --atomicity` has found, as it lies in DIR, with what the types say of the same methods
    #[arg(long, value_name = "DIR")]
    pub observed: Option<PathBuf>,
    /// One JSON document instead of text
    #[arg(long, conflicts_with_all = ["brief", "github"])]
    pub json: bool,
    #[command(flatten)]
    pub compared: Compared,
    #[command(flatten)]
    pub forms: Forms,
    /// Directory that is searched for sources besides the working directory and where the classes are; can be repeated
    #[arg(long, visible_alias = "sources", value_name = "DIR")]
    pub source_path: Vec<PathBuf>,
    /// Write what was proved to FILE, for `jrace run --focus-set FILE`
    #[arg(long, value_name = "FILE")]
    pub focus_set: Option<PathBuf>,
    /// What goes to the focus set
    #[arg(long, value_name = "MODE", default_value = "combined", requires = "focus_set")]
    pub focus: Focus,
    /// Exit code when a lock is missing [default: 66]
    #[arg(long, value_name = "N", default_value_t = 66)]
    pub exitcode: u8,
}

/// Find races without running anything: two call paths for each
///
/// Follows every object and every call from `main`, or from a synthesized client of a library, and reports pairs of accesses
/// to one object that two threads may make at once without a common lock.
///
/// Exit code: 66 (see --exitcode) if races were found (with --baseline: new ones), 0 if not, 2 if the classes cannot be read.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: jrace races --api 'org.example.pool.*' pool.jar",
    mut_arg("application", |application| application.required(false).required_unless_present("link"))
)]
pub struct Races {
    #[command(flatten)]
    pub classes: Classes,
    #[command(flatten)]
    pub begin: Begin,
    /// Which code is analysed apart for each object it is called on
    #[arg(long, value_name = "WHICH", default_value = "hybrid")]
    pub contexts: Contexts,
    /// How many allocation sites tell objects apart
    #[arg(short = 'k', long, value_name = "K", default_value_t = 1, value_parser = value_parser!(u8).range(1..=8))]
    pub depth: u8,
    /// Report only what no race is to be on: fields, and those of classes, with `@NoRace` of jrace.annotations, or by a line
    /// `package.Class @NoRace` in the file of --annotations
    #[arg(long)]
    pub only_norace: bool,
    /// Report all but where races do no harm: fields, and those of classes, with `@MayRace` of jrace.annotations, or by a line
    /// `package.Class @MayRace` in the file of --annotations
    #[arg(long)]
    pub except_mayrace: bool,
    /// File of what the analysis cannot know: lines `local PATTERN` and `benign PATTERN`, `#` for comments
    #[arg(long, value_name = "FILE")]
    pub annotations: Option<PathBuf>,
    /// Say which races `jrace run` has seen, and what it has seen besides; DIR is its output directory
    #[arg(long, value_name = "DIR")]
    pub observed: Option<PathBuf>,
    /// Also follow reflection to what runs have reached by it, as `jrace run --record-reflection FILE` has noted; can be repeated
    #[arg(long, value_name = "FILE")]
    pub reflection: Vec<PathBuf>,
    /// How much memory the analysis may take, about; it goes on with fewer contexts where that is not enough [default: half of
    /// the machine's, and 512 with `hybrid` contexts of depth 1]
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
    /// How many states a search for a call path may look at; where that is too few, the report says so
    #[arg(long, value_name = "N", default_value_t = Bounds::default().states)]
    pub path_states: usize,
    /// Go by the rules of the paper: no constructors, any lock that may be the same counts, volatile fields race
    #[arg(long)]
    pub chord: bool,
    /// Analyse each method once, by itself, and put its summary where it is called: libraries are not followed but assumed to keep,
    /// call back and return what they get
    #[arg(
        long,
        conflicts_with_all = [
            "contexts", "depth", "observed", "reflection", "memory", "path_states", "chord", "skip", "focus_set",
            "dump",
        ]
    )]
    pub modular: bool,
    /// With --modular: keep what is known of each method in DIR, so that the next run looks only at what has changed since; the report is
    /// the same
    #[arg(long, requires = "modular", value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// With --modular: join what `jrace summarize` has put into these folders; their classes are analysed with those of the jars that are
    /// named, if any are. The report is that of all of them at once
    #[arg(long, requires = "modular", value_name = "DIR", num_args = 1..)]
    pub link: Vec<PathBuf>,
    /// Leave out a stage, so that what it takes away is shown too; can be repeated
    #[arg(long, value_name = "STAGE")]
    pub skip: Vec<SkippedStage>,
    /// Show every race and every frame, not only the surest race of each variable
    #[arg(long)]
    pub all: bool,
    /// Also say how long each stage took, in every form; without it, documents of the same classes are the same
    #[arg(long)]
    pub times: bool,
    /// One JSON document instead of text
    #[arg(long, conflicts_with_all = ["brief", "github"])]
    pub json: bool,
    #[command(flatten)]
    pub compared: Compared,
    #[command(flatten)]
    pub forms: Forms,
    /// Write everything but the races to FILE, so that `jrace run --focus-set FILE` checks only these
    #[arg(long, value_name = "FILE", conflicts_with = "chord")]
    pub focus_set: Option<PathBuf>,
    /// Also write the methods that are reached, the call edges, and the casts that may fail to files in DIR, as other analyses have them
    #[arg(long, value_name = "DIR")]
    pub dump: Option<PathBuf>,
    /// Directory that is searched for sources besides the working directory and where the classes are; can be repeated
    #[arg(long, visible_alias = "sources", value_name = "DIR")]
    pub source_path: Vec<PathBuf>,
    /// Exit code when races were found [default: 66]
    #[arg(long, value_name = "N", default_value_t = 66)]
    pub exitcode: u8,
}

/// Summarize the methods of a part of a program, for `jrace races --link`
///
/// A part is a target of a build: its folder depends on nothing but what is named here, the JDK and the build of jrace, so that a build system
/// can run these commands in any order that it likes, side by side and on any machine, and keep what they make.
///
/// Exit code: 0 if the folder was written, 2 if not.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace summarize --out app.sum app.jar --link util.sum --library 'lib/*'")]
pub struct Summarize {
    #[command(flatten)]
    pub classes: Classes,
    /// Folder that is written: the classes, and the summaries of their methods
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Folders that `jrace summarize` has made of the parts that this one needs, and of what these need
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub link: Vec<PathBuf>,
}

/// A stage that narrows the pairs down.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SkippedStage {
    /// Accesses that two threads come to
    Reachable,
    /// To an object that may be the same
    Aliasing,
    /// That several threads may reach
    Escaping,
    /// Without a common lock
    Unlocked,
}

/// Which code is analysed in contexts.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Contexts {
    /// None: fast, and objects of one class are often taken for each other
    None,
    /// The application's, and that of containers it makes
    Hybrid,
    /// All
    Object,
}

/// Why a field is checked at run time, or why it need not be
///
/// Names are patterns: `*` stands for any run of characters.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples: jrace explain 'bank.Account.*' app.jar, jrace explain --focus '*' app.jar, jrace explain --why-not '*' app.jar,\n  jrace explain --summary bank.Account.deposit app.jar"
)]
pub struct Explain {
    /// The field or method, `package.Class.field`
    #[arg(value_name = "FIELD")]
    pub field: String,
    #[command(flatten)]
    pub classes: Classes,
    #[command(flatten)]
    pub begin: Begin,
    /// One JSON document instead of text
    #[arg(long, conflicts_with_all = ["brief", "github"])]
    pub json: bool,
    #[command(flatten)]
    pub forms: Forms,
    /// Directory that is searched for sources besides the working directory and where the classes are; can be repeated
    #[arg(long, visible_alias = "sources", value_name = "DIR")]
    pub source_path: Vec<PathBuf>,
    /// Also say what `jrace run --focus` checks, and why, by the search over the whole program too unless MODE is another
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "combined")]
    pub focus: Option<Focus>,
    /// Instead, tell what stands in the way of proofs, with its share of the fields and array accesses that are not proved
    #[arg(long, conflicts_with = "focus")]
    pub why_not: bool,
    /// Instead, print the summary that `jrace races --modular` makes of the method FIELD: what it accesses under which locks, what it makes,
    /// starts and hands to libraries; with --html FILE as a page with a picture, with --json as a document
    #[arg(long, conflicts_with_all = ["focus", "why_not", "brief", "github", "junit", "sarif", "annotations"])]
    pub summary: bool,
    /// Type log of `jrace discover`, so that obstacles are weighed by how often fields were accessed; can be repeated
    #[arg(long, value_name = "LOG", requires = "why_not")]
    pub types: Vec<PathBuf>,
    /// File of annotations for code that cannot be annotated: lines `package.Class.field @GuardedBy("this")`
    #[arg(long, value_name = "FILE")]
    pub annotations: Option<PathBuf>,
}

/// The classes of a static analysis.
#[derive(Args, Debug)]
pub struct Classes {
    /// Jars and class directories that are analysed
    #[arg(required = true, value_name = "JAR|DIR")]
    pub application: Vec<PathBuf>,
    /// Jars and class directories that they need, `DIR/*` for all jars of a directory; can be repeated
    #[arg(long, visible_alias = "libs", value_name = "JAR|DIR")]
    pub library: Vec<PathBuf>,
    /// What methods lock and unlock, as for `jrace run` [default: `models` of jrace.toml]; the manual's chapter on models has the form
    #[arg(long, value_name = "FILE")]
    pub models: Option<PathBuf>,
    /// Home of the JDK whose classes they need [default: JAVA_HOME, or that of the `java` on the PATH]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
}

/// Where an application begins.
#[derive(Args, Default, Debug)]
pub struct Begin {
    /// The class whose `main` is run [default: every class that has one, in directories and in jars with a Main-Class]
    #[arg(long, value_name = "CLASS", conflicts_with = "api")]
    pub main: Option<String>,
    /// Begin with the tests: methods that JUnit or TestNG run, in one thread
    #[arg(long, conflicts_with_all = ["main", "api"])]
    pub tests: bool,
    /// Classes that clients use, as patterns; can be repeated [default: all public ones, if nothing says that it is a program]
    #[arg(long, value_name = "PATTERN")]
    pub api: Vec<String>,
}
