//! Idle locks: monitors and synchronized methods under which nothing runs that a run with a focus checks. Eraser asks which locks
//! are held at checked accesses only, so it need not know of these.
//!
//! Under a lock runs what its method does while it holds it ([`sections`]), and all that calls in it lead to in the same thread,
//! class initializers included; those of the JDK run nothing of the program, as everywhere in the search. What is not known
//! counts as checked. Locks of `java.util.concurrent` are never idle: what one method takes another one may give back.

use std::collections::{BTreeMap, BTreeSet};

use facts::models::{contents, inherited};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Call, Op, Value};
use crate::points_to::{CallSite, Dispatch, Framework, InstanceId, PointsTo};
use crate::program::{MemberRef, MethodId, Program, flag};
use crate::races::initialization::triggers::Triggers;
use crate::races::locks::sections::sections;
use crate::races::reach::leading;

use super::race_free::RaceFree;

/// Locks that need not be known to be held.
#[derive(Clone, Default, Debug)]
pub struct IdleLocks {
    /// Synchronized methods.
    pub methods: FxHashSet<MethodId>,
    /// The offsets of the instructions that take and release monitors, by method; sorted.
    pub monitors: FxHashMap<MethodId, Vec<u16>>,
}

impl IdleLocks {
    /// Finds them, where everything but what is proved is checked.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, framework: &Framework, proofs: &[&RaceFree]) -> Self {
        let (search, bodies) = Search::new(program, points_to, framework, proofs, false);
        let mut idle = Self::default();
        for (method, (body, instances)) in &bodies {
            if let Some(body) = body {
                search.method(*method, body, instances, &mut idle);
            }
        }
        idle
    }
}

/// Methods no execution of which does anything that is recorded for transactions, where all accesses but those that are proved
/// are: none of their own, none that calls lead to, and no start of a thread. Such a transaction is broken by nobody.
#[must_use]
pub fn idle_transactions(
    program: &Program,
    points_to: &PointsTo,
    framework: &Framework,
    proofs: &[&RaceFree],
) -> FxHashSet<MethodId> {
    let (search, bodies) = Search::new(program, points_to, framework, proofs, true);
    let is_idle = |instances: &[InstanceId]| !instances.iter().any(|instance| search.is_active[instance.index()]);
    bodies.iter().filter(|(_, (_, instances))| is_idle(instances)).map(|(method, _)| *method).collect()
}

/// The methods outside of the JDK that are called: their code, none if it cannot be read, and their instances.
type Bodies = BTreeMap<MethodId, (Option<Body>, Vec<InstanceId>)>;

struct Search<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    framework: &'a Framework,
    proofs: &'a [&'a RaceFree],
    triggers: Triggers,
    /// Whether what matters to transactions counts: volatile accesses, maps for several threads and starts of threads, too.
    for_transactions: bool,
    /// Instances that check, or lead to what does.
    is_active: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        framework: &'a Framework,
        proofs: &'a [&'a RaceFree],
        for_transactions: bool,
    ) -> (Self, Bodies) {
        let triggers = Triggers::of(program, points_to, |class| !program.is_of_jdk(class));
        let mut search =
            Self { program, points_to, framework, proofs, triggers, for_transactions, is_active: Vec::new() };
        let bodies = search.bodies();
        search.is_active = search.active(&bodies);
        (search, bodies)
    }

    fn bodies(&self) -> Bodies {
        let mut bodies = Bodies::new();
        for instance in self.points_to.instances() {
            if let Some(method) = self.method_of(instance) {
                let body = || Body::of(self.program, method).and_then(Result::ok);
                bodies.entry(method).or_insert_with(|| (body(), Vec::new())).1.push(instance);
            }
        }
        bodies
    }

    /// The method outside of the JDK whose own code an instance runs.
    fn method_of(&self, instance: InstanceId) -> Option<MethodId> {
        let code = self.points_to.code(instance);
        let method = code.method.filter(|_| code.lambda.is_none() && code.mirrors.is_none())?;
        (!self.program.is_of_jdk(self.program.method(method).class)).then_some(method)
    }

    fn active(&self, bodies: &Bodies) -> Vec<bool> {
        let starts =
            |instance| self.for_transactions && self.points_to.code(instance).calls.iter().any(|site| site.is_fork);
        let mut checks: Vec<bool> = self.points_to.instances().map(starts).collect();
        for (method, (body, instances)) in bodies {
            let is_theirs = self.framework.has(self.program.method(*method).class);
            let itself = |body: &Body| body.all_values().any(|value| self.checks(body, value));
            let always = is_theirs || body.as_ref().is_none_or(itself);
            for instance in instances {
                let is_lost = |site: &CallSite| self.is_lost(*instance, site);
                checks[instance.index()] |= always || self.points_to.code(*instance).calls.iter().any(is_lost);
            }
        }
        leading(&checks, |node| self.led_to(InstanceId(node as u32)))
    }

    fn led_to(&self, instance: InstanceId) -> Vec<usize> {
        let initializers = self.triggers.in_code(self.program, self.points_to.code(instance));
        let initializers = initializers.map(|(_, initializer)| initializer);
        self.points_to.callees(instance).chain(initializers).map(InstanceId::index).collect()
    }

    /// Whether an instruction is checked, or runs what nobody knows: what the JDK makes for other than lambdas and texts calls the
    /// program in ways that are not seen.
    fn checks(&self, body: &Body, value: Value) -> bool {
        let offset = body.instruction(value).at;
        let is_proved = || {
            let offsets = self.proofs.iter().filter_map(|proof| proof.accesses.get(&body.method));
            offsets.into_iter().any(|offsets| offsets.contains(&offset))
        };
        match body.op(value) {
            Op::GetField(_, field) | Op::PutField(_, field, _) | Op::GetStatic(field) | Op::PutStatic(field, _) => {
                !self.is_free(*field) && !is_proved()
            }
            Op::LoadElement(..) | Op::StoreElement(..) => !is_proved(),
            Op::InvokeDynamic(bootstrap, ..) => !self.is_followed(body.method, *bootstrap),
            Op::Invoke(_, method, _) => self.is_of_contents(*method),
            _ => false,
        }
    }

    fn is_free(&self, field: MemberRef) -> bool {
        let Some(field) = self.program.resolve_field(self.program.member(field)) else { return false };
        let data = self.program.field(field);
        let is_ordered = data.is_volatile() && !self.for_transactions;
        let is_unchecked = data.is_final() || is_ordered || self.program.is_of_jdk(data.class);
        is_unchecked || self.proofs.iter().any(|proof| proof.fields.contains(&field))
    }

    /// Whether a method reads or writes contents that are checked or recorded: of an object for one thread at a time, or of an array
    /// as a whole; for transactions, of a map for several threads.
    fn is_of_contents(&self, method: MemberRef) -> bool {
        let (names, method) = (self.program.names(), self.program.member(method));
        let Some(owner) = method.owner.as_class().map(|owner| names.text(owner)) else { return true };
        let (name, descriptor) = (names.text(method.name), names.text(names.signature(method.descriptor).text));
        let of_object = if self.for_transactions {
            contents::of_shared_map(&owner, &name, &descriptor).is_some()
        } else {
            contents::call(&owner, &name, &descriptor).is_some()
                || inherited::call(&owner, &name, &descriptor).is_some()
        };
        of_object || contents::of_array(&owner, &name, &descriptor).is_some() || contents::is_array_copy(&owner, &name)
    }

    fn is_followed(&self, method: MethodId, bootstrap: u16) -> bool {
        let bootstrap = self.program.bootstrap(self.program.method(method).class, bootstrap);
        let factory = bootstrap.and_then(|bootstrap| Some(self.program.member(bootstrap.handle?.member)));
        let owner = factory.and_then(|factory| factory.owner.as_class()).map(|owner| self.program.names().text(owner));
        let followed = ["java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory"];
        owner.is_some_and(|owner| followed.contains(&&*owner))
    }

    /// Whether a call is on objects that were not found: they may have come a way that was not seen.
    fn is_lost(&self, instance: InstanceId, site: &CallSite) -> bool {
        let receiver = || site.arguments.first().copied().flatten();
        let is_found = || receiver().is_some_and(|local| !self.points_to.local(instance, local).is_empty());
        site.dispatch != Dispatch::Static && !is_found()
    }

    fn method(&self, method: MethodId, body: &Body, instances: &[InstanceId], idle: &mut IdleLocks) {
        let is_idle = |inside: &[Value]| {
            !self.framework.has(self.program.method(method).class)
                && !inside.iter().any(|value| self.checks(body, *value))
                && !instances.iter().any(|instance| self.leads_on(*instance, body, inside))
        };
        let is_synchronized = self.program.method(method).access & flag::SYNCHRONIZED != 0;
        if is_synchronized && is_idle(&body.all_values().collect::<Vec<_>>()) {
            idle.methods.insert(method);
        }
        let sections = sections(body).unwrap_or_default();
        let found = sections.iter().filter(|section| is_idle(&section.inside)).flat_map(|section| &section.ends);
        let offsets: BTreeSet<u16> = found.map(|end| body.instruction(*end).at).collect();
        if !offsets.is_empty() {
            idle.monitors.insert(method, offsets.into_iter().collect());
        }
    }

    /// Whether some of an instance's instructions lead to what is checked. Which of them run class initializers is not asked.
    fn leads_on(&self, instance: InstanceId, body: &Body, inside: &[Value]) -> bool {
        let code = self.points_to.code(instance);
        let is_inside = |site: &CallSite| inside.binary_search(&site.at).is_ok();
        let lost = code.calls.iter().filter(|site| is_inside(site)).any(|site| self.is_lost(instance, site));
        let called = self.points_to.calls(instance).iter().filter(|edge| {
            let site = &code.calls[edge.call as usize];
            is_inside(site) && !site.is_fork
        });
        let uses = |value: &Value| {
            matches!(
                body.op(*value),
                Op::New | Op::GetStatic(_) | Op::PutStatic(..) | Op::Invoke(Call::Static | Call::Special, ..)
            )
        };
        let mut initializers = self.triggers.in_code(self.program, code);
        lost || called.into_iter().any(|edge| self.is_active[edge.callee.index()])
            || inside.iter().any(uses) && initializers.any(|(_, initializer)| self.is_active[initializer.index()])
    }
}
