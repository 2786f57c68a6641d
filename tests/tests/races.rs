//! Static races are all that runs show: every variable that the agent reports is in what `jrace races` finds.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::finding::Variable;
use facts::name::dotted;
use jrace_tests::demos::Demo;
use jrace_tests::generator;
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, jrace};
use jrace_tests::variants;
use serde_json::Value;

/// Fields as `package.Class.field`, and types of arrays.
#[derive(Default, Debug)]
struct Racy {
    fields: BTreeSet<String>,
    arrays: BTreeSet<String>,
}

fn strings<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    value[key].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// What `jrace races` says.
fn report(classes: &Path, main: &str, jdk: &Jdk) -> Result<Value> {
    let output = jrace(jdk).args(["races", "--json", "--exitcode", "0", "--main", main]).arg(classes).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// What it finds.
fn found(classes: &Path, main: &str, jdk: &Jdk) -> Result<Racy> {
    let report = report(classes, main, jdk)?;
    let mut racy = Racy::default();
    for variable in report["variables"].as_array().context("variables")? {
        let name = variable["variable"].as_str().context("a name")?;
        racy.fields.extend(name.split_once(" (").map(|(field, _)| field.to_owned()));
        let races = variable["races"].as_array().into_iter().flatten();
        let objects = races.flat_map(|race| strings(race, "objects"));
        racy.arrays.extend(objects.filter_map(|object| Some(object.split_once(' ')?.0.to_owned())));
    }
    Ok(racy)
}

/// What a run reports and the static result does not have.
fn missed(run: &Run, racy: &Racy) -> Vec<String> {
    let is_missed = |variable: &&Variable| match variable {
        Variable::Field { class, name, .. } | Variable::Static { class, name, .. } => {
            !racy.fields.contains(&format!("{}.{name}", dotted(class)))
        }
        Variable::Array { descriptor, .. } => {
            !racy.arrays.contains(&facts::name::readable(descriptor)) && !racy.arrays.contains("?[]")
        }
        Variable::Object { .. } => true,
    };
    let variables: Vec<&Variable> = run.findings().map(|finding| &finding.variable).collect();
    variables.into_iter().filter(is_missed).map(|variable| format!("{variable:?}")).collect()
}

#[test]
fn races_of_demos_are_found_without_a_run() -> Result<()> {
    let jdk = Jdk::oldest();
    for demo in Demo::all()? {
        let classes = demo.classes()?;
        let run = Launch::main(&jdk, &classes, &demo.main).args(&demo.args).checked("").run()?.succeeded()?;
        let missed = missed(&run, &found(&classes, &demo.main, &jdk)?);
        ensure!(missed.is_empty(), "{}: {missed:#?}", demo.name);
    }
    Ok(())
}

/// A program of the generator's, in a folder of its own.
fn compile(seed: u64, program: String, jdk: &Jdk) -> Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let main =
        format!("public final class All {{ public static void main(String[] args) {{ g{seed}.Main.run(); }} }}\n");
    let sources = [
        ("support/Support.java".to_owned(), generator::SUPPORT.to_owned()),
        (format!("g{seed}/Main.java"), program),
        ("All.java".to_owned(), main),
    ];
    let mut paths = Vec::new();
    for (name, text) in sources {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().context("a folder")?)?;
        std::fs::write(&path, text)?;
        paths.push(path);
    }
    let classes = folder.path().join("classes");
    std::fs::create_dir(&classes)?;
    jdk.compile(&paths, &classes, &["--release", "17"])?;
    Ok((folder, classes))
}

/// `JRACE_PROGRAMS=FROM..TO` chooses others.
fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("JRACE_PROGRAMS").ok();
    let range = given.as_deref().and_then(|text| text.split_once(".."));
    range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?)).unwrap_or(0..8)
}

#[test]
fn races_of_random_programs_are_found_without_a_run() -> Result<()> {
    let jdk = Jdk::oldest();
    let mut n_racy = 0;
    for seed in seeds() {
        let (_folder, classes) = compile(seed, generator::program(seed), &jdk)?;
        let run = Launch::main(&jdk, &classes, "All").checked("exclude=support.*").run()?.succeeded()?;
        n_racy += run.racy().len();
        let missed = missed(&run, &found(&classes, "All", &jdk)?);
        ensure!(missed.is_empty(), "program {seed}: {missed:#?}");
    }
    ensure!(n_racy > 10, "too few races: {n_racy}");
    Ok(())
}

/// The confidence of each variable's surest race; `no-common-lock` is above `maybe-same-lock`.
fn surest(program: String, seed: u64, jdk: &Jdk) -> Result<BTreeMap<String, String>> {
    let (_folder, classes) = compile(seed, program, jdk)?;
    let report = report(&classes, "All", jdk)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let entry = |variable: &Value| (text(&variable["name"]), text(&variable["races"][0]["confidence"]));
    Ok(report["variables"].as_array().context("variables")?.iter().map(entry).collect())
}

#[test]
fn another_way_to_write_a_program_changes_no_race_and_a_lock_adds_none() -> Result<()> {
    let jdk = Jdk::oldest();
    for seed in seeds().take(2) {
        let program = generator::program(seed);
        let races = surest(program.clone(), seed, &jdk)?;
        for (how, change) in variants::SAME {
            let changed = change(&program);
            ensure!(changed != program, "program {seed}: nothing to change by {how}");
            assert_eq!(surest(changed, seed, &jdk)?, races, "program {seed}: {how}");
        }
        let locked = surest(variants::locked(&program), seed, &jdk)?;
        let is_added =
            |(name, confidence): &(&String, &String)| races.get(*name).is_none_or(|known| known < confidence);
        let added: Vec<_> = locked.iter().filter(is_added).collect();
        ensure!(added.is_empty(), "program {seed}: {added:?} though there are more locks");
    }
    Ok(())
}
