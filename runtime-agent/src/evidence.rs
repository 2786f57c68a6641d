//! From shadow words to findings: the words say *that* a race happened, this module keeps what shows *how*.
//!
//! Three stores, all bounded:
//!
//! - the *history* remembers the accesses that changed a location's state, the latest of each thread and kind, so that a
//!   race can name the previous access.
//!   Woven code reports only the first few of each site, and only the first [`STACKS`] keep their stacks;
//! - *open locations* are those on which a race was just found: their next accesses are looked at closely, because the
//!   state machine forgets who came before, and a pair of two full stacks is what a reader needs;
//! - *variables* hold what was reported, so that a pair of sites is reported once.

use std::collections::VecDeque;
use std::mem;

use checkers::lock_set::SetId;
use checkers::word::{self, State};
use facts::access::{AccessKind, LockMode};
use facts::finding::{Access, Conflict, Evidence as Level, Finding, Grade, HeldLock, Record, Rule, Variable};
use facts::index::{ObjectId, ThreadId};
use facts::site::{FieldRef, Place};
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::agent::Agent;
use crate::jvmti::{Env, FieldFlags, Frames};
use crate::sites::Target;

/// Accesses that the history holds.
const HISTORY: usize = 1 << 16;
/// Accesses whose stacks the history takes, over the whole run: a stack costs microseconds.
const STACKS: usize = 20_000;
/// Locations that are open at once.
const OPEN_LOCATIONS: usize = 1 << 12;
/// Different accesses that an open location holds.
const WITNESSES: usize = 6;
/// Pairs of sites that are reported of one variable.
const CONFLICTS: usize = 8;
/// Races of one variable after which further ones are only counted.
const LOOKED_AT: u64 = 64;

/// A location, well enough for evidence: identity hash of the object (0 for statics) and offset of the shadow word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocationKey {
    /// Identity hash.
    pub object: i32,
    /// Offset of the shadow word.
    pub offset: i32,
}

/// What resolution found out about a field.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Internal name of the class that declares it; at object granularity, of the class that holds the object's word.
    pub class: String,
    /// Its access flags that matter here.
    pub flags: FieldFlags,
}

/// One access as a hook reports it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Who.
    pub thread: ThreadId,
    /// Where.
    pub site: u32,
    /// Read or write.
    pub kind: AccessKind,
    /// Locks held in any mode.
    pub read_set: SetId,
    /// Locks held exclusively.
    pub write_set: SetId,
    /// When, in the order of hand-over as the thread counts it; 0 where order is not known.
    pub moment: i64,
    /// The number of the test for which it was made; 0 where that is not known.
    pub test: u32,
    /// The stack, where it was taken.
    pub frames: Frames,
}

/// Two accesses that race.
pub struct Pair {
    /// The later one.
    pub current: Seen,
    /// The earlier one: of its place, nothing is known yet.
    pub other: Seen,
    /// All sites of accesses by which the earlier one may have been made, among zeros; none if they are not known.
    pub sites: Vec<i32>,
    /// Whether only locks ordered them.
    pub grade: Grade,
}

/// The kept accesses of an open location that another one races with, as bits.
#[derive(Clone, Copy)]
pub struct Races {
    /// Those that nothing orders before it.
    pub certain: u64,
    /// Those that only locks do.
    pub possible: u64,
}

impl Races {
    /// With the grade of each, those that are certain first.
    fn all(self) -> impl Iterator<Item = (usize, Grade)> {
        let of = |bits: u64, grade| (0..64).filter(move |i| bits >> i & 1 == 1).map(move |i| (i, grade));
        of(self.certain, Grade::Certain).chain(of(self.possible, Grade::Possible))
    }
}

struct Reported {
    races: u64,
    accesses: u64,
    pairs: FxHashSet<((u32, u32), Option<Grade>)>,
    /// Whether a pair that was reported is certain.
    is_certain: bool,
}

struct Open {
    variable: Variable,
    witnesses: Vec<Seen>,
}

#[derive(Default)]
struct Stores {
    history: FxHashMap<LocationKey, Vec<Seen>>,
    order: VecDeque<LocationKey>,
    stacks: usize,
    open: FxHashMap<LocationKey, Open>,
    variables: FxHashMap<Variable, Reported>,
    /// Variables that are said to be shared.
    shared: FxHashSet<Variable>,
    /// The field of each resolved site.
    fields: FxHashMap<u32, Declared>,
    locks: FxHashMap<u32, HeldLock>,
    /// Slots of static fields, by number of the class.
    slots: FxHashMap<(i32, String, String), u32>,
}

/// Everything that findings are made of.
#[derive(Default)]
pub struct Evidence {
    state: Mutex<Stores>,
    /// Sites through which a second thread has come; most of those who look find theirs.
    shared: RwLock<FxHashSet<u32>>,
}

impl Evidence {
    /// Remembers which field a site accesses.
    pub fn declare(&self, site: u32, field: Declared) {
        self.state.lock().fields.insert(site, field);
    }

    /// The field that a site accesses, once it is resolved.
    pub fn declared(&self, site: u32) -> Option<Declared> {
        self.state.lock().fields.get(&site).cloned()
    }

    /// Remembers what kind of object a lock is.
    pub fn lock(&self, id: u32, class: String, class_object: Option<String>) {
        let lock = HeldLock { id: ObjectId(id.into()), class, class_object, field: None, mode: LockMode::Exclusive };
        self.state.lock().locks.insert(id, lock);
    }

    /// Remembers which field refers to a lock.
    pub fn name_lock(&self, id: u32, field: FieldRef) {
        if let Some(lock) = self.state.lock().locks.get_mut(&id) {
            lock.field = Some(field);
        }
    }

    /// The slot of a static field of the class with this number; slots count from 1.
    pub fn slot(&self, class: i32, name: &str, descriptor: &str) -> u32 {
        let slots = &mut self.state.lock().slots;
        let next = slots.len() as u32 + 1;
        *slots.entry((class, name.to_owned(), descriptor.to_owned())).or_insert(next)
    }

    /// A lock has died.
    pub fn forget_lock(&self, id: u32) {
        self.state.lock().locks.remove(&id);
    }

    /// How many variables have races.
    pub fn n_variables(&self) -> usize {
        self.state.lock().variables.len()
    }

    /// Whether another stack may be taken for the history.
    pub fn wants_stack(&self) -> bool {
        self.state.lock().stacks < STACKS
    }

    /// Puts an access into the history.
    pub fn remember(&self, key: LocationKey, seen: Seen) {
        let mut state = self.state.lock();
        state.stacks += usize::from(!seen.frames.is_empty());
        let accesses = state.history.entry(key).or_default();
        let is_new = accesses.is_empty();
        accesses.retain(|old| (old.thread, old.kind) != (seen.thread, seen.kind));
        accesses.truncate(WITNESSES - 1);
        accesses.insert(0, seen);
        if is_new {
            state.order.push_back(key);
        }
        if state.order.len() > HISTORY
            && let Some(oldest) = state.order.pop_front()
        {
            state.history.remove(&oldest);
        }
    }

    /// A second thread came to a location, and does not race. Only the first one at each site is told.
    pub fn shared(&self, agent: &Agent, site: u32, variable: impl FnOnce() -> Variable) {
        if self.shared.read().contains(&site) || !self.shared.write().insert(site) {
            return;
        }
        let variable = variable();
        if agent.options.report_bugs && self.state.lock().shared.insert(variable.clone()) {
            agent.sink.write(&Record::Shared(variable));
        }
    }

    /// A race was found: reports it with the best previous access there is, and opens the location.
    pub fn race(&self, agent: &Agent, env: Env, key: LocationKey, variable: Variable, before: u32, current: Seen) {
        let previous = self.previous(agent, key, &current);
        let Some((accesses, races)) = self.count(&variable, key, &current) else { return };
        if races == LOOKED_AT {
            agent.settled.add(agent, &variable);
        }
        let pair = (current.site, previous.as_ref().map_or(0, |seen| seen.site));
        if self.is_new(&variable, pair, None) {
            let previous = match previous {
                Some(seen) => self.access(agent, env, &seen),
                None => unknown(agent, env, before),
            };
            let current = self.access(agent, env, &current);
            report(agent, &variable, Conflict { grade: None, current, previous });
        }
        if races.is_power_of_two() && races > 1 {
            agent.sink.write(&Record::Seen { variable, accesses, objects: races });
        }
    }

    /// A race was found by order: reports it, and opens the location. Says whether further accesses are wanted.
    pub fn unordered(&self, agent: &Agent, env: Env, key: LocationKey, variable: Variable, pair: Pair) -> bool {
        let test = pair.other.test;
        let remembered = self.remembered(key, &pair.other).map(|seen| Seen { test, ..seen });
        let other = remembered.unwrap_or_else(|| Seen {
            site: self.only(agent, pair.current.site, &pair.sites).unwrap_or(0),
            ..pair.other
        });
        let Some((accesses, races)) = self.count(&variable, key, &pair.current) else { return false };
        self.state.lock().open.entry(key).and_modify(|open| open.witnesses = vec![pair.current.clone()]);
        if races == LOOKED_AT {
            agent.settled.add(agent, &variable);
        }
        if self.is_new(&variable, (pair.current.site, other.site), Some(pair.grade)) {
            let (current, previous) = (self.access(agent, env, &pair.current), self.access(agent, env, &other));
            report(agent, &variable, Conflict { current, previous, grade: Some(pair.grade) });
        }
        if races.is_power_of_two() && races > 1 {
            agent.sink.write(&Record::Seen { variable, accesses, objects: races });
        }
        self.state.lock().open.contains_key(&key)
    }

    /// What is remembered of an array is remembered of one of its elements.
    pub fn part(&self, array: LocationKey, element: LocationKey) {
        let accesses = self.state.lock().history.get(&array).cloned();
        for seen in accesses.into_iter().flatten().rev() {
            self.remember(element, seen);
        }
    }

    /// The access that was remembered of a thread's moment, under the same locks.
    fn remembered(&self, key: LocationKey, seen: &Seen) -> Option<Seen> {
        let identity = |seen: &Seen| (seen.thread, seen.kind, seen.moment, seen.read_set, seen.write_set);
        self.state.lock().history.get(&key)?.iter().find(|old| identity(old) == identity(seen)).cloned()
    }

    /// The only one of these sites that may access what the current one does.
    fn only(&self, agent: &Agent, current: u32, sites: &[i32]) -> Option<u32> {
        let mut alike =
            sites.iter().map(|site| *site as u32).filter(|site| *site != 0 && self.is_alike(agent, current, *site));
        alike.next().filter(|_| alike.next().is_none())
    }

    /// Whether two sites may access one variable. Of arrays and contents, the references through which they do tell nothing.
    fn is_alike(&self, agent: &Agent, a: u32, b: u32) -> bool {
        match (agent.sites.target(a), agent.sites.target(b)) {
            (Target::Field(a_field), Target::Field(b_field)) => {
                let is_same = a_field.name == b_field.name && a_field.descriptor == b_field.descriptor;
                let class = |site| self.declared(site).map(|declared| declared.class);
                is_same && class(a) == class(b)
            }
            (a, b) => mem::discriminant(&a) == mem::discriminant(&b),
        }
    }

    /// A further access to a location that was opened by order. Of those with which it races, new pairs of places are reported.
    pub fn pair(
        &self,
        agent: &Agent,
        env: Env,
        key: LocationKey,
        mut current: Seen,
        races: Races,
        place: Option<usize>,
    ) {
        let Some((variable, found)) = self.new_pairs(key, &current, races) else { return };
        if !found.is_empty() || place.is_some() {
            current.frames = agent.vm.frames(agent.options.stack_depth);
        }
        for (previous, grade) in found {
            let (current, previous) = (self.access(agent, env, &current), self.access(agent, env, &previous));
            report(agent, &variable, Conflict { current, previous, grade: Some(grade) });
        }
        let mut state = self.state.lock();
        let Some((open, place)) = state.open.get_mut(&key).zip(place) else { return };
        match open.witnesses.get_mut(place) {
            Some(witness) => *witness = current,
            None => open.witnesses.push(current),
        }
    }

    /// The variable of an open location, and the accesses with which a pair of places is new.
    fn new_pairs(&self, key: LocationKey, current: &Seen, races: Races) -> Option<(Variable, Vec<(Seen, Grade)>)> {
        let mut state = self.state.lock();
        let open = state.open.get(&key)?;
        let variable = open.variable.clone();
        let others: Vec<(Seen, Grade)> =
            races.all().filter_map(|(i, grade)| Some((open.witnesses.get(i)?.clone(), grade))).collect();
        let reported = state.variables.get_mut(&variable)?;
        reported.accesses += 1;
        let is_new = |(other, grade): &(Seen, Grade)| is_new(reported, (current.site, other.site), Some(*grade));
        Some((variable, others.into_iter().filter(is_new).collect()))
    }

    /// A location that was opened by order has all its evidence.
    pub fn close(&self, agent: &Agent, key: LocationKey) {
        let Some(open) = self.state.lock().open.remove(&key) else { return };
        if matches!(open.variable, Variable::Static { .. }) {
            agent.settled.add(agent, &open.variable);
        }
    }

    /// Whether so many races of the variable were looked at that they are only counted, which this does then.
    pub fn only_counts(&self, variable: &Variable) -> bool {
        let mut state = self.state.lock();
        let counted = state.variables.get_mut(variable).filter(|reported| reported.races >= LOOKED_AT);
        counted.is_some_and(|reported| {
            reported.races += 1;
            reported.accesses += 1;
            true
        })
    }

    /// Counts a race and opens its location; `None` when the variable's races are only counted by now.
    fn count(&self, variable: &Variable, key: LocationKey, current: &Seen) -> Option<(u64, u64)> {
        let mut state = self.state.lock();
        let reported = state.variables.entry(variable.clone()).or_insert_with(|| Reported {
            races: 0,
            accesses: 0,
            pairs: FxHashSet::default(),
            is_certain: false,
        });
        reported.races += 1;
        reported.accesses += 1;
        let counts = (reported.accesses, reported.races);
        if counts.1 > LOOKED_AT {
            return None;
        }
        if state.open.len() < OPEN_LOCATIONS {
            let mut witnesses = state.history.get(&key).cloned().unwrap_or_default();
            witnesses.truncate(WITNESSES - 1);
            witnesses.insert(0, current.clone());
            state.open.insert(key, Open { variable: variable.clone(), witnesses });
        }
        Some(counts)
    }

    /// The latest remembered access that conflicts with the current one.
    fn previous(&self, agent: &Agent, key: LocationKey, current: &Seen) -> Option<Seen> {
        let accesses = self.state.lock().history.get(&key).cloned()?;
        accesses.into_iter().find(|seen| conflicts(agent, seen, current))
    }

    /// A further access to an open location: returns how many more are wanted.
    pub fn witness(&self, agent: &Agent, env: Env, key: LocationKey, wanted: u32, mut current: Seen) -> u32 {
        let Some((variable, conflicting)) = self.compare(agent, key, &current) else { return 0 };
        if let Some(previous) = conflicting {
            current.frames = agent.vm.frames(agent.options.stack_depth);
            let conflict = Conflict {
                grade: None,
                current: self.access(agent, env, &current),
                previous: self.access(agent, env, &previous),
            };
            report(agent, &variable, conflict);
        }
        let left = wanted.saturating_sub(1);
        if left == 0 && matches!(variable, Variable::Static { .. }) {
            agent.settled.add(agent, &variable);
        }
        let mut state = self.state.lock();
        if left == 0 {
            state.open.remove(&key);
        } else if let Some(open) = state.open.get_mut(&key) {
            let known = |seen: &Seen| seen.thread == current.thread && seen.site == current.site;
            if open.witnesses.len() < WITNESSES && !open.witnesses.iter().any(known) {
                if current.frames.is_empty() {
                    current.frames = agent.vm.frames(agent.options.stack_depth);
                }
                open.witnesses.push(current);
            }
        }
        left
    }

    /// The variable of an open location, and an earlier access that conflicts with this one at a new pair of sites.
    fn compare(&self, agent: &Agent, key: LocationKey, current: &Seen) -> Option<(Variable, Option<Seen>)> {
        let mut state = self.state.lock();
        let open = state.open.get(&key)?;
        let variable = open.variable.clone();
        let candidates: Vec<Seen> =
            open.witnesses.iter().filter(|seen| conflicts(agent, seen, current)).cloned().collect();
        let reported = state.variables.get_mut(&variable)?;
        reported.accesses += 1;
        let found = candidates.into_iter().find(|seen| is_new(reported, (current.site, seen.site), None));
        Some((variable, found))
    }

    fn is_new(&self, variable: &Variable, pair: (u32, u32), grade: Option<Grade>) -> bool {
        self.state.lock().variables.get_mut(variable).is_some_and(|reported| is_new(reported, pair, grade))
    }

    /// The references through which variables that are fields were accessed, and the classes that did so.
    pub fn accesses_to(&self, agent: &Agent, variables: &[Variable]) -> (FxHashSet<FieldRef>, FxHashSet<String>) {
        let fields: FxHashSet<_> = variables.iter().filter_map(field_of).collect();
        let access = |(site, declared): (&u32, &Declared)| match agent.sites.target(*site) {
            Target::Field(reference) => {
                let is_meant = fields.contains(&(&declared.class, &reference.name, &reference.descriptor));
                let class = agent.sites.place(*site)?.class;
                is_meant.then_some((reference, class))
            }
            _ => None,
        };
        self.state.lock().fields.iter().filter_map(access).unzip()
    }

    /// Resolves the stacks that these methods are in, which are about to change.
    pub fn keep_places(&self, methods: &FxHashSet<usize>) {
        let mut state = self.state.lock();
        let Stores { history, open, .. } = &mut *state;
        let open = open.values_mut().map(|open| &mut open.witnesses);
        open.chain(history.values_mut()).flatten().for_each(|seen| seen.frames.resolve(methods));
    }

    /// Writes how often each race was seen.
    pub fn flush(&self, agent: &Agent) {
        let state = self.state.lock();
        let mut counts: Vec<_> = state.variables.iter().collect();
        counts.sort_by_key(|(variable, _)| *variable);
        for (variable, reported) in counts {
            if agent.options.report_bugs {
                agent.sink.write(&Record::Seen {
                    variable: variable.clone(),
                    accesses: reported.accesses,
                    objects: reported.races,
                });
            }
        }
    }

    /// The variable that a site accesses; `of_class` is the descriptor of the array's class, or the name of that of the object of the library.
    pub fn variable(&self, agent: &Agent, site: u32, is_static: bool, of_class: Option<String>) -> Variable {
        match agent.sites.target(site) {
            Target::Field(field) => {
                let class = self.declared(site).map_or(field.class, |declared| declared.class);
                match (is_static, agent.options.granularity) {
                    (true, _) => Variable::Static { class, name: field.name, descriptor: field.descriptor },
                    (false, facts::access::Granularity::Object) => Variable::Object { class },
                    (false, _) => Variable::Field { class, name: field.name, descriptor: field.descriptor },
                }
            }
            Target::Contents(_) => {
                Variable::Contents { class: of_class.unwrap_or_default(), origin: agent.sites.origin(site) }
            }
            _ => Variable::Array { descriptor: of_class.unwrap_or_default(), origin: agent.sites.origin(site) },
        }
    }

    fn access(&self, agent: &Agent, env: Env, seen: &Seen) -> Access {
        let mut stack = seen.frames.places();
        match (stack.first_mut(), agent.sites.place(seen.site)) {
            (Some(top), Some(place)) if top.class == place.class && top.method == place.method => *top = place,
            (None, Some(place)) => stack.push(place),
            _ => {}
        }
        Access {
            kind: Some(seen.kind),
            stack,
            thread: agent.threads.describe(seen.thread, alive(agent, env, seen.thread)),
            locks: Some(self.held(agent, seen)),
            test: agent.suite.name(seen.test),
        }
    }

    fn held(&self, agent: &Agent, seen: &Seen) -> Vec<HeldLock> {
        let exclusive = agent.sets.elements(seen.write_set);
        let state = self.state.lock();
        let describe = |id: ObjectId| {
            let mode = if exclusive.contains(&id) { LockMode::Exclusive } else { LockMode::Shared };
            match u32::try_from(id.0).ok().and_then(|id| state.locks.get(&id)) {
                Some(lock) => HeldLock { mode, ..lock.clone() },
                None => HeldLock { id, class: String::new(), class_object: None, field: None, mode },
            }
        };
        agent.sets.elements(seen.read_set).into_iter().map(describe).collect()
    }
}

/// Class, name and descriptor.
fn field_of(variable: &Variable) -> Option<(&str, &str, &str)> {
    match variable {
        Variable::Field { class, name, descriptor } | Variable::Static { class, name, descriptor } => {
            Some((class, name, descriptor))
        }
        Variable::Array { .. } | Variable::Contents { .. } | Variable::Object { .. } => None,
    }
}

/// Each pair of sites is reported once, and again when it turns out to be certain.
fn is_new(reported: &mut Reported, (a, b): (u32, u32), grade: Option<Grade>) -> bool {
    let pair = (a.min(b), a.max(b));
    let has = |pairs: &FxHashSet<_>, grade| pairs.contains(&(pair, grade));
    let is_known = has(&reported.pairs, grade) || has(&reported.pairs, Some(Grade::Certain));
    let is_wanted = reported.pairs.len() < CONFLICTS || grade == Some(Grade::Certain) && !reported.is_certain;
    let is_new = !is_known && is_wanted && reported.pairs.insert((pair, grade));
    reported.is_certain |= is_new && grade == Some(Grade::Certain);
    is_new
}

fn conflicts(agent: &Agent, a: &Seen, b: &Seen) -> bool {
    let counting = |seen: &Seen| match seen.kind {
        AccessKind::Read => seen.read_set,
        AccessKind::Write => seen.write_set,
    };
    a.thread != b.thread
        && (a.kind == AccessKind::Write || b.kind == AccessKind::Write)
        && agent.sets.intersect(counting(a), counting(b)) == SetId::EMPTY
}

/// What the state before tells of the previous access when the history has nothing.
fn unknown(agent: &Agent, env: Env, before: u32) -> Access {
    let thread = match State::of(before) {
        State::Exclusive(owner) => owner,
        _ => ThreadId(0),
    };
    Access {
        kind: None,
        stack: Vec::<Place>::new(),
        thread: agent.threads.describe(thread, alive(agent, env, thread)),
        locks: None,
        test: None,
    }
}

fn alive(agent: &Agent, env: Env, thread: ThreadId) -> Option<bool> {
    let field = crate::events::thread_others()?;
    if thread.0 == 0 || agent.threads.describe(thread, None).is_virtual {
        return None;
    }
    Some(agent.vm.some_platform_thread_has(env, field, !word::own_word(thread) as i32))
}

fn report(agent: &Agent, variable: &Variable, conflict: Conflict) {
    if !agent.options.report_bugs {
        return;
    }
    let fails = agent.options.fails_on(conflict.grade);
    agent.sink.write(&Record::Finding(Finding {
        rule: Rule::Race,
        evidence: Level::Lockset,
        variable: variable.clone(),
        conflicts: vec![conflict],
    }));
    if agent.options.halt_on_error && fails {
        // SAFETY: ends the process without running anything of the JVM, which is what the option asks for.
        unsafe { libc::_exit(agent.options.exitcode.into()) }
    }
}
