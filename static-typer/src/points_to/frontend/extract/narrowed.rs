//! What `instanceof` has told of a value where it is used: `List.copyOf` gives back what it is given if that is one of the immutable lists,
//! and as a `List`, of which a cast tells less.

use crate::ir::{Block, Body, Condition, Op, Value};
use crate::program::Type;

/// Blocks further back are not looked at.
const DEPTH: u8 = 4;

/// The types of which a value has one wherever a block runs; none if that is not known.
pub fn narrowed(body: &Body, block: Block, value: Value) -> Vec<Type> {
    before(body, block, value, DEPTH).unwrap_or_default()
}

fn before(body: &Body, block: Block, value: Value, depth: u8) -> Option<Vec<Type>> {
    let depth = depth.checked_sub(1)?;
    let predecessors = &body.block(block).predecessors;
    let types: Option<Vec<Vec<Type>>> =
        predecessors.iter().map(|from| between(body, *from, block, value, depth)).collect();
    types.filter(|types| !types.is_empty()).map(|types| types.concat())
}

/// The same where one block has led to another.
fn between(body: &Body, from: Block, to: Block, value: Value, depth: u8) -> Option<Vec<Type>> {
    let last = body.op(body.values(from).next_back()?);
    if let Op::Branch(condition, tested, None, then, otherwise) = last
        && let Op::InstanceOf(of, ty) = body.op(*tested)
        && *of == value
        && then != otherwise
    {
        let holds = match condition {
            Condition::Equal => otherwise,
            Condition::NotEqual => then,
            _ => return None,
        };
        if *holds == to {
            return Some(vec![*ty]);
        }
    }
    // An exception may leave a block before its end.
    if last.targets().contains(&to) { before(body, from, value, depth) } else { None }
}
