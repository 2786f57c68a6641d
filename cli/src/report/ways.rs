//! Conflicts and scenarios of runs as ways in which a finding comes about.

use std::borrow::Cow;

use facts::finding::{self, Access, Conflict, Operation, Rule, Scenario, Thread, Variable};
use facts::site::Place;

use super::advice::meaning;
use super::attributed;
use super::frames::is_folded;
use super::merge::Sighting;
use super::{ordering, start, words};
use crate::document::finding::capital;
use crate::document::way::{Frame, Shape, Step, Way};

/// The two accesses of a conflict, and how sure it is if others of the finding are surer.
pub fn of_conflict<'a>(variable: &'a Variable, sighting: &'a Sighting, doubt: Option<&str>) -> Way<'a> {
    let (current, previous) = (&sighting.conflict.current, &sighting.conflict.previous);
    let steps = [("Current", "seen second", current), ("Previous", "seen first", previous)];
    let step = |(when, seen, access)| {
        let step = access_step(when, variable, access);
        let title = format!("{}{}", step.title, task(&sighting.conflict, when));
        Step { seen: Some(seen), title, ..step }
    };
    Way {
        doubt: doubt.map(|doubt| format!("this pair is only {doubt}")),
        order: Some(ordering::of(&sighting.conflict)),
        steps: steps.map(step).into(),
        ..Way::new(Shape::Threads)
    }
}

/// What tells the earlier of two accesses of one thread from the later one.
pub fn task(conflict: &Conflict, when: &str) -> &'static str {
    if when == "Previous" && conflict.is_of_one_thread() { ", in an earlier task" } else { "" }
}

/// An access of a conflict.
pub fn access_step<'a>(when: &str, variable: &'a Variable, access: &'a Access) -> Step<'a> {
    let (kind, thread) = (words::kind(access.kind), words::thread(&access.thread));
    Step {
        verb: kind.to_owned(),
        deed: format!("{kind} of {}", words::subject(variable)),
        said: format!("{} by {thread}{}", capital(kind), attributed::of_access(access)),
        title: format!("{when} {kind} by {thread}{}", words::state(&access.thread)),
        word: words::word_in_source(variable).map(str::to_owned),
        ..step_of(access)
    }
}

/// An order of steps that goes wrong.
pub fn of_scenario(rule: Rule, scenario: &Scenario) -> Way<'_> {
    let waiting = if rule == Rule::Deadlock { scenario.steps.len() / 2 } else { usize::MAX };
    let steps = scenario.steps.iter().enumerate();
    Way {
        title: Some(match scenario.pattern.as_str() {
            "" if rule == Rule::Deadlock => "Locks in opposite orders".to_owned(),
            "" => "Cannot be reduced to one step".to_owned(),
            pattern => format!("{pattern}: {}", meaning(pattern)),
        }),
        order: Some("In this order it goes wrong; a run need not have shown it.".to_owned()),
        kept: scenario.kept.iter().map(words::lock).collect(),
        steps: steps.map(|(at, step)| scenario_step(step, at >= waiting)).collect(),
        ..Way::new(Shape::Order)
    }
}

/// A step of a scenario; `waits` if it waits for its lock for ever.
pub fn scenario_step(step: &finding::Step, waits: bool) -> Step<'_> {
    let deed = words::does(step, waits);
    let said = format!("{} {deed}", words::thread(&step.access.thread));
    let verb = match step.operation {
        Operation::Read => "read".to_owned(),
        Operation::Write => "write".to_owned(),
        _ => deed.clone(),
    };
    Step {
        actor: step.actor,
        verb,
        deed,
        title: said.clone(),
        said,
        within: step.within.as_ref().map(words::function),
        word: step.variable.as_ref().and_then(words::word_in_source).map(str::to_owned),
        ..step_of(&step.access)
    }
}

fn step_of(access: &Access) -> Step<'_> {
    Step {
        locks: access.locks.as_ref().map(|locks| locks.iter().map(words::lock).collect()),
        holds: true,
        thread: words::thread(&access.thread),
        origin: start::line(&access.thread, |place| !is_folded(place)),
        alive: access.thread.alive,
        test: access.test.as_deref(),
        path: frames(&access.stack),
        started: started(&access.thread),
        ..Step::default()
    }
}

/// Where a thread was started, if that was seen.
fn started(thread: &Thread) -> Option<(String, Vec<Frame<'_>>)> {
    (!thread.created.is_empty()).then(|| (format!("Thread {} was started", thread.id), frames(&thread.created)))
}

/// The frames of a stack.
pub fn frames(stack: &[Place]) -> Vec<Frame<'_>> {
    let frame = |place| Frame { place: Cow::Borrowed(place), locks: &[], library: is_folded(place) };
    stack.iter().map(frame).collect()
}
