//! What to weave into a class, and what came of it.

use std::fmt;

use classfile::Malformed;
use facts::access::{AccessKind, ArrayGranularity, Granularity};
use facts::focus::ClassFocus;
use facts::hook::Events;
use facts::models::contents::Finds;
use facts::models::inherited::Callee;
use facts::models::{Call, Model};
use facts::site::{Action, ArrayRef, FieldRef, Place, Site};

/// What to weave into one class.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// Events that the code of the class reports.
    pub events: Events,
    /// How finely the fields of an object are told apart.
    pub granularity: Granularity,
    /// Whether the class's own instance fields get shadow words (a checked class).
    pub shadows: bool,
    /// Whether the superclass is a checked class: then its instances already have the one word of object granularity.
    pub super_shadows: bool,
    /// Whether shadow words are marked as a contended group: HotSpot lays such fields out behind all others, so that those of
    /// the class stay where they are. To be set only where HotSpot honours the mark in any class and pads no group.
    pub shadows_last: bool,
    /// Whether an access through a reference to this class (internal name) may reach a field that is checked.
    pub may_shadow: &'a dyn Fn(&str) -> bool,
    /// What was proved about the class, and so needs no checks. The fields keep their shadow words, so that the class can be
    /// checked in full after all.
    pub focus: Option<&'a ClassFocus>,
    /// Whether accesses through a reference need no checks any more; `None` where that is so of no reference. The fields
    /// keep their shadow words.
    pub is_retired: Option<&'a dyn Fn(NewField<'_>) -> bool>,
    /// With [`Events::TRANSACTIONS`]: whether a method (`package.Class.method`) and its synchronized blocks are
    /// transactions; `None` for the heuristic alone.
    pub transactions: Option<&'a dyn Fn(&str) -> bool>,
    /// With [`Events::ORDER`]: whether reads are left out that say nothing new of transactions.
    pub leaves_out_redundant: bool,
    /// Which accesses to an array are to one variable.
    pub arrays: ArrayGranularity,
    /// Effects of this class's own methods.
    pub models: &'a [Model],
    /// Volatile fields, by owner and name, each read of which tells of the object that has it (classes of the JDK).
    pub observed: &'a [(&'a str, &'a str)],
    /// Calls in this class's own methods that are told of.
    pub inner: &'a [Call],
    /// Whether objects of the class carry their entries if they are likely to have some, or if that takes no memory.
    pub carries: bool,
    /// Further fields to add, by name and descriptor; they become `transient synthetic`, visible to the
    /// package.
    pub add_fields: &'a [(&'a str, &'a str)],
}

impl<'a> Plan<'a> {
    /// A plan that weaves `events` for accesses to every class and adds no field.
    #[must_use]
    pub fn new(events: Events) -> Self {
        Self {
            events,
            granularity: Granularity::Field,
            shadows: false,
            super_shadows: false,
            shadows_last: false,
            may_shadow: &|_| true,
            focus: None,
            is_retired: None,
            transactions: None,
            leaves_out_redundant: false,
            arrays: ArrayGranularity::Object,
            models: &[],
            observed: &[],
            inner: &[],
            carries: false,
            add_fields: &[],
        }
    }
}

impl<'a> Plan<'a> {
    /// The same without checks of arrays, contents and fields that are not volatile, as far as they are like this: what orders threads is told
    /// all the same.
    #[must_use]
    pub fn without_checks(&self, of_fields: &'a dyn Fn(NewField<'_>) -> bool) -> Self {
        let events = self.events.without(Events::ARRAYS | Events::CONTENTS | Events::TRANSACTIONS);
        Self { events, is_retired: Some(of_fields), ..*self }
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("events", &self.events)
            .field("granularity", &self.granularity)
            .field("shadows", &self.shadows)
            .field("super_shadows", &self.super_shadows)
            .field("focus", &self.focus.map(|focus| &focus.class))
            .field("models", &self.models)
            .field("carries", &self.carries)
            .field("add_fields", &self.add_fields)
            .finish_non_exhaustive()
    }
}

/// A site that is about to be woven: [`Site`] with borrowed names.
///
/// Names that are not Unicode (JVMS 4.4.7 permits lone surrogates) have a replacement character in place of what cannot be
/// shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewSite<'a> {
    /// Internal name of the class.
    pub class: &'a str,
    /// Method name.
    pub method: &'a str,
    /// Method descriptor.
    pub descriptor: &'a str,
    /// Bytecode offset in the original method body.
    pub offset: u32,
    /// Source line, where the class file tells it.
    pub line: Option<u32>,
    /// The `SourceFile` attribute.
    pub file: Option<&'a str>,
    /// What the instruction does.
    pub action: NewAction<'a>,
}

/// [`Action`] with borrowed names; only what has a site of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewAction<'a> {
    /// `getfield`, `putfield`.
    Field(AccessKind, NewField<'a>),
    /// `getstatic`, `putstatic`.
    Static(AccessKind, NewField<'a>),
    /// `*aload`, `*astore`.
    Array(AccessKind, NewArray<'a>),
    /// A call that reads or writes the contents of an object of the library.
    Contents(NewContents<'a>),
    /// `monitorenter` or the entry of a synchronized method.
    Enter,
    /// A call that accesses a field by what stands for it; which field that is, is known when it runs.
    Reflected,
    /// Entry or exit of `<clinit>`.
    ClassInit,
    /// Entry or exit of a method that is a transaction.
    Transaction,
}

/// [`FieldRef`] with borrowed names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewField<'a> {
    /// Internal name of the class named by the reference.
    pub class: &'a str,
    /// Field name.
    pub name: &'a str,
    /// Field descriptor.
    pub descriptor: &'a str,
}

/// [`ArrayRef`] with borrowed names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewArray<'a> {
    /// Element type as the instruction tells it.
    pub element: char,
    /// The field the array was loaded from, and through how many further array loads.
    pub origin: Option<(NewField<'a>, u8)>,
}

/// A call on an object of the library, or on one that inherits its methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewContents<'a> {
    /// What it does.
    pub kind: AccessKind,
    /// What it finds that it was not asked for by name.
    pub finds: Finds,
    /// Which method it calls.
    pub callee: Callee,
    /// The field that the object was loaded from, and through how many array loads then.
    pub origin: Option<(NewField<'a>, u8)>,
}

impl NewSite<'_> {
    /// The same with names of its own.
    #[must_use]
    pub fn to_site(&self) -> Site {
        Site {
            place: Place {
                class: self.class.to_owned(),
                method: self.method.to_owned(),
                descriptor: self.descriptor.to_owned(),
                offset: self.offset,
                line: self.line,
                file: self.file.map(str::to_owned),
            },
            action: self.action.to_action(),
        }
    }
}

impl NewAction<'_> {
    /// The same with names of its own.
    #[must_use]
    pub fn to_action(&self) -> Action {
        match self {
            Self::Field(kind, field) => Action::Field(*kind, field.to_field()),
            Self::Static(kind, field) => Action::Static(*kind, field.to_field()),
            Self::Array(kind, array) => {
                let origin = array.origin.map(|(field, loads)| (field.to_field(), loads));
                Action::Array(*kind, ArrayRef { element: array.element, origin })
            }
            Self::Contents(contents) => Action::Contents(contents.kind),
            Self::Enter | Self::Reflected => Action::Enter,
            Self::ClassInit => Action::ClassInit,
            Self::Transaction => Action::Transaction,
        }
    }
}

impl NewField<'_> {
    /// The same with names of its own.
    #[must_use]
    pub fn to_field(&self) -> FieldRef {
        FieldRef { class: self.class.to_owned(), name: self.name.to_owned(), descriptor: self.descriptor.to_owned() }
    }
}

/// Numbers the sites.
pub trait SiteSink {
    /// Takes note of a site and returns the number that its hook is called with.
    ///
    /// A method that turns out not to be weavable may leave numbers behind that no code uses.
    fn add(&mut self, site: NewSite<'_>) -> u32;
}

/// The simplest sink: a list of sites, numbered from 1.
impl SiteSink for Vec<Site> {
    fn add(&mut self, site: NewSite<'_>) -> u32 {
        self.push(site.to_site());
        u32::try_from(self.len()).unwrap_or(0)
    }
}

/// What came of weaving a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There was nothing to weave: the class keeps its bytes.
    Unchanged,
    /// The class was woven; if every method that asked for it had to be left out, its bytes are the same.
    Woven(Woven),
}

/// A woven class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Woven {
    /// The class file.
    pub bytes: Vec<u8>,
    /// How many sites it has.
    pub sites: u32,
    /// Methods that keep their bytes or have no checks, name and descriptor, and why.
    pub unwoven_methods: Vec<(String, Reason)>,
    /// Methods that grew past the size HotSpot compiles (8000 bytes, `-XX:-DontCompileHugeMethods`).
    pub huge_methods: Vec<String>,
}

/// Why a method keeps its bytes, or has no checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// Its code cannot be decoded.
    #[error("its code is malformed: {0}")]
    Malformed(&'static str),
    /// It would not fit the class file format (JVMS 4.11).
    #[error("it would grow past 65535 bytes or stack slots")]
    TooLarge,
    /// With checks it would not; without them it does, and is woven so.
    #[error(
        "it would grow past 65535 bytes or stack slots: its locks and what else orders threads are seen, its accesses are not checked"
    )]
    TooLargeToCheck,
    /// A conditional branch would be too far from its target, with no room for a step in between.
    #[error("a branch would become too long")]
    FarBranch,
    /// The values on its stack could not be followed.
    #[error("it is too intricate before its call of super()")]
    Intricate,
    /// A library method overwrites its receiver, or its frames give it up.
    #[error("it does not keep local variable 0")]
    NoReceiver,
}

/// Why a class keeps its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeaveError {
    /// It is not a class file that we can read.
    #[error("the class file is malformed: {0}")]
    Malformed(&'static str),
    /// Its constant pool has no room for what weaving adds (JVMS 4.1).
    #[error("the constant pool is full")]
    PoolFull,
    /// It calls hooks already.
    #[error("the class is woven already")]
    AlreadyWoven,
}

impl From<Malformed> for WeaveError {
    fn from(Malformed(what): Malformed) -> Self {
        Self::Malformed(what)
    }
}

impl From<Malformed> for Reason {
    fn from(Malformed(what): Malformed) -> Self {
        Self::Malformed(what)
    }
}
