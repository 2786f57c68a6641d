//! Subroutines, which compilers wrote for `finally` until Java 6: `jsr` calls one, `ret` returns from it (JVMS 4.10.2.5).
#![allow(clippy::disallowed_methods, reason = "tests write files")]

use crate::common::assembler::Item::{self, Bytes, Jump, Label};
use crate::common::assembler::{Assembler, Handler};
use crate::common::{assert_same, compiled, interpreted, methods, printed, program};
use static_typer::ir::{Body, verify};

const IFEQ: u8 = 153;
const IFLE: u8 = 158;
const GOTO: u8 = 167;
const JSR: u8 = 168;
const JSR_W: u8 = 201;
/// Variable 1 becomes 0.
const CLEAR: Item = Bytes(&[3, 60]);
/// Variable 1 becomes ten times itself plus the argument.
const MIX: Item = Bytes(&[27, 16, 10, 104, 26, 96, 60]);
/// Returns variable 1 as `long`.
const RESULT: Item = Bytes(&[27, 133, 173]);
const ARITHMETIC: Option<&str> = Some("java/lang/ArithmeticException");

/// Adds to variable 1.
macro_rules! add {
    ($by:literal) => {
        Bytes(&[132, 1, $by])
    };
}

/// Each a static method from `int` to `long`.
const CASES: [(&str, &[Item], &[Handler]); 8] = [
    (
        "caseTwoCallers",
        &[
            CLEAR,
            Bytes(&[26]),
            Jump(IFLE, "not positive"),
            Jump(JSR, "subroutine"),
            RESULT,
            Label("not positive"),
            add!(5),
            Jump(JSR_W, "subroutine"),
            add!(1),
            RESULT,
            // astore_2; …; ret 2
            Label("subroutine"),
            Bytes(&[77]),
            MIX,
            Bytes(&[169, 2]),
        ],
        &[],
    ),
    (
        "caseTwiceInARow",
        &[
            CLEAR,
            Jump(JSR, "subroutine"),
            Jump(JSR, "subroutine"),
            RESULT,
            // astore_2; …; wide ret 2
            Label("subroutine"),
            Bytes(&[77, 26]),
            Jump(IFLE, "end"),
            MIX,
            Label("end"),
            add!(3),
            Bytes(&[196, 169, 0, 2]),
        ],
        &[],
    ),
    (
        "caseOneInAnother",
        &[
            CLEAR,
            Jump(JSR, "outer"),
            add!(1),
            Bytes(&[26]),
            Jump(IFEQ, "end"),
            Jump(JSR, "outer"),
            Label("end"),
            RESULT,
            Label("outer"),
            Bytes(&[77]),
            add!(2),
            Jump(JSR, "inner"),
            MIX,
            Jump(JSR, "inner"),
            Bytes(&[169, 2]),
            Label("inner"),
            Bytes(&[78]),
            MIX,
            Bytes(&[169, 3]),
        ],
        &[],
    ),
    (
        // The last three bits of the argument are counted down in variable 4, and every second time the subroutine ends in
        // a jump to the loop.
        "caseLeftByAJump",
        &[
            CLEAR,
            Bytes(&[26, 16, 7, 126, 54, 4]),
            Label("loop"),
            Bytes(&[21, 4]),
            Jump(IFLE, "end"),
            Jump(JSR, "subroutine"),
            add!(100),
            Jump(GOTO, "loop"),
            Label("subroutine"),
            Bytes(&[77, 132, 4, 0xff]),
            MIX,
            Bytes(&[21, 4, 4, 126]),
            Jump(IFEQ, "loop"),
            Bytes(&[169, 2]),
            Label("end"),
            RESULT,
        ],
        &[],
    ),
    ("caseThatNeverReturns", &[CLEAR, Jump(JSR, "subroutine"), Label("subroutine"), Bytes(&[87]), MIX, RESULT], &[]),
    (
        // `try { x = 100 / n; x += 100 / (n - 1); } finally { mix }` inside `try … catch (ArithmeticException e) { x += 50; }`
        "caseFinally",
        &[
            CLEAR,
            Label("try"),
            Bytes(&[16, 100, 26, 108, 60, 27, 16, 100, 26, 4, 100, 108, 96, 60]),
            Label("caught until"),
            Jump(JSR, "finally"),
            Jump(GOTO, "end"),
            Label("failed"),
            Bytes(&[58, 4]),
            Jump(JSR, "finally"),
            Bytes(&[25, 4, 191]),
            Label("finally"),
            Bytes(&[77]),
            MIX,
            Bytes(&[169, 2]),
            Label("all until"),
            Label("catch"),
            Bytes(&[87]),
            add!(50),
            Label("end"),
            RESULT,
        ],
        &[("try", "caught until", "failed", None), ("try", "all until", "catch", ARITHMETIC)],
    ),
    (
        // The subroutine throws too, and catches what it throws.
        "caseHandlerInside",
        &[
            CLEAR,
            Jump(JSR, "subroutine"),
            MIX,
            Jump(JSR, "subroutine"),
            RESULT,
            Label("subroutine"),
            Bytes(&[77]),
            Label("try"),
            add!(7),
            Bytes(&[27, 26, 108, 60]),
            Label("try until"),
            Jump(GOTO, "return"),
            Label("catch"),
            Bytes(&[87]),
            add!(3),
            Label("return"),
            Bytes(&[169, 2]),
        ],
        &[("try", "try until", "catch", ARITHMETIC)],
    ),
    (
        // The address lies below another value on the stack for a while.
        "caseAddressOnTheStack",
        &[
            CLEAR,
            Jump(JSR, "subroutine"),
            add!(1),
            Jump(JSR, "subroutine"),
            RESULT,
            // iload_0; swap; astore_3; iload_1; iadd; istore_1; ret 3
            Label("subroutine"),
            Bytes(&[26, 95, 78, 27, 96, 60, 169, 3]),
        ],
        &[],
    ),
];

fn class() -> Vec<u8> {
    let mut assembler = Assembler::default();
    for (name, items, handlers) in CASES {
        assembler.method(name, "(I)J", items, handlers);
    }
    assembler.finish(48, 0x21, "Subroutines", "java/lang/Object", &[])
}

#[test]
fn subroutines_return_to_their_callers() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("Subroutines.class"), class()).expect("a file");
    let program = program(directory.path());
    for body in methods(&program).filter_map(|method| Body::of(&program, method)) {
        assert_eq!(verify(&program, &body.expect("a body")), Ok(()));
    }
    let cases = compiled("meaning", &["--release", "17"]);
    let printed = printed(&[&cases, directory.path()], &["Subroutines"]);
    assert_same(&interpreted(&program, &["Subroutines"]), &printed);
}
