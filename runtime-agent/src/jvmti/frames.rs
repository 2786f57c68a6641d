//! Stacks that are kept for findings.

use std::sync::Arc;

use facts::site::Place;
use rustc_hash::FxHashSet;

use super::{Frame, HELPERS, Vm};

/// A stack that is resolved to places when it is reported, or before its methods change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frames {
    /// As the JVM holds it, with the helper's own frames, and how many of the others are reported.
    Unresolved(Arc<[Frame]>, u16),
    /// As it is reported.
    Resolved(Arc<[Place]>),
}

impl Default for Frames {
    fn default() -> Self {
        Self::Resolved(Arc::default())
    }
}

impl Frames {
    /// The current stack.
    pub fn take(vm: &Vm, depth: u16) -> Self {
        Self::Unresolved(vm.frames(depth).into(), depth)
    }

    /// The places, innermost first, without the helper's own frames.
    pub fn places(&self, vm: &Vm) -> Vec<Place> {
        match self {
            Self::Unresolved(frames, depth) => {
                let places = frames.iter().filter_map(|frame| vm.place(frame));
                places.skip_while(|place| place.class.starts_with(HELPERS)).take((*depth).into()).collect()
            }
            Self::Resolved(places) => places.to_vec(),
        }
    }

    /// Resolves a stack in which one of these methods is, which are about to change.
    pub fn resolve(&mut self, vm: &Vm, methods: &FxHashSet<usize>) {
        if let Self::Unresolved(frames, _) = self
            && frames.iter().any(|frame| methods.contains(&frame.method.0))
        {
            *self = Self::Resolved(self.places(vm).into());
        }
    }

    /// Whether nothing was kept.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Unresolved(frames, _) => frames.is_empty(),
            Self::Resolved(places) => places.is_empty(),
        }
    }
}
