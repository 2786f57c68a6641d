//! Eraser finds the same in a trace and in its plain-text form; happens-before finds nothing more in that.

use std::collections::BTreeSet;

use facts::event::{Event, EventKind, Location};
use facts::trace::std_format::{StdReader, StdWriter, Variable};
use proptest::prelude::*;

use crate::checker::{Checker, Race};
use crate::eraser::Eraser;
use crate::granularity::Granularities;
use crate::order::happens_before::HappensBefore;
use crate::order::testing::programs;
use crate::replay::check;
use crate::testing::random;

fn export(events: &[Event]) -> String {
    let mut writer = StdWriter::new(Vec::new());
    events.iter().for_each(|event| writer.event(event).unwrap());
    String::from_utf8(writer.into_inner()).unwrap()
}

/// Variable and site of each race, by name.
fn import_and_check(checker: impl Checker, text: &str) -> Vec<(String, String)> {
    let mut reader = StdReader::new(text.as_bytes());
    let races = check(checker, reader.by_ref().map(Result::unwrap));
    let name = |race: &Race| {
        let Location::Static(variable) = race.variable else { panic!("imported variables are static") };
        let variable = reader.names().variables.name(variable.0).unwrap();
        (variable.to_owned(), reader.names().sites.name(race.current.site.0).unwrap().to_owned())
    };
    races.iter().map(name).collect()
}

/// The text form knows no granularity: locations that share a state are made one before the export.
fn coarsen(granularities: Granularities, events: &[Event]) -> Vec<Event> {
    let coarse = |event: &Event| match event.action {
        EventKind::Access(kind, location) => {
            let location = granularities.variable(location)?;
            Some(Event { action: EventKind::Access(kind, location), ..*event })
        }
        _ => Some(*event),
    };
    events.iter().filter_map(coarse).collect()
}

/// The text form has no class initializers. Who notifies holds the monitor, and nothing else is published through an object that is
/// waited on: the random streams do not keep to that.
fn without_what_is_lost(mut events: Vec<Event>) -> Vec<Event> {
    events.retain(|event| {
        !matches!(event.action, EventKind::Notify(..) | EventKind::ClassInitBegin(_) | EventKind::ClassInitEnd(_))
    });
    for event in &mut events {
        if let EventKind::Publish(object) | EventKind::Observe(object) = &mut event.action {
            object.0 += 100;
        }
    }
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn eraser_finds_the_same(events in random::events(), granularities in random::granularities()) {
        let races = check(Eraser::new(granularities), events.iter().copied());
        let expected: Vec<_> =
            races.iter().map(|race| (Variable(race.variable).to_string(), race.current.site.0.to_string())).collect();
        prop_assert_eq!(import_and_check(Eraser::default(), &export(&coarsen(granularities, &events))), expected);
    }

    /// What the text form adds is order, so other analysers invent no race.
    #[test]
    fn happens_before_finds_nothing_more(events in programs::events()) {
        let events = without_what_is_lost(events);
        let races = check(HappensBefore::default(), events.iter().copied());
        let racy: BTreeSet<String> = races.iter().map(|race| Variable(race.variable).to_string()).collect();
        for (variable, _) in import_and_check(HappensBefore::default(), &export(&events)) {
            prop_assert!(racy.contains(&variable), "{} of {:?}", variable, racy);
        }
    }

    #[test]
    fn at_most_what_was_acquired_is_released(events in random::events()) {
        let mut held = BTreeSet::new();
        for event in StdReader::new(export(&events).as_bytes()).map(Result::unwrap) {
            match event.action {
                EventKind::Acquire(lock, _) => prop_assert!(held.insert((event.thread, lock)), "not reentrant"),
                EventKind::Release(lock, _) => prop_assert!(held.remove(&(event.thread, lock)), "held"),
                _ => {}
            }
        }
    }
}
