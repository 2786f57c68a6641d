//! The reflection log: what the program reaches by reflection, noted as it does so.
//!
//! Breakpoints stop where methods of the JDK begin that reflection goes through, whichever code calls them and however; woven calls
//! would miss those by method references and in classes that are not woven. What is called is noted before it runs, so that a
//! call that never returns is noted too; a class that is looked for, when it was found. The place is that of the innermost frame
//! that is not the machinery's; where the JDK uses reflection for itself, nothing is noted.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::OnceLock;

use facts::options::Options;
use facts::reflection_log::{Caller, Entry, FORMAT, Header, Kind, Member, ReflectionLog, Target, line};
use jvmti_bindings::sys::jni::{jfieldID, jint, jobject};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::agent::Agent;
use crate::classes::Loader;
use crate::events::kind_of_loader;
use crate::jdk::is_jdk;
use crate::jvmti::{Class, Env, Frame, Method};
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
    /// Opens the log, if the options ask for one. If it is no good, that is said, and nothing is noted.
    pub fn of(options: &Options) -> Option<Self> {
        let path = options.record_reflection.as_deref()?;
        match open(path) {
            Ok(noted) => Some(Self { noted: Mutex::new(noted), members: OnceLock::new() }),
            Err(error) => {
                log::say(&format!("reflection is not noted in {}: {error}", path.display()));
                None
            }
        }
    }

    /// Sets breakpoints, once the JVM runs.
    pub fn prepare(&self, agent: &Agent, env: Env) {
        let mut reaching = FxHashMap::default();
        for (class, name, descriptor, kind, subject) in REACHING {
            let Some(class) = env.find_class(class) else { continue };
            let methods = agent.vm.methods_of(class).into_iter();
            for method in methods.filter(|method| is_called(agent, *method, name, descriptor)) {
                if agent.vm.break_at(method).is_ok() {
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
    pub fn begins(&self, agent: &Agent, env: Env, method: Method) {
        let Some((members, kind, subject)) = self.known(method) else { return };
        let Some(caller) = caller(agent, env, subject) else { return };
        if kind == Kind::Class {
            // Whether there is such a class, the end will tell.
            if let Err(error) = agent.vm.await_end() {
                log::once(&format!("classes that are found by name are not all noted ({error:?})"));
            }
        } else if let Some(target) = target(agent, env, members, subject) {
            self.note(Entry { caller, kind, target });
        }
    }

    /// A method that finds classes has returned.
    pub fn ends(&self, agent: &Agent, env: Env, method: Method) {
        let Some((members, kind, subject)) = self.known(method) else { return };
        let Some(caller) = caller(agent, env, subject) else { return };
        if let Some(target) = target(agent, env, members, subject) {
            self.note(Entry { caller, kind, target });
        }
    }

    fn known(&self, method: Method) -> Option<(&Members, Kind, Subject)> {
        let members = self.members.get()?;
        let (kind, subject) = members.reaching.get(&method)?;
        Some((members, *kind, *subject))
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

/// Asks the JVM for breakpoints, while it is loading. A debugger that comes later and finds them taken ends the JVM.
pub fn follow(agent: &Agent) {
    if expects_debugger() {
        log::say("reflection is not noted: the debugger takes the breakpoints of this JVM");
    } else if let Err(error) = agent.vm.follow_breakpoints() {
        log::say(&format!("reflection is not noted: the JVM has no breakpoints for it ({error:?})"));
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

fn is_called(agent: &Agent, method: Method, wanted: &str, begins: &str) -> bool {
    agent.vm.name_of(method).is_some_and(|(name, descriptor)| {
        let is_named = wanted.strip_suffix('*').map_or(name == wanted, |prefix| name.starts_with(prefix));
        is_named && descriptor.starts_with(begins) && agent.vm.is_public(method)
    })
}

/// The program's place that the current stack has called the innermost method from.
fn caller(agent: &Agent, env: Env, subject: Subject) -> Option<Caller> {
    let frames = agent.vm.frames(DEPTH);
    let mut frames = frames.unresolved().iter().skip(1);
    let (frame, class, name) = frames.find_map(|frame| outside(agent, frame))?;
    let is_of_jdk = is_jdk(&name) || kind_of_loader(env, agent.vm.loader(class)) == Loader::Jdk;
    // The JVM itself loads classes through their loaders, at any instruction that names one.
    if is_of_jdk || is_proxy(agent, env, class) || (subject == Subject::Name(1) && !agent.vm.is_at_call(frame)) {
        return None;
    }
    let place = agent.vm.place(frame)?;
    Some(Caller { class: place.class, method: place.method, descriptor: place.descriptor, line: place.line })
}

/// Whether the JDK has made a class up, which no program has.
fn is_proxy(agent: &Agent, env: Env, class: Class) -> bool {
    env.superclass(class).and_then(|above| agent.vm.internal_name(above)).is_some_and(|name| name == PROXY)
}

/// A frame with its class and the name of it, unless it is the machinery's.
fn outside<'a>(agent: &Agent, frame: &'a Frame) -> Option<(&'a Frame, Class, String)> {
    let class = agent.vm.class_of_method(frame.method())?;
    let name = agent.vm.internal_name(class)?;
    let is_machinery = MACHINES.contains(&&*name) || MACHINERY.iter().any(|package| name.starts_with(package));
    (!is_machinery).then_some((frame, class, name))
}

/// What the innermost method of the current stack reaches.
fn target(agent: &Agent, env: Env, members: &Members, subject: Subject) -> Option<Target> {
    match subject {
        Subject::Name(slot) => named(&env.text(agent.vm.argument(slot)?)),
        Subject::Class => {
            let class = agent.vm.internal_name(Class(agent.vm.argument(0)?))?;
            Some(Target { class, member: Some(Member { name: "<init>".to_owned(), descriptor: "()V".to_owned() }) })
        }
        Subject::Method => method(agent, env, env.reflected_method(agent.vm.argument(0)?)),
        Subject::Field => field(agent, env, agent.vm.argument(0)?, members.class_of_field?),
    }
}

/// A class by the name that reflection has for it; arrays have no members.
fn named(name: &str) -> Option<Target> {
    let is_class = !name.is_empty() && !name.starts_with('[');
    is_class.then(|| Target { class: name.replace('.', "/"), member: None })
}

fn method(agent: &Agent, env: Env, method: Method) -> Option<Target> {
    let (name, descriptor) = agent.vm.name_of(method)?;
    let class = agent.vm.class_of_method(method).filter(|class| !is_proxy(agent, env, *class))?;
    let class = agent.vm.internal_name(class)?;
    Some(Target { class, member: Some(Member { name, descriptor }) })
}

fn field(agent: &Agent, env: Env, object: jobject, class_of_field: usize) -> Option<Target> {
    let class = Class(env.object(object, class_of_field as jfieldID)?);
    let (name, descriptor) = agent.vm.field_name(class, env.reflected_field(object))?;
    Some(Target { class: agent.vm.internal_name(class)?, member: Some(Member { name, descriptor }) })
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
