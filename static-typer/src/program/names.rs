//! Interned names, types and descriptors (JVMS 4.2, 4.3).

use classfile::descriptor::{FieldType, Parameters};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// An interned name, of a class (`java/lang/Object`), a member, or the text of a string constant: modified UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub(super) u32);

/// An interned descriptor of a field or of a method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Descriptor(pub(super) u32);

/// What an array is made of, or a type that is no array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// No value.
    Void,
    /// `boolean`.
    Boolean,
    /// `byte`.
    Byte,
    /// `char`.
    Char,
    /// `short`.
    Short,
    /// `int`; on the operand stack all of the above too.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// The type of `null`, below every reference type.
    Null,
    /// A class or an interface.
    Class(Name),
}

/// A type: a base with that many dimensions of arrays around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Type {
    /// 0 for what is no array.
    pub dimensions: u8,
    /// What the array is made of.
    pub base: Base,
}

impl Type {
    /// No value.
    pub const VOID: Self = Self::of(Base::Void);
    /// `int`.
    pub const INT: Self = Self::of(Base::Int);
    /// `long`.
    pub const LONG: Self = Self::of(Base::Long);
    /// `float`.
    pub const FLOAT: Self = Self::of(Base::Float);
    /// `double`.
    pub const DOUBLE: Self = Self::of(Base::Double);
    /// The type of `null`.
    pub const NULL: Self = Self::of(Base::Null);
    /// `java.lang.Object`.
    pub const OBJECT: Self = Self::of(Base::Class(Name::OBJECT));

    /// A type that is no array.
    #[must_use]
    pub const fn of(base: Base) -> Self {
        Self { dimensions: 0, base }
    }

    /// A class or an interface.
    #[must_use]
    pub const fn class(name: Name) -> Self {
        Self::of(Base::Class(name))
    }

    /// An array of these; arrays have at most 255 dimensions (JVMS 4.3.2).
    #[must_use]
    pub const fn array(self) -> Self {
        Self { dimensions: self.dimensions.saturating_add(1), ..self }
    }

    /// What an array of this type holds; `null` holds `null`.
    #[must_use]
    pub fn element(self) -> Option<Self> {
        match self {
            Self::NULL => Some(self),
            _ => Some(Self { dimensions: self.dimensions.checked_sub(1)?, ..self }),
        }
    }

    /// Whether its values are objects or `null`.
    #[must_use]
    pub const fn is_reference(self) -> bool {
        self.dimensions > 0 || matches!(self.base, Base::Class(_) | Base::Null)
    }

    /// Whether a value takes two slots (JVMS 2.6.1).
    #[must_use]
    pub const fn is_wide(self) -> bool {
        self.dimensions == 0 && matches!(self.base, Base::Long | Base::Double)
    }

    /// The type on the operand stack: `int` for `boolean`, `byte`, `char` and `short` (JVMS 2.11.1).
    #[must_use]
    pub const fn on_stack(self) -> Self {
        match self {
            Self { dimensions: 0, base: Base::Boolean | Base::Byte | Base::Char | Base::Short } => Self::INT,
            _ => self,
        }
    }

    /// The class, for what is no array and no primitive type.
    #[must_use]
    pub const fn as_class(self) -> Option<Name> {
        match self {
            Self { dimensions: 0, base: Base::Class(name) } => Some(name),
            _ => None,
        }
    }
}

/// A descriptor, parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its text, `(I)V` or `[J`.
    pub text: Name,
    /// The parameters without the receiver; none for a field.
    pub parameters: Box<[Type]>,
    /// The type of the field, or what the method returns.
    pub result: Type,
}

/// The interned names and descriptors of a program.
#[derive(Debug)]
pub struct Names {
    texts: IndexSet<Box<[u8]>, FxBuildHasher>,
    descriptors: IndexMap<Name, Signature, FxBuildHasher>,
}

macro_rules! well_known {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        impl Name {
            $($(#[$doc])* pub const $name: Self = Self(well_known::Index::$name as u32);)*
        }

        mod well_known {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "named like the constants they number")]
            pub enum Index { $($name,)* }
            /// In the order of [`Index`].
            pub const TEXTS: &[&str] = &[$($text,)*];
        }
    };
}

well_known! {
    /// `java.lang.Object`.
    OBJECT = "java/lang/Object";
    /// `java.lang.Class`.
    CLASS = "java/lang/Class";
    /// `java.lang.String`.
    STRING = "java/lang/String";
    /// `java.lang.Throwable`.
    THROWABLE = "java/lang/Throwable";
    /// `java.lang.invoke.MethodHandle`.
    METHOD_HANDLE = "java/lang/invoke/MethodHandle";
    /// `java.lang.invoke.MethodType`.
    METHOD_TYPE = "java/lang/invoke/MethodType";
    /// Of a constructor.
    INIT = "<init>";
    /// Of a class initializer.
    CLINIT = "<clinit>";
}

impl Default for Names {
    fn default() -> Self {
        let texts = well_known::TEXTS.iter().map(|text| text.as_bytes().into()).collect();
        Self { texts, descriptors: IndexMap::default() }
    }
}

impl Names {
    /// The name of a text.
    pub fn intern(&mut self, text: &[u8]) -> Name {
        if let Some(index) = self.texts.get_index_of(text) {
            return Name(index as u32);
        }
        Name(self.texts.insert_full(text.into()).0 as u32)
    }

    /// The name of a text that is interned already.
    #[must_use]
    pub fn get(&self, text: &[u8]) -> Option<Name> {
        self.texts.get_index_of(text).map(|index| Name(index as u32))
    }

    /// The name of a text that is interned already and comes from elsewhere than a class file.
    #[must_use]
    pub fn named(&self, text: &str) -> Option<Name> {
        self.get(&classfile::modified(text))
    }

    /// The text of a name, in modified UTF-8.
    #[must_use]
    pub fn bytes(&self, name: Name) -> &[u8] {
        &self.texts[name.0 as usize]
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Name) -> std::borrow::Cow<'_, str> {
        classfile::text(self.bytes(name))
    }

    /// The descriptor of a field or a method, or `None` if the text is not one.
    pub fn intern_descriptor(&mut self, text: &[u8]) -> Option<Descriptor> {
        let name = self.intern(text);
        if let Some(index) = self.descriptors.get_index_of(&name) {
            return Some(Descriptor(index as u32));
        }
        let signature = self.parse(name, text)?;
        Some(Descriptor(self.descriptors.insert_full(name, signature).0 as u32))
    }

    /// What a descriptor says.
    #[must_use]
    pub fn signature(&self, descriptor: Descriptor) -> &Signature {
        &self.descriptors[descriptor.0 as usize]
    }

    /// The type that a class constant names: an internal name, or the descriptor of an array.
    pub fn intern_class_type(&mut self, text: &[u8]) -> Option<Type> {
        if text.starts_with(b"[") { Some(self.of(FieldType::of(text)?)) } else { Some(Type::class(self.intern(text))) }
    }

    fn parse(&mut self, text: Name, bytes: &[u8]) -> Option<Signature> {
        let mut parameters = Parameters::of(bytes);
        let types = parameters.by_ref().map(|parameter| self.of(parameter)).collect();
        let result = if bytes.starts_with(b"(") { parameters.result()? } else { bytes };
        let result = if result == b"V" { Type::VOID } else { self.of(FieldType::of(result)?) };
        Some(Signature { text, parameters: types, result })
    }

    fn of(&mut self, ty: FieldType<'_>) -> Type {
        let primitive = || primitive_base(ty.letter()).unwrap_or(Base::Void);
        let base = ty.class().map_or_else(primitive, |class| Base::Class(self.intern(class)));
        Type { dimensions: ty.dimensions, base }
    }

    /// The descriptor of a text that is interned already.
    #[must_use]
    pub fn get_descriptor(&self, text: &[u8]) -> Option<Descriptor> {
        let name = self.get(text)?;
        self.descriptors.get_index_of(&name).map(|index| Descriptor(index as u32))
    }

    /// The type of a field's descriptor, if all that it names is interned already.
    #[must_use]
    pub fn get_type(&self, text: &[u8]) -> Option<Type> {
        let ty = FieldType::of(text)?;
        let base = match ty.class() {
            Some(class) => Base::Class(self.get(class)?),
            None => primitive_base(ty.letter())?,
        };
        Some(Type { dimensions: ty.dimensions, base })
    }

    /// The descriptor of a type.
    #[must_use]
    pub fn descriptor(&self, ty: Type) -> String {
        let base = match ty.base {
            Base::Class(name) => format!("L{};", self.text(name)),
            other => {
                let letter = b"VZBCSIJFD".iter().find(|letter| primitive_base(**letter) == Some(other));
                letter.map_or_else(String::new, |letter| char::from(*letter).into())
            }
        };
        "[".repeat(usize::from(ty.dimensions)) + &base
    }

    /// A type as it stands in the printed intermediate form: internal names, `[]` for each dimension, and `/` before the name
    /// of a class that would read like another type.
    #[must_use]
    pub fn show(&self, ty: Type) -> String {
        let primitive = |base: Base| PRIMITIVES.iter().find(|(known, _)| *known == base).map(|(_, word)| *word);
        let base = match ty.base {
            Base::Class(name) => {
                let text = super::escape::escape(self.bytes(name));
                if PRIMITIVES.iter().any(|(_, word)| *word == text) { format!("/{text}") } else { text }
            }
            other => primitive(other).unwrap_or_default().to_owned(),
        };
        base + &"[]".repeat(usize::from(ty.dimensions))
    }
}

/// The words for types that are no classes.
pub(crate) const PRIMITIVES: [(Base, &str); 10] = [
    (Base::Void, "void"),
    (Base::Boolean, "boolean"),
    (Base::Byte, "byte"),
    (Base::Char, "char"),
    (Base::Short, "short"),
    (Base::Int, "int"),
    (Base::Long, "long"),
    (Base::Float, "float"),
    (Base::Double, "double"),
    (Base::Null, "null"),
];

fn primitive_base(byte: u8) -> Option<Base> {
    Some(match byte {
        b'V' => Base::Void,
        b'Z' => Base::Boolean,
        b'B' => Base::Byte,
        b'C' => Base::Char,
        b'S' => Base::Short,
        b'I' => Base::Int,
        b'J' => Base::Long,
        b'F' => Base::Float,
        b'D' => Base::Double,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_parsed_and_shown() {
        let mut names = Names::default();
        let descriptor = names.intern_descriptor(b"(I[[JLjava/lang/String;)V").expect("a descriptor");
        let signature = names.signature(descriptor).clone();
        let shown: Vec<String> = signature.parameters.iter().map(|ty| names.show(*ty)).collect();
        assert_eq!(shown, ["int", "long[][]", "java/lang/String"]);
        assert_eq!(signature.result, Type::VOID);
        assert_eq!(signature.parameters[2], Type::class(Name::STRING));
        for wrong in ["", "(", "(V)V", "()", "Lx", "[V", "II", "()VV", "Q"] {
            assert_eq!(names.intern_descriptor(wrong.as_bytes()), None, "{wrong}");
        }
        assert_eq!(names.intern_class_type(b"[Ljava/lang/String;"), Some(Type::class(Name::STRING).array()));
        assert_eq!(names.intern_class_type(b"java/lang/Object"), Some(Type::OBJECT));
        assert_eq!(names.intern_class_type(b"[I]"), None);
    }
}
