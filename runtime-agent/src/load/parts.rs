//! The parts of the agent, each with what it needs of the others.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use checkers::discovery::sampling::Sampling;
use facts::finding::Jvm;
use facts::models::Models;
use facts::options::Options;
use parking_lot::Mutex;

use crate::callers::Callers;
use crate::classes::{Counts, Filter, Library, Weaver};
use crate::evidence::{Evidence, Reporter};
use crate::focus::Focus;
use crate::internal::Internal;
use crate::jvmti::Vm;
use crate::loading::Loaders;
use crate::locks::Locks;
use crate::mode::Mode;
use crate::own::Own;
use crate::record::Recorder;
use crate::reflection::Reflection;
use crate::retired::Retired;
use crate::reweave::Retirement;
use crate::sink::Sink;
use crate::sites::Sites;
use crate::state::Agent;
use crate::suite::Suite;
use crate::telemetry::Telemetry;
use crate::threads::Threads;
use crate::variables::Variables;
use crate::{events, layout};

/// Makes all parts; none if what is to be recorded cannot be, which is said.
pub fn assemble(options: Options, told: Models, vm: Vm, sink: Sink, jvm: &Jvm) -> Option<Agent> {
    let (mode, vm, sink) = (Arc::new(Mode::new(options)), Arc::new(vm), Arc::new(sink));
    let (sites, loaders, suite) = (Arc::<Sites>::default(), Arc::new(Loaders::of(vm.clone())), Arc::<Suite>::default());
    let telemetry = Telemetry::of(&vm.property("java.class.path"), Path::new(""));
    let filter = Arc::new(Filter::new(&mode.options, telemetry));
    let variables = Arc::new(Variables::new(mode.clone(), vm.clone(), sites.clone(), filter.clone(), loaders.clone()));
    let recorder = match &mode.options.record {
        None => None,
        Some(directory) => {
            let made = Recorder::create(directory, jvm, &mode.options, sites.clone(), variables.clone());
            let give_up = |error| {
                let directory = directory.display();
                sink.give_up(&format!(
                    "the trace cannot be written to {directory}: {error}; choose another directory with record=DIR"
                ));
            };
            Some(made.map_err(give_up).ok()?)
        }
    };
    let internal = Internal::new(vm.clone(), filter.clone());
    let own = Own::new(vm.clone());
    let focus = Arc::new(Focus::new(&mode, vm.clone(), sites.clone()));
    let retired = Arc::new(Retired::new(mode.clone(), vm.clone(), events::retire));
    let (threads, locks) = (Arc::new(Threads::new(vm.clone())), Arc::new(Locks::new(vm.clone())));
    let reporter = Reporter {
        mode: mode.clone(),
        vm: vm.clone(),
        sites: sites.clone(),
        threads: threads.clone(),
        locks: locks.clone(),
        suite: suite.clone(),
        sink: sink.clone(),
    };
    let evidence = Arc::new(Evidence::new(reporter, variables.clone(), retired.clone()));
    Some(Agent {
        weaver: Weaver {
            mode: mode.clone(),
            filter,
            loaders: loaders.clone(),
            library: Library::new(mode.clone(), told),
            focus: focus.clone(),
            retired: retired.clone(),
            sites: sites.clone(),
            sink: sink.clone(),
            shadows_last: !mode.events.is_empty() && layout::put_groups_last(),
            carriers: Mutex::default(),
            ready: AtomicBool::new(false),
            counts: Counts::default(),
        },
        retirement: Retirement {
            vm: vm.clone(),
            sites: sites.clone(),
            variables: variables.clone(),
            evidence: evidence.clone(),
            threads: threads.clone(),
            retired: retired.clone(),
        },
        callers: Callers::new(vm.clone(), sites.clone()),
        internal,
        own,
        reflection: Reflection::of(&mode.options, &vm, &loaders),
        sampling: mode.options.discover.map(|seed| Mutex::new(Sampling::new(seed))),
        mode,
        vm,
        waits: AtomicBool::new(false),
        loaders,
        focus,
        sites,
        variables,
        locks,
        threads,
        suite,
        evidence,
        retired,
        recorder,
        sink,
    })
}
