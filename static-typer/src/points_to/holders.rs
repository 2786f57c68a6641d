//! Which objects hold others, or hold what leads to them.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::core::cycles::components;
use super::{ObjectSet, PointsTo};

/// The objects and what their slots refer to, a node each, by strongly connected component.
pub struct Holders {
    component: Vec<u32>,
    /// By component, those from which an edge leads there.
    before: Vec<Vec<u32>>,
}

/// Some objects and those that lead to them, by component.
pub struct Above(FixedBitSet);

impl Holders {
    /// By all slots.
    #[must_use]
    pub fn of(points_to: &PointsTo) -> Self {
        let n_objects = points_to.objects.len();
        let mut held: Vec<Vec<usize>> = vec![Vec::new(); n_objects];
        let mut sets: Vec<&ObjectSet> = Vec::new();
        // Slots have one set in common where each gets what the other has.
        let mut numbers: FxHashMap<*const ObjectSet, usize> = FxHashMap::default();
        for (object, _, objects) in points_to.slots() {
            let number = *numbers.entry(std::ptr::from_ref(objects)).or_insert_with(|| {
                sets.push(objects);
                n_objects + sets.len() - 1
            });
            held[object.0 as usize].push(number);
        }
        let of_object = |node: usize| held.get(node).into_iter().flatten().copied();
        let of_set = |node: usize| node.checked_sub(n_objects).into_iter().flat_map(|set| sets[set].iter());
        let edges = |node: usize| of_object(node).chain(of_set(node).map(|object| object.0 as usize));
        Self::of_graph(n_objects + sets.len(), edges)
    }

    fn of_graph<I: Iterator<Item = usize>>(n_nodes: usize, edges: impl Fn(usize) -> I) -> Self {
        let found = components(n_nodes, &edges);
        let mut component = vec![0; n_nodes];
        for (number, nodes) in (0..).zip(&found) {
            nodes.iter().for_each(|node| component[*node] = number);
        }
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); found.len()];
        for (number, nodes) in (0..).zip(&found) {
            for to in nodes.iter().flat_map(|node| edges(*node)).map(|to| component[to]) {
                if to != number && before[to as usize].last() != Some(&number) {
                    before[to as usize].push(number);
                }
            }
        }
        Self { component, before }
    }

    /// These objects and all that lead to one of them.
    #[must_use]
    pub fn above(&self, objects: &ObjectSet) -> Above {
        let mut above = FixedBitSet::with_capacity(self.before.len());
        let mut open: Vec<u32> = objects.iter().map(|object| self.component[object.0 as usize]).collect();
        while let Some(next) = open.pop() {
            if !above.put(next as usize) {
                open.extend(&self.before[next as usize]);
            }
        }
        Above(above)
    }

    /// Whether one of these objects is among them.
    #[must_use]
    pub fn has_one_of(&self, above: &Above, objects: &ObjectSet) -> bool {
        objects.iter().any(|object| above.0[self.component[object.0 as usize] as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::super::ObjectId;
    use super::*;

    /// Nodes with an edge to each of some others.
    fn holders(edges: &[&[usize]]) -> Holders {
        Holders::of_graph(edges.len(), |node| edges[node].iter().copied())
    }

    #[test]
    fn who_leads_to_an_object_is_found() {
        // 0 -> 1 -> 2 <-> 3 -> 4, 5 -> 4
        let holders = holders(&[&[1], &[2], &[3], &[2, 4, 4], &[], &[4]]);
        let leading = |to| {
            let above = holders.above(&ObjectSet::of(ObjectId(to)));
            (0..6).filter(|from| holders.has_one_of(&above, &ObjectSet::of(ObjectId(*from)))).collect::<Vec<u32>>()
        };
        assert_eq!(leading(0), [0]);
        assert_eq!(leading(1), [0, 1]);
        assert_eq!(leading(2), [0, 1, 2, 3]);
        assert_eq!(leading(4), [0, 1, 2, 3, 4, 5]);
    }
}
