use proptest::prelude::*;

use super::*;

fn with<const N: usize>(proofs: [(Proof, Vec<u32>); N]) -> MethodFocus {
    MethodFocus { proofs: proofs.into(), ..MethodFocus::default() }
}

fn guarded(guard: Guard) -> MethodFocus {
    MethodFocus { guard: Some(guard), ..MethodFocus::default() }
}

fn eliding<const N: usize>(elided: [Elided; N]) -> MethodFocus {
    MethodFocus { elided: elided.into(), ..MethodFocus::default() }
}

fn class(name: &str) -> ClassFocus {
    let reference = |field: &str| (name.to_owned(), field.to_owned(), "I".to_owned());
    ClassFocus {
        class: name.to_owned(),
        hash: hash(name.as_bytes()),
        fields: vec![reference("y"), reference("x"), reference("x")],
        methods: BTreeMap::from([
            ("run()V".to_owned(), with([(Proof::RaceFree, vec![3, 7]), (Proof::Idle, vec![4, 9, 12])])),
            ("add()V".to_owned(), with([(Proof::Held, vec![4]), (Proof::Conforming, vec![9])])),
            ("stop()V".to_owned(), guarded(Guard::Unreached)),
            ("load()V".to_owned(), MethodFocus { guard: Some(Guard::Hiding), ..with([(Proof::RaceFree, vec![1])]) }),
            ("test()V".to_owned(), guarded(Guard::RunByOne)),
            ("size()I".to_owned(), eliding([Elided::Lock, Elided::Transaction])),
            ("read()V".to_owned(), eliding([Elided::Transaction])),
        ]),
        open: Some(open()),
        family: Some(Family { skeleton: 1, fixed: 2, ..Family::default() }),
    }
}

fn open() -> Open {
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Open { fields: named(&["z"]), methods: named(&["run()V"]), is_made: false, locks: named(&["lock"]) }
}

fn set() -> FocusSet {
    let missing = BTreeSet::from(["c/Late".to_owned()]);
    let mut set =
        FocusSet { basis: Basis { jdk: Some("17.0.9".to_owned()), missing, gives_back: true }, ..FocusSet::default() };
    set.add(class("b/B"));
    set.add(class("a/A"));
    set
}

fn written(set: &FocusSet) -> Vec<u8> {
    let mut text = Vec::new();
    set.write(&mut text).unwrap();
    text
}

#[test]
fn sets_read_back_as_they_were_written() {
    let set = set();
    let text = written(&set);
    assert_eq!(FocusSet::read(text.as_slice()).unwrap(), set);
    let Focused::Typed(class) = set.of("a/A", b"a/A") else { panic!("it was typed") };
    assert!(class.is_race_free("a/A", "x", "I") && class.is_race_free("a/A", "y", "I"));
    assert!(!class.is_race_free("a/A", "x", "J") && !class.is_race_free("b/B", "x", "I"));
    let proofs =
        |name, offsets: &[u32]| offsets.iter().map(|at| class.method(name, "()V").proof(*at)).collect::<Vec<_>>();
    let (free, idle) = (Some(Proof::RaceFree), Some(Proof::Idle));
    assert_eq!(proofs("run", &[3, 4, 5, 7, 12]), [free, idle, None, free, idle]);
    assert_eq!(proofs("add", &[4, 9]), [Some(Proof::Held), Some(Proof::Conforming)]);
    let guards = ["stop", "load", "test", "run"].map(|name| set.method("a/A", name, "()V").guard);
    assert_eq!(guards, [Some(Guard::Unreached), Some(Guard::Hiding), Some(Guard::RunByOne), None]);
    assert!(set.method("a/A", "stop", "(I)V").is_empty() && set.method("c/C", "stop", "()V").is_empty());
    let elided =
        |name, descriptor| [Elided::Lock, Elided::Transaction].map(|what| class.method(name, descriptor).elides(what));
    assert_eq!((elided("size", "()I"), elided("read", "()V")), ([true, true], [false, true]));
    assert_eq!((elided("size", "()J"), elided("run", "()V")), ([false; 2], [false; 2]));
    assert!(set.lacks("c/Late") && !set.lacks("a/A"));
}

#[test]
fn a_set_says_what_its_methods_leave_out() {
    let said = |method: MethodFocus| {
        let mut set = FocusSet::default();
        set.add(ClassFocus { methods: BTreeMap::from([("run()V".to_owned(), method)]), ..ClassFocus::default() });
        (set.presumes_owners(), set.has_idle_locks(), set.has_idle_code())
    };
    for (method, expected) in [
        (with([(Proof::RaceFree, vec![1]), (Proof::Held, vec![3])]), (false, false, false)),
        (with([(Proof::Conforming, vec![1])]), (true, false, false)),
        (with([(Proof::Idle, vec![1])]), (false, true, true)),
        (eliding([Elided::Lock]), (false, true, true)),
        (eliding([Elided::Transaction]), (false, false, true)),
        (guarded(Guard::Hiding), (false, false, false)),
    ] {
        assert_eq!(said(method.clone()), expected, "{method:?}");
    }
}

#[test]
fn proofs_count_on_what_is_not_open() {
    let counts_on = |class: &str, name: &str, descriptor: &str, is_final| {
        let reflected =
            ReflectedMember { class: class.to_owned(), name: name.to_owned(), descriptor: descriptor.to_owned() };
        set().counts_on(&reflected, reflected.member(is_final))
    };
    let of_fields = [("x", false), ("z", false), ("x", true), ("lock", true)];
    assert_eq!(of_fields.map(|(name, is_final)| counts_on("a/A", name, "I", is_final)), [true, false, false, true]);
    let of_methods = [("run", "()V"), ("run", "(I)V"), ("<init>", "")];
    assert_eq!(of_methods.map(|(name, descriptor)| counts_on("a/A", name, descriptor, false)), [false, true, true]);
    assert!(!counts_on("c/C", "x", "I", false), "nothing is proved of a class that was not typed");
    let mut knows_nothing = set();
    let lock = ReflectedMember {
        class: format!("{LOCKS}ReentrantLock"),
        name: "unlock".to_owned(),
        descriptor: "()V".to_owned(),
    };
    assert!(!knows_nothing.counts_on(&lock, Member::Method));
    knows_nothing.basis.gives_back = false;
    assert!(knows_nothing.counts_on(&lock, Member::Method));
}

#[test]
fn proofs_hold_in_the_jdk_that_was_searched() {
    assert!(["17.0.9", "17.0.9+9-Ubuntu-1", "17.0.9-internal"].iter().all(|vm| set().holds_in(vm)));
    assert!(!["17.0.91+1", "17.0.9.1+1", "21.0.1+12", ""].iter().any(|vm| set().holds_in(vm)));
    assert!(FocusSet::default().holds_in("21.0.1+12"));
}

#[test]
fn other_bytes_are_another_class() {
    assert_eq!(set().of("a/A", b"other"), Focused::Changed);
    assert_eq!(set().of("c/C", b"c/C"), Focused::Unknown);
}

#[track_caller]
fn is_refused(text: &[u8]) {
    let error = FocusSet::read(text).expect_err("damage");
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}

#[test]
fn any_damage_costs_the_whole_set() {
    let text = written(&set());
    (0..text.len()).for_each(|cut| is_refused(&text[..cut]));
    for at in 0..text.len() {
        for flip in 1..=u8::MAX {
            let mut damaged = text.clone();
            damaged[at] ^= flip;
            // Another way to write the same header is no damage.
            match FocusSet::read(damaged.as_slice()) {
                Ok(read) => assert_eq!(read, set(), "byte {at} ^ {flip}"),
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::InvalidData),
            }
        }
    }
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    for lost in 0..lines.len() {
        is_refused(&[&lines[..lost], &lines[lost + 1..]].concat().concat());
    }
    is_refused(&[lines[0], lines[2], lines[1]].concat());
    is_refused(b"{}");
}

#[test]
fn other_versions_are_refused() {
    let text = String::from_utf8(written(&set())).unwrap();
    let older = text.replacen(&format!("{{\"focus_set\":{FORMAT}"), "{\"focus_set\":1", 1);
    assert_ne!(older, text);
    is_refused(older.as_bytes());
}

/// What fuzzing begins with is a set of today's form; else it would be refused, and nothing behind the header tried.
#[test]
fn the_seed_of_the_fuzzer_can_be_read() {
    let lines = &include_bytes!("../../../fuzz/seeds/focus/lines")[1..];
    let header = serde_json::to_vec(&Header { focus_set: FORMAT, hash: hash(lines) }).unwrap();
    let set = FocusSet::read([&header[..], b"\n", lines].concat().as_slice()).unwrap();
    assert!(set.has_idle_locks() && set.classes().any(|class| !class.fields.is_empty()));
}

fn any_class() -> impl Strategy<Value = ClassFocus> {
    let reference = ("[a-c]{1,2}", "[x-z\\PC]{1,2}", "I|J|\\[I");
    let fields = prop::collection::vec(reference, 0..4);
    let methods = prop::collection::btree_map("run\\(\\)V|main|[\\PC]{1,2}", any_method(), 0..3);
    let class = ("[a-c\\PC]{1,2}", any::<u64>(), fields, methods, prop::option::of(any_open()));
    class.prop_map(|(class, hash, fields, methods, open)| ClassFocus {
        class,
        hash,
        fields,
        methods,
        open,
        family: None,
    })
}

fn any_open() -> impl Strategy<Value = Open> {
    let names = || prop::collection::btree_set("[a-c\\PC]{1,2}", 0..3);
    let open = (names(), names(), any::<bool>(), names());
    open.prop_map(|(fields, methods, is_made, locks)| Open { fields, methods, is_made, locks })
}

fn any_method() -> impl Strategy<Value = MethodFocus> {
    let proof = prop::sample::select(vec![Proof::RaceFree, Proof::Held, Proof::Conforming, Proof::Idle]);
    let proofs = prop::collection::btree_map(proof, prop::collection::vec(0..9_u32, 0..3), 0..4);
    let guard = prop::sample::select(vec![Guard::Unreached, Guard::Hiding, Guard::RunByOne]);
    let elided = prop::sample::subsequence(vec![Elided::Lock, Elided::Transaction], 0..=2);
    let method = (proofs, prop::option::of(guard), elided);
    method.prop_map(|(proofs, guard, elided)| MethodFocus { proofs, guard, elided: elided.into_iter().collect() })
}

proptest! {
    /// What is read is what was written, or nothing: a set that leaves out more is never read.
    #[test]
    fn damaged_sets_prove_nothing_new(
        classes in prop::collection::vec(any_class(), 0..5),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut set = FocusSet::default();
        classes.into_iter().for_each(|class| set.add(class));
        let text = written(&set);
        prop_assert_eq!(FocusSet::read(text.as_slice()).unwrap(), set.clone());
        let mut damaged = text.clone();
        damage.iter().for_each(|(at, byte)| damaged[at.index(text.len())] = *byte);
        if cuts {
            damaged.truncate(cut.index(text.len()));
        }
        if let Ok(read) = FocusSet::read(damaged.as_slice()) {
            prop_assert_eq!(read, set);
        }
    }

    #[test]
    fn anything_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let header = serde_json::to_vec(&Header { focus_set: FORMAT, hash: hash(&bytes) }).unwrap();
        // Neither panics.
        let _ = FocusSet::read(bytes.as_slice());
        let _ = FocusSet::read([&header[..], b"\n", &bytes].concat().as_slice());
    }
}
