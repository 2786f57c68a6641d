//! Which methods classes of a program inherit from containers of the JDK: a call of `orders.put(…)` may name the program's `OrderMap`,
//! of which no model says anything.
//!
//! A line of `inherited.txt` is a method by its name and descriptor, and behind it each class that has it, with those public methods
//! that it calls on its own object there (a star: perhaps any): who overrides one of these has a part in what the call does. A test of
//! the static typer reads the list from the code of every JDK found (`UPDATE_EXPECT=1 cargo test -p static-typer --test all inherited`
//! adds to it).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::contents::{self, Call};

/// What the classes descend from: the agent asks no other object.
pub const BASES: &[&str] = &[
    "java/util/AbstractCollection",
    "java/util/AbstractMap",
    "java/util/BitSet",
    "java/util/Calendar",
    "java/text/Format",
];

/// Higher than every number.
pub const NUMBERS: usize = 512;

const LIST: &str = include_str!("inherited.txt");

/// A method that a class of the JDK has and one of the program may inherit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inherited {
    /// Its name and descriptor.
    method: &'static str,
    /// The classes that have it, each with what it calls there on its own object.
    classes: Vec<(&'static str, Vec<&'static str>)>,
}

/// Its number, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Number(pub u16);

/// A method that is called on an object which may be one of the library.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Callee {
    /// Which, if classes of the program may inherit it.
    pub method: Option<Number>,
    /// Whether the call names such a class.
    pub is_inherited: bool,
}

struct Table {
    methods: Vec<Inherited>,
    numbers: HashMap<&'static str, Number>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let methods: Vec<Inherited> = LIST.lines().filter_map(Inherited::read).collect();
    let numbers = methods.iter().zip(1..).map(|(method, number)| (method.method, Number(number))).collect();
    Table { methods, numbers }
});

impl Inherited {
    fn read(line: &'static str) -> Option<Self> {
        let (method, classes) = line.split_once(' ')?;
        let class = |text: &'static str| {
            let (class, calls) = text.split_once(':').unwrap_or((text, ""));
            (class, calls.split(',').filter(|call| !call.is_empty()).collect())
        };
        Some(Self { method, classes: classes.split(' ').map(class).collect() })
    }

    /// Each method of the list.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        TABLE.methods.iter()
    }

    /// One by its number.
    #[must_use]
    pub fn of(number: Number) -> Option<&'static Self> {
        TABLE.methods.get(usize::from(number.0).checked_sub(1)?)
    }

    /// Its name and descriptor.
    #[must_use]
    pub fn method(&self) -> (&'static str, &'static str) {
        self.method.split_at(self.method.find('(').unwrap_or(self.method.len()))
    }

    /// The classes that have it.
    pub fn classes(&self) -> impl Iterator<Item = &'static str> {
        self.classes.iter().map(|(class, _)| *class)
    }

    /// What it calls on its own object in a class, by name and descriptor.
    #[must_use]
    pub fn called_by(&self, class: &str) -> Option<&[&'static str]> {
        self.classes.iter().find(|(other, _)| *other == class).map(|(_, calls)| &calls[..])
    }

    /// Whether in objects of a class it may call a method on its own object.
    #[must_use]
    pub fn may_call(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let is_it = |call: &&str| *call == "*" || call.strip_prefix(name) == Some(descriptor);
        self.called_by(class).is_none_or(|calls| calls.iter().any(is_it))
    }
}

/// What a call does to what its object holds, if it names a class of the program whose objects inherit the method. Its last argument does
/// not count.
#[must_use]
pub fn call(owner: &str, name: &str, descriptor: &str) -> Option<Call> {
    let inherited = number(name, descriptor).filter(|_| !owner.starts_with("java/")).and_then(Inherited::of)?;
    let mut calls = inherited.classes().filter_map(|class| contents::call(class, name, descriptor));
    let first = calls.next()?;
    Some(Call { copies: false, looks_up: first.looks_up || calls.any(|call| call.looks_up), ..first })
}

/// The number of a method.
#[must_use]
pub fn number(name: &str, descriptor: &str) -> Option<Number> {
    let mut method = String::with_capacity(name.len() + descriptor.len());
    method.push_str(name);
    method.push_str(descriptor);
    TABLE.numbers.get(&*method).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::contents;

    #[test]
    fn every_line_says_the_same_of_all_its_classes() {
        assert!((201..NUMBERS).contains(&Inherited::all().count()));
        for inherited in Inherited::all() {
            let (name, descriptor) = inherited.method();
            let kinds =
                inherited.classes().map(|class| contents::call(class, name, descriptor).and_then(|call| call.object));
            let kinds: Vec<_> = kinds.collect();
            assert!(kinds.iter().all(|kind| kind.is_some() && *kind == kinds[0]), "{}: {kinds:?}", inherited.method);
            assert_eq!(number(name, descriptor).and_then(Inherited::of), Some(inherited));
        }
    }

    #[test]
    fn it_is_known_what_a_method_calls_on_its_own_object() {
        let push = number("push", "(Ljava/lang/Object;)V").and_then(Inherited::of).unwrap();
        let may_call = |class, name, descriptor| push.may_call(class, name, descriptor);
        assert!(may_call("java/util/ArrayDeque", "addFirst", "(Ljava/lang/Object;)V"));
        assert!(!may_call("java/util/ArrayDeque", "addLast", "(Ljava/lang/Object;)V"));
        assert!(!may_call("java/util/ArrayDeque", "addFirst", "(Ljava/lang/String;I)V"), "another one of that name");
        assert!(may_call("java/util/Stack", "size", "()I"), "nothing is known of this class");
    }
}
