//! The locks of the program: sets of them by number, and what kind of object each one is.

mod field;

use std::sync::Arc;

use checkers::eraser::lock_set::{LockSets, SetId};
use facts::access::LockMode;
use facts::finding::HeldLock;
use facts::index::ObjectId;
use facts::trace;
use jvmti_bindings::sys::jni::jobject;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::jvmti::{Class, Env, Vm};

/// All locks that live.
pub struct Locks {
    vm: Arc<Vm>,
    /// Sets of locks by number.
    pub sets: LockSets,
    known: Mutex<FxHashMap<u32, HeldLock>>,
}

impl Locks {
    /// None yet.
    pub fn new(vm: Arc<Vm>) -> Self {
        Self { vm, sets: LockSets::new(), known: Mutex::default() }
    }

    /// A set of locks with one more.
    pub fn with(&self, set: SetId, lock: u32) -> SetId {
        self.sets.with(set, ObjectId(lock.into()))
    }

    /// Remembers what kind of object a lock is.
    pub fn describe(&self, env: Env, lock: u32, object: jobject) {
        if let Some((class, class_object)) = self.class(env, object) {
            let id = ObjectId(lock.into());
            let held = HeldLock { id, class, class_object, field: None, mode: LockMode::Exclusive };
            self.known.lock().insert(lock, held);
        }
    }

    /// Looks for the field that refers to a lock; says whether there is one. `accessed` is the object that is accessed while the lock is
    /// held; null for a static field.
    pub fn name(&self, env: Env, lock: u32, held: jobject, accessed: jobject) -> bool {
        let search = field::Search { vm: &self.vm, env, lock: held };
        let Some(field) = env.in_local_frame(|| search.field(accessed)) else { return false };
        if let Some(lock) = self.known.lock().get_mut(&lock) {
            lock.field = Some(field);
        }
        true
    }

    /// A lock has died.
    pub fn forget(&self, lock: u32) {
        self.sets.forget(ObjectId(lock.into()));
        self.known.lock().remove(&lock);
    }

    /// What is known of the locks of which some are held exclusively.
    pub fn held(&self, all: SetId, exclusive: SetId) -> Vec<HeldLock> {
        let exclusive = self.sets.elements(exclusive);
        let known = self.known.lock();
        let describe = |id: ObjectId| {
            let mode = if exclusive.contains(&id) { LockMode::Exclusive } else { LockMode::Shared };
            match u32::try_from(id.0).ok().and_then(|id| known.get(&id)) {
                Some(lock) => HeldLock { mode, ..lock.clone() },
                None => HeldLock { id, class: String::new(), class_object: None, field: None, mode },
            }
        };
        self.sets.elements(all).into_iter().map(describe).collect()
    }

    /// The class of a lock as a trace has it: of a lock that is a class, which one.
    pub fn traced_class(&self, env: Env, object: jobject) -> Option<String> {
        let (class, class_object) = self.class(env, object)?;
        Some(class_object.map_or(class, |of| trace::class_object(&of)))
    }

    /// The class of a lock; and if that is a class, which one.
    fn class(&self, env: Env, object: jobject) -> Option<(String, Option<String>)> {
        let of_object = env.class_of(object);
        let mut class = self.vm.internal_name(of_object).or_else(|| self.vm.descriptor(of_object))?;
        // What stands for a ReentrantLock or a read-write lock is its inner synchronizer.
        for inner in ["$NonfairSync", "$FairSync"] {
            if let Some(outer) = class.strip_suffix(inner) {
                class.truncate(outer.len());
            }
        }
        let class_object = (class == "java/lang/Class").then(|| self.vm.internal_name(Class(object))).flatten();
        Some((class, class_object))
    }
}
