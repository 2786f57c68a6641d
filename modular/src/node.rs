//! The nodes of points-to graphs (appendix A of paper 003): internal ones, which a method makes, external ones, which its callers
//! pass, and required ones, which stand for what a slot of a node holds that callers may have filled.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use static_typer::points_to::{CodeId, Global, Site, Slot};
use static_typer::program::Type;

/// A place in code: a call, an access or a start, by its number in the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label {
    /// The code.
    pub code: CodeId,
    /// Its number there.
    pub number: u32,
}

/// A string of labels, the outermost call first.
pub type Labels = Box<[Label]>;

/// A node, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// Where references lie: in objects, and in what there is once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// A part of an object.
    Slot(Slot),
    /// A variable of the whole program, of [`Node::Global`].
    Global(Global),
    /// What of [`Global::Pool`] is of a type: what clients give where their code is called, of [`Node::Global`].
    Pooled(Type),
    /// What all callers pass to a method of a region, of [`Node::Global`].
    Argument(CodeId, u16),
    /// What a method of a region returns to all callers, of [`Node::Global`].
    Result(CodeId),
}

/// What a node stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// What holds the variables of the whole program.
    Global,
    /// What a parameter refers to.
    Parameter(CodeId, u16),
    /// What a cell of a node holds, besides what is known.
    Required(NodeId, Cell),
    /// The same of nodes so far away that they are not told apart: the summary lists them.
    Beyond(Cell),
    /// What a site makes, when it is reached by calls.
    Object(Labels, Site, Type),
}

/// All nodes of a summary, or of what becomes one.
#[derive(Clone, Debug)]
pub struct Nodes(IndexSet<Node, FxBuildHasher>);

impl Nodes {
    /// The node of the variables of the whole program.
    pub const GLOBAL: NodeId = NodeId(0);

    /// No other node yet.
    #[must_use]
    pub fn new() -> Self {
        Self(std::iter::once(Node::Global).collect())
    }

    /// What a node stands for.
    #[must_use]
    pub fn get(&self, node: NodeId) -> &Node {
        &self.0[node.0 as usize]
    }

    /// The node that stands for something.
    pub fn intern(&mut self, node: Node) -> NodeId {
        NodeId(self.0.insert_full(node).0 as u32)
    }

    /// The number of a node, if it is one of these.
    #[must_use]
    pub fn find(&self, node: &Node) -> Option<NodeId> {
        self.0.get_index_of(node).map(|index| NodeId(index as u32))
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.0.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    /// Whether callers decide what it is.
    #[must_use]
    pub fn is_external(&self, node: NodeId) -> bool {
        !matches!(self.get(node), Node::Object(..))
    }

    /// How many steps of required nodes lead to it.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> usize {
        match self.get(node) {
            Node::Required(base, _) => 1 + self.depth(*base),
            Node::Beyond(_) => usize::MAX / 2,
            _ => 0,
        }
    }
}

impl Default for Nodes {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether what a site makes is told apart by the calls that lead there.
#[must_use]
pub const fn is_contextual(site: &Site) -> bool {
    matches!(site, Site::New(..) | Site::Lambda(..) | Site::Copy(..) | Site::Reflected(..) | Site::Returned(_))
}

/// Whether a site's objects are one, however often it is reached.
#[must_use]
pub const fn is_single(site: &Site) -> bool {
    matches!(site, Site::Class(_) | Site::Text(_))
}

/// A string of at most that many labels: the innermost ones. Says whether some are left out.
#[must_use]
pub fn limited(labels: impl DoubleEndedIterator<Item = Label> + Clone, limit: usize) -> (Labels, bool) {
    let n_labels = labels.clone().count();
    (labels.skip(n_labels.saturating_sub(limit)).collect(), n_labels > limit)
}
