//! Small findings for tests.

use facts::access::{AccessKind, LockMode};
use facts::finding::{
    Access, Conflict, Evidence, Finding, Grade, Hazard, HeldLock, Jvm, Operation, Record, Rule, Scenario, Step,
    Subject, Thread, Variable,
};
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
        options: Vec::new(),
        directory: String::new(),
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

/// A record that `bank.Account.METHOD` reads twice, from a line on, and another thread writes in between.
pub fn hazard(method: &str, line: u32, seen: u64) -> Record {
    let within = |method| Some(place("bank/Account", method, 1));
    let step = |(actor, operation, kind, line): (usize, Operation, &str, u32)| Step {
        actor,
        operation,
        variable: Some(field("balance")),
        lock: None,
        within: if actor == 0 { within(method) } else { within("deposit") },
        access: Access {
            stack: vec![place("bank/Account", kind, line)],
            ..access(kind, line, actor as u32 + 1, &["o5"])
        },
    };
    let steps = [
        (0, Operation::Read, "read", line),
        (1, Operation::Write, "write", 10),
        (0, Operation::Read, "read", line + 1),
    ];
    let scenario = Scenario { pattern: "R W' R".into(), steps: steps.map(step).into(), kept: Vec::new(), seen };
    let subject = Subject::Method { class: "bank/Account".into(), name: method.into(), descriptor: "()V".into() };
    Record::Hazard(Hazard { rule: Rule::Atomicity, evidence: Evidence::Predicted, subject, scenarios: vec![scenario] })
}

/// A record that two threads take locks 5 and 6 in opposite orders.
pub fn deadlock() -> Record {
    let step = |(actor, held, line, taken): (usize, &str, u32, &str)| {
        let access = access("write", line, actor as u32 + 1, &[held]);
        let (operation, lock) = (Operation::Acquire, Some(lock(taken)));
        Step { actor, operation, variable: None, lock, within: None, access: Access { kind: None, ..access } }
    };
    let steps = [(0, "o5", 10, "o5"), (1, "o6", 20, "o6"), (0, "o5", 11, "o6"), (1, "o6", 21, "o5")];
    let scenario = Scenario { pattern: String::new(), steps: steps.map(step).into(), kept: Vec::new(), seen: 1 };
    let subject = Subject::Methods { names: vec!["bank/Account.write".into()] };
    Record::Hazard(Hazard { rule: Rule::Deadlock, evidence: Evidence::Predicted, subject, scenarios: vec![scenario] })
}

/// A count record.
pub fn seen(variable: Variable, accesses: u64, objects: u64) -> Record {
    Record::Seen { variable, accesses, objects }
}

/// A conflict.
pub fn conflict(current: Access, previous: Access) -> Conflict {
    Conflict { grade: None, current, previous }
}

/// The same conflict with a grade.
pub fn graded(grade: Option<Grade>, conflict: Conflict) -> Conflict {
    Conflict { grade, ..conflict }
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
    HeldLock {
        id: ObjectId(number),
        class: "bank/Lock".into(),
        class_object: None,
        field: None,
        mode: LockMode::Exclusive,
    }
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
        test: None,
        writes_too: false,
    }
}
