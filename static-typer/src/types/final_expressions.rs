//! Final expressions: access paths whose value does not change, so that two of them that read the same are the same lock
//! (paper 004, section 3.1.1; paper 002, section 3).

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::program::{Constant, FieldId, MethodId, Program};

use super::bodies::Bodies;
use super::calls::CallGraph;
use super::extended::{may_run, overriding_in_libraries};
use super::locks;
use super::path::{Half, Path, Root};

/// The path of every value of a body.
#[derive(Clone, Debug)]
pub struct Paths(Vec<Path>);

impl Paths {
    /// Finds the paths. `is_final` says which fields keep their values; what getters return is known by then.
    #[must_use]
    pub fn of(
        program: &Program,
        calls: &CallGraph,
        getters: &Getters,
        is_final: &dyn Fn(FieldId) -> bool,
        body: &Body,
    ) -> Self {
        let mut paths = Self(Vec::with_capacity(body.instructions.len()));
        for value in body.all_values() {
            let path = paths.path_of(program, calls, getters, is_final, body, value);
            paths.0.push(path.unwrap_or(Path::of(Root::Value(value))));
        }
        paths
    }

    /// The path of a value.
    #[must_use]
    pub fn get(&self, value: Value) -> &Path {
        &self.0[value.index()]
    }

    fn path_of(
        &self,
        program: &Program,
        calls: &CallGraph,
        getters: &Getters,
        is_final: &dyn Fn(FieldId) -> bool,
        body: &Body,
        value: Value,
    ) -> Option<Path> {
        match body.op(value) {
            Op::Parameter(n) => Some(Path::of(Root::Parameter(*n))),
            Op::Cast(inner) => Some(self.get(*inner).clone()),
            Op::Phi(operands) => self.common(operands, value),
            Op::Constant(Constant::Class(ty)) => Some(Path::of(Root::Class(*ty))),
            Op::Constant(Constant::String(text)) => Some(Path::of(Root::Text(*text))),
            Op::GetField(object, member) => {
                let field = calls.field(*member).filter(|field| is_final(*field))?;
                self.get(*object).then(&[field], Half::Whole)
            }
            Op::GetStatic(member) => {
                let field = calls.field(*member).filter(|field| program.field(*field).is_final())?;
                Some(Path::of(Root::Static(field)))
            }
            Op::Invoke(_, member, arguments) => {
                let targets = calls.targets(body.method, value);
                // What a class returns that is not the JDK's may be another lock each time.
                if let Some(half) = getters.half(program, calls.named(*member)?).filter(|_| targets.methods.is_empty())
                {
                    return self.get(*arguments.first()?).then(&[], half);
                }
                let target = targets.only()?;
                let returned = getters.returned(target)?;
                self.in_caller(returned, arguments)
            }
            _ => None,
        }
    }

    /// The path that all operands of a phi have; those that come later are not known yet.
    fn common(&self, operands: &[Value], phi: Value) -> Option<Path> {
        let first = self.0.get(operands.first()?.index())?;
        let same = operands.iter().all(|operand| *operand < phi && self.get(*operand) == first);
        same.then(|| first.clone())
    }

    /// A callee's path as the caller would write it (PRFJ's substitution of actual for formal parameters).
    #[must_use]
    pub fn in_caller(&self, path: &Path, arguments: &[Value]) -> Option<Path> {
        match path.root {
            Root::Parameter(n) => self.get(*arguments.get(usize::from(n))?).then(&path.fields, path.half),
            Root::Value(_) | Root::Owner(_) => None,
            _ => Some(path.clone()),
        }
    }

    /// A callee's lock as the caller would write it: the argument may be a half of a read-write lock itself.
    #[must_use]
    pub fn lock_in_caller(&self, path: &Path, arguments: &[Value]) -> Option<Path> {
        match path {
            Path { root: Root::Parameter(n), fields, half: Half::Whole } if fields.is_empty() => {
                Some(self.get(*arguments.get(usize::from(*n))?).clone())
            }
            _ => self.in_caller(path, arguments),
        }
    }

    /// A caller's path as the callee would write it, once for each argument from which it leads.
    pub fn in_callee<'a>(&'a self, path: &'a Path, arguments: &'a [Value]) -> impl Iterator<Item = Path> + 'a {
        let from_argument = arguments.iter().enumerate().filter_map(|(n, argument)| {
            let fields = path.from(self.get(*argument))?.to_vec();
            Some(Path { root: Root::Parameter(n as u16), fields, half: path.half })
        });
        path.is_global().then(|| path.clone()).into_iter().chain(from_argument)
    }
}

/// What getters return, as paths of their parameters.
#[derive(Default, Debug)]
pub struct Getters {
    returned: FxHashMap<MethodId, Path>,
    /// Methods of libraries that override those which return halves of locks: they may return another lock each time.
    foreign: Vec<MethodId>,
}

/// Getters of getters are followed this far.
const GETTER_ROUNDS: usize = 3;
/// A getter has no more instructions than this.
const GETTER_LENGTH: usize = 10;

impl Getters {
    /// Finds the getters among the bodies.
    #[must_use]
    pub fn of(program: &Program, calls: &CallGraph, bodies: &Bodies) -> Self {
        let is_final = |field: FieldId| calls.keeps_value(program, field);
        let foreign = overriding_in_libraries(program, |method| locks::half(program, method).is_some());
        let mut getters = Self { foreign, ..Self::default() };
        for _ in 0..GETTER_ROUNDS {
            let short = bodies.all().par_iter().filter(|body| body.instructions.len() <= GETTER_LENGTH);
            let found = short.filter_map(|body| {
                let paths = Paths::of(program, calls, &getters, &is_final, body);
                Some((body.method, returned(body, &paths)?))
            });
            getters.returned = found.collect();
        }
        getters
    }

    /// The path that a method returns, in terms of its parameters.
    #[must_use]
    pub fn returned(&self, method: MethodId) -> Option<&Path> {
        self.returned.get(&method)
    }

    /// Which half of its receiver a call returns that names a method.
    fn half(&self, program: &Program, named: MethodId) -> Option<Half> {
        locks::half(program, named).filter(|_| !may_run(program, &self.foreign, named))
    }
}

fn returned(body: &Body, paths: &Paths) -> Option<Path> {
    let mut values = body.all_values().filter_map(|value| match body.op(value) {
        Op::Return(value) => Some(*value),
        _ => None,
    });
    let path = paths.get(values.next()??).clone();
    let is_known = !matches!(path.root, Root::Value(_));
    (is_known && values.next().is_none()).then_some(path)
}
