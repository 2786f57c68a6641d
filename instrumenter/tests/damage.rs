//! Damaged class files give errors or other class files, never a panic.

mod common;

use common::{ClassFile, Numbers};
use facts::access::Granularity;
use facts::hook::Events;
use instrumenter::{Plan, dump, header, identity, weave};
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
        let plan = Plan { shadows: true, granularity, ..Plan::new(Events::ALL) };
        if let Ok(instrumenter::Outcome::Woven(woven)) = weave(bytes, &plan, &mut Numbers(200)) {
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
