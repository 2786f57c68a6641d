//! Which findings count: those that are neither suppressed nor in the baseline. Of a race, each conflict is asked by itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use facts::finding::{Grade, Rule};
use schemars::JsonSchema;
use serde::Serialize;

use super::baseline::{self, Baseline, Known};
use super::grade::Part;
use super::identity::{Pair, steady_hazard, steady_key};
use super::merge::{Foreseen, HazardKey, JvmFacts, JvmId, Key, Merged, MergedFinding, MergedHazard, Sighting, Unwoven};
use super::suppress::Suppression;
use super::suppressed::Suppressions;
use super::{grade, hint, words};
use crate::document::finding::News;
use crate::settings::Settings;

/// What findings are judged by.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judges {
    suppressions: Suppressions,
    baseline: Option<Baseline>,
    fails_on: Grade,
}

/// Findings, judged.
#[derive(Debug)]
pub struct Verdict<'a> {
    /// All of them, the surest first, sorted by variable name.
    pub findings: Vec<Judged<'a>>,
    /// All hazards, sorted by rule and name of the code.
    pub hazards: Vec<JudgedHazard<'a>>,
    /// Suppressions that matched nothing.
    pub unused: Vec<&'a Suppression>,
    /// Suppressions that do not hold any more.
    pub expired: &'a [Suppression],
    /// What the baseline knows and was not seen, if there is a baseline.
    pub gone: Option<Gone>,
    /// Whether the baseline knows some findings by variable only.
    pub is_baseline_coarse: bool,
    /// The JVMs.
    pub jvms: &'a BTreeMap<JvmId, JvmFacts>,
    /// Sentences about what may have been missed.
    pub problems: &'a BTreeSet<String>,
    /// Sentences about what could not be read.
    pub unread: &'a BTreeSet<String>,
    fails_on: Grade,
}

/// A finding, judged.
#[derive(Debug)]
pub struct Judged<'a> {
    /// What it is about.
    pub key: &'a Key,
    /// What was merged.
    pub finding: &'a MergedFinding,
    /// Whether it counts.
    pub status: Status,
    /// How it stands to the baseline, if there is one.
    pub news: Option<News>,
    /// The suppressions that leave nothing of it, if it is suppressed.
    pub by: Vec<&'a Suppression>,
    /// Its conflicts that count, the surest first and of those the clearest. Of what is known those that are not suppressed, and all
    /// of what is suppressed.
    pub conflicts: Vec<&'a Sighting>,
}

/// What a baseline knows and was not seen.
#[derive(PartialEq, Debug, Default)]
pub struct Gone {
    /// Of each variable, what was not seen.
    pub races: BTreeMap<Key, Known>,
    /// Those of them of which nothing was seen.
    pub whole: BTreeSet<Key>,
    /// Hazards.
    pub hazards: BTreeSet<HazardKey>,
}

impl Gone {
    /// What was not seen at all, by name.
    pub fn names(&self) -> Vec<String> {
        let races = self.whole.iter().map(|key| words::variable_name(&key.variable));
        races.chain(self.hazards.iter().map(|key| words::subject_name(&key.subject))).collect()
    }
}

impl Judged<'_> {
    /// The grade of its surest conflict.
    pub fn grade(&self) -> Option<Grade> {
        grade::surest(self.conflicts.iter().map(|sighting| sighting.conflict.grade))
    }

    /// What it is called.
    pub fn title(&self) -> &'static str {
        self.part().race()
    }

    /// With what it stands together.
    pub fn part(&self) -> Part {
        Part::of(self.grade())
    }

    /// How sure a conflict is, if others are surer.
    pub fn doubt(&self, sighting: &Sighting) -> Option<&'static str> {
        let part = Part::of(sighting.conflict.grade);
        part.doubt().filter(|_| part > self.part())
    }
}

/// A hazard, judged.
#[derive(Debug)]
pub struct JudgedHazard<'a> {
    /// What it is about.
    pub key: &'a HazardKey,
    /// What was merged.
    pub hazard: &'a MergedHazard,
    /// Whether it counts.
    pub status: Status,
    /// How it stands to the baseline, if there is one.
    pub news: Option<News>,
    /// The suppressions that leave nothing of it, if it is suppressed.
    pub by: Vec<&'a Suppression>,
    /// Its scenarios that are not suppressed, the shortest first; all of them when it is suppressed.
    pub scenarios: Vec<&'a Foreseen>,
}

/// Whether a finding counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It counts.
    New,
    /// A suppression matches it.
    Suppressed,
    /// It was known.
    Baseline,
}

impl Judges {
    /// Reads the files that the options name, and takes the suppressions of the configuration.
    ///
    /// # Errors
    /// See [`Suppressions::read`] and [`baseline::read`].
    pub fn read(settings: &Settings) -> Result<Self> {
        let options = settings.options();
        let suppressions = Suppressions::read(settings)?;
        let baseline = options.baseline.as_deref().map(baseline::read).transpose()?;
        Ok(Self { suppressions, baseline, fails_on: options.fail_on })
    }

    /// Judges that know nothing, and whom races of these grades make fail.
    #[cfg(test)]
    pub fn failing_on(least: Grade) -> Self {
        Self { fails_on: least, ..Self::default() }
    }

    /// The same judges with another baseline.
    #[must_use]
    pub fn with_baseline(self, baseline: Option<Baseline>) -> Self {
        Self { baseline, ..self }
    }

    /// Judges every finding.
    pub fn judge<'a>(&'a self, merged: &'a Merged) -> Verdict<'a> {
        let mut used = vec![false; self.suppressions.held.len()];
        let mut findings: Vec<Judged<'a>> =
            merged.findings().map(|(key, finding)| self.judge_one(key, finding, &mut used)).collect();
        findings.sort_by_cached_key(|judged| {
            (grade::rank(judged.grade()), words::variable_name(&judged.key.variable), judged.key)
        });
        let mut hazards: Vec<JudgedHazard<'a>> =
            merged.hazards.iter().map(|(key, hazard)| self.judge_hazard(key, hazard, &mut used)).collect();
        hazards.sort_by_cached_key(|judged| (judged.key.rule, words::subject_name(&judged.key.subject), judged.key));
        let unused =
            self.suppressions.held.iter().zip(&used).filter(|(_, used)| !**used).map(|(line, _)| line).collect();
        let Merged { jvms, problems, unread, .. } = merged;
        Verdict {
            findings,
            hazards,
            unused,
            expired: &self.suppressions.expired,
            gone: self.baseline.as_ref().map(|baseline| gone(baseline, merged)),
            is_baseline_coarse: self.baseline.as_ref().is_some_and(Baseline::is_coarse),
            jvms,
            problems,
            unread,
            fails_on: self.fails_on,
        }
    }

    fn judge_one<'a>(&'a self, key: &'a Key, finding: &'a MergedFinding, used: &mut [bool]) -> Judged<'a> {
        let mut own = vec![false; used.len()];
        let all: Vec<&Sighting> = finding.conflicts.values().collect();
        let left: Vec<&Sighting> =
            all.iter().copied().filter(|sighting| !self.suppresses(key, sighting, &mut own)).collect();
        let known_as = steady_key(key);
        let counts: Vec<&Sighting> = left.iter().copied().filter(|sighting| !self.knows(&known_as, sighting)).collect();
        let status = Status::of(left.is_empty(), counts.is_empty());
        let news = self.baseline.as_ref().map(|baseline| news(baseline, &known_as, finding, &counts));
        let mut conflicts = match status {
            Status::New => counts,
            Status::Baseline => left,
            Status::Suppressed => all,
        };
        conflicts.sort_by_cached_key(|sighting| {
            let Sighting { conflict, .. } = sighting;
            let doubtful =
                (grade::rank(conflict.grade), Reverse(sighting.n_stacks()), hint::begins(&key.variable, conflict));
            (doubtful, Reverse(sighting.clarity()), sighting.key())
        });
        Judged { key, finding, status, news, by: self.used(&own, used, status), conflicts }
    }

    fn knows(&self, key: &Key, sighting: &Sighting) -> bool {
        let conflict = &sighting.conflict;
        self.baseline.as_ref().is_some_and(|baseline| baseline.knows(key, &Pair::of(conflict), conflict.grade))
    }

    fn judge_hazard<'a>(&'a self, key: &'a HazardKey, hazard: &'a MergedHazard, used: &mut [bool]) -> JudgedHazard<'a> {
        let mut own = vec![false; used.len()];
        let scenarios: Vec<&Foreseen> = hazard.scenarios.values().collect();
        let is_left = |foreseen: &&Foreseen| {
            !self.any(&mut own, |suppression| {
                suppression.matches_subject(key.rule, &key.subject)
                    || suppression.matches_scenario(key.rule, &foreseen.scenario)
            })
        };
        let left: Vec<&Foreseen> = scenarios.iter().copied().filter(is_left).collect();
        let known_as = steady_hazard(key);
        let is_known = |baseline: &Baseline| baseline.hazards.contains(&known_as);
        let status = Status::of(left.is_empty(), self.baseline.as_ref().is_some_and(is_known));
        let news = self.baseline.as_ref().map(|baseline| match baseline.gone_hazards.contains(&known_as) {
            _ if is_known(baseline) => News::Unchanged,
            true => News::Returned,
            false => News::New,
        });
        let mut scenarios = if left.is_empty() { scenarios } else { left };
        scenarios.sort_by_key(|foreseen| foreseen.scenario.steps.len());
        JudgedHazard { key, hazard, status, news, by: self.used(&own, used, status), scenarios }
    }

    /// Marks the suppressions that matched, and returns them if they leave nothing.
    fn used(&self, own: &[bool], used: &mut [bool], status: Status) -> Vec<&Suppression> {
        used.iter_mut().zip(own).for_each(|(used, own)| *used |= own);
        let matched = self.suppressions.held.iter().zip(own).filter(|(_, own)| **own && status == Status::Suppressed);
        matched.map(|(suppression, _)| suppression).collect()
    }

    fn suppresses(&self, key: &Key, sighting: &Sighting, used: &mut [bool]) -> bool {
        self.any(used, |suppression| {
            suppression.matches_variable(key.rule, &key.variable)
                || suppression.matches_conflict(key.rule, &key.variable, &sighting.conflict)
        })
    }

    /// Whether any suppression matches; every one that does is marked.
    fn any(&self, used: &mut [bool], matches: impl Fn(&Suppression) -> bool) -> bool {
        let mut any = false;
        for (suppression, used) in self.suppressions.held.iter().zip(used) {
            let matches = matches(suppression);
            *used |= matches;
            any |= matches;
        }
        any
    }
}

impl Status {
    fn of(is_suppressed: bool, is_known: bool) -> Self {
        match (is_suppressed, is_known) {
            (true, _) => Self::Suppressed,
            (false, true) => Self::Baseline,
            (false, false) => Self::New,
        }
    }
}

/// How a finding stands to a baseline, by those of its conflicts that it does not know.
fn news(baseline: &Baseline, key: &Key, finding: &MergedFinding, unknown: &[&Sighting]) -> News {
    let had = |sighting: &&Sighting| baseline.had(key, &Pair::of(&sighting.conflict));
    let knows = |sighting: &Sighting| baseline.knows(key, &Pair::of(&sighting.conflict), sighting.conflict.grade);
    if finding.conflicts.values().all(knows) {
        News::Unchanged
    } else if unknown.iter().any(had) {
        News::Returned
    } else if baseline.races.contains_key(key) {
        News::Updated
    } else {
        News::New
    }
}

/// What a baseline knows and was not seen; what is suppressed was seen, and hazards that nobody looked for may be there.
pub fn gone(baseline: &Baseline, merged: &Merged) -> Gone {
    let mut seen = BTreeMap::<Key, BTreeSet<Pair>>::new();
    for (key, finding) in merged.findings() {
        let pairs = finding.conflicts.values().map(|sighting| Pair::of(&sighting.conflict));
        seen.entry(steady_key(key)).or_default().extend(pairs);
    }
    let hazards: BTreeSet<HazardKey> = merged.hazards.keys().map(steady_hazard).collect();
    let is_checked = |rule: Rule| merged.jvms.values().any(|facts| facts.checked.contains(&rule));
    let unseen = baseline.hazards.difference(&hazards).filter(|key| is_checked(key.rule));
    let mut gone = Gone { hazards: unseen.cloned().collect(), ..Gone::default() };
    gone.races = baseline::unseen(&baseline.races, &seen).collect();
    gone.whole = gone.races.keys().filter(|key| !seen.contains_key(*key)).cloned().collect();
    gone
}

impl<'a> Verdict<'a> {
    /// Findings with a status.
    pub fn with(&self, status: Status) -> impl Iterator<Item = &Judged<'a>> {
        self.findings.iter().filter(move |judged| judged.status == status)
    }

    /// Hazards with a status.
    pub fn hazards_with(&self, status: Status) -> impl Iterator<Item = &JudgedHazard<'a>> {
        self.hazards.iter().filter(move |judged| judged.status == status)
    }

    /// Races that count: certain ones, and what no check has graded.
    pub fn races(&self) -> impl Iterator<Item = &Judged<'a>> {
        self.of_part(Part::Races)
    }

    /// Races that are neither suppressed nor known, and as sure as those of a part.
    pub fn of_part(&self, part: Part) -> impl Iterator<Item = &Judged<'a>> {
        self.with(Status::New).filter(move |judged| judged.part() == part)
    }

    /// Races that count, and possible ones: those that somebody should look at.
    pub fn worth_a_look(&self) -> impl Iterator<Item = &Judged<'a>> {
        self.races().chain(self.of_part(Part::Possible))
    }

    /// Whether there is anything to show.
    pub fn counts(&self) -> bool {
        self.with(Status::New).next().is_some() || self.hazards_with(Status::New).next().is_some()
    }

    /// Whether there is anything that is to make a run fail.
    pub fn fails(&self) -> bool {
        self.with(Status::New).any(|judged| self.fails_for(judged)) || self.hazards_with(Status::New).next().is_some()
    }

    /// Whether a finding that counts makes a run fail.
    pub fn fails_for(&self, judged: &Judged<'_>) -> bool {
        judged.grade().is_none_or(|grade| grade <= self.fails_on)
    }

    fn n_hazards(&self, rule: Rule) -> usize {
        self.hazards_with(Status::New).filter(|judged| judged.key.rule == rule).count()
    }

    /// Classes and methods that were not checked, each once.
    pub fn unwoven(&self) -> BTreeSet<&'a Unwoven> {
        self.jvms.values().flat_map(|facts| &facts.unwoven).collect()
    }

    /// The numbers of the last line.
    pub fn numbers(&self) -> Numbers {
        let pairs = |part| {
            let conflicts = self.of_part(part).flat_map(|judged| &judged.conflicts);
            conflicts.filter(|sighting| Part::of(sighting.conflict.grade) == part).count()
        };
        let variables = |part| self.of_part(part).count();
        Numbers {
            races: pairs(Part::Races),
            variables: variables(Part::Races),
            possible_races: pairs(Part::Possible),
            possible_variables: variables(Part::Possible),
            unlikely_races: pairs(Part::Unlikely),
            unlikely_variables: variables(Part::Unlikely),
            atomicity: self.n_hazards(Rule::Atomicity),
            deadlocks: self.n_hazards(Rule::Deadlock),
            suppressed: self.with(Status::Suppressed).count() + self.hazards_with(Status::Suppressed).count(),
            baseline: self.with(Status::Baseline).count() + self.hazards_with(Status::Baseline).count(),
            jvms: self.jvms.values().filter(|facts| facts.unchecked.is_empty()).count(),
            started: self.jvms.len(),
            unwoven: self.unwoven().len(),
        }
    }
}

/// The numbers of the last line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Numbers {
    /// Conflicts of findings that count, without those that are only possible or unlikely.
    pub races: usize,
    /// Findings that count; each is about one variable.
    pub variables: usize,
    /// Possible conflicts of variables of which none is surer.
    pub possible_races: usize,
    /// Such variables.
    pub possible_variables: usize,
    /// Conflicts of variables of which all are unlikely.
    pub unlikely_races: usize,
    /// Such variables.
    pub unlikely_variables: usize,
    /// Code that is not atomic and counts.
    pub atomicity: usize,
    /// Lock orders that can deadlock and count.
    pub deadlocks: usize,
    /// Suppressed findings.
    pub suppressed: usize,
    /// Findings in the baseline.
    pub baseline: usize,
    /// JVMs that were checked.
    pub jvms: usize,
    /// JVMs that are known to have started.
    pub started: usize,
    /// Classes and methods that were not checked, because they could not be woven.
    pub unwoven: usize,
}

#[cfg(test)]
mod tests {
    use facts::pattern::Pattern;
    use proptest::prelude::*;

    use super::super::fixtures::{access, conflict, field, file, finding, graded, hazard, place};
    use super::super::suppress::What;
    use super::*;

    /// Judges that know these suppressions.
    fn heeding(rule: Rule, patterns: &[&str]) -> Judges {
        let suppression = |pattern: &&str| {
            let what = What::Rule(rule, Pattern::new(pattern));
            Suppression { at: "line 1".into(), what, reason: None, expires: None }
        };
        let held = patterns.iter().map(suppression).collect();
        Judges { suppressions: Suppressions { held, ..Suppressions::default() }, ..Judges::default() }
    }

    fn example() -> Merged {
        let conflicts = || {
            vec![
                conflict(access("write", 10, 1, &[]), access("read", 20, 2, &[])),
                conflict(access("write", 10, 1, &[]), access("write", 10, 2, &[])),
            ]
        };
        file(1, vec![finding(field("b"), conflicts()), finding(field("a"), conflicts())])
    }

    fn statuses(judges: &Judges) -> Vec<(String, Status, usize)> {
        let merged = example();
        let verdict = judges.judge(&merged);
        let row =
            |judged: &Judged<'_>| (words::variable_name(&judged.key.variable), judged.status, judged.conflicts.len());
        verdict.findings.iter().map(row).collect()
    }

    #[test]
    fn a_frame_suppresses_one_conflict_and_a_variable_all() {
        let judge = |pattern: &str| statuses(&heeding(Rule::Race, &[pattern]));
        let (a, b) = ("bank.Account.a".to_owned(), "bank.Account.b".to_owned());
        assert_eq!(judge("Account.read"), [(a.clone(), Status::New, 1), (b.clone(), Status::New, 1)]);
        assert_eq!(judge("Account.a$"), [(a.clone(), Status::Suppressed, 2), (b.clone(), Status::New, 2)]);
        assert_eq!(judge("^bank.Account.w*"), [(a, Status::Suppressed, 2), (b, Status::Suppressed, 2)]);
    }

    #[test]
    fn known_findings_do_not_count() {
        let known = Known { whole: Some(None), ..Known::default() };
        let races = BTreeMap::from([(Key { variable: field("a"), rule: Rule::Race }, known)]);
        let baseline = Some(Baseline { races, ..Baseline::default() });
        let judges = Judges { baseline, ..heeding(Rule::Race, &["nothing"]) };
        let merged = example();
        let verdict = judges.judge(&merged);
        let numbers = Numbers { races: 2, variables: 1, baseline: 1, jvms: 1, started: 1, ..Numbers::default() };
        assert_eq!(verdict.numbers(), numbers);
        assert_eq!(verdict.unused.len(), 1);
        assert!(verdict.counts());
    }

    /// Races on four variables, whose names end with the grade of the surest pair.
    fn of_all_grades() -> Merged {
        let pair = |grade, line| graded(grade, conflict(access("write", line, 1, &[]), access("read", 20, 2, &[])));
        let [certain, possible, unlikely] = [Grade::Certain, Grade::Possible, Grade::Unlikely].map(Some);
        let records = vec![
            finding(field("a_hardly"), vec![pair(unlikely, 10)]),
            finding(field("a_maybe"), vec![pair(possible, 10), pair(unlikely, 12), pair(possible, 11)]),
            finding(field("b_plain"), vec![pair(None, 10)]),
            finding(field("c_certain"), vec![pair(possible, 10), pair(None, 11), pair(certain, 12)]),
        ];
        file(1, records)
    }

    #[test]
    fn the_surest_come_first() {
        let merged = of_all_grades();
        let judges = Judges::default();
        let verdict = judges.judge(&merged);
        let grades: Vec<_> = verdict
            .findings
            .iter()
            .map(|judged| judged.conflicts.iter().map(|sighting| sighting.conflict.grade).collect::<Vec<_>>())
            .collect();
        let [certain, possible, unlikely] = [Grade::Certain, Grade::Possible, Grade::Unlikely].map(Some);
        let of_maybe = vec![possible, possible, unlikely];
        assert_eq!(grades, [vec![certain, None, possible], vec![None], of_maybe, vec![unlikely]]);
        assert_eq!(verdict.findings.iter().map(Judged::grade).collect::<Vec<_>>(), [certain, None, possible, unlikely]);
        let numbers = verdict.numbers();
        assert_eq!((numbers.races, numbers.variables), (3, 2));
        assert_eq!((numbers.possible_races, numbers.possible_variables), (2, 1));
        assert_eq!((numbers.unlikely_races, numbers.unlikely_variables), (1, 1));
        let doubts = |index: usize| {
            let judged = &verdict.findings[index];
            judged.conflicts.iter().map(|sighting| judged.doubt(sighting)).collect::<Vec<_>>()
        };
        assert_eq!(doubts(0), [None, None, Some("possible")]);
        assert_eq!(doubts(2), [None, None, Some("unlikely")]);
    }

    proptest! {
        /// However findings are spread over files: what is said of grades is what a look at every pair by itself says.
        #[test]
        fn grades_are_those_of_the_surest_pairs(
            pairs in prop::collection::vec((0..3u32, 0..3u8, 0..3u32, 0..4usize), 0..12),
            fails_on in prop::sample::select(vec![Grade::Certain, Grade::Possible, Grade::Unlikely]),
        ) {
            let grades = [Some(Grade::Certain), None, Some(Grade::Possible), Some(Grade::Unlikely)];
            let files = pairs.iter().map(|(pid, name, line, rank)| {
                let pair = conflict(access("write", *line, 1, &[]), access("read", 20, 2, &[]));
                file(*pid, vec![finding(field(&format!("f{name}")), vec![graded(grades[*rank], pair)])])
            });
            let merged = files.fold(Merged::default(), Merged::union);
            let judges = Judges { fails_on, ..Judges::default() };
            let verdict = judges.judge(&merged);
            let surest = |name: u8| pairs.iter().filter(|pair| pair.1 == name).map(|pair| pair.3).min();
            let mut naive: Vec<(usize, String)> =
                (0..3).filter_map(|name| Some((surest(name)?, format!("bank.Account.f{name}")))).collect();
            naive.sort();
            let told = verdict.findings.iter().map(|judged| {
                let first = judged.conflicts[0].conflict.grade;
                assert_eq!(first, judged.grade());
                (grades.iter().position(|grade| *grade == first).unwrap(), words::variable_name(&judged.key.variable))
            });
            prop_assert_eq!(told.collect::<Vec<_>>(), naive.clone());
            prop_assert_eq!(verdict.fails(), naive.iter().any(|(rank, _)| *rank < 2 || fails_on as usize + 1 >= *rank));
            let numbers = verdict.numbers();
            let n = |rank| naive.iter().filter(|(of, _)| *of == rank).count();
            prop_assert_eq!((numbers.variables, numbers.possible_variables), (n(0) + n(1), n(2)));
            prop_assert_eq!(numbers.unlikely_variables, n(3));
        }
    }

    #[test]
    fn weaker_races_alone_fail_only_when_asked_for() {
        let merged = of_all_grades();
        for (suppressed, fails_on, expected) in [
            (&["nothing"][..], Grade::Certain, (true, true)),
            (&["*_plain"], Grade::Certain, (true, true)),
            (&["*_certain"], Grade::Certain, (true, true)),
            (&["*_plain", "*_certain"], Grade::Certain, (true, false)),
            (&["*_plain", "*_certain"], Grade::Possible, (true, true)),
            (&["*_plain", "*_certain", "*_maybe"], Grade::Possible, (true, false)),
            (&["*_plain", "*_certain", "*_maybe"], Grade::Unlikely, (true, true)),
            (&["bank"], Grade::Unlikely, (false, false)),
        ] {
            let judges = Judges { fails_on, ..heeding(Rule::Race, suppressed) };
            let verdict = judges.judge(&merged);
            assert_eq!((verdict.counts(), verdict.fails()), expected, "{suppressed:?} {fails_on:?}");
        }
    }

    #[test]
    fn a_race_that_is_surer_now_is_news() {
        let merged = of_all_grades();
        let known = |grade| {
            let known = Known { whole: Some(grade), ..Known::default() };
            let races = merged.findings().map(|(key, _)| (key.clone(), known.clone())).collect();
            Judges { baseline: Some(Baseline { races, ..Baseline::default() }), ..Judges::default() }
        };
        let new = |judges: &Judges| judges.judge(&merged).with(Status::New).map(Judged::grade).collect::<Vec<_>>();
        assert_eq!(new(&known(None)), []);
        assert_eq!(new(&known(Some(Grade::Certain))), []);
        assert_eq!(new(&known(Some(Grade::Possible))), [Some(Grade::Certain)]);
        assert_eq!(new(&known(Some(Grade::Unlikely))), [Some(Grade::Certain), Some(Grade::Possible)]);
    }

    #[test]
    fn the_grade_is_that_of_what_is_not_suppressed() {
        let pair = |grade, kind: &str| graded(grade, conflict(access(kind, 10, 1, &[]), access("access", 20, 2, &[])));
        let pairs = vec![pair(Some(Grade::Certain), "write"), pair(Some(Grade::Possible), "read")];
        let merged = file(1, vec![finding(field("x"), pairs)]);
        let judges = heeding(Rule::Race, &["Account.write"]);
        assert_eq!(judges.judge(&merged).findings[0].grade(), Some(Grade::Possible));
        assert!(!judges.judge(&merged).fails());
    }

    #[test]
    fn a_pair_with_a_constructor_is_not_shown_first_unless_it_is_certain() {
        let first = |grade, stacks: bool| {
            let mut begin = graded(grade, conflict(access("write", 1, 1, &["o5"]), access("write", 2, 2, &["o5"])));
            begin.previous.stack[0] = place("bank/Account", "<init>", 2);
            let mut other = conflict(access("read", 30, 1, &[]), access("write", 40, 2, &[]));
            if !stacks {
                other.previous.stack.clear();
            }
            let merged = file(1, vec![finding(field("x"), vec![begin, graded(None, other)])]);
            let judges = Judges::default();
            let first = judges.judge(&merged).findings[0].conflicts[0].conflict.clone();
            first.current.stack[0].line
        };
        assert_eq!(first(None, true), Some(30));
        assert_eq!(first(None, false), Some(1));
        assert_eq!(first(Some(Grade::Certain), true), Some(1));
    }

    #[test]
    fn hazards_are_suppressed_by_code_and_by_frame() {
        let merged = file(1, vec![hazard("transfer", 20, 1), hazard("audit", 30, 1)]);
        for (rule, pattern, expected) in [
            (Rule::Atomicity, "Account.transfer$", (1, 1)),
            (Rule::Atomicity, "Account.write", (0, 2)),
            (Rule::Deadlock, "Account", (2, 0)),
        ] {
            let numbers = heeding(rule, &[pattern]).judge(&merged).numbers();
            assert_eq!((numbers.atomicity, numbers.suppressed), expected, "{pattern}");
        }
    }
}
