//! What a method means to the points-to analysis: which references it makes, moves, stores, loads and calls with.
//!
//! Only references count. Code is kept once and shared by all contexts.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ir::Value;
use crate::points_to::reflection::call::Reflection;
use crate::program::{ClassId, FieldId, MethodId, Program, Type};
use crate::types::locks;

use super::site::Site;

/// A reference variable of a [`Code`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local(pub u32);

/// The place of what is no instruction.
pub const NOWHERE: Value = Value(u32::MAX);

/// How long final expressions may get.
const MAX_FIELDS: usize = 4;

/// A part of an object that holds a reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    /// An instance field.
    Field(FieldId),
    /// Every element of an array.
    Element,
    /// What a lambda has captured.
    Captured(u16),
    /// What a container of the JDK holds, as far as accesses go: nothing refers to it.
    Content,
    /// What a `ThreadLocal` holds, of each thread.
    PerThread,
}

/// A variable of the whole program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Global {
    /// A static field.
    Static(FieldId),
    /// Everything that is thrown: exceptions are not followed from throw to catch.
    Thrown,
    /// Every thread.
    Threads,
    /// Every `ThreadLocal` that is used.
    ThreadLocals,
    /// What a harness calls with.
    Pool,
}

/// How a call finds what it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dispatch {
    /// The method itself, without a receiver.
    Static,
    /// The method itself, on a receiver.
    Special,
    /// The method that the receiver's class selects.
    Virtual,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The instruction.
    pub at: Value,
    /// How the method is found.
    pub dispatch: Dispatch,
    /// The method that is named.
    pub method: MethodId,
    /// The references among the arguments, the receiver being the first.
    pub arguments: Box<[Option<Local>]>,
    /// Where the result goes.
    pub result: Option<Local>,
    /// Whether another thread runs it.
    pub is_fork: bool,
    /// The locks that are held.
    pub held: Box<[Lock]>,
    /// Whether what it runs gives back some of these, for the code, and no locks of its callers.
    pub gives_back_own: bool,
    /// Whether one run of the code may come here more than once.
    pub repeats: bool,
    /// What is known of it if it is reflective.
    pub reflection: Option<Arc<Reflection>>,
    /// Whether it is made on what a log has, beside the call that stands in the code.
    pub is_logged: bool,
}

impl CallSite {
    /// The locks that are held in what the call runs: what gives back a lock may do so at once.
    #[must_use]
    pub fn held_within(&self, program: &Program) -> Vec<Lock> {
        let gives_back = locks::may_release(program, self.method);
        self.held.iter().filter(|lock| lock.monitor || !gives_back).cloned().collect()
    }
}

/// A lock that is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lock {
    /// What refers to it; for a half of a read-write lock, to the whole.
    pub local: Local,
    /// Whether it is the object's monitor.
    pub monitor: bool,
    /// Whether other readers may hold it too.
    pub shared: bool,
    /// Whether it is no lock, but a flag that one code only sets: it holds the monitor of the flag, as it were.
    pub is_flag: bool,
}

/// An access to a field or to an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The instruction.
    pub at: Value,
    /// What is accessed; a static field has no base.
    pub slot: Slot,
    /// The object.
    pub base: Option<Local>,
    /// The type of the array, as the code says, if an element is accessed.
    pub array: Option<Type>,
    /// Whether it writes.
    pub write: bool,
    /// The locks that are held.
    pub held: Box<[Lock]>,
}

/// Which element of which array a variable was loaded from. Two that are alike, in one code, are of one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// Where the array comes from.
    pub array: ArrayOf,
    /// Its index.
    pub index: Index,
}

/// Where code has an array from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayOf {
    /// A field of what an instruction gives.
    Field(Value, FieldId),
    /// A static field.
    Static(FieldId),
    /// An instruction gives it.
    Value(Value),
}

/// The index of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// A constant.
    Constant(i32),
    /// What an instruction gives.
    Value(Value),
}

/// What happens with the objects that a variable refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// A slot of theirs goes to a variable; objects of other types stay behind.
    Load(Slot, Local, Option<Type>),
    /// A variable goes to a slot of theirs.
    Store(Slot, Local),
    /// They are the receivers of a call, by its number.
    Call(u32),
    /// Copies of them go to a variable.
    Clone(Local),
    /// What a test framework gets at in them goes to a variable.
    Open(Local),
    /// They are arrays, and like each of them is one that goes to a variable, made by an instruction.
    Resize(Local, MethodId, Value),
    /// Their classes go to a variable. Of what it is not certain, a method returns some class.
    ClassOf(Local, MethodId),
}

/// On which objects code runs in a context of its own.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Contexts {
    /// On none.
    #[default]
    None,
    /// On those that the application makes, itself or by such objects.
    OfApplication,
    /// On every object.
    All,
    /// On every object, and what the code makes is told apart by that too: since JDK 19, a thread keeps its task in an object.
    Threads,
}

/// The code of a method, a lambda or the environment.
#[derive(Clone, Default, Debug)]
pub struct Code {
    /// The method; the code of a lambda has that of the method that makes it.
    pub method: Option<MethodId>,
    /// The instruction that makes the lambda whose code it is.
    pub lambda: Option<Value>,
    /// The class, member or name that the reflective call is made on whose code it is; it is like that of a lambda.
    pub mirrors: Option<Site>,
    /// On which objects it runs in a context of its own.
    pub contexts: Contexts,
    /// Whether several threads may have what it returns, as clients give a library what they share.
    pub gives_shared: bool,
    /// Whether one thread runs what it forks, one after the other.
    pub is_sequential: bool,
    /// Whether its accesses may race: it is code of the application.
    pub is_checked: bool,
    /// How many variables there are.
    pub n_locals: u32,
    /// The parameters that are references, the receiver being the first.
    pub parameters: Vec<Option<Local>>,
    /// What it returns.
    pub result: Option<Local>,
    /// What it makes: variable, site and type.
    pub allocations: Vec<(Local, Site, Type)>,
    /// From the second variable to the first; objects of other types than the given one stay behind.
    pub copies: Vec<(Local, Local, Option<Type>)>,
    /// Casts: the instruction, the variable unless it is of `null`, and the type.
    pub casts: Vec<(Value, Option<Local>, Type)>,
    /// From a global variable; objects of other types stay behind.
    pub global_loads: Vec<(Local, Global, Option<Type>)>,
    /// To a global variable.
    pub global_stores: Vec<(Global, Local)>,
    /// Calls.
    pub calls: Vec<CallSite>,
    /// Classes that are initialized before it goes on.
    pub initializes: Vec<ClassId>,
    /// Accesses, if they may race.
    pub accesses: Vec<Access>,
    /// Calls that are not followed, because what they run is unknown.
    pub unknown: Vec<MethodId>,
    /// Calls of method handles of which it is not known what they stand for.
    pub by_unknown_handles: Vec<Value>,
    /// Instructions that make an object more than once in one run.
    pub repeated: Vec<Value>,
    /// Variables that a final field was loaded to, with the object's variable.
    parts: FxHashMap<Local, (Local, FieldId)>,
    /// Variables that an element was loaded to, with the array's variable, in code whose accesses may race and that makes no object.
    elements: FxHashMap<Local, (Local, Element)>,
    /// Uses, in no order until [`Code::finish`].
    uses: Vec<(Local, Use)>,
    first_use: Vec<u32>,
    locals: FxHashMap<Value, Local>,
}

impl Code {
    /// The code of a method, empty.
    #[must_use]
    pub fn of(method: MethodId) -> Self {
        Self { method: Some(method), ..Self::default() }
    }

    /// A new variable.
    pub fn local(&mut self) -> Local {
        self.n_locals += 1;
        Local(self.n_locals - 1)
    }

    /// The variable of an instruction's result; a new one if it has none.
    pub fn local_of(&mut self, value: Value) -> Local {
        if let Some(local) = self.locals.get(&value) {
            return *local;
        }
        let local = self.local();
        self.locals.insert(value, local);
        local
    }

    /// Makes an instruction's result another name of a variable.
    pub fn set_local(&mut self, value: Value, local: Local) {
        self.locals.insert(value, local);
    }

    /// The variable of an instruction's result, if it is a reference.
    #[must_use]
    pub fn find_local(&self, value: Value) -> Option<Local> {
        self.locals.get(&value).copied()
    }

    /// Loads a slot.
    pub fn load(&mut self, to: Local, base: Local, slot: Slot) {
        self.uses.push((base, Use::Load(slot, to, None)));
    }

    /// Says that a variable is a final field of another one's object.
    pub fn is_part(&mut self, part: Local, of: Local, field: FieldId) {
        self.parts.insert(part, (of, field));
    }

    /// Says which element a variable is loaded from.
    pub fn is_element(&mut self, local: Local, array: Local, element: Element) {
        self.elements.insert(local, (array, element));
    }

    /// Which element a variable is loaded from, and the array's variable, if that is all that it may be.
    #[must_use]
    pub fn element(&self, local: Local) -> Option<(Local, Element)> {
        self.elements.get(&local).copied()
    }

    /// The call that stands in the code at an instruction.
    #[must_use]
    pub fn call_at(&self, at: Value) -> Option<&CallSite> {
        self.calls.iter().find(|site| site.at == at && !site.is_logged)
    }

    /// The call by which an object is accessed that it is made on.
    #[must_use]
    pub fn call_on(&self, access: &Access) -> Option<&CallSite> {
        self.call_at(access.at).filter(|site| site.arguments.first() == Some(&access.base))
    }

    /// The variable that a final expression begins with, and its fields. What begins and goes on alike is the same object.
    #[must_use]
    pub fn path(&self, mut local: Local) -> (Local, Vec<FieldId>) {
        let mut fields = Vec::new();
        while let Some((of, field)) = self.parts.get(&local).filter(|_| fields.len() < MAX_FIELDS) {
            fields.push(*field);
            local = *of;
        }
        fields.reverse();
        (local, fields)
    }

    /// Loads an element that must be of a type.
    pub fn load_element(&mut self, to: Local, base: Local, ty: Type) {
        self.uses.push((base, Use::Load(Slot::Element, to, Some(ty))));
    }

    /// Stores in a slot.
    pub fn store(&mut self, base: Local, slot: Slot, from: Local) {
        self.uses.push((base, Use::Store(slot, from)));
    }

    /// Copies objects, as `Object.clone` does.
    pub fn copy(&mut self, to: Local, from: Local) {
        self.uses.push((from, Use::Clone(to)));
    }

    /// Gets at all that a test framework does in objects.
    pub fn open(&mut self, to: Local, from: Local) {
        self.uses.push((from, Use::Open(to)));
    }

    /// Makes arrays of another length, as `Arrays.copyOf` does.
    pub fn resize(&mut self, to: Local, from: Local, method: MethodId, at: Value) {
        self.uses.push((from, Use::Resize(to, method, at)));
    }

    /// Asks for the classes of objects, as a method does.
    pub fn class_of(&mut self, to: Local, of: Local, method: MethodId) {
        self.uses.push((of, Use::ClassOf(to, method)));
    }

    /// Adds a call.
    pub fn call(&mut self, site: CallSite) {
        if let (Dispatch::Special | Dispatch::Virtual, Some(Some(receiver))) = (site.dispatch, site.arguments.first()) {
            self.uses.push((*receiver, Use::Call(self.calls.len() as u32)));
        }
        self.calls.push(site);
    }

    /// The variable that holds what is returned; a new one if there is none.
    pub fn result_local(&mut self) -> Local {
        if let Some(local) = self.result {
            return local;
        }
        let local = self.local();
        self.result = Some(local);
        local
    }

    /// Whether it runs tests: whatever it forks, one thread runs any number of times.
    #[must_use]
    pub fn is_of_tests(&self) -> bool {
        self.is_sequential && self.calls.iter().any(|site| site.is_fork && site.repeats)
    }

    /// Sorts the uses; nothing may be added afterwards.
    pub fn finish(&mut self) {
        self.uses.sort_by_key(|(base, _)| *base);
        self.initializes.sort_unstable();
        self.initializes.dedup();
        self.first_use = vec![0; self.n_locals as usize + 1];
        for (base, _) in &self.uses {
            self.first_use[base.0 as usize + 1] += 1;
        }
        for index in 1..self.first_use.len() {
            self.first_use[index] += self.first_use[index - 1];
        }
    }

    /// About how many bytes it takes: its longest lists.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let calls = self.calls.len() * (size_of::<CallSite>() + 6 * size_of::<Option<Local>>());
        let uses = self.uses.len() * size_of::<(Local, Use)>() + self.first_use.len() * size_of::<u32>();
        let copies = self.copies.len() * size_of::<(Local, Local, Option<Type>)>();
        let allocations = self.allocations.len() * size_of::<(Local, Site, Type)>();
        let locals = (self.locals.capacity() + self.parts.capacity()) * 2 * size_of::<(Local, FieldId)>();
        size_of::<Self>() + calls + uses + copies + allocations + locals + self.accesses.len() * size_of::<Access>()
    }

    /// What happens with the objects of a variable.
    #[must_use]
    pub fn uses(&self, local: Local) -> &[(Local, Use)] {
        let index = local.0 as usize;
        &self.uses[self.first_use[index] as usize..self.first_use[index + 1] as usize]
    }

    /// The same for all variables, one after the other.
    #[must_use]
    pub fn all_uses(&self) -> &[(Local, Use)] {
        &self.uses
    }

    /// The variables that are used.
    pub fn used_locals(&self) -> impl Iterator<Item = Local> + '_ {
        self.uses.iter().map(|(base, _)| *base)
    }
}

/// A call that holds no lock.
pub fn call(dispatch: Dispatch, method: MethodId, arguments: Box<[Option<Local>]>) -> CallSite {
    CallSite {
        at: NOWHERE,
        dispatch,
        method,
        arguments,
        result: None,
        is_fork: false,
        held: Box::default(),
        gives_back_own: false,
        repeats: false,
        reflection: None,
        is_logged: false,
    }
}
