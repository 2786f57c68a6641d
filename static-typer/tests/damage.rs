//! Damaged class files give errors or other programs, never a panic; and what the JVM accepts of them has bodies.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::common::{Random, compiled, methods, of_classes};
use jrace_tests::jdk::Jdk;
use jrace_tests::{fixture, root};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use static_typer::classpath::{ClassPath, FoundClass};
use static_typer::ir::{Body, Op, verify};
use static_typer::program::{Member, Program};

/// Far more than any of these programs takes.
const LONG: Duration = Duration::from_secs(5);
const N_DAMAGED: u64 = 20_000;
const N_LINKED: usize = 4_000;
/// A version whose classes have no tables of types.
const OLD: u8 = 49;

/// Asks everything of a program.
fn exercise(program: &Program) {
    let mut members: Vec<Member> = Vec::new();
    for body in methods(program).filter_map(|method| Body::of(program, method)).flatten() {
        let _ = verify(program, &body);
        let text = body.print(program);
        let _ = Body::parse(program, body.method, &text);
        for instruction in &body.instructions {
            if let Op::GetField(_, member) | Op::GetStatic(member) | Op::Invoke(_, member, _) = &instruction.op {
                members.push(*program.member(*member));
            }
        }
    }
    for member in members {
        let _ = program.resolve_field(&member);
        let resolved = program.resolve_method(&member);
        for class in program.application() {
            let selected = resolved.and_then(|resolved| program.select(class, resolved));
            let _ = selected.map(|method| program.method_name(method));
        }
    }
}

/// The classes of the JDK that the fixture names.
fn libraries(originals: &[FoundClass]) -> FxHashMap<String, FoundClass> {
    let mut path = ClassPath::open(&[], &[], Some(&Jdk::oldest().home)).expect("a JDK");
    let mut named = FxHashMap::default();
    let _ = Program::of(originals.to_vec(), |name| {
        let found = path.find(name)?;
        named.insert(name.to_owned(), found.clone());
        Some(found)
    });
    named
}

fn originals() -> Vec<FoundClass> {
    let mut originals = Vec::new();
    for release in ["8", "17"] {
        let classes = compiled("meaning", &["--release", release, "-Xlint:-options"]);
        originals.extend(ClassPath::open(&[classes], &[], None).expect("a directory").application());
    }
    originals
}

#[test]
fn no_damage_makes_it_panic() {
    let originals = originals();
    let libraries = libraries(&originals);
    let originals: Vec<_> = originals.into_iter().map(|original| (original.clone(), codes(&original))).collect();
    (0..N_DAMAGED).into_par_iter().for_each(|seed| {
        let mut random = Random(seed * 1_000_003);
        let (original, codes) = &originals[random.below(originals.len())];
        let mut victim = original.clone();
        let places = codes.get(random.below(2 * codes.len() + 1)).cloned().unwrap_or(0..victim.bytes.len());
        damage(&mut victim.bytes, &places, &mut random);
        let start = Instant::now();
        exercise(&Program::of(vec![victim], |name| libraries.get(name).cloned()));
        assert!(start.elapsed() < LONG, "{seed} takes {:?}", start.elapsed());
    });
}

/// What the JVM accepts has bodies that verify.
#[test]
fn what_the_jvm_links_has_bodies() {
    let originals: Vec<FoundClass> = originals().into_iter().filter(can_be_copied).collect();
    let libraries = libraries(&originals);
    let mut random = Random(3);
    let victims: Vec<FoundClass> =
        (0..N_LINKED).map(|n| with_other_code(&originals[n % originals.len()], &mut random)).collect();
    let mut n_linked = 0;
    for (victim, _) in victims.iter().zip(verdicts(&victims)).filter(|(_, verdict)| verdict == "linked") {
        n_linked += 1;
        let program = Program::of(vec![victim.clone()], |name| libraries.get(name).cloned());
        assert_eq!(program.problems(), []);
        for method in methods(&program) {
            let body = Body::of(&program, method).transpose();
            let fault = body.map(|body| body.map_or(Ok(()), |body| verify(&program, &body)));
            assert_eq!(fault, Ok(Ok(())), "{}", program.method_name(method));
        }
    }
    assert!(n_linked * 10 > N_LINKED, "{n_linked} of {N_LINKED}");
}

/// Whether a class needs nothing of others in its package: a copy of another loader does not see it.
fn can_be_copied(original: &FoundClass) -> bool {
    let program = of_classes(vec![original.bytes.clone()]);
    let name = program.classes().next().map(|class| program.class_name(class).into_owned());
    name.is_some_and(|name| ["Failures", "Flow", "Locks", "Numbers"].contains(&&*name))
}

/// Changes one byte of a method's code.
fn with_other_code(original: &FoundClass, random: &mut Random) -> FoundClass {
    let codes = codes(original);
    let Range { start, end } = codes[random.below(codes.len())];
    let mut victim = original.clone();
    let most = [256, 8][random.below(2)];
    victim.bytes[start + random.below(end - start)] = random.below(most) as u8;
    if random.below(2) == 0 {
        // The verifier of old classes infers types, as the builder does.
        victim.bytes[7] = OLD;
    }
    victim
}

/// What the JVM thinks of each class file.
fn verdicts(files: &[FoundClass]) -> Vec<String> {
    let length = |length: usize| u32::try_from(length).expect("a short file").to_be_bytes();
    let mut all = length(files.len()).to_vec();
    for file in files {
        all.extend(length(file.bytes.len()));
        all.extend(&file.bytes);
    }
    let directory = tempfile::tempdir().expect("a directory");
    let (list, verdicts) = (directory.path().join("damaged"), directory.path().join("verdicts"));
    std::fs::write(&list, all).expect("a file");
    let define = root().join("instrumenter/tests/java/Define.java");
    let define = fixture::compiled(&Jdk::oldest(), &[define], &[]).expect("it compiles");
    let path = std::env::join_paths([define, compiled("meaning", &["--release", "17"])]).expect("paths without colons");
    let output = Jdk::oldest().tool("java").arg("-cp").arg(path).arg("Define").args([&list, &verdicts]).output();
    assert!(output.expect("java").status.success());
    std::fs::read_to_string(&verdicts).expect("the verdicts").lines().map(str::to_owned).collect()
}

/// Where the code of methods stands in a class file.
fn codes(original: &FoundClass) -> Vec<Range<usize>> {
    let program = of_classes(vec![original.bytes.clone()]);
    let class = program.classes().next().expect("a class");
    let start = program.bytes(class).as_ptr() as usize;
    let codes = program.methods_of(class).filter_map(|method| program.code(method));
    let range = |code: &[u8]| {
        let at = code.as_ptr() as usize - start;
        at..at + code.len()
    };
    codes.map(range).collect()
}

/// One to three changes: a telling byte or any, one more, a run of bytes copied elsewhere, or an end cut off.
fn damage(bytes: &mut Vec<u8>, places: &Range<usize>, random: &mut Random) {
    const TELLING: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, 0xc4, 0xa8, 0xab];
    for _ in 0..=random.below(3) {
        let at = (places.start + random.below(places.len())).min(bytes.len() - 1);
        match random.below(16) {
            0 => bytes.truncate(at.max(16)),
            1..=3 => {
                let length = random.below(8).min(bytes.len() - at);
                let to = (at + random.below(32)).min(bytes.len() - length);
                bytes.copy_within(at..at + length, to);
            }
            4..=8 => bytes[at] = TELLING[random.below(TELLING.len())],
            9..=11 => bytes[at] = bytes[at].wrapping_add(1),
            _ => bytes[at] = random.below(256) as u8,
        }
    }
}
