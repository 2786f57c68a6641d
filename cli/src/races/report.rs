//! A race report: names, places and paths instead of numbers.
//!
//! It is also the document of `--json`; members may be added in later versions, `format` grows when one changes its meaning.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use static_typer::races::Confidence;

use super::api::Api;
use super::broken::{self, BrokenSets};
use super::observation::Observed;
use super::paths::Paths;
use super::rank::{self, Evidence, Rank};
use crate::document::finding::{News, Standing};
use crate::document::time::StageTime;
use crate::evidence::{Key, Observation};
use crate::report::baseline::Claim;
use crate::report::claims::{Claims, Identities, Since};
use crate::report::identity::{self, Pair};
use crate::report::suppressed::{self, SuppressedBy};
use crate::report::words;

/// The rules by which baselines know its races.
pub const RULES: [&str; 1] = ["race"];

/// Those of method summaries.
pub const MODULAR_RULES: [&str; 2] = ["race", broken::NAME];

pub use super::frame::{Frame, Object};
pub use crate::schema::FORMAT;

/// The whole report.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Report {
    /// Version of this form.
    pub format: u32,
    /// The version that wrote it.
    pub jrace: &'static str,
    /// What was analysed, as it was given.
    pub application: Vec<String>,
    /// Whether it has no `main` of its own: threads are calls of a synthesized client.
    pub harness: bool,
    /// What threads that the application does not start begin with, in words.
    pub entries: String,
    /// How many pairs of accesses each stage left, in order.
    pub stages: Vec<StageCount>,
    /// Code that threads begin with.
    pub threads: usize,
    /// Variables with races, the surest first.
    pub variables: Vec<VariableRaces>,
    /// Alias sets that calls break; none without --modular.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken_sets: Vec<BrokenSets>,
    /// Variables with pairs that static types prove race-free.
    pub proved: Vec<String>,
    /// Variables of which annotations leave out races.
    pub left_out: Vec<LeftOut>,
    /// Annotations that leave out nothing.
    pub unmatched_annotations: Vec<String>,
    /// What runs have shown; none if they were not asked for.
    pub observed: Option<Observed>,
    /// How many reflective calls are known by logs of runs only; none if there is no log.
    pub logged_calls: Option<u64>,
    /// The classes that a client uses; none without one.
    pub api: Option<Api>,
    /// How long each stage took; null unless it was asked for, so that documents of the same input are the same.
    pub times: Option<Vec<StageTime>>,
    /// What was not seen, and therefore taken to do nothing.
    pub assumptions: Vec<String>,
    /// By what a later report is compared with this one.
    #[serde(flatten)]
    pub identities: Identities,
    /// What was looked for.
    #[serde(skip)]
    pub rules: &'static [&'static str],
}

/// A variable of which an annotation leaves out races.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LeftOut {
    /// The variable, as other races have it.
    pub variable: String,
    /// The annotation and where it stands.
    pub by: String,
}

/// What a stage left.
#[derive(Serialize, JsonSchema, Debug)]
pub struct StageCount {
    /// Its name in paper 000.
    pub stage: &'static str,
    /// How many pairs.
    pub pairs: u64,
}

/// What kind of variable it is.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An instance field.
    Field,
    /// A static field.
    StaticField,
    /// The elements of arrays of a type.
    Elements,
    /// What a container of the JDK holds that is not thread-safe.
    Contents,
}

/// The races of one variable.
#[derive(Serialize, JsonSchema, Debug)]
pub struct VariableRaces {
    /// `bank.Account.balance (int)`, or `elements of int[]`.
    pub variable: String,
    /// What it is.
    pub kind: Kind,
    /// `bank.Account.balance`, or the type of the array or container.
    pub name: String,
    /// How many pairs of places race.
    pub pairs: u64,
    /// Whether a run has shown a race on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observation>,
    /// How it stands to the baseline, if there is one; of what is only partly known, races are those that are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<News>,
    /// What suppresses it, if anything does; of what is suppressed in part, races are those that are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressed_by: Vec<SuppressedBy>,
    /// Its place among the others, and why.
    pub rank: Rank,
    /// One race for all pairs that are alike, the surest first.
    pub races: Vec<RaceView>,
    /// How runs call it.
    #[serde(skip)]
    pub keys: BTreeSet<Key>,
}

/// A race.
#[derive(Serialize, JsonSchema, Debug)]
pub struct RaceView {
    /// `no-common-lock` or `maybe-same-lock`.
    #[serde(serialize_with = "as_name")]
    #[schemars(with = "String")]
    pub confidence: Confidence,
    /// `multiple-write` or `conflicting-access`, as paper 003 has it; none without `--modular`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<&'static str>,
    /// How many pairs of places are alike.
    pub pairs: u64,
    /// What both may access, at most some; none for static fields.
    #[schemars(with = "Vec<String>")]
    pub objects: Vec<Object>,
    /// How many more there are.
    pub more_objects: usize,
    /// How far the paths of the accesses were looked for; none with `--modular`, which has no paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Paths>,
    /// The accesses; the first one writes.
    pub accesses: Vec<AccessView>,
    /// The types of everything that both may access.
    #[serde(skip)]
    pub types: BTreeSet<String>,
    /// By what it is ranked.
    #[serde(skip)]
    pub evidence: Evidence,
    /// The methods of each pair, by which it is known again.
    #[serde(skip)]
    pub methods: BTreeSet<Pair>,
}

/// One side of a race.
#[derive(Serialize, JsonSchema, Debug)]
pub struct AccessView {
    /// `write` or `read`.
    pub kind: &'static str,
    /// The thread that comes here.
    pub thread: String,
    /// Locks held at the access, whichever way leads there.
    pub locks: Vec<String>,
    /// The access, its caller, and so on to where the thread begins.
    pub path: Vec<Frame>,
    /// Where else there is such an access: by the same threads, to the same objects, with the same locks.
    pub alike: Vec<Frame>,
}

impl Report {
    /// The variables that no baseline knows and nothing suppresses.
    pub fn counting(&self) -> impl Iterator<Item = &VariableRaces> {
        self.variables.iter().filter(|variable| variable.counts())
    }

    /// Whether there is something that no baseline knows and nothing suppresses.
    pub fn has_findings(&self) -> bool {
        self.counting().next().is_some() || self.counting_sets().next().is_some()
    }

    /// The broken alias sets that no baseline knows and nothing suppresses.
    pub fn counting_sets(&self) -> impl Iterator<Item = &BrokenSets> {
        self.broken_sets.iter().filter(|sets| sets.counts())
    }

    /// The number of variables that count with a race that no lock at all stands against.
    pub fn n_sure(&self) -> usize {
        self.counting().filter(|variable| variable.confidence() == Confidence::NoCommonLock).count()
    }

    /// What it has and is not suppressed, as a baseline knows it.
    pub fn claims(&self) -> Claims {
        let variables = self.variables.iter().filter(|variable| variable.suppressed_by.is_empty());
        let sets = self.broken_sets.iter().filter(|sets| sets.suppressed_by.is_empty());
        variables.map(VariableRaces::claim).chain(sets.map(BrokenSets::claim)).collect()
    }

    /// How many findings are suppressed.
    pub fn n_suppressed(&self) -> usize {
        let variables = self.variables.iter().filter(|variable| !variable.suppressed_by.is_empty());
        variables.count() + self.broken_sets.iter().filter(|sets| !sets.suppressed_by.is_empty()).count()
    }

    /// Marks what is known, and notes what is gone; `seen` are the races that were seen, also those that annotations leave out.
    pub fn compare(&mut self, since: Option<&Since>, seen: &Claims) {
        self.identities = Identities::of(since, self.rules.to_vec(), &self.claims(), seen);
        if let Some(since) = since {
            self.variables.iter_mut().for_each(|variable| variable.compare(since));
            self.broken_sets.iter_mut().for_each(|sets| sets.compare(since));
            self.identities.n_known = self.variables.iter().filter(|variable| variable.standing().is_known()).count()
                + self.broken_sets.iter().filter(|sets| sets.standing().is_known()).count();
            self.sort();
        }
    }

    /// The number of variables of which runs have shown so much.
    pub fn n_observed(&self, observation: Observation) -> usize {
        self.variables.iter().filter(|variable| variable.observed == Some(observation)).count()
    }

    /// Puts first what a developer should look at first; what is less likely comes last.
    pub fn sort(&mut self) {
        self.variables.iter_mut().for_each(VariableRaces::sort);
        self.variables.sort_by(|a, b| {
            let key = |variable: &VariableRaces| (variable.rank.is_below, -variable.rank.score);
            key(a).cmp(&key(b)).then_with(|| a.variable.cmp(&b.variable))
        });
        for (index, variable) in self.variables.iter_mut().enumerate() {
            variable.rank.place = index + 1;
        }
    }

    /// Of how many races the search for paths did not come to its end, and what that means; nothing where it always did.
    pub fn path_lines(&self) -> Vec<String> {
        let races = || self.counting().flat_map(|variable| &variable.races);
        let races_with = |paths: Paths| {
            let number = races().filter(|race: &&RaceView| race.paths == Some(paths)).count() as u64;
            (number > 0).then(|| words::count(number, "race"))
        };
        let cut = races_with(Paths::CutShort).map(|races| {
            format!(
                "call paths: the search was cut short for {races}: they may happen all the same, perhaps by other calls than are shown; \
                 --path-states N looks further"
            )
        });
        let unmatched = races_with(Paths::Unmatched).map(|races| {
            format!(
                "call paths: for {races} there are no two on which two threads come to one object, as far as the search can tell: calls \
                 that lead to the accesses are shown instead, and a false alarm is likely"
            )
        });
        cut.into_iter().chain(unmatched).collect()
    }

    /// Of those that count, the variables above the line, and those below.
    pub fn above_and_below(&self) -> (Vec<&VariableRaces>, Vec<&VariableRaces>) {
        self.counting().partition(|variable| !variable.rank.is_below)
    }
}

impl VariableRaces {
    /// A variable of which no race is known yet.
    pub fn none(variable: String, kind: Kind, name: String) -> Self {
        Self {
            variable,
            kind,
            name,
            pairs: 0,
            observed: None,
            baseline: None,
            suppressed_by: Vec::new(),
            rank: Rank::default(),
            races: Vec::new(),
            keys: BTreeSet::new(),
        }
    }

    /// Its best race is its first one, and gives it its rank.
    fn sort(&mut self) {
        let observed = self.observed;
        let rank = |race: &RaceView| rank::rank(&race.evidence, observed);
        self.races.sort_by_cached_key(|race| {
            let rank = rank(race);
            (race.confidence, rank.is_below, -rank.score)
        });
        self.rank = self.races.first().map(rank).unwrap_or_default();
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
    fn claim(&self) -> (Claim, BTreeSet<Pair>) {
        let pairs = self.races.iter().flat_map(|race| &race.methods).cloned().collect();
        (Claim { rule: RULES[0].to_owned(), name: self.subject() }, pairs)
    }

    /// Of a variable that is known in part, the races stay that are not.
    fn compare(&mut self, since: &Since) {
        let (claim, pairs) = self.claim();
        let news = since.news(&claim, &pairs);
        if news != News::Unchanged {
            self.races.retain(|race| race.methods.iter().any(|pair| !since.knows(&claim, pair)));
            self.count_pairs();
        }
        self.baseline = Some(news);
    }

    /// Counts the pairs of the races that are left.
    pub fn count_pairs(&mut self) {
        self.pairs = self.races.iter().map(|race| race.pairs).sum();
    }

    /// That of the surest race.
    pub fn confidence(&self) -> Confidence {
        self.races.first().map_or(Confidence::MaybeSameLock, |race| race.confidence)
    }

    /// `Rank 3: both write; its class uses locks`.
    pub fn ranked(&self) -> String {
        format!("Rank {}: {}", self.rank.place, self.rank.reason)
    }

    /// As the subject of a race: `field bank.Account.balance (int)`.
    pub fn subject(&self) -> String {
        match self.kind {
            Kind::Field => format!("field {}", self.variable),
            Kind::StaticField => format!("static field {}", self.variable),
            Kind::Elements | Kind::Contents => self.variable.clone(),
        }
    }

    /// The package of the field's class, or of the first race's place.
    pub fn package(&self) -> &str {
        let place = || self.races.first().and_then(|race| race.accesses.first()?.path.first());
        let (class, _) = match self.kind {
            Kind::Field | Kind::StaticField => self.name.rsplit_once('.').unwrap_or_default(),
            Kind::Elements | Kind::Contents => {
                place().and_then(|frame| frame.method.rsplit_once('.')).unwrap_or_default()
            }
        };
        class.rsplit_once('.').map_or("", |(package, _)| package)
    }

    /// Whether something of its first races is seen only in full.
    pub fn is_folded(&self, shown: usize) -> bool {
        let shows_alike = |race: &RaceView| race.accesses.iter().any(|access| !access.alike.is_empty());
        self.races.len() > shown || self.races.iter().any(shows_alike)
    }

    /// The word by which a source line names it.
    pub fn word(&self) -> Option<&str> {
        match self.kind {
            Kind::Field | Kind::StaticField => self.name.rsplit('.').next(),
            Kind::Elements | Kind::Contents => None,
        }
    }
}

impl RaceView {
    /// What makes it doubtful, if anything does.
    pub fn doubt(&self) -> Option<&'static str> {
        (self.confidence == Confidence::MaybeSameLock)
            .then_some("both hold locks that may be the same one, but need not be")
    }
}

/// The methods of each pair of accesses of two sides; where both are the same places, of each two of them.
pub fn methods(accesses: &[AccessView], is_same: bool) -> BTreeSet<Pair> {
    let of_side = |access: &AccessView| -> BTreeSet<String> {
        let frames = access.path.first().into_iter().chain(&access.alike);
        frames.map(|frame| identity::method(&frame.place())).collect()
    };
    let sides: Vec<BTreeSet<String>> = accesses.iter().map(of_side).collect();
    let [first, second] = &sides[..] else { return BTreeSet::new() };
    let both: BTreeSet<String> = first.union(second).cloned().collect();
    let (first, second) = if is_same { (&both, &both) } else { (first, second) };
    let pair = |a: &String, b: &String| Pair::new(Some(a.clone()), Some(b.clone()));
    first.iter().flat_map(|a| second.iter().map(move |b| pair(a, b))).collect()
}

impl AccessView {
    /// `Write by the main thread`.
    pub fn headline(&self) -> String {
        let kind = if self.kind == "write" { "Write" } else { "Read" };
        format!("{kind} by {}", self.thread)
    }

    /// `2 places like this`.
    pub fn others(&self) -> String {
        format!("{} like this", words::count(self.alike.len() as u64, "other place"))
    }
}

/// The name of a confidence.
pub const fn confidence_name(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::NoCommonLock => "no-common-lock",
        Confidence::MaybeSameLock => "maybe-same-lock",
    }
}

// Serde hands over references.
fn as_name<S: Serializer>(confidence: &Confidence, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(confidence_name(*confidence))
}
