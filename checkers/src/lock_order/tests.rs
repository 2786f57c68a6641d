use super::*;
use crate::replay::replay;
use crate::testing::notation::events;

fn check(text: &str) -> LockOrder {
    let mut checker = LockOrder::default();
    replay(&mut [&mut checker], events(text));
    checker
}

fn n_deadlocks(text: &str) -> usize {
    check(text).deadlocks().len()
}

/// A thread enters locks and leaves them.
fn nest(thread: &str, locks: &[&str]) -> String {
    let enter = locks.iter().map(|lock| format!("{thread} acq {lock};"));
    let leave = locks.iter().rev().map(|lock| format!("{thread} rel {lock};"));
    enter.chain(leave).collect()
}

#[test]
fn opposite_orders_can_deadlock() {
    let checker = check(&[nest("t1", &["a", "b"]), nest("t2", &["b", "a"])].concat());
    let [deadlock] = checker.deadlocks() else { panic!("{:?}", checker.deadlocks()) };
    let places: Vec<_> =
        deadlock.waits.iter().map(|wait| (wait.thread.0, wait.held_since.0, wait.site.0, wait.event)).collect();
    assert_eq!(places, [(2, 5, 6, 5), (1, 1, 2, 1)]);
    assert_eq!(deadlock.waits[0].holds, deadlock.waits[1].wants);
    assert_eq!(deadlock.waits[1].holds, deadlock.waits[0].wants);
    assert_eq!(n_deadlocks(&[nest("t1", &["a", "b"]), nest("t1", &["b", "a"])].concat()), 0, "one thread");
    assert_eq!(n_deadlocks(&[nest("t1", &["a", "b"]), nest("t2", &["a", "b"])].concat()), 0, "one order");
}

#[test]
fn gates_prevent_it() {
    let text = [nest("t1", &["g", "a", "b"]), nest("t2", &["g", "b", "a"])].concat();
    assert_eq!(n_deadlocks(&text), 0);
    let readers = text.replace("acq g", "acqr g").replace("rel g", "relr g");
    assert_eq!(n_deadlocks(&readers), 1, "readers do not exclude each other");
}

#[test]
fn start_and_join_prevent_it() {
    let (one, other) = (nest("t1", &["a", "b"]), nest("t2", &["b", "a"]));
    assert_eq!(n_deadlocks(&format!("{one} t1 fork t2; {other}")), 0);
    assert_eq!(n_deadlocks(&format!("t1 fork t2; {other} t1 join t2; {one}")), 0);
    assert_eq!(n_deadlocks(&format!("t1 fork t2; {one} {other}")), 1);
}

#[test]
fn longer_cycles() {
    let philosophers = |n: u32| -> String {
        (1..=n).map(|at| nest(&format!("t{at}"), &[&format!("f{at}"), &format!("f{}", at % n + 1)])).collect()
    };
    assert_eq!(check(&philosophers(4)).deadlocks()[0].waits.len(), 4);
    assert_eq!(n_deadlocks(&philosophers(5)), 0, "longer than the limit");
}

#[test]
fn waiting_acquires_the_monitor_again() {
    let waiter = "t1 acq a; t1 acq b; t1 wait a; t1 woken a; t1 rel b; t1 rel a;";
    assert_eq!(n_deadlocks(&format!("{waiter} {}", nest("t2", &["a", "b"]))), 1);
}

#[test]
fn places_are_reported_once_and_repetitions_cost_nothing() {
    let both = [nest("t1", &["a", "b"]), nest("t2", &["b", "a"])].concat();
    let mut checker = LockOrder::default();
    let once = events(&both);
    replay(&mut [&mut checker], once.iter().copied());
    let work = checker.work();
    for _ in 0..100 {
        replay(&mut [&mut checker], once.iter().copied());
    }
    assert_eq!((checker.deadlocks().len(), checker.work()), (1, work));
}

#[test]
fn limits_are_counted() {
    let mut checker = LockOrder::new(Limits { edges: 1, ..Limits::default() });
    replay(
        &mut [&mut checker],
        events(&[nest("t1", &["a", "b"]), nest("t2", &["b", "a"]), nest("t3", &["c", "d"])].concat()),
    );
    assert_eq!((checker.work().edges, checker.work().dropped), (1, 2));
    assert_eq!(checker.deadlocks().len(), 1, "compared before it is dropped");
}
