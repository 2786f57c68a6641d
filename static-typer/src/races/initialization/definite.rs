//! Which classes are initialized for certain wherever code goes: all that their initializers have done comes before that, in
//! whichever thread (JLS 12.4.2).
//!
//! The greatest solution over bodies and calls. A class is initialized after an instruction that uses it, and in its static
//! methods and constructors; threads begin with what was initialized before their start. What an initializer runs knows only
//! what was initialized before it: of anything else it may be in the middle.

use rustc_hash::FxHashMap;

use crate::ir::Value;
use crate::points_to::{Code, CodeId, InstanceId, PointsTo};
use crate::program::{ClassId, Program};
use crate::races::must::{calls, flow, flow_from};
use crate::races::worklist::Worklist;

use super::summaries::{Classes, join, summarize};
use super::triggers::Triggers;

/// What the calls begin with that lead to code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Beginning {
    /// Where a thread begins.
    Thread,
    /// A class initializer.
    Initializer,
}

/// The classes that are initialized, as far as there is an initializer to know of.
#[derive(Default, Debug)]
pub struct Definite {
    /// By beginning and instance; none for what is never run.
    on_entry: [Vec<Option<Classes>>; 2],
    within: FxHashMap<CodeId, FxHashMap<Value, Classes>>,
}

impl Definite {
    /// Follows every call from where everything begins.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, triggers: &Triggers) -> Self {
        if triggers.is_empty() {
            return Self::default();
        }
        let nothing = vec![None; points_to.instances().count()];
        let within = summarize(program, points_to, triggers);
        let mut definite = Self { on_entry: [nothing.clone(), nothing], within };
        definite.solve(program, points_to, triggers);
        definite
    }

    /// What is initialized wherever an instance begins.
    #[must_use]
    pub fn on_entry(&self, instance: InstanceId, by: Beginning) -> &[ClassId] {
        let classes = self.on_entry[by as usize].get(instance.index()).and_then(Option::as_ref);
        classes.map_or(&[], Vec::as_slice)
    }

    /// What is initialized before an instruction.
    #[must_use]
    pub fn before(&self, points_to: &PointsTo, instance: InstanceId, by: Beginning, at: Value) -> Vec<ClassId> {
        let mut classes = self.on_entry(instance, by).to_vec();
        if by == Beginning::Thread {
            let within = self.within.get(&points_to.code_id(instance));
            join(&mut classes, within.and_then(|within| within.get(&at)).map_or(&[], Vec::as_slice));
        }
        classes
    }

    fn solve(&mut self, program: &Program, points_to: &PointsTo, triggers: &Triggers) {
        self.on_entry[Beginning::Thread as usize][points_to.root.index()] = Some(Vec::new());
        let mut open: Worklist<_> = [(points_to.root, Beginning::Thread)].into_iter().collect();
        while let Some((caller, by)) = open.pop() {
            let code = points_to.code(caller);
            for (site, edges) in calls(points_to, caller) {
                let to = if site.is_fork { Beginning::Thread } else { by };
                let before = self.before(points_to, caller, by, site.at);
                for edge in edges {
                    let own = of_caller(program, points_to.code(edge.callee), triggers);
                    if to == Beginning::Initializer || own.iter().all(|class| before.binary_search(class).is_ok()) {
                        let known = &mut self.on_entry[to as usize][edge.callee.index()];
                        open.extend(flow_from(known, &before).then_some((edge.callee, to)));
                        continue;
                    }
                    let mut classes = before.clone();
                    join(&mut classes, &own);
                    open.extend(self.flow(edge.callee, to, classes));
                }
            }
            for (class, initializer) in triggers.in_code(program, code) {
                let classes = self.on_entry(caller, by).to_vec();
                if classes.binary_search(&class).is_err() {
                    open.extend(self.flow(initializer, Beginning::Initializer, classes));
                }
            }
        }
    }

    fn flow(&mut self, to: InstanceId, by: Beginning, classes: Classes) -> Option<(InstanceId, Beginning)> {
        flow(&mut self.on_entry[by as usize][to.index()], classes).then_some((to, by))
    }
}

/// What whoever calls code has initialized.
fn of_caller(program: &Program, code: &Code, triggers: &Triggers) -> Classes {
    let method = code.method.filter(|_| code.lambda.is_none());
    let method =
        method.filter(|method| program.method(*method).is_static() || program.method(*method).is_constructor());
    let class = method.map(|method| program.method(method).class);
    let mut classes: Classes =
        class.into_iter().flat_map(|class| triggers.of_class(program, class)).map(|(class, _)| class).collect();
    classes.sort_unstable();
    classes
}
