//! What `jrace check` reports in few words, for the forms of [`crate::formats`].

use super::report::{Error, Field, Report};
use crate::formats::spot::{Locator, Spot};
use crate::formats::{Item, Level};
use crate::report::words::{position, printable};

/// An item for each error and for each field.
pub fn of(report: &Report<'_>, locator: &mut Locator<'_>) -> Vec<Item> {
    let mut items: Vec<Item> = report.errors.iter().map(|error| of_error(error, locator)).collect();
    items.extend(report.fields.iter().map(|field| of_field(field, locator)));
    items
}

/// What the code claims and does not keep to.
fn of_error(error: &Error<'_>, locator: &mut Locator<'_>) -> Item {
    let place = error.place.as_ref().or_else(|| error.events.first().map(|event| &event.place));
    let at = place.map(|place| format!(" at {}", position(place))).unwrap_or_default();
    Item {
        kind: error.rule,
        // A claim may be broken in several places.
        subject: printable(&format!("{}{at}", error.name)),
        text: printable(&format!("{} {}", error.name, error.what)),
        grade: error.rule,
        level: Level::Error,
        fails: true,
        spot: place.map_or_else(|| Spot::of_class(&error.name), |place| locator.spot(place)),
        tests: Vec::new(),
        hint: error.runs.iter().find_map(|broken| broken.hint.as_deref()).map(printable),
        full: error.to_string(),
    }
}

/// A field that may race. Those that no lock guards at most accesses are shown only when asked for, and do not make the command fail.
fn of_field(field: &Field, locator: &mut Locator<'_>) -> Item {
    // That with the fewest locks is the likeliest to lack one.
    let first = field.unguarded.iter().min_by_key(|access| access.locks.len());
    let accessed = first.map(|access| {
        let locks = if access.locks.is_empty() { "no lock".to_owned() } else { access.locks.join(", ") };
        let more = field.unguarded.len() - 1;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(": {} in {}() with {locks}{more}", access.kind, access.place.method)
    });
    let class = field.name.rsplit_once('.').map_or(field.name.as_str(), |(class, _)| class);
    Item {
        kind: "race-unsafe",
        subject: printable(&format!("field {}", field.name)),
        text: printable(&format!("{}: {}{}", field.name, field.what, accessed.unwrap_or_default())),
        grade: "race-unsafe",
        level: Level::Warning,
        fails: field.guard.is_some(),
        spot: first.map_or_else(|| Spot::of_class(class), |access| locator.spot(&access.place)),
        tests: Vec::new(),
        hint: field.guard.as_ref().map(|guard| printable(&format!("hold `{guard}` at every access"))),
        full: field.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Access;
    use super::*;
    use crate::report::fixtures::place;
    use crate::report::source::Sources;

    #[test]
    fn fields_and_errors_are_lines() {
        let access = |line| Access { kind: "read", place: place("bank/Account", "audit", line), locks: Vec::new() };
        let mut field = Field {
            name: "bank.Account.balance".into(),
            what: "not always guarded by `this`".into(),
            guard: Some("this".into()),
            unguarded: vec![access(7), access(8)],
            guarded: 5,
            accesses: 7,
            example: None,
        };
        let error = Error {
            rule: "no-lock",
            name: "bank.Account.total".into(),
            what: "is said to be guarded".into(),
            ..Error::default()
        };
        let mut locator = Locator::new(Sources::default(), &|_| String::new());
        let line = |item: Item| (item.line(), item.fails, item.level);
        let expected = "bank/Account.java:7: bank.Account.balance: not always guarded by `this`: read in audit() with no lock and 1 more \
                        [race-unsafe]\n";
        assert_eq!(line(of_field(&field, &mut locator)), (expected.into(), true, Level::Warning));
        field.guard = None;
        assert!(!of_field(&field, &mut locator).fails);
        let expected = "bank.Account.total: bank.Account.total is said to be guarded [no-lock]\n";
        assert_eq!(line(of_error(&error, &mut locator)), (expected.into(), true, Level::Error));
    }
}
