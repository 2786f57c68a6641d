//! The baseline: findings that are known, so that only new ones count.
//!
//! `{"format": 2, "identity": 1, "findings": [{"rule": "race", "name": "bank.Account.balance", "variable": {…}, "pairs": [{"methods":
//! ["bank/Account.audit", "bank/Account.deposit"]}]}]}`. Races are known by rule, variable and the two methods, see
//! [`super::identity`], whose version `identity` is; hazards, in a list of that name, by rule and code (`subject`). Other members are
//! ignored, so the document of `jrace report --json` is a baseline too.
//!
//! A pair that was possible when the baseline was made has `"grade": "possible"`: only that is known, so a certain race there is news.
//! One that was not graded, or was certain, is known whatever is found later.
//!
//! A file of format 1 has no `pairs`: of its variables, races in any methods are known, by the `grade` of the whole finding.
//!
//! What an update did not see any more is in `gone`, in the same form: if it is seen again, it has come back, and counts.
//!
//! What is found without a run stands in `claims`: by rule, by what it is about, and by methods ([`super::claims`]). So the documents of
//! `jrace races --json` and `jrace check --json` are baselines, too; they also say which rules were `looked_for`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use facts::finding::{Grade, Rule, Subject, Variable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::generated::stable;
use super::grade::surest;
use super::identity::{self, Pair, SCHEME};
use super::merge::{HazardKey, Key};
use super::words;

/// Version of the file.
pub const FORMAT: u32 = 2;

/// What is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    /// Races.
    pub races: BTreeMap<Key, Known>,
    /// Hazards.
    pub hazards: BTreeSet<HazardKey>,
    /// Races that were known once, and were not seen at an update.
    pub gone: BTreeMap<Key, Known>,
    /// Hazards likewise.
    pub gone_hazards: BTreeSet<HazardKey>,
    /// What is claimed without a run.
    pub claims: BTreeMap<Claim, Known>,
    /// Claims that were known once.
    pub gone_claims: BTreeMap<Claim, Known>,
    /// The rules by which claims were made, if it is the document of one look.
    pub looked_for: BTreeSet<String>,
}

/// What claims are known by, besides methods.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Claim {
    /// `race`, or a rule of `jrace check`.
    pub rule: String,
    /// What it is about: `field bank.Account.balance (int)`.
    pub name: String,
}

/// What is known of the races of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// The grade, if races in any methods are known.
    pub whole: Option<Option<Grade>>,
    /// The methods, with the grade that each pair had.
    pub pairs: BTreeMap<Pair, Option<Grade>>,
}

impl Known {
    /// Adds a pair. Of two grades the surer one stays.
    pub fn add(&mut self, pair: Pair, grade: Option<Grade>) {
        let known = self.pairs.entry(pair).or_insert(grade);
        *known = surest([*known, grade]);
    }

    /// Whether a race of these methods and this grade is known.
    pub fn covers(&self, pair: &Pair, grade: Option<Grade>) -> bool {
        let is_enough = |known: &Option<Grade>| known.is_none() || grade.is_none() || grade >= *known;
        let mut of_pair = self.pairs.iter().filter(|(known, _)| known.agrees(pair)).map(|(_, grade)| grade);
        self.whole.iter().any(is_enough) || of_pair.any(is_enough)
    }

    /// The pairs that were not seen, if there are any.
    fn without(&self, seen: &BTreeSet<Pair>) -> Option<Self> {
        let is_seen = |pair: &Pair| seen.iter().any(|seen| seen.agrees(pair));
        let pairs = self.pairs.iter().filter(|(pair, _)| !is_seen(pair));
        let pairs: BTreeMap<_, _> = pairs.map(|(pair, grade)| (pair.clone(), *grade)).collect();
        (!pairs.is_empty()).then_some(Self { whole: None, pairs })
    }

    /// Both together.
    pub fn absorb(&mut self, other: Self) {
        self.whole = match (self.whole, other.whole) {
            (Some(a), Some(b)) => Some(surest([a, b])),
            (a, b) => a.or(b),
        };
        other.pairs.into_iter().for_each(|(pair, grade)| self.add(pair, grade));
    }
}

impl Baseline {
    /// Whether a race of these methods and this grade is known. What no check has graded claims no more than what any has.
    pub fn knows(&self, key: &Key, pair: &Pair, grade: Option<Grade>) -> bool {
        self.races.get(key).is_some_and(|known| known.covers(pair, grade))
    }

    /// Whether it was known once.
    pub fn had(&self, key: &Key, pair: &Pair) -> bool {
        self.gone.get(key).is_some_and(|gone| gone.covers(pair, None))
    }

    /// How much there is: variables, code and claims.
    pub fn len(&self) -> usize {
        self.races.len() + self.hazards.len() + self.claims.len()
    }

    /// Whether some of it is known by variable only.
    pub fn is_coarse(&self) -> bool {
        self.races.values().any(|known| known.whole.is_some())
    }
}

/// What is known and was not seen: all that is known of a key of which nothing was, else the pairs.
pub fn unseen<K: Ord + Clone>(
    known: &BTreeMap<K, Known>,
    seen: &BTreeMap<K, BTreeSet<Pair>>,
) -> impl Iterator<Item = (K, Known)> {
    known.iter().filter_map(|(key, known)| {
        let left = match seen.get(key) {
            Some(seen) => known.without(seen),
            None => Some(known.clone()),
        };
        left.map(|left| (key.clone(), left))
    })
}

/// All of it.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Document {
    format: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    identity: Option<u32>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    looked_for: BTreeSet<String>,
    #[serde(flatten)]
    known: Entries,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gone: Option<Entries>,
}

/// Findings as they stand in the file.
#[derive(Serialize, Deserialize, JsonSchema, Default, Debug)]
pub struct Entries {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<Entry>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hazards: Vec<HazardEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claims: Option<Vec<ClaimEntry>>,
}

/// A claim as it stands in the file; without pairs, it is known in any methods.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
pub struct ClaimEntry {
    rule: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<PairEntry>>,
}

impl ClaimEntry {
    /// As they are written.
    pub fn all(claims: &BTreeMap<Claim, Known>) -> Vec<Self> {
        let entry = |(claim, known): (&Claim, &Known)| Self {
            rule: claim.rule.clone(),
            name: claim.name.clone(),
            pairs: known.whole.is_none().then(|| PairEntry::all(&known.pairs)),
        };
        claims.iter().map(entry).collect()
    }

    fn read(self) -> (Claim, Known) {
        let Self { rule, name, pairs } = self;
        (Claim { rule, name }, Known::of(None, pairs))
    }
}

#[derive(Serialize, Deserialize, JsonSchema, Debug)]
struct HazardEntry {
    rule: Rule,
    #[serde(default)]
    name: String,
    subject: Subject,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug)]
struct Entry {
    rule: Rule,
    #[serde(default)]
    name: String,
    variable: Variable,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grade: Option<Grade>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<PairEntry>>,
}

/// A pair of methods as it stands in the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PairEntry {
    /// `null` for one that was not kept.
    methods: Pair,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grade: Option<Grade>,
}

impl PairEntry {
    /// Those of a variable.
    pub fn all(pairs: &BTreeMap<Pair, Option<Grade>>) -> Vec<Self> {
        pairs.iter().map(|(pair, grade)| Self { methods: pair.clone(), grade: *grade }).collect()
    }
}

impl Entries {
    /// As they are written.
    pub fn of(races: &BTreeMap<Key, Known>, hazards: &BTreeSet<HazardKey>) -> Self {
        let findings = races.iter().map(|(key, known)| Entry {
            rule: key.rule,
            name: words::variable_name(&key.variable),
            variable: key.variable.clone(),
            grade: known.whole.flatten(),
            pairs: known.whole.is_none().then(|| PairEntry::all(&known.pairs)),
        });
        let hazards = hazards.iter().map(|key| HazardEntry {
            rule: key.rule,
            name: words::subject_name(&key.subject),
            subject: key.subject.clone(),
        });
        Self { findings: Some(findings.collect()), hazards: hazards.collect(), claims: None }
    }

    /// Claims alone.
    pub fn of_claims(claims: &BTreeMap<Claim, Known>) -> Self {
        Self { claims: Some(ClaimEntry::all(claims)), ..Self::default() }
    }

    /// The same with claims, if there are any.
    fn with_claims(self, claims: &BTreeMap<Claim, Known>) -> Self {
        Self { claims: Some(ClaimEntry::all(claims)).filter(|claims| !claims.is_empty()), ..self }
    }

    fn is_empty(&self) -> bool {
        let Self { findings, hazards, claims } = self;
        findings.iter().flatten().next().is_none() && hazards.is_empty() && claims.iter().flatten().next().is_none()
    }

    fn read(self) -> Read {
        let mut read = Read::default();
        for Entry { rule, variable, grade, pairs, .. } in self.findings.into_iter().flatten() {
            let key = identity::steady_key(&Key { variable, rule });
            read.races.entry(key).or_default().absorb(Known::of(grade, pairs));
        }
        let hazard =
            |entry: HazardEntry| identity::steady_hazard(&HazardKey { subject: entry.subject, rule: entry.rule });
        read.hazards = self.hazards.into_iter().map(hazard).collect();
        for (claim, known) in self.claims.into_iter().flatten().map(ClaimEntry::read) {
            read.claims.entry(claim).or_default().absorb(known);
        }
        read
    }
}

/// What entries say.
#[derive(Default)]
struct Read {
    races: BTreeMap<Key, Known>,
    hazards: BTreeSet<HazardKey>,
    claims: BTreeMap<Claim, Known>,
}

impl Known {
    /// What an entry says; without pairs, the grade is that of the whole.
    fn of(grade: Option<Grade>, pairs: Option<Vec<PairEntry>>) -> Self {
        let mut known = Self { whole: pairs.is_none().then_some(grade), ..Self::default() };
        for PairEntry { methods, grade } in pairs.into_iter().flatten() {
            known.add(methods.steady(), grade);
        }
        known
    }
}

/// Reads a baseline.
///
/// # Errors
/// An unreadable file, or one that is no baseline.
pub fn read(path: &Path) -> Result<Baseline> {
    let text = std::fs::read_to_string(path).with_context(|| {
        format!("cannot read the baseline `{}`; write one with `jrace baseline update FILE`", path.display())
    })?;
    parse(&text).with_context(|| format!("`{}` is no baseline", path.display()))
}

/// Findings as the text of a baseline: sorted, so that it can be kept under version control.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn text(known: &Baseline) -> Result<String> {
    let gone = Entries::of(&known.gone, &known.gone_hazards).with_claims(&known.gone_claims);
    let known = Entries::of(&known.races, &known.hazards).with_claims(&known.claims);
    let gone = Some(gone).filter(|gone| !gone.is_empty());
    let document = Document { format: FORMAT, identity: Some(SCHEME), looked_for: BTreeSet::new(), known, gone };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn parse(text: &str) -> Result<Baseline> {
    let remedy = "write one with `jrace baseline update FILE`";
    let document: Document = serde_json::from_str(&stable(text)).context(remedy)?;
    if document.format > FORMAT {
        bail!("its format {} is newer than this jrace reads ({FORMAT}); update jrace", document.format);
    }
    if let Some(scheme) = document.identity.filter(|scheme| *scheme > SCHEME) {
        bail!("it tells findings apart by rules {scheme}, and this jrace knows those up to {SCHEME}; update jrace");
    }
    if document.known.findings.is_none() && document.known.claims.is_none() {
        return Err(anyhow!("missing field `findings`").context(remedy));
    }
    let Read { races, hazards, claims } = document.known.read();
    let Read { races: gone, hazards: gone_hazards, claims: gone_claims } = document.gone.unwrap_or_default().read();
    Ok(Baseline { races, hazards, gone, gone_hazards, claims, gone_claims, looked_for: document.looked_for })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::fixtures::field;
    use super::*;

    fn pair(a: &str, b: &str) -> Pair {
        Pair::new(Some(format!("bank/Account.{a}")), Some(format!("bank/Account.{b}")))
    }

    #[test]
    fn baselines_survive_writing() {
        let race = |name: &str, grade| {
            let mut known = Known::default();
            known.add(pair("read", "write"), grade);
            (Key { variable: field(name), rule: Rule::Race }, known)
        };
        let races = [race("b", Some(Grade::Possible)), race("a", None)];
        let known = Baseline { races: races.into(), gone: [race("c", None)].into(), ..Baseline::default() };
        let text = text(&known).unwrap();
        assert_eq!(parse(&text).unwrap(), known);
        expect![[r#"
            {
              "format": 2,
              "identity": 1,
              "findings": [
                {
                  "rule": "race",
                  "name": "bank.Account.a",
                  "variable": {
                    "kind": "field",
                    "class": "bank/Account",
                    "name": "a",
                    "descriptor": "I"
                  },
                  "pairs": [
                    {
                      "methods": [
                        "bank/Account.read",
                        "bank/Account.write"
                      ]
                    }
                  ]
                },
                {
                  "rule": "race",
                  "name": "bank.Account.b",
                  "variable": {
                    "kind": "field",
                    "class": "bank/Account",
                    "name": "b",
                    "descriptor": "I"
                  },
                  "pairs": [
                    {
                      "methods": [
                        "bank/Account.read",
                        "bank/Account.write"
                      ],
                      "grade": "possible"
                    }
                  ]
                }
              ],
              "gone": {
                "findings": [
                  {
                    "rule": "race",
                    "name": "bank.Account.c",
                    "variable": {
                      "kind": "field",
                      "class": "bank/Account",
                      "name": "c",
                      "descriptor": "I"
                    },
                    "pairs": [
                      {
                        "methods": [
                          "bank/Account.read",
                          "bank/Account.write"
                        ]
                      }
                    ]
                  }
                ]
              }
            }
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn hazards_survive_writing() {
        let subject = Subject::Methods { names: vec!["a/B.m".into(), "a/B.n".into()] };
        let known = Baseline { hazards: [HazardKey { subject, rule: Rule::Deadlock }].into(), ..Baseline::default() };
        assert_eq!(parse(&text(&known).unwrap()).unwrap(), known);
    }

    /// Of each grade that the file has, alone and of several entries, whether a certain race is known.
    const KNOWN: [(&[&str], bool); 6] = [
        (&[""], true),
        (&[r#","grade":"certain""#], true),
        (&[r#","grade":null"#], true),
        (&[r#","grade":"possible""#], false),
        (&[r#","grade":"possible""#, r#","grade":"certain""#], true),
        (&["", r#","grade":"possible""#], true),
    ];

    fn known(entry: impl Fn(&str, &str) -> String, grades: &[&str], key: &Key) -> [bool; 3] {
        let variable = serde_json::to_string(&key.variable).unwrap();
        let entries = grades.iter().map(|grade| entry(&variable, grade)).collect::<Vec<_>>().join(",");
        let known = parse(&format!(r#"{{"format":1,"findings":[{entries}]}}"#)).unwrap();
        [Some(Grade::Certain), None, Some(Grade::Possible)].map(|grade| known.knows(key, &pair("read", "write"), grade))
    }

    #[test]
    fn of_what_was_possible_only_that_is_known() {
        let key = Key { variable: field("a"), rule: Rule::Race };
        let whole = |variable: &str, grade: &str| format!(r#"{{"rule":"race","variable":{variable}{grade}}}"#);
        let pairs = |methods: &'static str| {
            move |variable: &str, grade: &str| {
                format!(r#"{{"rule":"race","variable":{variable},"pairs":[{{"methods":[{methods}]{grade}}}]}}"#)
            }
        };
        for (grades, knows_certain) in KNOWN {
            let expected = [knows_certain, true, true];
            assert_eq!(known(whole, grades, &key), expected, "{grades:?}");
            for methods in
                [r#""bank/Account.write","bank/Account.read""#, r#"null,"bank/Account.write""#, r#"null,null"#]
            {
                assert_eq!(known(pairs(methods), grades, &key), expected, "{methods} {grades:?}");
            }
            let others = r#""bank/Account.write","bank/Account.write""#;
            assert_eq!(known(pairs(others), grades, &key), [false; 3], "{grades:?}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        for (text, expected) in [
            (r#"{"format":3,"findings":[]}"#, "its format 3 is newer than this jrace reads (2); update jrace"),
            (
                r#"{"format":2,"identity":9,"findings":[]}"#,
                "it tells findings apart by rules 9, and this jrace knows those up to 1; update jrace",
            ),
            ("{}", "write one with `jrace baseline update FILE`"),
            ("[1]", "write one with `jrace baseline update FILE`"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
    }
}
