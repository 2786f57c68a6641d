//! Calls in code: what they run, and what they pass.

use std::collections::BTreeSet;

use static_typer::points_to::{Code, CodeId, Dispatch, Site};
use static_typer::program::MethodId;

use super::context::Position;
use super::{Context, Solver};
use crate::call_graph::Target;
use crate::environment::{self, ENVIRONMENT};
use crate::multiplicity::Multiplicity;
use crate::node::{Label, Node, NodeId};

impl<'p> Solver<'_, 'p> {
    pub(super) fn receive(&mut self, node: NodeId, code: CodeId, number: u32) {
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        if site.dispatch == Dispatch::Special {
            return match self.graph.of_method(site.method) {
                Some(callee) => self.call(code, number, callee, Some(node)),
                None => self.library(code, number),
            };
        }
        let is_ours = self.is_ours(site.method);
        match self.nodes.get(node).clone() {
            Node::Object(_, made, ty) if !matches!(made, Site::Returned(_)) => {
                match self.graph.dispatch(site.method, made, ty) {
                    Target::Code(callee) => self.call(code, number, callee, Some(node)),
                    Target::Library(selected) => {
                        self.used.absent.extend(selected);
                        self.library(code, number);
                    }
                    Target::Nothing => {}
                }
            }
            _ if is_ours => {
                self.used.dispatched.insert(site.method);
                for callee in self.graph.targets(site.method).collect::<Vec<_>>() {
                    self.call(code, number, callee, Some(node));
                }
            }
            _ => {
                self.wait(node, code, number);
                self.library(code, number);
            }
        }
    }

    fn is_ours(&self, method: MethodId) -> bool {
        self.program().class(self.program().method(method).class).is_application
    }

    /// A call of code of the application.
    pub(super) fn call(&mut self, code: CodeId, number: u32, callee: CodeId, receiver: Option<NodeId>) {
        // Whoever calls the program is nobody's region.
        let is_inside = code != ENVIRONMENT;
        if self.is_root && is_inside {
            self.adopt(callee);
        }
        if is_inside && self.members.contains(&callee) {
            return self.inner_call(code, number, callee, receiver);
        }
        self.used.callees.insert(callee);
        if self.known.regions.thread(callee).is_some() {
            return self.call_region(code, number, callee, receiver);
        }
        let key = (code, number, callee);
        let instance = match self.by_call.get(&key) {
            Some(instance) => *instance,
            None => {
                let context = self.context(code, number);
                let Some(instance) = self.instantiate(callee, context) else { return };
                self.by_call.insert(key, instance);
                self.pass(code, number, instance, receiver.is_some());
                instance
            }
        };
        if let Some((node, to)) = receiver.zip(self.instances[instance].parameters.first().copied()) {
            self.insert(to, node);
        }
    }

    /// The arguments of a call go to the parameters of its instance, and the result comes back. Receivers pass one by one.
    fn pass(&mut self, code: CodeId, number: u32, instance: usize, has_receiver: bool) {
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        for (n, argument) in site.arguments.iter().enumerate().skip(usize::from(has_receiver)) {
            if let Some((argument, to)) = argument.zip(self.instances[instance].parameters.get(n).copied()) {
                let from = self.local(code, argument);
                self.copy(from, to, None);
            }
        }
        if let Some(result) = site.result {
            let (from, to) = (self.instances[instance].result, self.local(code, result));
            self.copy(from, to, None);
        }
    }

    fn inner_call(&mut self, code: CodeId, number: u32, callee: CodeId, receiver: Option<NodeId>) {
        let this = self.graph.code(callee).parameters.first().copied().flatten();
        if let Some((node, this)) = receiver.zip(this) {
            let to = self.local(callee, this);
            self.insert(to, node);
        }
        if self.passed.insert((code, number, callee)) {
            self.pass_inside(code, number, callee, receiver.is_some());
        }
    }

    /// The arguments of a call go to the parameters of code of the component, and the result comes back.
    fn pass_inside(&mut self, code: CodeId, number: u32, callee: CodeId, has_receiver: bool) {
        let data = self.graph.code(code).clone();
        let site = &data.calls[number as usize];
        let parameters = self.graph.code(callee).parameters.clone();
        self.inner_calls.insert((code, number));
        if let Some(region) = self.region_of(callee) {
            self.enter(region, self.context(code, number));
        }
        for (argument, parameter) in site.arguments.iter().zip(parameters).skip(usize::from(has_receiver)) {
            if let Some((argument, parameter)) = argument.zip(parameter) {
                let (from, to) = (self.local(code, argument), self.local(callee, parameter));
                self.copy(from, to, None);
            }
        }
        if let Some(result) = site.result {
            let (from, to) = (self.results[&callee], self.local(code, result));
            self.copy(from, to, None);
        }
    }

    /// The place of a call in code.
    pub(super) fn context(&self, code: CodeId, number: u32) -> Context {
        let data = self.graph.code(code);
        if code == ENVIRONMENT {
            return of_environment(data, number);
        }
        let site = &data.calls[number as usize];
        let held = site.held_within(self.program());
        let locks = held.iter().map(|lock| (self.local(code, lock.local), lock.monitor, lock.shared)).collect();
        let is_many = site.repeats || self.is_recursive;
        Context {
            labels: [Label { code, number }].into(),
            multiplicity: if is_many { Multiplicity::Many } else { Multiplicity::Unknown },
            thread: self.region_of(code),
            locks,
            started: BTreeSet::new(),
            position: Some(Position { code, number, at: site.at }),
            call: Some((code, number)),
            is_callback: false,
        }
    }
}

/// A call of whoever calls the program: any number of times, so that it tells no objects apart. A thread that makes several of them may
/// have started by then whatever it starts.
fn of_environment(data: &Code, number: u32) -> Context {
    let thread = environment::thread(data, number);
    Context {
        multiplicity: Multiplicity::Many,
        started: BTreeSet::from([thread.clone()]),
        thread: Some(thread),
        ..Context::default()
    }
}
