//! Code that has joined the very thread whose object it accesses, however many such threads there are: `one.join(); use(one.result);`.
//!
//! An object is its thread's own as [`Disjoint`](crate::races::threads::disjoint::Disjoint) has it: the thread object, or what that alone holds. What its thread
//! does to it comes before what follows the join of that thread (JLS 17.4.5). Here a variable refers to such a thread object if one body starts it, and then
//! joins it, on all ways that lead on; to what it holds, if the body has loaded that from there, or if the body has made that and a lambda captures
//! it, or the constructor of a `Thread` gets it. What the body has from elsewhere somebody else may hold as well.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Block, Body, Op, Value};
use crate::points_to::{Code, CodeId, InstanceId, Local, ObjectSet, PointsTo, Site, Slot, Use};
use crate::program::{MethodId, Program};
use crate::races::escape::sole::Sole;
use crate::races::must::{calls, weaken};
use crate::races::reach::following_values;
use crate::races::sources::{Source, Sources};
use crate::races::threads::is_thread_method;

/// What is certain of the thread object that a variable refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    Started(Local),
    Ended(Local),
}

type Facts = BTreeSet<Fact>;

/// The thread objects that bodies have joined.
pub struct OwnJoins<'a> {
    points_to: &'a PointsTo,
    program: &'a Program,
    /// What holds before the instructions of instances that join.
    before: FxHashMap<InstanceId, FxHashMap<Value, Facts>>,
    sources: RefCell<FxHashMap<CodeId, Rc<Sources>>>,
}

impl<'a> OwnJoins<'a> {
    /// Looks at each body that joins.
    #[must_use]
    pub fn of(program: &'a Program, points_to: &'a PointsTo) -> Self {
        let running = |method: &str| -> FxHashSet<InstanceId> {
            points_to.instances().filter(|it| is_thread_method(program, points_to.code(*it), method)).collect()
        };
        let search = Search { program, points_to, starts: running("start"), joins: running("join") };
        let joining = points_to
            .instances()
            .filter(|it| points_to.calls(*it).iter().any(|edge| search.joins.contains(&edge.callee)));
        let before = joining.filter_map(|instance| Some((instance, search.before(instance)?))).collect();
        Self { points_to, program, before, sources: RefCell::default() }
    }

    /// Whether a variable refers, at an instruction, to a thread object that has ended, or to what only that holds.
    #[must_use]
    pub fn has(&self, (instance, at): (InstanceId, Value), local: Local, started: &ObjectSet, sole: &Sole<'_>) -> bool {
        let Some(facts) = self.before.get(&instance).and_then(|before| before.get(&at)) else { return false };
        !facts.is_empty() && self.is_held(instance, local, &Known { facts, started, sole }, &mut Vec::new())
    }

    fn is_held(&self, instance: InstanceId, local: Local, known: &Known<'_>, seen: &mut Vec<Local>) -> bool {
        if known.facts.contains(&Fact::Ended(local)) {
            return true;
        }
        if seen.contains(&local) || self.points_to.local(instance, local).intersects(known.started) {
            return false;
        }
        seen.push(local);
        let is_of_held = |source: &Source| match source {
            Source::Copied(from) => {
                !self.is_of_another_round(instance, local, *from) && self.is_held(instance, *from, known, seen)
            }
            Source::Loaded(base, slot @ (Slot::Field(_) | Slot::Captured(_))) => {
                known.sole.holds(instance, *base, *slot) && self.is_held(instance, *base, known, seen)
            }
            _ => false,
        };
        let sources = self.sources(instance);
        let is_loaded = !sources.to(local).is_empty() && sources.to(local).iter().all(is_of_held);
        let holders = if self.is_made(instance, local) { self.holders(instance, local) } else { Vec::new() };
        is_loaded || holders.into_iter().any(|holder| self.is_held(instance, holder, known, seen))
    }

    /// Whether a variable has what the body makes, and nothing else.
    fn is_made(&self, instance: InstanceId, local: Local) -> bool {
        let is_new = |site: &Site| matches!(site, Site::New(..) | Site::Lambda(..));
        let mut made = self.points_to.code(instance).allocations.iter().filter(|(to, ..)| *to == local).peekable();
        made.peek().is_some() && made.all(|(_, site, _)| is_new(site)) && self.sources(instance).to(local).is_empty()
    }

    /// Whether a variable may have what another one had in an earlier round of a loop. What is known is of what that has now.
    fn is_of_another_round(&self, instance: InstanceId, local: Local, from: Local) -> bool {
        let code = self.points_to.code(instance);
        let body = code.method.and_then(|method| Body::of(self.program, method)?.ok());
        let Some(body) = body else { return true };
        let is = |value: &Value, local: Local| code.find_local(*value) == Some(local);
        let phis: FxHashSet<Value> =
            body.all_values().filter(|value| is(value, local) && matches!(body.op(*value), Op::Phi(_))).collect();
        !phis.is_empty() && following_values(&body, &phis).iter().any(|value| is(value, from))
    }

    /// Lambdas that capture what a variable refers to, and objects whose constructor keeps it, as that of `Thread` does.
    fn holders(&self, instance: InstanceId, local: Local) -> Vec<Local> {
        let code = self.points_to.code(instance);
        let captured = code.all_uses().iter().filter_map(|(base, used)| match used {
            Use::Store(Slot::Captured(_), from) if *from == local => Some(*base),
            _ => None,
        });
        let made = calls(self.points_to, instance).filter_map(|(site, edges)| {
            let (receiver, rest) = site.arguments.split_first()?;
            let place = 1 + rest.iter().position(|argument| *argument == Some(local))?;
            let is_kept = edges.iter().all(|edge| self.keeps(self.points_to.code(edge.callee), place));
            receiver.filter(|_| is_kept && !edges.is_empty())
        });
        captured.chain(made).collect()
    }

    /// Whether code is a constructor that keeps a parameter in what it makes.
    fn keeps(&self, code: &Code, place: usize) -> bool {
        let Some(method) = code.method.filter(|_| code.lambda.is_none() && code.mirrors.is_none()) else {
            return false;
        };
        let data = self.program.method(method);
        let parameter = |place: usize| code.parameters.get(place).copied().flatten();
        let is_kept = || {
            code.all_uses().iter().any(|(base, used)| {
                let is_it = |from: Local| parameter(place) == Some(from);
                parameter(0) == Some(*base) && matches!(used, Use::Store(Slot::Field(_), from) if is_it(*from))
            })
        };
        data.is_constructor() && (self.program.class_name(data.class) == "java/lang/Thread" || is_kept())
    }

    fn sources(&self, instance: InstanceId) -> Rc<Sources> {
        let mut known = self.sources.borrow_mut();
        let of_code = || Rc::new(Sources::of(self.points_to.code(instance)));
        known.entry(self.points_to.code_id(instance)).or_insert_with(of_code).clone()
    }
}

/// What is known where a variable is asked for.
struct Known<'a> {
    facts: &'a Facts,
    /// Objects on which threads begin: each is its own thread's, whatever holds it.
    started: &'a ObjectSet,
    sole: &'a Sole<'a>,
}

struct Search<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// What runs `Thread.start`, and `Thread.join` without a time limit.
    starts: FxHashSet<InstanceId>,
    joins: FxHashSet<InstanceId>,
}

impl Search<'_> {
    /// The greatest solution over the blocks of a body.
    fn before(&self, instance: InstanceId) -> Option<FxHashMap<Value, Facts>> {
        let code = self.points_to.code(instance);
        let method: MethodId = code.method.filter(|_| code.lambda.is_none())?;
        let body = Body::of(self.program, method)?.ok()?;
        let at_start = self.at_start(instance, &body);
        let mut before = FxHashMap::default();
        for block in body.blocks() {
            let Some(mut facts) = at_start[block.index()].clone() else { continue };
            for value in body.values(block) {
                before.insert(value, facts.clone());
                self.step(instance, value, &mut facts);
            }
        }
        Some(before)
    }

    fn at_start(&self, instance: InstanceId, body: &Body) -> Vec<Option<Facts>> {
        let mut at_start = vec![None; body.blocks.len()];
        at_start[0] = Some(Facts::new());
        let mut open = BTreeSet::from([Block(0)]);
        while let Some(block) = open.pop_first() {
            let Some(mut facts) = at_start[block.index()].clone() else { continue };
            // Facts only grow: wherever a block throws, what held at its start holds. Of what is made anew there is none before, as there is a way to it
            // from the beginning.
            for (_, handler) in &body.block(block).handlers {
                open.extend(weaken(&mut at_start[handler.index()], facts.clone()).then_some(*handler));
            }
            body.values(block).for_each(|value| self.step(instance, value, &mut facts));
            for to in body.successors(block) {
                open.extend(weaken(&mut at_start[to.index()], facts.clone()).then_some(to));
            }
        }
        at_start
    }

    /// What holds after an instruction that comes to its end.
    fn step(&self, instance: InstanceId, at: Value, facts: &mut Facts) {
        if let Some(receiver) = self.receiver(instance, at, &self.starts) {
            facts.insert(Fact::Started(receiver));
        }
        if let Some(receiver) = self.receiver(instance, at, &self.joins)
            && facts.contains(&Fact::Started(receiver))
        {
            facts.insert(Fact::Ended(receiver));
        }
    }

    /// On what an instruction calls nothing but some instances.
    fn receiver(&self, instance: InstanceId, at: Value, running: &FxHashSet<InstanceId>) -> Option<Local> {
        let mut here = calls(self.points_to, instance).filter(|(site, _)| site.at == at && !site.is_fork);
        let (site, edges) = here.next()?;
        let is_it =
            !edges.is_empty() && edges.iter().all(|edge| running.contains(&edge.callee)) && here.next().is_none();
        site.arguments.first().copied().flatten().filter(|_| is_it)
    }
}
