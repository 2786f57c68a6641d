//! The reflection log: what the program reaches by reflection, noted as it does so.
//!
//! Breakpoints stop where methods of the JDK begin that reflection goes through, whichever code calls them and however; woven calls
//! would miss those by method references and in classes that are not woven. What is called is noted before it runs, so that a
//! call that never returns is noted too; a class that is looked for, when it was found. The place is that of the innermost frame
//! that is not the machinery's; where the JDK uses reflection for itself, nothing is noted.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use facts::options::Options;
use facts::reflection_log::{Caller, Entry, FORMAT, Header, Kind, Member, ReflectionLog, Target, line};
use jvmti_bindings::sys::jni::{jfieldID, jint, jobject};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::jdk::is_jdk;
use crate::jvmti::{Class, Env, Frame, Method, Vm};
use crate::loading::{Loader, Loaders};
use crate::log;

/// What is passed to a method, and how it names what is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    /// The name of a class, in this slot.
    Name(jint),
    /// A class: its constructor without parameters.
    Class,
    /// A method or a constructor.
    Method,
    /// A field.
    Field,
}

/// Classes, names and the beginnings of descriptors of methods. `Field.get` and `set` have variants for each primitive type.
const REACHING: &[(&str, &str, &str, Kind, Subject)] = &[
    ("java/lang/Class", "forName", "(Ljava/lang/String;)", Kind::Class, Subject::Name(0)),
    ("java/lang/Class", "forName", "(Ljava/lang/String;Z", Kind::Class, Subject::Name(0)),
    ("java/lang/ClassLoader", "loadClass", "(Ljava/lang/String;)", Kind::Class, Subject::Name(1)),
    ("java/lang/Class", "newInstance", "()", Kind::Make, Subject::Class),
    ("java/lang/reflect/Constructor", "newInstance", "(", Kind::Make, Subject::Method),
    ("java/lang/reflect/Method", "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)", Kind::Call, Subject::Method),
    ("java/lang/reflect/Field", "get*", "(Ljava/lang/Object;)", Kind::Get, Subject::Field),
    ("java/lang/reflect/Field", "set*", "(Ljava/lang/Object;", Kind::Set, Subject::Field),
];

/// Frames between a reflective method and who calls it. Others of `java.lang.invoke` make classes for themselves.
const MACHINERY: &[&str] = &[
    "java/lang/reflect/",
    "jdk/internal/reflect/",
    "java/lang/invoke/LambdaForm",
    "java/lang/invoke/Invokers$Holder",
    "java/lang/invoke/DirectMethodHandle$Holder",
    "java/lang/invoke/DelegatingMethodHandle$Holder",
];
/// Classes of such frames.
const MACHINES: &[&str] = &["java/lang/Class", "java/lang/ClassLoader"];
const DEBUGGER: &[u8] = b"jdwp";
const PROXY: &str = "java/lang/reflect/Proxy";
/// How many such frames there may be.
const DEPTH: u16 = 24;

/// What one JVM notes.
pub struct Reflection {
    vm: Arc<Vm>,
    loaders: Arc<Loaders>,
    noted: Mutex<Noted>,
    members: OnceLock<Members>,
}

/// The file, and what it has.
struct Noted {
    file: File,
    entries: FxHashSet<Entry>,
}

/// Methods with breakpoints, and the fields that tell where members are declared.
struct Members {
    reaching: FxHashMap<Method, (Kind, Subject)>,
    class_of_field: Option<usize>,
}

impl Reflection {
    /// Opens the log, if the options ask for one. If it is no good, that is said, and nothing is noted; nor is it of a build tool's plugins.
    pub fn of(options: &Options, vm: &Arc<Vm>, loaders: &Arc<Loaders>) -> Option<Self> {
        let path = options.record_reflection.as_deref().filter(|_| !loaders.are_of_tool())?;
        match open(path) {
            Ok(noted) => {
                let (vm, loaders) = (Arc::clone(vm), Arc::clone(loaders));
                Some(Self { vm, loaders, noted: Mutex::new(noted), members: OnceLock::new() })
            }
            Err(error) => {
                log::say(&format!("reflection is not noted in {}: {error}", path.display()));
                None
            }
        }
    }

    /// Asks the JVM for breakpoints, while it is loading. A debugger that comes later and finds them taken ends the JVM.
    pub fn follow(&self) {
        if expects_debugger() {
            log::say("reflection is not noted: the debugger takes the breakpoints of this JVM");
        } else if let Err(error) = self.vm.follow_breakpoints() {
            log::say(&format!("reflection is not noted: the JVM has no breakpoints for it ({error:?})"));
        }
    }

    /// Sets breakpoints, once the JVM runs.
    pub fn prepare(&self, env: Env) {
        let mut reaching = FxHashMap::default();
        for (class, name, descriptor, kind, subject) in REACHING {
            let Some(class) = env.find_class(class) else { continue };
            let methods = self.vm.methods_of(class).into_iter();
            for method in methods.filter(|method| self.is_called(*method, name, descriptor)) {
                if self.vm.break_at(method).is_ok() {
                    reaching.insert(method, (*kind, *subject));
                }
            }
        }
        let class_of_field = env
            .find_class("java/lang/reflect/Field")
            .and_then(|class| env.field(class, "clazz", "Ljava/lang/Class;"))
            .map(|field| field as usize);
        // Breakpoints that stop before this is set find nothing to note: no code of the program runs yet.
        let _ = self.members.set(Members { reaching, class_of_field });
    }

    /// A method with a breakpoint begins.
    pub fn begins(&self, env: Env, method: Method) {
        let Some((members, kind, subject)) = self.known(method) else { return };
        let Some(caller) = self.caller(env, subject) else { return };
        if kind == Kind::Class {
            // Whether there is such a class, the end will tell.
            if let Err(error) = self.vm.await_end() {
                log::once(&format!("classes that are found by name are not all noted ({error:?})"));
            }
        } else if let Some(target) = self.target(env, members, subject) {
            self.note(Entry { caller, kind, target });
        }
    }

    /// A method that finds classes has returned.
    pub fn ends(&self, env: Env, method: Method) {
        let Some((members, kind, subject)) = self.known(method) else { return };
        let Some(caller) = self.caller(env, subject) else { return };
        if let Some(target) = self.target(env, members, subject) {
            self.note(Entry { caller, kind, target });
        }
    }

    fn is_called(&self, method: Method, wanted: &str, begins: &str) -> bool {
        self.vm.name_of(method).is_some_and(|(name, descriptor)| {
            let is_named = wanted.strip_suffix('*').map_or(name == wanted, |prefix| name.starts_with(prefix));
            is_named && descriptor.starts_with(begins) && self.vm.is_public(method)
        })
    }

    fn known(&self, method: Method) -> Option<(&Members, Kind, Subject)> {
        let members = self.members.get()?;
        let (kind, subject) = members.reaching.get(&method)?;
        Some((members, *kind, *subject))
    }

    /// The program's place that the current stack has called the innermost method from.
    fn caller(&self, env: Env, subject: Subject) -> Option<Caller> {
        let frames = self.vm.frames(DEPTH);
        let mut frames = frames.iter().skip(1);
        let (frame, class, name) = frames.find_map(|frame| self.outside(frame))?;
        let is_of_jdk = is_jdk(&name) || self.loaders.kind(env, self.vm.loader(class)) == Loader::Jdk;
        // The JVM itself loads classes through their loaders, at any instruction that names one.
        if is_of_jdk || self.is_proxy(env, class) || (subject == Subject::Name(1) && !self.vm.is_at_call(frame)) {
            return None;
        }
        let place = self.vm.place(frame)?;
        Some(Caller { class: place.class, method: place.method, descriptor: place.descriptor, line: place.line })
    }

    /// Whether the JDK has made a class up, which no program has.
    fn is_proxy(&self, env: Env, class: Class) -> bool {
        env.superclass(class).and_then(|above| self.vm.internal_name(above)).is_some_and(|name| name == PROXY)
    }

    /// A frame with its class and the name of it, unless it is the machinery's.
    fn outside<'a>(&self, frame: &'a Frame) -> Option<(&'a Frame, Class, String)> {
        let class = self.vm.class_of_method(frame.method)?;
        let name = self.vm.internal_name(class)?;
        let is_machinery = MACHINES.contains(&&*name) || MACHINERY.iter().any(|package| name.starts_with(package));
        (!is_machinery).then_some((frame, class, name))
    }

    /// What the innermost method of the current stack reaches.
    fn target(&self, env: Env, members: &Members, subject: Subject) -> Option<Target> {
        match subject {
            Subject::Name(slot) => named(&env.text(self.vm.argument(slot)?)),
            Subject::Class => {
                let class = self.vm.internal_name(Class(self.vm.argument(0)?))?;
                Some(Target { class, member: Some(Member { name: "<init>".to_owned(), descriptor: "()V".to_owned() }) })
            }
            Subject::Method => self.method(env, env.reflected_method(self.vm.argument(0)?)),
            Subject::Field => self.field(env, self.vm.argument(0)?, members.class_of_field?),
        }
    }

    fn method(&self, env: Env, method: Method) -> Option<Target> {
        let (name, descriptor) = self.vm.name_of(method)?;
        let class = self.vm.class_of_method(method).filter(|class| !self.is_proxy(env, *class))?;
        let class = self.vm.internal_name(class)?;
        Some(Target { class, member: Some(Member { name, descriptor }) })
    }

    fn field(&self, env: Env, object: jobject, class_of_field: usize) -> Option<Target> {
        let class = Class(env.object(object, class_of_field as jfieldID)?);
        let (name, descriptor) = self.vm.field_name(class, env.reflected_field(object))?;
        Some(Target { class: self.vm.internal_name(class)?, member: Some(Member { name, descriptor }) })
    }

    fn note(&self, entry: Entry) {
        let mut noted = self.noted.lock();
        if noted.entries.contains(&entry) {
            return;
        }
        if let Err(error) = line(&entry).and_then(|line| noted.file.write_all(&line)) {
            log::once(&format!("reflection can no longer be noted: {error}"));
        }
        noted.entries.insert(entry);
    }
}

/// Whether a debugger is named in what the JVM was started with.
fn expects_debugger() -> bool {
    let mut given = Vec::new();
    // What cannot be read names none.
    let _ = File::open("/proc/self/cmdline").and_then(|mut file| file.read_to_end(&mut given));
    for name in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
        given.extend(std::env::var_os(name).unwrap_or_default().as_encoded_bytes());
    }
    given.windows(DEBUGGER.len()).any(|part| part == DEBUGGER)
}

/// Opens a log to append to it. What it has already is not written again.
fn open(path: &Path) -> io::Result<Noted> {
    let file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    let log = ReflectionLog::read(BufReader::new(&file)).map_err(io::Error::other)?;
    if let Some(line) = log.damaged {
        return Err(io::Error::other(format!("line {line} is damaged, and what follows it would not be read")));
    }
    if file.metadata()?.len() == 0 {
        (&file).write_all(&line(&Header { reflection_log: FORMAT })?)?;
    }
    Ok(Noted { file, entries: log.entries.into_iter().collect() })
}

/// A class by the name that reflection has for it; arrays have no members.
fn named(name: &str) -> Option<Target> {
    let is_class = !name.is_empty() && !name.starts_with('[');
    is_class.then(|| Target { class: name.replace('.', "/"), member: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_no_classes_with_members() {
        assert_eq!(named("[La.B;"), None);
        assert_eq!(named("a.B$C").unwrap().class, "a/B$C");
    }
}
