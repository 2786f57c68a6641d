//! Options, bad input, and the JVM's own switches.
#![allow(clippy::disallowed_methods, reason = "reads what the agent wrote")]

use std::path::PathBuf;

use anyhow::{Result, ensure};
use jrace_tests::fixture::{classes, compare, on_every_jdk, reports, same_as_without};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::{Launch, agent_argument};

jrace_tests::cases! {
    "options";
    options: "";
}

const MAIN: &str = "options.Main";
const OUTPUT: &str = "between\nend\n";

fn program(jdk: &Jdk) -> Result<Launch> {
    Ok(Launch::main(jdk, &classes("options")?, MAIN))
}

/// The lines on standard error that are the agent's.
fn said(stderr: &str) -> Vec<&str> {
    stderr.lines().filter(|line| line.starts_with("jrace: ")).collect()
}

#[test]
fn unknown_option_refuses_to_start() -> Result<()> {
    on_every_jdk(|jdk| {
        for (options, sentence) in [
            ("granularty=field", "unknown option `granularty` (did you mean `granularity`?)"),
            ("exitcode=many", "option `exitcode` cannot be `many`"),
            ("arrays", "option `arrays` has no value"),
        ] {
            let run = program(jdk)?.checked(options).run()?;
            ensure!(!run.output.status.success() && !run.stdout().contains("between"), "it started: {}", run.stdout());
            let stderr = run.stderr();
            ensure!(said(&stderr).len() == 1 && stderr.contains(sentence), "{stderr}");
            ensure!(run.records.is_empty(), "a findings file was written");
        }
        Ok(())
    })
}

#[test]
fn unwritable_output_runs_unchecked() -> Result<()> {
    on_every_jdk(|jdk| {
        for output in ["/proc/none/findings", "/dev/null/findings"] {
            let run = program(jdk)?.checked(&format!("output={output}")).run()?.succeeded()?;
            let stderr = run.stderr();
            ensure!(run.stdout() == OUTPUT, "{}", run.stdout());
            ensure!(said(&stderr).len() == 1 && stderr.lines().count() == 1 && stderr.contains(output), "{stderr}");
        }
        Ok(())
    })
}

#[test]
fn options_from_a_file() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("some.toml");
    let config = format!("config={}", file.display());
    std::fs::write(&file, "report_bugs = 0\nexclude = ['no.such.*', 'nor.this']")?;
    on_every_jdk(|jdk| {
        let launch = program(jdk)?;
        ensure!(launch.clone().checked(&config).run()?.racy().is_empty(), "the file was not read");
        let overridden = launch.clone().checked(&format!("{config},report_bugs=1")).run()?;
        ensure!(!overridden.racy().is_empty(), "the agent's own string comes later");
        ensure!(!launch.checked("config=").run()?.racy().is_empty(), "no file was named");
        Ok(())
    })
}

#[test]
fn bad_files_refuse_to_start() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("some.toml");
    on_every_jdk(|jdk| {
        for (text, sentence) in [
            (None, "cannot be read"),
            (Some("jdk = 1\nx ="), "line 2: string values must be quoted"),
            (Some("granularty = 'field'"), "unknown option `granularty` (did you mean `granularity`?)"),
        ] {
            if let Some(text) = text {
                std::fs::write(&file, text)?;
            }
            let run = program(jdk)?.checked(&format!("config={}", file.display())).run()?;
            let stderr = run.stderr();
            ensure!(!run.output.status.success(), "it started: {}", run.stdout());
            ensure!(said(&stderr).len() == 1 && stderr.contains(sentence) && stderr.contains("some.toml"), "{stderr}");
            let _ = std::fs::remove_file(&file);
        }
        Ok(())
    })
}

#[test]
fn options_from_the_environment() -> Result<()> {
    on_every_jdk(|jdk| {
        let run = program(jdk)?.checked("").env("JRACE_OPTIONS", "exclude=options.First").run()?.succeeded()?;
        ensure!(run.racy() == ["Second.racy"], "{:?}", run.racy());
        let stronger = program(jdk)?.checked("exclude=").env("JRACE_OPTIONS", "exclude=options.First").run()?;
        ensure!(stronger.racy() == ["First.racy", "Second.racy"], "{:?}", stronger.racy());
        let bad = program(jdk)?.checked("").env("JRACE_OPTIONS", "nonsense=1").run()?;
        ensure!(!bad.output.status.success() && bad.stderr().contains("JRACE_OPTIONS: "), "{}", bad.stderr());
        Ok(())
    })
}

#[test]
fn include_and_exclude() -> Result<()> {
    // Both the class that accesses a field and the one that declares it have to be included.
    reports("options", "options", "include=options.Main:options.First", &["First.racy"])?;
    reports("options", "options", "include=options.First", &[])?;
    reports("options", "options", "exclude=options.F*", &["Second.racy"])?;
    reports("options", "options", "include=options.*,exclude=*Second:*.First", &[])?;
    reports("options", "options", "include=other.*", &[])
}

/// Classes that the JDK makes for their lambdas are nobody's choice.
#[test]
fn classes_that_are_chosen_are_counted() -> Result<()> {
    on_every_jdk(|jdk| {
        for (options, expected) in [
            ("include=options.Main:options.First", 2),
            ("include=options.*", 3),
            ("include=other.*", 0),
            ("exclude=options.Main:options.First:options.Second:util.*", 0),
        ] {
            let run = program(jdk)?.checked(options).run()?.succeeded()?;
            let counted: Vec<_> = run.summaries().1.iter().map(|end| end.checked_classes).collect();
            ensure!(counted == [Some(expected)], "{options}: {counted:?}");
        }
        Ok(())
    })
}

#[test]
fn no_reports() -> Result<()> {
    reports("options", "options", "report_bugs=0", &[])?;
    reports("options", "options", "check=none", &[])
}

#[test]
fn halt_on_error() -> Result<()> {
    on_every_jdk(|jdk| {
        let run = program(jdk)?.checked("halt_on_error=1").run()?;
        ensure!(run.output.status.code() == Some(66), "{}", run.output.status);
        ensure!(run.findings().count() == 1 && run.racy() == ["First.racy"], "{:?}", run.racy());
        ensure!(run.stdout().is_empty(), "it went on: {}", run.stdout());
        let other = program(jdk)?.checked("halt_on_error=1,exitcode=7").run()?;
        ensure!(other.output.status.code() == Some(7), "{}", other.output.status);
        Ok(())
    })
}

#[test]
fn log_path() -> Result<()> {
    on_every_jdk(|jdk| {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("log");
        let run = program(jdk)?.checked(&format!("verbose=1,log_path={}", log.display())).run()?.succeeded()?;
        ensure!(run.stderr().is_empty(), "{}", run.stderr());
        let text = std::fs::read_to_string(&log)?;
        ensure!(said(&text).len() == 1 && text.contains("2 variables with races"), "{text}");
        let unwritable = program(jdk)?.checked("log_path=/proc/none/log").run()?.succeeded()?;
        ensure!(said(&unwritable.stderr()).len() == 1, "{}", unwritable.stderr());
        Ok(())
    })
}

#[test]
fn loaded_twice() -> Result<()> {
    on_every_jdk(|jdk| {
        let folder = tempfile::tempdir()?;
        let again = agent_argument("", folder.path());
        let run = program(jdk)?.checked("").jvm([again]).run()?.succeeded()?;
        ensure!(run.stdout() == OUTPUT && run.stderr().is_empty(), "{}{}", run.stdout(), run.stderr());
        compare(&run, "options", "options")
    })
}

/// The same exceptions and errors as without the agent, for class files cut short, of noise, and with one bit flipped.
#[test]
fn damaged_class_files() -> Result<()> {
    let classes = classes("options")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "damaged.Main").args([classes.join("damaged/Victim.class")]);
        let (without, with) = (launch.run()?, launch.checked("").run()?);
        let (without, with) = (without.stdout(), with.stdout());
        let differences: Vec<_> = without
            .lines()
            .zip(with.lines())
            .filter(|(a, b)| a != b)
            .map(|(a, b)| format!("{a}\n   but: {b}"))
            .collect();
        ensure!(without.lines().count() == with.lines().count(), "the JVM ended early:\n{with}");
        ensure!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
        Ok(())
    })
}

/// A damaged class file on the class path.
#[test]
fn damaged_class_path() -> Result<()> {
    let classes = classes("options")?;
    on_every_jdk(|jdk| {
        for length in [0, 3, 20, 200, 600] {
            let copy = tempfile::tempdir()?;
            let package = copy.path().join("options");
            std::fs::create_dir(&package)?;
            let bytes = std::fs::read(classes.join("options/First.class"))?;
            std::fs::write(package.join("First.class"), &bytes[..length.min(bytes.len() - 1)])?;
            let path = PathBuf::from(format!("{}:{}", copy.path().display(), classes.display()));
            let run = same_as_without(&Launch::main(jdk, &path, MAIN), "")?;
            ensure!(run.output.status.code() == Some(1), "{}", run.output.status);
        }
        Ok(())
    })
}

#[test]
fn check_jni() -> Result<()> {
    on_every_jdk(|jdk| {
        let run = program(jdk)?.jvm(["-Xcheck:jni"]).checked("").run()?.succeeded()?;
        let ours: Vec<String> = run.stdout().lines().filter(|line| !OUTPUT.contains(line)).map(str::to_owned).collect();
        ensure!(!run.stdout().contains("WARNING") && !run.stderr().contains("WARNING"), "{ours:?} {}", run.stderr());
        compare(&run, "options", "options")
    })
}

/// Collectors, compilers, and object layouts.
#[test]
fn switches_of_the_jvm() -> Result<()> {
    on_every_jdk(|jdk| {
        let mut switches = vec![
            vec!["-XX:+UseSerialGC"],
            vec!["-XX:+UseParallelGC"],
            vec!["-XX:+UseG1GC"],
            vec!["-XX:+UseZGC"],
            vec!["-XX:+UseShenandoahGC"],
            vec!["-Xint"],
            vec!["-Xcomp", "-XX:TieredStopAtLevel=1"],
            vec!["-XX:TieredStopAtLevel=1"],
            vec!["-XX:-UseCompressedOops"],
            vec!["-Xverify:all", "-XX:-BytecodeVerificationLocal"],
            vec!["-Xshare:off"],
            vec!["-esa", "-ea"],
        ];
        if jdk.feature >= 24 {
            switches.push(vec!["-XX:+UnlockExperimentalVMOptions", "-XX:+UseCompactObjectHeaders"]);
        }
        for switch in switches {
            let launch = program(jdk)?.jvm(&switch);
            let without = launch.run()?;
            if !without.output.status.success() {
                continue;
            }
            let run = launch.checked("").run()?.succeeded()?;
            ensure!(run.stderr() == without.stderr(), "{switch:?}: {}", run.stderr());
            compare(&run, "options", "options")?;
        }
        Ok(())
    })
}
