//! Build tools and libraries for mocks: tools share JVMs with the tests that they run, or have some of their own.

/// Packages of libraries for mocks, without what they make of the user's classes.
const MOCKS: &[&str] = &["org/mockito/", "org/easymock/", "org/jmock/", "org/powermock/", "org/objenesis/"];

/// Packages of build tools.
const PACKAGES: &[&str] = &[
    "org/apache/maven/",
    "org/codehaus/plexus/",
    "org/eclipse/aether/",
    "org/eclipse/sisu/",
    "org/fusesource/jansi/",
    "org/gradle/",
    "sbt/",
    "xsbt/",
    "xsbti/",
    "lmcoursier/",
];

/// What build tools' own JVMs begin with: Maven, Gradle with its daemon and its client, and sbt, by its class or its jar.
const MAINS: &[&str] =
    &["org.codehaus.plexus.classworlds.launcher.Launcher", "org.gradle.", "xsbt.boot.Boot", "sbt-launch"];

/// What those JVMs of theirs begin with in which no test ever runs: the server of Bazel, by its jar.
const SERVERS: &[&str] = &["A-server.jar"];

/// Whether a class is a build tool's, by its internal name: its races are not the user's.
pub fn has(class: &str) -> bool {
    PACKAGES.iter().any(|package| class.starts_with(package))
}

/// Whether a class makes mocks or keeps what was done with them. It counts calls, so that no method with two of them would be atomic.
pub fn mocks(class: &str) -> bool {
    MOCKS.iter().any(|package| class.starts_with(package))
}

/// Whether a JVM is a build tool's own, by its main class or jar and arguments (`sun.java.command`). Tests may run in it.
pub fn begins(command: &str) -> bool {
    begins_with(MAINS, command)
}

/// Whether no test ever runs in a JVM.
pub fn runs_no_test(command: &str) -> bool {
    begins_with(SERVERS, command)
}

fn begins_with(mains: &[&str], command: &str) -> bool {
    let main = command.split(' ').next().unwrap_or_default();
    let main = main.rsplit('/').next().unwrap_or(main);
    mains.iter().any(|tool| main.starts_with(tool))
}

#[cfg(test)]
mod tests {
    use super::{begins, mocks, runs_no_test};

    #[test]
    fn mocks_are_the_users_though_what_makes_them_is_not() {
        assert!(mocks("org/mockito/internal/invocation/InterceptedInvocation") && mocks("org/objenesis/ObjenesisBase"));
        assert!(!mocks("bank/Account$MockitoMock$123") && !mocks("org/mockitoes/Account"));
    }

    #[test]
    fn sbt_begins_with_its_class_or_its_jar() {
        let theirs = [
            "xsbt.boot.Boot test",
            "/opt/sbt/bin/sbt-launch.jar test",
            "sbt-launch-1.10.7.jar",
            "org.gradle.launcher.GradleMain",
        ];
        assert!(theirs.iter().all(|command| begins(command)));
        // In a JVM of their own, tests run by sbt.ForkMain.
        assert!(!["sbt.ForkMain 34567", "bank.Main /opt/sbt-launch.jar", ""].iter().any(|command| begins(command)));
    }
    #[test]
    fn no_test_runs_in_the_server_of_bazel() {
        assert!(runs_no_test("/root/.cache/bazel/install/A-server.jar --max_idle_secs=10800"));
        assert!(!["bank.Main A-server.jar", "/opt/sbt/bin/sbt-launch.jar"].iter().any(|command| runs_no_test(command)));
    }
}
