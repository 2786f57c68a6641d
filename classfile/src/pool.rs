//! The constant pool (JVMS 4.4).
//!
//! Only where each constant stands is noted; it is read where it is asked for. Texts stay bytes: those of old class files need
//! not be modified UTF-8 of today, the JVM takes them nevertheless.

use std::borrow::Cow;

use crate::reader::{Malformed, Reader};
use crate::text::text;

/// The tags of constants (JVMS table 4.4-B).
pub mod tag {
    #![allow(missing_docs, reason = "named as in the specification")]
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD_REF: u8 = 9;
    pub const METHOD_REF: u8 = 10;
    pub const INTERFACE_METHOD_REF: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

const WRONG_KIND: Malformed = Malformed("a constant of the wrong kind");

/// A constant; what it refers to are indices of the same pool.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant<'a> {
    /// Modified UTF-8.
    Utf8(&'a [u8]),
    /// An `int`.
    Integer(i32),
    /// A `float`.
    Float(f32),
    /// A `long`.
    Long(i64),
    /// A `double`.
    Double(f64),
    /// The name of a class, or the descriptor of an array.
    Class(u16),
    /// The text of a string.
    String(u16),
    /// Class, then name and type.
    Field(u16, u16),
    /// Class, then name and type.
    Method(u16, u16),
    /// Interface, then name and type.
    InterfaceMethod(u16, u16),
    /// Name, then descriptor.
    NameAndType(u16, u16),
    /// Kind (JVMS table 5.4.3.5-A), then member.
    MethodHandle(u8, u16),
    /// The descriptor of a method.
    MethodType(u16),
    /// Number of the bootstrap method, then name and type.
    Dynamic(u16, u16),
    /// Number of the bootstrap method, then name and type.
    InvokeDynamic(u16, u16),
    /// The name of a module.
    Module(u16),
    /// The name of a package.
    Package(u16),
}

impl<'a> Constant<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        Ok(match reader.u1()? {
            tag::UTF8 => {
                let length = reader.u2()?;
                Self::Utf8(reader.take(length.into())?)
            }
            tag::INTEGER => Self::Integer(reader.i4()?),
            tag::FLOAT => Self::Float(f32::from_bits(reader.u4()?)),
            tag::LONG => Self::Long(reader.i8()?),
            tag::DOUBLE => Self::Double(f64::from_bits(reader.i8()?.cast_unsigned())),
            tag::CLASS => Self::Class(reader.u2()?),
            tag::STRING => Self::String(reader.u2()?),
            tag::FIELD_REF => Self::Field(reader.u2()?, reader.u2()?),
            tag::METHOD_REF => Self::Method(reader.u2()?, reader.u2()?),
            tag::INTERFACE_METHOD_REF => Self::InterfaceMethod(reader.u2()?, reader.u2()?),
            tag::NAME_AND_TYPE => Self::NameAndType(reader.u2()?, reader.u2()?),
            tag::METHOD_HANDLE => Self::MethodHandle(reader.u1()?, reader.u2()?),
            tag::METHOD_TYPE => Self::MethodType(reader.u2()?),
            tag::DYNAMIC => Self::Dynamic(reader.u2()?, reader.u2()?),
            tag::INVOKE_DYNAMIC => Self::InvokeDynamic(reader.u2()?, reader.u2()?),
            tag::MODULE => Self::Module(reader.u2()?),
            tag::PACKAGE => Self::Package(reader.u2()?),
            _ => return Err(Malformed("a constant of an unknown kind")),
        })
    }
}

/// The constants of a class file.
#[derive(Debug)]
pub struct Pool<'a> {
    class: &'a [u8],
    /// Where each constant's tag stands; 0 for the unusable indices (0, and the second half of long and double).
    entries: Vec<u32>,
}

/// A reference to a field or a method.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The index of the class.
    pub class: u16,
    /// The member's name.
    pub name: &'a [u8],
    /// The member's descriptor.
    pub descriptor: &'a [u8],
}

impl<'a> Pool<'a> {
    /// Reads the pool from `reader`, which stands at `constant_pool_count`, and moves the reader past it.
    pub(crate) fn read(class: &'a [u8], reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let count = usize::from(reader.u2()?);
        let mut entries = Vec::with_capacity(count);
        entries.push(0);
        while entries.len() < count {
            entries.push(u32::try_from(reader.position()).map_err(|_| Malformed("a class file of 4 GB"))?);
            if let Constant::Long(_) | Constant::Double(_) = Constant::read(reader)? {
                entries.push(0);
            }
        }
        // A long at the end has no second half, and must not get one.
        if entries.len() > count.max(1) {
            return Err(Malformed("a constant cut in half by the end of the pool"));
        }
        Ok(Self { class, entries })
    }

    /// One more than the highest index.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Every usable index.
    pub fn indices(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.entries.len())
            .filter(|index| self.entries[*index] != 0)
            .map(|index| u16::try_from(index).unwrap_or_default())
    }

    fn position(&self, index: u16) -> Option<usize> {
        let at = *self.entries.get(usize::from(index))?;
        (at != 0).then_some(at as usize)
    }

    /// The tag of a constant; none for an unusable index.
    #[must_use]
    pub fn tag(&self, index: u16) -> Option<u8> {
        self.class.get(self.position(index)?).copied()
    }

    /// A constant; none for an unusable index.
    #[must_use]
    pub fn get(&self, index: u16) -> Option<Constant<'a>> {
        Constant::read(&mut Reader::at(self.class, self.position(index)?)).ok()
    }

    /// The bytes of a constant, with its tag; none for an unusable index.
    #[must_use]
    pub fn bytes(&self, index: u16) -> &'a [u8] {
        let Some(at) = self.position(index) else { return &[] };
        let mut reader = Reader::at(self.class, at);
        match Constant::read(&mut reader) {
            Ok(_) => self.class.get(at..reader.position()).unwrap_or_default(),
            Err(_) => &[],
        }
    }

    /// Modified UTF-8 bytes.
    ///
    /// # Errors
    /// The constant is none.
    pub fn utf8(&self, index: u16) -> Result<&'a [u8], Malformed> {
        match self.get(index) {
            Some(Constant::Utf8(bytes)) => Ok(bytes),
            _ => Err(WRONG_KIND),
        }
    }

    /// Modified UTF-8 as text for people and maps.
    ///
    /// # Errors
    /// The constant is none.
    pub fn text(&self, index: u16) -> Result<Cow<'a, str>, Malformed> {
        self.utf8(index).map(text)
    }

    /// The name of a class, or the descriptor of an array.
    ///
    /// # Errors
    /// The constant is no class.
    pub fn class_name(&self, index: u16) -> Result<&'a [u8], Malformed> {
        match self.get(index) {
            Some(Constant::Class(name)) => self.utf8(name),
            _ => Err(WRONG_KIND),
        }
    }

    /// A reference to a field or a method.
    ///
    /// # Errors
    /// The constant is none, or does not lead to texts.
    pub fn reference(&self, index: u16) -> Result<Reference<'a>, Malformed> {
        let (class, name_and_type) = self.class_and_type(index)?;
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(Reference { class, name, descriptor })
    }

    /// The name of the class in a reference to a field or a method.
    ///
    /// # Errors
    /// The constant is none, or does not lead to a class.
    pub fn owner(&self, index: u16) -> Result<&'a [u8], Malformed> {
        self.class_name(self.class_and_type(index)?.0)
    }

    fn class_and_type(&self, index: u16) -> Result<(u16, u16), Malformed> {
        match self.get(index) {
            Some(
                Constant::Field(class, member)
                | Constant::Method(class, member)
                | Constant::InterfaceMethod(class, member),
            ) => Ok((class, member)),
            _ => Err(WRONG_KIND),
        }
    }

    /// Name and descriptor of a constant or a call site that a bootstrap method makes.
    ///
    /// # Errors
    /// The constant is none, or does not lead to texts.
    pub fn dynamic(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), Malformed> {
        match self.get(index) {
            Some(Constant::Dynamic(_, name_and_type) | Constant::InvokeDynamic(_, name_and_type)) => {
                self.name_and_type(name_and_type)
            }
            _ => Err(WRONG_KIND),
        }
    }

    /// Name and descriptor.
    ///
    /// # Errors
    /// The constant is no such pair, or does not lead to texts.
    pub fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), Malformed> {
        match self.get(index) {
            Some(Constant::NameAndType(name, descriptor)) => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => Err(WRONG_KIND),
        }
    }

    /// An `int`.
    #[must_use]
    pub fn integer(&self, index: u16) -> Option<i32> {
        match self.get(index) {
            Some(Constant::Integer(value)) => Some(value),
            _ => None,
        }
    }
}
