//! Sites: the places in a program's bytecode that report events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::AccessKind;

/// One instruction (or method boundary) of one woven class that reports an event.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Site {
    /// Where it stands.
    pub place: Place,
    /// What it does.
    pub action: Action,
}

/// A bytecode position, with what is needed to show it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Internal name of the class, `a/b/C$D`.
    pub class: String,
    /// Method name.
    pub method: String,
    /// Method descriptor.
    pub descriptor: String,
    /// Bytecode offset in the *original* method body.
    pub offset: u32,
    /// Source line, where the class file tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Source file name without a directory (`SourceFile` attribute).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Place {
    /// Whether the method is one that a compiler makes for nested classes to reach private members (javac before 11, ecj, Kotlin): it stands at the
    /// line of the class, and the program's own code is what calls it.
    #[must_use]
    pub fn is_accessor(&self) -> bool {
        is_accessor(&self.method)
    }
}

/// Whether a method of this name is one that a compiler makes for nested classes to reach private members.
#[must_use]
pub fn is_accessor(method: &str) -> bool {
    method.starts_with("access$")
}

/// Leaves out the frames that stand for no code of a program, if others are left.
pub fn leave_out_accessors<T>(stack: &mut Vec<T>, is_accessor: impl Fn(&T) -> bool) {
    if !stack.iter().all(&is_accessor) {
        stack.retain(|frame| !is_accessor(frame));
    }
}

/// What the instruction at a site does.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// `getfield`, `putfield`.
    Field(AccessKind, FieldRef),
    /// `getstatic`, `putstatic`.
    Static(AccessKind, FieldRef),
    /// `*aload`, `*astore`.
    Array(AccessKind, ArrayRef),
    /// A call that reads or writes the contents of a map.
    Contents(AccessKind),
    /// `monitorenter` or the entry of a synchronized method.
    Enter,
    /// `monitorexit` or an exit of a synchronized method.
    Exit,
    /// Entry or exit of `<clinit>`.
    ClassInit,
    /// `Object.wait`, `notify`, `notifyAll`.
    Monitor,
    /// Entry and exits of a method that is a transaction.
    Transaction,
}

impl Action {
    /// How threads can hand something over, under a lock, by the variable that it accesses.
    #[must_use]
    pub fn hands_over(&self) -> Option<Hands> {
        match self {
            Self::Field(_, field) | Self::Static(_, field) => Hands::of(&field.descriptor),
            Self::Array(_, array) => (array.element == 'L').then_some(Hands::Reference),
            _ => None,
        }
    }
}

/// Numbers and texts that are objects.
const VALUES: [&str; 10] = [
    "Ljava/lang/Byte;",
    "Ljava/lang/Character;",
    "Ljava/lang/Double;",
    "Ljava/lang/Float;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Short;",
    "Ljava/lang/String;",
    "Ljava/math/BigDecimal;",
    "Ljava/math/BigInteger;",
];

/// By what threads hand over: who finds a value of these types in a variable knows that another thread has come so far as to leave it there.
/// A number says little of who left it: in a counter, each thread finds what another one left. So it is with numbers and texts that are
/// objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hands {
    /// A `boolean`.
    Flag,
    /// A reference, which can be taken away, too: who leaves another one in its place has it alone.
    Reference,
}

impl Hands {
    /// That of variables of a type, if any.
    #[must_use]
    pub fn of(descriptor: &str) -> Option<Self> {
        match descriptor.as_bytes().first()? {
            _ if VALUES.contains(&descriptor) => None,
            b'L' | b'[' => Some(Self::Reference),
            b'Z' => Some(Self::Flag),
            _ => None,
        }
    }
}

/// A symbolic field reference, as it stands in the constant pool of the accessing class.
///
/// The class is where resolution starts (JVMS 5.4.3.2), not necessarily the class that declares the field.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FieldRef {
    /// Internal name of the class named by the reference.
    pub class: String,
    /// Field name.
    pub name: String,
    /// Field descriptor.
    pub descriptor: String,
}

/// What is known about the array that an array instruction accesses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ArrayRef {
    /// Element type as the instruction tells it: a descriptor of one character, `L` for `aaload`/`aastore` and `B` for
    /// `baload`/`bastore` (which serve `boolean[]` too).
    pub element: char,
    /// The field from which the array was loaded in the same method, where a simple forward scan sees it, and through how
    /// many further array loads (0 for `f[i]`, 1 for `f[i][j]`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<(FieldRef, u8)>,
}
