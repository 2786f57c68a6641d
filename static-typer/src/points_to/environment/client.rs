//! What the clients of a library call: public methods of its public classes and of what these extend or give out, and, on objects
//! of classes of their own, protected ones.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{ClassId, FieldId, MethodId, Name, Program, Surface, Way, flag, is_extensible};

/// What clients call and read.
#[derive(Clone, Default, Debug)]
pub struct Client {
    /// Methods and constructors that every client calls, in the order of the classes.
    pub methods: Vec<MethodId>,
    /// Public methods that classes have from others which nobody chose: a client calls them on objects of these classes.
    pub borrowed: BTreeMap<MethodId, BTreeSet<ClassId>>,
    /// Protected methods, which a client calls on objects of its own classes that extend one of these.
    pub inherited: BTreeMap<MethodId, BTreeSet<ClassId>>,
    /// Fields that clients read, with the classes that they have to extend for that, if it needs any.
    pub fields: BTreeMap<FieldId, BTreeSet<ClassId>>,
    /// The classes that were taken, and how clients come to them.
    pub classes: BTreeMap<ClassId, Way>,
    /// Classes that were asked for to which no client comes.
    pub closed: Vec<ClassId>,
    /// Classes that are nothing for clients, though they may be public: they make no objects of them.
    pub internal: BTreeSet<ClassId>,
}

impl Client {
    /// What clients use of the classes that are chosen.
    #[must_use]
    pub fn of(program: &Program, is_in: &dyn Fn(ClassId) -> bool) -> Self {
        let (surface, below) = (Surface::of(program), Below::of(program));
        let given = given_out(program, &surface, is_in);
        let mut client = Self::default();
        for class in program.application().filter(|class| is_in(*class)) {
            match surface.way(class) {
                Some(way) => {
                    client.add(program, class, way, is_in);
                    client.add_of_libraries(program, class, &surface, below.classes(class));
                }
                // Of the types above it that clients see, they call its methods.
                None => {
                    let seen = program.ancestors(class).filter(|above| surface.way(*above).is_some());
                    let given = program.ancestors(class).filter(|above| given.contains(above));
                    let seen: BTreeSet<ClassId> = seen.chain(given.flat_map(|above| types(program, above))).collect();
                    seen.iter().for_each(|above| client.add_borrowed(program, class, *above, is_in));
                    client.closed.extend(seen.is_empty().then_some(class));
                }
            }
        }
        client.methods.sort_unstable();
        client.methods.dedup();
        client.borrowed.retain(|method, _| client.methods.binary_search(method).is_err());
        client
    }

    /// Whether there is nothing to begin with.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty() && self.borrowed.is_empty() && self.inherited.is_empty()
    }

    /// Every method that clients call, in the order of the classes.
    pub fn all_methods(&self) -> impl Iterator<Item = MethodId> {
        let on_some = self.borrowed.keys().chain(self.inherited.keys());
        let all: BTreeSet<MethodId> = self.methods.iter().chain(on_some).copied().collect();
        all.into_iter()
    }

    fn add(&mut self, program: &Program, class: ClassId, way: Way, is_in: &dyn Fn(ClassId) -> bool) {
        self.classes.insert(class, way);
        let is_made = way == Way::Public && program.class(class).access & (flag::ABSTRACT | flag::INTERFACE) == 0;
        let extends = is_extensible(program, class);
        for above in program.ancestors(class).filter(|above| program.class(*above).is_application) {
            for method in program.methods_of(above) {
                let data = program.method(method);
                if data.is_constructor() {
                    let is_open = is_made && above == class && data.access & flag::PUBLIC != 0;
                    self.methods.extend(is_open.then_some(method));
                } else if data.access & flag::SYNTHETIC == 0 {
                    let is_borrowed = !data.is_static() && !is_in(above);
                    self.add_method(method, data.access, class, (extends, is_borrowed));
                }
            }
            self.add_fields(program, above, class, extends);
        }
    }

    /// What a class that clients cannot name has of one that they see, if nobody chose that.
    fn add_borrowed(&mut self, program: &Program, class: ClassId, above: ClassId, is_in: &dyn Fn(ClassId) -> bool) {
        if !program.class(above).is_application || !is_in(above) {
            for method in program.methods_of(above).filter(|method| is_open_instance_method(program, *method)) {
                self.borrowed.entry(method).or_default().insert(class);
            }
        }
    }

    /// Public methods that a class has of libraries, if code of the application that clients cannot name runs in them: in the place of such
    /// a method, or of one that is not public and is there for it.
    fn add_of_libraries(&mut self, program: &Program, class: ClassId, surface: &Surface, below: &[ClassId]) {
        let is_interface = program.class(class).is_interface();
        let is_hooked = !is_interface && below.iter().any(|below| has_hook(program, *below));
        for above in program.ancestors(class).filter(|above| !program.class(*above).is_application) {
            let data = program.class(above);
            let is_of_hooks = is_hooked && !data.is_interface() && data.name != Name::OBJECT;
            for method in program.methods_of(above).filter(|method| is_open_instance_method(program, *method)) {
                let is_hidden = |below: &ClassId| {
                    program.select(*below, method).is_some_and(|runs| {
                        let of = program.method(runs).class;
                        program.class(of).is_application && surface.way(of).is_none()
                    })
                };
                // Lambdas have no class.
                let may_be_lambda = is_interface && program.method(method).access & flag::ABSTRACT != 0;
                let is_its_own = || program.select(class, method) == Some(method);
                if may_be_lambda || is_of_hooks && is_its_own() || below.iter().any(is_hidden) {
                    self.borrowed.entry(method).or_default().insert(class);
                }
            }
        }
    }

    fn add_method(&mut self, method: MethodId, access: u16, class: ClassId, (extends, is_borrowed): (bool, bool)) {
        if access & flag::PUBLIC != 0 && is_borrowed {
            self.borrowed.entry(method).or_default().insert(class);
        } else if access & flag::PUBLIC != 0 {
            self.methods.push(method);
        } else if access & flag::PROTECTED != 0 && extends {
            self.inherited.entry(method).or_default().insert(class);
        }
    }

    fn add_fields(&mut self, program: &Program, above: ClassId, class: ClassId, extends: bool) {
        for field in program.fields_of(above).filter(|field| program.field(*field).ty.is_reference()) {
            let access = program.field(field).access;
            if access & flag::PUBLIC != 0 {
                self.fields.insert(field, BTreeSet::new());
            } else if access & flag::PROTECTED != 0 && extends {
                self.fields.entry(field).or_default().insert(class);
            }
        }
    }
}

/// The types of libraries as which clients have what the application gives out: those that methods of chosen classes return, and what
/// their methods return in turn.
fn given_out(program: &Program, surface: &Surface, is_in: &dyn Fn(ClassId) -> bool) -> BTreeSet<ClassId> {
    let result = |method| program.class_of(program.signature(method).result);
    let is_type = |class: &ClassId| is_telling(program, *class);
    let chosen = surface.classes().filter(|class| is_in(*class));
    let methods = chosen.flat_map(|class| program.methods_of(class));
    let methods = methods.filter(|method| program.method(*method).access & (flag::PUBLIC | flag::PROTECTED) != 0);
    let mut open: Vec<ClassId> = methods.filter_map(result).filter(is_type).collect();
    let mut given = BTreeSet::new();
    while let Some(class) = open.pop() {
        if given.insert(class) {
            let methods = types(program, class).flat_map(|above| program.methods_of(above));
            let methods = methods.filter(|method| is_open_instance_method(program, *method));
            open.extend(methods.filter_map(result).filter(is_type));
        }
    }
    given
}

/// A type of a library and those above it.
fn types(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
    program.ancestors(class).filter(|above| is_telling(program, *above))
}

/// Whether a type of a library tells what its objects can do.
fn is_telling(program: &Program, class: ClassId) -> bool {
    !program.class(class).is_application && program.class(class).name != Name::OBJECT
}

/// The classes of the application that extend or implement each of its own, and these themselves.
struct Below(BTreeMap<ClassId, Vec<ClassId>>);

impl Below {
    fn of(program: &Program) -> Self {
        let mut all: BTreeMap<ClassId, Vec<ClassId>> = BTreeMap::new();
        for class in program.application() {
            for above in program.ancestors(class).filter(|above| program.class(*above).is_application) {
                all.entry(above).or_default().push(class);
            }
        }
        Self(all)
    }

    fn classes(&self, of: ClassId) -> &[ClassId] {
        self.0.get(&of).map(Vec::as_slice).unwrap_or_default()
    }
}

fn is_open_instance_method(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    data.access & (flag::PUBLIC | flag::SYNTHETIC) == flag::PUBLIC && !data.is_static() && !data.is_constructor()
}

/// Whether a class has a method of the application in the place of a library's that is not public: what that library's public methods
/// are for calls it.
fn has_hook(program: &Program, class: ClassId) -> bool {
    let libraries = program.superclasses(class).filter(|above| !program.class(*above).is_application);
    let theirs = libraries.filter(|above| program.class(*above).name != Name::OBJECT);
    let mut hooks = theirs.flat_map(|above| program.methods_of(above)).filter(|method| {
        let data = program.method(*method);
        data.access & (flag::PUBLIC | flag::PRIVATE | flag::STATIC) == 0 && !data.is_constructor()
    });
    hooks.any(|method| {
        let runs = program.select(class, method);
        runs.is_some_and(|runs| program.class(program.method(runs).class).is_application)
    })
}

impl From<&[MethodId]> for Client {
    /// Clients that call some methods and nothing else.
    fn from(methods: &[MethodId]) -> Self {
        Self { methods: methods.to_vec(), ..Self::default() }
    }
}
