//! The verifier reports every damage of a body that makes it wrong, and panics for none.

use crate::common::{Random, compiled, methods, program};
use static_typer::ir::{Block, Body, Dominators, Instruction, Op, Value, verify};
use static_typer::program::{Constant, Program, Type};

/// Does damage at an instruction, or says that there is none of this kind to do.
type Damage = fn(&mut Body, Value, &mut Random) -> Option<()>;

/// Each of them makes a body wrong wherever it is done.
const DAMAGES: [(&str, Damage); 31] = [
    ("an operand that does not exist", |body, at, random| replace(body, at, random, |body, at| beyond(body, at))),
    ("an operand that is computed later", |body, at, random| replace(body, at, random, later)),
    ("an operand of another branch", |body, at, random| replace(body, at, random, elsewhere)),
    ("an operand without a value", |body, at, random| {
        replace(body, at, random, |body, _| of_type(body, &[Type::VOID]))
    }),
    ("an operand of another type", other_type),
    ("an operand of a handler that may come too late", too_late),
    ("too few operands of a phi", |body, at, _| operands_of_phi(body, at, false)),
    ("too many operands of a phi", |body, at, _| operands_of_phi(body, at, true)),
    ("too few arguments", |body, at, _| arguments(body, at, |all| all.truncate(all.len() - 1))),
    ("too many arguments", |body, at, _| arguments(body, at, |all| all.push(all[0]))),
    ("a predecessor too few", |body, at, _| {
        let predecessors = &mut block_of(body, at).predecessors;
        (!predecessors.is_empty()).then(|| predecessors.truncate(predecessors.len() - 1))
    }),
    ("a predecessor twice", |body, at, _| {
        let predecessors = &mut block_of(body, at).predecessors;
        predecessors.push(*predecessors.last()?);
        Some(())
    }),
    ("a predecessor too many", |body, at, random| {
        let other = Block(random.below(body.blocks.len()) as u32);
        let predecessors = &mut block_of(body, at).predecessors;
        (!predecessors.contains(&other)).then(|| predecessors.push(other))
    }),
    ("an instruction before its operand", |body, at, _| {
        let next = at.index() + 1;
        let uses = operands(&body.instructions.get(next)?.op).contains(&at);
        let is_phi = matches!(body.instructions[next].op, Op::Phi(_));
        (uses && !is_phi).then(|| body.instructions.swap(at.index(), next))
    }),
    ("an instruction behind the terminator", |body, at, _| {
        let last = block_of(body, at).instructions.end as usize - 1;
        (at.index() + 1 == last).then(|| body.instructions.swap(at.index(), last))
    }),
    ("no terminator", |body, at, _| body.op(at).is_terminator().then(|| remove(body, at))),
    ("a block that begins too late", |body, at, _| {
        block_of(body, at).instructions.start += 1;
        Some(())
    }),
    ("a block that ends too early", |body, at, _| {
        block_of(body, at).instructions.end -= 1;
        Some(())
    }),
    ("a block that ends too late", |body, at, _| {
        block_of(body, at).instructions.end += 1;
        Some(())
    }),
    ("a result of another type", |body, at, random| {
        let ty = &mut body.instructions[at.index()].ty;
        let other = [Type::VOID, Type::INT, Type::LONG, Type::FLOAT, Type::DOUBLE, Type::OBJECT][random.below(6)];
        (kind(other) != kind(*ty)).then(|| *ty = other)
    }),
    ("a jump to another block", |body, at, random| {
        let other = Block(random.below(body.blocks.len()) as u32);
        let is_known = body.op(at).targets().contains(&other);
        (!is_known).then(|| redirect(body, at, other))?
    }),
    ("a jump to nowhere", |body, at, _| {
        let nowhere = Block(body.blocks.len() as u32);
        redirect(body, at, nowhere)
    }),
    ("a handler too few", |body, at, _| {
        let handlers = &mut block_of(body, at).handlers;
        let (_, handler) = handlers.pop()?;
        handlers.iter().all(|(_, other)| *other != handler).then_some(())
    }),
    ("a handler that catches nothing", |body, at, random| {
        let other = Block(random.below(body.blocks.len()) as u32);
        let is_handler = body.values(other).any(|value| *body.op(value) == Op::Caught);
        (!is_handler).then(|| block_of(body, at).handlers.push((None, other)))
    }),
    ("a handler that catches something else", |body, at, _| {
        let (catch, _) = block_of(body, at).handlers.first_mut()?;
        *catch = Some(Type::OBJECT);
        Some(())
    }),
    ("a handler without its exception", |body, at, _| {
        (*body.op(at) == Op::Caught).then(|| put(body, at, Op::Null, Type::NULL))
    }),
    ("an exception where none is caught", |body, at, _| {
        let ty = body.instruction(at).ty;
        let constant = matches!(body.op(at), Op::Constant(Constant::String(_)) | Op::Null | Op::New);
        constant.then(|| put(body, at, Op::Caught, ty))
    }),
    ("a parameter that does not exist", |body, at, _| match &mut body.instructions[at.index()].op {
        Op::Parameter(n) => {
            *n += 100;
            Some(())
        }
        _ => None,
    }),
    ("a parameter in the middle", |body, at, _| {
        let ty = body.instruction(at).ty;
        let first_block = body.block(Block(0)).instructions.contains(&at.0);
        (!first_block && matches!(body.op(at), Op::Constant(_))).then(|| put(body, at, Op::Parameter(0), ty))
    }),
    ("a phi in the middle", |body, at, _| {
        let before = Value(at.0.checked_sub(1)?);
        let n = block_of(body, at).predecessors.len();
        let inside = block_of(body, at).instructions.contains(&before.0) && !matches!(body.op(before), Op::Phi(_));
        let ty = body.instruction(at).ty;
        let phi = Op::Phi(vec![at; n].into());
        (inside && matches!(body.op(at), Op::Constant(_))).then(|| put(body, at, phi, ty))
    }),
    ("a field for a method", |body, at, _| {
        let field = body.instructions.iter().find_map(|instruction| match instruction.op {
            Op::GetField(_, member) | Op::GetStatic(member) => Some(member),
            _ => None,
        })?;
        let Op::Invoke(_, member, _) = &mut body.instructions[at.index()].op else { return None };
        *member = field;
        Some(())
    }),
];

fn kind(ty: Type) -> Type {
    if ty.is_reference() { Type::OBJECT } else { ty.on_stack() }
}

fn operands(op: &Op) -> Vec<Value> {
    let mut operands = Vec::new();
    op.for_each_operand(|operand| operands.push(operand));
    operands
}

fn put(body: &mut Body, at: Value, op: Op, ty: Type) {
    let instruction = &mut body.instructions[at.index()];
    *instruction = Instruction { op, ty, at: instruction.at };
}

fn block_of(body: &mut Body, at: Value) -> &mut static_typer::ir::BlockData {
    body.blocks.iter_mut().find(|block| block.instructions.contains(&at.0)).expect("each instruction is in a block")
}

fn block_number(body: &Body, at: Value) -> Block {
    let mut blocks = body.blocks();
    blocks.find(|block| body.block(*block).instructions.contains(&at.0)).expect("each instruction is in a block")
}

fn set(body: &mut Body, at: Value, place: usize, with: Value) {
    let mut n = 0;
    body.instructions[at.index()].op.for_each_operand_mut(|operand| {
        if n == place {
            *operand = with;
        }
        n += 1;
    });
}

/// Puts one of the values for an operand, except into a phi: what reaches a phi need not reach its block.
fn replace(body: &mut Body, at: Value, random: &mut Random, wrong: fn(&mut Body, Value) -> Vec<Value>) -> Option<()> {
    let (n, wrong) = (operands(body.op(at)).len(), wrong(body, at));
    if n == 0 || wrong.is_empty() || matches!(body.op(at), Op::Phi(_)) {
        return None;
    }
    set(body, at, random.below(n), wrong[random.below(wrong.len())]);
    Some(())
}

fn beyond(body: &Body, _: Value) -> Vec<Value> {
    vec![Value(body.instructions.len() as u32), Value(u32::MAX)]
}

fn later(body: &mut Body, at: Value) -> Vec<Value> {
    (at.0..block_of(body, at).instructions.end).map(Value).collect()
}

fn elsewhere(body: &mut Body, at: Value) -> Vec<Value> {
    let dominators = Dominators::of(body);
    let own = block_number(body, at);
    let others = body.blocks().filter(|block| !dominators.dominates(*block, own));
    others.flat_map(|block| body.values(block)).collect()
}

fn of_type(body: &Body, types: &[Type]) -> Vec<Value> {
    body.all_values().filter(|value| types.contains(&kind(body.instruction(*value).ty))).collect()
}

/// Some instructions take more than one type: conversions any number, comparisons with zero any type, and what is stored
/// into `null` may be anything.
fn other_type(body: &mut Body, at: Value, random: &mut Random) -> Option<()> {
    let before = operands(body.op(at));
    let place = random.below(before.len().max(1));
    let known = kind(body.instruction(*before.get(place)?).ty);
    let others = match body.op(at) {
        Op::Branch(_, _, None, _, _) => vec![Type::LONG, Type::FLOAT, Type::DOUBLE],
        Op::Convert(..) => vec![Type::OBJECT],
        Op::StoreElement(array, ..) if body.instruction(*array).ty == Type::NULL => return None,
        _ => vec![Type::INT, Type::LONG, Type::FLOAT, Type::DOUBLE, Type::OBJECT],
    };
    let others: Vec<Type> = others.into_iter().filter(|other| *other != known).collect();
    let wrong = of_type(body, &others);
    (!wrong.is_empty()).then(|| set(body, at, place, wrong[random.below(wrong.len())]))
}

/// What a block computes, an exception in it leaves uncomputed.
fn too_late(body: &mut Body, at: Value, random: &mut Random) -> Option<()> {
    let Op::Phi(operands) = body.op(at) else { return None };
    let place = random.below(operands.len());
    let ty = body.instruction(at).ty;
    let is_handler = body.values(block_number(body, at)).any(|value| *body.op(value) == Op::Caught);
    let before = body.block(block_number(body, at)).predecessors[place];
    let fits = |value: &Value| body.instruction(*value).ty == ty && !matches!(body.op(*value), Op::Phi(_));
    let late = body.values(before).find(fits).filter(|_| is_handler)?;
    set(body, at, place, late);
    Some(())
}

fn operands_of_phi(body: &mut Body, at: Value, more: bool) -> Option<()> {
    let Op::Phi(values) = &mut body.instructions[at.index()].op else { return None };
    let mut changed = values.to_vec();
    let last = changed[changed.len() - 1];
    if more {
        changed.push(last)
    } else {
        changed.truncate(changed.len() - 1)
    }
    *values = changed.into();
    Some(())
}

fn arguments(body: &mut Body, at: Value, change: fn(&mut Vec<Value>)) -> Option<()> {
    let (Op::Invoke(_, _, values) | Op::InvokeDynamic(_, _, _, values)) = &mut body.instructions[at.index()].op else {
        return None;
    };
    let mut changed = values.to_vec();
    (!changed.is_empty()).then(|| change(&mut changed))?;
    *values = changed.into();
    Some(())
}

fn redirect(body: &mut Body, at: Value, other: Block) -> Option<()> {
    match &mut body.instructions[at.index()].op {
        Op::Jump(to) | Op::Branch(_, _, _, to, _) | Op::Switch(_, to, _) => {
            *to = other;
            Some(())
        }
        _ => None,
    }
}

/// Takes an instruction out of its block, and lets the other blocks keep theirs.
fn remove(body: &mut Body, at: Value) {
    body.instructions.remove(at.index());
    for block in &mut body.blocks {
        block.instructions.start -= u32::from(block.instructions.start > at.0);
        block.instructions.end -= u32::from(block.instructions.end > at.0);
    }
}

fn bodies(program: &Program) -> Vec<Body> {
    methods(program).filter_map(|method| Body::of(program, method)).map(|body| body.expect("a body")).collect()
}

#[test]
fn damage_is_reported() {
    let program = program(&compiled("meaning", &["--release", "17"]));
    let mut random = Random(1);
    for (name, damage) in DAMAGES {
        let mut n_done = 0;
        for body in bodies(&program) {
            for at in body.all_values() {
                let mut damaged = body.clone();
                if damage(&mut damaged, at, &mut random).is_some() {
                    n_done += 1;
                    let place = || format!("{name} at v{}\n{}", at.0, damaged.print(&program));
                    assert!(verify(&program, &damaged).is_err(), "{}", place());
                }
            }
        }
        assert!(n_done >= 10, "{name}: {n_done}");
    }
}

#[test]
fn damaged_text_is_read_or_reported() {
    let program = program(&compiled("meaning", &["--release", "17"]));
    let mut random = Random(2);
    for body in bodies(&program) {
        let text = body.print(&program);
        let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for _ in 0..200 {
            let mut damaged = words.clone();
            for _ in 0..=random.below(3) {
                let (from, to) = (random.below(words.len()), random.below(damaged.len()));
                damaged[to] = if random.below(3) == 0 { "" } else { words[from] };
            }
            if let Ok(body) = Body::parse(&program, body.method, &damaged.concat()) {
                let _ = verify(&program, &body);
            }
        }
    }
}

#[test]
fn a_body_without_blocks_is_reported() {
    let program = program(&compiled("meaning", &["--release", "17"]));
    let mut body = bodies(&program).remove(0);
    body.instructions.clear();
    assert!(verify(&program, &body).is_err());
    body.blocks.clear();
    assert!(verify(&program, &body).is_err());
}
