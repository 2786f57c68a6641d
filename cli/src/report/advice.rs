//! One sentence on what to do about a hazard, and what its pattern means.

use facts::finding::{HeldLock, Operation, Rule, Scenario, Step};

use super::merge::HazardKey;
use super::words;

/// The advice for a scenario of a hazard.
pub fn advice(key: &HazardKey, scenario: &Scenario) -> String {
    if key.rule == Rule::Deadlock {
        return format!("take {} in the same order everywhere, or hold one more lock around them.", locks(scenario));
    }
    if scenario.steps.iter().any(|step| matches!(step.operation, Operation::Start | Operation::Join)) {
        return "what starts threads or waits for them is not atomic: annotate it @NotAtomic if it need not be."
            .to_owned();
    }
    let own: Vec<&Step> = scenario.steps.iter().filter(|step| step.actor == 0).collect();
    let (Some(first), Some(last)) = (own.first(), own.last()) else {
        return "make it one critical section.".to_owned();
    };
    let scope = match (place(first), place(last)) {
        (a, b) if a == b => match &first.within {
            Some(place) => format!("throughout {}", words::function(place)),
            None => format!("around {a}"),
        },
        (a, b) => format!("from {a} to {b}"),
    };
    // Of what was released or acquired the locks say nothing.
    match lock(scenario).filter(|_| !scenario.pattern.is_empty()) {
        Some(lock) => {
            let also = scenario.steps.iter().find(|step| step.actor != 0 && !holds(step, lock));
            let also = also.map(|step| format!(", and also at {}", place(step))).unwrap_or_default();
            format!("hold {} {scope} without giving it up in between{also}.", words::lock(lock))
        }
        None => format!("hold one lock {scope}, and wherever else this is accessed without it."),
    }
}

/// What a pattern of accesses means.
pub fn meaning(pattern: &str) -> &'static str {
    let all = |own: bool, kind: char| {
        pattern.split(' ').filter(|access| access.contains('\'') != own).all(|access| access.starts_with(kind))
    };
    match pattern {
        "R W' R" => "two reads differ",
        "R W' W" => "a write goes by a value that another thread has replaced",
        "W R' W" => "another thread sees a value in between",
        "W W' R" => "another thread has replaced the value that it reads back",
        _ if all(true, 'W') && all(false, 'R') => "another thread sees half of its writes",
        _ if all(true, 'R') && all(false, 'W') => "it sees half of another thread's writes",
        _ if all(true, 'W') && all(false, 'W') => "half of its writes and half of another thread's remain",
        _ => "at one variable it comes first, at the other another thread",
    }
}

/// The lock that should be held throughout: the one that most steps hold, of those that do not keep the others out already.
fn lock(scenario: &Scenario) -> Option<&HeldLock> {
    let steps = || scenario.steps.iter();
    let held = steps().flat_map(|step| step.access.locks.iter().flatten());
    let is_kept = |lock: &&HeldLock| scenario.kept.iter().any(|kept| kept.id == lock.id);
    let n_holders = |lock: &&HeldLock| steps().filter(|step| holds(step, lock)).count();
    held.filter(|lock| !is_kept(lock)).max_by_key(|lock| (n_holders(lock), std::cmp::Reverse(lock.id)))
}

fn holds(step: &Step, lock: &HeldLock) -> bool {
    step.access.locks.iter().flatten().any(|held| held.id == lock.id)
}

/// Where a step is taken, as precisely as that is known.
fn place(step: &Step) -> String {
    let within = || step.within.iter();
    step.access.stack.iter().chain(within()).next().map_or_else(|| "an unknown place".to_owned(), words::frame)
}

fn locks(scenario: &Scenario) -> String {
    let mut names: Vec<String> = scenario.steps.iter().filter_map(|step| step.lock.as_ref()).map(words::lock).collect();
    names.sort();
    names.dedup();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use facts::finding::Record;

    use super::super::fixtures::{hazard, lock};
    use super::*;

    fn of(own: &[&str], other: &[&str]) -> String {
        let Record::Hazard(mut hazard) = hazard("transfer", 20, 1) else { panic!("a hazard") };
        let scenario = &mut hazard.scenarios[0];
        for step in &mut scenario.steps {
            let names = if step.actor == 0 { own } else { other };
            step.access.locks = Some(names.iter().map(|name| lock(name)).collect());
        }
        advice(&HazardKey { subject: hazard.subject, rule: hazard.rule }, scenario)
    }

    #[test]
    fn locks_are_to_be_held_throughout() {
        let scope = "from bank.Account.read(Account.java:20) to bank.Account.read(Account.java:21)";
        let other = "bank.Account.write(Account.java:10)";
        assert_eq!(of(&["o7"], &["o7"]), format!("hold bank.Lock (o7) {scope} without giving it up in between."));
        assert_eq!(of(&[], &["o7"]), format!("hold bank.Lock (o7) {scope} without giving it up in between."));
        let expected = format!("hold bank.Lock (o7) {scope} without giving it up in between, and also at {other}.");
        assert_eq!(of(&["o7"], &[]), expected);
        assert_eq!(of(&[], &[]), format!("hold one lock {scope}, and wherever else this is accessed without it."));
    }

    #[test]
    fn patterns_have_meanings() {
        assert_eq!(meaning("W(x) R'(x) R'(y) W(y)"), "another thread sees half of its writes");
        assert_eq!(meaning("R(x) W'(x) W'(y) R(y)"), "it sees half of another thread's writes");
        assert_eq!(meaning("R(x) W'(x) R'(y) W(y)"), "at one variable it comes first, at the other another thread");
    }
}
