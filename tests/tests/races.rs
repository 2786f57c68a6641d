//! Static races are all that runs show: every variable that the agent reports is in what `jrace races` finds.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::finding::Variable;
use facts::name::dotted;
use facts::reflection_log::{Kind, ReflectionLog};
use jrace_tests::demos::Demo;
use jrace_tests::fixture::{compiled, on_every_jdk};
use jrace_tests::generator;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::root;
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
        // The search looks at the contents of collections only, and has a set by its own class, not by that of the map in it.
        Variable::Contents { .. } => false,
        Variable::Object { .. } => true,
    };
    let variables: Vec<&Variable> = run.findings().map(|finding| &finding.variable).collect();
    variables.into_iter().filter(is_missed).map(|variable| format!("{variable:?}")).collect()
}

/// One still locks and one does not, as the types of `tests/java/calls/foreign` say.
#[test]
fn a_lock_that_a_library_overrides_may_not_lock() -> Result<()> {
    let folder = root().join("tests/java/calls/foreign");
    let jdk = Jdk::oldest();
    let library = compiled(&jdk, &sources(&folder.join("library"))?, &["-g", "--release", "17"])?;
    let with = library.to_str().context("a path")?;
    let classes = compiled(&jdk, &sources(&folder.join("program"))?, &["-g", "--release", "17", "-cp", with])?;
    let output = jrace(&jdk).args(["races", "--json", "--library", with]).arg(&classes).output()?;
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let found = report["variables"].as_array().into_iter().flatten();
    let variables: BTreeSet<_> = found.filter_map(|found| found["variable"].as_str()).collect();
    let unsafe_ones = ["halved", "other", "unlocked"].map(|field| format!("foreign.Foreign.{field} (int)"));
    ensure!(variables == unsafe_ones.iter().map(String::as_str).collect(), "{variables:?}");
    Ok(())
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

/// Programs of the generator's, in a folder of their own: `All` runs one after the other.
fn compile(programs: &[(u64, String)], jdk: &Jdk) -> Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let runs: String = programs.iter().map(|(seed, _)| format!("g{seed}.Main.run(); ")).collect();
    let main = format!("public final class All {{ public static void main(String[] args) {{ {runs}}} }}\n");
    let mut sources =
        vec![("support/Support.java".to_owned(), generator::SUPPORT.to_owned()), ("All.java".to_owned(), main)];
    sources.extend(programs.iter().map(|(seed, program)| (format!("g{seed}/Main.java"), program.clone())));
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

fn programs(default: std::ops::Range<u64>) -> Vec<(u64, String)> {
    generator::seeds(default).map(|seed| (seed, generator::program(seed))).collect()
}

/// They are searched together, which costs a quarter.
#[test]
fn races_of_random_programs_are_found_without_a_run() -> Result<()> {
    let jdk = Jdk::oldest();
    let (_folder, classes) = compile(&programs(0..12), &jdk)?;
    let run = Launch::main(&jdk, &classes, "All").short().checked("exclude=support.Support").run()?.succeeded()?;
    let missed = missed(&run, &found(&classes, "All", &jdk)?);
    ensure!(missed.is_empty(), "{missed:#?}");
    let n_racy = run.racy().len();
    ensure!(n_racy > 15, "too few races: {n_racy}");
    Ok(())
}

/// The confidence of each variable's surest race; `no-common-lock` is above `maybe-same-lock`.
fn surest(programs: &[(u64, String)], jdk: &Jdk) -> Result<BTreeMap<String, String>> {
    let (_folder, classes) = compile(programs, jdk)?;
    let report = report(&classes, "All", jdk)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let entry = |variable: &Value| (text(&variable["name"]), text(&variable["races"][0]["confidence"]));
    Ok(report["variables"].as_array().context("variables")?.iter().map(entry).collect())
}

#[test]
fn another_way_to_write_a_program_changes_no_race_and_a_lock_adds_none() -> Result<()> {
    let (jdk, programs) = (Jdk::oldest(), programs(0..2));
    let changed = |how: &str, change: &dyn Fn(&str) -> String| -> Result<BTreeMap<String, String>> {
        let changed: Vec<_> = programs.iter().map(|(seed, program)| (*seed, change(program))).collect();
        let same = programs.iter().zip(&changed).find(|(program, changed)| program == changed);
        ensure!(same.is_none(), "nothing to change by {how}: {same:?}");
        surest(&changed, &jdk)
    };
    let races = surest(&programs, &jdk)?;
    for (how, change) in variants::SAME {
        assert_eq!(changed(how, &change)?, races, "{how}");
    }
    let locked = changed("more locks", &variants::locked)?;
    let is_added = |(name, confidence): &(&String, &String)| races.get(*name).is_none_or(|known| known < confidence);
    let added: Vec<_> = locked.iter().filter(is_added).collect();
    ensure!(added.is_empty(), "{added:?} though there are more locks");
    Ok(())
}

/// A library whose class is made by clients or given out by a factory.
const SHOP: &str = "package shop;
import java.util.*;
public class Shop {
    private int raced;
    private int guarded;
    private final Map<String, String> map = new HashMap<>();
    private final int[] cells = new int[3];
    Shop() {}
    public void raise() { raced++; }
    public synchronized void raiseLocked() { raise(); guarded++; }
    public synchronized void put(String key) { map.put(key, key); cells[0]++; }
    public synchronized int size() { return map.size() + cells[0]; }
}
";
const DOOR: &str = "package shop; public class Door { public static Shop open() { return new Shop(); } }";

/// The confidence of each variable's surest race, as clients of a library may run it.
fn surest_of_clients(shop: &str, door: &str, jdk: &Jdk) -> Result<BTreeMap<String, String>> {
    let folder = tempfile::tempdir()?;
    let sources = [("Shop.java", shop), ("Door.java", door)].map(|(name, text)| (folder.path().join(name), text));
    for (path, text) in &sources {
        std::fs::write(path, text)?;
    }
    let classes = folder.path().join("classes");
    std::fs::create_dir(&classes)?;
    jdk.compile(&sources.map(|(path, _)| path), &classes, &["--release", "17"])?;
    let output = jrace(jdk).args(["races", "--json", "--exitcode", "0", "--api", "shop.*"]).arg(&classes).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let entry = |variable: &Value| (text(&variable["name"]), text(&variable["races"][0]["confidence"]));
    Ok(report["variables"].as_array().context("variables")?.iter().map(entry).collect())
}

#[test]
fn a_class_that_a_factory_gives_out_may_be_package_private() -> Result<()> {
    let jdk = Jdk::oldest();
    let races = surest_of_clients(SHOP, DOOR, &jdk)?;
    assert_eq!(races.get("shop.Shop.raced").map(String::as_str), Some("no-common-lock"), "{races:?}");
    ensure!(!races.contains_key("shop.Shop.guarded"), "{races:?}");
    let package_private = SHOP.replace("public class", "class");
    assert_eq!(surest_of_clients(&package_private, DOOR, &jdk)?, races);
    // By the type of a public interface as well.
    let implemented = package_private.replace("class Shop", "class Shop implements Door.Stock");
    let door = DOOR.replace("static Shop", "static Stock").replace(
        "Door {",
        "Door { public interface Stock { void raise(); void raiseLocked(); void put(String key); int size(); }",
    );
    assert_eq!(surest_of_clients(&implemented, &door, &jdk)?, races);
    Ok(())
}

#[test]
fn a_static_factory_that_nothing_uses_changes_no_verdict() -> Result<()> {
    let jdk = Jdk::oldest();
    let shop = SHOP.replace("    Shop()", "    public Shop()");
    let races = surest_of_clients(&shop, "package shop; public class Door {}", &jdk)?;
    assert_eq!(races.get("java.util.HashMap").map(String::as_str), Some("maybe-same-lock"), "{races:?}");
    assert_eq!(surest_of_clients(&shop, DOOR, &jdk)?, races);
    let inside =
        shop.replace("    public Shop()", "    public static Shop open() { return new Shop(); } public Shop()");
    assert_eq!(surest_of_clients(&inside, "package shop; public class Door {}", &jdk)?, races);
    Ok(())
}

#[test]
fn a_protected_method_of_a_final_class_is_no_entry() -> Result<()> {
    let jdk = Jdk::oldest();
    let shop = |class: &str| {
        format!(
            "package shop; public {class} Shop {{ private int n; protected void raise() {{ n++; }} public int get() {{ return 1; }} }}"
        )
    };
    let door = "package shop; public class Door {}";
    let races = surest_of_clients(&shop("class"), door, &jdk)?;
    assert_eq!(races.keys().collect::<Vec<_>>(), ["shop.Shop.n"]);
    assert_eq!(surest_of_clients(&shop("final class"), door, &jdk)?, BTreeMap::new());
    Ok(())
}

#[test]
fn a_class_that_no_client_comes_to_is_told() -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    let source = folder.path().join("Inner.java");
    std::fs::write(&source, "package shop; class Inner { int n; public void raise() { n++; } }")?;
    jdk.compile(&[source], folder.path(), &["--release", "17"])?;
    let output = jrace(&jdk).args(["races", "--api", "shop.Inner"]).arg(folder.path()).output()?;
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(said.contains("no public class extends or gives out `shop.Inner`"), "{said}");
    Ok(())
}

/// Two JVMs of one command log to a file; one of them halts in what it calls.
fn log_reflection(jdk: &Jdk, classes: &Path, log: &Path) -> Result<()> {
    let java = format!(
        "'{}' -cp '{}' -Dmade='Logged$Made' -Dwritten='Logged$Written' -Dread='Logged$Read' -Dloaded='Logged$Loaded' \
         -Dmethod=run",
        jdk.home.join("bin/java").display(),
        classes.display()
    );
    let both = format!(
        "{java} -Dcalled='Logged$Found' Logged & first=$!; {java} -Dcalled='Logged$Second' Logged; wait $first"
    );
    let output = jrace(jdk)
        .args(["run", "--exitcode", "0", "--record-reflection"])
        .arg(log)
        .args(["--", "sh", "-c", &both])
        .current_dir(log.parent().context("a folder")?)
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// What is logged of each line, as comments have it.
fn logged(log: &Path) -> Result<BTreeSet<(u32, String)>> {
    let log = ReflectionLog::read(std::io::BufReader::new(std::fs::File::open(log)?))?;
    ensure!(log.damaged.is_none(), "{log:?}");
    let entries = log.entries.into_iter().map(|entry| {
        let kind = serde_json::to_value(entry.kind)?;
        let member = entry.target.member.map_or_else(String::new, |member| {
            let separator = if matches!(entry.kind, Kind::Get | Kind::Set) { ":" } else { "" };
            format!(".{}{separator}{}", member.name, member.descriptor)
        });
        let text = format!("{} {}{member}", kind.as_str().context("a kind")?, entry.target.class);
        Ok((entry.caller.line.context("a line")?, text))
    });
    entries.collect()
}

/// What comments say.
fn commented(source: &Path) -> Result<BTreeSet<(u32, String)>> {
    let text = std::fs::read_to_string(source)?;
    let lines = (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, line.split_once("// log: ")?.1)));
    Ok(lines.flat_map(|(number, logged)| logged.split(", ").map(move |text| (number, text.to_owned()))).collect())
}

#[test]
fn reflection_that_runs_have_logged_is_followed() -> Result<()> {
    let source = root().join("tests/java/races/reflection/Logged.java");
    let classes = compiled(&Jdk::oldest(), std::slice::from_ref(&source), &["--release", "17"])?;
    let folder = tempfile::tempdir()?;
    on_every_jdk(|jdk| {
        let log = folder.path().join(format!("{}.jsonl", jdk.feature));
        log_reflection(jdk, &classes, &log)?;
        let (logged, commented) = (logged(&log)?, commented(&source)?);
        ensure!(logged == commented, "{logged:#?}");
        Ok(())
    })?;
    let jdk = Jdk::oldest();
    let log = folder.path().join(format!("{}.jsonl", jdk.feature));
    let text = std::fs::read_to_string(&log)?;
    // Half of the log, and something else, in another. Its order is another one in each run.
    const TARGET: &str = "target\":{\"class\":\"Lo";
    let known = text.lines().find(|line| line.contains(TARGET)).context("a call of the program's own class")?;
    let half = text.lines().take(4).map(|line| format!("{line}\n")).collect::<String>();
    let cut = folder.path().join("cut.jsonl");
    std::fs::write(&cut, format!("{half}{}\n{}", known.replace(TARGET, "target\":{\"class\":\"Gone"), &known[..9]))?;
    let races = jrace(&jdk)
        .args(["races", "--json", "--exitcode", "0", "--main", "Logged", "--reflection"])
        .arg(&log)
        .arg("--reflection")
        .arg(&cut)
        .arg(&classes)
        .output()?;
    let said = String::from_utf8(races.stderr)?;
    ensure!(said.contains("cut.jsonl` is damaged in line 6: what follows is not used"), "{said}");
    ensure!(said.contains("the reflection log names `Gone"), "{said}");
    let report: Value = serde_json::from_slice(&races.stdout)?;
    assert_eq!(report["logged_calls"], 3);
    let variables = report["variables"].as_array().into_iter().flatten();
    let racy: BTreeSet<&str> = variables.filter_map(|variable| variable["name"].as_str()).collect();
    let names = ["Written.written", ".called", ".initialized", ".loaded", ".made", ".second"];
    let names = names.map(|name| format!("Logged{}{name}", if name.starts_with('.') { "" } else { "$" }));
    assert_eq!(racy, names.iter().map(String::as_str).collect());
    Ok(())
}

#[test]
fn reflection_logs_that_are_no_good_are_refused() -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    std::fs::write(folder.path().join("cut"), "{\"reflection_log\":1}\n{\"class\":\"A\"")?;
    std::fs::write(folder.path().join("other"), "PK")?;
    let refused = |arguments: &[&str]| -> Result<String> {
        let output = jrace(&jdk).args(arguments).current_dir(folder.path()).output()?;
        ensure!(output.status.code() == Some(2), "{output:?}");
        Ok(String::from_utf8(output.stderr)?)
    };
    let no_log = "it is no reflection log, such as `jrace run --record-reflection` writes\n";
    let said = refused(&["races", "--reflection", "other", "."])?;
    assert_eq!(said, format!("jrace: cannot use the reflection log `other`: {no_log}"));
    let said = refused(&["races", "--reflection", "nowhere", "."])?;
    ensure!(
        said.starts_with(
            "jrace: there is no reflection log `nowhere`: `jrace run --record-reflection FILE` writes one"
        ),
        "{said}"
    );
    let append = |file: &str| refused(&["run", "--record-reflection", file, "--", "true"]);
    let cannot = |file| {
        format!("jrace: cannot append to the reflection log `{file}`; choose another file with --record-reflection")
    };
    assert_eq!(append("other")?, format!("{}: {no_log}", cannot("other")));
    assert_eq!(append("cut")?, format!("{}: it is damaged\n", cannot("cut")));
    ensure!(append("none/log")?.starts_with(&cannot("none/log")));
    assert_eq!(std::fs::read(folder.path().join("other"))?, b"PK");
    let debugged = ["-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=0", "-version"];
    let output = jrace(&jdk)
        .args(["run", "--allow-none", "--record-reflection", "log", "--"])
        .arg(jdk.home.join("bin/java"))
        .args(debugged)
        .current_dir(folder.path())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let is_said = said.contains("reflection is not noted: the debugger takes the breakpoints of this JVM");
    ensure!(output.status.success() && is_said, "{said}");
    let said = refused(&["check", "--reflection", "cut", "."])?;
    ensure!(said.contains("has no option `--reflection`"), "{said}");
    Ok(())
}
