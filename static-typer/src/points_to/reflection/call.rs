//! What is known where a reflective call stands, and how much may be taken for what it means.

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, Constant, MethodId, Name, Program, Type, flag};

use super::api::{Api, Members};

/// So many classes at most are taken for what a cast is made of.
pub const MAX_GUESSED: usize = 64;

/// So many classes or members at most are followed at one reflective call: of more, nobody has said which ones are meant.
pub const MAX_FOLLOWED: usize = 64;

/// What is known where a reflective call stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reflection {
    /// What the called method does.
    pub api: Api,
    /// The method with the call.
    pub caller: MethodId,
    /// The instruction.
    pub at: Value,
    /// The name that is asked for, if it is a constant.
    pub name: Option<Name>,
    /// How many arguments are passed, or parameters asked for, if that is certain.
    pub count: Option<usize>,
    /// The types that the result is cast to.
    pub casts: Box<[Type]>,
    /// Whether nothing else is done with it.
    pub is_only_cast: bool,
}

impl Reflection {
    /// Reads what stands around a call.
    #[must_use]
    pub fn of(api: Api, body: &Body, at: Value, arguments: &[Value]) -> Self {
        let name = arguments.get(1).and_then(|argument| text(body, *argument));
        let array = arguments_at(api).and_then(|place| arguments.get(place));
        let count = array.and_then(|array| length(body, *array));
        let (casts, is_only_cast) = casts(body, at);
        Self { api, caller: body.method, at, name, count, casts, is_only_cast }
    }

    /// Whether it reads a field.
    #[must_use]
    pub fn is_get(&self) -> bool {
        self.api == Api::Get
    }

    /// Whether it makes a proxy.
    #[must_use]
    pub fn is_proxy(&self) -> bool {
        self.api == Api::Proxy
    }

    /// Whether a method with that many parameters may be meant.
    #[must_use]
    pub fn fits(&self, n_parameters: usize) -> bool {
        self.count.is_none_or(|count| count == n_parameters)
    }
}

/// The place of the array of arguments, or of the types of parameters.
fn arguments_at(api: Api) -> Option<usize> {
    match api {
        Api::Construct | Api::Find(Members::Constructors | Members::DeclaredConstructors) => Some(1),
        Api::Call | Api::Find(Members::Methods | Members::DeclaredMethods) => Some(2),
        _ => None,
    }
}

fn text(body: &Body, value: Value) -> Option<Name> {
    match body.op(value) {
        Op::Constant(Constant::String(text)) => Some(*text),
        Op::Cast(from) => text(body, *from),
        _ => None,
    }
}

/// The length of an array that is made here; `null` stands for an empty one.
fn length(body: &Body, array: Value) -> Option<usize> {
    match body.op(array) {
        Op::Null => Some(0),
        Op::Cast(from) => length(body, *from),
        Op::NewArray(length) => match body.op(*length) {
            Op::Constant(Constant::Int(length)) => usize::try_from(*length).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The types that a value is cast to, also where it has joined others; and whether nothing else is done with it.
fn casts(body: &Body, value: Value) -> (Box<[Type]>, bool) {
    let mut same = vec![value];
    let mut casts = Vec::new();
    let mut done = 0;
    while let Some(from) = same.get(done).copied() {
        done += 1;
        for to in body.all_values() {
            match body.op(to) {
                Op::Phi(operands) if operands.contains(&from) && !same.contains(&to) => same.push(to),
                Op::Cast(of) if *of == from => casts.push(body.instruction(to).ty),
                _ => {}
            }
        }
    }
    let is_other_use = |user: Value| {
        let mut uses = false;
        body.op(user).for_each_operand(|operand| uses |= same.contains(&operand));
        uses && !same.contains(&user) && !matches!(body.op(user), Op::Cast(_))
    };
    let is_only_cast = !casts.contains(&Type::OBJECT) && !body.all_values().any(is_other_use);
    casts.sort_unstable();
    casts.dedup();
    casts.retain(|ty| *ty != Type::OBJECT);
    (casts.into(), is_only_cast)
}

/// The classes of the application that an object may be of which is cast to one of some types.
#[must_use]
pub fn guessed(program: &Program, casts: &[Type]) -> Vec<ClassId> {
    let concrete = |class: &ClassId| program.class(*class).access & (flag::ABSTRACT | flag::INTERFACE) == 0;
    let is_one = |class: &ClassId| {
        let ty = Type::class(program.class(*class).name);
        casts.iter().any(|cast| program.is_subtype(ty, *cast))
    };
    program.application().filter(|class| concrete(class) && is_one(class)).collect()
}
