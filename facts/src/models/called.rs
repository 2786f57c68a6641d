//! What calls of the library do, by the class that a call names: rows of TOML, in the files of the models.
//!
//! ```toml
//! [[called]]
//! classes = ["java.util.Iterator", "java.util.ListIterator"]
//! source = "the documentation of each method"
//! [called.methods]
//! "remove* set*" = "writes contents"
//! "next*" = "reads contents"
//! ```
//!
//! Other than the rows of models, which are woven into the code of a class, these are asked about code that calls it. A method is named
//! alone or with the beginning of its descriptor; a method or a class with a star for all whose names begin so, and a method with one inside
//! (`get*Volatile`) for all whose names begin and end so. Of several rows that fit and answer the same question, the most specific one
//! counts: the longest class, and of one class the longest method.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::written::{ModelError, Phrases, refused, words};
use crate::access::AccessKind;

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// Reads or writes what its object holds, or expressly neither.
    Touches(Option<AccessKind>),
    /// Looks something up in its object, which may keep the order of look-ups.
    LooksUp,
    /// Finds something of its object that it was not asked for by name.
    Finds(Finds),
    /// Comes to these elements of a list, if its object is one or goes over one.
    ComesTo(Place),
    /// Reads or writes what its first argument holds; it is static.
    TouchesArgument(AccessKind),
    /// Reads its last argument, a collection or a map.
    ReadsLast,
    /// Reads or writes what its object holds, at once, if several threads may use it.
    TouchesShared(AccessKind),
    /// Reads or writes the elements of its first argument, an array; it is static.
    TouchesElements {
        /// What it does.
        kind: AccessKind,
        /// Which, if it is told no range.
        extent: Extent,
    },
    /// Reads those of one array and writes those of another.
    CopiesElements,
    /// Accesses a variable by its handle.
    Orders(Mode),
    /// The same with a fence beside it.
    OrdersWithFence(Mode),
    /// Keeps accesses in order.
    Fence(Fence),
    /// Accesses a field or an element by what stands for it.
    Reflects(Reflective),
    /// Holds the lock that its object is when it returns, whichever half of a read-write lock that is.
    Acquires,
    /// Holds it when it returns true.
    AcquiresIf,
    /// Releases it.
    Releases,
    /// Moves past what other threads do, as the theory of reduction has it.
    Moves {
        /// In which direction.
        mover: Mover,
        /// Whether it asks its arguments for `hashCode`, `equals`, `compareTo` or `toString`.
        asks: bool,
    },
    /// Harms nobody if nobody else has its object, and hands that to nobody.
    IsOwn {
        /// Whether it asks its arguments for `toString`.
        asks: bool,
    },
    /// Neither keeps an argument, nor hands it to another thread, nor calls back with it.
    KeepsNothing,
    /// The same of arguments that are arrays of numbers.
    KeepsNoNumbers,
    /// Returns an array that it has made for its caller.
    MakesArray,
    /// Starts threads, or has others call the program, or does not, whatever its class does.
    StartsThreads(bool),
    /// Returns the half of its object for readers, or the one for writers.
    Half {
        /// Whether it is the one for readers.
        is_read: bool,
    },
}

/// What a call accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reflective {
    /// The field that the object stands for on which the method is called, or with two coordinates an element of the first one.
    Field(AccessKind),
    /// The same; what is returned tells whether it is read.
    FieldByType,
    /// An element of the first argument, an array; the second one is the index.
    Element(AccessKind),
}

/// What a call finds in an object that it was not asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Finds {
    /// Nothing: it puts something in, or looks something up.
    #[default]
    Nothing,
    /// Whether there are elements, or how many.
    Whether,
    /// Elements: it shows them, goes over them, or takes them out.
    Elements,
}

/// To which elements of a list a call comes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Place {
    /// To each, as far as is known.
    #[default]
    Each,
    /// To the one at the index that is its first argument.
    Index,
    /// To the one that comes next in the iterator that its object is.
    Next,
    /// To none.
    None,
}

/// To which elements a call comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// To each.
    Whole,
    /// To those from one index up to another, which are the arguments behind the array.
    Range,
    /// To nobody knows which.
    Some,
}

/// What a call of a method of `VarHandle` orders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mode {
    /// Whether what came before is known to who reads the variable.
    pub releases: bool,
    /// Whether what came before the write that it reads is known afterwards.
    pub acquires: bool,
    /// How many arguments are values, not coordinates.
    pub values: usize,
}

/// What a fence keeps in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fence {
    /// Whether what came before stays before the writes after it.
    pub releases: bool,
    /// Whether what comes after stays after the reads before it.
    pub acquires: bool,
}

/// How a call moves (paper 004, section 3.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// Past everything; it reads nothing that changes.
    Constant,
    /// Past everything.
    Both,
    /// To an earlier time.
    Left,
    /// To a later time.
    Right,
    /// Nowhere: it happens at once.
    Atomic,
    /// Nowhere, and it may take several steps.
    Compound,
}

/// Who runs what is handed to the methods of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Callbacks {
    /// The thread that calls them.
    Here,
    /// Any number of other threads.
    Elsewhere,
}

/// What is known of the objects of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Objects {
    /// Whether what they hold is a variable, for one thread at a time.
    pub holds_contents: bool,
    /// Whether each element at an index is a variable beside that.
    pub holds_elements: bool,
    /// The field that holds the object for which they stand.
    pub stands_for: Option<String>,
    /// The class whose objects keep their contents in one of them.
    pub backs: Option<String>,
    /// Whether a field of this class or interface has such an object where one that backs it is found.
    pub is_backed: bool,
    /// The field that holds the lock that each of their methods takes.
    pub locked_by: Option<String>,
    /// Descriptors of results of their methods that are the object itself.
    pub itself: Vec<String>,
    /// Descriptors of results that stand for the object.
    pub views: Vec<String>,
    /// Whether a new one, made of nothing or of numbers, is nobody else's business.
    pub is_fresh: bool,
    /// Whether they are values, whose methods touch nothing else.
    pub is_value: bool,
    /// Whether they hold no objects of the program.
    pub is_closed: bool,
    /// Who runs what is handed to their methods.
    pub callbacks: Option<Callbacks>,
    /// Whether methods of the class start threads, or have others call the program.
    pub starts_threads: Option<bool>,
}

/// A row: some classes, and what calls do that name them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The classes, by internal names.
    pub classes: Vec<Pattern>,
    /// What their objects are.
    pub objects: Objects,
    /// What their methods do.
    pub methods: Vec<(Pattern, Does)>,
}

/// A name, or how it begins and ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    text: String,
    /// What is behind the star.
    end: String,
    /// The beginning of the descriptor.
    descriptor: String,
    is_beginning: bool,
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Called {
    rows: Vec<Row>,
    by_class: HashMap<String, Vec<usize>>,
    /// Those of classes whose names begin in some way.
    by_beginning: Vec<(String, usize)>,
}

impl Pattern {
    fn new(written: &str) -> Self {
        let (name, descriptor) = written.split_at(written.find('(').unwrap_or(written.len()));
        let (text, end) = name.split_once('*').unwrap_or((name, ""));
        Self {
            text: text.to_owned(),
            end: end.to_owned(),
            descriptor: descriptor.to_owned(),
            is_beginning: name.contains('*'),
        }
    }

    /// Whether a method fits, or a class, which has no descriptor.
    #[must_use]
    pub fn fits(&self, name: &str, descriptor: &str) -> bool {
        // A star alone stands for no constructor.
        let is_any = || !self.text.is_empty() || !name.starts_with('<');
        let fits = || name.strip_prefix(&self.text).is_some_and(|rest| rest.ends_with(&self.end)) && is_any();
        let is_named = if self.is_beginning { fits() } else { name == self.text };
        is_named && descriptor.starts_with(&self.descriptor)
    }

    /// The name, or its beginning.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.text
    }

    /// Whether it has a star, and so stands for all names that begin, and end, as it does.
    #[must_use]
    pub const fn is_beginning(&self) -> bool {
        self.is_beginning
    }

    /// Longer ones say more.
    const fn weight(&self) -> (usize, usize) {
        (self.text.len() + self.end.len(), self.descriptor.len())
    }
}

impl Called {
    pub(super) fn of(entries: Vec<Entry>) -> Result<Self, ModelError> {
        let mut called = Self { rows: Vec::with_capacity(entries.len()), ..Self::default() };
        for entry in entries {
            called.add(entry.row()?);
        }
        Ok(called)
    }

    fn add(&mut self, row: Row) {
        for class in &row.classes {
            if class.is_beginning {
                self.by_beginning.push((class.text.clone(), self.rows.len()));
            } else {
                self.by_class.entry(class.text.clone()).or_default().push(self.rows.len());
            }
        }
        self.rows.push(row);
    }

    /// Every row.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows that name a class.
    pub fn of_class(&self, class: &str) -> impl Iterator<Item = &Row> {
        self.by_class.get(class).into_iter().flatten().map(|row| &self.rows[*row])
    }

    /// The rows that fit a class, each with how specific it is.
    fn fitting(&self, class: &str) -> impl Iterator<Item = (usize, &Row)> {
        let begin = self.by_beginning.iter().filter(|(beginning, _)| class.starts_with(beginning.as_str()));
        let begin = begin.map(|(beginning, row)| (beginning.len(), &self.rows[*row]));
        self.of_class(class).map(|row| (usize::MAX, row)).chain(begin)
    }

    /// What is known of the objects of a class, as far as `asked`.
    pub fn of_objects<T>(&self, class: &str, asked: impl Fn(&Objects) -> Option<T>) -> Option<T> {
        let answers = self.fitting(class).filter_map(|(weight, row)| Some((weight, asked(&row.objects)?)));
        answers.max_by_key(|(weight, _)| *weight).map(|(_, answer)| answer)
    }

    /// Whether a call of a method starts threads or has others call the program, as far as that is known.
    #[must_use]
    pub fn starts_threads(&self, class: &str, method: &str, descriptor: &str) -> Option<bool> {
        let of_method = |does: &Does| if let Does::StartsThreads(starts) = does { Some(*starts) } else { None };
        let starts = self.of_call(class, method, descriptor, of_method);
        starts.or_else(|| self.of_objects(class, |of| of.starts_threads))
    }

    /// What a method that a call names does, as far as `asked`.
    pub fn of_call<T>(
        &self,
        class: &str,
        method: &str,
        descriptor: &str,
        asked: impl Fn(&Does) -> Option<T>,
    ) -> Option<T> {
        let methods = self.fitting(class).flat_map(|(weight, row)| row.methods.iter().map(move |of| (weight, of)));
        let fitting = methods.filter(|(_, (pattern, _))| pattern.fits(method, descriptor));
        let answers = fitting.filter_map(|(weight, (pattern, does))| Some(((weight, pattern.weight()), asked(does)?)));
        answers.max_by_key(|(weight, _)| *weight).map(|(_, answer)| answer)
    }
}

/// A row as it is written down.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    class: Option<String>,
    #[serde(default)]
    classes: Vec<String>,
    #[serde(default, rename = "source")]
    pub _source: String,
    #[serde(default)]
    holds_contents: bool,
    #[serde(default)]
    holds_elements: bool,
    stands_for: Option<String>,
    backs: Option<String>,
    #[serde(default)]
    backed: bool,
    locked_by: Option<String>,
    #[serde(default)]
    itself: Vec<String>,
    #[serde(default)]
    views: Vec<String>,
    #[serde(default)]
    fresh: bool,
    #[serde(default)]
    value: bool,
    #[serde(default)]
    closed: bool,
    callbacks: Option<Callbacks>,
    starts_threads: Option<bool>,
    #[serde(default)]
    methods: BTreeMap<String, Phrases>,
}

impl Entry {
    fn row(self) -> Result<Row, ModelError> {
        let classes: Vec<String> = self.class.into_iter().chain(self.classes).collect();
        let mut methods = Vec::new();
        for (method, phrase) in words(&self.methods) {
            let does = does(phrase).ok_or_else(|| refused(&classes.join(" "), method, phrase))?;
            methods.push((Pattern::new(method), does));
        }
        let objects = Objects {
            holds_contents: self.holds_contents,
            holds_elements: self.holds_elements,
            stands_for: self.stands_for,
            backs: self.backs.map(|class| class.replace('.', "/")),
            is_backed: self.backed,
            locked_by: self.locked_by,
            itself: self.itself.iter().map(|ty| descriptor(ty)).collect(),
            views: self.views.iter().map(|ty| descriptor(ty)).collect(),
            is_fresh: self.fresh,
            is_value: self.value,
            is_closed: self.closed,
            callbacks: self.callbacks,
            starts_threads: self.starts_threads,
        };
        let classes = classes.iter().map(|class| Pattern::new(&class.replace('.', "/"))).collect();
        Ok(Row { classes, objects, methods })
    }
}

fn descriptor(class: &str) -> String {
    format!("L{};", class.replace('.', "/"))
}

impl Mode {
    /// The mode that the phrase of a row says: `acquires variable`, `updates variable for 2 values`.
    fn read(phrase: &str) -> Option<Self> {
        let (verb, rest) = phrase.split_once(" variable")?;
        let (releases, acquires) = match verb {
            "acquires" => (false, true),
            "releases" => (true, false),
            "updates" => (true, true),
            _ => return None,
        };
        let values = match rest {
            "" => 0,
            " for 1 value" => 1,
            " for 2 values" => 2,
            _ => return None,
        };
        Some(Self { releases, acquires, values })
    }
}

const fn moves(mover: Mover, asks: bool) -> Does {
    Does::Moves { mover, asks }
}

const PHRASES: &[(&str, Does)] = &[
    ("reads contents", Does::Touches(Some(AccessKind::Read))),
    ("writes contents", Does::Touches(Some(AccessKind::Write))),
    ("leaves contents", Does::Touches(None)),
    ("looks up", Does::LooksUp),
    ("finds", Does::Finds(Finds::Elements)),
    ("asks", Does::Finds(Finds::Whether)),
    ("comes to index", Does::ComesTo(Place::Index)),
    ("comes to next", Does::ComesTo(Place::Next)),
    ("comes to none", Does::ComesTo(Place::None)),
    ("reads contents of arg0", Does::TouchesArgument(AccessKind::Read)),
    ("writes contents of arg0", Does::TouchesArgument(AccessKind::Write)),
    ("reads last argument", Does::ReadsLast),
    ("reads shared contents", Does::TouchesShared(AccessKind::Read)),
    ("writes shared contents", Does::TouchesShared(AccessKind::Write)),
    ("reads elements of arg0", Does::TouchesElements { kind: AccessKind::Read, extent: Extent::Whole }),
    ("reads some elements of arg0", Does::TouchesElements { kind: AccessKind::Read, extent: Extent::Some }),
    ("writes elements of arg0", Does::TouchesElements { kind: AccessKind::Write, extent: Extent::Whole }),
    ("copies elements", Does::CopiesElements),
    ("constant", moves(Mover::Constant, false)),
    ("constant, asks arguments", moves(Mover::Constant, true)),
    ("both-mover", moves(Mover::Both, false)),
    ("left-mover", moves(Mover::Left, false)),
    ("right-mover", moves(Mover::Right, false)),
    ("atomic", moves(Mover::Atomic, false)),
    ("atomic, asks arguments", moves(Mover::Atomic, true)),
    ("compound", moves(Mover::Compound, false)),
    ("both-mover on own object", Does::IsOwn { asks: false }),
    ("both-mover on own object, asks arguments", Does::IsOwn { asks: true }),
    ("keeps nothing", Does::KeepsNothing),
    ("keeps no array of numbers", Does::KeepsNoNumbers),
    ("makes array", Does::MakesArray),
    ("starts threads", Does::StartsThreads(true)),
    ("starts no threads", Does::StartsThreads(false)),
    ("releasing fence", Does::Fence(Fence { releases: true, acquires: false })),
    ("acquiring fence", Does::Fence(Fence { releases: false, acquires: true })),
    ("full fence", Does::Fence(Fence { releases: true, acquires: true })),
    ("reads field", Does::Reflects(Reflective::Field(AccessKind::Read))),
    ("writes field", Does::Reflects(Reflective::Field(AccessKind::Write))),
    ("reads or writes field", Does::Reflects(Reflective::FieldByType)),
    ("reads element", Does::Reflects(Reflective::Element(AccessKind::Read))),
    ("writes element", Does::Reflects(Reflective::Element(AccessKind::Write))),
    ("acquires either half", Does::Acquires),
    ("acquires either half if true", Does::AcquiresIf),
    ("releases either half", Does::Releases),
    ("returns read half", Does::Half { is_read: true }),
    ("returns write half", Does::Half { is_read: false }),
];

fn does(phrase: &str) -> Option<Does> {
    let fixed = PHRASES.iter().find(|(written, _)| *written == phrase).map(|(_, does)| *does);
    let beside_fence = || phrase.strip_suffix(" with fence").and_then(Mode::read).map(Does::OrdersWithFence);
    fixed.or_else(beside_fence).or_else(|| Mode::read(phrase).map(Does::Orders))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(rows: &str) -> Called {
        #[derive(Deserialize)]
        struct Document {
            called: Vec<Entry>,
        }
        Called::of(toml::from_str::<Document>(rows).unwrap().called).unwrap()
    }

    #[test]
    fn the_most_specific_row_counts() {
        let rows = called(
            "[[called]]\nclass = 'a.Box'\n[called.methods]\n'get*' = 'reads contents'\n'getClass get*(I' = 'leaves contents'\n\
             [[called]]\nclass = 'a.Box'\n[called.methods]\n'getAll' = ['writes contents', 'reads last argument']\n\
             'set*Later' = 'leaves contents'\n'set*' = 'writes contents'",
        );
        let touched = |method, descriptor| {
            let touches = |does: &Does| if let Does::Touches(kind) = does { Some(*kind) } else { None };
            rows.of_call("a/Box", method, descriptor, touches)
        };
        assert_eq!(touched("get", "()I"), Some(Some(AccessKind::Read)));
        assert_eq!(touched("getFirst", "()I"), Some(Some(AccessKind::Read)));
        assert_eq!(touched("getClass", "()Ljava/lang/Class;"), Some(None));
        assert_eq!(touched("getAt", "(I)I"), Some(None));
        assert_eq!(touched("getAll", "(I)I"), Some(Some(AccessKind::Write)));
        assert_eq!(touched("put", "(I)V"), None);
        assert_eq!(touched("setNow", "(I)V"), Some(Some(AccessKind::Write)));
        assert_eq!(
            (touched("setLater", "(I)V"), touched("setLaterOn", "(I)V")),
            (Some(None), Some(Some(AccessKind::Write)))
        );
        let reads_last = |method| rows.of_call("a/Box", method, "()V", |does| (*does == Does::ReadsLast).then_some(()));
        assert_eq!((reads_last("getAll"), reads_last("get")), (Some(()), None));
    }

    #[test]
    fn methods_start_threads_though_their_packages_do_not() {
        let starts = |class, method| Called::built_in().starts_threads(class, method, "");
        assert_eq!(starts("java/util/stream/Gatherers", "mapConcurrent"), Some(true));
        assert_eq!(starts("java/util/stream/Gatherers", "fold"), Some(false));
        assert_eq!(starts("java/lang/foreign/MemorySegment", "reinterpret"), Some(true));
        assert_eq!(starts("java/lang/Runtime", "addShutdownHook"), Some(true));
        assert_eq!(
            (starts("java/util/Timer", "schedule"), starts("java/util/ArrayList", "add")),
            (Some(true), Some(false))
        );
    }

    #[test]
    fn what_is_no_phrase_is_refused() {
        for phrase in ["", "reads", "reads contents of arg1", "acquires this"] {
            assert_eq!(does(phrase), None, "{phrase}");
        }
    }
}
