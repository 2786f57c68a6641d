//! What a focus set says of one method.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What is known of a method, and what the proofs count on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodFocus {
    /// Why instructions of the method are not woven, or in another way than usual: their sorted offsets by the reason. An instruction
    /// has one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub proofs: BTreeMap<Proof, Vec<u32>>,
    /// What the proofs, those of all classes, count on. If it turns out otherwise, they are void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
    /// What of the method as a whole nobody needs to know of.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub elided: BTreeSet<Elided>,
}

/// What is known of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// An access, to an array or to a field that is not in [`fields`](super::ClassFocus::fields), that cannot race.
    RaceFree,
    /// An access to a field that is presumed to be owned by its object (`self`, paper 004, section 3.1.1), under the object's monitor,
    /// which the method has taken. It needs no check as long as the `Conforming` ones are held to the owner.
    Held,
    /// Another access to such a field, which is to be checked for conformance with the owner.
    Conforming,
    /// A `monitorenter` or `monitorexit` of an idle lock: nothing that is checked runs while it is held.
    Idle,
}

/// What the proofs take of a method's executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guard {
    /// There are none, as nothing calls the method that the proofs know of.
    Unreached,
    /// There are none, as the method may call what the proofs do not see.
    Hiding,
    /// One thread runs them, the same for all methods of which this is said.
    RunByOne,
}

/// What need not be known of a method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Elided {
    /// The lock of a synchronized method: it is idle.
    Lock,
    /// That an execution may be a transaction: nothing in it is recorded for transactions.
    Transaction,
}

/// What is known of a method about which nothing was found.
pub(super) static NOTHING: MethodFocus = MethodFocus { proofs: BTreeMap::new(), guard: None, elided: BTreeSet::new() };

impl MethodFocus {
    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == NOTHING
    }

    /// What is known of the instruction at an offset.
    #[must_use]
    pub fn proof(&self, offset: u32) -> Option<Proof> {
        let mut proofs = self.proofs.iter();
        proofs.find(|(_, offsets)| offsets.binary_search(&offset).is_ok()).map(|(proof, _)| *proof)
    }

    /// Whether something of the method as a whole need not be known.
    #[must_use]
    pub fn elides(&self, what: Elided) -> bool {
        self.elided.contains(&what)
    }

    /// Whether the method takes a lock that need not be known to be held.
    #[must_use]
    pub fn has_idle_locks(&self) -> bool {
        self.elides(Elided::Lock) || self.proofs.contains_key(&Proof::Idle)
    }
}
