//! Fields that a volatile flag of the same object publishes: written before it is set, and read after it was seen set, as double-checked
//! locking does with a plain field for the value.
//!
//! A flag is *set* when it is not zero, or is the object of a certain constant. The rule takes a lock of the object and asks that
//! - every write of the flag sets it, and holds the lock;
//! - every write of the value holds the lock, and comes after the flag was seen not set since the lock was last taken;
//! - every read of the value holds the lock, or comes after the flag was seen set, or was set by the same code.
//!
//! Then no write of the value races: those that hold the lock are ordered by it. What is set stays set, and only who holds the lock sets it,
//! so when a value is written, the flag is not set yet. So each write of the value comes before the first write of the flag, in the same
//! thread or by the lock; that one comes before or is the one whose flag is seen, by the lock; and who sees a volatile write comes
//! after it (JLS 17.4.4). If the flag is set from the beginning, nothing is written at all.
//!
//! Calls between the look at the flag and the write of the value, and initializers of classes that are first used there, must not set the
//! flag of the object, as what comes back to the same method does, and must not wait for a condition, which gives up the lock. Only fields
//! count that the package sees, which nothing is known to reach by reflection, and of which no constant text has the name, as what looks
//! up handles and mirrors needs.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::points_to::{Access, CallSite, CodeId, InstanceId, Local, PointsTo, Site, Slot};
use crate::program::{ClassId, Constant, FieldId, Name, Program, flag};
use crate::races::initialization::triggers::{Triggers, used};
use crate::races::locks::guards::{Guards, OwnLock};
use crate::races::must::calls;
use crate::races::reach::leading_to;
use crate::types::locks;
use crate::types::origin::origin;

use super::flags::{Fact, Flag, Looks, Set};

/// What the rule goes by.
#[derive(Clone, Copy)]
pub struct Basis<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its objects and calls.
    pub points_to: &'a PointsTo,
    /// Its locks.
    pub guards: &'a Guards<'a>,
    /// Whether an access counts: other threads may have the object by then.
    pub counts: &'a dyn Fn(InstanceId, &Access) -> bool,
    /// Fields that reflection or handles access.
    pub reflected: &'a FxHashSet<FieldId>,
}

/// Fields that flags publish.
#[derive(Default, Debug)]
pub struct Published {
    /// Each with its flag.
    pub fields: FxHashMap<FieldId, FieldId>,
    /// Others that are so unless what is called between the look at the flag and the write of the value sets the flag or waits. Of code
    /// of clients that is mostly not known; but what comes back to compute the value once more seldom ends.
    pub nearly: FxHashSet<FieldId>,
}

impl Published {
    /// Finds them.
    #[must_use]
    pub fn of(basis: Basis<'_>) -> Self {
        let pairs = pairs(basis.program, basis.reflected);
        let wanted: FxHashSet<FieldId> =
            pairs.iter().flat_map(|(value, flags)| flags.iter().chain([value])).copied().collect();
        let Some(search) = Search::of(basis, &wanted).filter(|_| !pairs.is_empty()) else { return Self::default() };
        let mut published = Self::default();
        for (value, flags) in pairs {
            let flag = |calls| flags.iter().find(|flag| search.publishes(**flag, value, calls));
            if let Some(flag) = flag(Calls::Followed) {
                published.fields.insert(value, *flag);
            } else if flag(Calls::Ignored).is_some() {
                published.nearly.insert(value);
            }
        }
        published
    }
}

/// What is thought of calls between the look at the flag and the write of the value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// They may set the flag or wait, if what they run does.
    Followed,
    /// They do neither.
    Ignored,
}

/// Plain fields of objects, each with the volatile ones of the class.
fn pairs(program: &Program, reflected: &FxHashSet<FieldId>) -> Vec<(FieldId, Vec<FieldId>)> {
    let is_hidden = |field: &FieldId| {
        let data = program.field(*field);
        !data.is_static() && !data.is_final() && data.access & (flag::PUBLIC | flag::PROTECTED) == 0
    };
    let texts = texts(program);
    let is_named = |field: &FieldId| {
        let data = program.field(*field);
        reflected.contains(field) || texts.contains(&(package(&program.class_name(data.class)).to_owned(), data.name))
    };
    let mut pairs = Vec::new();
    for class in program.application() {
        let fields = program.fields_of(class).filter(|field| is_hidden(field) && !is_named(field));
        let (flags, values): (Vec<FieldId>, Vec<FieldId>) =
            fields.partition(|field| program.field(*field).is_volatile());
        if !flags.is_empty() {
            pairs.extend(values.into_iter().map(|value| (value, flags.clone())));
        }
    }
    pairs
}

/// The constant texts of each package.
fn texts(program: &Program) -> FxHashSet<(String, Name)> {
    let of_class = |class| {
        let package = package(&program.class_name(class)).to_owned();
        let texts = program.constants(class).iter().filter_map(|constant| match constant {
            Constant::String(text) => Some(*text),
            _ => None,
        });
        texts.map(|text| (package.clone(), text)).collect::<Vec<_>>()
    };
    program.application().flat_map(of_class).collect()
}

fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

/// One access to a field that matters.
struct Use<'a> {
    instance: InstanceId,
    access: &'a Access,
    base: Local,
}

struct Search<'a> {
    basis: Basis<'a>,
    uses: BTreeMap<FieldId, Vec<Use<'a>>>,
    bodies: BTreeMap<CodeId, Body>,
    callers: Vec<Vec<usize>>,
    triggers: Triggers,
    /// Instances that wait for a condition, or call what does.
    waits: Vec<bool>,
}

impl<'a> Search<'a> {
    /// None if no such field is used.
    fn of(basis: Basis<'a>, wanted: &FxHashSet<FieldId>) -> Option<Self> {
        let points_to = basis.points_to;
        let mut uses: BTreeMap<FieldId, Vec<Use<'a>>> = BTreeMap::new();
        let mut bodies = BTreeMap::new();
        for instance in points_to.instances() {
            let code = points_to.code(instance);
            for access in &code.accesses {
                let (Slot::Field(field), Some(base)) = (access.slot, access.base) else { continue };
                if !wanted.contains(&field) {
                    continue;
                }
                uses.entry(field).or_default().push(Use { instance, access, base });
                let method = code.method.filter(|_| code.lambda.is_none() && code.mirrors.is_none());
                let body = || method.and_then(|method| Body::of(basis.program, method)?.ok());
                if let std::collections::btree_map::Entry::Vacant(unknown) = bodies.entry(points_to.code_id(instance)) {
                    body().map(|body| unknown.insert(body));
                }
            }
        }
        if uses.is_empty() {
            return None;
        }
        let mirrored = |instance| points_to.code(instance).mirrors;
        for mirror in points_to.instances().filter_map(mirrored) {
            if let Site::Field(field) = mirror {
                uses.remove(&field);
            }
        }
        let triggers = Triggers::of(basis.program, points_to, |class| basis.program.class(class).is_application);
        let callers = callers(basis.program, points_to, &triggers);
        let waiting = points_to.instances().filter(|instance| {
            let mut sites = points_to.code(*instance).calls.iter();
            sites.any(|site| waits(basis.program, site))
        });
        let waits = leading_to(&callers, waiting.map(InstanceId::index).collect());
        Some(Self { basis, uses, bodies, callers, triggers, waits })
    }

    /// Whether the flag publishes the value.
    fn publishes(&self, flag: FieldId, value: FieldId, calls: Calls) -> bool {
        let Some((flags, values)) = self.uses.get(&flag).zip(self.uses.get(&value)) else { return false };
        let is_known = |of: &Use<'_>| self.bodies.contains_key(&self.basis.points_to.code_id(of.instance));
        if !flags.iter().chain(values).all(is_known) {
            return false;
        }
        let sets: Vec<&Use<'_>> = flags.iter().filter(|of| of.access.write && self.counts(of)).collect();
        let values: Vec<&Use<'_>> = values.iter().filter(|of| self.counts(of)).collect();
        let Some(flag) = self.flag(flag, &sets) else { return false };
        let writes = values.iter().filter(|of| of.access.write);
        let mut locks: Option<BTreeSet<OwnLock>> = None;
        for of in sets.iter().chain(writes) {
            let own = self.exclusive(of);
            locks = Some(locks.map_or_else(|| own.clone(), |locks| locks.intersection(&own).cloned().collect()));
        }
        let mut locks = locks.into_iter().flatten();
        locks.any(|lock| values.iter().all(|of| self.is_ordered(flag, &lock, (&sets, calls), of)))
    }

    fn counts(&self, of: &Use<'_>) -> bool {
        (self.basis.counts)(of.instance, of.access)
    }

    fn body(&self, of: &Use<'_>) -> &Body {
        &self.bodies[&self.basis.points_to.code_id(of.instance)]
    }

    /// The flag as all that write it mean it; none if one does not set it, or nothing does.
    fn flag(&self, field: FieldId, sets: &[&Use<'_>]) -> Option<Flag<'a>> {
        let program = self.basis.program;
        let ty = program.field(field).ty;
        let stored = |of: &Use<'_>| match self.body(of).op(of.access.at) {
            Op::PutField(_, _, stored) => Some(origin(self.body(of), *stored)),
            _ => None,
        };
        let constant = |of: &Use<'_>| match self.body(of).op(stored(of)?) {
            Op::GetStatic(member) => program.resolve_field(program.member(*member)),
            _ => None,
        };
        let named = constant(sets.first()?).filter(|constant| program.field(*constant).is_final());
        let set = match named {
            _ if !ty.is_reference() => Set::NotZero,
            Some(constant) => Set::Is(constant),
            None => Set::NotNull,
        };
        let flag = Flag { program, field, set };
        let sets_it = |of: &&Use<'_>| stored(of).is_some_and(|stored| flag.is_set_by(self.body(of), stored));
        sets.iter().all(sets_it).then_some(flag)
    }

    /// The locks of the object itself that are held.
    fn own(&self, instance: InstanceId, access: &Access) -> Vec<OwnLock> {
        let base = access.base.map(|base| self.basis.guards.own(self.basis.points_to, instance, base, &access.held));
        base.unwrap_or_default()
    }

    fn exclusive(&self, of: &Use<'_>) -> BTreeSet<OwnLock> {
        self.own(of.instance, of.access).into_iter().filter(|lock| !lock.shared).collect()
    }

    /// Whether an access to the value is as the rule wants it.
    fn is_ordered(&self, flag: Flag<'_>, lock: &OwnLock, (sets, followed): (&[&Use<'_>], Calls), of: &Use<'_>) -> bool {
        let is_it = |own: &OwnLock| own.fields == lock.fields && own.monitor == lock.monitor;
        if !of.access.write && self.own(of.instance, of.access).iter().any(is_it) {
            return true;
        }
        let (points_to, body) = (self.basis.points_to, self.body(of));
        let code = points_to.code(of.instance);
        let begins = |read: Value| {
            let mut reads = code.accesses.iter().filter(|access| access.at == read);
            reads.all(|access| self.own(of.instance, access).contains(lock))
        };
        let setting = self.setting(sets, of);
        let runs = |instance: InstanceId| {
            followed == Calls::Followed && (setting[instance.index()] || self.waits[instance.index()])
        };
        let ends = |at: Value| {
            let is_call = matches!(body.op(at), Op::Invoke(..) | Op::InvokeDynamic(..));
            is_call && self.ends(of.instance, at, &runs)
                || used(self.basis.program, body, at).is_some_and(|class| self.is_ended_by(class, &runs))
        };
        let mut is_ordered = false;
        let Some(base) = base(body, of.access.at) else { return false };
        Looks::of(flag, body, &begins, &ends).for_each(|value, facts| {
            let wanted = if of.access.write { Fact::IsUnset(base) } else { Fact::IsSet(base) };
            is_ordered |= value == of.access.at && facts.contains(&wanted);
        });
        is_ordered
    }

    /// What sets the flag of an object that is accessed, or leads to it, by instance.
    fn setting(&self, sets: &[&Use<'_>], of: &Use<'_>) -> Vec<bool> {
        let points_to = self.basis.points_to;
        let objects = points_to.local(of.instance, of.base);
        let may_be = |set: &&&Use<'_>| points_to.local(set.instance, set.base).intersects(objects);
        leading_to(&self.callers, sets.iter().filter(may_be).map(|set| set.instance.index()).collect())
    }

    /// Whether the first use of a class runs what ends a look at the flag.
    fn is_ended_by(&self, class: ClassId, runs: &impl Fn(InstanceId) -> bool) -> bool {
        self.triggers.of_class(self.basis.program, class).any(|(_, initializer)| runs(initializer))
    }

    /// Whether a call ends a look at the flag.
    fn ends(&self, instance: InstanceId, call: Value, runs: &impl Fn(InstanceId) -> bool) -> bool {
        let Basis { program, points_to, .. } = self.basis;
        let of_call = |site: &CallSite| site.at == call;
        let changes = |site: &CallSite| {
            let is_lock = locks::effect(program, site.method).is_some()
                || locks::stamped(program, site.method).is_some()
                || locks::may_release(program, site.method);
            is_lock || site.gives_back_own || waits(program, site)
        };
        let code = points_to.code(instance);
        code.calls.iter().filter(|site| of_call(site)).any(changes)
            || calls(points_to, instance)
                .filter(|(site, _)| of_call(site) && !site.is_fork)
                .any(|(_, edges)| edges.iter().any(|edge| runs(edge.callee)))
    }
}

/// Who leads to each instance in the same thread, by calls and as the first user of a class.
fn callers(program: &Program, points_to: &PointsTo, triggers: &Triggers) -> Vec<Vec<usize>> {
    let mut callers = vec![Vec::new(); points_to.instances().count()];
    for caller in points_to.instances() {
        let used = triggers.in_code(program, points_to.code(caller)).map(|(_, initializer)| initializer);
        points_to.callees(caller).chain(used).for_each(|callee| callers[callee.index()].push(caller.index()));
    }
    callers
}

/// Whether a call gives up a lock until a condition is signalled.
fn waits(program: &Program, site: &CallSite) -> bool {
    let method = program.method(site.method);
    let (class, name) = (program.class(method.class).name, program.names().text(method.name));
    let is_of_locks = || program.class_name(method.class).starts_with("java/util/concurrent/locks/");
    class == Name::OBJECT && name.starts_with("wait") || name.starts_with("await") && is_of_locks()
}

/// The object of an access.
fn base(body: &Body, at: Value) -> Option<Value> {
    match body.op(at) {
        Op::GetField(of, _) | Op::PutField(of, ..) => Some(origin(body, *of)),
        _ => None,
    }
}
