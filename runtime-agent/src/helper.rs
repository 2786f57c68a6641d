//! The helper classes: compiled, checked in beside their sources, embedded here, and defined in java.base.

/// Where the words of threads are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// In fields of `Thread`.
    InThread,
    /// Beside its locals.
    BesideLocals,
}

/// The engine that the hooks of accesses belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Accesses are checked by locks, if they are woven at all.
    Eraser,
    /// Accesses are checked by order and locks.
    Hybrid,
    /// Accesses are recorded.
    Recorder,
    /// Accesses are recorded and checked by locks.
    RecorderAndEraser,
    /// Accesses are recorded and checked by order and locks.
    RecorderAndHybrid,
    /// Accesses are recorded for type discovery.
    Discovery,
}

/// Its internal name and its bytes.
pub type Class = (&'static str, &'static [u8]);

macro_rules! class {
    ($folder:literal, $name:literal) => {{
        const CLASS: Class = ($name, include_bytes!(concat!("../java/compiled/", $folder, $name, ".class")));
        CLASS
    }};
}

/// The classes in the order in which they are defined, superclasses first, with their bytes.
pub fn classes(words: Words, engine: Engine) -> impl Iterator<Item = Class> {
    let words = match words {
        Words::InThread => IN_THREAD,
        Words::BesideLocals => BESIDE_LOCALS,
    };
    let location = match engine {
        Engine::Hybrid | Engine::RecorderAndHybrid => class!("hybrid/", "java/lang/JraceLocation"),
        _ => class!("", "java/lang/JraceLocation"),
    };
    let engine = match engine {
        Engine::Eraser | Engine::Hybrid => class!("", "java/lang/JraceAccess"),
        Engine::Recorder => class!("recording/", "java/lang/JraceAccess"),
        Engine::RecorderAndEraser | Engine::RecorderAndHybrid => class!("both/", "java/lang/JraceAccess"),
        Engine::Discovery => class!("discovery/", "java/lang/JraceAccess"),
    };
    COMMON.iter().chain(words).copied().chain([location, engine]).chain(DOORS)
}

const COMMON: &[Class] = &[
    class!("", "java/lang/JraceAgent"),
    class!("", "java/lang/JraceFault"),
    class!("", "java/lang/JraceMemory$Probe"),
    class!("", "java/lang/JraceMemory"),
    class!("", "java/lang/JraceMode"),
    class!("", "java/lang/JraceStripe"),
    class!("", "java/lang/JraceShadow"),
    class!("", "java/lang/JraceCarrier"),
    class!("", "java/lang/JraceContext"),
    class!("", "java/lang/JraceSites"),
    class!("", "java/lang/JraceLocks"),
    class!("", "java/lang/JraceState"),
    class!("", "java/lang/JraceStamp"),
    class!("", "java/lang/JraceHistory"),
    class!("", "java/lang/JraceTransitions"),
    class!("", "java/lang/JraceMembers$Places"),
    class!("", "java/lang/JraceViews"),
    class!("", "java/lang/JraceMembers"),
    class!("", "java/lang/JraceHeld"),
    class!("", "java/lang/JraceLockSet"),
    class!("", "java/lang/JraceInitializer"),
    class!("", "java/lang/JraceVector"),
    class!("", "java/lang/JraceFound"),
    class!("", "java/lang/JraceClock"),
    class!("", "java/lang/JraceSlots$Slot"),
    class!("", "java/lang/JraceSlots"),
    class!("", "java/lang/JraceOrder"),
    class!("", "java/lang/JraceInternal"),
    class!("", "java/lang/JraceSockets"),
    class!("", "java/lang/JraceTask$Local"),
    class!("", "java/lang/JraceTask"),
    class!("", "java/lang/JraceAccessed"),
    class!("", "java/lang/JraceOpen$Seen"),
    class!("", "java/lang/JraceOpen"),
    class!("", "java/lang/JraceChecks"),
    class!("", "java/lang/JraceLane"),
    class!("", "java/lang/JraceRecordedSites"),
    class!("", "java/lang/JraceRegion"),
    class!("", "java/lang/JraceRecorder"),
    class!("", "java/lang/JraceSite"),
    class!("", "java/lang/JraceDiscovery"),
    class!("", "java/lang/JraceSpans"),
    class!("", "java/lang/JraceInherited"),
    class!("", "java/lang/JraceKind"),
    class!("", "java/lang/JraceClones"),
    class!("", "java/lang/JraceClones$Classes"),
    class!("", "java/lang/JraceElements"),
    class!("", "java/lang/JraceContents"),
    class!("", "java/lang/invoke/JraceProfile"),
    class!("", "java/lang/invoke/JraceHandles"),
    class!("", "java/lang/invoke/JraceHandles$Accessed"),
    class!("", "java/lang/JraceReflectedField$Site"),
    class!("", "java/lang/JraceReflectedField"),
    class!("", "java/lang/invoke/JraceHandles$Named"),
    class!("", "java/lang/JraceReflection"),
];
const IN_THREAD: &[Class] = &[class!("", "java/lang/JraceThread")];
const BESIDE_LOCALS: &[Class] = &[
    class!("", "java/lang/JraceWords"),
    class!("locals/", "java/lang/JraceLocals"),
    class!("locals/", "java/lang/JraceThread"),
];
const DOORS: [Class; 3] =
    [class!("", "java/lang/JraceHandOver"), class!("", "java/lang/JraceLocking"), class!("", "java/lang/JraceHooks")];

#[cfg(test)]
pub mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::io::Cursor;

    use facts::hook::{HELPER_CLASS, Hook, THREAD_FIELDS};
    use ristretto_classfile::attributes::{Attribute, Instruction};
    use ristretto_classfile::{ClassFile, Constant, ConstantPool, MethodAccessFlags};

    use super::{Engine, Words, classes};

    /// Each version of the helper classes that a JVM may get, by name.
    pub fn versions() -> impl Iterator<Item = BTreeMap<&'static str, ClassFile<'static>>> {
        let engines = [
            Engine::Eraser,
            Engine::Hybrid,
            Engine::Recorder,
            Engine::RecorderAndEraser,
            Engine::RecorderAndHybrid,
            Engine::Discovery,
        ];
        let versions =
            engines.into_iter().flat_map(|engine| [(Words::InThread, engine), (Words::BesideLocals, engine)]);
        versions.map(|(words, engine)| {
            let parsed = |(name, bytes)| (name, ClassFile::from_slice(bytes).expect("a class"));
            classes(words, engine).map(parsed).collect()
        })
    }

    pub fn text(pool: &ConstantPool, index: u16) -> String {
        pool.try_get_utf8(index).expect("a string").to_string()
    }

    fn length(code: &[Instruction]) -> usize {
        let mut bytes = Cursor::new(Vec::new());
        code.iter().for_each(|instruction| instruction.to_bytes(&mut bytes).expect("bytecode"));
        bytes.into_inner().len()
    }

    fn field_of_thread(pool: &ConstantPool, constant: &Constant) -> Option<(String, String)> {
        let Constant::FieldRef { class_index, name_and_type_index } = constant else { return None };
        let class = pool.try_get_class(*class_index).expect("a class").to_string();
        let (name, descriptor) = pool.try_get_name_and_type(*name_and_type_index).expect("a name");
        (class == "java/lang/Thread").then(|| (text(pool, *name), text(pool, *descriptor)))
    }

    /// A class and those of its superclasses that are helper classes.
    fn with_superclasses<'a>(
        version: &'a BTreeMap<&str, ClassFile<'static>>,
        name: &str,
    ) -> Vec<&'a ClassFile<'static>> {
        let mut chain = Vec::new();
        let mut next = version.get(name);
        while let Some(class) = next {
            chain.push(class);
            let superclass = class.constant_pool.try_get_class(class.super_class).expect("a superclass").to_string();
            next = version.get(superclass.as_str());
        }
        chain
    }

    #[test]
    fn superclasses_are_defined_first() {
        for words in [Words::InThread, Words::BesideLocals] {
            let mut defined = BTreeSet::new();
            for (name, bytes) in classes(words, Engine::Discovery) {
                let class = ClassFile::from_slice(bytes).expect("a class");
                let superclass =
                    class.constant_pool.try_get_class(class.super_class).expect("a superclass").to_string();
                assert!(!superclass.contains("/Jrace") || defined.contains(&superclass), "{name} extends {superclass}");
                defined.insert(name.to_owned());
            }
        }
    }

    #[test]
    fn every_version_has_every_hook() {
        for version in versions() {
            let mut found = BTreeSet::new();
            for class in with_superclasses(&version, HELPER_CLASS) {
                let hooks = MethodAccessFlags::PUBLIC | MethodAccessFlags::STATIC;
                for method in class.methods.iter().filter(|method| method.access_flags.contains(hooks)) {
                    let pool = &class.constant_pool;
                    found.insert((text(pool, method.name_index), text(pool, method.descriptor_index)));
                }
            }
            for hook in Hook::ALL {
                assert!(found.contains(&(hook.name().to_owned(), hook.descriptor().to_owned())), "{hook:?}");
            }
        }
    }

    /// C1 inlines what has up to 35 bytes: it would put the fast path into every access, and take six times as long on javac.
    #[test]
    fn hooks_of_accesses_are_too_long_for_c1_to_inline() {
        let version = versions().next().expect("that of Eraser");
        let eraser = &version["java/lang/JraceChecks"];
        let is_hot = |name: &str| {
            let starts =
                ["readField", "writeField", "initField", "readStatic", "writeStatic", "readArray", "writeArray"];
            starts.contains(&name) || name.ends_with("FinalArray") || name.ends_with("ArrayBefore")
        };
        let mut n_hot = 0;
        for method in eraser.methods.iter().filter(|method| method.access_flags.contains(MethodAccessFlags::PUBLIC)) {
            let name = text(&eraser.constant_pool, method.name_index);
            let length = method.attributes.iter().find_map(|attribute| match attribute {
                Attribute::Code { code, .. } => Some(length(code)),
                _ => None,
            });
            if is_hot(&name) {
                n_hot += 1;
                assert!(length.expect("code") > 35, "{name} has {length:?} bytes");
            }
        }
        assert_eq!(n_hot, 11);
    }

    /// What weaving adds to `Thread` is what the helper class finds there.
    #[test]
    fn the_fields_of_threads_are_those_that_weaving_adds() {
        let version = versions().next().expect("that of Eraser");
        let pool = &version["java/lang/JraceThread"].constant_pool;
        let fields: BTreeSet<(String, String)> =
            pool.iter().filter_map(|constant| field_of_thread(pool, constant)).collect();
        let woven = THREAD_FIELDS.map(|(name, descriptor)| (name.to_owned(), descriptor.to_owned()));
        assert_eq!(fields, BTreeSet::from(woven));
    }
}
