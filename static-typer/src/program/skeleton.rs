//! What of a method's instructions says in which order they run.

use classfile::code::Code;
use classfile::instruction::walk;
use classfile::opcode;

use super::{MethodId, Program};

impl Program {
    /// The instructions of a method without what they name, and where its handlers stand: of two methods with the same skeleton
    /// the same instructions may come before the same. Empty without code that can be read.
    #[must_use]
    pub fn skeleton(&self, method: MethodId) -> Vec<u8> {
        let Some(Ok(code)) = self.code(method).map(Code::read) else { return Vec::new() };
        let mut found = Vec::with_capacity(code.bytes.len());
        for instruction in walk(code.bytes).map_while(Result::ok) {
            let bytes = instruction.bytes();
            // How long it is says where others stand; constants are named, too.
            let n_kept = if opcode::has_index(bytes[0]) { 1 } else { bytes.len() };
            found.extend((bytes.len() as u32).to_le_bytes());
            found.extend(&bytes[..n_kept]);
        }
        for handler in &code.handlers {
            found.extend([handler.start, handler.end, handler.target].into_iter().flat_map(u16::to_le_bytes));
            found.push(u8::from(handler.catch_type == 0));
        }
        found
    }
}
