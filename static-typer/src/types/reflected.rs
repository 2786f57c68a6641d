//! What is accessed by reflection or by handles: fields, methods and objects of which no proof may count on knowing every access, call
//! or `new`.
//!
//! Code tells of them by the constants that stand at a look-up: a class, a name, or both. What is looked up by other values is not
//! found here; runs note it ([`Program::reflected`]), and the agent voids the proofs when one comes upon more.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Body, Op, Value};
use crate::program::{ClassId, Constant, FieldId, MemberRef, MethodId, Name, Program, Reflected, Type};

use super::bodies::Bodies;

/// What a look-up finds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Finds {
    Fields,
    /// Volatile fields, of which no run tells.
    Volatile,
    Methods,
    Constructors,
}

/// A look-up: its class, the beginning of its name, what it finds, and where it has the class and the name, if it is asked for one.
type LookUp = (&'static str, &'static str, Finds, usize, Option<usize>);

const LOOK_UPS: &[LookUp] = &[
    ("java/lang/Class", "getField", Finds::Fields, 0, Some(1)),
    ("java/lang/Class", "getDeclaredField", Finds::Fields, 0, Some(1)),
    ("java/lang/Class", "getMethod", Finds::Methods, 0, Some(1)),
    ("java/lang/Class", "getDeclaredMethod", Finds::Methods, 0, Some(1)),
    ("java/lang/Class", "getConstructor", Finds::Constructors, 0, None),
    ("java/lang/Class", "getDeclaredConstructor", Finds::Constructors, 0, None),
    ("java/lang/Class", "newInstance", Finds::Constructors, 0, None),
    ("java/util/concurrent/atomic/AtomicIntegerFieldUpdater", "newUpdater", Finds::Volatile, 0, Some(1)),
    ("java/util/concurrent/atomic/AtomicLongFieldUpdater", "newUpdater", Finds::Volatile, 0, Some(1)),
    ("java/util/concurrent/atomic/AtomicReferenceFieldUpdater", "newUpdater", Finds::Volatile, 0, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findConstructor", Finds::Constructors, 1, None),
    ("java/lang/invoke/MethodHandles$Lookup", "findGetter", Finds::Fields, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findSetter", Finds::Fields, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findStaticGetter", Finds::Fields, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findStaticSetter", Finds::Fields, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findVarHandle", Finds::Fields, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findStaticVarHandle", Finds::Fields, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findVirtual", Finds::Methods, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findStatic", Finds::Methods, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "findSpecial", Finds::Methods, 1, Some(2)),
    ("java/lang/invoke/MethodHandles$Lookup", "bind", Finds::Methods, usize::MAX, Some(2)),
];

/// Finds what the code of an application reaches, and adds what runs have accessed by reflection.
/// `named` says which method an instruction names.
pub fn reflected(program: &Program, named: &dyn Fn(MemberRef) -> Option<MethodId>, bodies: &Bodies) -> Reflected {
    let mut finder = Finder { program, named, members: Members::of(program), found: program.reflected().clone() };
    for body in bodies.iter() {
        for value in body.all_values() {
            if let Op::Invoke(_, member, arguments) = body.op(value)
                && let Some(look_up) = named(*member).and_then(|named| look_up(program, named))
            {
                finder.follow(body, look_up, arguments);
            }
        }
    }
    finder.add_overriders();
    finder.found
}

/// `getFields` and the like find all that `getField` finds one of.
fn look_up(program: &Program, method: MethodId) -> Option<&'static LookUp> {
    let class = program.class_name(program.method(method).class);
    if !class.starts_with("java/lang/") && !class.ends_with("FieldUpdater") {
        return None;
    }
    let name = program.names().text(program.method(method).name);
    let is_it = |(of, called, ..): &&LookUp| *of == &*class && name.trim_end_matches('s') == *called;
    LOOK_UPS.iter().find(is_it)
}

/// The fields and methods of the application by their names.
struct Members {
    by_name: FxHashMap<Name, Vec<ClassId>>,
}

impl Members {
    fn of(program: &Program) -> Self {
        let mut by_name: FxHashMap<Name, Vec<ClassId>> = FxHashMap::default();
        for class in program.application() {
            let fields = program.fields_of(class).map(|field| program.field(field).name);
            let methods = program.methods_of(class).map(|method| program.method(method).name);
            for name in fields.chain(methods) {
                let classes = by_name.entry(name).or_default();
                if classes.last() != Some(&class) {
                    classes.push(class);
                }
            }
        }
        Self { by_name }
    }

    fn with(&self, name: Name) -> &[ClassId] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }
}

struct Finder<'a> {
    program: &'a Program,
    named: &'a dyn Fn(MemberRef) -> Option<MethodId>,
    members: Members,
    found: Reflected,
}

impl Finder<'_> {
    fn follow(&mut self, body: &Body, look_up: &LookUp, arguments: &[Value]) {
        let (_, _, finds, class_at, name_at) = *look_up;
        let class = arguments.get(class_at).and_then(|class| self.class(body, *class));
        let name = name_at.and_then(|at| arguments.get(at)).and_then(|name| text(body, *name));
        self.found.names.extend(name.filter(|_| finds == Finds::Methods));
        let classes = match (class, name) {
            (Some(classes), _) => classes,
            (None, Some(name)) => self.members.with(name).to_vec(),
            (None, None) if finds == Finds::Volatile => self.program.application().collect(),
            (None, None) => return,
        };
        for class in classes {
            self.find(finds, class, name);
        }
    }

    /// The classes of the application that are meant with all that they inherit from, if that is known.
    fn class(&self, body: &Body, value: Value) -> Option<Vec<ClassId>> {
        let program = self.program;
        let above = |class: ClassId| program.ancestors(class).filter(|class| program.class(*class).is_application);
        match body.op(value) {
            Op::Cast(from) => self.class(body, *from),
            Op::Constant(Constant::Class(ty)) => {
                Some(program.find(ty.as_class()?).into_iter().flat_map(above).collect())
            }
            Op::Invoke(_, member, arguments) => {
                let named = program.method((self.named)(*member)?);
                let name = program.names().text(named.name);
                match (&*program.class_name(named.class), &*name) {
                    ("java/lang/Object", "getClass") => self.of_object(body.instruction(*arguments.first()?).ty),
                    ("java/lang/Class", "forName") => {
                        let text = program.names().text(text(body, *arguments.first()?)?).replace('.', "/");
                        Some(program.class_named(&text).into_iter().flat_map(above).collect())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The class of an object may be any below its type.
    fn of_object(&self, ty: Type) -> Option<Vec<ClassId>> {
        let program = self.program;
        let class = program.find(ty.as_class()?).filter(|class| program.class(*class).is_application)?;
        let below = program.application().filter(|below| program.is_subclass(*below, class));
        let above = program.ancestors(class).filter(|class| program.class(*class).is_application);
        Some(below.chain(above).collect())
    }

    fn find(&mut self, finds: Finds, class: ClassId, name: Option<Name>) {
        let program = self.program;
        match finds {
            Finds::Constructors => {
                self.found.classes.insert(class);
                self.found.looked_up.insert(class);
            }
            Finds::Fields | Finds::Volatile => {
                let meant = |field: &FieldId| {
                    let data = program.field(*field);
                    name.is_none_or(|name| name == data.name) && (finds == Finds::Fields || data.is_volatile())
                };
                self.found.fields.extend(program.fields_of(class).filter(meant));
            }
            Finds::Methods => {
                let meant = |of: Name| name.is_none_or(|name| name == of);
                let methods = program.methods_of(class).filter(|method| !program.method(*method).is_constructor());
                self.found.methods.extend(methods.filter(|method| meant(program.method(*method).name)));
            }
        }
    }

    /// A call of a method runs that of the object's class.
    fn add_overriders(&mut self) {
        let program = self.program;
        let mut found: FxHashMap<(Name, crate::program::Descriptor), Vec<ClassId>> = FxHashMap::default();
        for method in self.found.methods.iter().map(|method| program.method(*method)) {
            found.entry((method.name, method.descriptor)).or_default().push(method.class);
        }
        let overrides = |method: &MethodId| {
            let data = program.method(*method);
            let above = found.get(&(data.name, data.descriptor)).map_or(&[][..], Vec::as_slice);
            above.iter().any(|above| *above != data.class && program.is_subclass(data.class, *above))
        };
        let methods = program.application().flat_map(|class| program.methods_of(class));
        let overriders: FxHashSet<MethodId> = methods.filter(overrides).collect();
        self.found.methods.extend(overriders);
    }
}

fn text(body: &Body, value: Value) -> Option<Name> {
    match body.op(value) {
        Op::Constant(Constant::String(text)) => Some(*text),
        Op::Cast(from) => text(body, *from),
        _ => None,
    }
}
