//! The graph along which objects flow, and the order in which they do.
//!
//! Only what is new flows on (difference propagation). Nodes are worked on in the order of the graph, sources first, so that
//! most see what reaches them at once; cycles become one node when the graph has grown enough to look for them again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::cycles::components;
use super::object::{MaskId, ObjectId, Objects};
use super::set::ObjectSet;

/// A variable of the analysis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

impl Node {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// From one node to another; objects outside the mask stay behind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Edge {
    to: Node,
    filter: Option<MaskId>,
}

/// The graph.
#[derive(Default, Debug)]
pub struct Graph {
    /// The node that a node has become; itself for those that are worked on.
    merged_into: Vec<Node>,
    objects: Vec<ObjectSet>,
    /// What has not flowed on yet.
    new: Vec<ObjectSet>,
    /// Whether something else happens with the objects of a node than that they flow on.
    is_used: Vec<bool>,
    /// What has flowed on and has not been used yet.
    unused: IndexMap<Node, ObjectSet, FxBuildHasher>,
    edges: Vec<Vec<Edge>>,
    known: FxHashSet<(Node, Edge)>,
    /// The nodes that have become one, if more than itself.
    members: FxHashMap<Node, Vec<Node>>,
    rank: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    is_queued: Vec<bool>,
    /// How many edges without filter there were when cycles were last looked for.
    n_copies: usize,
    next_search: usize,
}

/// Fewer edges are not worth a search for cycles, except to be tested.
const FIRST_SEARCH: usize = if cfg!(debug_assertions) { 16 } else { 4096 };

impl Graph {
    /// New nodes that follow each other; returns the first.
    pub fn add_nodes(&mut self, count: u32) -> Node {
        let first = self.merged_into.len();
        let end = first + count as usize;
        self.merged_into.extend((first..end).map(|index| Node(index as u32)));
        self.objects.resize(end, ObjectSet::default());
        self.new.resize(end, ObjectSet::default());
        self.is_used.resize(end, false);
        self.edges.resize(end, Vec::new());
        // What is found late mostly depends on what was found before.
        self.rank.resize(end, u32::MAX);
        self.is_queued.resize(end, false);
        Node(first as u32)
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.merged_into.len()
    }

    /// How many different edges were added.
    #[must_use]
    pub fn n_edges(&self) -> usize {
        self.known.len()
    }

    /// The node that a node has become.
    #[must_use]
    pub fn find(&self, mut node: Node) -> Node {
        while self.merged_into[node.index()] != node {
            node = self.merged_into[node.index()];
        }
        node
    }

    fn find_and_shorten(&mut self, node: Node) -> Node {
        let root = self.find(node);
        let mut node = node;
        while node != root {
            node = std::mem::replace(&mut self.merged_into[node.index()], root);
        }
        root
    }

    /// What a node refers to.
    #[must_use]
    pub fn objects(&self, node: Node) -> &ObjectSet {
        &self.objects[self.find(node).index()]
    }

    /// The nodes that have become one with this one, itself included.
    #[must_use]
    pub fn members(&self, node: Node) -> Vec<Node> {
        self.members.get(&node).cloned().unwrap_or_else(|| vec![node])
    }

    /// Adds an object to a node.
    pub fn insert(&mut self, node: Node, object: ObjectId) {
        let node = self.find_and_shorten(node);
        if self.objects[node.index()].insert(object) {
            self.new[node.index()].insert(object);
            self.enqueue(node);
        }
    }

    /// Adds an edge; what its start refers to flows at once.
    pub fn connect(&mut self, from: Node, to: Node, filter: Option<MaskId>, objects: &Objects) {
        let (from, to) = (self.find_and_shorten(from), self.find_and_shorten(to));
        let edge = Edge { to, filter };
        if from == to || !self.known.insert((from, edge)) {
            return;
        }
        self.edges[from.index()].push(edge);
        self.n_copies += usize::from(filter.is_none());
        if !self.objects[from.index()].is_empty() {
            let all = std::mem::take(&mut self.objects[from.index()]);
            self.flow(&all, to, filter, objects);
            self.objects[from.index()] = all;
        }
    }

    /// Says that something happens with the objects of a node; it must be new.
    pub fn set_used(&mut self, node: Node) {
        self.is_used[node.index()] = true;
    }

    /// Lets everything flow as far as it does, and returns what has become new to nodes that are used. What uses make of many
    /// objects at once flows at once again, instead of one by one.
    pub fn settle(&mut self, objects: &Objects) -> IndexMap<Node, ObjectSet, FxBuildHasher> {
        while self.step(objects) {}
        std::mem::take(&mut self.unused)
    }

    /// Lets what is new to the next node flow on; says whether there was one.
    fn step(&mut self, objects: &Objects) -> bool {
        if self.n_copies >= self.next_search.max(FIRST_SEARCH) {
            self.merge_cycles();
            self.next_search = self.n_copies + self.n_copies / 4;
        }
        loop {
            let Some(Reverse((_, node))) = self.queue.pop() else { return false };
            self.is_queued[node.index()] = false;
            let new = std::mem::take(&mut self.new[node.index()]);
            if new.is_empty() || self.merged_into[node.index()] != node {
                continue;
            }
            let edges = std::mem::take(&mut self.edges[node.index()]);
            for edge in &edges {
                let to = self.find_and_shorten(edge.to);
                if to != node {
                    self.flow(&new, to, edge.filter, objects);
                }
            }
            self.edges[node.index()] = edges;
            if self.is_used[node.index()] {
                self.unused.entry(node).or_default().insert_all(&new);
            }
            return true;
        }
    }

    fn flow(&mut self, objects: &ObjectSet, to: Node, filter: Option<MaskId>, known: &Objects) {
        let mask = filter.map(|mask| known.in_mask(mask));
        if self.objects[to.index()].add(objects, mask, &mut self.new[to.index()]) {
            self.enqueue(to);
        }
    }

    fn enqueue(&mut self, node: Node) {
        if !std::mem::replace(&mut self.is_queued[node.index()], true) {
            self.queue.push(Reverse((self.rank[node.index()], node)));
        }
    }

    /// Makes every cycle one node, and ranks the nodes anew. Filtered edges keep nodes apart, but count for the rank.
    fn merge_cycles(&mut self) {
        let copies = self.components(false);
        for component in copies.iter().filter(|component| component.len() > 1) {
            self.merge(component);
        }
        let order = self.components(true);
        let n_components = order.len();
        for (place, component) in order.into_iter().enumerate() {
            for node in component {
                self.rank[node] = (n_components - place) as u32;
            }
        }
        let queue = std::mem::take(&mut self.queue);
        let queued = queue.into_iter().map(|Reverse((_, node))| Reverse((self.rank[node.index()], node)));
        self.queue = queued.collect();
    }

    fn components(&self, with_filtered: bool) -> Vec<Vec<usize>> {
        components(self.len(), |node| {
            let counts = move |edge: &&Edge| with_filtered || edge.filter.is_none();
            self.edges[node].iter().filter(counts).map(|edge| self.find(edge.to).index())
        })
    }

    /// Makes the nodes of a cycle one. What only some of them referred to is new to one that it would have flowed on from.
    fn merge(&mut self, component: &[usize]) {
        let nodes: Vec<Node> = component.iter().map(|node| Node(*node as u32)).collect();
        let Some((first, others)) = nodes.split_first() else { return };
        let mut all = ObjectSet::default();
        let mut members = Vec::new();
        let mut edges = Vec::new();
        let mut new = ObjectSet::default();
        for node in &nodes {
            let objects = std::mem::take(&mut self.objects[node.index()]);
            all.insert_all(&objects);
            new.insert_all(&std::mem::take(&mut self.new[node.index()]));
            new.insert_all(&self.unused.swap_remove(node).unwrap_or_default());
            self.is_used[first.index()] |= self.is_used[node.index()];
            edges.append(&mut self.edges[node.index()]);
            members.extend(self.members.remove(node).unwrap_or_else(|| vec![*node]));
        }
        for other in others {
            self.merged_into[other.index()] = *first;
        }
        edges.iter_mut().for_each(|edge| edge.to = self.find(edge.to));
        edges.retain(|edge| edge.to != *first);
        edges.sort_unstable_by_key(|edge| (edge.to, edge.filter));
        edges.dedup();
        self.known.extend(edges.iter().map(|edge| (*first, *edge)));
        self.objects[first.index()] = all;
        self.new[first.index()] = new;
        self.edges[first.index()] = edges;
        self.members.insert(*first, members);
        self.enqueue(*first);
    }
}
