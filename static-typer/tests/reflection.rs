//! Reflective calls are resolved by constants and casts, and what is not is said.
#![allow(clippy::disallowed_methods, reason = "tests write files")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::reflection_log::{Caller, Entry, Kind, Member, ReflectionLog, Target};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::Jdk;
use jrace_tests::root;
use static_typer::classpath::ClassPath;
use static_typer::ir::Body;
use static_typer::points_to::reflection::{MAX_FOLLOWED, Resolved, resolved};
use static_typer::points_to::{Client, PointsTo, Resolution, Sensitivity, environment, naive};
use static_typer::program::{MethodId, Program};
use static_typer::races::{Options, Proofs, Races, Variable, hidden};

fn source(name: &str) -> PathBuf {
    root().join("tests/java/races").join(name)
}

fn solve(program: &Program, main: &str, sensitivity: &Sensitivity) -> Result<PointsTo> {
    solve_with(program, main, sensitivity, &ReflectionLog::default())
}

fn solve_with(program: &Program, main: &str, sensitivity: &Sensitivity, log: &ReflectionLog) -> Result<PointsTo> {
    let resolution = Resolution::of(program).with_log(log);
    let mut mains = program.main_methods();
    mains.retain(|method| program.class_name(program.method(*method).class) == main);
    ensure!(!mains.is_empty(), "{main}");
    let environment = environment::mains(&resolution, &mains);
    PointsTo::of(&resolution, sensitivity, environment, u64::MAX, &|_| {}).context("no limit")
}

fn load(classes: &[PathBuf], jdk: &Jdk) -> Result<Program> {
    Ok(Program::load_whole(&mut ClassPath::open(classes, &[], Some(&jdk.home))?))
}

fn racy(program: &Program, points_to: &PointsTo) -> BTreeSet<String> {
    racy_beside(program, points_to, Proofs::of(program, false))
}

fn racy_beside(program: &Program, points_to: &PointsTo, proofs: Proofs) -> BTreeSet<String> {
    let options = Options { proofs, ..Options::default() };
    let races = Races::of(program, points_to, &options).races;
    let fields = races.iter().filter_map(|race| match race.variable {
        Variable::Field(field) => Some(program.names().text(program.field(field).name).into_owned()),
        _ => None,
    });
    fields.collect()
}

/// Fields whose declarations say so.
fn commented(path: &Path) -> Result<BTreeSet<String>> {
    let text = std::fs::read_to_string(path)?;
    let declared = text.lines().filter_map(|line| line.strip_suffix("; // race"));
    Ok(declared.filter_map(|line| line.rsplit(' ').next()).map(str::to_owned).collect())
}

/// How the calls of each line were resolved.
fn lines(program: &Program, points_to: &PointsTo) -> Result<BTreeMap<u16, Resolved>> {
    let mut lines = BTreeMap::new();
    for ((method, at), (_, how)) in resolved(program, points_to) {
        let body = Body::of(program, method).context("code")?.ok().context("a body")?;
        lines.insert(body.line(at).context("a line")?, how);
    }
    Ok(lines)
}

#[test]
fn what_constants_name_is_followed_and_the_rest_is_said() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), source("seeds/Reflected.java"));
    let program = load(&[compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?], &jdk)?;
    let points_to = solve(&program, "seeds/Reflected", &Sensitivity::Hybrid(1))?;
    let text = std::fs::read_to_string(&path)?;
    let expected = |line: &str| match line.split_once("// resolved: ")?.1 {
        "no" => Some(Resolved::Not),
        "by cast" => Some(Resolved::Guessed(2)),
        _ => None,
    };
    let numbered = (1_u16..).zip(text.lines());
    let expected: BTreeMap<u16, Resolved> = numbered.filter_map(|(n, line)| Some((n, expected(line)?))).collect();
    let mut found = lines(&program, &points_to)?;
    ensure!(found.len() > 10, "{found:?}");
    found.retain(|_, how| *how != Resolved::Exactly);
    assert_eq!(found, expected);
    assert_eq!(racy(&program, &points_to), commented(&path)?);
    assert!(hidden(&program, &points_to).is_some());
    Ok(())
}

#[test]
fn objects_come_and_go_by_reflection() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), source("seeds/Mirrors.java"));
    let program = load(&[compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?], &jdk)?;
    let points_to = solve(&program, "seeds/Mirrors", &Sensitivity::Hybrid(1))?;
    let found = lines(&program, &points_to)?;
    ensure!(found.len() > 5 && found.values().all(|how| *how == Resolved::Exactly), "{found:?}");
    assert_eq!(racy(&program, &points_to), commented(&path)?);
    Ok(())
}

/// One call, made on methods of so many classes: how it is resolved, and how much code is run for it and what it needs.
fn call_on_many(n_classes: usize) -> Result<(Resolved, usize)> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    let each = |text: &dyn Fn(usize) -> String| (0..n_classes).map(text).collect::<String>();
    let classes = each(&|n| format!("    public static class C{n} {{ public static void run() {{}} }}\n"));
    let all = each(&|n| format!("C{n}.class, "));
    let path = folder.path().join("Many.java");
    std::fs::write(
        &path,
        format!(
            "public class Many {{\n{classes}    public static void main(String[] args) throws Exception {{\n        \
             for (Class<?> each : new Class<?>[] {{{all}}}) {{ each.getMethod(\"run\").invoke(null); }}\n    }}\n}}\n"
        ),
    )?;
    let out = folder.path().join("classes");
    jdk.compile(&[path], &out, &["--release", "17"])?;
    let program = load(&[out], &jdk)?;
    let solved = solve(&program, "Many", &Sensitivity::None)?;
    // Those of the JDK are of enums.
    let codes = solved.instances().map(|instance| solved.code(instance));
    let n_mirrors = codes.filter(|code| code.is_checked && code.mirrors.is_some()).count();
    Ok((lines(&program, &solved)?.into_values().next().context("the call")?, n_mirrors))
}

/// A call that may be meant for anything is not followed everywhere, and is named.
#[test]
fn a_call_on_too_many_is_not_resolved() -> Result<()> {
    // Each class is asked for a method, and each method is called.
    assert_eq!(call_on_many(MAX_FOLLOWED)?, (Resolved::Exactly, 2 * MAX_FOLLOWED));
    let (resolved, n_mirrors) = call_on_many(3 * MAX_FOLLOWED)?;
    assert_eq!(resolved, Resolved::Not);
    assert!(n_mirrors <= 2 * MAX_FOLLOWED + 1, "{n_mirrors}");
    Ok(())
}

#[test]
fn nothing_is_hidden_where_constants_say_everything() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), source("reflection/Known.java"));
    let program = load(&[compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?], &jdk)?;
    let known = solve(&program, "Known", &Sensitivity::Hybrid(1))?;
    assert_eq!(hidden(&program, &known), None);
    assert_eq!(racy(&program, &known), BTreeSet::from(["racy".to_owned()]));
    let unknown = solve(&program, "Known$Unknown", &Sensitivity::Hybrid(1))?;
    let hiding = hidden(&program, &unknown).context("something is hidden")?;
    assert!(hiding.starts_with("java/lang/reflect/Method.invoke"), "{hiding}");
    Ok(())
}

#[test]
fn providers_of_services_are_made() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), source("reflection/Services.java"));
    let classes = compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?;
    let folder = tempfile::tempdir()?;
    let services = folder.path().join("META-INF/services");
    std::fs::create_dir_all(&services)?;
    std::fs::write(services.join("Services$Plugin"), "# ours\nServices$One\nServices$Two # racy too\n")?;
    for jdk in Jdk::all() {
        let program = load(&[classes.clone(), folder.path().to_owned()], &jdk)?;
        let points_to = solve(&program, "Services", &Sensitivity::Hybrid(1))?;
        assert_eq!(racy(&program, &points_to), commented(&path)?, "{}", jdk.home.display());
        let program = load(std::slice::from_ref(&classes), &jdk)?;
        let points_to = solve(&program, "Services", &Sensitivity::Hybrid(1))?;
        assert_eq!(racy(&program, &points_to), BTreeSet::new(), "{}", jdk.home.display());
    }
    Ok(())
}

/// The log that comments tell of, of one method in each line.
fn logged(path: &Path, is_wanted: impl Fn(Kind) -> bool) -> Result<ReflectionLog> {
    let mut log = ReflectionLog::default();
    for (line, text) in (1..).zip(std::fs::read_to_string(path)?.lines().map(str::to_owned)) {
        let entries = text.split_once("// log: ").map(|(_, entries)| entries).into_iter();
        for entry in entries.flat_map(|entries| entries.split(", ")) {
            let (kind, target) = entry.split_once(' ').context("a kind")?;
            let kinds = [Kind::Class, Kind::Make, Kind::Call, Kind::Get, Kind::Set];
            let kind = kinds.into_iter().find(|of| format!("{of:?}").to_lowercase() == kind).context("a kind")?;
            let target = match target.split_once('.') {
                None => Target { class: target.into(), member: None },
                Some((class, member)) => {
                    let end = member.find([':', '(']).context("a descriptor")?;
                    let (name, descriptor) = (member[..end].into(), member[end..].trim_start_matches(':').into());
                    Target { class: class.into(), member: Some(Member { name, descriptor }) }
                }
            };
            for (method, descriptor) in [("work", "()V"), ("make", "()V"), ("found", FOUND)] {
                let (class, method, descriptor) = ("Logged".into(), method.into(), descriptor.into());
                let caller = Caller { class, method, descriptor, line: Some(line) };
                log.entries.extend(is_wanted(kind).then(|| Entry { caller, kind, target: target.clone() }));
            }
        }
    }
    Ok(log)
}

const FOUND: &str = "(Ljava/lang/String;)Ljava/lang/Class;";

#[test]
fn a_log_adds_what_it_has() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), source("reflection/Logged.java"));
    let program = load(&[compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?], &jdk)?;
    let by = |is_wanted: fn(Kind) -> bool| {
        solve_with(&program, "Logged", &Sensitivity::Hybrid(1), &logged(&path, is_wanted)?)
    };
    let found = |points_to: &PointsTo| {
        let resolved: Vec<Resolved> = resolved(&program, points_to).into_values().map(|(_, how)| how).collect();
        (racy_beside(&program, points_to, Proofs::default()), resolved)
    };
    assert_eq!(found(&by(|_| false)?), (BTreeSet::new(), vec![Resolved::Not; 5]));
    // Without the classes, from which the rest would follow.
    let members = by(|kind| kind != Kind::Class)?;
    assert_eq!(found(&members), (commented(&path)?, vec![Resolved::Logged; 5]));
    Ok(())
}

#[test]
fn a_log_proves_nothing() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), source("reflection/Known.java"));
    let program = load(&[compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?], &jdk)?;
    let mut log = logged(&path, |_| true)?;
    let named = |mut entry: Entry| {
        let (class, method, descriptor) = ("Known$Named".into(), "main".into(), "([Ljava/lang/String;)V".into());
        entry.caller = Caller { class, method, descriptor, ..entry.caller };
        entry
    };
    log.entries = log.entries.into_iter().map(named).collect();
    let points_to = solve_with(&program, "Known$Named", &Sensitivity::Hybrid(1), &log)?;
    let found: Vec<Resolved> = resolved(&program, &points_to).into_values().map(|(_, how)| how).collect();
    assert_eq!(found, [Resolved::Logged, Resolved::Exactly]);
    let hiding = hidden(&program, &points_to).context("something is hidden")?;
    assert!(hiding.starts_with("java/lang/Class.forName"), "{hiding}");
    Ok(())
}

#[test]
fn a_log_names_what_the_program_lacks() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), source("reflection/Logged.java"));
    let program = load(&[compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?], &jdk)?;
    let mut log = logged(&path, |kind| kind == Kind::Call)?;
    assert!(Resolution::of(&program).with_log(&log).logged.lacking().is_empty());
    let mut entry = log.entries.first().cloned().context("an entry")?;
    entry.target.class = "Gone".into();
    log.entries.insert(entry.clone());
    entry.caller.class = "Lost".into();
    log.entries.insert(entry);
    let resolution = Resolution::of(&program).with_log(&log);
    let lacking: Vec<&String> = resolution.logged.lacking().iter().collect();
    assert_eq!(lacking, ["Gone.run", "Lost.found"]);
    Ok(())
}

/// What the rules alone are fast enough with: the classes that reflection is about, without the code of the rest.
const JDK: &[&str] = &[
    "java/lang/Object",
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/String",
    "java/lang/Runnable",
    "java/lang/Integer",
    "java/lang/Thread",
    "java/lang/Throwable",
    "java/lang/reflect/Method",
    "java/lang/reflect/Constructor",
    "java/lang/reflect/Field",
    "java/lang/reflect/InvocationTargetException",
];

#[test]
fn reflective_calls_come_out_as_the_rules_say() -> Result<()> {
    let jdk = Jdk::oldest();
    let paths = ["seeds/Reflected.java", "seeds/Mirrors.java", "reflection/Known.java", "reflection/Logged.java"];
    let paths = paths.map(source);
    let classes = compiled(&jdk, &paths, &["--release", "17"])?;
    let mut path = ClassPath::open(&[classes], &[], Some(&jdk.home))?;
    let program = Program::of(path.application(), |name| path.find(name).filter(|_| JDK.contains(&name)));
    let resolution = Resolution::of(&program).with_log(&logged(&paths[3], |_| true)?);
    let is_static = |method: &MethodId| program.method(*method).is_static() && program.method(*method).has_code();
    let methods = program.application().flat_map(|class| program.methods_of(class)).filter(is_static);
    let (environment, _) = environment::harness(&resolution, &Client::from(&methods.collect::<Vec<_>>()[..]));
    let kinds = [Sensitivity::None, Sensitivity::Object(1), Sensitivity::Object(2), Sensitivity::Hybrid(1)];
    for kind in kinds {
        let solved = PointsTo::of(&resolution, &kind, environment.clone(), u64::MAX, &|_| {}).context("no limit")?;
        let mirrors = solved.instances().filter(|instance| solved.code(*instance).mirrors.is_some()).count();
        assert!(mirrors > 20, "{kind}: {mirrors}");
        let expected = naive::solve(&resolution, &kind, environment.clone());
        assert!(naive::of(&program, &solved) == expected, "{kind}");
    }
    Ok(())
}
