//! What is found without a run, as a baseline knows it: by rule, by what it is about, and by the methods that have to do with it.
//!
//! Lines are no part of it (see [`super::identity`]). A race has two methods; what one place does wrong has its method twice; what is
//! wrong with a declaration has none. Claims stand beside what runs have found and are told from it, so one file can be the baseline of all
//! commands: each asks for, and misses, its own rules only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use facts::name::dotted;
use schemars::JsonSchema;
use serde::Serialize;

use super::baseline::{self, Baseline, Claim, ClaimEntry, Entries, Known, unseen};
use super::identity::{Pair, SCHEME};
use super::moved::Methods;
use super::words::printable;
use crate::document::finding::{Finding, News, Rule, Standing, capital};
use crate::settings::Settings;

/// Claims, each with the methods that have to do with it.
pub type Claims = BTreeMap<Claim, BTreeSet<Pair>>;

/// What was known before.
#[derive(Debug)]
pub struct Since {
    baseline: Baseline,
    /// By which it is looked for again.
    rules: Vec<&'static str>,
    /// The methods then and now, if they are known.
    builds: Option<[Methods; 2]>,
}

impl Since {
    /// The path that is named, or else that of the option `baseline`.
    ///
    /// # Errors
    /// An option is bad.
    pub fn path(named: Option<&Path>) -> Result<Option<PathBuf>> {
        match named {
            Some(path) => Ok(Some(path.to_owned())),
            None => Ok(Settings::gather(Vec::new())?.options().baseline.clone()),
        }
    }

    /// What the file that is named, or else that of the option `baseline`, knows by some rules.
    ///
    /// # Errors
    /// It cannot be read, is no baseline, or is the document of a command with other rules; or an option is bad.
    pub fn read(named: Option<&Path>, rules: Vec<&'static str>) -> Result<Option<Self>> {
        let Some(path) = Self::path(named)? else { return Ok(None) };
        ensure!(
            !has_classes(&path),
            "`{}` is no document of findings: only `jrace races`, without --modular, compares with an earlier build of the classes; give what this \
             command has written with --json",
            path.display()
        );
        let baseline = baseline::read(&path)?;
        let others = &baseline.looked_for;
        ensure!(
            others.is_empty() || rules.iter().any(|rule| others.contains(*rule)),
            "`{}` is of another command and knows nothing of {}: give what this command has written with --json",
            path.display(),
            rules[0]
        );
        Ok(Some(Self { baseline, rules, builds: None }))
    }

    /// What was claimed of an earlier build, by methods of then and now.
    pub fn build(claims: &Claims, rules: Vec<&'static str>, builds: [Methods; 2]) -> Self {
        Self { baseline: Baseline { claims: known(claims), ..Baseline::default() }, rules, builds: Some(builds) }
    }

    /// Whether a claim was known in these methods, or in all that came to them then.
    pub fn knows(&self, claim: &Claim, pair: &Pair) -> bool {
        let Some(known) = self.baseline.claims.get(claim) else { return false };
        let Some([then, now]) = &self.builds else { return known.covers(pair, None) };
        let before: BTreeSet<Pair> = known.pairs.keys().flat_map(|pair| then.pairs_in(now, pair)).collect();
        now.pairs_in(then, pair).iter().all(|pair| known.covers(pair, None) || before.contains(pair))
    }

    /// How a claim stands to what was known.
    pub fn news(&self, claim: &Claim, pairs: &BTreeSet<Pair>) -> News {
        let (known, gone) = (self.baseline.claims.get(claim), self.baseline.gone_claims.get(claim));
        let had = |gone: &Known| pairs.is_empty() || pairs.iter().any(|pair| gone.covers(pair, None));
        match known {
            Some(_) if pairs.iter().all(|pair| self.knows(claim, pair)) => News::Unchanged,
            _ if gone.is_some_and(had) => News::Returned,
            Some(_) => News::Updated,
            None => News::New,
        }
    }

    /// What was known and is not among what was seen, as far as anybody has looked for it.
    fn gone(&self, seen: &Claims) -> BTreeMap<Claim, Known> {
        let is_looked_for = |claim: &Claim| self.rules.contains(&claim.rule.as_str());
        let gone = unseen(&self.baseline.claims, seen).filter(|(claim, _)| is_looked_for(claim));
        let left = |(claim, known): (Claim, Known)| Some((self.left(known, seen.get(&claim))?, claim));
        gone.filter_map(left).map(|(known, claim)| (claim, known)).collect()
    }

    /// What is left of what was known and not seen in the same methods, but for what is done in others now.
    fn left(&self, mut known: Known, seen: Option<&BTreeSet<Pair>>) -> Option<Known> {
        let Some(([then, now], seen)) = self.builds.as_ref().zip(seen) else { return Some(known) };
        let seen: BTreeSet<Pair> = seen.iter().flat_map(|pair| now.pairs_in(then, pair)).collect();
        known.pairs.retain(|pair, _| then.pairs_in(now, pair).is_disjoint(&seen));
        (!known.pairs.is_empty()).then_some(known)
    }
}

/// Whether a path is that of classes: of a directory, a jar, or all jars of a directory.
pub fn has_classes(path: &Path) -> bool {
    let is_archive = || {
        let mut magic = [0; 4];
        File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *b"PK\x03\x04"
    };
    path.is_dir() || path.file_name().is_some_and(|name| name == "*") || is_archive()
}

/// What of it the file is to know. What has no method is known whatever method it has later.
pub fn known(claims: &Claims) -> BTreeMap<Claim, Known> {
    let known = |pairs: &BTreeSet<Pair>| Known {
        whole: pairs.is_empty().then_some(None),
        pairs: pairs.iter().map(|pair| (pair.clone(), None)).collect(),
    };
    claims.iter().map(|(claim, pairs)| (claim.clone(), known(pairs))).collect()
}

/// By what a later look knows this one again: members of the documents of `jrace races` and `jrace check`.
#[derive(Serialize, JsonSchema, Debug, Default)]
pub struct Identities {
    /// Version of the rules by which findings are told apart.
    pub identity: u32,
    /// The rules by which claims were looked for.
    pub looked_for: Vec<&'static str>,
    /// Every claim that is reported, or known.
    pub claims: Vec<ClaimEntry>,
    /// What the baseline knows and was not seen; `null` without one.
    pub gone: Option<Entries>,
    /// How many findings the baseline knows.
    #[serde(skip)]
    pub n_known: usize,
    /// What is gone.
    #[serde(skip)]
    lost: BTreeMap<Claim, Known>,
    /// That of which nothing was seen.
    #[serde(skip)]
    whole: BTreeSet<Claim>,
}

impl Identities {
    /// Those of claims by these rules; `seen` are those that are not reported, too.
    pub fn of(since: Option<&Since>, looked_for: Vec<&'static str>, claims: &Claims, seen: &Claims) -> Self {
        let gone = since.map(|since| since.gone(seen));
        let whole = gone.iter().flatten().map(|(claim, _)| claim).filter(|claim| !seen.contains_key(*claim));
        Self {
            identity: SCHEME,
            n_known: 0,
            claims: ClaimEntry::all(&known(claims)),
            whole: whole.cloned().collect(),
            gone: gone.as_ref().map(Entries::of_claims),
            lost: gone.unwrap_or_default(),
            looked_for,
        }
    }

    /// What is gone, a line each.
    pub fn gone_lines(&self) -> Vec<String> {
        self.lost.iter().flat_map(|(claim, known)| lines(claim, known)).map(|line| format!("gone: {line}")).collect()
    }

    /// What is gone, as findings by a rule for each claim.
    pub fn gone_findings(&self, rule: impl Fn(&Claim) -> &'static Rule) -> Vec<Finding<'static>> {
        let finding = |claim: &Claim| Finding {
            claim: capital(&format!("{} was not seen any more", line(claim, None))),
            ..Finding::new(rule(claim), Standing::Gone, printable(&claim.name))
        };
        self.whole.iter().map(finding).collect()
    }

    /// How many findings are gone.
    pub fn n_gone(&self) -> usize {
        self.whole.len()
    }

    /// `; 2 in baseline, 1 gone`; nothing without a baseline.
    pub fn summary(&self) -> String {
        let told = |_: &Entries| format!("; {} in baseline, {} gone", self.n_known, self.n_gone());
        self.gone.as_ref().map(told).unwrap_or_default()
    }
}

/// What is known of a claim, in words: a line for each pair of methods.
pub fn lines(claim: &Claim, known: &Known) -> Vec<String> {
    let whole = known.whole.map(|_| line(claim, None));
    whole.into_iter().chain(known.pairs.keys().map(|pair| line(claim, Some(pair)))).collect()
}

/// `race on field bank.Account.balance (int): bank.Account.audit and bank.Account.deposit`.
pub fn line(claim: &Claim, pair: Option<&Pair>) -> String {
    let methods = pair.map(|pair| format!(": {}", dotted(&pair.text()))).unwrap_or_default();
    format!("{} {} {}{methods}", claim.rule, if claim.rule == "race" { "on" } else { "of" }, claim.name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::updated::{Updated, updated};
    use super::*;

    const RULES: [&str; 2] = ["race", "no-lock"];

    /// A few claims, with methods of which some are in common.
    fn claims() -> impl Strategy<Value = Claims> {
        let pair = (0..3u8, 0..3u8).prop_map(|(a, b)| [a, b].map(|n| Some(format!("a/B.m{n}"))));
        let pairs = prop::collection::btree_set(pair.prop_map(|[a, b]| Pair::new(a, b)), 1..4);
        let claim = (0..2usize, 0..3u8).prop_map(|(rule, name)| claim(RULES[rule], name));
        prop::collection::btree_map(claim, pairs, 0..5)
    }

    fn claim(rule: &str, name: u8) -> Claim {
        Claim { rule: rule.to_owned(), name: format!("field a.B.f{name} (int)") }
    }

    /// What was written of these claims, read again.
    fn document(claims: &Claims) -> Baseline {
        let identities = Identities::of(None, RULES.to_vec(), claims, claims);
        let mut text = serde_json::to_value(identities).unwrap();
        text["format"] = 1.into();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("document.json");
        std::fs::write(&path, text.to_string()).unwrap();
        baseline::read(&path).unwrap()
    }

    fn update(before: &Baseline, claims: &Claims) -> Updated {
        updated(before, None, &[document(claims)], false)
    }

    fn since(baseline: Baseline) -> Since {
        Since { baseline, rules: RULES.to_vec(), builds: None }
    }

    /// Every claim with each of its pairs, in words.
    fn all(claims: &Claims) -> BTreeSet<String> {
        claims.iter().flat_map(|(claim, pairs)| pairs.iter().map(|pair| line(claim, Some(pair)))).collect()
    }

    proptest! {
        /// What is new and gone is the difference of two sets of claims with their pairs.
        #[test]
        fn what_is_new_and_gone_is_a_difference(before in claims(), after in claims()) {
            let since = since(document(&before));
            let (old, new) = (all(&before), all(&after));
            for (claim, pairs) in &after {
                let is_known = |pair: &Pair| old.contains(&line(claim, Some(pair)));
                let expected = match before.contains_key(claim) {
                    false => News::New,
                    true if pairs.iter().all(is_known) => News::Unchanged,
                    true => News::Updated,
                };
                prop_assert_eq!(since.news(claim, pairs), expected);
                prop_assert!(pairs.iter().all(|pair| since.knows(claim, pair) == is_known(pair)));
            }
            let identities = Identities::of(Some(&since), RULES.to_vec(), &after, &after);
            let gone: BTreeSet<String> = identities.gone_lines().into_iter().collect();
            prop_assert_eq!(gone, old.difference(&new).map(|line| format!("gone: {line}")).collect::<BTreeSet<_>>());
            prop_assert_eq!(identities.n_gone(), before.keys().filter(|claim| !after.contains_key(*claim)).count());
        }

        /// An update adds and takes out the same difference; then everything is known, and what was taken out comes back.
        #[test]
        fn an_update_leaves_nothing_new(before in claims(), after in claims()) {
            let (old, new) = (all(&before), all(&after));
            let known = update(&Baseline::default(), &before).baseline;
            let updated = update(&known, &after);
            let lines = |lines: Vec<String>| lines.into_iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(lines(updated.added), new.difference(&old).cloned().collect::<BTreeSet<_>>());
            prop_assert_eq!(lines(updated.gone), old.difference(&new).cloned().collect::<BTreeSet<_>>());
            let text = baseline::text(&updated.baseline).unwrap();
            let directory = tempfile::tempdir().unwrap();
            std::fs::write(directory.path().join("known.json"), text).unwrap();
            let known = baseline::read(&directory.path().join("known.json")).unwrap();
            prop_assert_eq!(&known, &updated.baseline);
            let since = since(known.clone());
            prop_assert!(after.iter().all(|(claim, pairs)| since.news(claim, pairs) == News::Unchanged));
            prop_assert!(since.gone(&after).is_empty());
            let back = update(&known, &before);
            prop_assert_eq!(lines(back.returned), old.difference(&new).cloned().collect::<BTreeSet<_>>());
            prop_assert!(back.added.is_empty());
        }
    }

    #[test]
    fn what_runs_have_found_and_other_commands_claim_is_no_matter() {
        let claims = Claims::from([(claim("race", 0), BTreeSet::new()), (claim("no-lock", 1), BTreeSet::new())]);
        let known = update(&Baseline::default(), &claims).baseline;
        let since = Since { baseline: known.clone(), rules: vec!["race"], builds: None };
        let gone = Identities::of(Some(&since), vec!["race"], &Claims::new(), &Claims::new());
        assert_eq!(gone.gone_lines(), ["gone: race on field a.B.f0 (int)"]);
        let mut races = document(&Claims::new());
        races.looked_for = ["race".to_owned()].into();
        let after = updated(&known, None, &[races], false);
        assert_eq!((after.gone, after.baseline.claims.len()), (vec!["race on field a.B.f0 (int)".to_owned()], 1));
        assert_eq!(update(&after.baseline, &claims).returned, ["race on field a.B.f0 (int)"]);
    }
}
