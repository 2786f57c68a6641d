//! Lock sets against a naive twin.

use std::collections::BTreeSet;
use std::io::Read;

use facts::index::ObjectId;
use proptest::prelude::*;

use super::*;

type Naive = BTreeSet<ObjectId>;

fn set_of(sets: &LockSets, locks: &[u64]) -> SetId {
    locks.iter().fold(SetId::EMPTY, |set, lock| sets.with(set, ObjectId(*lock)))
}

#[test]
fn equal_sets_have_equal_ids() {
    let sets = LockSets::new();
    assert_eq!(set_of(&sets, &[1, 2, 1]), set_of(&sets, &[2, 1]));
    assert_ne!(set_of(&sets, &[1]), set_of(&sets, &[2]));
    assert_eq!(sets.intersect(set_of(&sets, &[1, 2]), set_of(&sets, &[2, 3])), set_of(&sets, &[2]));
    assert_eq!(sets.without(set_of(&sets, &[1]), ObjectId(1)), SetId::EMPTY);
}

#[test]
fn a_set_of_dead_locks_is_gone() {
    let sets = LockSets::new();
    let dead = set_of(&sets, &[1]);
    sets.forget(ObjectId(1));
    assert_eq!(sets.n_sets(), 0);
    assert_eq!(sets.intersect(dead, set_of(&sets, &[1])), SetId::EMPTY, "the id is not given out again");
    assert_eq!(sets.intersect(dead, dead), dead);
    assert_eq!(sets.elements(dead), []);
}

#[test]
fn a_set_with_a_live_lock_lives_on_as_an_alias() {
    let sets = LockSets::new();
    let nested = set_of(&sets, &[1, 2, 3]);
    sets.forget(ObjectId(2));
    assert_eq!(sets.elements(nested), [ObjectId(1), ObjectId(3)]);
    sets.forget(ObjectId(1));
    assert_eq!(sets.intersect(nested, set_of(&sets, &[3, 4])), set_of(&sets, &[3]));
    sets.forget(ObjectId(3));
    sets.forget(ObjectId(4));
    assert_eq!(sets.n_sets(), 0);
    assert!(sets.table.read().aliases.is_empty() && sets.table.read().members.is_empty());
}

#[test]
fn without_ids_left_a_new_set_stands_for_every_lock() {
    let sets = LockSets::new();
    sets.table.write().next = SetId::ALL.0 - 1;
    let last = set_of(&sets, &[1]);
    assert_ne!(last, SetId::ALL);
    let all = set_of(&sets, &[2]);
    assert_eq!(all, SetId::ALL);
    assert_eq!(sets.intersect(all, last), last);
    assert_eq!(sets.intersect(all, SetId::EMPTY), SetId::EMPTY);
    assert_eq!(sets.with(all, ObjectId(3)), all);
    assert!(sets.is_subset(last, all) && !sets.is_subset(all, last));
}

#[test]
fn many_threads_agree() {
    let sets = LockSets::new();
    let build = |first: u64| (0..200).map(|n| set_of(&sets, &[first + n % 7, n % 5, n % 3])).collect::<Vec<_>>();
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| build(10))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(results.iter().all(|result| *result == results[0]));
}

/// One call on the table; sets are chosen among those made so far.
#[derive(Clone, Copy, Debug)]
enum Call {
    With(usize, u64),
    Without(usize, u64),
    Intersect(usize, usize),
    Forget(u64),
}

fn call() -> impl Strategy<Value = Call> {
    let set = || 0..64_usize;
    prop_oneof![
        6 => (set(), 1..8_u64).prop_map(|(set, lock)| Call::With(set, lock)),
        2 => (set(), 1..8_u64).prop_map(|(set, lock)| Call::Without(set, lock)),
        4 => (set(), set()).prop_map(|(a, b)| Call::Intersect(a, b)),
        1 => (1..8_u64).prop_map(Call::Forget),
    ]
}

/// The naive twin: a list of sets by value; a lock that died keeps its number and comes back as another object.
#[derive(Default)]
struct Twin {
    made: Vec<(SetId, Naive)>,
    /// What a lock number stands for now: grows when the lock is forgotten.
    generation: [u64; 8],
    dead: Naive,
}

impl Twin {
    fn lock(&self, number: u64) -> ObjectId {
        ObjectId(number + 8 * self.generation[usize::try_from(number).unwrap()])
    }

    fn pick(&self, at: usize) -> (SetId, Naive) {
        self.made.get(at % self.made.len().max(1)).cloned().unwrap_or((SetId::EMPTY, Naive::new()))
    }

    fn apply(&mut self, sets: &LockSets, call: Call) {
        let new = match call {
            Call::With(set, lock) => {
                let (id, mut naive) = self.pick(set);
                naive.insert(self.lock(lock));
                (sets.with(id, self.lock(lock)), naive)
            }
            Call::Without(set, lock) => {
                let (id, mut naive) = self.pick(set);
                naive.remove(&self.lock(lock));
                (sets.without(id, self.lock(lock)), naive)
            }
            Call::Intersect(a, b) => {
                let (a, b) = (self.pick(a), self.pick(b));
                (sets.intersect(a.0, b.0), &a.1 & &b.1)
            }
            Call::Forget(lock) => {
                sets.forget(self.lock(lock));
                self.dead.insert(self.lock(lock));
                self.generation[usize::try_from(lock).unwrap()] += 1;
                return;
            }
        };
        self.made.push(new);
    }

    fn live(&self, naive: &Naive) -> Naive {
        naive - &self.dead
    }
}

proptest! {
    #[test]
    fn agrees_with_the_naive_twin(calls in prop::collection::vec(call(), 0..80)) {
        let (sets, mut twin) = (LockSets::new(), Twin::default());
        for call in calls {
            twin.apply(&sets, call);
        }
        for (id, naive) in &twin.made {
            prop_assert_eq!(sets.elements(*id), twin.live(naive).into_iter().collect::<Vec<_>>());
        }
        for (a, naive_a) in &twin.made {
            for (b, naive_b) in &twin.made {
                let common = twin.live(naive_a) .intersection(naive_b).copied().collect::<Vec<_>>();
                prop_assert_eq!(sets.elements(sets.intersect(*a, *b)), common);
                prop_assert_eq!(sets.is_subset(*a, *b), twin.live(naive_a).is_subset(naive_b));
                if naive_a == naive_b && twin.live(naive_a) == *naive_a {
                    prop_assert_eq!(a, b, "live sets are canonical");
                }
            }
        }
        for lock in 1..8 {
            sets.forget(twin.lock(lock));
        }
        let table = sets.table.read();
        prop_assert!(table.sets.is_empty() && table.ids.is_empty() && table.members.is_empty() && table.aliases.is_empty());
    }
}

#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "prints its result")]
fn measure() {
    const CALLS: u32 = 20_000_000;
    let sets = LockSets::new();
    let (a, ab, bc) = (set_of(&sets, &[1]), set_of(&sets, &[1, 2]), set_of(&sets, &[2, 3]));
    let time = |what: &str, call: &dyn Fn() -> SetId| {
        let start = processor_seconds();
        for _ in 0..CALLS {
            std::hint::black_box(call());
        }
        println!("{what}: {:.1} ns", (processor_seconds() - start) * 1e9 / f64::from(CALLS));
    };
    let black = std::hint::black_box::<SetId>;
    time("with, first lock", &|| sets.with(SetId::EMPTY, ObjectId(1)));
    time("with, third lock", &|| sets.with(black(ab), ObjectId(3)));
    time("without", &|| sets.without(black(ab), ObjectId(1)));
    time("intersect with a superset", &|| sets.intersect(black(a), black(ab)));
    time("intersect, neither is the result", &|| sets.intersect(black(ab), black(bc)));
    let fresh = std::cell::Cell::new(100);
    time("a lock comes and goes", &|| {
        fresh.set(fresh.get() + 1);
        let set = sets.with(SetId::EMPTY, ObjectId(fresh.get()));
        sets.forget(ObjectId(fresh.get()));
        set
    });
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| time("intersect with a superset, two threads", &|| sets.intersect(black(a), black(ab))));
        }
    });
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| time("with, two threads", &|| sets.with(black(ab), ObjectId(3))));
        }
    });
}

/// Seconds of processor time that this thread has used: other processes do not disturb the measurement (Linux).
fn processor_seconds() -> f64 {
    let mut text = String::new();
    std::fs::File::open("/proc/thread-self/schedstat").unwrap().read_to_string(&mut text).unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
