//! Which objects keep others out when they are locked, as the JDK's locks do: a class of the program or of a library that extends one of these
//! may do anything.

use rustc_hash::FxHashSet;

use crate::points_to::{InstanceId, Lock, ObjectId, PointsTo};
use crate::program::{ClassId, Program, Type};

/// What is known of explicit locks.
#[derive(Debug)]
pub struct Genuine {
    /// Readers may hold them together.
    readers: FxHashSet<ObjectId>,
    /// Taking them runs code that is not the JDK's.
    others: FxHashSet<ObjectId>,
}

/// The classes of what readers hold.
const READERS: &[&str] = &[
    "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
    "java/util/concurrent/locks/StampedLock$ReadLockView",
];
/// The methods that take a lock, give it back, or get at one of its halves.
const LOCKING: &[&str] = &["lock", "lockInterruptibly", "tryLock", "unlock", "readLock", "writeLock"];

impl Genuine {
    /// Looks at the class of every object.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo) -> Self {
        let of_class = |is_one: &dyn Fn(ClassId) -> bool| {
            let classes: FxHashSet<Type> = program
                .classes()
                .filter(|class| is_one(*class))
                .map(|class| Type::class(program.class(class).name))
                .collect();
            points_to.objects.iter().filter(|object| classes.contains(&points_to.objects.ty(*object))).collect()
        };
        Self {
            readers: of_class(&|class| READERS.contains(&&*program.class_name(class))),
            others: of_class(&|class| overrides_lock(program, class)),
        }
    }

    /// How a lock is held, whichever of its objects it is; none if it may be one that keeps nobody out.
    #[must_use]
    pub fn lock(&self, points_to: &PointsTo, instance: InstanceId, lock: &Lock) -> Option<Lock> {
        if lock.monitor {
            return Some(*lock);
        }
        let objects = points_to.local(instance, lock.local);
        let shared = lock.shared || objects.iter().any(|object| self.readers.contains(&object));
        (!objects.iter().any(|object| self.others.contains(&object))).then_some(Lock { shared, ..*lock })
    }
}

fn overrides_lock(program: &Program, class: ClassId) -> bool {
    let own = program.ancestors(class).filter(|class| !program.is_of_jdk(*class));
    let mut untold = own.flat_map(|class| program.methods_of(class)).filter(|method| program.told(*method).is_empty());
    untold.any(|method| LOCKING.contains(&&*program.names().text(program.method(method).name)))
}
