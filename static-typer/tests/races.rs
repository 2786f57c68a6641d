//! Every race of the fixtures is found where its comment stands, and nothing else is; the examples of paper 000 give what the
//! paper says.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{self, compiled, compiled_text};
use jrace_tests::generator::{made, seeds};
use jrace_tests::jdk::{Jdk, is_sweep, sources};
use jrace_tests::root;
use static_typer::classpath::ClassPath;
use static_typer::ir::Body;
use static_typer::points_to::{Client, Framework, PointsTo, Resolution, Sensitivity, Site, environment, test_methods};
use static_typer::program::Program;
use static_typer::races::{
    Bounds, Callers, Confidence, Goal, Kind, Options, Proofs, Race, RaceFree, Races, Stage, Variable, hidden,
};

fn folder(name: &str) -> PathBuf {
    root().join("tests/java/races").join(name)
}

fn load(classes: &Path, jdk: &Jdk) -> Result<Program> {
    let mut path = ClassPath::open(&[classes.to_owned()], &[], Some(&jdk.home))?;
    Ok(Program::load_whole(&mut path))
}

/// File and line of every comment that begins with one of the words.
fn commented(files: &[PathBuf], words: &[&str]) -> Result<BTreeSet<(String, u16)>> {
    let mut found = BTreeSet::new();
    for path in files {
        let file = path.file_name().and_then(|name| name.to_str()).context("a file name")?;
        for (n, line) in std::fs::read_to_string(path)?.lines().enumerate() {
            if line.split_once("// ").is_some_and(|(_, comment)| words.iter().any(|word| comment.starts_with(word))) {
                found.insert((file.to_owned(), u16::try_from(n + 1)?));
            }
        }
    }
    Ok(found)
}

/// The line that declares a field.
fn declaration(files: &[PathBuf], program: &Program, variable: Variable) -> Result<Option<(String, u16)>> {
    let Variable::Field(field) = variable else { return Ok(None) };
    let data = program.field(field);
    let name = program.names().text(data.name).into_owned();
    let file = program.class(data.class).source_file.map(|file| program.names().text(file).into_owned());
    let file = file.context("a source file")?;
    let line = fixture::declaration(files, &file, &name)?;
    Ok(Some((file, line)))
}

/// The lines that make the objects of a race.
fn makers(program: &Program, points_to: &PointsTo, race: &Race) -> Vec<(String, u16)> {
    let objects = race.objects.iter().flat_map(|objects| objects.iter());
    let sites = objects.filter_map(|object| match points_to.objects.get(object).site {
        Site::New(method, at, _) | Site::Copy(method, at, _) => {
            let class = program.class(program.method(method).class);
            let line = Body::of(program, method)?.ok()?.line(at)?;
            Some((program.names().text(class.source_file?).into_owned(), line))
        }
        _ => None,
    });
    sites.collect()
}

fn races_of(program: &Program, main: Option<&str>, sensitivity: &Sensitivity, chord: bool) -> (PointsTo, Races) {
    let proofs = if chord { Proofs::default() } else { Proofs::of(program, main.is_none()) };
    search(&Resolution::of(program), main, sensitivity, &Options { chord, proofs, ..Options::default() })
}

fn search(
    resolution: &Resolution<'_>,
    main: Option<&str>,
    sensitivity: &Sensitivity,
    options: &Options,
) -> (PointsTo, Races) {
    let program = resolution.program;
    let code = match main {
        Some("tests") => environment::tests(resolution, &test_methods(program, &|_| true)),
        Some(main) => {
            let mut mains = program.main_methods();
            mains.retain(|method| program.class_name(program.method(*method).class) == main);
            environment::mains(resolution, &mains)
        }
        None => environment::harness(resolution, &Client::of(program, &|_| true)).0,
    };
    let points_to = PointsTo::of(resolution, sensitivity, code, u64::MAX, &|_| {}).expect("no limit");
    let races = Races::of(program, &points_to, options);
    (points_to, races)
}

/// Where fixtures race: fields where they are declared, containers and arrays where they are made.
struct Fixtures<'a> {
    files: &'a [PathBuf],
    resolution: &'a Resolution<'a>,
    options: Options,
}

impl<'a> Fixtures<'a> {
    fn of(files: &'a [PathBuf], resolution: &'a Resolution<'a>) -> Self {
        let options = Options { proofs: Proofs::of(resolution.program, false), ..Options::default() };
        Self { files, resolution, options }
    }

    /// What a search from one class's `main` finds.
    fn found(&self, main: &str) -> Result<BTreeSet<(String, u16)>> {
        let (program, mut found) = (self.resolution.program, BTreeSet::new());
        let (points_to, races) = search(self.resolution, Some(main), &Sensitivity::Hybrid(1), &self.options);
        for race in &races.races {
            match declaration(self.files, program, race.variable)? {
                Some(place) => found.extend([place]),
                None => found.extend(makers(program, &points_to, race)),
            }
        }
        Ok(found)
    }

    /// One search finds what is expected, and those by themselves of the files in which it finds more find no more than that.
    fn races_are(&self, expected: &BTreeSet<(String, u16)>) -> Result<()> {
        let together = self.found(ALL)?;
        let missed: Vec<_> = expected.difference(&together).collect();
        ensure!(missed.is_empty(), "not found: {missed:?}");
        let unsure: BTreeSet<&String> = together.difference(expected).map(|(file, _)| file).collect();
        for file in unsure {
            let mut found = self.found(&format!("seeds/{}", file.trim_end_matches(".java")))?;
            found.retain(|(other, _)| other == file);
            let of_file = expected.iter().filter(|(other, _)| other == file).cloned().collect();
            assert_eq!(found, of_file);
        }
        Ok(())
    }
}

/// The class whose `main` runs those of all seeds.
const ALL: &str = "All";

fn all_of(seeds: &[PathBuf], folder: &Path) -> Result<PathBuf> {
    let names = seeds.iter().filter_map(|seed| seed.file_stem()?.to_str());
    let calls: String = names.map(|name| format!("seeds.{name}.main(arguments);\n")).collect();
    let path = folder.join(format!("{ALL}.java"));
    let text = format!("class {ALL} {{ public static void main(String[] arguments) throws Exception {{\n{calls}}}}}\n");
    std::fs::write(&path, text)?;
    Ok(path)
}

#[test]
fn seeded_races_are_found_and_their_clean_twins_are_not() -> Result<()> {
    let (files, folder) = (sources(&folder("seeds"))?, tempfile::tempdir()?);
    ensure!(commented(&files, &["race", "false-alarm: "])?.len() > 10, "no comments");
    let all = [files.clone(), vec![all_of(&files, folder.path())?]].concat();
    let classes = compiled(&Jdk::oldest(), &all, &["--release", "17"])?;
    for jdk in Jdk::oldest_and_newest() {
        let program = load(&classes, &jdk)?;
        let resolution = Resolution::of(&program);
        let fixtures = Fixtures::of(&files, &resolution);
        let expected = commented(&files, &["race", "false-alarm: ", &format!("false-alarm-{}: ", jdk.feature)])?;
        fixtures.races_are(&expected).with_context(|| jdk.home.display().to_string())?;
    }
    Ok(())
}

/// With the rule for objects that are made and filled; without it, more is reported.
#[test]
fn what_is_filled_before_others_have_it_does_not_race() -> Result<()> {
    for (name, main) in [("filled", "filled/Filled"), ("copied", "copied/Copied"), ("linked", "linked/Linked")] {
        let files = sources(&folder(name))?;
        let classes = compiled(&Jdk::oldest(), &files, &["--release", "17"])?;
        let expected = commented(&files, &["race"])?;
        for jdk in Jdk::oldest_and_newest() {
            let program = load(&classes, &jdk)?;
            let resolution = Resolution::of(&program);
            let found = |fills: bool| {
                let fixtures = Fixtures::of(&files, &resolution);
                Fixtures { options: Options { fills, ..fixtures.options }, ..fixtures }.found(main)
            };
            assert_eq!(found(true)?, expected, "{name}, {}", jdk.home.display());
            let without = found(false)?;
            assert!(without.is_superset(&expected) && without != expected, "{without:?}");
        }
    }
    Ok(())
}

/// What others may have by then counts as new nowhere; and much of the rest does, as without the rule nearly every access is a race.
#[test]
fn random_methods_have_new_only_what_nobody_else_has() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (text, racy) = made::program(seeds(0..300));
    let classes = compiled_text(folder.path(), "Made.java", &text)?;
    let program = load(&classes, &Jdk::oldest())?;
    let resolution = Resolution::of(&program);
    let found = |fills: bool| -> BTreeSet<String> {
        let options = Options { proofs: Proofs::of(&program, false), fills, ..Options::default() };
        let (_, races) = search(&resolution, Some("Made"), &Sensitivity::Hybrid(1), &options);
        let fields = races.races.iter().filter_map(|race| match race.variable {
            Variable::Field(field) => Some(program.field(field)),
            _ => None,
        });
        let values = fields.filter(|field| program.names().text(field.name) == "value");
        values.filter_map(|field| Some(program.class_name(field.class).split_once('$')?.0.to_owned())).collect()
    };
    let (with, without) = (found(true), found(false));
    let missed: Vec<&String> = racy.difference(&with).collect();
    ensure!(missed.is_empty(), "{missed:?}");
    let [alarms, without] = [&with, &without].map(|found| found.difference(&racy).count());
    ensure!(
        racy.len() > 50 && alarms * 10 < without * 8,
        "{} races; {alarms} false alarms, {without} without",
        racy.len()
    );
    Ok(())
}

/// What one seed does may have another's race found, all at once.
#[test]
fn each_seed_says_by_itself_what_its_comments_say() -> Result<()> {
    if !is_sweep() {
        return Ok(());
    }
    let files = sources(&folder("seeds"))?;
    let classes = compiled(&Jdk::oldest(), &files, &["--release", "17"])?;
    let mut wrong = Vec::new();
    for jdk in Jdk::all() {
        let program = load(&classes, &jdk)?;
        let resolution = Resolution::of(&program);
        let fixtures = Fixtures::of(&files, &resolution);
        let all = commented(&files, &["race", "false-alarm: ", &format!("false-alarm-{}: ", jdk.feature)])?;
        for seed in &files {
            let name = seed.file_stem().and_then(|name| name.to_str()).context("a name")?;
            let is_of_seed = |(file, _): &&(String, u16)| *file == format!("{name}.java");
            let found = fixtures.found(&format!("seeds/{name}"))?;
            let [found, expected] = [&found, &all].map(|places| places.iter().filter(is_of_seed).collect::<Vec<_>>());
            if found != expected {
                wrong.push(format!("{name} on {}: {found:?}, not {expected:?}", jdk.feature));
            }
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// The JDKs that know what came with Java 21, and classes that use it; none without a compiler for them.
fn since_java_21(files: &[PathBuf]) -> Result<Option<(Vec<Jdk>, PathBuf)>> {
    let jdks: Vec<Jdk> = Jdk::all().into_iter().filter(|jdk| jdk.feature >= 21).collect();
    let Some(compiler) = jdks.iter().find(|jdk| jdk.has("javac")) else { return Ok(None) };
    let classes = compiled(compiler, files, &["--release", "21"])?;
    Ok(Some((jdks, classes)))
}

#[test]
fn threads_that_came_with_java_21_are_followed() -> Result<()> {
    let files = [folder("virtual/Virtual.java")];
    let Some((jdks, classes)) = since_java_21(&files)? else { return Ok(()) };
    for jdk in &jdks {
        let program = load(&classes, jdk)?;
        let found = Fixtures::of(&files, &Resolution::of(&program)).found("seeds/Virtual")?;
        assert_eq!(found, commented(&files, &["race"])?, "{}", jdk.home.display());
    }
    Ok(())
}

#[test]
fn executors_that_came_with_java_21_are_followed_each_by_itself() -> Result<()> {
    let files = [folder("virtual/PerTask.java")];
    let Some((jdks, classes)) = since_java_21(&files)? else { return Ok(()) };
    // What virtual threads run takes long to follow.
    let some = if is_sweep() { &jdks[..] } else { &jdks[..1] };
    for jdk in some {
        let program = load(&classes, jdk)?;
        let resolution = Resolution::of(&program);
        let fixtures = Fixtures::of(&files, &resolution);
        let mains = program.main_methods();
        let mains = mains.iter().map(|main| program.class_name(program.method(*main).class).into_owned());
        let found = mains.map(|main| fixtures.found(&main)).collect::<Result<Vec<_>>>()?;
        let found: BTreeSet<_> = found.into_iter().flatten().collect();
        assert_eq!(found, commented(&files, &["race"])?, "{}", jdk.home.display());
    }
    Ok(())
}

#[test]
fn subtasks_of_scopes_are_followed() -> Result<()> {
    let files = [folder("virtual/Scopes.java")];
    for jdk in Jdk::newest().into_iter().filter(|jdk| jdk.feature >= 25) {
        let release = jdk.feature.to_string();
        let classes = compiled(&jdk, &files, &["--enable-preview", "--release", &release])?;
        let program = load(&classes, &jdk)?;
        let found = Fixtures::of(&files, &Resolution::of(&program)).found("seeds/Scopes")?;
        assert_eq!(found, commented(&files, &["race"])?);
    }
    Ok(())
}

/// What races in classes that are given to clients, mains or tests, against what their comments say.
fn races_are_as_commented(jdk: &Jdk, files: &[PathBuf], begin: Option<&str>) -> Result<()> {
    let program = load(&compiled(jdk, files, &["--release", "17"])?, jdk)?;
    let options = Options { proofs: Proofs::of(&program, begin.is_none()), fills: true, ..Options::default() };
    let (_, races) = search(&Resolution::of(&program), begin, &Sensitivity::Hybrid(1), &options);
    let places = races.races.iter().map(|race| declaration(files, &program, race.variable));
    let found: BTreeSet<_> = places.filter_map(Result::transpose).collect::<Result<_>>()?;
    assert_eq!(found, commented(files, &["race"])?, "{}", jdk.home.display());
    Ok(())
}

#[test]
fn handlers_of_uncaught_exceptions_hide_nothing() -> Result<()> {
    for jdk in Jdk::all() {
        let program = load(&compiled(&jdk, &[folder("seeds/Uncaught.java")], &["--release", "17"])?, &jdk)?;
        let (points_to, races) = races_of(&program, Some("seeds/Uncaught"), &Sensitivity::Hybrid(1), false);
        assert_eq!(hidden(&program, &points_to), None, "{}", jdk.home.display());
        let proof =
            RaceFree::by_search(&program, &points_to, &races, Framework::default(), &program.reflected().fields);
        let proved = proof.fields.iter().map(|field| program.names().text(program.field(*field).name));
        assert_eq!(proved.collect::<BTreeSet<_>>(), BTreeSet::from(["joined".into(), "own".into()]));
    }
    Ok(())
}

#[test]
fn handlers_of_uncaught_exceptions_run_in_threads_of_clients() -> Result<()> {
    let files = [folder("handlers/Library.java")];
    for jdk in Jdk::all() {
        races_are_as_commented(&jdk, &files, None)?;
    }
    Ok(())
}

#[test]
fn tests_run_one_after_the_other() -> Result<()> {
    races_are_as_commented(&Jdk::oldest(), &sources(&folder("suite"))?, Some("tests"))
}

#[test]
fn constructors_race_on_what_they_are_given() -> Result<()> {
    races_are_as_commented(&Jdk::oldest(), &sources(&folder("constructors"))?, None)
}

#[test]
fn clients_call_what_they_can_name_get_or_extend() -> Result<()> {
    races_are_as_commented(&Jdk::oldest(), &sources(&folder("client"))?, None)
}

/// Of types of the JDK, clients have what they are given, in whatever holds it, and make none of a library's own classes.
#[test]
fn clients_have_what_they_are_given() -> Result<()> {
    races_are_as_commented(&Jdk::oldest(), &sources(&folder("given"))?, None)
}

/// Each by itself: where types know that a client gets any object, they take no other one for confined, and one method of the JDK that
/// clients call leads to what others do.
#[test]
fn races_of_clients_are_found_in_each_class_by_itself() -> Result<()> {
    let files = sources(&folder("alone"))?;
    files.iter().try_for_each(|file| races_are_as_commented(&Jdk::oldest(), std::slice::from_ref(file), None))
}

/// What a chosen class has from others is called on its objects only.
#[test]
fn clients_of_some_classes_call_nothing_else() -> Result<()> {
    let (jdk, files) = (Jdk::oldest(), sources(&folder("chosen"))?);
    let program = load(&compiled(&jdk, &files, &["--release", "17"])?, &jdk)?;
    let resolution = Resolution::of(&program);
    let is_in = |class| {
        ["chosen/Chosen", "chosen/Hidden", "chosen/Given", "chosen/Kept"].contains(&&*program.class_name(class))
    };
    let client = Client::of(&program, &is_in);
    let code = environment::harness(&resolution, &client).0;
    let points_to = PointsTo::of(&resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {}).context("no limit")?;
    let options = Options { proofs: Proofs::of(&program, true), ..Options::default() };
    let races = Races::of(&program, &points_to, &options);
    let found: Result<Vec<_>> = races.races.iter().map(|race| declaration(&files, &program, race.variable)).collect();
    let found: BTreeSet<(String, u16)> = found?.into_iter().flatten().collect();
    assert_eq!(found, commented(&files, &["race"])?);
    Ok(())
}

#[test]
fn locks_of_two_objects_that_make_what_they_keep_may_be_one() -> Result<()> {
    let (jdk, files) = (Jdk::oldest(), sources(&folder("kept"))?);
    let program = load(&compiled(&jdk, &files, &["--release", "17"])?, &jdk)?;
    let (points_to, races) = races_of(&program, None, &Sensitivity::Hybrid(1), false);
    let (sure, unsure): (Vec<&Race>, Vec<&Race>) =
        races.races.iter().partition(|race| race.confidence == Confidence::NoCommonLock);
    let places = |races: &[&Race]| -> BTreeSet<(String, u16)> {
        races.iter().flat_map(|race| makers(&program, &points_to, race)).collect()
    };
    let (sure, mut unsure) = (places(&sure), places(&unsure));
    unsure.retain(|place| !sure.contains(place));
    assert_eq!(sure, commented(&files, &["race"])?);
    assert_eq!(unsure, commented(&files, &["doubtful"])?);
    Ok(())
}

#[test]
fn figure_4_of_the_paper_has_one_race() -> Result<()> {
    let jdk = Jdk::oldest();
    let files = [folder("paper/A.java")];
    let program = load(&compiled(&jdk, &files, &["--release", "17"])?, &jdk)?;
    let (points_to, races) = races_of(&program, None, &Sensitivity::Object(1), true);
    // Section 2.2: five pairs; (rd, wr) and (wr, wr) are left but for the last stage, which takes the second one.
    assert_eq!((races.counts.original, races.counts.stages), (5, [2, 2, 2, 1]));
    let [race] = &races.races[..] else { anyhow::bail!("{:?}", races.races) };
    let options = |stage| Options { chord: true, skipped: vec![stage], ..Options::default() };
    let without = |stage| Races::of(&program, &points_to, &options(stage)).counts.stages;
    assert_eq!(without(Stage::Unlocked), [2, 2, 2, 2]);
    assert_eq!(without(Stage::Aliasing), [2, 2, 2, 1]);
    let names = race.sides.each_ref().map(|side| program.method_name(side.place.method));
    assert_eq!(names, ["A.wr(I)I", "A.rd()I"]);
    Ok(())
}

#[test]
fn types_do_not_take_what_clients_share_for_confined() -> Result<()> {
    let jdk = Jdk::oldest();
    let program = load(&compiled(&jdk, &[folder("paper/A.java")], &["--release", "17"])?, &jdk)?;
    let (_, races) = races_of(&program, None, &Sensitivity::Hybrid(1), false);
    assert_eq!(races.races.len(), 1, "{:?}", races.races);
    Ok(())
}

#[test]
fn what_clients_use_races_beside_a_main_that_does_not() -> Result<()> {
    let (jdk, files) = (Jdk::oldest(), sources(&folder("open"))?);
    let program = load(&compiled(&jdk, &files, &["--release", "17"])?, &jdk)?;
    let (_, races) = races_of(&program, None, &Sensitivity::Hybrid(1), false);
    let places = races.races.iter().map(|race| declaration(&files, &program, race.variable));
    let found: BTreeSet<_> = places.filter_map(Result::transpose).collect::<Result<_>>()?;
    assert_eq!(found, commented(&files, &["race"])?);
    let (_, races) = races_of(&program, Some("open/App"), &Sensitivity::Hybrid(1), false);
    ensure!(races.races.is_empty(), "{:?}", races.races);
    Ok(())
}

#[test]
fn figure_2_of_the_paper_races_between_inserts_and_deletes() -> Result<()> {
    let jdk = Jdk::oldest();
    let files = sources(&folder("paper/jdbf"))?;
    let program = load(&compiled(&jdk, &files, &["--release", "17"])?, &jdk)?;
    let (points_to, races) = races_of(&program, None, &Sensitivity::Hybrid(1), false);
    let callers = Callers::of(&points_to, &races, Bounds::default());
    let mut found = BTreeSet::new();
    for race in &races.races {
        ensure!(declaration(&files, &program, race.variable)?.is_some(), "{race:?}");
        let reads = race.sides.iter().filter(|side| !side.place.write).count();
        for first in callers.roots_of(race.sides[0].instance) {
            for second in callers.roots_of(race.sides[1].instance) {
                let mut roots = [first, second].map(|root| {
                    let method = points_to.code(root).method.map(|method| program.method(method).name);
                    method.map(|name| program.names().text(name).into_owned())
                });
                roots.sort();
                found.insert((roots.map(Option::unwrap_or_default), reads));
            }
        }
    }
    // Three pairs of calls, and with each a read and a write or two writes.
    let calls = [["delete", "delete"], ["delete", "insert"], ["insert", "insert"]];
    let expected = calls.iter().flat_map(|pair| [(pair.map(str::to_owned), 0), (pair.map(str::to_owned), 1)]);
    assert_eq!(found, expected.collect());
    Ok(())
}

#[test]
fn every_method_with_a_part_in_a_race_is_in_it() -> Result<()> {
    let (jdk, files) = (Jdk::oldest(), sources(&folder("alike"))?);
    let program = load(&compiled(&jdk, &files, &["--release", "17"])?, &jdk)?;
    let (points_to, races) = races_of(&program, None, &Sensitivity::Hybrid(1), false);
    let mut found = BTreeSet::new();
    for side in races.races.iter().flat_map(|race| &race.sides) {
        assert_eq!(points_to.code(side.instance).method, Some(side.place.method));
        let places = std::iter::once(&side.place).chain(&side.alike);
        found.extend(places.map(|place| (program.method_name(place.method), place.write)));
    }
    let (read, write) = (false, true);
    let expected = [
        ("decrement()V", read),
        ("decrement()V", write),
        ("get()I", read),
        ("increment()V", read),
        ("increment()V", write),
        ("isZero()Z", read),
        ("reset()V", write),
    ];
    assert_eq!(found, expected.map(|(name, write)| (format!("alike/Counter.{name}"), write)).into());
    Ok(())
}

#[test]
fn paths_are_those_on_which_the_object_comes() -> Result<()> {
    let (jdk, files) = (Jdk::oldest(), sources(&folder("paths"))?);
    let program = load(&compiled(&jdk, &files, &["--release", "17"])?, &jdk)?;
    let (points_to, races) = races_of(&program, None, &Sensitivity::Hybrid(1), false);
    let callers = Callers::of(&points_to, &races, Bounds::default());
    let mut found = BTreeMap::new();
    for race in &races.races {
        let Variable::Field(field) = race.variable else { continue };
        for side in &race.sides {
            let accesses = &points_to.code(side.instance).accesses;
            let base = accesses.iter().find(|access| access.at == side.place.at).and_then(|access| access.base);
            let goal = Goal { instance: side.instance, by: side.by, object: base.zip(race.objects.as_ref()) };
            let path = callers.path(Kind::Possible, &goal, &[], &[]).path.context("a path")?;
            let names = program.names();
            let begins = points_to.code(path.root).method.map(|method| names.text(program.method(method).name));
            let all: &mut BTreeSet<String> =
                found.entry(names.text(program.field(field).name).into_owned()).or_default();
            all.extend(begins.map(std::borrow::Cow::into_owned));
        }
    }
    let expected = [("direct", "cDirectBad"), ("inner", "cInnerBad"), ("chosen", "cChosenBad")];
    let expected = expected.map(|(field, method)| (field.to_owned(), BTreeSet::from([method.to_owned()])));
    assert_eq!(found, BTreeMap::from(expected));
    Ok(())
}

/// Methods without a lock at one of their accesses to a field of `Vector` that race; `hasNext` and `hasMoreElements` hold none,
/// as their documentation lets them.
const UNLOCKED_IN_VECTOR: [(&str, &[&str]); 2] =
    [("elementCount", &["Vector$1.hasMoreElements", "Vector$Itr.hasNext"]), ("elementData", &["Vector.elementData"])];

/// The races between the methods of a class of the JDK, as if it were a library.
fn races_in_jdk(class: &str, chord: bool) -> Result<(Program, Races)> {
    let jdk = Jdk::oldest();
    let folder = tempfile::tempdir()?;
    let program = load(&jdk.vector_and_hashtable(folder.path())?, &jdk)?;
    let resolution = Resolution::of(&program);
    let client = Client::of(&program, &|other| program.class_name(other) == class);
    let code = environment::harness(&resolution, &client).0;
    let points_to = PointsTo::of(&resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {}).context("no limit")?;
    let proofs = if chord { Proofs::default() } else { Proofs::of(&program, true) };
    let races = Races::of(&program, &points_to, &Options { chord, proofs, ..Options::default() });
    Ok((program, races))
}

/// `Vector$Itr.next` for each side.
fn methods_of(program: &Program, race: &Race) -> [String; 2] {
    race.sides.each_ref().map(|side| {
        let method = program.method(side.place.method);
        let class = program.class_name(method.class).into_owned();
        format!("{}.{}", class.trim_start_matches("java/util/"), program.names().text(method.name))
    })
}

/// Races on the fields that a class declares, by their names.
fn of_own_fields<'a>(
    program: &'a Program,
    races: &'a Races,
    class: &'a str,
) -> impl Iterator<Item = (String, &'a Race)> {
    races.races.iter().filter_map(move |race| {
        let Variable::Field(field) = race.variable else { return None };
        let data = program.field(field);
        (program.class_name(data.class) == class).then(|| (program.names().text(data.name).into_owned(), race))
    })
}

#[test]
fn vector_races_only_where_it_reads_without_its_lock() -> Result<()> {
    let (program, races) = races_in_jdk("java/util/Vector", false)?;
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (field, race) in of_own_fields(&program, &races, "java/util/Vector") {
        let methods = methods_of(&program, race);
        for (side, method) in race.sides.iter().zip(&methods) {
            if side.guards.is_empty() {
                ensure!(!side.place.write, "{method} writes {field}");
                found.entry(field.clone()).or_default().insert(method.clone());
            }
        }
        // A copy, which is one object with what it is a copy of, is filled under the other's lock.
        let is_locked = race.sides.iter().all(|side| !side.guards.is_empty());
        ensure!(!is_locked || methods.contains(&"Vector.clone".to_owned()), "{field}: {methods:?}");
    }
    let expected = UNLOCKED_IN_VECTOR.map(|(field, methods)| {
        (field.to_owned(), methods.iter().copied().map(str::to_owned).collect::<BTreeSet<String>>())
    });
    assert_eq!(found, BTreeMap::from(expected));
    Ok(())
}

#[test]
fn the_views_of_hashtable_have_the_nine_benign_races_of_the_paper() -> Result<()> {
    // Section 5: one write and two reads in each of the methods, which the paper counts although the fields are volatile.
    let (program, races) = races_in_jdk("java/util/Hashtable", true)?;
    for view in ["keySet", "entrySet", "values"] {
        let method = format!("Hashtable.{view}");
        let own = of_own_fields(&program, &races, "java/util/Hashtable").filter(|(field, _)| field == view);
        let (inside, others): (Vec<_>, Vec<_>) =
            own.map(|(_, race)| race).partition(|race| methods_of(&program, race).iter().all(|other| *other == method));
        assert_eq!(inside.iter().map(|race| race.n_pairs).sum::<u64>(), 3, "{view}");
        // As in `Vector`.
        for race in others {
            ensure!(methods_of(&program, race).contains(&"Hashtable.clone".to_owned()), "{race:?}");
        }
    }
    let (program, races) = races_in_jdk("java/util/Hashtable", false)?;
    let views = ["keySet", "entrySet", "values"];
    ensure!(of_own_fields(&program, &races, "java/util/Hashtable").all(|(field, _)| !views.contains(&field.as_str())));
    Ok(())
}
