//! The reflective methods of the JDK, and what each does with classes and members.

use rustc_hash::FxHashMap;

use crate::program::{MethodId, Program};

/// What a method of the JDK does with classes and members.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Api {
    /// Finds a class by its name.
    ForName,
    /// Finds a class by its name, with a loader.
    Load,
    /// Makes an object of a class.
    Make,
    /// Finds the constants of an enum.
    Constants,
    /// Finds members of a class.
    Find(Members),
    /// Finds the interfaces that a class implements.
    Interfaces,
    /// Makes an object that implements interfaces, and hands each call to a handler.
    Proxy,
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
    ("java/lang/Class", "getEnumConstantsShared", "()", Api::Constants),
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
    ("java/lang/Class", "getInterfaces", "()", Api::Interfaces),
    ("java/lang/reflect/Constructor", "newInstance", "(", Api::Construct),
    ("java/lang/reflect/Method", "invoke", "(", Api::Call),
    ("java/lang/reflect/Field", "get*", "(Ljava/lang/Object;)", Api::Get),
    ("java/lang/reflect/Field", "set*", "(Ljava/lang/Object;", Api::Set),
    ("java/lang/reflect/Proxy", "newProxyInstance", "(Ljava/lang/ClassLoader;[Ljava/lang/Class;", Api::Proxy),
];

/// The reflective methods of the JDK.
#[derive(Default, Debug)]
pub struct Apis(FxHashMap<MethodId, Api>);

impl Apis {
    /// Finds them.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let rows = APIS.iter().flat_map(|(class, name, descriptor, api)| {
            let methods = program.class_named(class).into_iter().flat_map(|class| program.methods_of(class));
            methods.filter(|method| is_called(program, *method, name, descriptor)).map(|id| (id, *api))
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
