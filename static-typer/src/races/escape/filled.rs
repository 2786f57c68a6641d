//! What methods do with objects that they have just made, before anybody else may have these: it is as good as done by the constructor.
//!
//! An example: `Review review = new Review(); review.setText(text); reviews.add(review);`. What comes before `add` is no race, nor
//! is what `setText` does, as far as it is only called so on these objects.

use rustc_hash::FxHashSet;

use crate::ir::Value;
use crate::points_to::{Access, CallSite, Code, InstanceId, Local, ObjectSet, PointsTo};
use crate::program::Program;

use super::made::{Made, made};

/// Such objects, and methods that fill them.
#[derive(Default)]
pub struct Filled {
    made: Made,
    /// Methods that are only called on such an object before others may have it.
    fillers: FxHashSet<InstanceId>,
}

impl Filled {
    /// Looks for them in an analysed program.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, escaping: &ObjectSet) -> Self {
        let mut filled = Self { made: made(program, points_to, escaping), fillers: FxHashSet::default() };
        let is_candidate = |instance: &InstanceId| own(points_to.code(*instance)).is_some();
        let mut fillers: FxHashSet<InstanceId> = points_to.instances().filter(is_candidate).collect();
        loop {
            let others = filled.others(points_to, &fillers);
            if others.is_empty() {
                break;
            }
            fillers.retain(|instance| !others.contains(instance));
        }
        filled.fillers = fillers;
        filled
    }

    /// Whether an access is to such an object before anybody else may have it.
    #[must_use]
    pub fn has(&self, points_to: &PointsTo, instance: InstanceId, access: &Access) -> bool {
        let Some(base) = access.base else { return false };
        let is_receiver = || own(points_to.code(instance)) == Some(base) && self.fillers.contains(&instance);
        self.is_unseen(instance, base, access.at) || is_receiver()
    }

    fn is_unseen(&self, instance: InstanceId, local: Local, at: Value) -> bool {
        self.made.get(&(instance, local)).is_some_and(|seen| seen.as_ref().is_none_or(|seen| !seen.sees(at)))
    }

    /// Those that a call of another kind runs, or nothing.
    fn others(&self, points_to: &PointsTo, fillers: &FxHashSet<InstanceId>) -> FxHashSet<InstanceId> {
        let mut called = FxHashSet::default();
        let mut others = FxHashSet::default();
        for caller in points_to.instances() {
            let code = points_to.code(caller);
            for edge in points_to.calls(caller).iter().filter(|edge| fillers.contains(&edge.callee)) {
                called.insert(edge.callee);
                if !self.fills(fillers, caller, code, &code.calls[edge.call as usize]) {
                    others.insert(edge.callee);
                }
            }
        }
        others.extend(fillers.difference(&called));
        others
    }

    /// Whether a call is on an object that its caller has made, or fills.
    fn fills(&self, fillers: &FxHashSet<InstanceId>, caller: InstanceId, code: &Code, site: &CallSite) -> bool {
        let Some(receiver) = site.arguments.first().copied().flatten().filter(|_| !site.is_fork) else { return false };
        self.is_unseen(caller, receiver, site.at) || own(code) == Some(receiver) && fillers.contains(&caller)
    }
}

/// What a method of the application is called on.
fn own(code: &Code) -> Option<Local> {
    let is_method = code.is_checked && code.lambda.is_none() && code.mirrors.is_none();
    code.parameters.first().copied().flatten().filter(|_| is_method)
}
