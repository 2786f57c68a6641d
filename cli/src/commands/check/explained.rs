//! What `jrace explain` says of fields and methods: for people, as JSON, and as a document.
//!
//! One object: `format`, `jrace`, `application` and `entries` as in `jrace check --json`; `fields`, as there but with or without a type,
//! with `leak`, where objects get more than one owner, and `focus`, whether a run with that focus checks it, and why, a line each (empty
//! without `--focus`); `methods`: `name`, `atomicity`, `by_locks`, how that depends on locks that callers hold, `events`, which break it
//! by its types, as in the errors there, and `focus`; `why_not`, instead of both with `--why-not`: see [`super::why_not`].

use std::fmt::{self, Display, Formatter};

use facts::site::Place;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::document::{of_error, of_field};
use super::report::{Error, Event, Field, Method};
use super::rules;
use super::text::{line, position};
use super::why_not::WhyNot;
use crate::document::Document;
use crate::document::finding::{Finding, Level};
use crate::document::page::{Page, Part};
use crate::document::spot::Locator;
use crate::document::table::{Column, Table};
use crate::entries::Entries;

/// All of it.
#[derive(Serialize, JsonSchema)]
pub struct Explained {
    /// Version of this form.
    pub format: u32,
    /// The version of jrace.
    pub jrace: &'static str,
    /// The paths of the application.
    pub application: Vec<String>,
    /// What it begins with, in words.
    pub entries: String,
    /// The fields that were asked for.
    pub fields: Vec<ExplainedField>,
    /// The methods.
    pub methods: Vec<ExplainedMethod>,
    /// What stands in the way of proofs, instead of fields and methods, if that was asked for.
    pub why_not: Option<WhyNot>,
}

/// A field.
#[derive(Serialize, JsonSchema)]
pub struct ExplainedField {
    /// What its type is, or what stands in the way of one.
    #[serde(flatten)]
    pub field: Field,
    /// Whether it has a type.
    pub has_type: bool,
    /// Where its objects get more than one owner, if that is why it has no type.
    pub leak: Option<Place>,
    /// What a focus makes of it.
    pub focus: Lines,
}

/// A method.
#[derive(Serialize, JsonSchema)]
pub struct ExplainedMethod {
    /// Its atomicity.
    #[serde(flatten)]
    pub method: Method,
    /// How that depends on the locks that its caller holds, if it does.
    pub by_locks: Option<String>,
    /// What breaks it.
    pub events: Vec<Event>,
    /// What a focus makes of it.
    pub focus: Lines,
}

/// Lines as they are shown, each indented and ended; in documents, a list.
#[derive(Default, JsonSchema)]
#[schemars(with = "Vec<String>")]
pub struct Lines(pub String);

impl Lines {
    fn each(&self) -> impl Iterator<Item = &str> {
        self.0.lines().map(str::trim)
    }
}

impl Serialize for Lines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.each())
    }
}

impl Display for Explained {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.fields.iter().try_for_each(|field| write!(f, "{field}"))?;
        self.methods.iter().try_for_each(|method| write!(f, "{method}"))?;
        self.why_not.iter().try_for_each(|why_not| write!(f, "{}{why_not}", Entries::line(&self.entries)))
    }
}

impl Display for ExplainedField {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.field)?;
        self.leaks().iter().try_for_each(|leaks| line(f, format_args!("  {leaks}")))?;
        write!(f, "{}", self.focus.0)
    }
}

impl Display for ExplainedMethod {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.method)?;
        self.by_locks
            .iter()
            .try_for_each(|locks| line(f, format_args!("  by the locks that its caller holds: {locks}")))?;
        self.events.iter().try_for_each(|event| write!(f, "{event}"))?;
        write!(f, "{}", self.focus.0)
    }
}

impl ExplainedField {
    fn leaks(&self) -> Option<String> {
        self.leak.as_ref().map(|place| format!("its objects have no one owner: {}", position(place)))
    }

    fn row(&self) -> Vec<String> {
        vec![self.field.name.clone(), self.field.what.clone(), self.focus.each().collect::<Vec<_>>().join("; ")]
    }

    fn finding(&self) -> Finding<'_> {
        let mut finding = of_field(&self.field);
        finding.remarks.extend(self.leaks());
        finding.entry.ending.extend(self.focus.each().map(str::to_owned));
        finding
    }
}

impl ExplainedMethod {
    fn row(&self) -> Vec<String> {
        let focus = self.by_locks.iter().map(String::as_str).chain(self.focus.each()).collect::<Vec<_>>();
        vec![self.method.name.clone(), self.method.atomicity.clone(), focus.join("; ")]
    }

    /// What breaks it, as an error.
    fn error(&self) -> Error<'_> {
        let what = format!("is {}", self.method.atomicity);
        let events = self.events.iter().map(Event::clone).collect();
        Error { rule: rules::NOT_ATOMIC, name: self.method.name.clone(), what, events, ..Error::default() }
    }
}

/// What is not atomic, as errors that the document is made of.
pub fn errors(explained: &Explained) -> Vec<Error<'_>> {
    let broken = explained.methods.iter().filter(|method| !method.events.is_empty());
    broken.map(ExplainedMethod::error).collect()
}

/// The document: what has no type, or is not atomic, is a finding; the rest stands in tables.
pub fn document<'e>(
    explained: &'e Explained,
    errors: &'e [Error<'e>],
    name: &str,
    locator: &mut Locator<'_>,
) -> Document<'e> {
    let fields = explained.fields.iter().filter(|field| !field.has_type).map(ExplainedField::finding);
    // What is explained fails nothing.
    let told = |finding| Finding { fails: false, level: Level::Warning, ..finding };
    let findings = fields.chain(errors.iter().map(of_error)).map(told);
    let typed = explained.fields.iter().filter(|field| field.has_type).map(ExplainedField::row);
    let atomic = explained.methods.iter().filter(|method| method.events.is_empty()).map(ExplainedMethod::row);
    let table = |id, title, columns: [&'static str; 3], rows| Table {
        id,
        title,
        columns: columns.map(Column::words).into(),
        rows,
    };
    let mut tables = vec![
        table("typed", "Fields with a type", ["field", "type", "with the focus"], typed.collect()),
        table("methods", "Methods", ["method", "atomicity", "besides"], atomic.collect()),
    ];
    tables.extend(explained.why_not.iter().flat_map(WhyNot::tables));
    Document {
        command: "jrace explain",
        rules: &rules::RULES,
        findings: findings.collect(),
        times: Vec::new(),
        tables,
        notes: Vec::new(),
        is_complete: true,
        page: page(explained, name),
    }
    .located(locator)
}

fn page(explained: &Explained, name: &str) -> Page {
    let Explained { jrace, entries, application, .. } = explained;
    Page {
        heading: format!("{name} in {}", application.join(", ")),
        about: format!(
            "What the types of jrace {jrace} prove of it and why; nothing was run for them. Entries: {entries}."
        ),
        of: "findings",
        libraries: "the JDK or a test runner",
        parts: vec![Part { title: "Without a type, or not atomic", meaning: None }],
        ..Page::default()
    }
}
