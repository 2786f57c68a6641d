//! What a class file is but for its names: classes that a program generates in each run differ by nothing else.
//!
//! A name is that of a class, also within a descriptor, or of a field or method; so is a constant string, which may stand for one. All else
//! makes the skeleton, but for the name of the source file, by which no proof goes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::class::{Class, Front};
use crate::flag;
use crate::pool::{Constant, tag};
use crate::reader::Malformed;
use crate::text::text;

/// The names in a class file, and a number for the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape<'a> {
    /// A number for all but the names. Two class files of one skeleton have as many names.
    pub skeleton: u64,
    /// The names, in the order of the constants; one may come again.
    pub names: Vec<Name<'a>>,
}

/// A name in a class file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Name<'a> {
    /// Internal name of a class.
    Class(Cow<'a, str>),
    /// Of a field or method that the class declares or refers to.
    Member(Cow<'a, str>),
    /// A constant string.
    Text(Cow<'a, str>),
}

/// A member that a class refers to: its class, if it is not what a bootstrap method makes, and its name.
pub type Reference<'a> = (Option<Cow<'a, str>>, Cow<'a, str>);

impl<'a> Shape<'a> {
    /// Reads a class file.
    ///
    /// # Errors
    /// It is damaged.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let class = Class::read(bytes)?;
        let roles = Roles::of(&class);
        let mut skeleton = Fnv::default();
        let mut names = Vec::new();
        skeleton.add(bytes.get(..8).unwrap_or_default());
        for index in class.pool.indices() {
            let Ok(utf8) = class.pool.utf8(index) else {
                skeleton.add(class.pool.bytes(index));
                continue;
            };
            for part in roles.parts(index, utf8) {
                match part {
                    Part::Rest(rest) => skeleton.add(rest),
                    Part::Name(name) => {
                        skeleton.add(&[0, name.kind()]);
                        names.push(name);
                    }
                }
            }
            skeleton.add(&[0]);
        }
        skeleton.add(bytes.get(class.pool_end..).unwrap_or_default());
        Ok(Self { skeleton: skeleton.0, names })
    }

    /// The names of classes, each once.
    pub fn classes(&self) -> BTreeSet<&str> {
        self.names.iter().filter(|name| matches!(name, Name::Class(_))).map(Name::as_str).collect()
    }

    /// The members that a class file refers to.
    ///
    /// # Errors
    /// It is damaged.
    pub fn references(bytes: &'a [u8]) -> Result<BTreeSet<Reference<'a>>, Malformed> {
        let pool = Front::read(bytes)?.pool;
        let reference = |index| match pool.reference(index) {
            Ok(reference) => Some((pool.class_name(reference.class).ok().map(text), text(reference.name))),
            Err(_) => pool.dynamic(index).ok().map(|(name, _)| (None, text(name))),
        };
        Ok(pool.indices().filter_map(reference).collect())
    }

    /// A number for the names without those that come first at certain places, which count by the places, and without constant strings
    /// that stand for nothing.
    #[must_use]
    pub fn fixed(&self, places: &BTreeSet<usize>, is_meant: &dyn Fn(&str) -> bool) -> u64 {
        let varying = places.iter().filter_map(|place| Some((self.names.get(*place)?, place)));
        let varying: BTreeMap<&Name<'_>, &usize> = varying.collect();
        let mut number = Fnv::default();
        for name in &self.names {
            match varying.get(name) {
                Some(place) => number.add(&[&[1][..], &place.to_be_bytes()].concat()),
                None if matches!(name, Name::Text(text) if !is_meant(text)) => number.add(&[3]),
                None => number.add(&[&[2, name.kind()][..], name.as_str().as_bytes()].concat()),
            }
        }
        number.0
    }
}

impl Name<'_> {
    /// As it is written; of a class, its internal name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let (Self::Class(name) | Self::Member(name) | Self::Text(name)) = self;
        name
    }

    const fn kind(&self) -> u8 {
        match self {
            Self::Class(_) => b'c',
            Self::Member(_) => b'm',
            Self::Text(_) => b't',
        }
    }
}

/// The fields and methods that a class declares and no source has: a compiler or another tool has made them.
///
/// # Errors
/// It is damaged.
pub fn synthetic_members(bytes: &[u8]) -> Result<BTreeSet<String>, Malformed> {
    let class = Class::read(bytes)?;
    let declared = class.fields.iter().chain(&class.methods).filter(|member| member.access & flag::SYNTHETIC != 0);
    Ok(declared.map(|member| text(member.name).into_owned()).collect())
}

/// A class file with other names for classes, wherever [`Shape`] finds such a name.
///
/// # Errors
/// It is damaged, or a text is too long.
pub fn renamed(bytes: &[u8], new: &dyn Fn(&str) -> Option<String>) -> Result<Vec<u8>, Malformed> {
    let class = Class::read(bytes)?;
    let roles = Roles::of(&class);
    let mut made = bytes.get(..10).unwrap_or_default().to_vec();
    for index in class.pool.indices() {
        let Ok(utf8) = class.pool.utf8(index) else {
            made.extend(class.pool.bytes(index));
            continue;
        };
        let text = roles.renamed(index, utf8, new)?.unwrap_or_else(|| utf8.to_vec());
        let length = u16::try_from(text.len()).map_err(|_| Malformed("a text that is too long"))?;
        made.push(tag::UTF8);
        made.extend(length.to_be_bytes());
        made.extend(text);
    }
    made.extend(bytes.get(class.pool_end..).unwrap_or_default());
    Ok(made)
}

/// A piece of a text.
enum Part<'a> {
    Name(Name<'a>),
    Rest(&'a [u8]),
}

/// What texts stand for, by their indices.
struct Roles<'a> {
    classes: BTreeSet<u16>,
    members: BTreeSet<&'a [u8]>,
    /// Those of constant strings only.
    strings: BTreeSet<u16>,
    source_file: Option<u16>,
    /// The names of classes that are not within descriptors.
    named: BTreeSet<&'a [u8]>,
}

impl<'a> Roles<'a> {
    fn of(class: &Class<'a>) -> Self {
        let declared = class.fields.iter().chain(&class.methods);
        let mut roles = Self {
            classes: BTreeSet::new(),
            members: declared.map(|member| member.name).collect(),
            strings: BTreeSet::new(),
            source_file: class.source_file,
            named: BTreeSet::new(),
        };
        let mut others = BTreeSet::new();
        for index in class.pool.indices() {
            match class.pool.get(index) {
                Some(Constant::Class(name)) => _ = roles.classes.insert(name),
                Some(Constant::String(text)) => _ = roles.strings.insert(text),
                Some(Constant::NameAndType(name, descriptor)) => {
                    roles.members.extend(class.pool.utf8(name));
                    others.extend([name, descriptor]);
                }
                Some(Constant::MethodType(text) | Constant::Module(text) | Constant::Package(text)) => {
                    others.insert(text);
                }
                _ => {}
            }
        }
        roles.named = roles.classes.iter().filter_map(|index| class.pool.utf8(*index).ok()).collect();
        roles.strings.retain(|text| !roles.classes.contains(text) && !others.contains(text));
        let is_other =
            |text: &u16| roles.classes.contains(text) || others.contains(text) || roles.strings.contains(text);
        roles.source_file = roles.source_file.filter(|text| !is_other(text));
        roles
    }

    fn parts(&self, index: u16, utf8: &'a [u8]) -> Vec<Part<'a>> {
        let is_member = self.members.contains(utf8);
        let is_text = self.strings.contains(&index) && !is_member;
        match () {
            () if is_signature(utf8) => signature(utf8),
            () if self.classes.contains(&index) => {
                let member = is_member.then(|| Part::Name(Name::Member(text(utf8))));
                [Part::Name(Name::Class(text(utf8)))].into_iter().chain(member).collect()
            }
            () if self.source_file == Some(index) => Vec::new(),
            () if is_text && self.is_class(utf8) => vec![Part::Name(Name::Class(internal(utf8)))],
            () if is_text => vec![Part::Name(Name::Text(text(utf8)))],
            () if is_member => vec![Part::Name(Name::Member(text(utf8)))],
            () => vec![Part::Rest(utf8)],
        }
    }

    /// A text with other names; none if it has none of these.
    fn renamed(
        &self,
        index: u16,
        utf8: &[u8],
        new: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Vec<u8>>, Malformed> {
        let parts = self.parts(index, utf8);
        let other = |part: &Part<'_>| match part {
            Part::Name(Name::Class(name)) => new(name),
            _ => None,
        };
        if parts.iter().all(|part| other(part).is_none()) {
            return Ok(None);
        }
        if parts.iter().any(|part| matches!(part, Part::Name(Name::Member(_)))) {
            return Err(Malformed("a class and a member that share a name"));
        }
        let is_dotted = utf8.contains(&b'.') && self.strings.contains(&index);
        let text = parts.iter().flat_map(|part| match (part, other(part)) {
            (_, Some(new)) if is_dotted => new.replace('/', ".").into_bytes(),
            (_, Some(new)) => new.into_bytes(),
            (Part::Rest(rest), None) => rest.to_vec(),
            (Part::Name(name), None) => name.as_str().as_bytes().to_vec(),
        });
        Ok(Some(text.collect()))
    }

    /// Whether a string is the name of a class that something else names, too.
    fn is_class(&self, utf8: &[u8]) -> bool {
        let internal: Vec<u8> = utf8.iter().map(|byte| if *byte == b'.' { b'/' } else { *byte }).collect();
        self.named.contains(&internal[..])
    }
}

fn internal(utf8: &[u8]) -> Cow<'_, str> {
    match text(utf8) {
        dotted if dotted.contains('.') => Cow::Owned(dotted.replace('.', "/")),
        name => name,
    }
}

/// Whether a text is a descriptor or a signature that names a class.
fn is_signature(utf8: &[u8]) -> bool {
    matches!(utf8.first(), Some(b'L' | b'(' | b'[' | b'<')) && utf8.contains(&b';')
}

/// The names of classes in a descriptor or a signature (JVMS 4.7.9.1).
fn signature(utf8: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = utf8;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'L' | b'T')) {
        let (before, name) = rest.split_at(at + 1);
        let end = name.iter().position(|byte| matches!(byte, b';' | b'<' | b'.' | b':')).unwrap_or(name.len());
        let (name, behind) = name.split_at(end);
        // A variable of type, and the name of one, is none of a class.
        let is_class = before.last() == Some(&b'L') && !behind.starts_with(b":");
        parts.push(Part::Rest(before));
        parts.push(if is_class { Part::Name(Name::Class(text(name))) } else { Part::Rest(name) });
        rest = behind;
    }
    parts.push(Part::Rest(rest));
    parts
}

/// FNV-1a, 64 bits, of pieces that each end with their length.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&bytes.len().to_be_bytes()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}
