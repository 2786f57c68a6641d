//! A listing of what is woven into a class: every call of a hook, found in the woven bytes themselves.

use std::fmt;

use classfile::instruction::walk;
use classfile::opcode::*;
use classfile::pool::tag::METHOD_REF;
use classfile::{Class, Malformed, Member, text};
use facts::hook::{HELPER_CLASS, Hook};

use crate::plan::WeaveError;
use crate::rewrite::additions::names_helper;
use crate::rewrite::code::Code;
use crate::rewrite::tables::Lines;

/// The calls of hooks in one class, in code order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// Internal name of the class.
    pub class: String,
    /// The fields that weaving added.
    pub fields: Vec<String>,
    /// The calls.
    pub calls: Vec<Call>,
}

/// One call of a hook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Name and descriptor of the method.
    pub method: String,
    /// Where the call stands in the woven code.
    pub offset: u32,
    /// Source line, where the class file tells it.
    pub line: Option<u32>,
    /// The hook.
    pub hook: Hook,
    /// The number of the site, or the mode of the lock.
    pub number: Option<i32>,
    /// What a field hook is about: class, name and descriptor.
    pub target: Option<String>,
}

/// Lists what is woven into a class.
///
/// # Errors
/// The class cannot be read.
pub fn listing(bytes: &[u8]) -> Result<Listing, WeaveError> {
    let class = Class::read(bytes)?;
    let name = |bytes: &[u8]| text(bytes).into_owned();
    let added = |field: &&Member<'_>| field.name.starts_with(facts::hook::MEMBER_PREFIX.as_bytes());
    let mut listing = Listing {
        class: name(class.pool.class_name(class.this_class)?),
        fields: class.fields.iter().filter(added).map(|field| name(field.name)).collect(),
        calls: Vec::new(),
    };
    if names_helper(&class.pool) {
        for method in &class.methods {
            // A method that cannot be read was not woven either.
            listing.calls.extend(calls_in(&class, method).unwrap_or_default());
        }
    }
    Ok(listing)
}

fn calls_in(class: &Class<'_>, method: &Member<'_>) -> Result<Vec<Call>, Malformed> {
    let mut calls = Vec::new();
    let Some(span) = method.code.clone() else { return Ok(calls) };
    let contents = &class.bytes[span];
    let mut instructions = walk(classfile::Code::instructions(contents)?).flatten();
    if !instructions.any(|instruction| instruction.opcode() == INVOKESTATIC) {
        return Ok(calls);
    }
    let code = Code::read(contents)?;
    let lines = Lines::of(&code, &class.pool);
    for index in (0..code.len()).filter(|index| code.instructions[*index].opcode == INVOKESTATIC) {
        let Some(hook) = called_hook(class, code.operand(index)) else { continue };
        let offset = code.instructions[index].at;
        calls.push(Call {
            method: text(method.name).into_owned() + &text(method.descriptor),
            offset,
            line: lines.line(offset),
            hook,
            number: index.checked_sub(1).and_then(|before| pushed_number(class, &code, before)),
            target: target(class, &code, index, hook),
        });
    }
    Ok(calls)
}

fn called_hook(class: &Class<'_>, reference: u16) -> Option<Hook> {
    let method = (class.pool.tag(reference)? == METHOD_REF).then(|| class.pool.reference(reference).ok())??;
    if class.pool.class_name(method.class) != Ok(HELPER_CLASS.as_bytes()) {
        return None;
    }
    let is_called =
        |hook: &&Hook| hook.name().as_bytes() == method.name && hook.descriptor().as_bytes() == method.descriptor;
    Hook::ALL.iter().find(is_called).copied()
}

/// The number that an instruction pushes.
fn pushed_number(class: &Class<'_>, code: &Code<'_>, index: usize) -> Option<i32> {
    match code.instruction(index) {
        [opcode @ ICONST_M1..=ICONST_5] => Some(i32::from(*opcode) - i32::from(ICONST_0)),
        [BIPUSH, byte] => Some(byte.cast_signed().into()),
        [SIPUSH, high, low] => Some(i16::from_be_bytes([*high, *low]).into()),
        [LDC, constant] => class.pool.integer((*constant).into()),
        [LDC_W, high, low] => class.pool.integer(u16::from_be_bytes([*high, *low])),
        _ => None,
    }
}

/// A field hook stands right before the access, or right after it for a static field, with the number in between.
fn target(class: &Class<'_>, code: &Code<'_>, index: usize, hook: Hook) -> Option<String> {
    let access = match hook {
        Hook::ReadField | Hook::WriteField => index + 1,
        Hook::ReadStatic | Hook::WriteStatic => index.checked_sub(2)?,
        _ => return None,
    };
    let field = class.pool.reference(code.operand(access)).ok()?;
    let owner = class.pool.class_name(field.class).ok()?;
    let [owner, name, descriptor] = [owner, field.name, field.descriptor].map(text);
    Some(format!("{owner}.{name}:{descriptor}"))
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.class)?;
        for field in &self.fields {
            writeln!(f, "  + {field}")?;
        }
        let mut method = "";
        for call in &self.calls {
            if call.method != method {
                method = &call.method;
                writeln!(f, "  {method}")?;
            }
            writeln!(f, "    {call}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>5} ", self.offset)?;
        match self.line {
            Some(line) => write!(f, "line {line:<5} ")?,
            None => write!(f, "           ")?,
        }
        write!(f, "{}", self.hook.name())?;
        if let Some(number) = self.number {
            write!(f, " #{number}")?;
        }
        if let Some(target) = &self.target {
            write!(f, " {target}")?;
        }
        Ok(())
    }
}
