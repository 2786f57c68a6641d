//! Which objects several threads may reach: what static fields lead to, and what threads are started with (paper 000, section
//! 2.2.3).

use crate::points_to::{Global, Local, ObjectSet, PointsTo};

/// The objects that may be shared.
#[must_use]
pub fn escaping(points_to: &PointsTo) -> ObjectSet {
    let mut open = ObjectSet::default();
    for (global, objects) in points_to.globals() {
        if matches!(global, Global::Static(_) | Global::Threads) {
            open.insert_all(objects);
        }
    }
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        // An exception that ends a thread goes to a handler in that very thread.
        let is_thrown = |argument: Local| {
            code.global_loads.iter().any(|(to, global, _)| *to == argument && *global == Global::Thrown)
        };
        for site in code.calls.iter().filter(|site| site.is_fork) {
            for argument in site.arguments.iter().flatten().filter(|argument| !is_thrown(**argument)) {
                open.insert_all(points_to.local(instance, *argument));
            }
        }
    }
    let mut slots: Vec<Vec<&ObjectSet>> = vec![Vec::new(); points_to.objects.len()];
    for (object, _, objects) in points_to.slots() {
        slots[object.0 as usize].push(objects);
    }
    let mut escaping = ObjectSet::default();
    let mut stack: Vec<_> = open.iter().collect();
    while let Some(object) = stack.pop() {
        if escaping.insert(object) {
            stack.extend(slots[object.0 as usize].iter().flat_map(|objects| objects.iter()));
        }
    }
    escaping
}
