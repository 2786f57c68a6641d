//! What calls may run, by class hierarchy: every method that some object of the receiver's type has.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Call, Op, Value};
use crate::program::{
    Bootstrap, ClassId, Constant, FieldId, MemberRef, Method, MethodId, Name, Program, Reflected, Surface, Type, flag,
};

use super::annotations;
use super::bodies::Bodies;
use super::reflected::reflected;

/// What a call may run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Targets {
    /// Methods of the application, each once.
    pub methods: Vec<MethodId>,
    /// Whether it may run code that is not analysed.
    pub library: bool,
}

impl Targets {
    /// The one method that is run, if no other can be.
    #[must_use]
    pub fn only(&self) -> Option<MethodId> {
        match self.methods[..] {
            [method] if !self.library => Some(method),
            _ => None,
        }
    }
}

/// The call graph of the application, without what libraries call.
#[derive(Debug)]
pub struct CallGraph {
    fields: FxHashMap<MemberRef, FieldId>,
    methods: FxHashMap<MemberRef, MethodId>,
    targets: FxHashMap<(MethodId, Value), Targets>,
    callers: FxHashMap<MethodId, Vec<MethodId>>,
    entries: FxHashSet<MethodId>,
    called_back: FxHashSet<MethodId>,
    referred_to: FxHashSet<MethodId>,
    reflected: Reflected,
}

static LIBRARY: Targets = Targets { methods: Vec::new(), library: true };

impl CallGraph {
    /// The calls of every body.
    #[must_use]
    pub fn of(program: &Program, bodies: &Bodies) -> Self {
        Self::in_world(program, bodies, false)
    }

    /// The same of a library if it has clients: they implement its interfaces, and what they may call are entries, too.
    #[must_use]
    pub fn in_world(program: &Program, bodies: &Bodies, has_clients: bool) -> Self {
        let mut graph = Self {
            fields: FxHashMap::default(),
            methods: FxHashMap::default(),
            targets: FxHashMap::default(),
            callers: FxHashMap::default(),
            entries: FxHashSet::default(),
            called_back: FxHashSet::default(),
            referred_to: FxHashSet::default(),
            reflected: Reflected::default(),
        };
        graph.resolve(program);
        graph.reflected = reflected(program, &|member| graph.named(member), bodies);
        let below = subclasses(program);
        let lambdas = lambda_types(program, bodies);
        let mut selection = Selection { program, below, lambdas, has_clients, known: FxHashMap::default() };
        for body in bodies.iter() {
            for value in body.all_values() {
                graph.add(&mut selection, body, value);
            }
        }
        graph.find_entries(&selection, bodies);
        if has_clients {
            graph.open(program);
        }
        graph
    }

    fn open(&mut self, program: &Program) {
        let has_code = |method: &MethodId| {
            let data = program.method(*method);
            data.has_code() && program.class(data.class).is_application
        };
        self.entries.extend(Surface::of(program).methods(program).into_iter().filter(has_code));
    }

    /// The field that an instruction names.
    #[must_use]
    pub fn field(&self, member: MemberRef) -> Option<FieldId> {
        self.fields.get(&member).copied()
    }

    /// The method that an instruction names, before one is selected.
    #[must_use]
    pub fn named(&self, member: MemberRef) -> Option<MethodId> {
        self.methods.get(&member).copied()
    }

    /// What a call may run; what is no call runs nothing that is known.
    #[must_use]
    pub fn targets(&self, method: MethodId, call: Value) -> &Targets {
        self.targets.get(&(method, call)).unwrap_or(&LIBRARY)
    }

    /// The methods that may call a method, each once.
    pub fn callers(&self, method: MethodId) -> &[MethodId] {
        self.callers.get(&method).map_or(&[], Vec::as_slice)
    }

    /// Whether a method may be called by code that is not analysed, with no lock held and with shared arguments.
    #[must_use]
    pub fn is_entry(&self, method: MethodId) -> bool {
        self.entries.contains(&method)
    }

    /// Whether a method is known to be called by code that is not analysed, which gets what it returns.
    #[must_use]
    pub fn is_called_back(&self, method: MethodId) -> bool {
        self.called_back.contains(&method)
    }

    /// Whether code that is not analysed makes objects of a class, by a reference to its constructor or by reflection.
    #[must_use]
    pub fn is_constructed(&self, program: &Program, class: ClassId) -> bool {
        let is_referred_to = |method| program.method(method).is_constructor() && self.is_referred_to(method);
        self.reflected.classes.contains(&class) || program.methods_of(class).any(is_referred_to)
    }

    /// What is accessed by reflection or handles.
    #[must_use]
    pub const fn reflected(&self) -> &Reflected {
        &self.reflected
    }

    /// Whether a method is called by reflection or a handle.
    #[must_use]
    pub fn is_reflected(&self, method: MethodId) -> bool {
        self.reflected.methods.contains(&method)
    }

    /// Whether a field keeps its value once it has one: reflection can write final fields of objects.
    #[must_use]
    pub fn keeps_value(&self, program: &Program, field: FieldId) -> bool {
        let data = program.field(field);
        data.is_final() && (data.is_static() || !self.reflected.fields.contains(&field))
    }

    /// Whether a proof takes it that anything may call a method in any thread.
    #[must_use]
    pub fn is_open(&self, method: MethodId) -> bool {
        self.is_called_back(method) || self.is_referred_to(method) || self.callers(method).is_empty()
    }

    /// Whether something refers to a method, as a lambda does, so that code that is not analysed may call it.
    #[must_use]
    pub fn is_referred_to(&self, method: MethodId) -> bool {
        self.referred_to.contains(&method)
    }

    /// The methods that something refers to, those of libraries among them.
    pub fn referred_to(&self) -> impl Iterator<Item = MethodId> {
        self.referred_to.iter().copied()
    }

    /// The methods that a class's constants refer to.
    fn handles(&self, program: &Program, class: ClassId) -> Vec<MethodId> {
        let arguments = program.bootstraps(class).iter().flat_map(|Bootstrap { arguments, .. }| arguments);
        let method = |constant: &Constant| match constant {
            Constant::Handle(handle) => self.methods.get(&handle.member).copied(),
            _ => None,
        };
        program.constants(class).iter().chain(arguments).filter_map(method).collect()
    }

    fn resolve(&mut self, program: &Program) {
        for (reference, member) in program.members() {
            if member.is_field {
                self.fields.extend(program.resolve_field(member).map(|field| (reference, field)));
            } else {
                self.methods.extend(program.resolve_method(member).map(|method| (reference, method)));
            }
        }
    }

    fn add(&mut self, selection: &mut Selection<'_>, body: &Body, value: Value) {
        let Op::Invoke(call, member, arguments) = body.op(value) else { return };
        let Some(named) = self.named(*member) else { return };
        let receiver = arguments.first().map(|receiver| body.instruction(*receiver).ty);
        let targets = match (call, receiver) {
            (Call::Virtual | Call::Interface, Some(receiver)) => selection.targets(named, receiver, *member),
            _ => selection.alone(named),
        };
        for target in &targets.methods {
            let callers = self.callers.entry(*target).or_default();
            if callers.last() != Some(&body.method) {
                callers.push(body.method);
            }
        }
        self.targets.insert((body.method, value), targets);
    }

    fn find_entries(&mut self, selection: &Selection<'_>, bodies: &Bodies) {
        let program = selection.program;
        let named: Vec<MethodId> = program.application().flat_map(|class| self.handles(program, class)).collect();
        self.referred_to.extend(named.iter().flat_map(|method| selection.by_others(*method)));
        let methods = program.application().flat_map(|class| program.methods_of(class));
        let invited = methods.filter(|method| is_invited(program, *method));
        let called = self.reflected.methods.iter().copied().chain(invited);
        let called: FxHashSet<MethodId> = called.flat_map(|method| selection.by_others(method)).collect();
        self.called_back.extend(called.iter().chain(&self.referred_to));
        self.called_back.extend(inherited_for_libraries(program));
        for body in bodies.iter() {
            let method = body.method;
            if is_called_back(program, method) {
                self.called_back.insert(method);
            }
            if self.is_called_back(method) || self.callers(method).is_empty() || is_public(program, method) {
                self.entries.insert(method);
            }
        }
    }
}

/// Whether what finds methods by their annotations may call one.
fn is_invited(program: &Program, method: MethodId) -> bool {
    annotations::invites_reflection(program, &program.method(method).annotations)
}

/// Whether code outside the application may call a method by its class's public face.
fn is_public(program: &Program, id: MethodId) -> bool {
    let method = program.method(id);
    let public = |access: u16| access & (flag::PUBLIC | flag::PROTECTED) != 0;
    public(program.class(method.class).access) && public(method.access)
}

/// Whether code outside the application calls a method: the JVM, by overriding, or by reflection that goes by names.
fn is_called_back(program: &Program, id: MethodId) -> bool {
    let method = program.method(id);
    method.name == Name::CLINIT || is_called_by_name(program, method) || overrides_library(program, id)
}

/// Whether the JDK calls the methods of an interface of the application by reflection: those of remote objects and of managed beans, which
/// go by the ends of their names or by an annotation.
fn is_for_reflection(program: &Program, class: ClassId) -> bool {
    let name = program.class_name(class);
    let is_named = ["MBean", "MXBean"].iter().any(|end| name.ends_with(end));
    let mut annotations =
        program.class(class).annotations.iter().map(|annotation| program.names().text(annotation.class));
    let is_bean = is_named || annotations.any(|annotation| annotation.contains("javax/management/MXBean"));
    let is_remote = || program.ancestors(class).any(|above| &*program.class_name(above) == "java/rmi/Remote");
    program.class(class).is_interface() && (is_bean || is_remote())
}

/// Methods that the JVM or a stream of objects looks for by their names.
pub const CALLED_BY_NAME: [&str; 6] =
    ["readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData", "main"];

fn is_called_by_name(program: &Program, method: &Method) -> bool {
    CALLED_BY_NAME.contains(&&*program.names().text(method.name))
}

/// Whether a method is run by calls of a method of a library, or may be because a superclass is missing.
fn overrides_library(program: &Program, id: MethodId) -> bool {
    let method = program.method(id);
    if method.access & (flag::PRIVATE | flag::STATIC) != 0 || method.is_constructor() {
        return false;
    }
    program.ancestors(method.class).any(|class| {
        let data = program.class(class);
        let declared = program.declared_method(class, method.name, method.descriptor);
        let is_theirs = || !data.is_application || is_for_reflection(program, class);
        data.is_incomplete || declared.is_some() && is_theirs()
    })
}

/// Methods that a library calls in objects of a subclass: it is the subclass that implements the library's interface.
fn inherited_for_libraries(program: &Program) -> FxHashSet<MethodId> {
    let mut inherited = FxHashSet::default();
    for class in program.application() {
        for above in program.ancestors(class).filter(|above| *above != class && program.class(*above).is_application) {
            let added: Vec<ClassId> = added_libraries(program, class, above);
            let is_called = |method: &MethodId| {
                let data = program.method(*method);
                let declares = |library: &ClassId| {
                    program.class(*library).is_incomplete
                        || program.declared_method(*library, data.name, data.descriptor).is_some()
                };
                data.access & (flag::PRIVATE | flag::STATIC) == 0
                    && !data.is_constructor()
                    && added.iter().any(declares)
            };
            if !added.is_empty() {
                inherited.extend(program.methods_of(above).filter(is_called));
            }
        }
    }
    inherited
}

/// What a class has of libraries, or misses, above it that a class above it has not.
fn added_libraries(program: &Program, class: ClassId, above: ClassId) -> Vec<ClassId> {
    let is_open = |class: &ClassId| !program.class(*class).is_application || program.class(*class).is_incomplete;
    let known: Vec<ClassId> = program.ancestors(above).collect();
    program.ancestors(class).filter(|of| is_open(of) && !known.contains(of)).collect()
}

/// The interfaces that lambdas and method references implement.
fn lambda_types(program: &Program, bodies: &Bodies) -> FxHashSet<ClassId> {
    let results = bodies.iter().flat_map(|body| body.all_values().map(move |value| body.instruction(value)));
    let dynamic = results.filter(|instruction| matches!(instruction.op, Op::InvokeDynamic(..)));
    dynamic.filter_map(|instruction| program.find(instruction.ty.as_class()?)).collect()
}

/// The subclasses and implementers of each class, itself included.
fn subclasses(program: &Program) -> FxHashMap<ClassId, Vec<ClassId>> {
    let mut below: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
    for class in program.application() {
        for above in program.ancestors(class) {
            below.entry(above).or_default().push(class);
        }
    }
    below
}

struct Selection<'p> {
    program: &'p Program,
    below: FxHashMap<ClassId, Vec<ClassId>>,
    lambdas: FxHashSet<ClassId>,
    has_clients: bool,
    known: FxHashMap<(ClassId, MethodId), Targets>,
}

impl Selection<'_> {
    fn alone(&self, method: MethodId) -> Targets {
        let is_application = self.program.class(self.program.method(method).class).is_application;
        let runs = is_application && self.program.method(method).has_code();
        Targets { methods: if runs { vec![method] } else { Vec::new() }, library: !runs }
    }

    /// What may run when code that is not analysed calls a method, of whatever object: with it all that objects of its class have in its place.
    fn by_others(&self, named: MethodId) -> Vec<MethodId> {
        let method = self.program.method(named);
        let is_selected = method.access & (flag::PRIVATE | flag::STATIC) == 0 && !method.is_constructor();
        let mut methods = if is_selected { self.select(method.class, named).methods } else { Vec::new() };
        methods.push(named);
        methods
    }

    /// The receiver's type may say more than the class that the instruction names.
    fn targets(&mut self, named: MethodId, receiver: Type, member: MemberRef) -> Targets {
        let program = self.program;
        let class_of = |ty: Type| ty.as_class().and_then(|name| program.find(name));
        let owner = class_of(program.member(member).owner);
        let narrow = class_of(receiver).filter(|class| owner.is_none_or(|owner| program.is_subclass(*class, owner)));
        let Some(class) = narrow.or(owner) else { return LIBRARY.clone() };
        if let Some(known) = self.known.get(&(class, named)) {
            return known.clone();
        }
        let targets = self.select(class, named);
        self.known.insert((class, named), targets.clone());
        targets
    }

    fn select(&self, class: ClassId, named: MethodId) -> Targets {
        let program = self.program;
        let is_application = |method: MethodId| program.class(program.method(method).class).is_application;
        let mut targets = Targets { methods: Vec::new(), library: !program.class(class).is_application };
        for below in self.below.get(&class).map_or(&[][..], Vec::as_slice) {
            // What a lambda runs is an entry: its calls are as good as those of a library.
            targets.library |= program.class(*below).is_incomplete || self.lambdas.contains(below);
            targets.library |= self.is_implemented_outside(*below);
            match program.select(*below, named) {
                Some(method) if is_application(method) && program.method(method).has_code() => {
                    targets.methods.push(method)
                }
                Some(method) => {
                    targets.library |= !is_application(method) || program.method(method).access & flag::NATIVE != 0
                }
                None => {}
            }
        }
        targets.methods.sort_unstable();
        targets.methods.dedup();
        targets.library |= targets.methods.is_empty();
        targets
    }

    /// Whether clients may have a class of their own that implements an interface. They extend no classes.
    fn is_implemented_outside(&self, class: ClassId) -> bool {
        let data = self.program.class(class);
        self.has_clients && data.is_interface() && data.access & flag::PUBLIC != 0
    }
}
