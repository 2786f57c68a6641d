//! Classes from everywhere: loaders, modules, hidden ones, old ones, redefined ones.

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jrace_tests::expect::Expectations;
use jrace_tests::fixture::{classes, compare, compiled, folder, jar, on_every_jdk, same_as_without};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::{Run, jrace};

use crate::focus::Focused;

jrace_tests::cases! {
    "classes";
    loaders: "";
    hidden: "";
    lambdas: "";
    handles: "";
}

/// A group that is compiled by itself.
fn group(name: &str, options: &[&str]) -> Result<(PathBuf, Vec<PathBuf>)> {
    let sources = sources(&folder().join(name))?;
    Ok((compiled(&Jdk::oldest(), &sources, options)?, sources))
}

fn expected(run: &Run, sources: &[PathBuf]) -> Result<()> {
    Ok(Expectations::of(sources)?.compare(&run.racy())?)
}

/// In every mode, the fields of a class are where they are without the agent.
#[test]
fn layouts_stay() -> Result<()> {
    let classes = classes("classes")?;
    let traces = tempfile::tempdir()?;
    let recorded = format!("check=none,record={},", traces.path().display());
    let modes = [
        String::new(),
        "arrays=element".to_owned(),
        "granularity=object".to_owned(),
        format!("{recorded}discover=1"),
        format!("{recorded}atomicity=block,record_redundant=0"),
    ];
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "layouts.Main").jvm(["-Xmx64m"]);
        for launch in
            [launch.clone(), launch.clone().jvm(["-XX:-UseCompressedOops"]), launch.jvm(["-XX:+UseParallelGC"])]
        {
            for mode in &modes {
                same_as_without(&launch, mode).with_context(|| mode.clone())?;
            }
        }
        Ok(())
    })
}

/// What javac makes for nested classes stands at the line of the class and has a number for a name: reports show who calls it.
#[test]
fn who_calls_an_accessor_is_shown_in_its_place() -> Result<()> {
    let (classes, _) = group("old", &["--release", "8", "-Xlint:-options"])?;
    let jdk = Jdk::oldest();
    let folder = tempfile::tempdir()?;
    let java = jdk.home.join("bin/java");
    let run: [&OsStr; 6] =
        ["run".as_ref(), "--".as_ref(), java.as_ref(), "-cp".as_ref(), classes.as_ref(), "old.Main".as_ref()];
    let races: [&OsStr; 4] = ["races".as_ref(), "--main".as_ref(), "old.Main".as_ref(), classes.as_ref()];
    for command in [&run[..], &races] {
        let output = jrace(&jdk).current_dir(&folder).args(command).output()?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        ensure!(said.contains("at old.Main$Inner.touch(Main.java:17)"), "{command:?}: {said}");
        ensure!(!said.contains("access$"), "{command:?}: {said}");
    }
    Ok(())
}

#[test]
fn class_files_of_java_8() -> Result<()> {
    let (classes, sources) = group("old", &["--release", "8", "-Xlint:-options"])?;
    on_every_jdk(|jdk| expected(&same_as_without(&Launch::main(jdk, &classes, "old.Main").jvm(["-ea"]), "")?, &sources))
}

#[test]
fn unnamed_package() -> Result<()> {
    let (classes, sources) = group("unnamed", &["--release", "17"])?;
    on_every_jdk(|jdk| expected(&same_as_without(&Launch::main(jdk, &classes, "Main"), "")?, &sources))
}

#[test]
fn module_path() -> Result<()> {
    let (classes, sources) = group("module", &["--release", "17"])?;
    on_every_jdk(|jdk| {
        let directory = Launch::new(jdk, ["-p", &classes.display().to_string(), "-m", "app/app.Main"]);
        expected(&same_as_without(&directory, "")?, &sources)?;
        let folder = tempfile::tempdir()?;
        let archive = folder.path().join("app.jar");
        jar(jdk, &archive, None, &classes)?;
        let in_jar = Launch::new(jdk, ["-p", &archive.display().to_string(), "-m", "app/app.Main"]);
        expected(&same_as_without(&in_jar, "")?, &sources)
    })
}

/// A Java agent redefines and retransforms woven classes, loaded before jrace on the command line or after it.
#[test]
fn redefinition() -> Result<()> {
    let classes = classes("redefine")?;
    let other = compiled(&Jdk::oldest(), &sources(&folder().join("redefined"))?, &["--release", "17"])?;
    let folder = tempfile::tempdir()?;
    let agent = folder.path().join("agent.jar");
    let manifest = "Premain-Class: redefine.Agent\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n";
    jar(&Jdk::oldest(), &agent, Some(manifest), &classes)?;
    let java_agent = format!("-javaagent:{}", agent.display());
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "redefine.Main")
            .args([other.join("redefine/Target.class"), classes.join("redefine/Main.class")]);
        for launch in [launch.clone().before([&java_agent]), launch.jvm([&java_agent])] {
            compare(&same_as_without(&launch, "")?, "redefine", "redefine")?;
        }
        Ok(())
    })?;
    // No run learns what comes of that.
    let classes_given = [other.join("redefine/Target.class"), classes.join("redefine/Main.class")];
    let [target, main] = classes_given.each_ref().map(|path| path.to_string_lossy());
    let arguments = [&*java_agent, "redefine.Main", &target, &main];
    let said = Focused::new(&Jdk::oldest())?.run(&[], &[&classes], &arguments)?.stderr();
    ensure!(said.contains("was changed as the program ran") && !said.contains("learns from it"), "{said}");
    Ok(())
}
