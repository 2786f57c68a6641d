//! Definitions as bytes.
//!
//! A string is its number in the file's table; the number after the last stands for a new one, whose length and bytes
//! follow. Names of threads are not numbered, since they seldom repeat.

use std::collections::HashMap;
use std::sync::Arc;

use super::bytes::{Bytes, put};
use super::event_code::FIRST_DEFINITION;
use super::{FieldDefinition, MAX_STRING, Record};
use crate::access::AccessKind;
use crate::index::{FieldId, ObjectId, SiteId, ThreadId};
use crate::site::{Action, ArrayRef, FieldRef, Place, Site};

const SITE: u8 = FIRST_DEFINITION;
const FIELD: u8 = FIRST_DEFINITION + 1;
const THREAD: u8 = FIRST_DEFINITION + 2;
const OBJECT: u8 = FIRST_DEFINITION + 3;

/// Appends definitions to a block; numbers the strings.
pub(super) struct Encoder<'a> {
    pub(super) out: &'a mut Vec<u8>,
    pub(super) strings: &'a mut HashMap<Box<str>, u64>,
}

impl Encoder<'_> {
    pub(super) fn site(&mut self, id: SiteId, site: &Site) {
        self.start(SITE, id.0.into());
        self.place(&site.place);
        match &site.action {
            Action::Field(kind, field) => self.field_action(write_bit(*kind), field),
            Action::Static(kind, field) => self.field_action(2 + write_bit(*kind), field),
            Action::Array(kind, array) => self.array_action(4 + write_bit(*kind), array),
            Action::Enter => put(self.out, 6),
            Action::Exit => put(self.out, 7),
            Action::ClassInit => put(self.out, 8),
            Action::Monitor => put(self.out, 9),
            Action::Transaction => put(self.out, 10),
            Action::Contents(kind) => put(self.out, 12 + write_bit(*kind)),
        }
    }

    pub(super) fn field(&mut self, id: FieldId, field: &FieldDefinition) {
        self.start(FIELD, id.0.into());
        self.string(&field.class);
        self.string(&field.name);
        self.string(&field.descriptor);
        put(self.out, field.flags.into());
    }

    pub(super) fn thread(&mut self, id: ThreadId, name: &str) {
        self.start(THREAD, id.0.into());
        self.raw(cut(name));
    }

    pub(super) fn object(&mut self, id: ObjectId, class: &str) {
        self.start(OBJECT, id.0);
        self.string(class);
    }

    fn start(&mut self, operation: u8, id: u64) {
        self.out.push(operation);
        put(self.out, id);
    }

    fn place(&mut self, place: &Place) {
        self.string(&place.class);
        self.string(&place.method);
        self.string(&place.descriptor);
        put(self.out, place.offset.into());
        put(self.out, place.line.map_or(0, |line| u64::from(line) + 1));
        self.optional(place.file.as_deref(), Self::string);
    }

    fn field_action(&mut self, action: u64, field: &FieldRef) {
        put(self.out, action);
        self.field_ref(field);
    }

    fn array_action(&mut self, action: u64, array: &ArrayRef) {
        put(self.out, action);
        put(self.out, u32::from(array.element).into());
        self.optional(array.origin.as_ref(), |encoder, (field, depth)| {
            encoder.field_ref(field);
            encoder.out.push(*depth);
        });
    }

    fn field_ref(&mut self, field: &FieldRef) {
        self.string(&field.class);
        self.string(&field.name);
        self.string(&field.descriptor);
    }

    fn optional<T>(&mut self, value: Option<T>, encode: impl FnOnce(&mut Self, T)) {
        self.out.push(u8::from(value.is_some()));
        if let Some(value) = value {
            encode(self, value);
        }
    }

    fn string(&mut self, text: &str) {
        let text = cut(text);
        if let Some(number) = self.strings.get(text) {
            return put(self.out, *number);
        }
        let number = self.strings.len() as u64;
        self.strings.insert(text.into(), number);
        put(self.out, number);
        self.raw(text);
    }

    fn raw(&mut self, text: &str) {
        put(self.out, text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }
}

fn write_bit(kind: AccessKind) -> u64 {
    u64::from(kind == AccessKind::Write)
}

/// The text, or as much of it as fits.
pub(super) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_STRING)]
}

/// Reads definitions. Every method returns `None` when the bytes are not what the format allows.
pub(super) struct Decoder<'a, 'b> {
    pub(super) bytes: &'a mut Bytes<'b>,
    pub(super) strings: &'a mut Vec<Arc<str>>,
}

impl Decoder<'_, '_> {
    pub(super) fn definition(&mut self, operation: u8) -> Option<Record> {
        Some(match operation {
            SITE => Record::Site(SiteId(self.bytes.number_as()?), Box::new(self.site()?)),
            FIELD => Record::Field(FieldId(self.bytes.number_as()?), self.field()?),
            THREAD => Record::Thread(ThreadId(self.bytes.number_as()?), self.raw()?.to_owned()),
            OBJECT => Record::Object(ObjectId(self.bytes.number()?), self.string()?),
            _ => return None,
        })
    }

    fn site(&mut self) -> Option<Site> {
        let place = self.place()?;
        let action = self.bytes.number()?;
        let kind = if action & 1 == 0 { AccessKind::Read } else { AccessKind::Write };
        let action = match action {
            0 | 1 => Action::Field(kind, self.field_ref()?),
            2 | 3 => Action::Static(kind, self.field_ref()?),
            4 | 5 => Action::Array(kind, self.array_ref()?),
            6 => Action::Enter,
            7 => Action::Exit,
            8 => Action::ClassInit,
            9 => Action::Monitor,
            10 => Action::Transaction,
            12 | 13 => Action::Contents(kind),
            _ => return None,
        };
        Some(Site { place, action })
    }

    fn place(&mut self) -> Option<Place> {
        let (class, method, descriptor) = (self.string()?, self.string()?, self.string()?);
        let offset = self.bytes.number_as()?;
        let line = match self.bytes.number()? {
            0 => None,
            line => Some(u32::try_from(line - 1).ok()?),
        };
        let file = self.optional(Self::string)?;
        Some(Place { class, method, descriptor, offset, line, file })
    }

    fn field(&mut self) -> Option<FieldDefinition> {
        let FieldRef { class, name, descriptor } = self.field_ref()?;
        Some(FieldDefinition { class, name, descriptor, flags: self.bytes.number_as()? })
    }

    fn field_ref(&mut self) -> Option<FieldRef> {
        Some(FieldRef { class: self.string()?, name: self.string()?, descriptor: self.string()? })
    }

    fn array_ref(&mut self) -> Option<ArrayRef> {
        let element = char::from_u32(self.bytes.number_as()?)?;
        let origin = self.optional(|decoder| Some((decoder.field_ref()?, decoder.bytes.byte()?)))?;
        Some(ArrayRef { element, origin })
    }

    fn optional<T>(&mut self, decode: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.bytes.byte()? {
            0 => Some(None),
            1 => decode(self).map(Some),
            _ => None,
        }
    }

    fn string(&mut self) -> Option<String> {
        let number: usize = self.bytes.number_as()?;
        if number == self.strings.len() {
            let text = self.raw()?.into();
            self.strings.push(text);
        }
        self.strings.get(number).map(|text| String::from(&**text))
    }

    fn raw(&mut self) -> Option<&str> {
        let length = self.bytes.number_as().filter(|length| *length <= MAX_STRING)?;
        std::str::from_utf8(self.bytes.slice(length)?).ok()
    }
}
