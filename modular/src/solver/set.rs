//! What a variable refers to, in the order in which it came: of whole programs there are millions of members.

use crate::node::NodeId;

/// So many members are looked through.
const FEW: usize = 8;

/// Nodes in order, each once.
#[derive(Clone, Default, Debug)]
pub struct Set {
    order: Vec<NodeId>,
    /// Which of 64 nodes are members, by the number of the first one through 64, sorted; none of a few.
    blocks: Vec<(u32, u64)>,
}

impl Set {
    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The members, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, NodeId> {
        self.order.iter()
    }

    /// Adds a node; says whether it is new.
    pub fn insert(&mut self, node: NodeId) -> bool {
        let is_new = match self.order.len() < FEW {
            true => !self.order.contains(&node),
            false => self.mark(node),
        };
        if is_new {
            self.order.push(node);
            if self.order.len() == FEW {
                for n in 0..FEW {
                    self.mark(self.order[n]);
                }
            }
        }
        is_new
    }

    fn mark(&mut self, node: NodeId) -> bool {
        let (block, bit) = (node.0 / 64, 1 << (node.0 % 64));
        match self.blocks.binary_search_by_key(&block, |(number, _)| *number) {
            Ok(at) => {
                let is_new = self.blocks[at].1 & bit == 0;
                self.blocks[at].1 |= bit;
                is_new
            }
            Err(at) => {
                self.blocks.insert(at, (block, bit));
                true
            }
        }
    }
}

impl std::ops::Index<usize> for Set {
    type Output = NodeId;

    fn index(&self, n: usize) -> &NodeId {
        &self.order[n]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Set;
    use crate::node::NodeId;

    #[test]
    fn it_has_each_member_once_in_the_order_in_which_it_came() {
        let (mut set, mut seen, mut order) = (Set::default(), BTreeSet::new(), Vec::new());
        // A walk through few and many numbers, near and far, most of them more than once.
        for step in 0..2000_u32 {
            let node = NodeId((step * step * 31) % (1 + step * 3 / 2));
            assert_eq!(set.insert(node), seen.insert(node), "step {step}");
            if seen.len() > order.len() {
                order.push(node);
            }
            assert_eq!(set.iter().copied().collect::<Vec<_>>(), order);
        }
    }
}
