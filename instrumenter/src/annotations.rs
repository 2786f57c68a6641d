//! Names of annotations (JVMS 4.7.16, 4.7.17), whatever their retention.

use crate::class::Class;
use crate::reader::{Malformed, Reader};

/// The simple names of the annotations among these attributes; none if they are damaged, which the JVM does not mind.
pub(crate) fn names<'a>(class: &Class<'a>, attributes: std::ops::Range<usize>) -> Vec<&'a [u8]> {
    read(class, &class.bytes[attributes]).unwrap_or_default()
}

fn read<'a>(class: &Class<'a>, attributes: &'a [u8]) -> Result<Vec<&'a [u8]>, Malformed> {
    let mut reader = Reader::new(attributes);
    let mut names = Vec::new();
    for _ in 0..reader.u2()? {
        let (name, contents) = reader.attribute()?;
        if let b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" = class.pool.utf8(name)? {
            let mut reader = Reader::new(contents);
            for _ in 0..reader.u2()? {
                names.push(simple(class.pool.utf8(reader.u2()?)?));
                skip_values(&mut reader)?;
            }
        }
    }
    Ok(names)
}

/// `Lorg/junit/Test;` without all but its last name.
fn simple(descriptor: &[u8]) -> &[u8] {
    let name = descriptor.strip_suffix(b";").unwrap_or(descriptor);
    name.rsplit(|byte| matches!(byte, b'/' | b'$')).next().unwrap_or(name)
}

/// Skips the pairs of names and values of an annotation. They nest, and a damaged file may nest them deeply.
fn skip_values(reader: &mut Reader<'_>) -> Result<(), Malformed> {
    // For each open list how many values are left, and whether they have names.
    let mut open = vec![(reader.u2()?, true)];
    while let Some((left, named)) = open.last_mut() {
        if *left == 0 {
            open.pop();
            continue;
        }
        *left -= 1;
        if *named {
            reader.u2()?;
        }
        match reader.u1()? {
            b'e' => drop(reader.u4()?),
            b'[' => open.push((reader.u2()?, false)),
            b'@' => {
                reader.u2()?;
                open.push((reader.u2()?, true));
            }
            _ => drop(reader.u2()?),
        }
    }
    Ok(())
}
