//! Where a thread comes from, in one line.

use facts::finding::Thread;
use facts::index::ThreadId;
use facts::name::{dotted, printable, simple};
use facts::site::Place;

use super::frames::is_folded;
use super::words;

/// Ends of the names of classes that keep threads to run tasks.
const POOLS: [&str; 4] = ["Executor", "ExecutorService", "Pool", "Timer"];

/// How far from the start of the thread its pool is looked for.
const NEAR: usize = 4;

/// `thread T3 was started at bank.Main.main(Main.java:12)`; nothing of the main thread, and of one that is not known.
pub fn line(thread: &Thread, is_own: impl Fn(&Place) -> bool) -> Option<String> {
    let (id, stack) = (thread.id, &thread.created);
    if stack.is_empty() {
        return (thread.name != "main" && id != ThreadId(0)).then(|| format!("the start of thread {id} was not seen"));
    }
    let own = stack.iter().find(|place| is_own(place));
    let pool = stack.iter().take(NEAR).find(|place| is_pool(place) && !is_own(place)).map(|place| &place.class);
    let shown = own.or_else(|| stack.iter().find(|place| !is_folded(place))).or(stack.first())?;
    Some(match (pool.map(|class| printable(&dotted(class))), own) {
        (Some(pool), None) => format!("thread {id} is a pool thread of {pool}"),
        (Some(pool), Some(own)) => format!("thread {id} is a pool thread of {pool}, started at {}", words::frame(own)),
        (None, _) => format!("thread {id} was started at {}", words::frame(shown)),
    })
}

fn is_pool(place: &Place) -> bool {
    let outer = simple(&place.class).split('$').next().unwrap_or_default();
    POOLS.iter().any(|end| outer.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, place};
    use super::*;

    fn line_of(stack: &[(&str, &str)]) -> Option<String> {
        let mut thread = access("read", 1, 3, &[]).thread;
        thread.created = stack.iter().map(|(class, method)| place(class, method, 9)).collect();
        line(&thread, |place| place.class.starts_with("bank/"))
    }

    #[test]
    fn a_thread_comes_from_own_code_or_a_pool() {
        let (start, pool) = (("java/lang/Thread", "start"), ("org/lib/ThreadPoolExecutor$Worker", "addWorker"));
        let (own, other) = (("bank/Main", "main"), ("org/lib/Poller", "poll"));
        for (stack, expected) in [
            (vec![start, own], "thread T3 was started at bank.Main.main(Main.java:9)"),
            (vec![start, other, own], "thread T3 was started at bank.Main.main(Main.java:9)"),
            (vec![start, other], "thread T3 was started at org.lib.Poller.poll(Poller.java:9)"),
            (vec![start], "thread T3 was started at java.lang.Thread.start(Thread.java:9)"),
            (vec![start, pool, other], "thread T3 is a pool thread of org.lib.ThreadPoolExecutor$Worker"),
            (
                vec![start, pool, own],
                "thread T3 is a pool thread of org.lib.ThreadPoolExecutor$Worker, started at bank.Main.main(Main.java:9)",
            ),
            (vec![], "the start of thread T3 was not seen"),
        ] {
            assert_eq!(line_of(&stack).as_deref(), Some(expected));
        }
    }
}
