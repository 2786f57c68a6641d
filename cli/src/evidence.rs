//! What runs have shown, for analyses that say something without them: the one place where the two are joined.
//!
//! Runs tell of each variable that they check whether it raced, whether that was possible (only the order of locks kept its accesses
//! apart), and whether two threads came to it in one object. It is *exercised* if they did so without a race: that both places ran, or that
//! the two threads could meet, is more than runs say. Arrays and containers are told apart by their type only. Of a method, they tell in
//! which orders of steps it goes wrong.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use facts::finding::{Rule, Subject, Variable};
use facts::name::{dotted, readable};
use facts::site::Place;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use static_typer::program::{FieldId, Program};

use crate::output::say;
use crate::report::grade::Part;
use crate::report::load::load;
use crate::report::merge::{HazardKey, Merged, MergedFinding, MergedHazard};
use crate::report::words;

/// A variable by the name that both sides have for it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// `bank.Account.balance`.
    Field(String),
    /// The type of an array or a container: runs tell them apart by where they are loaded from, the analysis by where they are made.
    Array(String),
    /// The class of an object whose fields are taken together.
    Object(String),
}

impl Key {
    /// Those of a field. Runs may take the fields of an object together, under the name of any class above.
    pub fn of_field(program: &Program, field: FieldId) -> BTreeSet<Self> {
        let above = program.ancestors(program.field(field).class);
        let objects = above.map(|class| Self::Object(dotted(&program.class_name(class))));
        objects.chain([Self::Field(dotted(&program.field_name(field)))]).collect()
    }

    fn of(variable: &Variable) -> Self {
        match variable {
            Variable::Field { .. } | Variable::Static { .. } => Self::Field(words::variable_name(variable)),
            Variable::Object { class } => Self::Object(dotted(class)),
            Variable::Array { descriptor, .. } => Self::Array(readable(descriptor)),
            Variable::Contents { class, .. } => Self::Array(dotted(class)),
        }
    }
}

/// Whether a run has shown a race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum Observation {
    /// It has.
    Confirmed,
    /// Only the order in which threads took locks kept the accesses apart.
    Possible,
    /// Two threads came to the variable in one object, and it did not race.
    Exercised,
    /// No two threads came to it, as far as it was checked.
    NotExercised,
    /// Runs do not check it: it is inside the JDK.
    NotChecked,
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Observation {
    /// Every one, the strongest first.
    pub const ALL: [Self; 5] = [Self::Confirmed, Self::Possible, Self::Exercised, Self::NotExercised, Self::NotChecked];

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Possible => "possible",
            Self::Exercised => "exercised",
            Self::NotExercised => "not-exercised",
            Self::NotChecked => "not-checked",
        }
    }

    /// In words that follow a race.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Confirmed => "Confirmed at run time",
            Self::Possible => {
                "Possible at run time, where only the order in which threads took locks kept the accesses apart"
            }
            Self::Exercised => "Exercised at run time without racing",
            Self::NotExercised => "Not exercised at run time",
            Self::NotChecked => "Not checked at run time",
        }
    }
}

/// What runs have shown.
#[derive(Debug)]
pub struct Runs {
    /// Where their findings lie.
    pub directory: PathBuf,
    merged: Merged,
    raced: BTreeSet<Key>,
    may_race: BTreeSet<Key>,
    shared: BTreeSet<Key>,
}

impl Runs {
    /// Reads what `jrace run` has left, and says what of it is damaged or may be missing.
    ///
    /// # Errors
    /// There is nothing, or it cannot be read.
    pub fn read(directory: &Path) -> Result<Self> {
        let merged = load(&[directory.to_owned()], false, &|path| path.display().to_string())?;
        merged.unread.iter().chain(&merged.problems).for_each(|problem| say(problem));
        Ok(Self::of(directory.to_owned(), merged))
    }

    /// Those of findings.
    pub fn of(directory: PathBuf, merged: Merged) -> Self {
        let races = |part| {
            let found = merged.findings().filter(move |(_, finding)| Part::of(finding.grade()) == part);
            found.map(|(finding, _)| Key::of(&finding.variable))
        };
        let (raced, may_race) = (races(Part::Races).collect(), races(Part::Possible).collect());
        let shared = merged.shared.iter().map(Key::of).chain(races(Part::Unlikely)).collect();
        Self { directory, merged, raced, may_race, shared }
    }

    /// Whether all could be read.
    pub fn is_whole(&self) -> bool {
        self.merged.unread.is_empty()
    }

    /// How many JVMs there were.
    pub fn n_jvms(&self) -> usize {
        self.merged.jvms.len()
    }

    /// What they say of the variable that has these names.
    pub fn of_variable(&self, keys: &BTreeSet<Key>) -> Observation {
        let is_any = |seen: &BTreeSet<Key>| !keys.is_disjoint(seen);
        match () {
            () if keys.is_empty() => Observation::NotChecked,
            () if is_any(&self.raced) => Observation::Confirmed,
            () if is_any(&self.may_race) => Observation::Possible,
            () if is_any(&self.shared) => Observation::Exercised,
            () => Observation::NotExercised,
        }
    }

    /// The variables on which they have shown races, possible ones too and unlikely ones not, and that have none of these names; each with the places of its
    /// accesses.
    pub fn other_variables<'a>(
        &'a self,
        is_known: impl Fn(&Key) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a Variable, Vec<&'a Place>)> {
        let others = self.merged.findings().filter(move |(finding, seen)| {
            Part::of(seen.grade()) != Part::Unlikely && !is_known(&Key::of(&finding.variable))
        });
        others.map(|(finding, seen)| (&finding.variable, places(seen)))
    }

    /// The violations of a method (`bank/Account.pay(I)V`) and of its synchronized blocks.
    pub fn of_method(&self, name: &str) -> impl Iterator<Item = (&HazardKey, &MergedHazard)> {
        self.merged.hazards.iter().filter(move |(key, _)| violated(key).as_deref() == Some(name))
    }

    /// The broken methods that are not among these (`bank/Account.pay(I)V`).
    pub fn other_methods(&self, known: &BTreeSet<String>) -> BTreeSet<String> {
        let is_other = |key: &&HazardKey| violated(key).is_some_and(|method| !known.contains(&method));
        self.merged.hazards.keys().filter(is_other).map(|key| words::subject_name(&key.subject)).collect()
    }
}

/// Where the accesses of a race were.
fn places(finding: &MergedFinding) -> Vec<&Place> {
    let conflicts = finding.conflicts.values().map(|sighting| &sighting.conflict);
    let accesses = conflicts.flat_map(|conflict| [&conflict.current, &conflict.previous]);
    accesses.filter_map(|access| access.stack.first()).collect()
}

/// The method whose atomicity is violated.
fn violated(key: &HazardKey) -> Option<String> {
    match &key.subject {
        Subject::Method { class, name, descriptor } | Subject::Block { class, name, descriptor }
            if key.rule == Rule::Atomicity =>
        {
            Some(format!("{class}.{name}{descriptor}"))
        }
        _ => None,
    }
}
