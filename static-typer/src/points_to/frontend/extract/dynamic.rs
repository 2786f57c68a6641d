//! What `invokedynamic` makes: lambdas, method references and texts; and what a record does as an object.

use crate::ir::Value;
use crate::points_to::core::code::{CallSite, Dispatch, Local, Slot, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::held::Held;
use crate::program::{Base, Constant, Descriptor, FieldId, Handle, Name, Type};

use super::{Extraction, Lambda};

impl Extraction<'_, '_> {
    pub(super) fn invoke_dynamic(
        &mut self,
        at: Value,
        bootstrap: u16,
        descriptor: Descriptor,
        arguments: &[Value],
        held: Held<'_>,
    ) {
        let program = self.program();
        let class = program.method(self.body.method).class;
        let Some(bootstrap) = program.bootstrap(class, bootstrap) else { return };
        let Some(factory) = bootstrap.handle.map(|handle| program.member(handle.member)) else { return };
        let owner = factory.owner.as_class().map(|owner| program.names().text(owner));
        match owner.as_deref() {
            Some("java/lang/invoke/LambdaMetafactory") => {
                let handle = bootstrap.arguments.iter().find_map(|argument| match argument {
                    Constant::Handle(handle) => Some(*handle),
                    _ => None,
                });
                let method_type = bootstrap.arguments.first().and_then(|argument| match argument {
                    Constant::MethodType(descriptor) => Some(*descriptor),
                    _ => None,
                });
                if let Some((handle, method_type)) = handle.zip(method_type) {
                    self.lambda(at, handle, method_type, arguments);
                }
            }
            Some("java/lang/invoke/StringConcatFactory") => self.concatenate(at, arguments, held),
            _ => {
                // Records of the JDK have parts of its own.
                if owner.as_deref() == Some("java/lang/runtime/ObjectMethods") && !program.is_of_jdk(class) {
                    let result = program.names().signature(descriptor).result;
                    self.of_record(at, result, &bootstrap.arguments, arguments, held);
                }
                let is_of_language = owner.is_some_and(|owner| owner.starts_with("java/lang/runtime/"));
                let unknown = bootstrap.handle.and_then(|handle| self.from.resolution.method(handle.member));
                self.code.unknown.extend(unknown.filter(|_| !is_of_language));
                let ty = program.names().signature(descriptor).result;
                if let Some(to) = self.result(at) {
                    self.code.allocations.push((to, Site::Merged(ty), ty));
                }
            }
        }
    }

    fn lambda(&mut self, at: Value, handle: Handle, implemented: Descriptor, captured: &[Value]) {
        let to = self.code.local_of(at);
        let ty = self.body.instruction(at).ty;
        let code = self.from.next;
        self.from.next.0 += 1;
        let parameters = self.program().names().signature(implemented).parameters.clone();
        let (method, n_captured) = (self.body.method, captured.len() as u16);
        self.from.lambdas.push(Lambda { code, method, at, handle, captured: n_captured, parameters });
        self.code.allocations.push((to, Site::Lambda(method, at, code), ty));
        self.hand_over(to, ty);
        if self.repeats(at) {
            self.code.repeated.push(at);
        }
        for (n, value) in captured.iter().enumerate() {
            if let Some(from) = self.local(*value) {
                self.code.store(to, Slot::Captured(n as u16), from);
            }
        }
    }

    /// What a record does as an object, each of its components does.
    fn of_record(&mut self, at: Value, result: Type, components: &[Constant], arguments: &[Value], held: Held<'_>) {
        let (name, descriptor) = match arguments {
            [_, _] => ("equals", "(Ljava/lang/Object;)Z"),
            _ if result.is_reference() => ("toString", "()Ljava/lang/String;"),
            _ => ("hashCode", "()I"),
        };
        let resolution = self.from.resolution;
        let Some(method) = resolution.program.method_named("java/lang/Object", name, descriptor) else { return };
        let field = |component: &Constant| match component {
            Constant::Handle(handle) => resolution.field(handle.member),
            _ => None,
        };
        let is_object = |field: &FieldId| {
            let ty = resolution.program.field(*field).ty;
            ty.is_reference() && ty.dimensions == 0
        };
        for field in components.iter().filter_map(field).filter(is_object) {
            let passed = arguments.iter().map(|record| {
                let of = self.local(*record)?;
                let to = self.code.local();
                self.code.load(to, of, Slot::Field(field));
                Some(to)
            });
            let passed: Box<[Option<Local>]> = passed.collect();
            let (held, repeats) = (self.locks(held), self.repeats(at));
            self.code.call(CallSite { held, repeats, at, ..call(Dispatch::Virtual, method, passed) });
        }
    }

    /// A concatenation calls `toString` of everything that is no text.
    fn concatenate(&mut self, at: Value, arguments: &[Value], held: Held<'_>) {
        if let Some(to) = self.result(at) {
            let ty = Type::class(Name::STRING);
            self.code.allocations.push((to, Site::Merged(ty), ty));
        }
        let Some(method) =
            self.from.resolution.program.method_named("java/lang/Object", "toString", "()Ljava/lang/String;")
        else {
            return;
        };
        for argument in arguments {
            let ty = self.body.instruction(*argument).ty;
            if matches!(ty.base, Base::Class(name) if name != Name::STRING) && ty.dimensions == 0 {
                self.access(at, Some(*argument), Slot::Content, false, held);
                self.call(at, Dispatch::Virtual, method, &[*argument], None, held);
            }
        }
    }
}
