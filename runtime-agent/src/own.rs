//! What is the program's own, and not a library's: with `tasks=1`, what libraries keep for themselves orders no two requests.
//!
//! Classes in directories are the user's own. Where these are not all, as in a service that is one jar, so is what is in no package of a
//! well-known library.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::jdk::is_jdk;
use crate::jvmti::Vm;
use crate::telemetry::BUILT;

/// Who calls the JDK is not far: how many frames are looked at.
const DEPTH: u16 = 24;

/// Packages of what web applications have besides their own code.
const LIBRARIES: &[&str] = &[
    "ch/qos/",
    "com/fasterxml/",
    "com/github/benmanes/",
    "com/google/",
    "com/mysql/",
    "com/zaxxer/",
    "groovy/",
    "io/grpc/",
    "io/lettuce/",
    "io/micrometer/",
    "io/micronaut/",
    "io/netty/",
    "io/opentelemetry/",
    "io/quarkus/",
    "io/smallrye/",
    "io/undertow/",
    "io/vertx/",
    "jakarta/",
    "javax/",
    "kotlin/",
    "net/bytebuddy/",
    "org/apache/",
    "org/aspectj/",
    "org/eclipse/",
    "org/glassfish/",
    "org/h2/",
    "org/hibernate/",
    "org/hsqldb/",
    "org/jboss/",
    "org/mariadb/",
    "org/mockito/",
    "org/postgresql/",
    "org/slf4j/",
    "org/springframework/",
    "org/wildfly/",
    "org/xnio/",
    "reactor/",
    "scala/",
];

/// Where a program has its classes.
struct Places {
    /// Directories of the class path, and those of builds.
    directories: Vec<PathBuf>,
    /// Whether all of its own classes are there: a build has made them, or the main class is one. Directories may have configuration only.
    has_all: bool,
}

impl Places {
    /// Of a JVM that was started by this command, in this working directory.
    fn of(class_path: &str, command: &str, working: &Path) -> Self {
        let existing = |path: &str| Some(working.join(path)).filter(|path| path.is_dir());
        let built: Vec<PathBuf> = BUILT.iter().filter_map(|path| existing(path)).collect();
        let named: Vec<PathBuf> = class_path.split(':').filter_map(existing).collect();
        let main = command.split(' ').next().unwrap_or_default().replace('.', "/");
        let has_all = !built.is_empty() || has_class(&named, &main);
        Self { directories: [built, named].concat(), has_all }
    }

    fn has(&self, class: &str) -> bool {
        let outer = class.split('$').next().unwrap_or(class);
        let is_library = || self.has_all || LIBRARIES.iter().any(|package| outer.starts_with(package));
        !is_jdk(outer) && (has_class(&self.directories, outer) || !is_library())
    }
}

fn has_class(directories: &[PathBuf], class: &str) -> bool {
    directories.iter().any(|directory| directory.join(format!("{class}.class")).is_file())
}

/// Knows which classes are the program's own.
pub struct Own {
    vm: Arc<Vm>,
    /// Looked for when somebody asks.
    places: OnceLock<Places>,
}

impl Own {
    /// Nothing was asked.
    pub fn new(vm: Arc<Vm>) -> Self {
        Self { vm, places: OnceLock::new() }
    }

    /// Whether a class is, by its internal name; of one that is nested or generated, the outer class or the original counts.
    pub fn has(&self, class: &str) -> bool {
        let property = |name| self.vm.property(name);
        let places = || Places::of(&property("java.class.path"), &property("sun.java.command"), Path::new(""));
        self.places.get_or_init(places).has(class)
    }

    /// Whether the innermost method on the current stack that is not the JDK's is of one. So it is where there is none.
    pub fn has_called(&self) -> bool {
        self.callers().find(|class| !is_jdk(class)).is_none_or(|class| self.has(&class))
    }

    /// Whether the JDK has called the `ThreadLocal` that is on top of the current stack.
    pub fn is_local_of_jdk(&self) -> bool {
        let is_between =
            |class: &String| ["java/lang/Jrace", "java/lang/ThreadLocal"].iter().any(|one| class.starts_with(one));
        self.callers().find(|class| !is_between(class)).is_some_and(|class| is_jdk(&class))
    }

    /// The classes on the current stack, innermost first.
    fn callers(&self) -> impl Iterator<Item = String> {
        let class_of = |method| self.vm.internal_name(self.vm.class_of_method(method)?);
        self.vm.frames(DEPTH).into_iter().filter_map(move |frame| class_of(frame.method))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, create_dir_all};
    use std::path::Path;

    use super::{LIBRARIES, Places};

    #[test]
    fn classes_in_directories_are_the_users_own() {
        let project = tempfile::tempdir().unwrap();
        create_dir_all(project.path().join("out/app")).unwrap();
        File::create(project.path().join("out/app/Main.class")).unwrap();
        let ran = Places::of("out:a.jar", "app.Main x", project.path());
        let started = Places::of("out:a.jar", "runner.Main app.Main", project.path());
        create_dir_all(project.path().join("target/test-classes")).unwrap();
        let built = Places::of("out:a.jar", "runner.Main app.Main", project.path());
        for (class, of_main, of_other, of_build) in [
            ("app/Main", true, true, true),
            ("app/Main$$SpringCGLIB$$0", true, true, true),
            ("com/acme/Library", false, true, false),
            ("org/springframework/Main", false, false, false),
            ("java/lang/Object", false, false, false),
        ] {
            assert_eq!(
                [ran.has(class), started.has(class), built.has(class)],
                [of_main, of_other, of_build],
                "{class}"
            );
        }
    }

    #[test]
    fn in_a_jar_all_but_well_known_libraries_are() {
        for class_path in ["a.jar", "conf:a.jar"] {
            let project = tempfile::tempdir().unwrap();
            create_dir_all(project.path().join("conf")).unwrap();
            let places = Places::of(class_path, "a.jar", project.path());
            assert!(places.has("app/Main") && !places.has("java/lang/Object"));
            assert!(LIBRARIES.iter().all(|package| !places.has(&format!("{package}Main"))));
        }
        assert!(Places::of("", "", Path::new("/nowhere")).has("app/Main"));
    }
}
