//! The options, as one table: name, default, meaning.
//!
//! The same names work in the `-agentpath` string, in `JRACE_OPTIONS`, in `jrace.toml` and, where a flag exists, on the
//! command line; later sources in the order `jrace.toml`, `JRACE_OPTIONS`, `-agentpath` win.

use std::path::PathBuf;

use crate::access::{ArrayGranularity, Granularity};
use crate::finding::Grade;

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionRow {
    /// The name, as it is written everywhere.
    pub name: &'static str,
    /// The default, as a user would write it; empty for "none".
    pub default: &'static str,
    /// One sentence.
    pub meaning: &'static str,
}

macro_rules! options {
    ($($name:ident: $default:literal, $meaning:literal;)*) => {
        /// Every option.
        pub const OPTIONS: &[OptionRow] = &[
            $(OptionRow { name: stringify!($name), default: $default, meaning: $meaning },)*
        ];
    };
}

options! {
    check: "hybrid", "Which accesses are reported: those that nothing ordered, and as possible those without a common lock that only \
        locks happened to order (`hybrid`); those that nothing ordered (`happens-before`); those without a common lock, ordered or not \
        (`eraser`); or `none`, to weave and record only.";
    granularity: "field", "Shadow state for each `field`, or one for each `object`.";
    arrays: "object", "Shadow state for each array as one `object`, for each `element`, or `off`.";
    contents: "on", "Shadow state for what an object of the library holds, if it is for one thread at a time, such as a HashMap or a \
        StringBuilder: `on` or `off`.";
    include: "", "Check only classes whose dotted name matches one of these patterns (`:` between them, `*` for any run).";
    exclude: "", "Do not check classes whose dotted name matches one of these patterns; their locks still count.";
    jdk: "0", "Also check classes of the JDK (1) or leave them alone (0).";
    models: "", "File of models: what methods of your own or of a library hand over, lock or unlock, besides what jrace knows of the JDK.";
    config: "jrace.toml", "File of options, in the working directory; empty for none. `jrace run` reads it for every JVM.";
    output: ".jrace", "Directory for findings; each JVM writes its own file there.";
    focus_set: "", "File of `jrace check --focus-set`: what it proves race-free is not checked.";
    focus_time: "60", "Seconds that `jrace run --focus` may take to prove what need not be checked; 0 for no limit. What was proved by \
        then counts, everything else is checked, and what was in vain is not tried again for a program of about this size.";
    focus_memory: "2048", "Megabytes that it may take for that.";
    classes: "", "Directory into which each JVM copies the class files that it checks, for `jrace check`.";
    record: "", "Directory into which each JVM writes a trace of every event.";
    record_limit: "0", "Megabytes after which a trace ends, and what comes then is not seen; 0 for no limit.";
    record_covered: "1", "Whether a trace has every access (1) or only those that can matter to transactions (0), as when \
        `jrace run` does not keep it.";
    discover: "", "With `record`: a number, by which a few objects of each site are chosen; the trace has only what `jrace discover` \
        wants to know of them. Empty for every event.";
    record_reflection: "", "File to which each JVM appends what it reaches by reflection, for `jrace races --reflection`.";
    atomicity: "off", "Look for transactions that other threads can break, exactly (`block`), cheaply (`reduction`) or not (`off`). \
        `jrace run` does so on traces; the agent by itself only notes in `record` where transactions begin and end.";
    atomicity_memory: "500", "Megabytes, about, for the blocks that `atomicity=block` keeps of a trace. What finds no room is compared \
        with what is there, but not kept: violations may be missed, which is said.";
    atomicity_time: "600", "Seconds that looking into the trace of a JVM may take, for transactions and deadlocks; 0 for no limit. \
        What was not looked at by then is said.";
    transactions: "", "Methods that are expected to be atomic, as patterns of `package.Class.method` (`:` between them), with \
        their synchronized blocks; empty for all public, package-private and synchronized methods and all blocks.";
    deadlocks: "0", "Look for locks that are taken in orders that can deadlock (1) or not (0); `jrace run` does so on traces.";
    stack_depth: "32", "How many frames of each stack are kept.";
    suppressions: "", "File of suppressed findings: lines `race:PATTERN`.";
    baseline: "", "Findings of an earlier run (`findings.json`); only findings that are not in it count.";
    exitcode: "66", "Exit code of `jrace run` and `jrace report` when there are findings that count.";
    fail_on: "certain", "Which races make them end with `exitcode`: all but possible ones (`certain`), or these too (`possible`).";
    allow_none: "0", "Whether `jrace run` and `jrace report` fail (exit code 2) where no JVM was checked, or not every one (0), or \
        not (1).";
    halt_on_error: "0", "End the JVM at once, with `exitcode`, when the first finding has been written that `fail_on` asks for.";
    report_bugs: "1", "Report findings (1), or weave and check without reporting (0).";
    settle: "1", "Stop checking a field when nothing new will be reported about it, observing a site when discovery has seen enough \
        of it, and recording for transactions what a thread has often done alike (1), so that what comes later is not counted or may \
        be missed, or go on (0).";
    strip_path_prefix: "", "Prefix that is taken off paths in reports.";
    source_path: "", "Directories that are searched for sources (`:` between them), besides the working directory.";
    log_path: "", "File to which the agent appends its messages instead of standard error.";
    verbose: "0", "How much the agent says: 0 only failures, 1 a summary at exit, 2 each class that was left alone.";
}

/// Parsed options.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Whether the Eraser checker runs.
    pub check: Check,
    /// See [`Granularity`].
    pub granularity: Granularity,
    /// See [`ArrayGranularity`].
    pub arrays: ArrayGranularity,
    /// Whether calls on objects of the library are accesses to their contents.
    pub contents: bool,
    /// Patterns of class names; empty for all.
    pub include: Vec<String>,
    /// Patterns of class names.
    pub exclude: Vec<String>,
    /// Whether JDK classes are checked.
    pub jdk: bool,
    /// File of the user's models.
    pub models: Option<PathBuf>,
    /// File of options.
    pub config: Option<PathBuf>,
    /// Directory for findings.
    pub output: PathBuf,
    /// What need not be checked.
    pub focus_set: Option<PathBuf>,
    /// Directory for class files.
    pub classes: Option<PathBuf>,
    /// Directory for traces.
    pub record: Option<PathBuf>,
    /// Megabytes of a trace; 0 for no limit.
    pub record_limit: u32,
    /// Whether a trace also has accesses that earlier ones of the same transaction cover.
    pub record_covered: bool,
    /// The seed by which objects are sampled, if the trace is for type discovery only.
    pub discover: Option<u64>,
    /// Where reflection is noted.
    pub record_reflection: Option<PathBuf>,
    /// How transactions are checked.
    pub atomicity: Atomicity,
    /// Seconds for proofs, if they are limited.
    pub focus_time: Option<u32>,
    /// Megabytes for proofs; at least 1.
    pub focus_memory: u32,
    /// Megabytes for blocks; at least 1.
    pub atomicity_memory: u32,
    /// Seconds for looking into a trace, if they are limited.
    pub atomicity_time: Option<u32>,
    /// Patterns of methods; empty for the heuristic.
    pub transactions: Vec<String>,
    /// Whether lock orders are checked.
    pub deadlocks: bool,
    /// Frames kept of each stack; at least 1.
    pub stack_depth: u16,
    /// Suppressions file.
    pub suppressions: Option<PathBuf>,
    /// Baseline file.
    pub baseline: Option<PathBuf>,
    /// Exit code for findings.
    pub exitcode: u8,
    /// The weakest grade of races that make a run fail.
    pub fail_on: Grade,
    /// Whether JVMs may go unchecked.
    pub allow_none: bool,
    /// Whether the first finding ends the JVM.
    pub halt_on_error: bool,
    /// Whether findings are reported.
    pub report_bugs: bool,
    /// Whether checks of a field end when its races are known, observation of a site when enough of it is, and recording of what a
    /// thread does again and again.
    pub settle: bool,
    /// Taken off paths in reports.
    pub strip_path_prefix: String,
    /// Where sources are looked for.
    pub source_path: Vec<PathBuf>,
    /// Where the agent writes its messages.
    pub log_path: Option<PathBuf>,
    /// 0 to 2.
    pub verbose: u8,
}

/// The checkers that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Order between threads and lock sets: certain races, and possible ones.
    Hybrid,
    /// Order between threads: certain races only.
    HappensBefore,
    /// Lock sets, section 2.1 of the ASE'05 paper.
    Eraser,
    /// No checker.
    None,
}

impl Check {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Hybrid, Self::HappensBefore, Self::Eraser, Self::None];

    /// Its name as a value of the option, and in findings files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::HappensBefore => "happens-before",
            Self::Eraser => "eraser",
            Self::None => "none",
        }
    }

    /// The check of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// Whether accesses are checked at all.
    #[must_use]
    pub fn checks_accesses(self) -> bool {
        self != Self::None
    }
}

/// How transactions are checked, sections 2.2 and 6.2 of the ASE'05 paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomicity {
    /// Not at all.
    Off,
    /// By blocks.
    Block,
    /// By reduction.
    Reduction,
}

/// Why an option was refused: one sentence with the remedy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No such name.
    #[error("unknown option `{0}`{1}; `jrace help options` lists them all")]
    Unknown(String, String),
    /// A value out of range.
    #[error("option `{name}` cannot be `{value}`: it takes {expected}")]
    Value {
        /// The option.
        name: String,
        /// What was given.
        value: String,
        /// What would do.
        expected: &'static str,
    },
    /// No `=`.
    #[error("option `{0}` has no value: write `{0}=VALUE`")]
    NoValue(String),
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            check: Check::Hybrid,
            granularity: Granularity::Field,
            arrays: ArrayGranularity::Object,
            contents: true,
            include: Vec::new(),
            exclude: Vec::new(),
            jdk: false,
            models: None,
            config: None,
            output: PathBuf::new(),
            focus_set: None,
            classes: None,
            record: None,
            record_limit: 0,
            record_covered: true,
            discover: None,
            record_reflection: None,
            atomicity: Atomicity::Off,
            focus_time: None,
            focus_memory: 0,
            atomicity_memory: 0,
            atomicity_time: None,
            transactions: Vec::new(),
            deadlocks: false,
            stack_depth: 0,
            suppressions: None,
            baseline: None,
            exitcode: 0,
            fail_on: Grade::Certain,
            allow_none: false,
            halt_on_error: false,
            report_bugs: true,
            settle: true,
            strip_path_prefix: String::new(),
            source_path: Vec::new(),
            log_path: None,
            verbose: 0,
        };
        for row in OPTIONS {
            // A test shows that the table's defaults all parse.
            let _ = options.set(row.name, row.default);
        }
        options
    }
}

impl Options {
    /// Applies one option string: `name=value,name=value`; `\,` stands for a comma inside a value.
    ///
    /// # Errors
    /// The first option that is unknown or has a bad value.
    pub fn apply(&mut self, text: &str) -> Result<(), OptionError> {
        pairs(text)?.iter().try_for_each(|(name, value)| self.set(name, value))
    }

    /// Sets one option.
    ///
    /// # Errors
    /// An unknown name or a bad value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let bad = |expected| OptionError::Value { name: name.to_owned(), value: value.to_owned(), expected };
        let flag = || match value {
            "0" | "false" => Ok(false),
            "1" | "true" => Ok(true),
            _ => Err(bad("0 or 1")),
        };
        match name {
            "check" => {
                self.check = Check::of(value).ok_or_else(|| bad("`hybrid`, `happens-before`, `eraser` or `none`"))?;
            }
            "granularity" => {
                self.granularity = match value {
                    "field" => Granularity::Field,
                    "object" => Granularity::Object,
                    _ => return Err(bad("`field` or `object`")),
                }
            }
            "arrays" => {
                self.arrays = match value {
                    "object" => ArrayGranularity::Object,
                    "element" => ArrayGranularity::Element,
                    "off" => ArrayGranularity::Off,
                    _ => return Err(bad("`object`, `element` or `off`")),
                }
            }
            "contents" => {
                self.contents = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(bad("`on` or `off`")),
                }
            }
            "include" => self.include = list(value),
            "exclude" => self.exclude = list(value),
            "jdk" => self.jdk = flag()?,
            "models" => self.models = path(value),
            "config" => self.config = path(value),
            "output" if value.is_empty() => return Err(bad("a directory")),
            "output" => self.output = value.into(),
            "focus_set" => self.focus_set = path(value),
            "classes" => self.classes = path(value),
            "record" => self.record = path(value),
            "record_limit" => self.record_limit = value.parse().map_err(|_| bad("a number of megabytes"))?,
            "record_covered" => self.record_covered = flag()?,
            "discover" if value.is_empty() => self.discover = None,
            "discover" => self.discover = Some(value.parse().map_err(|_| bad("a number"))?),
            "record_reflection" => self.record_reflection = path(value),
            "atomicity" => {
                self.atomicity = match value {
                    "off" => Atomicity::Off,
                    "block" => Atomicity::Block,
                    "reduction" => Atomicity::Reduction,
                    _ => return Err(bad("`block`, `reduction` or `off`")),
                }
            }
            "focus_time" => {
                let seconds: u32 = value.parse().map_err(|_| bad("a number of seconds"))?;
                self.focus_time = Some(seconds).filter(|seconds| *seconds > 0);
            }
            "focus_memory" => {
                let megabytes = value.parse().ok().filter(|megabytes| *megabytes > 0);
                self.focus_memory = megabytes.ok_or_else(|| bad("a number of megabytes, at least 1"))?;
            }
            "atomicity_memory" => {
                let megabytes = value.parse().ok().filter(|megabytes| *megabytes > 0);
                self.atomicity_memory = megabytes.ok_or_else(|| bad("a number of megabytes, at least 1"))?;
            }
            "atomicity_time" => {
                let seconds: u32 = value.parse().map_err(|_| bad("a number of seconds"))?;
                self.atomicity_time = Some(seconds).filter(|seconds| *seconds > 0);
            }
            "transactions" => self.transactions = list(value),
            "deadlocks" => self.deadlocks = flag()?,
            "stack_depth" => {
                self.stack_depth = value
                    .parse()
                    .ok()
                    .filter(|depth| (1..=1024).contains(depth))
                    .ok_or_else(|| bad("a number from 1 to 1024"))?;
            }
            "suppressions" => self.suppressions = path(value),
            "baseline" => self.baseline = path(value),
            "exitcode" => self.exitcode = value.parse().map_err(|_| bad("a number from 0 to 255"))?,
            "fail_on" => {
                self.fail_on = match value {
                    "certain" => Grade::Certain,
                    "possible" => Grade::Possible,
                    _ => return Err(bad("`certain` or `possible`")),
                }
            }
            "allow_none" => self.allow_none = flag()?,
            "halt_on_error" => self.halt_on_error = flag()?,
            "report_bugs" => self.report_bugs = flag()?,
            "settle" => self.settle = flag()?,
            "strip_path_prefix" => self.strip_path_prefix = value.to_owned(),
            "source_path" => self.source_path = list(value).into_iter().map(PathBuf::from).collect(),
            "log_path" => self.log_path = path(value),
            "verbose" => {
                self.verbose =
                    value.parse().ok().filter(|level| *level <= 2).ok_or_else(|| bad("a number from 0 to 2"))?;
            }
            _ => return Err(OptionError::Unknown(name.to_owned(), suggestion(name))),
        }
        Ok(())
    }

    /// Whether a race of this grade makes a run fail. One that was not graded does: nothing excuses it.
    #[must_use]
    pub fn fails_on(&self, grade: Option<Grade>) -> bool {
        grade != Some(Grade::Possible) || self.fail_on == Grade::Possible
    }
}

/// The names and values of an option string, `\,` already read as a comma.
///
/// # Errors
/// A part without `=`.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, OptionError> {
    split_unescaped(text)
        .into_iter()
        .map(|part| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.to_owned())),
            None => Err(OptionError::NoValue(part)),
        })
        .collect()
}

/// A value as it must stand in an option string.
#[must_use]
pub fn escape(value: &str) -> String {
    value.replace(',', "\\,")
}

fn list(value: &str) -> Vec<String> {
    value.split(':').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn path(value: &str) -> Option<PathBuf> {
    (!value.is_empty()).then(|| value.into())
}

fn split_unescaped(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&',') => {
                characters.next();
                push(&mut parts, ',');
            }
            ',' => parts.push(String::new()),
            other => push(&mut parts, other),
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn push(parts: &mut [String], character: char) {
    if let Some(last) = parts.last_mut() {
        last.push(character);
    }
}

/// The closest known name, as a clause for the error sentence.
fn suggestion(name: &str) -> String {
    OPTIONS
        .iter()
        .map(|row| (distance(name, row.name), row.name))
        .min()
        .filter(|(distance, _)| *distance <= (name.len() / 3).clamp(1, 3))
        .map(|(_, close)| format!(" (did you mean `{close}`?)"))
        .unwrap_or_default()
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_default_that_parses() {
        for row in OPTIONS {
            assert_eq!(Options::default().set(row.name, row.default), Ok(()), "{}", row.name);
        }
        assert_eq!(Options::default().exitcode, 66);
        assert_eq!(Options::default().output, PathBuf::from(".jrace"));
    }

    #[test]
    fn every_check_has_a_name_that_sets_it_and_stands_in_the_table() {
        let row = OPTIONS.iter().find(|row| row.name == "check").unwrap();
        for check in Check::ALL {
            let mut options = Options::default();
            options.set("check", check.name()).unwrap();
            assert_eq!(options.check, check);
            assert!(row.meaning.contains(&format!("`{}`", check.name())), "{check:?}");
            assert_eq!(check.checks_accesses(), check != Check::None);
        }
        let error = Options::default().set("check", "lockset").unwrap_err();
        assert_eq!(
            error.to_string(),
            "option `check` cannot be `lockset`: it takes `hybrid`, `happens-before`, `eraser` or `none`"
        );
    }

    #[test]
    fn possible_races_fail_when_asked_for() {
        let mut options = Options::default();
        let fails =
            |options: &Options| [Some(Grade::Certain), None, Some(Grade::Possible)].map(|of| options.fails_on(of));
        assert_eq!(fails(&options), [true, true, false]);
        options.set("fail_on", "possible").unwrap();
        assert_eq!(fails(&options), [true; 3]);
        let error = options.set("fail_on", "never").unwrap_err().to_string();
        assert_eq!(error, "option `fail_on` cannot be `never`: it takes `certain` or `possible`");
    }

    #[test]
    fn strings_are_split_at_commas() {
        let mut options = Options::default();
        options.apply("granularity=object,include=a.*:b.*,output=/tmp/x\\,y").unwrap();
        assert_eq!(options.granularity, Granularity::Object);
        assert_eq!(options.include, ["a.*", "b.*"]);
        assert_eq!(options.output, PathBuf::from("/tmp/x,y"));
    }

    #[test]
    fn mistakes_get_one_sentence() {
        let error = Options::default().apply("granularty=field").unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown option `granularty` (did you mean `granularity`?); `jrace help options` lists them all"
        );
        let error = Options::default().apply("foo=1").unwrap_err();
        assert_eq!(error.to_string(), "unknown option `foo`; `jrace help options` lists them all");
        let error = Options::default().apply("exitcode=hello").unwrap_err();
        assert_eq!(error.to_string(), "option `exitcode` cannot be `hello`: it takes a number from 0 to 255");
        assert_eq!(
            Options::default().apply("verbose").unwrap_err().to_string(),
            "option `verbose` has no value: write `verbose=VALUE`"
        );
    }
}
