//! Calls: which method runs, lambda expressions, and the few library methods that fixtures call.

use static_typer::ir::{Call, Op};
use static_typer::program::{Constant, Handle, Member, MethodId, Name, Type};

use super::heap::{Contents, Datum};
use super::{Frame, Machine, Outcome};

impl Machine<'_> {
    pub(super) fn call(&mut self, frame: &Frame, op: &Op) -> Outcome<Option<Datum>> {
        match op {
            Op::Invoke(call, member, arguments) => {
                let member = *self.program.member(*member);
                self.invoke(*call, &member, frame.get_all(arguments))
            }
            Op::InvokeDynamic(bootstrap, _, descriptor, captured) => {
                let class = self.program.method(frame.body.method).class;
                let linked = self.program.bootstrap(class, *bootstrap).expect("a bootstrap method");
                let Some(Constant::Handle(handle)) = linked.arguments.get(1) else { panic!("no lambda expression") };
                let ty = self.program.names().signature(*descriptor).result;
                let contents = Contents::Function(*handle, frame.get_all(captured));
                Ok(Some(Datum::Reference(Some(self.allocate(ty, contents)))))
            }
            other => panic!("{other:?} is no call"),
        }
    }

    fn invoke(&mut self, call: Call, member: &Member, arguments: Vec<Datum>) -> Outcome<Option<Datum>> {
        if call != Call::Static {
            self.object(arguments[0])?;
        }
        let resolved = self.program.resolve_method(member);
        let resolved = resolved.unwrap_or_else(|| panic!("{} is missing", self.program.names().text(member.name)));
        if call == Call::Static {
            self.initialize(self.program.method(resolved).class);
        }
        if matches!(call, Call::Static | Call::Special) {
            return self.enter(resolved, arguments);
        }
        let receiver = arguments[0].reference().expect("no null");
        if let Contents::Function(handle, captured) = &self.heap[receiver].contents
            && !self.program.method(resolved).has_code()
        {
            let (handle, mut all) = (*handle, captured.clone());
            all.extend(&arguments[1..]);
            return self.call_handle(handle, all);
        }
        let class = self.program.find(self.heap[receiver].ty.as_class().unwrap_or(Name::OBJECT)).expect("a class");
        let selected = self.program.select(class, resolved);
        self.enter(selected.unwrap_or_else(|| panic!("nothing is selected")), arguments)
    }

    /// A handle of a method, by its kind (JVMS 5.4.3.5).
    fn call_handle(&mut self, handle: Handle, arguments: Vec<Datum>) -> Outcome<Option<Datum>> {
        let call = match handle.kind {
            5 => Call::Virtual,
            6 => Call::Static,
            7 => Call::Special,
            9 => Call::Interface,
            kind => panic!("handles of kind {kind} are not known"),
        };
        let member = *self.program.member(handle.member);
        self.invoke(call, &member, arguments)
    }

    /// Runs a method, which holds a monitor meanwhile if it is synchronized.
    fn enter(&mut self, method: MethodId, arguments: Vec<Datum>) -> Outcome<Option<Datum>> {
        let data = self.program.method(method);
        if !self.program.class(data.class).is_application {
            return self.library(method, &arguments);
        }
        if !data.is_synchronized() {
            return self.run(method, arguments);
        }
        let lock = match arguments.first() {
            Some(receiver) if !data.is_static() => receiver.reference().expect("a receiver"),
            _ => self.class_object(Type::class(self.program.class(data.class).name)),
        };
        self.heap[lock].locks += 1;
        let outcome = self.run(method, arguments);
        self.heap[lock].locks -= 1;
        outcome
    }

    fn library(&mut self, method: MethodId, arguments: &[Datum]) -> Outcome<Option<Datum>> {
        let name = self.program.method_name(method);
        let name = name.split_once('(').map_or(&*name, |(name, _)| name);
        if self.program.method(method).is_constructor() || name == "java/lang/Throwable.addSuppressed" {
            return Ok(None);
        }
        let object = self.object(arguments[0])?;
        Ok(Some(match name {
            "java/lang/Object.getClass" => Datum::Reference(Some(self.class_object(self.heap[object].ty))),
            "java/util/Objects.requireNonNull" => arguments[0],
            "java/lang/Thread.holdsLock" => Datum::Int((self.heap[object].locks > 0).into()),
            "java/lang/String.hashCode" => {
                let text = self.program.names().bytes(self.text(object));
                Datum::Int(text.iter().fold(0, |hash: i32, byte| hash.wrapping_mul(31).wrapping_add((*byte).into())))
            }
            "java/lang/String.equals" => Datum::Int((arguments[0] == arguments[1]).into()),
            "java/lang/Object.clone" => {
                let copy = self.heap[object].contents.clone();
                Datum::Reference(Some(self.allocate(self.heap[object].ty, copy)))
            }
            other => panic!("the library method {other} is not known"),
        }))
    }

    /// Strings are ASCII in fixtures, and equal ones are one object.
    fn text(&self, object: usize) -> Name {
        match self.heap[object].contents {
            Contents::String(text) => text,
            _ => panic!("no string"),
        }
    }
}
