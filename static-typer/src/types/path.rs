//! Final expressions: access paths whose value does not change, so that two of them that read the same are the same lock
//! (paper 004, section 3.1.1; paper 002, section 3).

use crate::ir::{Body, Op, Value};
use crate::program::{Constant, FieldId, Name, Program, Type};

use super::calls::CallGraph;
use super::locks;
use super::summary::Summaries;

/// Where a path begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// A parameter of the method, the receiver being the first.
    Parameter(u16),
    /// Another value of the method, the one it had last.
    Value(Value),
    /// A final static field.
    Static(FieldId),
    /// The object of a class.
    Class(Type),
    /// A string constant, which is one object everywhere (JLS 3.10.5).
    Text(Name),
    /// The owner of the object in a parameter of the method (`owned`).
    Owner(u16),
}

/// A final expression: a root, then final fields, then perhaps a view of a read-write lock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Path {
    /// Where it begins.
    pub root: Root,
    /// The fields that lead on.
    pub fields: Vec<FieldId>,
    /// The half of a read-write lock, or the object itself.
    pub half: Half,
}

/// A half of a `ReadWriteLock`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Half {
    /// The object itself.
    Whole,
    /// `readLock()`.
    Read,
    /// `writeLock()`.
    Write,
}

/// Longer paths stand for nothing that is worth knowing, and recursive structures have them of any length.
const MAX_FIELDS: usize = 6;

impl Path {
    /// A path without fields.
    #[must_use]
    pub const fn of(root: Root) -> Self {
        Self { root, fields: Vec::new(), half: Half::Whole }
    }

    /// The path that leads on from here, if it is not too long.
    #[must_use]
    pub fn then(&self, fields: &[FieldId], half: Half) -> Option<Self> {
        let fields = [&self.fields, fields].concat();
        (self.half == Half::Whole && fields.len() <= MAX_FIELDS).then_some(Self { root: self.root, fields, half })
    }

    /// The fields that lead from `base` to this path.
    #[must_use]
    pub fn from(&self, base: &Self) -> Option<&[FieldId]> {
        if self.root == base.root && base.half == Half::Whole {
            self.fields.strip_prefix(base.fields.as_slice())
        } else {
            None
        }
    }

    /// Whether it means the same in every method.
    #[must_use]
    pub const fn is_global(&self) -> bool {
        matches!(self.root, Root::Static(_) | Root::Class(_) | Root::Text(_))
    }
}

/// The path of every value of a body.
#[derive(Clone, Debug)]
pub struct Paths(Vec<Path>);

impl Paths {
    /// Finds the paths. `is_final` says which fields keep their values; getters are looked up in the summaries.
    #[must_use]
    pub fn of(
        program: &Program,
        calls: &CallGraph,
        summaries: &Summaries,
        is_final: &dyn Fn(FieldId) -> bool,
        body: &Body,
    ) -> Self {
        let mut paths = Self(Vec::with_capacity(body.instructions.len()));
        for value in body.all_values() {
            let path = paths.path_of(program, calls, summaries, is_final, body, value);
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
        summaries: &Summaries,
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
                if let Some(half) = locks::half(program, calls.named(*member)?) {
                    return self.get(*arguments.first()?).then(&[], half);
                }
                let target = calls.targets(body.method, value).only()?;
                let returned = summaries.returned(target)?;
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

    /// A caller's path as the callee would write it, once for each argument from which it leads.
    pub fn in_callee<'a>(&'a self, path: &'a Path, arguments: &'a [Value]) -> impl Iterator<Item = Path> + 'a {
        let from_argument = arguments.iter().enumerate().filter_map(|(n, argument)| {
            let fields = path.from(self.get(*argument))?.to_vec();
            Some(Path { root: Root::Parameter(n as u16), fields, half: path.half })
        });
        path.is_global().then(|| path.clone()).into_iter().chain(from_argument)
    }
}
