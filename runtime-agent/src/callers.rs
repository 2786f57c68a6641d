//! Places of events that happen inside the JDK, as when a library lock is taken: where the program called it.
//!
//! Finding one takes a walk over the stack, so only traces have them, and only for checkers that report them.

use std::sync::Arc;

use instrumenter::{NewAction, NewSite, SiteSink};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::jdk::is_jdk;
use crate::jvmti::{Frame, Vm};
use crate::sites::Sites;

/// How many frames of the JDK may lie above that of the program.
const DEPTH: u16 = 8;

/// The sites of frames that were met.
pub struct Callers {
    vm: Arc<Vm>,
    sites: Arc<Sites>,
    of_frames: Mutex<FxHashMap<Frame, Option<u32>>>,
}

impl Callers {
    /// None were met.
    pub fn new(vm: Arc<Vm>, sites: Arc<Sites>) -> Self {
        Self { vm, sites, of_frames: Mutex::default() }
    }

    /// The site of the innermost frame of the program on the current stack; 0 if there is none.
    pub fn site(&self) -> u32 {
        self.vm.frames(DEPTH).iter().find_map(|frame| self.of(frame)).unwrap_or(0)
    }

    /// None for a frame of the JDK.
    fn of(&self, frame: &Frame) -> Option<u32> {
        if let Some(site) = self.of_frames.lock().get(frame) {
            return *site;
        }
        let place = self.vm.place(frame).filter(|place| !is_jdk(&place.class));
        let site = place.map(|place| {
            (&*self.sites).add(NewSite {
                class: &place.class,
                method: &place.method,
                descriptor: &place.descriptor,
                offset: place.offset,
                line: place.line,
                file: place.file.as_deref(),
                action: NewAction::Enter,
            })
        });
        *self.of_frames.lock().entry(*frame).or_insert(site)
    }
}
