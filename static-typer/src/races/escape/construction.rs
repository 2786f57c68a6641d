//! From where on other threads may see what a constructor makes: what comes before is as good as local to its thread.
//!
//! On entry nobody else has the object: nothing can be done with it before the constructor of the class above has returned (JVMS
//! 4.10.1.9), and that one looks after itself. From there on it counts what [leads](super::leading) to it. Within a method, order counts for the
//! constructor itself only: what a call lets out is out from that call on, so nothing else matters of what is called then, nor of what calls it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{InstanceId, ObjectSet, PointsTo};
use crate::program::Program;

use super::each::seen_of_each;
use super::leading::Basis;
use super::origins::Origins;
use super::seen::Seen;
use super::start::{Leads, Own, Start, Wanted};

/// What is seen of constructors of the application; nothing of those that are not here.
#[must_use]
pub fn seen(program: &Program, points_to: &PointsTo, escaping: &ObjectSet) -> FxHashMap<InstanceId, Seen> {
    let basis = Basis::of(points_to, escaping);
    let starts = points_to.instances().filter_map(|instance| start(program, points_to, &basis.origins, instance));
    let wanted = |start| Wanted { start, own: Own::Receiver, early: FxHashSet::default() };
    let constructors: Vec<Wanted> = starts.map(wanted).collect();
    let seen = seen_of_each(program, &basis, &constructors);
    constructors.iter().zip(seen).filter_map(|(of, seen)| Some((of.start.instance, seen?))).collect()
}

/// A constructor of the application and its object, if other threads ever get at it.
fn start(program: &Program, points_to: &PointsTo, origins: &Origins<'_>, instance: InstanceId) -> Option<Start> {
    let code = points_to.code(instance);
    let method = code.method.filter(|_| code.is_checked && code.lambda.is_none() && code.mirrors.is_none())?;
    let local = code.parameters.first().copied().flatten().filter(|_| program.method(method).is_constructor())?;
    origins.is_shared((instance, local)).then_some(Start { instance, local, leads: Leads::Alone })
}
