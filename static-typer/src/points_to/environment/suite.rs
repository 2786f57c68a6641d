//! What test frameworks may call of a program, and which of its fields they may read and write.
//!
//! They go by annotations, by names (JUnit 3, and what annotations name), and by types of their own and of the JDK. What they
//! call in other ways, nothing here foresees.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Annotation, ClassId, Constant, FieldId, MethodId, Name, Program, Type, flag};

use super::framework::Framework;
use super::test_methods::is_run_by_name;

/// What a suite consists of.
#[derive(Clone, Default, Debug)]
pub struct Suite {
    /// Methods that are called on objects which frameworks make, in the order of the classes: tests, what comes before and
    /// after them, what gives them arguments, and what implements types of frameworks.
    pub called: Vec<MethodId>,
    /// Methods of the JDK's types that are called on objects which frameworks get.
    pub called_on_given: Vec<MethodId>,
    /// Fields that are read and written.
    pub fields: Vec<FieldId>,
    /// The program's own `main` methods, which other JVMs may begin with.
    pub mains: Vec<MethodId>,
}

impl Suite {
    /// Looks for it. There is none in a program without tests.
    #[must_use]
    pub fn of(program: &Program, framework: &Framework) -> Option<Self> {
        let search = Search { program, framework };
        let classes: Vec<ClassId> = program.classes().filter(|class| framework.is_outside(program, *class)).collect();
        let tests: FxHashSet<MethodId> =
            classes.iter().flat_map(|class| program.methods_of(*class)).filter(|it| search.is_marked(*it)).collect();
        if tests.is_empty() {
            return None;
        }
        let named = search.named(&classes, &tests);
        let mut suite = Self { mains: search.mains(), ..Self::default() };
        suite.fields = classes
            .iter()
            .flat_map(|class| program.fields_of(*class))
            .filter(|field| {
                let data = program.field(*field);
                search.reads(&data.annotations) || named.contains(&(data.class, data.name))
            })
            .collect();
        for method in classes.iter().flat_map(|class| program.methods_of(*class)) {
            let data = program.method(method);
            let is_named = named.contains(&(data.class, data.name)) && data.access & flag::SYNTHETIC == 0;
            if tests.contains(&method) || is_named || search.implements(method, |class| framework.has(class)) {
                suite.called.push(method);
            } else if search.implements(method, |class| program.is_of_jdk(class)) {
                suite.called_on_given.push(method);
            }
        }
        suite.called.retain(|method| program.method(*method).has_code());
        suite.called_on_given.extend(search.of_lambdas(&classes));
        suite.called.extend(search.converting(&suite.called));
        for methods in [&mut suite.called, &mut suite.called_on_given] {
            methods.sort_unstable();
            methods.dedup();
        }
        Some(suite)
    }
}

/// What frameworks find in a program.
pub(super) struct Search<'a> {
    pub(super) program: &'a Program,
    pub(super) framework: &'a Framework,
}

impl Search<'_> {
    pub(super) fn reads(&self, annotations: &[Annotation]) -> bool {
        annotations.iter().any(|annotation| self.framework.reads(self.program, annotation))
    }

    /// Whether a method has an annotation of a framework, or a name that JUnit 3 goes by.
    fn is_marked(&self, method: MethodId) -> bool {
        let data = self.program.method(method);
        !data.is_constructor()
            && data.access & flag::SYNTHETIC == 0
            && (self.reads(&data.annotations) || is_run_by_name(self.program, method))
    }

    /// Members that annotations of frameworks name, `m` or `a.B#m`, in the class or in those above it; and those that are named
    /// like tests.
    pub(super) fn named(&self, classes: &[ClassId], tests: &FxHashSet<MethodId>) -> FxHashSet<(ClassId, Name)> {
        let program = self.program;
        let mut named = FxHashSet::default();
        for class in classes {
            let mut names: FxHashSet<Name> = FxHashSet::default();
            let own = program.methods_of(*class).filter(|method| tests.contains(method));
            names.extend(own.map(|method| program.method(method).name));
            for text in self.texts(*class) {
                match text.rsplit_once('#') {
                    Some((of, name)) => named.extend(self.member(of, name)),
                    None => names.extend(self.name(&text)),
                }
            }
            let above: Vec<ClassId> = program.ancestors(*class).collect();
            named.extend(names.iter().flat_map(|name| above.iter().map(move |class| (*class, *name))));
        }
        named
    }

    /// The texts in annotations of frameworks in a class.
    fn texts(&self, class: ClassId) -> Vec<String> {
        let program = self.program;
        let of_methods = program.methods_of(class).flat_map(|method| &program.method(method).annotations);
        let of_fields = program.fields_of(class).flat_map(|field| &program.field(field).annotations);
        let all = program.class(class).annotations.iter().chain(of_methods).chain(of_fields);
        let theirs = all.filter(|annotation| self.framework.reads(program, annotation));
        theirs.flat_map(|annotation| &annotation.strings).map(|(_, text)| program.names().text(*text).into()).collect()
    }

    fn member(&self, class: &str, member: &str) -> Option<(ClassId, Name)> {
        let class = self.program.names().named(&class.replace('.', "/"))?;
        Some((self.program.find(class)?, self.name(member)?))
    }

    /// A name, which parameters may follow.
    fn name(&self, text: &str) -> Option<Name> {
        let name = text.split_once('(').map_or(text, |(name, _)| name);
        self.program.names().named(name)
    }

    /// Whether a method is run by calls of a method that some other class declares.
    pub(super) fn implements(&self, method: MethodId, of: impl Fn(ClassId) -> bool) -> bool {
        let data = self.program.method(method);
        let is_virtual = data.access & (flag::STATIC | flag::PRIVATE) == 0 && !data.is_constructor() && data.has_code();
        is_virtual
            && self.program.ancestors(data.class).filter(|class| of(*class)).any(|class| {
                let above = self.program.declared_method(class, data.name, data.descriptor);
                above.is_some_and(|above| self.program.method(above).access & (flag::STATIC | flag::PRIVATE) == 0)
            })
    }

    /// What lambdas and method references of some classes implement of the types of frameworks and of the JDK.
    fn of_lambdas(&self, classes: &[ClassId]) -> Vec<MethodId> {
        let mut known: FxHashMap<(ClassId, Name), Vec<MethodId>> = FxHashMap::default();
        for constant in classes.iter().flat_map(|class| self.program.constants(*class)) {
            let Constant::Dynamic { name, descriptor, .. } = constant else { continue };
            let result = self.program.names().signature(*descriptor).result;
            let class = result.as_class().and_then(|class| self.program.find(class));
            if let Some(class) = class.filter(|class| !self.framework.is_outside(self.program, *class)) {
                known.entry((class, *name)).or_insert_with(|| self.open(class, *name));
            }
        }
        known.into_values().flatten().collect()
    }

    fn open(&self, class: ClassId, name: Name) -> Vec<MethodId> {
        let program = self.program;
        let is_open = |method: &MethodId| {
            let data = program.method(*method);
            data.name == name && data.access & flag::ABSTRACT != 0
        };
        program.ancestors(class).flat_map(|above| program.methods_of(above)).filter(is_open).collect()
    }

    /// What makes arguments: the constants of an enum, and what makes an object of a text (JUnit 5 converts texts so), static
    /// methods that take one and return their class.
    pub(super) fn converting(&self, called: &[MethodId]) -> Vec<MethodId> {
        let program = self.program;
        let parameters = called.iter().flat_map(|method| &program.signature(*method).parameters);
        let classes: FxHashSet<ClassId> = parameters
            .filter_map(|ty| program.find(ty.as_class()?))
            .filter(|class| self.framework.is_outside(program, *class))
            .collect();
        let converts = |method: &MethodId| {
            let (data, signature) = (program.method(*method), program.signature(*method));
            let ty = Type::class(program.class(data.class).name);
            let takes_text = signature.result == ty && signature.parameters[..] == [Type::class(Name::STRING)];
            let gives_all = signature.result == ty.array() && signature.parameters.is_empty();
            data.is_static() && (takes_text || gives_all)
        };
        let mut classes: Vec<ClassId> = classes.into_iter().collect();
        classes.sort_unstable();
        classes.into_iter().flat_map(|class| program.methods_of(class)).filter(converts).collect()
    }

    fn mains(&self) -> Vec<MethodId> {
        let mut mains = self.program.main_methods();
        mains.retain(|main| !self.framework.has(self.program.method(*main).class));
        mains
    }
}
