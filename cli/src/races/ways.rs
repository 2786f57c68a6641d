//! Races as ways in which a finding comes about.

use std::borrow::Cow;

use super::paths::Paths;
use super::report::{AccessView, Frame, Object, RaceView, VariableRaces};
use crate::document::way::{Shape, Step, Way};
use crate::report::words::count;

/// A race of a variable.
pub fn way<'r>(variable: &'r VariableRaces, index: usize, race: &'r RaceView) -> Way<'r> {
    let object = |object: &'r Object| (object.text.clone(), object.site.as_ref().map(|site| Cow::Owned(site.place())));
    Way {
        title: Some(format!("Race {} of {}, {}", index + 1, variable.races.len(), count(race.pairs, "pair"))),
        doubt: race.doubt().map(str::to_owned),
        caveat: race.paths.and_then(Paths::caveat),
        more_objects: race.more_objects,
        order: Some("In which order the threads come here is not known, as nothing was run.".to_owned()),
        objects: race.objects.iter().map(object).collect(),
        steps: race.accesses.iter().map(|access| step(variable, access)).collect(),
        ..Way::new(Shape::Threads)
    }
}

/// One side of it.
pub fn step<'r>(variable: &VariableRaces, access: &'r AccessView) -> Step<'r> {
    Step {
        verb: access.kind.to_owned(),
        deed: format!("{} of {}", access.kind, variable.subject()),
        said: access.headline(),
        title: access.headline(),
        locks: Some(access.locks.clone()),
        holds: true,
        thread: access.thread.clone(),
        word: variable.word().map(str::to_owned),
        path: access.path.iter().map(Frame::shown).collect(),
        alike: access.alike.iter().map(Frame::shown).collect(),
        ..Step::default()
    }
}
