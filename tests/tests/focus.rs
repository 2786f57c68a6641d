//! Focus loses nothing: no run shows a race on what the static types prove race-free.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use facts::finding::{Access, Finding, Variable};
use facts::focus::FocusSet;
use jrace_tests::fixture::on_every_jdk;
use jrace_tests::generator;
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, command};

/// Random programs of one test run; `JRACE_PROGRAMS=FROM..TO` chooses others.
fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("JRACE_PROGRAMS").ok();
    let range = given.as_deref().and_then(|text| text.split_once(".."));
    let range = range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    range.unwrap_or(0..40)
}

/// What `jrace check` proves about classes.
fn proved(classes: &Path, jdk: &Jdk) -> Result<FocusSet> {
    let file = tempfile::NamedTempFile::new()?;
    let mut check = Command::new(command());
    check.arg("check").arg(classes).arg("--jdk").arg(&jdk.home).arg("--focus-set").arg(file.path());
    let output = check.output()?;
    let code = output.status.code();
    ensure!(code == Some(0) || code == Some(66), "{code:?} {}", String::from_utf8_lossy(&output.stderr));
    let (set, n_damaged) = FocusSet::read(std::io::BufReader::new(file.reopen()?))?;
    ensure!(n_damaged == 0, "a damaged focus set");
    Ok(set)
}

/// What a run reports although it is proved.
fn contradictions(set: &FocusSet, run: &Run) -> Vec<String> {
    let fields: BTreeSet<_> = set.classes().flat_map(|class| &class.fields).collect();
    let is_proved = |finding: &&Finding| match &finding.variable {
        Variable::Field { class, name, descriptor } | Variable::Static { class, name, descriptor } => {
            fields.contains(&(class.clone(), name.clone(), descriptor.clone()))
        }
        Variable::Array { .. } => {
            let accesses = finding.conflicts.iter().flat_map(|conflict| [&conflict.current, &conflict.previous]);
            accesses.into_iter().any(|access| is_proved_array(set, access))
        }
        Variable::Object { .. } => false,
    };
    run.findings().filter(is_proved).map(|finding| format!("{:?}", finding.variable)).collect()
}

fn is_proved_array(set: &FocusSet, access: &Access) -> bool {
    let Some(place) = access.stack.first() else { return false };
    let class = set.classes().find(|class| class.class == place.class);
    class.is_some_and(|class| class.race_free_arrays(&place.method, &place.descriptor).contains(&place.offset))
}

#[test]
fn no_random_program_contradicts_its_types() -> Result<()> {
    let (sources, classes) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let write = |name: String, text: &str| {
        let path = sources.path().join(name);
        std::fs::create_dir_all(path.parent().context("a folder")?)?;
        std::fs::write(&path, text)?;
        Ok::<_, anyhow::Error>(path)
    };
    let mut all = vec![write("support/Support.java".to_owned(), generator::SUPPORT)?];
    let mut main = String::from("public final class All { public static void main(String[] args) {\n");
    for seed in seeds() {
        all.push(write(format!("g{seed}/Main.java"), &generator::program(seed))?);
        main += &format!("g{seed}.Main.run();\n");
    }
    all.push(write("All.java".to_owned(), &(main + "}}\n"))?);
    let jdk = Jdk::oldest();
    jdk.compile(&all, classes.path(), &["--release", "17"])?;
    let set = proved(classes.path(), &jdk)?;
    let options = "exclude=support.*";
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, classes.path(), "All");
        let run = launch.clone().checked(options).run()?.succeeded()?;
        let wrong = contradictions(&set, &run);
        ensure!(wrong.is_empty(), "{} contradictions: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
        let variables = run.racy().len();
        ensure!(variables > 2, "too few races: {variables}");
        Ok(())
    })?;
    let n_fields = set.classes().map(|class| class.fields.len()).sum::<usize>();
    ensure!(n_fields > 500 || std::env::var_os("JRACE_PROGRAMS").is_some(), "too few proofs: {n_fields}");
    Ok(())
}
