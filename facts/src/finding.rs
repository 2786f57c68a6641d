//! Findings: plain data, no prose.
//!
//! Each JVM appends [`Record`]s, one JSON value a line, to its own file in the output directory. Damage to one line is no damage to
//! the others.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::access::{AccessKind, LockMode};
use crate::index::{ObjectId, ThreadId};
use crate::site::{FieldRef, Place, leave_out_accessors};

/// Version of the records; a reader refuses a newer one.
pub const FORMAT: u32 = 1;

/// Name of the findings file of the JVM with this process id and start time (milliseconds since 1970).
#[must_use]
pub fn file_name(pid: u32, started: u64) -> String {
    format!("findings-{pid}-{started}.jsonl")
}

/// Name of the abstract socket on which `jrace run` hears of JVMs that cannot write to a directory. An abstract name has 107 bytes at
/// most, and that of a run's directory has its time and process id.
#[must_use]
pub fn roll_name(directory: &Path) -> Vec<u8> {
    let name = directory.file_name().unwrap_or_default().as_encoded_bytes();
    [b"jrace/", &name[..name.len().min(96)]].concat()
}

/// One line of a findings file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// First line: the JVM.
    Jvm(Jvm),
    /// A finding was made. A later record with the same variable adds conflicts to it.
    Finding(Finding),
    /// How often the variable's race was seen so far; the latest record counts.
    Seen {
        /// The variable.
        variable: Variable,
        /// Racy accesses seen.
        accesses: u64,
        /// Objects (or arrays) on which the race was seen.
        objects: u64,
    },
    /// Two threads came to the variable in one object, or to one array, and not for a race at first.
    Shared(Variable),
    /// A class or method was left unwoven.
    Unwoven {
        /// Internal name of the class.
        class: String,
        /// Name and descriptor, when only one method was left.
        method: Option<String>,
        /// One sentence.
        reason: String,
    },
    /// From here on nothing is checked: one sentence says why.
    Unchecked(String),
    /// A check failed by a mistake of jrace's own, so that it may be missing: what, and where.
    Fault(String),
    /// A hazard was found.
    Hazard(Hazard),
    /// Hazards of this sort were looked for, whether any was found or not.
    Checked(Rule),
    /// Last line, when the JVM ended in order.
    End(Summary),
}

/// The JVM that made findings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Jvm {
    /// [`FORMAT`].
    pub format: u32,
    /// Process id.
    pub pid: u32,
    /// Milliseconds since 1970.
    pub started: u64,
    /// `java.vm.version` and vendor.
    pub version: String,
    /// `sun.java.command`: main class or jar, and arguments.
    pub command: String,
    /// The checker and granularity that ran, for example `eraser, field`.
    pub check: String,
    /// The options that say what is checked and how, where they are not the defaults: `include=bank.*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Where it began: its working directory; empty where that is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
}

/// What a JVM did, counted at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Classes that are checked, whether or not there is something in them to weave: by default those of the program, and none of the
    /// JDK, of build tools and of test frameworks. None where nobody counts them, as in a replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_classes: Option<u64>,
    /// Classes woven, those of the JDK among them.
    pub woven_classes: u64,
    /// Classes left alone because they could not be woven.
    pub unwoven_classes: u64,
    /// Methods left alone because they could not be woven.
    pub unwoven_methods: u64,
    /// Methods that weaving pushed over HotSpot's limit of 8,000 bytes for compilation.
    pub huge_methods: u64,
    /// Sites woven.
    pub sites: u64,
    /// Threads seen.
    pub threads: u64,
    /// Those of them that have the place in clocks of one that has ended, though nobody knew what that one had done: their races with it are
    /// missed.
    #[serde(default)]
    pub displacing_threads: u64,
    /// Lock sets that an access asked for, of 2^28 that there can be; without more, races are missed.
    #[serde(default)]
    pub lock_sets: u32,
    /// Nanoseconds spent weaving.
    pub weaving_nanos: u64,
}

/// What a finding claims.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Two accesses to one variable, at least one a write, with no lock held at both.
    Race,
    /// Code that is expected to be atomic, and is not.
    Atomicity,
    /// Threads that may come to wait for each other's locks.
    Deadlock,
}

/// How strong the evidence is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The locking discipline was violated in a run.
    Lockset,
    /// The steps of a transaction are not in an order that is always atomic.
    Reduction,
    /// Another order of the events of a run, which its locks allow, goes wrong.
    Predicted,
}

/// One race on one variable, with every pair of places at which it was seen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What is claimed.
    pub rule: Rule,
    /// How strong the evidence is.
    pub evidence: Evidence,
    /// The variable: with the rule, the key under which findings merge.
    pub variable: Variable,
    /// Pairs of accesses, the clearest first; never empty.
    pub conflicts: Vec<Conflict>,
}

/// A variable as a programmer names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Variable {
    /// An instance field.
    Field {
        /// Internal name of the declaring class.
        class: String,
        /// Field name.
        name: String,
        /// Field descriptor.
        descriptor: String,
    },
    /// A static field.
    Static {
        /// Internal name of the declaring class.
        class: String,
        /// Field name.
        name: String,
        /// Field descriptor.
        descriptor: String,
    },
    /// The fields of an object taken together (object granularity).
    Object {
        /// Internal name of the topmost checked class of the object.
        class: String,
    },
    /// The elements of an array.
    Array {
        /// Descriptor of the array's type, `[D`.
        descriptor: String,
        /// The field it was loaded from, `a/B.cells[]`, or the method that accesses it.
        origin: String,
    },
    /// What an object of the library holds.
    Contents {
        /// Internal name of its class, `java/util/HashMap`.
        class: String,
        /// The field it was loaded from, `a/B.cache`, or the method that accesses it.
        origin: String,
    },
}

/// Code that can go wrong in another way than by a race, with orders of events in which it does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hazard {
    /// What is claimed; not [`Rule::Race`].
    pub rule: Rule,
    /// How strong the evidence is.
    pub evidence: Evidence,
    /// The code: with the rule, the key under which hazards merge.
    pub subject: Subject,
    /// Never empty.
    pub scenarios: Vec<Scenario>,
}

/// What a hazard is about, as a programmer names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Subject {
    /// A transaction: the executions of a method.
    Method {
        /// Internal name of the class.
        class: String,
        /// Method name.
        name: String,
        /// Method descriptor.
        descriptor: String,
    },
    /// A transaction: the executions of a synchronized block of a method.
    Block {
        /// Internal name of the class.
        class: String,
        /// Method name.
        name: String,
        /// Method descriptor.
        descriptor: String,
    },
    /// Methods that take locks in orders that do not agree.
    Methods {
        /// `a/B.m`, sorted, each once.
        names: Vec<String>,
    },
}

/// An order of events that goes wrong.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Scenario {
    /// The kinds of the accesses, `R W' R`; empty where there is more to the steps than accesses.
    pub pattern: String,
    /// In the order that goes wrong, which need not be the one that was seen.
    pub steps: Vec<Step>,
    /// Locks that the transaction holds all the time from its first step to its last.
    pub kept: Vec<HeldLock>,
    /// How often such steps were found.
    pub seen: u64,
}

/// One step of a scenario.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Who: 0 is the transaction, or the first thread.
    pub actor: usize,
    /// What it does.
    pub operation: Operation,
    /// What is read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<Variable>,
    /// What is acquired or released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<HeldLock>,
    /// Where the transaction begins in which this happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Place>,
    /// Thread, place and locks.
    pub access: Access,
}

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Reads a variable.
    Read,
    /// Writes a variable.
    Write,
    /// Takes a lock, or takes it again after `wait`.
    Acquire,
    /// Gives a lock up, or waits on it.
    Release,
    /// Starts a thread.
    Start,
    /// Sees a thread end.
    Join,
}

/// How sure it is that two accesses race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Nothing ordered them in the run.
    #[default]
    Certain,
    /// They hold no lock in common, and only the order in which threads happened to take locks ordered them in the run: another
    /// schedule may not.
    Possible,
    /// The same, but the later thread had found, under such a lock, what the earlier one had left there: it may well have come to the
    /// variable for that reason, and never does before.
    Unlikely,
}

/// Two accesses that no lock orders.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conflict {
    /// How sure the race is; `None` where the check knows no order between threads (Eraser), and in files of before there were grades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// The access at which the race was found.
    pub current: Access,
    /// An earlier access: by another thread, or by the same one in another task.
    pub previous: Access,
}

impl Conflict {
    /// Whether one thread made both accesses, in two tasks that it ran one after the other.
    #[must_use]
    pub fn is_of_one_thread(&self) -> bool {
        self.current.thread.id == self.previous.thread.id && self.current.thread.id != ThreadId(0)
    }
}

/// One access as evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// Read or write; `None` when only the thread is known.
    pub kind: Option<AccessKind>,
    /// Innermost frame first, without the accessors that compilers make for nested classes; empty when the stack was not kept.
    #[serde(deserialize_with = "own_frames")]
    pub stack: Vec<Place>,
    /// Who made the access.
    pub thread: Thread,
    /// Locks held, outermost first; `None` when they were not kept.
    pub locks: Option<Vec<HeldLock>>,
    /// The test for which the thread worked: `package.Class.method`; `None` when that is not known, or there are no tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Whether the method that reads the field here writes it further on; false also when that is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub writes_too: bool,
}

fn own_frames<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Place>, D::Error> {
    let mut stack = Vec::deserialize(deserializer)?;
    leave_out_accessors(&mut stack, Place::is_accessor);
    Ok(stack)
}

/// A thread as evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Thread {
    /// Number of the thread in its JVM.
    pub id: ThreadId,
    /// Its name when first seen.
    pub name: String,
    /// Whether it is a virtual thread.
    #[serde(default, rename = "virtual")]
    pub is_virtual: bool,
    /// Whether it still ran when the finding was made; `None` when that is not known.
    pub alive: Option<bool>,
    /// Where it was started, innermost frame first; empty when that was not seen (the main thread, threads of the JVM).
    #[serde(deserialize_with = "own_frames")]
    pub created: Vec<Place>,
}

/// A lock held at an access.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HeldLock {
    /// Number of the lock in its JVM.
    pub id: ObjectId,
    /// Internal name of its class.
    pub class: String,
    /// The class whose monitor it is, when the lock is a class object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_object: Option<String>,
    /// A field that refers to it, by the class that declares it; none if none was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<FieldRef>,
    /// How it is held.
    pub mode: LockMode,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_json() {
        let record = Record::Seen {
            variable: Variable::Field { class: "a/B".into(), name: "x".into(), descriptor: "I".into() },
            accesses: 3,
            objects: 1,
        };
        let line = serde_json::to_string(&record).unwrap();
        assert_eq!(
            line,
            r#"{"seen":{"variable":{"kind":"field","class":"a/B","name":"x","descriptor":"I"},"accesses":3,"objects":1}}"#
        );
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }

    #[test]
    fn a_conflict_without_a_grade_has_none() {
        let access = r#"{"kind":"read","stack":[],"thread":{"id":1,"name":"main","virtual":false,"alive":null,"created":[]},"locks":null}"#;
        let accesses = format!(r#""current":{access},"previous":{access}"#);
        for (grade, member) in [
            (None, ""),
            (Some(Grade::Certain), r#""grade":"certain","#),
            (Some(Grade::Possible), r#""grade":"possible","#),
        ] {
            let text = format!("{{{member}{accesses}}}");
            let conflict: Conflict = serde_json::from_str(&text).unwrap();
            assert_eq!(conflict.grade, grade);
            assert_eq!(serde_json::to_string(&conflict).unwrap(), text);
        }
    }
}
