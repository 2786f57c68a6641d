//! Hazards for people: who does what, step by step, in an order that goes wrong.

use std::path::Path;

use facts::finding::{Rule, Scenario, Step};

use super::{MAX_JVMS, Terminal};
use crate::document::way::Frame;
use crate::report::advice::{advice, meaning};
use crate::report::judge::{JudgedHazard, Verdict};
use crate::report::ledger::jvm_name;
use crate::report::merge::Foreseen;
use crate::report::ways;
use crate::report::words::{self, count, some_of};

/// How many further scenarios of one hazard are listed: most are consequences of the first.
const MAX_FURTHER: usize = 3;

impl<F: Fn(&Path) -> String> Terminal<F> {
    /// A hazard that counts.
    pub(super) fn hazard(&mut self, judged: &JudgedHazard<'_>, verdict: &Verdict<'_>) {
        let rule = judged.key.rule;
        let headline = format!("{} of {}", title(rule).to_uppercase(), words::code(&judged.key.subject));
        self.line(0, &self.out.paint.alarm(&headline));
        let shown = if self.detail.stacks { judged.scenarios.len() } else { 1 };
        for foreseen in judged.scenarios.iter().take(shown) {
            self.scenario(rule, &foreseen.scenario);
        }
        self.further_scenarios(&judged.scenarios[shown.min(judged.scenarios.len())..]);
        self.line(2, &seen(judged, verdict));
        if let Some(news) = super::news(judged.news) {
            self.line(2, &self.out.paint.strong(news));
        }
        if let Some(foreseen) = judged.scenarios.first() {
            self.line(2, &self.out.paint.advice(&format!("Hint: {}", advice(judged.key, &foreseen.scenario))));
        }
        self.line(0, "");
    }

    fn scenario(&mut self, rule: Rule, scenario: &Scenario) {
        if !scenario.pattern.is_empty() {
            self.line(2, &format!("{}: {}", scenario.pattern, meaning(&scenario.pattern)));
        }
        for (at, step) in scenario.steps.iter().enumerate() {
            let waits = rule == Rule::Deadlock && at >= scenario.steps.len() / 2;
            self.step(step, waits);
        }
    }

    fn step(&mut self, step: &Step, waits: bool) {
        let what = self.out.paint.strong(&words::does(step, waits));
        let heading = format!("{} {what}", words::thread(&step.access.thread));
        let Self { out, own, detail, .. } = self;
        let wanted = |frame: &Frame<'_>| detail.stacks || own.has(&frame.place);
        out.step(&heading, &ways::scenario_step(step, waits), step.variable.is_some(), &wanted);
        let within = step.within.as_ref().filter(|place| !step.access.stack.iter().any(|top| is_same(top, place)));
        if let Some(place) = within {
            self.line(4, &format!("in {}", words::function(place)));
        }
    }

    fn further_scenarios(&mut self, scenarios: &[&Foreseen]) {
        if scenarios.is_empty() {
            return;
        }
        self.line(2, "Also");
        for foreseen in scenarios.iter().take(MAX_FURTHER) {
            let steps: Vec<String> = foreseen.scenario.steps.iter().map(words::brief).collect();
            self.line(4, &steps.join(", "));
        }
        if let Some(more) = scenarios.len().checked_sub(MAX_FURTHER).filter(|more| *more > 0) {
            self.line(4, &format!("... and {more} more (--full-stacks shows all)"));
        }
    }
}

/// What a finding by a rule is called.
pub const fn title(rule: Rule) -> &'static str {
    match rule {
        Rule::Race => "race",
        Rule::Atomicity => "atomicity violation",
        Rule::Deadlock => "potential deadlock",
    }
}

fn is_same(one: &facts::site::Place, other: &facts::site::Place) -> bool {
    (&one.class, &one.method, &one.descriptor) == (&other.class, &other.method, &other.descriptor)
}

/// How often, and in which JVMs.
pub fn seen(judged: &JudgedHazard<'_>, verdict: &Verdict<'_>) -> String {
    let times: u64 = judged.scenarios.iter().map(|foreseen| foreseen.scenario.seen).sum();
    let jvms = judged.scenarios.iter().map(|foreseen| foreseen.jvm).collect::<std::collections::BTreeSet<_>>();
    let names: Vec<String> = jvms.iter().filter_map(|id| verdict.jvms.get(id)).map(jvm_name).collect();
    format!("Possible {} in {}", count(times, "time"), some_of(&names, MAX_JVMS))
}
