//! The focus set: what the static types proved race-free, so that the agent need not check it.
//!
//! A text file, one JSON value a line: [`Header`], [`Basis`], then a [`ClassFocus`] for each class. A damaged file is refused as a whole,
//! and everything is checked: a proof about one class counts on what is said of the others. A class whose bytes are not those
//! that were typed voids the proofs too.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

/// Version of the file's form.
pub const FORMAT: u32 = 6;

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
    /// Accesses to arrays and to other fields that cannot race, by method (name and descriptor): sorted offsets of their
    /// instructions.
    pub accesses: BTreeMap<String, Vec<u32>>,
    /// Accesses to fields that are presumed to be owned by their objects (`self`, paper 004, section 3.1.1): those that hold the
    /// object's monitor, which their method has taken. They need no check as long as the other ones are held to the owner
    /// (`conforming`); by method, as above.
    pub held: BTreeMap<String, Vec<u32>>,
    /// Accesses to the same fields that are to be checked for conformance with the owner; by method, as above.
    pub conforming: BTreeMap<String, Vec<u32>>,
    /// Methods (name and descriptor) that nothing calls, as far as the proofs know; sorted. If one runs, the proofs are void.
    pub unreached: Vec<String>,
    /// Methods (name and descriptor) that may call what the proofs do not see; sorted. If one runs, the proofs are void.
    pub hiding: Vec<String>,
    /// Methods (name and descriptor) that one thread runs, the same for all of them; sorted. If another one does, the proofs are
    /// void.
    pub run_by_one: Vec<String>,
    /// Synchronized methods (name and descriptor) with an idle lock: nothing that is checked runs while they hold it. Sorted.
    pub idle_methods: Vec<String>,
    /// The `monitorenter`s and `monitorexit`s of idle locks, by method (name and descriptor): their sorted offsets.
    pub idle_monitors: BTreeMap<String, Vec<u32>>,
    /// Methods (name and descriptor) whose executions do nothing that is recorded for transactions, and so need not be known to be
    /// some. Sorted.
    pub idle_transactions: Vec<String>,
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

    /// Whether nothing calls a method, as far as the proofs know.
    #[must_use]
    pub fn is_unreached(&self, method: &str, descriptor: &str) -> bool {
        has(&self.unreached, method, descriptor)
    }

    /// Whether a method may call what the proofs do not see.
    #[must_use]
    pub fn is_hiding(&self, method: &str, descriptor: &str) -> bool {
        has(&self.hiding, method, descriptor)
    }

    /// Whether one thread runs a method, as far as the proofs know.
    #[must_use]
    pub fn is_run_by_one(&self, method: &str, descriptor: &str) -> bool {
        has(&self.run_by_one, method, descriptor)
    }

    /// Whether the proofs count on how a method is run.
    #[must_use]
    pub fn is_guarded(&self, method: &str, descriptor: &str) -> bool {
        self.is_unreached(method, descriptor)
            || self.is_hiding(method, descriptor)
            || self.is_run_by_one(method, descriptor)
    }

    /// Whether nothing that is checked runs while a synchronized method holds its lock.
    #[must_use]
    pub fn is_idle(&self, method: &str, descriptor: &str) -> bool {
        has(&self.idle_methods, method, descriptor)
    }

    /// Whether nothing that is recorded for transactions happens in a method, so that it need not be known to be one.
    #[must_use]
    pub fn is_idle_transaction(&self, method: &str, descriptor: &str) -> bool {
        has(&self.idle_transactions, method, descriptor)
    }

    /// Where a method takes and releases monitors under which nothing runs that is checked.
    #[must_use]
    pub fn idle_monitors(&self, method: &str, descriptor: &str) -> &[u32] {
        of_method(&self.idle_monitors, method, descriptor)
    }

    /// The accesses of a method that cannot race, besides those of race-free fields.
    #[must_use]
    pub fn race_free_accesses(&self, method: &str, descriptor: &str) -> &[u32] {
        of_method(&self.accesses, method, descriptor)
    }

    /// The accesses of a method that hold the monitor of the object that is presumed to own the field.
    #[must_use]
    pub fn held_accesses(&self, method: &str, descriptor: &str) -> &[u32] {
        of_method(&self.held, method, descriptor)
    }

    /// The accesses of a method that are to conform with the owner.
    #[must_use]
    pub fn conforming_accesses(&self, method: &str, descriptor: &str) -> &[u32] {
        of_method(&self.conforming, method, descriptor)
    }
}

fn of_method<'a>(offsets: &'a BTreeMap<String, Vec<u32>>, method: &str, descriptor: &str) -> &'a [u32] {
    if offsets.is_empty() {
        return &[];
    }
    offsets.get(&format!("{method}{descriptor}")).map_or(&[], Vec::as_slice)
}

fn has(sorted: &[String], method: &str, descriptor: &str) -> bool {
    !sorted.is_empty() && sorted.binary_search(&format!("{method}{descriptor}")).is_ok()
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
        class.unreached.sort_unstable();
        class.hiding.sort_unstable();
        class.run_by_one.sort_unstable();
        class.idle_methods.sort_unstable();
        class.idle_transactions.sort_unstable();
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

    /// Whether some fields are presumed to be owned by their objects, so that who takes a monitor matters.
    #[must_use]
    pub fn presumes_owners(&self) -> bool {
        self.classes.values().any(|class| !class.conforming.is_empty())
    }

    /// Whether some locks need not be known to be held.
    #[must_use]
    pub fn has_idle_locks(&self) -> bool {
        self.classes().any(|class| !class.idle_methods.is_empty() || !class.idle_monitors.is_empty())
    }

    /// Whether some code is idle because nothing is checked in what it calls.
    #[must_use]
    pub fn has_idle_code(&self) -> bool {
        self.has_idle_locks() || self.classes().any(|class| !class.idle_transactions.is_empty())
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
        let mut lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let basis = serde_json::from_slice(lines.next().unwrap_or_default()).map_err(damaged)?;
        let mut set = Self { basis, ..Self::default() };
        for line in lines {
            set.add(serde_json::from_slice(line).map_err(damaged)?);
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn class(name: &str) -> ClassFocus {
        let reference = |field: &str| (name.to_owned(), field.to_owned(), "I".to_owned());
        ClassFocus {
            class: name.to_owned(),
            hash: hash(name.as_bytes()),
            fields: vec![reference("y"), reference("x"), reference("x")],
            accesses: BTreeMap::from([("run()V".to_owned(), vec![3, 7])]),
            held: BTreeMap::from([("add()V".to_owned(), vec![4])]),
            conforming: BTreeMap::from([("add()V".to_owned(), vec![9])]),
            unreached: vec!["stop()V".to_owned(), "pause()V".to_owned()],
            hiding: vec!["restore()V".to_owned(), "load()V".to_owned()],
            run_by_one: vec!["test()V".to_owned(), "before()V".to_owned()],
            idle_methods: vec!["size()I".to_owned(), "get()I".to_owned()],
            idle_monitors: BTreeMap::from([("run()V".to_owned(), vec![4, 9, 12])]),
            idle_transactions: vec!["set()V".to_owned(), "read()V".to_owned()],
        }
    }

    fn set() -> FocusSet {
        let missing = BTreeSet::from(["c/Late".to_owned()]);
        let mut set = FocusSet { basis: Basis { jdk: Some("17.0.9".to_owned()), missing }, ..FocusSet::default() };
        set.add(class("b/B"));
        set.add(class("a/A"));
        set
    }

    fn written(set: &FocusSet) -> Vec<u8> {
        let mut text = Vec::new();
        set.write(&mut text).unwrap();
        text
    }

    #[test]
    fn sets_read_back_as_they_were_written() {
        let set = set();
        let text = written(&set);
        assert_eq!(FocusSet::read(text.as_slice()).unwrap(), set);
        let Focused::Typed(class) = set.of("a/A", b"a/A") else { panic!("it was typed") };
        assert!(class.is_race_free("a/A", "x", "I") && class.is_race_free("a/A", "y", "I"));
        assert!(!class.is_race_free("a/A", "x", "J") && !class.is_race_free("b/B", "x", "I"));
        assert_eq!(class.race_free_accesses("run", "()V"), [3, 7]);
        assert_eq!(class.race_free_accesses("run", "(I)V"), [0; 0]);
        assert_eq!((class.held_accesses("add", "()V"), class.conforming_accesses("add", "()V")), (&[4][..], &[9][..]));
        assert!(class.held_accesses("run", "()V").is_empty() && class.conforming_accesses("run", "()V").is_empty());
        assert!(class.is_unreached("stop", "()V") && class.is_unreached("pause", "()V"));
        assert!(!class.is_unreached("run", "()V") && !class.is_unreached("stop", "(I)V"));
        assert!(class.is_run_by_one("test", "()V") && class.is_run_by_one("before", "()V"));
        assert!(!class.is_run_by_one("stop", "()V"));
        assert!(class.is_hiding("restore", "()V") && class.is_hiding("load", "()V") && !class.is_hiding("stop", "()V"));
        assert!(["stop", "load", "test"].iter().all(|method| class.is_guarded(method, "()V")));
        assert!(!class.is_guarded("run", "()V"));
        assert!(class.is_idle("get", "()I") && class.is_idle("size", "()I") && !class.is_idle("size", "()J"));
        assert_eq!((class.idle_monitors("run", "()V"), class.idle_monitors("stop", "()V")), (&[4, 9, 12][..], &[][..]));
        assert!(class.is_idle_transaction("read", "()V") && !class.is_idle_transaction("run", "()V"));
        assert!(set.has_idle_locks() && !FocusSet::default().has_idle_locks());
        let idle_transactions = vec!["set()V".to_owned()];
        let mut of_transactions = FocusSet::default();
        assert!(!of_transactions.has_idle_code());
        of_transactions.add(ClassFocus { idle_transactions, ..ClassFocus::default() });
        assert!(of_transactions.has_idle_code() && !of_transactions.has_idle_locks());
        assert!(set.lacks("c/Late") && !set.lacks("a/A"));
    }

    #[test]
    fn proofs_hold_in_the_jdk_that_was_searched() {
        assert!(["17.0.9", "17.0.9+9-Ubuntu-1", "17.0.9-internal"].iter().all(|vm| set().holds_in(vm)));
        assert!(!["17.0.91+1", "17.0.9.1+1", "21.0.1+12", ""].iter().any(|vm| set().holds_in(vm)));
        assert!(FocusSet::default().holds_in("21.0.1+12"));
    }

    #[test]
    fn other_bytes_are_another_class() {
        assert_eq!(set().of("a/A", b"other"), Focused::Changed);
        assert_eq!(set().of("c/C", b"c/C"), Focused::Unknown);
    }

    #[track_caller]
    fn is_refused(text: &[u8]) {
        let error = FocusSet::read(text).expect_err("damage");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn any_damage_costs_the_whole_set() {
        let text = written(&set());
        (0..text.len()).for_each(|cut| is_refused(&text[..cut]));
        for at in 0..text.len() {
            for flip in 1..=u8::MAX {
                let mut damaged = text.clone();
                damaged[at] ^= flip;
                // Another way to write the same header is no damage.
                match FocusSet::read(damaged.as_slice()) {
                    Ok(read) => assert_eq!(read, set(), "byte {at} ^ {flip}"),
                    Err(error) => assert_eq!(error.kind(), io::ErrorKind::InvalidData),
                }
            }
        }
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        for lost in 0..lines.len() {
            is_refused(&[&lines[..lost], &lines[lost + 1..]].concat().concat());
        }
        is_refused(&[lines[0], lines[2], lines[1]].concat());
        is_refused(b"{}");
    }

    #[test]
    fn other_versions_are_refused() {
        let text = String::from_utf8(written(&set())).unwrap();
        let older = text.replacen(&format!("{{\"focus_set\":{FORMAT}"), "{\"focus_set\":1", 1);
        assert_ne!(older, text);
        is_refused(older.as_bytes());
    }

    fn any_class() -> impl Strategy<Value = ClassFocus> {
        let reference = ("[a-c]{1,2}", "[x-z\\PC]{1,2}", "I|J|\\[I");
        let arrays = prop::collection::btree_map("run\\(\\)V|main", prop::collection::vec(0..9_u32, 0..3), 0..2);
        let fields = prop::collection::vec(reference, 0..4);
        let class = ("[a-c\\PC]{1,2}", any::<u64>(), fields, arrays);
        class.prop_map(|(class, hash, fields, accesses)| ClassFocus {
            class,
            hash,
            fields,
            unreached: accesses.keys().cloned().collect(),
            hiding: accesses.keys().cloned().collect(),
            run_by_one: accesses.keys().cloned().collect(),
            held: accesses.clone(),
            conforming: accesses.clone(),
            idle_methods: accesses.keys().cloned().collect(),
            idle_monitors: accesses.clone(),
            idle_transactions: accesses.keys().cloned().collect(),
            accesses,
        })
    }

    proptest! {
        /// What is read is what was written, or nothing: a set that leaves out more is never read.
        #[test]
        fn damaged_sets_prove_nothing_new(
            classes in prop::collection::vec(any_class(), 0..5),
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            cut in any::<prop::sample::Index>(),
            cuts in any::<bool>(),
        ) {
            let mut set = FocusSet::default();
            classes.into_iter().for_each(|class| set.add(class));
            let text = written(&set);
            prop_assert_eq!(FocusSet::read(text.as_slice()).unwrap(), set.clone());
            let mut damaged = text.clone();
            damage.iter().for_each(|(at, byte)| damaged[at.index(text.len())] = *byte);
            if cuts {
                damaged.truncate(cut.index(text.len()));
            }
            if let Ok(read) = FocusSet::read(damaged.as_slice()) {
                prop_assert_eq!(read, set);
            }
        }

        #[test]
        fn anything_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let header = serde_json::to_vec(&Header { focus_set: FORMAT, hash: hash(&bytes) }).unwrap();
            // Neither panics.
            let _ = FocusSet::read(bytes.as_slice());
            let _ = FocusSet::read([&header[..], b"\n", &bytes].concat().as_slice());
        }
    }
}
