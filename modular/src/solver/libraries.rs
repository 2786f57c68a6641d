//! Calls of libraries: these keep what they get, call it back and give it back.

use static_typer::points_to::{CallSite, CodeId, Dispatch, Global, Site, Slot};
use static_typer::program::{MethodId, Type};

use super::{Hook, Maker, Origin, Solver, Var};
use crate::library::{self, Calls};
use crate::node::{Cell, Label, Labels, Node, NodeId, Nodes};
use crate::summary::ThreadId;

/// What an object of a library keeps.
const KEPT: Cell = Cell::Slot(Slot::Content);

impl<'p> Solver<'_, 'p> {
    /// A call of a library's method on what is not known yet: an object of the application may be called.
    pub(super) fn wait(&mut self, node: NodeId, code: CodeId, number: u32) {
        // Nobody fills in later what everything has.
        if self.is_root {
            return;
        }
        let key = (code, number, true);
        let index = match self.by_handing.get(&key) {
            Some(index) => *index,
            None => {
                let data = self.graph.code(code).clone();
                let site = &data.calls[number as usize];
                let passed = self.var();
                self.passed(code, site, None, passed);
                let calls = Calls::Only(site.method);
                let context = self.context(code, number);
                self.hand_over(context, calls, None, false, passed, key)
            }
        };
        let receivers = self.handed[index].receivers;
        self.insert(receivers, node);
    }

    /// A variable for all that a call passes, and for what it gives.
    fn passed(&mut self, code: CodeId, site: &CallSite, of_receiver: Option<()>, data: Var) {
        let skipped = usize::from(of_receiver.is_none() && site.dispatch != Dispatch::Static);
        let signature = self.program().signature(site.method);
        let is_static = site.dispatch == Dispatch::Static;
        for (n, argument) in site.arguments.iter().enumerate().skip(skipped) {
            let parameter = if is_static { Some(n) } else { n.checked_sub(1) };
            let ty = parameter.and_then(|n| signature.parameters.get(n).copied());
            let ty = ty.unwrap_or(Type::class(self.program().class(self.program().method(site.method).class).name));
            if let Some(argument) = argument.filter(|_| library::is_open(self.program(), ty)) {
                let from = self.local(code, argument);
                self.copy(from, data, None);
            }
        }
        if let Some(result) = site.result {
            let to = self.local(code, result);
            self.copy(data, to, Some(signature.result));
        }
    }

    pub(super) fn library(&mut self, code: CodeId, number: u32) {
        let key = (code, number, false);
        if self.by_handing.contains_key(&key) {
            return;
        }
        self.by_handing.insert(key, usize::MAX);
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        self.assumed.insert(site.method);
        if self.is_current_thread(site.method) {
            return self.give_threads(code, number, site);
        }
        let effect = library::effect(self.program(), site.method);
        if library::is_of_thread(self.program(), site.method)
            && (effect.elsewhere, effect.here) != (Calls::All, Calls::None)
        {
            return self.of_thread(code, number, site, effect, key);
        }
        let all = if effect.is_start { None } else { self.all_libraries() };
        let passed = all.unwrap_or_else(|| self.var());
        self.passed(code, site, Some(()), passed);
        self.give(code, number, site, passed);
        self.hook(passed, Hook::Filled(passed));
        if all.is_some() {
            let calls = [(effect.here, false), (effect.elsewhere, true)];
            for (calls, is_elsewhere) in calls.into_iter().filter(|(calls, _)| *calls != Calls::None) {
                self.call_back_any(self.context(code, number), calls, is_elsewhere, passed);
            }
            return;
        }
        if effect.here != Calls::None {
            let context = self.context(code, number);
            self.hand_over(context, effect.here, None, false, passed, key);
        }
        if effect.elsewhere != Calls::None {
            self.fork(code, number, effect, passed, key);
        }
    }

    /// A thread keeps what it is made with, and `start` and `run` run that, or itself. They give it nothing more.
    fn of_thread(
        &mut self,
        code: CodeId,
        number: u32,
        site: &CallSite,
        effect: library::Effect,
        key: (CodeId, u32, bool),
    ) {
        let data = self.var();
        self.passed(code, site, None, data);
        self.give(code, number, site, data);
        let receiver = site.arguments.first().copied().flatten().filter(|_| site.dispatch != Dispatch::Static);
        let Some(receiver) = receiver else { return };
        let thread = self.local(code, receiver);
        self.hook(thread, Hook::Store(KEPT, data));
        if (effect.here, effect.elsewhere) == (Calls::None, Calls::None) {
            if site.result.is_some() {
                self.hook(thread, Hook::Load(KEPT, data, None));
            }
            return;
        }
        let run = self.var();
        self.copy(thread, run, None);
        self.hook(thread, Hook::Load(KEPT, run, None));
        if effect.elsewhere != Calls::None {
            self.fork(code, number, effect, run, key);
        } else {
            let context = self.context(code, number);
            self.hand_over(context, effect.here, None, false, run, key);
        }
    }

    fn is_current_thread(&self, method: MethodId) -> bool {
        let program = self.program();
        let method = program.method(method);
        &*program.class_name(method.class) == "java/lang/Thread"
            && &*program.names().text(method.name) == "currentThread"
    }

    /// `Thread.currentThread` gives any thread that is started, or one that the program has not made.
    fn give_threads(&mut self, code: CodeId, number: u32, site: &CallSite) {
        let other = self.var();
        self.give(code, number, site, other);
        if let Some(result) = site.result {
            let to = self.local(code, result);
            self.load(Nodes::GLOBAL, Cell::Global(Global::Threads), to, None);
        }
    }

    /// Something of its own that a library returns.
    fn give(&mut self, code: CodeId, number: u32, site: &CallSite, passed: Var) {
        let ty = self.program().signature(site.method).result;
        let Some(result) = site.result.filter(|_| ty.is_reference()) else { return };
        let is_of_region = self.region_of(code).is_some();
        let labels: Labels = if is_of_region { Labels::default() } else { [Label { code, number }].into() };
        let made = self.made(Site::Returned(site.method), ty);
        let node = self.nodes.intern(Node::Object(labels, made, ty));
        self.makers.entry(node).or_default().insert(Maker::Here(code, site.at, site.repeats));
        let to = self.local(code, result);
        self.insert(to, node);
        if library::is_open(self.program(), ty) {
            self.insert(passed, node);
        }
    }

    fn fork(&mut self, code: CodeId, number: u32, effect: library::Effect, passed: Var, key: (CodeId, u32, bool)) {
        let thread: ThreadId = [Label { code, number }].into();
        let context = self.context(code, number);
        if effect.is_start {
            let cell = self.cell(Nodes::GLOBAL, Cell::Global(Global::Threads));
            let data = self.graph.code(code).clone();
            if let Some(receiver) = data.calls[number as usize].arguments.first().copied().flatten() {
                let from = self.local(code, receiver);
                self.copy(from, cell, None);
            }
        }
        let index = self.hand_over(context, effect.elsewhere, Some(thread.clone()), effect.is_start, passed, key);
        self.threads.entry(thread).or_default().insert(Origin::Handed(index));
    }

    /// A library fills what it gets with all else that it gets.
    pub(super) fn fill(&mut self, node: NodeId, data: Var) {
        let cells: &[Slot] = match self.nodes.get(node) {
            Node::Object(_, _, ty) if ty.dimensions > 0 => &[Slot::Element],
            Node::Object(_, _, ty) if !self.holds(*ty) => &[],
            Node::Object(..) => &[Slot::Content],
            _ => &[Slot::Content, Slot::Element],
        };
        for slot in cells {
            if !self.may_have(node, Cell::Slot(*slot)) || *slot == Slot::Content && !self.may_hold(node) {
                continue;
            }
            self.load(node, Cell::Slot(*slot), data, None);
            let cell = self.cell(node, Cell::Slot(*slot));
            self.unify(cell, data);
        }
    }
}
