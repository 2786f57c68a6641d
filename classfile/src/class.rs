//! A class file (JVMS 4.1): what is in it, and where its parts stand in the bytes.

use std::ops::Range;

use crate::attribute::Attributes;
use crate::flag;
use crate::pool::Pool;
use crate::reader::{Malformed, Reader};

/// The first facts of a class file, read without the rest.
#[derive(Debug)]
pub struct Front<'a> {
    /// The constants.
    pub pool: Pool<'a>,
    /// Where they end.
    pub pool_end: usize,
    /// Major version.
    pub version: u16,
    /// Access flags (JVMS table 4.1-B).
    pub access: u16,
    /// The class, as an index of the pool.
    pub this_class: u16,
    /// The superclass; 0 for `java/lang/Object` and modules.
    pub super_class: u16,
}

impl<'a> Front<'a> {
    /// Reads what stands before the interfaces.
    ///
    /// # Errors
    /// It is damaged.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        Self::read_from(bytes, &mut Reader::new(bytes))
    }

    fn read_from(bytes: &'a [u8], reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        if reader.u4()? != 0xCAFE_BABE {
            return Err(Malformed("no class file magic number"));
        }
        reader.u2()?;
        let version = reader.u2()?;
        let pool = Pool::read(bytes, reader)?;
        let pool_end = reader.position();
        let (access, this_class, super_class) = (reader.u2()?, reader.u2()?, reader.u2()?);
        Ok(Self { pool, pool_end, version, access, this_class, super_class })
    }
}

/// A class file.
#[derive(Debug)]
pub struct Class<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// The constants.
    pub pool: Pool<'a>,
    /// Where they end.
    pub pool_end: usize,
    /// Major version.
    pub version: u16,
    /// Access flags (JVMS table 4.1-B).
    pub access: u16,
    /// The class, as an index of the pool.
    pub this_class: u16,
    /// The superclass; 0 for `java/lang/Object` and modules.
    pub super_class: u16,
    interfaces: &'a [u8],
    /// In the order of the file.
    pub fields: Vec<Member<'a>>,
    /// From `fields_count` to the end of the last field.
    pub fields_span: Range<usize>,
    /// In the order of the file.
    pub methods: Vec<Member<'a>>,
    /// Those of the class itself.
    pub attributes: Attributes<'a>,
    /// The file named by the `SourceFile` attribute, as an index of the pool.
    pub source_file: Option<u16>,
}

/// A field or a method.
#[derive(Debug)]
pub struct Member<'a> {
    /// Access flags (JVMS tables 4.5-A, 4.6-A).
    pub access: u16,
    /// Modified UTF-8.
    pub name: &'a [u8],
    /// Modified UTF-8.
    pub descriptor: &'a [u8],
    /// Where the contents of a method's `Code` attribute stand in the file.
    pub code: Option<Range<usize>>,
    /// All of them.
    pub attributes: Attributes<'a>,
}

impl<'a> Class<'a> {
    /// Reads a class file. The contents of most attributes are not looked at.
    ///
    /// # Errors
    /// It is damaged.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let reader = &mut Reader::new(bytes);
        let Front { pool, pool_end, version, access, this_class, super_class } = Front::read_from(bytes, reader)?;
        let n_interfaces = reader.u2()?;
        let interfaces = reader.take(2 * usize::from(n_interfaces))?;
        let fields_start = reader.position();
        let fields = read_members(reader, &pool, &[])?;
        let fields_span = fields_start..reader.position();
        let methods = read_members(reader, &pool, b"Code")?;
        let mut source_file = None;
        let attributes = Attributes::read_each(reader, |name, contents| {
            if pool.utf8(name)? == b"SourceFile" {
                source_file = Some(Reader::new(&bytes[contents]).u2()?);
            }
            Ok(())
        })?;
        Ok(Self {
            bytes,
            pool,
            pool_end,
            version,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            fields_span,
            methods,
            attributes,
            source_file,
        })
    }

    /// The interfaces, as indices of the pool.
    pub fn interfaces(&self) -> impl Iterator<Item = u16> {
        self.interfaces.as_chunks().0.iter().map(|index| u16::from_be_bytes(*index))
    }

    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.access & flag::INTERFACE != 0
    }

    /// The field of that name and descriptor that this class declares.
    #[must_use]
    pub fn field(&self, name: &[u8], descriptor: &[u8]) -> Option<&Member<'a>> {
        self.fields.iter().find(|field| field.name == name && field.descriptor == descriptor)
    }
}

/// Fields or methods; `code` is the name of the attribute to note, and empty for fields, where `Code` means nothing.
fn read_members<'a>(reader: &mut Reader<'a>, pool: &Pool<'a>, code: &[u8]) -> Result<Vec<Member<'a>>, Malformed> {
    let count = reader.u2()?;
    // A damaged count may say anything.
    let mut members = Vec::with_capacity(usize::from(count).min(64));
    for _ in 0..count {
        let (access, name, descriptor) = (reader.u2()?, reader.u2()?, reader.u2()?);
        let mut found = None;
        let attributes = Attributes::read_each(reader, |attribute, contents| {
            if !code.is_empty() && pool.utf8(attribute)? == code {
                found = Some(contents);
            }
            Ok(())
        })?;
        let (name, descriptor) = (pool.utf8(name)?, pool.utf8(descriptor)?);
        members.push(Member { access, name, descriptor, code: found, attributes });
    }
    Ok(members)
}
