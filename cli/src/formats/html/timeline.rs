//! Threads beside each other: where each comes from, which locks it holds, what it does, and what became of it.
//!
//! Within a lane, time goes down. Between lanes only that is claimed which the document says of the order: where that is not known, the
//! lanes stand beside each other and nothing is above anything.

use std::collections::BTreeMap;

use crate::document::way::{Frame, Shape, Step, Way};
use crate::html::findings::{breakable, chip, holding, with_code};
use crate::html::{classed, escape};

/// The lanes of a way in which threads meet; nothing of others, and where no thread is known.
pub fn of(way: &Way<'_>) -> String {
    let lanes = match way.shape {
        Shape::Threads if way.steps.iter().all(|step| !step.thread.is_empty()) => beside(&way.steps),
        Shape::Order => in_turn(way),
        _ => return String::new(),
    };
    let order = way.order.as_ref().map(|order| format!("<figcaption>{}</figcaption>\n", with_code(order)));
    format!("<figure class=\"timeline\">\n{lanes}{}</figure>\n", order.unwrap_or_default())
}

/// Threads that come to it at once.
fn beside(steps: &[Step<'_>]) -> String {
    let lanes: String = steps.iter().map(lane).collect();
    format!("<div class=\"lanes\">{lanes}</div>\n")
}

fn lane(step: &Step<'_>) -> String {
    let seen = step.seen.map(|seen| format!(" {}", classed("span", "badge", seen))).unwrap_or_default();
    let origin = step.origin.as_ref().map(|origin| breakable(origin)).unwrap_or_default();
    let end = match step.alive {
        Some(true) => "still running when this was found",
        Some(false) => "had ended when this was found",
        None => "",
    };
    format!(
        "<ol class=\"lane\"><li class=\"thread\">{}{seen}</li><li class=\"start\">{origin}</li><li>{}</li>\
         <li class=\"end\">{end}</li></ol>\n",
        breakable(&step.thread),
        held(step)
    )
}

/// What the thread does, in a box for each lock that it holds there, the outermost first.
fn held(step: &Step<'_>) -> String {
    let (locks, unknown) = match &step.locks {
        Some(locks) => (&locks[..], ""),
        None if step.holds => (&[][..], "locks not kept: "),
        None => (&[][..], ""),
    };
    let open: String = locks.iter().map(|lock| format!("<div class=\"held\">{}", chip(lock))).collect();
    let none = if step.holds && step.locks.as_ref().is_some_and(Vec::is_empty) { " bare" } else { "" };
    let at = step.path.first().map(place).unwrap_or_default();
    format!(
        "{open}<div class=\"access{none}\">{unknown}{}{at}</div>{}",
        escape(&step.verb),
        "</div>".repeat(locks.len())
    )
}

/// ` in bank.Account.deposit Account.java:12`.
fn place(frame: &Frame<'_>) -> String {
    let position = frame.position().map(|position| format!(" {}", classed("span", "position", &position)));
    format!(" in {}{}", breakable(&frame.name()), position.unwrap_or_default())
}

/// Threads that take turns: a row for each step, a column for each thread.
fn in_turn(way: &Way<'_>) -> String {
    let mut threads = BTreeMap::new();
    for step in &way.steps {
        threads.entry(step.actor).or_insert(step.thread.as_str());
    }
    let heads: String = threads.values().map(|thread| format!("<th>{}</th>", breakable(thread))).collect();
    let own = |step: &Step<'_>| step.actor == 0;
    let kept = way.steps.iter().position(own).zip(way.steps.iter().rposition(own)).filter(|_| !way.kept.is_empty());
    let row = |(at, step): (usize, &Step<'_>)| {
        let is_kept = kept.is_some_and(|(first, last)| (first..=last).contains(&at));
        let cell = |actor: &usize| {
            let class = if *actor == 0 && is_kept { " class=\"kept\"" } else { "" };
            let text = if *actor == step.actor { turn(step) } else { String::new() };
            format!("<td{class}>{text}</td>")
        };
        format!("<tr><td class=\"number\">{}</td>{}</tr>\n", at + 1, threads.keys().map(cell).collect::<String>())
    };
    let rows: String = way.steps.iter().enumerate().map(row).collect();
    format!("<div class=\"wide\"><table class=\"turns\"><tr><th></th>{heads}</tr>\n{rows}</table></div>\n")
}

fn turn(step: &Step<'_>) -> String {
    let holding = step.locks.as_deref().filter(|_| step.holds).map(holding).unwrap_or_default();
    format!("{}{holding}", breakable(&step.deed))
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
        assert_eq!(
            held(&step(0, Some(&["a", "b"]))),
            "<div class=\"held\"><span class=\"lock\">a</span> <div class=\"held\"><span class=\"lock\">b</span> \
             <div class=\"access\">write</div></div></div>"
        );
        assert_eq!(held(&step(0, Some(&[]))), "<div class=\"access bare\">write</div>");
        assert_eq!(held(&step(0, None)), "<div class=\"access\">locks not kept: write</div>");
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        let lane = lane(&step(1, None));
        assert!(!lane.contains("running") && !lane.contains("ended") && !lane.contains("seen"), "{lane}");
        let unknown = Step { thread: String::new(), ..step(1, None) };
        assert_eq!(of(&Way { steps: vec![step(0, None), unknown], ..Way::new(Shape::Threads) }), "");
        assert_eq!(of(&Way { steps: vec![step(0, None)], ..Way::new(Shape::Code) }), "");
    }

    #[test]
    fn kept_locks_reach_from_the_first_step_to_the_last() {
        let steps = [0, 1, 0, 1].map(|actor| step(actor, Some(&[]))).into();
        let way = Way { kept: vec!["a".into()], steps, ..Way::new(Shape::Order) };
        let rows = of(&way);
        assert_eq!(rows.matches("<td class=\"kept\">").count(), 3, "{rows}");
        assert!(!of(&Way { kept: Vec::new(), ..way }).contains("kept"));
    }
}
