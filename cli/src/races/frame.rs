//! Places in the code, and objects by where they are made, as reports name them.

use std::borrow::Cow;

use facts::site::{self, Place};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::document::way;

/// What is accessed or locked; `bank.Account made at Bank.java:12` in documents.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Object {
    /// In words.
    pub text: String,
    /// Its type.
    pub ty: String,
    /// Where it is made, if that is one place.
    pub site: Option<Frame>,
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A place in the code.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Frame {
    /// `bank.Account.deposit`.
    pub method: String,
    /// The source file that the class file names.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u16>,
    /// Whether it is code of a library.
    pub library: bool,
    /// The locks that the method holds at this place.
    pub locks: Vec<String>,
    /// Internal name of the class; empty for what the analysis makes up.
    #[serde(skip)]
    pub class: String,
}

impl Frame {
    /// `Account.java:12`, or the method if the class file does not say.
    pub fn position(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            _ => self.method.clone(),
        }
    }

    fn simple_name(&self) -> &str {
        self.method.rsplit('.').next().unwrap_or_default()
    }

    /// Whether it stands for no code of the program.
    pub fn is_accessor(&self) -> bool {
        site::is_accessor(self.simple_name())
    }

    /// The place as run-time reports have it; of what the analysis makes up, the whole text is the method's name.
    pub fn place(&self) -> Place {
        Place {
            class: self.class.clone(),
            method: if self.class.is_empty() { self.method.clone() } else { self.simple_name().to_owned() },
            descriptor: String::new(),
            offset: 0,
            line: self.line.map(u32::from),
            file: self.file.clone(),
        }
    }

    /// As a place of a path in documents.
    pub fn shown(&self) -> way::Frame<'_> {
        way::Frame { place: Cow::Owned(self.place()), locks: &self.locks, library: self.library }
    }
}
