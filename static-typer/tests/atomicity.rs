//! Every method of the fixtures gets the atomicity that its comment says, and every wrong claim its two events.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use static_typer::atomicity::{Atomicity, AtomicityTypes, Event, is_claimed_atomic};
use static_typer::program::{Base, MethodId, Program};
use static_typer::types::{Bodies, Held, Root, Types};

use crate::common;

struct Analysis {
    program: Program,
    bodies: Bodies,
    atomicity: AtomicityTypes,
}

fn analysis(file: &str, release: &str) -> Result<(PathBuf, Analysis)> {
    let all = sources(&root().join("tests/java/atomicity"))?;
    let source = all.into_iter().find(|path| path.ends_with(file)).context("the fixture")?;
    let options = ["-g", "-Xlint:-options", "--release", release];
    let classes = fixture::compiled(&Jdk::oldest(), std::slice::from_ref(&source), &options)?;
    let program = common::program(&classes);
    let bodies = Bodies::of(&program);
    let types = Types::infer(&program, &bodies);
    let atomicity = AtomicityTypes::infer(&program, &bodies, &types);
    Ok((source, Analysis { program, bodies, atomicity }))
}

impl Analysis {
    fn methods(&self) -> impl Iterator<Item = (String, MethodId)> {
        common::methods(&self.program).map(|method| (self.name(method), method))
    }

    /// `Cell.get`
    fn name(&self, method: MethodId) -> String {
        let data = self.program.method(method);
        let class = self.program.class_name(data.class);
        let class = class.rsplit(['/', '$']).next().unwrap_or_default();
        let name = self.program.names().text(data.name);
        let name = if name == "<init>" { class } else { &name };
        format!("{class}.{name}")
    }

    /// Parameters are numbered, the first one is called `this`; an explicit lock has a mark.
    fn lock(&self, lock: &Held) -> String {
        let name = |field| self.program.names().text(self.program.field(field).name).into_owned();
        let mut text = match lock.path.root {
            Root::Parameter(0) => "this".to_owned(),
            Root::Parameter(n) => n.to_string(),
            Root::Class(ty) => match ty.base {
                Base::Class(class) => self.program.names().text(class).into_owned(),
                _ => "?".to_owned(),
            },
            Root::Static(field) => name(field),
            Root::Text(_) | Root::Value(_) | Root::Owner(_) => "?".to_owned(),
        };
        lock.path.fields.iter().for_each(|field| text += &format!(".{}", name(*field)));
        if lock.monitor { text } else { text + "!" }
    }

    fn show(&self, atomicity: &Atomicity<Held>) -> String {
        match atomicity {
            Atomicity::Basic(basic) => basic.to_string(),
            Atomicity::When(when) => {
                format!("{} ? {} : {}", self.lock(&when.lock), self.show(&when.held), self.show(&when.free))
            }
        }
    }

    /// The line of an event, and how it moves.
    fn event(&self, event: &Event) -> Option<(u16, String)> {
        Some((self.bodies.get(event.method)?.line(event.value)?, event.mover.to_string()))
    }
}

/// The comments of a fixture that begin with a word: line, class, what comes before and what comes after.
fn comments(source: &PathBuf, word: &str) -> Result<Vec<(u16, String, String, String)>> {
    let (text, mut class, mut found) = (std::fs::read_to_string(source)?, String::new(), Vec::new());
    for (n, line) in text.lines().enumerate() {
        if let Some((_, after)) = line.split_once("class ").filter(|_| line.ends_with('{')) {
            class = after.split([' ', '<']).next().unwrap_or_default().to_owned();
        }
        if let Some((code, comment)) = line.split_once(&format!("// {word}: ")) {
            found.push((u16::try_from(n + 1)?, class.clone(), code.to_owned(), comment.trim().to_owned()));
        }
    }
    Ok(found)
}

#[test]
fn methods_have_the_atomicities_that_their_comments_say() -> Result<()> {
    for release in ["8", "17"] {
        let (source, analysis) = analysis("Movers.java", release)?;
        let mut expected = BTreeMap::new();
        for (_, class, code, comment) in comments(&source, "inferred")? {
            let name = code.split('(').next().and_then(|before| before.rsplit(' ').next()).unwrap_or_default();
            expected.insert(format!("{class}.{name}"), comment);
        }
        let show = |method| {
            let (all, at_calls) = (analysis.atomicity.of(method), analysis.atomicity.simplified(method));
            let all = analysis.show(&all);
            let least = analysis.atomicity.of(method).eval(&|_| false);
            if least == at_calls { all } else { format!("{all}, simplified: {at_calls}") }
        };
        let found: BTreeMap<String, String> = analysis.methods().map(|(name, method)| (name, show(method))).collect();
        let wrong: Vec<_> = expected.iter().filter(|(name, text)| found.get(*name) != Some(*text)).collect();
        let instead: Vec<_> = wrong.iter().map(|(name, _)| found.get(*name)).collect();
        ensure!(wrong.is_empty(), "expected {wrong:#?}, found {instead:#?} (release {release})");
        ensure!(expected.len() > 60, "{} expectations", expected.len());
    }
    Ok(())
}

#[test]
fn wrong_claims_have_two_events() -> Result<()> {
    for release in ["8", "17"] {
        let (source, analysis) = analysis("Claims.java", release)?;
        let mut expected = Vec::new();
        for word in ["claim", "first", "second"] {
            for (line, _, _, comment) in comments(&source, word)? {
                let (method, mover) = comment.split_once(' ').unwrap_or((&comment, ""));
                let line = if word == "claim" { 0 } else { line };
                expected.push((method.to_owned(), word, line, mover.to_owned()));
            }
        }
        let mut found = Vec::new();
        for (name, method) in analysis.methods().filter(|(_, method)| is_claimed_atomic(&analysis.program, *method)) {
            let Some(breach) = analysis.atomicity.breach(method) else {
                ensure!(analysis.atomicity.is_atomic(method), "{name} has no events");
                continue;
            };
            ensure!(!analysis.atomicity.is_atomic(method), "{name} is atomic");
            found.push((name.clone(), "claim", 0, String::new()));
            for (word, event) in [("first", breach.commit), ("second", Some(breach.event))] {
                if let Some((line, mover)) = event.and_then(|event| analysis.event(&event)) {
                    found.push((name.clone(), word, line, mover));
                }
            }
        }
        found.sort();
        expected.sort();
        ensure!(found == expected, "found {found:#?}, expected {expected:#?} (release {release})");
    }
    Ok(())
}

/// A method that is not atomic has events that say why, and one that is has none.
#[test]
fn breaches_agree_with_atomicities() -> Result<()> {
    for file in ["Movers.java", "Claims.java"] {
        let (_, analysis) = analysis(file, "17")?;
        for method in analysis.atomicity.methods() {
            let breach = analysis.atomicity.breach(*method);
            let is_atomic = analysis.atomicity.is_atomic(*method);
            ensure!(breach.is_none() == is_atomic, "{}: {breach:?}", analysis.name(*method));
        }
    }
    Ok(())
}
