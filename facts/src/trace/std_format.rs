//! The plain-text form of traces that RAPID and other trace analysers read, one event a line: `T1|w(V7.2)|45`.
//!
//! | event | lines |
//! |---|---|
//! | read, write | `r(V…)`, `w(V…)`: field 2 of object 7 is `V7.2`, static field 2 is `V0.2`, element 3 of array 7 is `V7[3]` |
//! | acquire, release, exclusive | `acq(L7)`, `rel(L7)`, only at the outermost level; a release without acquisition has none |
//! | the same, read mode | see below |
//! | volatile access | `acq(LV7.2)`, `rel(LV7.2)`: ordered, but no access |
//! | publish, observe through object 7 | `acq(LP7)`, `rel(LP7)` |
//! | fork, join | `fork(T2)`, `join(T2)` |
//! | wait | `rel(L7)` when it begins, `acq(L7)` when it ends, however often the monitor is held |
//! | a thread's end | `rel` of what it still holds |
//! | a transaction's begin, end | `begin`, `end`, without operand |
//! | a thread's begin, notify, class initializers | nothing |
//!
//! **Read mode.** The form knows only exclusive locks, and readers overlap. So a lock held in read mode is not exported as
//! held: it is taken and released again at the acquisition, around each plain read inside, and at the release. No two
//! threads then ever hold it together; lock sets at reads contain it and those at writes do not, as with
//! real read-write locks; and everything that the lock orders stays ordered. What is added is an order between readers of the
//! same lock: a happens-before analysis may miss a race that one of them takes part in.
//!
//! **Volatile accesses**, and what is published and observed through an object, likewise become critical sections of a lock of
//! their own, which also orders reads before later writes, and observers before later publishers: races may be missed, none is
//! invented. `notify` needs no line, as its thread holds the monitor. What class initializers order is lost: a happens-before
//! analysis may take it for a race.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use crate::access::{AccessKind, LockMode};
use crate::event::{Event, EventKind, Location};
use crate::index::{FieldId, ObjectId, SiteId, ThreadId};

/// Writes events as text. A line is written at a time: give it a buffered stream.
pub struct StdWriter<W> {
    out: W,
    threads: HashMap<ThreadId, Thread>,
}

/// What a thread holds.
#[derive(Default)]
struct Thread {
    /// In the order of first acquisition.
    locks: Vec<Lock>,
    /// The monitor that the thread waits on, and does not hold meanwhile.
    waiting: Option<ObjectId>,
}

struct Lock {
    lock: ObjectId,
    exclusive: u32,
    shared: u32,
}

impl<W: Write> StdWriter<W> {
    /// A writer to this stream.
    pub fn new(out: W) -> Self {
        Self { out, threads: HashMap::new() }
    }

    /// Writes the lines of an event, often none.
    ///
    /// # Errors
    /// The stream failed.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        let mut line = Line { out: &mut self.out, thread: event.thread, site: event.site };
        let thread = self.threads.entry(event.thread).or_default();
        if let Some(lock) = thread.waiting.take() {
            // If this event is not the end of the wait, that end was lost.
            line.acquire(lock)?;
            if event.action == EventKind::WaitEnd(lock) {
                return Ok(());
            }
        }
        match event.action {
            EventKind::Acquire(lock, mode) => thread.acquire(&mut line, lock, mode),
            EventKind::Release(lock, mode) => thread.release(&mut line, lock, mode),
            EventKind::Access(AccessKind::Read, location) => thread.read(&mut line, location),
            EventKind::Access(AccessKind::Write, location) => line.write("w", Variable(location)),
            EventKind::Volatile(_, location) => line.both(Variable(location)),
            EventKind::Publish(object) | EventKind::Observe(object) => line.both(format_args!("P{}", object.0)),
            EventKind::WaitBegin(lock) => thread.wait(&mut line, lock),
            EventKind::Fork(other) => line.write("fork", other),
            EventKind::Join(other) => line.write("join", other),
            EventKind::End => self.threads.remove(&event.thread).map_or(Ok(()), |thread| thread.end(&mut line)),
            EventKind::Enter => line.bare("begin"),
            EventKind::Exit => line.bare("end"),
            EventKind::WaitEnd(_)
            | EventKind::Begin
            | EventKind::Notify(..)
            | EventKind::ClassInitBegin(_)
            | EventKind::ClassInitEnd(_) => Ok(()),
        }
    }

    /// Returns the stream.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl Thread {
    fn acquire(&mut self, line: &mut Line<impl Write>, lock: ObjectId, mode: LockMode) -> io::Result<()> {
        let entry = self.entry(lock);
        let free = entry.exclusive == 0;
        match mode {
            LockMode::Exclusive => entry.exclusive += 1,
            LockMode::Shared => entry.shared += 1,
        }
        match mode {
            LockMode::Exclusive if free => line.acquire(lock),
            LockMode::Shared if free => line.both(lock.0),
            _ => Ok(()),
        }
    }

    fn release(&mut self, line: &mut Line<impl Write>, lock: ObjectId, mode: LockMode) -> io::Result<()> {
        let entry = self.entry(lock);
        let count = match mode {
            LockMode::Exclusive => &mut entry.exclusive,
            LockMode::Shared => &mut entry.shared,
        };
        let held = *count > 0;
        *count = count.saturating_sub(1);
        let free = entry.exclusive == 0;
        self.locks.retain(|entry| entry.exclusive + entry.shared > 0);
        match mode {
            LockMode::Exclusive if held && free => line.release(lock),
            LockMode::Shared if held && free => line.both(lock.0),
            _ => Ok(()),
        }
    }

    fn read(&self, line: &mut Line<impl Write>, location: Location) -> io::Result<()> {
        let readers: Vec<_> = self.locks.iter().filter(|lock| lock.exclusive == 0).map(|lock| lock.lock).collect();
        readers.iter().try_for_each(|lock| line.acquire(*lock))?;
        line.write("r", Variable(location))?;
        readers.iter().rev().try_for_each(|lock| line.release(*lock))
    }

    fn wait(&mut self, line: &mut Line<impl Write>, lock: ObjectId) -> io::Result<()> {
        if !self.locks.iter().any(|entry| entry.lock == lock && entry.exclusive > 0) {
            return Ok(());
        }
        self.waiting = Some(lock);
        line.release(lock)
    }

    fn end(&self, line: &mut Line<impl Write>) -> io::Result<()> {
        let held = self.locks.iter().rev().filter(|lock| lock.exclusive > 0);
        held.map(|lock| lock.lock).try_for_each(|lock| line.release(lock))
    }

    fn entry(&mut self, lock: ObjectId) -> &mut Lock {
        let at = self.locks.iter().position(|entry| entry.lock == lock).unwrap_or_else(|| {
            self.locks.push(Lock { lock, exclusive: 0, shared: 0 });
            self.locks.len() - 1
        });
        &mut self.locks[at]
    }
}

/// Writes the lines of one event.
struct Line<'a, W> {
    out: &'a mut W,
    thread: ThreadId,
    site: SiteId,
}

impl<W: Write> Line<'_, W> {
    fn write(&mut self, operation: &str, operand: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.out, "{}|{operation}({operand})|{}", self.thread, self.site.0)
    }

    fn bare(&mut self, operation: &str) -> io::Result<()> {
        writeln!(self.out, "{}|{operation}|{}", self.thread, self.site.0)
    }

    fn acquire(&mut self, lock: ObjectId) -> io::Result<()> {
        self.write("acq", format_args!("L{}", lock.0))
    }

    fn release(&mut self, lock: ObjectId) -> io::Result<()> {
        self.write("rel", format_args!("L{}", lock.0))
    }

    /// A critical section with nothing in it.
    fn both(&mut self, lock: impl std::fmt::Display) -> io::Result<()> {
        self.write("acq", format_args!("L{lock}"))?;
        self.write("rel", format_args!("L{lock}"))
    }
}

/// The name of a location in the text form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable(pub Location);

impl std::fmt::Display for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Location::Field(object, field) => write!(f, "V{}.{}", object.0, field.0),
            Location::Static(field) => write!(f, "V0.{}", field.0),
            Location::Element(array, index) => write!(f, "V{}[{index}]", array.0),
        }
    }
}

/// Reads events from text, whoever wrote it.
///
/// Threads, locks, variables and sites are numbered from 1 in the order in which their names first occur; each variable is
/// a static field, for other tools' names tell nothing of objects. Empty lines, lines that begin with `#` and the operations
/// that have no event (`req`, `branch`) are skipped. An `end` need not name the site of its `begin`, and is given it.
pub struct StdReader<R> {
    input: R,
    line: u64,
    names: Names,
    /// Sites of the transactions that each thread is in, outermost first.
    transactions: HashMap<ThreadId, Vec<SiteId>>,
}

/// The names behind the numbers: number 1 is at index 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Of threads.
    pub threads: Table,
    /// Of locks.
    pub locks: Table,
    /// Of variables.
    pub variables: Table,
    /// Of sites.
    pub sites: Table,
}

/// Names in the order of their first use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Table {
    /// The name with this number.
    #[must_use]
    pub fn name(&self, number: u32) -> Option<&str> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.names.get(index).map(String::as_str)
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(name.to_owned());
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// Why text cannot be read as a trace.
#[derive(Debug, thiserror::Error)]
pub enum StdError {
    /// A line that is no event.
    #[error("line {0} is not an event; one looks like `T1|w(V7)|45`")]
    Line(u64),
    /// The stream failed, or is not UTF-8.
    #[error("the trace cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// Longer lines are not events.
const MAX_LINE: u64 = 1 << 16;

impl<R: BufRead> StdReader<R> {
    /// A reader of this stream.
    pub fn new(input: R) -> Self {
        Self { input, line: 0, names: Names::default(), transactions: HashMap::new() }
    }

    /// The names that have occurred so far.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The event of the next line: `None` at the end, `Some(None)` if the line has none.
    fn next_line(&mut self) -> Result<Option<Option<Event>>, StdError> {
        let mut line = String::new();
        let length = io::Read::take(&mut self.input, MAX_LINE).read_line(&mut line)?;
        self.line += 1;
        match line.trim() {
            _ if length == 0 => Ok(None),
            "" => Ok(Some(None)),
            text if text.starts_with('#') => Ok(Some(None)),
            text => match parse(&mut self.names, text) {
                Some(event) => Ok(Some(event.map(|event| self.match_ends(event)))),
                None => Err(StdError::Line(self.line)),
            },
        }
    }

    /// Gives an end of a transaction the site of its begin.
    fn match_ends(&mut self, event: Event) -> Event {
        let open = self.transactions.entry(event.thread).or_default();
        match event.action {
            EventKind::Enter => open.push(event.site),
            EventKind::Exit => return Event { site: open.pop().unwrap_or(event.site), ..event },
            _ => {}
        }
        event
    }
}

impl<R: BufRead> Iterator for StdReader<R> {
    type Item = Result<Event, StdError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_line() {
                Ok(Some(None)) => {}
                Ok(event) => return event.flatten().map(Ok),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The event of a line; `None` if it is malformed, `Some(None)` if it is none of ours.
fn parse(names: &mut Names, line: &str) -> Option<Option<Event>> {
    let mut parts = line.splitn(3, '|').map(str::trim);
    let (thread, operation, site) = (parts.next()?, parts.next()?, parts.next().unwrap_or("0"));
    let (operation, operand) = match operation.split_once('(') {
        Some((operation, rest)) => (operation, rest.strip_suffix(')')?),
        None => (operation, ""),
    };
    if matches!(operation, "req" | "branch") {
        return Some(None);
    }
    if thread.is_empty() || operand.is_empty() != matches!(operation, "begin" | "end") {
        return None;
    }
    let lock = |names: &mut Names| ObjectId(names.locks.number(operand).into());
    let variable = |names: &mut Names| Location::Static(FieldId(names.variables.number(operand)));
    let action = match operation {
        "r" => EventKind::Access(AccessKind::Read, variable(names)),
        "w" => EventKind::Access(AccessKind::Write, variable(names)),
        "acq" => EventKind::Acquire(lock(names), LockMode::Exclusive),
        "rel" => EventKind::Release(lock(names), LockMode::Exclusive),
        "fork" => EventKind::Fork(ThreadId(names.threads.number(operand))),
        "join" => EventKind::Join(ThreadId(names.threads.number(operand))),
        "begin" => EventKind::Enter,
        "end" => EventKind::Exit,
        _ => return None,
    };
    let (thread, site) = (ThreadId(names.threads.number(thread)), SiteId(names.sites.number(site)));
    Some(Some(Event { thread, site, action }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn export(events: &[(u32, EventKind)]) -> String {
        let mut writer = StdWriter::new(Vec::new());
        for (thread, action) in events {
            writer.event(&Event { thread: ThreadId(*thread), site: SiteId(9), action: *action }).unwrap();
        }
        String::from_utf8(writer.into_inner()).unwrap().replace("|9\n", " ").trim_end().to_owned()
    }

    const M: ObjectId = ObjectId(7);
    const FIELD: Location = Location::Field(M, FieldId(2));
    const READ: EventKind = EventKind::Access(AccessKind::Read, FIELD);
    const WRITE: EventKind = EventKind::Access(AccessKind::Write, FIELD);

    #[test]
    fn only_the_outermost_level_is_exported() {
        let (enter, leave) = (EventKind::Acquire(M, LockMode::Exclusive), EventKind::Release(M, LockMode::Exclusive));
        let events = [(1, leave), (1, enter), (1, enter), (1, WRITE), (1, leave), (1, leave)];
        assert_eq!(export(&events), "T1|acq(L7) T1|w(V7.2) T1|rel(L7)");
    }

    #[test]
    fn read_mode_surrounds_reads() {
        let (enter, leave) = (EventKind::Acquire(M, LockMode::Shared), EventKind::Release(M, LockMode::Shared));
        assert_eq!(
            export(&[(1, enter), (2, enter), (1, READ), (1, WRITE), (2, leave)]),
            "T1|acq(L7) T1|rel(L7) T2|acq(L7) T2|rel(L7) T1|acq(L7) T1|r(V7.2) T1|rel(L7) T1|w(V7.2) T2|acq(L7) T2|rel(L7)"
        );
    }

    #[test]
    fn waits_release_and_acquire() {
        let enter = EventKind::Acquire(M, LockMode::Exclusive);
        let (wait, woken) = (EventKind::WaitBegin(M), EventKind::WaitEnd(M));
        assert_eq!(export(&[(1, wait), (1, woken)]), "");
        assert_eq!(
            export(&[(1, enter), (1, enter), (1, wait), (1, woken), (1, EventKind::End)]),
            "T1|acq(L7) T1|rel(L7) T1|acq(L7) T1|rel(L7)"
        );
        assert_eq!(export(&[(1, enter), (1, wait), (1, WRITE)]), "T1|acq(L7) T1|rel(L7) T1|acq(L7) T1|w(V7.2)");
    }

    #[test]
    fn other_names() {
        let volatile = EventKind::Volatile(AccessKind::Read, Location::Static(FieldId(3)));
        let (publish, observe) = (EventKind::Publish(M), EventKind::Observe(M));
        assert_eq!(export(&[(1, publish), (2, observe)]), "T1|acq(LP7) T1|rel(LP7) T2|acq(LP7) T2|rel(LP7)");
        let element = EventKind::Access(AccessKind::Write, Location::Element(M, 4));
        assert_eq!(
            export(&[
                (1, EventKind::Fork(ThreadId(2))),
                (1, volatile),
                (2, element),
                (1, EventKind::Join(ThreadId(2)))
            ]),
            "T1|fork(T2) T1|acq(LV0.3) T1|rel(LV0.3) T2|w(V7[4]) T1|join(T2)"
        );
    }

    #[test]
    fn text_of_other_tools_is_read() {
        let text = "T0|r(V123)|345\r\n\n# note\nT0|req(L1)|1\nT1|w(V234.23[0])|456\nT0|fork(T2)|123\nT2|acq(L34)|120";
        let mut reader = StdReader::new(text.as_bytes());
        let events: Vec<Event> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(events.len(), 4);
        assert_eq!(events[1].thread, ThreadId(2));
        assert_eq!(events[1].action, EventKind::Access(AccessKind::Write, Location::Static(FieldId(2))));
        assert_eq!(reader.names().variables.name(2), Some("V234.23[0]"));
        assert_eq!(reader.names().sites.name(events[3].site.0), Some("120"));
        assert_eq!(reader.names().sites.name(0), None);
    }

    #[test]
    fn transactions_come_back() {
        assert_eq!(export(&[(1, EventKind::Enter), (1, WRITE), (1, EventKind::Exit)]), "T1|begin T1|w(V7.2) T1|end");
        let text = "T1|begin|5\nT1|begin|6\nT2|end|7\nT1|end|8\nT1|end|9";
        let events: Vec<Event> = StdReader::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(events[2].action, EventKind::Exit);
        assert_eq!(
            (events[3].site, events[4].site),
            (events[1].site, events[0].site),
            "an end has the site of its begin"
        );
    }

    #[test]
    fn malformed_lines_are_named() {
        for text in ["T1|w(V7)|1\nT1|x(V7)|1", "T1|w(V7)|1\nhello", "T1|w(V7)|1\nT1|w(V7|1"] {
            let error = StdReader::new(text.as_bytes()).find_map(Result::err).unwrap();
            assert_eq!(error.to_string(), "line 2 is not an event; one looks like `T1|w(V7)|45`");
        }
    }
}
