//! Methods of regions: their callers meet them at variables of the whole program.

use static_typer::points_to::{CodeId, Site};
use static_typer::program::Type;

use super::{Context, Handed, Hook, Origin, Solver, Var};
use crate::environment::ENVIRONMENT;
use crate::library::Calls;
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, NodeId, Nodes};
use crate::regions;
use crate::summary::ThreadId;

impl<'p> Solver<'_, 'p> {
    /// The thread that stands for whoever runs a method that is analysed, if it is of a region.
    pub fn region_of(&self, code: CodeId) -> Option<ThreadId> {
        self.is_root.then(|| self.known.regions.thread(code).unwrap_or_else(|| regions::called(code)))
    }

    /// What regions call belongs to them, if it has a summary or not: there it is looked at once, too.
    pub(super) fn adopt(&mut self, code: CodeId) {
        if self.members.insert(code) {
            self.component.push(code);
            self.declare(code);
            self.adopted.push(code);
        }
    }

    /// Code gets what all callers pass, and gives what it returns to all.
    pub(super) fn connect(&mut self, code: CodeId) {
        let parameters = self.graph.code(code).parameters.clone();
        for (n, parameter) in parameters.iter().enumerate() {
            if let Some(parameter) = parameter {
                let to = self.local(code, *parameter);
                self.load(Nodes::GLOBAL, Cell::Argument(code, n as u16), to, None);
            }
        }
        let result = self.results[&code];
        self.store(Nodes::GLOBAL, Cell::Result(code), result);
    }

    /// Something begins with what calls the program.
    pub fn begin_environment(&mut self) {
        self.adopt(ENVIRONMENT);
    }

    /// Something begins with a method.
    pub fn begin(&mut self, code: CodeId, context: Context) {
        if self.instantiate(code, context.clone()).is_none()
            && let Some(region) = self.known.regions.thread(code)
        {
            self.enter(region, context);
        }
    }

    /// Someone comes to a region.
    pub(super) fn enter(&mut self, region: ThreadId, context: Context) {
        if context.thread.as_ref() == Some(&region) {
            return;
        }
        // Everything has no callers, who ask where it was.
        let place =
            context.position.as_ref().filter(|_| !self.is_root).map(|position| (position.code, position.number));
        self.entered.insert((region, context.thread, place));
    }

    pub(super) fn call_region(&mut self, code: CodeId, number: u32, callee: CodeId, receiver: Option<NodeId>) {
        if let Some(node) = receiver {
            self.pass_to_region(callee, 0, node);
        }
        let key = (code, number, callee);
        if !self.passed.insert(key) {
            return;
        }
        if let Some(region) = self.known.regions.thread(callee) {
            self.enter(region, self.context(code, number));
        }
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        for (n, argument) in site.arguments.iter().enumerate().skip(usize::from(receiver.is_some())) {
            if let Some(argument) = argument {
                let from = self.local(code, *argument);
                self.store(Nodes::GLOBAL, Cell::Argument(callee, n as u16), from);
            }
        }
        if let Some(result) = site.result {
            let to = self.local(code, result);
            self.load(Nodes::GLOBAL, Cell::Result(callee), to, None);
        }
    }

    fn pass_to_region(&mut self, callee: CodeId, n: u16, node: NodeId) {
        let to = self.cell(Nodes::GLOBAL, Cell::Argument(callee, n));
        self.insert(to, node);
    }

    /// A library calls a method of a region.
    pub(super) fn called_back_in_region(&mut self, node: NodeId, index: usize, callee: CodeId) {
        let data = self.handed[index].data;
        if let Some(region) = self.known.regions.thread(callee) {
            self.enter(region, self.handed[index].context_of_callback());
        }
        let n_parameters = self.graph.code(callee).parameters.len();
        for n in 1..n_parameters {
            let to = self.cell(Nodes::GLOBAL, Cell::Argument(callee, n as u16));
            let ty = self.parameter_type(callee, n);
            self.copy(data, to, ty);
        }
        if n_parameters > 0 {
            self.pass_to_region(callee, 0, node);
        }
        self.load(Nodes::GLOBAL, Cell::Result(callee), data, None);
    }

    /// What holds all that regions pass to libraries, if there is so much of it that it is not told apart.
    pub(super) fn all_libraries(&mut self) -> Option<Var> {
        if !self.merges {
            return None;
        }
        let var = match self.libraries {
            Some(var) => var,
            None => self.var(),
        };
        self.libraries = Some(var);
        Some(var)
    }

    /// Who calls back what was passed to any library: once for all calls.
    pub(super) fn call_back_any(&mut self, context: Context, calls: Calls, is_elsewhere: bool, data: Var) {
        self.enter(regions::library(), context);
        if !self.by_library.insert((calls, is_elsewhere)) {
            return;
        }
        let runs_in = is_elsewhere.then(regions::elsewhere);
        let outer =
            Context { multiplicity: Multiplicity::Many, thread: Some(regions::library()), ..Context::default() };
        let handed = Handed::new(outer, calls, data, data, runs_in.clone());
        self.handed.push(handed);
        let index = self.handed.len() - 1;
        self.hook(data, Hook::CalledBack(index));
        if let Some(thread) = runs_in {
            self.threads.entry(thread).or_default().insert(Origin::Handed(index));
        }
    }

    /// What stands for a site of a region, or of what a region calls: so many sites are there that only types are told apart.
    pub(super) fn made(&mut self, site: Site, ty: Type) -> Site {
        if !self.merges {
            return site;
        }
        match site {
            Site::New(..) | Site::Copy(..) | Site::Reflected(..) => Site::Merged(ty),
            Site::Returned(_) => *self.returned.entry(ty).or_insert(site),
            _ => site,
        }
    }
}
