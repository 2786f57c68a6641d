//! What need not be checked: the focus set, as long as the program is the one that was typed.
//!
//! A proof covers the classes that were typed and no others. When a class comes that differs from the typed one, or an unknown
//! one that knows typed classes, all proofs are void: this is said once, and every class is checked in full from then on.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use facts::focus::{ClassFocus, FocusSet, Focused, hash};
use facts::hook::Events;
use facts::name::dotted;
use facts::options::{Atomicity, Options};
use jvmti_bindings::sys::jni::jclass;

use crate::agent::Agent;
use crate::classes::{Loader, Loading};
use crate::jvmti::Class;
use crate::log;

/// What the JVMs of build tools begin with: Maven, and Gradle with its daemon and its client.
const BUILD_TOOLS: &[&str] = &["org.codehaus.plexus.classworlds.launcher.Launcher", "org.gradle."];

/// The focus set, and where class files are copied to.
#[derive(Default)]
pub struct Focus {
    set: Option<FocusSet>,
    void: AtomicBool,
    runs_tests: OneThread,
    copies: Option<PathBuf>,
}

/// The first thread that asks, by a number that no other thread ever has; 0 before.
#[derive(Default)]
struct OneThread(AtomicU64);

impl OneThread {
    /// Whether the current thread is that one.
    fn is_this(&self) -> bool {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        thread_local!(static OWN: u64 = NEXT.fetch_add(1, Relaxed));
        let own = OWN.with(|own| *own);
        self.0.compare_exchange(0, own, Relaxed, Relaxed).map_or_else(|first| first == own, |_| true)
    }
}

impl Focus {
    /// Reads what the options name. Without a set that can be read, everything is checked.
    pub fn new(options: &Options, events: Events, vm: &str, command: &str) -> Self {
        // A build tool's own JVM runs none of the program, and has other versions of its libraries.
        let is_build_tool = BUILD_TOOLS.iter().any(|main| command.starts_with(main));
        let options = if is_build_tool { &Options::default() } else { options };
        let copies = options.classes.clone();
        // A trace has every event, unless it is there for transactions only and the focus set is about these.
        let foresees = options.atomicity != Atomicity::Off || options.deadlocks;
        let wanted = options.focus_set.as_ref().filter(|_| !events.contains(Events::ORDER) || foresees);
        Self { set: wanted.and_then(|path| read(path, vm)), copies, ..Self::default() }
    }

    /// Whether the set presumes owners, also when its proofs are void.
    pub fn presumes_owners(&self) -> bool {
        self.set.as_ref().is_some_and(FocusSet::presumes_owners)
    }

    /// What was proved about a class that is about to be checked.
    pub fn of(&self, agent: &Agent, class: Loading<'_>) -> Option<&ClassFocus> {
        let set = self.set.as_ref().filter(|_| !self.void.load(Relaxed) && !is_of_lambda(class.name))?;
        match set.of(class.name, class.bytes) {
            Focused::Typed(focus) => return Some(focus),
            Focused::Changed => self.give_up(agent, set, class.name, "has changed since it was typed"),
            Focused::Unknown if knows_typed(set, class) => {
                self.give_up(agent, set, class.name, "uses typed classes but was not typed with them");
            }
            Focused::Unknown if set.lacks(class.name) => {
                self.give_up(agent, set, class.name, "is used by typed classes but was not there");
            }
            Focused::Unknown => {}
        }
        None
    }

    /// Copies a class file of the application for `jrace check`: what is checked to `checked`, the rest to `library`.
    ///
    /// What the JVM shows when a class is redefined or woven again is not what the next run will load.
    pub fn copy(&self, class: Loading<'_>, checked: bool) {
        let is_first = class.redefined.is_none();
        let wanted = is_first && class.loader == Loader::Application && !is_of_lambda(class.name);
        let Some(folder) = self.copies.as_ref().filter(|_| wanted) else { return };
        let name = if checked {
            format!("checked/{}.{:016x}", class.name, hash(class.bytes))
        } else {
            format!("library/{}", class.name)
        };
        if let Err(error) = write(&folder.join(name + ".class"), class.bytes) {
            log::once(&format!("class files cannot be copied to {}: {error}", folder.display()));
        }
    }

    /// A method runs that the proofs know no call of or do not see all calls of, or that they know one thread to run.
    pub fn guarded(&self, agent: &Agent, site: u32) {
        let Some((set, site)) = self.set.as_ref().zip(agent.sites.site(site)) else { return };
        let place = &site.place;
        let (method, descriptor) = (&*place.method, &*place.descriptor);
        let class = set.get(&place.class);
        let is_one = class.is_some_and(|class| class.is_run_by_one(method, descriptor));
        let is_hiding = class.is_some_and(|class| class.is_hiding(method, descriptor));
        let name = dotted(&format!("{}.{method}", place.class));
        let (file, noted, reason) = match (is_hiding, is_one) {
            (true, _) => {
                ("unforeseen", "ran, which may call what cannot be seen", "runs, which may call what cannot be seen")
            }
            (false, true) if self.runs_tests.is_this() => return,
            (false, true) => ("parallel", "", "runs in a second thread, though tests seemed to run in one"),
            (false, false) => {
                ("unforeseen", "ran, though no call of it was found", "runs, though no call of it was found")
            }
        };
        if let Some(folder) = &self.copies {
            note(&folder.join(file), &format!("{name} {noted}"));
        }
        self.give_up(agent, set, &name, reason);
    }

    fn give_up(&self, agent: &Agent, set: &FocusSet, class: &str, reason: &str) {
        if !self.void.swap(true, Relaxed) {
            log::say(&format!(
                "{} {reason}, so everything is checked: run `jrace check --focus-set` again",
                dotted(class)
            ));
            let is_focused = |class: &Class| agent.vm.internal_name(*class).is_some_and(|name| set.has(&name));
            let focused: Vec<_> =
                agent.vm.loaded_classes().into_iter().filter(is_focused).map(|class| class.0).collect();
            weave_again(agent, &focused);
        }
    }
}

/// All together, or one by one where one of them cannot be.
fn weave_again(agent: &Agent, classes: &[jclass]) {
    if agent.vm.retransform(classes).is_ok() {
        return;
    }
    let failed = classes.iter().filter(|class| agent.vm.retransform(&[**class]).is_err()).count();
    if failed > 0 {
        log::say(&format!("{failed} classes could not be woven again, so races in them may be missed"));
    }
}

fn read(path: &Path, vm: &str) -> Option<FocusSet> {
    let read = File::open(path).and_then(|file| FocusSet::read(BufReader::new(file)));
    let complain =
        |reason: &str| log::say(&format!("everything is checked, as the focus set {} {reason}", path.display()));
    let set = read.map_err(|error| complain(&format!("cannot be read: {error}"))).ok()?;
    if !set.holds_in(vm) {
        let jdk = set.basis.jdk.as_deref().unwrap_or_default();
        complain(&format!("was made with JDK {jdk}: set JAVA_HOME to the JDK that runs the program"));
        return None;
    }
    Some(set)
}

/// What the JDK makes for a lambda, under names that differ from run to run, calls its body, which was typed as something that
/// anybody may call.
fn is_of_lambda(class: &str) -> bool {
    class.contains("$$Lambda")
}

fn knows_typed(set: &FocusSet, class: Loading<'_>) -> bool {
    let names = instrumenter::class_names(class.bytes);
    // What cannot be read is not woven either.
    names.is_ok_and(|names| names.iter().any(|name| set.has(name)))
}

/// Leaves word for the next analysis.
fn note(path: &Path, name: &str) {
    #[allow(clippy::disallowed_methods, reason = "the agent's own output, like the sink's")]
    if let Err(error) = fs::write(path, name) {
        log::once(&format!("{} cannot be written: {error}", path.display()));
    }
}

/// In one step, as several JVMs may copy the same class.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = path.with_extension(format!("{}.part", std::process::id()));
    #[allow(clippy::disallowed_methods, reason = "the agent's own output, like the sink's")]
    fs::write(&part, bytes)?;
    fs::rename(part, path)
}
