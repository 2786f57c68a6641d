//! Accesses that change what is known of their location, and those that race.

use checkers::eraser::word;
use facts::finding::Grade;
use facts::layout::grade;
use jvmti_bindings::sys::jni::{jboolean, jint, jintArray, jlong, jobject};

use super::locks::set;
use super::{kind, thread_id};
use crate::evidence::{LocationKey, Pair, Races, Seen};
use crate::jvmti::Frames;

fn seen(thread: jint, site: jint, read: jint, write: jint, is_write: jboolean) -> Seen {
    Seen {
        thread: thread_id(thread),
        site: site as u32,
        kind: kind(is_write),
        read_set: set(read),
        write_set: set(write),
        moment: 0,
        test: 0,
        frames: Frames::default(),
    }
}

fn graded(grade: jint) -> Grade {
    match grade {
        grade::CERTAIN => Grade::Certain,
        grade::UNLIKELY => Grade::Unlikely,
        _ => Grade::Possible,
    }
}

natives! {
    /// The state machine.
    fn step(
        agent, env, before: jint, thread: jint, site: jint, object: jobject, read: jint, write: jint, is_write: jboolean
    ) -> jint, else before => {
        let (sets, thread) = (&agent.locks.sets, thread_id(thread));
        let step = word::step(sets, before as u32, thread, set(read), set(write), kind(is_write));
        if word::becomes_shared(before as u32, step) {
            agent.evidence.shared(site as u32, || agent.variables.of(env, site as u32, object));
        }
        Some(step.word as jint)
    }

    /// An access that changed the state of its location.
    fn touched(
        agent, env, thread: jint, site: jint, key: jint, offset: jint, read: jint, write: jint, is_write: jboolean,
        moment: jlong
    ) {
        let seen = Seen { moment, ..seen(thread, site, read, write, is_write) };
        agent.evidence.remember(LocationKey { object: key, offset }, seen);
    }

    /// What is remembered of an array is remembered of one of its elements.
    fn parted(agent, env, key: jint, array: jint, element: jint) {
        let [array, element] = [array, element].map(|offset| LocationKey { object: key, offset });
        agent.evidence.part(array, element);
    }

    /// A second thread has come to a location.
    fn shared(agent, env, site: jint, object: jobject) {
        agent.evidence.shared(site as u32, || agent.variables.of(env, site as u32, object));
    }

    /// An access that completed a race.
    fn race(
        agent, env, before: jint, thread: jint, site: jint, key: jint, offset: jint, object: jobject, read: jint,
        write: jint, is_write: jboolean
    ) {
        let variable = agent.variables.of(env, site as u32, object);
        if !agent.evidence.only_counts(&variable) {
            let frames = agent.evidence.stack();
            let current = Seen { frames, ..seen(thread, site, read, write, is_write) };
            let location = LocationKey { object: key, offset };
            env.in_local_frame(|| agent.evidence.race(env, location, variable, before as u32, current));
        }
    }

    /// A further access to a location with a race.
    fn witness(
        agent, env, before: jint, thread: jint, site: jint, key: jint, offset: jint, read: jint, write: jint,
        is_write: jboolean
    ) -> jint, else word::REPORTED as jint => {
        let current = seen(thread, site, read, write, is_write);
        let wanted = before as u32 & word::PAYLOAD;
        let location = LocationKey { object: key, offset };
        let left = env.in_local_frame(|| agent.evidence.witness(env, location, wanted, current));
        Some(if left == 0 { word::REPORTED } else { word::OPEN | left } as jint)
    }

    /// An access that completed a race, by order.
    fn unordered(
        agent, env, thread: jint, site: jint, key: jint, offset: jint, object: jobject, read: jint, write: jint,
        is_write: jboolean, other: jint, moment: jlong, other_read: jint, other_write: jint, other_is_write: jboolean,
        other_sites: jintArray, surely: jint, test: jint, other_test: jint
    ) -> jboolean, else 0 => {
        let variable = agent.variables.of(env, site as u32, object);
        if agent.evidence.only_counts(&variable) {
            return None;
        }
        let (test, frames) = (test as u32, agent.evidence.stack());
        let current = Seen { test, frames, ..seen(thread, site, read, write, is_write) };
        let other = seen(other, 0, other_read, other_write, other_is_write);
        let other = Seen { moment, test: other_test as u32, ..other };
        let sites = if other_sites.is_null() { Vec::new() } else { env.ints(other_sites)? };
        let grade = graded(surely);
        let (location, pair) = (LocationKey { object: key, offset }, Pair { current, other, sites, grade });
        Some(env.in_local_frame(|| agent.evidence.unordered(env, location, variable, pair)).into())
    }

    /// A further access to a location with a race, by order.
    fn pair(
        agent, env, thread: jint, site: jint, key: jint, offset: jint, read: jint, write: jint, is_write: jboolean,
        certain: jlong, possible: jlong, unlikely: jlong, place: jint, last: jboolean, test: jint
    ) {
        let current = Seen { test: test as u32, ..seen(thread, site, read, write, is_write) };
        let location = LocationKey { object: key, offset };
        let races = Races([certain, possible, unlikely].map(|bits| bits as u64));
        env.in_local_frame(|| agent.evidence.pair(env, location, current, races, usize::try_from(place).ok()));
        if last != 0 {
            agent.evidence.close(location);
        }
    }
}
