//! Damaged class files give errors or other class files, never a panic; and what the JVM refuses is not accepted for being
//! woven, nor refused for another reason.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::path::{Path, PathBuf};

use crate::common::{self, ClassFile, Numbers};
use facts::access::Granularity;
use facts::hook::Events;
use instrumenter::{Outcome, Plan, dump, header, identity, weave};
use jrace_tests::jdk::Jdk;

/// A small generator with a fixed seed, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // The constants of Knuth's MMIX generator.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Tries everything on the bytes; what comes out must be acceptable as input again.
fn exercise(bytes: &[u8]) {
    for granularity in [Granularity::Field, Granularity::Object] {
        let plan = Plan { shadows: true, granularity, ..Plan::new(Events::ALL | Events::TRANSACTIONS) };
        if let Ok(Outcome::Woven(woven)) = weave(bytes, &plan, &mut Numbers(200)) {
            dump::listing(&woven.bytes).expect("woven classes can be read");
        }
    }
    let _ = header(bytes);
    let _ = identity(bytes);
}

#[test]
fn no_damage_makes_it_panic() {
    let classes = common::jdk_classes(&Jdk::oldest());
    let mut random = Random(1);
    let (n_classes, n_changes) = if common::sweep() { (4000, 60) } else { (300, 30) };
    let large_first = |class: &ClassFile| class.bytes.len() < 20_000;
    let small: Vec<&ClassFile> = classes.iter().filter(|class| large_first(class)).collect();
    for _ in 0..n_classes {
        let original = &small[random.below(small.len())].bytes;
        exercise(original);
        for _ in 0..n_changes {
            let mut bytes = original.clone();
            damage(&mut bytes, &mut random);
            exercise(&bytes);
        }
    }
}

/// One to four changes: a byte, a run of bytes copied elsewhere, or an end cut off.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    const TELLING: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, 0xc4, 0xaa, 0xab];
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at.max(11)),
            1 => {
                let length = random.below(8).min(bytes.len() - at);
                let to = random.below(bytes.len() - length + 1);
                bytes.copy_within(at..at + length, to);
            }
            2..=4 => bytes[at] = TELLING[random.below(TELLING.len())],
            _ => bytes[at] = random.below(256) as u8,
        }
    }
}

/// Weaving raises `max_stack`, so that code which needed a little more than it declared has enough. To see that takes the
/// depth of the stack everywhere, and the code is sound.
const FN_STACK: [&str; 2] = ["java.lang.VerifyError: stack", "linked"];

#[test]
fn the_jvm_thinks_the_same_of_woven_damage() {
    for jdk in Jdk::oldest_and_newest() {
        let directory = tempfile::tempdir().unwrap();
        let pairs = damaged_pairs(&compile(&jdk, directory.path()));
        let files: Vec<&[u8]> = pairs.iter().flat_map(|pair| [&*pair.original, &*pair.woven]).collect();
        let verdicts = define(&jdk, directory.path(), &files);
        let differing =
            pairs.iter().zip(verdicts.chunks_exact(2)).filter(|(_, verdicts)| kind(&verdicts[0]) != kind(&verdicts[1]));
        let (known, new): (Vec<_>, Vec<_>) = differing.partition(|(_, verdicts)| *verdicts == FN_STACK);
        let differences: Vec<String> = new
            .iter()
            .map(|(pair, verdicts)| format!("{}: {}\n   but: {}", pair.damage, verdicts[0], verdicts[1]))
            .collect();
        assert!(pairs.len() > 1000 && !known.is_empty(), "{} were woven, {} known", pairs.len(), known.len());
        assert!(differences.is_empty(), "JDK {}: {}\n{}", jdk.feature, differences.len(), differences.join("\n"));
    }
}

/// The verifier may come upon something else first when the stack no longer overflows.
fn kind(verdict: &str) -> &str {
    verdict.strip_suffix(": stack").unwrap_or(verdict)
}

/// A damaged class, and what weaving makes of it.
struct Pair {
    damage: String,
    original: Vec<u8>,
    woven: Vec<u8>,
}

fn compile(jdk: &Jdk, directory: &Path) -> Vec<(String, Vec<u8>)> {
    let source = |name| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java")).join(name);
    jdk.compile(&[source("Define.java"), source("Victims.java")], directory, &[]).unwrap();
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let read =
        |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap());
    let mut victims: Vec<_> = paths.map(read).filter(|(name, _)| name.starts_with("Victims$")).collect();
    victims.sort();
    let old: Vec<_> = victims.iter().map(|(name, bytes)| (format!("old {name}"), of_java_5(bytes))).collect();
    [victims, old].concat()
}

/// The same class for the old verifier, which infers types.
fn of_java_5(bytes: &[u8]) -> Vec<u8> {
    [&bytes[..6], &[0, 49], &bytes[8..]].concat()
}

/// At each place one bit flipped, one less, and the index of a constant that only the woven class has; those that weaving
/// changes.
fn damaged_pairs(victims: &[(String, Vec<u8>)]) -> Vec<Pair> {
    let mut random = Random(1);
    let mut pairs = Vec::new();
    for (name, whole) in victims {
        let count = u16::from_be_bytes([whole[8], whole[9]]);
        for at in 10..whole.len() - 1 {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << random.below(8);
            pairs.extend(pair(format!("{name} flipped at {at}"), flipped));
            let mut less = whole.clone();
            less[at] = less[at].wrapping_sub(1);
            pairs.extend(pair(format!("{name} one less at {at}"), less));
            let mut beyond = whole.clone();
            let index = count + random.below(24) as u16;
            beyond[at..at + 2].copy_from_slice(&index.to_be_bytes());
            pairs.extend(pair(format!("{name} with {index} at {at}"), beyond));
        }
    }
    pairs
}

fn pair(damage: String, original: Vec<u8>) -> Option<Pair> {
    match weave(
        &original,
        &Plan { shadows: true, ..Plan::new(Events::ALL | Events::TRANSACTIONS) },
        &mut Numbers::default(),
    ) {
        Ok(Outcome::Woven(woven)) => Some(Pair { damage, original, woven: woven.bytes }),
        _ => None,
    }
}

/// What the JVM thinks of each class file.
fn define(jdk: &Jdk, directory: &Path, files: &[&[u8]]) -> Vec<String> {
    let length = |length: usize| u32::try_from(length).unwrap().to_be_bytes();
    let mut all = length(files.len()).to_vec();
    for file in files {
        all.extend_from_slice(&length(file.len()));
        all.extend_from_slice(file);
    }
    let (list, out) = (directory.join("damaged"), directory.join("verdicts"));
    std::fs::write(&list, all).unwrap();
    let output = jdk.tool("java").arg("-cp").arg(directory).arg("Define").args([&list, &out]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let verdicts: Vec<String> = std::fs::read_to_string(&out).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(verdicts.len(), files.len());
    verdicts
}
