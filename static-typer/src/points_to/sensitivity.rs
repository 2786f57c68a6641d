//! Context sensitivity: which code is told apart by the objects it is called on, and by how many allocation sites.

use crate::program::{MethodId, Program};

use super::core::code::Contexts;
use super::library::{copies, thread_locals};

/// Which code is told apart by the objects it is called on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sensitivity {
    /// None.
    None,
    /// All, by that many allocation sites.
    Object(usize),
    /// That of the application and of threads, and that of the JDK's containers on those that the application makes.
    Hybrid(usize),
}

impl std::fmt::Display for Sensitivity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => write!(formatter, "no contexts"),
            Self::Object(k) => write!(formatter, "{k}-object contexts"),
            Self::Hybrid(k) => write!(formatter, "hybrid {k}-object contexts"),
        }
    }
}

/// Containers: what they hold would be one for all of them.
const CONTAINERS: &[&str] = &["java/util/"];
/// What of these holds nothing, or is one for all anyway.
const NO_CONTAINERS: &[&str] = &[
    "java/util/concurrent/locks/",
    "java/util/concurrent/atomic/",
    "java/util/concurrent/ForkJoin",
    "java/util/concurrent/ThreadPoolExecutor",
    "java/util/stream/",
    "java/util/regex/",
    "java/util/zip/",
    "java/util/jar/",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/spi/",
    "java/util/Locale",
    "java/util/ResourceBundle",
    "java/util/Formatter",
    "java/util/Calendar",
    "java/util/Properties",
    "java/util/Scanner",
    "java/util/ServiceLoader",
];

impl Sensitivity {
    /// How many makers an object keeps that code makes. The parts of a container know which container they are of.
    pub(super) fn depth(&self, contexts: Contexts) -> usize {
        match (self, contexts) {
            (Self::None, _) | (_, Contexts::None) => 0,
            (Self::Hybrid(k), Contexts::OfApplication | Contexts::Threads) => k.saturating_sub(1).max(1),
            (Self::Object(k) | Self::Hybrid(k), _) => k.saturating_sub(1),
        }
    }

    pub(in crate::points_to) fn contexts(&self, program: &Program, method: MethodId) -> Contexts {
        let class = program.class(program.method(method).class);
        let name = program.names().text(class.name);
        let is_in = |list: &[&str]| list.iter().any(|prefix| name.starts_with(prefix));
        match self {
            Self::None => Contexts::None,
            Self::Object(_) => Contexts::All,
            Self::Hybrid(_) if class.is_application || is_apart(program, method) => Contexts::All,
            Self::Hybrid(_) if matches!(&*name, "java/lang/Thread" | "java/lang/Thread$FieldHolder") => {
                Contexts::Threads
            }
            Self::Hybrid(_) if is_in(CONTAINERS) && !is_in(NO_CONTAINERS) => Contexts::OfApplication,
            Self::Hybrid(_) => Contexts::None,
        }
    }
}

/// Whether a method of the JDK returns what depends on its receiver only, and is called on everything.
fn is_apart(program: &Program, method: MethodId) -> bool {
    copies::is_made_by(program, method) || thread_locals::is_of(program, method)
}
