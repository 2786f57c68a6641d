//! Every race that the comments of the seeded programs expect is reported, or stands here with the reason why not.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use modular::analysis::{Analysis, Limits};
use modular::check::{Race, Variable, races};
use modular::node::Node;
use static_typer::classpath::ClassPath;
use static_typer::ir::Body;
use static_typer::points_to::{Resolution, Site};
use static_typer::program::Program;

type Line = (String, u16);

/// What is not found, by file and lines, and why.
const MISSED: &[(&str, &[u16], &str)] = &[
    ("Mirrors.java", &[9, 10, 11, 12, 21, 22], "what is called and stored by reflection"),
    (
        "Reflected.java",
        &[11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 28, 96],
        "what is called and made by reflection",
    ),
];

fn commented(files: &[PathBuf], word: &str) -> Result<BTreeSet<Line>> {
    let mut found = BTreeSet::new();
    for path in files {
        let file = path.file_name().and_then(|name| name.to_str()).context("a file name")?;
        for (n, line) in std::fs::read_to_string(path)?.lines().enumerate() {
            if line.split_once("// ").is_some_and(|(_, comment)| comment.starts_with(word)) {
                found.insert((file.to_owned(), u16::try_from(n + 1)?));
            }
        }
    }
    Ok(found)
}

/// Where a field is declared, or where the arrays are made.
fn places(files: &[PathBuf], program: &Program, analysis: &Analysis<'_>, race: &Race) -> Result<Vec<Line>> {
    let Variable::Field(field) = race.variable else {
        let made = race.nodes.iter().filter_map(|node| match analysis.nodes.get(*node) {
            Node::Object(_, Site::New(method, at, _) | Site::Copy(method, at, _), _) => {
                let class = program.class(program.method(*method).class);
                let line = Body::of(program, *method)?.ok()?.line(*at)?;
                Some((program.names().text(class.source_file?).into_owned(), line))
            }
            _ => None,
        });
        return Ok(made.collect());
    };
    let data = program.field(field);
    let name = program.names().text(data.name).into_owned();
    let file = program.class(data.class).source_file.map(|file| program.names().text(file).into_owned());
    let file = file.context("a source file")?;
    let path = files.iter().find(|path| path.ends_with(&file)).context("a source")?;
    let declares = |line: &str| {
        let declared = line.split(['=', ';']).next().unwrap_or_default().trim();
        line.starts_with("    ") && !declared.contains('(') && declared.ends_with(&format!(" {name}"))
    };
    let line = std::fs::read_to_string(path)?.lines().position(declares).context(name)?;
    Ok(vec![(file, u16::try_from(line + 1)?)])
}

fn found(folder: &Path, limits: Limits) -> Result<(BTreeSet<Line>, BTreeSet<Line>)> {
    let (jdk, files) = (Jdk::oldest(), sources(folder)?);
    let classes = compiled(&jdk, &files, &["--release", "17"])?;
    let program = Program::load(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let resolution = Resolution::of(&program);
    let mut all = BTreeSet::new();
    for main in program.main_methods() {
        let analysis = Analysis::of(&resolution, &[main], limits).map_err(|large| anyhow::anyhow!("{large:?}"))?;
        for race in races(&analysis) {
            all.extend(places(&files, &program, &analysis, &race)?);
        }
    }
    Ok((commented(&files, "race")?, all))
}

#[test]
fn seeded_races_are_found() -> Result<()> {
    let (expected, found) = found(&root().join("tests/java/races/seeds"), Limits::default())?;
    let missed: BTreeSet<Line> = expected.difference(&found).cloned().collect();
    let known =
        MISSED.iter().flat_map(|(file, lines, _)| lines.iter().map(move |line| ((*file).to_owned(), *line))).collect();
    let more: BTreeSet<&Line> = found.difference(&expected).collect();
    println!("{} expected, {} more: {more:?}", expected.len(), more.len());
    assert_eq!(missed, known);
    Ok(())
}
