//! Which objects several threads may reach: what static fields lead to, and what threads are started with (paper 000, section
//! 2.2.3).
//!
//! What a `ThreadLocal` holds leads nowhere: who reads it has stored it before. If another thread can get at it, that is by a
//! field, an array or a start, which count. What a client makes by a constructor leads nowhere either, unless that hands it over, or the
//! client gives it where its own code is called.

use crate::points_to::{Global, Local, ObjectId, ObjectSet, PointsTo, Site, Slot, is_of_one_thread};
use crate::program::Program;

/// The objects that may be shared.
#[must_use]
pub fn escaping(program: &Program, points_to: &PointsTo) -> ObjectSet {
    let mut open = ObjectSet::default();
    for (global, objects) in points_to.globals() {
        if matches!(global, Global::Static(_) | Global::Threads) {
            open.insert_all(objects);
        }
    }
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        if let Some(given) = code.result.filter(|_| code.gives_shared) {
            open.insert_all(points_to.local(instance, given));
        }
        // An exception that ends a thread goes to a handler in that very thread.
        let is_thrown = |argument: Local| {
            code.global_loads.iter().any(|(to, global, _)| *to == argument && *global == Global::Thrown)
        };
        let is_made = |argument: Local| {
            let is_made = |(to, site, _): &(Local, Site, _)| *to == argument && matches!(site, Site::Reflected(..));
            code.method.is_none() && code.allocations.iter().any(is_made)
        };
        let is_own = |argument: &&Local| is_thrown(**argument) || is_made(**argument);
        for site in code.calls.iter().filter(|site| site.is_fork) {
            for argument in site.arguments.iter().flatten().filter(|argument| !is_own(argument)) {
                open.insert_all(points_to.local(instance, *argument));
            }
        }
    }
    let is_of_one = |object: ObjectId| is_of_one_thread(program, points_to.objects.ty(object));
    points_to.reached(&open, &|object, slot| slot != Slot::PerThread || !is_of_one(object))
}
