//! Which methods classes of a program inherit from containers of the JDK stands in a list, which is read from the code of the JDK.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::collections::{BTreeMap, BTreeSet};

use facts::models::called::Called;
use facts::models::contents;
use facts::models::inherited::{self, Inherited, Number};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::Jdk;
use jrace_tests::root;
use static_typer::classpath::ClassPath;
use static_typer::ir::{Body, Call, Op, Value};
use static_typer::program::{ClassId, MethodId, Program, flag};

const LIST: &str = "facts/src/models/inherited.txt";

/// By method and class, the public methods that it calls there on its own object, and a subclass may override; a star if a
/// function has the object.
#[derive(Default)]
struct List(BTreeMap<String, BTreeMap<String, BTreeSet<String>>>);

impl List {
    fn built_in() -> Self {
        let mut list = Self::default();
        for inherited in (1..).map_while(|number| Inherited::of(Number(number))) {
            let (name, descriptor) = inherited.method();
            let calls = |class| inherited.called_by(class).into_iter().flatten().map(ToString::to_string).collect();
            let classes = inherited.classes().map(|class| (class.to_owned(), calls(class))).collect();
            list.0.insert(format!("{name}{descriptor}"), classes);
        }
        list
    }

    fn of(jdk: &Jdk) -> Self {
        let mut list = Self::default();
        let program = of_containers(jdk);
        for class in program.classes().filter(|class| is_container(&program, *class)) {
            list.add(&program, class);
        }
        list
    }

    fn add(&mut self, program: &Program, class: ClassId) {
        let of_class = program.class_name(class);
        for (method, runs) in seen(program, class) {
            let (name, descriptor) = method.split_at(method.find('(').expect("a descriptor"));
            let is_checked = contents::call(&of_class, name, descriptor).is_some_and(|call| call.object.is_some());
            if is_checked && &*program.class_name(program.method(runs).class) != "java/lang/Object" {
                let mut walk = Walk { program, class, calls: BTreeSet::new(), seen: BTreeSet::new() };
                walk.follow(runs);
                self.0.entry(method).or_default().insert(of_class.clone().into_owned(), walk.calls);
            }
        }
    }

    fn extend(&mut self, other: Self) {
        for (method, classes) in other.0 {
            let known = self.0.entry(method).or_default();
            classes.into_iter().for_each(|(class, calls)| known.entry(class).or_default().extend(calls));
        }
    }

    fn text(&self) -> String {
        let class = |(class, calls): (&String, &BTreeSet<String>)| {
            let calls = calls.iter().map(String::as_str).collect::<Vec<_>>().join(",");
            if calls.is_empty() { format!(" {class}") } else { format!(" {class}:{calls}") }
        };
        let line = |(method, classes): (&String, &BTreeMap<_, _>)| {
            format!("{method}{}\n", classes.iter().map(class).collect::<String>())
        };
        self.0.iter().map(line).collect()
    }
}

/// A program with the classes that the models name.
fn of_containers(jdk: &Jdk) -> Program {
    let any = root().join("tests/java/races/idle/Idle.java");
    let classes = compiled(&Jdk::oldest(), &[any], &["--release", "17"]).expect("it compiles");
    let mut path = ClassPath::open(&[classes], &[], Some(&jdk.home)).expect("a class path");
    let rows = Called::built_in().rows().iter();
    let names = rows.flat_map(|row| &row.classes).filter(|class| !class.is_beginning());
    Program::load_whole_and(&mut path, names.map(|class| class.name().to_owned()).collect())
}

/// Whether a class that programs may extend has contents, and a row of its own.
fn is_container(program: &Program, class: ClassId) -> bool {
    let name = program.class_name(class);
    let access = program.class(class).access;
    let is_base = |above: ClassId| inherited::BASES.contains(&&*program.class_name(above));
    let has_contents = |above: ClassId| {
        let above = program.class_name(above);
        contents::has_word(&above) || contents::stands_for(&above).is_some()
    };
    let is_constructor = |method: &MethodId| {
        let data = program.method(*method);
        data.is_constructor() && data.access & (flag::PUBLIC | flag::PROTECTED) != 0
    };
    access & (flag::PUBLIC | flag::FINAL) == flag::PUBLIC
        && Called::built_in().of_class(&name).next().is_some()
        && program.superclasses(class).any(is_base)
        && program.superclasses(class).any(has_contents)
        && program.methods_of(class).any(|method| is_constructor(&method))
}

/// The public methods of a class, by name and descriptor, each as its objects run it.
fn seen(program: &Program, class: ClassId) -> BTreeMap<String, MethodId> {
    let mut methods = BTreeMap::new();
    for method in program.ancestors(class).flat_map(|above| program.methods_of(above)) {
        let data = program.method(method);
        let is_seen = data.access & flag::PUBLIC != 0 && !data.is_static() && !data.is_constructor();
        if let Some(runs) = program.select(class, method).filter(|_| is_seen) {
            methods.insert(called(program, method), runs);
        }
    }
    methods
}

/// A method by name and descriptor.
fn called(program: &Program, method: MethodId) -> String {
    let names = program.names();
    names.text(program.method(method).name).into_owned() + &names.text(program.signature(method).text)
}

/// What runs on one object of a class.
struct Walk<'p> {
    program: &'p Program,
    class: ClassId,
    calls: BTreeSet<String>,
    seen: BTreeSet<MethodId>,
}

impl Walk<'_> {
    fn follow(&mut self, method: MethodId) {
        if !self.seen.insert(method) {
            return;
        }
        let Some(body) = Body::of(self.program, method).transpose().expect("code of the JDK") else { return };
        for value in body.all_values() {
            let is_this = |value: &Value| *body.op(*value) == Op::Parameter(0);
            match body.op(value) {
                Op::Invoke(call, member, arguments) if *call != Call::Static => {
                    let resolved = self.program.resolve_method(self.program.member(*member));
                    let is_own = arguments.first().is_some_and(is_this);
                    resolved.filter(|_| is_own).into_iter().for_each(|resolved| self.call(*call, resolved));
                }
                Op::InvokeDynamic(.., captured) if captured.iter().any(is_this) => {
                    _ = self.calls.insert("*".to_owned())
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, call: Call, resolved: MethodId) {
        let program = self.program;
        let runs = if call == Call::Special { Some(resolved) } else { program.select(self.class, resolved) };
        let Some(runs) = runs else { return };
        let data = program.method(runs);
        let is_open = data.access & (flag::PUBLIC | flag::FINAL) == flag::PUBLIC;
        if call != Call::Special && is_open {
            self.calls.insert(called(program, runs));
        }
        self.follow(runs);
    }
}

#[test]
fn the_list_has_what_every_jdk_has() {
    let mut list = List::built_in();
    Jdk::all().iter().for_each(|jdk| list.extend(List::of(jdk)));
    let (text, path) = (list.text(), root().join(LIST));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &text).expect("the list can be written");
    }
    let is_known = std::fs::read_to_string(&path).expect("the list") == text;
    assert!(is_known, "UPDATE_EXPECT=1 cargo test -p static-typer --test all inherited");
}
