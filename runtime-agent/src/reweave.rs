//! Takes checks out of classes that are loaded: those of fields and sites that are retired.

use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashSet;

use crate::evidence::Evidence;
use crate::jvmti::{Class, Env, Vm};
use crate::retired::{Retired, Work};
use crate::sites::Sites;
use crate::threads::Threads;
use crate::variables::Variables;

/// What the thread that takes checks out works on.
pub struct Retirement {
    /// The JVM.
    pub vm: Arc<Vm>,
    /// Where accesses are.
    pub sites: Arc<Sites>,
    /// What they access.
    pub variables: Arc<Variables>,
    /// Has stacks, which have to be resolved before methods change.
    pub evidence: Arc<Evidence>,
    /// So have these.
    pub threads: Arc<Threads>,
    /// What is to be checked no more.
    pub retired: Arc<Retired>,
}

impl Retirement {
    /// Waits for work and does what there is.
    pub fn run(&self, env: Env) {
        let work = self.retired.wait();
        env.in_local_frame(|| {
            let begun = Instant::now();
            let classes = self.retire(&work);
            self.weave_again(env, &classes);
            self.retired.rest(env, begun.elapsed());
        });
    }

    /// Says which classes have checks that need not be.
    fn retire(&self, work: &Work) -> FxHashSet<String> {
        let mut classes = FxHashSet::default();
        if !work.variables.is_empty() {
            let (references, accessing) = self.variables.accesses_to(&work.variables);
            self.retired.retire(references);
            classes = accessing;
        }
        let places: Vec<_> = work.sites.iter().filter_map(|site| self.sites.place(*site)).collect();
        classes.extend(places.iter().map(|place| place.class.clone()));
        self.retired.know(places.into_iter());
        classes
    }

    fn weave_again(&self, env: Env, names: &FxHashSet<String>) {
        let is_meant = |class: &Class| self.vm.internal_name(*class).is_some_and(|name| names.contains(&name));
        let (meant, others): (Vec<_>, Vec<_>) = self.vm.loaded_classes().into_iter().partition(is_meant);
        others.into_iter().for_each(|class| env.release(class));
        let methods = self.vm.methods(&meant);
        self.evidence.keep_places(&methods);
        self.threads.keep_places(&methods);
        // What cannot be woven again, like a hidden class, stays checked.
        self.vm.retransform_each(&meant);
    }
}
