//! Alias sets that calls break: arguments that are to be different objects and may be one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::frame::{Frame, Object};
use crate::document::finding::{Finding, Identity, Level, News, Rule, Standing};
use crate::document::page::{Badge, Entry, package};
use crate::document::way::{Shape, Step, Way};
use crate::report::baseline::Claim;
use crate::report::claims::Since;
use crate::report::identity::{self, Pair};
use crate::report::suppressed::{self, SuppressedBy};
use crate::report::terminal::news;
use crate::report::words::{count, printable};

/// What it is called in documents and baselines.
pub const NAME: &str = "alias-sets";

const REMEDY: &str = "pass different objects, or give both parameters one name in @AliasSets if they may be one";

/// The rule.
pub const RULE: Rule = Rule {
    id: NAME,
    title: "alias sets",
    name: "AliasSets",
    short: "Arguments that are to be different objects may be one",
    level: "error",
    precision: "medium",
    tag: "external/cwe/cwe-628",
    help: "A method says with @AliasSets which of its parameters may be one object. A call passes to two others what may be one: something \
           that is made in one place and comes to both. Pass different objects, or give both parameters one name in @AliasSets if the \
           method does not mind.",
};

/// Two parameters of a method that calls do not keep apart.
#[derive(Serialize, JsonSchema, Debug)]
pub struct BrokenSets {
    /// The method that the calls name: `bank.Bank.transfer(bank.Account, bank.Account)`.
    pub method: String,
    /// Which arguments are to be different objects.
    pub arguments: [String; 2],
    /// How it stands to the baseline, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<News>,
    /// What suppresses it, if anything does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressed_by: Vec<SuppressedBy>,
    /// The calls where they may be one.
    pub calls: Vec<BrokenCall>,
}

/// A call.
#[derive(Serialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BrokenCall {
    /// The call, and one that leads there if it is known.
    pub path: Vec<Frame>,
    /// What both may be, at most some.
    #[schemars(with = "Vec<String>")]
    pub objects: Vec<Object>,
    /// How many more there are.
    pub more_objects: usize,
}

impl BrokenSets {
    /// `argument 1 and argument 2 of bank.Bank.transfer(bank.Account, bank.Account)`.
    pub fn subject(&self) -> String {
        let [first, second] = &self.arguments;
        format!("{first} and {second} of {}", self.method)
    }

    fn sentence(&self) -> String {
        format!("{} may be the same object", self.subject())
    }

    /// Whether no baseline knows it, and nothing suppresses it.
    pub fn counts(&self) -> bool {
        self.standing().counts()
    }

    /// How it stands.
    pub fn standing(&self) -> Standing {
        suppressed::standing(&self.suppressed_by, self.baseline == Some(News::Unchanged))
    }

    /// By what it is known again.
    pub fn claim(&self) -> (Claim, BTreeSet<Pair>) {
        let method = |call: &BrokenCall| call.path.first().map(|frame| identity::method(&frame.place()));
        let pairs = self.calls.iter().filter_map(method).map(|method| Pair::new(Some(method.clone()), Some(method)));
        (Claim { rule: NAME.to_owned(), name: self.subject() }, pairs.collect())
    }

    /// Marks it as known or new.
    pub fn compare(&mut self, since: &Since) {
        let (claim, pairs) = self.claim();
        self.baseline = Some(since.news(&claim, &pairs));
    }

    /// The lines of the report on a terminal, with how far they stand in.
    pub fn lines(&self) -> Vec<(usize, String)> {
        let mut lines = vec![(0, format!("ALIAS SETS: {}", self.sentence()))];
        for call in &self.calls {
            lines.push((2, "Called".to_owned()));
            lines.extend(call.path.iter().map(|place| (4, format!("at {}", place.shown().text()))));
            if let Some(object) = call.objects.first() {
                let others = (call.objects.len() - 1 + call.more_objects) as u64;
                let more = if others == 0 { String::new() } else { format!(" and {}", count(others, "other")) };
                lines.push((4, format!("with {}{more}", object.text)));
            }
        }
        lines.push((2, format!("Hint: {REMEDY}")));
        lines.extend(news(self.baseline).map(|news| (2, news.to_owned())));
        lines
    }

    /// As a finding: each call is a way to it.
    pub fn finding(&self, rule: &'static Rule) -> Finding<'_> {
        Finding {
            news: self.baseline,
            level: Level::Error,
            claim: printable(&self.sentence()),
            lead: printable(&self.sentence()),
            ways: self.calls.iter().map(way).collect(),
            hint: Some(REMEDY.to_owned()),
            identity: Identity { scheme: "claim/v1", name: format!("{NAME} {}", self.subject()) },
            full: self.lines().iter().map(|(indent, line)| format!("{}{line}\n", " ".repeat(*indent))).collect(),
            entry: Entry {
                package: package(&self.method).to_owned(),
                badges: vec![(Badge::Plain, rule.title.to_owned())],
                ending: news(self.baseline).map(str::to_owned).into_iter().collect(),
                ..Entry::default()
            },
            ..Finding::new(rule, self.standing(), printable(&self.subject()))
        }
    }
}

fn way(call: &BrokenCall) -> Way<'_> {
    let object = |object: &Object| (object.text.clone(), object.site.as_ref().map(|site| Cow::Owned(site.place())));
    let step = Step {
        verb: "call".to_owned(),
        deed: "here".to_owned(),
        said: "Call".to_owned(),
        title: "Call".to_owned(),
        path: call.path.iter().map(Frame::shown).collect(),
        ..Step::default()
    };
    Way {
        objects: call.objects.iter().map(object).collect(),
        more_objects: call.more_objects,
        steps: vec![step],
        ..Way::new(Shape::Code)
    }
}
