//! Monitors: `monitorenter`, `monitorexit`, and `Object`'s `wait` and `notify`.
//!
//! A lock is reported as taken after it was taken and as released before it is released, so that the reported order of
//! owners is the real one. Both hooks lie in the exception range whose handler unlocks (see `emit`).

use facts::hook::Hook;

use super::{Failure, MethodWeaver};
use crate::opcode::DUP;
use crate::plan::NewAction;
use crate::select::Verdict;

impl MethodWeaver<'_, '_> {
    pub(super) fn before_enter(&mut self) {
        self.emit(&[DUP]);
        self.edits.needs_stack(2);
    }

    pub(super) fn after_enter(&mut self, index: usize) -> Result<(), Failure> {
        self.site(index, NewAction::Enter)?;
        Ok(self.hook(Hook::Enter)?)
    }

    pub(super) fn before_exit(&mut self) -> Result<(), Failure> {
        self.emit(&[DUP]);
        self.edits.needs_stack(1);
        Ok(self.hook(Hook::Exit)?)
    }

    /// Says whether the hook takes the call's place.
    pub(super) fn call(&mut self, index: usize) -> Result<bool, Failure> {
        match self.class.selection.member(self.code.operand(index)) {
            Verdict::Replace(hook) => {
                self.hook(hook)?;
                Ok(true)
            }
            Verdict::Announce(hook) => {
                self.emit(&[DUP]);
                self.edits.needs_stack(1);
                self.hook(hook)?;
                Ok(false)
            }
            Verdict::Leave | Verdict::Check { .. } => Ok(false),
        }
    }
}
