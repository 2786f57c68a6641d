//! Puts woven code, added constants and added fields into the original bytes; everything else stays as it is.

use std::collections::BTreeSet;
use std::ops::Range;

use classfile::{Class, Member, flag, modified, text};
use facts::access::Granularity;
use facts::hook::{
    ARRAY_SHADOW_DESCRIPTOR, ENTRY, Events, MEMBER_PREFIX, OBJECT_NUMBER, OBJECT_SHADOW, SHADOW_DESCRIPTOR,
    array_shadow_name, shadow_name,
};

use crate::plan::{Plan, WeaveError};
use crate::rewrite::additions::Additions;
use crate::rewrite::entries;
use crate::rewrite::writer::{patch4, push2, push4};
use crate::select;

/// Marks fields that HotSpot is to lay out as a group of their own.
const CONTENDED: &[u8] = b"Ljdk/internal/vm/annotation/Contended;";

/// New bytes for parts of the class file.
#[derive(Default)]
pub(crate) struct Splice {
    bytes: Vec<u8>,
    /// What is replaced, and by what, in file order.
    patches: Vec<(Range<usize>, Range<usize>)>,
    /// `field_info` structures to append.
    fields: Vec<u8>,
    n_fields: u16,
}

impl Splice {
    /// Replaces the contents of an attribute by what `write` appends; attributes must come in file order.
    pub fn replace<E>(
        &mut self,
        contents: Range<usize>,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.bytes.len();
        // The length, which stands before the contents.
        push4(&mut self.bytes, 0);
        let result = write(&mut self.bytes);
        if result.is_ok() {
            patch4(&mut self.bytes, start);
            self.patches.push((contents.start - 4..contents.end, start..self.bytes.len()));
        } else {
            self.bytes.truncate(start);
        }
        result
    }

    /// Adds the fields that the plan asks for. The same class and plan give the same fields in the same order: redefining a
    /// class requires that.
    pub fn add_fields(
        &mut self,
        class: &Class<'_>,
        plan: &Plan<'_>,
        additions: &mut Additions,
    ) -> Result<(), WeaveError> {
        let mut names: Vec<(String, &str)> = Vec::new();
        if plan.shadows && !class.is_interface() {
            match plan.granularity {
                Granularity::Field => names.extend(shadows(class, plan, |_| true)),
                Granularity::Object => {
                    if !plan.super_shadows {
                        names.push((OBJECT_SHADOW.to_owned(), plan.events.shadow_descriptor()));
                    }
                    // What a volatile field orders has nothing to do with the other fields.
                    names.extend(shadows(class, plan, |field| field.access & flag::VOLATILE != 0));
                }
            }
            names.extend(array_shadows(class, plan));
            if plan.events.contains(Events::ORDER) && !plan.super_shadows {
                names.push((OBJECT_NUMBER.to_owned(), SHADOW_DESCRIPTOR));
            }
        }
        if plan.carries && entries::are_carried(class, names.len()) {
            names.push((ENTRY.0.to_owned(), ENTRY.1));
        }
        let mut seen = BTreeSet::new();
        for (name, descriptor) in &names {
            if seen.insert(name) && class.field(&modified(name), descriptor.as_bytes()).is_none() {
                self.add_field(flag::PRIVATE, name, descriptor, additions)?;
                self.end_field(plan.shadows_last, additions)?;
            }
        }
        let further = if class.is_interface() { &[] } else { plan.add_fields };
        for (name, descriptor) in further {
            self.add_field(0, name, descriptor, additions)?;
            self.end_field(false, additions)?;
        }
        if usize::from(self.n_fields) + class.fields.len() > 65535 {
            return Err(WeaveError::Malformed("too many fields"));
        }
        Ok(())
    }

    /// Adds a field up to its attributes.
    fn add_field(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        additions: &mut Additions,
    ) -> Result<(), WeaveError> {
        let (name, descriptor) = (additions.utf8(&modified(name))?, additions.utf8(descriptor.as_bytes())?);
        for value in [access | flag::TRANSIENT | flag::SYNTHETIC, name, descriptor] {
            push2(&mut self.fields, value);
        }
        self.n_fields = self.n_fields.saturating_add(1);
        Ok(())
    }

    /// Adds the attributes of a field: none, or `@Contended("$jrace$")` (JVMS 4.7.16).
    fn end_field(&mut self, is_contended: bool, additions: &mut Additions) -> Result<(), WeaveError> {
        push2(&mut self.fields, is_contended.into());
        if is_contended {
            let [attribute, annotation, element, group] =
                [&b"RuntimeVisibleAnnotations"[..], CONTENDED, b"value", MEMBER_PREFIX.as_bytes()]
                    .map(|text| additions.utf8(text));
            for value in [attribute?, 0, 11, 1, annotation?, 1, element?] {
                push2(&mut self.fields, value);
            }
            self.fields.push(b's');
            push2(&mut self.fields, group?);
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.patches.is_empty() && self.fields.is_empty()
    }

    /// The woven class file.
    pub fn join(self, class: &Class<'_>, additions: &Additions) -> Vec<u8> {
        let old = class.bytes;
        let mut new = Vec::with_capacity(old.len() + self.bytes.len() + self.fields.len() + additions.bytes.len());
        new.extend_from_slice(&old[..8]);
        push2(&mut new, additions.count());
        new.extend_from_slice(&old[10..class.pool_end]);
        new.extend_from_slice(&additions.bytes);
        new.extend_from_slice(&old[class.pool_end..class.fields_span.start]);
        push2(&mut new, class.fields.len() as u16 + self.n_fields);
        new.extend_from_slice(&old[class.fields_span.start + 2..class.fields_span.end]);
        new.extend_from_slice(&self.fields);
        let mut copied = class.fields_span.end;
        for (part, bytes) in self.patches {
            new.extend_from_slice(&old[copied..part.start]);
            new.extend_from_slice(&self.bytes[bytes]);
            copied = part.end;
        }
        new.extend_from_slice(&old[copied..]);
        new
    }
}

/// A shadow word for each field that the class checks.
fn shadows<'a>(
    class: &Class<'_>,
    plan: &Plan<'a>,
    has_its_own: impl Fn(&Member<'_>) -> bool,
) -> impl Iterator<Item = (String, &'a str)> {
    let is_shadowed = move |field: &&Member<'_>| {
        field.access & flag::STATIC == 0
            && select::is_checked(field.access, plan.events)
            && !select::is_added(field.name)
            && has_its_own(field)
    };
    let name = |field: &Member<'_>| shadow_name(&text(field.name), &text(field.descriptor));
    class.fields.iter().filter(is_shadowed).map(move |field| (name(field), plan.events.shadow_descriptor()))
}

/// A field for the shadow of each array in a final field.
fn array_shadows<'a>(class: &Class<'_>, plan: &Plan<'a>) -> impl Iterator<Item = (String, &'a str)> {
    let finals = class.fields.iter().filter(|field| select::is_final_array(field, plan.events));
    finals.map(|field| (array_shadow_name(&text(field.name)), ARRAY_SHADOW_DESCRIPTOR))
}
