//! Every access to a field of the application, with the locks that protect it.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::program::{Constant, FieldId, MemberRef, MethodId, Name, Program};

use super::bodies::Bodies;
use super::entries::Entries;
use super::final_expressions::Paths;
use super::path::{Path, Root};
use super::state::{Context, Entry, Held, Ownership, State, States, ownership};

/// A lock as it is seen from the object that it protects, or from that object's owner: the guard of a field (paper 002, section
/// 3).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard {
    /// From the accessed object (then the root is its first parameter), from its owner, or the same everywhere.
    pub path: Path,
    /// Whether it is the object's monitor.
    pub monitor: bool,
}

/// One access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// Where.
    pub method: MethodId,
    /// The instruction.
    pub value: Value,
    /// Whether it writes.
    pub write: bool,
    /// What could guard the field, as far as this access goes; sorted.
    pub guards: Vec<Guard>,
    /// Whether the method itself has taken the monitor of the accessed object, so that it is held whoever calls the method.
    pub takes_monitor: bool,
}

impl Guard {
    /// The monitor of the accessed object: the owner `self`.
    #[must_use]
    pub const fn of_object() -> Self {
        Self { path: Path::of(Root::Parameter(0)), monitor: true }
    }
}

impl Access {
    /// Whether the monitor of the accessed object is held.
    #[must_use]
    pub fn holds_monitor(&self) -> bool {
        self.guards.contains(&Guard::of_object())
    }
}

/// The accesses of each field.
#[derive(Debug, Default)]
pub struct Accesses {
    /// By field, in the order of methods; without those to objects that no other thread can reach.
    pub shared: FxHashMap<FieldId, Vec<Access>>,
    /// Fields that code accesses which could not be analysed.
    pub unknown: FxHashSet<FieldId>,
}

impl Accesses {
    /// Finds the accesses of every body.
    #[must_use]
    pub fn of(
        context: Context<'_>,
        bodies: &Bodies,
        entries: &Entries,
        paths: &(dyn Fn(&Body) -> Paths + Sync),
    ) -> Self {
        let found: Vec<Vec<(FieldId, Access)>> = bodies
            .all()
            .par_iter()
            .map(|body| of_body(context, body, &paths(body), &entries.get(body.method)))
            .collect();
        let mut accesses = Self { shared: FxHashMap::default(), unknown: unknown(context, bodies) };
        for (field, access) in found.into_iter().flatten() {
            accesses.shared.entry(field).or_default().push(access);
        }
        accesses
    }

    /// The accesses of a field.
    #[must_use]
    pub fn get(&self, field: FieldId) -> &[Access] {
        self.shared.get(&field).map_or(&[], Vec::as_slice)
    }
}

/// The accesses of a body that is entered like this.
fn of_body(context: Context<'_>, body: &Body, paths: &Paths, entry: &Entry) -> Vec<(FieldId, Access)> {
    let find = |entry: &Entry| {
        let mut found = Vec::new();
        States::of(context, body, paths, entry)
            .for_each(|value, state| found.extend(access(context, body, paths, value, state)));
        found
    };
    let mut found = find(entry);
    if !entry.held.is_empty() && found.iter().any(|(_, access)| access.takes_monitor) {
        // The same accesses in the same order.
        let alone = find(&Entry { held: Vec::new(), ..entry.clone() });
        for ((_, access), (_, alone)) in found.iter_mut().zip(alone) {
            access.takes_monitor = alone.takes_monitor;
        }
    }
    found
}

/// The access of an instruction, unless no other thread can reach the object. Whatever is held counts as taken by the method.
pub fn access(
    context: Context<'_>,
    body: &Body,
    paths: &Paths,
    value: Value,
    state: &State,
) -> Option<(FieldId, Access)> {
    let (object, member, write) = match body.op(value) {
        Op::GetField(object, member) => (Some(*object), *member, false),
        Op::PutField(object, member, _) => (Some(*object), *member, true),
        Op::GetStatic(member) => (None, *member, false),
        Op::PutStatic(member, _) => (None, *member, true),
        _ => return None,
    };
    let field = context.calls.field(member)?;
    let class = context.program.field(field).class;
    let initializes = object.is_none()
        && context.program.method(body.method).class == class
        && context.program.method(body.method).name == Name::CLINIT;
    if !context.program.class(class).is_application || initializes {
        return None;
    }
    let is_handed_over = context.handed_over.has_field(context.program, field);
    if !is_handed_over && object.is_some_and(|object| state.is_fresh(body, object)) {
        return None;
    }
    let owner = object.map_or(Ownership::Unknown, |object| ownership(context, body, paths, object, state));
    let owner = match owner {
        Ownership::Unowned | Ownership::New(_) if !is_handed_over => return None,
        Ownership::Owned(owner) => Some(owner),
        Ownership::Unowned | Ownership::New(_) | Ownership::Unknown => None,
    };
    let base = object.map(|object| paths.get(object));
    let named = |base: Option<&Path>, root| base.map(|base| (base.clone(), Path::of(root)));
    let bases = [named(base, Root::Parameter(0)), named(owner.as_ref(), Root::Owner(0))];
    let mut guards: Vec<Guard> = state.held.iter().flat_map(|held| guards(held, &bases, write)).collect();
    guards.sort_unstable();
    guards.dedup();
    let takes_monitor = guards.contains(&Guard::of_object());
    Some((field, Access { method: body.method, value, write, guards, takes_monitor }))
}

/// A lock as an object's guards, by each of the names that lead to it. One that readers share protects reads only.
fn guards(held: &Held, bases: &[Option<(Path, Path)>], write: bool) -> Vec<Guard> {
    if held.shared && write {
        return Vec::new();
    }
    let seen = bases.iter().flatten().filter_map(|(base, name)| name.then(held.path.from(base)?, held.path.half));
    let everywhere = held.path.is_global().then(|| held.path.clone());
    seen.chain(everywhere).map(|path| Guard { path, monitor: held.monitor }).collect()
}

/// What methods without a body may access, and what is named through a class that is missing.
fn unknown(context: Context<'_>, bodies: &Bodies) -> FxHashSet<FieldId> {
    let mut unknown = FxHashSet::default();
    for (method, _) in bodies.failures() {
        let class = context.program.method(*method).class;
        let members = context.program.constants(class).iter().filter_map(|constant| match constant {
            Constant::Member(member) => context.calls.field(*member),
            _ => None,
        });
        unknown.extend(members);
    }
    unknown.extend(unresolved(context.program, &|member| context.calls.field(member).is_some()));
    unknown
}

fn unresolved(program: &Program, is_resolved: &dyn Fn(MemberRef) -> bool) -> Vec<FieldId> {
    let open = program.members().filter(|(reference, member)| member.is_field && !is_resolved(*reference));
    let open: FxHashSet<Name> = open.map(|(_, member)| member.name).collect();
    let fields = program.application().flat_map(|class| program.fields_of(class));
    fields.filter(|field| open.contains(&program.field(*field).name)).collect()
}
