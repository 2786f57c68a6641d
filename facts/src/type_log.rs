//! The type log: how runs used each field, from which owners are inferred (paper 004, section 4).
//!
//! A text file, one JSON value a line: [`Header`], then for each JVM a [`Run`] and its [`ClassUse`]s. A damaged file is refused as
//! a whole: of a field that is half observed, an owner would be inferred that the other half contradicts.
//!
//! Logs merge: what one JVM has seen is a unit, and a JVM that is in both logs counts once.

mod owner;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::focus::hash;

pub use owner::{Observed, Owner};

/// Version of the file's form.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// See [`FORMAT`].
    pub type_log: u32,
    /// [`hash`] of all that follows the first line.
    pub hash: u64,
}

/// A JVM that was observed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Milliseconds since 1970.
    pub started: u64,
    /// Process id.
    pub pid: u32,
    /// Main class or jar, and arguments.
    pub command: String,
}

/// What one JVM has seen of one class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ClassUse {
    /// Internal name.
    pub class: String,
    /// See [`hash`].
    pub hash: u64,
    /// Its fields that were accessed, by name and descriptor.
    pub fields: Vec<FieldUse>,
    /// Its methods (name and descriptor) that accessed fields of the class itself.
    pub methods: BTreeMap<String, MethodUse>,
}

/// Code by class and by method (name and descriptor): offsets of instructions.
pub type Sites = BTreeMap<String, BTreeMap<String, BTreeSet<u32>>>;

/// How a field was used, by every object that was sampled; a static field is one object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FieldUse {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// How many objects were sampled.
    pub objects: u64,
    /// In how many of them several threads accessed it.
    pub shared: u64,
    /// In how many of those one thread after the other did, none coming back.
    pub handed_over: u64,
    /// Accesses that read.
    pub reads: u64,
    /// Accesses that wrote.
    pub writes: u64,
    /// Accesses to it in the objects that share it, once a second thread had come to the object.
    pub late: u64,
    /// Those that wrote.
    pub late_writes: u64,
    /// The most threads that accessed it in one object.
    pub threads: u64,
    /// The name of the only thread that accessed it, if it is one.
    pub thread: Option<String>,
    /// What was held at every late access.
    pub locks: BTreeSet<Lock>,
    /// Where it was accessed.
    pub sites: Sites,
}

/// A lock as it is seen from the object whose field is accessed. The first is the best to know.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lock {
    /// The object itself.
    This,
    /// The object of this class.
    Class(String),
    /// An object of this class, the same one for all objects that a JVM had.
    Same(String),
    /// An object of this class.
    Other(String),
}

/// How a method accessed fields of its own class, once a second thread had come to the object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
pub struct MethodUse {
    /// How often.
    pub accesses: u64,
    /// How often with the lock of that object.
    pub own_lock: u64,
}

impl FieldUse {
    /// What both have seen, if they have seen different objects.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let locks = match (self.late, other.late) {
            (_, 0) => self.locks,
            (0, _) => other.locks,
            _ => self.locks.intersection(&other.locks).cloned().collect(),
        };
        let mut sites = self.sites;
        for (class, methods) in other.sites {
            let known = sites.entry(class).or_default();
            methods.into_iter().for_each(|(method, offsets)| known.entry(method).or_default().extend(offsets));
        }
        Self {
            objects: self.objects.saturating_add(other.objects),
            shared: self.shared.saturating_add(other.shared),
            handed_over: self.handed_over.saturating_add(other.handed_over),
            reads: self.reads.saturating_add(other.reads),
            writes: self.writes.saturating_add(other.writes),
            late: self.late.saturating_add(other.late),
            late_writes: self.late_writes.saturating_add(other.late_writes),
            threads: self.threads.max(other.threads),
            thread: self.thread.filter(|thread| other.thread.as_ref() == Some(thread)),
            locks,
            sites,
            ..other
        }
    }

    /// All accesses.
    #[must_use]
    pub fn accesses(&self) -> u64 {
        self.reads.saturating_add(self.writes)
    }
}

/// What runs have seen.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TypeLog {
    runs: BTreeMap<Run, Vec<ClassUse>>,
}

/// A line after the first.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Run(Run),
    Class(ClassUse),
}

impl TypeLog {
    /// Adds what a JVM has seen. If two say that they are the same JVM, the greater one counts, whichever came first.
    pub fn add(&mut self, run: Run, mut classes: Vec<ClassUse>) {
        classes.sort_unstable();
        match self.runs.get_mut(&run) {
            Some(known) if *known >= classes => {}
            Some(known) => *known = classes,
            None => drop(self.runs.insert(run, classes)),
        }
    }

    /// What either has seen.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        other.runs.into_iter().for_each(|(run, classes)| self.add(run, classes));
        self
    }

    /// The JVMs, by the time at which they started.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.keys()
    }

    /// Keeps only what was seen of classes with these hashes, and in their code. Returns the others.
    pub fn keep(&mut self, is_known: impl Fn(&str, u64) -> bool) -> BTreeSet<String> {
        let mut others = BTreeSet::new();
        for classes in self.runs.values_mut() {
            let (known, unknown): (Vec<_>, Vec<_>) =
                std::mem::take(classes).into_iter().partition(|class| is_known(&class.class, class.hash));
            others.extend(unknown.into_iter().map(|class| class.class));
            let names: BTreeSet<String> = known.iter().map(|class| class.class.clone()).collect();
            *classes = known;
            for field in classes.iter_mut().flat_map(|class| &mut class.fields) {
                field.sites.retain(|class, _| names.contains(class));
            }
        }
        others
    }

    /// What was seen of each field, by class, name and descriptor.
    #[must_use]
    pub fn fields(&self) -> BTreeMap<(String, String, String), Observed> {
        let mut fields = BTreeMap::<_, Observed>::new();
        for class in self.classes() {
            for field in &class.fields {
                let name = (class.class.clone(), field.name.clone(), field.descriptor.clone());
                let all = match fields.remove(&name) {
                    Some(Observed { seen, runs }) => Observed { seen: seen.and(field.clone()), runs: runs + 1 },
                    None => Observed { seen: field.clone(), runs: 1 },
                };
                fields.insert(name, all);
            }
        }
        fields
    }

    /// What was seen of each method, by class, and by name with descriptor.
    #[must_use]
    pub fn methods(&self) -> BTreeMap<(String, String), MethodUse> {
        let mut methods = BTreeMap::<_, MethodUse>::new();
        for class in self.classes() {
            for (method, seen) in &class.methods {
                let all = methods.entry((class.class.clone(), method.clone())).or_default();
                all.accesses = all.accesses.saturating_add(seen.accesses);
                all.own_lock = all.own_lock.saturating_add(seen.own_lock);
            }
        }
        methods
    }

    fn classes(&self) -> impl Iterator<Item = &ClassUse> {
        self.runs.values().flatten()
    }

    /// Writes the log.
    ///
    /// # Errors
    /// The stream fails.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut lines = Vec::new();
        for (run, classes) in &self.runs {
            let of_run = std::iter::once(Line::Run(run.clone())).chain(classes.iter().cloned().map(Line::Class));
            for line in of_run {
                serde_json::to_writer(&mut lines, &line)?;
                lines.push(b'\n');
            }
        }
        serde_json::to_writer(&mut to, &Header { type_log: FORMAT, hash: hash(&lines) })?;
        writeln!(to)?;
        to.write_all(&lines)
    }

    /// Reads a log.
    ///
    /// # Errors
    /// The stream fails, or what it has is no type log of this version, or not as it was written.
    pub fn read(mut from: impl BufRead) -> io::Result<Self> {
        let (mut first, mut lines) = (Vec::new(), Vec::new());
        from.read_until(b'\n', &mut first)?;
        from.read_to_end(&mut lines)?;
        let header = serde_json::from_slice::<Header>(&first).ok().filter(|header| header.type_log == FORMAT);
        let header = header.ok_or_else(|| refused("it is no type log of this version of jrace"))?;
        if header.hash != hash(&lines) {
            return Err(refused("it is cut short or damaged"));
        }
        let mut log = Self::default();
        let mut current: Option<(Run, Vec<ClassUse>)> = None;
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match (serde_json::from_slice(line), &mut current) {
                (Ok(Line::Run(run)), _) => {
                    let before = current.replace((run, Vec::new()));
                    before.into_iter().for_each(|(run, classes)| log.add(run, classes));
                }
                (Ok(Line::Class(class)), Some((_, classes))) => classes.push(class),
                _ => return Err(refused("it is cut short or damaged")),
            }
        }
        current.into_iter().for_each(|(run, classes)| log.add(run, classes));
        Ok(log)
    }
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests;
