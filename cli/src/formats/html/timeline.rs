//! Threads beside each other: where each comes from, which locks it holds, what it does, and what became of it.
//!
//! Within a lane, time goes down. Between lanes only that is claimed which the document says of the order: where that is not known, the
//! lanes stand beside each other and nothing is above anything.

use std::collections::BTreeMap;

use askama::Template;

use crate::document::way::{Shape, Step, Way};
use crate::html::filters;

/// The lanes of a way in which threads meet.
#[derive(Template)]
#[template(path = "timeline.html")]
pub struct Timeline<'a> {
    lanes: Lanes<'a>,
    order: Option<&'a str>,
}

enum Lanes<'a> {
    /// Of threads that come to it at once.
    Beside(Vec<Lane<'a>>),
    /// Of threads that take turns: a row for each step, a column for each thread.
    InTurn(Turns<'a>),
}

/// What one thread does, in a box for each lock that it holds there.
#[derive(Template)]
#[template(path = "lane.html")]
struct Lane<'a> {
    step: &'a Step<'a>,
    locks: &'a [String],
    /// Whether it holds no lock.
    is_bare: bool,
    /// Whether its locks were not kept.
    is_unknown: bool,
}

struct Turns<'a> {
    threads: Vec<&'a str>,
    rows: Vec<Vec<Cell<'a>>>,
}

struct Cell<'a> {
    /// What the thread of the column does, if it is its turn.
    step: Option<&'a Step<'a>>,
    /// Whether it holds locks from its first step to its last, and here, too.
    is_kept: bool,
}

impl<'a> Timeline<'a> {
    /// Nothing of ways in which no threads meet, and where no thread is known.
    pub fn of(way: &'a Way<'_>) -> Option<Self> {
        let lanes = match way.shape {
            Shape::Threads if way.steps.iter().all(|step| !step.thread.is_empty()) => {
                Lanes::Beside(way.steps.iter().map(Lane::of).collect())
            }
            Shape::Order => Lanes::InTurn(Turns::of(way)),
            _ => return None,
        };
        Some(Self { lanes, order: way.order.as_deref() })
    }
}

impl<'a> Lane<'a> {
    fn of(step: &'a Step<'_>) -> Self {
        Self {
            step,
            locks: step.locks.as_deref().unwrap_or_default(),
            is_bare: step.holds && step.locks.as_ref().is_some_and(Vec::is_empty),
            is_unknown: step.holds && step.locks.is_none(),
        }
    }
}

impl<'a> Turns<'a> {
    fn of(way: &'a Way<'_>) -> Self {
        let mut threads = BTreeMap::new();
        for step in &way.steps {
            threads.entry(step.actor).or_insert(step.thread.as_str());
        }
        let own = |step: &Step<'_>| step.actor == 0;
        let kept = way.steps.iter().position(own).zip(way.steps.iter().rposition(own)).filter(|_| !way.kept.is_empty());
        let row = |(at, step): (usize, &'a Step<'_>)| {
            let is_kept = kept.is_some_and(|(first, last)| (first..=last).contains(&at));
            let cell = |actor: &usize| Cell {
                step: Some(step).filter(|step| step.actor == *actor),
                is_kept: *actor == 0 && is_kept,
            };
            threads.keys().map(cell).collect()
        };
        let rows = way.steps.iter().enumerate().map(row).collect();
        Self { rows, threads: threads.into_values().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(actor: usize, locks: Option<&[&str]>) -> Step<'static> {
        let locks = locks.map(|locks| locks.iter().map(|lock| (*lock).to_owned()).collect());
        Step { actor, verb: "write".into(), thread: format!("thread T{actor}"), locks, holds: true, ..Step::default() }
    }

    #[test]
    fn locks_enclose_what_is_done_under_them() {
        let held = |locks| Lane::of(&step(0, locks)).to_string();
        assert!(held(Some(&["a", "b"])).contains(
            "<li><div class=\"held\"><span class=\"lock\">a</span> <div class=\"held\"><span class=\"lock\">b</span> \
                 <div class=\"access\">write</div></div></div></li>"
        ));
        assert!(held(Some(&[])).contains("<li><div class=\"access bare\">write</div></li>"));
        assert!(held(None).contains("<li><div class=\"access\">locks not kept: write</div></li>"));
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        let lane = Lane::of(&step(1, None)).to_string();
        assert!(!lane.contains("running") && !lane.contains("ended") && !lane.contains("seen"), "{lane}");
        let unknown = Step { thread: String::new(), ..step(1, None) };
        let of = |way: &Way<'_>| Timeline::of(way).map(|timeline| timeline.to_string());
        assert_eq!(of(&Way { steps: vec![step(0, None), unknown], ..Way::new(Shape::Threads) }), None);
        assert_eq!(of(&Way { steps: vec![step(0, None)], ..Way::new(Shape::Code) }), None);
    }

    #[test]
    fn kept_locks_reach_from_the_first_step_to_the_last() {
        let steps = [0, 1, 0, 1].map(|actor| step(actor, Some(&[]))).into();
        let way = Way { kept: vec!["a".into()], steps, ..Way::new(Shape::Order) };
        let of = |way: &Way<'_>| Timeline::of(way).unwrap().to_string();
        let rows = of(&way);
        assert_eq!(rows.matches("<td class=\"kept\">").count(), 3, "{rows}");
        assert!(!of(&Way { kept: Vec::new(), ..way }).contains("kept"));
    }
}
