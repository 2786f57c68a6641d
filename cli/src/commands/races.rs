//! `jrace races`: races without a run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use facts::name::dotted;
use facts::reflection_log::ReflectionLog;
use modular::analysis::{Analysis, Limits, TooLarge};
use static_typer::focus::{self, MethodFacts, Presumed};
use static_typer::points_to::{Client, Code, Framework, PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::{MethodId, Program};
use static_typer::races::{self, Bounds, Options, Proofs, RaceFree, Stage};

use crate::analysis::{Origin, jdk_version, load};
use crate::args::{Contexts, Races, SkippedStage};
use crate::document::spot::Locator;
use crate::entries::{Caller, Entries};
use crate::evidence::Runs;
use crate::exit;
use crate::formats;
use crate::machine::half_of_memory;
use crate::models;
use crate::output::{Destination, Stream, err, out, out_json, say};
use crate::paint::Paint;
use crate::races::annotations::Annotations;
use crate::races::api::{self, Api};
use crate::races::dump::Dump;
use crate::races::report::{RULES, Report, VariableRaces};
use crate::races::text::Text;
use crate::races::words::Words;
use crate::races::{document, modular as by_summary, observed, reflection, reflection_log};
use crate::report::claims::Since;
use crate::report::source::Sources;
use crate::report::words::count;
use crate::settings;
use crate::stages::Stages;

/// Finds races.
///
/// # Errors
/// A file that is named cannot be read or written; the classes, or those of the JDK, cannot be read; or there is nothing to
/// begin with.
pub fn races(args: &Races) -> Result<u8> {
    if args.modular {
        return by_summaries(args);
    }
    let models = models::file(args.classes.models.as_deref())?;
    let mut known = Known::read(args)?;
    let outputs = Outputs::of(args)?;
    let mut stages = Stages::begin("reading classes");
    let mut is_program = false;
    let mut program = load(
        &args.classes.application,
        &args.classes.library,
        args.classes.jdk.as_deref(),
        Origin::ClassPath,
        |path| {
            is_program = path.is_program();
            Program::load_whole_and(path, reflection_log::classes(&known.reflection))
        },
    )?;
    models::tell(&mut program, models.as_deref())?;
    known.annotations.add_code(&program);
    let entries = Entries::of(&args.begin, &program, is_program)?;
    let (mut report, focus_set) = analyse(args, &program, &entries, &known, &outputs, &mut stages)?;
    let times = stages.end();
    report.times = args.times.then_some(times);
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

/// Finds races by method summaries.
fn by_summaries(args: &Races) -> Result<u8> {
    let since = Since::read(args.compared.baseline.as_deref(), RULES.to_vec())?;
    let outputs = Outputs::of(args)?;
    let models = models::file(args.classes.models.as_deref())?;
    let mut stages = Stages::begin("reading classes");
    let mut is_program = false;
    let classes = &args.classes;
    let mut program =
        load(&classes.application, &classes.library, classes.jdk.as_deref(), Origin::ClassPath, |path| {
            is_program = path.is_program();
            Program::load(path)
        })?;
    models::tell(&mut program, models.as_deref())?;
    let entries = Entries::of(&args.begin, &program, is_program)?;
    ensure!(
        entries.caller == Caller::Jvm,
        "--modular begins with `main`, and there is none: name a class that has one with --main, or leave --modular out"
    );
    stages.next("method summaries");
    let resolution = Resolution::of(&program);
    let analysis = Analysis::of(&resolution, &entries.methods, Limits::default()).map_err(|TooLarge(method)| {
        anyhow!("the summary of {} grows too large: leave --modular out", dotted(&method))
    })?;
    stages.next("races");
    let found = modular::check::races(&analysis);
    let application = classes.application.iter().map(|path| path.display().to_string()).collect();
    let mut report = by_summary::report(application, &entries.words, &analysis, &found);
    let times = stages.end();
    report.times = args.times.then_some(times);
    report.compare(since.as_ref(), &report.claims());
    let code = exit::of_report(report.counting().next().is_some(), args.exitcode, true);
    outputs.write(args, &mut report, true, code)?;
    Ok(code)
}

/// What is known besides the program.
struct Known {
    annotations: Annotations,
    runs: Option<Runs>,
    reflection: ReflectionLog,
    since: Option<Since>,
}

impl Known {
    fn read(args: &Races) -> Result<Self> {
        let annotations = args.annotations.as_deref().map_or_else(|| Ok(Annotations::default()), Annotations::read)?;
        let runs = args.observed.as_deref().map(Runs::read).transpose()?;
        let reflection = reflection_log::read_all(&args.reflection)?;
        Ok(Self {
            annotations,
            runs,
            reflection,
            since: Since::read(args.compared.baseline.as_deref(), RULES.to_vec())?,
        })
    }

    fn apply(&self, report: &mut Report, words: &Words<'_>) {
        let seen = report.claims();
        self.annotations.apply(report, &words.apart());
        report.compare(self.since.as_ref(), &seen);
        if let Some(runs) = &self.runs {
            observed::apply(runs, report, &|place| words.unseen(place));
        }
    }
}

/// Where the report goes besides standard output.
struct Outputs<'a> {
    outlets: formats::Outlets<'a>,
    dump: Option<Dump<'a>>,
    focus_set: Option<Destination<'a>>,
    directory: PathBuf,
}

impl<'a> Outputs<'a> {
    fn of(args: &'a Races) -> Result<Self> {
        let focus_set = args.focus_set.as_deref().map(|path| Destination::at(path, "the focus set", "--focus-set"));
        Ok(Self {
            outlets: formats::Outlets::of(&args.forms)?,
            dump: args.dump.as_deref().map(Dump::at).transpose()?,
            focus_set: focus_set.transpose()?,
            directory: std::env::current_dir().context("the working directory cannot be found")?,
        })
    }

    fn write(&self, args: &Races, report: &mut Report, is_whole: bool, code: u8) -> Result<()> {
        if args.compared.only_new {
            report.variables.retain(VariableRaces::counts);
        }
        let shown = |path: &Path| settings::shown(path, &self.directory, "");
        let mut locator = Locator::new(self.sources(args), &shown);
        let is_wanted = self.outlets.are_wanted() || args.forms.brief;
        let document = is_wanted.then(|| document::of(report, is_whole, &mut locator));
        let text = |stream: Stream| {
            Text::new(Paint::new(stream.is_colourful()), self.sources(args), args.all, &self.directory)
        };
        if args.json {
            out_json(report)?;
        } else if let Some(document) = document.as_ref().filter(|_| args.forms.brief) {
            out(&formats::brief(document));
            err(&text(Stream::Err).notes_and_summary(report, code));
        } else {
            out(&text(Stream::Out).document(report, code));
        }
        document.iter().try_for_each(|document| self.outlets.write(document, &mut locator))
    }

    /// Sources may lie in the working directory, next to the classes, or where the user says.
    fn sources(&self, args: &Races) -> Sources {
        Sources::beside(&self.directory, &args.source_path, &args.classes.application)
    }
}

fn stage(skipped: SkippedStage) -> Stage {
    match skipped {
        SkippedStage::Reachable => Stage::Reachable,
        SkippedStage::Aliasing => Stage::Aliasing,
        SkippedStage::Escaping => Stage::Escaping,
        SkippedStage::Unlocked => Stage::Unlocked,
    }
}

/// The report and, if it is wanted, the text of the focus set.
fn analyse(
    args: &Races,
    program: &Program,
    entries: &Entries,
    known: &Known,
    outputs: &Outputs<'_>,
    stages: &mut Stages,
) -> Result<(Report, String)> {
    let is_library = entries.has_clients();
    let resolution = Resolution::of(program).with_log(&known.reflection);
    if let Some(lacking) = reflection_log::lacking(&resolution.logged) {
        say(&lacking);
    }
    let Environment { code, mut assumptions, api } = environment(entries, &resolution)?;
    stages.next("points-to analysis");
    let points_to = points_to(args, &resolution, &code, stages, &mut assumptions)?;
    if let Some(dump) = &outputs.dump {
        stages.next("dump");
        dump.write(program, &points_to)?;
    }
    stages.next("types");
    // Paper 000 proves nothing by types, and what they prove would not show what a stage takes away.
    let proofs = if args.chord || !args.skip.is_empty() { Proofs::default() } else { Proofs::of(program, is_library) };
    let skipped = args.skip.iter().copied().map(stage).collect();
    let options =
        Options { chord: args.chord, proofs, skipped, unparallel: known.annotations.unparallel(), explains: false };
    stages.next("races");
    let found = races::Races::of(program, &points_to, &options);
    stages.next("call paths");
    assumptions.extend(unseen(program, &points_to));
    let application = args.classes.application.iter().map(|path| path.display().to_string()).collect();
    let bounds = Bounds { states: args.path_states, ..Bounds::default() };
    let words = Words::new(program, &points_to, (&found, &options.proofs), is_library, bounds);
    let mut report = words.report(application, assumptions);
    report.entries.clone_from(&entries.words);
    report.api = api;
    report.logged_calls = (!args.reflection.is_empty()).then(|| reflection::logged(program, &points_to));
    known.apply(&mut report, &words);
    let focus_set = args.focus_set.as_ref().map(|_| focus_set(args, program, &points_to, &found)).transpose()?;
    Ok((report, focus_set.unwrap_or_default()))
}

fn focus_set(args: &Races, program: &Program, points_to: &PointsTo, found: &races::Races) -> Result<String> {
    if let Some(hiding) = races::hidden(program, points_to) {
        let hiding = dotted(&hiding);
        say(&format!("a run with this focus set may miss races, as {hiding} may hide what is called"));
    }
    let mut text = Vec::new();
    let proof = RaceFree::by_search(program, points_to, found, Framework::default());
    let mut set = focus::focus_set(program, &[proof], &MethodFacts::default(), &Presumed::default());
    set.basis.jdk = jdk_version(args.classes.jdk.as_deref());
    set.write(&mut text)?;
    Ok(String::from_utf8(text)?)
}

/// The analysis in the contexts that were asked for, or in fewer where these take too much memory.
fn points_to(
    args: &Races,
    resolution: &Resolution<'_>,
    code: &Code,
    stages: &Stages,
    assumptions: &mut Vec<String>,
) -> Result<PointsTo> {
    let wanted = sensitivity(args);
    let cheaper = match wanted {
        Sensitivity::None => &[][..],
        Sensitivity::Hybrid(1) => &[Sensitivity::None],
        _ => &[Sensitivity::Hybrid(1), Sensitivity::None],
    };
    let limit = |sensitivity: &Sensitivity| args.memory.unwrap_or_else(|| usual_memory(sensitivity));
    for sensitivity in std::iter::once(&wanted).chain(cheaper) {
        let found = PointsTo::of(resolution, sensitivity, code.clone(), limit(sensitivity) << 20, &|n| {
            stages.tell(format!("points-to analysis: {n} methods in their contexts"));
        });
        let Some(points_to) = found else { continue };
        if *sensitivity != wanted {
            assumptions.push(format!(
                "contexts ({wanted} take more than {} MB, see --memory; with {sensitivity} instead)",
                limit(&wanted)
            ));
        }
        return Ok(points_to);
    }
    bail!("the analysis takes more than {} MB: give it more with --memory", limit(&Sensitivity::None))
}

/// What the usual contexts may take, in megabytes.
const USUAL_MEMORY: u64 = 512;

/// The usual contexts get less: where they take half a gigabyte they multiply, and are seldom worth the minutes.
fn usual_memory(sensitivity: &Sensitivity) -> u64 {
    match sensitivity {
        Sensitivity::Hybrid(1) => half_of_memory().min(USUAL_MEMORY),
        _ => half_of_memory(),
    }
}

fn sensitivity(args: &Races) -> Sensitivity {
    match (args.contexts, args.chord) {
        (Contexts::None, _) => Sensitivity::None,
        (Contexts::Object, _) => Sensitivity::Object(args.depth.into()),
        (Contexts::Hybrid, _) => Sensitivity::Hybrid(args.depth.into()),
    }
}

/// The code that everything begins with.
struct Environment {
    code: Code,
    /// What it cannot do.
    assumptions: Vec<String>,
    /// The classes that it takes, if it is a client's.
    api: Option<Api>,
}

impl From<Code> for Environment {
    fn from(code: Code) -> Self {
        Self { code, assumptions: Vec::new(), api: None }
    }
}

fn environment(entries: &Entries, resolution: &Resolution<'_>) -> Result<Environment> {
    let (program, methods) = (resolution.program, &entries.methods);
    match entries.caller {
        Caller::Tests => return Ok(environment::tests(resolution, methods).into()),
        Caller::Jvm => return Ok(environment::mains(resolution, methods).into()),
        Caller::Clients => {}
    }
    let client = &entries.client;
    ensure!(!client.is_empty(), nothing_to_call(program, client));
    let (code, implemented) = environment::harness(resolution, client);
    let implemented: Vec<String> = implemented.iter().map(|ty| dotted(&program.names().show(*ty))).collect();
    let assumption = format!("what clients do that implement {}", implemented.join(", "));
    let assumptions = if implemented.is_empty() { Vec::new() } else { vec![assumption] };
    // Without patterns nobody has asked for the classes that are left out.
    Ok(Environment { code, assumptions, api: Some(api::of(program, client, entries.names_classes)) })
}

fn nothing_to_call(program: &Program, client: &Client) -> String {
    match client.closed.first() {
        Some(class) if client.classes.is_empty() => format!(
            "no class that was named is public, and no public class extends or gives out `{}`: name the public classes that use \
             it, or a class with a `main` with --main",
            dotted(&program.class_name(*class))
        ),
        _ => "no public method was found to begin with: name a class with --main, or classes with --api".to_owned(),
    }
}

/// Native methods of the application and methods without readable code that are called.
fn unseen(program: &Program, points_to: &PointsTo) -> Vec<String> {
    let is_application = |method: &MethodId| program.class(program.method(*method).class).is_application;
    let mut unknown: BTreeSet<MethodId> = points_to.missing().iter().copied().collect();
    let mut n_native = 0_u64;
    for instance in points_to.instances() {
        for method in &points_to.code(instance).unknown {
            if is_application(method) {
                unknown.insert(*method);
            } else {
                n_native += 1;
            }
        }
    }
    let unreached = unreached(program, points_to);
    let named = unknown.iter().map(|method| format!("what {} does", dotted(&program.method_name(*method))));
    let natives = (n_native > 0).then(|| format!("what {} of libraries do", count(n_native, "native method")));
    let reflective = reflection::unseen(program, points_to);
    unreached.into_iter().chain(named).chain(reflective).chain(natives).collect()
}

/// Says so if most of the application is never called: it may be a library.
fn unreached(program: &Program, points_to: &PointsTo) -> Option<String> {
    let methods = program.application().flat_map(|class| program.methods_of(class));
    let total = methods.filter(|method| program.method(*method).has_code()).count();
    let reached: BTreeSet<MethodId> =
        points_to.instances().filter_map(|instance| points_to.code(instance).method).collect();
    let is_application = |method: &&MethodId| program.class(program.method(**method).class).is_application;
    let reached = reached.iter().filter(is_application).count();
    (2 * reached < total).then(|| {
        let left = count(total.saturating_sub(reached) as u64, "method");
        format!("{left} of {total}, which nothing calls from where the program begins: name what others use with --api")
    })
}
