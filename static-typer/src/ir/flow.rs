//! The control-flow graph of bytecode.
//!
//! A protected block ends behind each assignment to a local variable, so that whatever throws in it, the handler sees the
//! variables as they were when the block began. Subroutines (`jsr`, `ret`) are copied for each caller.

use classfile::instruction::{between, walk};
use classfile::opcode::*;
use classfile::{Code, Flow};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Malformed;

/// Far above what any compiler emits: copies of subroutines in subroutines could grow without bound.
const MAX_NODES: usize = 1 << 18;

pub(super) struct Graph {
    /// In reverse postorder, the entry first.
    pub nodes: Vec<Node>,
}

pub(super) struct Node {
    pub kind: Kind,
    /// Where it goes without an exception: for a branch its target first, for a switch its default.
    pub successors: Vec<usize>,
    /// Where exceptions go: catch type (0 for all) and landing.
    pub handlers: Vec<(u16, usize)>,
    /// Each once, in order.
    pub predecessors: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Where the parameters are.
    Entry,
    /// Instructions from one offset up to another.
    Code { start: u32, end: u32 },
    /// Where an exception is caught that the handler at `target` handles.
    Landing { catch_type: u16, target: u32 },
}

/// A subroutine call that has not returned: of which subroutine, where to, and inside which call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Subroutine {
    outside: usize,
    entry: u32,
    back_to: u32,
}

/// No subroutine.
const OUTSIDE: usize = 0;

struct Builder<'c, 'a> {
    code: &'c Code<'a>,
    /// Where blocks begin; one past the end is a boundary too.
    boundaries: Vec<bool>,
    calls: IndexSet<Subroutine, FxBuildHasher>,
    numbers: FxHashMap<(Kind, usize), usize>,
    nodes: Vec<(Node, usize)>,
}

impl Graph {
    pub fn of(code: &Code<'_>) -> Result<Self, Malformed> {
        let nowhere = Subroutine { outside: OUTSIDE, entry: u32::MAX, back_to: 0 };
        let boundaries = boundaries(code)?;
        let mut builder = Builder {
            code,
            boundaries,
            calls: [nowhere].into_iter().collect(),
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
        };
        builder.number(Kind::Entry, OUTSIDE)?;
        let mut next = 0;
        while next < builder.nodes.len() {
            builder.connect(next)?;
            next += 1;
        }
        Ok(Self { nodes: in_reverse_postorder(builder.nodes.into_iter().map(|(node, _)| node).collect()) })
    }
}

fn boundaries(code: &Code<'_>) -> Result<Vec<bool>, Malformed> {
    let length = code.bytes.len();
    let mut begins = vec![false; length + 1];
    let mut boundaries = vec![false; length + 1];
    let mut marked = vec![0];
    for handler in &code.handlers {
        marked.extend([handler.start, handler.end, handler.target].map(u32::from));
    }
    for instruction in walk(code.bytes) {
        let instruction = instruction?;
        begins[instruction.at as usize] = true;
        let next = instruction.end();
        match instruction.flow() {
            Flow::Next if is_store(instruction.opcode()) && is_protected(code, instruction.at) => marked.push(next),
            Flow::Next => {}
            Flow::Jump(target) | Flow::Branch(target) | Flow::Subroutine(target) => marked.extend([target, next]),
            Flow::Switch(switch) => {
                marked.extend([switch.default(), next]);
                marked.extend(switch.cases().map(|(_, target)| target));
            }
            Flow::Return | Flow::End => marked.push(next),
        }
    }
    begins[length] = true;
    for place in marked {
        if !begins.get(place as usize).copied().unwrap_or(false) {
            return Malformed::new("a jump or a range that is not at an instruction");
        }
        boundaries[place as usize] = true;
    }
    Ok(boundaries)
}

fn is_protected(code: &Code<'_>, at: u32) -> bool {
    code.handlers.iter().any(|handler| handler.covers(at))
}

/// Whether an instruction can end in an exception. Those of unloadable classes and of a full stack come with calls and
/// accesses; an unlocked monitor at `return` cannot be in code that javac made.
const fn can_throw(opcode: u8) -> bool {
    is_array_load(opcode)
        || is_array_store(opcode)
        || matches!(opcode, LDC..=LDC2_W | IDIV | LDIV | IREM | LREM | GETSTATIC..=MONITOREXIT | MULTIANEWARRAY)
}

/// Whether an instruction assigns to a local variable; of wide ones, it may.
const fn is_store(opcode: u8) -> bool {
    matches!(opcode, ISTORE..=ASTORE_3 | IINC | WIDE)
}

impl Builder<'_, '_> {
    fn number(&mut self, kind: Kind, call: usize) -> Result<usize, Malformed> {
        if let Some(number) = self.numbers.get(&(kind, call)) {
            return Ok(*number);
        }
        if self.nodes.len() == MAX_NODES {
            return Malformed::new("subroutines that nest too deeply");
        }
        let node = Node { kind, successors: Vec::new(), handlers: Vec::new(), predecessors: Vec::new() };
        self.nodes.push((node, call));
        self.numbers.insert((kind, call), self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    /// The block that begins at an offset.
    fn block(&mut self, start: u32, call: usize) -> Result<usize, Malformed> {
        let rest = self.boundaries.get(start as usize + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|boundary| *boundary) else {
            return Malformed::new("code that runs past its end");
        };
        let end = start + 1 + length as u32;
        self.number(Kind::Code { start, end }, call)
    }

    fn connect(&mut self, number: usize) -> Result<(), Malformed> {
        let (kind, call) = (self.nodes[number].0.kind, self.nodes[number].1);
        let successors = match kind {
            Kind::Entry => vec![self.block(0, call)?],
            Kind::Landing { target, .. } => vec![self.block(target, call)?],
            Kind::Code { start, end } => {
                self.nodes[number].0.handlers = self.handlers(start, end, call)?;
                self.after(start, end, call)?
            }
        };
        self.nodes[number].0.successors = successors;
        Ok(())
    }

    /// Where the last instruction of a block goes.
    fn after(&mut self, start: u32, end: u32, call: usize) -> Result<Vec<usize>, Malformed> {
        let last =
            between(self.code.bytes, start, end).last().unwrap_or(Err(classfile::Malformed("an empty block")))?;
        Ok(match last.flow() {
            Flow::Next => vec![self.block(end, call)?],
            Flow::Jump(target) => vec![self.block(target, call)?],
            Flow::Branch(target) => vec![self.block(target, call)?, self.block(end, call)?],
            Flow::Switch(switch) => {
                let targets = std::iter::once(switch.default()).chain(switch.cases().map(|(_, target)| target));
                targets.map(|target| self.block(target, call)).collect::<Result<_, _>>()?
            }
            Flow::Subroutine(target) => {
                let inside = self.enter(call, target, end);
                vec![self.block(target, inside)?]
            }
            Flow::Return if call == OUTSIDE => return Malformed::new("a `ret` outside a subroutine"),
            Flow::Return => {
                let Subroutine { outside, back_to, .. } = self.calls[call];
                vec![self.block(back_to, outside)?]
            }
            Flow::End => Vec::new(),
        })
    }

    /// A subroutine that is called while it is active was left by a jump (JVMS 4.10.2.5 forbids recursion).
    fn enter(&mut self, call: usize, entry: u32, back_to: u32) -> usize {
        let mut active = call;
        while active != OUTSIDE && self.calls[active].entry != entry {
            active = self.calls[active].outside;
        }
        let outside = if active == OUTSIDE { call } else { self.calls[active].outside };
        let inside = Subroutine { outside, entry, back_to };
        self.calls.insert_full(inside).0
    }

    fn handlers(&mut self, start: u32, end: u32, call: usize) -> Result<Vec<(u16, usize)>, Malformed> {
        let mut throws = false;
        for instruction in between(self.code.bytes, start, end) {
            throws |= can_throw(instruction?.opcode());
        }
        let mut handlers = Vec::new();
        for handler in &self.code.handlers {
            if throws && handler.covers(start) {
                let (catch_type, target) = (handler.catch_type, u32::from(handler.target));
                handlers.push((catch_type, target));
                if catch_type == 0 {
                    break;
                }
            }
        }
        let number = |(catch_type, target)| Ok((catch_type, self.number(Kind::Landing { catch_type, target }, call)?));
        let mut handlers: Vec<(u16, usize)> = handlers.into_iter().map(number).collect::<Result<_, Malformed>>()?;
        let mut seen = rustc_hash::FxHashSet::default();
        handlers.retain(|handler| seen.insert(*handler));
        Ok(handlers)
    }
}

fn in_reverse_postorder(nodes: Vec<Node>) -> Vec<Node> {
    let order = reverse_postorder(&nodes);
    let mut place = vec![usize::MAX; nodes.len()];
    for (new, old) in order.iter().enumerate() {
        place[*old] = new;
    }
    let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    let mut sorted: Vec<Node> = order.iter().filter_map(|old| nodes[*old].take()).collect();
    for number in 0..sorted.len() {
        let node = &mut sorted[number];
        node.successors.iter_mut().for_each(|to| *to = place[*to]);
        node.handlers.iter_mut().for_each(|(_, to)| *to = place[*to]);
        for to in targets(&sorted[number]) {
            if sorted[to].predecessors.last() != Some(&number) {
                sorted[to].predecessors.push(number);
            }
        }
    }
    sorted
}

fn targets(node: &Node) -> Vec<usize> {
    node.successors.iter().copied().chain(node.handlers.iter().map(|(_, to)| *to)).collect()
}

fn reverse_postorder(nodes: &[Node]) -> Vec<usize> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut seen = vec![false; nodes.len()];
    let mut stack = vec![(0, targets(&nodes[0]))];
    seen[0] = true;
    while let Some((number, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(to) if seen[to] => {}
            Some(to) => {
                seen[to] = true;
                let after = targets(&nodes[to]);
                stack.push((to, after));
            }
            None => {
                order.push(*number);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
