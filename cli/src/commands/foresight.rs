//! `jrace run --atomicity` and `--deadlocks`: each JVM records a trace, and what can go wrong in another order of its events is
//! looked for when the command has ended.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use facts::finding::{Jvm, Record};
use facts::options::Atomicity;

use super::replay;
use crate::output;
use crate::report::load;
use crate::report::merge::Merged;
use crate::report::predicted::{Prediction, Search};
use crate::settings::{self, Settings};
use crate::signals::Temporary;

/// Megabytes of a trace that nobody asked for.
pub const LIMIT: &str = "1024";

/// What will be looked for.
pub struct Foresight {
    /// The settings of the run, with a directory for traces if there has to be one.
    pub settings: Settings,
    search: Search,
    /// Goes away with its traces.
    _traces: Option<Temporary>,
}

impl Foresight {
    /// What the options ask for.
    ///
    /// # Errors
    /// There is no room for traces.
    pub fn prepare(settings: Settings) -> Result<Self> {
        let options = settings.options();
        let search = replay::search_for(options.atomicity, options.deadlocks, options);
        if search.is_empty() || options.record.is_some() {
            return Ok(Self { settings, search, _traces: None });
        }
        let traces = Temporary::named("traces-");
        let traces = traces.context("no temporary directory for traces; choose one with --record")?;
        let mut recording = settings.with("record", &settings::text(traces.path())?)?.with("record_redundant", "0")?;
        if options.record_limit == 0 {
            recording = recording.with("record_limit", LIMIT)?;
        }
        Ok(Self { settings: recording, search, _traces: Some(traces) })
    }

    /// Whether it is of use to know which methods are atomic.
    pub fn wants_atomic_methods(&self) -> bool {
        self.search.atomicity != Atomicity::Off
    }

    /// Looks into the trace of each JVM that wrote findings into the directory, and writes there what it finds, where some
    /// methods are proved atomic. Returns what may have been missed.
    ///
    /// # Errors
    /// The findings cannot be read.
    pub fn write(&self, directory: &Path, proved: &BTreeSet<String>) -> Result<Merged> {
        let Some(traces) = self.settings.options().record.as_ref().filter(|_| !self.search.is_empty()) else {
            return Ok(Merged::default());
        };
        let jvms = load::load_run(directory, &|path| self.settings.shown(path))?.jvms;
        let checked = jvms.iter().filter(|(_, facts)| facts.unchecked.is_empty());
        let problems = checked.flat_map(|(id, _)| {
            let trace = traces.join(facts::trace::file_name(id.pid, id.started));
            let file = directory.join(load::predicted_name(id.pid, id.started));
            match self.write_one(&trace, &file, proved) {
                Ok(problems) => problems.into_iter().map(Merged::of_problem).collect(),
                Err(error) => vec![Merged::of_unread(format!("{error:#}"))],
            }
        });
        Ok(problems.fold(Merged::default(), Merged::union))
    }

    fn write_one(&self, trace: &Path, file: &Path, proved: &BTreeSet<String>) -> Result<Vec<String>> {
        let write = |jvm: &Jvm, records: Vec<Record>| {
            write_whole(file, std::iter::once(Record::Jvm(jvm.clone())).chain(records))
                .with_context(|| format!("cannot write `{}`", self.settings.shown(file)))
        };
        // Whoever ends jrace early finds what is known until then; what cannot be written now is said at the end.
        let so_far = |jvm: &Jvm, records| _ = write(jvm, records);
        let (jvm, Prediction { records, problems, .. }) =
            replay::predict(trace, self.search, proved, &self.settings, so_far)?;
        write(&jvm, records)?;
        Ok(problems)
    }
}

/// Puts a file in its place when it is complete: somebody may read it at any time.
fn write_whole(path: &Path, records: impl Iterator<Item = Record>) -> Result<()> {
    let part = path.with_extension("part");
    write_records(&part, records)?;
    Ok(fs::rename(&part, path)?)
}

fn write_records(path: &Path, records: impl Iterator<Item = Record>) -> Result<()> {
    let mut out = BufWriter::new(output::private().write(true).create(true).truncate(true).open(path)?);
    for record in records {
        serde_json::to_writer(&mut out, &record)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}
