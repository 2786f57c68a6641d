//! Accesses to fields, elements and contents, also by handles and offsets.

use crate::ir::Value;
use crate::points_to::core::code::{Access, Global, Slot};
use crate::points_to::frontend::held::Held;
use crate::points_to::library::elements;
use crate::program::MemberRef;

use super::Extraction;

/// The methods of `java.lang.invoke.VarHandle` and `Unsafe` whose last argument is stored.
const STORING: &[&str] = &["set", "put", "compareAnd", "weakCompareAnd", "getAndSet"];
/// Those that return what was stored.
const LOADING: &[&str] = &["get", "compareAndExchange"];
/// Who else accesses fields of an object that is an argument.
const BY_BASE: &[&str] =
    &["jdk/internal/misc/Unsafe", "sun/misc/Unsafe", "java/util/concurrent/atomic/AtomicReferenceFieldUpdater"];

impl Extraction<'_, '_> {
    pub(super) fn access(&mut self, at: Value, base: Option<Value>, slot: Slot, write: bool, held: Held<'_>) {
        if self.code.is_checked {
            let held = self.locks(held);
            let array = base.filter(|_| slot == Slot::Element).map(|array| self.body.instruction(array).ty);
            // What `null` refers to is never accessed.
            let base = match base.map(|base| self.local(base)) {
                Some(None) => return,
                Some(base) => base,
                None => None,
            };
            self.code.accesses.push(Access { at, slot, base, array, write, held });
        }
    }

    pub(super) fn element(&mut self, value: Value, array: Value, stored: Option<Value>, held: Held<'_>) {
        self.access(value, Some(array), Slot::Element, stored.is_some(), held);
        let Some(base) = self.local(array) else { return };
        match stored {
            None => {
                if let Some(to) = self.result(value) {
                    self.code.load_element(to, base, self.body.instruction(value).ty);
                }
            }
            Some(stored) => {
                if let Some(from) = self.local(stored) {
                    self.code.store(base, Slot::Element, from);
                }
            }
        }
    }

    /// The accesses of a call to elements of its arguments.
    pub(super) fn elements_of_arguments(&mut self, at: Value, member: MemberRef, arguments: &[Value], held: Held<'_>) {
        if self.code.is_checked {
            for (n, write) in elements::accesses(self.program(), member) {
                self.access(at, arguments.get(n).copied(), Slot::Element, write, held);
            }
        }
    }

    pub(super) fn field(
        &mut self,
        at: Value,
        base: Option<Value>,
        member: MemberRef,
        stored: Option<Value>,
        held: Held<'_>,
    ) {
        let Some(field) = self.from.resolution.field(member) else { return };
        self.access(at, base, Slot::Field(field), stored.is_some(), held);
        let Some(base) = base else {
            self.code.initializes.push(self.program().field(field).class);
            match stored {
                None => self.load_global(at, Global::Static(field), None),
                Some(stored) => {
                    let from = self.local(stored);
                    self.code.global_stores.extend(from.map(|from| (Global::Static(field), from)));
                }
            }
            return;
        };
        let Some(base) = self.local(base) else { return };
        match stored {
            None => {
                if let Some(to) = self.result(at) {
                    self.code.load(to, base, Slot::Field(field));
                    if self.program().field(field).is_final() {
                        self.code.is_part(to, base, field);
                    }
                }
            }
            Some(stored) => {
                if let Some(from) = self.local(stored) {
                    self.code.store(base, Slot::Field(field), from);
                }
            }
        }
    }

    /// Calls that read and write fields by handles and offsets; says whether this is one.
    pub(super) fn by_handle(&mut self, at: Value, member: MemberRef, arguments: &[Value]) -> bool {
        let program = self.program();
        let Some(owner) = program.member(member).owner.as_class() else { return false };
        let (owner, name) = (program.names().text(owner), program.names().text(program.member(member).name));
        let is_variable = owner == "java/lang/invoke/VarHandle";
        if !is_variable && !BY_BASE.contains(&&*owner) {
            return false;
        }
        let starts = |list: &[&str]| list.iter().any(|prefix| name.starts_with(prefix));
        let (stores, loads) = (starts(STORING), starts(LOADING));
        // Others run a function that they are given.
        if !(stores || loads) || name.ends_with("Update") || name.ends_with("Accumulate") {
            return false;
        }
        let n_values = if name.contains("compareAnd") || name.contains("CompareAnd") { 2 } else { usize::from(stores) };
        let is_static = is_variable && arguments.len() == 1 + n_values;
        if !is_static && arguments.len() < 2 {
            return false;
        }
        let stored = arguments.last().filter(|_| stores && arguments.len() > 1 + usize::from(!is_static));
        let stored = stored.and_then(|stored| self.local(*stored));
        let loaded = if loads { self.result(at) } else { None };
        let handle = if owner.ends_with("Unsafe") { arguments.get(2) } else { arguments.first() };
        let field = handle.and_then(|handle| self.from.handles.field_of(self.body, *handle));
        if is_static {
            for field in field.map_or_else(|| self.from.handles.unknown(true), |field| vec![field]) {
                self.code.global_stores.extend(stored.map(|from| (Global::Static(field), from)));
                self.code.global_loads.extend(loaded.map(|to| (to, Global::Static(field), None)));
            }
            return true;
        }
        let is_updater = owner.ends_with("FieldUpdater");
        let is_array = self.body.instruction(arguments[1]).ty.dimensions > 0;
        let Some(base) = self.local(arguments[1]) else { return true };
        let fields = match field {
            _ if is_array => Vec::new(),
            // The JDK's own handles are of its own fields.
            None if !is_updater && program.is_of_jdk(program.method(self.body.method).class) => Vec::new(),
            None => self.from.handles.unknown(false),
            Some(field) => vec![field],
        };
        let is_known = field.is_some() && !is_array;
        let elements = (!is_known).then_some(Slot::Element);
        for slot in fields.into_iter().map(Slot::Field).chain(elements) {
            if let Some(from) = stored {
                self.code.store(base, slot, from);
            }
            if let Some(to) = loaded {
                self.code.load(to, base, slot);
            }
        }
        true
    }
}
