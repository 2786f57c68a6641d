//! Class files, read in place.
//!
//! What is read borrows the bytes, and says where in them it stands where someone who rewrites the file needs to know. No input
//! makes this crate panic; what it accepts is a little more than what the JVM does.
//!
//! # Why not `ristretto_classfile`
//!
//! The tests hold this crate to it: it reads constants and instructions rightly, all that it accepts. But
//!
//! - its class reader decodes every attribute and each instruction to values of its own, where most callers ask for little;
//! - it does not say where in the bytes a structure stands, and splicing goes by that;
//! - it refuses versions after 69, texts that are not modified UTF-8 of today (old compilers wrote others, which the JVM takes), and a class
//!   of which one line number is not at an instruction;
//! - it loses the last instruction of an exception range that ends with the code, and access flags that it has no name for.
//!
//! That leaves its reader of numbers, which is [`Reader`] with other errors.
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
pub mod shape;
pub mod signature;
pub mod text;
pub mod type_annotation;

pub use class::{Class, Front, Member};
pub use code::{Code, Handler};
pub use instruction::{Flow, Instruction};
pub use pool::{Constant, Pool};
pub use reader::{Malformed, Reader};
pub use shape::Shape;
pub use text::{modified, text};
