//! What the agent is to do: the options, and what follows from them.

use facts::access::ArrayGranularity;
use facts::hook::Events;
use facts::layout::mode;
use facts::options::{Atomicity, Check, Options};

use crate::helper::{Engine, Words};

/// What the user asked for.
pub struct Mode {
    /// As it was written.
    pub options: Options,
    /// Which events are woven into checked classes.
    pub events: Events,
}

impl Mode {
    /// What the options ask for.
    pub fn new(options: Options) -> Self {
        let events = woven_events(&options);
        Self { options, events }
    }

    /// Whether a trace is for type discovery.
    pub fn discovers(&self) -> bool {
        self.options.discover.is_some()
    }

    /// Whether the words of threads are in fields of `Thread`, and not beside their locals: discovery looks at them seldom, and who
    /// only learns classes never.
    pub fn extends_thread(&self) -> bool {
        !self.discovers() && !self.events.is_empty()
    }

    /// Whether woven code tells all that orders threads: to a check, or to a trace that has everything.
    pub fn knows_order(&self) -> bool {
        self.events.contains(Events::EDGES)
    }

    /// Whether accesses are checked by order, too.
    pub fn checks_by_order(&self) -> bool {
        self.events.contains(Events::STATES)
    }

    /// Whether an event inside the JDK is worth a walk to where the program called it: `acquires` tells an acquisition from other
    /// synchronization.
    fn wants_place(&self, acquires: bool) -> bool {
        let is_reported = self.options.deadlocks || self.options.atomicity != Atomicity::Off;
        if acquires { is_reported } else { self.options.atomicity == Atomicity::Reduction }
    }

    /// Which versions of the helper classes this JVM gets.
    pub fn helper_versions(&self) -> (Words, Engine) {
        let words = if self.extends_thread() { Words::InThread } else { Words::BesideLocals };
        let engine = match (self.options.record.is_some(), self.options.check.checks_accesses()) {
            _ if self.discovers() => Engine::Discovery,
            (false, _) if self.checks_by_order() => Engine::Hybrid,
            (true, _) if self.checks_by_order() => Engine::RecorderAndHybrid,
            (false, _) => Engine::Eraser,
            (true, false) => Engine::Recorder,
            (true, true) => Engine::RecorderAndEraser,
        };
        (words, engine)
    }

    /// What the helper classes do, as the bits of `facts::layout::mode`; `presumes_owners` is of the focus set.
    pub fn bits(&self, presumes_owners: bool) -> i32 {
        let options = &self.options;
        let leaves_out = !options.record_redundant;
        let bits = [
            (mode::RECORDING, options.record.is_some()),
            (mode::CHECKING, options.check.checks_accesses()),
            (mode::BY_ELEMENT, options.arrays == ArrayGranularity::Element),
            (mode::PLACED_ACQUISITIONS, self.wants_place(true)),
            (mode::PLACED_OTHERS, self.wants_place(false)),
            (mode::DISCOVERING, self.discovers()),
            (mode::SPARING, leaves_out),
            (mode::LEAVING_OUT, leaves_out && options.retire),
            (mode::OWNING, presumes_owners),
            (mode::CONTENTS, checks_contents(options)),
            (mode::ORDERING, self.checks_by_order()),
            (mode::HANDING, self.knows_order()),
            (mode::PRECISE, options.check == Check::HappensBefore),
            (mode::TASKS, options.tasks && options.check == Check::Hybrid && options.focus_set.is_none()),
        ];
        bits.into_iter().filter(|(_, is_on)| *is_on).fold(0, |bits, (bit, _)| bits | bit)
    }
}

fn woven_events(options: &Options) -> Events {
    let recorded = match &options.record {
        Some(_) if options.discover.is_some() => Events::DISCOVERY,
        Some(_) if options.atomicity != Atomicity::Off => Events::ALL | Events::TRANSACTIONS,
        Some(_) => Events::ALL,
        None => Events::NONE,
    };
    let checked = match options.check {
        Check::None => Events::NONE,
        Check::Hybrid | Check::HappensBefore => Events::HYBRID,
        Check::Eraser => Events::ERASER,
    };
    let contents = if checks_contents(options) { Events::CONTENTS } else { Events::NONE };
    // A trace that only the checkers of transactions read can do without.
    let keeps_all = recorded.contains(Events::ALL) && options.record_redundant;
    let edges = if keeps_all { Events::EDGES } else { Events::NONE };
    let arrays = if options.arrays == ArrayGranularity::Off { Events::ARRAYS } else { Events::NONE };
    (recorded | checked | contents | edges).without(arrays)
}

/// Whether objects of the library carry words for their contents.
fn checks_contents(options: &Options) -> bool {
    options.check.checks_accesses() && options.contents
}
