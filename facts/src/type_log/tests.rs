use proptest::prelude::*;

use super::*;

fn any_lock() -> impl Strategy<Value = Lock> {
    let class = "[ab]";
    prop_oneof![Just(Lock::This), class.prop_map(Lock::Class), class.prop_map(Lock::Same), class.prop_map(Lock::Other)]
}

prop_compose! {
    fn any_field()(
        name in "[xy\\PC]",
        [objects, shared, handed_over, reads, writes, late, late_writes, threads] in std::array::from_fn(|_| 0..3_u64),
        thread in prop::option::of("main|worker"),
        locks in prop::collection::btree_set(any_lock(), 0..3),
        offsets in prop::collection::btree_set(0..5_u32, 0..3),
    ) -> FieldUse {
        let sites = BTreeMap::from([("a/A".to_owned(), BTreeMap::from([("run()V".to_owned(), offsets)]))]);
        let locks = if late == 0 { BTreeSet::new() } else { locks };
        FieldUse {
            name, descriptor: "I".to_owned(), objects, shared, handed_over, reads, writes, late, late_writes, threads, thread,
            locks, sites,
        }
    }
}

prop_compose! {
    fn any_class()(class in "a/[AB]", hash in 0..3_u64, fields in prop::collection::vec(any_field(), 0..3), n in 0..3_u64) -> ClassUse {
        let methods = BTreeMap::from([("run()V".to_owned(), MethodUse { accesses: n, own_lock: n })]);
        ClassUse { class, hash, fields, methods }
    }
}

/// Few JVMs, so that logs have some in common.
fn any_log() -> impl Strategy<Value = TypeLog> {
    let run = (0..2_u64, 1..3_u32).prop_map(|(started, pid)| Run { started, pid, command: "Main".to_owned() });
    prop::collection::vec((run, prop::collection::vec(any_class(), 0..3)), 0..4).prop_map(|runs| {
        let mut log = TypeLog::default();
        runs.into_iter().for_each(|(run, classes)| log.add(run, classes));
        log
    })
}

fn written(log: &TypeLog) -> Vec<u8> {
    let mut text = Vec::new();
    log.write(&mut text).unwrap();
    text
}

proptest! {
    #[test]
    fn logs_merge_in_any_order_and_once(a in any_log(), b in any_log(), c in any_log()) {
        let merge = |one: &TypeLog, other: &TypeLog| one.clone().merge(other.clone());
        prop_assert_eq!(merge(&a, &b), merge(&b, &a));
        prop_assert_eq!(merge(&merge(&a, &b), &c), merge(&a, &merge(&b, &c)));
        prop_assert_eq!(merge(&a, &a), a.clone());
        prop_assert_eq!(merge(&a, &TypeLog::default()), a.clone());
        prop_assert_eq!(merge(&merge(&a, &b), &b).fields(), merge(&a, &b).fields());
    }

    #[test]
    fn what_objects_show_adds_up_in_any_order(a in any_field(), b in any_field(), c in any_field()) {
        let named = |field: FieldUse| FieldUse { name: "x".to_owned(), ..field };
        let (a, b, c) = (named(a), named(b), named(c));
        let and = |one: &FieldUse, other: &FieldUse| one.clone().and(other.clone());
        prop_assert_eq!(and(&a, &b), and(&b, &a));
        prop_assert_eq!(and(&and(&a, &b), &c), and(&a, &and(&b, &c)));
    }

    #[test]
    fn logs_read_back_as_they_were_written_or_not_at_all(
        log in any_log(),
        damage in (any::<prop::sample::Index>(), 1..=u8::MAX),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = written(&log);
        prop_assert_eq!(TypeLog::read(text.as_slice()).unwrap(), log.clone());
        let mut damaged = text.clone();
        damaged[damage.0.index(text.len())] ^= damage.1;
        // Another way to write the same header is no damage, nor is a last line that does not end.
        for damaged in [damaged.as_slice(), &text[..cut.index(text.len())]] {
            if let Ok(read) = TypeLog::read(damaged) {
                prop_assert_eq!(read, log.clone());
            }
        }
    }

    #[test]
    fn anything_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let header = serde_json::to_vec(&Header { type_log: FORMAT, hash: hash(&bytes) }).unwrap();
        // Neither panics.
        let _ = TypeLog::read(bytes.as_slice());
        let _ = TypeLog::read([&header[..], b"\n", &bytes].concat().as_slice());
    }
}

fn field(late: u64, locks: &[Lock]) -> FieldUse {
    FieldUse {
        name: "x".to_owned(),
        descriptor: "I".to_owned(),
        objects: 2,
        shared: u64::from(late > 0),
        handed_over: 0,
        reads: 3,
        writes: 1,
        late,
        late_writes: late,
        threads: 1,
        thread: None,
        locks: locks.iter().cloned().collect(),
        sites: BTreeMap::new(),
    }
}

fn owner(seen: FieldUse) -> Option<Owner> {
    Observed { seen, runs: 1 }.owner()
}

#[test]
fn owners_follow_from_what_was_seen() {
    let other = || Lock::Other("b/B".to_owned());
    let guarded = field(2, &[other(), Lock::This]);
    assert_eq!(owner(field(0, &[])), Some(Owner::ThisThread));
    assert_eq!(owner(guarded.clone()), Some(Owner::Lock(Lock::This)), "the best lock");
    assert_eq!(owner(guarded.clone().and(field(0, &[]))), Some(Owner::Lock(Lock::This)), "one thread needs no lock");
    assert_eq!(owner(guarded.clone().and(field(1, &[other()]))), Some(Owner::Lock(other())), "what all hold");
    assert_eq!(owner(guarded.clone().and(field(1, &[]))), None);
    assert_eq!(owner(FieldUse { late_writes: 0, ..guarded }), Some(Owner::ReadOnly));
    assert_eq!(owner(FieldUse { handed_over: 1, ..field(2, &[]) }), Some(Owner::Unique));
    assert_eq!(
        owner(FieldUse { handed_over: 1, shared: 2, ..field(2, &[]) }),
        None,
        "all objects are handed over, or none"
    );
}

#[test]
fn changed_classes_are_forgotten_with_their_code() {
    let class = |name: &str, hash| ClassUse {
        class: name.to_owned(),
        hash,
        fields: vec![FieldUse {
            sites: ["a/A", "a/B"]
                .map(|class| (class.to_owned(), BTreeMap::from([("run()V".to_owned(), BTreeSet::from([1]))])))
                .into(),
            ..field(0, &[])
        }],
        methods: BTreeMap::new(),
    };
    let mut log = TypeLog::default();
    let run = |pid| Run { started: 1, pid, command: String::new() };
    log.add(run(1), vec![class("a/A", 1), class("a/B", 1)]);
    log.add(run(2), vec![class("a/A", 1), class("a/B", 2)]);
    assert_eq!(log.keep(|_, hash| hash == 1), ["a/B".to_owned()].into());
    let fields = log.fields();
    let runs: Vec<_> = fields.values().map(|field| (field.runs, field.seen.sites.len())).collect();
    assert_eq!(runs, [(2, 2), (1, 2)], "the second JVM ran other code of `a/B`");
}
