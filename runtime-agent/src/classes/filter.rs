//! Which classes are checked.

use facts::name;
use facts::options::{Atomicity, Options};
use facts::pattern::Pattern;

use crate::jdk::is_jdk;
use crate::loading::Loader;
use crate::telemetry::Telemetry;
use crate::tools;

/// Other agents: their probes are not the program's.
const AGENTS: &[&str] = &["org/jacoco/agent/", "net/bytebuddy/", "org/mockito/internal/creation/bytebuddy/"];

/// Decides which classes are checked.
pub struct Filter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    transactions: Vec<Pattern>,
    jdk: bool,
    /// Whether it is asked which methods are atomic.
    is_of_transactions: bool,
    telemetry: Telemetry,
}

impl Filter {
    /// The patterns of the options.
    pub fn new(options: &Options, telemetry: Telemetry) -> Self {
        let compile = |patterns: &[String]| patterns.iter().map(|pattern| Pattern::whole(pattern)).collect();
        let [include, exclude, transactions] =
            [&options.include, &options.exclude, &options.transactions].map(|patterns| compile(patterns));
        let is_of_transactions = options.atomicity != Atomicity::Off;
        Self { include, exclude, transactions, jdk: options.jdk, is_of_transactions, telemetry }
    }

    /// Whether a method (`package.Class.method`) is expected to be atomic.
    pub fn is_transaction(&self, method: &str) -> bool {
        self.transactions.iter().any(|pattern| pattern.matches(method))
    }

    /// Whether accesses in and to the class are checked. A class of the JDK that the application loader has (javac, for
    /// example) can be named in `include`.
    pub fn checks(&self, class: &str, loader: Loader) -> bool {
        let dotted = name::dotted(class);
        let included = self.include.iter().any(|pattern| pattern.matches(&dotted));
        let application = loader == Loader::Application && !is_jdk(class);
        let wanted = if self.include.is_empty() {
            // Those of build tools and loggers are not the user's unless `include` names them.
            let is_tool = tools::has(class) || self.is_of_transactions && tools::mocks(class);
            application && !is_tool && !self.telemetry.has(class) || self.may_touch(class)
        } else {
            included && (loader != Loader::Jdk || self.may_touch(class))
        };
        wanted && !starts_with(class, AGENTS) && !self.exclude.iter().any(|pattern| pattern.matches(&dotted))
    }

    /// Whether a class only watches the program: what it does for itself orders nothing.
    pub fn watches(&self, class: &str) -> bool {
        self.telemetry.has(class) && !self.checks(class, Loader::Application)
    }

    /// With `jdk=1`, library code is checked too, save what the agent's own hooks run through.
    fn may_touch(&self, class: &str) -> bool {
        self.jdk && !starts_with(class, &["java/lang/", "java/util/concurrent/", "jdk/internal/", "sun/"])
    }

    /// Whether a class is another agent's.
    pub fn is_of_agent(class: &str) -> bool {
        starts_with(class, AGENTS)
    }

    /// Whether an access through a reference to this class can reach a checked field.
    pub fn may_shadow(&self, class: &str) -> bool {
        self.jdk || !starts_with(class, &["java/", "jdk/", "sun/"])
    }
}

/// Whether a class is of one of these packages.
fn starts_with(class: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| class.starts_with(prefix))
}
