//! The focus set: what the static types proved race-free, so that the agent need not check it.
//!
//! A text file, one JSON value a line: [`Header`], [`Basis`], then a [`ClassFocus`] for each class. A damaged file is refused as a whole,
//! and everything is checked: a proof about one class counts on what is said of the others. A class whose bytes are not those
//! that were typed voids the proofs too.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

mod family;
mod method;
mod open;

pub use family::{Copies, Family, Meanings, Naming};
use method::NOTHING;
pub use method::{Elided, Guard, MethodFocus, Proof};
pub use open::{LOCKS, Member, Open, ReflectedMember};

/// Version of the file's form.
pub const FORMAT: u32 = 10;

/// The first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// See [`FORMAT`].
    pub focus_set: u32,
    /// [`hash`] of all that follows the first line. One changed byte always changes it.
    pub hash: u64,
}

/// The second line: what the proofs count on besides the classes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Basis {
    /// The version of the JDK (`JAVA_VERSION` of its file `release`) whose code was searched, if it was.
    pub jdk: Option<String>,
    /// Classes that are named and were not there, by their internal names: nothing of them can run before they come.
    pub missing: BTreeSet<String>,
    /// Whether the proofs know that reflection may give back locks of the JDK.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gives_back: bool,
}

/// A reference to a field as an instruction writes it: class, name, descriptor.
pub type Reference = (String, String, String);

/// What need not be checked in one class.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassFocus {
    /// Internal name.
    pub class: String,
    /// See [`hash`].
    pub hash: u64,
    /// References of this class to race-free fields, its own and others'; sorted.
    pub fields: Vec<Reference>,
    /// What is known of single methods, by name and descriptor.
    pub methods: BTreeMap<String, MethodFocus>,
    /// What may be accessed unseen, if the proofs count on the rest of the class not to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    /// How it is known under other names, if it is made anew in each run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
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

    /// Whether the proofs count on a member of this class not to be accessed by reflection or a handle.
    #[must_use]
    pub fn counts_on(&self, reflected: &ReflectedMember, member: Member) -> bool {
        self.open.as_ref().is_some_and(|open| !open.allows(reflected, member))
    }

    /// What is known of a method.
    #[must_use]
    pub fn method(&self, name: &str, descriptor: &str) -> &MethodFocus {
        let known = if self.methods.is_empty() { None } else { self.methods.get(&format!("{name}{descriptor}")) };
        known.unwrap_or(&NOTHING)
    }
}

/// What was proved about a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FocusSet {
    /// What the proofs count on.
    pub basis: Basis,
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

    /// Whether the proofs hold in a JVM of this `java.vm.version`: the JDK's, and then the build's.
    #[must_use]
    pub fn holds_in(&self, vm: &str) -> bool {
        let is_that =
            |jdk: &String| vm.strip_prefix(&**jdk).is_some_and(|rest| rest.is_empty() || rest.starts_with(['+', '-']));
        self.basis.jdk.as_ref().is_none_or(is_that)
    }

    /// What was proved about a class of that name.
    #[must_use]
    pub fn get(&self, class: &str) -> Option<&ClassFocus> {
        self.classes.get(class)
    }

    /// Whether a class was not there though others name it.
    #[must_use]
    pub fn lacks(&self, class: &str) -> bool {
        self.basis.missing.contains(class)
    }

    /// Whether a class of that name was typed.
    #[must_use]
    pub fn has(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// Says how a class is known under other names.
    pub fn set_family(&mut self, class: &str, family: Family) {
        self.classes.get_mut(class).into_iter().for_each(|class| class.family = Some(family.clone()));
    }

    /// What is known of a method.
    #[must_use]
    pub fn method(&self, class: &str, name: &str, descriptor: &str) -> &MethodFocus {
        self.get(class).map_or(&NOTHING, |class| class.method(name, descriptor))
    }

    /// Whether the proofs count on a member not to be accessed by reflection or a handle.
    #[must_use]
    pub fn counts_on(&self, reflected: &ReflectedMember, member: Member) -> bool {
        match reflected.is_release() {
            true => !self.basis.gives_back,
            false => self.get(&reflected.class).is_some_and(|class| class.counts_on(reflected, member)),
        }
    }

    /// Whether each field is proved for itself, so that the others stay proved when one is not any more.
    #[must_use]
    pub fn is_by_fields(&self) -> bool {
        self.basis.jdk.is_none() && !self.presumes_owners() && !self.has_idle_code()
    }

    /// Whether some fields are presumed to be owned by their objects, so that who takes a monitor matters.
    #[must_use]
    pub fn presumes_owners(&self) -> bool {
        self.methods().any(|method| method.proofs.contains_key(&Proof::Conforming))
    }

    /// Whether some locks need not be known to be held.
    #[must_use]
    pub fn has_idle_locks(&self) -> bool {
        self.methods().any(MethodFocus::has_idle_locks)
    }

    /// Whether some code is idle because nothing is checked in what it calls.
    #[must_use]
    pub fn has_idle_code(&self) -> bool {
        self.methods().any(|method| method.has_idle_locks() || method.elides(Elided::Transaction))
    }

    fn methods(&self) -> impl Iterator<Item = &MethodFocus> {
        self.classes().flat_map(|class| class.methods.values())
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
        let mut lines = Vec::new();
        serde_json::to_writer(&mut lines, &self.basis)?;
        lines.push(b'\n');
        for class in self.classes.values() {
            serde_json::to_writer(&mut lines, class)?;
            lines.push(b'\n');
        }
        serde_json::to_writer(&mut to, &Header { focus_set: FORMAT, hash: hash(&lines) })?;
        writeln!(to)?;
        to.write_all(&lines)
    }

    /// Reads a set.
    ///
    /// # Errors
    /// The stream fails, or what it has is no focus set of this version, or not as it was written.
    pub fn read(mut from: impl BufRead) -> io::Result<Self> {
        let (mut first, mut lines) = (Vec::new(), Vec::new());
        from.read_until(b'\n', &mut first)?;
        from.read_to_end(&mut lines)?;
        let header = serde_json::from_slice::<Header>(&first).ok().filter(|header| header.focus_set == FORMAT);
        let header = header.ok_or_else(|| refused("it is no focus set of this version of jrace"))?;
        if header.hash != hash(&lines) {
            return Err(refused("it is damaged"));
        }
        let damaged = |_| refused("it is damaged");
        let text = std::str::from_utf8(&lines).map_err(|_| refused("it is damaged"))?;
        let mut lines = text.split('\n').filter(|line| !line.is_empty());
        let basis = serde_json::from_str(lines.next().unwrap_or_default()).map_err(damaged)?;
        let mut set = Self { basis, ..Self::default() };
        for line in lines {
            set.add(serde_json::from_str(line).map_err(damaged)?);
        }
        Ok(set)
    }
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// A number that tells class files apart: FNV-1a, 64 bits. Nobody gains from two class files that have the same.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests;
