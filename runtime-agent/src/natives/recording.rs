//! What goes to a trace.

use facts::index::{ObjectId, SiteId};
use facts::layout::lane;
use jvmti_bindings::sys::jni::{jboolean, jint, jlong, jobject};

use super::thread_id;

natives! {
    /// The class of a lock, for the trace.
    fn describe(agent, env, lock: jint, object: jobject) {
        let class = agent.locks.traced_class(env, object)?;
        agent.recorder.as_ref()?.object(ObjectId((lock as u32).into()), class);
    }

    /// The counter of tickets.
    fn tickets(agent, env) -> jlong, else 0 => {
        Some(std::ptr::from_ref(agent.recorder.as_ref()?.tickets()) as jlong)
    }

    /// The lane of a thread.
    fn open(agent, env, thread: jint) -> jlong, else lane::WITHOUT_LANE => {
        Some(agent.recorder.as_ref()?.open(thread_id(thread)) as jlong)
    }

    /// The lane of the current thread is full.
    fn makeRoom(agent, env, lane: jlong) {
        // SAFETY: the helper class has the address from `open`.
        unsafe { agent.recorder.as_ref()?.make_room(lane as u64) };
    }

    /// An event of a thread without a lane.
    fn event(agent, env, thread: jint, entry: jlong, index: jint, has_index: jboolean) {
        let index = (has_index != 0).then_some(index as u32);
        agent.recorder.as_ref()?.event(thread_id(thread), entry as u64, index);
    }

    /// Whether accesses at a site are recorded: it is resolved, and its field is not final.
    fn isRecorded(agent, env, site: jint) -> jboolean, else 0 => {
        Some((!agent.variables.declared(site as u32)?.flags.is_final).into())
    }

    /// Where the program called the code of the JDK that is running.
    fn callSite(agent, env) -> jint, else 0 => {
        Some(env.in_local_frame(|| agent.callers.site()) as jint)
    }

    /// How many objects a site has to meet until one is sampled.
    fn gap(agent, env, site: jint) -> jint, else jint::MAX => {
        let gap = agent.sampling.as_ref()?.lock().gap(SiteId(site as u32));
        Some(jint::try_from(gap).unwrap_or(jint::MAX))
    }

    /// Whether a site is in a constructor or a class initializer.
    fn initializes(agent, env, site: jint) -> jboolean, else 0 => {
        Some(agent.sites.place(site as u32)?.method.starts_with('<').into())
    }

    /// Enough is known of the accesses at a site.
    fn known(agent, env, site: jint) {
        agent.retired.add_site(site as u32);
    }
}
