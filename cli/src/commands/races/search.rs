//! The search of one build of an application, from its classes to the report.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use facts::name::dotted;
use static_typer::focus::{self, MethodFacts, Presumed};
use static_typer::points_to::{CallGraph, Code, Framework, PointsTo, Resolution, Sensitivity};
use static_typer::program::{MethodId, Program};
use static_typer::races::{self, Bounds, Options, Proofs, RaceFree, Stage};

use super::environment::Environment;
use super::{Known, Outputs, sensitivity};
use crate::analysis::{Origin, jdk_version, load};
use crate::args::{Races, SkippedStage};
use crate::entries::{Caller, Entries};
use crate::machine::half_of_memory;
use crate::models;
use crate::output::say;
use crate::races::annotations::Annotations;
use crate::races::api::Api;
use crate::races::norace;
use crate::races::report::{RULES, Report};
use crate::races::words::Words;
use crate::races::{observed, reflection, reflection_log, suppressed};
use crate::report::claims::{Claims, Since};
use crate::report::identity;
use crate::report::moved::Methods;
use crate::report::words::count;
use crate::stages::Stages;

/// Classes, and what their variables refer to.
pub struct Searched {
    application: Vec<PathBuf>,
    program: Program,
    annotations: Annotations,
    entries: Entries,
    points_to: PointsTo,
    /// The contexts that were had.
    pub contexts: Sensitivity,
    assumptions: Vec<String>,
    api: Option<Api>,
}

/// What is found.
pub struct Found {
    /// The report.
    pub report: Report,
    /// The text of the focus set, if it is wanted.
    pub focus_set: String,
}

/// What was found in an earlier build.
pub struct Earlier {
    /// The contexts that were had.
    pub contexts: Sensitivity,
    claims: Claims,
    methods: Methods,
}

impl Searched {
    /// Reads classes and analyses them, in the first of the contexts or in fewer.
    ///
    /// # Errors
    /// The classes cannot be read, there is nothing to begin with, or the analysis takes too much memory in any contexts.
    pub fn of(
        args: &Races,
        known: &Known,
        application: &[PathBuf],
        first: &Sensitivity,
        stages: &mut Stages,
    ) -> Result<Self> {
        let mut is_program = false;
        let (library, jdk) = (&args.classes.library, args.classes.jdk.as_deref());
        let mut program = load(application, library, jdk, Origin::ClassPath, |path| {
            is_program = path.is_program();
            Program::load_whole_and(path, reflection_log::classes(&known.reflection))
        })?;
        models::tell(&mut program, known.models.as_deref())?;
        let mut annotations = known.annotations.clone();
        annotations.add_code(&program);
        let entries = Entries::of(&args.begin, &program, is_program)?;
        stages.next("points-to analysis");
        let resolution = Resolution::of(&program).with_log(&known.reflection);
        let is_framework = entries.caller == Caller::Frameworks;
        let resolution = if is_framework { resolution.with_opaque_libraries() } else { resolution };
        if let Some(lacking) = reflection_log::lacking(&resolution.logged) {
            say(&lacking);
        }
        let Environment { code, mut assumptions, api } = Environment::of(&entries, &resolution)?;
        let (contexts, points_to) = points_to(args, &resolution, &code, first, stages, &mut assumptions)?;
        let application = application.to_vec();
        Ok(Self { application, program, annotations, entries, points_to, contexts, assumptions, api })
    }

    /// What is claimed of it, to be compared with another build.
    pub fn earlier(self, args: &Races, stages: &mut Stages) -> Earlier {
        let (races, options) = self.races(args, stages);
        let words = self.words(args, &races, &options);
        let mut report = self.report(&words);
        self.annotations.apply(&mut report, &words.apart());
        Earlier { claims: report.claims(), methods: self.methods(), contexts: self.contexts }
    }

    /// What is found, compared with what was known or with an earlier build.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn found(
        self,
        args: &Races,
        known: &Known,
        outputs: &Outputs<'_>,
        earlier: Option<Earlier>,
        stages: &mut Stages,
    ) -> Result<Found> {
        if let Some(dump) = &outputs.dump {
            stages.next("dump");
            dump.write(&self.program, &self.points_to)?;
        }
        let (races, options) = self.races(args, stages);
        let words = self.words(args, &races, &options);
        let mut report = self.report(&words);
        let is_logged = !args.reflection.is_empty();
        report.logged_calls = is_logged.then(|| reflection::logged(&self.program, &self.points_to));
        let seen = report.claims();
        self.annotations.apply(&mut report, &words.apart());
        norace::apply(args, &self.program, &self.annotations, &mut report)?;
        suppressed::apply(&known.suppressions, &mut report);
        let build = earlier
            .map(|Earlier { claims, methods, .. }| Since::build(&claims, RULES.to_vec(), [methods, self.methods()]));
        report.compare(build.as_ref().or(known.since.as_ref()), &seen);
        if let Some(runs) = &known.runs {
            observed::apply(runs, &mut report, &|place| words.unseen(place));
        }
        let focus_set = args.focus_set.as_ref().map(|_| focus_set(args, &self.program, &self.points_to, &races));
        Ok(Found { report, focus_set: focus_set.transpose()?.unwrap_or_default() })
    }

    fn races(&self, args: &Races, stages: &mut Stages) -> (races::Races, Options) {
        stages.next("types");
        // Paper 000 proves nothing by types, and what they prove would not show what a stage takes away.
        let proves = !args.chord && args.skip.is_empty();
        let proofs = if proves { Proofs::of(&self.program, self.entries.is_shared()) } else { Proofs::default() };
        let skipped = args.skip.iter().copied().map(stage).collect();
        let unparallel = self.annotations.unparallel();
        let options = Options { chord: args.chord, proofs, skipped, unparallel, explains: false, fills: !args.chord };
        stages.next("races");
        let races = races::Races::of(&self.program, &self.points_to, &options);
        stages.next("call paths");
        (races, options)
    }

    fn words<'a>(&'a self, args: &Races, races: &'a races::Races, options: &'a Options) -> Words<'a> {
        let bounds = Bounds { states: args.path_states, ..Bounds::default() };
        Words::new(&self.program, &self.points_to, (races, &options.proofs), self.entries.caller, bounds)
    }

    fn report(&self, words: &Words<'_>) -> Report {
        let assumptions = self.assumptions.iter().cloned().chain(unseen(&self.program, &self.points_to)).collect();
        let application = self.application.iter().map(|path| path.display().to_string()).collect();
        let mut report = words.report(application, assumptions);
        report.entries.clone_from(&self.entries.words);
        report.api.clone_from(&self.api);
        report
    }

    /// The methods of the application, and who calls them.
    fn methods(&self) -> Methods {
        let program = &self.program;
        let name = |method: MethodId| {
            let data = program.method(method);
            identity::named(&program.class_name(data.class), &program.names().text(data.name))
        };
        let mut methods = Methods::of(program.application().flat_map(|class| program.methods_of(class)).map(name));
        let graph = CallGraph::of(&self.points_to);
        graph.entries.iter().for_each(|entry| methods.add_call(None, &name(*entry)));
        graph.edges.iter().for_each(|(caller, _, callee)| methods.add_call(Some(&name(*caller)), &name(*callee)));
        methods
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

fn focus_set(args: &Races, program: &Program, points_to: &PointsTo, found: &races::Races) -> Result<String> {
    if let Some(hiding) = races::hidden(program, points_to) {
        let hiding = dotted(&hiding);
        say(&format!("a run with this focus set may miss races, as {hiding} may hide what is called"));
    }
    let mut text = Vec::new();
    let proof = RaceFree::by_search(program, points_to, found, Framework::default(), &program.reflected().fields);
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
    first: &Sensitivity,
    stages: &Stages,
    assumptions: &mut Vec<String>,
) -> Result<(Sensitivity, PointsTo)> {
    let wanted = sensitivity(args);
    let cheaper = match first {
        Sensitivity::None => &[][..],
        Sensitivity::Hybrid(1) => &[Sensitivity::None],
        _ => &[Sensitivity::Hybrid(1), Sensitivity::None],
    };
    let limit = |sensitivity: &Sensitivity| args.memory.unwrap_or_else(|| usual_memory(sensitivity));
    for sensitivity in std::iter::once(first).chain(cheaper) {
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
        return Ok((sensitivity.clone(), points_to));
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
