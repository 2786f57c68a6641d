//! Dominators, after K. Cooper, T. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).

use super::{Block, Body};

/// Which blocks lie on every path to a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dominators {
    /// The nearest dominator of each block; the first block is its own.
    nearest: Vec<u32>,
}

impl Dominators {
    /// The dominators of a body, whose blocks stand in reverse postorder.
    #[must_use]
    pub fn of(body: &Body) -> Self {
        const UNKNOWN: u32 = u32::MAX;
        let mut nearest = vec![UNKNOWN; body.blocks.len()];
        nearest[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for block in body.blocks().skip(1) {
                let known = body.block(block).predecessors.iter().filter(|before| nearest[before.index()] != UNKNOWN);
                let common = known.map(|before| before.0).reduce(|a, b| meet(&nearest, a, b)).unwrap_or(UNKNOWN);
                changed |= std::mem::replace(&mut nearest[block.index()], common) != common;
            }
        }
        Self { nearest }
    }

    /// Whether every path to `block` leads through `above`; a block dominates itself.
    #[must_use]
    pub fn dominates(&self, above: Block, block: Block) -> bool {
        let mut at = block.0;
        while at > above.0 {
            at = self.nearest[at as usize];
        }
        at == above.0
    }
}

fn meet(nearest: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = nearest[a as usize];
        }
        while b > a {
            b = nearest[b as usize];
        }
    }
    a
}
