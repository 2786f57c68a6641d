//! What names of members mean, and which methods calls run, is what the JVM says.
#![allow(clippy::disallowed_methods, reason = "tests write files")]

use std::path::Path;

use crate::common::assembler::Assembler;
use crate::common::{ARGUMENTS, Random, assert_same, compiled, interpreted, methods, printed, program};
use rustc_hash::FxHashMap;
use static_typer::ir::{Body, Op};
use static_typer::program::{MethodId, Program, flag};

fn check(release: &str) {
    let classes = compiled("hierarchy", &["--release", release, "-Xlint:-options"]);
    let cases = compiled("meaning", &["--release", "17"]);
    let printed = printed(&[&classes, &cases], &["Hierarchy"]);
    assert_same(&interpreted(&program(&classes), &["Hierarchy"]), &printed);
}

#[test]
fn calls_and_fields_of_java_8() {
    check("8");
}

/// Private methods of nested classes and of interfaces are called like others (JEP 181).
#[test]
fn calls_and_fields_of_java_17() {
    check("17");
}

const N_PROGRAMS: usize = 100;
const N_TYPES: usize = 9;

/// A class or an interface of a random program; each may have a method `run`, which returns its number.
struct RandomType {
    name: String,
    is_interface: bool,
    /// Places of the superclass and of interfaces.
    above: Vec<usize>,
    access: Option<u16>,
}

fn random_types(n: usize, random: &mut Random) -> Vec<RandomType> {
    let mut types: Vec<RandomType> = Vec::new();
    for place in 0..N_TYPES {
        let is_interface = random.below(2) == 0;
        let some = |wanted: bool| (0..place).filter(|above| types[*above].is_interface == wanted).collect::<Vec<_>>();
        let (classes, mut above) = (some(false), some(true));
        above.retain(|_| random.below(3) == 0);
        if !is_interface && !classes.is_empty() && random.below(4) > 0 {
            above.insert(0, classes[random.below(classes.len())]);
        }
        let package = ["p", "q"][random.below(2)];
        let access = (random.below(3) > 0).then(|| random_access(is_interface, random));
        types.push(RandomType { name: format!("{package}{n}/T{place}"), is_interface, above, access });
    }
    types
}

fn random_access(is_interface: bool, random: &mut Random) -> u16 {
    const PACKAGE: u16 = 0;
    const OF_CLASSES: [u16; 8] = [
        flag::PUBLIC,
        flag::PUBLIC,
        flag::PROTECTED,
        PACKAGE,
        PACKAGE,
        flag::PRIVATE,
        flag::PUBLIC | flag::ABSTRACT,
        flag::PUBLIC | flag::STATIC,
    ];
    const OF_INTERFACES: [u16; 6] = [
        flag::PUBLIC,
        flag::PUBLIC,
        flag::PUBLIC,
        flag::PUBLIC | flag::ABSTRACT,
        flag::PRIVATE,
        flag::PUBLIC | flag::STATIC,
    ];
    if is_interface { OF_INTERFACES[random.below(6)] } else { OF_CLASSES[random.below(8)] }
}

fn class_file(types: &[RandomType], place: usize) -> Vec<u8> {
    let ty = &types[place];
    let (classes, interfaces): (Vec<usize>, Vec<usize>) =
        ty.above.iter().partition(|above| !types[**above].is_interface);
    let super_class = classes.first().map_or("java/lang/Object", |above| &types[*above].name);
    let interfaces: Vec<String> = interfaces.iter().map(|above| types[*above].name.clone()).collect();
    let mut assembler = Assembler::default();
    match ty.access {
        Some(access) if access & flag::ABSTRACT != 0 => assembler.abstract_method(access, "run", "()I"),
        Some(access) => assembler.coded(access, ("run", "()I"), &[16, place as u8, 172], &[]),
        None => {}
    }
    if !ty.is_interface {
        let [high, low] = assembler.method_ref(false, super_class, "<init>", "()V").to_be_bytes();
        assembler.coded(flag::PUBLIC, ("<init>", "()V"), &[42, 183, high, low, 177], &[]);
    }
    let access = if ty.is_interface { 0x601 } else { 0x21 };
    assembler.finish(52, access, &ty.name, super_class, &interfaces)
}

/// A case for each type and each class below it: a call of `run` by the type's name on an object of the class.
fn callers(name: &str, types: &[RandomType]) -> Vec<u8> {
    let mut assembler = Assembler::default();
    for (receiver, class) in types.iter().enumerate().filter(|(_, ty)| !ty.is_interface) {
        for owner in above(types, receiver) {
            let named = &types[owner];
            let new = assembler.class(&class.name).to_be_bytes();
            let init = assembler.method_ref(false, &class.name, "<init>", "()V").to_be_bytes();
            let run = assembler.method_ref(named.is_interface, &named.name, "run", "()I").to_be_bytes();
            let call: &[u8] = if named.is_interface { &[185, run[0], run[1], 1, 0] } else { &[182, run[0], run[1]] };
            let code = [&[187, new[0], new[1], 89, 183, init[0], init[1]], call, &[133, 173]].concat();
            assembler.coded(9, (&format!("case{receiver}By{owner}"), "(I)J"), &code, &[]);
        }
    }
    assembler.finish(52, 0x21, name, "java/lang/Object", &[])
}

/// A type and everything above it.
fn above(types: &[RandomType], place: usize) -> Vec<usize> {
    let mut all = vec![place];
    all.extend(types[place].above.iter().flat_map(|next| above(types, *next)));
    all.sort_unstable();
    all.dedup();
    all
}

fn write(directory: &Path, name: &str, bytes: &[u8]) {
    let path = directory.join(name).with_extension("class");
    std::fs::create_dir_all(path.parent().expect("a package")).expect("a directory");
    std::fs::write(path, bytes).expect("a file");
}

/// What is expected of a call: the method's number, or what is thrown, or nothing that could be said.
fn expected(program: &Program, method: MethodId) -> Option<String> {
    let body = Body::of(program, method)?.expect("a body");
    let receiver = body.instructions.iter().find(|instruction| instruction.op == Op::New)?.ty.as_class()?;
    let call = body.instructions.iter().rev().find_map(|instruction| match &instruction.op {
        Op::Invoke(_, member, _) => Some(*member),
        _ => None,
    })?;
    let Some(resolved) = program.resolve_method(program.member(call)) else {
        return Some("java.lang.NoSuchMethodError".to_owned());
    };
    let selected = program.select(program.find(receiver)?, resolved);
    Some(match selected.filter(|method| program.method(*method).has_code()) {
        Some(selected) => {
            let name = program.class_name(program.method(selected).class).into_owned();
            name.rsplit_once('T')?.1.to_owned()
        }
        None => "java.lang.AbstractMethodError".to_owned(),
    })
}

/// Access, and whether a method is static, is checked when programs run and not by resolution.
fn is_refused(outcome: &str) -> bool {
    ["java.lang.IllegalAccessError", "java.lang.IncompatibleClassChangeError"].contains(&outcome)
}

#[test]
fn calls_in_random_programs() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut random = Random(7);
    let programs: Vec<Vec<RandomType>> = (0..N_PROGRAMS).map(|n| random_types(n, &mut random)).collect();
    let mut names = Vec::new();
    for (n, types) in programs.iter().enumerate() {
        for (place, ty) in types.iter().enumerate() {
            write(directory.path(), &ty.name, &class_file(types, place));
        }
        let name = format!("p{n}/Main");
        write(directory.path(), &name, &callers(&name, types));
        names.push(name.replace('/', "."));
    }
    let cases = compiled("meaning", &["--release", "17"]);
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    let program = program(directory.path());
    programs.iter().for_each(|types| compare_subclasses(&program, types));
    compare(&program, &printed(&[directory.path(), &cases], &names));
}

fn compare_subclasses(program: &Program, types: &[RandomType]) {
    let id = |place: usize| {
        let name = program.names().get(types[place].name.as_bytes()).expect("a name");
        program.find(name).expect("a class")
    };
    for class in 0..types.len() {
        for of in 0..types.len() {
            let expected = above(types, class).contains(&of);
            assert_eq!(program.is_subclass(id(class), id(of)), expected, "{} of {}", types[class].name, types[of].name);
        }
    }
}

/// HotSpot finds no default method below a class that declares a private or static one of that name, although no call may
/// select those (JVMS 5.4.6).
fn is_known(program: &Program, method: MethodId, outcome: &str) -> bool {
    let body = Body::of(program, method).expect("code").expect("a body");
    let new = body.instructions.iter().find(|instruction| instruction.op == Op::New).expect("an object");
    let receiver = program.find(new.ty.as_class().expect("a class")).expect("a class");
    let hides = |id: MethodId| {
        let data = program.method(id);
        !data.is_constructor() && data.access & (flag::PRIVATE | flag::STATIC) != 0
    };
    outcome == "java.lang.AbstractMethodError"
        && program.superclasses(receiver).any(|class| program.methods_of(class).any(hides))
}

fn compare(program: &Program, printed: &[String]) {
    let of_first_argument = printed.iter().step_by(ARGUMENTS.len());
    let split = |line: &'_ String| {
        let (case, outcome) = line.split_once(&format!(" {} ", ARGUMENTS[0])).expect("a line of a case");
        (case.to_owned(), outcome.to_owned())
    };
    let printed: FxHashMap<String, String> = of_first_argument.map(split).collect();
    let (mut n_same, mut n_known) = (0, 0);
    for method in methods(program) {
        let name = program.method_name(method).replace('/', ".");
        let outcome = printed.get(name.trim_end_matches("(I)J")).filter(|outcome| !is_refused(outcome));
        let Some(outcome) = outcome else { continue };
        match expected(program, method) {
            Some(expected) if expected == *outcome => n_same += 1,
            _ if is_known(program, method, outcome) => n_known += 1,
            other => panic!("{name}: {other:?}, but {outcome}"),
        }
    }
    assert!(n_same > 400 && n_known > 0, "{n_same} and {n_known} of {}", printed.len());
}
