//! Races without a run in few words, for the forms of [`crate::formats`].

use super::observation::Observation;
use super::report::{AccessView, Frame, Kind, Report, VariableRaces, confidence_name};
use super::text::Text;
use crate::formats::spot::{Locator, Origin, Spot};
use crate::formats::{Item, Level};
use crate::report::words::printable;

/// An item for each variable, the surest first.
pub fn of(report: &Report, locator: &mut Locator<'_>) -> Vec<Item> {
    report.variables.iter().map(|variable| item(variable, locator)).collect()
}

/// What runs have shown is certain; all else may be kept apart by what the analysis does not see.
fn item(variable: &VariableRaces, locator: &mut Locator<'_>) -> Item {
    let race = variable.races.first();
    let accesses = race.map_or(&[][..], |race| &race.accesses);
    let mut sides: Vec<(Spot, &AccessView)> = accesses.iter().map(|access| (spot(access, locator), access)).collect();
    sides.sort_by_key(|(spot, _)| spot.origin);
    let said: Vec<String> = sides.iter().enumerate().map(|(at, (_, access))| accessed(access, at > 0)).collect();
    let is_confirmed = variable.observed == Some(Observation::Confirmed);
    Item {
        kind: "race",
        subject: printable(&variable.subject()),
        text: printable(&format!("race on {}: {}", name(variable), said.join(" against "))),
        grade: if is_confirmed { "certain" } else { confidence_name(variable.confidence()) },
        level: if is_confirmed { Level::Error } else { Level::Warning },
        fails: true,
        spot: sides.into_iter().next().map_or_else(|| Spot::of_class(""), |(spot, _)| spot),
        tests: Vec::new(),
        hint: race.and_then(|race| race.doubt()).map(|doubt| format!("doubtful, as {doubt}")),
        full: Text::plain(variable),
    }
}

fn name(variable: &VariableRaces) -> &str {
    match variable.kind {
        Kind::Field | Kind::StaticField => &variable.name,
        Kind::Elements | Kind::Contents => &variable.variable,
    }
}

/// The first frame of the application.
fn shown(access: &AccessView) -> Option<&Frame> {
    access.path.iter().find(|frame| !frame.library).or(access.path.first())
}

fn spot(access: &AccessView, locator: &mut Locator<'_>) -> Spot {
    let Some(frame) = shown(access) else { return Spot::of_class("") };
    let spot = locator.spot(&frame.place());
    let origin = if frame.library { Origin::Library } else { spot.origin };
    Spot { origin, ..spot }
}

fn accessed(access: &AccessView, is_placed: bool) -> String {
    let Some(frame) = shown(access) else { return access.kind.to_owned() };
    let position = if is_placed { format!(" ({})", frame.position()) } else { String::new() };
    format!("{} in {}(){position}", access.kind, frame.place().method)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::report;
    use super::*;
    use crate::formats::Gist;
    use crate::report::source::Sources;

    #[test]
    fn each_variable_is_a_line() {
        let mut report = report();
        report.variables[1].observed = Some(Observation::Confirmed);
        let items = of(&report, &mut Locator::new(Sources::default(), &|_| String::new()));
        let levels: Vec<Level> = items.iter().map(|item| item.level).collect();
        assert_eq!(levels, [Level::Warning, Level::Error, Level::Warning]);
        assert!(items[0].full.starts_with("RACE on field bank.Account.balance (int)\n"), "{}", items[0].full);
        expect_test::expect![[r#"
            bank/Account.java:18: race on bank.Account.balance: write in add() against read in balance() (Account.java:18) [no-common-lock]
            bank/Account.java:18: race on elements of int[]: write in add() against read in balance() (Account.java:18) [certain]
            bank/Account.java:18: race on bank.Bank.total: write in add() against read in balance() (Account.java:18) [maybe-same-lock]
        "#]]
        .assert_eq(&Gist::new("jrace races", items, Vec::new(), true).brief());
    }
}
