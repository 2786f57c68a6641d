//! Build tools, TestNG and libraries for mocks: tools share JVMs with the tests that they run, or have some of their own.

/// Packages of libraries for mocks, without what they make of the user's classes.
const MOCKS: &[&str] = &["org/mockito/", "org/easymock/", "org/jmock/", "org/powermock/", "org/objenesis/"];

/// Packages of build tools, and of a test framework that races with itself where it runs the lines of a data provider in parallel.
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
    "org/testng/",
];

/// What Maven's own JVM begins with.
const MAVEN: &str = "org.codehaus.plexus.classworlds.launcher.Launcher";

/// What those of Gradle, its daemon and its client begin with.
const GRADLE: &str = "org.gradle.";

/// What build tools' own JVMs begin with: of sbt, its class or its jar.
const MAINS: &[&str] = &[MAVEN, GRADLE, "xsbt.boot.Boot", "sbt-launch"];

/// What loads Maven's launcher and the compiler of the JDK, what the classes of Maven, of its plugins and of what they use, copies of some of
/// them, and what reflection makes to call them.
const OF_MAVEN: &[&str] = &[
    "Ljdk/internal/loader/ClassLoaders$AppClassLoader;",
    "Lorg/codehaus/plexus/classworlds/realm/ClassRealm;",
    "Lorg/eclipse/sisu/space/CloningClassSpace$CloningClassLoader;",
    "Ljdk/internal/reflect/DelegatingClassLoader;",
];

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

/// Which classes in a build tool's own JVM are none of the user's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Own {
    /// All: what it builds and tests runs in other JVMs.
    All,
    /// Those that loaders of these classes load, by their descriptors: tests that run in the JVM have loaders of their own.
    LoadedBy(&'static [&'static str]),
}

/// What is the build tool's own in the JVM of a command; none where its classes cannot be told from those of tests.
pub fn own(command: &str) -> Option<Own> {
    let kinds = [(MAVEN, Own::LoadedBy(OF_MAVEN)), (GRADLE, Own::All)];
    kinds.into_iter().find(|(main, _)| begins_with(&[main], command)).map(|(_, own)| own)
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
    use super::{OF_MAVEN, Own, begins, mocks, own, runs_no_test};

    #[test]
    fn a_framework_that_races_with_itself_is_not_the_users() {
        assert!(super::has("org/testng/internal/BaseTestMethod") && !super::has("org/testngx/Test"));
    }

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
    fn only_builds_of_maven_and_gradle_have_loaders_that_tell() {
        assert_eq!(own("org.codehaus.plexus.classworlds.launcher.Launcher -q test"), Some(Own::LoadedBy(OF_MAVEN)));
        assert_eq!(own("org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.5"), Some(Own::All));
        let others = [
            "/b/target/surefire/surefirebooter123.jar /b/target/surefire",
            "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Test Executor 1'",
            "xsbt.boot.Boot test",
            "",
        ];
        assert!(others.iter().all(|command| own(command).is_none()));
    }

    #[test]
    fn no_test_runs_in_the_server_of_bazel() {
        assert!(runs_no_test("/root/.cache/bazel/install/A-server.jar --max_idle_secs=10800"));
        assert!(!["bank.Main A-server.jar", "/opt/sbt/bin/sbt-launch.jar"].iter().any(|command| runs_no_test(command)));
    }
}
