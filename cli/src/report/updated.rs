//! What a baseline becomes when runs have been looked at.

use facts::name::dotted;

use super::baseline::{Baseline, Known};
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

/// The baseline with what a verdict without one counts, and without what was not seen, unless it `keeps` that.
pub fn updated(before: &Baseline, verdict: &Verdict<'_>, merged: &Merged, keeps: bool) -> Updated {
    let seen = Baseline::of(verdict);
    let lost = if keeps { super::judge::Gone::default() } else { gone(before, merged) };
    let mut after = Updated { baseline: before.clone(), added: Vec::new(), gone: Vec::new(), returned: Vec::new() };
    for (key, known) in lost.races {
        after.lose(key, known);
    }
    for key in lost.hazards {
        after.baseline.hazards.remove(&key);
        after.gone.push(hazard(&key));
        after.baseline.gone_hazards.insert(key);
    }
    for (key, known) in seen.races {
        after.learn(key, known);
    }
    for key in seen.hazards {
        let was_gone = after.baseline.gone_hazards.remove(&key);
        if !after.baseline.hazards.contains(&key) {
            if was_gone { &mut after.returned } else { &mut after.added }.push(hazard(&key));
            after.baseline.hazards.insert(key);
        }
    }
    after
}

impl Updated {
    fn lose(&mut self, key: Key, lost: Known) {
        if let Some(known) = self.baseline.races.get_mut(&key) {
            known.pairs.retain(|pair, _| !lost.pairs.contains_key(pair));
            known.whole = known.whole.filter(|_| lost.whole.is_none());
            if *known == Known::default() {
                self.baseline.races.remove(&key);
            }
        }
        self.gone.extend(races(&key, &lost));
        self.baseline.gone.entry(key).or_default().absorb(lost);
    }

    fn learn(&mut self, key: Key, seen: Known) {
        for (pair, grade) in seen.pairs {
            if !self.baseline.knows(&key, &pair, grade) {
                let text = race(&key, Some(&pair));
                if self.baseline.had(&key, &pair) { &mut self.returned } else { &mut self.added }.push(text);
            }
            let known = self.baseline.races.entry(key.clone()).or_default();
            known.add(pair.clone(), grade);
            self.forget_that_it_was_gone(&key, &pair);
        }
        // From now on it is known by its methods.
        if let Some(known) = self.baseline.races.get_mut(&key) {
            known.whole = None;
        }
    }

    fn forget_that_it_was_gone(&mut self, key: &Key, pair: &Pair) {
        if let Some(gone) = self.baseline.gone.get_mut(key) {
            gone.pairs.retain(|gone, _| !gone.agrees(pair));
            gone.whole = None;
            if gone.pairs.is_empty() {
                self.baseline.gone.remove(key);
            }
        }
    }
}

fn races(key: &Key, known: &Known) -> Vec<String> {
    let whole = known.whole.map(|_| race(key, None));
    whole.into_iter().chain(known.pairs.keys().map(|pair| race(key, Some(pair)))).collect()
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
        let Updated { baseline, added, gone, returned } = updated(before, &judges.judge(&merged), &merged, keeps);
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
