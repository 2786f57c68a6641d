//! The report of `jrace check` for people.

use std::fmt::{self, Display, Formatter};

use facts::finding::Scenario;
use facts::site::Place;

use super::report::{Broken, Error, Event, Field, Method, ObservedCounts, Report, Substitute, Summary};
use crate::entries::Entries;
use crate::report::advice::meaning;
use crate::report::terminal::news;
use crate::report::words::{self, count, printable};

/// How many orders of steps of a transaction are shown.
const SHOWN: usize = 3;

/// `bank.Account.deposit (Account.java:12)`.
pub fn position(place: &Place) -> String {
    let file = place.file.as_deref().unwrap_or("?");
    let line = place.line.map_or_else(String::new, |line| format!(":{line}"));
    printable(&format!("{} ({file}{line})", words::function(place)))
}

/// `R at Account.java:20, W' at Account.java:21`: whose thread is another one's has a prime, as in patterns.
pub fn steps(scenario: &Scenario) -> String {
    let steps: Vec<String> = scenario.steps.iter().map(words::brief).collect();
    let meaning = if scenario.pattern.is_empty() { "" } else { meaning(&scenario.pattern) };
    let colon = if meaning.is_empty() { "" } else { ": " };
    format!("{}{colon}{meaning}", steps.join(", "))
}

/// One line, whatever names are in it.
pub fn line(f: &mut Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    writeln!(f, "{}", printable(&text.to_string()))
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.counting_errors().try_for_each(|error| write!(f, "{error}"))?;
        self.counting_fields().try_for_each(|field| write!(f, "{field}"))?;
        self.not_reached
            .iter()
            .flatten()
            .try_for_each(|name| line(f, format_args!("{name}: not reached by any entry")))?;
        self.atomic.iter().flatten().try_for_each(|method| write!(f, "{method}"))?;
        self.summary.observed.iter().try_for_each(|observed| write!(f, "{observed}"))?;
        self.identities.gone_lines().iter().try_for_each(|gone| line(f, format_args!("{gone}")))?;
        if !self.others.is_empty() {
            let number = count(self.others.len() as u64, "field");
            writeln!(f, "note: {number} more may race, without a usual lock: --all lists all")?;
        }
        write!(f, "{}{}", Entries::line(&self.entries), self.summary)
    }
}

impl Display for Error<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = self.place.as_ref().map(|place| position(place) + ": ").unwrap_or_default();
        line(f, format_args!("{place}[{}] {} {}", self.rule, self.name, self.what))?;
        let observed = self.observed.iter().flat_map(|observed| observed.split('\n'));
        observed.enumerate().try_for_each(|(n, text)| {
            let indent = if n == 0 { "  " } else { "" };
            line(f, format_args!("{indent}{text}"))
        })?;
        self.events.iter().try_for_each(|event| write!(f, "{event}"))?;
        self.runs.iter().try_for_each(|broken| write!(f, "{broken}"))?;
        news(self.baseline).iter().try_for_each(|news| line(f, format_args!("  {news}")))
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mover = self.mover.as_ref().map(|mover| format!(" ({mover})")).unwrap_or_default();
        line(f, format_args!("  {:5} {} at {}{mover}", self.role, self.what, position(&self.place)))
    }
}

impl Display for Broken<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.orders().take(SHOWN).try_for_each(|scenario| line(f, format_args!("  runs  {}", steps(scenario))))?;
        self.hint.iter().try_for_each(|hint| line(f, format_args!("  hint  {hint}")))
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        line(f, format_args!("{}: {}", self.name, self.what))?;
        for access in &self.unguarded {
            let locks: Vec<String> = access.locks.iter().map(|lock| format!("`{lock}`")).collect();
            let holding = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
            line(f, format_args!("  {:5} at {} with {holding}", access.kind, position(&access.place)))?;
        }
        if let Some(place) = &self.example {
            let at = position(place);
            line(f, format_args!("  guarded at {} of {} accesses: {at}", self.guarded, self.accesses))?;
        }
        self.observed.iter().try_for_each(|observed| line(f, format_args!("  {}", observed.sentence())))?;
        news(self.baseline).iter().try_for_each(|news| line(f, format_args!("  {news}")))
    }
}

impl Display for Method {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        line(f, format_args!("{}: {}", self.name, self.atomicity))
    }
}

impl Display for ObservedCounts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { fields, same, other, only_proved, only_observed, substitutes } = self;
        substitutes.iter().try_for_each(|substitute| write!(f, "{substitute}"))?;
        writeln!(
            f,
            "OBSERVED: {} of classes that are the same; {same} owners as proved, {other} other than proved, {only_proved} \
             only proved, {only_observed} only observed",
            count(*fields as u64, "field")
        )
    }
}

impl Display for Substitute {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, refuted, refuting, kept } = self;
        line(f, format_args!("{name}: observed: {kept}"))?;
        line(f, format_args!("  not: {refuted}, to which {} does not keep", position(refuting)))
    }
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (fields, arrays, methods) = (&self.fields, &self.arrays, &self.methods);
        let not_reached = match fields.not_reached {
            0 => String::new(),
            number => format!(", {number} not reached"),
        };
        let suppressed = match self.suppressed {
            0 => String::new(),
            number => format!("; {number} suppressed"),
        };
        writeln!(
            f,
            "SUMMARY: jrace check: {}; {} not always guarded{suppressed}; {} of {} fields race-free ({} final, {} volatile, {} unique, \
             {} read-only, {} guarded, {} confined){not_reached}; {} of {} array accesses race-free; {} of {} atomic{}",
            count(self.errors as u64, "type error"),
            count(self.not_always_guarded as u64, "field"),
            fields.race_free,
            fields.all,
            fields.r#final,
            fields.volatile,
            fields.unique,
            fields.read_only,
            fields.guarded,
            fields.confined,
            arrays.race_free,
            arrays.all,
            methods.atomic,
            count(methods.all as u64, "method"),
            self.since,
        )
    }
}
