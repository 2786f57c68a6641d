//! `jrace races`: races without a run.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use facts::name::dotted;
use facts::pattern::Pattern;
use indicatif::ProgressBar;
use static_typer::classpath::ClassPath;
use static_typer::points_to::{Code, PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::{ClassId, MethodId, Program};
use static_typer::races::{self, Options, Variable};
use static_typer::types::{Bodies, Owner, Types};

use crate::analysis::complain;
use crate::args::{Contexts, Races};
use crate::exit;
use crate::java;
use crate::output::out;
use crate::races::report::{Report, Words};
use crate::races::text;
use crate::report::words::count;

/// Finds races.
///
/// # Errors
/// The classes, or those of the JDK, cannot be read; or there is nothing to begin with.
pub fn races(args: &Races) -> Result<u8> {
    let progress = ProgressBar::new_spinner().with_message("reading classes");
    progress.enable_steady_tick(Duration::from_millis(100));
    let jdk = args.jdk.clone().or_else(java::home);
    let jdk = jdk.context("no JDK was found: set JAVA_HOME to one, or name it with --jdk")?;
    let mut path = ClassPath::open(&args.application, &args.library, Some(&jdk))?;
    let program = Program::load_whole(&mut path);
    complain(&path, &program);
    let report = analyse(args, &program, &progress)?;
    progress.finish_and_clear();
    if args.json {
        out(&(serde_json::to_string_pretty(&report)? + "\n"));
    } else {
        out(&text::document(&report, args.all));
    }
    Ok(exit::of_report(!report.variables.is_empty(), args.exitcode))
}

fn analyse(args: &Races, program: &Program, progress: &ProgressBar) -> Result<Report> {
    let resolution = Resolution::of(program);
    let (code, mut assumptions) = environment(args, &resolution)?;
    let is_harness = args.main.is_none() && (!args.api.is_empty() || program.main_methods().is_empty());
    progress.set_message("points-to analysis");
    let points_to = PointsTo::of(&resolution, &sensitivity(args), code, &|n| {
        progress.set_message(format!("points-to analysis: {n} methods in their contexts"));
    });
    progress.set_message("types");
    let mut options = Options { chord: args.chord, ..Options::default() };
    if !args.chord {
        let types = Types::infer(program, &Bodies::of(program));
        // Clients of a library have other threads than its own main thread.
        let holds = |owner: &Owner| !is_harness || *owner != Owner::MainThread;
        let proved = types.fields.iter().filter(|field| field.owner.as_ref().is_some_and(holds));
        options.proved = proved.map(|field| Variable::Field(field.field)).collect();
    }
    progress.set_message("races");
    let found = races::Races::of(program, &points_to, &options);
    assumptions.extend(unseen(program, &points_to));
    Ok(Words::new(program, &points_to, &found, is_harness).report(assumptions))
}

fn sensitivity(args: &Races) -> Sensitivity {
    match (args.contexts, args.chord) {
        (Contexts::None, _) => Sensitivity::None,
        (Contexts::Object, _) => Sensitivity::Object(args.depth.into()),
        (Contexts::Hybrid, _) => Sensitivity::Hybrid(args.depth.into()),
    }
}

/// The code that everything begins with, and what it cannot do.
fn environment(args: &Races, resolution: &Resolution<'_>) -> Result<(Code, Vec<String>)> {
    let program = resolution.program;
    if let Some(class) = &args.main {
        let mains = mains(program, class)?;
        return Ok((environment::mains(resolution, &mains), Vec::new()));
    }
    let mains = program.main_methods();
    if args.api.is_empty() && !mains.is_empty() {
        return Ok((environment::mains(resolution, &mains), Vec::new()));
    }
    let patterns: Vec<Pattern> = args.api.iter().map(|pattern| Pattern::whole(pattern)).collect();
    let is_in = |class: ClassId| {
        let name = dotted(&program.class_name(class));
        patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(&name))
    };
    for (text, pattern) in args.api.iter().zip(&patterns) {
        let mut names = program.application().map(|class| dotted(&program.class_name(class)));
        ensure!(
            names.any(|name| pattern.matches(&name)),
            "no class is called `{text}`: write `package.Class`, `*` for any part"
        );
    }
    let methods = environment::interface(program, &is_in);
    ensure!(
        !methods.is_empty(),
        "no public method was found to begin with: name a class with --main, or classes with --api"
    );
    let (code, interface) = environment::harness(resolution, &methods);
    let implemented: Vec<String> = interface.implemented.iter().map(|ty| dotted(&program.names().show(*ty))).collect();
    let assumption = format!("what clients do that implement {}", implemented.join(", "));
    Ok((code, if implemented.is_empty() { Vec::new() } else { vec![assumption] }))
}

fn mains(program: &Program, class: &str) -> Result<Vec<MethodId>> {
    let mut mains = program.main_methods();
    mains.retain(|main| dotted(&program.class_name(program.method(*main).class)) == class);
    if mains.is_empty() {
        bail!("`{class}` has no method `public static void main(String[])`: name another class with --main");
    }
    Ok(mains)
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
    let named = unknown.iter().map(|method| format!("what {} does", dotted(&program.method_name(*method))));
    let natives = (n_native > 0).then(|| format!("what {} of libraries do", count(n_native, "native method")));
    named.chain(natives).collect()
}
