//! `jrace races`: races without a run.

mod environment;
mod search;
mod summaries;
mod summary;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::reflection_log::ReflectionLog;
use static_typer::points_to::Sensitivity;

use crate::analysis::jdk_said;
use crate::args::{Contexts, Races};
use crate::document::spot::Locator;
use crate::document::time::StageTime;
use crate::evidence::Runs;
use crate::exit;
use crate::formats;
use crate::models;
use crate::output::{Destination, Stream, out, out_json, say};
use crate::races::annotations::Annotations;
use crate::races::broken::BrokenSets;
use crate::races::document;
use crate::races::dump::Dump;
use crate::races::reflection_log;
use crate::races::report::{RULES, Report, VariableRaces};
use crate::races::text::Text;
use crate::report::claims::{Since, has_classes};
use crate::report::source::{self, Sources};
use crate::report::suppressed::Suppressions;
use crate::settings;
use crate::stages::Stages;
use search::{Earlier, Found, Searched};
pub use summary::explain;

/// Finds races.
///
/// # Errors
/// A file that is named cannot be read or written; the classes, or those of the JDK, cannot be read; or there is nothing to
/// begin with.
pub fn races(args: &Races) -> Result<u8> {
    if args.modular {
        return summaries::races(args);
    }
    let known = Known::read(args)?;
    let outputs = Outputs::of(args)?;
    let Found { mut report, focus_set } = found(args, &known, &outputs)?;
    if let Some(file) = &outputs.focus_set {
        file.write(&focus_set)?;
    }
    for annotation in &report.unmatched_annotations {
        say(&format!("{annotation}: this annotation leaves out no race"));
    }
    let is_whole = known.runs.as_ref().is_none_or(Runs::is_whole);
    let code = exit::of_report(report.counting().next().is_some(), args.exitcode, is_whole);
    outputs.write(args, &mut report, is_whole, code)?;
    Ok(code)
}

/// What a search finds. Where it is compared with an earlier build, both are searched in the same contexts, so that these make nothing
/// new.
fn found(args: &Races, known: &Known, outputs: &Outputs<'_>) -> Result<Found> {
    let mut contexts = sensitivity(args);
    loop {
        let earlier = known.earlier.as_deref().map(|classes| earlier(args, known, classes, &contexts)).transpose()?;
        let (earlier, time) = earlier.unzip();
        let first = earlier.as_ref().map_or(&contexts, |earlier| &earlier.contexts);
        let mut stages = Stages::begin("reading classes");
        let searched = Searched::of(args, known, &args.classes.application, first, &mut stages)?;
        if earlier.as_ref().is_none_or(|earlier| earlier.contexts == searched.contexts) {
            let mut found = searched.found(args, known, outputs, earlier, &mut stages)?;
            let times = time.into_iter().chain(stages.end()).collect();
            found.report.times = args.times.then_some(times);
            return Ok(found);
        }
        contexts = searched.contexts;
        stages.end();
    }
}

/// An earlier build, searched as this one is, and how long that took.
fn earlier(args: &Races, known: &Known, classes: &Path, contexts: &Sensitivity) -> Result<(Earlier, StageTime)> {
    let mut stages = Stages::begin("reading the earlier classes");
    let searched = Searched::of(args, known, &[classes.to_owned()], contexts, &mut stages)
        .with_context(|| format!("the earlier classes `{}` cannot be searched", classes.display()))?;
    let earlier = searched.earlier(args, &mut stages);
    Ok((earlier, StageTime::sum("earlier classes", &stages.end())))
}

fn sensitivity(args: &Races) -> Sensitivity {
    match (args.contexts, args.chord) {
        (Contexts::None, _) => Sensitivity::None,
        (Contexts::Object, _) => Sensitivity::Object(args.depth.into()),
        (Contexts::Hybrid, _) => Sensitivity::Hybrid(args.depth.into()),
    }
}

/// What is known besides the program.
struct Known {
    annotations: Annotations,
    runs: Option<Runs>,
    reflection: ReflectionLog,
    models: Option<PathBuf>,
    since: Option<Since>,
    suppressions: Suppressions,
    /// The classes of an earlier build, with which these are compared.
    earlier: Option<PathBuf>,
}

impl Known {
    fn read(args: &Races) -> Result<Self> {
        let annotations = args.annotations.as_deref().map_or_else(|| Ok(Annotations::default()), Annotations::read)?;
        let runs = args.observed.as_deref().map(Runs::read).transpose()?;
        let reflection = reflection_log::read_all(&args.reflection)?;
        let models = models::file(args.classes.models.as_deref())?;
        ensure!(
            !annotations.has_alias_sets(),
            "`@AliasSets` is for --modular: leave these lines out of the file of --annotations"
        );
        let earlier = Since::path(args.compared.baseline.as_deref())?.filter(|path| has_classes(path));
        let since = match earlier {
            Some(_) => None,
            None => Since::read(args.compared.baseline.as_deref(), RULES.to_vec())?,
        };
        let suppressions = Suppressions::told(args.compared.suppressions.as_deref())?;
        Ok(Self { annotations, runs, reflection, models, since, suppressions, earlier })
    }
}

/// Where the report goes besides standard output.
struct Outputs<'a> {
    outlets: formats::Outlets<'a>,
    dump: Option<Dump<'a>>,
    focus_set: Option<Destination<'a>>,
    /// The jars and directories that are analysed, as they are shown.
    application: Vec<PathBuf>,
    directory: PathBuf,
}

impl<'a> Outputs<'a> {
    fn of(args: &'a Races) -> Result<Self> {
        source::check(&args.source_path)?;
        let focus_set = args.focus_set.as_deref().map(|path| Destination::at(path, "the focus set", "--focus-set"));
        Ok(Self {
            outlets: formats::Outlets::of(&args.forms)?,
            dump: args.dump.as_deref().map(Dump::at).transpose()?,
            focus_set: focus_set.transpose()?,
            application: args.classes.application.clone(),
            directory: std::env::current_dir().context("the working directory cannot be found")?,
        })
    }

    fn write(&self, args: &Races, report: &mut Report, is_whole: bool, code: u8) -> Result<()> {
        if args.compared.only_new {
            report.variables.retain(VariableRaces::counts);
            report.broken_sets.retain(BrokenSets::counts);
        }
        let shown = |path: &Path| settings::shown(path, &self.directory, "");
        let mut locator = Locator::new(self.sources(args), &shown);
        let is_wanted = self.outlets.are_wanted() || args.forms.brief;
        let document = is_wanted.then(|| {
            let jdk = jdk_said(args.classes.jdk.as_deref());
            document::of(report, is_whole, &mut locator).made_of("JDK", jdk)
        });
        let text = |stream: Stream| Text::new(stream.paint(), self.sources(args), args.all, &self.directory);
        if args.json {
            out_json(report)?;
        } else if let Some(document) = document.as_ref().filter(|_| args.forms.brief) {
            out(&formats::brief(document));
            Stream::Err.show(&text(Stream::Err).notes_and_summary(report, code));
        } else {
            Stream::Out.show(&text(Stream::Out).document(report, code));
        }
        document.iter().try_for_each(|document| self.outlets.write(document, &mut locator))
    }

    /// Sources may lie in the working directory, next to the classes, or where the user says.
    fn sources(&self, args: &Races) -> Sources {
        Sources::beside(&self.directory, &args.source_path, &self.application)
    }
}
