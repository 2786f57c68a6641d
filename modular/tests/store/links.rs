//! Programs in parts: each part is summarized with what it happens to know of the others, and what is found by linking all parts is
//! what one run over everything finds, whatever each of them knew and however old it is.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::generator::Random;
use jrace_tests::jdk::Jdk;
use modular::analysis::{Analysis, Limits};
use modular::environment::Begin;
use modular::store::linked::{Linked, Part};
use static_typer::program::Program;

use super::edits::{Build, builds, compile, loaded_with, name};
use super::layers::Layers;
use super::{LIMITS, described, difference, remembered};

/// So many programs are taken apart, with `JRACE_SWEEP` so many, into so many parts at most.
const PROGRAMS: u64 = 8;
const SWEEP: u64 = 100;
const PARTS: usize = 5;
/// So often a part is edited, or a class above one of it.
const EDITS: usize = 3;

/// What a part knows of another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Linked,
    Library,
    Missing,
}

const SEEN: [Seen; 5] = [Seen::Linked, Seen::Linked, Seen::Linked, Seen::Library, Seen::Missing];

/// How programs are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    /// Any class to any part, which knows anything of the others.
    Anywhere,
    /// By layers, of which most know those below, and few those above.
    ByLayers,
}

impl Cut {
    /// The part of a class, by the letter in its name.
    fn parts(self, random: &mut Random) -> Vec<usize> {
        match self {
            Self::Anywhere => {
                let n_parts = 1 + random.below(PARTS);
                (0..256).map(|_| random.below(n_parts)).collect()
            }
            Self::ByLayers => {
                let n_parts = 2 + random.below(PARTS - 1);
                let part =
                    |letter: usize| letter.checked_sub(usize::from(b'A')).map_or(n_parts - 1, |n| n * n_parts / 26);
                (0..256).map(part).collect()
            }
        }
    }

    /// Where all methods are collapsed, no summary has what a call may run.
    fn limits(self, seed: u64) -> Limits {
        let n_limits = if self == Self::ByLayers { 2 } else { LIMITS.len() };
        LIMITS[seed as usize % n_limits]
    }

    fn seen(self, part: usize, other: usize, random: &mut Random) -> Seen {
        match self {
            Self::ByLayers if other < part && !random.one_in(8) => Seen::Linked,
            Self::ByLayers if other > part && !random.one_in(4) => Seen::Missing,
            _ => random.pick(&SEEN),
        }
    }
}

/// Moves the classes of a build to a folder for each part.
fn apart(build: &Path, of_class: &impl Fn(&str) -> usize) -> Result<Vec<PathBuf>> {
    let parts: Vec<PathBuf> = (0..PARTS).map(|n| build.join(n.to_string())).collect();
    parts.iter().try_for_each(std::fs::create_dir_all)?;
    for entry in std::fs::read_dir(build)? {
        let path = entry?.path();
        if path.is_file() {
            let file = path.file_name().and_then(|name| name.to_str()).context("a name")?;
            std::fs::rename(&path, parts[of_class(file)].join(file))?;
        }
    }
    Ok(parts)
}

struct Target<'t> {
    own: &'t Path,
    linked: Vec<(&'t PathBuf, &'t [u8])>,
    libraries: Vec<PathBuf>,
    is_told: bool,
}

impl Target<'_> {
    fn summarized(&self, jdk: &Jdk, limits: Limits) -> Result<Vec<u8>> {
        let classes: Vec<PathBuf> =
            std::iter::once(self.own.to_owned()).chain(self.linked.iter().map(|(path, _)| (*path).clone())).collect();
        let program = loaded_with(&classes, &self.libraries, jdk, self.is_told)?;
        let is_part = |class| program.origin(class) == self.own;
        let linked = linked(self.linked.iter().map(|(_, bytes)| bytes.to_vec()))?;
        Analysis::of_part(&modular::resolution(&program), is_part, limits, &linked, "test");
        Ok(Part::bytes(&linked.made.into_inner()))
    }
}

fn linked(parts: impl IntoIterator<Item = Vec<u8>>) -> Result<Linked<'static>> {
    let parts: Option<Vec<Part>> = parts.into_iter().filter(|bytes| !bytes.is_empty()).map(Part::of).collect();
    Ok(Linked { parts: parts.context("whole parts")?, ..Linked::default() })
}

/// How many summaries were taken, and how many were made.
#[derive(Default)]
struct Totals {
    taken: usize,
    made: usize,
    races: usize,
}

fn check(cut: Cut, seed: u64, are_told: &[bool], folder: &Path, jdk: &Jdk, totals: &mut Totals) -> Result<()> {
    let (mut random, limits) = (Random(seed + 1000), cut.limits(seed));
    let of_letter = cut.parts(&mut random);
    // `Program.class` and `ProgramA.class`.
    let of_class = |file: &str| of_letter[usize::from(file.as_bytes()["Program".len()])];
    let mut known: Vec<Vec<u8>> = vec![Vec::new(); PARTS];
    for (n, is_told) in are_told.iter().copied().enumerate() {
        let parts = apart(&folder.join(name(seed, n)), &of_class)?;
        let full: Vec<PathBuf> = parts
            .iter()
            .filter(|part| part.read_dir().is_ok_and(|mut classes| classes.next().is_some()))
            .cloned()
            .collect();
        for (p, own) in parts.iter().enumerate().filter(|(_, own)| full.contains(own)) {
            // One that is not summarized again has what it had of an earlier build.
            if n > 0 && random.one_in(2) {
                continue;
            }
            let seen: Vec<Seen> = (0..PARTS).map(|o| cut.seen(p, o, &mut random)).collect();
            let others =
                |which: Seen| (0..PARTS).filter(move |o| *o != p).zip(&seen).filter(move |(_, seen)| **seen == which);
            let others = |which: Seen| others(which).map(|(o, _)| o).filter(|o| full.contains(&parts[*o]));
            let target = Target {
                own,
                linked: others(Seen::Linked).map(|o| (&parts[o], known[o].as_slice())).collect(),
                libraries: others(Seen::Library).map(|o| parts[o].clone()).collect(),
                is_told,
            };
            let bytes = target.summarized(jdk, limits)?;
            ensure!(!random.one_in(4) || target.summarized(jdk, limits)? == bytes, "{seed} {n} {p}: other bytes");
            known[p] = bytes;
        }
        let program = loaded_with(&full, &[], jdk, is_told)?;
        let (expected, found) = found(&program, limits, &linked(known.clone())?, totals);
        ensure!(found == expected, "program {seed}, build {n}: {}", difference(&expected, &found));
    }
    Ok(())
}

fn found(program: &Program, limits: Limits, linked: &Linked<'_>, totals: &mut Totals) -> (Vec<String>, Vec<String>) {
    let (resolution, mains) = (modular::resolution(program), program.main_methods());
    let expected = described(&Analysis::of(&resolution, &Begin::mains(&mains), limits));
    let analysis = remembered(&resolution, &mains, limits, linked);
    totals.taken += analysis.counts.taken;
    totals.made += analysis.counts.components - analysis.counts.taken;
    totals.races += expected.len();
    (expected, described(&analysis))
}

/// Takes all programs apart, each with some edits.
fn check_all<S>(
    cut: Cut,
    all: &[Vec<S>],
    java: impl Fn(&S, &str) -> String,
    is_told: impl Fn(&S) -> bool,
) -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    compile(all, java, folder.path())?;
    let mut totals = Totals::default();
    for (seed, builds) in all.iter().enumerate() {
        let are_told: Vec<bool> = builds.iter().map(&is_told).collect();
        check(cut, seed as u64, &are_told, folder.path(), &jdk, &mut totals)?;
    }
    let Totals { taken, made, races } = totals;
    println!("{taken} taken, {made} made, {races} lines");
    ensure!(taken > 100 && made > 50 && races > 200, "{taken} taken, {made} made, {races} lines");
    Ok(())
}

fn n_programs() -> u64 {
    if std::env::var_os("JRACE_SWEEP").is_some() { SWEEP } else { PROGRAMS }
}

#[test]
fn parts_that_are_linked_are_one_program() -> Result<()> {
    let all: Vec<Vec<Build>> = (0..n_programs()).map(|seed| builds(seed + 500, EDITS)).collect();
    check_all(Cut::Anywhere, &all, Build::java, Build::is_told)
}

#[test]
fn parts_that_override_what_others_call_are_one_program() -> Result<()> {
    let builds = |seed: u64| {
        let mut random = Random(seed + 900);
        let first = Layers::random(&mut random);
        let edit = |last: &Layers| Some(last.edited(&mut random));
        std::iter::successors(Some(first), edit).take(1 + EDITS).collect()
    };
    let all: Vec<Vec<Layers>> = (0..n_programs()).map(builds).collect();
    check_all(Cut::ByLayers, &all, Layers::java, |_| false)
}
