//! The environment that runs the tests of a program one after the other, in any order and any number of times, in one thread.
//!
//! It makes objects of test classes. The arguments of a test come from methods that provide them, as frameworks find these: what
//! they return, and all that this holds, goes to a pool. Texts are converted. Where nothing provides an argument, an extension may make an
//! object of any class that fits, in any way.

use std::collections::BTreeSet;

use crate::points_to::core::code::Code;
use crate::points_to::frontend::resolve::Resolution;
use crate::program::{ClassId, FieldId, MethodId, Name, Program, Type, flag};

use super::framework::Framework;
use super::suite::Search;
use super::test_methods::provides_arguments;
use super::{Harness, give_thread, is_concrete};

/// What frameworks ask of what provides arguments or tests. They go through streams one by one, by such an iterator.
const ASKED: [(&str, &str, &str); 7] = [
    ("java/util/Spliterators$1Adapter", "next", "()Ljava/lang/Object;"),
    ("java/util/stream/BaseStream", "iterator", "()Ljava/util/Iterator;"),
    ("org/junit/jupiter/api/DynamicContainer", "getChildren", "()Ljava/util/stream/Stream;"),
    ("org/junit/jupiter/api/DynamicTest", "getExecutable", "()Lorg/junit/jupiter/api/function/Executable;"),
    ("org/junit/jupiter/api/Named", "getPayload", "()Ljava/lang/Object;"),
    ("org/junit/jupiter/api/function/Executable", "execute", "()V"),
    ("org/junit/jupiter/params/provider/Arguments", "get", "()[Ljava/lang/Object;"),
];

/// The environment of some tests, and of what comes before and after them.
#[must_use]
pub fn tests(resolution: &Resolution<'_>, tests: &[MethodId]) -> Code {
    let run = Run::of(resolution.program, tests);
    let mut harness = Harness::new(resolution, None);
    for method in &run.called {
        harness.supply(&run, *method);
    }
    for method in &run.called {
        harness.call(*method, true);
    }
    for field in &run.fields {
        harness.supply_type(&run, resolution.program.field(*field).ty, true);
        harness.inject(*field);
    }
    if run.provides {
        let asked = ASKED.iter().filter_map(|(class, name, of)| resolution.program.method_named(class, name, of));
        asked.for_each(|method| harness.call(method, true));
        harness.keep_reached();
    }
    // Frameworks catch what tests throw: only threads that these start end by that.
    give_thread(resolution, &mut harness.code);
    harness.code.is_sequential = true;
    harness.code.finish();
    harness.code
}

/// What is run.
struct Run<'p> {
    program: &'p Program,
    /// Tests, what comes before and after them, and what provides arguments.
    called: BTreeSet<MethodId>,
    /// Fields that frameworks read and write.
    fields: Vec<FieldId>,
    /// The classes of tests, and those whose objects provide arguments.
    classes: BTreeSet<ClassId>,
    /// Whether any of them returns something.
    provides: bool,
}

impl<'p> Run<'p> {
    fn of(program: &'p Program, tests: &[MethodId]) -> Self {
        let framework = Framework::of(program);
        let search = Search { program, framework: &framework };
        let classes: Vec<ClassId> = program.application().collect();
        let named = search.named(&classes, &tests.iter().copied().collect());
        let is_named = |class: ClassId, name: Name| named.contains(&(class, name));
        let mut called: BTreeSet<MethodId> = tests.iter().copied().collect();
        for method in classes.iter().flat_map(|class| program.methods_of(*class)) {
            let data = program.method(method);
            let is_open = data.has_code() && data.access & flag::SYNTHETIC == 0 && !data.is_constructor();
            let is_source = is_named(data.class, data.name) && program.signature(method).result.is_reference();
            let is_provider = || is_source || is_extension(program, &search, method);
            if is_open && is_provider() {
                called.insert(method);
            }
        }
        let methods: Vec<MethodId> = called.iter().copied().collect();
        called.extend(search.converting(&methods));
        let fields = classes.iter().flat_map(|class| program.fields_of(*class)).filter(|field| {
            let data = program.field(*field);
            search.reads(&data.annotations) || is_named(data.class, data.name)
        });
        Self {
            program,
            fields: fields.collect(),
            classes: called.iter().map(|method| program.method(*method).class).collect(),
            provides: called.iter().any(|method| program.signature(*method).result.is_reference()),
            called,
        }
    }

    /// Whether something provides the arguments of a method or of the constructors of a class.
    fn is_provided(&self, method: MethodId) -> bool {
        let program = self.program;
        let class = program.method(method).class;
        let is_constructor = program.method(method).is_constructor();
        let of_class = || program.methods_of(class).any(|other| provides_arguments(program, other));
        if is_constructor { of_class() } else { provides_arguments(program, method) }
    }
}

/// Whether a method is called as one of a framework's interface, on an object that a framework makes.
fn is_extension(program: &Program, search: &Search<'_>, method: MethodId) -> bool {
    let class = program.method(method).class;
    let is_made = || {
        let without =
            |it: &MethodId| program.method(*it).is_constructor() && program.signature(*it).parameters.is_empty();
        is_concrete(program, class) && program.methods_of(class).any(|it| without(&it))
    };
    search.implements(method, |above| search.framework.has(above) && program.class(above).is_interface()) && is_made()
}

impl Harness<'_> {
    /// Makes what a method is called with, and on.
    fn supply(&mut self, run: &Run<'_>, method: MethodId) {
        let program = self.program();
        let data = program.method(method);
        if !data.is_static() && self.made.insert(Type::class(program.class(data.class).name)) {
            let below = program.application().filter(|below| program.is_subclass(*below, data.class));
            let concrete: Vec<ClassId> = below.filter(|below| is_concrete(program, *below)).collect();
            concrete.into_iter().for_each(|class| self.make_test(run, class));
        }
        self.supply_arguments(run, method);
    }

    fn make_test(&mut self, run: &Run<'_>, class: ClassId) {
        let program = self.program();
        let made = self.give(class);
        for constructor in program.methods_of(class).filter(|method| program.method(*method).is_constructor()) {
            self.supply_arguments(run, constructor);
            self.construct(made, constructor);
        }
    }

    fn supply_arguments(&mut self, run: &Run<'_>, method: MethodId) {
        let is_provided = run.is_provided(method);
        for ty in self.program().signature(method).parameters.iter().copied() {
            self.supply_type(run, ty, is_provided);
        }
    }

    fn supply_type(&mut self, run: &Run<'_>, ty: Type, is_provided: bool) {
        let program = self.program();
        match program.class_of(ty).filter(|_| ty.element().is_none()) {
            Some(class) if run.classes.contains(&class) => {}
            // Frameworks know what a text stands for, and have files for tests.
            Some(class) if program.is_of_jdk(class) => {
                if !self.made.contains(&ty) {
                    self.give(class);
                }
            }
            Some(class) if is_provided && program.class(class).is_application => self.convert(class),
            _ if is_provided => {}
            _ => self.need_each([ty]),
        }
    }

    /// An object that a constructor makes of a text.
    fn convert(&mut self, class: ClassId) {
        let program = self.program();
        let takes_text = |method: &MethodId| {
            program.method(*method).is_constructor()
                && program.signature(*method).parameters[..] == [Type::class(Name::STRING)]
        };
        let Some(constructor) = program.methods_of(class).find(takes_text).filter(|_| is_concrete(program, class))
        else {
            return;
        };
        let ty = Type::class(program.class(class).name);
        if self.made.insert(ty) {
            let made = self.give(class);
            self.construct(made, constructor);
        }
    }
}
