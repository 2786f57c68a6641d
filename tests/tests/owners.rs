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

/// What depends on the run.
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

/// The fields that a run shows with another owner, though that does not depend on the run; or guarded, though they race.
fn wrong(found: &BTreeMap<String, String>, expected: &BTreeMap<String, String>) -> Vec<String> {
    let found = |field: &str| found.get(field).map_or("not accessed", String::as_str);
    let is_wrong = |field: &str, expected: &str| {
        let found = found(field);
        if expected == "none" { found.starts_with("lock") } else { expected != found }
    };
    expected
        .iter()
        .filter(|(field, expected)| !BY_CHANCE.contains(&field.as_str()) && is_wrong(field, expected))
        .map(|(field, expected)| format!("{field}: {}, not {expected}", found(field)))
        .collect()
}

/// On a busy machine nothing may be left for a thread of a demo when it comes; so one run of three has to be right.
fn discovered_at_best(demo: &Demo, jdk: &Jdk, expected: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>> {
    let mut found = discovered(demo, jdk)?;
    for _ in 1..3 {
        if wrong(&found, expected).is_empty() {
            break;
        }
        found = discovered(demo, jdk)?;
    }
    Ok(found)
}

/// Every field that has an owner has to be found with it, but for those that depend on the run; and no field that races may be
/// found guarded.
#[test]
fn runs_show_the_owners_that_were_written_down() -> Result<()> {
    let written = written()?;
    let jdk = Jdk::oldest();
    let (mut n_owned, mut n_found, mut all_wrong) = (0, 0, Vec::new());
    for demo in Demo::all()?.iter().filter(|demo| written.contains_key(&demo.name)) {
        let expected = &written[&demo.name];
        let found = discovered_at_best(demo, &jdk, expected)?;
        let owned = expected.iter().filter(|(_, owner)| *owner != "none");
        n_owned += owned.clone().count();
        n_found += owned.filter(|(field, owner)| found.get(*field) == Some(owner)).count();
        all_wrong.extend(wrong(&found, expected).into_iter().map(|wrong| format!("{}.{wrong}", demo.name)));
    }
    ensure!(all_wrong.is_empty(), "{all_wrong:#?}");
    ensure!(n_owned == 40 && n_found + BY_CHANCE.len() >= n_owned, "{n_found} of {n_owned}");
    Ok(())
}
