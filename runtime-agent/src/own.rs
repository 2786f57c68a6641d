//! What is the program's own, and not a library's: with `tasks=1`, what libraries keep for themselves orders no two requests.
//!
//! Classes in directories are the user's own. Where there are none, as in a service that is one jar, what is in a package of a well-known
//! library is not.

use std::path::{Path, PathBuf};
use std::sync::Arc;

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

fn is_own(directories: &[PathBuf], class: &str) -> bool {
    let outer = class.split('$').next().unwrap_or(class);
    if is_jdk(outer) {
        return false;
    }
    if directories.is_empty() {
        return !LIBRARIES.iter().any(|package| outer.starts_with(package));
    }
    directories.iter().any(|directory| directory.join(format!("{outer}.class")).is_file())
}

/// Knows which classes are the program's own.
pub struct Own {
    vm: Arc<Vm>,
    /// Where its classes are; none if that is not known.
    directories: Vec<PathBuf>,
}

impl Own {
    /// In a JVM with this class path, in this working directory.
    pub fn new(vm: Arc<Vm>, class_path: &str, working: &Path) -> Self {
        let named = class_path.split(':').filter(|path| !path.is_empty()).chain(BUILT.iter().copied());
        let directories = named.map(|path| working.join(path)).filter(|path| path.is_dir()).collect();
        Self { vm, directories }
    }

    /// Whether a class is, by its internal name; of one that is nested or generated, the outer class or the original counts.
    pub fn has(&self, class: &str) -> bool {
        is_own(&self.directories, class)
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
    use super::{LIBRARIES, is_own};

    #[test]
    fn classes_in_directories_are_the_users_own() {
        let project = tempfile::tempdir().unwrap();
        let directories = [project.path().to_owned()];
        std::fs::create_dir_all(project.path().join("app")).unwrap();
        std::fs::File::create(project.path().join("app/Main.class")).unwrap();
        for (class, expected) in [
            ("app/Main", true),
            ("app/Main$Inner", true),
            ("app/Main$$SpringCGLIB$$0", true),
            ("app/Other", false),
            ("org/springframework/Main", false),
        ] {
            assert_eq!(is_own(&directories, class), expected, "{class}");
        }
    }

    #[test]
    fn without_directories_well_known_libraries_are_not() {
        assert!(is_own(&[], "app/Main") && is_own(&[], "com/acme/Main") && !is_own(&[], "java/lang/Object"));
        assert!(LIBRARIES.iter().all(|package| !is_own(&[], &format!("{package}Main"))));
    }
}
