//! Events as bytes.
//!
//! The lead byte has the operation in its low five bits, and three flags. Operations 0 to 25, 30 and 31 are events. The last two have no object of their own:
//! with the flag of the same object they are those of version 4, whose object is always written. Then come, as far as the flags and the operation
//! ask for them: the thread, the site, the object, the field or index; each as the difference to the same number in the
//! thread's previous event that had one.

use std::collections::BTreeMap;
use std::mem;

use super::bytes::{Bytes, put, put_difference};
use crate::access::{AccessKind, LockMode};
use crate::event::{Event, EventKind, Location};
use crate::index::{FieldId, ObjectId, SiteId, ThreadId};

/// The first operation that is a definition.
pub(super) const FIRST_DEFINITION: u8 = 26;
/// The first operation after the definitions; the numbers from here on were left when version 2 came.
const ENTER: u8 = 30;
const EXIT: u8 = 31;
const PUBLISH: u8 = ENTER | SAME_OBJECT;
const OBSERVE: u8 = EXIT | SAME_OBJECT;
/// The bits of the lead byte that are the operation.
pub(super) const OPERATION: u8 = 0x1f;
/// Flag: the event is by another thread than the one before it.
const OTHER_THREAD: u8 = 0x20;
/// Flag: the site is unknown.
const NO_SITE: u8 = 0x40;
/// Flag: the object is the one before.
const SAME_OBJECT: u8 = 0x80;

/// What both sides remember within a block.
#[derive(Default)]
pub(super) struct Registers {
    thread: u32,
    current: PerThread,
    others: BTreeMap<u32, PerThread>,
}

#[derive(Clone, Copy, Default)]
struct PerThread {
    site: u32,
    lock: u64,
    object: u64,
    field: u32,
    index: u32,
}

impl Registers {
    /// Forgets everything: a block begins. The map keeps no memory worth keeping.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    fn switch(&mut self, thread: u32) {
        let loaded = self.others.remove(&thread).unwrap_or_default();
        let saved = mem::replace(&mut self.current, loaded);
        self.others.insert(mem::replace(&mut self.thread, thread), saved);
    }
}

/// What an operation works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    None,
    Thread(ThreadId),
    Lock(ObjectId),
    /// An object through which something is published; never left out.
    Through(ObjectId),
    Location(Location),
}

/// Whether an operation is an event, and not a definition.
pub(super) fn is_event(operation: u8) -> bool {
    !(FIRST_DEFINITION..ENTER).contains(&operation)
}

/// Appends an event.
pub(super) fn encode(out: &mut Vec<u8>, registers: &mut Registers, event: &Event) {
    let (operation, operand) = split(event.action);
    let lead = out.len();
    out.push(operation);
    if event.thread.0 != registers.thread {
        out[lead] |= OTHER_THREAD;
        put_difference(out, registers.thread.into(), event.thread.0.into());
        registers.switch(event.thread.0);
    }
    let last = &mut registers.current;
    if event.site == SiteId(0) {
        out[lead] |= NO_SITE;
    } else {
        put_difference(out, last.site.into(), event.site.0.into());
        last.site = event.site.0;
    }
    out[lead] |= encode_operand(out, last, operand);
}

fn encode_operand(out: &mut Vec<u8>, last: &mut PerThread, operand: Operand) -> u8 {
    match operand {
        Operand::None => 0,
        Operand::Thread(thread) => {
            put(out, thread.0.into());
            0
        }
        Operand::Lock(lock) => encode_object(out, &mut last.lock, lock),
        Operand::Through(object) => {
            put_difference(out, mem::replace(&mut last.lock, object.0), object.0);
            0
        }
        Operand::Location(Location::Static(field)) => {
            encode_field(out, last, field);
            0
        }
        Operand::Location(Location::Field(object, field)) => {
            let flag = encode_object(out, &mut last.object, object);
            encode_field(out, last, field);
            flag
        }
        Operand::Location(Location::Element(array, index)) => {
            let flag = encode_object(out, &mut last.object, array);
            put_difference(out, last.index.into(), index.into());
            last.index = index;
            flag
        }
    }
}

fn encode_object(out: &mut Vec<u8>, last: &mut u64, object: ObjectId) -> u8 {
    if *last == object.0 {
        return SAME_OBJECT;
    }
    put_difference(out, mem::replace(last, object.0), object.0);
    0
}

fn encode_field(out: &mut Vec<u8>, last: &mut PerThread, field: FieldId) {
    put_difference(out, mem::replace(&mut last.field, field.0).into(), field.0.into());
}

/// Reads the event whose lead byte has just been read; `None` if the bytes are not an event.
pub(super) fn decode(bytes: &mut Bytes<'_>, registers: &mut Registers, lead: u8) -> Option<Event> {
    if lead & OTHER_THREAD != 0 {
        let thread = bytes.after_as(registers.thread)?;
        registers.switch(thread);
    }
    let last = &mut registers.current;
    let mut site = 0;
    if lead & NO_SITE == 0 {
        site = bytes.after_as(last.site)?;
        last.site = site;
    }
    let action = decode_action(bytes, last, lead)?;
    Some(Event { thread: ThreadId(registers.thread), site: SiteId(site), action })
}

fn decode_action(bytes: &mut Bytes<'_>, last: &mut PerThread, lead: u8) -> Option<EventKind> {
    let same = lead & SAME_OBJECT != 0;
    let operation = lead & operation_bits(lead);
    let operand = match shape(operation) {
        Shape::None => Operand::None,
        Shape::Thread => Operand::Thread(ThreadId(bytes.number_as()?)),
        Shape::Lock => Operand::Lock(decode_object(bytes, &mut last.lock, same)?),
        Shape::Through => Operand::Through(decode_object(bytes, &mut last.lock, false)?),
        Shape::Static => Operand::Location(Location::Static(decode_field(bytes, last)?)),
        Shape::Field => {
            let object = decode_object(bytes, &mut last.object, same)?;
            Operand::Location(Location::Field(object, decode_field(bytes, last)?))
        }
        Shape::Element => {
            let array = decode_object(bytes, &mut last.object, same)?;
            last.index = bytes.after_as(last.index)?;
            Operand::Location(Location::Element(array, last.index))
        }
    };
    join(operation, operand)
}

/// The bits that tell the operation: among those without an object, the flag of the same object does, too.
fn operation_bits(lead: u8) -> u8 {
    if lead & OPERATION >= ENTER { OPERATION | SAME_OBJECT } else { OPERATION }
}

fn decode_object(bytes: &mut Bytes<'_>, last: &mut u64, same: bool) -> Option<ObjectId> {
    if !same {
        *last = bytes.after(*last)?;
    }
    Some(ObjectId(*last))
}

fn decode_field(bytes: &mut Bytes<'_>, last: &mut PerThread) -> Option<FieldId> {
    last.field = bytes.after_as(last.field)?;
    Some(FieldId(last.field))
}

/// The operands that an operation has.
enum Shape {
    None,
    Thread,
    Lock,
    Through,
    Field,
    Static,
    Element,
}

fn shape(operation: u8) -> Shape {
    match operation {
        2 | 3 => Shape::Thread,
        4..=7 | 20..=25 => Shape::Lock,
        PUBLISH | OBSERVE => Shape::Through,
        8 | 9 | 14 | 15 => Shape::Field,
        10 | 11 | 16 | 17 => Shape::Static,
        12 | 13 | 18 | 19 => Shape::Element,
        _ => Shape::None,
    }
}

/// The operation ([`is_event`]) and the operand of an action.
fn split(action: EventKind) -> (u8, Operand) {
    match action {
        EventKind::Begin => (0, Operand::None),
        EventKind::End => (1, Operand::None),
        EventKind::Fork(thread) => (2, Operand::Thread(thread)),
        EventKind::Join(thread) => (3, Operand::Thread(thread)),
        EventKind::Acquire(lock, mode) => (4 + shared_bit(mode), Operand::Lock(lock)),
        EventKind::Release(lock, mode) => (6 + shared_bit(mode), Operand::Lock(lock)),
        EventKind::Access(kind, location) => (8 + access_bits(kind, location), Operand::Location(location)),
        EventKind::Volatile(kind, location) => (14 + access_bits(kind, location), Operand::Location(location)),
        EventKind::WaitBegin(lock) => (20, Operand::Lock(lock)),
        EventKind::WaitEnd(lock) => (21, Operand::Lock(lock)),
        EventKind::Notify(lock, all) => (22 + u8::from(all), Operand::Lock(lock)),
        EventKind::ClassInitBegin(class) => (24, Operand::Lock(class)),
        EventKind::ClassInitEnd(class) => (25, Operand::Lock(class)),
        EventKind::Publish(object) => (PUBLISH, Operand::Through(object)),
        EventKind::Observe(object) => (OBSERVE, Operand::Through(object)),
        EventKind::Enter => (ENTER, Operand::None),
        EventKind::Exit => (EXIT, Operand::None),
    }
}

/// The inverse of [`split`]; `None` if there is no such operation with such an operand.
fn join(operation: u8, operand: Operand) -> Option<EventKind> {
    let mode = if operation & 1 == 0 { LockMode::Exclusive } else { LockMode::Shared };
    let kind = if operation & 1 == 0 { AccessKind::Read } else { AccessKind::Write };
    Some(match (operation, operand) {
        (0, Operand::None) => EventKind::Begin,
        (1, Operand::None) => EventKind::End,
        (2, Operand::Thread(thread)) => EventKind::Fork(thread),
        (3, Operand::Thread(thread)) => EventKind::Join(thread),
        (4 | 5, Operand::Lock(lock)) => EventKind::Acquire(lock, mode),
        (6 | 7, Operand::Lock(lock)) => EventKind::Release(lock, mode),
        (8..=13, Operand::Location(location)) => EventKind::Access(kind, location),
        (14..=19, Operand::Location(location)) => EventKind::Volatile(kind, location),
        (20, Operand::Lock(lock)) => EventKind::WaitBegin(lock),
        (21, Operand::Lock(lock)) => EventKind::WaitEnd(lock),
        (22 | 23, Operand::Lock(lock)) => EventKind::Notify(lock, operation == 23),
        (24, Operand::Lock(class)) => EventKind::ClassInitBegin(class),
        (25, Operand::Lock(class)) => EventKind::ClassInitEnd(class),
        (PUBLISH, Operand::Through(object)) => EventKind::Publish(object),
        (OBSERVE, Operand::Through(object)) => EventKind::Observe(object),
        (ENTER, Operand::None) => EventKind::Enter,
        (EXIT, Operand::None) => EventKind::Exit,
        _ => return None,
    })
}

fn shared_bit(mode: LockMode) -> u8 {
    u8::from(mode == LockMode::Shared)
}

fn access_bits(kind: AccessKind, location: Location) -> u8 {
    let place = match location {
        Location::Field(..) => 0,
        Location::Static(_) => 2,
        Location::Element(..) => 4,
    };
    place + u8::from(kind == AccessKind::Write)
}
