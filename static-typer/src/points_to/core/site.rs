//! Allocation sites: where abstract objects come from.

use crate::ir::Value;
use crate::program::{FieldId, MethodId, Name, Program, Type};

use super::id::CodeId;

/// Where objects come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// An instruction, and how many dimensions further in for arrays of arrays.
    New(MethodId, Value, u8),
    /// The lambda or method reference that an instruction makes, and the code that its method stands for.
    Lambda(MethodId, Value, CodeId),
    /// Copies of what an instruction makes.
    Copy(MethodId, Value, u8),
    /// Arrays of a type without elements.
    Empty(Type),
    /// All objects of a type that are not told apart: strings, and what is thrown.
    Merged(Type),
    /// A string constant that names a class.
    Text(Name),
    /// The `Class` of a type.
    Class(Type),
    /// A constructor, as an object.
    Constructor(MethodId),
    /// A method, as an object.
    Method(MethodId),
    /// A field, as an object.
    Field(FieldId),
    /// A reflective call of a method, and what it makes.
    Reflected(MethodId, Value, Type),
    /// What a method returns whose code is not known.
    Returned(MethodId),
    /// What the environment of the program makes: the main thread, its arguments, what a harness calls with.
    Given(Type),
}

impl Site {
    /// Whether its objects are told apart by the context in which it runs.
    pub const fn has_makers(&self) -> bool {
        matches!(self, Self::New(..) | Self::Lambda(..) | Self::Reflected(..))
    }

    /// Whether code of the application is the site, or its environment.
    pub fn is_of_application(&self, program: &Program) -> bool {
        match self {
            Self::New(method, ..) | Self::Copy(method, ..) | Self::Lambda(method, ..) | Self::Reflected(method, ..) => {
                program.class(program.method(*method).class).is_application
            }
            Self::Given(_) => true,
            _ => false,
        }
    }
}
