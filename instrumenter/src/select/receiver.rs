//! Where the verifier has `this` in local variable 0.
//!
//! That a method never assigns to the variable does not say it. A frame may call the variable unusable from its last use on, as
//! ProGuard and R8 write them; code behind such a frame must not load it. Between frames, only an assignment changes that.

use classfile::{Class, Malformed, Member, descriptor};

use crate::rewrite::code::Code;
use crate::rewrite::frames;

/// Which frames of a method that never assigns to its receiver have it; in code order.
pub(crate) struct ReceiverFrames(Vec<(u32, bool)>);

impl ReceiverFrames {
    /// Reads the frames of an instance method. Before version 50 the verifier finds the types itself, and whatever the class
    /// file says of frames is not looked at.
    pub fn of(class: &Class<'_>, method: &Member<'_>, code: &Code<'_>) -> Result<Self, Malformed> {
        let table = code.attributes.named(&class.pool, b"StackMapTable").next();
        let Some(contents) = table.filter(|_| class.version >= 50) else { return Ok(Self(Vec::new())) };
        let parameters = descriptor::n_parameters(method.descriptor).ok_or(Malformed("a descriptor"))?;
        let initial = vec![frames::object(0); 1 + parameters];
        frames::receivers(&frames::read(contents, code)?, initial).map(Self)
    }

    /// Whether the instruction may be preceded by one that loads the receiver.
    pub fn has_at(&self, index: usize) -> bool {
        let behind = self.0.partition_point(|(at, _)| *at as usize <= index);
        behind.checked_sub(1).is_none_or(|last| self.0[last].1)
    }
}
