//! The cells of nodes: what is stored in them and loaded from them, and what callers may put there.

use static_typer::ir::Value;
use static_typer::points_to::{Global, Site, Slot};
use static_typer::program::Type;

use super::{Maker, Solver, Var};
use crate::node::{Cell, Label, Node, NodeId};

/// How many steps of required nodes are told apart.
const MAX_DEPTH: usize = 2;

impl<'p> Solver<'_, 'p> {
    pub(super) fn escape(&mut self, node: NodeId) {
        if self.is_root || self.nodes.is_external(node) || !self.escaping.insert(node) {
            return;
        }
        for cell in self.cells_of.get(&node).cloned().unwrap_or_default() {
            let (var, is_loaded) = self.cells[&(node, cell)];
            self.open_cell(node, cell, var, is_loaded);
        }
    }

    /// Callers may fill the cell, and get at what is in it.
    fn open_cell(&mut self, node: NodeId, cell: Cell, var: Var, is_loaded: bool) {
        let var = self.find(var);
        self.is_out[var as usize] = true;
        self.processed(var).into_iter().for_each(|inner| self.escape(inner));
        if is_loaded {
            let required = self.required(node, cell);
            self.insert(var, required);
        }
    }

    pub(super) fn is_open(&self, node: NodeId) -> bool {
        !self.is_root && (self.nodes.is_external(node) || self.escaping.contains(&node))
    }

    /// The variable of a cell.
    pub(super) fn cell(&mut self, node: NodeId, cell: Cell) -> Var {
        if let Some((var, _)) = self.cells.get(&(node, cell)) {
            return *var;
        }
        let var = self.var();
        self.is_out[var as usize] = self.is_open(node);
        self.cells.insert((node, cell), (var, false));
        self.cells_of.entry(node).or_default().push(cell);
        if let Cell::Pooled(ty) = cell {
            let pool = self.cell(node, Cell::Global(Global::Pool));
            self.copy(pool, var, Some(ty));
        }
        var
    }

    fn required(&mut self, node: NodeId, cell: Cell) -> NodeId {
        let depth = if cell == Cell::Slot(Slot::Content) { 1 } else { MAX_DEPTH };
        if self.nodes.depth(node) < depth {
            return self.nodes.intern(Node::Required(node, cell));
        }
        let beyond = self.nodes.intern(Node::Beyond(cell));
        self.beyond.entry(beyond).or_default().insert((node, cell));
        self.is_limited = true;
        beyond
    }

    pub(super) fn load(&mut self, node: NodeId, cell: Cell, to: Var, ty: Option<Type>) {
        let var = self.cell(node, cell);
        if let Some((_, is_loaded)) = self.cells.get_mut(&(node, cell))
            && !std::mem::replace(is_loaded, true)
            && self.is_open(node)
        {
            let required = self.required(node, cell);
            self.insert(var, required);
        }
        self.copy(var, to, ty);
    }

    pub(super) fn store(&mut self, node: NodeId, cell: Cell, from: Var) {
        let var = self.cell(node, cell);
        self.copy(from, var, None);
    }

    /// Arrays and what `clone` makes: like the original, with what that holds.
    pub(super) fn duplicate(&mut self, node: NodeId, to: Var, label: Label) {
        let copy = match self.nodes.get(node).clone() {
            Node::Object(labels, Site::New(method, at, depth), ty) => {
                self.nodes.intern(Node::Object(labels, Site::Copy(method, at, depth), ty))
            }
            _ => node,
        };
        if copy != node {
            self.makers.entry(copy).or_default().insert(Maker::Here(label.code, Value(0), true));
            for cell in self.cells_of.get(&node).cloned().unwrap_or_default() {
                let (from, into) = (self.cell(node, cell), self.cell(copy, cell));
                self.copy(from, into, None);
            }
            let cell = Cell::Slot(Slot::Element);
            let into = self.cell(copy, cell);
            self.load(node, cell, into, None);
        }
        // What is filled later is not followed into the copy: it is the original, too.
        self.insert(to, copy);
        self.insert(to, node);
    }
}
