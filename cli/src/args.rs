//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
use static_typer::races::Bounds;

/// Finds data races in running Java programs.
///
/// Put `jrace run --` in front of the command that starts your program or its tests.
#[derive(Parser, Debug)]
#[command(name = "jrace", version = env!("JRACE_VERSION"), disable_help_subcommand = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    Run(Run),
    Discover(Discover),
    Report(Report),
    Baseline(Baseline),
    Replay(Replay),
    Check(Check),
    Explain(Explain),
    Races(Races),
    Demo(Demo),
    Compare(Compare),
    Instrument(Instrument),
    Doctor(Doctor),
    Schema(Schema),
    Completions(Completions),
    Man(Man),
    Help(Help),
    #[command(hide = true)]
    Prove(Prove),
}

/// What `jrace run --focus` has a process of its own do, which it ends when that takes too long
#[derive(Args, Debug)]
pub struct Prove {
    /// The output directory of the runs
    pub output: PathBuf,
    /// What goes to the focus set
    pub focus: Focus,
    /// What types prove
    #[arg(long, value_name = "FILE")]
    pub typed: PathBuf,
    /// What a search proves besides
    #[arg(long, value_name = "FILE")]
    pub searched: Option<PathBuf>,
    /// Megabytes that the search may take
    #[arg(long, value_name = "MB")]
    pub memory: u32,
    /// The models of the runs
    #[arg(long, value_name = "FILE")]
    pub models: Option<PathBuf>,
}

/// Run a command with the agent in every JVM it starts, then report the races they found
///
/// The command keeps its standard input, output and error; the report follows on standard error. Findings are kept in
/// DIR/run-TIME-PID, one file for each JVM, and `jrace report` merges them.
///
/// Exit code: 66 (see --exitcode) if there are findings that are neither suppressed nor in the baseline, and not only possible
/// races (see --fail-on); otherwise the code of the command if it failed, or 128+n if signal n killed it; otherwise 2 if no JVM was
/// checked or not every one (see --allow-none), or if what was found could not be read; 0 if all went well. 2 also if jrace could
/// not start.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace run --include 'com.acme.*' -- mvn test")]
pub struct Run {
    #[command(flatten)]
    pub checking: Checking,
    #[command(flatten)]
    pub judging: Judging,
    #[command(flatten)]
    pub showing: Showing,
    #[command(flatten)]
    pub forms: Forms,
    /// Mark the tests in whose work a race was seen as failed in the XML reports that surefire, failsafe or Gradle have written
    #[arg(long)]
    pub fail_test: bool,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Run a command and observe who owns its fields: which locks are held where threads share them
///
/// Each JVM notes of a few objects of each site who accesses their fields, and with which locks; from this a type log is made. What is seen joins what FILE has already. Without a command, the log is only shown. The command keeps its
/// standard input, output and error; the table of owners follows on standard error, or stands on standard output without one.
///
/// Exit code: that of the command if it failed, or 128+n if signal n killed it; otherwise 2 if no JVM was observed or not every one
/// (see --allow-none); 0 if all went well. 2 also if jrace could not start.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace discover -- mvn test; jrace check --types .jrace/types.jsonl app.jar")]
pub struct Discover {
    /// The type log [default: .jrace/types.jsonl]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Take over what this type log has, too; can be repeated
    #[arg(long, value_name = "FILE")]
    pub merge: Vec<PathBuf>,
    /// Which objects are sampled, of those that come after the first eight of their site
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// One JSON document instead of the table
    #[arg(long)]
    pub json: bool,
    /// Also write a page with the table to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Observe only classes whose dotted name matches (`*` for any run of characters); can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// Do not observe classes whose dotted name matches; their locks still count; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Give every JVM this option too; can be repeated
    #[arg(long = "jvm-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub jvm_options: Vec<String>,
    /// Set any option of the table (`jrace help options`); can be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// The agent, libjrace.so, when it is not found by itself
    #[arg(long, value_name = "PATH", env = "JRACE_AGENT")]
    pub agent: Option<PathBuf>,
    /// Let it pass that no JVM was observed, or not every one; without this, the exit code is 2
    #[arg(long)]
    pub allow_none: bool,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// What the agent does; names and meanings as in the option table.
#[derive(Args, Debug, Default)]
pub struct Checking {
    /// Directory for findings [default: .jrace]
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Which accesses are reported: hybrid (also those that only locks happened to order, as possible), happens-before (those that
    /// nothing ordered), eraser (those without a common lock), or none to weave and record only [default: hybrid]
    #[arg(long, value_name = "CHECK")]
    pub check: Option<String>,
    /// Shadow state for each field, or one for each object [default: field]
    #[arg(long, value_name = "field|object")]
    pub granularity: Option<String>,
    /// Shadow state for each array as one object, for each element, or off [default: object]
    #[arg(long, value_name = "object|element|off")]
    pub arrays: Option<String>,
    /// Check only classes whose dotted name matches (`*` for any run of characters); can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// Do not check classes whose dotted name matches; their locks still count; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// What methods of your own or of a library hand over, lock or unlock; the manual's chapter on models has the form
    #[arg(long, value_name = "FILE")]
    pub models: Option<PathBuf>,
    /// Write a trace of every event into this directory, one file for each JVM
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Append what the JVMs reach by reflection to this file, for `jrace races --reflection FILE`
    #[arg(long, value_name = "FILE")]
    pub record_reflection: Option<PathBuf>,
    /// Also look for transactions that other threads can break: by blocks of accesses, or cheaper by reduction
    #[arg(long, value_name = "CHECKER", num_args = 0..=1, require_equals = true, default_missing_value = "block", conflicts_with = "focus_set")]
    pub atomicity: Option<TransactionChecker>,
    /// Also look for locks that are taken in orders that can deadlock
    #[arg(long, conflicts_with = "focus_set")]
    pub deadlocks: bool,
    /// Check only what the static types do not prove; the first time, COMMAND runs once more to learn its classes
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "combined", conflicts_with = "record")]
    pub focus: Option<Focus>,
    /// Do not check what `jrace check --focus-set` has proved
    #[arg(long, value_name = "FILE", conflicts_with = "focus")]
    pub focus_set: Option<PathBuf>,
    /// End a JVM at its first finding (possible races only with --fail-on possible)
    #[arg(long)]
    pub halt_on_error: bool,
    /// Give every JVM this option too; can be repeated
    #[arg(long = "jvm-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub jvm_options: Vec<String>,
    /// Set any option of the table (`jrace help options`); can be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// The agent, libjrace.so, when it is not found by itself
    #[arg(long, value_name = "PATH", env = "JRACE_AGENT")]
    pub agent: Option<PathBuf>,
}

/// Checkers of transactions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransactionChecker {
    /// By blocks of accesses
    Block,
    /// By reduction
    Reduction,
}

/// What is left out of checking.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    /// What the types of fields prove
    Field,
    /// Besides, in methods that keep to the types: most accesses under the monitor of the object. The others are held to it, with
    /// more false alarms
    Method,
    /// Besides what types prove, what a search for races over the whole program does not find
    Combined,
    /// Only what one thread uses or none writes: with --atomicity and --deadlocks, the focus is always this
    Unshared,
}

/// Which findings count.
#[derive(Clone, Args, Debug, Default)]
pub struct Judging {
    /// File of suppressed findings: lines `race:PATTERN`, `#` for comments
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<PathBuf>,
    /// Only findings that are not in this file count (see `jrace baseline update`)
    #[arg(long, visible_alias = "since", value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Exit code when there are findings that count [default: 66]
    #[arg(long, value_name = "N")]
    pub exitcode: Option<String>,
    /// Which races make for this exit code: all but possible ones, or these too [default: certain]
    #[arg(long, value_name = "certain|possible")]
    pub fail_on: Option<String>,
    /// Let it pass that no JVM was checked, or not every one; without this, the exit code is 2
    #[arg(long)]
    pub allow_none: bool,
}

/// What is known of findings without a run.
#[derive(Args, Debug, Default)]
pub struct Compared {
    /// Only findings that are not in this file count: a baseline, or what an earlier --json has written; what is gone is said. `jrace
    /// races` also takes an earlier build: a directory of classes, or a jar; with --modular, what --store has kept
    #[arg(long, visible_alias = "since", value_name = "FILE|DIR")]
    pub baseline: Option<PathBuf>,
    /// With --json: leave out what is known, which is marked as such otherwise
    #[arg(long, requires = "json")]
    pub only_new: bool,
}

/// How findings are shown.
#[derive(Clone, Args, Debug, Default)]
pub struct Showing {
    /// Show every frame, where each thread was started, and every conflict in full
    #[arg(long)]
    pub full_stacks: bool,
    /// Show races of libraries like those of your own code, and not a line each
    #[arg(long)]
    pub libraries: bool,
    /// Prefix that is taken off paths
    #[arg(long, value_name = "PREFIX")]
    pub strip_path_prefix: Option<String>,
    /// Directory that is searched for sources besides the working directory; can be repeated
    #[arg(long, value_name = "DIR")]
    pub source_path: Vec<PathBuf>,
}

/// Forms besides the report.
#[derive(Args, Clone, Debug, Default)]
pub struct Forms {
    /// One line for each finding, `path/File.java:12: race on …`; the summary goes to standard error
    #[arg(long)]
    pub brief: bool,
    /// Also write the findings to FILE as JUnit test results, one test case for each
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Also annotate lines on GitHub: workflow commands on standard output, and a table in the summary of the job
    #[arg(long)]
    pub github: bool,
    /// Also write the findings that count in SARIF 2.1.0 to FILE, for code scanning
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// With --sarif: also what is suppressed or known, marked as such, and what is gone. GitHub would show it as open
    #[arg(long, requires = "sarif")]
    pub sarif_known: bool,
    /// Also write a page with the findings that count, and their steps or paths side by side, to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Merge and show the findings of earlier runs
///
/// Exit code: 66 (see --exitcode) if there are findings that are neither suppressed nor in the baseline, and not only possible
/// races (see --fail-on); otherwise 2 if there is nothing to read, something of it is damaged, or a JVM was not checked (see
/// --allow-none); 0 if all went well.
#[derive(Args, Debug)]
pub struct Report {
    /// Output directories, run directories or findings files [default: the directory .jrace]
    #[arg(value_name = "DIR|FILE")]
    pub paths: Vec<PathBuf>,
    /// Only the latest run of each output directory
    #[arg(long)]
    pub last: bool,
    /// One JSON document instead of text
    #[arg(long, conflicts_with_all = ["brief", "github"])]
    pub json: bool,
    /// With --json: leave out what is suppressed or known, which is marked as such otherwise
    #[arg(long, requires = "json")]
    pub only_new: bool,
    /// Write the findings that are not suppressed to FILE, for --baseline; they do not count in this report either
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub judging: Judging,
    #[command(flatten)]
    pub showing: Showing,
    #[command(flatten)]
    pub forms: Forms,
}

/// Keep the file of known findings up to date
#[derive(Args, Debug)]
pub struct Baseline {
    /// What is done with it.
    #[command(subcommand)]
    pub action: BaselineAction,
}

/// What is done with a baseline.
#[derive(Subcommand, Debug)]
pub enum BaselineAction {
    Update(Update),
}

/// Take over what runs, `jrace races` or `jrace check` have found, and take out what they have not
///
/// Findings that are not suppressed are known from then on, each by its variable and the two methods of its accesses. What is known and
/// was not seen is taken out, but kept in a list: when it is seen again, it counts, and the report says that it has come back. If
/// something may be missing (a JVM was not checked or killed, a file is damaged), nothing is taken out. What changes is
/// listed.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace run -- mvn test; jrace baseline update --last races.json")]
pub struct Update {
    /// The baseline; it is made if it is not there [default: that of the option `baseline`]
    pub file: Option<PathBuf>,
    /// Output directories, run directories, findings files, or what `jrace races --json` or `jrace check --json` has written; can be
    /// repeated [default: the directory .jrace]
    #[arg(long, value_name = "DIR|FILE")]
    pub from: Vec<PathBuf>,
    /// Only the latest run of each output directory
    #[arg(long)]
    pub last: bool,
    /// Take nothing out
    #[arg(long)]
    pub keep: bool,
    /// File of suppressed findings: lines `race:PATTERN`, `#` for comments
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<PathBuf>,
}

/// Run a checker on recorded traces, or export them
#[derive(Clone, Args, Debug)]
pub struct Replay {
    /// Traces written by `jrace run --record DIR`
    #[arg(required = true, value_name = "FILE")]
    pub traces: Vec<PathBuf>,
    /// The checker
    #[arg(long, default_value = "hybrid", value_name = "CHECKER")]
    pub checker: ReplayChecker,
    /// Shadow state for each field, or one for each object [default: field]
    #[arg(long, value_name = "field|object")]
    pub granularity: Option<String>,
    /// Shadow state for each array as one object, for each element, or off; happens-before and hybrid tell elements apart
    /// unless off [default: object]
    #[arg(long, value_name = "object|element|off")]
    pub arrays: Option<String>,
    /// Write the trace in the plain-text form of other analysers instead of checking it
    #[arg(long, value_name = "FORM", conflicts_with_all = ["brief", "junit", "github", "sarif", "html"])]
    pub export: Option<ExportForm>,
    /// Where --export writes [default: standard output]
    #[arg(short, long, value_name = "FILE", requires = "export")]
    pub output: Option<PathBuf>,
    /// With block and reduction: the classes that were run. Methods that their types prove atomic are not checked;
    /// can be repeated
    #[arg(long, value_name = "DIR|JAR")]
    pub proved: Vec<PathBuf>,
    /// One JSON document instead of text
    #[arg(long, conflicts_with_all = ["brief", "github"])]
    pub json: bool,
    /// With --json: leave out what is suppressed or known, which is marked as such otherwise
    #[arg(long, requires = "json")]
    pub only_new: bool,
    #[command(flatten)]
    pub judging: Judging,
    #[command(flatten)]
    pub showing: Showing,
    #[command(flatten)]
    pub forms: Forms,
}

/// Checkers that run on traces.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum ReplayChecker {
    /// Races, by lock sets
    Eraser,
    /// Races, by the order between threads: accesses that nothing ordered
    HappensBefore,
    /// Those, and as possible races accesses without a common lock that only locks happened to order
    Hybrid,
    /// Transactions that other threads can break, by blocks of their accesses
    Block,
    /// Transactions whose steps do not commute, by reduction: cheaper, with more false alarms
    Reduction,
    /// Locks that are taken in orders that can deadlock
    Deadlock,
}

/// Forms in which traces are exported.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum ExportForm {
    /// `T1|w(x)|site`, one event a line
    Std,
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
#[command(after_help = "Example: jrace races --api 'org.example.pool.*' pool.jar")]
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
            "contexts", "depth", "annotations", "observed", "reflection", "memory", "path_states", "chord", "skip", "focus_set", "tests",
            "api", "dump",
        ]
    )]
    pub modular: bool,
    /// With --modular: keep what is known of each method in DIR, so that the next run looks only at what has changed since; the report is
    /// the same
    #[arg(long, requires = "modular", value_name = "DIR")]
    pub store: Option<PathBuf>,
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
    after_help = "Examples: jrace explain 'bank.Account.*' app.jar, jrace explain --focus '*' app.jar, jrace explain --why-not '*' app.jar"
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
    #[arg(long)]
    pub json: bool,
    /// Also write a page with the same to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Directory that is searched for sources besides the working directory and where the classes are; can be repeated
    #[arg(long, visible_alias = "sources", value_name = "DIR")]
    pub source_path: Vec<PathBuf>,
    /// Also say what `jrace run --focus` checks, and why, by the search over the whole program too unless MODE is another
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "combined")]
    pub focus: Option<Focus>,
    /// Instead, tell what stands in the way of proofs, with its share of the fields and array accesses that are not proved
    #[arg(long, conflicts_with = "focus")]
    pub why_not: bool,
    /// Type log of `jrace discover`, so that obstacles are weighed by how often fields were accessed; can be repeated
    #[arg(long, value_name = "LOG", requires = "why_not")]
    pub types: Vec<PathBuf>,
    /// File of annotations for code that cannot be annotated: lines `package.Class.field @GuardedBy("this")`
    #[arg(long, value_name = "FILE")]
    pub annotations: Option<PathBuf>,
}

/// List the bundled demos, or compile and run one under the agent
///
/// Needs a JDK: javac and java of JAVA_HOME, or else those on the PATH.
#[derive(Args, Debug)]
pub struct Demo {
    /// The demo
    pub name: Option<String>,
    /// List the demos
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub checking: Checking,
    #[command(flatten)]
    pub judging: Judging,
    #[command(flatten)]
    pub showing: Showing,
    /// Arguments for the demo instead of its own
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
}

/// Measure a command without the agent, fully checked and focused, and compare times and findings
///
/// With --atomicity, what is measured is recording (interception) and then looking into the traces (the checker); no races are
/// looked for. Speedup and fraction are then those of the checker.
///
/// One unmeasured run first learns the classes of the command. Then every round runs each mode once, in an order that
/// rotates. Time is the user and system time of the command and of the processes it waits for, not that of daemons. The
/// command reads nothing; what it writes is kept back, and shown (its last 64 KiB) only when a run fails or ends unlike the
/// first. Findings are counted as `jrace run` would, but not kept.
///
/// Exit code: 0 once everything is measured, whatever was found; 2 if jrace could not do its part, or if runs ended
/// differently.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace compare -n 9 --html compare.html -- java -jar batch.jar")]
pub struct Compare {
    /// How often each mode runs
    #[arg(short = 'n', long, value_name = "RUNS", default_value_t = 5, value_parser = value_parser!(u16).range(1..))]
    pub runs: u16,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    /// Also write a page with the table and a plot to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub checking: Checking,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Weave a jar offline, for inspection
#[derive(Args, Debug)]
pub struct Instrument {
    /// A jar, or a directory of classes
    #[arg(value_name = "JAR")]
    pub input: PathBuf,
    /// The woven jar or directory
    #[arg(short, long, value_name = "JAR")]
    pub output: PathBuf,
    /// Print what was woven
    #[arg(long)]
    pub dump: bool,
    /// Weave only classes whose dotted name matches; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// Do not weave accesses of classes whose dotted name matches; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// One shadow word for each field, or one for each object [default: field]
    #[arg(long, value_name = "field|object")]
    pub granularity: Option<String>,
}

/// Say whether JVMs can be checked on this machine, what stands in the way, and what to do
///
/// Starts a JVM with the agent that does nothing else, and looks at the JDK, the C library, other agents and where findings go.
///
/// Exit code: 0 if everything works, 2 if not.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Directory for findings, as for `jrace run` [default: .jrace]
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The agent, libjrace.so, when it is not found by itself
    #[arg(long, value_name = "PATH", env = "JRACE_AGENT")]
    pub agent: Option<PathBuf>,
}

/// Print completions for a shell
///
/// With them, the tab key completes commands, options and their values.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace completions bash > ~/.local/share/bash-completion/completions/jrace")]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Print the JSON schema of a document that jrace writes
///
/// Without NAME: which ones there are.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace schema report > report.schema.json")]
pub struct Schema {
    /// The document: report, check, explain, races, compare, discover, baseline
    pub name: Option<String>,
}

/// Write the manual pages
///
/// One page for jrace and one for each command.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace man ~/.local/share/man/man1; man jrace-run")]
pub struct Man {
    /// Directory for the pages; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Explain a command, or the option table (`jrace help options`)
#[derive(Args, Debug)]
pub struct Help {
    /// A command, or `options`
    pub topic: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use facts::options::OptionRow;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    /// Flags that set an option say the default that the table has.
    #[test]
    fn defaults_of_flags_are_those_of_the_table() {
        let command = Arguments::command();
        let run = command.find_subcommand("run").unwrap();
        let said: Vec<_> = run
            .get_arguments()
            .filter_map(|argument| {
                let row = OptionRow::of(argument.get_id().as_str())?;
                let help = argument.get_help()?.to_string();
                let default = help.split_once("[default: ")?.1.trim_end_matches(']').to_owned();
                Some((row.name, default, row.default))
            })
            .collect();
        assert!(said.len() > 4 && said.iter().all(|(_, said, default)| said == default), "{said:?}");
    }
}
