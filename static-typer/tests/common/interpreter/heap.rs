//! What a machine's variables hold, and its objects.

use rustc_hash::FxHashMap;
use static_typer::program::{Base, FieldId, Handle, Name, Type};

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Datum {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// The object's place in the heap.
    Reference(Option<usize>),
}

impl Datum {
    pub const NULL: Self = Self::Reference(None);

    /// What variables of a type hold before they are assigned.
    pub fn zero(ty: Type) -> Self {
        match ty.on_stack() {
            Type::INT => Self::Int(0),
            Type::LONG => Self::Long(0),
            Type::FLOAT => Self::Float(0.0),
            Type::DOUBLE => Self::Double(0.0),
            _ => Self::NULL,
        }
    }

    pub fn int(self) -> i32 {
        match self {
            Self::Int(value) => value,
            other => panic!("an int is needed: {other:?}"),
        }
    }

    pub fn reference(self) -> Option<usize> {
        match self {
            Self::Reference(place) => place,
            other => panic!("a reference is needed: {other:?}"),
        }
    }

    /// As a variable of a narrow type holds it (JVMS 6.5, `putfield` and `bastore`).
    pub fn narrowed(self, ty: Type) -> Self {
        match (self, ty.base) {
            (Self::Int(value), _) if ty.dimensions == 0 => Self::Int(narrow(value, ty.base)),
            _ => self,
        }
    }
}

/// What a variable of a narrow type keeps of an `int`.
pub fn narrow(value: i32, base: Base) -> i32 {
    match base {
        Base::Boolean => value & 1,
        Base::Byte => i32::from(value as i8),
        Base::Char => i32::from(value as u16),
        Base::Short => i32::from(value as i16),
        _ => value,
    }
}

/// An object.
#[derive(Clone)]
pub struct Object {
    /// Its class.
    pub ty: Type,
    pub contents: Contents,
    /// How often its monitor is held.
    pub locks: u32,
}

/// What is in an object.
#[derive(Clone)]
pub enum Contents {
    /// The fields that were assigned.
    Fields(FxHashMap<FieldId, Datum>),
    Elements(Vec<Datum>),
    String(Name),
    Class,
    /// What a lambda expression gives: what it calls, and its first arguments.
    Function(Handle, Vec<Datum>),
}
