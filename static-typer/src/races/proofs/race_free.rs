//! The other side of the search: fields and accesses of which no race was found, for the focus set.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op};
use crate::points_to::{Access, Code, Framework, Global, InstanceId, PointsTo, Slot};
use crate::program::{ClassId, FieldId, MethodId, Program, Type};
use crate::races::initialization::effects::Effects;
use crate::races::initialization::triggers::Triggers;
use crate::races::pairs::variable::{Racy, Variable};
use crate::races::search::Races;
use crate::types::{Owner, Types, Unseen};

/// What has no race.
#[derive(Clone, Default, Debug)]
pub struct RaceFree {
    /// Fields of the application.
    pub fields: FxHashSet<FieldId>,
    /// Accesses to arrays and to fields of objects, by method: offsets of their instructions, sorted. All accesses to a field
    /// or to the elements of one object are here or none is, for a lock set is what all of them have in common.
    pub accesses: FxHashMap<MethodId, Vec<u16>>,
    /// The methods of the application that are called, if it is by a search: it counts on the others never to run.
    pub called: Option<FxHashSet<MethodId>>,
    /// Fields that are accessed where no object was found: any may be meant.
    pub lost: BTreeSet<FieldId>,
    /// Fields with flags that order other accesses.
    pub flags: FxHashSet<FieldId>,
    /// What may be reached unseen, as far as it is by types.
    pub unseen: Option<Unseen>,
    /// The test frameworks that run the program: what they do is not followed, so nothing is found out about their classes.
    pub framework: Framework,
}

impl RaceFree {
    /// What types prove, as far as owners are wanted.
    #[must_use]
    pub fn by_types(types: &Types, is_wanted: impl Fn(&Owner) -> bool) -> Self {
        let typed = types.fields.iter().filter(|field| field.owner.as_ref().is_some_and(&is_wanted));
        let fields = typed.map(|field| field.field).collect();
        Self { fields, accesses: types.arrays.clone(), unseen: Some(types.unseen.clone()), ..Self::default() }
    }

    /// What is left when the races are taken away. Code that no thread reaches is not judged, nor that of test frameworks, if
    /// they run the program.
    #[must_use]
    pub fn by_search(
        program: &Program,
        points_to: &PointsTo,
        races: &Races,
        framework: Framework,
        reflected: &FxHashSet<FieldId>,
    ) -> Self {
        let methods = methods(program, points_to);
        let mut lost = Lost::of(points_to, &methods);
        // What it follows of reflection may not be all that there is.
        lost.fields.extend(reflected);
        let ours = |class: &ClassId| !framework.has(*class);
        let fields = program.application().filter(ours).flat_map(|class| program.fields_of(class));
        let mut racy = lost.join(points_to, &races.racy);
        // What a framework gets, it may go through.
        racy.entry(Variable::Element).or_default().insert_all(points_to.global(Global::Pool));
        let triggers = Triggers::of(program, points_to, |_| true);
        let mut shared = races.escaping.clone();
        shared.insert_all(points_to.global(Global::Pool));
        Effects::of(program, points_to, &races.threads, &triggers).join(&shared, &mut racy);
        let is_free = |field: &FieldId| !racy.contains_key(&Variable::Field(*field)) && !lost.fields.contains(field);
        let methods = methods.iter().filter(|method| ours(&program.method(method.body.method).class));
        let accesses = methods.map(|method| (method.body.method, method.offsets(points_to, &lost, &racy)));
        Self {
            fields: fields.filter(is_free).collect(),
            accesses: accesses.filter(|(_, offsets)| !offsets.is_empty()).collect(),
            called: Some(called(points_to)),
            lost: lost.fields,
            flags: races.flags.clone(),
            framework,
            unseen: None,
        }
    }
}

fn called(points_to: &PointsTo) -> FxHashSet<MethodId> {
    let codes = points_to.instances().map(|instance| points_to.code(instance));
    codes.filter(|code| code.lambda.is_none()).filter_map(|code| code.method).collect()
}

/// A method of the application in all its contexts.
struct Method<'a> {
    body: Body,
    code: &'a Code,
    instances: Vec<InstanceId>,
}

fn methods<'a>(program: &Program, points_to: &'a PointsTo) -> Vec<Method<'a>> {
    let mut instances: BTreeMap<MethodId, Vec<InstanceId>> = BTreeMap::new();
    for instance in points_to.instances() {
        let code = points_to.code(instance);
        if let Some(method) = code.method.filter(|_| code.is_checked && code.lambda.is_none()) {
            instances.entry(method).or_default().push(instance);
        }
    }
    let method = |(method, instances): (MethodId, Vec<InstanceId>)| {
        let body = Body::of(program, method)?.ok()?;
        Some(Method { body, code: points_to.code(*instances.first()?), instances })
    };
    instances.into_iter().filter_map(method).collect()
}

impl Method<'_> {
    /// The accesses, in all contexts, to none of the racy objects.
    fn offsets(&self, points_to: &PointsTo, lost: &Lost, racy: &Racy) -> Vec<u16> {
        // An instruction of a subroutine stands for several, of which each must be safe.
        let mut is_safe: BTreeMap<u16, bool> = BTreeMap::new();
        for access in &self.code.accesses {
            // What calls do to arrays stays checked.
            let is_call = matches!(self.body.op(access.at), Op::Invoke(..));
            let variable = match access.slot {
                Slot::Element if !is_call => Variable::Element,
                Slot::Field(field) if access.base.is_some() && !lost.fields.contains(&field) => Variable::Field(field),
                _ => continue,
            };
            // Other fields are race-free as a whole.
            let Some(racy) = racy.get(&variable) else { continue };
            let may_race = self.any(access, |instance, base| points_to.local(instance, base).intersects(racy));
            *is_safe.entry(self.body.instruction(access.at).at).or_insert(true) &= !may_race;
        }
        is_safe.into_iter().filter(|(_, is_safe)| *is_safe).map(|(offset, _)| offset).collect()
    }

    fn any(&self, access: &Access, holds: impl Fn(InstanceId, crate::points_to::Local) -> bool) -> bool {
        access.base.is_some_and(|base| self.instances.iter().any(|instance| holds(*instance, base)))
    }
}

/// Variables with an access to no object at all. It is never run, or the objects have come a way that was not seen: then any
/// may be meant.
#[derive(Default)]
struct Lost {
    fields: BTreeSet<FieldId>,
    arrays: BTreeSet<Type>,
}

impl Lost {
    fn of(points_to: &PointsTo, methods: &[Method<'_>]) -> Self {
        let mut lost = Self::default();
        for method in methods {
            for access in &method.code.accesses {
                let is_found = method.any(access, |instance, base| !points_to.local(instance, base).is_empty());
                if access.base.is_some() && !is_found {
                    lost.add(access);
                }
            }
        }
        lost
    }

    fn add(&mut self, access: &Access) {
        match access.slot {
            Slot::Field(field) => _ = self.fields.insert(field),
            // What is no array by its type may be any.
            Slot::Element => {
                self.arrays.extend(access.array.map(|ty| if ty.dimensions > 0 { ty } else { Type::NULL }));
            }
            _ => {}
        }
    }

    /// The objects that may race, and arrays that may.
    fn join(&self, points_to: &PointsTo, racy: &Racy) -> Racy {
        let mut all = racy.clone();
        let arrays = all.entry(Variable::Element).or_default();
        for object in points_to.objects.iter().filter(|object| self.has_array(points_to.objects.ty(*object))) {
            arrays.insert(object);
        }
        all
    }

    /// Whether an array may be one of those. Arrays of references go by many types.
    fn has_array(&self, ty: Type) -> bool {
        let may_be = |lost: &Type| {
            let holds_references = |array: &Type| array.element().is_some_and(Type::is_reference);
            *lost == ty || *lost == Type::NULL || holds_references(lost) && holds_references(&ty)
        };
        ty.dimensions > 0 && self.arrays.iter().any(may_be)
    }
}
