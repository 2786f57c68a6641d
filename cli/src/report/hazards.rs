//! From what the checkers of transactions and lock orders say in numbers to hazards.

use std::collections::BTreeMap;

use checkers::atomicity::reduction::{self, Breach};
use checkers::atomicity::violation::{self, Actor, Transaction, Violation};
use checkers::held::Hold;
use checkers::lock_order::{Deadlock, Wait};
use facts::access::{AccessKind, Granularity, LockMode};
use facts::event::EventKind;
use facts::finding::{Evidence, Hazard, Operation, Rule, Scenario, Step, Subject};
use facts::index::SiteId;
use facts::site::{Action, Place};

use super::names::Names;

/// Words hazards by the names of a trace.
pub struct Hazards<'a> {
    /// The names.
    pub names: &'a Names,
    /// How finely the fields of an object were told apart.
    pub granularity: Granularity,
}

impl Hazards<'_> {
    /// Of violations with the same steps in transactions that contain each other, that of the innermost one: there the fix
    /// belongs.
    pub fn of_violations(&self, violations: &[Violation]) -> Vec<Hazard> {
        let mut alike = BTreeMap::<_, Vec<&Violation>>::new();
        for violation in violations {
            let steps = violation.steps.iter().map(|step| (step.by, step.access.kind, step.access.site));
            alike.entry(steps.collect::<Vec<_>>()).or_default().push(violation);
        }
        alike.into_values().flat_map(innermost).map(|violation| self.of_violation(violation)).collect()
    }

    fn of_violation(&self, violation: &Violation) -> Hazard {
        let scenario = Scenario {
            pattern: violation.pattern().to_string(),
            steps: violation.steps.iter().map(|step| self.step(violation, step)).collect(),
            kept: self.names.locks(&violation.kept),
            seen: violation.seen,
        };
        self.of_transaction(violation.transaction, Evidence::Predicted, scenario)
    }

    fn of_transaction(&self, transaction: Transaction, evidence: Evidence, scenario: Scenario) -> Hazard {
        Hazard { rule: Rule::Atomicity, evidence, subject: self.subject(transaction.site), scenarios: vec![scenario] }
    }

    fn subject(&self, site: SiteId) -> Subject {
        let unknown = || ("unknown".to_owned(), site.to_string(), String::new());
        let named = |place: &Place| (place.class.clone(), place.method.clone(), place.descriptor.clone());
        let (class, name, descriptor) = self.place(site).map_or_else(unknown, named);
        match self.names.site(site).map(|site| &site.action) {
            Some(Action::Enter) => Subject::Block { class, name, descriptor },
            _ => Subject::Method { class, name, descriptor },
        }
    }

    fn step(&self, violation: &Violation, step: &violation::Step) -> Step {
        let (actor, transaction) = match step.by {
            Actor::Own => (0, Some(violation.transaction)),
            Actor::Other => (1, violation.other),
        };
        let access = &step.access;
        Step {
            actor,
            operation: of_access(access.kind),
            variable: Some(self.names.variable(access.location, access.site, self.granularity)),
            lock: None,
            within: transaction.and_then(|transaction| self.place(transaction.site)).cloned(),
            access: self.names.access(access),
        }
    }

    fn place(&self, site: SiteId) -> Option<&Place> {
        self.names.site(site).map(|site| &site.place)
    }

    /// Transactions that cannot be reduced.
    pub fn of_breaches(&self, breaches: &[Breach]) -> Vec<Hazard> {
        let of_breach = |breach: &Breach| {
            let steps = [&breach.commit, &breach.event].into_iter().filter_map(|step| self.reduced(breach, step));
            let (steps, seen) = (steps.collect(), breach.seen);
            let scenario = Scenario { pattern: String::new(), steps, kept: Vec::new(), seen };
            self.of_transaction(breach.transaction, Evidence::Reduction, scenario)
        };
        breaches.iter().map(of_breach).collect()
    }

    fn reduced(&self, breach: &Breach, step: &reduction::Step) -> Option<Step> {
        let event = &step.event;
        let access = self.names.act(event.thread, event.site, &step.locks);
        let exclusive = |lock| self.names.lock(Hold { lock, mode: LockMode::Exclusive });
        let (operation, lock) = match event.action {
            EventKind::Access(kind, _) | EventKind::Volatile(kind, _) => (of_access(kind), None),
            EventKind::Acquire(lock, mode) => (Operation::Acquire, Some(self.names.lock(Hold { lock, mode }))),
            EventKind::Release(lock, mode) => (Operation::Release, Some(self.names.lock(Hold { lock, mode }))),
            EventKind::WaitBegin(lock) => (Operation::Release, Some(exclusive(lock))),
            EventKind::WaitEnd(lock) => (Operation::Acquire, Some(exclusive(lock))),
            EventKind::Fork(_) => (Operation::Start, None),
            EventKind::Join(_) => (Operation::Join, None),
            _ => return None,
        };
        let variable = match event.action {
            EventKind::Access(_, location) | EventKind::Volatile(_, location) => {
                Some(self.names.variable(location, event.site, self.granularity))
            }
            _ => None,
        };
        let within = self.place(breach.transaction.site).cloned();
        Some(Step { actor: 0, operation, variable, lock, within, access })
    }

    /// Locks taken in orders that do not agree.
    pub fn of_deadlocks(&self, deadlocks: &[Deadlock]) -> Vec<Hazard> {
        deadlocks.iter().map(|deadlock| self.of_deadlock(deadlock)).collect()
    }

    /// Each thread takes its first lock, then each waits for its second.
    fn of_deadlock(&self, deadlock: &Deadlock) -> Hazard {
        let waits = || deadlock.waits.iter().enumerate();
        let taken = waits().map(|(actor, wait)| self.acquisition(actor, wait, wait.held_since, wait.holds));
        let wanted = waits().map(|(actor, wait)| self.acquisition(actor, wait, wait.site, wait.wants));
        let steps = taken.chain(wanted).collect();
        let scenario = Scenario { pattern: String::new(), steps, kept: Vec::new(), seen: 1 };
        let (evidence, subject) = (Evidence::Predicted, self.methods(deadlock));
        Hazard { rule: Rule::Deadlock, evidence, subject, scenarios: vec![scenario] }
    }

    fn acquisition(&self, actor: usize, wait: &Wait, site: SiteId, lock: Hold) -> Step {
        let access = self.names.act(wait.thread, site, &wait.locks);
        let lock = Some(self.names.lock(lock));
        Step { actor, operation: Operation::Acquire, variable: None, lock, within: None, access }
    }

    fn methods(&self, deadlock: &Deadlock) -> Subject {
        let name = |wait: &Wait| match self.place(wait.site) {
            Some(place) => format!("{}.{}", place.class, place.method),
            None => self.names.lock(wait.wants).class,
        };
        let mut names: Vec<String> = deadlock.waits.iter().map(name).collect();
        names.sort();
        names.dedup();
        Subject::Methods { names }
    }
}

/// Of violations with the same steps one for each code, but none for code around other code that is blamed.
fn innermost(mut violations: Vec<&Violation>) -> Vec<&Violation> {
    violations.sort_by_key(|violation| violation.inner.len());
    let mut blamed = Vec::<&Violation>::new();
    for violation in violations {
        let site = violation.transaction.site;
        if !blamed
            .iter()
            .any(|other| other.transaction.site == site || violation.inner.contains(&other.transaction.site))
        {
            blamed.push(violation);
        }
    }
    blamed
}

fn of_access(kind: AccessKind) -> Operation {
    match kind {
        AccessKind::Read => Operation::Read,
        AccessKind::Write => Operation::Write,
    }
}
