//! Which code is a transaction: expected to be atomic.
//!
//! The heuristic is that of section 2.2 of the ASE'05 paper: executions of public methods and of synchronized blocks, and so
//! of synchronized methods; package-private methods too, since other classes call them. Nobody expects of a whole thread or
//! program that it is atomic, nor of a test: `main`, `run()`, `call()`, test frameworks and what JUnit calls are left out, as are
//! constructors, class initializers, and what the compiler has added or the JVM makes for a lambda. Patterns of the plan take the place of the
//! heuristic, and annotations named `Atomic` and `NotAtomic` that of both.

use classfile::annotation::Annotation;
use classfile::attribute::Attributes;
use classfile::instruction::{Flow, walk};
use classfile::opcode::*;
use classfile::{Class, Malformed, Member, flag, text};

use crate::plan::Plan;
use crate::select::Selection;

/// Annotations of JUnit 4 and 5 on methods that it calls.
const TESTS: &[&[u8]] = &[
    b"Test",
    b"ParameterizedTest",
    b"RepeatedTest",
    b"TestFactory",
    b"TestTemplate",
    b"Theory",
    b"Before",
    b"BeforeAll",
    b"BeforeClass",
    b"BeforeEach",
    b"After",
    b"AfterAll",
    b"AfterClass",
    b"AfterEach",
];

/// Packages of test frameworks. Most of their methods are around whole tests, or all of a suite.
const FRAMEWORKS: &[&str] = &["org.junit.", "junit.", "org.testng."];

/// The transactions of a class.
pub(crate) struct Transactions<'a> {
    class: &'a Class<'a>,
    name: String,
    patterns: Option<&'a dyn Fn(&str) -> bool>,
    claim: Option<bool>,
}

impl<'a> Transactions<'a> {
    pub fn new(class: &'a Class<'a>, plan: &Plan<'a>, name: &str) -> Self {
        let claim = claim(&annotations(class, class.attributes));
        Self { class, name: name.replace('/', "."), patterns: plan.transactions, claim }
    }

    /// Whether executions of the method are transactions.
    pub fn has_method(&self, method: &Member<'_>) -> bool {
        if method.name.starts_with(b"<") {
            return false;
        }
        let annotations = annotations(self.class, method.attributes);
        claim(&annotations).or(self.claim).unwrap_or_else(|| match self.pattern(method) {
            Some(wanted) => wanted,
            None => {
                let is_made_up = self.class.access & flag::SYNTHETIC != 0;
                is_expected(method) && !is_made_up && !self.is_of_framework() && !self.is_test(method, &annotations)
            }
        })
    }

    /// Whether executions of synchronized blocks in the method are.
    pub fn has_blocks(&self, method: &Member<'_>) -> bool {
        self.claim.or_else(|| self.pattern(method)).unwrap_or_else(|| !self.is_of_framework())
    }

    fn is_of_framework(&self) -> bool {
        FRAMEWORKS.iter().any(|package| self.name.starts_with(package))
    }

    fn pattern(&self, method: &Member<'_>) -> Option<bool> {
        self.patterns.map(|matches| matches(&format!("{}.{}", self.name, text(method.name))))
    }

    /// JUnit 3 goes by names.
    fn is_test(&self, method: &Member<'_>, annotations: &[&[u8]]) -> bool {
        let of_junit3 = || {
            let parent = self.class.pool.class_name(self.class.super_class);
            let is_called = method.name.starts_with(b"test") || matches!(method.name, b"setUp" | b"tearDown");
            parent.is_ok_and(|parent| parent == b"junit/framework/TestCase") && is_called
        };
        annotations.iter().any(|name| TESTS.contains(name)) || of_junit3()
    }
}

/// The simple names of the annotations among these attributes.
fn annotations<'a>(class: &Class<'a>, attributes: Attributes<'a>) -> Vec<&'a [u8]> {
    let annotations = Annotation::all(attributes, &class.pool);
    let descriptors = annotations.iter().filter_map(|annotation| class.pool.utf8(annotation.descriptor).ok());
    descriptors.map(simple).collect()
}

/// `Lorg/junit/Test;` without all but its last name.
fn simple(descriptor: &[u8]) -> &[u8] {
    let name = descriptor.strip_suffix(b";").unwrap_or(descriptor);
    name.rsplit(|byte| matches!(byte, b'/' | b'$')).next().unwrap_or(name)
}

/// What annotations claim.
fn claim(annotations: &[&[u8]]) -> Option<bool> {
    annotations.iter().find_map(|name| match *name {
        b"Atomic" => Some(true),
        b"NotAtomic" => Some(false),
        _ => None,
    })
}

fn is_expected(method: &Member<'_>) -> bool {
    let is_body =
        matches!((method.name, method.descriptor), (b"run", b"()V") | (b"main", b"()V" | b"([Ljava/lang/String;)V"))
            || method.name == b"call" && method.descriptor.starts_with(b"()");
    let is_accessible = method.access & (flag::PRIVATE | flag::PROTECTED) == 0;
    let is_synchronized = method.access & flag::SYNCHRONIZED != 0;
    !is_body && method.access & flag::SYNTHETIC == 0 && (is_accessible || is_synchronized)
}

/// Whether others could tell if the code were not atomic: it calls something, takes a lock, or makes two accesses.
pub(crate) fn matters(array: &[u8], selection: &mut Selection<'_>) -> Result<bool, Malformed> {
    let (mut n_accesses, mut loops) = (0, false);
    for instruction in walk(array) {
        let instruction = instruction?;
        match (instruction.opcode(), instruction.flow()) {
            (INVOKEVIRTUAL..=INVOKEDYNAMIC | MONITORENTER, _) => return Ok(true),
            (_, Flow::Jump(target) | Flow::Branch(target) | Flow::Subroutine(target)) => {
                loops |= target < instruction.at
            }
            _ => n_accesses += u32::from(selection.concerns(instruction.opcode(), instruction.u2(1))),
        }
    }
    Ok(n_accesses > 1 || loops && n_accesses > 0)
}
