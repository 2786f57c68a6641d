//! How the rows of models write effects: `publishes arg0`, `acquires this shared if true`.

use super::Effect;
use super::Subject;
use crate::layout::lock_mode as mode;

/// Effects that have one form.
const FIXED: &[(&str, Effect)] = &[
    ("begins optimistic read", Effect::Hopes),
    ("validates", Effect::Validates),
    ("converts this", Effect::Converts(mode::EXCLUSIVE)),
    ("converts this shared", Effect::Converts(mode::SHARED)),
    ("converts this to none", Effect::Converts(mode::NONE)),
    ("starts this", Effect::Starts),
    ("ends this", Effect::Ends),
    ("joins this", Effect::Joins),
    ("publishes result", Effect::Hands(Subject::Result)),
    ("asks result", Effect::Asks(Subject::Result)),
    ("publishes chain", Effect::PublishesChain),
    ("publishes field", Effect::WritesField),
    ("observes this if true", Effect::ObservesIf),
    ("observes this if null", Effect::ObservesIfNull),
    ("arrives at this", Effect::Arrives),
    ("opens this", Effect::Opens),
    ("passes this", Effect::Passes),
    ("removes all", Effect::RemovesAll),
    ("retracts this if false", Effect::Retracts),
    ("retracts field if false", Effect::RetractsField),
    ("receives through this", Effect::Receives),
    ("has run tasks", Effect::HasRun),
    ("runs request", Effect::RunsRequest(None)),
    ("returns local", Effect::ReturnsLocal),
    ("keeps local", Effect::KeepsLocal),
    ("observes entry", Effect::ObservesEntry),
    ("sees alive", Effect::SeesAlive),
    ("sees state", Effect::SeesState),
    ("sees ends", Effect::SeesEnds),
    ("sees interrupt", Effect::Interrupted),
    ("sees interrupt if true", Effect::InterruptedIf),
    ("has permits", Effect::HasPermits),
    ("takes permits", Effect::TakesPermits),
    ("takes permits if true", Effect::TakesPermitsIf),
    ("gives permits", Effect::HandsPermits),
    ("reads state", Effect::Reads),
    ("writes state", Effect::Writes),
    ("awaits this", Effect::Awaits),
    ("signals this", Effect::Signals),
    ("returns fields", Effect::ReturnsFields),
    ("defines hidden class", Effect::DefinesHidden),
];

/// The effect that a phrase says, if it says one.
#[must_use]
pub fn effect(phrase: &str) -> Option<Effect> {
    let fixed = FIXED.iter().find(|(written, _)| *written == phrase).map(|(_, effect)| *effect);
    fixed.or_else(|| of_lock(phrase)).or_else(|| of_subject(phrase))
}

/// `acquires this`, `releases view shared`; a *view* shares its lock with others.
fn of_lock(phrase: &str) -> Option<Effect> {
    let (verb, rest) = phrase.split_once(' ')?;
    let (lock, condition) = match rest.split_once(" if ").or_else(|| rest.split_once(" by ")) {
        Some((lock, condition)) => (lock, Some(condition)),
        None => (rest, None),
    };
    let mode = match lock {
        "this" => mode::EXCLUSIVE,
        "this shared" => mode::SHARED,
        "view" => mode::EXCLUSIVE | mode::VIEW,
        "view shared" => mode::SHARED | mode::VIEW,
        _ => return None,
    };
    match (verb, condition) {
        ("acquires", None) => Some(Effect::Acquires(mode)),
        ("acquires", Some("true")) => Some(Effect::AcquiresIf(mode)),
        ("acquires", Some("stamp")) => Some(Effect::AcquiresStamp(mode)),
        ("releases", None) => Some(Effect::Releases(mode)),
        _ => None,
    }
}

/// `publishes arg0`, `begins test arg1`.
fn of_subject(phrase: &str) -> Option<Effect> {
    if let Some(subject) = phrase.strip_prefix("observes ").and_then(|rest| rest.strip_suffix(" on entry")) {
        return subject_of(subject).filter(|subject| *subject != Subject::Result).map(Effect::Meets);
    }
    if let Some(n) = phrase.strip_prefix("publishes this if ").and_then(|rest| rest.strip_suffix(" is null")) {
        return argument(n).map(Effect::PublishesIfNull);
    }
    if let Some(n) = phrase.strip_prefix("runs request ") {
        return argument(n).map(|n| Effect::RunsRequest(Some(n)));
    }
    if let Some(n) = phrase.strip_prefix("misses ").and_then(|rest| rest.strip_suffix(" if null")) {
        return argument(n).map(Effect::Misses);
    }
    let (verb, subject) = phrase.rsplit_once(' ')?;
    let subject = subject_of(subject)?;
    let is_result = subject == Subject::Result;
    if let ("removes", Subject::Argument(n)) = (verb, subject) {
        return Some(Effect::Removes(n));
    }
    match verb {
        "puts" if subject != Subject::This => Some(Effect::Puts(subject)),
        "publishes" if !is_result => Some(Effect::Publishes(subject)),
        "puts each" if !is_result && subject != Subject::This => Some(Effect::PutsEach(subject)),
        "observes" => Some(Effect::Observes(subject)),
        "takes" => Some(Effect::Takes(subject)),
        "sends through" if !is_result => Some(Effect::Sends(subject)),
        "begins test" if !is_result => Some(Effect::BeginsTest(subject)),
        "ends test" if !is_result => Some(Effect::EndsTest(subject)),
        "reflects" if !is_result => Some(Effect::Reflects(subject)),
        "handles" if !is_result => Some(Effect::Handles(subject)),
        _ => None,
    }
}

fn subject_of(word: &str) -> Option<Subject> {
    match word {
        "this" => Some(Subject::This),
        "result" => Some(Subject::Result),
        _ => argument(word).map(Subject::Argument),
    }
}

fn argument(word: &str) -> Option<usize> {
    word.strip_prefix("arg")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_read() {
        for (written, expected) in [
            ("acquires this", Some(Effect::Acquires(mode::EXCLUSIVE))),
            ("acquires this shared if true", Some(Effect::AcquiresIf(mode::SHARED))),
            ("acquires view by stamp", Some(Effect::AcquiresStamp(mode::EXCLUSIVE | mode::VIEW))),
            ("releases view shared", Some(Effect::Releases(mode::SHARED | mode::VIEW))),
            ("releases this if true", None),
            ("acquires arg0", None),
            ("publishes arg12", Some(Effect::Publishes(Subject::Argument(12)))),
            ("puts arg1", Some(Effect::Puts(Subject::Argument(1)))),
            ("puts this", None),
            ("publishes result", Some(Effect::Hands(Subject::Result))),
            ("observes this", Some(Effect::Observes(Subject::This))),
            ("observes this if true", Some(Effect::ObservesIf)),
            ("observes arg0 on entry", Some(Effect::Meets(Subject::Argument(0)))),
            ("observes result on entry", None),
            ("begins test arg0", Some(Effect::BeginsTest(Subject::Argument(0)))),
            ("ends test result", None),
            ("reflects this", Some(Effect::Reflects(Subject::This))),
            ("reflects result", None),
            ("handles arg0", Some(Effect::Handles(Subject::Argument(0)))),
            ("observes this if null", Some(Effect::ObservesIfNull)),
            ("publishes this if arg0 is null", Some(Effect::PublishesIfNull(0))),
            ("publishes this if result is null", None),
            ("arrives at this", Some(Effect::Arrives)),
            ("passes arg0", None),
            ("removes arg0", Some(Effect::Removes(0))),
            ("removes this", None),
            ("misses arg1 if null", Some(Effect::Misses(1))),
            ("misses arg1", None),
            ("runs request", Some(Effect::RunsRequest(None))),
            ("runs request arg1", Some(Effect::RunsRequest(Some(1)))),
            ("runs request this", None),
            ("publishes  arg0", None),
            ("publishes argx", None),
            ("publishes", None),
            ("", None),
        ] {
            assert_eq!(effect(written), expected, "{written}");
        }
    }
}
