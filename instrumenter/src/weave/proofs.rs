//! What the focus says of a method, as far as it counts for what is woven.

use classfile::{Member, text};
use facts::access::Granularity;
use facts::focus::{Elided, MethodFocus, Proof};
use facts::hook::Events;

use crate::plan::Plan;
use crate::rewrite::code::Code;

/// The answers for one method; without a focus there are none.
#[derive(Clone, Copy, Default)]
pub(super) struct Proofs<'a> {
    focus: Option<&'a MethodFocus>,
    /// Whether idle locks are left out. Only Eraser asks for nothing but the locks held at checked accesses.
    elides_locks: bool,
    /// Whether accesses are held to the owners that are presumed. They are of single fields; a trace has every access, and order is
    /// only known of accesses that are told.
    presumes_owners: bool,
}

impl<'a> Proofs<'a> {
    pub fn of(plan: &Plan<'a>, method: &Member<'_>) -> Self {
        let Some(focus) = plan.focus else { return Self::default() };
        let elides_locks = !plan.events.meets(Events::ORDER | Events::EDGES);
        let presumes_owners = elides_locks && plan.granularity == Granularity::Field;
        let focus = Some(focus.method(&text(method.name), &text(method.descriptor)));
        Self { focus, elides_locks, presumes_owners }
    }

    /// Whether the proofs count on how the method is run.
    pub fn is_guarded(self) -> bool {
        self.focus.is_some_and(|focus| focus.guard.is_some())
    }

    /// Whether nobody needs to know of this.
    pub fn elides(self, what: Elided) -> bool {
        (what != Elided::Lock || self.elides_locks) && self.focus.is_some_and(|focus| focus.elides(what))
    }

    /// Whether an access needs no check.
    pub fn covers(self, code: &Code<'_>, index: usize) -> bool {
        matches!(self.at(code, index), Some(Proof::RaceFree | Proof::Held))
    }

    /// Whether nobody needs to know of a lock's beginning or end.
    pub fn is_idle(self, code: &Code<'_>, index: usize) -> bool {
        self.at(code, index) == Some(Proof::Idle)
    }

    /// Whether an access is to conform with the presumed owner.
    pub fn conforms(self, code: &Code<'_>, index: usize) -> bool {
        self.at(code, index) == Some(Proof::Conforming)
    }

    fn at(self, code: &Code<'_>, index: usize) -> Option<Proof> {
        let counts = |proof: &Proof| match proof {
            Proof::RaceFree => true,
            Proof::Held | Proof::Conforming => self.presumes_owners,
            Proof::Idle => self.elides_locks,
        };
        self.focus?.proof(code.instructions[index].at).filter(counts)
    }
}
