//! Walks: what leads to some nodes of a graph, and what may run after some instructions of a body.

use rustc_hash::FxHashSet;

use crate::ir::{Block, Body, Value};

/// Which nodes are marked or lead to one that is.
#[must_use]
pub fn leading(marked: &[bool], next: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut before = vec![Vec::new(); marked.len()];
    for node in 0..marked.len() {
        next(node).into_iter().for_each(|to| before[to].push(node));
    }
    leading_to(&before, (0..marked.len()).filter(|node| marked[*node]).collect())
}

/// Some nodes, and all that lead to one of them: `before` has those from which there is an edge to each.
#[must_use]
pub fn leading_to(before: &[Vec<usize>], mut open: Vec<usize>) -> Vec<bool> {
    let mut leading = vec![false; before.len()];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut leading[node], true) {
            open.extend(&before[node]);
        }
    }
    leading
}

/// The instructions of a body that may run after one of some, before another one runs, which is none of them.
#[must_use]
pub fn following_values_until(body: &Body, starts: &FxHashSet<Value>, end: Value) -> FxHashSet<Value> {
    let mut late = FxHashSet::default();
    let mut done = FxHashSet::default();
    let mut open: Vec<Block> = Vec::new();
    let mut run = |values: &mut dyn Iterator<Item = Value>| {
        for value in values {
            if value == end {
                return false;
            }
            late.insert(value);
        }
        true
    };
    for block in body.blocks() {
        let mut values = body.values(block).skip_while(|value| !starts.contains(value));
        if values.next().is_some() && run(&mut values) {
            open.extend(body.following(block));
        }
    }
    while let Some(block) = open.pop() {
        if done.insert(block) && run(&mut body.values(block)) {
            open.extend(body.following(block));
        }
    }
    late
}

/// The instructions of a body that may run after one of some.
pub fn following_values(body: &Body, starts: &FxHashSet<Value>) -> FxHashSet<Value> {
    let mut late = FxHashSet::default();
    let mut done = FxHashSet::default();
    let mut open: Vec<Block> = Vec::new();
    for block in body.blocks() {
        let mut values = body.values(block).skip_while(|value| !starts.contains(value));
        if values.next().is_some() {
            late.extend(values);
            open.extend(body.following(block));
        }
    }
    while let Some(block) = open.pop() {
        if done.insert(block) {
            late.extend(body.values(block));
            open.extend(body.following(block));
        }
    }
    late
}
