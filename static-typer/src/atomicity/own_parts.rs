//! What classes of the JDK run of the application where it extends them or gives them an order: the rows of the models are of the JDK's own
//! code alone.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Op};
use crate::program::{ClassId, MethodId, Program, flag};
use crate::types::Bodies;

/// Methods of threads and of what is thrown that the JDK calls on its own account.
const CALLED: [(&str, &[&str]); 2] =
    [("java/lang/Thread", &["getContextClassLoader"]), ("java/lang/Throwable", &["fillInStackTrace"])];
/// What of the others it calls on every object: arguments are asked for it by rows of their own.
const OF_OBJECT: [&str; 4] = ["equals", "finalize", "hashCode", "toString"];
/// Parts of the names of classes in `java.util` that compare their elements, and interfaces that these implement.
const ORDERED: [&str; 5] = ["Tree", "SkipList", "Priority", "Sorted", "Navigable"];
const MAY_BE_ORDERED: [&str; 6] = ["Collection", "Set", "Queue", "BlockingQueue", "Map", "ConcurrentMap"];

/// Which there are.
#[derive(Debug)]
pub(super) struct OwnParts {
    /// Classes and interfaces of the JDK of which objects may run methods of the application.
    extended: FxHashSet<ClassId>,
    has_comparators: bool,
}

impl OwnParts {
    pub fn of(program: &Program, bodies: &Bodies) -> Self {
        let extending = program
            .application()
            .flat_map(|class| program.superclasses(class).skip(1).map(move |above| (class, above)));
        let extending = extending.filter(|(_, above)| program.is_of_jdk(*above));
        let is_run = |(class, above): &(ClassId, ClassId)| {
            program.methods_of(*class).any(|method| overrides(program, method, *above))
        };
        let above = extending.filter(is_run).flat_map(|(_, above)| program.ancestors(above));
        let object = program.class_named("java/lang/Object");
        Self {
            extended: above.filter(|class| Some(*class) != object).collect(),
            has_comparators: has_comparators(program, bodies),
        }
    }

    /// Whether a call of a method of a class may run such code, on a receiver of a class.
    pub fn may_run(&self, program: &Program, declaring: ClassId, receiver: Option<&str>) -> bool {
        let receiver = receiver.and_then(|name| program.class_named(name)).unwrap_or(declaring);
        let is_ordered = || {
            let name = program.class_name(receiver);
            let simple = name.rsplit('/').next().unwrap_or_default();
            name.starts_with("java/util/")
                && (MAY_BE_ORDERED.contains(&simple) || ORDERED.iter().any(|part| simple.contains(part)))
        };
        self.extended.contains(&receiver) || self.extended.contains(&declaring) || self.has_comparators && is_ordered()
    }
}

/// Whether a method is run in place of one that a class of the JDK has, which may call it.
fn overrides(program: &Program, method: MethodId, above: ClassId) -> bool {
    let data = program.method(method);
    let name = program.names().text(data.name);
    if data.is_static() || data.is_constructor() || data.access & flag::PRIVATE != 0 || OF_OBJECT.contains(&&*name) {
        return false;
    }
    let ancestors = || program.superclasses(above).map(|class| program.class_name(class));
    let called = CALLED.iter().find(|(class, _)| ancestors().any(|above| above == *class));
    called.is_none_or(|(_, called)| called.contains(&&*name))
        && program.superclasses(above).any(|class| program.declared_method(class, data.name, data.descriptor).is_some())
}

fn has_comparators(program: &Program, bodies: &Bodies) -> bool {
    let Some(comparator) = program.class_named("java/util/Comparator") else { return false };
    let is_one = |class: ClassId| program.is_subclass(class, comparator);
    let makes_one = |body: &Body| {
        body.all_values().any(|value| {
            let made = || body.instruction(value).ty.as_class().and_then(|name| program.find(name));
            matches!(body.op(value), Op::InvokeDynamic(..)) && made().is_some_and(is_one)
        })
    };
    program.application().any(is_one) || bodies.iter().any(makes_one)
}
