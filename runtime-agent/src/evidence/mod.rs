//! From shadow words to findings: the words say *that* a race happened, this module keeps what shows *how*.
//!
//! Three stores, all bounded:
//!
//! - the [`History`] remembers the accesses that changed a location's state, the latest of each thread and kind, so that a
//!   race can name the previous access.
//!   Woven code reports only the first few of each site, and only the first of all keep their stacks;
//! - *open locations* are those on which a race was just found: their next accesses are looked at closely, because the
//!   state machine forgets who came before, and a pair of two full stacks is what a reader needs;
//! - [`Reported`] holds what was reported of each variable, so that a pair of sites is reported once.

mod history;
mod reported;
mod reporter;
mod seen;

use std::sync::Arc;

use facts::finding::{Conflict, Grade, Record, Variable};
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::jvmti::{Env, Frames};
use crate::retired::Retired;
use crate::variables::Variables;
use history::History;
use reported::{Counts, LOOKED_AT, Reported};
pub use reporter::Reporter;
pub use seen::{LocationKey, Pair, Races, Seen};

/// Locations that are open at once.
const OPEN_LOCATIONS: usize = 1 << 12;
/// Different accesses that an open location holds, or the history of one.
const WITNESSES: usize = 6;

/// A location on which a race was found.
struct Open {
    variable: Variable,
    witnesses: Vec<Seen>,
}

#[derive(Default)]
struct Stores {
    history: History,
    open: FxHashMap<LocationKey, Open>,
    reported: Reported,
}

/// Everything that findings are made of.
pub struct Evidence {
    reporter: Reporter,
    variables: Arc<Variables>,
    retired: Arc<Retired>,
    stores: Mutex<Stores>,
    /// Sites through which a second thread has come; most of those who look find theirs.
    shared_sites: RwLock<FxHashSet<u32>>,
    /// Variables that are said to be shared.
    shared: Mutex<FxHashSet<Variable>>,
}

impl Evidence {
    /// Nothing was seen.
    pub fn new(reporter: Reporter, variables: Arc<Variables>, retired: Arc<Retired>) -> Self {
        let (stores, shared_sites, shared) = (Mutex::default(), RwLock::default(), Mutex::default());
        Self { reporter, variables, retired, stores, shared_sites, shared }
    }

    /// The current stack, as findings keep it.
    pub fn stack(&self) -> Frames {
        Frames::take(&self.reporter.vm, self.reporter.mode.options.stack_depth)
    }

    /// How many variables have races.
    pub fn n_variables(&self) -> usize {
        self.stores.lock().reported.len()
    }

    /// A check has failed by a mistake of jrace's own.
    pub fn fault(&self, what: &str) {
        self.reporter.sink.fault(what);
    }

    /// Puts an access into the history, with its stack if that has room for one more.
    pub fn remember(&self, key: LocationKey, mut seen: Seen) {
        if self.stores.lock().history.wants_stack() {
            seen.frames = self.stack();
        }
        self.stores.lock().history.add(key, seen);
        self.retired.begin();
    }

    /// What is remembered of an array is remembered of one of its elements.
    pub fn part(&self, array: LocationKey, element: LocationKey) {
        self.stores.lock().history.part(array, element);
    }

    /// A second thread came to a location, and does not race. Only the first one at each site is told.
    pub fn shared(&self, site: u32, variable: impl FnOnce() -> Variable) {
        if self.shared_sites.read().contains(&site) || !self.shared_sites.write().insert(site) {
            return;
        }
        let variable = variable();
        if self.shared.lock().insert(variable.clone()) {
            self.reporter.write(&Record::Shared(variable));
        }
    }

    /// Whether so many races of the variable were looked at that they are only counted, which this does then.
    pub fn only_counts(&self, variable: &Variable) -> bool {
        self.stores.lock().reported.only_counts(variable)
    }

    /// A race was found: reports it with the best previous access there is, and opens the location.
    pub fn race(&self, env: Env, key: LocationKey, variable: Variable, before: u32, current: Seen) {
        let previous = self.previous(key, &current);
        let Some(counts) = self.count(&variable, key, &current) else { return };
        let pair = (current.site, previous.as_ref().map_or(0, |seen| seen.site));
        if self.is_new(&variable, pair, None) {
            let previous = match previous {
                Some(seen) => self.reporter.access(env, &seen),
                None => self.reporter.unknown(env, before),
            };
            let current = self.reporter.access(env, &current);
            self.reporter.race(&variable, Conflict { grade: None, current, previous });
        }
        self.tell(variable, counts);
    }

    /// A race was found by order: reports it, and opens the location. Says whether further accesses are wanted.
    pub fn unordered(&self, env: Env, key: LocationKey, variable: Variable, pair: Pair) -> bool {
        let other = self.remembered(key, &pair);
        let Some(counts) = self.count(&variable, key, &pair.current) else { return false };
        let alone = || vec![pair.current.clone()];
        self.stores.lock().open.entry(key).and_modify(|open| open.witnesses = alone());
        if self.is_new(&variable, (pair.current.site, other.site), Some(pair.grade)) {
            self.report(env, &variable, &pair.current, &other, Some(pair.grade));
        }
        self.tell(variable, counts);
        self.stores.lock().open.contains_key(&key)
    }

    /// What is known of the earlier of two accesses.
    fn remembered(&self, key: LocationKey, pair: &Pair) -> Seen {
        let other = pair.other.clone();
        let same = self.stores.lock().history.same(key, &other).cloned();
        match same {
            Some(seen) => Seen { test: other.test, ..seen },
            None => Seen { site: self.only(pair.current.site, &pair.sites).unwrap_or(0), ..other },
        }
    }

    /// The only one of these sites that may access what the current one does.
    fn only(&self, current: u32, sites: &[i32]) -> Option<u32> {
        let sites = sites.iter().map(|site| *site as u32).filter(|site| *site != 0);
        let mut alike = sites.filter(|site| self.variables.are_alike(current, *site));
        alike.next().filter(|_| alike.next().is_none())
    }

    /// A further access to a location that was opened by order. Of those with which it races, new pairs of places are reported.
    pub fn pair(&self, env: Env, key: LocationKey, mut current: Seen, races: Races, place: Option<usize>) {
        let Some((variable, found)) = self.new_pairs(key, &current, races) else { return };
        if !found.is_empty() || place.is_some() {
            current.frames = self.stack();
        }
        for (previous, grade) in found {
            self.report(env, &variable, &current, &previous, Some(grade));
        }
        let mut stores = self.stores.lock();
        let Some((open, place)) = stores.open.get_mut(&key).zip(place) else { return };
        match open.witnesses.get_mut(place) {
            Some(witness) => *witness = current,
            None => open.witnesses.push(current),
        }
    }

    /// The variable of an open location, and the accesses with which a pair of places is new.
    fn new_pairs(&self, key: LocationKey, current: &Seen, races: Races) -> Option<(Variable, Vec<(Seen, Grade)>)> {
        let mut stores = self.stores.lock();
        let Stores { open, reported, .. } = &mut *stores;
        let open = open.get(&key)?;
        let of = reported.of(&open.variable)?;
        of.counts.accesses += 1;
        let others = races.all().filter_map(|(i, grade)| Some((open.witnesses.get(i)?, grade)));
        let new = others.filter(|(other, grade)| of.is_new((current.site, other.site), Some(*grade)));
        Some((open.variable.clone(), new.map(|(other, grade)| (other.clone(), grade)).collect()))
    }

    /// A location that was opened by order has all its evidence.
    pub fn close(&self, key: LocationKey) {
        let open = self.stores.lock().open.remove(&key);
        open.into_iter().for_each(|open| self.retire_static(&open.variable));
    }

    /// A further access to an open location: returns how many more are wanted.
    pub fn witness(&self, env: Env, key: LocationKey, wanted: u32, mut current: Seen) -> u32 {
        let Some((variable, conflicting)) = self.compare(key, &current) else { return 0 };
        if let Some(previous) = conflicting {
            current.frames = self.stack();
            self.report(env, &variable, &current, &previous, None);
        }
        let left = wanted.saturating_sub(1);
        if left == 0 {
            self.stores.lock().open.remove(&key);
            self.retire_static(&variable);
        } else {
            self.keep(key, current);
        }
        left
    }

    /// The variable of an open location, and an earlier access that conflicts with this one at a new pair of sites.
    fn compare(&self, key: LocationKey, current: &Seen) -> Option<(Variable, Option<Seen>)> {
        let mut stores = self.stores.lock();
        let Stores { open, reported, .. } = &mut *stores;
        let open = open.get(&key)?;
        let of = reported.of(&open.variable)?;
        of.counts.accesses += 1;
        let mut conflicting = open.witnesses.iter().filter(|seen| seen.conflicts(current, &self.reporter.locks.sets));
        let found = conflicting.find(|seen| of.is_new((current.site, seen.site), None)).cloned();
        Some((open.variable.clone(), found))
    }

    /// Keeps an access to an open location, unless it has enough or one of the same thread and site.
    fn keep(&self, key: LocationKey, mut current: Seen) {
        let mut stores = self.stores.lock();
        let Some(open) = stores.open.get_mut(&key) else { return };
        let is_known = |seen: &Seen| seen.thread == current.thread && seen.site == current.site;
        if open.witnesses.len() < WITNESSES && !open.witnesses.iter().any(is_known) {
            if current.frames.is_empty() {
                current.frames = self.stack();
            }
            open.witnesses.push(current);
        }
    }

    /// Counts a race and opens its location; `None` when the variable's races are only counted by now.
    fn count(&self, variable: &Variable, key: LocationKey, current: &Seen) -> Option<Counts> {
        let mut stores = self.stores.lock();
        let counts = stores.reported.count(variable);
        if counts.races > LOOKED_AT {
            return None;
        }
        if stores.open.len() < OPEN_LOCATIONS {
            let earlier = stores.history.of(key).iter().take(WITNESSES - 1);
            let witnesses = [current].into_iter().chain(earlier).cloned().collect();
            stores.open.insert(key, Open { variable: variable.clone(), witnesses });
        }
        drop(stores);
        if counts.races == LOOKED_AT {
            self.retired.add(variable);
        }
        Some(counts)
    }

    /// The latest remembered access that conflicts with the current one.
    fn previous(&self, key: LocationKey, current: &Seen) -> Option<Seen> {
        let stores = self.stores.lock();
        let mut accesses = stores.history.of(key).iter();
        accesses.find(|seen| seen.conflicts(current, &self.reporter.locks.sets)).cloned()
    }

    fn is_new(&self, variable: &Variable, pair: (u32, u32), grade: Option<Grade>) -> bool {
        self.stores.lock().reported.of(variable).is_some_and(|of| of.is_new(pair, grade))
    }

    fn report(&self, env: Env, variable: &Variable, current: &Seen, previous: &Seen, grade: Option<Grade>) {
        let (current, previous) = (self.reporter.access(env, current), self.reporter.access(env, previous));
        self.reporter.race(variable, Conflict { grade, current, previous });
    }

    /// The more races there are, the more seldom it is told how many.
    fn tell(&self, variable: Variable, counts: Counts) {
        if counts.races.is_power_of_two() && counts.races > 1 {
            self.reporter.sink.write(&seen(variable, counts));
        }
    }

    /// All is known of a static field when one location of it is closed.
    fn retire_static(&self, variable: &Variable) {
        if matches!(variable, Variable::Static { .. }) {
            self.retired.add(variable);
        }
    }

    /// Resolves the stacks that these methods are in, which are about to change.
    pub fn keep_places(&self, methods: &FxHashSet<usize>) {
        let (mut stores, vm) = (self.stores.lock(), &self.reporter.vm);
        stores.history.keep_places(vm, methods);
        let witnesses = stores.open.values_mut().flat_map(|open| &mut open.witnesses);
        witnesses.for_each(|seen| seen.frames.resolve(vm, methods));
    }

    /// Writes how often each race was seen.
    pub fn flush(&self) {
        for (variable, counts) in self.stores.lock().reported.sorted() {
            self.reporter.write(&seen(variable.clone(), counts));
        }
    }
}

fn seen(variable: Variable, counts: Counts) -> Record {
    Record::Seen { variable, accesses: counts.accesses, objects: counts.races }
}
