//! The focus set: what the static types proved race-free, so that the agent need not check it.
//!
//! A text file, one JSON value a line: [`Header`], then a [`ClassFocus`] for each class. A line that is lost or damaged means
//! that its class is checked in full; so does a class whose bytes are not those that were typed.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

/// Version of the file's form.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// See [`FORMAT`].
    pub focus_set: u32,
}

/// A reference to a field as an instruction writes it: class, name, descriptor.
pub type Reference = (String, String, String);

/// What need not be checked in one class.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ClassFocus {
    /// Internal name.
    pub class: String,
    /// See [`hash`].
    pub hash: u64,
    /// References of this class to race-free fields, its own and others'; sorted.
    pub fields: Vec<Reference>,
    /// Array accesses that cannot race, by method (name and descriptor): sorted offsets of their instructions.
    pub arrays: BTreeMap<String, Vec<u32>>,
}

impl ClassFocus {
    /// Whether accesses through a reference cannot race.
    #[must_use]
    pub fn is_race_free(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let wanted = (class, name, descriptor);
        self.fields
            .binary_search_by(|(class, name, descriptor)| (&**class, &**name, &**descriptor).cmp(&wanted))
            .is_ok()
    }

    /// The array accesses of a method that cannot race.
    #[must_use]
    pub fn race_free_arrays(&self, method: &str, descriptor: &str) -> &[u32] {
        let none: &[u32] = &[];
        if self.arrays.is_empty() {
            return none;
        }
        self.arrays.get(&format!("{method}{descriptor}")).map_or(none, Vec::as_slice)
    }
}

/// What was proved about a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FocusSet {
    classes: BTreeMap<String, ClassFocus>,
}

/// What came of looking for a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focused<'a> {
    /// It was typed.
    Typed(&'a ClassFocus),
    /// A class of that name was typed, with other bytes.
    Changed,
    /// No class of that name was typed.
    Unknown,
}

impl FocusSet {
    /// Adds a class.
    pub fn add(&mut self, mut class: ClassFocus) {
        class.fields.sort_unstable();
        class.fields.dedup();
        self.classes.insert(class.class.clone(), class);
    }

    /// What was proved about the class with these bytes.
    #[must_use]
    pub fn of(&self, class: &str, bytes: &[u8]) -> Focused<'_> {
        match self.classes.get(class) {
            Some(typed) if typed.hash == hash(bytes) => Focused::Typed(typed),
            Some(_) => Focused::Changed,
            None => Focused::Unknown,
        }
    }

    /// Whether a class of that name was typed.
    #[must_use]
    pub fn has(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// The classes, by name.
    pub fn classes(&self) -> impl Iterator<Item = &ClassFocus> {
        self.classes.values()
    }

    /// Writes the set.
    ///
    /// # Errors
    /// The stream fails.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut to, &Header { focus_set: FORMAT })?;
        for class in self.classes.values() {
            writeln!(to)?;
            serde_json::to_writer(&mut to, class)?;
        }
        writeln!(to)
    }

    /// Reads a set, and says how many lines were damaged.
    ///
    /// # Errors
    /// The stream fails, or what it has is no focus set of this version.
    pub fn read(from: impl BufRead) -> io::Result<(Self, usize)> {
        let mut lines = from.split(b'\n');
        let first = lines.next().transpose()?.unwrap_or_default();
        let header = serde_json::from_slice::<Header>(&first).ok().filter(|header| header.focus_set == FORMAT);
        if header.is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no focus set of this version of jrace"));
        }
        let mut set = Self::default();
        let mut n_damaged = 0;
        for line in lines {
            match serde_json::from_slice(&line?) {
                Ok(class) => set.add(class),
                Err(error) if error.is_eof() && error.column() == 0 => {}
                Err(_) => n_damaged += 1,
            }
        }
        Ok((set, n_damaged))
    }
}

/// A number that tells class files apart: FNV-1a, 64 bits. Nobody gains from two class files that have the same.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str) -> ClassFocus {
        let reference = |field: &str| (name.to_owned(), field.to_owned(), "I".to_owned());
        ClassFocus {
            class: name.to_owned(),
            hash: hash(name.as_bytes()),
            fields: vec![reference("y"), reference("x"), reference("x")],
            arrays: BTreeMap::from([("run()V".to_owned(), vec![3, 7])]),
        }
    }

    fn set() -> FocusSet {
        let mut set = FocusSet::default();
        set.add(class("b/B"));
        set.add(class("a/A"));
        set
    }

    #[test]
    fn sets_read_back_as_they_were_written() {
        let mut text = Vec::new();
        set().write(&mut text).unwrap();
        let set = set();
        assert_eq!(FocusSet::read(text.as_slice()).unwrap(), (set.clone(), 0));
        let Focused::Typed(class) = set.of("a/A", b"a/A") else { panic!("it was typed") };
        assert!(class.is_race_free("a/A", "x", "I") && class.is_race_free("a/A", "y", "I"));
        assert!(!class.is_race_free("a/A", "x", "J") && !class.is_race_free("b/B", "x", "I"));
        assert_eq!(class.race_free_arrays("run", "()V"), [3, 7]);
        assert_eq!(class.race_free_arrays("run", "(I)V"), [0; 0]);
    }

    #[test]
    fn other_bytes_are_another_class() {
        assert_eq!(set().of("a/A", b"other"), Focused::Changed);
        assert_eq!(set().of("c/C", b"c/C"), Focused::Unknown);
    }

    #[test]
    fn damage_costs_the_classes_it_hits() {
        let mut text = Vec::new();
        set().write(&mut text).unwrap();
        for cut in 0..text.len() {
            match FocusSet::read(&text[..cut]) {
                Ok((read, _)) => assert!(read.classes().all(|class| set().classes().any(|whole| whole == class))),
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::InvalidData),
            }
        }
        let at = text.iter().position(|byte| *byte == b'[').unwrap();
        text[at] = b'!';
        let (read, n_damaged) = FocusSet::read(text.as_slice()).unwrap();
        assert_eq!((read.classes().count(), n_damaged), (1, 1));
        assert!(FocusSet::read(&b"{}"[..]).is_err());
    }
}
