//! Classes that a program makes in each run, under names that nobody can foresee: a family is what they have in common, and a copy is
//! what one run has of it under one set of names.
//!
//! A class of a family may name others of it. The proofs know two copies of all of these, which have nothing in common. So a class is known
//! by its form only as long as those that name each other are one copy: two that share a third are not.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{ClassFocus, FocusSet, Open, ReflectedMember};

/// How a class is known that has another name in each run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// A number for all of the class file but its names.
    pub skeleton: u64,
    /// A number for the names that do not vary.
    pub fixed: u64,
    /// Names of classes that vary, its own among them, each with its first place among the names.
    pub classes: BTreeMap<String, usize>,
    /// The same of members.
    pub members: BTreeMap<String, usize>,
    /// What no member may be called instead: it would override a method, or be another member of the family.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub taken: BTreeSet<String>,
}

impl Family {
    /// The places of names that vary.
    #[must_use]
    pub fn places(&self) -> BTreeSet<usize> {
        self.classes.values().chain(self.members.values()).copied().collect()
    }
}

/// What a constant string may stand for: classes and members that the proofs know. By another string a copy may come to them by reflection;
/// one that stands for nothing may differ.
#[derive(Clone, Debug, Default)]
pub struct Meanings {
    classes: BTreeSet<String>,
    members: BTreeSet<String>,
}

impl Meanings {
    /// What strings may stand for in a program.
    #[must_use]
    pub fn of(set: &FocusSet) -> Self {
        let name = |method: &String| method.split('(').next().unwrap_or_default().to_owned();
        let open = || set.classes().filter_map(|class| class.open.as_ref());
        let fields = set.classes().flat_map(|class| &class.fields).map(|(_, name, _)| name.clone());
        let open_fields = open().flat_map(|open| open.fields.iter().chain(&open.locks)).cloned();
        let methods = set.classes().flat_map(|class| class.methods.keys()).map(name);
        let open_methods = open().flat_map(|open| &open.methods).map(name);
        Self {
            classes: set.classes().map(|class| class.class.clone()).chain(set.basis.missing.iter().cloned()).collect(),
            members: fields.chain(open_fields).chain(methods).chain(open_methods).collect(),
        }
    }

    /// Whether a string stands for something.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        self.members.contains(text) || self.classes.contains(&text.replace('.', "/"))
    }
}

/// What one copy of a family is called, by what the proofs call it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Naming {
    /// Internal names of classes.
    pub classes: BTreeMap<String, String>,
    /// Names of fields and methods.
    pub members: BTreeMap<String, String>,
}

impl Naming {
    /// Adds another one, if they do not contradict each other, and no two have one name.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Option<Self> {
        let fits = join(&mut self.classes, &other.classes) && join(&mut self.members, &other.members);
        fits.then_some(self)
    }

    /// The other way round.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let reversed = |names: &BTreeMap<String, String>| {
            names.iter().map(|(known, actual)| (actual.clone(), known.clone())).collect()
        };
        Self { classes: reversed(&self.classes), members: reversed(&self.members) }
    }

    /// A class by its new name.
    #[must_use]
    pub fn class<'a>(&'a self, name: &'a str) -> &'a str {
        self.classes.get(name).map_or(name, String::as_str)
    }

    /// A member by its new name.
    #[must_use]
    pub fn member<'a>(&'a self, name: &'a str) -> &'a str {
        self.members.get(name).map_or(name, String::as_str)
    }

    /// A descriptor with new names.
    #[must_use]
    pub fn descriptor(&self, descriptor: &str) -> String {
        let (mut text, mut rest) = (String::new(), descriptor);
        while let Some((before, (name, behind))) =
            rest.split_once('L').and_then(|(before, class)| Some((before, class.split_once(';')?)))
        {
            text.extend([before, "L", self.class(name), ";"]);
            rest = behind;
        }
        text + rest
    }

    /// Name and descriptor of a method with new names.
    #[must_use]
    pub fn method(&self, method: &str) -> String {
        let (name, descriptor) = method.split_at(method.find('(').unwrap_or(method.len()));
        self.member(name).to_owned() + &self.descriptor(descriptor)
    }
}

fn join(names: &mut BTreeMap<String, String>, others: &BTreeMap<String, String>) -> bool {
    others.iter().all(|(known, actual)| match names.get(known) {
        Some(present) => present == actual,
        None if names.values().any(|present| present == actual) => false,
        None => names.insert(known.clone(), actual.clone()).is_none(),
    })
}

impl ClassFocus {
    /// What holds for a copy of the class.
    #[must_use]
    pub fn renamed(&self, naming: &Naming) -> Self {
        let open = |open: &Open| {
            let members = |names: &BTreeSet<String>| names.iter().map(|name| naming.member(name).to_owned()).collect();
            Open {
                fields: members(&open.fields),
                methods: open.methods.iter().map(|method| naming.method(method)).collect(),
                is_made: open.is_made,
                locks: members(&open.locks),
            }
        };
        let field = |(class, name, descriptor): &(String, String, String)| {
            (naming.class(class).to_owned(), naming.member(name).to_owned(), naming.descriptor(descriptor))
        };
        let mut fields: Vec<_> = self.fields.iter().map(field).collect();
        fields.sort_unstable();
        Self {
            class: naming.class(&self.class).to_owned(),
            fields,
            methods: self.methods.iter().map(|(method, focus)| (naming.method(method), focus.clone())).collect(),
            open: self.open.as_ref().map(open),
            ..self.clone()
        }
    }
}

impl ReflectedMember {
    /// The same member of a copy.
    #[must_use]
    pub fn renamed(&self, naming: &Naming) -> Self {
        Self {
            class: naming.class(&self.class).to_owned(),
            name: naming.member(&self.name).to_owned(),
            descriptor: naming.descriptor(&self.descriptor),
        }
    }
}

/// The copies that have come, each of classes that name each other.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    copies: BTreeMap<usize, Naming>,
    /// The copy that a class is of, by its actual name.
    of: BTreeMap<String, usize>,
    n_made: usize,
}

impl Copies {
    /// Adds what a class shows of the copy that it is of, if that is one: then it says what is known of that copy by now.
    pub fn add(&mut self, naming: &Naming) -> Option<&Naming> {
        let joined: BTreeSet<usize> =
            naming.classes.values().filter_map(|actual| self.of.get(actual)).copied().collect();
        let known = joined.iter().filter_map(|copy| self.copies.get(copy));
        let all = known.into_iter().try_fold(Naming::default().join(naming)?, |all, copy| all.join(copy))?;
        joined.iter().for_each(|copy| _ = self.copies.remove(copy));
        self.n_made += 1;
        self.of.extend(all.classes.values().map(|actual| (actual.clone(), self.n_made)));
        Some(self.copies.entry(self.n_made).or_insert(all))
    }

    /// What the copy of a class is called, by the class's actual name.
    #[must_use]
    pub fn of(&self, class: &str) -> Option<&Naming> {
        self.copies.get(self.of.get(class)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naming(classes: &[(&str, &str)]) -> Naming {
        let classes = classes.iter().map(|(known, actual)| ((*known).to_owned(), (*actual).to_owned())).collect();
        Naming { classes, members: BTreeMap::from([("f".to_owned(), "g".to_owned())]) }
    }

    #[test]
    fn classes_that_share_a_third_are_no_copies() {
        let mut copies = Copies::default();
        assert!(copies.add(&naming(&[("R", "X"), ("A", "B")])).is_some());
        assert!(copies.add(&naming(&[("A", "B"), ("R", "X")])).is_some());
        assert!(copies.add(&naming(&[("R", "Y"), ("A", "B")])).is_none(), "B is of two");
        assert!(copies.add(&naming(&[("A", "X")])).is_none(), "X stands for two");
        assert!(copies.add(&naming(&[("R", "Y"), ("A", "Y")])).is_none(), "so does Y");
        assert!(copies.of("Y").is_none() && copies.of("B").unwrap().class("R") == "X");
        // Two turn out to be one.
        assert!(copies.add(&naming(&[("R", "Z")])).is_some() && copies.add(&naming(&[("A", "C")])).is_some());
        assert!(copies.add(&naming(&[("R", "Z"), ("A", "C")])).is_some());
        assert_eq!(copies.of("Z"), copies.of("C"));
        assert!(copies.add(&naming(&[("R", "X"), ("A", "C")])).is_none());
    }

    #[test]
    fn what_is_known_of_a_class_holds_for_its_copies() {
        let naming = naming(&[("R", "X")]);
        assert_eq!(naming.descriptor("(ILR;[LRR;LR;J)LLR;"), "(ILX;[LRR;LX;J)LLR;");
        assert_eq!(naming.method("f(LR;)V"), "g(LX;)V");
        let names = |names: [&str; 2]| BTreeSet::from(names.map(str::to_owned));
        let open = |fields, methods| Open { fields, methods, is_made: true, locks: BTreeSet::new() };
        let focus = |class: &str, field: &str, method: &str, open| ClassFocus {
            class: class.to_owned(),
            hash: 7,
            fields: vec![
                (class.to_owned(), field.to_owned(), format!("L{class};")),
                ("Y".into(), "h".into(), "I".into()),
            ],
            methods: BTreeMap::from([(method.to_owned(), super::super::MethodFocus::default())]),
            open: Some(open),
            family: None,
        };
        let known = focus("R", "f", "f(LR;)V", open(names(["f", "h"]), names(["f(LR;)V", "h()V"])));
        let copy = focus("X", "g", "g(LX;)V", open(names(["g", "h"]), names(["g(LX;)V", "h()V"])));
        assert_eq!(known.renamed(&naming), copy);
        assert_eq!(copy.renamed(&naming.reversed()), known);
    }
}
