//! Each property on mutations of its seeds. What fails is made smaller by proptest, and shown as a seed and its mutations.
#![allow(clippy::disallowed_methods, reason = "seeds are files")]

use std::fs;
use std::path::Path;

use jrace_fuzz::TARGETS;
use jrace_tests::jdk::Jdk;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

/// A step from sound input to damaged one: of the places that readers trust, the lengths and offsets are numbers of up to four bytes.
#[derive(Clone, Debug)]
enum Mutation {
    Flip(Index, u8),
    Number(Index, Vec<u8>),
    Insert(Index, Vec<u8>),
    Copy(Index, Index, u8),
    Remove(Index, u8),
    Cut(Index),
}

impl Mutation {
    fn any() -> impl Strategy<Value = Self> {
        let place = any::<Index>;
        let byte = || prop_oneof![any::<u8>(), Just(0), Just(1), Just(0x7f), Just(0xff)];
        prop_oneof![
            4 => (place(), 0..8u8).prop_map(|(at, bit)| Self::Flip(at, bit)),
            4 => (place(), vec(byte(), 1..=4)).prop_map(|(at, bytes)| Self::Number(at, bytes)),
            2 => (place(), vec(byte(), 1..=16)).prop_map(|(at, bytes)| Self::Insert(at, bytes)),
            2 => (place(), place(), any::<u8>()).prop_map(|(from, to, length)| Self::Copy(from, to, length)),
            2 => (place(), any::<u8>()).prop_map(|(at, length)| Self::Remove(at, length)),
            1 => place().prop_map(Self::Cut),
        ]
    }

    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |index: &Index| index.index(bytes.len() + 1);
        let until = |at: usize, length: usize| (at + length).min(bytes.len());
        match self {
            Self::Flip(at, bit) => {
                let at = place(at);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            }
            Self::Number(at, number) => {
                let at = place(at);
                bytes.splice(at..until(at, number.len()), number.iter().copied());
            }
            Self::Insert(at, inserted) => {
                let at = place(at);
                bytes.splice(at..at, inserted.iter().copied());
            }
            Self::Copy(from, to, length) => {
                let (from, to) = (place(from), place(to));
                let copied = bytes[from..until(from, usize::from(*length))].to_vec();
                bytes.splice(to..to, copied);
            }
            Self::Remove(at, length) => {
                let at = place(at);
                bytes.drain(at..until(at, usize::from(*length)));
            }
            Self::Cut(at) => {
                let at = place(at);
                bytes.truncate(at);
            }
        }
    }
}

fn holds(name: &str, cases: u32, seeds: &[Vec<u8>]) {
    assert!(!seeds.is_empty(), "{name} has seeds");
    let (_, property) = TARGETS.into_iter().find(|(target, _)| *target == name).expect("a target");
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&(any::<Index>(), vec(Mutation::any(), 0..6)), |(seed, mutations)| {
        let mut bytes = seed.get(seeds).clone();
        mutations.iter().for_each(|mutation| mutation.apply(&mut bytes));
        property(&bytes);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{name}: {error}");
    }
}

/// The files of a folder, in the order of their names, so that the seed of a failure can be told.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(folder).expect("seeds").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a seed")).collect()
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name))
}

#[test]
fn class_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = ["Victims", "Subject", "Locks"]
        .map(|name| jrace_tests::root().join("instrumenter/tests/java").join(name).with_extension("java"));
    Jdk::oldest().compile(&sources, folder.path(), &[]).expect("the sources compile");
    let classes = files(folder.path());
    for target in ["classfile", "identity", "weave"] {
        holds(target, 4_000, &classes);
    }
}

#[test]
fn traces() {
    holds("trace", 20_000, &seeds("trace"));
}

#[test]
fn findings() {
    holds("finding", 20_000, &seeds("finding"));
}

#[test]
fn focus_sets() {
    holds("focus", 20_000, &seeds("focus"));
}

#[test]
fn type_logs() {
    holds("type_log", 20_000, &seeds("type_log"));
}

#[test]
fn reflection_logs() {
    holds("reflection_log", 20_000, &seeds("reflection_log"));
}

/// What is added to `TARGETS` has seeds, or is of class files.
#[test]
fn every_target_is_tried() {
    for (name, _) in TARGETS {
        assert!(["classfile", "identity", "weave"].contains(&name) || !seeds(name).is_empty(), "{name}");
    }
}
