//! Reflective calls: which methods of the JDK they are, what is known where they stand, and which of them were not resolved.
//!
//! Classes, constructors, methods and fields are followed as objects: `Class` constants, and the *mirrors* of members. A call on
//! one of them, or with the name of a class, runs code of `mirrors`. Only application and library code is followed; what the
//! JDK looks up for itself is not.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, Constant, MethodId, Name, Program, Type, flag};

use super::PointsTo;
use super::object::Site;
use super::resolve::Resolution;

/// So many classes at most are taken for what a cast is made of.
pub const MAX_GUESSED: usize = 64;

/// So many classes or members at most are followed at one reflective call: of more, nobody has said which ones are meant.
pub const MAX_FOLLOWED: usize = 64;

/// What a method of the JDK does with classes and members.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Api {
    /// Finds a class by its name.
    ForName,
    /// Finds a class by its name, with a loader.
    Load,
    /// Makes an object of a class.
    Make,
    /// Finds members of a class.
    Find(Members),
    /// Makes an object with a constructor.
    Construct,
    /// Calls a method.
    Call,
    /// Reads a field.
    Get,
    /// Writes a field.
    Set,
}

/// The members that are found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Members {
    /// Constructors that are public.
    Constructors,
    /// All constructors.
    DeclaredConstructors,
    /// Public methods, inherited ones too.
    Methods,
    /// The methods of the class itself.
    DeclaredMethods,
    /// Public fields, inherited ones too.
    Fields,
    /// The fields of the class itself.
    DeclaredFields,
}

/// Classes, names and the beginnings of descriptors. `Field.get` and `set` have variants for each primitive type.
const APIS: &[(&str, &str, &str, Api)] = &[
    ("java/lang/Class", "forName", "(Ljava/lang/String;", Api::ForName),
    ("java/lang/ClassLoader", "loadClass", "(Ljava/lang/String;)", Api::Load),
    ("java/lang/Class", "newInstance", "()", Api::Make),
    ("java/lang/Class", "getConstructor", "(", Api::Find(Members::Constructors)),
    ("java/lang/Class", "getConstructors", "(", Api::Find(Members::Constructors)),
    ("java/lang/Class", "getDeclaredConstructor", "(", Api::Find(Members::DeclaredConstructors)),
    ("java/lang/Class", "getDeclaredConstructors", "(", Api::Find(Members::DeclaredConstructors)),
    ("java/lang/Class", "getMethod", "(", Api::Find(Members::Methods)),
    ("java/lang/Class", "getMethods", "(", Api::Find(Members::Methods)),
    ("java/lang/Class", "getDeclaredMethod", "(", Api::Find(Members::DeclaredMethods)),
    ("java/lang/Class", "getDeclaredMethods", "(", Api::Find(Members::DeclaredMethods)),
    ("java/lang/Class", "getField", "(", Api::Find(Members::Fields)),
    ("java/lang/Class", "getFields", "(", Api::Find(Members::Fields)),
    ("java/lang/Class", "getDeclaredField", "(", Api::Find(Members::DeclaredFields)),
    ("java/lang/Class", "getDeclaredFields", "(", Api::Find(Members::DeclaredFields)),
    ("java/lang/reflect/Constructor", "newInstance", "(", Api::Construct),
    ("java/lang/reflect/Method", "invoke", "(", Api::Call),
    ("java/lang/reflect/Field", "get*", "(Ljava/lang/Object;)", Api::Get),
    ("java/lang/reflect/Field", "set*", "(Ljava/lang/Object;", Api::Set),
];

/// The reflective methods of the JDK.
#[derive(Default, Debug)]
pub struct Apis(FxHashMap<MethodId, Api>);

impl Apis {
    /// Finds them.
    #[must_use]
    pub fn of(resolution: &Resolution<'_>) -> Self {
        let rows = APIS.iter().flat_map(|(class, name, descriptor, api)| {
            let methods = resolution.class(class).into_iter().flat_map(|class| resolution.program.methods_of(class));
            methods.filter(|method| is_called(resolution.program, *method, name, descriptor)).map(|id| (id, *api))
        });
        Self(rows.collect())
    }

    /// What a method does, if it is one of them.
    #[must_use]
    pub fn get(&self, method: MethodId) -> Option<Api> {
        self.0.get(&method).copied()
    }
}

fn is_called(program: &Program, method: MethodId, wanted: &str, descriptor: &str) -> bool {
    let name = program.names().text(program.method(method).name);
    let is_named = wanted.strip_suffix('*').map_or(name == wanted, |prefix| name.starts_with(prefix));
    is_named && program.names().text(program.signature(method).text).starts_with(descriptor)
}

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
}

impl Reflection {
    /// Reads what stands around a call.
    #[must_use]
    pub fn of(api: Api, body: &Body, at: Value, arguments: &[Value]) -> Self {
        let name = arguments.get(1).and_then(|argument| text(body, *argument));
        let array = arguments_at(api).and_then(|place| arguments.get(place));
        let count = array.and_then(|array| length(body, *array));
        Self { api, caller: body.method, at, name, count, casts: casts(body, at) }
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

/// The types that a value is cast to, also where it has joined others.
fn casts(body: &Body, value: Value) -> Box<[Type]> {
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
    casts.sort_unstable();
    casts.dedup();
    casts.retain(|ty| *ty != Type::OBJECT);
    casts.into()
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

/// How far the targets of a reflective call are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resolved {
    /// By constants, all of them.
    Exactly,
    /// By casts: so many classes of the application, of which [`MAX_GUESSED`] at most were looked at.
    Guessed(usize),
    /// By a log of runs only: there may be others.
    Logged,
    /// Not at all.
    Not,
}

/// The method that each call names, and how far what it does is known; by caller and instruction.
pub type ByCall = BTreeMap<(MethodId, Value), (MethodId, Resolved)>;

/// What is found of a call.
struct Found {
    method: MethodId,
    api: Api,
    without_log: Option<Resolved>,
    is_logged: bool,
    made_on: FxHashSet<Site>,
}

impl Found {
    fn resolved(&self) -> Resolved {
        let without_log = self.without_log.filter(|_| self.made_on.len() <= MAX_FOLLOWED);
        match without_log.unwrap_or(Resolved::Not) {
            Resolved::Not if self.is_logged => Resolved::Logged,
            resolved => resolved,
        }
    }
}

/// How the reflective calls of code were resolved that does something, and those of which a log says what they find.
#[must_use]
pub fn resolved(program: &Program, points_to: &PointsTo) -> ByCall {
    let mut calls: BTreeMap<(MethodId, Value), Found> = BTreeMap::new();
    for instance in points_to.instances() {
        for site in &points_to.code(instance).calls {
            let Some(known) = site.reflection.as_deref() else { continue };
            let new = Found {
                method: site.method,
                api: known.api,
                without_log: None,
                is_logged: false,
                made_on: FxHashSet::default(),
            };
            let found = calls.entry((known.caller, known.at)).or_insert(new);
            if site.is_logged {
                found.is_logged = true;
                continue;
            }
            let receivers = site.arguments.first().copied().flatten();
            let receivers = receivers.into_iter().flat_map(|local| points_to.local(instance, local).iter());
            for receiver in receivers.map(|object| points_to.objects.get(object).site) {
                found.made_on.insert(receiver);
                found.without_log = found.without_log.max(Some(one(program, known, receiver)));
            }
        }
    }
    calls.retain(|_, found| found.is_logged || acts(found.api));
    calls.into_iter().map(|(call, found)| (call, (found.method, found.resolved()))).collect()
}

fn acts(api: Api) -> bool {
    matches!(api, Api::Make | Api::Construct | Api::Call | Api::Get | Api::Set)
}

fn one(program: &Program, known: &Reflection, receiver: Site) -> Resolved {
    match (known.api, receiver) {
        (Api::ForName, Site::Text(_))
        | (Api::Make, Site::Class(_))
        | (Api::Construct, Site::Constructor(_))
        | (Api::Call, Site::Method(_))
        | (Api::Get | Api::Set, Site::Field(_)) => Resolved::Exactly,
        (Api::Make | Api::Construct, _) if !known.casts.is_empty() => {
            Resolved::Guessed(guessed(program, &known.casts).len())
        }
        _ => Resolved::Not,
    }
}
