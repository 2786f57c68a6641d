//! Merging: the union of what findings files say.
//!
//! [`Merged`] is a set in the mathematical sense: [`Merged::union`] is associative, commutative and idempotent, so files can
//! be read in any order, twice, or in parts. Findings merge by rule and variable; conflicts of a finding merge when both top
//! frames agree in class, method and line, in either order; counts are kept for each JVM and never added twice. Hazards merge
//! by rule and code, and their scenarios when all steps agree.

use std::collections::{BTreeMap, BTreeSet};

use facts::access::AccessKind;
use facts::finding::{
    Access, Conflict, Evidence, Finding, Grade, Hazard, Jvm, Operation, Record, Rule, Scenario, Subject, Summary,
    Variable,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::grade::{rank, surest};

/// Everything that a set of findings files says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Merged {
    /// The JVMs that wrote the files.
    pub jvms: BTreeMap<JvmId, JvmFacts>,
    /// What they found.
    pub findings: BTreeMap<Key, MergedFinding>,
    /// What can go wrong besides.
    pub hazards: BTreeMap<HazardKey, MergedHazard>,
    /// Variables to which two threads came.
    pub shared: BTreeSet<Variable>,
    /// Sentences about what may have been missed.
    pub problems: BTreeSet<String>,
    /// Sentences about what was there and could not be read, or not be checked for a mistake of jrace's own.
    pub unread: BTreeSet<String>,
}

/// A JVM among all JVMs of all runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema)]
pub struct JvmId {
    /// Milliseconds since 1970.
    pub started: u64,
    /// Process id.
    pub pid: u32,
}

/// What is known of one JVM.
#[derive(Clone, PartialEq, Debug)]
pub struct JvmFacts {
    /// Its first record.
    pub jvm: Jvm,
    /// Its last record; `None` when it did not end in order.
    pub summary: Option<Summary>,
    /// What it left unwoven.
    pub unwoven: BTreeSet<Unwoven>,
    /// What was looked for besides races.
    pub checked: BTreeSet<Rule>,
    /// Why it ran unchecked, if it did.
    pub unchecked: BTreeSet<String>,
}

/// A class or method that was left unwoven.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
pub struct Unwoven {
    /// Internal name of the class.
    pub class: String,
    /// Name and descriptor, when only one method was left.
    pub method: Option<String>,
    /// One sentence.
    pub reason: String,
}

/// What findings merge by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The variable.
    pub variable: Variable,
    /// The claim.
    pub rule: Rule,
}

/// One finding of any number of JVMs.
#[derive(Clone, PartialEq, Debug)]
pub struct MergedFinding {
    /// The strongest evidence.
    pub evidence: Option<Evidence>,
    /// The surest sighting of each conflict, and of those the clearest. Empty when only counts were read, which is no finding.
    pub conflicts: BTreeMap<ConflictKey, Sighting>,
    /// The JVMs that made the finding, with how often they saw the race when they said so.
    pub jvms: BTreeMap<JvmId, Seen>,
}

/// How often one JVM saw a race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub struct Seen {
    /// Racy accesses.
    pub accesses: u64,
    /// Objects on which it was seen.
    pub objects: u64,
}

/// The two places of a conflict, smaller first; `None` for a place that was not kept.
pub type ConflictKey = (Option<Spot>, Option<Spot>);

/// What hazards merge by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HazardKey {
    /// The code.
    pub subject: Subject,
    /// The claim.
    pub rule: Rule,
}

/// One hazard of any number of JVMs.
#[derive(Clone, PartialEq, Debug)]
pub struct MergedHazard {
    /// The strongest evidence.
    pub evidence: Evidence,
    /// One sighting of each scenario.
    pub scenarios: BTreeMap<ScenarioKey, Foreseen>,
}

/// Who does what where; `None` for a place that was not kept.
pub type ScenarioKey = Vec<(usize, Operation, Option<Spot>)>;

/// A scenario and the JVM whose events it is made of; thread and lock numbers are that JVM's.
#[derive(Clone, PartialEq, Debug)]
pub struct Foreseen {
    /// What can happen.
    pub scenario: Scenario,
    /// Where.
    pub jvm: JvmId,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    class: String,
    method: String,
    line: Option<u32>,
}

/// A conflict and the JVM in which it was seen; thread and lock numbers are that JVM's.
#[derive(Clone, PartialEq, Debug)]
pub struct Sighting {
    /// The two accesses.
    pub conflict: Conflict,
    /// Where it was seen.
    pub jvm: JvmId,
    /// The tests for which threads worked, wherever it was seen and was as sure.
    pub tests: BTreeSet<RacedTest>,
}

/// A test in whose work there was a race.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RacedTest {
    /// `package.Class.method`.
    pub name: String,
    /// The JVM in which it ran.
    pub jvm: JvmId,
}

fn fault(jvm: JvmId, what: &str) -> String {
    format!(
        "JVM {}: a check failed by a mistake of jrace's own, so findings may be missing; please report it: {what}",
        jvm.pid
    )
}

impl Merged {
    /// What the records of one findings file say; the first record must name the JVM.
    pub fn of_file(jvm: Jvm, records: impl IntoIterator<Item = Record>) -> Self {
        let id = JvmId { started: jvm.started, pid: jvm.pid };
        let mut facts = JvmFacts::new(jvm);
        let mut merged = Self::default();
        for record in records {
            match record {
                Record::Jvm(_) => {}
                Record::Finding(finding) => merged.add(finding, id),
                Record::Seen { variable, accesses, objects } => merged.saw(variable, id, Seen { accesses, objects }),
                Record::Shared(variable) => drop(merged.shared.insert(variable)),
                Record::Unwoven { class, method, reason } => {
                    facts.unwoven.insert(Unwoven { class, method, reason });
                }
                Record::Unchecked(reason) => drop(facts.unchecked.insert(reason)),
                Record::Fault(what) => drop(merged.unread.insert(fault(id, &what))),
                Record::Hazard(hazard) => merged.add_hazard(hazard, id),
                Record::Checked(rule) => drop(facts.checked.insert(rule)),
                Record::End(summary) => facts.summary = Some(summary),
            }
        }
        merged.jvms.insert(id, facts);
        merged
    }

    /// What may have been missed.
    pub fn of_problem(problem: String) -> Self {
        Self { problems: BTreeSet::from([problem]), ..Self::default() }
    }

    /// What could not be read.
    pub fn of_unread(sentence: String) -> Self {
        Self { unread: BTreeSet::from([sentence]), ..Self::default() }
    }

    /// The JVMs that were checked.
    pub fn n_checked(&self) -> usize {
        self.jvms.values().filter(|facts| facts.unchecked.is_empty()).count()
    }

    /// Whether nothing is missing: all could be read, and every JVM was checked, at least one, and ran code of the program; `allow_none`
    /// asks for the first only.
    pub fn is_complete(&self, allow_none: bool) -> bool {
        let n_checked = self.n_checked();
        let are_checked = n_checked > 0 && n_checked == self.jvms.len() && !ran_nothing(&self.jvms);
        self.unread.is_empty() && (allow_none || are_checked)
    }

    /// Findings that were made.
    pub fn findings(&self) -> impl Iterator<Item = (&Key, &MergedFinding)> {
        self.findings.iter().filter(|(_, finding)| !finding.conflicts.is_empty())
    }

    /// The union.
    #[must_use]
    pub fn union(mut self, other: Self) -> Self {
        for (id, facts) in other.jvms {
            merge_entry(&mut self.jvms, id, facts, JvmFacts::absorb);
        }
        for (key, finding) in other.findings {
            merge_entry(&mut self.findings, key, finding, MergedFinding::absorb);
        }
        for (key, hazard) in other.hazards {
            merge_entry(&mut self.hazards, key, hazard, MergedHazard::absorb);
        }
        self.shared.extend(other.shared);
        self.problems.extend(other.problems);
        self.unread.extend(other.unread);
        self
    }

    fn add_hazard(&mut self, hazard: Hazard, jvm: JvmId) {
        let key = HazardKey { subject: hazard.subject, rule: hazard.rule };
        let mut added = MergedHazard { evidence: hazard.evidence, scenarios: BTreeMap::new() };
        for scenario in hazard.scenarios {
            let foreseen = Foreseen { scenario, jvm };
            merge_entry(&mut added.scenarios, foreseen.key(), foreseen, Foreseen::absorb);
        }
        merge_entry(&mut self.hazards, key, added, MergedHazard::absorb);
    }

    fn add(&mut self, finding: Finding, jvm: JvmId) {
        let key = Key { variable: finding.variable, rule: finding.rule };
        let conflicts = finding.conflicts.into_iter().map(|conflict| Sighting::new(conflict, jvm));
        let mut added = MergedFinding::new(Some(finding.evidence), jvm, Seen::default());
        for sighting in conflicts {
            merge_entry(&mut added.conflicts, sighting.key(), sighting, Sighting::absorb);
        }
        merge_entry(&mut self.findings, key, added, MergedFinding::absorb);
    }

    fn saw(&mut self, variable: Variable, jvm: JvmId, seen: Seen) {
        let key = Key { variable, rule: Rule::Race };
        merge_entry(&mut self.findings, key, MergedFinding::new(None, jvm, seen), MergedFinding::absorb);
    }
}

/// Whether there are JVMs that were checked, all have told what they did, and not one class of the program was loaded.
pub fn ran_nothing(jvms: &BTreeMap<JvmId, JvmFacts>) -> bool {
    let mut checked = jvms.values().filter(|facts| facts.unchecked.is_empty()).peekable();
    checked.peek().is_some()
        && checked.all(|facts| facts.summary.is_some_and(|summary| summary.checked_classes == Some(0)))
}

fn merge_entry<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V, absorb: impl FnOnce(&mut V, V)) {
    match map.entry(key) {
        std::collections::btree_map::Entry::Vacant(entry) => {
            entry.insert(value);
        }
        std::collections::btree_map::Entry::Occupied(mut entry) => absorb(entry.get_mut(), value),
    }
}

impl JvmFacts {
    fn new(jvm: Jvm) -> Self {
        let (unwoven, checked, unchecked) = Default::default();
        Self { jvm, summary: None, unwoven, checked, unchecked }
    }

    fn absorb(&mut self, other: Self) {
        // Copies of one file differ only in how much of it was there to be read.
        self.jvm = least(&self.jvm, &other.jvm).clone();
        self.summary = match (self.summary, other.summary) {
            (Some(a), Some(b)) => Some(*least(&a, &b)),
            (a, b) => a.or(b),
        };
        self.unwoven.extend(other.unwoven);
        self.checked.extend(other.checked);
        self.unchecked.extend(other.unchecked);
    }
}

impl MergedFinding {
    fn new(evidence: Option<Evidence>, jvm: JvmId, seen: Seen) -> Self {
        Self { evidence, conflicts: BTreeMap::new(), jvms: BTreeMap::from([(jvm, seen)]) }
    }

    fn absorb(&mut self, other: Self) {
        self.evidence = self.evidence.max(other.evidence);
        for (key, sighting) in other.conflicts {
            merge_entry(&mut self.conflicts, key, sighting, Sighting::absorb);
        }
        for (jvm, seen) in other.jvms {
            merge_entry(&mut self.jvms, jvm, seen, Seen::absorb);
        }
    }

    /// The grade of its surest conflict.
    pub fn grade(&self) -> Option<Grade> {
        surest(self.conflicts.values().map(|sighting| sighting.conflict.grade))
    }

    /// How often the race was seen in all JVMs; zero counts come from JVMs that ended before they could say.
    pub fn seen(&self) -> Seen {
        self.jvms.values().fold(Seen::default(), |sum, seen| Seen {
            accesses: sum.accesses.saturating_add(seen.accesses),
            objects: sum.objects.saturating_add(seen.objects),
        })
    }

    /// Whether every JVM said how often.
    pub fn is_counted(&self) -> bool {
        self.jvms.values().all(|seen| seen.accesses > 0)
    }
}

impl Seen {
    fn absorb(&mut self, other: Self) {
        // Counts only grow while a JVM runs.
        self.accesses = self.accesses.max(other.accesses);
        self.objects = self.objects.max(other.objects);
    }
}

impl Sighting {
    /// As one JVM has seen it.
    pub fn new(conflict: Conflict, jvm: JvmId) -> Self {
        let names = [&conflict.current, &conflict.previous].into_iter().filter_map(|access| access.test.clone());
        let tests = names.map(|name| RacedTest { name, jvm }).collect();
        Self { conflict, jvm, tests }
    }

    /// Under which it merges.
    pub fn key(&self) -> ConflictKey {
        let (a, b) = (Spot::of(&self.conflict.current), Spot::of(&self.conflict.previous));
        if a <= b { (a, b) } else { (b, a) }
    }

    /// How many of the two stacks were kept.
    pub fn n_stacks(&self) -> usize {
        let accesses = [&self.conflict.current, &self.conflict.previous];
        accesses.into_iter().filter(|access| !access.stack.is_empty()).count()
    }

    /// The more, the more it tells: two stacks first, then a write (the access that was caught first may be a read that
    /// follows another), then locks and kinds.
    pub fn clarity(&self) -> u32 {
        let accesses = [&self.conflict.current, &self.conflict.previous];
        let points = |test: fn(&Access) -> bool, points: u32| -> u32 {
            accesses.iter().map(|access| points * u32::from(test(access))).sum()
        };
        let writes = accesses.iter().any(|access| access.kind == Some(AccessKind::Write));
        points(|access| !access.stack.is_empty(), 16)
            + 8 * u32::from(writes)
            + points(|access| access.locks.is_some(), 2)
            + points(|access| access.kind.is_some(), 1)
    }

    fn absorb(&mut self, mut other: Self) {
        let sureness = rank(self.conflict.grade).cmp(&rank(other.conflict.grade));
        if sureness.is_eq() {
            self.tests.append(&mut other.tests);
            other.tests.clone_from(&self.tests);
        }
        let order = sureness.then_with(|| self.clarity().cmp(&other.clarity()).reverse());
        let order = order.then_with(|| text(&self.conflict).cmp(&text(&other.conflict)));
        if order.then_with(|| self.jvm.cmp(&other.jvm)).is_gt() {
            *self = other;
        }
    }
}

impl MergedHazard {
    fn absorb(&mut self, other: Self) {
        self.evidence = self.evidence.max(other.evidence);
        for (key, foreseen) in other.scenarios {
            merge_entry(&mut self.scenarios, key, foreseen, Foreseen::absorb);
        }
    }
}

impl Foreseen {
    /// Under which it merges.
    pub fn key(&self) -> ScenarioKey {
        self.scenario.steps.iter().map(|step| (step.actor, step.operation, Spot::of(&step.access))).collect()
    }

    fn absorb(&mut self, other: Self) {
        if text(&self.scenario).cmp(&text(&other.scenario)).then(self.jvm.cmp(&other.jvm)).is_gt() {
            *self = other;
        }
    }
}

impl Spot {
    /// Where an access is made; `None` when its stack was not kept.
    pub fn of(access: &Access) -> Option<Self> {
        access.stack.first().map(|place| Self {
            class: place.class.clone(),
            method: place.method.clone(),
            line: place.line,
        })
    }

    /// Whether it is one line, and not a whole method.
    pub fn has_line(&self) -> bool {
        self.line.is_some()
    }
}

/// An order for values that have none of their own.
fn text(value: &impl Serialize) -> String {
    // The records serialize without fail: no map has a key that is not a string.
    serde_json::to_string(value).unwrap_or_default()
}

fn least<'a, T: Serialize>(a: &'a T, b: &'a T) -> &'a T {
    if text(b) < text(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use facts::finding::Grade;

    use super::super::fixtures::{access, conflict, field, file, finding, graded, hazard, jvm, seen};
    use super::*;

    fn files() -> impl Strategy<Value = Merged> {
        let record = prop_oneof![
            (0..3u8, 0..3u32, 0..3u32, any::<bool>(), any::<bool>(), 0..3usize).prop_map(
                |(name, now, before, kept, locks, grade)| {
                    let mut previous = access("read", before, 2, &[]);
                    if !kept {
                        previous.stack.clear();
                    }
                    if !locks {
                        previous.locks = None;
                    }
                    let grade = [None, Some(Grade::Certain), Some(Grade::Possible)][grade];
                    let conflict = conflict(access("write", now, 1, &["o"]), previous);
                    finding(field(&format!("f{name}")), vec![Conflict { grade, ..conflict }])
                }
            ),
            (0..3u8, 0..9u64).prop_map(|(name, count)| seen(field(&format!("f{name}")), count, count / 2)),
            (0..3u8, 0..2u32, 0..3u64).prop_map(|(name, line, seen)| hazard(&format!("m{name}"), line, seen)),
            Just(Record::Checked(Rule::Atomicity)),
            Just(Record::Unchecked("too old".into())),
            Just(Record::Fault("no such element".into())),
            (0..3u8).prop_map(|name| Record::Shared(field(&format!("f{name}")))),
            Just(Record::Unwoven { class: "a/B".into(), method: None, reason: "too large".into() }),
            (0..3u64).prop_map(|sites| Record::End(Summary { sites, ..Summary::default() })),
        ];
        let one = (1..4u32, prop::collection::vec(record, 0..6)).prop_map(|(pid, records)| file(pid, records));
        let problem = (0..2u8).prop_map(|n| Merged::of_problem(format!("problem {n}")));
        let unread = (0..2u8).prop_map(|n| Merged::of_unread(format!("file {n}")));
        prop::collection::vec(prop_oneof![4 => one, 1 => problem, 1 => unread], 0..4)
            .prop_map(|parts| parts.into_iter().fold(Merged::default(), Merged::union))
    }

    proptest! {
        #[test]
        fn union_is_a_set_union(a in files(), b in files(), c in files()) {
            let union = |x: &Merged, y: &Merged| x.clone().union(y.clone());
            prop_assert_eq!(union(&a, &b), union(&b, &a));
            prop_assert_eq!(union(&union(&a, &b), &c), union(&a, &union(&b, &c)));
            prop_assert_eq!(union(&a, &a), a.clone());
            prop_assert_eq!(union(&a, &Merged::default()), a);
        }
    }

    #[test]
    fn a_conflict_is_the_same_in_either_order() {
        let (write, read) = (access("write", 10, 1, &[]), access("read", 20, 2, &[]));
        let records = [
            finding(field("x"), vec![conflict(write.clone(), read.clone())]),
            finding(field("x"), vec![conflict(read.clone(), write.clone())]),
            finding(field("x"), vec![conflict(write.clone(), write)]),
        ];
        let merged = Merged::of_file(jvm(1), records);
        let lengths: Vec<usize> = merged.findings().map(|(_, finding)| finding.conflicts.len()).collect();
        assert_eq!(lengths, [2]);
    }

    #[test]
    fn of_one_pair_of_places_the_surest_sighting_is_kept() {
        let sighting = |pid, grade, locks: &[&str]| {
            let mut previous = access("read", 20, 2, &[]);
            previous.locks = Some(Vec::new()).filter(|_| grade != Some(Grade::Certain));
            let pair = graded(grade, conflict(access("write", 10, 1, locks), previous));
            file(pid, vec![finding(field("x"), vec![pair])])
        };
        let files = [
            sighting(1, Some(Grade::Possible), &["o5"]),
            sighting(2, None, &["o6"]),
            sighting(3, Some(Grade::Certain), &[]),
        ];
        for n in 1..=3 {
            let merged = files[..n].iter().cloned().fold(Merged::default(), Merged::union);
            let conflicts = &merged.findings.values().next().unwrap().conflicts;
            let kept: Vec<_> = conflicts.values().map(|kept| (kept.jvm.pid, kept.conflict.grade)).collect();
            assert_eq!(kept, [(n as u32, [Some(Grade::Possible), None, Some(Grade::Certain)][n - 1])]);
        }
    }

    /// A race that tests of several JVMs have: all are named, as far as it was as sure there.
    #[test]
    fn tests_of_all_jvms_are_kept() {
        let sighting = |pid, grade, test: &str| {
            let mut pair = graded(grade, conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[])));
            pair.current.test = Some(test.to_owned());
            file(pid, vec![finding(field("x"), vec![pair])])
        };
        let [possible, certain] = [Grade::Possible, Grade::Certain].map(Some);
        let files = [sighting(1, possible, "A"), sighting(2, certain, "B"), sighting(3, certain, "C")];
        let names = |order: [usize; 3]| {
            let merged = order.iter().map(|n| files[*n].clone()).fold(Merged::default(), Merged::union);
            let kept = merged.findings.values().next().unwrap().conflicts.values().next().unwrap().clone();
            kept.tests.into_iter().map(|test| (test.name, test.jvm.pid)).collect::<Vec<_>>()
        };
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            assert_eq!(names(order), [("B".to_owned(), 2), ("C".to_owned(), 3)]);
        }
    }

    #[test]
    fn the_latest_count_of_each_jvm_counts_once() {
        let records = |n| vec![finding(field("x"), vec![]), seen(field("x"), 1, 1), seen(field("x"), n, 2)];
        let merged = file(1, records(5)).union(file(1, records(3))).union(file(2, records(7)));
        let total = merged.findings.values().next().unwrap().seen();
        assert_eq!(total, Seen { accesses: 12, objects: 4 });
    }
}
