//! The options, as one table: name, type, default, how a value is read, meaning.
//!
//! The same names work in the `-agentpath` string, in `JRACE_OPTIONS`, in `jrace.toml` and, where a flag exists, on the
//! command line; later sources in the order `jrace.toml`, `JRACE_OPTIONS`, `-agentpath` win.

mod value;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::access::{ArrayGranularity, Granularity};
use crate::finding::Grade;
pub use value::Form;

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionRow {
    /// The name, as it is written everywhere.
    pub name: &'static str,
    /// The default, as a user would write it; empty for "none".
    pub default: &'static str,
    /// One sentence.
    pub meaning: &'static str,
    /// What its values are.
    pub form: Form,
    /// Whether it means something to reports only, and nothing to the agent.
    pub is_of_reports: bool,
}

impl OptionRow {
    /// The row of an option.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|row| row.name == name)
    }
}

/// Makes everything of the table: its rows, the parsed options with their defaults, and how one is set.
macro_rules! options {
    ($($name:ident: $type:ty = $default:literal, $reader:expr $(, $of_reports:ident)?, $meaning:literal;)*) => {
        /// Every option.
        pub const OPTIONS: &[OptionRow] = &[$(OptionRow {
            name: stringify!($name),
            default: $default,
            meaning: $meaning,
            form: $reader.form,
            is_of_reports: !concat!($(stringify!($of_reports))?).is_empty(),
        }),*];

        /// Parsed options.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Options {
            $(#[doc = $meaning] pub $name: $type,)*
        }

        impl Default for Options {
            /// Every default can be read, as a test shows.
            fn default() -> Self {
                Self { $($name: ($reader.read)($default).unwrap_or_default(),)* }
            }
        }

        impl Options {
            /// Sets one option.
            ///
            /// # Errors
            /// An unknown name or a bad value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
                let bad = |expected| OptionError::Value { name: name.to_owned(), value: value.to_owned(), expected };
                match name {
                    $(stringify!($name) => self.$name = ($reader.read)(value).map_err(bad)?,)*
                    _ => return Err(OptionError::Unknown(name.to_owned(), suggestion(name))),
                }
                Ok(())
            }
        }
    };
}

options! {
    check: Check = "hybrid", value::CHECK,
        "Which accesses are reported: those that nothing ordered, and as possible those without a common lock that only \
        locks happened to order (`hybrid`); those that nothing ordered (`happens-before`); those without a common lock, ordered or not \
        (`eraser`); or `none`, to weave and record only.";
    granularity: Granularity = "field", value::GRANULARITY,
        "Shadow state for each `field`, or one for each `object`.";
    arrays: ArrayGranularity = "object", value::ARRAYS,
        "Shadow state for each array as one `object`, for each `element`, or `off`.";
    contents: bool = "on", value::ON_OR_OFF,
        "Shadow state for what an object of the library holds, if it is for one thread at a time, such as a HashMap or a \
        StringBuilder: `on` or `off`.";
    tasks: bool = "0", value::FLAG,
        "With `check=hybrid`: take it that another thread might have run each task of a pool, and each request to a servlet, so that two which one \
        thread runs one after the other may race (1), or not (0).";
    include: Vec<String> = "", value::PATTERNS,
        "Check only classes whose dotted name matches one of these patterns (`:` between them, `*` for any run).";
    exclude: Vec<String> = "", value::PATTERNS,
        "Do not check classes whose dotted name matches one of these patterns; their locks still count.";
    jdk: bool = "0", value::FLAG,
        "Also check classes of the JDK (1) or leave them alone (0).";
    models: Option<PathBuf> = "", value::PATH,
        "File of models: what methods of your own or of a library hand over, lock or unlock, besides what jrace knows of the JDK.";
    config: Option<PathBuf> = "jrace.toml", value::PATH,
        "File of options, in the working directory; empty for none. `jrace run` reads it for every JVM.";
    output: PathBuf = ".jrace", value::DIRECTORY,
        "Directory for findings; each JVM writes its own file there.";
    focus_set: Option<PathBuf> = "", value::PATH,
        "File of `jrace check --focus-set`: what it proves race-free is not checked.";
    focus_time: Option<u32> = "60", value::SECONDS,
        "Seconds that `jrace run --focus` may take to prove what need not be checked; 0 for no limit. What was proved by \
        then counts, everything else is checked, and what was in vain is not tried again for a program of about this size.";
    focus_memory: u32 = "2048", value::SOME_MEGABYTES,
        "Megabytes that it may take for that.";
    classes: Option<PathBuf> = "", value::PATH,
        "Directory into which each JVM copies the class files that it checks, for `jrace check`.";
    record: Option<PathBuf> = "", value::PATH,
        "Directory into which each JVM writes a trace of every event.";
    record_limit: u32 = "0", value::MEGABYTES,
        "Megabytes after which a trace ends, and what comes then is not seen; 0 for no limit.";
    record_redundant: bool = "1", value::FLAG,
        "Whether a trace has every access (1) or only those that can matter to transactions (0), as when \
        `jrace run` does not keep it.";
    discover: Option<u64> = "", value::SEED,
        "With `record`: a number, by which a few objects of each site are chosen; the trace has only what `jrace discover` \
        wants to know of them. Empty for every event.";
    record_reflection: Option<PathBuf> = "", value::PATH,
        "File to which each JVM appends what it reaches by reflection, for `jrace races --reflection`.";
    atomicity: Atomicity = "off", value::ATOMICITY,
        "Look for transactions that other threads can break, exactly (`block`), cheaply (`reduction`) or not (`off`). \
        `jrace run` does so on traces; the agent by itself only notes in `record` where transactions begin and end.";
    atomicity_memory: u32 = "500", value::SOME_MEGABYTES,
        "Megabytes, about, for the blocks that `atomicity=block` keeps of a trace. What finds no room is compared \
        with what is there, but not kept: violations may be missed, which is said.";
    atomicity_time: Option<u32> = "600", value::SECONDS,
        "Seconds that looking into the trace of a JVM may take, for transactions and deadlocks; 0 for no limit. \
        What was not looked at by then is said.";
    transactions: Vec<String> = "", value::PATTERNS,
        "Methods that are expected to be atomic, as patterns of `package.Class.method` (`:` between them), with \
        their synchronized blocks; empty for all public, package-private and synchronized methods and all blocks.";
    deadlocks: bool = "0", value::FLAG,
        "Look for locks that are taken in orders that can deadlock (1) or not (0); `jrace run` does so on traces.";
    stack_depth: u16 = "32", value::DEPTH,
        "How many frames of each stack are kept.";
    suppressions: Option<PathBuf> = "", value::PATH,
        "File of suppressed findings: lines `race:PATTERN`.";
    baseline: Option<PathBuf> = "", value::PATH, of_reports,
        "Findings of an earlier run (`findings.json`); only findings that are not in it count.";
    exitcode: u8 = "66", value::EXIT_CODE,
        "Exit code of `jrace run` and `jrace report` when there are findings that count.";
    fail_on: Grade = "certain", value::GRADE,
        "Which races make them end with `exitcode`: all but possible and unlikely ones (`certain`), \
        possible ones too (`possible`), or all (`unlikely`).";
    allow_none: bool = "0", value::FLAG, of_reports,
        "Whether `jrace run` and `jrace report` fail (exit code 2) where no JVM was checked, or not every one, or no \
        class of the program (0), or not (1).";
    exitcode_on: ExitcodeOn = "findings", value::EXITCODE_ON, of_reports,
        "Where findings that count make `jrace run` end with `exitcode`: wherever there are some (`findings`), or only where \
        the command succeeded, so that the code of one that failed stays (`success`).";
    halt_on_error: bool = "0", value::FLAG,
        "End the JVM at once, with `exitcode`, when the first finding has been written that `fail_on` asks for.";
    report_bugs: bool = "1", value::FLAG,
        "Report findings (1), or weave and check without reporting (0).";
    retire: bool = "1", value::FLAG,
        "Stop checking a field when nothing new will be reported about it, observing a site when discovery has seen enough \
        of it, and recording for transactions what a thread has often done alike (1), so that what comes later is not counted or may \
        be missed, or go on (0).";
    strip_path_prefix: String = "", value::TEXT, of_reports,
        "Prefix that is taken off paths in reports.";
    source_path: Vec<PathBuf> = "", value::PATHS, of_reports,
        "Directories that are searched for sources (`:` between them), besides the working directory.";
    log_path: Option<PathBuf> = "", value::PATH,
        "File to which the agent appends its messages instead of standard error.";
    verbose: u8 = "0", value::VERBOSITY,
        "How much the agent says: 0 only failures, 1 a summary at exit, 2 each class that was left alone.";
}

/// The checkers that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Check {
    /// Order between threads and lock sets: certain races, and possible ones.
    #[default]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Atomicity {
    /// Not at all.
    #[default]
    Off,
    /// By blocks.
    Block,
    /// By reduction.
    Reduction,
}

/// Where findings make for the exit code of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExitcodeOn {
    /// Wherever there are some.
    #[default]
    Findings,
    /// Only where the command succeeded.
    Success,
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

impl Options {
    /// Applies one option string: `name=value,name=value`; `\,` stands for a comma inside a value.
    ///
    /// # Errors
    /// The first option that is unknown or has a bad value.
    pub fn apply(&mut self, text: &str) -> Result<(), OptionError> {
        pairs(text)?.iter().try_for_each(|(name, value)| self.set(name, value))
    }

    /// Whether a race of this grade makes a run fail. One that was not graded does: nothing excuses it.
    #[must_use]
    pub fn fails_on(&self, grade: Option<Grade>) -> bool {
        grade.is_none_or(|grade| grade <= self.fail_on)
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

/// What was given of how a program is checked, without the defaults and without where things are written: `include=bank.*`. Of an option
/// that is given twice the last counts.
#[must_use]
pub fn telling(given: &[(String, String)]) -> Vec<String> {
    let last: BTreeMap<&str, &str> = given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let is_default = |name: &str, value: &str| OptionRow::of(name).is_some_and(|row| row.default == value);
    let tells = |(name, value): &(&str, &str)| !PLACES.contains(name) && !value.is_empty() && !is_default(name, value);
    last.into_iter().filter(tells).map(|(name, value)| format!("{name}={value}")).collect()
}

/// Options that say where something is read or written or what `jrace run` wants of traces, and nothing of what is checked.
const PLACES: [&str; 7] =
    ["config", "output", "classes", "record", "record_redundant", "record_reflection", "log_path"];

/// A value as it must stand in an option string.
#[must_use]
pub fn escape(value: &str) -> String {
    value.replace(',', "\\,")
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
    fn what_is_told_of_options_is_what_was_checked() {
        let given = [
            ("output", "/tmp/x"),
            ("check", "hybrid"),
            ("include", "a.*"),
            ("jdk", "1"),
            ("include", "b.*:c.*"),
            ("exclude", ""),
            ("record_redundant", "0"),
        ];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(telling(&given), ["include=b.*:c.*", "jdk=1"]);
        assert!(PLACES.iter().all(|name| OptionRow::of(name).is_some()));
    }

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
        let fails = |options: &Options| {
            [Some(Grade::Certain), None, Some(Grade::Possible), Some(Grade::Unlikely)].map(|of| options.fails_on(of))
        };
        assert_eq!(fails(&options), [true, true, false, false]);
        options.set("fail_on", "possible").unwrap();
        assert_eq!(fails(&options), [true, true, true, false]);
        options.set("fail_on", "unlikely").unwrap();
        assert_eq!(fails(&options), [true; 4]);
        let error = options.set("fail_on", "never").unwrap_err().to_string();
        assert_eq!(error, "option `fail_on` cannot be `never`: it takes `certain`, `possible` or `unlikely`");
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
