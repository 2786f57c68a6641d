//! The owner of each field: the ways to a proof are tried in turn, and where none is open, what closes each is told.

use crate::program::{FieldId, Program};

use super::accesses::{Access, Accesses, Guard};
use super::calls::CallGraph;
use super::common::common;
use super::confined::Confinement;
use super::obstacle::{Cause, Obstacle, Way};
use super::owned::Owned;
use super::owner::{FieldType, Owner};
use super::threads::Threads;

/// What owners are judged by.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// The program.
    pub program: &'a Program,
    /// What is accessed by reflection other than by instructions.
    pub calls: &'a CallGraph,
    /// The accesses to objects that other threads may reach.
    pub accesses: &'a Accesses,
    /// What other threads reach.
    pub confinement: &'a Confinement,
    /// What they run.
    pub threads: &'a Threads,
    /// Whose objects others own.
    pub owned: &'a Owned,
}

/// An owner, or why it is none.
type Tried = Result<Owner, Vec<Obstacle>>;

impl Judge<'_> {
    /// The type of a field.
    #[must_use]
    pub fn field(self, field: FieldId) -> FieldType {
        let is_unknown = self.accesses.unknown.contains(&field);
        let is_reflected = self.calls.reflected().fields.contains(&field);
        let data = self.program.field(field);
        let tried = match () {
            () if data.is_final() => Ok(Owner::Final),
            () if data.is_volatile() => Ok(Owner::Volatile),
            () if is_unknown => Err(vec![Obstacle { way: Way::Lock, cause: Cause::Unknown, at: None }]),
            () if is_reflected => Err(vec![Obstacle { way: Way::Lock, cause: Cause::Reflected, at: None }]),
            () => self.mutable(field),
        };
        let (owner, obstacles) = match tried {
            Ok(owner) => (Some(owner), Vec::new()),
            Err(obstacles) => (None, obstacles),
        };
        FieldType { field, owner, accesses: self.accesses.get(field).to_vec(), obstacles, is_unknown, is_reflected }
    }

    fn mutable(self, field: FieldId) -> Tried {
        let ways = [Self::unwritten, Self::confined, Self::by_main, Self::guarded];
        let mut closed = Vec::new();
        for way in ways {
            match way(self, field) {
                Ok(owner) => return Ok(owner),
                Err(obstacles) => closed.extend(obstacles),
            }
        }
        Err(closed)
    }

    fn unwritten(self, field: FieldId) -> Tried {
        let all = self.accesses.get(field);
        if all.is_empty() {
            return Ok(Owner::Unique);
        }
        let mut writes = all.iter().filter(|access| access.write);
        let Some(first) = writes.clone().next() else { return Ok(Owner::ReadOnly) };
        let later = writes.find(|write| !self.constructs(field, write));
        let (cause, access) = later.map_or((Cause::Construction, first), |write| (Cause::Later, write));
        Err(vec![Obstacle { way: Way::Write, cause, at: Some((access.method, access.value)) }])
    }

    /// Whether an access is a constructor's of an object of its class.
    fn constructs(self, field: FieldId, access: &Access) -> bool {
        let [field, method] = [self.program.field(field).class, self.program.method(access.method).class];
        self.program.method(access.method).is_constructor() && self.program.is_subclass(method, field)
    }

    fn confined(self, field: FieldId) -> Tried {
        let obstacles = self.confinement.obstacles(self.program, field);
        if obstacles.is_empty() { Ok(Owner::ThisThread) } else { Err(obstacles) }
    }

    fn by_main(self, field: FieldId) -> Tried {
        let methods = self.accesses.get(field).iter().map(|access| access.method);
        self.threads.obstacle(methods).map_or(Ok(Owner::MainThread), |obstacle| Err(vec![obstacle]))
    }

    fn guarded(self, field: FieldId) -> Tried {
        let all = self.accesses.get(field);
        if let Some(guard) = common_guard(all) {
            return Ok(Owner::Guarded(guard));
        }
        let unlocked = all.iter().find(|access| access.guards.is_empty());
        let (cause, access) = match unlocked {
            Some(access) if all.iter().all(|access| access.guards.is_empty()) => (Cause::NoLock, Some(access)),
            Some(access) => (Cause::SomeUnlocked, Some(access)),
            None => (Cause::OtherLocks, all.first()),
        };
        let at = access.map(|access| (access.method, access.value));
        let owner = (!self.program.field(field).is_static()).then(|| self.unowned(field));
        Err([Obstacle { way: Way::Lock, cause, at }].into_iter().chain(owner).collect())
    }

    /// Why no owner's lock guards a field.
    fn unowned(self, field: FieldId) -> Obstacle {
        let class = self.program.class(self.program.field(field).class).name;
        let (cause, at) = match self.owned.leak(class) {
            Some(leak) => (leak.cause, leak.at),
            None if self.owned.has(class) => (Cause::Unheld, None),
            None => (Cause::Unkept, None),
        };
        Obstacle { way: Way::Owner, cause, at }
    }
}

/// The first lock that every access holds.
fn common_guard(accesses: &[Access]) -> Option<Guard> {
    let mut all = accesses.iter();
    let first = all.next()?.guards.clone();
    all.fold(first, |guards, access| common(&guards, &access.guards)).into_iter().next()
}
