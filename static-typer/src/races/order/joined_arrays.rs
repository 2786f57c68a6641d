//! Threads in an array that one loop joins from the first to the last.
//!
//! A method that runs once makes the array, and nobody else sees it. Each thread that it makes at some place is stored before
//! it is started, and never replaced; all starts are in this method, and none comes after the loop. Then whoever leaves the
//! loop by its condition has joined every thread that was made there and runs or has run.

use rustc_hash::FxHashSet;

use crate::ir::{Arithmetic, Block, Body, Condition, Op, Value};
use crate::points_to::{CallEdge, InstanceId, ObjectId, PointsTo, Site};
use crate::program::{Constant, MethodId, Program};
use crate::races::threads::{Threads, is_thread_method};

/// The way out of a loop after which all threads that begin on an object have ended.
#[derive(Debug)]
pub struct Joined {
    /// Whose loop it is.
    pub instance: InstanceId,
    /// From the condition to what follows the loop.
    pub edge: (Block, Block),
    /// What the threads begin on.
    pub object: ObjectId,
}

/// Finds such loops.
#[must_use]
pub fn joined_arrays(program: &Program, points_to: &PointsTo, threads: &Threads) -> Vec<Joined> {
    let starts = calls_of(program, points_to, "start");
    let mut joined = Vec::new();
    for (instance, join) in calls_of(program, points_to, "join") {
        if !threads.runs_once(instance) {
            continue;
        }
        let code = points_to.code(instance);
        let method: Option<MethodId> = code.method.filter(|_| code.lambda.is_none());
        let Some(body) = method.and_then(|method| Body::of(program, method)?.ok()) else { continue };
        let at = code.calls[join.call as usize].at;
        let search = Search { points_to, threads, starts: &starts, instance, body: &body };
        joined.extend(search.joined(at).unwrap_or_default());
    }
    joined
}

/// The calls that run a method of `Thread`.
fn calls_of(program: &Program, points_to: &PointsTo, method: &str) -> Vec<(InstanceId, CallEdge)> {
    let runs = |instance: InstanceId| is_thread_method(program, points_to.code(instance), method);
    let running: FxHashSet<InstanceId> = points_to.instances().filter(|instance| runs(*instance)).collect();
    let of = |caller| points_to.calls(caller).iter().filter(|edge| running.contains(&edge.callee));
    points_to.instances().flat_map(|caller| of(caller).map(move |edge| (caller, *edge))).collect()
}

struct Search<'a> {
    points_to: &'a PointsTo,
    threads: &'a Threads,
    starts: &'a [(InstanceId, CallEdge)],
    instance: InstanceId,
    body: &'a Body,
}

/// A variable that a loop counts up by one.
struct Counter {
    /// Where the loop begins.
    header: Block,
    first: Value,
    /// Where the loop is entered from.
    before: Block,
}

impl Search<'_> {
    fn joined(&self, join: Value) -> Option<Vec<Joined>> {
        let (array, index) = self.loaded(self.argument(join)?)?;
        let Op::NewArray(length) = self.body.op(array) else { return None };
        let counter = self.counter(index)?;
        let exit = self.exit(&counter, index, array, *length)?;
        let inside = self.body.successors(counter.header).into_iter().find(|to| *to != exit)?;
        let comes_back = self.reached(&[inside], Some(self.body.block_of(join))).contains(&counter.header);
        let stores = self.stores(array)?;
        if comes_back || self.int(counter.first) != Some(0) || !self.keeps(&stores) {
            return None;
        }
        let threads = stores.iter().filter_map(|store| self.thread(store, array, counter.header));
        let edge = (counter.header, exit);
        Some(threads.map(|object| Joined { instance: self.instance, edge, object }).collect())
    }

    fn argument(&self, call: Value) -> Option<Value> {
        let Op::Invoke(_, _, arguments) = self.body.op(call) else { return None };
        arguments.first().map(|receiver| self.origin(*receiver))
    }

    fn origin(&self, mut value: Value) -> Value {
        while let Op::Cast(from) = self.body.op(value) {
            value = *from;
        }
        value
    }

    fn loaded(&self, value: Value) -> Option<(Value, Value)> {
        match self.body.op(value) {
            Op::LoadElement(array, index) => Some((self.origin(*array), *index)),
            _ => None,
        }
    }

    fn int(&self, value: Value) -> Option<i32> {
        match self.body.op(value) {
            Op::Constant(Constant::Int(int)) => Some(*int),
            _ => None,
        }
    }

    fn counter(&self, index: Value) -> Option<Counter> {
        let Op::Phi(operands) = self.body.op(index) else { return None };
        let header = self.body.block_of(index);
        let [a, b] = operands[..] else { return None };
        let &[before_a, before_b] = &self.body.block(header).predecessors[..] else { return None };
        let steps = |next: Value| match self.body.op(next) {
            Op::Arithmetic(Arithmetic::Add, from, by) => *from == index && self.int(*by) == Some(1),
            _ => false,
        };
        match (steps(a), steps(b)) {
            (false, true) => Some(Counter { header, first: a, before: before_a }),
            (true, false) => Some(Counter { header, first: b, before: before_b }),
            _ => None,
        }
    }

    /// Where the loop goes when the index has come to the end of the array.
    fn exit(&self, counter: &Counter, index: Value, array: Value, length: Value) -> Option<Block> {
        let last = self.body.values(counter.header).next_back()?;
        let is_length = |bound: Value| match self.body.op(bound) {
            Op::Length(of) => self.origin(*of) == array,
            _ => bound == length || self.int(bound).is_some() && self.int(bound) == self.int(length),
        };
        match self.body.op(last) {
            Op::Branch(condition, compared, Some(bound), then, otherwise)
                if *compared == index && is_length(*bound) && then != otherwise =>
            {
                match condition {
                    Condition::GreaterOrEqual => Some(*then),
                    Condition::Less => Some(*otherwise),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Every store to an array that is used in no other way than by its elements and its length.
    fn stores(&self, array: Value) -> Option<Vec<Value>> {
        let mut stores = Vec::new();
        for value in self.body.all_values() {
            let mut is_used = false;
            self.body.op(value).for_each_operand(|operand| is_used |= operand == array);
            match self.body.op(value) {
                Op::Length(_) | Op::LoadElement(..) => {}
                Op::StoreElement(to, _, stored) if *to == array && *stored != array => stores.push(value),
                _ if is_used => return None,
                _ => {}
            }
        }
        let is_once = !self.points_to.code(self.instance).repeated.contains(&array);
        is_once.then_some(stores)
    }

    /// Whether no store replaces what one has stored: each runs once, to a place of its own, or one goes through the array.
    fn keeps(&self, stores: &[Value]) -> bool {
        let indices = stores.iter().filter_map(|store| self.index(*store));
        let places: FxHashSet<i32> = indices.filter_map(|index| self.int(index)).collect();
        let comes_back = |block: Block| self.reached(&self.body.following(block), None).contains(&block);
        match stores {
            [store] if places.is_empty() => self.goes_through(*store),
            _ => places.len() == stores.len() && !stores.iter().any(|store| comes_back(self.body.block_of(*store))),
        }
    }

    fn index(&self, store: Value) -> Option<Value> {
        match self.body.op(store) {
            Op::StoreElement(_, index, _) => Some(*index),
            _ => None,
        }
    }

    /// Whether a store has another index each time: the loop counts on in between, and is entered once.
    fn goes_through(&self, store: Value) -> bool {
        let Some(counter) = self.index(store).and_then(|index| self.counter(index)) else { return false };
        let block = self.body.block_of(store);
        let again = self.reached(&self.body.following(block), Some(counter.header));
        let inside = self.reached(&self.body.following(counter.header), None);
        !again.contains(&block) && !inside.contains(&counter.before)
    }

    /// What the threads begin on that a store keeps, if every start of theirs is here, after the store and before the loop.
    fn thread(&self, store: &Value, array: Value, joining: Block) -> Option<ObjectId> {
        let Op::StoreElement(_, _, made) = self.body.op(*store) else { return None };
        let made = self.origin(*made);
        let object = self.points_to.value(self.instance, made).only()?;
        let site = self.points_to.objects.get(object).site;
        let is_made_here = matches!(site, Site::New(method, at, _) if method == self.body.method && at == made);
        if !is_made_here || !self.threads.is_made_in_one_run(object) || self.threads.begun_on(object).is_none() {
            return None;
        }
        let late = self.reached(&self.body.following(joining), None);
        self.starts.iter().all(|start| self.is_kept(start, object, array, made, *store, &late)).then_some(object)
    }

    /// Whether a start is none of those threads, or of one that is in the array and not too late.
    fn is_kept(
        &self,
        (caller, edge): &(InstanceId, CallEdge),
        object: ObjectId,
        array: Value,
        made: Value,
        store: Value,
        late: &FxHashSet<Block>,
    ) -> bool {
        let site = &self.points_to.code(*caller).calls[edge.call as usize];
        let Some(receiver) = site.arguments.first().copied().flatten() else { return true };
        if !self.points_to.local(*caller, receiver).contains(object) {
            return true;
        }
        let started = self.argument(site.at).filter(|_| *caller == self.instance);
        started.is_some_and(|started| {
            let is_in_array = self.loaded(started).is_some_and(|(from, _)| from == array);
            !late.contains(&self.body.block_of(site.at))
                && (is_in_array || started == made && self.follows(made, store, site.at))
        })
    }

    /// Whether every way from one instruction to a later one leads past the end of another one.
    fn follows(&self, from: Value, past: Value, to: Value) -> bool {
        let (start, between, end) = (self.body.block_of(from), self.body.block_of(past), self.body.block_of(to));
        if end == between {
            return to > past;
        }
        let next = if start == between {
            self.body.block(start).handlers.iter().map(|(_, handler)| *handler).collect()
        } else {
            self.body.following(start)
        };
        end != start && !self.reached(&next, Some(between)).contains(&end)
    }

    /// The blocks to which ways from some blocks lead; one of them is left by exceptions only.
    fn reached(&self, from: &[Block], blocked: Option<Block>) -> FxHashSet<Block> {
        let mut reached = FxHashSet::default();
        let mut open = from.to_vec();
        while let Some(block) = open.pop() {
            if reached.insert(block) {
                let handlers = self.body.block(block).handlers.iter().map(|(_, handler)| *handler);
                open.extend(handlers);
                if Some(block) != blocked {
                    open.extend(self.body.successors(block));
                }
            }
        }
        reached
    }
}
