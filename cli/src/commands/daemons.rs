//! Daemons of builds: one that ran before the command does not see its agent, and one that the command starts would keep it when the run has
//! ended, and slow down the builds that follow.
//!
//! Gradle is told to do without one where the command names it, or may start it and the working directory has a build of it. Where a command asks for the
//! daemon all the same and none was started, what the daemon did was not checked: nothing else tells that from a build that races nowhere.
//! Clients of other builds (mvnd, Bazel, sbtn) are no JVMs, so that a run with their daemons has checked none, which fails already.

use std::path::Path;

use crate::output::say;
use crate::report::merge::Merged;

/// The variable from which Gradle takes options.
pub const VARIABLE: &str = "GRADLE_OPTS";

const OPTION: &str = "org.gradle.daemon=";
const OFF: &str = "-Dorg.gradle.daemon=false";

/// What starts Gradle.
const PROGRAMS: [&str; 3] = ["gradle", "gradlew", "gw"];

/// What starts no Gradle, though a build of it may lie there, too.
const OTHERS: [&str; 4] = ["java", "mvn", "mvnd", "mvnw"];

/// What a build of it has.
const FILES: [&str; 4] = ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"];

/// The main classes of the program that hands builds to a daemon.
const CLIENTS: [&str; 2] = ["org.gradle.launcher.GradleMain", "org.gradle.wrapper.GradleWrapperMain"];

/// That of a daemon.
const DAEMON: &str = "org.gradle.launcher.daemon.bootstrap.GradleDaemon";

/// What [`VARIABLE`] must be so that Gradle does without a daemon, which is said; none where it is not used, or where somebody has decided.
pub fn gradle_options(command: &[String], directory: &Path) -> Option<String> {
    let present = std::env::var(VARIABLE).unwrap_or_default();
    let options = without_daemon(command, directory, &present)?;
    let gradle = if names_gradle(command) { "Gradle" } else { "Gradle, if the command starts it," };
    say(&format!("{gradle} does without its daemon ({VARIABLE}), which would not load the agent"));
    Some(options)
}

fn names_gradle(command: &[String]) -> bool {
    command.iter().any(|word| is_one_of(word, &PROGRAMS))
}

fn is_one_of(word: &str, programs: &[&str]) -> bool {
    Path::new(word).file_name().is_some_and(|name| programs.iter().any(|of| name == *of))
}

fn without_daemon(command: &[String], directory: &Path, present: &str) -> Option<String> {
    let is_decided = present.contains(OPTION)
        || command.iter().any(|word| word.contains(OPTION) || ["--daemon", "--no-daemon"].contains(&word.as_str()));
    let is_other = command.first().is_some_and(|program| is_one_of(program, &OTHERS));
    let has_build = || FILES.iter().any(|file| directory.join(file).is_file());
    let is_used = names_gradle(command) || !is_other && has_build();
    (is_used && !is_decided).then(|| [present.trim(), OFF].join(" ").trim_start().to_owned())
}

/// What a daemon of before may have done in a run, and nobody has checked.
pub fn unchecked(merged: &Merged) -> Merged {
    let commands: Vec<&str> = merged.jvms.values().map(|facts| facts.jvm.command.as_str()).collect();
    let asks = |command: &&str| command.split(' ').any(|word| word == "--daemon");
    let is_client = |command: &&str| CLIENTS.iter().any(|class| command.starts_with(class));
    let is_handed_over = commands.iter().any(|command| is_client(command) && asks(command));
    if !is_handed_over || commands.iter().any(|command| command.starts_with(DAEMON)) {
        return Merged::default();
    }
    Merged::of_unread(
        "a Gradle daemon that was running before did the work, and was not checked: leave out --daemon".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::file;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    /// `mvn test` where there is a build of Gradle, too.
    #[test]
    fn only_a_command_that_names_gradle_is_said_to_use_it() {
        assert!(names_gradle(&words("sh ./gradlew test")));
        assert!(!names_gradle(&words("mvn -f build.gradle.d/pom.xml test")));
    }

    #[test]
    fn gradle_does_without_a_daemon_unless_somebody_has_decided() {
        let (empty, build) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(build.path().join("build.gradle.kts"), "").unwrap();
        let of = |line, folder: &tempfile::TempDir, present| without_daemon(&words(line), folder.path(), present);
        assert_eq!(of("./gradlew test", &empty, "").as_deref(), Some(OFF));
        assert_eq!(of("sh -c make", &build, " -Xmx1g").as_deref(), Some("-Xmx1g -Dorg.gradle.daemon=false"));
        assert_eq!(of("/opt/maven/bin/mvn test", &build, ""), None, "a build of Maven, too");
        for (line, present) in [
            ("mvn test", ""),
            ("gradle --no-daemon test", ""),
            ("gradle --daemon test", ""),
            ("gradle -Dorg.gradle.daemon=true test", ""),
            ("gradle test", "-Dorg.gradle.daemon=true"),
        ] {
            assert_eq!(of(line, &empty, present), None, "{line}");
        }
    }

    #[test]
    fn a_build_that_was_handed_to_a_daemon_of_before_is_not_complete() {
        let of = |commands: &[&str]| {
            commands.iter().zip(1..).fold(Merged::default(), |all, (command, pid)| {
                let mut one = file(pid, Vec::new());
                one.jvms.values_mut().for_each(|facts| facts.jvm.command = (*command).to_owned());
                all.union(one)
            })
        };
        let (client, worker) = ("org.gradle.launcher.GradleMain --daemon test", "worker.org.gradle.Worker");
        let daemon = "org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.5";
        for (commands, is_complete) in [
            (&[client][..], false),
            (&[client, "java -version"], false),
            (&[client, daemon, worker], true),
            (&["org.gradle.launcher.GradleMain test", worker], true),
            (&["bank.Main --daemon"], true),
        ] {
            assert_eq!(unchecked(&of(commands)).unread.is_empty(), is_complete, "{commands:?}");
        }
    }
}
