//! Which explicit locks code may release that it does not hold itself at that place: they are its callers', who hold them no longer
//! from then on. Monitors cannot be released by others than those who took them.

use crate::points_to::{CallSite, Code, Global, InstanceId, Local, Lock, ObjectId, ObjectSet, PointsTo};
use crate::program::{FieldId, Program};
use crate::races::must::calls;
use crate::races::worklist::Worklist;
use crate::types::Half;
use crate::types::locks;

/// What is released by an instance, and by what it calls.
#[derive(Debug)]
pub struct Released {
    by: Vec<Locks>,
    /// The locks that have halves.
    with_halves: ObjectSet,
}

/// Some locks.
#[derive(Clone, Default, Debug)]
struct Locks {
    /// A half of a read-write lock that is not known: any of those may be meant.
    is_any_half: bool,
    objects: ObjectSet,
}

/// What has halves.
const READ_WRITE_LOCK: &str = "java/util/concurrent/locks/ReadWriteLock";

/// The classes of halves begin like this.
const READ_WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$";

impl Released {
    /// Follows every call to its callers in the same thread.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo) -> Self {
        let mut callers = vec![Vec::new(); points_to.instances().count()];
        for caller in points_to.instances() {
            let followed = |(site, _): &(&CallSite, _)| !site.is_fork && !site.gives_back_own;
            for (_, edges) in calls(points_to, caller).filter(followed) {
                edges.iter().for_each(|edge| callers[edge.callee.index()].push(caller));
            }
        }
        let by = points_to.instances().map(|instance| Locks::released_in(program, points_to, instance)).collect();
        let mut released = Self { by, with_halves: with_halves(program, points_to) };
        let mut open: Worklist<InstanceId> = points_to.instances().filter(|of| !released.is_nothing(*of)).collect();
        while let Some(callee) = open.pop() {
            let locks = released.by[callee.index()].clone();
            let callers = callers[callee.index()].iter().copied();
            open.extend(callers.filter(|caller| released.by[caller.index()].join(&locks)));
        }
        released
    }

    /// Whether an instance releases no lock of its callers'.
    #[must_use]
    pub fn is_nothing(&self, instance: InstanceId) -> bool {
        let locks = &self.by[instance.index()];
        !locks.is_any_half && locks.objects.is_empty()
    }

    /// Whether it may release this one.
    #[must_use]
    pub fn has(&self, instance: InstanceId, lock: ObjectId) -> bool {
        let locks = &self.by[instance.index()];
        locks.objects.contains(lock) || locks.is_any_half && self.with_halves.contains(lock)
    }

    /// Whether it may release one of these.
    #[must_use]
    pub fn has_one_of(&self, instance: InstanceId, objects: &ObjectSet) -> bool {
        let locks = &self.by[instance.index()];
        objects.intersects(&locks.objects) || locks.is_any_half && objects.intersects(&self.with_halves)
    }
}

impl Locks {
    /// Says whether that is news.
    fn join(&mut self, other: &Self) -> bool {
        let is_any_half = self.is_any_half || other.is_any_half;
        let is_news = std::mem::replace(&mut self.is_any_half, is_any_half) != is_any_half;
        self.objects.insert_all(&other.objects) | is_news
    }

    fn released_in(program: &Program, points_to: &PointsTo, instance: InstanceId) -> Self {
        let code = points_to.code(instance);
        let mut released = Self::default();
        for site in code.calls.iter().filter(|site| locks::may_release(program, site.method)) {
            let Some(lock) = site.arguments.first().copied().flatten() else { continue };
            let (whole, half) = whole(program, code, lock);
            if site.held.iter().any(|held| is_same(program, code, held, whole)) {
                continue;
            }
            let objects = points_to.local(instance, whole);
            let is_half = |object| {
                let class = points_to.objects.ty(object).as_class();
                class.is_some_and(|class| program.names().text(class).starts_with(READ_WRITE))
            };
            released.is_any_half |= half == Half::Whole && objects.iter().any(is_half);
            released.objects.insert_all(objects);
        }
        released
    }
}

/// The read-write lock of a half of it.
fn whole(program: &Program, code: &Code, lock: Local) -> (Local, Half) {
    let made = code.calls.iter().find(|site| site.result == Some(lock));
    let half = |site: &CallSite| Some((site.arguments.first().copied().flatten()?, locks::half(program, site.method)?));
    made.and_then(half).unwrap_or((lock, Half::Whole))
}

/// Whether a lock that code holds is the one of a variable.
fn is_same(program: &Program, code: &Code, held: &Lock, lock: Local) -> bool {
    let ((a, held_fields), (b, fields)) = (code.path(held.local), code.path(lock));
    let is_global = || constant(program, code, a).is_some_and(|field| constant(program, code, b) == Some(field));
    !held.monitor && held_fields == fields && (a == b || is_global())
}

/// The final static field that a variable is loaded from.
fn constant(program: &Program, code: &Code, local: Local) -> Option<FieldId> {
    code.global_loads.iter().find_map(|(to, global, _)| match global {
        Global::Static(field) if *to == local && program.field(*field).is_final() => Some(*field),
        _ => None,
    })
}

/// The objects of classes that say so by their interface, or by that of the JDK's own class.
fn with_halves(program: &Program, points_to: &PointsTo) -> ObjectSet {
    let has_halves = |object: &ObjectId| {
        let class = points_to.objects.ty(*object).as_class().and_then(|class| program.find(class));
        class.is_none_or(|class| program.ancestors(class).any(|above| &*program.class_name(above) == READ_WRITE_LOCK))
    };
    points_to.objects.iter().filter(has_halves).collect()
}
