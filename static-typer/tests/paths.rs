//! Call paths to an access of an object are as short as trying everything says, and a thread that is alone does all there is.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use anyhow::{Context, Result, ensure};
use jrace_tests::jdk::Jdk;
use static_typer::classpath::ClassPath;
use static_typer::points_to::{Client, InstanceId, Local, ObjectSet, PointsTo, Resolution, environment};
use static_typer::program::{MethodId, Program};
use static_typer::races::{
    Beginning, Bounds, CallPath, Callers, Found, Goal, Guard, Kind, Options, Races, Root, Within, guard, naive, plain,
};

use crate::points_to::{ALL, Numbers};

/// Programs without the JDK, each with a `main`.
fn programs(count: u64) -> Result<Program> {
    compiled((0..count).map(|seed| Numbers(seed).program(&format!("P{seed}"))).collect())
}

/// A program of some classes that are not public, without the JDK.
fn compiled(texts: Vec<String>) -> Result<Program> {
    let folder = tempfile::tempdir()?;
    let (path, classes) = (folder.path().join("Circles.java"), folder.path().join("classes"));
    std::fs::write(&path, texts.concat())?;
    std::fs::create_dir(&classes)?;
    Jdk::oldest().compile(&[path], &classes, &["--release", "17"])?;
    Ok(Program::load_whole(&mut ClassPath::open(&[classes], &[], None)?))
}

/// The points-to results of every program, with each kind of contexts.
fn for_each(count: u64, check: &mut dyn FnMut(&Program, &PointsTo) -> Result<()>) -> Result<()> {
    let program = programs(count)?;
    let resolution = Resolution::of(&program);
    for main in program.main_methods() {
        for kind in &ALL {
            let code = environment::mains(&resolution, &[main]);
            let points_to = PointsTo::of(&resolution, kind, code, u64::MAX, &|_| {}).context("no limit")?;
            check(&program, &points_to).with_context(|| format!("{}, {kind}", program.method_name(main)))?;
        }
    }
    Ok(())
}

/// Every access with all its objects, and with each of them.
fn goals(points_to: &PointsTo) -> Vec<(InstanceId, Local, ObjectSet)> {
    let mut goals = Vec::new();
    for instance in points_to.instances() {
        for base in points_to.code(instance).accesses.iter().filter_map(|access| access.base) {
            let all = points_to.local(instance, base);
            goals.extend(all.iter().map(|object| (instance, base, ObjectSet::of(object))));
            goals.push((instance, base, all.clone()));
        }
    }
    goals.dedup();
    goals
}

#[test]
fn paths_are_as_short_as_trying_everything_says() -> Result<()> {
    let (mut n_paths, mut n_longer, mut n_none) = (0, 0, 0);
    for_each(40, &mut |program, points_to| {
        let races = Races::of(program, points_to, &Options::default());
        let (callers, reached) =
            (Callers::of(points_to, &races, Bounds::default()), naive::Reached::of(points_to, &races.threads));
        for (instance, base, objects) in goals(points_to) {
            let goal = Goal { instance, by: Beginning::Thread, object: Some((base, &objects)) };
            let path = |kind| callers.path(kind, &goal, &[], &[]).path.map(|path| path.steps.len());
            let (possible, any) = (path(Kind::Possible), path(Kind::Any));
            ensure!(possible == reached.length(&goal), "{possible:?} {:?} {goal:?}", reached.length(&goal));
            n_paths += 1;
            n_none += usize::from(possible.is_none() && any.is_some());
            n_longer += usize::from(possible.is_some() && possible > any);
        }
        Ok(())
    })?;
    // Else nothing tells the one from the other.
    ensure!(
        n_paths > 1000 && n_longer > 10 && n_none > 10,
        "{n_paths} paths, {n_longer} longer, {n_none} not possible"
    );
    Ok(())
}

/// A library whose methods call each other in circles, and all of them a hub, with and without locks, from several entries.
fn library(numbers: &mut Numbers, name: &str) -> String {
    const N_METHODS: u64 = 6;
    let mut text = format!("final class {name} {{ static boolean go() {{ return Math.random() < 0.1; }}\n");
    text += "static final Object L0 = new Object(), L1 = new Object();\n";
    text += "static class Box { int v; Box in; void add(Box b) { if (go()) v++; if (b != null) hub(b, this); } }\n";
    text += "static void hub(Box a, Box b) { if (a != null) a.v++; if (go()) m0(b, a); }\n";
    // Nothing that is passed comes to its access.
    text += "static void closed(Box a, Box b) { if (a != null) a.in = b; }\n";
    for method in 0..N_METHODS {
        let statements: Vec<String> = (0..2 + numbers.below(4)).map(|_| called(numbers, N_METHODS)).collect();
        text += &format!("static void m{method}(Box a, Box b) {{ {} hub(a, b); }}\n", statements.join(" "));
    }
    for entry in 0..4 {
        let statements: Vec<String> = (0..1 + numbers.below(2)).map(|_| called(numbers, N_METHODS)).collect();
        text += &format!("static void e{entry}(Box c) {{ Box a = c, b = null; {} }}\n", statements.join(" "));
    }
    text + "}\n"
}

fn called(numbers: &mut Numbers, n_methods: u64) -> String {
    let (x, y) = (["a", "b"][numbers.below(2) as usize], ["a", "b"][numbers.below(2) as usize]);
    let (method, lock) = (numbers.below(n_methods), numbers.below(2));
    match numbers.below(8) {
        0 => format!("{x} = new Box();"),
        1 => format!("if ({x} != null) {y} = {x}.in; if ({y} != null) {y}.in = {x};"),
        2 => format!("if ({x} != null) {x}.add({y});"),
        3 => format!("synchronized (L{lock}) {{ hub({x}, {y}); m{method}({y}, {x}); }}"),
        4 => format!("closed(null, {x});"),
        _ => format!("if (go()) m{method}({x}, {y});"),
    }
}

/// Every lock that is held at a call.
fn locks(points_to: &PointsTo) -> Vec<Guard> {
    let mut locks = Vec::new();
    for instance in points_to.instances() {
        let held = points_to.code(instance).calls.iter().flat_map(|site| &site.held);
        locks.extend(held.filter_map(|lock| guard(points_to, instance, lock)));
    }
    locks.sort_unstable();
    locks.dedup();
    locks
}

#[test]
fn paths_that_are_remembered_are_those_of_searches_by_themselves() -> Result<()> {
    let (mut n_found, mut n_none, mut n_longer, mut n_elsewhere) = (0, 0, 0, 0);
    let (mut n_cut, mut n_lost, mut n_any, mut n_shorter) = (0, 0, 0, 0);
    let program = compiled((0..10).map(|seed| library(&mut Numbers(seed), &format!("P{seed}"))).collect())?;
    let resolution = Resolution::of(&program);
    for (seed, class) in (0..).zip(program.application().filter(|class| !program.class_name(*class).contains('$'))) {
        let is_entry = |method: &MethodId| program.names().text(program.method(*method).name).starts_with('e');
        let entries: Vec<MethodId> = program.methods_of(class).filter(is_entry).collect();
        let (code, _) = environment::harness(&resolution, &Client::from(&entries[..]));
        for kind in &ALL {
            let points_to = PointsTo::of(&resolution, kind, code.clone(), u64::MAX, &|_| {}).context("no limit")?;
            let races = Races::of(&program, &points_to, &Options::default());
            let (goals, locks, roots) = (goals(&points_to), locks(&points_to), &races.threads.roots);
            // Also with so little to remember that it is forgotten again and again, and with bounds that are met.
            let whole = Callers::of(&points_to, &races, Bounds::default());
            for bounds in [
                Bounds::default(),
                Bounds { known: 300, ..Bounds::default() },
                Bounds { states: 12, ..Bounds::default() },
                Bounds { ways: 1, ..Bounds::default() },
            ] {
                let callers = Callers::of(&points_to, &races, bounds);
                let mut numbers = Numbers(seed);
                for _ in 0..80 {
                    let (instance, base, objects) = &goals[numbers.below(goals.len() as u64) as usize];
                    let by = if numbers.below(8) == 0 { Beginning::Initializer } else { Beginning::Thread };
                    let object = (numbers.below(8) > 0).then_some((*base, objects));
                    let goal = Goal { instance: *instance, by, object };
                    let kind = if numbers.below(4) == 0 { Kind::Any } else { Kind::Possible };
                    let avoided: Vec<InstanceId> = roots.iter().copied().filter(|_| numbers.below(3) == 0).collect();
                    let unheld: Vec<Guard> = locks.iter().copied().filter(|_| numbers.below(2) == 0).collect();
                    let found = callers.path(kind, &goal, &avoided, &unheld);
                    let expected = plain::path(&callers, kind, &goal, &avoided, &unheld);
                    ensure!(found == expected, "{found:?} {expected:?} {kind:?} {goal:?} {avoided:?} {unheld:?}");
                    let length = |path: &Option<CallPath>| path.as_ref().map(|path| path.steps.len());
                    let unbounded = whole.path(kind, &goal, &avoided, &unheld);
                    ensure!(!unbounded.is_cut && unbounded.path.as_ref().is_none_or(|path| path.is_followed));
                    let Found { path, is_cut, .. } = found;
                    let is_any = path.as_ref().is_some_and(|path| !path.is_followed);
                    // What is not said to be cut short, or not to be followed, is what there is.
                    let is_whole = length(&path) == length(&unbounded.path);
                    ensure!(is_whole || is_cut || is_any, "{path:?} {unbounded:?} {kind:?} {goal:?} {bounds:?}");
                    n_cut += usize::from(is_cut);
                    n_lost += usize::from(is_cut && !is_whole);
                    n_any += usize::from(is_any);
                    n_shorter += usize::from(is_any && !is_whole);
                    let whatever = plain::path(&callers, kind, &goal, &[], &[]).path;
                    n_found += usize::from(path.is_some());
                    n_none += usize::from(path.is_none() && whatever.is_some());
                    n_longer += usize::from(path.is_some() && length(&path) > length(&whatever));
                    n_elsewhere += usize::from(path != whatever);
                }
            }
        }
    }
    ensure!(
        n_cut > 100 && n_lost > 100 && n_any > 100 && n_shorter > 10,
        "{n_cut} cut short, {n_lost} lost, {n_any} by any way, {n_shorter} shorter so"
    );
    // Else nothing tells one search from another.
    ensure!(
        n_found > 5000 && n_none > 300 && n_longer > 300 && n_elsewhere > 1000,
        "{n_found} paths, {n_none} of others only, {n_longer} longer, {n_elsewhere} elsewhere"
    );
    Ok(())
}

#[test]
fn a_thread_that_is_alone_does_all_there_is() -> Result<()> {
    let mut n_variables = 0;
    for_each(100, &mut |_, points_to| {
        let begins = |instance: &InstanceId| *instance != points_to.root;
        let roots = points_to.calls(points_to.root).iter().map(|edge| edge.callee);
        let roots: Vec<Root> = roots.map(|instance| Root { instance, thrown: Vec::new() }).collect();
        let nothing = ObjectSet::default();
        let within = Within::of(points_to, &roots, &nothing);
        let mut run: Vec<InstanceId> = within.instances().collect();
        run.sort_unstable();
        ensure!(run == points_to.instances().filter(begins).collect::<Vec<_>>());
        for instance in run {
            for local in (0..points_to.code(instance).n_locals).map(Local) {
                let (own, all) = (within.local(instance, local), points_to.local(instance, local));
                ensure!(own == *all, "{instance:?} {local:?}: {own:?} for {all:?}");
                n_variables += usize::from(!all.is_empty());
            }
        }
        Ok(())
    })?;
    ensure!(n_variables > 1000, "{n_variables}");
    Ok(())
}
