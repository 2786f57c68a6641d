//! What a race hands over is not proved: of each way in the construct `handovers`, what runs are known to have shown of it alone.
#![allow(clippy::disallowed_methods, reason = "reads the source of the construct")]

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use facts::finding::Variable;
use jrace_tests::fixture::{compiled, compiled_text, folder, on_oldest_and_newest};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use static_typer::atomicity::AtomicityTypes;
use static_typer::classpath::ClassPath;
use static_typer::focus::{Goal, typed};
use static_typer::points_to::{Framework, PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::{FieldId, Program};
use static_typer::races::{Options, Proofs, RaceFree, Races};
use static_typer::types::{Bodies, Types};

/// Types know of these that libraries may hold them, so each of them hands over what any library does.
const BY_LIBRARIES: [&str; 7] =
    ["ByObject", "BySuperclass", "Captured", "ElementsOfObjects", "InList", "IntoList", "IntoMap"];

/// The reference that races in a program, as its comment has it, and the fields of what that hands over, each of one name.
struct Way {
    reference: String,
    handed_over: BTreeSet<String>,
}

fn ways() -> Result<BTreeMap<String, Way>> {
    let source = std::fs::read_to_string(folder().join("constructs/handovers/Main.java"))?;
    let mut ways = BTreeMap::new();
    for text in source.split("\nfinal class ").skip(1) {
        let name = text.split(' ').next().context("a class")?;
        let raced = text.lines().filter_map(|line| line.split_once("// race: ")?.1.split_once('.'));
        let (reference, others): (Vec<_>, Vec<_>) = raced.partition(|(class, _)| *class == name);
        let Some((_, reference)) = reference.first().filter(|_| !others.is_empty()) else { continue };
        let handed_over = others.iter().map(|(_, field)| (*field).to_owned()).collect();
        ways.insert(name.to_owned(), Way { reference: (*reference).to_owned(), handed_over });
    }
    Ok(ways)
}

/// As a run reports it.
fn variable(program: &Program, of: &str, reference: &str) -> Result<Variable> {
    let class = format!("handovers/{of}");
    let name = reference.trim_end_matches("[]").to_owned();
    let field = program.field(program.field_named(&class, &name).context("a field")?);
    let (descriptor, origin) = (program.names().descriptor(field.ty), String::new());
    Ok(match &*descriptor {
        _ if reference.ends_with("[]") => Variable::Array { descriptor, origin },
        "Ljava/util/List;" if field.is_final() => Variable::Contents { class: "java/util/ArrayList".into(), origin },
        "Ljava/util/Map;" => Variable::Contents { class: "java/util/HashMap".into(), origin },
        _ if field.is_static() => Variable::Static { class, name, descriptor },
        _ => Variable::Field { class, name, descriptor },
    })
}

/// Calls and objects, which no race changes.
fn points_to(program: &Program) -> Result<PointsTo> {
    let resolution = Resolution::of(program);
    let code = environment::mains(&resolution, &program.main_methods());
    PointsTo::of(&resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {}).context("memory")
}

/// The fields that are proved, by types and by types and a search.
fn proved(program: &Program, bodies: &Bodies, points_to: &PointsTo) -> [BTreeSet<String>; 2] {
    let types = Types::infer(program, bodies);
    let races = Races::of(
        program,
        points_to,
        &Options { proofs: Proofs::by_types(program, bodies, &types, false), ..Options::default() },
    );
    let searched = RaceFree::by_search(program, points_to, &races, Framework::default(), &types.unseen.fields);
    let by_types = typed(&types, Goal::RaceFree);
    let names = |fields: &mut dyn Iterator<Item = &FieldId>| {
        fields.map(|field| program.names().text(program.field(*field).name).into_owned()).collect()
    };
    [names(&mut by_types.fields.iter()), names(&mut by_types.fields.iter().chain(&searched.fields))]
}

fn load(jdk: &Jdk) -> Result<Program> {
    let sources = |name| sources(&folder().join("constructs").join(name));
    let files = [sources("handovers")?, sources("schedule")?].concat();
    let mut path = ClassPath::open(&[compiled(jdk, &files, &["--release", "17"])?], &[], Some(&jdk.home))?;
    Ok(Program::load_whole(&mut path))
}

fn by_each_way(jdk: &Jdk) -> Result<()> {
    let mut program = load(jdk)?;
    let ways = ways()?;
    let all: BTreeSet<String> = ways.values().flat_map(|way| way.handed_over.clone()).collect();
    let (bodies, points_to) = (Bodies::of(&program), points_to(&program)?);
    let [typed_before, before] = proved(&program, &bodies, &points_to);
    ensure!(all.is_subset(&before), "not proved without a race: {:?}", &all - &before);
    for (name, way) in &ways {
        let raced = variable(&program, name, &way.reference)?;
        program.set_raced([&raced]);
        let [typed, found] = proved(&program, &bodies, &points_to);
        ensure!(found.is_disjoint(&way.handed_over), "{name}: proved {:?}", &found & &way.handed_over);
        let lost = if BY_LIBRARIES.contains(&&**name) {
            &(&before - &typed_before) - &found
        } else {
            &(&(&before - &found) | &(&typed_before - &typed)) & &all
        };
        ensure!(lost.is_subset(&way.handed_over), "{name}: not proved any more: {lost:?}");
    }
    ensure!(ways.len() > 10, "{}", ways.len());
    Ok(())
}

#[test]
fn what_a_race_hands_over_is_not_proved_and_all_else_is() -> Result<()> {
    on_oldest_and_newest(by_each_way)
}

/// The constructor of an order writes a field of its item and one of its own: others may come between if they have the order.
#[test]
fn what_is_done_to_it_is_not_atomic() -> Result<()> {
    let mut program = load(&Jdk::oldest())?;
    let bodies = Bodies::of(&program);
    let constructor = program.method_named("handovers/Further$Order", "<init>", "()V").context("a constructor")?;
    let atomicity = |program: &Program| {
        let types = Types::infer(program, &bodies);
        AtomicityTypes::infer(program, &bodies, &types).of(constructor)
    };
    let before = atomicity(&program);
    let raced = variable(&program, "Further", "latest")?;
    program.set_raced([&raced]);
    ensure!(before != atomicity(&program), "{before:?}");
    Ok(())
}

/// What `Weak` does without order, in the order of its fields, and the same in order.
const IN_ORDER: [(&str, &str); 5] = [
    ("PLAIN.setPlain(plain)", "PLAIN.lazySet(plain)"),
    ("ARRAY.weakCompareAndSetPlain(0, null, inArray)", "ARRAY.compareAndSet(0, null, inArray)"),
    ("BY_HANDLE.getOpaque()", "BY_HANDLE.getAcquire()"),
    ("OF_VOLATILE.set(made)", "OF_VOLATILE.setVolatile(made)"),
    ("ELEMENTS.setOpaque(ALL, 0, element)", "ELEMENTS.setRelease(ALL, 0, element)"),
];

/// The same of what code passes on in ways that order nothing, of which no run shows a race.
#[test]
fn what_is_passed_on_without_order_is_not_proved() -> Result<()> {
    let given = ["plain", "inArray", "byHandle", "ofVolatile", "element"];
    let weak = std::fs::read_to_string(root().join("tests/java/races/weak/Weak.java"))?;
    let strong = IN_ORDER.iter().fold(weak.clone(), |text, (weak, strong)| text.replace(weak, strong));
    let of = |text: &str| -> Result<Vec<String>> {
        let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
        let classes = compiled_text(folder.path(), "Weak.java", text)?;
        let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
        let bodies = Bodies::of(&program);
        let [_, searched] = proved(&program, &bodies, &points_to(&program)?);
        Ok(given.into_iter().filter(|field| searched.contains(*field)).map(str::to_owned).collect())
    };
    assert_eq!(of(&weak)?, [""; 0]);
    assert_eq!(of(&strong)?, given);
    // Each by itself, where the others are in order.
    for (field, (weak, in_order)) in given.iter().zip(IN_ORDER) {
        ensure!(!of(&strong.replace(in_order, weak))?.contains(&(*field).to_owned()), "{weak} of {field}");
    }
    Ok(())
}
