//! Classes that a program makes in each run under other names: once two runs have shown that, a focus knows them, and loses no race.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::path::PathBuf;

use anyhow::{Result, ensure};
use jrace_tests::fixture::on_oldest_and_newest;
use jrace_tests::generator::generated::{self, Program};
use jrace_tests::jdk::Jdk;
use jrace_tests::run::Run;
use tempfile::TempDir;

use crate::focus::Focused;

/// The programs, compiled.
struct Programs {
    all: Vec<Program>,
    folder: TempDir,
}

impl Programs {
    fn new() -> Result<Self> {
        let (folder, (text, all)) = (tempfile::tempdir()?, generated::programs());
        let source = folder.path().join("Main.java");
        std::fs::write(&source, text)?;
        Jdk::oldest().compile(&[source], &folder.path().join("classes"), &["--release", "17"])?;
        Ok(Self { all, folder })
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// A run finds the race, and only then; without what comes late, nothing is new any more after the first ones.
    fn run(&self, focused: &Focused, program: &Program, late: bool, turn: usize) -> Result<Run> {
        let (when, turn) = (if late { "late" } else { "early" }, turn.to_string());
        let run = focused.run(&[], &[&self.classes()], &["generated.Main", program.name, when, &turn])?;
        let is_found = run.racy().iter().any(|name| program.is_racy(name));
        ensure!(is_found == (late || program.is_early), "{when} {turn}: {:?}\n{}", run.racy(), run.stderr());
        Ok(run)
    }

    /// Runs one program until it is known, and then with what comes late.
    fn try_out(&self, focused: &Focused, program: &Program) -> Result<()> {
        let n_first = if program.name == "Proxies" || program.name == "Hides" { 2 } else { 1 };
        for turn in 0..n_first {
            self.run(focused, program, false, turn)?;
        }
        for turn in n_first..n_first + 2 {
            let known = self.run(focused, program, false, turn)?;
            ensure!(!known.stderr().contains("everything is checked"), "{turn}: {}", known.stderr());
        }
        for turn in 0..2 {
            let late = self.run(focused, program, true, turn)?;
            let is_void = late.stderr().contains("everything is checked");
            ensure!(program.is_strange || !is_void, "{turn}: {}", late.stderr());
        }
        let is_typed = |class| focused.set().map(|set| set.has(class));
        ensure!(program.name != "Alike" || is_typed("generated/AlikeTwo")?, "what others name is taken for a copy");
        Ok(())
    }
}

#[test]
fn no_race_of_generated_classes_is_lost() -> Result<()> {
    let programs = Programs::new()?;
    on_oldest_and_newest(|jdk| {
        let mut failed = Vec::new();
        for program in &programs.all {
            for (mode, focused) in [("field", Focused::by_fields(jdk)?), ("combined", Focused::new(jdk)?)] {
                let tried = programs.try_out(&focused, program);
                failed.extend(tried.err().map(|error| format!("{} {mode}: {error:#}", program.name)));
            }
        }
        ensure!(failed.is_empty(), "{}", failed.join("\n\n"));
        Ok(())
    })
}
