//! A graph as boxes below each other, of whose lines arrows lead to other boxes.

/// A graph.
pub struct Graph {
    /// What it shows, for those who do not see it.
    pub label: String,
    /// From top to bottom.
    pub nodes: Vec<Node>,
    /// What is left out, in a sentence without a full stop.
    pub more: Option<String>,
}

/// How a box looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// What does something.
    Actor,
    /// What is there.
    Solid,
    /// What is not known.
    Open,
}

/// A box.
pub struct Node {
    /// How it looks.
    pub look: Look,
    /// What it is, in a word or two.
    pub kind: String,
    /// What is in it.
    pub title: String,
    /// What it has.
    pub lines: Vec<Line>,
}

/// How an arrow looks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arrow {
    /// It refers to the other.
    Plain,
    /// It may.
    Dashed,
    /// It writes to the other.
    Strong,
}

/// A line in a box.
pub struct Line {
    /// Its text.
    pub text: String,
    /// The arrows that begin there.
    pub arrow: Arrow,
    /// The boxes to which they lead.
    pub to: Vec<usize>,
}
