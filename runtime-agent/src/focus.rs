//! What need not be checked: the focus set, as long as the program is the one that was typed.
//!
//! A proof covers the classes that were typed and no others. When a class comes that differs from the typed one, or an unknown
//! one that knows typed classes, all proofs are void: this is said once, and every class is checked in full from then on. But one that
//! differs from a typed class in its names only, as a program makes it in each run, is known by its form (`generated`).
//!
//! A class may be on its way into the JVM then, woven by the proofs and not among the loaded classes yet: while a loader looks for
//! its superclass, for instance. None of its code has run, as the JVM prepares a class first, and then such a class is woven again.
//!
//! Threads may then hold idle locks, of which no hook has told, and take more as long as they run methods that began before. So each
//! thread asks the JVM which monitors it owns wherever its locks matter, until it has left all such methods.

mod generated;
mod reflected;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use facts::focus::{ClassFocus, FocusSet, Focused, Guard, Member, ReflectedMember};
use facts::hook::Events;
use facts::name::dotted;
use facts::options::{Atomicity, Options};
use jvmti_bindings::sys::jni::jobject;
use jvmti_bindings::sys::jvmti::jvmtiError;
use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use self::generated::Generated;
use self::reflected::Reflected;
use crate::copies::Copies;
use crate::jdk::{is_jdk, is_made_by_jdk};
use crate::jvmti::{Class, Env, Method, Vm};
use crate::loading::{Loader, Loading};
use crate::log;
use crate::mode::Mode;
use crate::sites::Sites;
use crate::tools;

/// The proofs hold.
const HOLD: u32 = 0;
/// They are void, but classes may be left that were woven by them.
const VOID: u32 = 1;
/// They are void, and every class is woven in full.
const WOVEN_AGAIN: u32 = 2;

/// The focus set, and where class files are copied to.
pub struct Focus {
    vm: Arc<Vm>,
    sites: Arc<Sites>,
    set: Option<FocusSet>,
    /// Whether types have a part in it: then classes of which they say nothing are libraries.
    is_typed: bool,
    /// [`HOLD`], [`VOID`] or [`WOVEN_AGAIN`].
    state: AtomicU32,
    /// The classes that are woven by the proofs, or are about to be; [`VOID`] is stored under the same lock.
    woven: Mutex<FxHashSet<String>>,
    reflected: Reflected,
    generated: Generated,
    runs_tests: OneThread,
    copies: Option<Copies>,
    monitor_looks: AtomicU64,
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
    pub fn new(mode: &Mode, vm: Arc<Vm>, sites: Arc<Sites>) -> Self {
        // A build tool's own JVM runs none of the program, and has other versions of its libraries.
        let is_build_tool = tools::begins(&vm.property("sun.java.command"));
        let options = if is_build_tool { &Options::default() } else { &mode.options };
        // A trace has every event, unless it is there for transactions only and the focus set is about these.
        let foresees = options.atomicity != Atomicity::Off || options.deadlocks;
        let learnt = options.focus_set.as_ref().filter(|_| !foresees).map(|set| set.with_file_name("classes"));
        let copies = options.classes.clone().map(|folder| Copies::to(folder, learnt));
        let wanted = options.focus_set.as_ref().filter(|_| !mode.events.contains(Events::ORDER) || foresees);
        let set = wanted.and_then(|path| read(path, &vm.property("java.vm.version")));
        Self {
            is_typed: set.as_ref().is_some_and(|set| set.classes().any(|class| class.open.is_some())),
            set,
            copies,
            vm,
            sites,
            state: AtomicU32::new(HOLD),
            woven: Mutex::default(),
            reflected: Reflected::default(),
            generated: Generated::default(),
            runs_tests: OneThread::default(),
            monitor_looks: AtomicU64::new(0),
        }
    }

    /// Whether the set presumes owners, also when its proofs are void.
    pub fn presumes_owners(&self) -> bool {
        self.set.as_ref().is_some_and(FocusSet::presumes_owners)
    }

    /// What was proved about a class that is about to be woven, or to be checked.
    pub fn of(&self, class: Loading<'_>, checked: bool) -> Option<Cow<'_, ClassFocus>> {
        let set = self.set.as_ref().filter(|_| self.state.load(Relaxed) == HOLD && !is_made_by_jdk(class.name))?;
        let found = set.of(class.name, class.bytes);
        // The search took it that nothing in libraries is checked.
        if let Focused::Typed(focus) = &found
            && checked
            && self.is_typed
            && focus.open.is_none()
        {
            self.give_up(class.name, "is checked, though the proofs took it for a library");
            return None;
        }
        if let Focused::Typed(focus) = &found
            && focus.family.is_none()
        {
            return self.notes(class.name).then(|| self.reflected.without_reflected(focus));
        }
        if let Some(focus) = self.generated.of(set, class) {
            return self.notes(class.name).then(|| Cow::Owned(self.reflected.without_reflected(&focus).into_owned()));
        }
        match found {
            Focused::Typed(_) => self.give_up(class.name, "is of more copies than are told apart"),
            // What mocks and agents make of a class in this run, no run learns.
            Focused::Changed if class.redefined.is_some() => {
                self.give_up_for_good(class.name, "was changed as the program ran")
            }
            Focused::Changed => self.give_up(class.name, "has changed since it was typed"),
            Focused::Unknown if self.knows_typed(set, class) => {
                self.give_up(class.name, "uses typed classes but was not typed with them");
            }
            Focused::Unknown if set.lacks(class.name) => {
                self.give_up(class.name, "is used by typed classes but was not there");
            }
            // The search took it that nothing in the JDK is checked.
            Focused::Unknown if checked && is_jdk(class.name) && set.has_idle_code() => {
                self.give_up(class.name, "is checked, though it is the JDK's");
            }
            Focused::Unknown => {}
        }
        None
    }

    fn knows_typed(&self, set: &FocusSet, class: Loading<'_>) -> bool {
        let names = instrumenter::class_names(class.bytes);
        let is_typed = |name: &Cow<'_, str>| set.has(name) || self.generated.has(name);
        // What cannot be read is not woven either.
        names.is_ok_and(|names| names.iter().any(is_typed))
    }

    /// What is proved of a class, by the name that it has here.
    fn known(&self, class: &str) -> Option<Cow<'_, ClassFocus>> {
        let generated = self.generated.get(class).map(|focus| Cow::Owned(ClassFocus::clone(&focus)));
        generated.or_else(|| self.set.as_ref()?.get(class).map(Cow::Borrowed))
    }

    /// Notes a class that is to be woven by the proofs, if they still hold.
    fn notes(&self, class: &str) -> bool {
        let mut woven = self.woven.lock();
        let holds = self.state.load(Relaxed) == HOLD;
        if holds && !woven.contains(class) {
            woven.insert(class.to_owned());
        }
        holds
    }

    /// A class is prepared after the proofs have become void: none of its code has run.
    pub fn prepared(&self, class: Class) {
        let Some(name) = self.vm.internal_name(class) else { return };
        let holds = self.state.load(Relaxed) == HOLD;
        let is_meant = if holds { self.reflected.is_pending(&name) } else { self.woven.lock().contains(&name) };
        if is_meant && !self.weave_again(&[class]) && !holds {
            self.state.store(VOID, Relaxed);
        }
    }

    /// Where it stands how far the proofs hold, if they leave out locks.
    pub fn state(&self) -> Option<&AtomicU32> {
        self.set.as_ref().filter(|set| set.has_idle_locks()).map(|_| &self.state)
    }

    /// The monitors that the current thread owns, of which some may not have been reported: an error if that is not known, and
    /// none if no hook is missing in what the thread runs.
    pub fn unreported(&self, env: Env) -> Option<Result<Vec<jobject>, jvmtiError>> {
        self.monitor_looks.fetch_add(1, Relaxed);
        let is_woven_again = self.state.load(Relaxed) == WOVEN_AGAIN;
        let runs_idle_locks = || env.in_local_frame(|| self.runs_idle_locks());
        (!is_woven_again || runs_idle_locks()).then(|| self.vm.owned_monitors())
    }

    /// How often a thread was asked which monitors it owns, as not all may have been reported.
    pub fn n_monitor_looks(&self) -> u64 {
        self.monitor_looks.load(Relaxed)
    }

    /// Whether the current thread is in a method that began when the proofs held, and may take a lock of which no hook tells.
    fn runs_idle_locks(&self) -> bool {
        let may_take = |method: Method| self.takes_idle_locks(method).unwrap_or(true);
        self.vm.obsolete_methods().is_none_or(|methods| methods.into_iter().any(may_take))
    }

    fn takes_idle_locks(&self, method: Method) -> Option<bool> {
        let class = self.vm.internal_name(self.vm.class_of_method(method)?)?;
        let (name, descriptor) = self.vm.name_of(method)?;
        Some(self.known(&class).is_some_and(|class| class.method(&name, &descriptor).has_idle_locks()))
    }

    /// Copies a class file of the application for `jrace check`.
    ///
    /// What the JVM shows when a class is redefined or woven again is not what the next run will load.
    pub fn copy(&self, class: Loading<'_>, checked: bool) {
        let is_first = class.redefined.is_none();
        let is_wanted = is_first && class.loader == Loader::Application && !is_made_by_jdk(class.name);
        if let Some(copies) = self.copies.as_ref().filter(|_| is_wanted) {
            copies.copy(class, checked);
        }
    }

    /// A method runs that the proofs know no call of or do not see all calls of, or that they know one thread to run.
    pub fn guarded(&self, site: u32) {
        let Some(site) = self.sites.site(site) else { return };
        let place = &site.place;
        let name = dotted(&format!("{}.{}", place.class, place.method));
        let known = self.known(&place.class);
        let (file, noted, reason) = match known.and_then(|class| class.method(&place.method, &place.descriptor).guard) {
            Some(Guard::RunByOne) if self.runs_tests.is_this() => return,
            Some(Guard::RunByOne) => ("parallel", "", "runs in a second thread, though tests seemed to run in one"),
            Some(Guard::Hiding) => {
                ("unforeseen", "ran, which may call what cannot be seen", "runs, which may call what cannot be seen")
            }
            Some(Guard::Unreached) | None => {
                ("unforeseen", "ran, though no call of it was found", "runs, though no call of it was found")
            }
        };
        if let Some(copies) = &self.copies {
            note(&copies.folder.join(file), &format!("{name} {noted}"));
        }
        self.give_up(&name, reason);
    }

    /// A member is accessed by reflection or a handle. What is proved of a field is void if the proofs do not know of that; of calls and
    /// objects, everything is.
    pub fn reflected(&self, reflected: &ReflectedMember, is_final: bool) {
        if is_jdk(&reflected.class) && !reflected.is_release() || !self.reflected.is_new(reflected) {
            return;
        }
        let member = reflected.member(is_final);
        let known = self.known(&reflected.class);
        let is_counted_on = match reflected.is_release() {
            true => self.set.as_ref().is_some_and(|set| set.counts_on(reflected, member)),
            false => known.as_ref().is_some_and(|class| class.counts_on(reflected, member)),
        };
        let is_typed = known.is_some() || reflected.is_release() && self.set.is_some();
        if let Some(copies) = self.copies.as_ref().filter(|_| !is_typed || is_counted_on) {
            reflected::append(&copies.folder.join(ReflectedMember::NOTES), &self.generated.known(reflected));
        }
        if !is_counted_on || self.state.load(Relaxed) != HOLD {
            return;
        }
        let name = dotted(&format!("{}.{}", reflected.class, reflected.name));
        match member {
            Member::Field { is_final: false } if self.set.as_ref().is_some_and(FocusSet::is_by_fields) => {
                self.check_field(&name, reflected);
            }
            Member::Field { .. } => self.give_up(&name, "is accessed by reflection, which its proof does not know"),
            Member::Method => self.give_up(&name, "is called by reflection, which the proofs do not know"),
            Member::Object => {
                let name = dotted(&reflected.class);
                self.give_up(&name, "is instantiated by reflection, which the proofs do not know");
            }
        }
    }

    /// Some member is accessed by reflection or a handle, and it could not be found out which one.
    pub fn reflected_some(&self) {
        if self.set.is_some() {
            self.give_up(
                "a member",
                "is accessed by reflection, and memory or stack ran out before it was known which one",
            );
        }
    }

    /// A field is not proved any more: the classes that name it are woven again.
    fn check_field(&self, name: &str, reflected: &ReflectedMember) {
        if self.reflected.is_first_field() {
            log::say(&format!(
                "{name} is accessed by reflection, which its proof does not know, so it is checked from now on, and so are other such \
                 fields: {}",
                self.remedy()
            ));
        }
        let names_it = |class: &str| {
            let is_it = |(_, name, descriptor): &(String, String, String)| {
                *name == reflected.name && *descriptor == reflected.descriptor
            };
            self.known(class).is_some_and(|class| class.fields.iter().any(is_it))
        };
        let follows = self.vm.follow_preparations().is_ok();
        let woven = {
            let woven = self.woven.lock();
            self.reflected.add(reflected, woven.iter().filter(|class| names_it(class)).cloned());
            woven.clone()
        };
        let is_meant = |class: &Class| {
            let name = self.vm.internal_name(*class).filter(|name| woven.contains(name) && names_it(name));
            name.is_some() && self.vm.is_prepared(*class)
        };
        let meant: Vec<_> = self.vm.loaded_classes().into_iter().filter(is_meant).collect();
        if !self.weave_again(&meant) || !follows {
            log::once("races on fields that reflection accesses may be missed");
        }
    }

    fn remedy(&self) -> &'static str {
        match self.copies {
            Some(_) => "the next run with --focus learns from it",
            None => "run `jrace check --focus-set` again",
        }
    }

    /// Voids the proofs, and says which classes may be woven by them; none if they are void already.
    fn void(&self) -> Option<FxHashSet<String>> {
        let woven = self.woven.lock();
        self.state.compare_exchange(HOLD, VOID, Relaxed, Relaxed).ok()?;
        Some(woven.clone())
    }

    fn give_up(&self, class: &str, reason: &str) {
        self.check_everything(&|| format!("{} {reason}, so everything is checked: {}", dotted(class), self.remedy()));
    }

    fn give_up_for_good(&self, class: &str, reason: &str) {
        self.check_everything(&|| {
            format!(
                "{} {reason}, as by inline mocks, so everything is checked from now on, and in each such run",
                dotted(class)
            )
        });
    }

    fn check_everything(&self, why: &dyn Fn() -> String) {
        let Some(woven) = self.void() else { return };
        log::say(&why());
        // Before the loaded classes are asked for: what is not among them, or not linked, is prepared later. To weave a class again
        // links it, which can fail and may load others, where the program itself never would.
        let follows = self.vm.follow_preparations().is_ok();
        let is_focused = |class: &Class| {
            self.vm.is_prepared(*class) && self.vm.internal_name(*class).is_some_and(|name| woven.contains(&name))
        };
        let focused: Vec<_> = self.vm.loaded_classes().into_iter().filter(is_focused).collect();
        if self.weave_again(&focused) && follows {
            self.state.store(WOVEN_AGAIN, Relaxed);
        }
    }

    /// Says whether all were.
    fn weave_again(&self, classes: &[Class]) -> bool {
        let failed = self.vm.retransform_each(classes);
        match failed {
            0 => {}
            1 => log::say("1 class could not be woven again, so races in it may be missed"),
            _ => log::say(&format!("{failed} classes could not be woven again, so races in them may be missed")),
        }
        failed == 0
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

/// Leaves word for the next analysis.
fn note(path: &Path, name: &str) {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    #[allow(clippy::disallowed_methods, reason = "the agent's own output, like the sink's")]
    if let Err(error) = made.and_then(|()| fs::write(path, name)) {
        log::once(&format!("{} cannot be written: {error}", path.display()));
    }
}
