//! Parts of the JDK that a program does not enter: formats of texts and times, security, the file system, the loading of classes, and
//! so on. The rest of the JDK leads to all of them (a message is made for an exception, a jar is verified), so that a program of three
//! lines reached 14,000 methods. They call a program only through what it has given them. To do that, it must name one of their
//! types: then all of the part is followed.
//!
//! A method of another part gets no code: it returns an object of the type that it declares, and keeps what it is given to itself.

use rustc_hash::FxHashSet;

use crate::points_to::frontend::resolve::Resolution;
use crate::program::{Base, ClassId, Constant, Descriptor, Name, Program, Type};

/// Beginnings of names of classes.
type Beginnings = &'static [&'static str];

/// Code that calls a program only through types that stand at its doors.
struct Part {
    code: Beginnings,
    /// What of it is followed in any case, as it calls what others give it.
    except: Beginnings,
    /// A program that names one of these enters; with a dot behind it, one of its members. Types of other parts are among them if objects
    /// of this one are such, or if their code hands objects of the program to it.
    doors: Beginnings,
}

const PARTS: &[Part] = &[
    // Security.
    Part {
        code: &["java/security/", "javax/crypto/", "javax/security/", "sun/security/", "com/sun/crypto/"],
        except: &[
            "java/security/AccessCont",
            "java/security/Privileged",
            "java/security/ProtectionDomain",
            "sun/security/action/",
        ],
        doors: &[
            "java/security/",
            "javax/crypto/",
            "javax/security/",
            "javax/net/ssl/",
            "sun/security/",
            "java/util/jar/",
        ],
    },
    // Archives.
    Part {
        code: &["java/util/jar/", "java/util/zip/", "sun/net/www/protocol/jar/"],
        except: &[],
        doors: &["java/util/jar/", "java/util/zip/", "java/net/"],
    },
    // The network.
    Part {
        code: &["java/net/", "sun/net/"],
        except: &[],
        doors: &[
            "java/net/",
            "javax/net/",
            "javax/naming/",
            "java/rmi/",
            "com/sun/net/",
            "sun/net/",
            "java/nio/channels/",
        ],
    },
    // Files and channels.
    Part {
        code: &[
            "java/nio/file/",
            "java/nio/channels/",
            "sun/nio/ch/",
            "sun/nio/fs/",
            "jdk/nio/zipfs/",
            "jdk/internal/jrtfs/",
        ],
        except: &[],
        doors: &["java/nio/file/", "java/nio/channels/", "sun/nio/", "jdk/nio/", "java/net/", "javax/net/"],
    },
    // Charsets, but for the streams that read and write by them.
    Part { code: &["sun/nio/cs/"], except: &["sun/nio/cs/Stream"], doors: &["java/nio/charset/", "sun/nio/cs/"] },
    // Texts by locale.
    Part {
        code: &[
            "java/text/",
            "sun/text/",
            "sun/util/calendar/",
            "sun/util/cldr/",
            "sun/util/locale/",
            "jdk/internal/icu/",
        ],
        except: &[],
        doors: &[
            "java/text/",
            // Messages of entries are made of objects of the program.
            "java/lang/System$Logger",
            "java/util/logging/",
            "java/util/Calendar",
            "java/util/GregorianCalendar",
            "java/util/TimeZone",
            "java/util/spi/",
            "sun/util/",
        ],
    },
    // Resources by locale.
    Part {
        code: &[
            "java/util/ResourceBundle",
            "java/util/PropertyResourceBundle",
            "java/util/ListResourceBundle",
            "sun/util/resources/",
        ],
        except: &[],
        doors: &[
            "java/util/ResourceBundle",
            "java/util/PropertyResourceBundle",
            "java/util/ListResourceBundle",
            "java/util/logging/",
            "java/util/spi/",
        ],
    },
    // Times.
    Part { code: &["java/time/"], except: &[], doors: &["java/time/", "java/sql/"] },
    // Large and exact numbers.
    Part { code: &["java/math/", "jdk/internal/math/"], except: &[], doors: &["java/math/", "java/sql/"] },
    // Patterns.
    Part { code: &["java/util/regex/"], except: &[], doors: &["java/util/regex/", "java/util/Scanner"] },
    // The logger of the JDK itself.
    Part {
        code: &["jdk/internal/logger/", "sun/util/logging/"],
        except: &[],
        doors: &["java/lang/System$Logger", "java/util/logging/", "sun/util/logging/"],
    },
    // Types of sources.
    Part {
        code: &["sun/reflect/generics/"],
        except: &[],
        doors: &[
            "java/lang/reflect/Type",
            "java/lang/reflect/ParameterizedType",
            "java/lang/reflect/GenericDeclaration",
        ],
    },
    // Properties as XML.
    Part { code: &["jdk/internal/util/xml/", "jdk/internal/org/xml/"], except: &[], doors: &["java/util/Properties"] },
    // The loading of classes.
    Part {
        code: &["jdk/internal/loader/", "jdk/internal/module/", "jdk/internal/jimage/", "sun/launcher/"],
        except: &[],
        doors: &[
            "java/lang/ClassLoader",
            "java/lang/Module",
            "java/lang/module/",
            "java/util/ServiceLoader",
            "java/net/",
        ],
    },
    // Method handles. The names of most of these classes come with every lambda; members of them, only with who uses them.
    Part {
        code: &["java/lang/invoke/", "java/lang/constant/", "sun/invoke/"],
        except: &[],
        doors: &[
            "java/lang/invoke/MethodHandle.",
            "java/lang/invoke/MethodHandles.",
            "java/lang/invoke/MethodHandles$Lookup.",
            "java/lang/invoke/MethodType.",
            "java/lang/invoke/MethodHandleProxies",
            "java/lang/invoke/MutableCallSite",
            "java/lang/invoke/SerializedLambda",
            "java/lang/invoke/SwitchPoint",
            "java/lang/invoke/VarHandle",
            "java/lang/invoke/VolatileCallSite",
            "java/lang/constant/",
        ],
    },
    // Code that makes classes.
    Part { code: &["jdk/internal/org/objectweb/asm/"], except: &[], doors: &[] },
];

/// The parts that a program does not enter.
#[derive(Default)]
pub struct ClosedParts(Vec<&'static Part>);

impl ClosedParts {
    /// Finds them by what the classes of the program and its libraries name, in code, in headers and in texts.
    #[must_use]
    pub fn of(resolution: &Resolution<'_>) -> Self {
        let program = resolution.program;
        // All of the JDK may use what stands in the place of a class of its own.
        if program.application().any(|class| program.class_name(class).starts_with("java/")) {
            return Self::default();
        }
        let named = Named::of(resolution);
        let is_entered = |part: &&Part| named.iter().any(|name| begins(name, part.doors));
        Self(PARTS.iter().filter(|part| !is_entered(part)).collect())
    }

    /// Whether a class is in one.
    #[must_use]
    pub fn have(&self, program: &Program, class: ClassId) -> bool {
        let name = program.class_name(class);
        let is_in = |part: &&Part| begins(&name, part.code) && !begins(&name, part.except);
        self.0.iter().any(is_in) && program.is_of_jdk(class)
    }
}

fn begins(name: &str, beginnings: Beginnings) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// What classes outside the JDK name.
#[derive(Default)]
struct Named {
    classes: FxHashSet<Name>,
    owners: FxHashSet<Name>,
    texts: FxHashSet<Name>,
}

impl Named {
    /// `java/util/List`, and `java/util/List.` if a member of it is named.
    fn of(resolution: &Resolution<'_>) -> FxHashSet<String> {
        let program = resolution.program;
        let mut named = Self::default();
        let is_followed = |class: &ClassId| !program.is_of_jdk(*class) && !resolution.is_opaque(*class);
        for class in program.classes().filter(is_followed) {
            named.add_code(program, class);
            named.add_header(program, class);
        }
        let text = |name: &Name| program.names().text(*name).into_owned();
        let classes = named.classes.iter().chain(&named.owners).map(text);
        let owners = named.owners.iter().map(|owner| text(owner) + ".");
        // Reflection may be given a name.
        let texts = named.texts.iter().map(|name| text(name).replace('.', "/"));
        classes.chain(owners).chain(texts).collect()
    }

    fn add_code(&mut self, program: &Program, class: ClassId) {
        for constant in program.constants(class) {
            match constant {
                Constant::Class(ty) => self.add(*ty),
                Constant::String(text) => _ = self.texts.insert(*text),
                Constant::MethodType(descriptor) | Constant::Dynamic { descriptor, .. } => {
                    self.add_signature(program, *descriptor);
                }
                _ => {}
            }
        }
        for member in program.members_of(class) {
            self.owners.extend(member.owner.as_class());
            self.add_signature(program, member.descriptor);
        }
    }

    fn add_header(&mut self, program: &Program, class: ClassId) {
        for method in program.methods_of(class) {
            self.add_signature(program, program.method(method).descriptor);
        }
        self.classes.extend(program.supers(class).map(|above| program.class(above).name));
    }

    fn add_signature(&mut self, program: &Program, descriptor: Descriptor) {
        let signature = program.names().signature(descriptor);
        signature.parameters.iter().chain([&signature.result]).for_each(|ty| self.add(*ty));
    }

    fn add(&mut self, ty: Type) {
        if let Base::Class(name) = ty.base {
            self.classes.insert(name);
        }
    }
}
