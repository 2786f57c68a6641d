//! Class files that are made to keep a reader busy: circles, depth, and what could grow without bound.

use std::time::{Duration, Instant};

use crate::common::assembler::Assembler;
use crate::common::assembler::Item::{self, Bytes, Jump, Label};
use crate::common::{methods, of_classes};
use static_typer::ir::Body;
use static_typer::program::{ClassId, Member, Program, Type};

/// Far more than any of these programs takes.
const LONG: Duration = Duration::from_secs(5);
const GOTO: u8 = 167;
const JSR: u8 = 168;

fn class(name: &str, above: &str, interfaces: &[String]) -> Vec<u8> {
    Assembler::default().finish(52, 0x21, name, above, interfaces)
}

/// With an abstract method `run`.
fn interface(name: &str, interfaces: &[String]) -> Vec<u8> {
    let mut assembler = Assembler::default();
    assembler.abstract_method(0x401, "run", "()V");
    assembler.finish(52, 0x601, name, "java/lang/Object", interfaces)
}

fn id(program: &Program, name: &str) -> ClassId {
    program.find(program.names().get(name.as_bytes()).expect("a name")).expect("a class")
}

/// Resolves and selects the method `run` from every class, and compares every two of them.
fn search(program: &Program) {
    let (run, void) = (program.names().get(b"run"), program.names().get_descriptor(b"()V"));
    for class in program.classes() {
        for other in program.classes() {
            let _ = program.is_subclass(class, other);
            let _ = program.join(Type::class(program.class(class).name), Type::class(program.class(other).name));
        }
        if let (Some(name), Some(descriptor)) = (run, void) {
            let owner = Type::class(program.class(class).name);
            let member = Member { owner, name, descriptor, is_field: false, of_interface: false };
            let _ = program.resolve_field(&member);
            let _ = program.resolve_method(&member).and_then(|resolved| program.select(class, resolved));
        }
    }
}

#[test]
fn circles_are_cut() {
    let object = class("java/lang/Object", "java/lang/Object", &[]);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let program = of_classes(vec![
        object,
        class("A", "B", &[]),
        class("B", "A", &names(&["I"])),
        class("Itself", "Itself", &names(&["Itself", "Itself"])),
        interface("I", &names(&["J", "I"])),
        interface("J", &names(&["K", "I"])),
        interface("K", &names(&["J", "I", "B"])),
    ]);
    assert!(program.problems().len() >= 4, "{:?}", program.problems());
    assert!(program.class(id(&program, "Itself")).is_incomplete);
    search(&program);
}

#[test]
fn diamonds_are_searched_once() {
    let mut classes = vec![class("java/lang/Object", "java/lang/Object", &[])];
    let mut below: Vec<String> = Vec::new();
    for level in 0..40 {
        let names = [format!("A{level}"), format!("B{level}")];
        classes.extend(names.iter().map(|name| interface(name, &below)));
        below = names.to_vec();
    }
    classes.push(class("Bottom", "java/lang/Object", &below));
    let program = of_classes(classes);
    let start = Instant::now();
    search(&program);
    assert!(program.is_subclass(id(&program, "Bottom"), id(&program, "A0")));
    assert!(!program.is_subclass(id(&program, "A0"), id(&program, "A1")));
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}

#[test]
fn a_deep_hierarchy_takes_no_stack() {
    const DEPTH: usize = 20_000;
    let mut classes = vec![interface("I0", &[])];
    classes.extend((1..DEPTH).map(|n| class(&format!("C{n}"), &format!("C{}", n - 1), &[])));
    classes.extend((1..DEPTH).map(|n| interface(&format!("I{n}"), &[format!("I{}", n - 1)])));
    let program = of_classes(classes);
    assert!(program.is_subclass(id(&program, "C19999"), id(&program, "C1")));
    assert!(program.is_subclass(id(&program, "I19999"), id(&program, "I0")));
}

#[test]
fn annotations_in_annotations_are_followed_for_a_while() {
    for tag in [b'@', b'['] {
        let mut assembler = Assembler::default();
        let (ty, name) = (assembler.utf8("LA;"), assembler.utf8("RuntimeVisibleAnnotations"));
        let mut attribute = [[0, 1], ty.to_be_bytes()].concat();
        attribute.extend([0, 1]);
        attribute.extend(ty.to_be_bytes());
        for _ in 0..100_000 {
            attribute.push(tag);
            attribute.extend(if tag == b'@' {
                [ty.to_be_bytes(), [0, 1], ty.to_be_bytes()].concat()
            } else {
                vec![0, 1]
            });
        }
        let length = (attribute.len() as u32).to_be_bytes();
        assembler.attributes.push([&name.to_be_bytes()[..], &length, &attribute].concat());
        let program = of_classes(vec![assembler.finish(52, 0x21, "Annotated", "java/lang/Object", &[])]);
        assert_eq!(program.problems(), []);
    }
}

/// Each subroutine calls the next one twice: as many copies as fit are made, and no more.
#[test]
fn subroutines_in_subroutines_have_a_limit() {
    let labels: Vec<&str> = (0..40).map(|n| &*format!("s{n}").leak()).collect();
    let mut items: Vec<Item> = vec![Jump(JSR, labels[0]), Bytes(&[9, 173])];
    for (n, label) in labels.iter().enumerate() {
        let store: &'static [u8] = vec![58, n as u8].leak();
        let back: &'static [u8] = vec![169, n as u8].leak();
        items.extend([Label(label), Bytes(store)]);
        items.extend(labels.get(n + 1).map(|next| Jump(JSR, next)));
        items.extend(labels.get(n + 1).map(|next| Jump(JSR, next)));
        items.push(Bytes(back));
    }
    let mut assembler = Assembler::default();
    assembler.method("nested", "(I)J", &items, &[]);
    let program = of_classes(vec![assembler.finish(48, 0x21, "Nested", "java/lang/Object", &[])]);
    let start = Instant::now();
    let body = methods(&program).find_map(|method| Body::of(&program, method)).expect("a method with code");
    assert!(body.is_err());
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}

#[test]
fn a_loop_that_fills_the_stack_is_refused() {
    let mut assembler = Assembler::default();
    assembler.method("filled", "(I)J", &[Bytes(&[3]), Label("loop"), Bytes(&[3]), Jump(GOTO, "loop")], &[]);
    let program = of_classes(vec![assembler.finish(48, 0x21, "Filled", "java/lang/Object", &[])]);
    let body = methods(&program).find_map(|method| Body::of(&program, method)).expect("a method with code");
    assert!(body.is_err());
}

/// The fields of a damaged class are not those of the class that comes next.
#[test]
fn a_damaged_class_leaves_nothing_behind() {
    let mut damaged = Assembler::default();
    damaged.abstract_method(0x401, "run", "()V");
    damaged.abstract_method(0x401, "run", "no descriptor");
    let damaged = damaged.finish(52, 0x601, "Damaged", "java/lang/Object", &[]);
    let program = of_classes(vec![damaged, class("Next", "java/lang/Object", &[])]);
    assert_eq!(program.problems().len(), 1);
    let (name, descriptor) = (program.names().get(b"run"), program.names().get_descriptor(b"()V"));
    let next = id(&program, "Next");
    assert_eq!(program.declared_method(next, name.expect("a name"), descriptor.expect("a descriptor")), None);
}
