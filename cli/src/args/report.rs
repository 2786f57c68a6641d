//! Commands that show what runs have found, and how findings are judged and shown.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Merge and show the findings of earlier runs
///
/// Exit code: 66 (see --exitcode) if there are findings that are neither suppressed nor in the baseline, and not only possible
/// races (see --fail-on); otherwise 2 if there is nothing to read, something of it is damaged, a check failed by a mistake of jrace's
/// own, or a JVM was not checked (see --allow-none); 0 if all went well.
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
#[derive(Args, Clone, Debug)]
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

/// Which findings count.
#[derive(Args, Clone, Debug, Default)]
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
    /// With `jrace run`, where findings make for this exit code: wherever there are some, or only where the command succeeded, so that the
    /// code of one that failed stays [default: findings]
    #[arg(long, value_name = "findings|success")]
    pub exitcode_on: Option<String>,
    /// Which races make for this exit code: all but possible and unlikely ones, possible ones too, or all [default: certain]
    #[arg(long, value_name = "certain|possible|unlikely")]
    pub fail_on: Option<String>,
    /// Let it pass that no JVM was checked, or not every one, or no class of the program; without this, the exit code is 2
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
    /// With --json: leave out what is suppressed or known, which is marked as such otherwise
    #[arg(long, requires = "json")]
    pub only_new: bool,
    /// File of suppressed findings: lines `race:PATTERN`, `#` for comments
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<PathBuf>,
}

/// How findings are shown.
#[derive(Args, Clone, Debug, Default)]
pub struct Showing {
    /// Show every frame, where each thread was started, and every conflict in full
    #[arg(long)]
    pub full_stacks: bool,
    /// Show races of libraries like those of your own code, and not a line each
    #[arg(long)]
    pub libraries: bool,
    /// Show unlikely races like possible ones, and not by name only
    #[arg(long)]
    pub unlikely: bool,
    /// Where the line with the numbers stands: after the findings, or before them
    #[arg(long, value_name = "WHERE", default_value = "last")]
    pub summary: SummaryAt,
    /// Prefix that is taken off paths
    #[arg(long, value_name = "PREFIX")]
    pub strip_path_prefix: Option<String>,
    /// Directory that is searched for sources besides the working directory; can be repeated
    #[arg(long, value_name = "DIR")]
    pub source_path: Vec<PathBuf>,
}

/// Where the line with the numbers stands.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SummaryAt {
    /// Before the findings
    First,
    /// After everything else
    #[default]
    Last,
}

/// Forms of what is measured or observed, in which nothing is a finding.
#[derive(Args, Clone, Debug, Default)]
pub struct Tabled {
    /// Also append the tables to the summary of the job on GitHub
    #[arg(long)]
    pub github: bool,
    /// Also write a page with the tables to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
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
