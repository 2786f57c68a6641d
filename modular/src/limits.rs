//! Where the analysis stops telling things apart.

/// How the analysis is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many labels of calls tell objects and threads apart.
    pub labels: usize,
    /// Methods have summaries of at most so many nodes, edges and events: those that would have more are made once more with one
    /// label, and if that does not help, they are a region. Regions that make objects at more places tell them apart by type.
    pub size: usize,
    /// A summary is given up after so many steps.
    pub steps: u64,
    /// If everything together takes more steps, all methods are regions.
    pub root_steps: u64,
}

/// What is too much of a summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excess {
    /// So many methods call each other.
    Methods(usize),
    /// It takes too many steps to make.
    Steps,
    /// It has so many nodes, edges and events.
    Entries(usize),
}

impl Default for Limits {
    fn default() -> Self {
        Self { labels: 3, size: 2000, steps: 1_000_000, root_steps: 500_000_000 }
    }
}
