//! Reading back what [`super::print`] wrote, for tests that are written in the intermediate form.

use std::str::FromStr;

use super::print::{ARITHMETIC, CALLS, CONDITIONS};
use super::{Block, BlockData, Body, Instruction, Malformed, Op, Value};
use crate::program::{
    Base, Constant, Descriptor, Handle, Member, MemberRef, MethodId, Name, PRIMITIVES, Program, Type,
};

impl Body {
    /// The body of a text. The names in it must occur in the program.
    ///
    /// # Errors
    /// The text is not the form of a body; the error names the line.
    pub fn parse(program: &Program, method: MethodId, text: &str) -> Result<Self, Malformed> {
        let mut body = Self { method, instructions: Vec::new(), blocks: Vec::new(), lines: Vec::new() };
        for line in text.lines().skip(1) {
            let mut words = Words { program, words: line.split_ascii_whitespace() };
            let parsed = if line.starts_with(' ') { words.instruction(&mut body) } else { words.block(&mut body) };
            parsed.ok_or_else(|| Malformed(format!("a line that cannot be read: {line}")))?;
        }
        Ok(body)
    }
}

struct Words<'p, 't> {
    program: &'p Program,
    words: std::str::SplitAsciiWhitespace<'t>,
}

impl Words<'_, '_> {
    fn block(&mut self, body: &mut Body) -> Option<()> {
        let start = body.instructions.len() as u32;
        let mut data = BlockData { instructions: start..start, predecessors: Vec::new(), handlers: Vec::new() };
        self.words.next()?;
        let mut next = self.words.next();
        while let Some(word) = next {
            match word {
                "from" => {}
                "catch" => {
                    let what = self.words.next()?;
                    let what = if what == "any" { None } else { Some(self.type_of(what)?) };
                    data.handlers.push((what, block(self.words.next()?.trim_end_matches(':'))?));
                }
                before => data.predecessors.push(block(before.trim_end_matches(':'))?),
            }
            next = self.words.next();
        }
        body.blocks.push(data);
        Some(())
    }

    fn instruction(&mut self, body: &mut Body) -> Option<()> {
        let (_, _, word) = (self.words.next()?, self.words.next()?, self.words.next()?);
        let op = self.op(word)?;
        let mut ty = Type::VOID;
        let mut last = self.words.next()?;
        if last == ":" {
            ty = self.ty()?;
            last = self.words.next()?;
        }
        let at = last.strip_prefix('@')?.parse().ok()?;
        body.instructions.push(Instruction { op, ty, at });
        body.blocks.last_mut()?.instructions.end += 1;
        Some(())
    }

    fn op(&mut self, word: &str) -> Option<Op> {
        Some(match word {
            "parameter" => Op::Parameter(self.number()?),
            "caught" => Op::Caught,
            "phi" => Op::Phi(self.values()),
            "null" => Op::Null,
            "constant" => Op::Constant(self.constant()?),
            "negate" => Op::Negate(self.value()?),
            "convert" => Op::Convert(self.value()?, self.ty()?),
            "new" => Op::New,
            "new-array" => Op::NewArray(self.value()?),
            "new-arrays" => Op::NewArrays(self.values()),
            "length" => Op::Length(self.value()?),
            "load-element" => Op::LoadElement(self.value()?, self.value()?),
            "store-element" => Op::StoreElement(self.value()?, self.value()?, self.value()?),
            "get-field" => Op::GetField(self.value()?, self.member(true)?),
            "put-field" => Op::PutField(self.value()?, self.member(true)?, self.value()?),
            "get-static" => Op::GetStatic(self.member(true)?),
            "put-static" => Op::PutStatic(self.member(true)?, self.value()?),
            "invoke-dynamic" => {
                let bootstrap = self.number()?;
                let (name, descriptor) = self.named(self.words.clone().next()?)?;
                self.words.next();
                Op::InvokeDynamic(bootstrap, name, descriptor, self.values())
            }
            "cast" => Op::Cast(self.value()?),
            "instance-of" => Op::InstanceOf(self.value()?, self.ty()?),
            "enter" => Op::Enter(self.value()?),
            "exit" => Op::Exit(self.value()?),
            "jump" => Op::Jump(self.block_word()?),
            "switch" => Op::Switch(self.value()?, self.block_word()?, self.cases()),
            "return" => Op::Return(self.value()),
            "throw" => Op::Throw(self.value()?),
            other => self.op_in_a_table(other)?,
        })
    }

    fn op_in_a_table(&mut self, word: &str) -> Option<Op> {
        if let Some(operation) = thing(&ARITHMETIC, word) {
            return Some(Op::Arithmetic(operation, self.value()?, self.value()?));
        }
        if let Some(condition) = word.strip_prefix("if-").and_then(|word| thing(&CONDITIONS, word)) {
            let (left, right) = (self.value()?, self.value());
            return Some(Op::Branch(condition, left, right, self.block_word()?, self.block_word()?));
        }
        let call = word.strip_prefix("invoke-").and_then(|word| thing(&CALLS, word))?;
        Some(Op::Invoke(call, self.member(false)?, self.values()))
    }

    fn constant(&mut self) -> Option<Constant> {
        Some(match self.words.next()? {
            "int" => Constant::Int(self.number()?),
            "long" => Constant::Long(self.number()?),
            "float" => Constant::Float(self.number()?),
            "double" => Constant::Double(self.number()?),
            "string" => {
                let text = self.words.next()?.strip_prefix('"')?.strip_suffix('"')?;
                Constant::String(self.name(text)?)
            }
            "class" => Constant::Class(self.ty()?),
            "handle" => {
                let kind: u8 = self.number()?;
                Constant::Handle(Handle { kind, member: self.member(kind < 5)? })
            }
            "method-type" => {
                let text = unescape(self.words.next()?)?;
                Constant::MethodType(self.program.names().get_descriptor(&text)?)
            }
            "dynamic" => {
                let bootstrap = self.number()?;
                let word = self.words.next()?;
                let (name, descriptor) = self.named(word)?;
                Constant::Dynamic { bootstrap, name, descriptor }
            }
            _ => return None,
        })
    }

    fn number<T: FromStr>(&mut self) -> Option<T> {
        self.words.next()?.parse().ok()
    }

    /// Takes the next word if it is a value.
    fn value(&mut self) -> Option<Value> {
        let mut ahead = self.words.clone();
        let value = ahead.next()?.strip_prefix('v')?.parse().ok()?;
        self.words = ahead;
        Some(Value(value))
    }

    fn values(&mut self) -> Box<[Value]> {
        std::iter::from_fn(|| self.value()).collect()
    }

    fn block_word(&mut self) -> Option<Block> {
        block(self.words.next()?)
    }

    fn cases(&mut self) -> Box<[(i32, Block)]> {
        let next = || {
            let mut ahead = self.words.clone();
            let case = (ahead.next()?.parse().ok()?, block(ahead.next()?)?);
            self.words = ahead;
            Some(case)
        };
        std::iter::from_fn(next).collect()
    }

    fn ty(&mut self) -> Option<Type> {
        let word = self.words.next()?;
        self.type_of(word)
    }

    fn type_of(&self, word: &str) -> Option<Type> {
        let base = word.trim_end_matches("[]");
        let dimensions = u8::try_from((word.len() - base.len()) / 2).ok()?;
        let base = match thing(&PRIMITIVES, base) {
            Some(primitive) => primitive,
            None => Base::Class(self.name(base.strip_prefix('/').unwrap_or(base))?),
        };
        Some(Type { dimensions, base })
    }

    fn name(&self, word: &str) -> Option<Name> {
        self.program.names().get(&unescape(word)?)
    }

    fn named(&self, word: &str) -> Option<(Name, Descriptor)> {
        let (name, descriptor) = word.split_once(':')?;
        Some((self.name(name)?, self.program.names().get_descriptor(&unescape(descriptor)?)?))
    }

    fn member(&mut self, is_field: bool) -> Option<MemberRef> {
        let mut word = self.words.next()?;
        let of_interface = word == "interface";
        if of_interface {
            word = self.words.next()?;
        }
        let (owner, rest) = word.split_once('.')?;
        let owner = self.type_of(owner)?;
        let (name, descriptor) = self.named(rest)?;
        self.program.find_member(&Member { owner, name, descriptor, is_field, of_interface })
    }
}

fn thing<T: Copy>(table: &[(T, &str)], word: &str) -> Option<T> {
    table.iter().find(|(_, known)| *known == word).map(|(thing, _)| *thing)
}

fn block(word: &str) -> Option<Block> {
    Some(Block(word.strip_prefix("block")?.parse().ok()?))
}

/// Undoes [`crate::program::escape`].
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut rest = text;
    let mut plain = Vec::with_capacity(text.len());
    while let Some((before, after)) = rest.split_once('\\') {
        let (code, behind) = after.split_once('}')?;
        let (kind, digits) = code.split_once('{')?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        plain.extend_from_slice(before.as_bytes());
        match kind {
            "u" => plain.extend_from_slice(char::from_u32(number)?.encode_utf8(&mut [0; 4]).as_bytes()),
            _ => plain.push(u8::try_from(number).ok()?),
        }
        rest = behind;
    }
    plain.extend_from_slice(rest.as_bytes());
    Some(plain)
}
