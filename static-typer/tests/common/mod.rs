//! What the tests of this crate share.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

pub mod assembler;
pub mod interpreter;

use std::path::{Path, PathBuf};

use interpreter::Machine;
use jrace_tests::fixture;
use jrace_tests::jdk::{Jdk, sources};
use static_typer::classpath::{ClassPath, FoundClass};
use static_typer::program::{MethodId, Program};

/// What cases are called with.
pub const ARGUMENTS: [i32; 17] = [-100, -7, -1, 0, 1, 2, 3, 4, 5, 6, 7, 10, 31, 32, 63, i32::MIN, i32::MAX];

/// The directory of the classes of a fixture, a directory below `tests/java`.
pub fn compiled(fixture: &str, options: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(fixture);
    fixture::compiled(&Jdk::oldest(), &sources(&folder).expect("the fixture"), options).expect("it compiles")
}

/// A program of the classes in a directory; what they name is looked for in a JDK.
pub fn program(classes: &Path) -> Program {
    let mut path = ClassPath::open(&[classes.to_owned()], &[], Some(&Jdk::oldest().home)).expect("a class path");
    let program = Program::load(&mut path);
    assert_eq!(program.problems(), []);
    assert_eq!(program.missing().collect::<Vec<_>>(), Vec::<&str>::new());
    program
}

/// A program of class files alone.
pub fn of_classes(classes: Vec<Vec<u8>>) -> Program {
    let found = |bytes| FoundClass { bytes, origin: PathBuf::from("test") };
    Program::of(classes.into_iter().map(found).collect(), |_| None)
}

/// The methods of the application.
pub fn methods(program: &Program) -> impl Iterator<Item = MethodId> + '_ {
    program.application().flat_map(|class| program.methods_of(class))
}

/// What `Cases` of the fixture `meaning` prints of classes on a class path.
pub fn printed(path: &[&Path], classes: &[&str]) -> Vec<String> {
    let arguments: Vec<String> = ARGUMENTS.iter().map(i32::to_string).collect();
    let path = std::env::join_paths(path).expect("paths without colons");
    let mut java = Jdk::oldest().tool("java");
    let output = java.arg("-cp").arg(path).arg("Cases").arg(arguments.join(",")).args(classes).output().expect("java");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// The same by interpreting bodies.
pub fn interpreted(program: &Program, classes: &[&str]) -> Vec<String> {
    let mut machine = Machine::new(program);
    let mut lines = Vec::new();
    for class in classes {
        let name = program.names().get(class.as_bytes()).expect("a class of the fixture");
        let methods = program.methods_of(program.find(name).expect("a class of the fixture"));
        let mut cases: Vec<(String, MethodId)> =
            methods.map(|method| (program.names().text(program.method(method).name).into_owned(), method)).collect();
        cases.retain(|(name, _)| name.starts_with("case"));
        cases.sort();
        for (case, method) in cases {
            let line = |argument| format!("{class}.{case} {argument} {}", machine.outcome(method, argument));
            lines.extend(ARGUMENTS.map(line));
        }
    }
    lines
}

/// Fails with the first lines that differ.
pub fn assert_same(interpreted: &[String], printed: &[String]) {
    assert_eq!(interpreted.len(), printed.len());
    let different = interpreted.iter().zip(printed).filter(|(a, b)| a != b);
    let different: Vec<String> =
        different.take(5).map(|(a, b)| format!("interpreted: {a}\n    printed: {b}")).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// A small generator with a fixed seed, so that a failure can be repeated.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        // The constants of Knuth's MMIX generator.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}
