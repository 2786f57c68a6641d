//! Small findings for tests.

use facts::access::{AccessKind, LockMode};
use facts::finding::{Access, Conflict, Evidence, Finding, HeldLock, Jvm, Record, Rule, Thread, Variable};
use facts::index::{ObjectId, ThreadId};
use facts::site::Place;

use super::merge::Merged;

/// The JVM with this process id.
pub fn jvm(pid: u32) -> Jvm {
    Jvm {
        format: facts::finding::FORMAT,
        pid,
        started: 1000 + u64::from(pid),
        version: "17.0.15 Debian".into(),
        command: "bank.Main --fast".into(),
        check: "eraser, field".into(),
    }
}

/// What the findings file of a JVM says.
pub fn file(pid: u32, records: Vec<Record>) -> Merged {
    Merged::of_file(jvm(pid), records)
}

/// The field `bank.Account.NAME`, an int.
pub fn field(name: &str) -> Variable {
    Variable::Field { class: "bank/Account".into(), name: name.into(), descriptor: "I".into() }
}

/// A finding record.
pub fn finding(variable: Variable, conflicts: Vec<Conflict>) -> Record {
    Record::Finding(Finding { rule: Rule::Race, evidence: Evidence::Lockset, variable, conflicts })
}

/// A count record.
pub fn seen(variable: Variable, accesses: u64, objects: u64) -> Record {
    Record::Seen { variable, accesses, objects }
}

/// A conflict.
pub fn conflict(current: Access, previous: Access) -> Conflict {
    Conflict { current, previous }
}

/// A frame; the file is named after the outermost class.
pub fn place(class: &str, method: &str, line: u32) -> Place {
    let simple = facts::name::simple(class);
    Place {
        class: class.into(),
        method: method.into(),
        descriptor: "()V".into(),
        offset: 0,
        line: Some(line),
        file: Some(format!("{}.java", simple.split('$').next().unwrap_or(simple))),
    }
}

/// A lock of class `bank.Lock`; `"oN"`-like names all give lock 7, `"o9"` gives 9 and so on.
pub fn lock(name: &str) -> HeldLock {
    let number = name.trim_start_matches('o').parse().unwrap_or(7);
    HeldLock { id: ObjectId(number), class: "bank/Lock".into(), class_object: None, mode: LockMode::Exclusive }
}

/// An access in `bank.Account.KIND` at a line, by thread `worker-THREAD`.
pub fn access(kind: &str, line: u32, thread: u32, locks: &[&str]) -> Access {
    Access {
        kind: match kind {
            "read" => Some(AccessKind::Read),
            "write" => Some(AccessKind::Write),
            _ => None,
        },
        stack: vec![
            place("bank/Account", kind, line),
            place("bank/Main$1", "run", 40),
            place("java/util/concurrent/ThreadPoolExecutor", "runWorker", 1136),
            place("java/lang/Thread", "run", 840),
        ],
        thread: Thread {
            id: ThreadId(thread),
            name: format!("worker-{thread}"),
            is_virtual: false,
            alive: Some(thread == 1),
            created: vec![place("java/lang/Thread", "start", 800), place("bank/Main", "main", 12)],
        },
        locks: Some(locks.iter().map(|name| lock(name)).collect()),
    }
}
