//! Whether the JDK synchronizes for itself: what it does so orders threads, but promises that to nobody.
//!
//! A thread that formats a number finds in a cache what another one has put there; one that logs takes the next number of a record. Such
//! order comes by chance, and as hand-over it would hide races. What the JDK promises stands in the models (`facts::models`); what its
//! atomic variables and collections do besides counts only where the program calls them.
//!
//! **False alarms**: what a program passes from thread to thread by code of the JDK that no model knows and that is on the list here.

use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::classes::Filter;
use crate::jdk::is_jdk;
use crate::jvmti::{Method, Vm};

/// Who calls the JDK's synchronizers is not far: how many frames are looked at, and how many first, as each takes its time.
const DEPTHS: [u16; 2] = [2, 8];

/// Code of the JDK that synchronizes for itself.
const FOR_ITSELF: &[&str] = &[
    "com/sun/beans/",
    "com/sun/crypto/",
    "com/sun/jmx/",
    "com/sun/org/apache/",
    "java/io/",
    "java/lang/",
    "java/lang/invoke/LambdaFormEditor",
    "java/math/",
    "java/net/",
    "java/nio/",
    "java/security/",
    "java/sql/",
    "java/text/",
    "java/time/",
    "java/util/Calendar",
    "java/util/Currency",
    "java/util/Formatter",
    "java/util/GregorianCalendar",
    "java/util/Locale",
    "java/util/Random",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/SplittableRandom",
    "java/util/TimeZone",
    "java/util/Timer",
    "java/util/UUID",
    "java/util/concurrent/ThreadPerTaskExecutor",
    "java/util/jar/",
    "java/util/logging/",
    "java/util/random/",
    "java/util/regex/",
    "java/util/spi/",
    "java/util/zip/",
    "javax/crypto/",
    "javax/management/",
    "javax/net/",
    "javax/security/",
    "javax/xml/",
    "jdk/internal/",
    "jdk/internal/net/http/HttpClientBuilderImpl",
    "jdk/internal/net/http/HttpClientImpl",
    "jdk/internal/vm/SharedThreadContainer",
    "jdk/internal/vm/ThreadContainers",
    "jdk/xml/",
    "sun/invoke/",
    "sun/management/",
    "sun/net/",
    "sun/nio/cs/",
    "sun/nio/fs/",
    "sun/security/",
    "sun/text/",
    "sun/util/",
];

/// Code through which the program calls others, or hands something over: who calls it counts. Of two prefixes, the longer one says more.
const FOR_OTHERS: &[&str] = &[
    "java/lang/BaseVirtualThread",
    "java/lang/Class.",
    "java/lang/Jrace",
    "java/lang/Thread.",
    "java/lang/VirtualThread",
    "java/lang/invoke/BoundMethodHandle",
    "java/lang/invoke/DelegatingMethodHandle",
    "java/lang/invoke/DirectMethodHandle",
    "java/lang/invoke/Invokers",
    "java/lang/invoke/LambdaForm",
    "java/lang/invoke/MethodHandle.",
    "java/lang/invoke/VarHandle",
    "java/lang/reflect/Array.",
    "java/lang/reflect/Constructor.",
    "java/lang/reflect/Field.",
    "java/lang/reflect/Method.",
    "java/net/http/",
    "java/nio/channels/",
    "java/util/concurrent/atomic/",
    "jdk/internal/net/http/",
    "jdk/internal/reflect/",
    "jdk/internal/vm/",
];

/// What both have in common: who sets a property may mean any reader.
const OF_ALL: &[&str] = &["java/util/Properties."];

const SYNCHRONIZERS: &[&str] = &["java/util/concurrent/"];

/// What something is made known through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// An atomic variable: one that a synchronizer of the JDK has is that one's own.
    Atomic,
    /// A collection: one may be made of another.
    Collection,
}

/// For whom a method runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caller {
    Program,
    ForItself,
    Synchronizer,
    ForOthers,
}

/// The callers that were met, by method.
pub struct Internal {
    vm: Arc<Vm>,
    filter: Arc<Filter>,
    callers: Mutex<FxHashMap<Method, Caller>>,
}

impl Internal {
    /// None were met.
    pub fn new(vm: Arc<Vm>, filter: Arc<Filter>) -> Self {
        Self { vm, filter, callers: Mutex::default() }
    }

    /// Whether the innermost method on the current stack that counts is the JDK's.
    pub fn is_caller(&self, of: Of) -> bool {
        let counts = |caller: &Caller| match caller {
            Caller::Program | Caller::ForItself => true,
            Caller::Synchronizer => of == Of::Atomic,
            Caller::ForOthers => false,
        };
        let first = |depth| self.vm.frames(depth).iter().map(|frame| self.of(frame.method)).find(counts);
        DEPTHS.into_iter().find_map(first).is_some_and(|caller| caller != Caller::Program)
    }

    fn of(&self, method: Method) -> Caller {
        if let Some(caller) = self.callers.lock().get(&method) {
            return *caller;
        }
        let class = self.vm.class_of_method(method).and_then(|class| self.vm.internal_name(class));
        let of = |class: String| if self.filter.watches(&class) { Caller::ForItself } else { caller(&class) };
        let caller = class.map_or(Caller::ForOthers, of);
        *self.callers.lock().entry(method).or_insert(caller)
    }
}

fn caller(class: &str) -> Caller {
    // A dot ends a name.
    let name = format!("{class}.");
    let lists = [
        (FOR_ITSELF, Caller::ForItself),
        (FOR_OTHERS, Caller::ForOthers),
        (OF_ALL, Caller::Program),
        (SYNCHRONIZERS, Caller::Synchronizer),
    ];
    let longest = |prefixes: &[&str]| {
        prefixes.iter().filter(|prefix| name.starts_with(**prefix)).map(|prefix| prefix.len()).max()
    };
    let known = lists.into_iter().filter_map(|(prefixes, caller)| Some((longest(prefixes)?, caller)));
    match known.max_by_key(|(length, _)| *length) {
        Some((_, caller)) => caller,
        None if is_jdk(class) => Caller::ForOthers,
        None => Caller::Program,
    }
}

#[cfg(test)]
mod tests {
    use super::{Caller, caller};

    #[test]
    fn who_calls_for_whom() {
        for (class, expected) in [
            ("app/Main", Caller::Program),
            ("java/lang/ThreadLocal", Caller::ForItself),
            ("java/lang/invoke/InnerClassLambdaMetafactory", Caller::ForItself),
            ("java/lang/invoke/LambdaForm$Name", Caller::ForOthers),
            ("java/lang/invoke/LambdaFormEditor", Caller::ForItself),
            ("java/nio/Bits", Caller::ForItself),
            ("java/util/Locale$Cache", Caller::ForItself),
            ("java/util/concurrent/LinkedBlockingQueue", Caller::Synchronizer),
            ("java/util/concurrent/ThreadPerTaskExecutor$ThreadBoundFuture", Caller::ForItself),
            ("jdk/internal/vm/Continuation", Caller::ForOthers),
            ("jdk/internal/vm/ThreadContainers$RootContainer$TrackingRootContainer", Caller::ForItself),
            ("java/util/concurrent/atomic/AtomicInteger", Caller::ForOthers),
            ("java/lang/JraceHooks", Caller::ForOthers),
            ("java/lang/Thread", Caller::ForOthers),
            ("java/util/Properties", Caller::Program),
            ("java/lang/reflect/Constructor", Caller::ForOthers),
            ("java/lang/reflect/Proxy", Caller::ForItself),
            ("java/net/http/HttpClient", Caller::ForOthers),
            ("jdk/internal/net/http/Stream", Caller::ForOthers),
            ("jdk/internal/net/http/HttpClientImpl", Caller::ForItself),
            ("javax/crypto/JceSecurity", Caller::ForItself),
            ("javax/servlet/http/HttpServlet", Caller::Program),
            ("java/util/HashMap", Caller::ForOthers),
            ("java/util/Collections$SynchronizedMap", Caller::ForOthers),
        ] {
            assert!(caller(class) == expected, "{class}");
        }
    }
}
