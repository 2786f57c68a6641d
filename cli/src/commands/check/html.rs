//! The page of `jrace check --html`: what types and runs say of one method stands together.

use std::path::Path;

use facts::site::Place;

use super::report::{Broken, Error, Event, Field, Report};
use super::text::position;
use crate::html::findings::{self, breakable, choice, holding, list};
use crate::html::sources::Excerpts;
use crate::html::{classed, element, escape};
use crate::report::html::hazard;
use crate::report::source::Sources;

/// How many accesses of a field are shown.
const MAX_ACCESSES: usize = 12;

/// The kind of a field that is no error.
const NOT_GUARDED: &str = "race-unsafe";

/// Makes the page.
pub struct Page<'a> {
    code: Excerpts<'a>,
}

impl<'a> Page<'a> {
    /// Paths below `directory` are shown as they are from there.
    pub fn new(sources: Sources, directory: &'a Path) -> Self {
        Self { code: Excerpts::new(sources, directory) }
    }

    /// The page.
    pub fn document(mut self, report: &Report<'_>) -> String {
        let errors: String = report.errors.iter().map(|error| self.error(error)).collect();
        let fields: String = report.fields.iter().map(|field| self.field(field)).collect();
        let none = report.errors.is_empty() && report.fields.is_empty();
        let nothing = if none { classed("p", "quiet", "Nothing is reported.") } else { String::new() };
        let atomic = report.atomic.iter().flatten().map(|method| format!("{}: {}", method.name, method.atomicity));
        let main = format!(
            "{}{}<section id=\"findings\" tabindex=\"-1\">\n<h2>Findings</h2>\n{errors}{fields}{nothing}</section>\n{}{}",
            summary(report),
            filters(report),
            list("not-reached", "Not reached by any entry", report.not_reached.as_deref().unwrap_or_default()),
            list("atomic", "Atomic methods", &atomic.collect::<Vec<_>>()),
        );
        findings::document("jrace check", ("findings", "Skip to the findings"), &heading(report), &main)
    }

    fn error(&mut self, error: &Error<'_>) -> String {
        let at = error.place.as_ref().filter(|_| error.events.is_empty());
        let at = at.map(|place| self.path(&[(position(place), place)])).unwrap_or_default();
        let observed = error.observed.iter().map(|observed| element("p", observed)).collect::<String>();
        let events = self.events(&error.events);
        let runs: String = error.runs.iter().map(|broken| self.broken(broken)).collect();
        let joined = if error.runs.is_empty() { "" } else { "seen in runs" };
        let sentence = element("p", &format!("{} {}.", error.name, error.what));
        entry(
            error.rule,
            joined,
            &error.name,
            package(&error.name),
            &format!("<article>{sentence}{observed}{at}</article>\n{events}{runs}"),
        )
    }

    fn events(&mut self, events: &[Event]) -> String {
        if events.is_empty() {
            return String::new();
        }
        let text = |event: &Event| {
            let mover = event.mover.as_ref().map(|mover| format!(" ({mover})")).unwrap_or_default();
            format!("{} {}{mover}, at {}", event.role, event.what, position(&event.place))
        };
        let frames: Vec<(String, &Place)> = events.iter().map(|event| (text(event), &event.place)).collect();
        format!("<article>\n<h3>By its types</h3>\n{}</article>\n", self.path(&frames))
    }

    fn broken(&mut self, broken: &Broken<'_>) -> String {
        hazard::scenarios(&mut self.code, broken.key, broken.orders())
    }

    fn field(&mut self, field: &Field) -> String {
        let sides = field.unguarded.iter().take(MAX_ACCESSES);
        let sides: String = sides
            .map(|access| {
                let frame = self.path(&[(position(&access.place), &access.place)]);
                format!(
                    "<section class=\"side\">\n{}{}{frame}</section>\n",
                    element("h4", access.kind),
                    holding(&access.locks)
                )
            })
            .collect();
        let example = field.example.as_ref().map(|place| {
            let text = format!("Guarded at {} of {} accesses: {}.", field.guarded, field.accesses, position(place));
            element("p", &text)
        });
        let body = format!(
            "<article>\n{}{}<div class=\"sides\">{sides}</div>\n</article>\n",
            element("p", &format!("{}: {}.", field.name, field.what)),
            example.unwrap_or_default(),
        );
        entry(NOT_GUARDED, "", &field.name, package(&field.name), &body)
    }

    /// Places with what happens there, in order.
    fn path(&mut self, frames: &[(String, &Place)]) -> String {
        let item = |(text, place): &(String, &Place)| {
            let excerpt = self.code.excerpt(place, true, None).unwrap_or_default();
            format!("<li>{}{excerpt}</li>\n", breakable(text))
        };
        format!("<ol class=\"path\">{}</ol>\n", frames.iter().map(item).collect::<String>())
    }
}

/// One finding that opens.
fn entry(rule: &str, joined: &str, name: &str, package: &str, body: &str) -> String {
    let joined = if joined.is_empty() { String::new() } else { classed("span", "badge confirmed", joined) };
    format!(
        "<details class=\"variable\" data-rule=\"{rule}\" data-package=\"{}\" open>\n\
         <summary><span class=\"name\">{}</span> {} {joined}</summary>\n{body}</details>\n",
        escape(package),
        breakable(name),
        classed("span", "badge", rule),
    )
}

/// The package of `bank.Account.pay(java.lang.String)`.
fn package(name: &str) -> &str {
    findings::package(name.split('(').next().unwrap_or(name))
}

fn heading(report: &Report<'_>) -> String {
    let title = element("h1", &format!("Check of {}", report.application.join(", ")));
    let Report { jrace, entries, .. } = report;
    let how =
        format!("What the types of jrace {jrace} prove and do not; nothing was run for them. Entries: {entries}.");
    title + &classed("p", "quiet", &how)
}

fn summary(report: &Report<'_>) -> String {
    let summary = &report.summary;
    let n_seen = report.errors.iter().filter(|error| !error.runs.is_empty()).count();
    let facts = [
        (summary.errors, "type errors"),
        (n_seen, "of them seen in runs"),
        (summary.not_always_guarded, "fields not always guarded"),
        (summary.fields.race_free, "fields race-free"),
        (summary.fields.not_reached, "fields not reached by any entry"),
        (summary.fields.all, "fields in all"),
        (summary.methods.atomic, "methods atomic"),
        (summary.methods.all, "methods in all"),
    ];
    format!("<section id=\"summary\">\n<h2>Summary</h2>\n{}</section>\n", findings::facts(&facts))
}

fn filters(report: &Report<'_>) -> String {
    let names = report.errors.iter().map(|error| &error.name).chain(report.fields.iter().map(|field| &field.name));
    let packages = findings::packages(names.map(|name| package(name)));
    let rules = report.errors.iter().map(|error| error.rule);
    let rules: std::collections::BTreeSet<&str> = rules.chain(report.fields.iter().map(|_| NOT_GUARDED)).collect();
    let rules = rules.into_iter().map(|rule| (escape(rule), rule.to_owned()));
    findings::filters("findings", &[packages, choice("Kind", "rule", rules)])
}
