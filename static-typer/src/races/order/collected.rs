//! What a method collects in an array or a list of its own, and goes through from the first to the last.

use rustc_hash::FxHashSet;

use crate::ir::{Arithmetic, Block, Condition, Op, Value};

use super::reading::Reading;

/// Lists and queues of the JDK that keep everything which is added to them, as long as nothing is removed. A set would not keep what
/// says that it is equal to something else.
const LISTS: [&str; 8] = [
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/Vector",
    "java/util/concurrent/ConcurrentLinkedDeque",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/CopyOnWriteArrayList",
    "java/util/concurrent/LinkedBlockingQueue",
];
/// What may be done with them.
const USES: [&str; 7] = ["<init>", "add", "get", "isEmpty", "iterator", "size", "toString"];

/// A collection, and the loop over it.
#[derive(Debug)]
pub struct Collected {
    /// What it is.
    pub collection: Value,
    /// The instructions that put something in, and what.
    pub stores: Vec<(Value, Value)>,
    /// Where the loop begins.
    pub header: Block,
    /// Where it goes from there when it has come to the end.
    pub exit: Block,
}

/// A variable that a loop counts up by one.
struct Counter {
    /// Where the loop begins.
    header: Block,
    first: Value,
    /// Where the loop is entered from.
    before: Block,
}

impl Reading<'_> {
    /// What a loop goes through that makes a call on every element, and does not go on before that has come to its end.
    #[must_use]
    pub fn collected(&self, call: Value) -> Option<Collected> {
        let element = self.receiver(call)?;
        let collected = self.in_array(element).or_else(|| self.in_list(element))?;
        let inside = self.body.successors(collected.header).into_iter().find(|to| *to != collected.exit)?;
        let comes_back = self.reached(&[inside], Some(self.body.block_of(call))).contains(&collected.header);
        let is_once = !self.points_to.code(self.instance).repeated.contains(&collected.collection);
        (is_once && !comes_back).then_some(collected)
    }

    fn in_array(&self, element: Value) -> Option<Collected> {
        let (array, index) = self.loaded(element)?;
        let Op::NewArray(length) = self.body.op(array) else { return None };
        let counter = self.counter(index).filter(|counter| self.int(counter.first) == Some(0))?;
        let is_length = |bound: Value| match self.body.op(bound) {
            Op::Length(of) => self.origin(*of) == array,
            _ => bound == *length || self.int(bound).is_some() && self.int(bound) == self.int(*length),
        };
        let (exit, _) = self.exit(&counter, index, is_length)?;
        let stores = self.stored(array).filter(|stores| self.keeps(stores))?;
        Some(Collected { collection: array, stores, header: counter.header, exit })
    }

    fn in_list(&self, element: Value) -> Option<Collected> {
        match (self.call(element)?, self.body.op(element)) {
            ((name, &[iterator]), _) if name == "next" => self.by_iterator(element, self.origin(iterator)),
            ((name, &[list, index]), _) if name == "get" => {
                let list = self.origin(list);
                let counter = self.counter(index).filter(|counter| self.int(counter.first) == Some(0))?;
                let is_size = |bound: Value| {
                    self.call(bound).is_some_and(|(name, _)| name == "size") && self.receiver(bound) == Some(list)
                };
                let (exit, size) = self.exit(&counter, index, is_size)?;
                let stores = self.added(list).filter(|stores| self.is_full(stores, size))?;
                Some(Collected { collection: list, stores, header: counter.header, exit })
            }
            _ => None,
        }
    }

    /// The loop of an iterator that nothing else uses.
    fn by_iterator(&self, next: Value, iterator: Value) -> Option<Collected> {
        let list =
            self.receiver(iterator).filter(|_| self.call(iterator).is_some_and(|(name, _)| name == "iterator"))?;
        let [asked] = self.users(iterator).filter(|user| *user != next).collect::<Vec<_>>()[..] else { return None };
        let is_asked = self.call(asked).is_some_and(|(name, _)| name == "hasNext");
        let taking = self.body.block_of(next);
        let is_one_each =
            !self.reached(&self.body.following(taking), Some(self.body.block_of(asked))).contains(&taking);
        let last = self.body.values(self.body.block_of(asked)).next_back()?;
        let (compared, exit, _) = self.branch(last)?;
        let header = self.body.block_of(asked);
        let stores = self.added(list).filter(|stores| self.is_full(stores, iterator))?;
        (is_asked && is_one_each && compared == asked).then_some(Collected { collection: list, stores, header, exit })
    }

    /// Whether nothing is added after an instruction: not all iterators come to that.
    fn is_full(&self, stores: &[(Value, Value)], at: Value) -> bool {
        let block = self.body.block_of(at);
        let after = self.reached(&self.body.following(block), None);
        let is_after = |store: Value| {
            let other = self.body.block_of(store);
            after.contains(&other) || other == block && store > at
        };
        !stores.iter().any(|(store, _)| is_after(*store))
    }

    /// What is added to a list that is made here, keeps everything and has no other use.
    #[must_use]
    pub fn added(&self, list: Value) -> Option<Vec<(Value, Value)>> {
        self.added_but(list, |_| false)
    }

    /// The same of a list that some calls may be given, too.
    #[must_use]
    pub fn added_but(&self, list: Value, is_known: impl Fn(Value) -> bool) -> Option<Vec<(Value, Value)>> {
        let ty = self.body.instruction(list).ty.as_class().map(|name| self.program.names().text(name));
        if !matches!(self.body.op(list), Op::New) || !ty.is_some_and(|name| LISTS.contains(&&*name)) {
            return None;
        }
        let mut added = Vec::new();
        for user in self.users(list).filter(|user| !is_known(*user)) {
            let (name, arguments) = self.call(user)?;
            let is_own = |argument: &&Value| self.origin(**argument) == list;
            if !USES.contains(&&*name)
                || self.receiver(user) != Some(list)
                || arguments.iter().filter(is_own).count() > 1
            {
                return None;
            }
            match (&*name, arguments) {
                ("add", &[_, what]) => added.push((user, self.origin(what))),
                ("add", _) => return None,
                ("iterator", _) if !self.only_asks(user) => return None,
                ("<init>", [_, argument]) if self.body.instruction(*argument).ty.is_reference() => return None,
                _ => {}
            }
        }
        Some(added)
    }

    /// Whether an iterator is asked for elements, and nothing else is done with it.
    fn only_asks(&self, iterator: Value) -> bool {
        self.users(iterator).all(|user| {
            let is_asked = self.call(user).is_some_and(|(name, _)| matches!(&*name, "hasNext" | "next"));
            is_asked && self.receiver(user) == Some(iterator)
        })
    }

    /// The elements that are taken from a collection by a method which does nothing else with it but to ask how many they are and `is_known`
    /// calls.
    #[must_use]
    pub fn taken(&self, collection: Value, is_known: impl Fn(Value) -> bool) -> Option<Vec<Value>> {
        let only_takes = |user: Value| match self.call(user) {
            _ if is_known(user) => true,
            Some((name, _)) if self.receiver(user) == Some(collection) => {
                matches!(&*name, "get" | "isEmpty" | "size") || name == "iterator" && self.only_asks(user)
            }
            _ => matches!(self.body.op(user), Op::Length(_) | Op::LoadElement(..)),
        };
        let is_taken = |at: &Value| self.taken_from(*at) == Some(collection);
        self.users(collection).all(only_takes).then(|| self.body.all_values().filter(is_taken).collect())
    }

    fn loaded(&self, value: Value) -> Option<(Value, Value)> {
        match self.body.op(value) {
            Op::LoadElement(array, index) => Some((self.origin(*array), *index)),
            _ => None,
        }
    }

    /// The collection that a value is taken from.
    #[must_use]
    pub fn taken_from(&self, value: Value) -> Option<Value> {
        match self.call(value) {
            Some((name, _)) if name == "get" => self.receiver(value),
            Some((name, _)) if name == "next" => self.receiver(self.receiver(value)?),
            _ => self.loaded(value).map(|(array, _)| array),
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

    /// Where the loop goes when the index has come to the end, and that.
    fn exit(&self, counter: &Counter, index: Value, is_end: impl Fn(Value) -> bool) -> Option<(Block, Value)> {
        let last = self.body.values(counter.header).next_back()?;
        match self.body.op(last) {
            Op::Branch(condition, compared, Some(bound), then, otherwise)
                if *compared == index && is_end(*bound) && then != otherwise =>
            {
                match condition {
                    Condition::GreaterOrEqual => Some((*then, *bound)),
                    Condition::Less => Some((*otherwise, *bound)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Every store to an array that is used in no other way than by its elements and its length.
    #[must_use]
    pub fn stored(&self, array: Value) -> Option<Vec<(Value, Value)>> {
        let mut stores = Vec::new();
        for user in self.users(array) {
            match self.body.op(user) {
                Op::Length(_) | Op::LoadElement(..) => {}
                Op::StoreElement(to, _, stored) if *to == array && self.origin(*stored) != array => {
                    stores.push((user, self.origin(*stored)));
                }
                _ => return None,
            }
        }
        Some(stores)
    }

    /// Whether no store replaces what one has stored: each runs once, to a place of its own, or one goes through the array.
    fn keeps(&self, stores: &[(Value, Value)]) -> bool {
        let indices = stores.iter().filter_map(|(store, _)| self.index(*store));
        let places: FxHashSet<i32> = indices.filter_map(|index| self.int(index)).collect();
        match stores {
            [(store, _)] if places.is_empty() => self.goes_through(*store),
            _ => places.len() == stores.len() && !stores.iter().any(|(store, _)| self.repeats(*store)),
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
}
