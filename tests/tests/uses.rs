//! What the JDK and libraries synchronize for themselves orders threads by chance: who uses them must not come after who has used them before.
#![allow(clippy::disallowed_methods, reason = "makes a program of each statement")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::expect::{Expectations, Expected};
use jrace_tests::fixture::{folder, on_oldest_and_newest};
use jrace_tests::jdk::{Jdk, is_sweep, sources};
use jrace_tests::launch::Launch;
use jrace_tests::maven;
use jrace_tests::run::short_name;

/// Behind a statement, of which the first use is known to order threads in some JDKs, and why.
const MISSED_AT_FIRST: &str = " // missed at first: ";
/// Behind one of which any use may.
const MISSED: &str = " // may be missed: ";

#[test]
fn uses_of_the_jdk_order_nothing() -> Result<()> {
    let uses = Uses::of("jdk_uses", "Use")?;
    let directory = tempfile::tempdir()?;
    let classes = uses.program(directory.path(), &[])?;
    on_oldest_and_newest(|jdk| [false, true].into_iter().try_for_each(|again| uses.order_nothing(jdk, &classes, again)))
}

/// Of libraries as servers have them. What is first used makes much once, of which nothing is said here.
#[test]
fn uses_of_libraries_order_nothing() -> Result<()> {
    if !is_sweep() {
        return Ok(());
    }
    let uses = Uses::of("library_uses", "Libraries")?;
    let jars = maven::jars(&folder().join("library_uses"))?.join("*");
    let directory = tempfile::tempdir()?;
    let classes = uses.program(directory.path(), std::slice::from_ref(&jars))?;
    let class_path = PathBuf::from(std::env::join_paths([classes, jars])?);
    on_oldest_and_newest(|jdk| uses.order_nothing(jdk, &class_path, true))
}

/// Statements that two threads execute, one after the other.
struct Uses {
    folder: PathBuf,
    statements: Vec<String>,
    /// The class that has what they need.
    superclass: &'static str,
}

impl Uses {
    fn of(name: &str, superclass: &'static str) -> Result<Self> {
        let folder = folder().join(name);
        let text = std::fs::read_to_string(folder.join("uses.txt"))?;
        let statements = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        Ok(Self { folder, statements, superclass })
    }

    fn order_nothing(&self, jdk: &Jdk, class_path: &Path, again: bool) -> Result<()> {
        let launch = Launch::main(jdk, class_path, "Uses").short().args(again.then_some("again"));
        let run = launch.checked("check=hybrid").run()?.succeeded()?;
        ensure!(run.stdout().ends_with("done\n") && !run.stdout().contains("class Use"), "{}", run.stdout());
        // Libraries have races of their own.
        let is_asked = |name: &String| self.superclass == "Use" || name.starts_with("Use");
        let names = run.findings().map(|finding| short_name(&finding.variable));
        let names: Vec<String> = names.filter(is_asked).collect();
        let said = || format!("again: {again}; the numbers are of the lines in uses.txt, from 0");
        self.expectations(again).compare(&names).with_context(said)
    }

    fn expectations(&self, again: bool) -> Expectations {
        let of = |(number, statement): (usize, &String)| {
            let may_be_missed = statement.contains(MISSED) || !again && statement.contains(MISSED_AT_FIRST);
            (format!("Use{number}.value"), if may_be_missed { Expected::Chance } else { Expected::Race })
        };
        Expectations(self.statements.iter().enumerate().map(of).collect())
    }

    /// A class for each statement, as each has a variable of its own.
    fn program(&self, directory: &Path, class_path: &[PathBuf]) -> Result<PathBuf> {
        let main = directory.join("Uses.java");
        std::fs::write(&main, self.source()?)?;
        let mut all = vec![main];
        for folder in [&self.folder, &folder().join("jdk_uses"), &folder().join("constructs/schedule")] {
            all.extend(sources(folder)?);
        }
        all.sort();
        all.dedup();
        let classes = directory.join("classes");
        let class_path = std::env::join_paths(class_path)?;
        let class_path = class_path.to_str().context("a path that is no text")?;
        Jdk::oldest().compile(&all, &classes, &["--release", "17", "-proc:none", "-cp", class_path])?;
        Ok(classes)
    }

    fn source(&self) -> Result<String> {
        let mut text = String::from(
            "import java.io.*;\nimport java.nio.file.*;\nimport java.util.*;\nimport schedule.Program;\n\n",
        );
        let mut made = Vec::new();
        for (number, statement) in self.statements.iter().enumerate() {
            let statement = statement.split(" // ").next().unwrap_or_default();
            let body =
                format!("int value; void use() throws Throwable {{ {statement}; }} void access() {{ value++; }}");
            writeln!(text, "final class Use{number} extends {} {{ {body} }}", self.superclass)?;
            made.push(format!("new Use{number}()"));
        }
        let body =
            format!("Use.again = names.length > 0; Program.all(new String[0], {}); System.exit(0);", made.join(", "));
        writeln!(
            text,
            "public final class Uses {{ public static void main(String[] names) throws Exception {{ {body} }} }}"
        )?;
        Ok(text)
    }
}
