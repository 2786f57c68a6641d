//! Orders of steps that go wrong, on pages: the transaction's on the left, those of other threads on the right.

use facts::finding::{Rule, Scenario, Step};

use super::{advised, frames, locks};
use crate::html::element;
use crate::html::findings::{breakable, chip};
use crate::html::sources::Excerpts;
use crate::report::advice::{advice, meaning};
use crate::report::merge::HazardKey;
use crate::report::words::{self, count};

/// How many scenarios of one hazard are shown: most are consequences of the first.
const MAX_SCENARIOS: usize = 4;

/// The scenarios of a hazard, and what to do about the first.
pub fn scenarios<'s>(
    code: &mut Excerpts<'_>,
    key: &HazardKey,
    scenarios: impl Iterator<Item = &'s Scenario>,
) -> String {
    let all: Vec<&Scenario> = scenarios.collect();
    let shown: String = all.iter().take(MAX_SCENARIOS).map(|one| scenario(code, key.rule, one)).collect();
    let more = all.len().saturating_sub(MAX_SCENARIOS) as u64;
    let more =
        if more > 0 { element("p", &format!("{} like these.", count(more, "more order"))) } else { String::new() };
    shown + &more + &advised(all.first().map(|first| advice(key, first)).as_deref())
}

fn scenario(code: &mut Excerpts<'_>, rule: Rule, scenario: &Scenario) -> String {
    let title = match scenario.pattern.as_str() {
        "" if rule == Rule::Deadlock => "Locks in opposite orders".to_owned(),
        "" => "Cannot be reduced to one step".to_owned(),
        pattern => format!("{pattern}: {}", meaning(pattern)),
    };
    let kept: String = scenario.kept.iter().map(|lock| chip(&words::lock(lock))).collect();
    let kept = if kept.is_empty() { kept } else { format!("<p>Held all the time: {kept}</p>\n") };
    let waiting = scenario.steps.len() / 2;
    let steps = scenario.steps.iter().enumerate();
    let steps: String = steps.map(|(at, one)| step(code, one, rule == Rule::Deadlock && at >= waiting)).collect();
    format!("<article>\n{}{kept}<ol class=\"steps\">\n{steps}</ol>\n</article>\n", element("h3", &title))
}

fn step(code: &mut Excerpts<'_>, step: &Step, waits: bool) -> String {
    let class = if step.actor == 0 { "own" } else { "other" };
    let title = format!("{} {}", words::thread(&step.access.thread), words::does(step, waits));
    let within = step.within.as_ref().map(|place| format!("<p>In {}</p>\n", breakable(&words::function(place))));
    let word = step.variable.as_ref().and_then(words::word_in_source);
    let stack = frames::stack(code, &step.access.stack, word);
    let started = frames::started(code, &step.access.thread);
    format!(
        "<li class=\"{class}\"><section class=\"side\">\n<h4>{}</h4>\n{}{}{stack}{started}</section></li>\n",
        breakable(&title),
        within.unwrap_or_default(),
        locks(&step.access),
    )
}
