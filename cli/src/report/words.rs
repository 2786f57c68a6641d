//! How things are called in reports.

use facts::access::{AccessKind, LockMode};
use facts::finding::{HeldLock, Operation, Rule, Step, Subject, Thread, Variable};
use facts::index::ThreadId;
pub use facts::name::printable;
use facts::name::{dotted, readable};
use facts::site::Place;

/// A rule as it stands in suppressions and JSON.
pub fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::Race => "race",
        Rule::Atomicity => "atomicity",
        Rule::Deadlock => "deadlock",
    }
}

/// What code is called, by which suppressions match: `bank.Account.transfer`.
pub fn subject_name(subject: &Subject) -> String {
    match subject {
        Subject::Method { class, name, .. } | Subject::Block { class, name, .. } => format!("{}.{name}", dotted(class)),
        Subject::Methods { names } => names.iter().map(|name| dotted(name)).collect::<Vec<_>>().join(", "),
    }
}

/// Code as the subject of a hazard: `method bank.Account.transfer`.
pub fn code(subject: &Subject) -> String {
    let kind = match subject {
        Subject::Method { .. } => "method ",
        Subject::Block { .. } => "a synchronized block of ",
        Subject::Methods { .. } => "",
    };
    printable(&format!("{kind}{}", subject_name(subject)))
}

/// A variable's name, by which suppressions match: `bank.Account.balance`.
pub fn variable_name(variable: &Variable) -> String {
    match variable {
        Variable::Field { class, name, .. } | Variable::Static { class, name, .. } => {
            format!("{}.{name}", dotted(class))
        }
        Variable::Object { class } => dotted(class),
        Variable::Array { origin, .. } | Variable::Contents { origin, .. } => dotted(origin),
    }
}

/// The type of what the variable holds; `None` for an object taken as a whole.
pub fn variable_type(variable: &Variable) -> Option<String> {
    match variable {
        Variable::Field { descriptor, .. } | Variable::Static { descriptor, .. } => Some(readable(descriptor)),
        // A trace does not tell the classes of arrays.
        Variable::Array { descriptor, .. } => Some(readable(descriptor)).filter(|name| !name.is_empty()),
        Variable::Contents { class, .. } => Some(dotted(class)),
        Variable::Object { .. } => None,
    }
}

/// A variable as the subject of a finding: `field bank.Account.balance (int)`.
pub fn subject(variable: &Variable) -> String {
    let kind = match variable {
        Variable::Field { .. } => "field",
        Variable::Static { .. } => "static field",
        Variable::Object { .. } => "object of class",
        Variable::Array { .. } => "array",
        Variable::Contents { .. } => "contents of",
    };
    let of_type = variable_type(variable).map(|name| format!(" ({name})")).unwrap_or_default();
    printable(&format!("{kind} {}{of_type}", variable_name(variable)))
}

/// The word by which a source line names the variable, to point at it.
pub fn word_in_source(variable: &Variable) -> Option<&str> {
    match variable {
        Variable::Field { name, .. } | Variable::Static { name, .. } => Some(name.as_str()),
        Variable::Array { origin, .. } => Some(origin.rsplit('.').next()?.trim_end_matches("[]")),
        Variable::Contents { origin, .. } => Some(origin.rsplit('.').next()?.trim_end_matches("[]")),
        Variable::Object { .. } => None,
    }
    .filter(|word| !word.is_empty())
}

/// A frame's function: `bank.Account.deposit`.
pub fn function(place: &Place) -> String {
    format!("{}.{}", dotted(&place.class), place.method)
}

/// A frame as Java prints it: `bank.Account.deposit(Account.java:21)`.
pub fn frame(place: &Place) -> String {
    printable(&format!("{}({})", function(place), position(place)))
}

/// `Account.java:21`.
pub fn position(place: &Place) -> String {
    match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, _) => "Unknown Source".to_owned(),
    }
}

/// A frame's source file with its package's directory: `bank/Account.java`.
pub fn source_file(place: &Place) -> Option<String> {
    let file = place.file.as_deref()?;
    Some(match place.class.rsplit_once('/') {
        Some((package, _)) => format!("{package}/{file}"),
        None => file.to_owned(),
    })
}

/// A path as it stands in a URI: names of classes and folders may have letters that URIs do not (RFC 3986, section 2).
pub fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/$+,;=@!".contains(&byte);
    path.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Read, write, or access.
pub fn kind(kind: Option<AccessKind>) -> &'static str {
    match kind {
        Some(AccessKind::Read) => "read",
        Some(AccessKind::Write) => "write",
        None => "access",
    }
}

/// A thread with its name: `virtual thread T3 "worker"`. Number 0 stands for a thread that is not known.
pub fn thread(thread: &Thread) -> String {
    if thread.id == ThreadId(0) {
        return "another thread".to_owned();
    }
    let kind = if thread.is_virtual { "virtual thread" } else { "thread" };
    let name = if thread.name.is_empty() { String::new() } else { format!(" \"{}\"", printable(&thread.name)) };
    format!("{kind} {}{name}", thread.id)
}

/// Whether a thread still ran when the finding was made.
pub fn state(thread: &Thread) -> &'static str {
    match thread.alive {
        Some(true) => " (still running)",
        Some(false) => " (ended)",
        None => "",
    }
}

/// A lock: `bank.Account (o5)`, `class bank.Account (o9)`, `….ReentrantReadWriteLock (o7, read mode)`.
pub fn lock(lock: &HeldLock) -> String {
    let mode = match lock.mode {
        LockMode::Exclusive => "",
        LockMode::Shared => ", read mode",
    };
    printable(&format!("{} ({}{mode})", lock_kind(lock), lock.id))
}

/// A lock without its number: `class bank.Account`, by the field that refers to it (`bank.Account.lock`), else by its own class.
pub fn lock_kind(lock: &HeldLock) -> String {
    match (&lock.class_object, &lock.field) {
        (Some(class), _) => format!("class {}", dotted(class)),
        (None, Some(field)) => format!("{}.{}", dotted(&field.class), field.name),
        (None, None) if lock.class.is_empty() => "a lock".to_owned(),
        (None, None) => dotted(&lock.class),
    }
}

/// The first few of a list, and how many more there are.
pub fn some_of(names: &[String], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names[..names.len().min(most)].join(", "))
}

/// `1 JVM`, `2 JVMs`.
pub fn count(number: u64, singular: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {singular}{plural}")
}

/// `reads field bank.Account.balance (int)`.
pub fn does(step: &Step, waits: bool) -> String {
    let verb = match step.operation {
        Operation::Read => "reads",
        Operation::Write => "writes",
        Operation::Acquire if waits => "waits for",
        Operation::Acquire => "takes",
        Operation::Release => "gives up",
        Operation::Start => "starts a thread",
        Operation::Join => "waits for a thread to end",
    };
    let variable = step.variable.as_ref().map(subject);
    match variable.or_else(|| step.lock.as_ref().map(lock)) {
        Some(what) => format!("{verb} {what}"),
        None => verb.to_owned(),
    }
}

/// A step in a few words; the other thread's has a prime, as in patterns.
pub fn brief(step: &Step) -> String {
    let kind = match step.operation {
        Operation::Read => "R",
        Operation::Write => "W",
        _ => &does(step, false),
    };
    let prime = "'".repeat(step.actor);
    let place = step.access.stack.first().map(|place| format!(" at {}", frame(place))).unwrap_or_default();
    format!("{kind}{prime}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("a/B$C é.java"), "a/B$C%20%C3%A9.java");
    }

    #[test]
    fn variables_have_names_and_types() {
        let array = Variable::Array { descriptor: "[[D".into(), origin: "sor/Grid.cells[]".into() };
        assert_eq!(subject(&array), "array sor.Grid.cells[] (double[][])");
        assert_eq!(word_in_source(&array), Some("cells"));
        assert_eq!(subject(&Variable::Object { class: "a/B$C".into() }), "object of class a.B$C");
        let contents = Variable::Contents { class: "java/util/HashMap".into(), origin: "a/B.cache".into() };
        assert_eq!(subject(&contents), "contents of a.B.cache (java.util.HashMap)");
        assert_eq!(variable_name(&contents), "a.B.cache");
        assert_eq!(word_in_source(&contents), Some("cache"));
    }
}
