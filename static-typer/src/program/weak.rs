//! References that code passes on in a mode that orders nothing, or one side of it only (`setPlain`, `setOpaque`, `getOpaque`,
//! `weakCompareAndSetPlain`): by atomics, handles of variables, and addresses. Where the variable is an atomic, volatile, or opaque, no run
//! sees a race on it, but what the object held before is not known to who gets it.

use rustc_hash::FxHashSet;

use super::{ClassId, Constant, FieldId, Member, Name, Program, Raced, Type};

/// Ends of names of accesses that order nothing, and of updates that order one side.
const NOTHING: [&str; 2] = ["Plain", "Opaque"];
const ONE_SIDE: [&str; 2] = ["Acquire", "Release"];
/// These order what comes before a write, or after a read, which is all that there is to order.
const ALL_SIDES: [&str; 4] = ["getAcquire", "setRelease", "getReferenceAcquire", "putReferenceRelease"];
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
const ADDRESSES: [&str; 2] = ["sun/misc/Unsafe", "jdk/internal/misc/Unsafe"];

/// How code passes references on so.
#[derive(Default)]
struct Weak {
    /// By atomics of these classes.
    atomics: FxHashSet<Type>,
    /// By handles or addresses.
    by_handles: bool,
    /// The same in plain mode, which on other than volatile variables is an access like any other.
    plainly: bool,
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
    found.extend(program.names().get_type(b"[Ljava/lang/Object;").filter(|_| weak.by_handles).map(Raced::Of));
    let is_meant = |field: &&FieldId| weak.by_handles || weak.plainly && program.field(**field).is_volatile();
    found.extend(weak.handled.iter().filter(is_meant).copied().map(Raced::Field));
    found
}

impl Weak {
    fn add(&mut self, program: &Program, class: ClassId) {
        let names = program.names();
        let mut has_handles = false;
        for Member { owner, name, .. } in program.members_of(class) {
            let Some(of) = owner.as_class().map(|of| names.text(of)) else { continue };
            let name = names.text(*name);
            has_handles |= BY_NAME.contains(&&*name);
            let is_weak_of_atomic = is_weak(&name) || name == "weakCompareAndSet";
            if ATOMICS.contains(&&*of) && is_weak_of_atomic {
                self.atomics.insert(*owner);
            }
            self.plainly |= *of == *UPDATER && is_weak_of_atomic;
            let is_plain =
                matches!(&*name, "get" | "set" | "getObject" | "putObject" | "getReference" | "putReference");
            if *of == *HANDLE || ADDRESSES.contains(&&*of) {
                self.by_handles |= is_weak(&name);
                self.plainly |= is_plain;
            }
        }
        if has_handles {
            self.handled.extend(handled(program, class));
        }
    }
}

/// The fields with references whose names stand in a class beside those of their own.
fn handled(program: &Program, class: ClassId) -> impl Iterator<Item = FieldId> + '_ {
    let constants = program.constants(class);
    let name = |constant: &Constant| if let Constant::String(name) = constant { Some(*name) } else { None };
    let ty = |constant: &Constant| if let Constant::Class(ty) = constant { Some(*ty) } else { None };
    let names: FxHashSet<Name> = constants.iter().filter_map(name).collect();
    let named = constants.iter().filter_map(ty).filter_map(|ty| program.find(ty.as_class()?));
    let fields = named.chain([class]).flat_map(|class| program.fields_of(class));
    fields.filter(move |field| names.contains(&program.field(*field).name) && program.field(*field).ty.is_reference())
}

fn is_weak(name: &str) -> bool {
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    ends(&NOTHING) || ends(&ONE_SIDE) && !ALL_SIDES.contains(&name)
}
