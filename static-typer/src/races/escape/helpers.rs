//! Methods that only constructors run, each on the object that it makes and before another thread may reach that: what they do to
//! the object is as good as done by the constructor itself.
//!
//! A method is one if each call that may run it is in a constructor that passes its own object, before that may be out (`seen`),
//! or in another such method that passes on what it is given. What such a method itself lets out is out at the call in the
//! constructor, which then is not one of these calls. Calls of clients, of other threads, by reflection and by lambdas are none
//! of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{CallSite, Code, InstanceId, Local, PointsTo};
use crate::program::Program;

use super::seen::Seen;

/// The greatest set of such methods.
#[must_use]
pub fn helpers(program: &Program, points_to: &PointsTo, seen: &FxHashMap<InstanceId, Seen>) -> FxHashSet<InstanceId> {
    let is_candidate = |instance: &InstanceId| {
        let code = points_to.code(*instance);
        own(code).is_some() && !is_constructor(program, code)
    };
    let mut helpers: FxHashSet<InstanceId> = points_to.instances().filter(is_candidate).collect();
    let calls = Calls { program, points_to, seen };
    loop {
        let others = calls.others(&helpers);
        if others.is_empty() {
            return helpers;
        }
        helpers.retain(|instance| !others.contains(instance));
    }
}

struct Calls<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    seen: &'a FxHashMap<InstanceId, Seen>,
}

impl Calls<'_> {
    /// Those that are run by a call of another kind.
    fn others(&self, helpers: &FxHashSet<InstanceId>) -> FxHashSet<InstanceId> {
        let mut others = FxHashSet::default();
        for caller in self.points_to.instances() {
            let code = self.points_to.code(caller);
            for edge in self.points_to.calls(caller).iter().filter(|edge| helpers.contains(&edge.callee)) {
                if !self.helps(helpers, caller, code, &code.calls[edge.call as usize]) {
                    others.insert(edge.callee);
                }
            }
        }
        others
    }

    /// Whether a call passes on an object that its caller constructs, or helps to.
    fn helps(&self, helpers: &FxHashSet<InstanceId>, caller: InstanceId, code: &Code, site: &CallSite) -> bool {
        let is_unseen = || !self.seen.get(&caller).is_some_and(|seen| seen.sees(site.at));
        let passes = own(code).is_some() && site.arguments.first().copied().flatten() == own(code) && !site.is_fork;
        passes && (helpers.contains(&caller) || is_constructor(self.program, code) && is_unseen())
    }
}

/// What a method of the application is called on, or given first.
fn own(code: &Code) -> Option<Local> {
    let is_method = code.is_checked && code.lambda.is_none() && code.mirrors.is_none();
    code.parameters.first().copied().flatten().filter(|_| is_method)
}

fn is_constructor(program: &Program, code: &Code) -> bool {
    code.method.is_some_and(|method| program.method(method).is_constructor())
}
