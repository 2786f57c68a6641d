//! Which classes are woven, with what, and the weaving itself.

mod filter;
mod library;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use facts::finding::Record;
use facts::hook::{CONTENTS_SHADOW, ELEMENTS, ENTRY, Events, THREAD_FIELDS};
use facts::models::{Model, contents};
use facts::name;
use instrumenter::{NewField, Outcome, Plan, Woven};
use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use crate::focus::Focus;
use crate::jdk::is_made_by_jdk;
use crate::jvmti::HELPERS;
use crate::loading::{Loader, Loaders, Loading};
use crate::log;
use crate::mode::Mode;
use crate::retired::Retired;
use crate::sink::Sink;
use crate::sites::Sites;
pub use filter::Filter;
pub use library::Library;

/// Weaves classes.
pub struct Weaver {
    /// What the user asked for.
    pub mode: Arc<Mode>,
    /// Which classes are checked.
    pub filter: Arc<Filter>,
    /// Who loads them.
    pub loaders: Arc<Loaders>,
    /// What those of the library report.
    pub library: Library,
    /// What need not be checked.
    pub focus: Arc<Focus>,
    /// What need not be checked any more.
    pub retired: Arc<Retired>,
    /// Takes note of what is checked.
    pub sites: Arc<Sites>,
    /// Takes note of what cannot be woven.
    pub sink: Arc<Sink>,
    /// Whether woven fields leave those of their class where they are.
    pub shadows_last: bool,
    /// Classes of the JDK whose objects carry their entries.
    pub carriers: Mutex<FxHashSet<String>>,
    /// Whether the helper class works, so that classes may call it.
    pub ready: AtomicBool,
    /// What weaving did.
    pub counts: Counts,
}

/// Counters for the summary.
#[derive(Default)]
pub struct Counts {
    /// Classes that are checked.
    pub checked: AtomicU64,
    /// Classes woven.
    pub woven: AtomicU64,
    /// Classes left alone because they could not be woven.
    pub unwoven: AtomicU64,
    /// Methods left alone because they could not be woven.
    pub unwoven_methods: AtomicU64,
    /// Methods that weaving made too large for compilation.
    pub huge_methods: AtomicU64,
    /// Nanoseconds spent weaving.
    pub nanos: AtomicU64,
}

impl Weaver {
    /// Weaves a class; `None` keeps its bytes.
    pub fn weave(&self, class: Loading<'_>) -> Option<Vec<u8>> {
        if class.name == "java/lang/Thread" {
            return self.weave_thread(class);
        }
        let words = self.contents_words(class);
        if !words.is_empty() && !self.filter.checks(class.name, class.loader) {
            return self.weave_words(class, &words);
        }
        let entry = self.entry(class);
        if class.name.starts_with(HELPERS) {
            return None;
        }
        if !self.ready.load(Relaxed) {
            let plan = Plan { add_fields: entry.as_slice(), ..library_plan(&[]) };
            return entry.is_some().then(|| self.run(class, &plan)).flatten();
        }
        for method in self.library.misfits(class) {
            let reason = "its model fits no method with code that this class declares".to_owned();
            self.leave(class.name, Some(method), reason);
        }
        if entry.is_some() || class.loader == Loader::Jdk && self.library.reports(class.name) {
            self.weave_library(class, entry.as_slice())
        } else {
            self.weave_application(class, &words)
        }
    }

    fn weave_library(&self, class: Loading<'_>, add_fields: &[(&'static str, &'static str)]) -> Option<Vec<u8>> {
        let (models, observed) = (self.library.models(class.name), self.library.observed(class.name));
        let (events, inner) = (self.library.monitors(class.name), self.library.calls(class.name));
        self.run(class, &Plan { events, observed: &observed, inner, add_fields, ..library_plan(&models) })
    }

    /// A class of the application, or of the JDK if that is checked, too.
    fn weave_application(&self, class: Loading<'_>, words: &[(&'static str, &'static str)]) -> Option<Vec<u8>> {
        let checked = self.filter.checks(class.name, class.loader);
        if checked && class.redefined.is_none() && !is_made_by_jdk(class.name) {
            self.counts.checked.fetch_add(1, Relaxed);
        }
        self.focus.copy(class, checked);
        // What is not checked may call what is, though: the proofs have to know of it.
        let meets = checked || class.loader == Loader::Application && self.filter.may_shadow(class.name);
        let proved = if meets { self.focus.of(class, checked) } else { None };
        let events = if checked { self.mode.events } else { self.excluded_events(class) };
        if events.is_empty() {
            return None;
        }
        let options = &self.mode.options;
        let models = self.library.models(class.name);
        let is_transaction = |method: &str| self.filter.is_transaction(method);
        let known = self.retired.known(class.name);
        let is_retired = |field: NewField<'_>| self.retired.has(&field.to_field());
        let plan = Plan {
            events,
            granularity: options.granularity,
            shadows: checked && class.redefined.unwrap_or(true),
            super_shadows: checked && self.super_is_checked(class),
            shadows_last: self.shadows_last,
            may_shadow: &|owner| self.filter.may_shadow(owner),
            focus: proved.as_deref().or(known.as_deref()),
            is_retired: if self.retired.is_any() { Some(&is_retired) } else { None },
            transactions: if options.transactions.is_empty() { None } else { Some(&is_transaction) },
            leaves_out_redundant: !options.record_redundant,
            arrays: options.arrays,
            models: &models,
            observed: &[],
            inner: self.library.calls(class.name),
            carries: checked
                && class.loader != Loader::Jdk
                && self.mode.extends_thread()
                && class.redefined.unwrap_or(true),
            // With `jdk=1`, a class that has come before there was anything to weave has none; another one gets it now.
            add_fields: words,
        };
        self.run(class, &plan)
    }

    /// The fields for the contents of an object of a library class, if it carries some.
    fn contents_words(&self, class: Loading<'_>) -> Vec<(&'static str, &'static str)> {
        if class.loader != Loader::Jdk || !contents::has_word(class.name) {
            return Vec::new();
        }
        let mut words = vec![(CONTENTS_SHADOW, self.mode.events.shadow_descriptor())];
        if self.mode.events.contains(Events::STATES) && contents::has_elements(class.name) {
            words.push(ELEMENTS);
        }
        words
    }

    /// The field for the entries of objects of the JDK that are likely to have some. A class that has come without keeps none.
    fn entry(&self, class: Loading<'_>) -> Option<(&'static str, &'static str)> {
        if class.loader != Loader::Jdk {
            return None;
        }
        let mut carriers = self.carriers.lock();
        if class.redefined.is_none() && self.library.carries(class.name) {
            carriers.insert(class.name.to_owned());
        }
        carriers.contains(class.name).then_some(ENTRY)
    }

    /// An excluded class of the application still reports its locks; the JDK's own code and that of build tools do not. Nor does one that
    /// watches the program report what orders threads besides.
    fn excluded_events(&self, class: Loading<'_>) -> Events {
        let is_foreign = class.loader != Loader::Application || Filter::is_of_agent(class.name);
        if is_foreign || self.mode.events.is_empty() {
            return Events::NONE;
        }
        let locks = Events::LOCKS | Events::ORDER | Events::WAIT_NOTIFY;
        match (self.filter.watches(class.name), self.mode.events.contains(Events::EDGES)) {
            // Their locks are told as where edges are: after they were taken.
            (true, true) => self.mode.events.only(locks) | Events::ORDER,
            (true, false) => self.mode.events.only(locks),
            (false, _) => self.mode.events.only(locks | Events::EDGES),
        }
    }

    fn super_is_checked(&self, class: Loading<'_>) -> bool {
        let Ok(header) = instrumenter::header(class.bytes) else { return false };
        header.super_name.is_some_and(|name| self.filter.checks(&name, self.loaders.unknown()))
    }

    /// `Thread` gets its fields when it is first loaded, before any Java code runs; its methods report starts only once the
    /// helper class is there, when it is retransformed.
    fn weave_thread(&self, class: Loading<'_>) -> Option<Vec<u8>> {
        let models = if self.ready.load(Relaxed) { self.library.models(class.name) } else { Vec::new() };
        let mut plan = library_plan(&models);
        let fields: Vec<_> = THREAD_FIELDS.into_iter().chain([ENTRY]).collect();
        plan.add_fields = if class.redefined == Some(false) { &[] } else { &fields };
        self.run(class, &plan)
    }

    /// A class whose objects carry words for their contents gets these as it is loaded, before any Java code runs.
    fn weave_words(&self, class: Loading<'_>, words: &[(&'static str, &'static str)]) -> Option<Vec<u8>> {
        let is_wanted = self.mode.events.contains(Events::CONTENTS) && class.redefined != Some(false);
        let mut plan = library_plan(&[]);
        plan.add_fields = words;
        is_wanted.then(|| self.run(class, &plan)).flatten()
    }

    fn run(&self, class: Loading<'_>, plan: &Plan<'_>) -> Option<Vec<u8>> {
        let begun = Instant::now();
        let outcome = instrumenter::weave(class.bytes, plan, &mut &*self.sites);
        self.counts.nanos.fetch_add(begun.elapsed().as_nanos() as u64, Relaxed);
        match outcome {
            Ok(Outcome::Unchanged) => None,
            Ok(Outcome::Woven(woven)) => {
                self.note(class.name, &woven);
                Some(woven.bytes)
            }
            Err(error) => {
                self.counts.unwoven.fetch_add(1, Relaxed);
                self.leave(class.name, None, error.to_string());
                None
            }
        }
    }

    fn note(&self, class: &str, woven: &Woven) {
        self.counts.woven.fetch_add(1, Relaxed);
        self.counts.huge_methods.fetch_add(woven.huge_methods.len() as u64, Relaxed);
        self.counts.unwoven_methods.fetch_add(woven.unwoven_methods.len() as u64, Relaxed);
        for (method, reason) in &woven.unwoven_methods {
            self.leave(class, Some(method.clone()), reason.to_string());
        }
    }

    fn leave(&self, class: &str, method: Option<String>, reason: String) {
        if self.mode.options.verbose >= 2 {
            let place = method.as_ref().map(|method| format!(".{method}")).unwrap_or_default();
            log::say(&format!("{}{place} is left as it is: {reason}", name::dotted(class)));
        }
        self.sink.write(&Record::Unwoven { class: class.to_owned(), method, reason });
    }
}

fn library_plan(models: &[Model]) -> Plan<'_> {
    Plan { may_shadow: &|_| false, models, ..Plan::new(Events::NONE) }
}
