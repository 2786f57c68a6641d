//! What annotations say: guards of fields and methods, immutable and thread-safe classes, in the spellings that libraries
//! have (`algorithms.md` 13.1 lists them with their retention). They are types to be checked, not truths.

use crate::program::{Annotation, Base, ClassId, FieldId, MethodId, Name, Program, Type};

use super::path::{Half, Path, Root};

/// A lock that an annotation names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declared {
    /// A path from the object (its first parameter), or the same everywhere.
    Lock(Path),
    /// No such field or class, or one that does not stay the same.
    NoLock,
    /// The form is known, but not followed: `itself`, and methods.
    NotFollowed,
}

/// What a class is said to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Its fields do not change once other threads can reach the object.
    Immutable,
    /// It may be used by several threads.
    ThreadSafe,
    /// It may not: what its accesses hold is no matter.
    NotThreadSafe,
    /// Its objects never reach another thread.
    ThreadLocal,
}

const GUARDED_BY: &[&str] = &[
    "net/jcip/annotations/GuardedBy",
    "javax/annotation/concurrent/GuardedBy",
    "com/google/errorprone/annotations/concurrent/GuardedBy",
    "com/google/errorprone/annotations/GuardedBy",
    "androidx/annotation/GuardedBy",
    "android/support/annotation/GuardedBy",
    "com/android/internal/annotations/GuardedBy",
    "com/android/annotations/concurrency/GuardedBy",
    "org/apache/http/annotation/GuardedBy",
    "org/checkerframework/checker/lock/qual/GuardedBy",
    "org/checkerframework/checker/lock/qual/Holding",
    "jrace/annotations/GuardedBy",
    "jrace/annotations/Requires",
];
const HOLDS: &str = "jrace/annotations/Holds";
const NO_WARN: &str = "jrace/annotations/NoWarn";
const LOCK_PARAMETER: &str = "jrace/annotations/LockParam";
const LOCK_ARGUMENT: &str = "jrace/annotations/LockArgs";
const CLAIMS: &[(&str, Claim)] = &[
    ("net/jcip/annotations/Immutable", Claim::Immutable),
    ("javax/annotation/concurrent/Immutable", Claim::Immutable),
    ("com/google/errorprone/annotations/Immutable", Claim::Immutable),
    ("net/jcip/annotations/ThreadSafe", Claim::ThreadSafe),
    ("javax/annotation/concurrent/ThreadSafe", Claim::ThreadSafe),
    ("com/google/errorprone/annotations/ThreadSafe", Claim::ThreadSafe),
    ("com/facebook/infer/annotation/ThreadSafe", Claim::ThreadSafe),
    ("net/jcip/annotations/NotThreadSafe", Claim::NotThreadSafe),
    ("javax/annotation/concurrent/NotThreadSafe", Claim::NotThreadSafe),
    ("jrace/annotations/ThreadLocal", Claim::ThreadLocal),
];

/// Annotations, whatever their package, for whose sake no framework makes objects of a class or calls a method.
const SILENT: &[&str] = &[
    "AliasSets",
    "Atomic",
    "CanIgnoreReturnValue",
    "CheckForNull",
    "CheckReturnValue",
    "Deprecated",
    "FunctionalInterface",
    "GuardedBy",
    "Holding",
    "Holds",
    "Immutable",
    "LockArgs",
    "LockParam",
    "MayRace",
    "NoRace",
    "NoWarn",
    "NonNull",
    "Nonnull",
    "NotAtomic",
    "NotNull",
    "NotThreadSafe",
    "Nullable",
    "Requires",
    "SafeVarargs",
    "ThreadLocal",
    "ThreadSafe",
    "VisibleForTesting",
];

/// Whether there is an annotation by which a framework may find what has it, as those of JUnit or Spring are.
#[must_use]
pub fn invites_reflection(program: &Program, annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| {
        let name = program.names().text(annotation.class);
        !SILENT.contains(&name.rsplit(['/', '$']).next().unwrap_or(&name))
    })
}

/// The locks that are said to guard a field, each with its text: by the field, or else by its class.
#[must_use]
pub fn guards_of_field(program: &Program, field: FieldId) -> Vec<(String, Declared)> {
    let data = program.field(field);
    let mut guards = locks(program, data.class, &data.annotations, GUARDED_BY);
    if guards.is_empty() && !data.is_static() && !data.is_final() && !data.is_volatile() {
        guards = locks(program, data.class, &program.class(data.class).annotations, GUARDED_BY);
    }
    guards
}

/// Whether it is said which lock guards a field, so that the code is held to that.
#[must_use]
pub fn has_guard(program: &Program, field: FieldId) -> bool {
    guards_of_field(program, field).iter().any(|(_, lock)| matches!(lock, Declared::Lock(_)))
}

/// The locks that callers of a method are said to hold.
#[must_use]
pub fn guards_of_method(program: &Program, method: MethodId) -> Vec<(String, Declared)> {
    let data = program.method(method);
    locks(program, data.class, &data.annotations, GUARDED_BY)
}

/// The locks that a method is said to hold for a reason that types do not see (`holds` of paper 002, section 6).
#[must_use]
pub fn held_by_method(program: &Program, method: MethodId) -> Vec<Path> {
    let data = program.method(method);
    let held = locks(program, data.class, &data.annotations, &[HOLDS]).into_iter();
    held.filter_map(|(_, lock)| if let Declared::Lock(path) = lock { Some(path) } else { None }).collect()
}

/// The lock parameter that a class declares (paper 002, section 3).
#[must_use]
pub fn lock_parameter(program: &Program, class: ClassId) -> Option<String> {
    let annotations = &program.class(class).annotations;
    let declared = annotations.iter().find(|annotation| program.names().text(annotation.class) == LOCK_PARAMETER)?;
    declared.strings.first().map(|(_, text)| program.names().text(*text).trim().to_owned())
}

/// What a field gives the lock parameter of its type's class, as the owner of the objects sees it.
#[must_use]
pub fn lock_argument(program: &Program, field: FieldId) -> Option<(String, Declared)> {
    let data = program.field(field);
    let (text, lock) = locks(program, data.class, &data.annotations, &[LOCK_ARGUMENT]).into_iter().next()?;
    let Declared::Lock(path) = lock else { return Some((text, lock)) };
    let root = if path.root == Root::Parameter(0) { Root::Owner(0) } else { path.root };
    Some((text, Declared::Lock(Path { root, ..path })))
}

/// What the lock parameter of a class stands for, by the first field of another class that gives it a lock: else, the owner.
#[must_use]
pub fn lock_of_parameter(program: &Program, class: ClassId) -> Declared {
    let fields = program.application().flat_map(|class| program.fields_of(class));
    let given = fields.filter(|field| !is_of_class(program, *field, class) && keeps(program, *field, class));
    let locks = given.filter_map(|field| Some(lock_argument(program, field)?.1));
    let mut locks = locks.filter(|lock| matches!(lock, Declared::Lock(_)));
    locks.next().unwrap_or(Declared::Lock(Path::of(Root::Owner(0))))
}

/// Whether a field is of a class, or of one that extends it.
#[must_use]
pub fn is_of_class(program: &Program, field: FieldId, class: ClassId) -> bool {
    program.is_subclass(program.field(field).class, class)
}

fn keeps(program: &Program, field: FieldId, class: ClassId) -> bool {
    let kept = kept_class(program, field);
    kept.is_some_and(|kept| program.is_subclass(kept, class) || program.is_subclass(class, kept))
}

/// The class of the objects in a field, or in an array in it.
#[must_use]
pub fn kept_class(program: &Program, field: FieldId) -> Option<ClassId> {
    match program.field(field).ty.base {
        Base::Class(name) => program.find(name),
        _ => None,
    }
}

/// The class that declares the lock parameter of a class: it, or one that it extends.
#[must_use]
pub fn declares_parameter(program: &Program, class: ClassId) -> Option<(ClassId, String)> {
    let mut at = Some(class);
    while let Some(class) = at {
        if let Some(name) = lock_parameter(program, class) {
            return Some((class, name));
        }
        at = program.class(class).super_class;
    }
    None
}

/// Whether nothing is to be reported of what has the annotations (`no_warn` of paper 002, section 6).
#[must_use]
pub fn is_silenced(program: &Program, annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| program.names().text(annotation.class) == NO_WARN)
}

/// Whether nothing is to be reported of a field, or of its class.
#[must_use]
pub fn is_field_silenced(program: &Program, field: FieldId) -> bool {
    let data = program.field(field);
    is_silenced(program, &data.annotations) || is_silenced(program, &program.class(data.class).annotations)
}

/// What a class is said to be.
#[must_use]
pub fn claim(program: &Program, class: ClassId) -> Option<Claim> {
    let annotations = &program.class(class).annotations;
    let known = |name: Name| CLAIMS.iter().find(|(known, _)| *known == program.names().text(name));
    annotations.iter().find_map(|annotation| Some(known(annotation.class)?.1))
}

/// The locks in annotations of these kinds, each with its text.
fn locks(program: &Program, class: ClassId, annotations: &[Annotation], kinds: &[&str]) -> Vec<(String, Declared)> {
    let names = program.names();
    let known = annotations.iter().filter(|annotation| kinds.contains(&&*names.text(annotation.class)));
    let texts = known.flat_map(|annotation| &annotation.strings).map(|(_, text)| names.text(*text).into_owned());
    texts.map(|text| (text.clone(), parse(program, class, text.trim()))).collect()
}

/// The lock that a guard expression names in a class: `this`, `field`, `this.field`, `C.this`, `C.this.field`, `C.class`,
/// `C.field`. After a field others may follow, as in `field.field`.
fn parse(program: &Program, class: ClassId, text: &str) -> Declared {
    if text == "itself" || text == "self" || text.contains('(') {
        return Declared::NotFollowed;
    }
    if let Some((declaring, _)) = declares_parameter(program, class).filter(|(_, name)| name == text) {
        return lock_of_parameter(program, declaring);
    }
    let Some((outer, rest)) = around_this(text) else { return parse_static(program, class, text) };
    let this =
        if outer.is_empty() { Some(Path::of(Root::Parameter(0))) } else { outer_instance(program, class, outer) };
    let Some(start) = this else { return Declared::NoLock };
    if rest.is_empty() {
        return Declared::Lock(start);
    }
    let owner = start.fields.last().map_or(Some(class), |last| class_of(program, program.field(*last).ty));
    owner.map_or(Declared::NoLock, |owner| fields_path(program, owner, start, rest))
}

/// The names before and after `this`, if it is one of those that dots part.
fn around_this(text: &str) -> Option<(&str, &str)> {
    let before: usize = text.split('.').take_while(|name| *name != "this").map(|name| name.len() + 1).sum();
    let (outer, this) = text.split_at_checked(before)?;
    Some((outer.trim_end_matches('.'), this["this".len()..].trim_start_matches('.')))
}

fn class_of(program: &Program, ty: Type) -> Option<ClassId> {
    program.find(ty.as_class()?)
}

/// What does not begin with an object: a field in scope, or something of another class.
fn parse_static(program: &Program, class: ClassId, text: &str) -> Declared {
    let Some((owner, member)) = text.rsplit_once('.') else { return in_scope(program, class, text) };
    match (named_class(program, class, owner), member) {
        (Some(owner), "class") => Declared::Lock(Path::of(Root::Class(Type::class(program.class(owner).name)))),
        (Some(owner), field) => field_path(program, owner, Path::of(Root::Parameter(0)), field),
        (None, _) => {
            let (first, rest) = text.split_once('.').unwrap_or((text, ""));
            let Declared::Lock(start) = in_scope(program, class, first) else { return Declared::NoLock };
            let owner = last_field(&start).and_then(|last| class_of(program, program.field(last).ty));
            owner.map_or(Declared::NoLock, |owner| fields_path(program, owner, start, rest))
        }
    }
}

/// A final field of a class, or else of the next one around it that has a field of this name. Without an instance of that, it is a static one.
fn in_scope(program: &Program, class: ClassId, name: &str) -> Declared {
    let (mut class, mut instance) = (class, Some(Path::of(Root::Parameter(0))));
    while find_field(program, class, name).is_none() {
        let Some((outer, field)) = around(program, class) else { return Declared::NoLock };
        class = outer;
        instance = instance.zip(field).and_then(|(path, field)| path.then(&[field], Half::Whole));
    }
    let has_instance = instance.is_some();
    match field_path(program, class, instance.unwrap_or(Path::of(Root::Parameter(0))), name) {
        Declared::Lock(path) if !has_instance && !matches!(path.root, Root::Static(_)) => Declared::NoLock,
        found => found,
    }
}

/// The class around a class, and the field with its instance, if javac has made one.
fn around(program: &Program, class: ClassId) -> Option<(ClassId, Option<FieldId>)> {
    let is_outer = |field: &FieldId| program.names().text(program.field(*field).name).starts_with("this$");
    let field = program.fields_of(class).find(is_outer);
    if let Some(outer) = field.and_then(|field| class_of(program, program.field(field).ty)) {
        return Some((outer, field));
    }
    let name = program.class_name(class).into_owned();
    let outer = program.names().named(name.rsplit_once('$')?.0)?;
    Some((program.find(outer)?, None))
}

/// A final field of what is in another one, and so on.
fn fields_path(program: &Program, class: ClassId, from: Path, names: &str) -> Declared {
    let Some((outer, name)) = names.rsplit_once('.') else { return field_path(program, class, from, names) };
    let Declared::Lock(path) = fields_path(program, class, from, outer) else { return Declared::NoLock };
    let owner = last_field(&path).and_then(|field| class_of(program, program.field(field).ty));
    owner.map_or(Declared::NoLock, |owner| field_path(program, owner, path, name))
}

/// A final field, from an object unless it is static.
fn field_path(program: &Program, class: ClassId, from: Path, name: &str) -> Declared {
    let Some(field) = find_field(program, class, name) else { return Declared::NoLock };
    let data = program.field(field);
    match (data.is_final(), data.is_static()) {
        (false, _) => Declared::NoLock,
        (true, true) => Declared::Lock(Path::of(Root::Static(field))),
        (true, false) => {
            Declared::Lock(Path { fields: [&from.fields[..], &[field]].concat(), half: Half::Whole, ..from })
        }
    }
}

/// The field of a class, or of the next one above it that has one of this name.
fn find_field(program: &Program, class: ClassId, name: &str) -> Option<FieldId> {
    let named = |field: &FieldId| program.names().text(program.field(*field).name) == name;
    let above = std::iter::successors(Some(class), |class| program.class(*class).super_class);
    above.into_iter().find_map(|class| program.fields_of(class).find(named))
}

fn last_field(path: &Path) -> Option<FieldId> {
    path.fields.last().copied().or(match path.root {
        Root::Static(field) => Some(field),
        _ => None,
    })
}

/// The object of an enclosing class, in the fields that javac makes for it.
fn outer_instance(program: &Program, class: ClassId, outer: &str) -> Option<Path> {
    let wanted = named_class(program, class, outer)?;
    let (mut class, mut path) = (class, Path::of(Root::Parameter(0)));
    while class != wanted {
        let (outer, field) = around(program, class)?;
        path.fields.push(field?);
        class = outer;
    }
    Some(path)
}

/// A class by its name in source: its own, an enclosing or nested one, one of its package, or in full.
fn named_class(program: &Program, class: ClassId, name: &str) -> Option<ClassId> {
    let own = program.class_name(class).into_owned();
    let find = |name: &str| program.find(program.names().named(name)?);
    let nested = name.replace('.', "$");
    let enclosing = std::iter::successors(Some(own.as_str()), |inner| inner.rsplit_once('$').map(|(outer, _)| outer));
    let own_name = |candidate: &&str| candidate.rsplit(['/', '$']).next() == Some(name);
    enclosing
        .clone()
        .find(own_name)
        .and_then(find)
        .or_else(|| enclosing.clone().find_map(|outer| find(&format!("{outer}${nested}"))))
        .or_else(|| find(&format!("{}/{nested}", own.rsplit_once('/')?.0)))
        .or_else(|| in_full(name).find_map(|name| find(&name)))
}

/// What a name in full may stand for: `a.B.C` is `a/B/C`, `a/B$C` or `a$B$C`.
fn in_full(name: &str) -> impl Iterator<Item = String> + '_ {
    let cuts = std::iter::once(name.len()).chain(name.rmatch_indices('.').map(|(at, _)| at));
    cuts.map(|at| name[..at].replace('.', "/") + &name[at..].replace('.', "$"))
}
