//! Test frameworks: code that finds by reflection what it calls. It is taken as one environment, as `main` is for a program, and
//! not followed where it calls; what the program calls of it is code like that of any library.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::points_to::core::code::Code;
use crate::program::{Annotation, Base, ClassId, Constant, Program, Type};

/// Packages of test frameworks, of extensions that find by reflection what they call too, and of what starts them.
const PACKAGES: &[&str] = &[
    "org/junit/",
    "junit/",
    "org/junitpioneer/",
    "org/testng/",
    "org/opentest4j/",
    "org/apache/maven/surefire/",
    "org/gradle/",
    "worker/org/gradle/",
    "sbt/",
    "com/novocode/junit/",
    "com/intellij/rt/",
    "org/eclipse/jdt/internal/junit",
];
/// Packages of what the JDK makes in a run for reflection and annotations. It names classes of the program.
const GENERATED: &[&str] = &["jdk/", "sun/", "com/sun/proxy/"];
/// JUnit 5 loads it only where tests run in parallel.
const PARALLEL: &str = "org/junit/platform/engine/support/hierarchical/ForkJoinPoolHierarchicalTestExecutorService";
/// How deep annotations of annotations are looked at; they may go in circles.
const MAX_DEPTH: u8 = 8;

/// The classes of test frameworks, with all libraries that they name: what uses a library may share its objects.
#[derive(Clone, Default, Debug)]
pub struct Framework(FxHashSet<ClassId>);

impl Framework {
    /// Finds them.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let others: Vec<ClassId> = program.classes().filter(|class| !program.is_of_jdk(*class)).collect();
        let in_packages = |class: &ClassId, packages| starts_with(&program.class_name(*class), packages);
        let mut open: Vec<ClassId> = others.iter().copied().filter(|class| in_packages(class, PACKAGES)).collect();
        let mut found = FxHashSet::default();
        while let Some(class) = open.pop() {
            if found.insert(class) {
                open.extend(named_by(program, class).filter(|class| !program.is_of_jdk(*class)));
            }
        }
        found.extend(others.into_iter().filter(|class| in_packages(class, GENERATED)));
        Self(found)
    }

    /// Whether there is none of them.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a class is one of them.
    #[must_use]
    pub fn has(&self, class: ClassId) -> bool {
        self.0.contains(&class)
    }

    /// Whether a class is neither theirs nor the JDK's.
    #[must_use]
    pub fn is_outside(&self, program: &Program, class: ClassId) -> bool {
        !self.has(class) && !program.is_of_jdk(class)
    }

    /// Whether they know a type by a class of theirs above it: then they may get its objects in ways that cannot be seen.
    #[must_use]
    pub fn knows(&self, program: &Program, ty: Type) -> bool {
        let class = ty.as_class().and_then(|name| program.find(name)).filter(|_| !self.0.is_empty());
        class.is_some_and(|class| program.ancestors(class).any(|above| self.has(above)))
    }

    /// Whether code is theirs: an environment that plays them does not call it, as what they call is theirs to know.
    #[must_use]
    pub fn is_of_them(&self, program: &Program, code: &Code) -> bool {
        code.method.is_some_and(|method| self.has(program.method(method).class))
    }

    /// Whether an annotation, or one of its own annotations, is theirs.
    #[must_use]
    pub fn reads(&self, program: &Program, annotation: &Annotation) -> bool {
        reads(program, annotation, MAX_DEPTH)
    }

    /// Whether tests are known to run in parallel.
    #[must_use]
    pub fn is_parallel(program: &Program) -> bool {
        program.names().named(PARALLEL).is_some_and(|name| program.find(name).is_some())
    }
}

fn reads(program: &Program, annotation: &Annotation, depth: u8) -> bool {
    let name: Cow<'_, str> = program.names().text(annotation.class);
    let above = || program.find(annotation.class).into_iter().flat_map(|class| &program.class(class).annotations);
    starts_with(&name, PACKAGES) || depth > 0 && above().any(|above| reads(program, above, depth - 1))
}

fn named_by(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
    let named = program.constants(class).iter().filter_map(move |constant| match constant {
        Constant::Class(ty) => Some(*ty),
        Constant::Member(member) => Some(program.member(*member).owner),
        _ => None,
    });
    let class_in = |ty: Type| if let Base::Class(name) = ty.base { program.find(name) } else { None };
    named.filter_map(class_in).chain(program.supers(class))
}

fn starts_with(class: &str, packages: &[&str]) -> bool {
    packages.iter().any(|package| class.starts_with(package))
}
