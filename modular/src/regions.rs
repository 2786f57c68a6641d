//! Methods without a summary of their own, as it would be too long: they are looked at once for all their callers, when everything
//! else is known. What callers pass to them goes to variables of the whole program, and what they return comes from such.
//!
//! A region is a component of such methods. Which threads come to it is known in the end only; until then one thread of its own
//! stands for these.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use static_typer::points_to::CodeId;

use crate::environment::nobody;
use crate::multiplicity::Multiplicity;
use crate::node::Label;
use crate::summary::{Event, EventKey, Summary, Thread, ThreadId};

/// Labels of the roots have no code.
pub(crate) const ROOT: CodeId = CodeId(u32::MAX);
/// Nor have those of regions, which their first method numbers.
pub(crate) const REGION: CodeId = CodeId(u32::MAX - 1);
/// So are those of methods with summaries that regions call.
pub(crate) const CALLED: CodeId = CodeId(u32::MAX - 2);
/// And that of what libraries call back for regions.
pub(crate) const LIBRARY: CodeId = CodeId(u32::MAX - 3);
/// The same in threads of their own.
pub(crate) const ELSEWHERE: CodeId = CodeId(u32::MAX - 4);

/// The regions of a program, as far as they are known.
#[derive(Default, Debug)]
pub struct Regions {
    codes: Vec<CodeId>,
    /// The first method of each one's region.
    of: FxHashMap<CodeId, CodeId>,
    /// Whether any code of the program releases explicit locks of its callers: what is called back from regions may be anything.
    pub releases: bool,
}

impl Regions {
    /// Makes a component a region.
    pub fn add(&mut self, component: &[CodeId]) {
        for code in component {
            self.codes.push(*code);
            self.of.insert(*code, component[0]);
        }
    }

    /// All methods of regions.
    #[must_use]
    pub fn codes(&self) -> &[CodeId] {
        &self.codes
    }

    /// The first method of the region that a method is of.
    #[must_use]
    pub fn first(&self, code: CodeId) -> Option<CodeId> {
        self.of.get(&code).copied()
    }

    /// The thread that stands for whoever comes to a method, if it is of a region.
    #[must_use]
    pub fn thread(&self, code: CodeId) -> Option<ThreadId> {
        self.of.get(&code).map(|first| thread(REGION, first.0))
    }
}

fn thread(code: CodeId, number: u32) -> ThreadId {
    [Label { code, number }].into()
}

/// The thread that stands for whoever comes from a region to a method with a summary.
#[must_use]
pub fn called(callee: CodeId) -> ThreadId {
    thread(CALLED, callee.0)
}

/// The thread that stands for regions that call libraries, which call back.
#[must_use]
pub fn library() -> ThreadId {
    thread(LIBRARY, 0)
}

/// The threads of libraries that regions call.
#[must_use]
pub fn elsewhere() -> ThreadId {
    thread(ELSEWHERE, 0)
}

/// The method, of those of a region the first one, that such a thread comes to.
#[must_use]
pub fn method_of(thread: &ThreadId) -> Option<CodeId> {
    match **thread {
        [Label { code: REGION | CALLED, number }] => Some(CodeId(number)),
        _ => None,
    }
}

/// Whether a thread stands for those that come to a region.
#[must_use]
pub fn is_region(thread: &ThreadId) -> bool {
    matches!(**thread, [Label { code: REGION | CALLED | LIBRARY, .. }])
}

/// The threads that come to each region, or some of them if there are more than [`MAX_COMERS`].
pub type Comers = BTreeMap<ThreadId, BTreeSet<ThreadId>>;

/// So many threads that come to a region are told apart.
pub const MAX_COMERS: usize = 3;

/// Says of the summary of everything which threads run the regions. A region that one thread comes to is run by that; one that
/// several come to has events of a thread that is many, and stands for all of them.
pub fn resolve(root: &mut Summary) -> Comers {
    let comers = comers(root);
    for (region, from) in &root.entries {
        let new = Thread { multiplicity: Multiplicity::Many, parents: BTreeSet::new() };
        root.threads.entry(region.clone()).or_insert(new).parents.insert(from.clone());
    }
    for ((labels, write, thread), mut event) in std::mem::take(&mut root.events) {
        if thread.as_ref() == Some(&nobody()) {
            continue;
        }
        if let Some(region) = thread.filter(is_region) {
            let Some(runs) = comers.get(&region).filter(|threads| !threads.is_empty()) else { continue };
            let runs_it = runs.first().filter(|_| runs.len() == 1).unwrap_or(&region);
            event.thread = Some(runs_it.clone());
            // It comes after anything that the thread may start.
            event.started.insert(runs_it.clone());
        }
        let key = (labels, write, event.thread.clone());
        add(&mut root.events, key, event);
    }
    comers
}

fn add(events: &mut BTreeMap<EventKey, Event>, key: EventKey, event: Event) {
    match events.get_mut(&key) {
        Some(known) => known.join(event),
        None => drop(events.insert(key, event)),
    }
}

fn comers(root: &Summary) -> Comers {
    let mut found = Comers::new();
    let mut leads_to: BTreeMap<&ThreadId, Vec<&ThreadId>> = BTreeMap::new();
    let mut open = Vec::new();
    for (region, from) in &root.entries {
        match from {
            Some(from) if is_region(from) => leads_to.entry(from).or_default().push(region),
            Some(from) if *from != nobody() => open.push((region, from.clone())),
            _ => {}
        }
    }
    while let Some((region, thread)) = open.pop() {
        let known = found.entry(region.clone()).or_default();
        if known.len() <= MAX_COMERS && known.insert(thread.clone()) {
            open.extend(leads_to.get(region).into_iter().flatten().map(|next| (*next, thread.clone())));
        }
    }
    found
}
