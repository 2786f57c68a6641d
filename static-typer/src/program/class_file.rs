//! Reading class files (JVMS 4): the pool, the members and their code, as far as analyses need them.
//!
//! Numbers are read by `ristretto_classfile`; its class reader rejects versions after 69 and mistakes exception ranges that
//! reach the end of the code, and its constant pool rejects texts of old compilers, so the rest is read here.

use std::ops::Range;

use ristretto_classfile::byte_reader::ByteReader;

use super::pool::{Entry, Pool};

/// Why a class file could not be read: a noun phrase.
pub type Malformed = String;

/// A class file, its names still indices into its pool.
pub(super) struct ClassFile<'a> {
    pub pool: Pool<'a>,
    pub version: u16,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<MemberInfo>,
    pub methods: Vec<MemberInfo>,
    pub attributes: Attributes,
}

pub(super) struct MemberInfo {
    pub access: u16,
    pub name: u16,
    pub descriptor: u16,
    pub attributes: Attributes,
}

/// The attributes that analyses look at.
#[derive(Default)]
pub(super) struct Attributes {
    /// Where the contents of `Code` stand in the file.
    pub code: Option<Range<usize>>,
    pub source_file: Option<u16>,
    /// Handle and arguments of each bootstrap method.
    pub bootstrap_methods: Vec<(u16, Vec<u16>)>,
    pub annotations: Vec<AnnotationInfo>,
}

/// An annotation: its type, and those of its values that are strings or arrays of them, each with its element's name.
pub(super) struct AnnotationInfo {
    pub descriptor: u16,
    pub strings: Vec<(u16, u16)>,
}

/// Annotations in annotations are followed this far: real ones have two levels, and a hostile file could have thousands.
const MAX_NESTING: u8 = 32;

impl<'a> ClassFile<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        Self::read_structures(bytes).map_err(|error| match error.to_string() {
            empty if empty.is_empty() => "a damaged structure".to_owned(),
            text => text,
        })
    }

    fn read_structures(bytes: &'a [u8]) -> ristretto_classfile::Result<Self> {
        let mut reader = ByteReader::new(bytes);
        if reader.read_u32()? != 0xCAFE_BABE {
            return Err(ristretto_classfile::Error::InvalidMagicNumber(0));
        }
        reader.read_u16()?;
        let version = reader.read_u16()?;
        let pool = Pool::read(&mut reader)?;
        let (access, this_class, super_class) = (reader.read_u16()?, reader.read_u16()?, reader.read_u16()?);
        let interfaces = (0..reader.read_u16()?).map(|_| reader.read_u16()).collect::<Result<_, _>>()?;
        let fields = members(&mut reader, &pool)?;
        let methods = members(&mut reader, &pool)?;
        let attributes = attributes(&mut reader, &pool)?;
        Ok(Self { pool, version, access, this_class, super_class, interfaces, fields, methods, attributes })
    }

    pub fn utf8(&self, index: u16) -> Result<&'a [u8], Malformed> {
        self.pool.utf8(index).ok_or_else(|| format!("no text at constant {index}"))
    }

    /// The text of a class constant.
    pub fn class_name(&self, index: u16) -> Result<&'a [u8], Malformed> {
        match self.pool.get(index) {
            Entry::Class(name) => self.utf8(name),
            _ => Err(format!("no class at constant {index}")),
        }
    }
}

fn members(reader: &mut ByteReader<'_>, pool: &Pool<'_>) -> ristretto_classfile::Result<Vec<MemberInfo>> {
    (0..reader.read_u16()?)
        .map(|_| {
            let (access, name, descriptor) = (reader.read_u16()?, reader.read_u16()?, reader.read_u16()?);
            Ok(MemberInfo { access, name, descriptor, attributes: attributes(reader, pool)? })
        })
        .collect()
}

fn attributes(reader: &mut ByteReader<'_>, pool: &Pool<'_>) -> ristretto_classfile::Result<Attributes> {
    let mut attributes = Attributes::default();
    for _ in 0..reader.read_u16()? {
        let name = reader.read_u16()?;
        let length = reader.read_u32()? as usize;
        let start = reader.position();
        let mut contents = ByteReader::new(reader.read_bytes(length)?);
        match pool.utf8(name) {
            Some(b"Code") => attributes.code = Some(start..start + length),
            Some(b"SourceFile") => attributes.source_file = Some(contents.read_u16()?),
            Some(b"BootstrapMethods") => attributes.bootstrap_methods = bootstrap_methods(&mut contents)?,
            // What another tool left damaged here, the JVM does not look at either.
            Some(b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations") => {
                attributes.annotations.extend(annotations(&mut contents).unwrap_or_default());
            }
            _ => {}
        }
    }
    Ok(attributes)
}

fn bootstrap_methods(reader: &mut ByteReader<'_>) -> ristretto_classfile::Result<Vec<(u16, Vec<u16>)>> {
    (0..reader.read_u16()?)
        .map(|_| {
            let handle = reader.read_u16()?;
            let arguments = (0..reader.read_u16()?).map(|_| reader.read_u16()).collect::<Result<_, _>>()?;
            Ok((handle, arguments))
        })
        .collect()
}

fn annotations(reader: &mut ByteReader<'_>) -> ristretto_classfile::Result<Vec<AnnotationInfo>> {
    (0..reader.read_u16()?).map(|_| annotation(reader, 0)).collect()
}

fn annotation(reader: &mut ByteReader<'_>, nesting: u8) -> ristretto_classfile::Result<AnnotationInfo> {
    let descriptor = reader.read_u16()?;
    let mut strings = Vec::new();
    for _ in 0..reader.read_u16()? {
        let name = reader.read_u16()?;
        element(reader, name, nesting, &mut strings)?;
    }
    Ok(AnnotationInfo { descriptor, strings })
}

/// One value (JVMS 4.7.16.1).
fn element(
    reader: &mut ByteReader<'_>,
    name: u16,
    nesting: u8,
    strings: &mut Vec<(u16, u16)>,
) -> ristretto_classfile::Result<()> {
    match reader.read_u8()? {
        b's' => strings.push((name, reader.read_u16()?)),
        b'e' => reader.skip(4)?,
        b'@' if nesting < MAX_NESTING => drop(annotation(reader, nesting + 1)?),
        b'[' if nesting < MAX_NESTING => {
            for _ in 0..reader.read_u16()? {
                element(reader, name, nesting + 1, strings)?;
            }
        }
        tag @ (b'@' | b'[') => return Err(ristretto_classfile::Error::InvalidAnnotationElementTag(tag)),
        _ => reader.skip(2)?,
    }
    Ok(())
}
