//! `jrace explain --why-not`: what stands in the way of proofs, each obstacle with its share of what is not proved.
//!
//! Members of `why_not`: `fields` and `arrays` (accesses), `all` of which so many are `race_free` and `unproved`, with `accesses`, those
//! to unproved fields that the type logs have (`null` without `--types`); `ways`, in the order in which a proof is tried: `way`,
//! `question` and its `obstacles`, the largest first: `cause`; `what`, in words; `fields`, `accesses` and `arrays` that meet it;
//! `alone`, how many `fields` and `arrays` would be proved without it (`null` where that is not found out); `example`: `name`, `place`.

mod words;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use facts::name::dotted;
use facts::pattern::Pattern;
use facts::site::Place;
use facts::type_log::TypeLog;
use schemars::JsonSchema;
use serde::Serialize;
use static_typer::program::{FieldId, Program};
use static_typer::types::{Cause, Conformance, FieldType, Obstacle, Supposed, UnsafeArray, Way};

use super::text::position;
use crate::analysis::Analysis;
use crate::document::table::{Column, Table};
use crate::formats::table;
use crate::report::words::printable;

/// What stands in the way.
#[derive(Serialize, JsonSchema)]
pub struct WhyNot {
    /// Fields neither final nor volatile.
    pub fields: Proved,
    /// Array accesses.
    pub arrays: Proved,
    /// Accesses to unproved fields in the type logs.
    pub accesses: Option<u64>,
    /// The ways to a proof.
    pub ways: Vec<Closed>,
}

/// How many are proved.
#[derive(Serialize, JsonSchema)]
pub struct Proved {
    /// All of them that an entry reaches.
    pub all: usize,
    /// Those that are proved.
    pub race_free: usize,
    /// The others.
    pub unproved: usize,
}

/// What closes one way.
#[derive(Serialize, JsonSchema)]
pub struct Closed {
    /// The way, for programs.
    pub way: &'static str,
    /// What was asked, in words.
    pub question: &'static str,
    /// What was met, the most first.
    pub obstacles: Vec<Met>,
}

/// An obstacle.
#[derive(Serialize, JsonSchema)]
pub struct Met {
    /// For programs.
    pub cause: &'static str,
    /// In words.
    pub what: &'static str,
    /// How many fields meet it.
    pub fields: usize,
    /// How many accesses in the type logs that is.
    pub accesses: Option<u64>,
    /// How many array accesses meet it.
    pub arrays: usize,
    /// What would be proved if it were gone.
    pub alone: Option<Alone>,
    /// One of them.
    pub example: Example,
}

/// How many would be proved.
#[derive(Serialize, JsonSchema)]
pub struct Alone {
    /// Fields.
    pub fields: usize,
    /// Array accesses.
    pub arrays: usize,
}

/// What meets an obstacle, and where.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Example {
    /// The field, or the method whose array access it is.
    pub name: String,
    /// Where the obstacle is; a declaration has no place.
    pub place: Option<Place>,
}

/// What is asked for, of what is reached.
struct Asked<'a> {
    analysis: &'a Analysis,
    fields: Vec<&'a FieldType>,
    arrays: Vec<&'a UnsafeArray>,
    /// How often each field was accessed, if logs tell.
    accesses: Option<BTreeMap<FieldId, u64>>,
}

impl WhyNot {
    /// What stands in the way of the fields and of the methods' array accesses of a name.
    pub fn of(analysis: &Analysis, pattern: &Pattern, log: Option<TypeLog>) -> Self {
        let Analysis { program, bodies, types, .. } = analysis;
        let is_mutable = |field: &&FieldType| {
            let data = program.field(field.field);
            let is_named = pattern.matches(&dotted(&program.field_name(field.field)));
            !data.is_final() && !data.is_volatile() && is_named && analysis.reaches(data.class)
        };
        let fields: Vec<&FieldType> = types.fields.iter().filter(is_mutable).collect();
        let is_named = |method| {
            let name = dotted(&program.method_name(method));
            pattern.matches(name.split('(').next().unwrap_or(&name)) && analysis.reaches(program.method(method).class)
        };
        let arrays: Vec<&UnsafeArray> = types.unsafe_arrays.iter().filter(|array| is_named(array.method)).collect();
        let safe = types.arrays.iter().filter(|(method, _)| is_named(**method)).map(|(_, at)| at.len());
        let proved = |all, unproved| Proved { all, race_free: all - unproved, unproved };
        let n_unproved = fields.iter().filter(|field| field.owner.is_none()).count();
        let accesses = log.map(|log| {
            let observed = Conformance::of(program, bodies, &types.fields, log).observed;
            observed.into_iter().map(|(field, observed)| (field, observed.seen.reads + observed.seen.writes)).collect()
        });
        let n_fields = fields.len();
        let unproved = fields.into_iter().filter(|field| field.owner.is_none()).collect();
        let asked = Asked { analysis, fields: unproved, arrays, accesses };
        Self {
            fields: proved(n_fields, n_unproved),
            arrays: proved(safe.sum::<usize>() + asked.arrays.len(), asked.arrays.len()),
            accesses: asked.weight(asked.fields.iter().copied()),
            ways: WAYS.iter().map(|way| asked.closed(*way)).filter(|closed| !closed.obstacles.is_empty()).collect(),
        }
    }

    /// A table for each way.
    pub fn tables(&self) -> Vec<Table> {
        self.ways.iter().map(|closed| self.table(closed)).collect()
    }

    fn table(&self, closed: &Closed) -> Table {
        let mut columns = vec![
            Column::words(closed.question),
            Column::numbers("fields"),
            Column::numbers("of them"),
            Column::numbers("arrays"),
            Column::numbers("proved without"),
            Column::words("for example"),
        ];
        if self.accesses.is_some() {
            columns.insert(3, Column::numbers("accesses"));
        }
        let rows = closed.obstacles.iter().map(|met| self.row(met)).collect();
        Table { id: closed.way, title: closed.question, columns, rows }
    }

    fn row(&self, met: &Met) -> Vec<String> {
        let alone =
            met.alone.as_ref().map_or_else(String::new, |Alone { fields, arrays }| format!("{fields} + {arrays}"));
        let mut row = vec![
            met.what.to_owned(),
            met.fields.to_string(),
            percent(met.fields as u64, self.fields.unproved as u64),
            met.arrays.to_string(),
            alone,
            met.example.to_string(),
        ];
        if let (Some(accesses), Some(all)) = (met.accesses, self.accesses) {
            row.insert(3, percent(accesses, all));
        }
        row
    }
}

fn percent(of: u64, all: u64) -> String {
    format!("{:.0}%", 100.0 * of as f64 / all.max(1) as f64)
}

impl Display for Example {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.name))?;
        self.place.iter().try_for_each(|place| write!(f, ": {}", position(place)))
    }
}

impl Display for WhyNot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for table in self.tables() {
            writeln!(f, "{}", table::text(&table))?;
        }
        let Self { fields, arrays, .. } = self;
        writeln!(
            f,
            "SUMMARY: jrace explain: {} of {} fields neither final nor volatile, and {} of {} array accesses, are not proved",
            fields.unproved, fields.all, arrays.unproved, arrays.all,
        )
    }
}

impl Asked<'_> {
    fn weight<'f>(&self, fields: impl Iterator<Item = &'f FieldType>) -> Option<u64> {
        let accesses = self.accesses.as_ref()?;
        Some(fields.filter_map(|field| accesses.get(&field.field)).sum())
    }

    fn closed(&self, way: Way) -> Closed {
        let (id, question) = words::asked(way);
        let mut fields: BTreeMap<Cause, Vec<(&FieldType, &Obstacle)>> = BTreeMap::new();
        let mut arrays: BTreeMap<Cause, Vec<(&UnsafeArray, &Obstacle)>> = BTreeMap::new();
        for field in &self.fields {
            for obstacle in field.obstacles.iter().filter(|obstacle| obstacle.way == way) {
                fields.entry(obstacle.cause).or_default().push((field, obstacle));
            }
        }
        for array in &self.arrays {
            for obstacle in array.obstacles.iter().filter(|obstacle| obstacle.way == way) {
                arrays.entry(obstacle.cause).or_default().push((array, obstacle));
            }
        }
        let causes: BTreeSet<Cause> = fields.keys().chain(arrays.keys()).copied().collect();
        let none = (Vec::new(), Vec::new());
        let met = |cause| {
            let (fields, arrays) = (fields.get(&cause).unwrap_or(&none.0), arrays.get(&cause).unwrap_or(&none.1));
            self.met(way, cause, fields, arrays)
        };
        let mut obstacles: Vec<Met> = causes.into_iter().map(met).collect();
        obstacles.sort_by_key(|met| Reverse((met.accesses, met.fields, met.arrays)));
        Closed { way: id, question, obstacles }
    }

    fn met(
        &self,
        way: Way,
        cause: Cause,
        fields: &[(&FieldType, &Obstacle)],
        arrays: &[(&UnsafeArray, &Obstacle)],
    ) -> Met {
        let Analysis { program, bodies, types, .. } = self.analysis;
        let supposed = Supposed::without(types, program, bodies, way, cause);
        let alone = supposed.map(|supposed| Alone {
            fields: self.fields.iter().filter(|field| supposed.fields.contains(&field.field)).count(),
            arrays: self.arrays.iter().filter(|array| supposed.arrays.contains(&(array.method, array.value))).count(),
        });
        let (cause, what) = words::words(way, cause);
        Met {
            cause,
            what,
            fields: fields.len(),
            accesses: self.weight(fields.iter().map(|(field, _)| *field)),
            arrays: arrays.len(),
            alone,
            example: self.example(fields, arrays),
        }
    }

    /// The field that was accessed most often, or else the first one.
    fn example(&self, fields: &[(&FieldType, &Obstacle)], arrays: &[(&UnsafeArray, &Obstacle)]) -> Example {
        let program = &self.analysis.program;
        let often = |field: &FieldType| self.accesses.as_ref().and_then(|accesses| accesses.get(&field.field));
        let place = |obstacle: &Obstacle| obstacle.at.map(|(method, value)| self.analysis.place(method, value));
        if let Some((field, obstacle)) = fields.iter().rev().max_by_key(|(field, _)| often(field)) {
            return Example { name: dotted(&program.field_name(field.field)), place: place(obstacle) };
        }
        let first = arrays.first().map(|(array, obstacle)| (in_method(program, array), place(obstacle)));
        let (name, place) = first.unwrap_or_default();
        Example { name, place }
    }
}

fn in_method(program: &Program, array: &UnsafeArray) -> String {
    let name = dotted(&program.method_name(array.method));
    format!("{} in {}", program.names().show(array.ty), name.split('(').next().unwrap_or(&name))
}

/// In the order in which they are shown.
const WAYS: [Way; 6] = [Way::Reach, Way::Begin, Way::Threads, Way::Write, Way::Lock, Way::Owner];
