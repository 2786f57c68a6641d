//! Which threads code may lead to the start of: itself, by what it calls or uses, or by what the threads do that it starts.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Value};
use crate::points_to::{CallEdge, InstanceId, PointsTo};
use crate::program::Program;
use crate::races::initialization::triggers::{Triggers, used};
use crate::races::reach::{following_values, leading_to};
use crate::races::threads::Threads;

/// ThreadKinds of threads, by [number](Threads::kind_of).
pub type ThreadKinds = FixedBitSet;

/// Instructions that come after others which may start threads.
pub type After = Vec<(ThreadKinds, FxHashSet<Value>)>;

/// What may be started that may come to an access.
#[derive(Default, Debug)]
pub struct Starts {
    /// By instances.
    by: Vec<ThreadKinds>,
    /// Initializers that may start something, or that accesses count on.
    triggers: Triggers,
    n_kinds: usize,
}

impl Starts {
    /// Follows calls, uses of classes and starts backwards.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads) -> Self {
        let triggers = Triggers::of(program, points_to, |class| program.class(class).is_application);
        let mut callers = vec![Vec::new(); points_to.instances().count()];
        for caller in points_to.instances() {
            let used = triggers.in_code(program, points_to.code(caller)).map(|(_, initializer)| initializer);
            let called = points_to.calls(caller).iter().map(|edge| edge.callee);
            called.chain(used).for_each(|callee| callers[callee.index()].push(caller.index()));
        }
        let with_accesses = points_to.instances().filter(|instance| !points_to.code(*instance).accesses.is_empty());
        let matters = leading_to(&callers, with_accesses.map(InstanceId::index).collect());
        let n_kinds = threads.n_kinds();
        let mut starts = Self { by: vec![ThreadKinds::with_capacity(n_kinds); callers.len()], triggers, n_kinds };
        let mut open = Vec::new();
        for caller in points_to.instances() {
            let edges = points_to.calls(caller).iter().filter(|edge| matters[edge.callee.index()]);
            let kinds = edges.filter_map(|edge| started(points_to, threads, caller, edge));
            starts.by[caller.index()].extend(kinds);
            open.push(caller.index());
        }
        starts.spread(&callers, open);
        starts
    }

    fn spread(&mut self, callers: &[Vec<usize>], mut open: Vec<usize>) {
        while let Some(callee) = open.pop() {
            let kinds = self.by[callee].clone();
            for caller in &callers[callee] {
                if !kinds.is_subset(&self.by[*caller]) {
                    self.by[*caller].union_with(&kinds);
                    open.push(*caller);
                }
            }
        }
    }

    /// The initializers that an instance may be the first to need.
    pub fn initializers<'a>(
        &'a self,
        program: &'a Program,
        points_to: &'a PointsTo,
        instance: InstanceId,
    ) -> impl Iterator<Item = InstanceId> + 'a {
        self.triggers.in_code(program, points_to.code(instance)).map(|(_, initializer)| initializer)
    }

    /// What an instance may lead to the start of.
    #[must_use]
    pub fn by(&self, instance: InstanceId) -> &ThreadKinds {
        &self.by[instance.index()]
    }

    /// No kinds.
    #[must_use]
    pub fn none(&self) -> ThreadKinds {
        ThreadKinds::with_capacity(self.n_kinds)
    }

    /// All kinds.
    #[must_use]
    pub fn all(&self) -> ThreadKinds {
        let mut all = self.none();
        all.insert_range(..);
        all
    }

    /// The instructions of an instance that may run after one that may lead to a start.
    #[must_use]
    pub fn after(&self, program: &Program, points_to: &PointsTo, threads: &Threads, instance: InstanceId) -> After {
        if self.by(instance).is_clear() {
            return After::new();
        }
        let code = points_to.code(instance);
        let Some(body) =
            code.method.filter(|_| code.lambda.is_none()).and_then(|method| Body::of(program, method)?.ok())
        else {
            return vec![(self.by(instance).clone(), code.calls.iter().map(|site| site.at).collect())];
        };
        let mut starting: FxHashMap<ThreadKinds, Starting> = FxHashMap::default();
        for edge in points_to.calls(instance) {
            let at = code.calls[edge.call as usize].at;
            let mut kinds = self.by(edge.callee).clone();
            kinds.extend(started(points_to, threads, instance, edge));
            starting.entry(kinds).or_default().calls.insert(at);
        }
        for at in body.all_values() {
            let initializers =
                used(program, &body, at).into_iter().flat_map(|class| self.triggers.of_class(program, class));
            for (_, initializer) in initializers {
                starting.entry(self.by(initializer).clone()).or_default().uses.insert(at);
            }
        }
        starting.remove(&self.none());
        starting.into_iter().map(|(kinds, starting)| (kinds, starting.followed(&body))).collect()
    }
}

/// What a call starts.
fn started(points_to: &PointsTo, threads: &Threads, caller: InstanceId, edge: &CallEdge) -> Option<usize> {
    let is_fork = points_to.code(caller).calls[edge.call as usize].is_fork;
    threads.begins(edge.callee).filter(|_| is_fork)
}

/// Instructions that may start the same threads.
#[derive(Default)]
struct Starting {
    calls: FxHashSet<Value>,
    uses: FxHashSet<Value>,
}

impl Starting {
    /// What comes after one of them. What an instruction accesses or calls that uses a class comes after the class's initializer.
    fn followed(self, body: &Body) -> FxHashSet<Value> {
        let mut late = following_values(body, &self.calls.union(&self.uses).copied().collect());
        late.extend(self.uses);
        late
    }
}
