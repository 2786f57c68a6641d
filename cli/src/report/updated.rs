//! What a baseline becomes when runs have been looked at.

use std::collections::BTreeMap;

use facts::finding::Grade;
use facts::name::dotted;

use super::baseline::{Baseline, Claim, Known, unseen};
use super::claims;
use super::identity::{Pair, steady_hazard, steady_key};
use super::judge::{Status, Verdict, gone};
use super::merge::{HazardKey, Key, Merged};
use super::words;

/// A baseline, and what is different in it.
pub struct Updated {
    /// What is known now.
    pub baseline: Baseline,
    /// What was not known, in words.
    pub added: Vec<String>,
    /// What is known no more.
    pub gone: Vec<String>,
    /// What was gone and is known again.
    pub returned: Vec<String>,
}

impl Baseline {
    /// What counts in a verdict.
    pub fn of(verdict: &Verdict<'_>) -> Self {
        let mut baseline = Self::default();
        for judged in verdict.with(Status::New) {
            let known = baseline.races.entry(steady_key(judged.key)).or_default();
            for sighting in &judged.conflicts {
                known.add(Pair::of(&sighting.conflict), sighting.conflict.grade);
            }
        }
        baseline.hazards = verdict.hazards_with(Status::New).map(|judged| steady_hazard(judged.key)).collect();
        baseline
    }
}

/// The baseline with what a verdict without one counts and what documents claim, and without what was not seen, unless it `keeps` that.
pub fn updated(
    before: &Baseline,
    runs: Option<(&Verdict<'_>, &Merged)>,
    documents: &[Baseline],
    keeps: bool,
) -> Updated {
    let mut after = Updated { baseline: before.clone(), added: Vec::new(), gone: Vec::new(), returned: Vec::new() };
    if let Some((verdict, merged)) = runs {
        after.take_runs(before, verdict, merged, keeps);
    }
    if !documents.is_empty() {
        after.take_claims(before, documents, keeps);
    }
    after
}

impl Updated {
    fn take_runs(&mut self, before: &Baseline, verdict: &Verdict<'_>, merged: &Merged, keeps: bool) {
        let seen = Baseline::of(verdict);
        let lost = if keeps { super::judge::Gone::default() } else { gone(before, merged) };
        for (key, known) in lost.races {
            self.races().lose(key, known);
        }
        for key in lost.hazards {
            self.baseline.hazards.remove(&key);
            self.gone.push(hazard(&key));
            self.baseline.gone_hazards.insert(key);
        }
        for (key, known) in seen.races {
            self.races().learn(key, known);
        }
        for key in seen.hazards {
            let was_gone = self.baseline.gone_hazards.remove(&key);
            if !self.baseline.hazards.contains(&key) {
                if was_gone { &mut self.returned } else { &mut self.added }.push(hazard(&key));
                self.baseline.hazards.insert(key);
            }
        }
    }

    /// Of each rule that was looked for, what the documents claim together.
    fn take_claims(&mut self, before: &Baseline, documents: &[Baseline], keeps: bool) {
        let mut seen = BTreeMap::<Claim, Known>::new();
        for (claim, known) in documents.iter().flat_map(|document| &document.claims) {
            seen.entry(claim.clone()).or_default().absorb(known.clone());
        }
        let pairs = |known: &Known| known.pairs.keys().cloned().collect();
        let pairs = seen.iter().map(|(claim, known)| (claim.clone(), pairs(known))).collect();
        let is_looked_for = |rule: &String| documents.iter().any(|document| document.looked_for.contains(rule));
        for (claim, known) in unseen(&before.claims, &pairs).filter(|(claim, _)| !keeps && is_looked_for(&claim.rule)) {
            self.claims().lose(claim, known);
        }
        for (claim, known) in seen {
            self.claims().learn(claim, known);
        }
    }

    fn races(&mut self) -> Shelf<'_, Key> {
        let Self { baseline, added, gone, returned } = self;
        Shelf { known: &mut baseline.races, were: &mut baseline.gone, name: race, added, gone, returned }
    }

    fn claims(&mut self) -> Shelf<'_, Claim> {
        let Self { baseline, added, gone, returned } = self;
        Shelf {
            known: &mut baseline.claims,
            were: &mut baseline.gone_claims,
            name: claims::line,
            added,
            gone,
            returned,
        }
    }
}

/// What something is called, with a pair of its methods or as a whole.
type Name<K> = fn(&K, Option<&Pair>) -> String;

/// What is known by methods, of one sort, and where what changes is noted.
struct Shelf<'a, K> {
    known: &'a mut BTreeMap<K, Known>,
    /// What was known once.
    were: &'a mut BTreeMap<K, Known>,
    name: Name<K>,
    added: &'a mut Vec<String>,
    gone: &'a mut Vec<String>,
    returned: &'a mut Vec<String>,
}

impl<K: Ord + Clone> Shelf<'_, K> {
    fn lose(&mut self, key: K, lost: Known) {
        if let Some(known) = self.known.get_mut(&key) {
            known.pairs.retain(|pair, _| !lost.pairs.contains_key(pair));
            known.whole = known.whole.filter(|_| lost.whole.is_none());
            if *known == Known::default() {
                self.known.remove(&key);
            }
        }
        let whole = lost.whole.map(|_| (self.name)(&key, None));
        let pairs = lost.pairs.keys().map(|pair| (self.name)(&key, Some(pair)));
        self.gone.extend(whole.into_iter().chain(pairs));
        self.were.entry(key).or_default().absorb(lost);
    }

    fn learn(&mut self, key: K, seen: Known) {
        if let Some(grade) = seen.whole {
            self.learn_whole(&key, grade);
        } else if let Some(known) = self.known.get_mut(&key) {
            // From now on it is known by its methods.
            let whole = known.whole.take();
            self.learn_pairs(&key, seen, whole.map(|grade| Known { whole: Some(grade), ..Known::default() }).as_ref());
        } else {
            self.learn_pairs(&key, seen, None);
        }
    }

    /// What is known in whichever methods.
    fn learn_whole(&mut self, key: &K, grade: Option<Grade>) {
        let had = self.were.remove(key).is_some();
        if !self.known.contains_key(key) {
            if had { &mut *self.returned } else { &mut *self.added }.push((self.name)(key, None));
        }
        self.known.entry(key.clone()).or_default().whole = Some(grade);
    }

    fn learn_pairs(&mut self, key: &K, seen: Known, whole: Option<&Known>) {
        for (pair, grade) in seen.pairs {
            let knows = |known: Option<&Known>| known.is_some_and(|known| known.covers(&pair, grade));
            if !knows(self.known.get(key)) && !knows(whole) {
                let had = self.were.get(key).is_some_and(|were| were.covers(&pair, None));
                if had { &mut *self.returned } else { &mut *self.added }.push((self.name)(key, Some(&pair)));
            }
            self.known.entry(key.clone()).or_default().add(pair.clone(), grade);
            self.forget_that_it_was_gone(key, &pair);
        }
    }

    fn forget_that_it_was_gone(&mut self, key: &K, pair: &Pair) {
        if let Some(gone) = self.were.get_mut(key) {
            gone.pairs.retain(|gone, _| !gone.agrees(pair));
            gone.whole = None;
            if gone.pairs.is_empty() {
                self.were.remove(key);
            }
        }
    }
}

fn race(key: &Key, pair: Option<&Pair>) -> String {
    let between = pair.map(|pair| format!(": {}", dotted(&pair.text()))).unwrap_or_default();
    format!("{} on {}{between}", words::rule(key.rule), words::subject(&key.variable))
}

fn hazard(key: &HazardKey) -> String {
    format!("{} of {}", words::rule(key.rule), words::code(&key.subject))
}

#[cfg(test)]
mod tests {
    use facts::finding::{Access, Grade, Record, Rule};

    use super::super::fixtures::{access, conflict, field, file, finding, graded, hazard as hazard_of};
    use super::super::judge::Judges;
    use super::*;
    use crate::document::finding::News;

    /// A race of `bank.Account.NAME` between two methods.
    fn race_of(name: &str, methods: (&str, &str), line: u32) -> Record {
        let at = |method: &str, line, thread| {
            let mut access = access("write", line, thread, &[]);
            access.stack[0].method = method.to_owned();
            access
        };
        finding(field(name), vec![conflict(at(methods.0, line, 1), at(methods.1, line + 1, 2))])
    }

    fn update(before: &Baseline, records: Vec<Record>, keeps: bool) -> (Baseline, [Vec<String>; 3]) {
        let merged = file(1, records);
        let judges = Judges::default();
        let Updated { baseline, added, gone, returned } =
            updated(before, Some((&judges.judge(&merged), &merged)), &[], keeps);
        (baseline, [added, gone, returned])
    }

    fn statuses(baseline: &Baseline, records: Vec<Record>) -> Vec<(Status, Option<News>, usize)> {
        let merged = file(1, records);
        let judges = Judges::default().with_baseline(Some(baseline.clone()));
        let verdict = judges.judge(&merged);
        verdict.findings.iter().map(|judged| (judged.status, judged.news, judged.conflicts.len())).collect()
    }

    const XY: &str = "race on field bank.Account.a (int): bank.Account.x and bank.Account.y";
    const XZ: &str = "race on field bank.Account.a (int): bank.Account.x and bank.Account.z";

    #[test]
    fn races_are_known_by_their_methods_not_by_lines() {
        let (baseline, told) = update(&Baseline::default(), vec![race_of("a", ("x", "y"), 10)], false);
        assert_eq!(told, [vec![XY.to_owned()], vec![], vec![]]);
        let known = [(Status::Baseline, Some(News::Unchanged), 1)];
        assert_eq!(statuses(&baseline, vec![race_of("a", ("x", "y"), 50)]), known);
        assert_eq!(statuses(&baseline, vec![race_of("a", ("y", "x"), 50)]), known);
        // Another method of a known variable is news, and what is known beside it is not shown again.
        let more = vec![race_of("a", ("x", "y"), 10), race_of("a", ("x", "z"), 10)];
        assert_eq!(statuses(&baseline, more), [(Status::New, Some(News::Updated), 1)]);
        assert_eq!(statuses(&baseline, vec![race_of("b", ("x", "y"), 10)]), [(Status::New, Some(News::New), 1)]);
    }

    #[test]
    fn what_is_gone_is_said_and_what_came_back_counts() {
        let (both, _) =
            update(&Baseline::default(), vec![race_of("a", ("x", "y"), 10), race_of("a", ("x", "z"), 10)], false);
        let (one, told) = update(&both, vec![race_of("a", ("x", "y"), 10)], false);
        assert_eq!(told, [vec![], vec![XZ.to_owned()], vec![]]);
        assert_eq!(statuses(&one, vec![race_of("a", ("x", "z"), 10)]), [(Status::New, Some(News::Returned), 1)]);
        let (back, told) = update(&one, vec![race_of("a", ("x", "z"), 99)], false);
        assert_eq!(told, [vec![], vec![XY.to_owned()], vec![XZ.to_owned()]]);
        assert_eq!(statuses(&back, vec![race_of("a", ("x", "z"), 10)])[0].0, Status::Baseline);
        assert_eq!(statuses(&back, vec![race_of("a", ("x", "y"), 10)])[0].1, Some(News::Returned));
    }

    #[test]
    fn what_is_to_be_kept_is_not_gone() {
        let (both, _) =
            update(&Baseline::default(), vec![race_of("a", ("x", "y"), 10), race_of("b", ("x", "z"), 10)], false);
        let (kept, told) = update(&both, vec![race_of("a", ("x", "y"), 10)], true);
        assert_eq!((kept, told), (both, [vec![], vec![], vec![]]));
    }

    #[test]
    fn a_variable_that_was_known_as_a_whole_is_known_by_methods_from_now_on() {
        let whole = Known { whole: Some(None), ..Known::default() };
        let key = |name| Key { variable: field(name), rule: Rule::Race };
        let races = [(key("a"), whole.clone()), (key("b"), whole)];
        let old = Baseline { races: races.into(), ..Baseline::default() };
        let (new, told) = update(&old, vec![race_of("a", ("x", "y"), 10)], false);
        assert_eq!(told, [vec![], vec!["race on field bank.Account.b (int)".to_owned()], vec![]]);
        assert_eq!(statuses(&new, vec![race_of("a", ("x", "z"), 10)]), [(Status::New, Some(News::Updated), 1)]);
        assert_eq!(statuses(&new, vec![race_of("b", ("x", "z"), 10)]), [(Status::New, Some(News::Returned), 1)]);
    }

    #[test]
    fn hazards_are_gone_only_if_they_were_looked_for() {
        let looked = |records: Vec<Record>| [vec![Record::Checked(Rule::Atomicity)], records].concat();
        let (known, told) = update(&Baseline::default(), looked(vec![hazard_of("transfer", 20, 1)]), false);
        let name = "atomicity of method bank.Account.transfer".to_owned();
        assert_eq!(told, [vec![name.clone()], vec![], vec![]]);
        assert_eq!(update(&known, vec![], false), (known.clone(), [vec![], vec![], vec![]]));
        let (gone, told) = update(&known, looked(vec![]), false);
        assert_eq!(told, [vec![], vec![name.clone()], vec![]]);
        let (_, told) = update(&gone, looked(vec![hazard_of("transfer", 25, 1)]), false);
        assert_eq!(told, [vec![], vec![], vec![name]]);
    }

    #[test]
    fn a_surer_race_is_news_until_the_next_update() {
        let of = |grade| {
            let side = |thread| -> Access { access("write", 10, thread, &[]) };
            vec![finding(field("a"), vec![graded(Some(grade), conflict(side(1), side(2)))])]
        };
        let (possible, _) = update(&Baseline::default(), of(Grade::Possible), false);
        assert_eq!(statuses(&possible, of(Grade::Certain)), [(Status::New, Some(News::Updated), 1)]);
        let (certain, _) = update(&possible, of(Grade::Certain), false);
        assert_eq!(statuses(&certain, of(Grade::Certain))[0].0, Status::Baseline);
        let (still, _) = update(&certain, of(Grade::Possible), false);
        assert_eq!(still, certain);
    }
}
