//! What races for certain is never proved: by types of each program by itself, as what one does may keep another from being proved; by a
//! search of all at once, as that goes through the JDK.
//!
//! That the programs race is shown where they run (`tests/tests`: `focus`, `lock_uses`, `reach`). Here nothing runs, so that `just mutants`
//! can ask for each rule that is dropped.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::compiled;
use jrace_tests::generator::{self, constructions, leaks, locks, reach};
use jrace_tests::jdk::Jdk;
use static_typer::classpath::{ClassPath, FoundClass};
use static_typer::focus::{Goal, Search, search, typed};
use static_typer::ir::{Body, Op};
use static_typer::program::{ClassId, Constant, Program};
use static_typer::races::RaceFree;
use static_typer::types::{Bodies, Types};

/// Known to be missed by a search: what the JVM calls of a record's components is not followed.
const MISSED: &str = "RecordEqual";

/// Programs in one source file, each a class with a method `run`. In each, a class has a field `hits` that races, or code that writes an
/// element of an array that does.
struct Programs {
    package: &'static str,
    source: String,
    /// The class in them.
    of: &'static str,
    racy: Vec<String>,
    clean: Vec<String>,
}

impl Programs {
    fn new(package: &'static str, of: &'static str, source: String, racy: Vec<String>, clean: Vec<String>) -> Self {
        Self { package, source, of, racy, clean }
    }

    fn all() -> [Self; 4] {
        let (source, ways) = leaks::program();
        let (leaking, staying) = ways.into_iter().unzip();
        let constructions = constructions::program(&constructions::Way::each());
        let locks = locks::program(&locks::Way::each());
        let reach = reach::program();
        [
            Self::new("leaks", "Node", source, leaking, staying),
            Self::new("constructions", "X", constructions.source, constructions.racy, constructions.clean),
            Self::new("locks", "X", locks.source, locks.racy, locks.clean),
            Self::new("reach", "X", reach.source, [reach.fields, reach.arrays].concat(), Vec::new()),
        ]
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.racy.iter().chain(&self.clean)
    }

    /// Compiled, with a `main` for each.
    fn compile(&self) -> Result<PathBuf> {
        let main = |class| {
            format!("final class {class}Main {{ public static void main(String[] given) {{ {class}.run(); }} }}\n")
        };
        let source = self.source.clone() + &self.names().map(main).collect::<String>();
        let files = [("Support.java", generator::SUPPORT), ("Main.java", &source)];
        // Where they stay, so that nothing is compiled twice.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.package);
        let paths = files.map(|(name, _)| folder.join(name));
        std::fs::create_dir_all(&folder)?;
        for (path, (_, text)) in paths.iter().zip(files) {
            std::fs::write(path, text)?;
        }
        compiled(&Jdk::oldest(), &paths, &["--release", "17"])
    }

    /// The program by itself: its classes, and those that they refer to. What more there is may start threads, by which one that is not
    /// seen would go unnoticed.
    fn alone(&self, class: &str, together: &Program, path: &mut ClassPath) -> Program {
        let [own, main] = [format!("{}/{class}", self.package), format!("{}/{class}Main", self.package)];
        let nested = format!("{own}$");
        let name = |id: ClassId| together.class_name(id).into_owned();
        let is_own = |id: &ClassId| name(*id) == own || name(*id) == main || name(*id).starts_with(&nested);
        let mut kept: BTreeSet<ClassId> = BTreeSet::new();
        let mut open: Vec<ClassId> = together.application().filter(is_own).collect();
        while let Some(id) = open.pop() {
            if kept.insert(id) {
                let named = referred_to(together, id);
                open.extend(together.application().filter(|other| named.contains(&name(*other))));
            }
        }
        let found = |id| FoundClass { bytes: together.bytes(id).to_vec(), origin: PathBuf::new() };
        Program::of(kept.into_iter().map(found).collect(), |name| path.find(name))
    }

    /// Whether what races in a program is proved.
    fn is_proved(&self, class: &str, program: &Program, bodies: &Bodies, proofs: &RaceFree) -> Result<bool> {
        let name = format!("{}/{class}${}", self.package, self.of);
        let id = program.application().find(|id| program.class_name(*id) == name).with_context(|| name.clone())?;
        let mut hits = program.fields_of(id).filter(|field| program.names().text(program.field(*field).name) == "hits");
        if let Some(hits) = hits.next() {
            return Ok(proofs.fields.contains(&hits));
        }
        let of_class = |body: &&Body| program.class_name(program.method(body.method).class).starts_with(&name);
        let last_write = |body: &Body| {
            let mut writes = body.all_values().filter(|value| matches!(body.op(*value), Op::StoreElement(..)));
            Some((body.method, body.instruction(writes.next_back()?).at))
        };
        let writes: Vec<_> = bodies.iter().filter(of_class).filter_map(last_write).collect();
        ensure!(!writes.is_empty(), "no write in {name}");
        let is_known = |(method, at): &_| proofs.accesses.get(method).is_some_and(|known| known.contains(at));
        Ok(writes.iter().any(is_known))
    }
}

/// The names of the classes that the constants of a class name.
fn referred_to(program: &Program, class: ClassId) -> BTreeSet<String> {
    let names = program.names();
    let types = program.constants(class).iter().filter_map(|constant| match constant {
        Constant::Class(ty) => Some(*ty),
        Constant::Member(member) => Some(program.member(*member).owner),
        _ => None,
    });
    types.map(|ty| names.show(ty).trim_end_matches("[]").to_owned()).collect()
}

fn open(classes: &[PathBuf]) -> Result<ClassPath> {
    Ok(ClassPath::open(classes, &[], Some(&Jdk::oldest().home))?)
}

fn types_prove_none(programs: &Programs) -> Result<()> {
    let mut path = open(&[programs.compile()?])?;
    let together = Program::load(&mut path);
    let mut wrong = Vec::new();
    for racy in &programs.racy {
        let program = programs.alone(racy, &together, &mut path);
        let bodies = Bodies::of(&program);
        let proofs = typed(&Types::infer(&program, &bodies), Goal::RaceFree);
        wrong.extend(programs.is_proved(racy, &program, &bodies, &proofs)?.then_some(racy));
    }
    ensure!(wrong.is_empty(), "proved: {wrong:#?}");
    Ok(())
}

#[test]
fn types_prove_nothing_that_races() -> Result<()> {
    Programs::all().iter().try_for_each(types_prove_none)
}

#[test]
fn a_search_proves_nothing_that_races() -> Result<()> {
    let options =
        Search { goal: Goal::RaceFree, is_parallel: false, has_guards: true, explains: false, memory_bytes: u64::MAX };
    let all = Programs::all();
    let program = Program::load_whole(&mut open(&all.iter().map(Programs::compile).collect::<Result<Vec<_>>>()?)?);
    let bodies = Bodies::of(&program);
    let found = search(&program, &bodies, &Types::infer(&program, &bodies), &options, &|_| {});
    let proofs = found.map_err(anyhow::Error::msg)?.race_free;
    let mut wrong = Vec::new();
    for programs in &all {
        for racy in programs.racy.iter().filter(|racy| !racy.contains(MISSED)) {
            wrong.extend(programs.is_proved(racy, &program, &bodies, &proofs)?.then_some(racy));
        }
    }
    ensure!(wrong.is_empty(), "proved: {wrong:#?}");
    Ok(())
}
