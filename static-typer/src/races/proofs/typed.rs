//! What static types prove, for the search to leave out: fields, and accesses to objects that no other thread reaches yet.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::points_to::{Code, PointsTo, Site};
use crate::program::{FieldId, MemberRef, MethodId, Program};
use crate::types::{Access, Bodies, Guard, Owner, Types};

/// What is proved.
#[derive(Clone, Default, Debug)]
pub struct Proofs {
    fields: FxHashSet<FieldId>,
    accesses: FxHashSet<(MethodId, Value)>,
    /// How many accesses of each field hold the lock that most of them hold, writes among them, and how many there are.
    shares: FxHashMap<FieldId, (usize, usize)>,
    /// Fields that reflection or handles access.
    pub reflected: FxHashSet<FieldId>,
}

impl Proofs {
    /// Infers types. Clients of a library (`is_open`) have other threads than its own.
    #[must_use]
    pub fn of(program: &Program, is_open: bool) -> Self {
        let bodies = Bodies::of(program);
        let infer = if is_open { Types::infer_for_clients } else { Types::infer };
        Self::by_types(program, &bodies, &infer(program, &bodies), is_open)
    }

    /// The same of types that are inferred already, for clients or not.
    #[must_use]
    pub fn by_types(program: &Program, bodies: &Bodies, types: &Types, is_open: bool) -> Self {
        let holds = |owner: &Owner| !is_open || *owner != Owner::MainThread;
        let proved = types.fields.iter().filter(|field| field.owner.as_ref().is_some_and(holds));
        let reflected = types.unseen.fields.clone();
        let mut proofs = Self { fields: proved.map(|field| field.field).collect(), reflected, ..Self::default() };
        proofs.shares = types.fields.iter().map(|field| (field.field, share(&field.accesses))).collect();
        let shared = types.fields.iter().flat_map(|field| &field.accesses);
        let shared: FxHashSet<(MethodId, Value)> = shared.map(|access| (access.method, access.value)).collect();
        let unknown = types.fields.iter().any(|field| field.is_unknown);
        for body in bodies.iter().filter(|_| !unknown) {
            let own = own_fields(program, body).map(|at| (body.method, at));
            proofs.accesses.extend(own.filter(|access| !shared.contains(access)));
        }
        for body in bodies.iter() {
            let offsets = types.arrays.get(&body.method).map_or(&[][..], Vec::as_slice);
            let is_free = |at: &Value| offsets.binary_search(&body.instruction(*at).at).is_ok();
            proofs.accesses.extend(elements(body).filter(is_free).map(|at| (body.method, at)));
        }
        proofs
    }

    /// What still holds: types know what look-ups by constants find, and the search follows more, so nothing does if it uses members of
    /// the application.
    #[must_use]
    pub fn beside_reflection(&self, program: &Program, points_to: &PointsTo) -> Cow<'_, Self> {
        let codes = points_to.instances().map(|instance| points_to.code(instance));
        // The JDK itself asks classes for constants of enums only, which are in static fields.
        let asks_for_constants = |code: &Code| {
            let is_of_jdk = code.method.is_some_and(|method| program.is_of_jdk(program.method(method).class));
            is_of_jdk && matches!(code.mirrors, Some(Site::Class(_)))
        };
        let mut mirrors = codes.filter(|code| code.mirrors.is_some() && !asks_for_constants(code));
        let is_used = |code: &Code| match code.mirrors {
            Some(Site::Field(field)) => program.class(program.field(field).class).is_application,
            _ => code.calls.iter().any(|site| program.class(program.method(site.method).class).is_application),
        };
        if mirrors.any(is_used) { Cow::Owned(Self::default()) } else { Cow::Borrowed(self) }
    }

    /// Whether a field never races.
    #[must_use]
    pub fn has_field(&self, field: FieldId) -> bool {
        self.fields.contains(&field)
    }

    /// How many accesses to a field hold the lock that most of them hold, writes among them, and how many there are.
    #[must_use]
    pub fn share(&self, field: FieldId) -> (usize, usize) {
        self.shares.get(&field).copied().unwrap_or_default()
    }

    /// Whether no other thread reaches what an instruction accesses.
    #[must_use]
    pub fn has_access(&self, method: MethodId, at: Value) -> bool {
        self.accesses.contains(&(method, at))
    }
}

/// A lock that no write holds is there for something else.
fn share(accesses: &[Access]) -> (usize, usize) {
    let written: FxHashSet<&Guard> =
        accesses.iter().filter(|access| access.write).flat_map(|access| &access.guards).collect();
    let mut counts: FxHashMap<&Guard, usize> = FxHashMap::default();
    for guard in accesses.iter().flat_map(|access| &access.guards).filter(|guard| written.contains(guard)) {
        *counts.entry(guard).or_default() += 1;
    }
    (counts.into_values().max().unwrap_or_default(), accesses.len())
}

/// Accesses to fields of the application. Types say nothing of those of libraries, as Kotlin has for captured variables.
fn own_fields<'a>(program: &'a Program, body: &'a Body) -> impl Iterator<Item = Value> + 'a {
    let is_own = |member: MemberRef| {
        let field = program.resolve_field(program.member(member));
        field.is_some_and(|field| program.class(program.field(field).class).is_application)
    };
    body.all_values().filter(move |at| match body.op(*at) {
        Op::GetField(_, member) | Op::PutField(_, member, _) => is_own(*member),
        _ => false,
    })
}

fn elements(body: &Body) -> impl Iterator<Item = Value> + '_ {
    body.all_values().filter(|at| matches!(body.op(*at), Op::LoadElement(..) | Op::StoreElement(..)))
}
