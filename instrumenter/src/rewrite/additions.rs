//! Constants that weaving appends to a pool (JVMS 4.4).

use classfile::Pool;
use classfile::pool::tag;
use facts::hook::{HELPER_CLASS, Hook};
use rustc_hash::FxHashMap;

use crate::plan::WeaveError;

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
        let index = self.append(tag::UTF8, &[&length.to_be_bytes(), text].concat())?;
        self.texts.insert(text.to_vec(), index);
        Ok(index)
    }

    /// A `Class` entry.
    pub fn class(&mut self, name: &[u8]) -> Result<u16, WeaveError> {
        if let Some(index) = self.classes.get(name) {
            return Ok(*index);
        }
        let text = self.utf8(name)?;
        let index = self.append(tag::CLASS, &text.to_be_bytes())?;
        self.classes.insert(name.to_vec(), index);
        Ok(index)
    }

    /// An `Integer` entry.
    pub fn integer(&mut self, value: i32, pool: &Pool<'_>) -> Result<u16, WeaveError> {
        let present = || pool.indices().filter_map(|index| Some((pool.integer(index)?, index))).collect();
        if let Some(index) = self.integers.get_or_insert_with(present).get(&value) {
            return Ok(*index);
        }
        let index = self.append(tag::INTEGER, &value.to_be_bytes())?;
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
        let name_and_type = self.append(tag::NAME_AND_TYPE, &pair(name, descriptor))?;
        let index = self.append(tag::METHOD_REF, &pair(self.helper, name_and_type))?;
        self.hooks[hook as usize] = index;
        Ok(index)
    }
}

/// Whether some constant of a pool names the helper class.
pub(crate) fn names_helper(pool: &Pool<'_>) -> bool {
    let helper = HELPER_CLASS.as_bytes();
    pool.indices().any(|index| pool.utf8(index) == Ok(helper))
}

fn pair(first: u16, second: u16) -> [u8; 4] {
    let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
    [a, b, c, d]
}
