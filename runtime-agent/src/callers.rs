//! Places of events that happen inside the JDK, as when a library lock is taken: where the program called it.
//!
//! Finding one takes a walk over the stack, so only traces have them, and only for checkers that report them.

use facts::options::{Atomicity, Options};
use instrumenter::{NewAction, NewSite, SiteSink};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::agent::Agent;
use crate::jdk::is_jdk;
use crate::jvmti::Frame;

/// How many frames of the JDK may lie above that of the program.
const DEPTH: u16 = 8;

/// The sites of frames that were met.
#[derive(Default)]
pub struct Callers {
    sites: Mutex<FxHashMap<Frame, Option<u32>>>,
}

impl Callers {
    /// The site of the innermost frame of the program on the current stack; 0 if there is none.
    pub fn site(&self, agent: &Agent) -> u32 {
        let frames = agent.vm.frames(DEPTH);
        frames.unresolved().iter().find_map(|frame| self.of(agent, frame)).unwrap_or(0)
    }

    /// None for a frame of the JDK.
    fn of(&self, agent: &Agent, frame: &Frame) -> Option<u32> {
        if let Some(site) = self.sites.lock().get(frame) {
            return *site;
        }
        let place = agent.vm.place(frame).filter(|place| !is_jdk(&place.class));
        let site = place.map(|place| {
            (&agent.sites).add(NewSite {
                class: &place.class,
                method: &place.method,
                descriptor: &place.descriptor,
                offset: place.offset,
                line: place.line,
                file: place.file.as_deref(),
                action: NewAction::Enter,
            })
        });
        *self.sites.lock().entry(*frame).or_insert(site)
    }
}

/// Whether an event without a site is worth a walk: `acquires` tells an acquisition from other synchronization.
pub fn wanted(options: &Options, acquires: bool) -> bool {
    let is_reported = options.deadlocks || options.atomicity != Atomicity::Off;
    if acquires { is_reported } else { options.atomicity == Atomicity::Reduction }
}
