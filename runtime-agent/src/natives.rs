//! The native methods of the helper class.
//!
//! The JVM finds them by their exported names. They receive numbers and shadow words and never touch the Java heap: the
//! helper class reads and writes the words itself.

mod lock_names;

use std::cell::Cell;

use checkers::lock_set::SetId;
use checkers::word;
use facts::access::{AccessKind, ArrayGranularity, Granularity};
use facts::finding::{Grade, Variable};
use facts::index::{ObjectId, SiteId, ThreadId};
use facts::layout::{lane, mode};
use facts::models::contents;
use facts::options::Check;
use facts::site::ArrayRef;
use facts::{hook, name, trace};
use jvmti_bindings::sys::jni::{
    JNIEnv, jboolean, jbyteArray, jclass, jint, jintArray, jlong, jobject, jobjectArray, jstring,
};

use crate::agent::{self, Agent};
use crate::classes::Loading;
use crate::evidence::{Declared, LocationKey, Pair, Races, Seen};
use crate::internal::{self, Of};
use crate::jvmti::{Class, Env, FieldFlags, Frames, Method, Vm};
use crate::lanes::Lane;
use crate::sites::Target;
use crate::{callers, classes, events, guard};

use lock_names::Search;

thread_local!(static RECORDING_THREAD: Cell<Option<ThreadId>> = const { Cell::new(None) });

/// The number of the current thread, if it has a lane.
pub fn recording_thread() -> Option<ThreadId> {
    RECORDING_THREAD.get()
}

/// Runs a native method's body with the agent; `fallback` when there is none or the body panics.
fn with_agent<T>(fallback: T, body: impl FnOnce(&'static Agent) -> Option<T>) -> T
where
    T: Copy,
{
    guard(fallback, || agent::get().and_then(body).unwrap_or(fallback))
}

fn kind(is_write: jboolean) -> AccessKind {
    if is_write != 0 { AccessKind::Write } else { AccessKind::Read }
}

/// The lock set in a thread's word.
fn set(thread_word: jint) -> SetId {
    SetId(thread_word as u32 & word::PAYLOAD)
}

fn thread_id(thread: jint) -> ThreadId {
    ThreadId(thread as u32)
}

/// Exports each function under the name by which the JVM finds a native method of `JraceAgent`, and lists what it takes and returns.
macro_rules! natives {
    ($(#[$doc:meta] fn $name:ident($env:ident, $class:ident $(, $arg:ident: $type:ty)*) $(-> $result:ty)? $body:block)*) => {
        $(
            #[$doc]
            #[unsafe(export_name = concat!("Java_java_lang_JraceAgent_", stringify!($name)))]
            #[allow(clippy::too_many_arguments, reason = "the helper classes pass what they have in registers")]
            #[allow(non_snake_case, reason = "the name of the native method")]
            pub extern "system" fn $name($env: *mut JNIEnv, $class: jclass $(, $arg: $type)*) $(-> $result)? {
                let _ = ($env, $class);
                $body
            }
        )*

        /// Of each function its name, and the types of its arguments and of its result.
        #[cfg(test)]
        const NATIVES: &[(&str, &[&str], &str)] =
            &[$((stringify!($name), &[$(stringify!($type)),*], concat!($(stringify!($result))?))),*];
    };
}

natives! {
    /// What the helper classes do, as the bits of `facts::layout::mode`.
    fn mode(env, class) -> jint {
        with_agent(0, |agent| {
            let options = &agent.options;
            let recording = if options.record.is_some() { mode::RECORDING } else { 0 };
            let checking = if options.check.checks_accesses() { mode::CHECKING } else { 0 };
            let by_element = if options.arrays == ArrayGranularity::Element { mode::BY_ELEMENT } else { 0 };
            let acquisitions = if callers::wanted(options, true) { mode::PLACED_ACQUISITIONS } else { 0 };
            let others = if callers::wanted(options, false) { mode::PLACED_OTHERS } else { 0 };
            let discovering = if agent.sampling.is_some() { mode::DISCOVERING } else { 0 };
            let sparing = match (options.record_covered, options.settle) {
                (true, _) => 0,
                (false, false) => mode::SPARING,
                (false, true) => mode::SPARING | mode::LEAVING_OUT,
            };
            let owning = if agent.focus.presumes_owners() { mode::OWNING } else { 0 };
            let contents = if agent::checks_contents(options) { mode::CONTENTS } else { 0 };
            let ordering = if agent.checks_by_order() { mode::ORDERING } else { 0 };
            let handing = if agent.knows_order() { mode::HANDING } else { 0 };
            let precise = if options.check == Check::HappensBefore { mode::PRECISE } else { 0 };
            Some(contents | ordering | handing | precise | recording | checking | by_element | acquisitions | others | discovering | sparing | owning)
        })
    }

    /// Numbers a new thread.
    fn register(
        env, class, thread_name: jstring, is_virtual: jboolean, starting: jboolean
    ) -> jint {
        with_agent(0, |agent| {
            let created =
                if starting != 0 { agent.vm.frames(agent.options.stack_depth) } else { Frames::default() };
            let name = Env(env).text(thread_name);
            let id = agent.threads.register(name.clone(), is_virtual != 0, created);
            if let Some(recorder) = &agent.recorder {
                recorder.thread(id, &name);
            }
            Some(id.0 as jint)
        })
    }

    /// The class of the woven caller.
    fn caller(env, class, _site: jint) -> jclass {
        with_agent(std::ptr::null_mut(), |agent| agent.vm.caller().map(|class| class.0))
    }

    /// Dotted name of the class that the field reference of a site names.
    fn owner(env, class, site: jint) -> jstring {
        with_agent(std::ptr::null_mut(), |agent| match agent.sites.target(site as u32) {
            Target::Field(field) | Target::Array(ArrayRef { origin: Some((field, _)), .. }) => {
                Some(Env(env).string(&name::dotted(&field.class)))
            }
            _ => None,
        })
    }

    /// Name of the shadow word for the field of a site, or of the field for the shadow of its array.
    fn shadow(env, class, site: jint) -> jstring {
        with_agent(std::ptr::null_mut(), |agent| match (agent.options.granularity, agent.sites.target(site as u32)) {
            (_, Target::Array(ArrayRef { origin: Some((field, _)), .. })) => {
                Some(Env(env).string(&hook::array_shadow_name(&field.name)))
            }
            (Granularity::Object, _) if !is_volatile(agent, site) => Some(Env(env).string(hook::OBJECT_SHADOW)),
            (_, Target::Field(field)) => {
                Some(Env(env).string(&hook::shadow_name(&field.name, &field.descriptor)))
            }
            _ => None,
        })
    }

    /// Resolves the field of a site (JVMS 5.4.3.2), starting at a class that is or extends the one the reference names.
    fn declaring(env, class, start: jclass, site: jint, is_static: jboolean) -> jclass {
        with_agent(std::ptr::null_mut(), |agent| {
            declaring_class(agent, Env(env), Class(start), site as u32, is_static != 0).map(|class| class.0)
        })
    }

    /// The slot of a static field.
    fn slot(env, class, class_id: jint, site: jint) -> jint {
        with_agent(jint::MAX, |agent| match agent.sites.target(site as u32) {
            Target::Field(field) => Some(agent.evidence.slot(class_id, &field.name, &field.descriptor) as jint),
            _ => None,
        })
    }

    /// Names of the fields for what is kept of a class's objects, with a semicolon after each, and `clone` if it declares such a method.
    fn added(env, class, of: jclass) -> jstring {
        with_agent(std::ptr::null_mut(), |agent| {
            let is_kept = |name: &str, descriptor: &str| {
                name.starts_with(hook::MEMBER_PREFIX) && descriptor != hook::ARRAY_SHADOW_DESCRIPTOR
            };
            let kept: String = agent.vm.fields_like(Class(of), is_kept).iter().map(|name| format!("{name};")).collect();
            let clones = agent.vm.has_method(Class(of), "clone", "()Ljava/lang/Object;");
            Some(Env(env).string(&(kept + if clones { "clone" } else { "" })))
        })
    }

    /// What the models say of the contents of a class's objects.
    fn contents(env, class, of: jstring) -> jstring {
        with_agent(std::ptr::null_mut(), |_| {
            let name = Env(env).text(of).replace('.', "/");
            let field = contents::stands_for(&name).or(contents::has_word(&name).then_some(""))?;
            let lock = contents::lock_of(&name).map(|lock| format!(",{lock}")).unwrap_or_default();
            Some(Env(env).string(&format!("{field}{lock}")))
        })
    }

    /// A class file with checks, or null.
    fn weave(env, class, bytes: jbyteArray, loader: jobject) -> jbyteArray {
        with_agent(std::ptr::null_mut(), |agent| {
            let env = Env(env);
            let bytes = env.bytes(bytes)?;
            let header = instrumenter::header(&bytes).ok()?;
            let loader = events::kind_of_loader(env, loader);
            let class = Loading { name: &header.name, loader, bytes: &bytes, redefined: None };
            env.new_bytes(&classes::weave(agent, class)?)
        })
    }

    /// The state machine.
    fn step(
        env, class, before: jint, thread: jint, site: jint, object: jobject, read: jint, write: jint, is_write: jboolean
    ) -> jint {
        with_agent(before, |agent| {
            let step =
                word::step(&agent.sets, before as u32, thread_id(thread), set(read), set(write), kind(is_write));
            if word::becomes_shared(before as u32, step) {
                agent.evidence.shared(agent, site as u32, || variable(agent, Env(env), site, object));
            }
            Some(step.word as jint)
        })
    }

    /// A thread's word with one lock more.
    fn withLock(env, class, before: jint, lock: jint, object: jobject) -> jint {
        with_agent(before, |agent| {
            if before as u32 == word::SHARED_MODIFIED {
                describe_lock(agent, Env(env), lock, object);
            }
            let id = object_id(lock);
            Some(word::write_word(agent.sets.with(set(before), id)) as jint)
        })
    }

    /// Looks for the field that refers to a lock; says whether there is one. The object is the one that is accessed.
    fn nameLock(env, class, lock: jint, held: jobject, object: jobject) -> jboolean {
        with_agent(0, |agent| {
            let env = Env(env);
            let search = Search { vm: &agent.vm, env, lock: held };
            let field = Vm::in_local_frame(env, || search.field(object))?;
            agent.evidence.name_lock(lock as u32, field);
            Some(1)
        })
    }

    /// A lock has died.
    fn forget(env, class, lock: jint) {
        with_agent((), |agent| {
            agent.sets.forget(object_id(lock));
            agent.evidence.forget_lock(lock as u32);
            None
        });
    }

    /// An access that changed the state of its location.
    fn touched(
        env, class, thread: jint, site: jint, key: jint, offset: jint, read: jint, write: jint, is_write: jboolean,
        moment: jlong
    ) {
        with_agent((), |agent| {
            let frames = if agent.evidence.wants_stack() {
                agent.vm.frames(agent.options.stack_depth)
            } else {
                Frames::default()
            };
            let seen = Seen { moment, ..seen(thread, site, read, write, is_write, frames) };
            agent.evidence.remember(LocationKey { object: key, offset }, seen);
            agent.settled.begin(agent);
            None
        });
    }

    /// What is remembered of an array is remembered of one of its elements.
    fn parted(env, class, key: jint, array: jint, element: jint) {
        with_agent((), |agent| {
            let [array, element] = [array, element].map(|offset| LocationKey { object: key, offset });
            agent.evidence.part(array, element);
            None
        });
    }

    /// An access that completed a race.
    fn race(
        env, class, before: jint, thread: jint, site: jint, key: jint, offset: jint, object: jobject, read: jint,
        write: jint, is_write: jboolean
    ) {
        with_agent((), |agent| {
            let env = Env(env);
            let variable = variable(agent, env, site, object);
            if agent.evidence.only_counts(&variable) {
                return None;
            }
            let frames = agent.vm.frames(agent.options.stack_depth);
            let current = seen(thread, site, read, write, is_write, frames);
            let location = LocationKey { object: key, offset };
            Vm::in_local_frame(env, || {
                agent.evidence.race(agent, env, location, variable, before as u32, current);
            });
            None
        });
    }

    /// A further access to a location with a race.
    fn witness(
        env, class, before: jint, thread: jint, site: jint, key: jint, offset: jint, read: jint, write: jint,
        is_write: jboolean
    ) -> jint {
        with_agent(word::REPORTED as jint, |agent| {
            let current = seen(thread, site, read, write, is_write, Frames::default());
            let wanted = before as u32 & word::PAYLOAD;
            let location = LocationKey { object: key, offset };
            let left =
                Vm::in_local_frame(Env(env), || agent.evidence.witness(agent, Env(env), location, wanted, current));
            Some(if left == 0 { word::REPORTED } else { word::OPEN | left } as jint)
        })
    }

    /// Whether the field of a site is volatile.
    fn isVolatile(env, class, site: jint) -> jboolean {
        with_agent(0, |agent| Some(is_volatile(agent, site).into()))
    }

    /// A second thread has come to a location.
    fn shared(env, class, site: jint, object: jobject) {
        with_agent((), |agent| {
            agent.evidence.shared(agent, site as u32, || variable(agent, Env(env), site, object));
            None
        });
    }

    /// An access that completed a race, by order.
    fn unordered(
        env, class, thread: jint, site: jint, key: jint, offset: jint, object: jobject, read: jint, write: jint,
        is_write: jboolean, other: jint, moment: jlong, other_read: jint, other_write: jint, other_is_write: jboolean,
        other_sites: jintArray, certain: jboolean, test: jint, other_test: jint
    ) -> jboolean {
        with_agent(0, |agent| {
            let env = Env(env);
            let variable = variable(agent, env, site, object);
            if agent.evidence.only_counts(&variable) {
                return None;
            }
            let frames = agent.vm.frames(agent.options.stack_depth);
            let current = Seen { test: test as u32, ..seen(thread, site, read, write, is_write, frames) };
            let other = seen(other, 0, other_read, other_write, other_is_write, Frames::default());
            let sites = if other_sites.is_null() { Vec::new() } else { env.ints(other_sites)? };
            let pair = Pair { current, other: Seen { moment, test: other_test as u32, ..other }, sites, grade: grade(certain != 0) };
            let location = LocationKey { object: key, offset };
            let goes_on = Vm::in_local_frame(env, || agent.evidence.unordered(agent, env, location, variable, pair));
            Some(goes_on.into())
        })
    }

    /// A further access to a location with a race, by order.
    fn pair(
        env, class, thread: jint, site: jint, key: jint, offset: jint, read: jint, write: jint, is_write: jboolean,
        certain: jlong, possible: jlong, place: jint, last: jboolean, test: jint
    ) {
        with_agent((), |agent| {
            let frames = Frames::default();
            let current = Seen { test: test as u32, ..seen(thread, site, read, write, is_write, frames) };
            let location = LocationKey { object: key, offset };
            let races = Races { certain: certain as u64, possible: possible as u64 };
            let place = usize::try_from(place).ok();
            Vm::in_local_frame(Env(env), || agent.evidence.pair(agent, Env(env), location, current, races, place));
            if last != 0 {
                agent.evidence.close(agent, location);
            }
            None
        });
    }

    /// The number of a test, or of what it was part of; 0 if there is none.
    fn test(env, class, called: jstring, has_ended: jboolean) -> jint {
        with_agent(0, |agent| Some(agent.suite.number(&Env(env).text(called), has_ended != 0) as jint))
    }

    /// A method runs that was not foreseen, or that one thread is to run.
    fn unreached(env, class, site: jint) {
        with_agent((), |agent| {
            Vm::in_local_frame(Env(env), || agent.focus.guarded(agent, site as u32));
            None
        });
    }

    /// Where it stands how far the proofs of the focus set hold; 0 if every lock is reported anyway.
    fn proofs(env, class) -> jlong {
        with_agent(0, |agent| Some(agent.focus.state()? as *const _ as jlong))
    }

    /// The monitors that the thread owns if some may not be reported, else null. A null among them stands for what is not known.
    fn monitors(env, class) -> jobjectArray {
        let unknown = [std::ptr::null_mut()];
        with_agent(std::ptr::null_mut(), |agent| {
            let monitors = agent.focus.unreported(agent, Env(env))?;
            Env(env).new_objects(monitors.as_deref().unwrap_or(&unknown))
        })
    }

    /// The class of a lock, for the trace.
    fn describe(env, class, lock: jint, object: jobject) {
        with_agent((), |agent| {
            let (class, class_object) = class_of_lock(agent, Env(env), object)?;
            let class = class_object.map_or(class, |of| trace::class_object(&of));
            agent.recorder.as_ref()?.object(object_id(lock), class);
            None
        });
    }

    /// The counter of tickets.
    fn tickets(env, class) -> jlong {
        with_agent(0, |agent| Some(std::ptr::from_ref(agent.recorder.as_ref()?.lanes.tickets()) as jlong))
    }

    /// The lane of a thread.
    fn open(env, class, thread: jint) -> jlong {
        with_agent(lane::WITHOUT_LANE, |agent| {
            let lanes = &agent.recorder.as_ref()?.lanes;
            RECORDING_THREAD.set(Some(thread_id(thread)));
            Some(lanes.open(thread_id(thread)).address() as jlong)
        })
    }

    /// The lane of the current thread is full.
    fn makeRoom(env, class, lane: jlong) {
        with_agent((), |agent| {
            // SAFETY: the helper class has the address from `open`.
            agent.recorder.as_ref()?.lanes.make_room(unsafe { Lane::at(lane as u64) });
            None
        });
    }

    /// An event of a thread without a lane.
    fn event(env, class, thread: jint, entry: jlong, index: jint, has_index: jboolean) {
        with_agent((), |agent| {
            let index = (has_index != 0).then_some(index as u32);
            agent.recorder.as_ref()?.lanes.event(thread_id(thread), entry as u64, index);
            None
        });
    }

    /// Whether accesses at a site are recorded: it is resolved, and its field is not final.
    fn isRecorded(env, class, site: jint) -> jboolean {
        with_agent(0, |agent| Some((!agent.evidence.declared(site as u32)?.flags.is_final).into()))
    }

    /// Enough is known of the accesses at a site.
    fn known(env, class, site: jint) {
        with_agent((), |agent| {
            agent.settled.add_site(agent, site as u32);
            None
        });
    }

    /// Whether a site is in a constructor or a class initializer.
    fn initializes(env, class, site: jint) -> jboolean {
        with_agent(0, |agent| Some(agent.sites.place(site as u32)?.method.starts_with('<').into()))
    }

    /// How many objects a site has to meet until one is sampled.
    fn gap(env, class, site: jint) -> jint {
        with_agent(jint::MAX, |agent| {
            let gap = agent.sampling.as_ref()?.lock().gap(SiteId(site as u32));
            Some(jint::try_from(gap).unwrap_or(jint::MAX))
        })
    }

    /// Whether the JDK calls for itself what is running, or its own synchronizers do, if they count here.
    fn isInternal(env, class, synchronizers_count: jboolean) -> jboolean {
        let of = if synchronizers_count != 0 { Of::Atomic } else { Of::Collection };
        // With `jdk=1` the code of the JDK is the program's.
        with_agent(0, |agent| (!agent.options.jdk).then(|| Vm::in_local_frame(Env(env), || is_internal(agent, of)).into()))
    }

    /// Where the program called the code of the JDK that is running.
    fn callSite(env, class) -> jint {
        with_agent(0, |agent| Some(Vm::in_local_frame(Env(env), || agent.callers.site(agent)) as jint))
    }
}

fn is_internal(agent: &Agent, of: Of) -> bool {
    let frames = agent.vm.frames(internal::DEPTH);
    let methods = frames.unresolved().iter().map(|frame| frame.method().0);
    let class_of = |method| agent.vm.internal_name(agent.vm.class_of_method(Method(method))?);
    agent.internal.is_caller(methods, class_of, of)
}

fn object_id(id: jint) -> ObjectId {
    ObjectId((id as u32).into())
}

fn seen(thread: jint, site: jint, read: jint, write: jint, is_write: jboolean, frames: Frames) -> Seen {
    Seen {
        thread: thread_id(thread),
        site: site as u32,
        kind: kind(is_write),
        read_set: set(read),
        write_set: set(write),
        moment: 0,
        test: 0,
        frames,
    }
}

fn grade(is_certain: bool) -> Grade {
    if is_certain { Grade::Certain } else { Grade::Possible }
}

/// What a site accesses in an object; in none for a static field.
fn variable(agent: &Agent, env: Env, site: jint, object: jobject) -> Variable {
    let class = match agent.sites.target(site as u32) {
        Target::Array(_) if !object.is_null() => agent.vm.descriptor(env.class_of(object)),
        Target::Contents(_) if !object.is_null() => agent.vm.internal_name(env.class_of(object)),
        _ => None,
    };
    agent.evidence.variable(agent, site as u32, object.is_null(), class)
}

fn describe_lock(agent: &Agent, env: Env, lock: jint, object: jobject) {
    if let Some((class, class_object)) = class_of_lock(agent, env, object) {
        agent.evidence.lock(lock as u32, class, class_object);
    }
}

/// The class of a lock; and if that is a class, which one.
fn class_of_lock(agent: &Agent, env: Env, object: jobject) -> Option<(String, Option<String>)> {
    let of_object = env.class_of(object);
    let mut class = agent.vm.internal_name(of_object).or_else(|| agent.vm.descriptor(of_object))?;
    // What stands for a ReentrantLock or a read-write lock is its inner synchronizer.
    for inner in ["$NonfairSync", "$FairSync"] {
        if let Some(outer) = class.strip_suffix(inner) {
            class.truncate(outer.len());
        }
    }
    let class_object = (class == "java/lang/Class").then(|| agent.vm.internal_name(Class(object))).flatten();
    Some((class, class_object))
}

/// Whether the field of a site is volatile.
fn is_volatile(agent: &Agent, site: jint) -> bool {
    agent.evidence.declared(site as u32).is_some_and(|declared| declared.flags.is_volatile)
}

/// Finds the class that declares the field, and takes note of it; `None` when accesses need no check.
fn declaring_class(agent: &Agent, env: Env, start: Class, site: u32, is_static: bool) -> Option<Class> {
    let Target::Field(field) = agent.sites.target(site) else { return None };
    let mut class = start;
    while agent.vm.internal_name(class)? != field.class {
        class = env.superclass(class)?;
    }
    let flags = loop {
        match agent.vm.declares(class, &field.name, &field.descriptor) {
            Some(flags) => break flags,
            None => class = env.superclass(class)?,
        }
    };
    let name = agent.vm.internal_name(class)?;
    agent.evidence.declare(site, Declared { class: name.clone(), flags });
    let loader = events::kind_of_loader(env, agent.vm.loader(class));
    if flags.is_final || flags.is_volatile && !agent.checks_by_order() || !agent.filter.checks(&name, loader) {
        return None;
    }
    if !is_static && !flags.is_volatile && agent.options.granularity == Granularity::Object {
        return topmost_with_word(agent, env, class, site, flags);
    }
    Some(class)
}

/// At object granularity the word lies in the topmost checked class.
fn topmost_with_word(agent: &Agent, env: Env, mut class: Class, site: u32, flags: FieldFlags) -> Option<Class> {
    let mut found = None;
    loop {
        if agent.vm.declares(class, hook::OBJECT_SHADOW, agent.events.shadow_descriptor()).is_some() {
            found = Some(class);
        }
        match env.superclass(class) {
            Some(superclass) => class = superclass,
            None => break,
        }
    }
    agent.evidence.declare(site, Declared { class: agent.vm.internal_name(found?)?, flags });
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ristretto_classfile::MethodAccessFlags;

    use super::NATIVES;
    use crate::helper::tests::{text, versions};

    /// The native methods that the helper classes declare, with their descriptors.
    fn declared() -> BTreeMap<String, String> {
        let mut natives = BTreeMap::new();
        for (name, class) in versions().flatten() {
            for method in class.methods.iter().filter(|method| method.access_flags.contains(MethodAccessFlags::NATIVE))
            {
                assert_eq!(name, "java/lang/JraceAgent", "the agent exports natives of this class only");
                assert!(method.access_flags.contains(MethodAccessFlags::STATIC));
                let pool = &class.constant_pool;
                natives.insert(text(pool, method.name_index), text(pool, method.descriptor_index));
            }
        }
        natives
    }

    /// What the JVM passes or takes for a type of a descriptor.
    fn accepts(rust: &str, java: &str) -> bool {
        match rust {
            "" => java == "V",
            "jint" => java == "I",
            "jlong" => java == "J",
            "jboolean" => java == "Z",
            "jstring" => java == "Ljava/lang/String;",
            "jclass" => java == "Ljava/lang/Class;",
            "jbyteArray" => java == "[B",
            "jintArray" => java == "[I",
            "jobjectArray" => java.starts_with("[L"),
            "jobject" => java.starts_with('L'),
            _ => false,
        }
    }

    /// The types in a descriptor, that of the result last.
    fn types(descriptor: &str) -> Vec<&str> {
        let (arguments, result) = descriptor[1..].split_once(')').expect("a descriptor");
        let mut types = Vec::new();
        let mut rest = arguments;
        while !rest.is_empty() {
            let base = rest.find(|letter| letter != '[').expect("a type");
            let end = if rest[base..].starts_with('L') { rest.find(';').expect("a class") + 1 } else { base + 1 };
            types.push(&rest[..end]);
            rest = &rest[end..];
        }
        types.push(result);
        types
    }

    /// A native method that Java declares otherwise than it is exported would read its arguments from the wrong registers.
    #[test]
    fn natives_are_exported_as_they_are_declared() {
        let mut declared = declared();
        for (name, arguments, result) in NATIVES {
            let descriptor = declared.remove(*name).unwrap_or_else(|| panic!("no class declares {name}"));
            let exported = arguments.iter().chain([result]);
            let java = types(&descriptor);
            assert_eq!(java.len(), arguments.len() + 1, "{name}{descriptor}");
            let agree = exported.zip(&java).all(|(rust, java)| accepts(rust, java));
            assert!(agree, "{name}{descriptor} is exported with {arguments:?} and {result:?}");
        }
        assert!(declared.is_empty(), "not exported: {declared:?}");
    }

    #[test]
    fn types_of_descriptors_are_told_apart() {
        assert_eq!(types("(I[BLjava/lang/String;[[Lx;Z)V"), ["I", "[B", "Ljava/lang/String;", "[[Lx;", "Z", "V"]);
        assert!(!accepts("jint", "J") && !accepts("jobject", "[B") && !accepts("jstring", "Ljava/lang/Object;"));
    }
}
