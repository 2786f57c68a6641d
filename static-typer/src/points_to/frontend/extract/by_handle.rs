//! Calls that read and write variables by what stands for them: handles, updaters, and offsets.

use facts::access::AccessKind;
use facts::models::contents;

use crate::ir::Value;
use crate::points_to::core::code::{Global, Local, Slot};
use crate::points_to::frontend::held::Held;
use crate::program::{ClassId, FieldId, MemberRef};

use super::Extraction;

const VARIABLE: &str = "java/lang/invoke/VarHandle";
const UPDATER: &str = "java/util/concurrent/atomic/AtomicReferenceFieldUpdater";
const UNSAFE: &[&str] = &["jdk/internal/misc/Unsafe", "sun/misc/Unsafe"];
/// The methods whose last argument is stored.
const STORING: &[&str] = &["set", "put", "compareAnd", "weakCompareAnd", "getAndSet"];
/// Those that return what was stored.
const LOADING: &[&str] = &["get", "compareAndExchange"];
/// Those that run a function that they are given: their code is followed. Where that is not there, what they return stands for what is stored.
const RUNNING: &[&str] = &["getAndUpdate", "getAndAccumulate", "updateAndGet", "accumulateAndGet"];

/// What such a call names.
struct Access {
    /// What stands for the variable, if it is given.
    handle: Option<Value>,
    /// The object or the array; none for a static field.
    base: Option<Value>,
    stored: Option<Value>,
    loads: bool,
    is_updater: bool,
}

impl Access {
    fn of(owner: &str, name: &str, arguments: &[Value]) -> Option<Self> {
        let (is_variable, is_unsafe) = (owner == VARIABLE, UNSAFE.contains(&owner));
        let is_updater = owner == UPDATER;
        let begins = |list: &[&str]| list.iter().any(|prefix| name.starts_with(prefix));
        let (stores, loads) = (begins(STORING), begins(LOADING));
        if !(is_variable || is_unsafe || is_updater) || !(stores || loads) || RUNNING.contains(&name) {
            return None;
        }
        let compares = name.contains("compareAnd") || name.contains("CompareAnd");
        let n_values = if compares { 2 } else { usize::from(stores) };
        let is_static = is_variable && arguments.len() == 1 + n_values;
        let base = if is_static { None } else { Some(*arguments.get(1)?) };
        let n_others = 1 + usize::from(!is_static);
        Some(Self {
            handle: arguments.get(if is_unsafe { 2 } else { 0 }).copied(),
            base,
            stored: arguments.last().filter(|_| stores && arguments.len() > n_others).copied(),
            loads,
            is_updater,
        })
    }
}

impl Extraction<'_, '_> {
    /// Says whether a call is one of these.
    pub(super) fn by_handle(&mut self, at: Value, member: MemberRef, arguments: &[Value], held: Held<'_>) -> bool {
        let (program, member) = (self.program(), self.program().member(member));
        let Some(owner) = member.owner.as_class() else { return false };
        let (owner, name) = (program.names().text(owner), program.names().text(member.name));
        if owner == UPDATER && RUNNING.contains(&&*name) {
            self.by_function(at, arguments);
        }
        let Some(access) = Access::of(&owner, &name, arguments) else { return false };
        let field = access.handle.and_then(|handle| self.from.handles.field_of(self.body, handle));
        if let Some(kind) = contents::by_handle(&owner, &name) {
            self.plain(at, field, access.base, kind == AccessKind::Write, held);
        }
        let stored = access.stored.and_then(|stored| self.local(stored));
        let loaded = if access.loads { self.result(at) } else { None };
        match access.base {
            None => self.static_by_handle(field, stored, loaded),
            Some(base) => {
                if let Some(local) = self.local(base) {
                    let slots = self.meant(field, base, access.is_updater);
                    self.slots_by_handle(local, &slots, stored, loaded);
                }
            }
        }
        true
    }

    /// An updater gives what is in the field to a function, and stores what that gives.
    fn by_function(&mut self, at: Value, arguments: &[Value]) {
        let [updater, base, ..] = arguments else { return };
        let field = self.from.handles.field_of(self.body, *updater);
        self.used[at.index()] = true;
        if let Some((object, result)) = self.local(*base).zip(self.result(at)) {
            let slots = self.meant(field, *base, true);
            self.slots_by_handle(object, &slots, Some(result), Some(result));
        }
    }

    /// An access that orders nothing, to an element or to the field that the handle is known to stand for.
    fn plain(&mut self, at: Value, field: Option<FieldId>, base: Option<Value>, write: bool, held: Held<'_>) {
        let is_array = |base: Value| self.body.instruction(base).ty.dimensions > 0;
        if base.is_some_and(is_array) {
            self.access(at, base, Slot::Element, write, held);
        } else if let Some(field) = field {
            self.access(at, base, Slot::Field(field), write, held);
        }
    }

    pub(super) fn static_by_handle(&mut self, field: Option<FieldId>, stored: Option<Local>, loaded: Option<Local>) {
        for field in field.map_or_else(|| self.from.handles.unknown(true), |field| vec![field]) {
            self.code.global_stores.extend(stored.map(|from| (Global::Static(field), from)));
            self.code.global_loads.extend(loaded.map(|to| (to, Global::Static(field), None)));
        }
    }

    /// What may be accessed of an object if all that is known of the field is that.
    fn meant(&self, field: Option<FieldId>, base: Value, is_updater: bool) -> Vec<Slot> {
        let program = self.program();
        // The JDK's own handles are of its own fields.
        let is_own = || !is_updater && program.is_of_jdk(program.method(self.body.method).class);
        match field {
            _ if self.body.instruction(base).ty.dimensions > 0 => vec![Slot::Element],
            Some(field) => vec![Slot::Field(field)],
            None if is_own() => vec![Slot::Element],
            None => {
                let mut fields = self.from.handles.unknown(false);
                fields.retain(|field| self.may_have(base, program.field(*field).class));
                fields.into_iter().map(Slot::Field).chain([Slot::Element]).collect()
            }
        }
    }

    /// Whether an object may be one of a class, by its type.
    fn may_have(&self, object: Value, class: ClassId) -> bool {
        let program = self.program();
        let Some(of) = self.body.instruction(object).ty.as_class().and_then(|name| program.find(name)) else {
            return true;
        };
        let is_interface = program.class(of).is_interface() || program.class(class).is_interface();
        is_interface || program.is_subclass(of, class) || program.is_subclass(class, of)
    }

    pub(super) fn slots_by_handle(
        &mut self,
        base: Local,
        slots: &[Slot],
        stored: Option<Local>,
        loaded: Option<Local>,
    ) {
        for slot in slots {
            if let Some(from) = stored {
                self.code.store(base, *slot, from);
            }
            if let Some(to) = loaded {
                self.code.load(to, base, *slot);
            }
        }
    }
}
