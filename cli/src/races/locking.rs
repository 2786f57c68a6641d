//! Which classes guard what they write: a sign that their developers have threads in mind.

use std::borrow::Cow;
use std::collections::BTreeSet;

use static_typer::points_to::{Access, InstanceId, Lock, PointsTo, Slot};
use static_typer::program::{ClassId, MethodId, Program, flag};

/// Methods in which a lock is no sign: what describes an object is often synchronized where nothing else is.
const DESCRIBING: [&str; 3] = ["equals", "hashCode", "toString"];

/// The classes with code that accesses under a lock what may change: their fields, elements, contents of containers. A lock around
/// something else (on system properties, say) says nothing of the fields of a class.
pub struct Locking<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// By the outermost classes around them.
    guarding: BTreeSet<Cow<'a, str>>,
}

impl<'a> Locking<'a> {
    /// The classes of a program.
    pub fn of(program: &'a Program, points_to: &'a PointsTo) -> Self {
        let mut locking = Self { program, points_to, guarding: BTreeSet::new() };
        let under_locks = locking.under_locks();
        let writes = under_locks.into_iter().filter(|instance| locking.writes(*instance));
        let direct = points_to.instances().filter(|instance| locking.guards(*instance));
        locking.guarding = writes.chain(direct).filter_map(|instance| locking.around(instance)).collect();
        locking
    }

    /// Whether a class, or one nested with it, guards what it writes.
    pub fn has(&self, class: ClassId) -> bool {
        self.guarding.contains(&around(self.program, class))
    }

    /// What classes call of their own under locks, and what that calls of its own.
    fn under_locks(&self) -> BTreeSet<InstanceId> {
        let is_sign = |caller: &InstanceId| !locks_by_custom(self.program, self.points_to, *caller);
        let callers = self.points_to.instances().filter(is_sign);
        let mut open: Vec<InstanceId> = callers.flat_map(|caller| self.own_calls(caller, has_lock)).collect();
        let mut found = BTreeSet::new();
        while let Some(instance) = open.pop() {
            if found.insert(instance) {
                open.extend(self.own_calls(instance, |_| true));
            }
        }
        found
    }

    /// What code calls of the classes around it, where the locks that it holds are as asked for.
    fn own_calls(&self, caller: InstanceId, holds: impl Fn(&[Lock]) -> bool) -> impl Iterator<Item = InstanceId> {
        let calls = &self.points_to.code(caller).calls;
        let edges = self.points_to.calls(caller).iter();
        let own = edges.filter(move |edge| self.around(edge.callee) == self.around(caller));
        own.filter(move |edge| holds(&calls[edge.call as usize].held)).map(|edge| edge.callee)
    }

    fn writes(&self, instance: InstanceId) -> bool {
        self.points_to.code(instance).accesses.iter().any(|access| access.write)
    }

    /// Whether code itself accesses something under a lock.
    fn guards(&self, instance: InstanceId) -> bool {
        let code = self.points_to.code(instance);
        !is_no_sign(self.program, self.points_to, instance)
            && code.accesses.iter().any(|access| self.may_change(access) && has_lock(&access.held))
    }

    fn may_change(&self, access: &Access) -> bool {
        !matches!(access.slot, Slot::Field(field) if self.program.field(field).is_final())
    }

    fn around(&self, instance: InstanceId) -> Option<Cow<'a, str>> {
        let method = self.points_to.code(instance).method?;
        Some(around(self.program, self.program.method(method).class))
    }
}

/// The name of the outermost class around a class.
pub fn around(program: &Program, class: ClassId) -> Cow<'_, str> {
    match program.class_name(class) {
        Cow::Borrowed(name) => Cow::Borrowed(outermost(name)),
        Cow::Owned(name) => Cow::Owned(outermost(&name).to_owned()),
    }
}

fn outermost(name: &str) -> &str {
    name.split('$').next().unwrap_or_default()
}

/// Whether a lock that code takes says nothing of its class.
pub fn is_no_sign(program: &Program, points_to: &PointsTo, instance: InstanceId) -> bool {
    describes(program, points_to, instance) || locks_by_custom(program, points_to, instance)
}

/// Whether code only describes an object.
fn describes(program: &Program, points_to: &PointsTo, instance: InstanceId) -> bool {
    let name = points_to.code(instance).method.map(|method| program.names().text(program.method(method).name));
    name.is_some_and(|name| DESCRIBING.contains(&&*name))
}

/// Whether a method is synchronized as the one of the JDK is in whose place it is: `mark` and `reset` of a stream, say.
pub fn locks_by_custom(program: &Program, points_to: &PointsTo, instance: InstanceId) -> bool {
    let Some(method) = points_to.code(instance).method else { return false };
    let data = program.method(method);
    let is_synchronized = |method: MethodId| program.method(method).access & flag::SYNCHRONIZED != 0;
    let declared = |above: ClassId| program.declared_method(above, data.name, data.descriptor);
    let mut above = program.superclasses(data.class).skip(1).filter(|above| program.is_of_jdk(*above));
    is_synchronized(method) && above.any(|above| declared(above).is_some_and(is_synchronized))
}

/// Whether something of what is held is a lock.
pub fn has_lock(held: &[Lock]) -> bool {
    held.iter().any(|lock| !lock.is_flag)
}
