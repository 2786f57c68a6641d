//! Owners are those of the naive twin, in random families and in the fixtures.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jrace_tests::generator::{SUPPORT, leaks};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::{fixture, root};

use super::naive::{Naive, Rules};
use super::*;
use crate::classpath::ClassPath;
use crate::ir::Op;
use crate::program::{FieldId, Program};
use crate::types::calls::CallGraph;
use crate::types::summary::Summaries;

/// What the owners of a program are by either way, after both have agreed.
struct Compared {
    /// How many classes have owners, and how many of those that are kept have none.
    with: usize,
    without: usize,
    /// How many values have an owner with a name, that of a parameter, and none.
    terms: [usize; 3],
}

/// The classes of a directory.
fn load(classes: &Path) -> Program {
    Program::load(&mut ClassPath::open(&[classes.to_owned()], &[], Some(&Jdk::oldest().home)).expect("a class path"))
}

/// The classes of some sources, by name.
fn compiled(sources: &[(&str, &str)]) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |(name, text): &(&str, &str)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a source");
        path
    };
    let files: Vec<PathBuf> = sources.iter().map(write).collect();
    let classes = folder.path().join("classes");
    Jdk::oldest().compile(&files, &classes, &["--release", "17", "-nowarn"]).expect("it compiles");
    load(&classes)
}

fn compare(program: &Program) -> Compared {
    let bodies = Bodies::of(program);
    let calls = CallGraph::of(program, &bodies);
    let summaries = Summaries::of(program, &calls, &bodies);
    let is_final = |field: FieldId| program.field(field).is_final();
    let paths = |body: &Body| Paths::of(program, &calls, summaries.getters(), &is_final, body);
    let code = Code { program, calls: &calls, summaries: &summaries };
    let owned = Owned::of(code, &bodies, &paths);
    let naive = Rules { code, bodies: &bodies, paths: &paths }.solve();
    agree(program, &owned, &naive)
}

fn agree(program: &Program, owned: &Owned, naive: &Naive) -> Compared {
    let mut compared = Compared { with: 0, without: 0, terms: [0; 3] };
    for class in program.application().map(|class| program.class(class)) {
        let has = owned.has(class.name);
        assert_eq!(has, naive.families.get(Type::class(class.name)).is_some(), "{}", program.names().text(class.name));
        compared.with += usize::from(has);
        compared.without += usize::from(owned.leak(class.name).is_some());
    }
    let terms =
        owned.terms.iter().flat_map(|(method, terms)| terms.iter().map(|(at, term)| ((*method, *at), term.clone())));
    let terms: BTreeMap<(MethodId, Value), Term> = terms.collect();
    for (place, term) in &naive.terms {
        assert_eq!(terms.get(place), Some(term), "{} {:?}", program.method_name(place.0), place.1);
    }
    assert_eq!(terms.len(), naive.terms.len());
    for term in terms.values() {
        let kind = match term {
            Term::Path(_) => 0,
            Term::Parameter(_) => 1,
            Term::Nobody => 2,
        };
        compared.terms[kind] += 1;
    }
    compared
}

#[test]
fn owners_in_random_families_are_those_of_the_naive_twin() {
    let program = compiled(&[("Families.java", &random::source(400))]);
    let Compared { with, without, terms } = compare(&program);
    assert!(with > 300 && without > 300 && terms.iter().all(|n| *n > 200), "{with} {without} {terms:?}");
}

#[test]
fn owners_in_the_fixtures_are_those_of_the_naive_twin() {
    let files: Vec<PathBuf> = sources(&root().join("tests/java/types/owned")).expect("the fixture");
    let classes = fixture::compiled(&Jdk::oldest(), &files, &["-g", "--release", "17"]).expect("it compiles");
    let Compared { with, without, terms } = compare(&load(&classes));
    assert!(with > 4 && without >= 10 && terms.iter().all(|n| *n > 0), "{with} {without} {terms:?}");
}

/// Where the programs of [`leaks`](jrace_tests::generator::leaks) let nodes go, as far as that is seen without owners: the others
/// give one object two of them.
const LEAKING: &[(&str, &str)] = &[
    ("Array", "cast store"),
    ("Call", "call cast"),
    ("Collection", "call cast"),
    ("Copy", "declared"),
    ("Generic", "call cast"),
    ("Interface", "call cast"),
    ("Lambda", "lambda"),
    ("Merged", "cast phi"),
    ("MethodReference", "cast"),
    ("ObjectArrayCopy", "call cast"),
    ("ObjectField", "cast put"),
    ("ReturnObject", "cast return"),
    ("Static", "declared"),
    ("StaticObject", "cast put-static"),
];

/// Each way is noticed where it begins and where it ends, so that no program would show it if one of both were missing.
#[test]
fn ways_to_leak_are_noticed_at_both_ends() {
    let (text, ways) = leaks::program();
    let program = compiled(&[("Support.java", SUPPORT), ("Main.java", &text)]);
    let bodies = Bodies::of(&program);
    let calls = CallGraph::of(&program, &bodies);
    let summaries = Summaries::of(&program, &calls, &bodies);
    let code = Code { program: &program, calls: &calls, summaries: &summaries };
    let families = Families::of(&program, &calls, &bodies);
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let node = |class: &str| program.names().get(format!("leaks/{class}$Node").as_bytes());
    for class in ways.iter().flat_map(|(leaks, stays)| [leaks, stays]) {
        if node(class).and_then(|node| families.leak(node)).is_some_and(|leak| leak.at.is_none()) {
            found.entry(class.clone()).or_default().insert("declared");
        }
    }
    for body in bodies.iter() {
        let class = outermost(&program.class_name(program.method(body.method).class));
        let of_nodes = node(&class).and_then(|node| families.get(Type::class(node)));
        for value in body.all_values() {
            families.for_each_leak(code, body, value, &mut |family, _| {
                if Some(family) == of_nodes {
                    found.entry(class.clone()).or_default().insert(kind(body.op(value)));
                }
            });
        }
    }
    let found = found.into_iter().map(|(class, kinds)| (class, kinds.into_iter().collect::<Vec<_>>().join(" ")));
    let found: Vec<(String, String)> = found.collect();
    let expected: Vec<(String, String)> =
        LEAKING.iter().map(|(class, kinds)| (format!("{class}Leaks"), (*kinds).to_owned())).collect();
    assert_eq!(found, expected);
    assert!(ways.len() > 20);
}

/// `Outer` of `leaks/Outer$Inner`.
fn outermost(class: &str) -> String {
    let simple = class.rsplit('/').next().unwrap_or(class);
    simple.split('$').next().unwrap_or(simple).to_owned()
}

fn kind(op: &Op) -> &'static str {
    match op {
        Op::Phi(_) => "phi",
        Op::Cast(_) => "cast",
        Op::LoadElement(..) => "load",
        Op::StoreElement(..) => "store",
        Op::Return(_) => "return",
        Op::GetField(..) => "get",
        Op::PutField(..) => "put",
        Op::GetStatic(_) => "get-static",
        Op::PutStatic(..) => "put-static",
        Op::InvokeDynamic(..) => "lambda",
        Op::Invoke(..) => "call",
        _ => "other",
    }
}
