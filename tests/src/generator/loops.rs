//! Loops over arrays, one of each array: as compilers make those that come to each element, and such as seem to.

use std::fmt::Write as _;

use super::Random;

/// How many loops a program has.
const LOOPS: usize = 120;
const FROM: [&str; 5] = ["0", "0", "0", "1", "none"];
const COUNTED: [&str; 10] = ["i", "i", "i", "i", "i", "i", "i + 1", "i * 2", "i + none", "i - 1"];
const UNTIL: [&str; 12] = [
    "A.length",
    "A.length",
    "A.length",
    "A.length",
    "N",
    "N",
    "N / 2",
    "N + 3",
    "A.length - 1",
    "OTHER.length",
    "m",
    "l",
];
const STEPS: [&str; 8] = ["i++", "i++", "i++", "i++", "i++", "i += 2", "++i", "i += 1"];
const INDEXES: [&str; 12] = ["i", "i", "i", "i", "i", "i", "i", "i & 3", "(i + 1) % N", "N - 1 - i", "2", "none"];
const ACCESSES: [&str; 6] =
    ["A[I] = i;", "A[I]++;", "A[I] += i * 2;", "s += A[I];", "A[I] = none > 0 ? 1 : 2;", "A[I] = s + one;"];
const BEFORE: [&str; 12] = [
    "",
    "",
    "",
    "",
    "",
    "",
    "if (i == 3) continue;",
    "if (i == 3) break;",
    "if (none == 0 && i > 2) continue;",
    "s++;",
    "if (i == 2) return s;",
    "if (i == 4) throw new IllegalStateException();",
];
const AFTER: [&str; 11] = [
    "",
    "",
    "",
    "",
    "",
    "if (i == 3) break;",
    "if (s > 5) continue;",
    "i += none;",
    "if (i == 5) s++;",
    "if (i == 2) return s;",
    "if (i == 4) throw new IllegalStateException();",
];
/// What a loop `L` with an access stands in, most often nothing.
const AROUND: [&str; 12] = [
    "L",
    "L",
    "L",
    "L",
    "L",
    "L",
    "for (int r = 0; r < 2; r++) { L }",
    "for (int r = 0; r < none; r++) { L }",
    "for (int r = 0; r < 2; r++) { if (r == none) { L } else { A[2] = 1; } }",
    "try { L } catch (RuntimeException e) { s--; }",
    "for (int x : A) { s += x; }",
    "for (int x : A) { if (x > 3) break; s++; }",
];
const LOOP: &str = "for (int i = FROM; COUNTED < UNTIL; STEP) { BEFORE ACCESS AFTER }";
const LENGTHS: [usize; 3] = [4, 8, 16];

/// A program `Main` in which one thread runs every loop, and another one then writes one element of each array.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text =
        "public class Main { static int none = 0, one = 1; static final int[] OTHER = new int[6];\n".to_owned();
    let (mut loops, mut writes) = (String::new(), String::new());
    for number in 0..LOOPS {
        let length = random.pick(&LENGTHS);
        let (code, element) = (code(&mut random), random.below(length));
        let code = code.replace('A', &format!("a{number}")).replace('N', &length.to_string());
        let m = random.pick(&[2, length]);
        _ = writeln!(text, "static final int[] a{number} = new int[{length}];");
        _ = writeln!(
            text,
            "static int loop{number}() {{ int s = 0, m = {m}, l = a{number}.length; {code} return s; }}"
        );
        _ = writeln!(loops, "try {{ loop{number}(); }} catch (RuntimeException e) {{ }}");
        _ = writeln!(writes, "a{number}[{element}] = 1;");
    }
    super::in_turn(&text, &loops, &writes)
}

fn code(random: &mut Random) -> String {
    let parts = [
        ("L", LOOP),
        ("FROM", random.pick(&FROM)),
        ("COUNTED", random.pick(&COUNTED)),
        ("UNTIL", random.pick(&UNTIL)),
        ("STEP", random.pick(&STEPS)),
        ("BEFORE", random.pick(&BEFORE)),
        ("ACCESS", random.pick(&ACCESSES)),
        ("AFTER", random.pick(&AFTER)),
        ("[I]", "[INDEX]"),
        ("INDEX", random.pick(&INDEXES)),
    ];
    parts.iter().fold(random.pick(&AROUND).to_owned(), |code, (part, text)| code.replace(part, text))
}
