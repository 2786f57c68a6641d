//! Infers the owner of each field.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, FieldId, MethodId, Program, Type};

use super::accesses::Accesses;
use super::bodies::Bodies;
use super::calls::CallGraph;
use super::confined::Confinement;
use super::entries::Entries;
use super::errors::Typed;
use super::families::Code;
use super::final_expressions::Paths;
use super::flows::Flows;
use super::handed_over::HandedOver;
use super::judge::Judge;
use super::obstacle::Obstacle;
use super::origin::origin;
use super::owned::Owned;
use super::owner::FieldType;
use super::releases::Others;
use super::state::Context;
use super::summary::Summaries;
use super::threads::Threads;
use super::type_error::TypeError;
use super::unseen::Unseen;

/// The types of a program.
#[derive(Debug)]
pub struct Types {
    /// Every field of the application, in the order of classes.
    pub fields: Vec<FieldType>,
    /// Array accesses that cannot race, by method: offsets of their instructions, sorted.
    pub arrays: FxHashMap<MethodId, Vec<u16>>,
    /// How many array accesses there are.
    pub n_arrays: usize,
    /// Where the code does not do what its annotations say.
    pub errors: Vec<TypeError>,
    /// Why objects that others keep have no owner, by class: the first instruction that lets one go elsewhere.
    pub leaks: FxHashMap<ClassId, (MethodId, Value)>,
    /// Array accesses that may race.
    pub unsafe_arrays: Vec<UnsafeArray>,
    /// What the proofs take to be reached by more than instructions.
    pub unseen: Unseen,
    /// Which objects have come to another thread by a race.
    pub(crate) handed_over: HandedOver,
    /// How values flow between types.
    pub(super) flows: Flows,
    /// Whether clients may make objects and run methods.
    pub(super) has_clients: bool,
}

/// An array access that may race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsafeArray {
    /// Where.
    pub method: MethodId,
    /// The instruction.
    pub value: Value,
    /// The type of the array.
    pub ty: Type,
    /// What stands in the way, a way each.
    pub obstacles: Vec<Obstacle>,
}

impl Types {
    /// Infers the types of an application: of a program with a `main`, or else of a library.
    #[must_use]
    pub fn infer(program: &Program, bodies: &Bodies) -> Self {
        Self::infer_in(program, bodies, program.main_methods().is_empty(), Others::GiveBack)
    }

    /// Infers types of which clients may make objects and run methods in any thread, though something has a `main`.
    #[must_use]
    pub fn infer_for_clients(program: &Program, bodies: &Bodies) -> Self {
        Self::infer_in(program, bodies, true, Others::GiveBack)
    }

    /// The types that the program would have, were all true that nobody can see in its code: that what is not analysed gives back no lock
    /// which it has not taken, and that no object has been handed over by a race. They prove nothing; what is wrong by them is to be seen.
    #[must_use]
    pub fn believed(&self, program: &Program, bodies: &Bodies) -> Self {
        Self::infer_in(program, bodies, self.has_clients, Others::Believed)
    }

    fn infer_in(program: &Program, bodies: &Bodies, has_clients: bool, others: Others) -> Self {
        let calls = CallGraph::in_world(program, bodies, has_clients);
        let summaries = Summaries::beside(program, &calls, bodies, others);
        let is_final = |field: FieldId| calls.keeps_value(program, field);
        let paths = |body: &Body| Paths::of(program, &calls, summaries.getters(), &is_final, body);
        let owned = Owned::of(Code { program, calls: &calls, summaries: &summaries }, bodies, &paths);
        let flows = Flows::of(Code { program, calls: &calls, summaries: &summaries }, bodies, has_clients);
        let handed_over = match others {
            Others::GiveBack => HandedOver::of(program, &flows),
            Others::Believed => HandedOver::default(),
        };
        let context =
            Context { program, calls: &calls, summaries: &summaries, owned: &owned, handed_over: &handed_over };
        let entries = Entries::of(context, bodies, &paths);
        let accesses = Accesses::of(context, bodies, &entries, &paths);
        let confinement = Confinement::of(program, &flows, &|_| true);
        let threads = Threads::of(program, &calls, bodies, has_clients, &|_| true);
        let judge = Judge {
            program,
            calls: &calls,
            accesses: &accesses,
            confinement: &confinement,
            threads: &threads,
            owned: &owned,
        };
        let fields = program.application().flat_map(|class| program.fields_of(class));
        let fields: Vec<FieldType> = fields.map(|field| judge.field(field)).collect();
        let typed =
            Typed { context, bodies, entries: &entries, accesses: &accesses, fields: &fields, others, paths: &paths };
        let errors = typed.errors();
        let leak = |class: ClassId| Some((class, owned.leak(program.class(class).name)?.at?));
        let leaks = program.application().filter_map(leak).collect();
        let unseen = Unseen::of(context, bodies, &confinement, &fields);
        let mut types = Self {
            fields,
            arrays: FxHashMap::default(),
            n_arrays: 0,
            errors,
            leaks,
            unsafe_arrays: Vec::new(),
            unseen,
            handed_over: HandedOver::default(),
            flows,
            has_clients,
        };
        for body in bodies.iter() {
            types.add_arrays(context, &confinement, &threads, body);
        }
        Self { handed_over, ..types }
    }

    /// The fields that could not be proved race-free.
    pub fn unsafe_fields(&self) -> impl Iterator<Item = &FieldType> {
        self.fields.iter().filter(|field| field.owner.is_none())
    }

    fn add_arrays(&mut self, context: Context<'_>, confinement: &Confinement, threads: &Threads, body: &Body) {
        let accesses: Vec<(Value, Value)> =
            body.all_values().filter_map(|value| Some((value, array(body, value)?))).collect();
        if accesses.is_empty() {
            return;
        }
        self.n_arrays += accesses.len();
        let escaping = escaping(context, body);
        let is_local = |array: Value| is_new(body, array) && !escaping.contains(&array);
        let is_safe = |(_, array): &(Value, Value)| {
            let ty = body.instruction(*array).ty;
            !threads.several || is_local(origin(body, *array)) || ty != Type::NULL && confinement.confines(ty)
        };
        let (safe, others): (Vec<_>, Vec<_>) = accesses.into_iter().partition(is_safe);
        self.unsafe_arrays.extend(others.into_iter().map(|(value, array)| {
            let ty = body.instruction(array).ty;
            UnsafeArray { method: body.method, value, ty, obstacles: confinement.obstacles_of(ty) }
        }));
        let mut offsets: Vec<u16> = safe.into_iter().map(|(value, _)| body.instruction(value).at).collect();
        offsets.sort_unstable();
        offsets.dedup();
        // An instruction of a subroutine stands for several, of which each must be safe.
        if !offsets.is_empty() {
            self.arrays.insert(body.method, offsets);
        }
    }
}

fn array(body: &Body, value: Value) -> Option<Value> {
    match body.op(value) {
        Op::LoadElement(array, _) | Op::StoreElement(array, _, _) => Some(*array),
        _ => None,
    }
}

fn is_new(body: &Body, value: Value) -> bool {
    matches!(body.op(value), Op::NewArray(_) | Op::NewArrays(_))
}

fn escaping(context: Context<'_>, body: &Body) -> FxHashSet<Value> {
    let mut escaping = FxHashSet::default();
    for value in body.all_values() {
        context.summaries.for_each_escape(context.program, context.calls, body, value, &mut |escaped| {
            escaping.insert(origin(body, escaped));
        });
    }
    escaping
}
