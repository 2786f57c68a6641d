//! References that code passes on in a mode that orders nothing, or one side of it only (`setPlain`, `setOpaque`, `getOpaque`,
//! `weakCompareAndSetPlain`): by atomics, handles of variables, and addresses. Where the variable is an atomic, volatile, or opaque, no run
//! sees a race on it, but what the object held before is not known to who gets it.

use rustc_hash::FxHashSet;

use super::{ClassId, Constant, FieldId, Member, Name, Program, Raced, Type};

/// What makes handles and offsets of fields by their names.
const BY_NAME: [&str; 5] =
    ["findVarHandle", "findStaticVarHandle", "objectFieldOffset", "staticFieldOffset", "newUpdater"];
/// Those that hold references.
const ATOMICS: [&str; 4] = [
    "java/util/concurrent/atomic/AtomicReference",
    "java/util/concurrent/atomic/AtomicReferenceArray",
    "java/util/concurrent/atomic/AtomicMarkableReference",
    "java/util/concurrent/atomic/AtomicStampedReference",
];
const UPDATER: &str = "java/util/concurrent/atomic/AtomicReferenceFieldUpdater";
const HANDLE: &str = "java/lang/invoke/VarHandle";
/// What makes handles and offsets of elements.
const OF_ARRAYS: [&str; 2] = ["arrayElementVarHandle", "arrayBaseOffset"];
const ADDRESSES: [&str; 2] = ["sun/misc/Unsafe", "jdk/internal/misc/Unsafe"];
const PLAIN_BY_ADDRESS: [&str; 4] = ["getObject", "putObject", "getReference", "putReference"];

/// How code passes references on so.
#[derive(Default)]
struct Weak {
    /// By atomics of these classes.
    atomics: FxHashSet<Type>,
    /// By handles or addresses.
    by_handles: bool,
    /// The same in plain mode, which on other than volatile variables is an access like any other.
    plainly: bool,
    /// Arrays that may have handles or offsets of elements, by types that are named beside.
    arrays: FxHashSet<Type>,
    /// Fields that may have handles or offsets, in classes that are named beside their names.
    handled: FxHashSet<FieldId>,
}

/// The references that code other than the JDK's passes on so.
pub(super) fn passed_on_weakly(program: &Program) -> Vec<Raced> {
    let mut weak = Weak::default();
    for class in program.classes().filter(|class| !program.is_of_jdk(*class)) {
        weak.add(program, class);
    }
    let mut found: Vec<Raced> = weak.atomics.iter().copied().map(Raced::Of).collect();
    found.extend(weak.arrays.iter().filter(|_| weak.by_handles).copied().map(Raced::Of));
    let is_meant = |field: &&FieldId| weak.by_handles || weak.plainly && program.field(**field).is_volatile();
    found.extend(weak.handled.iter().filter(is_meant).copied().map(Raced::Field));
    found
}

impl Weak {
    fn add(&mut self, program: &Program, class: ClassId) {
        let names = program.names();
        let (mut has_handles, mut has_elements) = (false, false);
        for Member { owner, name, .. } in program.members_of(class) {
            let Some(of) = owner.as_class().map(|of| names.text(of)) else { continue };
            let name = names.text(*name);
            has_handles |= BY_NAME.contains(&&*name);
            has_elements |= OF_ARRAYS.contains(&&*name);
            let is_address = ADDRESSES.contains(&&*of) && (name.contains("Object") || name.contains("Reference"));
            if *of == *HANDLE || is_address {
                self.by_handles |= is_weak(&name);
                self.plainly |= matches!(&*name, "get" | "set") || PLAIN_BY_ADDRESS.contains(&&*name);
            } else if ATOMICS.contains(&&*of) && is_weak_of_atomic(&name) {
                self.atomics.insert(*owner);
            } else {
                self.plainly |= *of == *UPDATER && is_weak_of_atomic(&name);
            }
        }
        if has_elements {
            self.arrays.extend(named_types(program, class).filter(|ty| ty.dimensions > 0));
        }
        if has_handles {
            self.handled.extend(handled(program, class));
        }
    }
}

/// The fields with references whose names stand in a class beside those of their own.
fn handled(program: &Program, class: ClassId) -> impl Iterator<Item = FieldId> + '_ {
    let name = |constant: &Constant| if let Constant::String(name) = constant { Some(*name) } else { None };
    let names: FxHashSet<Name> = program.constants(class).iter().filter_map(name).collect();
    let named = named_types(program, class).filter_map(|ty| program.find(ty.as_class()?));
    let fields = named.chain([class]).flat_map(|class| program.fields_of(class));
    fields.filter(move |field| names.contains(&program.field(*field).name) && program.field(*field).ty.is_reference())
}

fn named_types(program: &Program, class: ClassId) -> impl Iterator<Item = Type> + '_ {
    let ty = |constant: &Constant| if let Constant::Class(ty) = constant { Some(*ty) } else { None };
    program.constants(class).iter().filter_map(ty)
}

/// Whether an access orders nothing, or an update one side only: a read that acquires and a write that releases order all that there is.
fn is_weak(name: &str) -> bool {
    let is_update = name.starts_with("getAnd") || name.contains("ompareAnd");
    let has_one_side = name.ends_with("Acquire") || name.ends_with("Release");
    name.ends_with("Plain") || name.ends_with("Opaque") || is_update && has_one_side
}

/// The deprecated name is that of the plain one.
fn is_weak_of_atomic(name: &str) -> bool {
    is_weak(name) || name == "weakCompareAndSet"
}
