//! A class file as a skeleton: where its parts stand in the bytes (JVMS 4.1).

use std::ops::Range;

use crate::pool::Pool;
use crate::reader::{Malformed, Reader};

/// Access flags that weaving looks at or sets (JVMS 4.1, 4.5, 4.6).
pub(crate) mod flag {
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const TRANSIENT: u16 = 0x0080;
    pub const INTERFACE: u16 = 0x0200;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const MODULE: u16 = 0x8000;
}

pub(crate) struct Class<'a> {
    pub bytes: &'a [u8],
    pub pool: Pool<'a>,
    /// Where the pool ends.
    pub pool_end: usize,
    /// Major version.
    pub version: u16,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub fields: Vec<Field<'a>>,
    /// From `fields_count` to the end of the last field.
    pub fields_span: Range<usize>,
    pub methods: Vec<Method<'a>>,
    /// From `attributes_count` to the end of the last attribute.
    pub attributes: Range<usize>,
    /// The file named by the `SourceFile` attribute, as a pool index.
    pub source_file: Option<u16>,
}

pub(crate) struct Field<'a> {
    pub access: u16,
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
}

pub(crate) struct Method<'a> {
    pub access: u16,
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
    /// The `Code` attribute from `attribute_length` to its end.
    pub code: Option<Range<usize>>,
    /// From `attributes_count` to the end of the last attribute.
    pub attributes: Range<usize>,
}

/// What stands before the fields.
pub(crate) struct Front<'a> {
    pub pool: Pool<'a>,
    pub pool_end: usize,
    pub version: u16,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
}

impl<'a> Front<'a> {
    pub fn read(bytes: &'a [u8], reader: &mut Reader<'a>) -> Result<Self, Malformed> {
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

impl<'a> Class<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let Front { pool, pool_end, version, access, this_class, super_class } = Front::read(bytes, &mut reader)?;
        let interfaces = reader.u2()?;
        reader.take(2 * usize::from(interfaces))?;
        let fields_start = reader.position();
        let fields = read_fields(&mut reader, &pool)?;
        let fields_span = fields_start..reader.position();
        let methods = read_methods(&mut reader, &pool)?;
        let attributes_start = reader.position();
        let source_file = read_source_file(&mut reader, &pool)?;
        Ok(Self {
            bytes,
            pool,
            pool_end,
            version,
            access,
            this_class,
            super_class,
            fields,
            fields_span,
            methods,
            attributes: attributes_start..reader.position(),
            source_file,
        })
    }

    pub fn is_interface(&self) -> bool {
        self.access & flag::INTERFACE != 0
    }

    /// The field of that name and descriptor that this class declares.
    pub fn field(&self, name: &[u8], descriptor: &[u8]) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name == name && field.descriptor == descriptor)
    }
}

fn read_fields<'a>(reader: &mut Reader<'a>, pool: &Pool<'a>) -> Result<Vec<Field<'a>>, Malformed> {
    let count = reader.u2()?;
    let mut fields = Vec::with_capacity(usize::from(count).min(64));
    for _ in 0..count {
        let (access, name, descriptor) = (reader.u2()?, reader.u2()?, reader.u2()?);
        for _ in 0..reader.u2()? {
            reader.attribute()?;
        }
        fields.push(Field { access, name: pool.utf8(name)?, descriptor: pool.utf8(descriptor)? });
    }
    Ok(fields)
}

fn read_methods<'a>(reader: &mut Reader<'a>, pool: &Pool<'a>) -> Result<Vec<Method<'a>>, Malformed> {
    let count = reader.u2()?;
    let mut methods = Vec::with_capacity(usize::from(count).min(64));
    for _ in 0..count {
        let (access, name, descriptor) = (reader.u2()?, reader.u2()?, reader.u2()?);
        let mut code = None;
        let attributes_start = reader.position();
        for _ in 0..reader.u2()? {
            let start = reader.position() + 2;
            let (attribute, _) = reader.attribute()?;
            if pool.utf8(attribute)? == b"Code" {
                code = Some(start..reader.position());
            }
        }
        let attributes = attributes_start..reader.position();
        methods.push(Method { access, name: pool.utf8(name)?, descriptor: pool.utf8(descriptor)?, code, attributes });
    }
    Ok(methods)
}

fn read_source_file<'a>(reader: &mut Reader<'a>, pool: &Pool<'a>) -> Result<Option<u16>, Malformed> {
    let mut file = None;
    for _ in 0..reader.u2()? {
        let (name, contents) = reader.attribute()?;
        if pool.utf8(name)? == b"SourceFile" {
            file = Some(Reader::new(contents).u2()?);
        }
    }
    Ok(file)
}
