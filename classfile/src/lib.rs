//! Class files, read in place.
//!
//! What is read borrows the bytes, and says where in them it stands where someone who rewrites the file needs to know. No input
//! makes this crate panic; what it accepts is a little more than what the JVM does.
//!
//! ```
//! let error = classfile::Class::read(b"not a class").unwrap_err();
//! assert_eq!(error.to_string(), "no class file magic number");
//! ```

// Casts of offsets and counts lose nothing: code is at most 65535 bytes long (JVMS 4.7.3).

pub mod annotation;
pub mod attribute;
pub mod class;
pub mod code;
pub mod descriptor;
pub mod flag;
pub mod instruction;
pub mod local;
pub mod opcode;
pub mod pool;
pub mod reader;

pub use class::{Class, Front, Member};
pub use code::{Code, Handler};
pub use instruction::{Flow, Instruction};
pub use pool::{Constant, Pool};
pub use reader::{Malformed, Reader, text};
