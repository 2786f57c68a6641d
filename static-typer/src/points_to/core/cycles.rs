//! Strongly connected components (Tarjan 1972), without recursion: graphs here are deep.

/// The components of a graph whose nodes are `0..n_nodes`, each after every component that it leads to.
pub fn components<I: Iterator<Item = usize>>(n_nodes: usize, edges: impl Fn(usize) -> I) -> Vec<Vec<usize>> {
    let mut components = Vec::new();
    for_each_component(n_nodes, edges, |component| components.push(component.to_vec()));
    components
}

/// Calls `visit` with the components, in the same order; most are single nodes, and need not be kept.
pub fn for_each_component<I: Iterator<Item = usize>>(
    n_nodes: usize,
    edges: impl Fn(usize) -> I,
    mut visit: impl FnMut(&[usize]),
) {
    let mut search = Search { index: vec![0; n_nodes], low: vec![0; n_nodes], stack: Vec::new(), next: 1 };
    let mut path: Vec<(usize, I)> = Vec::new();
    for root in 0..n_nodes {
        if search.index[root] != 0 {
            continue;
        }
        path.push((root, search.enter(root, &edges)));
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            match rest.next() {
                Some(to) if search.index[to] == 0 => path.push((to, search.enter(to, &edges))),
                Some(to) => search.low[node] = search.low[node].min(search.low[to]),
                None => {
                    path.pop();
                    if let Some((above, _)) = path.last() {
                        search.low[*above] = search.low[*above].min(search.low[node]);
                    }
                    search.leave(node, &mut visit);
                }
            }
        }
    }
}

struct Search {
    /// When a node was entered; 0 before.
    index: Vec<u32>,
    /// The earliest node on the stack that it leads to; nothing once its component is complete.
    low: Vec<u32>,
    stack: Vec<usize>,
    next: u32,
}

impl Search {
    fn enter<I>(&mut self, node: usize, edges: &impl Fn(usize) -> I) -> I {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        edges(node)
    }

    /// Visits the component that ends with a node, if one does.
    fn leave(&mut self, node: usize, visit: &mut impl FnMut(&[usize])) {
        if self.low[node] != self.index[node] {
            return;
        }
        let Some(start) = self.stack.iter().rposition(|other| *other == node) else { return };
        visit(&self.stack[start..]);
        for done in self.stack.drain(start..) {
            self.low[done] = u32::MAX;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which nodes each node leads to, itself included.
    fn reachable(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let n = edges.len();
        let mut reach: Vec<Vec<bool>> =
            (0..n).map(|a| (0..n).map(|b| a == b || edges[a].contains(&b)).collect()).collect();
        for middle in 0..n {
            for a in 0..n {
                for b in 0..n {
                    reach[a][b] |= reach[a][middle] && reach[middle][b];
                }
            }
        }
        reach
    }

    #[test]
    fn components_are_what_leads_to_and_fro_in_order() {
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as usize
        };
        for _ in 0..500 {
            let n = 1 + next(9);
            let edges: Vec<Vec<usize>> = (0..n).map(|_| (0..next(4)).map(|_| next(n as u64)).collect()).collect();
            let reach = reachable(&edges);
            let found = components(n, |node| edges[node].iter().copied());
            let mut place = vec![usize::MAX; n];
            for (at, component) in found.iter().enumerate() {
                component.iter().for_each(|node| place[*node] = at);
            }
            for a in 0..n {
                for b in 0..n {
                    assert_eq!(place[a] == place[b], reach[a][b] && reach[b][a], "{edges:?}");
                    assert!(!reach[a][b] || place[b] <= place[a], "{edges:?}");
                }
            }
        }
    }
}
