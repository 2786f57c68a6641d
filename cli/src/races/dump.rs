//! The call graph and the casts that may fail, in files of sorted lines, in the notation of Soot, Doop and Tai-e: methods are
//! `<bank.Account: void put(int)>`, a call is its method with what it names and a number, `<…>/bank.Account.put/0`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use facts::name::dotted;
use static_typer::ir::{Body, Op, Value};
use static_typer::points_to::{CallGraph, PointsTo, casts};
use static_typer::program::{MethodId, Program, Type};

/// The methods that are reached, a line each.
pub const METHODS: &str = "reachable-methods.txt";
/// What calls may run: call, method and position of the call.
pub const EDGES: &str = "call-edges.txt";
/// Casts that may fail: cast and position.
pub const CASTS: &str = "casts-that-may-fail.txt";

/// A directory for the files.
pub struct Dump<'a> {
    directory: &'a Path,
}

impl<'a> Dump<'a> {
    /// Makes the directory before the work begins.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn at(directory: &'a Path) -> Result<Self> {
        let dump = Self { directory };
        fs::create_dir_all(directory).with_context(|| dump.problem(directory))?;
        Ok(dump)
    }

    /// Writes the files.
    ///
    /// # Errors
    /// One cannot be written.
    pub fn write(&self, program: &Program, points_to: &PointsTo) -> Result<()> {
        let graph = CallGraph::of(points_to);
        let mut names = Names { program, sites: HashMap::new() };
        let methods = graph.methods.iter().map(|method| names.method(*method)).collect();
        let edge = |(caller, at, callee): &(MethodId, Value, MethodId)| {
            let callee = names.method(*callee);
            let site = names.site(*caller, *at);
            format!("{}\t{callee}\t{}", site.name, site.position)
        };
        let edges = graph.edges.iter().map(edge).collect();
        let failing = casts(program, points_to).into_iter().filter(|(_, may_fail)| *may_fail);
        let cast = |((method, at), _)| {
            let site = names.site(method, at);
            format!("{}\t{}", site.name, site.position)
        };
        let casts = failing.map(cast).collect();
        [(METHODS, methods), (EDGES, edges), (CASTS, casts)].into_iter().try_for_each(|(file, lines)| {
            let path = self.directory.join(file);
            fs::write(&path, sorted(lines)).with_context(|| self.problem(&path))
        })
    }

    fn problem(&self, path: &Path) -> String {
        format!("cannot write `{}`; choose another directory with --dump", path.display())
    }
}

/// Lines by their bytes, as `LC_ALL=C sort -u` has them.
fn sorted(mut lines: Vec<String>) -> String {
    lines.sort_unstable();
    lines.dedup();
    lines.into_iter().map(|line| line + "\n").collect()
}

/// A call or a cast.
#[derive(Clone)]
struct Site {
    /// `<bank.Bank: void main(java.lang.String[])>/bank.Account.put/0`, or `…/cast bank.Page/0`.
    name: String,
    /// `Bank.java:41`, as far as the class file has it.
    position: String,
}

struct Names<'p> {
    program: &'p Program,
    sites: HashMap<MethodId, HashMap<Value, Site>>,
}

impl Names<'_> {
    fn ty(&self, ty: Type) -> String {
        dotted(&self.program.names().show(ty))
    }

    /// `<bank.Account: void put(int,java.lang.String[])>`.
    fn method(&self, method: MethodId) -> String {
        let (data, signature) = (self.program.method(method), self.program.signature(method));
        let parameters: Vec<String> = signature.parameters.iter().map(|ty| self.ty(*ty)).collect();
        let class = dotted(&self.program.class_name(data.class));
        let name = self.program.names().text(data.name);
        format!("<{class}: {} {name}({})>", self.ty(signature.result), parameters.join(","))
    }

    /// What no instruction makes is its method's as a whole: the model of a native one calls.
    fn site(&mut self, method: MethodId, at: Value) -> Site {
        if !self.sites.contains_key(&method) {
            let sites = self.sites_of(method);
            self.sites.insert(method, sites);
        }
        self.sites[&method]
            .get(&at)
            .cloned()
            .unwrap_or_else(|| Site { name: self.method(method), position: self.position(method, None) })
    }

    /// The calls and casts of a method. Of those that name the same, each has a number, in the order of the code.
    fn sites_of(&self, method: MethodId) -> HashMap<Value, Site> {
        let Some(Ok(body)) = Body::of(self.program, method) else { return HashMap::new() };
        let (caller, mut numbers) = (self.method(method), HashMap::new());
        let mut sites = HashMap::new();
        for at in body.all_values() {
            let Some(what) = self.what(&body, at) else { continue };
            let number = numbers.entry(what.clone()).or_insert(0_u32);
            let name = format!("{caller}/{what}/{number}");
            sites.insert(at, Site { name, position: self.position(method, body.line(at)) });
            *number += 1;
        }
        sites
    }

    fn what(&self, body: &Body, at: Value) -> Option<String> {
        let names = self.program.names();
        match body.op(at) {
            Op::Invoke(_, member, _) => {
                let member = self.program.member(*member);
                Some(format!("{}.{}", self.ty(member.owner), names.text(member.name)))
            }
            Op::InvokeDynamic(_, name, ..) => Some(format!("invokedynamic {}", names.text(*name))),
            Op::Cast(_) => Some(format!("cast {}", self.ty(body.instruction(at).ty))),
            _ => None,
        }
    }

    fn position(&self, method: MethodId, line: Option<u16>) -> String {
        let file = self.program.class(self.program.method(method).class).source_file;
        let file = file.map_or_else(|| "?".to_owned(), |file| self.program.names().text(file).into_owned());
        line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"))
    }
}
