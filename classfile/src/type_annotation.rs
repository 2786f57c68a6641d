//! Annotations of types (JVMS 4.7.20), whatever their retention, where fields and methods are declared.

use crate::annotation::Annotation;
use crate::attribute::Attributes;
use crate::pool::Pool;
use crate::reader::{Malformed, Reader};
use crate::signature::Step;

/// Whose type it is (JVMS table 4.7.20-A).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// That of the field.
    Field,
    /// What the method returns.
    Result,
    /// That of a parameter, by its number among those of the source.
    Parameter(u8),
    /// Another one: a bound, a supertype, what is thrown, or one in code.
    Other,
}

/// An annotation of a type, or of one within it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeAnnotation {
    /// The type.
    pub target: Target,
    /// The way to what is annotated.
    pub path: Vec<Step>,
    /// The annotation.
    pub annotation: Annotation,
}

impl TypeAnnotation {
    /// Those of a field or a method. Attributes that are damaged count as empty.
    pub fn all(attributes: Attributes<'_>, pool: &Pool<'_>) -> Vec<Self> {
        let is_meant =
            |name| matches!(pool.utf8(name), Ok(b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations"));
        let wanted = attributes.iter().filter(|(name, _)| is_meant(*name));
        wanted.flat_map(|(_, contents)| read_all(contents).unwrap_or_default()).collect()
    }
}

fn read_all(contents: &[u8]) -> Result<Vec<TypeAnnotation>, Malformed> {
    let mut reader = Reader::new(contents);
    (0..reader.u2()?).map(|_| read_one(&mut reader)).collect()
}

fn read_one(reader: &mut Reader<'_>) -> Result<TypeAnnotation, Malformed> {
    let target = read_target(reader)?;
    let path = read_path(reader)?;
    Ok(TypeAnnotation { target, path, annotation: Annotation::read(reader)? })
}

fn read_target(reader: &mut Reader<'_>) -> Result<Target, Malformed> {
    match reader.u1()? {
        0x13 => return Ok(Target::Field),
        0x14 => return Ok(Target::Result),
        0x15 => {}
        0x16 => return Ok(Target::Parameter(reader.u1()?)),
        0x00 | 0x01 => drop(reader.u1()?),
        0x10..=0x12 | 0x17 | 0x42..=0x46 => drop(reader.u2()?),
        0x40 | 0x41 => {
            let n_ranges = usize::from(reader.u2()?);
            reader.take(6 * n_ranges)?;
        }
        0x47..=0x4B => drop(reader.take(3)?),
        _ => return Err(Malformed("no target of an annotation")),
    }
    Ok(Target::Other)
}

fn read_path(reader: &mut Reader<'_>) -> Result<Vec<Step>, Malformed> {
    let mut path = Vec::new();
    for _ in 0..reader.u1()? {
        let (kind, number) = (reader.u1()?, reader.u1()?);
        match kind {
            0 => path.push(Step::Element),
            1 => {}
            2 => path.push(Step::Bound),
            3 => path.push(Step::Argument(number)),
            _ => return Err(Malformed("no step to a type")),
        }
    }
    Ok(path)
}
