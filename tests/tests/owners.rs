//! Discovery's yield: the owners that were written down by hand, how many of them a run shows again.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use jrace_tests::demos::Demo;
use jrace_tests::jdk::Jdk;
use jrace_tests::root;
use jrace_tests::run::jrace;
use serde_json::Value;

/// By demo and field.
fn written() -> Result<BTreeMap<String, BTreeMap<String, String>>> {
    #[allow(clippy::disallowed_methods, reason = "reads what is expected")]
    let text = std::fs::read_to_string(root().join("demo-apps/owners.toml"))?;
    Ok(toml::from_str(&text)?)
}

/// What one run of a demo shows, by field.
fn discovered(demo: &Demo, jdk: &Jdk) -> Result<BTreeMap<String, String>> {
    let folder = tempfile::tempdir()?;
    let classes = demo.classes()?;
    let mut run = jrace(jdk);
    run.current_dir(&folder).args(["discover", "--"]).arg(jdk.home.join("bin/java")).arg("-cp").arg(classes);
    let output = run.arg(&demo.main).args(&demo.args).output()?;
    ensure!(output.status.success(), "{}: {}", demo.name, String::from_utf8_lossy(&output.stderr));
    let output = jrace(jdk).current_dir(&folder).args(["discover", "--json"]).output()?;
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let fields = report["fields"].as_array().context("fields")?;
    Ok(fields.iter().filter_map(|field| Some((simple(field["field"].as_str()?), owner(field)))).collect())
}

/// `Class.field`.
fn simple(field: &str) -> String {
    field.rsplitn(3, '.').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(".")
}

fn owner(field: &Value) -> String {
    let owner = field["owner"].as_str().unwrap_or("none");
    field["lock"].as_str().map_or_else(|| owner.to_owned(), |lock| format!("{owner} {lock}"))
}

/// Every field that has an owner has to be found with it, but for those that depend on the run; and no field that races may be
/// found guarded.
#[test]
fn runs_show_the_owners_that_were_written_down() -> Result<()> {
    const BY_CHANCE: [&str; 6] = [
        // FN: the ball goes back and forth, which is no hand-over.
        "Ball.hits",
        // What a run may show to one thread only, or not change at all.
        "Customer.emptyGlances",
        "Lift.emptyStops",
        "Resource.uses",
        "Results.highest",
        "Worker.revisits",
    ];
    let written = written()?;
    let jdk = Jdk::oldest();
    let (mut n_owned, mut n_found, mut wrong) = (0, 0, Vec::new());
    for demo in Demo::all()?.iter().filter(|demo| written.contains_key(&demo.name)) {
        let found = discovered(demo, &jdk)?;
        for (field, expected) in &written[&demo.name] {
            let found = found.get(field).map_or("not accessed", String::as_str);
            n_owned += usize::from(expected != "none");
            n_found += usize::from(expected != "none" && expected == found);
            let is_wrong = if expected == "none" { found.starts_with("lock") } else { expected != found };
            if is_wrong && !BY_CHANCE.contains(&field.as_str()) {
                wrong.push(format!("{}.{field}: {found}, not {expected}", demo.name));
            }
        }
    }
    ensure!(wrong.is_empty(), "{wrong:#?}");
    ensure!(n_owned == 40 && n_found + BY_CHANCE.len() >= n_owned, "{n_found} of {n_owned}");
    Ok(())
}
