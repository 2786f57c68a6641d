//! What `jrace check` reports, as `jrace check --json` writes it; `text` and `html` show the same.
//!
//! One object; members may be added in later versions, `format` grows when one changes its meaning:
//!
//! - `format`: 1. `jrace`: the version that wrote the document. `exit`: the exit code. `application`: the paths.
//! - `entries`: what threads that the application does not start begin with, in words.
//! - `summary`: `errors`; `not_always_guarded`; `suppressed`, how many of either kind are; `fields` (`all`, `race_free`, and how many of these are `final`, `volatile`,
//!   `unique`, `read_only`, `guarded`, `confined`; `not_reached`, fields of classes that no entry reaches, which are none of
//!   these); `arrays` (`all`, `race_free`, `not_reached`: accesses); `methods` (`all`, `atomic`); `observed`, how a
//!   type log compares with what is proved (`fields`, `same`, `other`, `only_proved`, `only_observed`, and `substitutes`, runners-up that
//!   were taken: `name`, `refuted`, `refuting`, the place that does not keep to it, `kept`; `null` without `--types`).
//! - `errors`: `rule`; `name`; `what`, a sentence; `place` as in [`facts::site::Place`] (`null`: the declaration); `lock`, as the
//!   annotation has it; `observed`, what runs have shown of a field; `events`, which break a method by its types: `role` (`by`,
//!   `first`, `then`), `what`, `place`, `mover` (`null` for a call that leads to them); `runs`, which have broken it: `name` of
//!   the transaction, `evidence`, `hint` and `scenarios` as in the hazards of `jrace report --json`.
//! - `fields`, race-unsafe and reported: `name`; `what`; `guard`, the lock at most accesses; `unguarded`, the other accesses:
//!   `kind`, `place`, `locks`; `guarded` of `accesses` hold it, one of them at `example`; `observed`, whether runs have shown a race on it
//!   (only with `--observed`). With `--since`, errors and fields have `baseline`, how they stand to it. What is suppressed
//!   has `suppressed_by`: `suppression`, `reason`, `expires`.
//! - `identity`, `looked_for`, `claims` and `gone`: by what findings are known again, see [`crate::report::claims`].
//! - `not_reached`: names of the fields of classes that no entry reaches; `null` without `--all`.
//! - `atomic`: `name` and `atomicity` of each atomic method; `null` without `--all`.

use std::collections::BTreeSet;

use facts::finding::{Evidence, Scenario};
use facts::site::Place;
use schemars::JsonSchema;
use serde::Serialize;

use super::rules;
use crate::document::finding::{News, Standing};
use crate::evidence::Observation;
use crate::report::baseline::Claim;
use crate::report::claims::{Identities, Since};
use crate::report::identity::Pair;
use crate::report::json::ScenarioEntry;
use crate::report::merge::HazardKey;
use crate::report::suppressed::{self, SuppressedBy};

pub use crate::schema::FORMAT;

/// All of it.
#[derive(Serialize, JsonSchema)]
pub struct Report<'a> {
    /// Version of this form.
    pub format: u32,
    /// The version of jrace.
    pub jrace: &'static str,
    /// The exit code.
    pub exit: u8,
    /// The paths of the application.
    pub application: Vec<String>,
    /// What it begins with, in words.
    pub entries: String,
    /// Numbers.
    pub summary: Summary,
    /// By what a later report is compared with this one.
    #[serde(flatten)]
    pub identities: Identities,
    /// What the code does not keep to.
    pub errors: Vec<Error<'a>>,
    /// Fields that may race.
    pub fields: Vec<Field>,
    /// Other fields that may race: no lock is usual at their accesses, and nobody asked for all.
    #[serde(skip)]
    pub others: Vec<Field>,
    /// Fields of classes that no entry reaches, if they are to be listed.
    pub not_reached: Option<Vec<String>>,
    /// The atomic methods, if they are to be listed.
    pub atomic: Option<Vec<Method>>,
}

/// The numbers of the last lines.
#[derive(Serialize, JsonSchema)]
pub struct Summary {
    pub errors: usize,
    pub not_always_guarded: usize,
    /// Errors and fields.
    pub suppressed: usize,
    pub fields: FieldCounts,
    pub arrays: ArrayCounts,
    pub methods: MethodCounts,
    pub observed: Option<ObservedCounts>,
    /// What stands in the baseline and what is gone, in words.
    #[serde(skip)]
    pub since: String,
}

/// How many fields there are.
#[derive(Serialize, JsonSchema)]
pub struct FieldCounts {
    pub all: usize,
    pub race_free: usize,
    pub r#final: usize,
    pub volatile: usize,
    pub unique: usize,
    pub read_only: usize,
    pub guarded: usize,
    pub confined: usize,
    pub not_reached: usize,
}

/// How many accesses to arrays there are.
#[derive(Serialize, JsonSchema)]
pub struct ArrayCounts {
    pub all: usize,
    pub race_free: usize,
    pub not_reached: usize,
}

/// How many methods there are.
#[derive(Serialize, JsonSchema)]
pub struct MethodCounts {
    pub all: usize,
    pub atomic: usize,
}

/// How many fields a type log has, and how their owners compare with those that are proved.
#[derive(Serialize, JsonSchema)]
pub struct ObservedCounts {
    pub fields: usize,
    pub same: usize,
    pub other: usize,
    pub only_proved: usize,
    pub only_observed: usize,
    /// Fields for which a runner-up was taken.
    pub substitutes: Vec<Substitute>,
}

/// An owner to which the code keeps, where it does not keep to the one for which most speaks.
#[derive(Serialize, JsonSchema)]
pub struct Substitute {
    pub name: String,
    /// The owner that was observed first.
    pub refuted: String,
    /// An access that does not keep to it.
    pub refuting: Place,
    /// The owner that was taken.
    pub kept: String,
}

/// Something that the code does not keep to.
#[derive(Serialize, JsonSchema, Default)]
pub struct Error<'a> {
    /// What is claimed: `not-atomic`.
    pub rule: &'static str,
    /// The field or the method.
    pub name: String,
    /// A sentence.
    pub what: String,
    /// The instruction that is at fault, unless the declaration is.
    pub place: Option<Place>,
    /// How it stands to the baseline, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<News>,
    /// What suppresses it, if anything does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressed_by: Vec<SuppressedBy>,
    /// The annotation's text, for a guard.
    pub lock: Option<String>,
    /// What it was derived from, for a claim of runs.
    pub observed: Option<String>,
    /// What breaks a method by its types.
    pub events: Vec<Event>,
    /// What broke it in runs.
    pub runs: Vec<Broken<'a>>,
}

impl Error<'_> {
    /// The place at which it is known again, and shown.
    pub fn position(&self) -> Option<&Place> {
        self.place.as_ref().or_else(|| self.events.first().map(|event| &event.place))
    }

    /// Whether it is told in the same words, of the same line.
    pub fn says_no_more_than(&self, other: &Self) -> bool {
        let is_one_line = |[a, b]: [&Place; 2]| {
            (&a.class, &a.method, &a.descriptor, a.line) == (&b.class, &b.method, &b.descriptor, b.line)
        };
        (self.rule, &self.name, &self.what) == (other.rule, &other.name, &other.what)
            && self.place.as_ref().zip(other.place.as_ref()).is_some_and(|(a, b)| is_one_line([a, b]))
    }

    /// By what it is known again: the method that breaks it, unless the declaration does.
    pub fn claim(&self) -> (Claim, BTreeSet<Pair>) {
        let claim = Claim { rule: self.rule.to_owned(), name: self.name.clone() };
        (claim, self.position().into_iter().map(Pair::within).collect())
    }

    /// Marks what is known.
    pub fn compare(&mut self, since: &Since) {
        let (claim, pairs) = self.claim();
        self.baseline = Some(since.news(&claim, &pairs));
    }

    /// Whether no baseline knows it, and nothing suppresses it.
    pub fn counts(&self) -> bool {
        self.standing().counts()
    }

    /// How it stands.
    pub fn standing(&self) -> Standing {
        suppressed::standing(&self.suppressed_by, self.baseline == Some(News::Unchanged))
    }
}

impl<'a> Report<'a> {
    /// The errors that no baseline knows and nothing suppresses.
    pub fn counting_errors(&self) -> impl Iterator<Item = &Error<'a>> {
        self.errors.iter().filter(|error| error.counts())
    }

    /// The fields that no baseline knows and nothing suppresses.
    pub fn counting_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.counts())
    }
}

/// One of the events that break a method.
#[derive(Serialize, JsonSchema, Clone)]
pub struct Event {
    /// `by`, `first` or `then`.
    pub role: &'static str,
    /// What it does.
    pub what: String,
    /// Where.
    pub place: Place,
    /// How it moves.
    pub mover: Option<String>,
}

/// A transaction that runs have shown to be broken.
#[derive(Serialize, JsonSchema)]
pub struct Broken<'a> {
    /// What it is about.
    #[serde(skip)]
    pub key: &'a HazardKey,
    /// What it is called.
    pub name: String,
    /// The strongest evidence.
    pub evidence: Evidence,
    /// What to do.
    pub hint: Option<String>,
    /// Orders of steps that go wrong, the shortest first.
    pub scenarios: Vec<ScenarioEntry<'a>>,
}

impl<'a> Broken<'a> {
    /// The orders without the JVMs that they were seen in.
    pub fn orders(&self) -> impl Iterator<Item = &'a Scenario> {
        self.scenarios.iter().map(|entry| entry.scenario)
    }
}

/// A field, with what stands in the way of a proof if there is none.
#[derive(Serialize, JsonSchema)]
pub struct Field {
    pub name: String,
    /// Its type in words.
    pub what: String,
    /// The lock at most accesses.
    pub guard: Option<String>,
    /// The accesses without it.
    pub unguarded: Vec<Access>,
    /// How many hold it.
    pub guarded: usize,
    /// How many there are.
    pub accesses: usize,
    /// Where one of them holds it.
    pub example: Option<Place>,
    /// Whether a run has shown a race on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observation>,
    /// How it stands to the baseline, if there is one; if it is known in part, accesses without the lock are those that are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<News>,
    /// What suppresses it, if anything does; if it is suppressed in part, accesses without the lock are those that are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressed_by: Vec<SuppressedBy>,
}

impl Field {
    /// By what it is known again: the methods that access it without the lock.
    pub fn claim(&self) -> (Claim, BTreeSet<Pair>) {
        let claim = Claim { rule: rules::RACE_UNSAFE.to_owned(), name: format!("field {}", self.name) };
        (claim, self.unguarded.iter().map(|access| Pair::within(&access.place)).collect())
    }

    /// Marks what is known; of what is known in part, the accesses stay that are not.
    pub fn compare(&mut self, since: &Since) {
        let (claim, pairs) = self.claim();
        let news = since.news(&claim, &pairs);
        if news != News::Unchanged {
            self.unguarded.retain(|access| !since.knows(&claim, &Pair::within(&access.place)));
        }
        self.baseline = Some(news);
    }

    /// Whether no baseline knows it, and nothing suppresses it.
    pub fn counts(&self) -> bool {
        self.standing().counts()
    }

    /// How it stands.
    pub fn standing(&self) -> Standing {
        suppressed::standing(&self.suppressed_by, self.baseline == Some(News::Unchanged))
    }

    /// Whether a run has shown a race on it.
    pub fn has_raced(&self) -> bool {
        self.observed == Some(Observation::Confirmed)
    }

    /// Whether it makes the command fail: a lock is held at most accesses, or it has raced.
    pub fn fails(&self) -> bool {
        self.guard.is_some() || self.has_raced()
    }
}

/// An access.
#[derive(Serialize, JsonSchema)]
pub struct Access {
    /// `read` or `write`.
    pub kind: &'static str,
    pub place: Place,
    /// What is held.
    pub locks: Vec<String>,
}

/// A method.
#[derive(Serialize, JsonSchema)]
pub struct Method {
    pub name: String,
    pub atomicity: String,
}
