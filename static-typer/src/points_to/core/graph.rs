//! The graph along which objects flow, and the order in which they do.
//!
//! Only what is new flows on (difference propagation). Nodes are worked on in the order of the graph, sources first, so that
//! most see what reaches them at once; cycles become one node when the graph has grown enough to look for them again. With
//! contexts there are many millions of nodes, most with few edges, so a node is some numbers: of its set, and of its first edge.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::cycles::for_each_component;
use super::id::ObjectId;
use super::object::{MaskId, Objects};
use super::set::ObjectSet;
use super::sets::{SetId, Sets};

/// A variable of the analysis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

impl Node {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// From one node to another; objects outside the mask stay behind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Edge {
    to: Node,
    filter: Option<MaskId>,
}

/// The number of an edge in the table; `END` for none.
type Link = u32;
const END: Link = Link::MAX;

/// The graph.
#[derive(Default, Debug)]
pub struct Graph {
    sets: Sets,
    /// The node that a node has become; itself for those that are worked on.
    merged_into: Vec<Node>,
    objects: Vec<SetId>,
    /// What has not flowed on yet.
    new: Vec<SetId>,
    /// Whether something else happens with the objects of a node than that they flow on.
    is_used: Vec<bool>,
    /// What has flowed on and has not been used yet.
    unused: IndexMap<Node, SetId, FxBuildHasher>,
    first_edge: Vec<Link>,
    /// Every edge, and the next one from the same node.
    edges: Vec<(Edge, Link)>,
    /// Places in the table that hold no edge any more.
    free: Vec<Link>,
    known: FxHashSet<(Node, Edge)>,
    /// The nodes that have become one, if more than itself.
    members: FxHashMap<Node, Vec<Node>>,
    rank: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    is_queued: Vec<bool>,
    /// How many edges without filter there were when cycles were last looked for.
    n_copies: usize,
    next_search: usize,
    n_flows: u64,
}

/// Fewer edges are not worth a search for cycles. It is small, so that tests search too: a number of their own would number objects
/// in another order in development builds, and reports have that order.
const FIRST_SEARCH: usize = 16;

impl Graph {
    /// New nodes that follow each other; returns the first.
    pub fn add_nodes(&mut self, count: u32) -> Node {
        let first = self.merged_into.len();
        let end = first + count as usize;
        self.merged_into.extend((first..end).map(|index| Node(index as u32)));
        self.objects.resize(end, SetId::EMPTY);
        self.new.resize(end, SetId::EMPTY);
        self.is_used.resize(end, false);
        self.first_edge.resize(end, END);
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
    pub const fn n_edges(&self) -> usize {
        self.edges.len() - self.free.len()
    }

    /// How often objects went along an edge.
    #[must_use]
    pub const fn n_flows(&self) -> u64 {
        self.n_flows
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let node = 2 * size_of::<Node>() + 2 * size_of::<SetId>() + size_of::<Link>() + 2 * size_of::<bool>();
        let edges = self.edges.capacity() * size_of::<(Edge, Link)>();
        let known = self.known.capacity() * (size_of::<(Node, Edge)>() + 1) * 8 / 7;
        self.sets.bytes() + self.merged_into.capacity() * node + edges + known
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
        self.set(self.objects[self.find(node).index()])
    }

    /// The objects of a set that [`Self::settle`] has returned; there must have been no other call since that returns sets.
    #[must_use]
    pub fn set(&self, set: SetId) -> &ObjectSet {
        self.sets.get(set)
    }

    /// The nodes that have become one with this one, itself included.
    #[must_use]
    pub fn members(&self, node: Node) -> Vec<Node> {
        self.members.get(&node).cloned().unwrap_or_else(|| vec![node])
    }

    /// Adds an object to a node.
    pub fn insert(&mut self, node: Node, object: ObjectId) {
        let node = self.find_and_shorten(node);
        let set = self.sets.of(object);
        self.add(set, node);
    }

    /// Adds an edge; what its start refers to flows at once.
    pub fn connect(&mut self, from: Node, to: Node, filter: Option<MaskId>, objects: &Objects) {
        let (from, to) = (self.find_and_shorten(from), self.find_and_shorten(to));
        let edge = Edge { to, filter };
        if from == to || !self.known.insert((from, edge)) {
            return;
        }
        self.link(from, edge);
        self.n_copies += usize::from(filter.is_none());
        self.flow(self.objects[from.index()], edge, objects);
    }

    fn link(&mut self, from: Node, edge: Edge) {
        let first = &mut self.first_edge[from.index()];
        let link = self.free.pop().unwrap_or(self.edges.len() as Link);
        let next = std::mem::replace(first, link);
        match self.edges.get_mut(link as usize) {
            Some(place) => *place = (edge, next),
            None => self.edges.push((edge, next)),
        }
    }

    /// Takes all edges from a node.
    fn unlink(&mut self, from: Node) -> Vec<Edge> {
        let mut link = std::mem::replace(&mut self.first_edge[from.index()], END);
        let mut edges = Vec::new();
        while let Some((edge, next)) = self.edges.get(link as usize).copied() {
            self.free.push(link);
            edges.push(edge);
            link = next;
        }
        edges
    }

    /// The edges from a node.
    fn edges_of(&self, node: usize) -> impl Iterator<Item = Edge> + '_ {
        let mut link = self.first_edge[node];
        std::iter::from_fn(move || {
            let (edge, next) = *self.edges.get(link as usize)?;
            link = next;
            Some(edge)
        })
    }

    /// Says that something happens with the objects of a node; it must be new.
    pub fn set_used(&mut self, node: Node) {
        self.is_used[node.index()] = true;
    }

    /// Lets everything flow as far as it does, and returns what has become new to nodes that are used. What uses make of many
    /// objects at once flows at once again, instead of one by one.
    pub fn settle(&mut self, objects: &Objects) -> IndexMap<Node, SetId, FxBuildHasher> {
        while self.step(objects) {
            if self.sets.is_full() {
                let used = self.objects.iter_mut().chain(&mut self.new).chain(self.unused.values_mut());
                self.sets.keep(used);
            }
        }
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
            let new = std::mem::replace(&mut self.new[node.index()], SetId::EMPTY);
            if new == SetId::EMPTY || self.merged_into[node.index()] != node {
                continue;
            }
            let mut link = self.first_edge[node.index()];
            while let Some((edge, next)) = self.edges.get(link as usize).copied() {
                let to = self.find_and_shorten(edge.to);
                if to != node {
                    self.flow(new, Edge { to, ..edge }, objects);
                }
                link = next;
            }
            if self.is_used[node.index()] {
                let unused = self.unused.entry(node).or_insert(SetId::EMPTY);
                *unused = self.sets.sum(*unused, new).all;
            }
            return true;
        }
    }

    fn flow(&mut self, set: SetId, edge: Edge, objects: &Objects) {
        self.n_flows += 1;
        let passed = match edge.filter {
            Some(filter) => self.sets.filtered(set, filter, objects.in_mask(filter)),
            None => set,
        };
        self.add(passed, edge.to);
    }

    fn add(&mut self, set: SetId, to: Node) {
        let sum = self.sets.sum(self.objects[to.index()], set);
        if sum.new != SetId::EMPTY {
            self.objects[to.index()] = sum.all;
            self.new[to.index()] = self.sets.sum(self.new[to.index()], sum.new).all;
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
        let mut cycles = Vec::new();
        self.for_each_component(false, |component| {
            if component.len() > 1 {
                cycles.push(component.to_vec());
            }
        });
        cycles.iter().for_each(|cycle| self.merge(cycle));
        self.rank = self.ranks();
        let queue = std::mem::take(&mut self.queue);
        let queued = queue.into_iter().map(|Reverse((_, node))| Reverse((self.rank[node.index()], node)));
        self.queue = queued.collect();
    }

    /// The order of the nodes: what leads to others comes before.
    fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; self.len()];
        let mut rank = u32::MAX;
        self.for_each_component(true, |component| {
            rank -= 1;
            component.iter().for_each(|node| ranks[*node] = rank);
        });
        ranks
    }

    fn for_each_component(&self, with_filtered: bool, visit: impl FnMut(&[usize])) {
        let edges = |node| {
            let counts = move |edge: &Edge| with_filtered || edge.filter.is_none();
            self.edges_of(node).filter(counts).map(|edge| self.find(edge.to).index())
        };
        for_each_component(self.len(), edges, visit);
    }

    /// Makes the nodes of a cycle one. What only some of them referred to is new to one that it would have flowed on from.
    fn merge(&mut self, component: &[usize]) {
        let nodes: Vec<Node> = component.iter().map(|node| Node(*node as u32)).collect();
        let Some((first, others)) = nodes.split_first() else { return };
        let (mut all, mut new) = (SetId::EMPTY, SetId::EMPTY);
        let mut members = Vec::new();
        let mut edges = Vec::new();
        for node in &nodes {
            let unused = self.unused.swap_remove(node).unwrap_or(SetId::EMPTY);
            all = self.sets.sum(all, std::mem::replace(&mut self.objects[node.index()], SetId::EMPTY)).all;
            new = self.sets.sum(new, std::mem::replace(&mut self.new[node.index()], SetId::EMPTY)).all;
            new = self.sets.sum(new, unused).all;
            self.is_used[first.index()] |= self.is_used[node.index()];
            edges.append(&mut self.unlink(*node));
            members.extend(self.members.remove(node).unwrap_or_else(|| vec![*node]));
        }
        for other in others {
            self.merged_into[other.index()] = *first;
        }
        edges.iter_mut().for_each(|edge| edge.to = self.find(edge.to));
        edges.retain(|edge| edge.to != *first);
        edges.sort_unstable();
        edges.dedup();
        self.known.extend(edges.iter().map(|edge| (*first, *edge)));
        edges.into_iter().for_each(|edge| self.link(*first, edge));
        self.objects[first.index()] = all;
        self.new[first.index()] = new;
        self.members.insert(*first, members);
        self.enqueue(*first);
    }

    /// Forgets all but what nodes refer to.
    pub fn end(&mut self) {
        self.sets.end();
        self.known = FxHashSet::default();
    }
}
