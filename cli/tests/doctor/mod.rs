//! What `jrace doctor` says of machines that lack something, with a shell script in the place of `java`.

use super::{Bench, Ended};

/// A JDK of a version whose `java` does this.
fn jdk(bench: &Bench, version: &str, java: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(bench.path().join("home/bin")).unwrap();
    bench.write("home/release", &format!("JAVA_VERSION=\"{version}\"\n"));
    bench.write("home/bin/java", &format!("#!/bin/sh\n{java}\n"));
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bench.path().join("home/bin/java"), executable).unwrap();
}

fn doctor(bench: &Bench, variable: (&str, &str)) -> Ended {
    let mut command = bench.command(&["doctor"]);
    command.env("JAVA_HOME", bench.path().join("home")).env("PATH", "/usr/bin:/bin").env(variable.0, variable.1);
    Ended::of(command.output().unwrap())
}

/// The lines that say what fails, without that word.
fn failing(ended: &Ended) -> Vec<&str> {
    ended.out.lines().filter_map(|line| line.strip_prefix("FAILS ")).collect()
}

/// Writes a findings file as the fake JVM does.
fn healthy(bench: &Bench) -> String {
    format!("sh '{}/jvm' none 1", bench.path().display())
}

#[test]
fn a_machine_that_works_is_said_to() {
    let bench = Bench::new();
    jdk(&bench, "17.0.9", &healthy(&bench));
    let ended = doctor(&bench, ("JAVA_TOOL_OPTIONS", "-javaagent:/a/jacoco.jar=secret -Xmx1g"));
    assert_eq!((ended.code, ended.err.as_str(), failing(&ended)), (Some(0), "", Vec::new()), "{ended:?}");
    assert!(ended.out.starts_with("works JDK      17.0.9 in `"), "{ended:?}");
    let note = "note  options  `-javaagent:/a/jacoco.jar` in JAVA_TOOL_OPTIONS is another agent: ";
    assert!(ended.out.contains(note) && !ended.out.contains("secret"), "{ended:?}");
    assert!(ended.out.ends_with("\nSUMMARY: jrace doctor: JVMs can be checked here, exit 0\n"), "{ended:?}");
    assert!(!bench.path().join(".jrace").exists());
}

#[test]
fn what_fails_is_said_with_the_remedy() {
    let bench = Bench::new();
    let none = ("JRACE_OPTIONS", "");
    jdk(&bench, "1.8.0_392", &healthy(&bench));
    let ended = doctor(&bench, none);
    let failing_lines = failing(&ended);
    assert!(failing_lines[0].ends_with(" is too old: set JAVA_HOME to a JDK 17 or later"), "{ended:?}");
    assert_eq!((ended.code, failing_lines.len()), (Some(2), 1), "{ended:?}");

    jdk(&bench, "17", "echo 'no such symbol'; exit 1");
    let ended = doctor(&bench, none);
    assert!(failing(&ended)[0].contains("does not start and says `no such symbol`: name another agent"), "{ended:?}");
    assert!(ended.out.ends_with(": 1 thing is to be mended before JVMs can be checked, exit 2\n"), "{ended:?}");

    jdk(&bench, "17", "echo fine");
    assert!(failing(&doctor(&bench, none))[0].contains("left no findings and said `fine`"));

    jdk(&bench, "17", &healthy(&bench));
    let ended = doctor(&bench, ("JAVA_TOOL_OPTIONS", "-agentpath:/x/libjrace.so=output=y"));
    let lines = failing(&ended);
    let twice = "options  `-agentpath:/x/libjrace.so` in JAVA_TOOL_OPTIONS loads jrace already, which a JVM cannot do twice: unset it";
    assert_eq!((lines[0], lines.len()), (twice, 2), "{ended:?}");

    let ended = doctor(&bench, ("JRACE_AGENT", "/no/agent.so"));
    assert!(failing(&ended)[0].starts_with("agent    there is no agent at `/no/agent.so`: name the file"), "{ended:?}");
    let ended = doctor(&bench, ("JRACE_OPTIONS", "output=jvm"));
    let folder =
        "folder   findings cannot be written to `jvm`: run jrace elsewhere, or choose another folder with --output: ";
    assert!(failing(&ended)[0].starts_with(folder), "{ended:?}");
}
