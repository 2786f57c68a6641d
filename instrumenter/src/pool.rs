//! The constant pool (JVMS 4.4): what is there, and what weaving appends.

use std::borrow::Cow;

use facts::hook::{HELPER_CLASS, Hook};
use rustc_hash::FxHashMap;

use crate::plan::WeaveError;
use crate::reader::{Malformed, Reader, text};

pub(crate) const UTF8: u8 = 1;
pub(crate) const INTEGER: u8 = 3;
pub(crate) const FLOAT: u8 = 4;
pub(crate) const LONG: u8 = 5;
pub(crate) const DOUBLE: u8 = 6;
pub(crate) const CLASS: u8 = 7;
pub(crate) const FIELD_REF: u8 = 9;
pub(crate) const METHOD_REF: u8 = 10;
pub(crate) const INTERFACE_METHOD_REF: u8 = 11;
pub(crate) const NAME_AND_TYPE: u8 = 12;
pub(crate) const DYNAMIC: u8 = 17;
pub(crate) const INVOKE_DYNAMIC: u8 = 18;

/// The entries of a class file's pool.
pub(crate) struct Pool<'a> {
    class: &'a [u8],
    /// Where each entry's tag stands; 0 for the unusable indices (0, and the second half of long and double).
    entries: Vec<u32>,
}

/// A field or method reference.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub class: u16,
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
}

impl<'a> Pool<'a> {
    /// Reads the pool from `reader`, which stands at `constant_pool_count`, and moves the reader past it.
    pub fn read(class: &'a [u8], reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let count = usize::from(reader.u2()?);
        let mut entries = Vec::with_capacity(count);
        entries.push(0);
        while entries.len() < count {
            entries.push(u32::try_from(reader.position()).map_err(|_| Malformed("a class file of 4 GB"))?);
            let tag = reader.u1()?;
            let size = match tag {
                UTF8 => usize::from(reader.u2()?),
                INTEGER | 4 | FIELD_REF | METHOD_REF | INTERFACE_METHOD_REF | NAME_AND_TYPE | DYNAMIC
                | INVOKE_DYNAMIC => 4,
                LONG | DOUBLE => 8,
                CLASS | 8 | 16 | 19 | 20 => 2,
                15 => 3,
                _ => return Err(Malformed("a constant of an unknown kind")),
            };
            reader.take(size)?;
            if matches!(tag, LONG | DOUBLE) {
                entries.push(0);
            }
        }
        // A long at the end has no second half, and must not get one.
        if entries.len() > count.max(1) {
            return Err(Malformed("a constant cut in half by the end of the pool"));
        }
        Ok(Self { class, entries })
    }

    /// Whether constants refer to no index past the end; see `references`.
    pub fn check_references(&self) -> Result<(), Malformed> {
        for index in self.indices() {
            let Some(tag) = self.tag(index) else { continue };
            let mut entry = Reader::at(self.class, self.entries[usize::from(index)] as usize + 1);
            let references = match tag {
                CLASS | 8 | 16 | 19 | 20 => [entry.u2()?, 0],
                FIELD_REF | METHOD_REF | INTERFACE_METHOD_REF | NAME_AND_TYPE => [entry.u2()?, entry.u2()?],
                // The first number of these is not an index of this pool.
                DYNAMIC | INVOKE_DYNAMIC => [entry.u4()? as u16, 0],
                15 => [(entry.u1()?, entry.u2()?).1, 0],
                _ => [0, 0],
            };
            if references.iter().any(|reference| usize::from(*reference) >= self.count()) {
                return Err(Malformed("a constant that refers past the end of the pool"));
            }
        }
        Ok(())
    }

    /// One more than the highest index.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    pub fn tag(&self, index: u16) -> Option<u8> {
        let at = *self.entries.get(usize::from(index))?;
        if at == 0 { None } else { self.class.get(at as usize).copied() }
    }

    /// The entry's contents, if it has the tag.
    fn entry(&self, index: u16, tag: u8) -> Result<Reader<'a>, Malformed> {
        if self.tag(index) != Some(tag) {
            return Err(Malformed("a constant of the wrong kind"));
        }
        Ok(Reader::at(self.class, self.entries[usize::from(index)] as usize + 1))
    }

    /// Modified UTF-8 bytes.
    pub fn utf8(&self, index: u16) -> Result<&'a [u8], Malformed> {
        let mut entry = self.entry(index, UTF8)?;
        let length = entry.u2()?;
        entry.take(usize::from(length))
    }

    /// Modified UTF-8 as text for people and maps.
    pub fn text(&self, index: u16) -> Result<Cow<'a, str>, Malformed> {
        self.utf8(index).map(text)
    }

    /// The name of a `Class` entry.
    pub fn class_name(&self, index: u16) -> Result<&'a [u8], Malformed> {
        self.utf8(self.entry(index, CLASS)?.u2()?)
    }

    /// The name of the class in a field or method reference.
    pub fn owner(&self, index: u16) -> Result<&'a [u8], Malformed> {
        self.class_name(self.member_entry(index)?.u2()?)
    }

    fn member_entry(&self, index: u16) -> Result<Reader<'a>, Malformed> {
        let tag = self.tag(index).filter(|tag| matches!(*tag, FIELD_REF | METHOD_REF | INTERFACE_METHOD_REF));
        self.entry(index, tag.ok_or(Malformed("a constant of the wrong kind"))?)
    }

    /// A field or method reference.
    pub fn member(&self, index: u16) -> Result<Member<'a>, Malformed> {
        let mut entry = self.member_entry(index)?;
        let class = entry.u2()?;
        let (name, descriptor) = self.name_and_type(entry.u2()?)?;
        Ok(Member { class, name, descriptor })
    }

    /// Name and descriptor of a `Dynamic` or `InvokeDynamic` entry.
    pub fn dynamic(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), Malformed> {
        let tag = self.tag(index).filter(|tag| matches!(*tag, DYNAMIC | INVOKE_DYNAMIC));
        let mut entry = self.entry(index, tag.ok_or(Malformed("a constant of the wrong kind"))?)?;
        entry.u2()?;
        self.name_and_type(entry.u2()?)
    }

    fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), Malformed> {
        let mut entry = self.entry(index, NAME_AND_TYPE)?;
        let name = self.utf8(entry.u2()?)?;
        Ok((name, self.utf8(entry.u2()?)?))
    }

    /// The value of an `Integer` entry.
    pub fn integer(&self, index: u16) -> Option<i32> {
        self.entry(index, INTEGER).ok()?.i4().ok()
    }

    /// Every usable index.
    pub fn indices(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.entries.len())
            .filter(|index| self.entries[*index] != 0)
            .map(|index| u16::try_from(index).unwrap_or_default())
    }

    /// Whether some entry names the helper class.
    pub fn names_helper(&self) -> bool {
        let helper = HELPER_CLASS.as_bytes();
        self.indices().any(|index| self.tag(index) == Some(UTF8) && self.utf8(index) == Ok(helper))
    }
}

/// Constants to append to a pool. Each is appended once; integers that the pool has already are not appended.
pub(crate) struct Additions {
    /// The entries, as they will stand behind the present ones.
    pub bytes: Vec<u8>,
    next: u32,
    helper: u16,
    hooks: Vec<u16>,
    texts: FxHashMap<Vec<u8>, u16>,
    classes: FxHashMap<Vec<u8>, u16>,
    integers: Option<FxHashMap<i32, u16>>,
}

impl Additions {
    pub fn new(pool: &Pool<'_>) -> Self {
        Self {
            bytes: Vec::new(),
            next: u32::try_from(pool.count()).unwrap_or(u32::MAX),
            helper: 0,
            hooks: vec![0; Hook::ALL.len()],
            texts: FxHashMap::default(),
            classes: FxHashMap::default(),
            integers: None,
        }
    }

    /// `constant_pool_count` of the woven class.
    pub fn count(&self) -> u16 {
        u16::try_from(self.next).unwrap_or(u16::MAX)
    }

    /// `constant_pool_count` is at most 65535, so the last index is 65534.
    fn append(&mut self, tag: u8, contents: &[u8]) -> Result<u16, WeaveError> {
        let index = u16::try_from(self.next).ok().filter(|index| *index < u16::MAX).ok_or(WeaveError::PoolFull)?;
        self.bytes.push(tag);
        self.bytes.extend_from_slice(contents);
        self.next += 1;
        Ok(index)
    }

    /// A `Utf8` entry.
    pub fn utf8(&mut self, text: &[u8]) -> Result<u16, WeaveError> {
        if let Some(index) = self.texts.get(text) {
            return Ok(*index);
        }
        let length = u16::try_from(text.len()).map_err(|_| WeaveError::Malformed("a name of 64 KB"))?;
        let index = self.append(UTF8, &[&length.to_be_bytes(), text].concat())?;
        self.texts.insert(text.to_vec(), index);
        Ok(index)
    }

    /// A `Class` entry.
    pub fn class(&mut self, name: &[u8]) -> Result<u16, WeaveError> {
        if let Some(index) = self.classes.get(name) {
            return Ok(*index);
        }
        let text = self.utf8(name)?;
        let index = self.append(CLASS, &text.to_be_bytes())?;
        self.classes.insert(name.to_vec(), index);
        Ok(index)
    }

    /// An `Integer` entry.
    pub fn integer(&mut self, value: i32, pool: &Pool<'_>) -> Result<u16, WeaveError> {
        let present = || pool.indices().filter_map(|index| Some((pool.integer(index)?, index))).collect();
        if let Some(index) = self.integers.get_or_insert_with(present).get(&value) {
            return Ok(*index);
        }
        let index = self.append(INTEGER, &value.to_be_bytes())?;
        self.integers.get_or_insert_default().insert(value, index);
        Ok(index)
    }

    /// The `Methodref` entry of a hook.
    pub fn hook(&mut self, hook: Hook) -> Result<u16, WeaveError> {
        let known = self.hooks[hook as usize];
        if known != 0 {
            return Ok(known);
        }
        if self.helper == 0 {
            self.helper = self.class(HELPER_CLASS.as_bytes())?;
        }
        let name = self.utf8(hook.name().as_bytes())?;
        let descriptor = self.utf8(hook.descriptor().as_bytes())?;
        let name_and_type = self.append(NAME_AND_TYPE, &pair(name, descriptor))?;
        let index = self.append(METHOD_REF, &pair(self.helper, name_and_type))?;
        self.hooks[hook as usize] = index;
        Ok(index)
    }
}

fn pair(first: u16, second: u16) -> [u8; 4] {
    let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
    [a, b, c, d]
}
