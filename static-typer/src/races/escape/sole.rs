//! Slots of which no two objects hold the same one: all that is stored there is stored once, by the code that has made it or that is given
//! it by that.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use crate::ir::{Block, Body, Op, Value};
use crate::points_to::{Code, CodeId, InstanceId, Local, ObjectSet, PointsTo, Site, Slot};
use crate::program::{Name, Program};
use crate::races::sources::{Source, Sources, Stores};

/// From how far what is stored may come.
const MAX_CALLS: usize = 8;

/// Which slots are such.
pub struct Sole<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    stores: Stores,
    callers: OnceCell<Vec<Vec<(InstanceId, u32)>>>,
    passed_on: RefCell<FxHashMap<(CodeId, Local), Option<Origin>>>,
    known: RefCell<FxHashMap<(InstanceId, Local, Slot), bool>>,
}

/// Where a variable has what code stores or passes on once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// An instruction made it.
    Made,
    /// It is a parameter, by place.
    Parameter(usize),
}

impl<'a> Sole<'a> {
    /// Asks for slots of an analysed program.
    #[must_use]
    pub fn of(program: &'a Program, points_to: &'a PointsTo) -> Self {
        Self {
            program,
            points_to,
            stores: Stores::of(points_to),
            callers: OnceCell::new(),
            passed_on: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// Whether what a slot of these objects holds is held by no other such slot of any object.
    #[must_use]
    pub fn holds(&self, instance: InstanceId, base: Local, slot: Slot) -> bool {
        let asked = (instance, base, slot);
        if let Some(known) = self.known.borrow().get(&asked) {
            return *known;
        }
        let objects = self.points_to.local(instance, base);
        let is_sole = self.is_stored_once(objects, slot);
        self.known.borrow_mut().insert(asked, is_sole);
        is_sole
    }

    fn is_stored_once(&self, objects: &ObjectSet, slot: Slot) -> bool {
        let stores = self.stores.of.get(&slot).into_iter().flatten();
        let in_instances =
            stores.flat_map(|(code, to, from)| self.stores.instances[code].iter().map(move |at| (*at, *to, *from)));
        in_instances
            .filter(|(instance, to, _)| self.points_to.local(*instance, *to).intersects(objects))
            .all(|(instance, _, from)| self.is_given_once(instance, from, MAX_CALLS))
    }

    /// Whether a variable refers to something new that code stores or passes on once in any run, each time that it is made.
    fn is_given_once(&self, instance: InstanceId, local: Local, calls: usize) -> bool {
        match self.origin(instance, local) {
            Some(Origin::Made) => true,
            Some(Origin::Parameter(place)) if calls > 0 => {
                self.callers()[instance.index()].iter().all(|(caller, call)| {
                    let site = &self.points_to.code(*caller).calls[*call as usize];
                    let is_like_it = site.arguments.len() == self.points_to.code(instance).parameters.len();
                    let argument = site.arguments.get(place).copied().flatten();
                    is_like_it && argument.is_none_or(|argument| self.is_given_once(*caller, argument, calls - 1))
                })
            }
            _ => false,
        }
    }

    fn callers(&self) -> &[Vec<(InstanceId, u32)>] {
        self.callers.get_or_init(|| {
            let mut callers = vec![Vec::new(); self.points_to.instances().count()];
            for caller in self.points_to.instances() {
                for edge in self.points_to.calls(caller) {
                    callers[edge.callee.index()].push((caller, edge.call));
                }
            }
            callers
        })
    }

    fn origin(&self, instance: InstanceId, local: Local) -> Option<Origin> {
        let asked = (self.points_to.code_id(instance), local);
        if let Some(known) = self.passed_on.borrow().get(&asked) {
            return *known;
        }
        let origin = self.find_origin(instance, local);
        self.passed_on.borrow_mut().insert(asked, origin);
        origin
    }

    fn find_origin(&self, instance: InstanceId, local: Local) -> Option<Origin> {
        let code = self.points_to.code(instance);
        let body =
            Body::of(self.program, code.method.filter(|_| code.lambda.is_none() && code.mirrors.is_none())?)?.ok()?;
        let (origin, at) = self.comes_from(&body, code, local)?;
        let is_it = |value: &Value| code.find_local(*value) == Some(local);
        let given =
            |value: Value| std::iter::repeat_n(body.block_of(value), n_given(self.program, &body, value, &is_it));
        let blocks: Vec<Block> = body.all_values().flat_map(given).collect();
        let around = at.map(|at| body.block_of(at));
        // What no instruction gives on is given on who knows how often.
        (!blocks.is_empty() && !is_any_followed(&body, &blocks, around)).then_some(origin)
    }

    /// What a variable has, if that is one thing, and the instruction that makes it.
    fn comes_from(&self, body: &Body, code: &Code, local: Local) -> Option<(Origin, Option<Value>)> {
        let mut made = code.allocations.iter().filter(|(to, ..)| *to == local).map(|(_, site, _)| *site);
        match (made.next(), made.next(), Sources::of(code).to(local)) {
            // Whatever lambda is not made anew has captured nothing.
            (Some(Site::New(method, at, 0) | Site::Lambda(method, at, _)), None, []) => {
                (method == body.method).then_some((Origin::Made, Some(at)))
            }
            (None, None, [Source::Parameter(place)]) => Some((Origin::Parameter(*place), None)),
            _ => None,
        }
    }
}

/// How often an instruction stores something in a field, or passes it on, but to the constructor of what it is.
fn n_given(program: &Program, body: &Body, at: Value, is_it: &dyn Fn(&Value) -> bool) -> usize {
    match body.op(at) {
        Op::PutField(_, _, stored) => usize::from(is_it(stored)),
        Op::Invoke(_, member, arguments) => {
            let is_constructed = program.member(*member).name == Name::INIT;
            let own = usize::from(is_constructed && is_new(body, arguments.first()));
            arguments.iter().skip(own).filter(|argument| is_it(argument)).count()
        }
        Op::InvokeDynamic(_, _, _, arguments) => arguments.iter().filter(|argument| is_it(argument)).count(),
        _ => 0,
    }
}

fn is_new(body: &Body, value: Option<&Value>) -> bool {
    value.is_some_and(|value| matches!(body.op(*value), Op::New))
}

/// Whether one run comes from one of these blocks to one of them, on a way around another block. A block that stands there twice follows
/// itself.
fn is_any_followed(body: &Body, blocks: &[Block], around: Option<Block>) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut open = blocks.to_vec();
    while let Some(from) = open.pop() {
        for next in body.following(from).into_iter().filter(|next| Some(*next) != around) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                open.push(next);
            }
        }
    }
    (1..blocks.len()).any(|n| blocks[n..].contains(&blocks[n - 1])) || blocks.iter().any(|block| seen[block.index()])
}
