//! The search: the stages put together, and the races that they leave.

use std::collections::{BTreeMap, BTreeSet};

use facts::pattern::Pattern;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{Access, InstanceId, ObjectSet, PointsTo, Site, Slot};
use crate::program::{FieldId, Program};

use super::escape::filled::Filled;
use super::escape::making::Unseen;
use super::escape::{construction, escaping, handed_over, helpers};
use super::initialization::definite::Beginning;
use super::initialization::effects::Of;
use super::initialization::executions::Executions;
use super::locks::guards::{Guard, Guards, common, exclude};
use super::locks::kept::Kept;
use super::locks::settled::Settled;
use super::order::joins::Joins;
use super::order::own_joins::OwnJoins;
use super::order::phase::Phase;
use super::order::published::{Basis, Published};
use super::order::tasks::Tasks;
use super::order::unparallel::Entries;
use super::pairs::access_order::in_access_order;
use super::pairs::accesses::{Accesses, Group, Place, View};
use super::pairs::original;
use super::pairs::reasons::{Reason, reason};
use super::pairs::signature::{Signature, SignatureId, are_apart};
use super::pairs::stages::{Class, Counts, STAGES, Stage, classes, n_pairs, passes, reach};
use super::pairs::variable::Variable;
use super::pairs::views::Views;
use super::proofs::typed::Proofs;
use super::threads::disjoint::Disjoint;
use super::threads::{RunBy, Threads};

/// What is looked for.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The rules of paper 000 as they are.
    pub chord: bool,
    /// Stages that are left out.
    pub skipped: Vec<Stage>,
    /// What is proved by other means.
    pub proofs: Proofs,
    /// Pairs of names of methods that do not run in parallel.
    pub unparallel: Vec<[Pattern; 2]>,
    /// Whether it is asked why there is no race.
    pub explains: bool,
    /// Whether what code does with an object that it has just made counts as done by the constructor: before others may have it. If a race
    /// hands the object over, the races that follow are lost.
    pub fills: bool,
}

/// How sure a race is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// No lock is held at both accesses.
    NoCommonLock,
    /// Both hold locks that may be the same, but need not be.
    MaybeSameLock,
}

/// One side of a race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// Where.
    pub place: Place,
    /// In which context.
    pub instance: InstanceId,
    /// What the calls that lead there begin with.
    pub by: Beginning,
    /// The locks that are held.
    pub guards: Vec<Guard>,
    /// Other places that race like this one does; where both sides are alike, the first one has those of both.
    pub alike: Vec<Place>,
}

/// Two accesses that may race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// What is accessed.
    pub variable: Variable,
    /// How sure it is.
    pub confidence: Confidence,
    /// The accesses; the first one writes.
    pub sides: [Side; 2],
    /// The objects that both may access; none for a static field.
    pub objects: Option<ObjectSet>,
    /// How many pairs of places are like this one, itself included.
    pub n_pairs: u64,
}

/// The result.
#[derive(Debug)]
pub struct Races {
    /// How many pairs each stage left.
    pub counts: Counts,
    /// Races, a few for each variable: one for all pairs that are alike. By variable, the surest first.
    pub races: Vec<Race>,
    /// The threads.
    pub threads: Threads,
    /// The objects that several threads may reach.
    pub escaping: ObjectSet,
    /// Class initializers that access more than what is their own, or lead to others that do.
    pub initializers: Vec<InstanceId>,
    /// Variables of which pairs were left that are proved race-free by other means.
    pub proved: BTreeSet<Variable>,
    /// Races that only the names of [`Options::unparallel`] leave out, with the numbers of these pairs.
    pub apart: Vec<(BTreeSet<usize>, Race)>,
    /// The objects on which each variable may race, however unsure, or left out by names; none for a static field.
    pub racy: BTreeMap<Variable, ObjectSet>,
    /// Volatile fields that publish others.
    pub flags: FxHashSet<FieldId>,
    /// Fields that volatile ones publish if what is called to compute them does not come back or wait.
    pub nearly_published: FxHashSet<FieldId>,
    /// Why pairs of accesses to a variable do not race, if that is asked for; none where nothing of it is both written and
    /// reached.
    pub reasons: BTreeMap<Variable, BTreeSet<Reason>>,
}

impl Races {
    /// Finds the races of an analysed program.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, options: &Options) -> Self {
        let threads = Threads::of(program, points_to);
        let escaping = escaping::escaping(program, points_to);
        let seen = if options.chord { FxHashMap::default() } else { construction::seen(program, points_to, &escaping) };
        let helpers = if options.chord { FxHashSet::default() } else { helpers::helpers(program, points_to, &seen) };
        let unseen = Unseen { seen: &seen, helpers: &helpers };
        let filled = if options.fills { Filled::of(program, points_to, &escaping) } else { Filled::default() };
        let settled = if options.chord { Settled::default() } else { Settled::of(program, points_to, unseen) };
        let guards = Guards::of(program, points_to, &threads.roots, &settled);
        let executions = Executions::of(program, points_to, &threads, &settled, !options.chord);
        let phase = Phase::of(program, points_to, &threads, &executions);
        let tasks = if options.chord { Tasks::default() } else { Tasks::of(program, points_to, &threads) };
        let joins = if options.chord { Joins::default() } else { Joins::of(program, points_to, &threads, &tasks) };
        let entries = Entries::of(program, points_to, &threads, &options.unparallel);
        let disjoint = (!options.chord).then(|| Disjoint::of(program, points_to, &threads));
        let own_joins = (!options.chord).then(|| OwnJoins::of(program, points_to));
        let proofs = options.proofs.beside_reflection(program, points_to);
        let handed_over = handed_over::handed_over(program, points_to);
        let view = View {
            program,
            points_to,
            threads: &threads,
            disjoint: disjoint.as_ref(),
            own_joins: own_joins.as_ref(),
            settled: &settled,
            guards: &guards,
            phase: &phase,
            joins: &joins,
            tasks: &tasks,
            entries: &entries,
            escaping: &escaping,
            unseen,
            filled: &filled,
            handed_over: &handed_over,
            is_chord: options.chord,
            executions: &executions,
            proofs: &proofs,
            views: Views::of(program, points_to),
            in_access_order: in_access_order(program, points_to),
        };
        let accesses = Accesses::of(&view);
        let counts = |instance, access: &Access| {
            let method = points_to.code(instance).method;
            let is_unshared = method.is_some_and(|method| proofs.has_access(method, access.at));
            let is_flag = matches!(access.slot, Slot::Field(field) if program.field(field).is_volatile());
            !view.is_of_maker(instance, access) && (is_flag || !is_unshared)
        };
        let basis =
            Basis { program, points_to, guards: &guards, counts: &counts, reflected: &options.proofs.reflected };
        let published = if options.chord || options.skipped.contains(&Stage::Unlocked) {
            Published::default()
        } else {
            Published::of(basis)
        };
        let stages: Vec<Stage> = STAGES.into_iter().filter(|stage| !options.skipped.contains(stage)).collect();
        let search = Search {
            program,
            points_to,
            given: points_to.code(points_to.root).allocations.iter().map(|(_, site, _)| *site).collect(),
            accesses: &accesses,
            threads: &threads,
            kept: &Kept::of(program, points_to),
            published: &published.fields,
            entries: &entries,
            stages: &stages,
            chord: options.chord,
            explains: options.explains,
        };
        let groups: Vec<(&Variable, &Group)> = accesses.groups.iter().collect();
        let found: Vec<(Variable, Found)> =
            groups.par_iter().map(|(variable, group)| (**variable, search.group(**variable, group))).collect();
        let mut counts = Counts { original: original::pairs(program, options.chord), ..Counts::default() };
        let (mut races, mut apart, mut proved, mut racy) = (Vec::new(), Vec::new(), BTreeSet::new(), BTreeMap::new());
        let mut reasons = BTreeMap::new();
        for (variable, mut found) in found {
            reasons.insert(variable, std::mem::take(&mut found.reasons));
            (0..STAGES.len()).for_each(|stage| counts.stages[stage] += found.counts[stage]);
            let is_proved = matches!(variable, Variable::Field(field) if proofs.has_field(field));
            if found.races.is_empty() && found.apart.is_empty() {
                continue;
            }
            if is_proved {
                proved.insert(variable);
            } else {
                races.extend(found.races);
                apart.extend(found.apart);
                racy.insert(variable, found.racy);
            }
        }
        for (variable, objects) in handed_over::filled(program, points_to, &handed_over) {
            racy.entry(variable).or_default().insert_all(&objects);
        }
        let initializers = executions.roots();
        let Published { fields: published, nearly: nearly_published } = published;
        let flags = published.into_values().collect();
        Self { counts, races, threads, escaping, initializers, proved, apart, racy, flags, nearly_published, reasons }
    }
}

/// What is found of one variable.
#[derive(Default)]
struct Found {
    counts: [u64; STAGES.len()],
    races: Vec<Race>,
    apart: Vec<(BTreeSet<usize>, Race)>,
    racy: ObjectSet,
    reasons: BTreeSet<Reason>,
}

struct Search<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// What whoever calls the program makes.
    given: FxHashSet<Site>,
    accesses: &'a Accesses,
    threads: &'a Threads,
    kept: &'a Kept,
    published: &'a FxHashMap<FieldId, FieldId>,
    entries: &'a Entries,
    stages: &'a [Stage],
    chord: bool,
    explains: bool,
}

impl Search<'_> {
    fn group(&self, variable: Variable, group: &Group) -> Found {
        let classes = classes(self.accesses, group);
        let mut found = Found::default();
        if matches!(variable, Variable::Field(field) if self.published.contains_key(&field)) {
            found.reasons.extend(self.explains.then_some(Reason::Published));
            return found;
        }
        for a in 0..classes.len() {
            for b in a..classes.len() {
                self.pair(variable, group, &classes, (a, b), &mut found);
            }
        }
        // Races of a constructor are harder to see.
        let constructs =
            |race: &Race| race.sides.iter().any(|side| self.program.method(side.place.method).is_constructor());
        found
            .races
            .sort_by_key(|race| (race.confidence, constructs(race), race.sides.each_ref().map(|side| side.place)));
        found
    }

    fn pair(&self, variable: Variable, group: &Group, classes: &[Class], (a, b): (usize, usize), found: &mut Found) {
        let n_pairs = n_pairs(classes, a, b);
        if n_pairs == 0 {
            return;
        }
        let reached = reach(self.accesses, &classes[a], &classes[b], self.stages);
        // A stage that is left out leaves what the one before it left.
        for (place, count) in found.counts.iter_mut().enumerate() {
            let passed = STAGES[..=place].iter().filter(|stage| self.stages.contains(stage)).count();
            *count += if reached >= passed { n_pairs } else { 0 };
        }
        if self.explains {
            found.reasons.extend(self.reasons(&classes[a], &classes[b]));
        }
        self.race(variable, group, [&classes[a], &classes[b]], n_pairs, found);
    }

    fn reasons(&self, a: &Class, b: &Class) -> BTreeSet<Reason> {
        let signature = |id: &SignatureId| self.accesses.signature(*id);
        let pairs = a.signatures.iter().flat_map(|x| b.signatures.iter().map(move |y| (x, y)));
        pairs.filter_map(|(x, y)| reason(self.threads, signature(x), signature(y))).collect()
    }

    /// The surest race of two classes of places, or else the surest that names leave out. What the program makes itself shows better how
    /// it is used than what it is given by whoever calls it.
    fn race(&self, variable: Variable, group: &Group, classes: [&Class; 2], n_pairs: u64, found: &mut Found) {
        let (mut best, mut apart, mut names) = (None, None, BTreeSet::new());
        for x in &classes[0].signatures {
            for y in &classes[1].signatures {
                let (s, t) = (self.accesses.signature(*x), self.accesses.signature(*y));
                let Some(confidence) = self.confidence(s, t) else { continue };
                if let Some((s, t)) = s.shared.as_ref().zip(t.shared.as_ref()) {
                    found.racy.insert_all(&s.common(t));
                }
                let surety = (confidence, self.is_given(s, t));
                let kept = if are_apart(s, t) { &mut apart } else { &mut best };
                if are_apart(s, t) {
                    names.extend(self.entries.between(&s.entries, &t.entries));
                }
                if kept.is_none_or(|(known, _)| surety < known) {
                    *kept = Some((surety, [*x, *y]));
                }
            }
        }
        let race = |((confidence, _), ids)| self.between(variable, group, classes, confidence, ids, n_pairs);
        match best {
            Some(best) => found.races.extend(race(best)),
            None => found.apart.extend(apart.and_then(race).map(|race| (names, race))),
        }
    }

    /// Whether all that both may access is made by nobody in the program.
    fn is_given(&self, a: &Signature, b: &Signature) -> bool {
        let is_given = |object| self.given.contains(&self.points_to.objects.get(object).site);
        let shared = a.shared.as_ref().zip(b.shared.as_ref());
        shared.is_some_and(|(a, b)| a.common(b).iter().all(is_given))
    }

    /// The race of two classes of places by a signature of each.
    fn between(
        &self,
        variable: Variable,
        group: &Group,
        classes: [&Class; 2],
        confidence: Confidence,
        ids: [SignatureId; 2],
        n_pairs: u64,
    ) -> Option<Race> {
        let [s, t] = ids.map(|id| self.accesses.signature(id));
        let side = |places: &[Place], signature: &Signature, id: SignatureId| {
            let (place, alike) = places.split_first()?;
            let (_, instance) = group.places.get(place)?.iter().find(|(other, _)| *other == id)?;
            let by = if signature.of == Of::Nobody { Beginning::Thread } else { Beginning::Initializer };
            let (instance, guards) = (*instance, signature.guards.clone());
            Some(Side { place: *place, instance, by, guards, alike: alike.to_vec() })
        };
        let [first, second] = places(classes);
        let mut sides = [side(&first, s, ids[0])?, side(&second, t, ids[1])?];
        if !sides[0].place.write {
            sides.swap(0, 1);
        }
        let objects = s.shared.as_ref().zip(t.shared.as_ref()).map(|(a, b)| a.common(b));
        Some(Race { variable, confidence, sides, objects, n_pairs })
    }

    /// How sure a race is, if it is one.
    fn confidence(&self, a: &Signature, b: &Signature) -> Option<Confidence> {
        let before = self.stages.iter().filter(|stage| **stage != Stage::Unlocked);
        let is_checked = self.stages.contains(&Stage::Unlocked);
        let is_own_lock = is_checked && !self.chord && exclude(&a.own, &b.own);
        if is_own_lock || !before.copied().all(|stage| passes(a, b, stage)) {
            return None;
        }
        let mut locks = common(&a.guards, &b.guards).filter(|_| is_checked).peekable();
        if locks.peek().is_none() {
            let is_kept = is_checked && !self.chord && self.is_kept_by_both(a, b);
            return Some(if is_kept { Confidence::MaybeSameLock } else { Confidence::NoCommonLock });
        }
        let is_guarded = locks.any(|lock| self.chord || self.threads.is_single(lock));
        (!is_guarded).then_some(Confidence::MaybeSameLock)
    }

    fn is_kept_by_both(&self, a: &Signature, b: &Signature) -> bool {
        let shared = a.shared.as_ref().zip(b.shared.as_ref());
        shared.is_some_and(|(s, t)| self.kept.is_by_both(&a.guards, &b.guards, &s.common(t)))
    }
}

/// The places of each side, the ones to show first. Two places of one class make the race easier to see than one place twice.
fn places(classes: [&Class; 2]) -> [Vec<Place>; 2] {
    let [a, b] = classes.map(|class| &class.places);
    if !std::ptr::eq(classes[0], classes[1]) {
        return [a.clone(), b.clone()];
    }
    let shown = a.get(1).or(a.first());
    let others = a.iter().enumerate().filter(|(number, _)| *number != 1).map(|(_, place)| *place);
    [others.collect(), shown.copied().into_iter().collect()]
}

/// Whether code is run by two threads, or by one that may be started twice.
#[must_use]
pub fn is_run_by_several(threads: &Threads, instance: InstanceId) -> bool {
    matches!(threads.run_by(instance), RunBy::Alike(_) | RunBy::Several)
}

/// Where the one thread begins that runs code; nowhere if there may be two.
#[must_use]
pub fn only_thread(threads: &Threads, instance: InstanceId) -> Vec<InstanceId> {
    let by = threads.run_by(instance);
    let is_one = matches!(by, RunBy::One(_));
    threads.roots.iter().copied().filter(|root| is_one && threads.run_by(*root) == by).collect()
}
