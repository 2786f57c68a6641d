//! Strongly connected components (Tarjan), without recursion.

/// The components of a graph, those that others lead to first.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        edges,
        number: vec![None; edges.len()],
        low: vec![0; edges.len()],
        is_open: vec![false; edges.len()],
        open: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for node in 0..edges.len() {
        if search.number[node].is_none() {
            search.visit(node);
        }
    }
    search.found
}

struct Search<'a> {
    edges: &'a [Vec<usize>],
    number: Vec<Option<usize>>,
    low: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    next: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, start: usize) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((node, edge)) = path.pop() {
            let Some(to) = self.edges[node].get(edge).copied() else {
                self.leave(node);
                if let Some((above, _)) = path.last() {
                    self.low[*above] = self.low[*above].min(self.low[node]);
                }
                continue;
            };
            path.push((node, edge + 1));
            match self.number[to] {
                None => {
                    self.enter(to);
                    path.push((to, 0));
                }
                Some(number) if self.is_open[to] => self.low[node] = self.low[node].min(number),
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.number[node] = Some(self.next);
        self.low[node] = self.next;
        self.next += 1;
        self.is_open[node] = true;
        self.open.push(node);
    }

    fn leave(&mut self, node: usize) {
        if self.number[node] != Some(self.low[node]) {
            return;
        }
        let from = self.open.iter().rposition(|open| *open == node).unwrap_or_default();
        let mut component = self.open.split_off(from);
        component.iter().for_each(|node| self.is_open[*node] = false);
        component.sort_unstable();
        self.found.push(component);
    }
}
