//! What code has seen of a volatile flag of an object: a forward analysis of must-facts on one body.

use std::collections::BTreeSet;

use crate::ir::{Block, Body, Condition, Op, Value};
use crate::program::{Constant, FieldId, MemberRef, Program};
use crate::races::must::weaken;
use crate::types::origin::origin;

/// When a flag is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    /// When it is not zero.
    NotZero,
    /// When it is not `null`.
    NotNull,
    /// When it is what a final static field has.
    Is(FieldId),
}

/// A flag.
#[derive(Clone, Copy)]
pub struct Flag<'a> {
    /// The program.
    pub program: &'a Program,
    /// A volatile field of objects.
    pub field: FieldId,
    /// When it is set.
    pub set: Set,
}

/// What is known at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fact {
    /// The flag of an object is set: so it stays.
    IsSet(Value),
    /// An instruction has read the flag of an object, and nothing that ends a look at it has come since.
    Looks(Value, Value),
    /// The flag of an object was seen not to be set, and nothing that ends a look at it has come since.
    IsUnset(Value),
}

/// What is known of a flag before each instruction of a body.
pub struct Looks<'a> {
    flag: Flag<'a>,
    body: &'a Body,
    /// Reads that may begin a look.
    begins: &'a dyn Fn(Value) -> bool,
    /// What ends it: calls, and what runs an initializer.
    ends: &'a dyn Fn(Value) -> bool,
    at_start: Vec<Option<BTreeSet<Fact>>>,
}

impl Flag<'_> {
    /// Whether what is stored sets the flag.
    #[must_use]
    pub fn is_set_by(&self, body: &Body, stored: Value) -> bool {
        match (self.set, body.op(origin(body, stored))) {
            (Set::NotZero, Op::Constant(Constant::Int(value))) => *value != 0,
            (Set::NotNull, Op::New | Op::NewArray(_) | Op::NewArrays(_) | Op::Constant(_)) => true,
            (Set::Is(field), Op::GetStatic(member)) => {
                self.program.resolve_field(self.program.member(*member)) == Some(field)
            }
            _ => false,
        }
    }

    fn is(&self, member: MemberRef) -> bool {
        self.program.resolve_field(self.program.member(member)) == Some(self.field)
    }
}

impl<'a> Looks<'a> {
    /// Finds what is known.
    pub fn of(
        flag: Flag<'a>,
        body: &'a Body,
        begins: &'a dyn Fn(Value) -> bool,
        ends: &'a dyn Fn(Value) -> bool,
    ) -> Self {
        let mut looks = Self { flag, body, begins, ends, at_start: vec![None; body.blocks.len()] };
        looks.at_start[0] = Some(BTreeSet::new());
        let mut open = BTreeSet::from([Block(0)]);
        while let Some(block) = open.pop_first() {
            for (to, facts) in looks.leaving(block) {
                if weaken(&mut looks.at_start[to.index()], facts) {
                    open.insert(to);
                }
            }
        }
        looks
    }

    /// Calls `visit` with every instruction that can be reached and what is known before it.
    pub fn for_each(&self, mut visit: impl FnMut(Value, &BTreeSet<Fact>)) {
        for block in self.body.blocks() {
            let Some(mut facts) = self.at_start[block.index()].clone() else { continue };
            for value in self.body.values(block) {
                visit(value, &facts);
                self.step(value, &mut facts);
            }
        }
    }

    fn leaving(&self, block: Block) -> Vec<(Block, BTreeSet<Fact>)> {
        let mut facts = self.at_start[block.index()].clone().unwrap_or_default();
        let mut thrown = facts.clone();
        for value in self.body.values(block) {
            self.step(value, &mut facts);
            thrown.retain(|fact| facts.contains(fact));
        }
        let handlers = self.body.block(block).handlers.iter().map(|(_, handler)| (*handler, thrown.clone()));
        let followed = self.body.successors(block).into_iter().map(|to| (to, self.on_edge(block, to, facts.clone())));
        handlers.chain(followed).collect()
    }

    fn step(&self, value: Value, facts: &mut BTreeSet<Fact>) {
        // In the next round of a loop the same instruction computes another value.
        facts.retain(|fact| match fact {
            Fact::IsSet(of) | Fact::IsUnset(of) => *of != value,
            Fact::Looks(of, read) => *of != value && *read != value,
        });
        match self.body.op(value) {
            Op::GetField(of, member) if self.flag.is(*member) && (self.begins)(value) => {
                facts.insert(Fact::Looks(origin(self.body, *of), value));
            }
            Op::PutField(of, member, stored) if self.flag.is(*member) => {
                facts.retain(|fact| matches!(fact, Fact::IsSet(_)));
                if self.flag.is_set_by(self.body, *stored) {
                    facts.insert(Fact::IsSet(origin(self.body, *of)));
                } else {
                    facts.clear();
                }
            }
            Op::Enter(_) | Op::Exit(_) => facts.retain(|fact| matches!(fact, Fact::IsSet(_))),
            _ if (self.ends)(value) => facts.retain(|fact| matches!(fact, Fact::IsSet(_))),
            _ => {}
        }
    }

    /// What a branch tells.
    fn on_edge(&self, block: Block, to: Block, mut facts: BTreeSet<Fact>) -> BTreeSet<Fact> {
        let Some((of, read, is_set)) = self.told(block, to) else { return facts };
        if is_set {
            facts.insert(Fact::IsSet(of));
        } else if facts.contains(&Fact::Looks(of, read)) {
            facts.insert(Fact::IsUnset(of));
        }
        facts
    }

    /// The object and the read of the flag on which a branch goes to a block, and whether it is set there.
    fn told(&self, block: Block, to: Block) -> Option<(Value, Value, bool)> {
        let last = self.body.values(block).next_back()?;
        let Op::Branch(condition, a, b, then, otherwise) = self.body.op(last) else { return None };
        let is_equal = match condition {
            Condition::Equal => *then == to,
            Condition::NotEqual => *otherwise == to,
            _ => return None,
        };
        let (of, read, is_set) = match (self.flag.set, b) {
            (Set::NotZero | Set::NotNull, None) => {
                let (of, read) = self.read(*a)?;
                (of, read, !is_equal)
            }
            (Set::Is(_), Some(b)) => {
                let (read, other) = if self.read(*a).is_some() { (*a, *b) } else { (*b, *a) };
                let (of, read) = self.read(read).filter(|_| self.flag.is_set_by(self.body, other))?;
                (of, read, is_equal)
            }
            _ => return None,
        };
        (then != otherwise).then_some((of, read, is_set))
    }

    fn read(&self, value: Value) -> Option<(Value, Value)> {
        let value = origin(self.body, value);
        match self.body.op(value) {
            Op::GetField(of, member) if self.flag.is(*member) => Some((origin(self.body, *of), value)),
            _ => None,
        }
    }
}
