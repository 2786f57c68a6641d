//! What is accessed by reflection or handles: what has come, and the fields that have lost their proofs by it.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use facts::focus::{ClassFocus, ReflectedMember};
use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use crate::log;
use crate::private::{create_private, private};

/// What was accessed by reflection.
#[derive(Default)]
pub struct Reflected {
    seen: Mutex<FxHashSet<ReflectedMember>>,
    has_said: AtomicBool,
    /// Names and descriptors of fields that are not proved any more: there are few, and other fields may have both.
    fields: Mutex<FxHashSet<(String, String)>>,
    /// The classes that were woven by such a proof, and may be linked later.
    pending: Mutex<FxHashSet<String>>,
}

impl Reflected {
    /// Notes a member; says whether it has come for the first time.
    pub fn is_new(&self, reflected: &ReflectedMember) -> bool {
        let mut seen = self.seen.lock();
        !seen.contains(reflected) && seen.insert(reflected.clone())
    }

    /// Whether no field has lost its proof before.
    pub fn is_first_field(&self) -> bool {
        !self.has_said.swap(true, Relaxed)
    }

    /// A field loses its proof, which these classes were woven by.
    pub fn add(&self, reflected: &ReflectedMember, pending: impl Iterator<Item = String>) {
        self.fields.lock().insert((reflected.name.clone(), reflected.descriptor.clone()));
        self.pending.lock().extend(pending);
    }

    /// Whether a class was woven by a proof that is gone, before it was linked.
    pub fn is_pending(&self, class: &str) -> bool {
        self.pending.lock().contains(class)
    }

    /// What is left of the proofs about a class.
    pub fn without_reflected<'a>(&self, focus: &'a ClassFocus) -> Cow<'a, ClassFocus> {
        let reflected = self.fields.lock();
        let is_reflected = |(_, name, descriptor): &(String, String, String)| {
            reflected.iter().any(|field| field.0 == *name && field.1 == *descriptor)
        };
        if !focus.fields.iter().any(is_reflected) {
            return Cow::Borrowed(focus);
        }
        let mut left = focus.clone();
        left.fields.retain(|field| !is_reflected(field));
        Cow::Owned(left)
    }
}

/// Notes what was accessed by reflection, for the next analysis.
pub fn append(path: &Path, reflected: &ReflectedMember) {
    let made = path.parent().map_or(Ok(()), create_private);
    let line = serde_json::to_string(reflected).unwrap_or_default() + "\n";
    let open = || private().create(true).append(true).open(path);
    if let Err(error) = made.and_then(|()| open()).and_then(|mut file| file.write_all(line.as_bytes())) {
        log::once(&format!("{} cannot be written: {error}", path.display()));
    }
}
