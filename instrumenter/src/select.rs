//! What to weave: which field references and calls, and how each of them is known by its constant.

pub mod descriptor;
pub mod receiver;
pub mod transactions;
pub mod values;

use classfile::descriptor::{FieldType, Parameters, n_parameters, slots};
use classfile::opcode::*;
use classfile::pool::Reference;
use classfile::pool::tag::{FIELD_REF, INTERFACE_METHOD_REF, METHOD_REF};
use classfile::{Class, Member, flag, text};
use facts::access::AccessKind;
use facts::focus::ClassFocus;
use facts::hook::{Events, Hook, MEMBER_PREFIX};
use facts::models::Inner;
use facts::models::contents::{self, Call, Elements};
use facts::models::guarded;
use facts::models::handles::{self, Fence, Mode};
use facts::models::inherited::{self, Callee};
use facts::models::optimistic;
use facts::models::reflective;

use crate::plan::{NewField, Plan};

/// The descriptor of `System.arraycopy`.
const ARRAY_COPY: &[u8] = b"(Ljava/lang/Object;ILjava/lang/Object;II)V";

/// What an instruction that names a member asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Nothing.
    Leave,
    /// A check before the access; the field takes so many slots.
    Check { slots: usize, declared: Declared },
    /// A volatile read after which the object is told of; the field takes so many slots.
    Observe { slots: usize },
    /// `Object.wait`: this hook in its place.
    Replace(Hook),
    /// `Object.notify` or `notifyAll`: this hook before it.
    Announce(Hook),
    /// A method of the library, or one that is inherited: accesses to contents before the call, of which the first is to what lies so many
    /// slots deep.
    Contents { call: Call, depth: usize, callee: Callee },
    /// A method that goes over an array, which lies so many slots deep.
    Elements { of: Elements, depth: usize, is_static: bool },
    /// `System.arraycopy`: a hook in its place.
    Copy,
    /// A call in the midst of a method of the library.
    Inner(Inner),
    /// `Condition.await`: its method may wait.
    Await,
    /// `Condition.signal`: its method may wake up who waits.
    Signal,
    /// `Lock.lock`: where the method may wait or signal, a hook after it.
    Lock,
    /// `StampedLock.tryOptimisticRead`: where the method may end the read, a hook after it.
    Hope,
    /// `StampedLock.validate`: its method may end an optimistic read.
    Validate,
    /// A method that may clone an object: a hook after it.
    Clone,
    /// A call of a variable handle; the object that stands for the variable lies so many slots deep.
    Handle { mode: Mode, depth: usize },
    /// The same, which orders something only beside a fence.
    Opaque { mode: Mode, depth: usize },
    /// An access to a field by what stands for it, or to an element.
    Reflective(ReflectiveAccess),
    /// A fence. Nothing is told of it, but of the accesses beside it.
    Fence(Fence),
}

/// An access by what stands for a field, or to an element of an array that is an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReflectiveAccess {
    pub kind: AccessKind,
    pub of: Coordinates,
    /// How many slots the value takes that is written; it comes last.
    pub value: usize,
}

/// What lies below the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Coordinates {
    /// What stands for a static field.
    Static,
    /// What stands for a field, and the object.
    Object,
    /// An array and an index.
    Element,
}

impl ReflectiveAccess {
    fn of(reflected: reflective::Reflective, descriptor: &[u8]) -> Option<Self> {
        let mut parameters = Parameters::of(descriptor);
        let mut types: Vec<FieldType<'_>> = parameters.by_ref().collect();
        let is_void = parameters.result()? == b"V";
        let kind = match reflected {
            reflective::Reflective::Field(kind) | reflective::Reflective::Element(kind) => kind,
            reflective::Reflective::FieldByType if is_void => AccessKind::Write,
            reflective::Reflective::FieldByType => AccessKind::Read,
        };
        let value = if kind == AccessKind::Write { types.pop()?.slots() } else { 0 };
        let is_element = matches!(reflected, reflective::Reflective::Element(_));
        let of = match types.as_slice() {
            [] if !is_element => Coordinates::Static,
            [object] if !is_element && object.is_reference() => Coordinates::Object,
            [array, index] if array.is_reference() && index.letter() == b'I' => Coordinates::Element,
            _ => return None,
        };
        Some(Self { kind, of, value })
    }
}

/// What is known of a field from the class file, where it matters whether it is volatile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Declared {
    /// It is not volatile, or nobody asks.
    Plain,
    /// It is.
    Volatile,
    /// Another class declares it.
    Elsewhere,
}

impl Verdict {
    /// Whether the access may only be a check: it orders no threads.
    pub const fn is_plain_check(self) -> bool {
        matches!(self, Self::Check { declared: Declared::Plain, .. })
    }
}

/// Verdicts by constant, each found once.
pub(crate) struct Selection<'a> {
    class: &'a Class<'a>,
    plan: &'a Plan<'a>,
    verdicts: Vec<Option<Verdict>>,
    interest: Interest,
}

impl<'a> Selection<'a> {
    pub fn new(class: &'a Class<'a>, plan: &'a Plan<'a>) -> Self {
        Self { class, plan, verdicts: vec![None; class.pool.count()], interest: Interest::of(plan) }
    }

    /// Whether the instruction may have to be woven; `operand` is that of two bytes, if it has one.
    pub fn concerns(&mut self, opcode: u8, operand: u16) -> bool {
        self.interest.in_opcode(opcode)
            && (!has_member(opcode) || self.member(operand) != Verdict::Leave && self.is_named_so(opcode, operand))
    }

    /// Whether the instruction may name such a reference. The verifier refuses others, which weaving must not cover up.
    fn is_named_so(&mut self, opcode: u8, operand: u16) -> bool {
        let tag = self.class.pool.tag(operand);
        let is_of_interface = matches!(opcode, INVOKESPECIAL | INVOKESTATIC)
            && self.class.version >= 52
            && tag == Some(INTERFACE_METHOD_REF);
        tag == Some(tag_for(opcode)) || is_of_interface && matches!(self.member(operand), Verdict::Contents { .. })
    }

    /// About the instruction.
    pub fn at(&mut self, opcode: u8, operand: u16) -> Verdict {
        if has_member(opcode) { self.member(operand) } else { Verdict::Leave }
    }

    /// About the member with this reference.
    pub fn member(&mut self, reference: u16) -> Verdict {
        match self.verdicts.get(usize::from(reference)) {
            Some(Some(verdict)) => *verdict,
            Some(None) => {
                let is_field = self.class.pool.tag(reference) == Some(FIELD_REF);
                let verdict = if is_field { self.field(reference) } else { self.call(reference) };
                let verdict = verdict.unwrap_or(Verdict::Leave);
                self.verdicts[usize::from(reference)] = Some(verdict);
                verdict
            }
            None => Verdict::Leave,
        }
    }

    fn field(&self, reference: u16) -> Option<Verdict> {
        let pool = &self.class.pool;
        let field = pool.reference(reference).ok()?;
        if is_added(field.name) {
            return None;
        }
        let owner = pool.class_name(field.class).ok()?;
        let slots = slots(field.descriptor);
        if self.plan.observed.iter().any(|row| row.0.as_bytes() == owner && row.1.as_bytes() == field.name) {
            return Some(Verdict::Observe { slots });
        }
        let own = (owner == pool.class_name(self.class.this_class).ok()?)
            .then(|| self.class.field(field.name, field.descriptor))
            .flatten();
        if own.is_some_and(|own| !is_checked(own.access, self.plan.events)) {
            return None;
        }
        let declared = self.declared(own);
        if declared == Declared::Volatile {
            return Some(Verdict::Check { slots, declared });
        }
        if self.plan.focus.is_some_and(|focus| is_race_free(focus, owner, &field)) {
            return None;
        }
        if self.is_retired(owner, &field) {
            return None;
        }
        (self.plan.may_shadow)(&text(owner)).then_some(Verdict::Check { slots, declared })
    }

    /// About a field, which may be this class's own.
    fn declared(&self, own: Option<&Member<'_>>) -> Declared {
        match own {
            _ if !self.plan.events.contains(Events::EDGES) => Declared::Plain,
            Some(own) if own.access & flag::VOLATILE != 0 => Declared::Volatile,
            Some(_) => Declared::Plain,
            None => Declared::Elsewhere,
        }
    }

    fn is_retired(&self, owner: &[u8], field: &Reference<'_>) -> bool {
        let Some(is_retired) = self.plan.is_retired else { return false };
        let (class, name, descriptor) = (text(owner), text(field.name), text(field.descriptor));
        is_retired(NewField { class: &class, name: &name, descriptor: &descriptor })
    }

    /// Whether the reference names a final array of this very class, which gets a field for the array's shadow.
    pub fn is_final_array(&self, reference: u16) -> bool {
        let pool = &self.class.pool;
        let Ok(field) = pool.reference(reference) else { return false };
        self.plan.shadows
            && pool.class_name(field.class).ok() == pool.class_name(self.class.this_class).ok()
            && self
                .class
                .field(field.name, field.descriptor)
                .is_some_and(|field| is_final_array(field, self.plan.events))
    }

    /// The three overloads of `wait` are final, as are `notify` and `notifyAll`, so whatever class is named, `Object`'s are
    /// called. Only a private method, which overrides none, may have these names too (javac refuses it, the JVM does not).
    /// One of a nestmate is mistaken for `Object`'s.
    fn call(&self, reference: u16) -> Option<Verdict> {
        let method = self.class.pool.reference(reference).ok()?;
        let waits = self.plan.events.contains(Events::WAIT_NOTIFY);
        let verdict = match (method.name, method.descriptor) {
            (b"wait" | b"notify" | b"notifyAll", _) if !waits => return None,
            (b"wait", b"()V") => self.replace(Hook::Wait, reference)?,
            (b"wait", b"(J)V") => self.replace(Hook::WaitMillis, reference)?,
            (b"wait", b"(JI)V") => self.replace(Hook::WaitNanos, reference)?,
            (b"notify", b"()V") => Verdict::Announce(Hook::Notify),
            (b"notifyAll", b"()V") => Verdict::Announce(Hook::NotifyAll),
            _ => {
                let of_library = self.inner(&method).or_else(|| self.optimistic(&method));
                let of_library = of_library.or_else(|| self.of_order(&method)).or_else(|| self.contents(&method));
                return of_library.or_else(|| self.clones(reference).then_some(Verdict::Clone));
            }
        };
        (!self.is_own(&method)).then_some(verdict)
    }

    /// Whether the reference names a method that may clone an object other than an array.
    pub fn clones(&self, reference: u16) -> bool {
        let Ok(method) = self.class.pool.reference(reference) else { return false };
        let is_object = |owner: &[u8]| !owner.starts_with(b"[");
        method.name == b"clone"
            && method.descriptor.starts_with(b"()L")
            && self.class.pool.class_name(method.class).is_ok_and(is_object)
    }

    /// Whether the reference names what a thread calls while it spins.
    pub fn spins(&self, reference: u16) -> bool {
        let pool = &self.class.pool;
        pool.reference(reference).is_ok_and(|method| method.name == b"onSpinWait")
            && pool.owner(reference).is_ok_and(|owner| owner == b"java/lang/Thread")
    }

    fn inner(&self, method: &Reference<'_>) -> Option<Verdict> {
        let owner = self.class.pool.class_name(method.class).ok().filter(|_| !self.plan.inner.is_empty())?;
        let calls = self.plan.inner.iter();
        let mut same = calls.filter(|call| call.owner.as_bytes() == owner && call.method.as_bytes() == method.name);
        same.next().map(|call| Verdict::Inner(call.inner))
    }

    fn optimistic(&self, method: &Reference<'_>) -> Option<Verdict> {
        let (owner, name) = (text(self.class.pool.class_name(method.class).ok()?), text(method.name));
        let hopes = optimistic::hopes(&owner, &name).then_some(Verdict::Hope);
        hopes.or_else(|| optimistic::validates(&owner, &name).then_some(Verdict::Validate))
    }

    fn of_order(&self, method: &Reference<'_>) -> Option<Verdict> {
        if !self.plan.events.contains(Events::EDGES) {
            return None;
        }
        let (owner, name) = (text(self.class.pool.class_name(method.class).ok()?), text(method.name));
        if guarded::awaits(&owner, &name) {
            return Some(Verdict::Await);
        }
        if guarded::signals(&owner, &name) {
            return Some(Verdict::Signal);
        }
        if guarded::locks(&owner, &name) && method.descriptor == b"()V" {
            return Some(Verdict::Lock);
        }
        if let Some(fence) = handles::fence(&owner, &name) {
            return Some(Verdict::Fence(fence));
        }
        if let Some(reflected) = reflective::by(&owner, &name) {
            return ReflectiveAccess::of(reflected, method.descriptor).map(Verdict::Reflective);
        }
        let (mode, opaque) = (handles::mode(&owner, &name), handles::opaque(&owner, &name));
        let depth = handle_depth(method, mode.or(opaque)?)?;
        mode.map(|mode| Verdict::Handle { mode, depth }).or(opaque.map(|mode| Verdict::Opaque { mode, depth }))
    }

    fn contents(&self, method: &Reference<'_>) -> Option<Verdict> {
        let events = self.plan.events;
        if !events.contains(Events::TRANSACTIONS) && !events.contains(Events::CONTENTS) {
            return None;
        }
        let owner = text(self.class.pool.class_name(self.declaring(method)).ok()?);
        let (name, descriptor) = (text(method.name), text(method.descriptor));
        if events.contains(Events::CONTENTS | Events::ARRAYS) {
            if contents::is_array_copy(&owner, &name) && method.descriptor == ARRAY_COPY {
                return Some(Verdict::Copy);
            }
            if let Some(of) = contents::of_array(&owner, &name, &descriptor) {
                return self.elements(of, &owner, method);
            }
        }
        let checks = events.contains(Events::CONTENTS);
        let checked = checks.then(|| contents::call(&owner, &name, &descriptor)).flatten();
        let of_map = || contents::of_shared_map(&owner, &name, &descriptor);
        let recorded = events.contains(Events::TRANSACTIONS).then(of_map).flatten();
        let is_inherited = checks && checked.is_none() && recorded.is_none();
        let inherited = || is_inherited.then(|| inherited::call(&owner, &name, &descriptor)).flatten();
        let mut call = checked.or_else(inherited).unwrap_or_default();
        call.object = call.object.or(recorded);
        let depth = descriptor::slots_above(method.descriptor, call.is_static);
        call.object = call.object.filter(|_| depth.is_some());
        let depth = depth.unwrap_or_default();
        let callee = || Callee { method: inherited::number(&name, &descriptor), is_inherited };
        (call.object.is_some() || call.copies).then(|| Verdict::Contents { call, depth, callee: callee() })
    }

    fn elements(&self, of: Elements, owner: &str, method: &Reference<'_>) -> Option<Verdict> {
        let is_static = !owner.starts_with('[');
        let depth = descriptor::slots_above(method.descriptor, is_static)?;
        Some(Verdict::Elements { of, depth, is_static })
    }

    /// The class that a reference names; of what this class inherits, its superclass, which may be one of the library.
    fn declaring(&self, method: &Reference<'_>) -> u16 {
        let (pool, this) = (&self.class.pool, self.class.this_class);
        let is_this = pool.class_name(method.class).ok() == pool.class_name(this).ok();
        if is_this && !self.is_own(method) { self.class.super_class } else { method.class }
    }

    /// Whether this very class declares the method.
    fn is_own(&self, method: &Reference<'_>) -> bool {
        let is_same = |own: &Member<'_>| own.name == method.name && own.descriptor == method.descriptor;
        self.class.methods.iter().any(is_same)
            && self.class.pool.class_name(method.class).ok() == self.class.pool.class_name(self.class.this_class).ok()
    }

    /// A class file older than version 49 can find no class but by the call that would be replaced.
    fn replace(&self, hook: Hook, reference: u16) -> Option<Verdict> {
        (self.class.version >= 49 || self.class_to_find(reference).is_none()).then_some(Verdict::Replace(hook))
    }

    /// The class that the reference names, unless the JVM has found it before it runs this class.
    pub fn class_to_find(&self, reference: u16) -> Option<u16> {
        let pool = &self.class.pool;
        let class = pool.reference(reference).ok()?.class;
        let name = pool.class_name(class).ok()?;
        let is_found = name == b"java/lang/Object" || Some(name) == pool.class_name(self.class.this_class).ok();
        (!is_found).then_some(class)
    }
}

/// How deep the object lies that stands for the variable of a handle: for a static field, the handle itself.
fn handle_depth(method: &Reference<'_>, mode: Mode) -> Option<usize> {
    let is_static = n_parameters(method.descriptor)? == mode.values;
    descriptor::slots_above(method.descriptor, !is_static)
}

/// The kind of reference that the instruction names as a rule.
fn tag_for(opcode: u8) -> u8 {
    match opcode {
        GETSTATIC..=PUTFIELD => FIELD_REF,
        INVOKEINTERFACE => INTERFACE_METHOD_REF,
        _ => METHOD_REF,
    }
}

/// Whether a field with these flags is checked by the class that declares it. A final field is written before others can see
/// the object, or the program has other troubles.
pub(crate) fn is_checked(access: u16, events: Events) -> bool {
    let ignored = if events.contains(Events::VOLATILES) { flag::FINAL } else { flag::FINAL | flag::VOLATILE };
    access & ignored == 0
}

/// Whether objects carry the shadow of the array in this field.
pub(crate) fn is_final_array(field: &Member<'_>, events: Events) -> bool {
    events.contains(Events::ARRAYS)
        && field.access & (flag::FINAL | flag::STATIC) == flag::FINAL
        && field.descriptor.starts_with(b"[")
        && !is_added(field.name)
}

/// What is not UTF-8 as it stands, as names with characters beyond U+FFFF, is checked all the same.
fn is_race_free(focus: &ClassFocus, owner: &[u8], field: &Reference<'_>) -> bool {
    let known = std::str::from_utf8;
    match (known(owner), known(field.name), known(field.descriptor)) {
        (Ok(owner), Ok(name), Ok(descriptor)) => focus.is_race_free(owner, name, descriptor),
        _ => false,
    }
}

/// Whether a tool, this one or JaCoCo, has added the member.
pub(crate) fn is_added(name: &[u8]) -> bool {
    name.starts_with(b"$jacoco") || name.starts_with(MEMBER_PREFIX.as_bytes())
}

/// Whether the operand names a field or a method of a class.
const fn has_member(opcode: u8) -> bool {
    matches!(opcode, GETSTATIC..=INVOKEINTERFACE)
}

/// The instructions that may have to be woven, by opcode.
struct Interest([bool; 256]);

impl Interest {
    fn of(plan: &Plan<'_>) -> Self {
        let events = plan.events;
        let mut opcodes = [false; 256];
        opcodes[usize::from(GETFIELD)] = !plan.observed.is_empty();
        let mut mark = |event, range: std::ops::RangeInclusive<u8>| {
            opcodes[usize::from(*range.start())..=usize::from(*range.end())]
                .iter_mut()
                .for_each(|interesting| *interesting |= events.contains(event));
        };
        mark(Events::FIELDS, GETFIELD..=PUTFIELD);
        mark(Events::STATICS, GETSTATIC..=PUTSTATIC);
        mark(Events::ARRAYS, IALOAD..=SALOAD);
        mark(Events::ARRAYS, IASTORE..=SASTORE);
        mark(Events::MONITORS, MONITORENTER..=MONITOREXIT);
        mark(Events::MONITORS, INVOKEVIRTUAL..=INVOKESPECIAL);
        mark(Events::WAIT_NOTIFY, INVOKEVIRTUAL..=INVOKESPECIAL);
        mark(Events::WAIT_NOTIFY, INVOKEINTERFACE..=INVOKEINTERFACE);
        mark(Events::TRANSACTIONS, INVOKEVIRTUAL..=INVOKEVIRTUAL);
        mark(Events::TRANSACTIONS, INVOKEINTERFACE..=INVOKEINTERFACE);
        mark(Events::CONTENTS, INVOKEVIRTUAL..=INVOKEDYNAMIC);
        mark(Events::EDGES, INVOKESTATIC..=INVOKESTATIC);
        if !plan.inner.is_empty() {
            opcodes[usize::from(INVOKEVIRTUAL)..=usize::from(INVOKEINTERFACE)].fill(true);
        }
        Self(opcodes)
    }

    fn in_opcode(&self, opcode: u8) -> bool {
        self.0[usize::from(opcode)]
    }
}
