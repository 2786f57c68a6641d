//! Running checkers over a recorded or made-up list of events.

use std::io::Read;

use facts::event::Event;
use facts::trace::{Damage, Record, TraceError, TraceReader};

use crate::checker::{Checker, Race};

/// Runs one checker to the end and returns what it found.
///
/// ```
/// use checkers::{eraser::Eraser, replay::check};
/// use facts::access::AccessKind::Write;
/// use facts::event::{Event, EventKind, Location};
/// use facts::index::{FieldId, SiteId, ThreadId};
///
/// let write = EventKind::Access(Write, Location::Static(FieldId(1)));
/// let events = [1, 2].map(|thread| Event { thread: ThreadId(thread), site: SiteId(thread), action: write });
/// let races = check(Eraser::default(), events);
/// assert_eq!(races[0].current.site, SiteId(2));
/// assert_eq!(races[0].previous.site, SiteId(1));
/// ```
#[must_use]
pub fn check(mut checker: impl Checker, events: impl IntoIterator<Item = Event>) -> Vec<Race> {
    replay(&mut [&mut checker], events);
    checker.finish();
    checker.races().to_vec()
}

/// Runs several checkers side by side over (a part of) a stream; each keeps what it found.
pub fn replay(checkers: &mut [&mut dyn Checker], events: impl IntoIterator<Item = Event>) {
    for event in events {
        for checker in &mut *checkers {
            checker.event(&event);
        }
    }
}

/// Runs several checkers over a recorded trace, up to its damage if it has one.
///
/// # Errors
/// The stream failed.
pub fn replay_trace<R: Read>(
    checkers: &mut [&mut dyn Checker],
    trace: TraceReader<R>,
) -> Result<Option<Damage>, TraceError> {
    let mut damage = None;
    for record in trace {
        match record? {
            Record::Event(event) => replay(checkers, [event]),
            Record::Damage(found) => damage = Some(found),
            Record::Site(id, site) => checkers.iter_mut().for_each(|checker| checker.define(id, &site)),
            Record::Field(..) | Record::Thread(..) | Record::Object(..) => {}
        }
    }
    checkers.iter_mut().for_each(|checker| checker.finish());
    Ok(damage)
}

#[cfg(test)]
mod tests {
    use facts::finding::Jvm;
    use facts::trace::TraceWriter;

    use super::*;
    use crate::eraser::Eraser;
    use crate::testing::notation::events;

    #[test]
    fn a_recorded_trace_gives_what_the_events_gave() {
        let events = events("t1 wr x; t2 wr x; t1 acq m; t1 wr y; t1 rel m; t2 rd y; t1 wr y");
        let [version, command, check_run] = ["25", "Main", "none"].map(str::to_owned);
        let jvm = Jvm {
            format: 1,
            pid: 1,
            started: 0,
            version,
            command,
            check: check_run,
            options: Vec::new(),
            directory: String::new(),
        };
        let mut writer = TraceWriter::new(Vec::new(), &jvm).unwrap();
        events.iter().for_each(|event| writer.event(event).unwrap());
        let bytes = writer.finish().unwrap();

        let mut eraser = Eraser::default();
        let damage = replay_trace(&mut [&mut eraser], TraceReader::new(&*bytes).unwrap()).unwrap();
        assert_eq!(damage, None);
        assert_eq!(eraser.races(), check(Eraser::default(), events));
        assert_eq!(eraser.races().len(), 2);
        let damage = replay_trace(&mut [&mut eraser], TraceReader::new(&bytes[..bytes.len() - 1]).unwrap()).unwrap();
        assert!(damage.is_some());
    }
}
