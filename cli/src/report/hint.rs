//! One sentence on what would keep the accesses of a finding apart.
//!
//! It names the accesses of the first pair only, which is the surest: another one may well be ordered. Nor does it name an access
//! with which an object begins, unless that is certain to race.

use facts::access::{AccessKind, LockMode};
use facts::finding::{Access, Conflict, Grade, HeldLock, Variable};
use facts::name::dotted;
use facts::site::Place;

use super::grade;
use super::merge::{Sighting, Spot};
use super::words;

/// Collections of `java.util` that are not for several threads, and what is.
const COLLECTIONS: [(&str, &str); 9] = [
    ("java/util/HashMap", "ConcurrentHashMap"),
    ("java/util/TreeMap", "ConcurrentSkipListMap"),
    ("java/util/HashSet", "ConcurrentHashMap.newKeySet()"),
    ("java/util/LinkedHashSet", "ConcurrentHashMap.newKeySet()"),
    ("java/util/TreeSet", "ConcurrentSkipListSet"),
    ("java/util/ArrayList", "CopyOnWriteArrayList"),
    ("java/util/LinkedList", "ConcurrentLinkedDeque"),
    ("java/util/ArrayDeque", "ConcurrentLinkedDeque"),
    ("java/util/PriorityQueue", "PriorityBlockingQueue"),
];

/// Maps that are in sets, and what is for several threads in place of such a set.
const OF_SETS: [(&str, &str); 2] =
    [("java/util/HashMap", "ConcurrentHashMap.newKeySet()"), ("java/util/TreeMap", "ConcurrentSkipListSet")];

/// A lock that several threads may hold, of no mode.
const SEMAPHORE: &str = "java/util/concurrent/Semaphore";

/// Values that one field after the other refers to, and that anybody may have.
const BOXES: [&str; 7] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
];

/// The advice for a finding with these conflicts, the surest first; `None` without any.
pub fn hint(variable: &Variable, conflicts: &[&Sighting]) -> Option<String> {
    let conflicts: Vec<&Conflict> = conflicts.iter().map(|sighting| &sighting.conflict).collect();
    let first = *conflicts.first()?;
    if first.is_of_one_thread() {
        let remedy = remedy(variable, &conflicts, first);
        return Some(format!("nothing is wrong if these tasks never run at once; if they may, {remedy}"));
    }
    if may_be_handed_over(variable, first) {
        let otherwise = if begins(variable, first) {
            with_locks(variable, first)
        } else {
            format!("guard every access with one lock{}.", example(variable))
        };
        return Some(format!(
            "nothing is wrong if one thread hands the object to the other under a lock, as queues and pools do; if not, {otherwise}"
        ));
    }
    if may_be_taken_out(variable, first) {
        return Some(format!(
            "nothing is wrong if the current thread took the object under the lock, so that no other one finds it any more; if not, {}",
            with_locks(variable, first)
        ));
    }
    Some(remedy(variable, &conflicts, first))
}

/// What would keep them apart.
fn remedy(variable: &Variable, conflicts: &[&Conflict], first: &Conflict) -> String {
    let is_bare = |access: &Access| access.locks.as_ref().is_some_and(Vec::is_empty);
    let are_bare = conflicts.iter().all(|conflict| is_bare(&conflict.current) && is_bare(&conflict.previous));
    let without_locks = are_bare.then(|| without_locks(variable, conflicts)).flatten();
    without_locks.unwrap_or_else(|| with_locks(variable, first))
}

/// Whether an object begins with one of these accesses, which is ordered as a rule before others see it.
pub fn begins(variable: &Variable, conflict: &Conflict) -> bool {
    conflict.grade != Some(Grade::Certain)
        && [&conflict.current, &conflict.previous].into_iter().any(|access| initializes(variable, access))
}

/// Whether locks ordered the accesses, and both hold none that may be meant for the variable, or each one of its own, or an object begins
/// with one of them: as where an object goes through a queue under the queue's lock. A static variable belongs to all threads.
fn may_be_handed_over(variable: &Variable, conflict: &Conflict) -> bool {
    let is_doubtful = grade::is_doubtful(conflict.grade) && !matches!(variable, Variable::Static { .. });
    is_doubtful
        && (begins(variable, conflict)
            || match near(variable, conflict) {
                [Some(a), Some(b)] => a.is_empty() && b.is_empty() || twin(&a, &b).is_some(),
                _ => false,
            })
}

/// Whether a collection or an array is filled under a lock, and used without it once locks have ordered that: as where a thread takes the
/// list of what is to be done, leaves none behind, and goes through it outside.
fn may_be_taken_out(variable: &Variable, conflict: &Conflict) -> bool {
    let holds_elements = matches!(variable, Variable::Array { .. } | Variable::Contents { .. });
    let [current, previous] = near(variable, conflict);
    grade::is_doubtful(conflict.grade)
        && holds_elements
        && current.is_some_and(|held| held.is_empty())
        && previous.is_some_and(|held| !held.is_empty())
}

fn initializes(variable: &Variable, access: &Access) -> bool {
    let (class, method) = match variable {
        Variable::Field { class, .. } | Variable::Object { class } => (class, "<init>"),
        Variable::Static { class, .. } => (class, "<clinit>"),
        Variable::Array { .. } | Variable::Contents { .. } => return false,
    };
    access.stack.first().is_some_and(|place| place.class == *class && place.method == method)
}

/// What does better than a lock where none is held at any access.
fn without_locks(variable: &Variable, conflicts: &[&Conflict]) -> Option<String> {
    let lock = || format!("guard every access with one lock{}", example(variable));
    match variable {
        Variable::Field { descriptor, .. } | Variable::Static { descriptor, .. } => {
            if let Some(atomic) = atomic(descriptor).filter(|_| conflicts.iter().any(|pair| may_update(pair))) {
                let updates = format!("what reads and writes back, as `x++` does, needs an `{atomic}`");
                // Of two writes, each may also be one that only sets the value.
                let sets = if conflicts.iter().any(|pair| may_update(pair) && has_read(pair)) {
                    ""
                } else {
                    "; what only sets it, a `volatile` field"
                };
                return Some(format!("{updates}{sets}; or {}.", lock()));
            }
            is_flag(conflicts).then(|| one_side_reads(descriptor, &lock()))
        }
        Variable::Object { class } | Variable::Contents { class, .. } => {
            let (_, concurrent) = COLLECTIONS.iter().find(|(plain, _)| plain == class)?;
            let of_set = of_set(variable, conflicts).map(|set| format!(" (of a set, `{set}`)")).unwrap_or_default();
            Some(format!("use a `{concurrent}` instead{of_set}, or guard every access with one lock."))
        }
        Variable::Array { .. } => None,
    }
}

/// What does better than a set that is named as the map in it, as one is that came from no field: it has the name of a method.
fn of_set(variable: &Variable, conflicts: &[&Conflict]) -> Option<&'static str> {
    let Variable::Contents { class, origin } = variable else { return None };
    let is_method = |access: &Access| {
        let place = access.stack.first();
        place.is_some_and(|place| origin.strip_prefix(&*place.class) == Some(&format!(".{}", place.method)))
    };
    let mut accesses = conflicts.iter().flat_map(|pair| [&pair.current, &pair.previous]);
    let (_, set) = OF_SETS.iter().find(|(map, _)| map == class)?;
    accesses.any(is_method).then_some(*set)
}

fn atomic(descriptor: &str) -> Option<&'static str> {
    match descriptor {
        "I" => Some("AtomicInteger"),
        "J" => Some("AtomicLong"),
        _ => None,
    }
}

/// Whether two threads did it in one line, or what one has read it may write. The read of an update counts as one with its write, so it may
/// seem that both only write.
fn may_update(conflict: &Conflict) -> bool {
    let [a, b] = [&conflict.current, &conflict.previous].map(Spot::of);
    a.is_some_and(|spot| spot.has_line() && Some(spot) == b) || writes_too(conflict) || has_one_caller(conflict)
}

/// Whether one line calls what reads and what writes: `setCount(getCount() + 1)`.
fn has_one_caller(conflict: &Conflict) -> bool {
    let caller = |access: &Access| {
        access.stack.get(1).filter(|place| place.line.is_some()).map(|place| (code(place), place.line))
    };
    let current = caller(&conflict.current);
    has_read(conflict) && current.is_some() && current == caller(&conflict.previous)
}

fn code(place: &Place) -> (String, String, String) {
    (place.class.clone(), place.method.clone(), place.descriptor.clone())
}

/// Whether the code that reads at one side writes, too.
fn writes_too(conflict: &Conflict) -> bool {
    conflict.current.writes_too || conflict.previous.writes_too
}

fn has_read(conflict: &Conflict) -> bool {
    [&conflict.current, &conflict.previous].into_iter().any(is_read)
}

fn is_read(access: &Access) -> bool {
    access.kind == Some(AccessKind::Read)
}

/// Whether a value is set at one side and read at the other, for certain and in every pair. Code that looks and then sets, as `if (x == null) x = …`
/// does, is both sides.
fn is_flag(conflicts: &[&Conflict]) -> bool {
    let innermost = |access: &Access| access.stack.first().map(code);
    let is_other_code = |conflict: &Conflict| {
        innermost(&conflict.current).is_none_or(|current| innermost(&conflict.previous) != Some(current))
    };
    let one_reads = |conflict: &&Conflict| {
        is_read(&conflict.current) != is_read(&conflict.previous)
            && is_other_code(conflict)
            && !writes_too(conflict)
            && !has_one_caller(conflict)
    };
    let is_certain = conflicts.first().is_some_and(|conflict| conflict.grade == Some(Grade::Certain));
    is_certain && conflicts.iter().all(one_reads)
}

/// A volatile reference tells what was done to the object before it was set, and nothing of what is done to it later.
fn one_side_reads(descriptor: &str, lock: &str) -> String {
    match descriptor.as_bytes().first() {
        Some(b'L' | b'[') => {
            format!(
                "one side only reads the reference: make it `volatile` if the object does not change once it is set, or {lock}."
            )
        }
        _ => format!("one side only reads: make it `volatile`, or {lock}."),
    }
}

fn with_locks(variable: &Variable, conflict: &Conflict) -> String {
    let Conflict { current, previous, .. } = conflict;
    if begins(variable, conflict) {
        let later = if initializes(variable, current) { previous } else { current };
        return after_initialization(variable, later);
    }
    let [a, b] = near(variable, conflict);
    match (a.as_deref(), b.as_deref()) {
        (None, _) | (_, None) => format!("guard every access with one lock{}.", example(variable)),
        (Some([]), Some([])) => {
            let are_bare = [current, previous].iter().all(|access| access.locks.as_ref().is_some_and(Vec::is_empty));
            let none = if are_bare { "neither access holds a lock" } else { "the locks held are of other code" };
            format!("{none}: guard every access with one lock{}.", example(variable))
        }
        (Some([]), Some(held)) => hold_also(held, current, "current"),
        (Some(held), Some([])) => hold_also(held, previous, "previous"),
        (Some(a), Some(b)) => both_hold(a, b, conflict),
    }
}

/// The locks held at the accesses that may be meant for the variable: of its own code, or of who calls that. A server holds one for each
/// request, which guards nothing of what the request comes to.
fn near(variable: &Variable, conflict: &Conflict) -> [Option<Vec<HeldLock>>; 2] {
    let accesses = [&conflict.current, &conflict.previous];
    let own = library(match variable {
        Variable::Field { class, .. } | Variable::Static { class, .. } | Variable::Object { class } => class,
        Variable::Array { origin, .. } | Variable::Contents { origin, .. } => origin,
    });
    let callers: Vec<Vec<&str>> = accesses.into_iter().filter_map(|access| caller(access, &own)).collect();
    let is_near = |lock: &&HeldLock| {
        if is_of_anybody(lock) && !accesses.iter().all(|access| holds(access, lock)) {
            return false;
        }
        let of_lock =
            lock.class_object.as_ref().or(lock.field.as_ref().map(|field| &field.class)).unwrap_or(&lock.class);
        is_jdk(of_lock) || library(of_lock) == own || callers.contains(&library(of_lock))
    };
    accesses.map(|access| Some(access.locks.as_ref()?.iter().filter(is_near).cloned().collect()))
}

/// Whether it is a lock of the JDK that is held in read mode, and no field of the program is known to refer to it: a framework that runs
/// tests side by side holds one for each of them.
fn is_of_anybody(lock: &HeldLock) -> bool {
    lock.mode == LockMode::Shared && lock.field.is_none() && is_jdk(&lock.class)
}

fn holds(access: &Access, lock: &HeldLock) -> bool {
    access.locks.iter().flatten().any(|held| held.id == lock.id)
}

/// The innermost code on the stack that is not of this library.
fn caller<'a>(access: &'a Access, own: &[&str]) -> Option<Vec<&'a str>> {
    let classes = access.stack.iter().map(|place| place.class.as_str()).filter(|class| !is_jdk(class));
    classes.map(library).find(|library| library != own)
}

/// Whether it may be anybody's.
fn is_jdk(class: &str) -> bool {
    class.is_empty() || class.starts_with("java/") || class.starts_with('[')
}

/// The first two names of the package of a class, which those who wrote a library share.
fn library(class: &str) -> Vec<&str> {
    let package = class.rsplit_once('/').map_or("", |(package, _)| package);
    package.split('/').take(2).collect()
}

fn after_initialization(variable: &Variable, later: &Access) -> String {
    match later.locks.as_deref() {
        None | Some([]) => {
            format!("guard every access after initialization with one lock{}.", example(variable))
        }
        Some(held) => format!("hold {} at every access after initialization.", one_of(held)),
    }
}

fn example(variable: &Variable) -> String {
    match variable {
        Variable::Field { .. } | Variable::Object { .. } => ", for example `synchronized (this)`".to_owned(),
        Variable::Static { class, .. } => {
            format!(", for example `synchronized ({}.class)`", dotted(class).replace('$', "."))
        }
        Variable::Array { .. } | Variable::Contents { .. } => String::new(),
    }
}

fn hold_also(held: &[HeldLock], bare: &Access, which: &str) -> String {
    if let [HeldLock { class, field: None, .. }] = held
        && BOXES.contains(&class.as_str())
    {
        return format!(
            "a lock of class {} is a value, of which there may be others: lock a final object.",
            dotted(class)
        );
    }
    format!("hold {} also at {}.", one_of(held), at(bare, which))
}

fn both_hold(a: &[HeldLock], b: &[HeldLock], conflict: &Conflict) -> String {
    let common = a.iter().find(|lock| b.iter().any(|other| other.id == lock.id));
    if let Some(lock) = common {
        return common_lock(lock, conflict);
    }
    if let Some(lock) = twin(a, b) {
        let kind = words::lock_kind(lock);
        return format!("each access locks its own `{kind}`: share one lock between them.");
    }
    format!(
        "the accesses hold different locks: hold {} also at {}, or the other way round.",
        one_of(a),
        at(&conflict.previous, "previous")
    )
}

/// A lock of which the other access holds one of the same kind.
fn twin<'a>(a: &'a [HeldLock], b: &[HeldLock]) -> Option<&'a HeldLock> {
    let has_twin = |lock: &&HeldLock| b.iter().any(|other| words::lock_kind(lock) == words::lock_kind(other));
    a.iter().filter(|lock| !lock.class.is_empty()).find(has_twin)
}

fn common_lock(lock: &HeldLock, conflict: &Conflict) -> String {
    for (access, which) in [(&conflict.current, "current"), (&conflict.previous, "previous")] {
        if writes_in_read_mode(access, lock) {
            if lock.class == SEMAPHORE {
                let several = "has several permits, so several threads hold it at once";
                return format!("{} {several}: make it one, or guard every access with one lock.", of_class(lock));
            }
            return format!("{} is held in read mode only: take its write lock at {}.", name(lock), at(access, which));
        }
    }
    format!("both accesses hold {}, but another access did not: hold it at every access.", name(lock))
}

fn writes_in_read_mode(access: &Access, lock: &HeldLock) -> bool {
    let mut modes = access.locks.iter().flatten().filter(|held| held.id == lock.id).map(|held| held.mode);
    access.kind == Some(AccessKind::Write) && modes.all(|mode| mode == LockMode::Shared)
}

fn one_of(locks: &[HeldLock]) -> String {
    let names: Vec<String> = locks.iter().map(name).collect();
    match names.as_slice() {
        [only] => only.clone(),
        names => format!("one of {}", names.join(", ")),
    }
}

/// A semaphore is in no mode that its source knows.
fn of_class(lock: &HeldLock) -> String {
    name(&HeldLock { mode: LockMode::Exclusive, ..lock.clone() })
}

/// A lock as its source knows it, if a field refers to it.
fn name(lock: &HeldLock) -> String {
    if lock.field.is_some() { format!("`{}`", words::lock_kind(lock)) } else { words::lock(lock) }
}

/// Where an access is made, as precisely as that is known.
fn at(access: &Access, which: &str) -> String {
    match access.stack.first() {
        Some(place) => words::frame(place),
        None => format!("the {which} {} (its stack was not kept)", words::kind(access.kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access as access_of, conflict, field, graded, lock, place};
    use super::super::merge::JvmId;
    use super::*;
    use facts::site::FieldRef;

    /// The hint for pairs, the first of which is shown.
    fn of_pairs(variable: &Variable, pairs: Vec<Conflict>) -> String {
        let jvm = JvmId { started: 1, pid: 1 };
        let sightings: Vec<Sighting> = pairs.into_iter().map(|conflict| Sighting::new(conflict, jvm)).collect();
        hint(variable, &sightings.iter().collect::<Vec<_>>()).unwrap()
    }

    fn of_pair(pair: Conflict) -> String {
        of_pairs(&field("x"), vec![pair])
    }

    /// Each line has a caller of its own.
    fn access(kind: &str, line: u32, thread: u32, locks: &[&str]) -> Access {
        let mut access = access_of(kind, line, thread, locks);
        access.stack[1].line = Some(100 + line);
        access
    }

    fn pair(current: &[&str], previous: &[&str]) -> Conflict {
        conflict(access("write", 10, 1, current), access("read", 20, 2, previous))
    }

    fn certain(pair: Conflict) -> Conflict {
        graded(Some(Grade::Certain), pair)
    }

    fn typed(descriptor: &str) -> Variable {
        Variable::Field { class: "bank/Account".into(), name: "x".into(), descriptor: descriptor.into() }
    }

    const ONE_LOCK: &str = "guard every access with one lock, for example `synchronized (this)`.";

    #[test]
    fn each_pair_of_lock_sets_has_its_advice() {
        let of = |current: &[&str], previous: &[&str]| of_pair(pair(current, previous));
        assert_eq!(of(&[], &[]), format!("neither access holds a lock: {ONE_LOCK}"));
        assert_eq!(of(&["o7"], &[]), "hold bank.Lock (o7) also at bank.Account.read(Account.java:20).");
        assert_eq!(
            of(&[], &["o7", "o8"]),
            "hold one of bank.Lock (o7), bank.Lock (o8) also at bank.Account.write(Account.java:10)."
        );
        assert_eq!(of(&["o7"], &["o8"]), "each access locks its own `bank.Lock`: share one lock between them.");
        assert_eq!(
            of(&["o7"], &["o7"]),
            "both accesses hold bank.Lock (o7), but another access did not: hold it at every access."
        );
    }

    #[test]
    fn locks_of_a_server_are_no_advice() {
        let server = |number| HeldLock { class: "org/server/Request".into(), ..lock(number) };
        let of = |callers: &[&str], current: HeldLock, previous: &[HeldLock]| {
            let mut pair = pair(&[], &[]);
            pair.current.stack.extend(callers.iter().map(|class| place(class, "serve", 1)));
            pair.current.locks = Some(vec![current]);
            pair.previous.locks = Some(previous.to_vec());
            of_pair(pair)
        };
        let other = format!("the locks held are of other code: {ONE_LOCK}");
        let through = ["java/lang/reflect/Method", "web/Dispatcher", "org/server/Worker"];
        assert_eq!(of(&through, server("o7"), &[server("o8")]), other);
        assert_eq!(of(&through, server("o7"), &[]), other);
        let called_under_it = "hold org.server.Request (o7) also at bank.Account.read(Account.java:20).";
        assert_eq!(of(&through[2..], server("o7"), &[]), called_under_it);
        let beside = "hold bank.Lock (o9) also at bank.Account.write(Account.java:10).";
        assert_eq!(of(&through, server("o7"), &[lock("o9"), server("o8")]), beside);
    }

    /// JUnit holds a read lock while it runs a test beside others.
    #[test]
    fn read_locks_of_anybody_are_no_advice() {
        let class = "java/util/concurrent/locks/ReentrantReadWriteLock".to_owned();
        let read = HeldLock { class, mode: LockMode::Shared, ..lock("o7") };
        let of = |current: &[&HeldLock], previous: &[&HeldLock]| {
            let mut pair = pair(&[], &[]);
            pair.current.locks = Some(current.iter().copied().cloned().collect());
            pair.previous.locks = Some(previous.iter().copied().cloned().collect());
            of_pair(pair)
        };
        let other = format!("the locks held are of other code: {ONE_LOCK}");
        assert_eq!(of(&[], &[&read]), other);
        assert_eq!(of(&[], &[&read, &lock("o8")]), "hold bank.Lock (o8) also at bank.Account.write(Account.java:10).");
        assert!(of(&[&read], &[&read]).ends_with("take its write lock at bank.Account.write(Account.java:10)."));
        let field = Some(FieldRef {
            class: "bank/Account".to_owned(),
            name: "guard".to_owned(),
            descriptor: "Lbank/Lock;".to_owned(),
        });
        let own = HeldLock { field, ..read };
        assert_eq!(of(&[], &[&own]), "hold `bank.Account.guard` also at bank.Account.write(Account.java:10).");
    }

    #[test]
    fn a_lock_is_named_by_its_field() {
        let mut conflict = pair(&["o7"], &[]);
        let lock = &mut conflict.current.locks.as_mut().unwrap()[0];
        let (class, name) = ("bank/Account".to_owned(), "guard".to_owned());
        lock.field = Some(FieldRef { class, name, descriptor: "Lbank/Lock;".to_owned() });
        assert_eq!(words::lock(lock), "bank.Account.guard (o7)");
        assert_eq!(of_pair(conflict), "hold `bank.Account.guard` also at bank.Account.read(Account.java:20).");
    }

    #[test]
    fn read_mode_does_not_protect_writes() {
        let mut conflict = pair(&["o7"], &["o7"]);
        conflict.current.locks.as_mut().unwrap()[0].mode = LockMode::Shared;
        assert_eq!(
            of_pair(conflict),
            "bank.Lock (o7, read mode) is held in read mode only: take its write lock at bank.Account.write(Account.java:10)."
        );
    }

    #[test]
    fn a_semaphore_has_no_modes() {
        let mut conflict = pair(&["o7"], &["o7"]);
        for access in [&mut conflict.current, &mut conflict.previous] {
            let lock = &mut access.locks.as_mut().unwrap()[0];
            *lock = HeldLock { class: SEMAPHORE.to_owned(), mode: LockMode::Shared, ..lock.clone() };
        }
        assert_eq!(
            of_pair(conflict),
            "java.util.concurrent.Semaphore (o7) has several permits, so several threads hold it at once: make it one, or guard \
             every access with one lock."
        );
    }

    #[test]
    fn a_value_is_no_lock() {
        let mut conflict = pair(&["o7"], &[]);
        conflict.current.locks.as_mut().unwrap()[0].class = "java/lang/Integer".to_owned();
        assert_eq!(
            of_pair(conflict),
            "a lock of class java.lang.Integer is a value, of which there may be others: lock a final object."
        );
    }

    #[test]
    fn unknown_places_are_admitted() {
        let mut conflict = pair(&["o7"], &[]);
        conflict.previous.stack.clear();
        assert_eq!(of_pair(conflict), "hold bank.Lock (o7) also at the previous read (its stack was not kept).");
    }

    #[test]
    fn only_the_first_pair_is_named() {
        let further = conflict(access("write", 30, 1, &["o9"]), access("write", 40, 2, &[]));
        let hint = of_pairs(&field("x"), vec![certain(pair(&["o7"], &[])), further]);
        assert_eq!(hint, "hold bank.Lock (o7) also at bank.Account.read(Account.java:20).");
    }

    #[test]
    fn a_constructor_is_named_only_where_it_is_certain_to_race() {
        let of = |grade, locks: &[&str], class: &str| {
            let mut pair = graded(grade, pair(locks, &[]));
            pair.previous.stack[0] = place(class, "<init>", 5);
            of_pair(pair)
        };
        let hold = "hold bank.Lock (o7) at every access after initialization.";
        assert_eq!(of(None, &["o7"], "bank/Account"), hold);
        // Other accesses may well hold it: then a lock has handed the object over.
        let possible = of(Some(Grade::Possible), &["o7"], "bank/Account");
        assert!(possible.starts_with("nothing is wrong if one thread hands") && possible.ends_with(hold), "{possible}");
        let bare = of(None, &[], "bank/Account");
        assert!(bare.starts_with("guard every access after initialization with one lock, "), "{bare}");
        let at = |class: &str| format!("hold bank.Lock (o7) also at {class}.<init>");
        assert!(of(Some(Grade::Certain), &["o7"], "bank/Account").starts_with(&at("bank.Account")));
        assert!(of(None, &["o7"], "bank/Teller").starts_with(&at("bank.Teller")));
    }

    /// `setX(getX() + 1)`, of which a run has seen a read and a write.
    #[test]
    fn what_one_line_reads_and_writes_is_no_flag() {
        let mut pair = certain(pair(&[], &[]));
        pair.current.stack[1].line = Some(40);
        pair.previous.stack[1].line = Some(40);
        let updates = format!("what reads and writes back, as `x++` does, needs an `AtomicInteger`; or {ONE_LOCK}");
        assert_eq!(of_pairs(&typed("I"), vec![pair.clone()]), updates);
        assert!(of_pairs(&typed("D"), vec![pair]).starts_with("neither access holds a lock"));
    }

    #[test]
    fn a_flag_is_to_be_volatile() {
        let flag = format!("one side only reads: make it `volatile`, or {ONE_LOCK}");
        let reference = format!(
            "one side only reads the reference: make it `volatile` if the object does not change once it is set, or {ONE_LOCK}"
        );
        let generic = format!("neither access holds a lock: {ONE_LOCK}");
        for (descriptor, pairs, expected) in [
            ("Z", vec![certain(pair(&[], &[]))], &flag),
            ("I", vec![certain(pair(&[], &[]))], &flag),
            ("J", vec![certain(pair(&[], &[]))], &flag),
            ("D", vec![certain(pair(&[], &[]))], &flag),
            ("Lbank/Rate;", vec![certain(pair(&[], &[]))], &reference),
            ("[J", vec![certain(pair(&[], &[]))], &reference),
            ("Z", vec![pair(&[], &[])], &generic),
            ("Z", vec![certain(conflict(access("write", 10, 1, &[]), access("write", 11, 2, &[])))], &generic),
            (
                "Z",
                vec![
                    certain(pair(&[], &[])),
                    certain(conflict(access("write", 10, 1, &[]), access("write", 11, 2, &[]))),
                ],
                &generic,
            ),
        ] {
            assert_eq!(&of_pairs(&typed(descriptor), pairs.clone()), expected, "{descriptor} {pairs:?}");
        }
    }

    #[test]
    fn code_that_looks_and_then_sets_is_no_flag() {
        let mut pair = certain(pair(&[], &[]));
        let mut looked = pair.current.stack[0].clone();
        looked.line = looked.line.map(|line| line - 1);
        pair.previous.stack[0] = looked;
        assert_eq!(of_pairs(&typed("Lbank/Rate;"), vec![pair]), format!("neither access holds a lock: {ONE_LOCK}"));
    }

    #[test]
    fn what_only_locks_ordered_may_be_handed_over() {
        let of = |grade, variable: &Variable, current: &[&str], previous: &[&str]| {
            let hint = of_pairs(variable, vec![graded(Some(grade), pair(current, previous))]);
            assert!(hint.ends_with('.'), "{hint}");
            hint.starts_with("nothing is wrong if one thread hands the object to the other under a lock")
        };
        let shared = Variable::Static { class: "bank/Account".into(), name: "x".into(), descriptor: "I".into() };
        for (current, previous) in [(&[][..], &[][..]), (&["o7"], &["o8"])] {
            assert!(of(Grade::Possible, &field("x"), current, previous));
            assert!(!of(Grade::Possible, &shared, current, previous));
            assert!(!of(Grade::Certain, &field("x"), current, previous));
        }
        assert!(!of(Grade::Possible, &field("x"), &["o7"], &[]));
    }

    #[test]
    fn of_two_tasks_of_one_thread_it_is_said_what_counts() {
        let tasks = |locks: &[&str]| {
            let pair = conflict(access("write", 10, 1, locks), access("write", 20, 1, &[]));
            of_pairs(&field("x"), vec![graded(Some(Grade::Possible), pair)])
        };
        let condition = "nothing is wrong if these tasks never run at once; if they may, ";
        assert_eq!(
            tasks(&["o7"]),
            format!("{condition}hold bank.Lock (o7) also at bank.Account.write(Account.java:20).")
        );
        assert_eq!(tasks(&[]), format!("{condition}neither access holds a lock: {ONE_LOCK}"));
    }

    #[test]
    fn a_list_may_be_taken_out_under_the_lock() {
        let list = Variable::Contents { class: "java/util/ArrayList".into(), origin: "bank/Account.due".into() };
        let array = Variable::Array { descriptor: "[I".into(), origin: "bank/Account.due[]".into() };
        let of = |grade, variable: &Variable, current: &[&str], previous: &[&str]| {
            let hint = of_pairs(variable, vec![graded(Some(grade), pair(current, previous))]);
            let rest = hint.split_once("; if not, ").map_or(&*hint, |(_, rest)| rest);
            (hint.starts_with("nothing is wrong if the current thread took the object"), rest.to_owned())
        };
        let hold = "hold bank.Lock (o7) also at bank.Account.write(Account.java:10).".to_owned();
        assert_eq!(of(Grade::Possible, &list, &[], &["o7"]), (true, hold.clone()));
        assert_eq!(of(Grade::Possible, &array, &[], &["o7"]), (true, hold.clone()));
        assert_eq!(of(Grade::Certain, &list, &[], &["o7"]), (false, hold.clone()));
        assert_eq!(of(Grade::Possible, &field("x"), &[], &["o7"]), (false, hold));
        assert!(!of(Grade::Possible, &list, &["o7"], &[]).0);
        assert!(!of(Grade::Possible, &list, &["o7"], &["o8"]).0);
    }

    #[test]
    fn an_update_is_to_be_atomic() {
        let same = |kind: &str| {
            let mut pair = conflict(access("write", 10, 1, &[]), access(kind, 10, 2, &[]));
            pair.previous.stack = pair.current.stack.clone();
            pair
        };
        let mut writes_too = pair(&[], &[]);
        writes_too.current.writes_too = true;
        let atomic =
            |class: &str| format!("what reads and writes back, as `x++` does, needs an `{class}`; or {ONE_LOCK}");
        let or_volatile = atomic("AtomicInteger").replace("; or", "; what only sets it, a `volatile` field; or");
        for (descriptor, pairs, expected) in [
            ("I", vec![same("write")], or_volatile.clone()),
            ("J", vec![certain(same("read"))], atomic("AtomicLong")),
            ("I", vec![certain(pair(&[], &[])), same("write")], or_volatile),
            ("I", vec![certain(writes_too.clone())], atomic("AtomicInteger")),
            ("Z", vec![certain(writes_too)], format!("neither access holds a lock: {ONE_LOCK}")),
            ("D", vec![same("write")], format!("neither access holds a lock: {ONE_LOCK}")),
        ] {
            assert_eq!(of_pairs(&typed(descriptor), pairs.clone()), expected, "{descriptor} {pairs:?}");
        }
    }

    #[test]
    fn where_a_lock_is_held_anywhere_it_is_to_be_held_everywhere() {
        let update = conflict(access("write", 10, 1, &["o7"]), access("write", 10, 2, &[]));
        assert_eq!(of_pair(certain(update)), "hold bank.Lock (o7) also at bank.Account.write(Account.java:10).");
        let hint = of_pairs(&typed("Z"), vec![certain(pair(&[], &[])), pair(&["o7"], &[])]);
        assert_eq!(hint, format!("neither access holds a lock: {ONE_LOCK}"));
    }

    #[test]
    fn collections_have_concurrent_ones() {
        let map = |class: &str| Variable::Object { class: class.into() };
        assert_eq!(
            of_pairs(&map("java/util/HashMap"), vec![pair(&[], &[])]),
            "use a `ConcurrentHashMap` instead, or guard every access with one lock."
        );
        let contents = |origin: &str| Variable::Contents { class: "java/util/TreeMap".into(), origin: origin.into() };
        let of = |origin: &str| of_pairs(&contents(origin), vec![pair(&[], &[])]);
        assert_eq!(
            of("bank/Account.names"),
            "use a `ConcurrentSkipListMap` instead, or guard every access with one lock."
        );
        let unknown = "use a `ConcurrentSkipListMap` instead (of a set, `ConcurrentSkipListSet`), or guard every access with one lock.";
        assert_eq!(of("bank/Account.write"), unknown);
        let other = of_pairs(&map("bank/Account"), vec![pair(&[], &[])]);
        assert_eq!(other, format!("neither access holds a lock: {ONE_LOCK}"));
    }
}
