//! What the JDK synchronizes for itself orders threads by chance: who uses it must not come after who has used it before.
#![allow(clippy::disallowed_methods, reason = "makes a program of each statement")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::expect::{Expectations, Expected};
use jrace_tests::fixture::{folder, on_every_jdk};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::short_name;

/// Behind a statement, of which the first use is known to order threads in some JDKs, and why.
const MISSED_AT_FIRST: &str = " // missed at first: ";

#[test]
fn uses_of_the_jdk_order_nothing() -> Result<()> {
    let statements = statements()?;
    let directory = tempfile::tempdir()?;
    let classes = program(&statements, directory.path())?;
    on_every_jdk(|jdk| {
        for again in [false, true] {
            let launch = Launch::main(jdk, &classes, "JdkUses").short().args(again.then_some("again"));
            let run = launch.checked("check=hybrid").run()?.succeeded()?;
            ensure!(run.stdout() == "done\n", "{}", run.stdout());
            let names: Vec<String> = run.findings().map(|finding| short_name(&finding.variable)).collect();
            let said = || format!("again: {again}; the numbers are of the lines in uses.txt, from 0");
            expectations(&statements, again).compare(&names).with_context(said)?;
        }
        Ok(())
    })
}

fn expectations(statements: &[String], again: bool) -> Expectations {
    let of = |(number, statement): (usize, &String)| {
        let may_be_missed = !again && statement.contains(MISSED_AT_FIRST);
        (format!("Use{number}.value"), if may_be_missed { Expected::Chance } else { Expected::Race })
    };
    Expectations(statements.iter().enumerate().map(of).collect())
}

fn statements() -> Result<Vec<String>> {
    let text = std::fs::read_to_string(folder().join("jdk_uses/uses.txt"))?;
    Ok(text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect())
}

/// A class for each statement, as each has a variable of its own.
fn program(statements: &[String], directory: &Path) -> Result<PathBuf> {
    let mut text =
        String::from("import java.io.*;\nimport java.nio.file.*;\nimport java.util.*;\nimport schedule.Program;\n\n");
    let mut made = Vec::new();
    for (number, statement) in statements.iter().enumerate() {
        let statement = statement.split(MISSED_AT_FIRST).next().unwrap_or_default();
        let body = format!("int value; void use() throws Throwable {{ {statement}; }} void access() {{ value++; }}");
        writeln!(text, "final class Use{number} extends Use {{ {body} }}")?;
        made.push(format!("new Use{number}()"));
    }
    let body =
        format!("Use.again = names.length > 0; Program.all(new String[0], {}); System.exit(0);", made.join(", "));
    writeln!(
        text,
        "public final class JdkUses {{ public static void main(String[] names) throws Exception {{ {body} }} }}"
    )?;
    let main = directory.join("JdkUses.java");
    std::fs::write(&main, text)?;
    let mut all = vec![main, folder().join("jdk_uses/Use.java")];
    all.extend(sources(&folder().join("constructs/schedule"))?);
    let classes = directory.join("classes");
    Jdk::oldest().compile(&all, &classes, &["--release", "17"])?;
    Ok(classes)
}
