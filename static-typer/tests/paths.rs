//! Call paths to an access of an object are as short as trying everything says, and a thread that is alone does all there is.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use anyhow::{Context, Result, ensure};
use jrace_tests::jdk::Jdk;
use static_typer::classpath::ClassPath;
use static_typer::points_to::{InstanceId, Local, ObjectSet, PointsTo, Resolution, environment};
use static_typer::program::Program;
use static_typer::races::{Beginning, Callers, Goal, Kind, Options, Races, Root, Within, naive};

use crate::points_to::{ALL, Numbers};

/// Programs without the JDK, each with a `main`.
fn programs(count: u64) -> Result<Program> {
    let folder = tempfile::tempdir()?;
    let (path, classes) = (folder.path().join("Circles.java"), folder.path().join("classes"));
    let programs: Vec<String> = (0..count).map(|seed| Numbers(seed).program(&format!("P{seed}"))).collect();
    std::fs::write(&path, programs.concat())?;
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
        let (callers, reached) = (Callers::of(points_to, &races), naive::Reached::of(points_to, &races.threads));
        for (instance, base, objects) in goals(points_to) {
            let goal = Goal { instance, by: Beginning::Thread, object: Some((base, &objects)) };
            let path = |kind| callers.path(kind, &goal, &[], &[]).map(|path| path.steps.len());
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
