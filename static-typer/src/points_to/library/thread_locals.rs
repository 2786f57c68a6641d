//! What a `ThreadLocal` holds: a slot of it, of each thread. The JDK keeps it in a map of the thread, in which all of them meet.
//!
//! Who starts a thread has `childValue` called for it; as the maps are not followed, on whatever any thread has.

use crate::points_to::core::code::{CallSite, Code, Dispatch, Global, Local, Slot, call};
use crate::points_to::frontend::resolve::Resolution;
use crate::program::{MethodId, Program, Type};

const THREAD_LOCAL: &str = "java/lang/ThreadLocal";
const INHERITABLE: &str = "java/lang/InheritableThreadLocal";
/// Classes whose objects hand on what they hold: to the threads that a thread makes, or to virtual threads on one carrier.
const HANDING_ON: &[&str] = &[INHERITABLE, "jdk/internal/misc/CarrierThreadLocal"];

/// Makes code do what a method of `ThreadLocal` does that gets at the map of a thread; says whether this is one.
pub fn model(resolution: &Resolution<'_>, code: &mut Code, method: MethodId) -> bool {
    let program = resolution.program;
    if !is_of(program, method) {
        return false;
    }
    let receiver = code.parameters.first().copied().flatten();
    match (&*program.names().text(program.method(method).name), receiver) {
        ("get" | "getCarrierThreadLocal", Some(receiver)) => get(resolution, code, receiver),
        ("set" | "setCarrierThreadLocal", Some(receiver)) => set(code, receiver),
        ("createInheritedMap", _) => inherit(resolution, code),
        _ => return false,
    }
    true
}

/// Whether a method is one of `ThreadLocal`'s own.
pub fn is_of(program: &Program, method: MethodId) -> bool {
    &*program.class_name(program.method(method).class) == THREAD_LOCAL
}

/// Whether other threads than the one that stored it never get what an object of a type holds.
pub(crate) fn is_of_one_thread(program: &Program, ty: Type) -> bool {
    let class = ty.as_class().and_then(|name| program.find(name));
    let mut above = class.into_iter().flat_map(|class| program.superclasses(class));
    class.is_some() && !above.any(|class| HANDING_ON.contains(&&*program.class_name(class)))
}

fn get(resolution: &Resolution<'_>, code: &mut Code, receiver: Local) {
    let result = code.result_local();
    code.load(result, receiver, Slot::PerThread);
    code.global_stores.push((Global::ThreadLocals, receiver));
    if let Some(initial) = resolution.program.method_named(THREAD_LOCAL, "initialValue", "()Ljava/lang/Object;") {
        let value = code.local();
        let site = call(Dispatch::Virtual, initial, Box::new([Some(receiver)]));
        code.call(CallSite { result: Some(value), ..site });
        code.store(receiver, Slot::PerThread, value);
    }
}

fn set(code: &mut Code, receiver: Local) {
    code.global_stores.push((Global::ThreadLocals, receiver));
    if let Some(value) = code.parameters.last().copied().flatten() {
        code.store(receiver, Slot::PerThread, value);
    }
}

fn inherit(resolution: &Resolution<'_>, code: &mut Code) {
    let inheritable = resolution.program.class_named(INHERITABLE);
    let child_value =
        resolution.program.method_named(THREAD_LOCAL, "childValue", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let Some((class, method)) = inheritable.zip(child_value) else { return };
    let (of, value, inherited) = (code.local(), code.local(), code.local());
    let ty = Type::class(resolution.program.class(class).name);
    code.global_loads.push((of, Global::ThreadLocals, Some(ty)));
    code.load(value, of, Slot::PerThread);
    let site = call(Dispatch::Virtual, method, Box::new([Some(of), Some(value)]));
    code.call(CallSite { result: Some(inherited), repeats: true, ..site });
    code.store(of, Slot::PerThread, inherited);
}
