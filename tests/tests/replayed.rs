//! Focus loses nothing of one and the same trace: what full checking finds in it, a focus finds too, or it is a false alarm, of
//! which the trace shows no two accesses that race.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Result, ensure};
use checkers::checker::Checker as _;
use checkers::eraser::Eraser;
use checkers::eraser::owned::{self, NOBODY};
use checkers::granularity::Granularities;
use checkers::held::Held;
use checkers::replay::check;
use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::focus::{Elided, FocusSet, Proof};
use facts::index::{ObjectId, SiteId, ThreadId};
use facts::site::{Action, Place, Site};
use facts::trace::{Record, TraceReader};
use jrace_tests::launch::Launch;
use jrace_tests::pairs::Pairs;
use jrace_tests::run::only_trace;

/// So many events of a run are looked at, its first ones.
const EVENTS: usize = 100_000;

/// Records a program and replays it under each focus. How many accesses each of them leaves out.
pub fn loses_nothing(launch: &Launch, options: &str, sets: &[&FocusSet]) -> Result<Vec<usize>> {
    let traces = tempfile::tempdir()?;
    let options = format!("check=none,{options}record={},record_limit=1", traces.path().display());
    launch.clone().checked(&options).run()?.succeeded()?;
    let trace = only_trace(traces.path())?;
    let recorded = Recorded::read(&trace)?;
    let pairs = LazyCell::new(|| Pairs::read(&trace));
    sets.iter().map(|set| recorded.loses_nothing(set, &pairs)).collect()
}

/// A run with every event.
struct Recorded {
    events: Vec<Event>,
    sites: BTreeMap<SiteId, Site>,
}

impl Recorded {
    fn read(trace: &Path) -> Result<Self> {
        let (mut events, mut sites) = (Vec::new(), BTreeMap::new());
        for record in TraceReader::new(BufReader::new(File::open(trace)?))? {
            match record? {
                Record::Event(event) if events.len() < EVENTS => events.push(event),
                Record::Site(id, site) => _ = sites.insert(id, *site),
                _ => {}
            }
        }
        Ok(Self { events, sites })
    }

    fn loses_nothing(
        &self,
        set: &FocusSet,
        pairs: &LazyCell<Result<Pairs>, impl FnOnce() -> Result<Pairs>>,
    ) -> Result<usize> {
        let mut focused = Focused::new(set, &self.sites);
        self.events.iter().for_each(|event| focused.event(event));
        let found = focused.found();
        for race in check(Eraser::new(Granularities::default()), self.events.iter().copied()) {
            if found.contains(&race.variable) {
                continue;
            }
            let site = self.sites.get(&race.current.site);
            ensure!(focused.left_out.contains(&race.variable), "lost: {:?} at {site:?}", race.variable);
            let pairs = pairs.as_ref().map_err(|error| anyhow::anyhow!("{error:#}"))?;
            ensure!(!pairs.race_at(race.variable), "proved, and yet a race: {:?} at {site:?}", race.variable);
        }
        Ok(focused.n_left_out)
    }
}

/// What a focus makes of a place in the code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The agent is told of it.
    Checked,
    /// The agent is not.
    LeftOut,
    /// The access is held to the owner of its field.
    Conforming,
}

impl Fate {
    fn of(set: &FocusSet, site: &Site) -> Self {
        let Place { class, method, descriptor, offset, .. } = &site.place;
        let Some(class) = set.get(class) else { return Self::Checked };
        let of_method = class.method(method, descriptor);
        let is_left_out = match &site.action {
            // A synchronized method has no instruction for its lock.
            Action::Enter => *offset == 0 && of_method.elides(Elided::Lock),
            Action::Field(_, field) | Action::Static(_, field) => {
                class.is_race_free(&field.class, &field.name, &field.descriptor)
            }
            _ => false,
        };
        match of_method.proof(*offset) {
            _ if is_left_out => Self::LeftOut,
            Some(Proof::RaceFree | Proof::Held | Proof::Idle) => Self::LeftOut,
            Some(Proof::Conforming) => Self::Conforming,
            None => Self::Checked,
        }
    }
}

/// The agent with a focus, in terms of the reference checkers.
#[derive(Default)]
struct Focused {
    fates: BTreeMap<SiteId, Fate>,
    eraser: Eraser,
    /// Whether the agent was told of each lock that is held, the innermost last.
    told: BTreeMap<(ThreadId, ObjectId, LockMode), Vec<bool>>,
    held: BTreeMap<ThreadId, Held>,
    takers: BTreeMap<ObjectId, u32>,
    words: BTreeMap<Location, u32>,
    broken: BTreeSet<Location>,
    left_out: BTreeSet<Location>,
    n_left_out: usize,
}

impl Focused {
    fn new(set: &FocusSet, sites: &BTreeMap<SiteId, Site>) -> Self {
        Self { fates: sites.iter().map(|(id, site)| (*id, Fate::of(set, site))).collect(), ..Self::default() }
    }

    fn event(&mut self, event: &Event) {
        let is_told = match event.action {
            EventKind::Acquire(lock, mode) => self.acquire(event, lock, mode),
            EventKind::Release(lock, mode) => self.release(event.thread, lock, mode),
            EventKind::Access(_, location) => self.access(event, location),
            _ => true,
        };
        if is_told {
            self.eraser.event(event);
        }
    }

    fn acquire(&mut self, event: &Event, lock: ObjectId, mode: LockMode) -> bool {
        let is_told = self.fate(event.site) == Fate::Checked;
        self.told.entry((event.thread, lock, mode)).or_default().push(is_told);
        if is_told {
            self.held.entry(event.thread).or_default().acquire(lock, mode);
            let takers = self.takers.entry(lock).or_insert(NOBODY);
            *takers = owned::taken(*takers, event.thread);
        }
        is_told
    }

    fn release(&mut self, thread: ThreadId, lock: ObjectId, mode: LockMode) -> bool {
        let is_told = self.told.entry((thread, lock, mode)).or_default().pop().unwrap_or(true);
        if is_told {
            self.held.entry(thread).or_default().release(lock, mode);
        }
        is_told
    }

    fn access(&mut self, event: &Event, location: Location) -> bool {
        let Some(variable) = Granularities::default().variable(location) else { return true };
        match self.fate(event.site) {
            Fate::Checked => return true,
            Fate::LeftOut => {
                self.left_out.insert(variable);
                self.n_left_out += 1;
            }
            Fate::Conforming => self.conform(event.thread, variable),
        }
        false
    }

    /// Holds an access to the owner of its field, the object.
    fn conform(&mut self, thread: ThreadId, variable: Location) {
        let Location::Field(object, _) = variable else { return };
        if self.held.entry(thread).or_default().protecting(AccessKind::Write).any(|lock| lock == object) {
            return;
        }
        let takers = self.takers.get(&object).copied().unwrap_or(NOBODY);
        let word = self.words.entry(variable).or_default();
        let step = owned::step(takers, *word, thread);
        *word = step.word;
        if step.race {
            self.broken.insert(variable);
        }
    }

    fn fate(&self, site: SiteId) -> Fate {
        self.fates.get(&site).copied().unwrap_or(Fate::Checked)
    }

    fn found(&self) -> BTreeSet<Location> {
        self.eraser.races().iter().map(|race| race.variable).chain(self.broken.iter().copied()).collect()
    }
}
