//! Traces come back as they were written; damaged ones come back up to the damage.

use std::io::{Cursor, Read};

use proptest::prelude::*;

use super::*;
use crate::access::{AccessKind, LockMode};
use crate::event::{EventKind, Location};
use crate::finding::Jvm;
use crate::site::{Action, ArrayRef, FieldRef, Place};

fn jvm() -> Jvm {
    Jvm {
        format: 1,
        pid: 4711,
        started: 1_700_000_000_000,
        version: "25+36".to_owned(),
        command: "Main".to_owned(),
        check: "eraser, field".to_owned(),
        options: vec!["jdk=1".to_owned()],
        directory: "/home/bank".to_owned(),
    }
}

fn write(records: &[Record]) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new(), &jvm()).unwrap();
    for (number, record) in records.iter().enumerate() {
        writer.record(record).unwrap();
        // Blocks of ten records, so that short lists have several.
        if number % 10 == 9 {
            writer.flush().unwrap();
        }
    }
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> Vec<Record> {
    let Ok(reader) = TraceReader::new(bytes) else { return Vec::new() };
    reader.map(Result::unwrap).collect()
}

/// The trace with a block of this payload where its end mark was.
fn with_last_block(mut trace: Vec<u8>, payload: &[u8]) -> Vec<u8> {
    trace.truncate(trace.len() - 8);
    trace.extend_from_slice(&u32::try_from(payload.len()).unwrap().to_le_bytes());
    trace.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    trace.extend_from_slice(payload);
    trace
}

fn object() -> impl Strategy<Value = ObjectId> {
    prop_oneof![1..50_u64, any::<u64>()].prop_map(ObjectId)
}

fn location() -> impl Strategy<Value = Location> {
    let field = || prop_oneof![1..50_u32, any::<u32>()].prop_map(FieldId);
    prop_oneof![
        (object(), field()).prop_map(|(object, field)| Location::Field(object, field)),
        field().prop_map(Location::Static),
        (object(), any::<u32>()).prop_map(|(array, index)| Location::Element(array, index)),
    ]
}

fn action() -> impl Strategy<Value = EventKind> {
    let mode = || prop_oneof![Just(LockMode::Exclusive), Just(LockMode::Shared)];
    let kind = || prop_oneof![Just(AccessKind::Read), Just(AccessKind::Write)];
    prop_oneof![
        Just(EventKind::Begin),
        Just(EventKind::End),
        any::<u32>().prop_map(|thread| EventKind::Fork(ThreadId(thread))),
        any::<u32>().prop_map(|thread| EventKind::Join(ThreadId(thread))),
        (object(), mode()).prop_map(|(lock, mode)| EventKind::Acquire(lock, mode)),
        (object(), mode()).prop_map(|(lock, mode)| EventKind::Release(lock, mode)),
        (kind(), location()).prop_map(|(kind, location)| EventKind::Access(kind, location)),
        (kind(), location()).prop_map(|(kind, location)| EventKind::Volatile(kind, location)),
        object().prop_map(EventKind::WaitBegin),
        object().prop_map(EventKind::WaitEnd),
        (object(), any::<bool>()).prop_map(|(lock, all)| EventKind::Notify(lock, all)),
        object().prop_map(EventKind::Publish),
        object().prop_map(EventKind::Observe),
        object().prop_map(EventKind::ClassInitBegin),
        object().prop_map(EventKind::ClassInitEnd),
        prop::sample::select(vec![EventKind::Enter, EventKind::Exit]),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let number = || prop_oneof![0..5_u32, any::<u32>()];
    (number(), number(), action()).prop_map(|(thread, site, action)| Event {
        thread: ThreadId(thread),
        site: SiteId(site),
        action,
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-c]", 1 => any::<String>()]
}

fn field_ref() -> impl Strategy<Value = FieldRef> {
    (name(), name(), name()).prop_map(|(class, name, descriptor)| FieldRef { class, name, descriptor })
}

fn site() -> impl Strategy<Value = Site> {
    let kind = || prop_oneof![Just(AccessKind::Read), Just(AccessKind::Write)];
    let array = (any::<char>(), prop::option::of((field_ref(), any::<u8>())));
    let action = prop_oneof![
        (kind(), field_ref()).prop_map(|(kind, field)| Action::Field(kind, field)),
        (kind(), field_ref()).prop_map(|(kind, field)| Action::Static(kind, field)),
        (kind(), array).prop_map(|(kind, (element, origin))| Action::Array(kind, ArrayRef { element, origin })),
        prop::sample::select(vec![
            Action::Enter,
            Action::Exit,
            Action::ClassInit,
            Action::Contents(AccessKind::Read),
            Action::Contents(AccessKind::Write),
            Action::Monitor,
            Action::Transaction
        ]),
    ];
    let (line, file) = (prop::option::of(any::<u32>()), prop::option::of(name()));
    (name(), name(), name(), any::<u32>(), line, file, action).prop_map(
        |(class, method, descriptor, offset, line, file, action)| Site {
            place: Place { class, method, descriptor, offset, line, file },
            action,
        },
    )
}

fn record() -> impl Strategy<Value = Record> {
    let field = (field_ref(), any::<u16>()).prop_map(|(field, flags)| FieldDefinition {
        class: field.class,
        name: field.name,
        descriptor: field.descriptor,
        flags,
    });
    prop_oneof![
        6 => event().prop_map(Record::Event),
        1 => (any::<u32>(), site()).prop_map(|(id, site)| Record::Site(SiteId(id), Box::new(site))),
        1 => (any::<u32>(), field).prop_map(|(id, field)| Record::Field(FieldId(id), field)),
        1 => (any::<u32>(), name()).prop_map(|(id, name)| Record::Thread(ThreadId(id), name)),
        1 => (object(), name()).prop_map(|(id, class)| Record::Object(id, class)),
    ]
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec(record(), 0..60)
}

/// Whether one list is the beginning of the other, with one damage after it.
fn is_prefix_and_damage(read: &[Record], written: &[Record]) -> bool {
    match read.split_last() {
        Some((Record::Damage(_), good)) => written.starts_with(good),
        _ => false,
    }
}

proptest! {
    #[test]
    fn records_come_back(records in records()) {
        let bytes = write(&records);
        prop_assert_eq!(TraceReader::new(&*bytes).unwrap().jvm().clone(), jvm());
        prop_assert_eq!(read(&bytes), records);
    }

    #[test]
    fn corruption_leaves_a_prefix(records in records(), at: prop::sample::Index, mask in 1..=u8::MAX) {
        let mut bytes = write(&records);
        let at = at.index(bytes.len());
        bytes[at] ^= mask;
        // The version is not under a checksum, and another one may be as good.
        if at != MAGIC.len() && TraceReader::new(&*bytes).is_ok() {
            prop_assert!(is_prefix_and_damage(&read(&bytes), &records), "at {}", at);
        }
    }

    #[test]
    fn noise_leaves_a_prefix(records in records(), at: prop::sample::Index, noise: Vec<u8>) {
        let mut bytes = write(&records);
        let at = at.index(bytes.len());
        bytes.truncate(at);
        bytes.extend_from_slice(&noise);
        if TraceReader::new(&*bytes).is_ok() && bytes != write(&records) {
            let read = read(&bytes);
            prop_assert!(is_prefix_and_damage(&read, &records) || read == records, "at {}", at);
        }
    }

    #[test]
    fn hostile_payloads_do_no_harm(payload: Vec<u8>, records in records()) {
        let mut writer = TraceWriter::new(Vec::new(), &jvm()).unwrap();
        records.iter().for_each(|record| writer.record(record).unwrap());
        writer.flush().unwrap();
        let read = read(&with_last_block(writer.finish().unwrap(), &payload));
        prop_assert!(read.len() > records.len() && read[..records.len()] == records[..]);
        let damaged = matches!(read.last(), Some(Record::Damage(_)));
        prop_assert!(damaged, "there is no end mark");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn every_truncation_leaves_a_prefix(records in records()) {
        let bytes = write(&records);
        let mut last = 0;
        for length in 0..bytes.len() {
            let read = read(&bytes[..length]);
            prop_assert!(read.is_empty() || is_prefix_and_damage(&read, &records), "length {}", length);
            prop_assert!(read.len() >= last, "a longer file yields no less");
            last = read.len();
        }
        prop_assert_eq!(last, records.len() + 1);
    }
}

#[test]
fn other_files_are_refused() {
    let bytes = write(&[]);
    let error = |bytes: &[u8]| TraceReader::new(bytes).err().unwrap().to_string();
    assert_eq!(error(b"PK\x03\x04"), "this is not a jrace trace");
    assert_eq!(error(&bytes[..20]), "the header of this trace is damaged: its first block is broken");
    let newer = [b"jrtrace".as_slice(), &[9], &bytes[8..]].concat();
    assert_eq!(
        error(&newer),
        "this trace has format 9, and this jrace reads formats 1 to 4: use the jrace that recorded it"
    );
}

#[test]
fn version_1_is_read() {
    let records = [Record::Thread(ThreadId(1), "main".to_owned())];
    let mut bytes = write(&records);
    bytes[MAGIC.len()] = 1;
    assert_eq!(read(&bytes), records);
}

#[test]
fn a_length_is_not_believed() {
    let mut bytes = write(&[]);
    let offset = bytes.len() - 8;
    bytes.truncate(offset);
    bytes.extend_from_slice(&[0xff; 8]);
    let damage = |kind| vec![Record::Damage(Damage { offset: offset as u64, kind })];
    assert_eq!(read(&bytes), damage(DamageKind::Corrupt));
    bytes.truncate(offset);
    assert_eq!(read(&bytes), damage(DamageKind::CutShort));
}

#[test]
fn long_strings_are_cut_at_a_character() {
    let name = "ä".repeat(40_000);
    let read = read(&write(&[Record::Thread(ThreadId(1), name.clone())]));
    assert_eq!(read, [Record::Thread(ThreadId(1), name[..65_534].to_owned())]);
}

/// The payload of a thread's name and an object's class, and the offset at which the second of them begins.
fn names(n_bytes_of_thread: usize, n_bytes_of_class: usize) -> (Vec<u8>, usize) {
    let mut payload = vec![event_code::FIRST_DEFINITION + 2, 1];
    let string = |payload: &mut Vec<u8>, length: usize| {
        bytes::put(payload, length as u64);
        payload.resize(payload.len() + length, b'x');
    };
    string(&mut payload, n_bytes_of_thread);
    let second = payload.len();
    payload.extend_from_slice(&[event_code::FIRST_DEFINITION + 3, 1, 0]);
    string(&mut payload, n_bytes_of_class);
    (payload, second)
}

#[test]
fn strings_that_would_have_been_cut_are_damage() {
    let start = write(&[]);
    let read = |payload: &[u8]| read(&with_last_block(start.clone(), payload));
    let damage = |at: usize, kind| Record::Damage(Damage { offset: (start.len() + at) as u64, kind });
    let thread = Record::Thread(ThreadId(1), "x".repeat(MAX_STRING));
    let object = Record::Object(ObjectId(1), "x".repeat(MAX_STRING));

    let (payload, second) = names(MAX_STRING, MAX_STRING + 1);
    assert_eq!(read(&payload), [thread.clone(), damage(second, DamageKind::Corrupt)]);
    assert_eq!(read(&names(MAX_STRING + 1, 1).0), [damage(0, DamageKind::Corrupt)]);
    let (payload, _) = names(MAX_STRING, MAX_STRING);
    assert_eq!(read(&payload), [thread, object, damage(payload.len(), DamageKind::CutShort)]);
}

#[test]
fn a_failing_stream_is_an_error_and_the_end() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk on fire"))
        }
    }
    let mut bytes = write(&[]);
    bytes.truncate(bytes.len() - 8);
    let mut reader = TraceReader::new(Read::chain(Cursor::new(bytes), Failing)).unwrap();
    assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "the trace cannot be read: disk on fire");
    assert!(reader.next().is_none());
}

/// Four threads that each enter a lock of their own object, work on its fields and on an array, and leave: the events are
/// interleaved in runs of about eight.
fn workload(n_events: u32) -> Vec<Event> {
    let mut random = 1_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let mut events = Vec::new();
    while events.len() < usize::try_from(n_events).unwrap() {
        let thread = ThreadId(u32::try_from(next(4)).unwrap() + 1);
        let object = ObjectId(10_000 + next(5_000));
        let method = u32::try_from(next(200)).unwrap();
        let mut push = |step: u32, action| events.push(Event { thread, site: SiteId(method * 10 + step), action });
        push(1, EventKind::Acquire(object, LockMode::Exclusive));
        for step in 2..5 {
            let kind = if step == 4 { AccessKind::Write } else { AccessKind::Read };
            push(step, EventKind::Access(kind, Location::Field(object, FieldId(method * 2 + step % 2))));
        }
        let index = u32::try_from(object.0 % 100).unwrap();
        push(5, EventKind::Access(AccessKind::Read, Location::Element(ObjectId(object.0 + 1), index)));
        push(6, EventKind::Access(AccessKind::Write, Location::Element(ObjectId(object.0 + 1), index + 1)));
        events.push(Event { thread, site: SiteId(0), action: EventKind::Release(object, LockMode::Exclusive) });
    }
    events
}

#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "prints its result")]
fn measure() {
    const ROUNDS: u32 = 10;
    let events = workload(1_000_000);
    let start = processor_seconds();
    let mut bytes = Vec::new();
    for _ in 0..ROUNDS {
        bytes.clear();
        let mut writer = TraceWriter::new(bytes, &jvm()).unwrap();
        events.iter().for_each(|event| writer.event(event).unwrap());
        bytes = writer.finish().unwrap();
    }
    let n_events = f64::from(ROUNDS) * 1e6;
    println!("write: {:.1} million events/s", n_events / (processor_seconds() - start) / 1e6);
    println!("size: {:.2} bytes per event", bytes.len() as f64 / 1e6);
    let start = processor_seconds();
    let n_read: usize = (0..ROUNDS).map(|_| TraceReader::new(&*bytes).unwrap().count()).sum();
    assert!(n_read >= 10_000_000);
    println!("read: {:.1} million events/s", n_events / (processor_seconds() - start) / 1e6);
}

/// Seconds of processor time that this thread has used: other processes do not disturb the measurement (Linux).
fn processor_seconds() -> f64 {
    let mut text = String::new();
    std::fs::File::open("/proc/thread-self/schedstat").unwrap().read_to_string(&mut text).unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
