use facts::access::LockMode;
use proptest::prelude::*;

use super::*;
use crate::discovery::sampling::Sampling;
use crate::replay::replay;
use crate::testing::notation::events;
use crate::testing::random;

fn discovered(events: &[Event]) -> BTreeMap<FieldId, Vec<Sample>> {
    let mut discovery = Discovery::default();
    replay(&mut [&mut discovery], events.iter().copied());
    let fields = discovery.fields().into_iter();
    fields.map(|(field, samples)| (field, samples.into_iter().cloned().collect())).collect()
}

/// The only sample of the only field.
fn sample(text: &str) -> Sample {
    let fields = discovered(&events(text));
    let [samples] = fields.values().collect::<Vec<_>>()[..] else { panic!("{fields:?}") };
    let [sample] = samples.as_slice() else { panic!("{samples:?}") };
    sample.clone()
}

fn locks(text: &str) -> Option<Vec<u64>> {
    sample(text).locks.map(|locks| locks.iter().map(|lock| lock.0).collect())
}

#[test]
fn one_thread_needs_no_lock() {
    let sample = sample("t1 wr o.f; t1 acq m; t1 rd o.f; t1 rel m; t1 wr o.f");
    assert_eq!((sample.reads, sample.writes, sample.late, sample.threads.len()), (1, 2, 0, 1));
    assert_eq!((sample.locks, sample.returned), (None, false));
}

/// Names are numbered as they come.
#[test]
fn locks_count_from_the_second_thread_on() {
    assert_eq!(locks("t1 wr o.f; t2 acq o; t2 wr o.f; t2 rel o; t1 acq m; t1 acq o; t1 rd o.f"), Some(vec![1]));
    assert_eq!(locks("t1 wr o.f; t2 acq o; t2 wr o.f; t2 rel o; t1 rd o.f"), Some(vec![]));
    assert_eq!(locks("t1 wr x; t2 acq m; t2 wr x; t2 rel m; t3 acq m; t3 rd x"), Some(vec![2]));
    assert_eq!(locks("t1 wr x; t2 acqr m; t2 rd x"), Some(vec![2]), "a reader's lock protects reads");
    assert_eq!(locks("t1 wr x; t2 acqr m; t2 wr x"), Some(vec![]), "and no writes");
}

#[test]
fn a_thread_at_another_field_shares_the_object() {
    let fields = discovered(&events("t1 wr o.f; t1 wr o.g; t2 rd o.g; t1 wr o.f"));
    let late: Vec<_> = fields.values().map(|samples| (samples[0].late, samples[0].late_writes)).collect();
    assert_eq!(late, [(1, 1), (1, 0)]);
}

#[test]
fn handing_over_is_not_coming_back() {
    assert!(!sample("t1 wr o.f; t2 wr o.f; t2 rd o.f; t3 wr o.f").returned);
    assert!(sample("t1 wr o.f; t2 wr o.f; t1 rd o.f").returned);
}

#[test]
fn places_know_of_the_lock_of_the_object() {
    let sample = sample("t1 wr o.f; t2 acq o; t2 wr o.f; t2 rel o; t2 rd o.f");
    let sites: Vec<_> = sample.sites.iter().map(|(site, late)| (site.0, *late)).collect();
    assert_eq!(sites, [(1, (0, 0)), (3, (1, 1)), (5, (1, 0))]);
}

/// The same by looking through the whole list for each location.
fn naive(events: &[Event]) -> BTreeMap<FieldId, Vec<Sample>> {
    let mut fields = BTreeMap::<FieldId, Vec<Sample>>::new();
    let mut places: Vec<(Option<ObjectId>, FieldId)> =
        events.iter().filter_map(|event| Some(place(event)?.1)).collect();
    places.sort_unstable();
    places.dedup();
    for (object, field) in places {
        let mine = |at: &usize| place(&events[*at]).is_some_and(|(_, place)| place == (object, field));
        let accesses: Vec<usize> = (0..events.len()).filter(mine).collect();
        fields.entry(field).or_default().push(naive_sample(events, object, field, &accesses));
    }
    fields
}

fn naive_sample(events: &[Event], object: Option<ObjectId>, field: FieldId, accesses: &[usize]) -> Sample {
    let of_object = |event: &&Event| {
        place(event).is_some_and(|(_, (other, of))| other == object && (object.is_some() || of == field))
    };
    let first = events.iter().find(of_object).unwrap().thread;
    let is_shared = |at: usize| events[..=at].iter().filter(of_object).any(|event| event.thread != first);
    let kind = |at: usize| place(&events[at]).unwrap().0;
    let count = |wanted: AccessKind, late: bool| {
        accesses.iter().filter(|at| kind(**at) == wanted && (!late || is_shared(**at))).count() as u64
    };
    let late: Vec<usize> = accesses.iter().copied().filter(|at| is_shared(*at)).collect();
    let sets = late.iter().map(|at| naive_locks(events, *at, kind(*at)));
    let order: Vec<ThreadId> = accesses.iter().map(|at| events[*at].thread).collect();
    let mut turns = order.clone();
    turns.dedup();
    let mut sites = BTreeMap::<SiteId, (u64, u64)>::new();
    for at in accesses {
        let own = object.is_some_and(|object| naive_locks(events, *at, kind(*at)).contains(&object));
        let site = sites.entry(events[*at].site).or_default();
        site.0 += u64::from(is_shared(*at));
        site.1 += u64::from(is_shared(*at) && own);
    }
    let threads: BTreeSet<ThreadId> = order.iter().copied().collect();
    Sample {
        object,
        returned: turns.len() > threads.len(),
        threads,
        reads: count(AccessKind::Read, false),
        writes: count(AccessKind::Write, false),
        late: late.len() as u64,
        late_writes: count(AccessKind::Write, true),
        locks: sets.reduce(|one, other| &one & &other),
        sites,
        latest: order.last().copied(),
    }
}

fn place(event: &Event) -> Option<(AccessKind, (Option<ObjectId>, FieldId))> {
    match event.action {
        EventKind::Access(kind, Location::Field(object, field)) => Some((kind, (Some(object), field))),
        EventKind::Access(kind, Location::Static(field)) => Some((kind, (None, field))),
        _ => None,
    }
}

fn naive_locks(events: &[Event], at: usize, kind: AccessKind) -> BTreeSet<ObjectId> {
    let protects = |mode| kind == AccessKind::Read || mode == LockMode::Exclusive;
    naive_modes(events, at).into_iter().filter(|(_, mode)| protects(*mode)).map(|(lock, _)| lock).collect()
}

fn naive_modes(events: &[Event], at: usize) -> BTreeSet<(ObjectId, LockMode)> {
    let thread = events[at].thread;
    let mut depths = BTreeMap::<(ObjectId, LockMode), u32>::new();
    for event in events[..at].iter().filter(|event| event.thread == thread) {
        match event.action {
            EventKind::Acquire(lock, mode) => *depths.entry((lock, mode)).or_default() += 1,
            EventKind::Release(lock, mode) => {
                let depth = depths.entry((lock, mode)).or_default();
                *depth = depth.saturating_sub(1);
            }
            EventKind::End => depths.clear(),
            _ => {}
        }
    }
    depths.into_iter().filter(|(_, depth)| *depth > 0).map(|(held, _)| held).collect()
}

/// The events of objects that are sampled, as the agent meets them.
fn of_samples(seed: u64, events: &[Event]) -> Vec<Event> {
    let mut sampling = Sampling::new(seed);
    let (mut left, mut objects) = (BTreeMap::<SiteId, u64>::new(), BTreeMap::<ObjectId, bool>::new());
    let mut is_sampled = |event: &&Event| {
        let Some((_, (Some(object), _))) = place(event) else { return true };
        *objects.entry(object).or_insert_with(|| {
            let left = left.entry(event.site).or_insert(1);
            *left -= 1;
            let is_next = *left == 0;
            *left += if is_next { sampling.gap(event.site) } else { 0 };
            is_next
        })
    };
    events.iter().filter(|event| is_sampled(event)).copied().collect()
}

/// Without what the agent leaves out: accesses that tell no more than the latest one of the field.
fn without_repetitions(events: &[Event]) -> Vec<Event> {
    let mut words = BTreeMap::new();
    let mut first = BTreeMap::new();
    let mut kept = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let Some((kind, (object, field))) = place(event) else {
            kept.push(*event);
            continue;
        };
        let (met, shared) = first.entry((object, object.is_none().then_some(field))).or_insert((event.thread, false));
        *shared |= *met != event.thread;
        let held = shared.then(|| naive_modes(events, at));
        let word = (event.thread, held, kind);
        let before = words.get(&(object, field));
        let covers = |(thread, held, done): &(_, _, AccessKind)| {
            (thread, held) == (&word.0, &word.1) && (*done == kind || *done == AccessKind::Write)
        };
        if !before.is_some_and(covers) {
            words.insert((object, field), word);
            kept.push(*event);
        }
    }
    kept
}

/// What owners are inferred from.
fn verdicts(fields: &BTreeMap<FieldId, Vec<Sample>>) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let verdict = |sample: &Sample| {
        let Sample { object, threads, returned, late, late_writes, locks, .. } = sample.clone();
        (object, threads, returned, late > 0, late_writes > 0, locks)
    };
    fields.iter().map(|(field, samples)| (*field, samples.iter().map(verdict).collect::<Vec<_>>())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn the_naive_twin_sees_the_same(events in random::events()) {
        prop_assert_eq!(discovered(&events), naive(&events));
    }

    /// A list of accesses at a few sites, so that most of them repeat others.
    #[test]
    fn repetitions_change_counts_only(mut events in random::events(), seed in any::<u64>()) {
        events.iter_mut().for_each(|event| event.site.0 %= 3);
        let sampled = of_samples(seed, &events);
        let reduced = without_repetitions(&sampled);
        prop_assert_eq!(verdicts(&discovered(&reduced)), verdicts(&discovered(&sampled)));
    }
}
