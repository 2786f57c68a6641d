//! The program: classes, their members and their hierarchy, each with a number.

mod annotate;
mod escape;
mod hierarchy;
mod load;
mod lookup;
mod models;
mod names;
mod raced;
mod reflected;
mod skeleton;
mod surface;
mod weak;

use std::ops::Range;
use std::path::PathBuf;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

pub use annotate::On;
pub use classfile::flag;
pub(crate) use escape::escape;
pub use models::Misfit;
pub(crate) use names::PRIMITIVES;
pub use names::{Base, Descriptor, Name, Names, Signature, Type};
pub use raced::Raced;
pub use reflected::Reflected;
pub use surface::{Surface, Way, is_extensible};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// Its place in the table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A class or interface of a [`Program`].
    ClassId
);
id!(
    /// A field that a class declares.
    FieldId
);
id!(
    /// A method that a class declares.
    MethodId
);
id!(
    /// What an instruction names: a class, a member's name and its descriptor, before resolution (JVMS 5.4.3).
    MemberRef
);

/// A class or an interface.
#[derive(Debug)]
pub struct Class {
    /// Internal name.
    pub name: Name,
    /// Access flags.
    pub access: u16,
    /// Major version of the class file.
    pub version: u16,
    /// None for `java.lang.Object`, and where it is missing.
    pub super_class: Option<ClassId>,
    /// Those that were found.
    pub interfaces: Vec<ClassId>,
    /// Whether a superclass or an interface is missing, so that it may inherit more than is known.
    pub is_incomplete: bool,
    /// What it declares.
    pub fields: Range<u32>,
    /// What it declares.
    pub methods: Range<u32>,
    /// Whether it is part of what is analysed; code and constants of others are kept by [`Program::load_whole`] only.
    pub is_application: bool,
    /// The file that the `SourceFile` attribute names.
    pub source_file: Option<Name>,
    /// Where it was found.
    pub origin: u32,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Which constant names line tables.
    line_table: Option<u16>,
    pool: Vec<Constant>,
    bootstrap_methods: Vec<Bootstrap>,
    bytes: Box<[u8]>,
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Access flags.
    pub access: u16,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Name,
    /// Its descriptor.
    pub descriptor: Descriptor,
    /// Access flags.
    pub access: u16,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    code: Option<Range<u32>>,
}

/// An annotation of a class or a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The annotation's type.
    pub class: Name,
    /// The strings among its values, each with its element's name.
    pub strings: Vec<(Name, Name)>,
}

/// A method handle's kind (JVMS 5.4.3.5) and what it is a handle of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Handle {
    /// 1 to 9.
    pub kind: u8,
    /// The field or method.
    pub member: MemberRef,
}

/// A bootstrap method with its static arguments, as constants of the class.
#[derive(Clone, PartialEq, Debug)]
pub struct Bootstrap {
    /// The bootstrap method; none if the class is damaged.
    pub handle: Option<Handle>,
    /// Its static arguments.
    pub arguments: Vec<Constant>,
}

/// An entry of a class's constant pool (JVMS 4.4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// Nothing that an instruction can use.
    Other,
    /// `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `float`.
    Float(f32),
    /// `double`.
    Double(f64),
    /// A string.
    String(Name),
    /// A class or an array type.
    Class(Type),
    /// A field or a method.
    Member(MemberRef),
    /// A method handle.
    Handle(Handle),
    /// A method type.
    MethodType(Descriptor),
    /// A dynamically computed constant or call site: number of the bootstrap method, name and descriptor.
    Dynamic {
        /// Its place among the class's bootstrap methods.
        bootstrap: u16,
        /// Its name.
        name: Name,
        /// The type of the constant, or of the call.
        descriptor: Descriptor,
    },
}

/// What a [`MemberRef`] stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Member {
    /// The class in which the search begins; an array type for its `clone`.
    pub owner: Type,
    /// The member's name.
    pub name: Name,
    /// The member's descriptor.
    pub descriptor: Descriptor,
    /// Whether it is a field.
    pub is_field: bool,
    /// Whether it is named as a method of an interface.
    pub of_interface: bool,
}

/// A class that could not be used, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Problem {
    /// Where the class was found.
    pub origin: PathBuf,
    /// Its name, as far as it could be read.
    pub class: String,
    /// A noun phrase.
    pub reason: String,
}

/// All classes of an application, and those of its libraries that it names.
#[derive(Debug, Default)]
pub struct Program {
    names: Names,
    classes: Vec<Class>,
    fields: Vec<Field>,
    methods: Vec<Method>,
    members: IndexSet<Member, FxBuildHasher>,
    by_name: FxHashMap<Name, ClassId>,
    declared_fields: FxHashMap<(ClassId, Name, Type), FieldId>,
    declared_methods: FxHashMap<(ClassId, Name, Descriptor), MethodId>,
    origins: IndexSet<PathBuf, FxBuildHasher>,
    problems: Vec<Problem>,
    missing: Vec<Name>,
    services: Vec<(Name, Name)>,
    told: models::Told,
    reflected: Reflected,
    /// What is passed on in a weak mode.
    weak: Vec<Raced>,
    /// That, and what has raced in runs.
    raced: Vec<Raced>,
}

impl Program {
    /// The interned names.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Every class, those of the application first.
    pub fn classes(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len() as u32).map(ClassId)
    }

    /// The classes that are analysed.
    pub fn application(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.classes().filter(|class| self.class(*class).is_application)
    }

    /// A class.
    #[must_use]
    pub fn class(&self, class: ClassId) -> &Class {
        &self.classes[class.index()]
    }

    /// The class of a name, if it was found.
    #[must_use]
    pub fn find(&self, name: Name) -> Option<ClassId> {
        self.by_name.get(&name).copied()
    }

    /// A field.
    #[must_use]
    pub fn field(&self, field: FieldId) -> &Field {
        &self.fields[field.index()]
    }

    /// A method.
    #[must_use]
    pub fn method(&self, method: MethodId) -> &Method {
        &self.methods[method.index()]
    }

    /// What a class declares.
    pub fn fields_of(&self, class: ClassId) -> impl Iterator<Item = FieldId> + use<> {
        self.class(class).fields.clone().map(FieldId)
    }

    /// What a class declares.
    pub fn methods_of(&self, class: ClassId) -> impl Iterator<Item = MethodId> + use<> {
        self.class(class).methods.clone().map(MethodId)
    }

    /// What an instruction names.
    #[must_use]
    pub fn member(&self, member: MemberRef) -> &Member {
        &self.members[member.index()]
    }

    /// Every member that an instruction names.
    pub fn members(&self) -> impl Iterator<Item = (MemberRef, &Member)> {
        self.members.iter().enumerate().map(|(index, member)| (MemberRef(index as u32), member))
    }

    /// The reference that instructions of the program use for a member, if one does.
    #[must_use]
    pub fn find_member(&self, member: &Member) -> Option<MemberRef> {
        self.members.get_index_of(member).map(|index| MemberRef(index as u32))
    }

    /// The methods by which the application can be started (JLS 12.1.4): `main`. From JDK 25 on it need neither be public or static, nor take
    /// arguments (JEP 512).
    #[must_use]
    pub fn main_methods(&self) -> Vec<MethodId> {
        self.application().filter_map(|class| self.main_method(class)).collect()
    }

    fn main_method(&self, class: ClassId) -> Option<MethodId> {
        const RELEASE_25: u16 = 69;
        const PUBLIC_STATIC: u16 = flag::PUBLIC | flag::STATIC;
        let with = |descriptor: &str, is_one: &dyn Fn(u16) -> bool| {
            self.methods_of(class).find(|method| {
                let data = self.method(*method);
                &*self.names.text(data.name) == "main"
                    && self.names.text(self.signature(*method).text) == descriptor
                    && is_one(data.access)
            })
        };
        let usual = with("([Ljava/lang/String;)V", &|access| access & PUBLIC_STATIC == PUBLIC_STATIC);
        let is_accessible = |access: u16| access & flag::PRIVATE == 0;
        let or_newer = || {
            let newer = with("([Ljava/lang/String;)V", &is_accessible);
            newer.or_else(|| with("()V", &is_accessible)).filter(|_| self.class(class).version >= RELEASE_25)
        };
        usual.or_else(or_newer).filter(|method| self.method(*method).has_code())
    }

    /// What a method's descriptor says.
    #[must_use]
    pub fn signature(&self, method: MethodId) -> &Signature {
        self.names.signature(self.method(method).descriptor)
    }

    /// The contents of a method's `Code` attribute (JVMS 4.7.3), if it has one that was kept.
    #[must_use]
    pub fn code(&self, method: MethodId) -> Option<&[u8]> {
        let Method { class, code, .. } = self.method(method);
        let Range { start, end } = code.as_ref()?;
        self.class(*class).bytes.get(*start as usize..*end as usize)
    }

    /// The class file of a class of the application.
    #[must_use]
    pub fn bytes(&self, class: ClassId) -> &[u8] {
        &self.class(class).bytes
    }

    /// An entry of a class's constant pool.
    #[must_use]
    pub fn constant(&self, class: ClassId, index: u16) -> Constant {
        self.class(class).pool.get(usize::from(index)).copied().unwrap_or(Constant::Other)
    }

    /// The constant pool of a class of the application.
    #[must_use]
    pub fn constants(&self, class: ClassId) -> &[Constant] {
        &self.class(class).pool
    }

    /// The members that the instructions of a class may name.
    pub fn members_of(&self, class: ClassId) -> impl Iterator<Item = &Member> {
        self.constants(class).iter().filter_map(|constant| match constant {
            Constant::Member(member) => Some(self.member(*member)),
            _ => None,
        })
    }

    /// The bootstrap methods of a class of the application.
    #[must_use]
    pub fn bootstraps(&self, class: ClassId) -> &[Bootstrap] {
        &self.class(class).bootstrap_methods
    }

    /// Whether a constant of a class is the name of line tables.
    pub(crate) fn names_lines(&self, class: ClassId, index: u16) -> bool {
        self.class(class).line_table == Some(index)
    }

    /// A bootstrap method of a class.
    #[must_use]
    pub fn bootstrap(&self, class: ClassId, index: u16) -> Option<&Bootstrap> {
        self.class(class).bootstrap_methods.get(usize::from(index))
    }

    /// Classes that could not be used.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The classes that the application names and that were not found, sorted.
    pub fn missing(&self) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
        self.missing.iter().map(|name| self.names.text(*name))
    }

    /// Services with the classes that provide them, as files of the class path say.
    #[must_use]
    pub fn services(&self) -> &[(Name, Name)] {
        &self.services
    }

    /// Where a class was found.
    #[must_use]
    pub fn origin(&self, class: ClassId) -> &PathBuf {
        &self.origins[self.class(class).origin as usize]
    }

    /// Whether a class comes with the JDK.
    #[must_use]
    pub fn is_of_jdk(&self, class: ClassId) -> bool {
        self.origin(class).ends_with("lib/modules")
    }

    /// `java/util/List` as text.
    #[must_use]
    pub fn class_name(&self, class: ClassId) -> std::borrow::Cow<'_, str> {
        self.names.text(self.class(class).name)
    }

    /// `java/util/List.size()I`.
    #[must_use]
    pub fn method_name(&self, method: MethodId) -> String {
        let Method { class, name, descriptor, .. } = self.method(method);
        let descriptor = self.names.text(self.names.signature(*descriptor).text);
        format!("{}.{}{descriptor}", self.class_name(*class), self.names.text(*name))
    }

    /// `bank/Account.balance`.
    #[must_use]
    pub fn field_name(&self, field: FieldId) -> String {
        let Field { class, name, .. } = self.field(field);
        format!("{}.{}", self.class_name(*class), self.names.text(*name))
    }
}

impl Class {
    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.access & flag::INTERFACE != 0
    }
}

impl Field {
    /// Whether it is static.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.access & flag::STATIC != 0
    }

    /// Whether it is final.
    #[must_use]
    pub fn is_final(&self) -> bool {
        self.access & flag::FINAL != 0
    }

    /// Whether it is volatile.
    #[must_use]
    pub fn is_volatile(&self) -> bool {
        self.access & flag::VOLATILE != 0
    }
}

impl Method {
    /// Whether it is static.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.access & flag::STATIC != 0
    }

    /// Whether it is synchronized.
    #[must_use]
    pub fn is_synchronized(&self) -> bool {
        self.access & flag::SYNCHRONIZED != 0
    }

    /// Whether it has code.
    #[must_use]
    pub fn has_code(&self) -> bool {
        self.access & (flag::ABSTRACT | flag::NATIVE) == 0
    }

    /// Whether it is a constructor.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        self.name == Name::INIT
    }
}
