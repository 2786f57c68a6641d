//! What code says: the constraints of methods that are analysed.

use std::collections::BTreeSet;

use static_typer::ir::Value;
use static_typer::points_to::{Code, CodeId, Dispatch, Global, Local, Site, Use};
use static_typer::program::{Name, Type};

use super::{Hook, Maker, Solver, Var};
use crate::node::{Cell, Label, Labels, Node, Nodes};

/// Numbers of copies come after those of calls.
const COPIES: u32 = 1 << 24;

impl<'p> Solver<'_, 'p> {
    pub(super) fn declare(&mut self, code: CodeId) {
        let data = self.graph.code(code).clone();
        let first = self.points.len() as Var;
        (0..data.n_locals).for_each(|_| {
            self.var();
        });
        self.first.insert(code, first);
        let result = self.var();
        self.is_out[result as usize] = !self.is_root;
        self.results.insert(code, result);
        if let Some(local) = data.result {
            self.copies[(first + local.0) as usize].insert((result, None));
        }
        if self.is_root {
            return self.connect(code);
        }
        for (n, parameter) in data.parameters.iter().enumerate() {
            if let Some(local) = parameter {
                let node = self.nodes.intern(Node::Parameter(code, n as u16));
                self.insert(first + local.0, node);
            }
        }
    }

    pub(super) fn constrain(&mut self, code: CodeId) {
        let data = self.graph.code(code).clone();
        self.constrain_values(code, &data);
        let used = data.used_locals().collect::<BTreeSet<_>>();
        for (base, used) in used.into_iter().flat_map(|base| data.uses(base)) {
            self.constrain_use(code, *base, used);
        }
        for (number, site) in data.calls.iter().enumerate().filter(|(_, site)| site.dispatch == Dispatch::Static) {
            match self.graph.of_method(site.method) {
                Some(callee) => self.call(code, number as u32, callee, None),
                None => self.library(code, number as u32),
            }
        }
    }

    /// What is made, copied, and read from and written to global places.
    fn constrain_values(&mut self, code: CodeId, data: &Code) {
        let first = self.first[&code];
        let at = |local: Local| first + local.0;
        for (to, site, ty) in &data.allocations {
            self.allocate(code, at(*to), *site, *ty, data);
        }
        for (to, from, ty) in &data.copies {
            self.copy(at(*from), at(*to), *ty);
        }
        for (to, global, ty) in &data.global_loads {
            let cell = match (global, ty) {
                (Global::Pool, Some(ty)) => Cell::Pooled(*ty),
                _ => Cell::Global(*global),
            };
            self.load(Nodes::GLOBAL, cell, at(*to), *ty);
        }
        for (global, from) in &data.global_stores {
            self.store(Nodes::GLOBAL, Cell::Global(*global), at(*from));
        }
    }

    /// What is done with a local.
    fn constrain_use(&mut self, code: CodeId, base: Local, used: &Use) {
        let first = self.first[&code];
        let at = |local: Local| first + local.0;
        match used {
            Use::Load(slot, to, ty) => self.hook(at(base), Hook::Load(Cell::Slot(*slot), at(*to), *ty)),
            Use::Store(slot, from) => self.hook(at(base), Hook::Store(Cell::Slot(*slot), at(*from))),
            Use::Clone(to) | Use::Resize(to, ..) => {
                self.hook(at(base), Hook::Copied(at(*to), Label { code, number: COPIES + to.0 }));
            }
            Use::Call(call) => self.hook(at(base), Hook::Call(code, *call)),
            Use::ClassOf(to, _) => {
                let class = Type::class(Name::CLASS);
                let node = self.nodes.intern(Node::Object(Labels::default(), Site::Merged(class), class));
                self.makers.entry(node).or_default().insert(Maker::Here(code, Value(0), true));
                self.insert(at(*to), node);
            }
            Use::Open(_) => {}
        }
    }

    fn allocate(&mut self, code: CodeId, to: Var, site: Site, ty: Type, data: &Code) {
        let made = self.made(site, ty);
        let node = self.nodes.intern(Node::Object(Labels::default(), made, ty));
        let again = match site {
            Site::New(_, at, _) | Site::Lambda(_, at, _) | Site::Reflected(_, at, _) => data.repeated.contains(&at),
            _ => false,
        };
        self.makers.entry(node).or_default().insert(Maker::Here(code, Value(0), again));
        self.insert(to, node);
    }
}
