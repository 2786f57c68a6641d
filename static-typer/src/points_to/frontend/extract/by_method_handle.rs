//! Calls of method handles that a class initializer, or the method itself, makes of a member that constants name.

use crate::ir::Value;
use crate::points_to::core::code::{CallSite, Dispatch, Local, Slot, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::handles::Meant;
use crate::points_to::frontend::held::Held;
use crate::program::{FieldId, MemberRef, MethodId, Type, flag};

use super::Extraction;

const HANDLE: &str = "java/lang/invoke/MethodHandle";
const INVOKING: [&str; 2] = ["invoke", "invokeExact"];

impl Extraction<'_, '_> {
    /// Says whether a call is one of these.
    pub(super) fn by_method_handle(
        &mut self,
        at: Value,
        member: MemberRef,
        arguments: &[Value],
        held: Held<'_>,
    ) -> bool {
        let (program, member) = (self.program(), self.program().member(member));
        let is_handle = member.owner.as_class().is_some_and(|owner| &*program.names().text(owner) == HANDLE);
        let [handle, passed @ ..] = arguments else { return false };
        if !is_handle || !INVOKING.contains(&&*program.names().text(member.name)) {
            return false;
        }
        let mut meant = self.from.handles.meant_by(self.body, *handle);
        meant.retain(|meant| self.takes(*meant, passed.len()));
        for meant in &meant {
            self.handled(at, *meant, passed, held);
        }
        if meant.is_empty() {
            self.code.by_unknown_handles.push(at);
        }
        !meant.is_empty()
    }

    /// Whether a member takes so many arguments, its object among them.
    fn takes(&self, meant: Meant, n: usize) -> bool {
        let program = self.program();
        let of_method = |method: MethodId| program.signature(method).parameters.len();
        let of_object = |is_static: bool| usize::from(!is_static);
        n == match meant {
            Meant::Method(method) => of_method(method) + of_object(program.method(method).is_static()),
            Meant::Special(method) => of_method(method) + 1,
            Meant::Constructor(constructor) => of_method(constructor),
            Meant::Read(field) => of_object(program.field(field).is_static()),
            Meant::Write(field) => of_object(program.field(field).is_static()) + 1,
        }
    }

    fn handled(&mut self, at: Value, meant: Meant, passed: &[Value], held: Held<'_>) {
        let program = self.program();
        let result = self.result(at);
        match meant {
            Meant::Method(method) if program.method(method).is_static() => {
                self.code.initializes.push(program.method(method).class);
                self.call(at, Dispatch::Static, method, passed, result, held);
            }
            Meant::Method(method) if program.method(method).access & flag::PRIVATE == 0 => {
                self.call(at, Dispatch::Virtual, method, passed, result, held);
            }
            Meant::Method(method) | Meant::Special(method) => {
                self.call(at, Dispatch::Special, method, passed, result, held);
            }
            Meant::Constructor(constructor) => self.make_by_handle(at, constructor, passed, held),
            Meant::Read(field) => self.field_by_handle(at, field, passed.first().copied(), None, held),
            Meant::Write(field) => {
                let base = passed.first().copied().filter(|_| passed.len() == 2);
                self.field_by_handle(at, field, base, passed.last().copied(), held);
            }
        }
    }

    fn make_by_handle(&mut self, at: Value, constructor: MethodId, passed: &[Value], held: Held<'_>) {
        let program = self.program();
        let class = program.method(constructor).class;
        let ty = Type::class(program.class(class).name);
        let made = self.code.local();
        self.code.initializes.push(class);
        self.code.allocations.push((made, Site::New(self.body.method, at, 0), ty));
        if let Some(result) = self.result(at) {
            self.code.copies.push((result, made, None));
        }
        let passed = passed.iter().map(|argument| self.local(*argument));
        let arguments: Box<[Option<Local>]> = std::iter::once(Some(made)).chain(passed).collect();
        let (held, repeats) = (self.locks(held), self.repeats(at));
        self.code.call(CallSite { held, repeats, at, ..call(Dispatch::Special, constructor, arguments) });
    }

    fn field_by_handle(
        &mut self,
        at: Value,
        field: FieldId,
        base: Option<Value>,
        stored: Option<Value>,
        held: Held<'_>,
    ) {
        self.access(at, base, Slot::Field(field), stored.is_some(), held);
        let loaded = if stored.is_none() { self.result(at) } else { None };
        let stored = stored.and_then(|stored| self.local(stored));
        match base {
            None => self.static_by_handle(Some(field), stored, loaded),
            Some(base) => {
                if let Some(local) = self.local(base) {
                    self.slots_by_handle(local, &[Slot::Field(field)], stored, loaded);
                }
            }
        }
    }
}
