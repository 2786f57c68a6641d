//! Findings that are told as one: the first in full, the others by name and place.
//!
//! Possible and unlikely races belong together where the same two threads met under the same locks: most often an object was handed over, with all
//! that it refers to. Other races do where the same two methods met in fields of one class. The advice is the same for all of an entry.

use std::collections::{BTreeMap, BTreeSet};

use facts::finding::{Access, Variable};
use facts::index::{ObjectId, ThreadId};

use super::grade::Part;
use super::hint::hint;
use super::judge::Judged;
use super::merge::{JvmId, Sighting};

/// Findings that are told as one.
pub struct Entry<'v, 'a> {
    /// The one that is shown.
    pub first: &'v Judged<'a>,
    /// The others, in their order.
    pub likewise: Vec<&'v Judged<'a>>,
}

/// What findings of one entry have in common, besides their [`hint()`].
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Common<'v> {
    /// The threads, each with its locks.
    Threads(JvmId, BTreeSet<(ThreadId, BTreeSet<ObjectId>)>),
    /// The class whose fields they are, and the methods of the accesses.
    Methods(&'v str, BTreeSet<(&'v str, &'v str)>),
}

/// The entries of some findings, each where its first one stands.
pub fn of<'v, 'a>(findings: impl Iterator<Item = &'v Judged<'a>>) -> Vec<Entry<'v, 'a>> {
    let mut entries: Vec<Entry<'v, 'a>> = Vec::new();
    let mut known = BTreeMap::new();
    for judged in findings {
        let common = common(judged).map(|common| (common, hint(&judged.key.variable, &judged.conflicts)));
        match common.as_ref().and_then(|common| known.get(common)) {
            Some(&at) => {
                let entry: &mut Entry<'_, '_> = &mut entries[at];
                entry.likewise.push(judged);
            }
            None => {
                known.extend(common.map(|common| (common, entries.len())));
                entries.push(Entry { first: judged, likewise: Vec::new() });
            }
        }
    }
    entries
}

/// What a finding may have in common with others, by the conflict that is shown; `None` if too little of it is known.
fn common<'v>(judged: &'v Judged<'_>) -> Option<Common<'v>> {
    let sighting: &Sighting = judged.conflicts.first()?;
    let accesses = [&sighting.conflict.current, &sighting.conflict.previous];
    if judged.part() > Part::Races {
        return Some(Common::Threads(sighting.jvm, all(accesses, under)?));
    }
    match &judged.key.variable {
        Variable::Field { class, .. } | Variable::Static { class, .. } => {
            Some(Common::Methods(class, all(accesses, method)?))
        }
        _ => None,
    }
}

fn all<'v, T: Ord>(accesses: [&'v Access; 2], part: impl Fn(&'v Access) -> Option<T>) -> Option<BTreeSet<T>> {
    accesses.into_iter().map(part).collect()
}

/// Thread 0 is any that is not known.
fn under(access: &Access) -> Option<(ThreadId, BTreeSet<ObjectId>)> {
    let locks = access.locks.as_ref()?.iter().map(|lock| lock.id).collect();
    (access.thread.id != ThreadId(0)).then_some((access.thread.id, locks))
}

fn method(access: &Access) -> Option<(&str, &str)> {
    access.stack.first().map(|place| (place.class.as_str(), place.method.as_str()))
}

#[cfg(test)]
mod tests {
    use facts::finding::{Conflict, Grade, Record};

    use super::super::fixtures::{access, conflict, field, file, finding, graded};
    use super::super::judge::Judges;
    use super::super::words;
    use super::*;

    /// A race of a field, between two threads with one lock each.
    fn race(name: &str, grade: Grade, sides: [(&str, u32, &[&str]); 2]) -> Record {
        let [current, previous] = sides.map(|(kind, thread, locks)| access(kind, 10, thread, locks));
        let pair: Conflict = graded(Some(grade), conflict(current, previous));
        finding(field(name), vec![pair])
    }

    /// The fields of each entry.
    fn entries(records: Vec<Record>) -> Vec<Vec<String>> {
        let (judges, merged) = (Judges::default(), file(1, records));
        let verdict = judges.judge(&merged);
        let name = |judged: &Judged<'_>| words::variable_name(&judged.key.variable).replace("bank.Account.", "");
        let entries = of(verdict.findings.iter());
        entries
            .iter()
            .map(|entry| std::iter::once(&entry.first).chain(&entry.likewise).map(|it| name(it)).collect())
            .collect()
    }

    #[test]
    fn what_the_same_threads_met_in_is_one_entry() {
        let possible = |name: &str, sides| race(name, Grade::Possible, sides);
        let records = vec![
            possible("a", [("write", 1, &["o5"]), ("read", 2, &["o6"])]),
            possible("b", [("read", 2, &["o6"]), ("write", 1, &["o5"])]),
            possible("c", [("write", 1, &["o5"]), ("read", 3, &["o6"])]),
            possible("d", [("write", 1, &["o5"]), ("read", 2, &["o7"])]),
            possible("e", [("read", 1, &["o5"]), ("write", 2, &["o6"])]),
        ];
        assert_eq!(entries(records), [vec!["a", "b", "e"], vec!["c"], vec!["d"]]);
    }

    #[test]
    fn fields_in_which_the_same_methods_met_are_one_entry() {
        let certain = |name: &str, sides| race(name, Grade::Certain, sides);
        let records = vec![
            certain("a", [("write", 1, &[]), ("read", 2, &[])]),
            certain("b", [("read", 3, &[]), ("write", 4, &[])]),
            certain("locked", [("write", 1, &["o5"]), ("read", 2, &[])]),
            certain("c", [("write", 1, &[]), ("write", 2, &[])]),
            race("d", Grade::Possible, [("write", 1, &[]), ("read", 2, &[])]),
        ];
        assert_eq!(entries(records), [vec!["a", "b"], vec!["c"], vec!["locked"], vec!["d"]]);
    }

    #[test]
    fn what_is_not_known_has_nothing_in_common() {
        let unknown = |name: &str, grade| {
            let mut pair = graded(Some(grade), conflict(access("write", 10, 1, &[]), access("read", 20, 0, &[])));
            pair.previous.stack.clear();
            finding(field(name), vec![pair])
        };
        let records = [Grade::Certain, Grade::Possible].map(|grade| ["a", "b"].map(|name| (name, grade)));
        for [a, b] in records {
            assert_eq!(entries(vec![unknown(a.0, a.1), unknown(b.0, b.1)]), [["a"], ["b"]]);
        }
    }
}
