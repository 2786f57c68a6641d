//! Commands that run programs, and what they and others share of it.

use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};

use super::report::{Forms, Judging, Showing, Tabled};

/// Run a command with the agent in every JVM it starts, then report the races they found
///
/// The command keeps its standard input, output and error; the report follows on standard error. Findings are kept in
/// DIR/run-TIME-PID, one file for each JVM, and `jrace report` merges them.
///
/// Exit code: 66 (see --exitcode) if there are findings that are neither suppressed nor in the baseline, and not only possible
/// races (see --fail-on, and --exitcode-on where the command fails too); otherwise the code of the command if it failed, or 128+n if
/// signal n killed it; otherwise 2 if no JVM was checked or not every one, or no class of the program (see --allow-none), or if what was
/// found could not be read; 0 if all went well. 2 also if jrace could not start.
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
    /// Also write the findings to FILE as one JSON document: that of `jrace report --json`, with the exit code of the command, too
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
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
/// Exit code: that of the command if it failed, or 128+n if signal n killed it; otherwise 2 if no JVM was observed or not every one,
/// or no class of the program (see --allow-none); 0 if all went well. 2 also if jrace could not start.
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
    #[command(flatten)]
    pub forms: Tabled,
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
    /// Let it pass that no JVM was observed, or not every one, or no class of the program; without this, the exit code is 2
    #[arg(long)]
    pub allow_none: bool,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, value_name = "COMMAND")]
    pub command: Vec<String>,
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
    #[command(flatten)]
    pub forms: Tabled,
    #[command(flatten)]
    pub checking: Checking,
    /// The command and its arguments
    #[arg(trailing_var_arg = true, required = true, value_name = "COMMAND")]
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
    /// Report as possible what races if the tasks of a pool, or requests to servlets, that one thread runs one after the other ran at
    /// once: so a test that sends one request after the other finds them, too
    #[arg(long, conflicts_with_all = ["focus", "focus_set"])]
    pub tasks: bool,
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
