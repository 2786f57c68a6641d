//! Final expressions: access paths whose value does not change, so that two of them that read the same are the same lock
//! (paper 004, section 3.1.1; paper 002, section 3).

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::program::{Constant, FieldId, MethodId, Name, Program};

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
                match getters.kept_half(field) {
                    Some(Path { fields, half, .. }) => self.get(*object).then(fields, *half),
                    None => self.get(*object).then(&[field], Half::Whole),
                }
            }
            Op::GetStatic(member) => {
                let field = calls.field(*member).filter(|field| program.field(*field).is_final())?;
                Some(getters.kept_half(field).cloned().unwrap_or(Path::of(Root::Static(field))))
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

/// What getters return, as paths of their parameters, and what fields keep of read-write locks.
#[derive(Default, Debug)]
pub struct Getters {
    returned: FxHashMap<MethodId, Path>,
    /// Final fields with halves of locks in other final fields of the same object or class: `final Lock r = lock.readLock()`.
    kept_halves: FxHashMap<FieldId, Path>,
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
        getters.kept_halves = getters.find_kept_halves(program, calls, bodies);
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

    /// The half of a lock that a final field keeps, from its object on.
    #[must_use]
    pub fn kept_half(&self, field: FieldId) -> Option<&Path> {
        self.kept_halves.get(&field)
    }

    /// The read-write lock that a path stands for if it leads to a field which keeps a half of one.
    #[must_use]
    pub fn whole(&self, path: &Path) -> Path {
        let (last, above) = match (path.fields.split_last(), &path.root) {
            (Some((last, above)), _) => (Some(last), above),
            (None, Root::Static(field)) => (Some(field), &[][..]),
            _ => (None, &[][..]),
        };
        match last.and_then(|field| self.kept_half(*field)) {
            None => path.clone(),
            Some(kept) if kept.is_global() => Path { half: Half::Whole, ..kept.clone() },
            Some(kept) => Path { fields: [above, &kept.fields].concat(), half: Half::Whole, ..path.clone() },
        }
    }

    /// Of several constructors each has to keep the same half.
    fn find_kept_halves(&self, program: &Program, calls: &CallGraph, bodies: &Bodies) -> FxHashMap<FieldId, Path> {
        let is_final = |field: FieldId| calls.keeps_value(program, field);
        let of_body = |body: &Body| {
            let sets = sets_of_locks(program, calls, body);
            let paths = (!sets.is_empty()).then(|| Paths::of(program, calls, self, &is_final, body));
            let kept =
                |(field, set): (FieldId, Value)| Some((field, kept_half(program, field, paths.as_ref()?.get(set))));
            sets.into_iter().filter_map(kept).collect::<Vec<_>>()
        };
        let initializing = bodies.all().par_iter().filter(|body| {
            let method = program.method(body.method);
            method.is_constructor() || method.name == Name::CLINIT
        });
        let mut kept: FxHashMap<FieldId, Option<Path>> = FxHashMap::default();
        for (field, path) in initializing.flat_map_iter(of_body).collect::<Vec<_>>() {
            let known = kept.entry(field).or_insert_with(|| path.clone());
            known.take_if(|known| path.as_ref() != Some(known));
        }
        let all = kept.into_iter().filter(|(field, _)| is_final(*field));
        all.filter_map(|(field, path)| Some((field, path?))).collect()
    }

    /// Which half of its receiver a call returns that names a method.
    fn half(&self, program: &Program, named: MethodId) -> Option<Half> {
        locks::half(program, named).filter(|_| !may_run(program, &self.foreign, named))
    }
}

/// What a constructor or an initializer sets of fields for locks: those of its own object, and static ones.
fn sets_of_locks(program: &Program, calls: &CallGraph, body: &Body) -> Vec<(FieldId, Value)> {
    let set = |value: Value| match body.op(value) {
        Op::PutStatic(member, set) => Some((calls.field(*member)?, *set)),
        // Of another object's field nothing is known: the object set stands for itself.
        Op::PutField(object, member, set) => {
            let is_own = *body.op(*object) == Op::Parameter(0);
            Some((calls.field(*member)?, if is_own { *set } else { *object }))
        }
        _ => None,
    };
    let is_for_locks = |(field, _): &(FieldId, Value)| {
        let class = program.field(*field).ty.as_class().map(|name| program.names().text(name));
        class.is_some_and(|class| class.starts_with("java/util/concurrent/locks/"))
    };
    body.all_values().filter_map(set).filter(is_for_locks).collect()
}

/// The half of a lock that a field is set to, from its own object or class on.
fn kept_half(program: &Program, field: FieldId, path: &Path) -> Option<Path> {
    let root = if program.field(field).is_static() {
        matches!(path.root, Root::Static(_))
    } else {
        path.root == Root::Parameter(0)
    };
    (root && path.half != Half::Whole).then(|| path.clone())
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
