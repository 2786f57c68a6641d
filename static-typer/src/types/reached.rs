//! Which classes an application's entries reach: what is proved of others says nothing, as none of their code runs.
//!
//! The call graph is that of the class hierarchy, so more may be reached than runs. A class is reached with its initializer, its
//! superclasses, and what libraries call in it, once code that is reached names it: by making an object, by a member, as a
//! constant, in a cast, or by its name in a string, as reflection does. Frameworks reach what has an annotation for them; test
//! frameworks only what is an entry.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Op};
use crate::program::{Base, ClassId, Constant, MethodId, Program, Type};

use super::annotations::invites_reflection;
use super::bodies::Bodies;
use super::calls::CallGraph;

/// What is reached.
#[derive(Debug)]
pub struct Reached {
    classes: FxHashSet<ClassId>,
}

impl Reached {
    /// Follows calls from the entries. Of `tests` only those that are entries are run.
    #[must_use]
    pub fn of(program: &Program, bodies: &Bodies, entries: &[MethodId], tests: &[MethodId]) -> Self {
        let calls = CallGraph::of(program, bodies);
        let mut follower = Follower {
            program,
            calls: &calls,
            classes: FxHashSet::default(),
            methods: entries.to_vec(),
            seen: FxHashSet::default(),
        };
        follower.add_annotated(&tests.iter().map(|test| program.method(*test).class).collect());
        while let Some(method) = follower.methods.pop() {
            if follower.seen.insert(method) {
                follower.reach(program.method(method).class);
                bodies.get(method).into_iter().for_each(|body| follower.follow(body));
            }
        }
        Self { classes: follower.classes }
    }

    /// Whether code of a class may run, or its fields be there for other code.
    #[must_use]
    pub fn has(&self, class: ClassId) -> bool {
        self.classes.contains(&class)
    }
}

struct Follower<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    classes: FxHashSet<ClassId>,
    /// Methods to be followed.
    methods: Vec<MethodId>,
    seen: FxHashSet<MethodId>,
}

impl Follower<'_> {
    fn add_annotated(&mut self, of_tests: &FxHashSet<ClassId>) {
        let program = self.program;
        for class in program.application().filter(|class| !of_tests.contains(class)) {
            let mut methods = program.methods_of(class).map(|method| &program.method(method).annotations);
            let mut fields = program.fields_of(class).map(|field| &program.field(field).annotations);
            if invites_reflection(program, &program.class(class).annotations)
                || methods.any(|annotations| invites_reflection(program, annotations))
                || fields.any(|annotations| invites_reflection(program, annotations))
            {
                self.reach(class);
            }
        }
    }

    fn reach(&mut self, class: ClassId) {
        let program = self.program;
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            if !program.class(class).is_application || !self.classes.insert(class) {
                continue;
            }
            open.extend(program.ancestors(class));
            self.methods.extend(program.methods_of(class).filter(|method| self.calls.is_called_back(*method)));
            for constant in program.constants(class) {
                if let Constant::Handle(handle) = constant {
                    self.methods.extend(self.calls.named(handle.member).filter(|method| self.is_own(*method)));
                }
            }
        }
    }

    fn is_own(&self, method: MethodId) -> bool {
        self.program.class(self.program.method(method).class).is_application
    }

    fn follow(&mut self, body: &Body) {
        for value in body.all_values() {
            let instruction = body.instruction(value);
            match &instruction.op {
                Op::New | Op::NewArray(_) | Op::NewArrays(_) | Op::Cast(_) => self.reach_type(instruction.ty),
                Op::GetField(_, member)
                | Op::PutField(_, member, _)
                | Op::GetStatic(member)
                | Op::PutStatic(member, _) => {
                    let class = self.calls.field(*member).map(|field| self.program.field(field).class);
                    class.into_iter().for_each(|class| self.reach(class));
                }
                Op::Invoke(_, member, _) => {
                    self.reach_type(self.program.member(*member).owner);
                    let targets = &self.calls.targets(body.method, value).methods;
                    self.methods.extend(targets.iter().filter(|method| !self.seen.contains(method)));
                }
                Op::Constant(Constant::Class(ty)) => self.reach_type(*ty),
                Op::Constant(Constant::String(text)) => self.reach_named(&self.program.names().text(*text)),
                _ => {}
            }
        }
    }

    fn reach_type(&mut self, ty: Type) {
        if let Base::Class(name) = ty.base {
            self.program.find(name).into_iter().for_each(|class| self.reach(class));
        }
    }

    /// A class by its name as `Class.forName` takes it.
    fn reach_named(&mut self, text: &str) {
        let name = self.program.names().named(&text.replace('.', "/"));
        name.and_then(|name| self.program.find(name)).into_iter().for_each(|class| self.reach(class));
    }
}
