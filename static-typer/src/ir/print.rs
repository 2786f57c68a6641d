//! The intermediate form as text, one instruction a line; [`super::parse`] reads it back.
//!
//! ```text
//! bank/Account.deposit(I)V
//! block0:
//!     v0 = parameter 0 : bank/Account @0
//!     v1 = parameter 1 : int @0
//!     v2 = jump block1 @0
//! block1 from block0:
//!     v3 = get-field v0 bank/Account.balance:I : int @2
//! ```

use std::fmt::Write as _;

use super::{Arithmetic, Block, Body, Call, Condition, Op, Value};
use crate::program::{Constant, Descriptor, MemberRef, Name, Program, Type, escape};

/// The words for [`Arithmetic`], in its order.
pub(super) const ARITHMETIC: [(Arithmetic, &str); 14] = [
    (Arithmetic::Add, "add"),
    (Arithmetic::Subtract, "subtract"),
    (Arithmetic::Multiply, "multiply"),
    (Arithmetic::Divide, "divide"),
    (Arithmetic::Remainder, "remainder"),
    (Arithmetic::ShiftLeft, "shift-left"),
    (Arithmetic::ShiftRight, "shift-right"),
    (Arithmetic::UnsignedShiftRight, "unsigned-shift-right"),
    (Arithmetic::And, "and"),
    (Arithmetic::Or, "or"),
    (Arithmetic::Xor, "xor"),
    (Arithmetic::Compare, "compare"),
    (Arithmetic::CompareLess, "compare-less"),
    (Arithmetic::CompareGreater, "compare-greater"),
];
/// The words for [`Condition`].
pub(super) const CONDITIONS: [(Condition, &str); 6] = [
    (Condition::Equal, "equal"),
    (Condition::NotEqual, "not-equal"),
    (Condition::Less, "less"),
    (Condition::GreaterOrEqual, "greater-or-equal"),
    (Condition::Greater, "greater"),
    (Condition::LessOrEqual, "less-or-equal"),
];
/// The words for [`Call`].
pub(super) const CALLS: [(Call, &str); 4] =
    [(Call::Virtual, "virtual"), (Call::Special, "special"), (Call::Static, "static"), (Call::Interface, "interface")];
/// The word for a thing in one of these tables.
fn word<T: PartialEq>(table: &[(T, &'static str)], thing: T) -> &'static str {
    table.iter().find(|(known, _)| *known == thing).map_or("?", |(_, word)| word)
}

impl Body {
    /// The body as text.
    #[must_use]
    pub fn print(&self, program: &Program) -> String {
        let mut text = escape(program.method_name(self.method).as_bytes()) + "\n";
        for block in self.blocks() {
            text += &self.print_block(program, block);
        }
        text
    }

    fn print_block(&self, program: &Program, block: Block) -> String {
        let show = Show(program);
        let data = self.block(block);
        let mut text = format!("block{}", block.0);
        if !data.predecessors.is_empty() {
            let from: Vec<String> = data.predecessors.iter().map(|before| format!("block{}", before.0)).collect();
            text += &format!(" from {}", from.join(" "));
        }
        for (catch, handler) in &data.handlers {
            let what = catch.map_or_else(|| "any".to_owned(), |ty| show.ty(ty));
            text += &format!(" catch {what} block{}", handler.0);
        }
        text += ":\n";
        for value in self.values(block) {
            let instruction = self.instruction(value);
            let result =
                if instruction.ty == Type::VOID { String::new() } else { format!(" : {}", show.ty(instruction.ty)) };
            _ = writeln!(text, "    v{} = {}{result} @{}", value.0, show.op(&instruction.op), instruction.at);
        }
        text
    }
}

struct Show<'p>(&'p Program);

impl Show<'_> {
    fn op(&self, op: &Op) -> String {
        match op {
            Op::Parameter(n) => format!("parameter {n}"),
            Op::Caught => "caught".to_owned(),
            Op::Phi(values) => format!("phi{}", list(values)),
            Op::Null => "null".to_owned(),
            Op::Constant(constant) => self.constant(constant),
            Op::Arithmetic(operation, a, b) => format!("{} v{} v{}", word(&ARITHMETIC, *operation), a.0, b.0),
            Op::Negate(a) => format!("negate v{}", a.0),
            Op::Convert(a, to) => format!("convert v{} {}", a.0, self.ty(*to)),
            Op::New => "new".to_owned(),
            Op::NewArray(length) => format!("new-array v{}", length.0),
            Op::NewArrays(lengths) => format!("new-arrays{}", list(lengths)),
            Op::Length(array) => format!("length v{}", array.0),
            Op::LoadElement(array, index) => format!("load-element v{} v{}", array.0, index.0),
            Op::StoreElement(array, index, value) => format!("store-element v{} v{} v{}", array.0, index.0, value.0),
            Op::GetField(object, field) => format!("get-field v{} {}", object.0, self.member(*field)),
            Op::PutField(object, field, value) => {
                format!("put-field v{} {} v{}", object.0, self.member(*field), value.0)
            }
            Op::GetStatic(field) => format!("get-static {}", self.member(*field)),
            Op::PutStatic(field, value) => format!("put-static {} v{}", self.member(*field), value.0),
            Op::Invoke(call, method, arguments) => {
                format!("invoke-{} {}{}", word(&CALLS, *call), self.member(*method), list(arguments))
            }
            Op::InvokeDynamic(bootstrap, name, descriptor, arguments) => {
                format!("invoke-dynamic {bootstrap} {}{}", self.named(*name, *descriptor), list(arguments))
            }
            Op::Cast(value) => format!("cast v{}", value.0),
            Op::InstanceOf(value, ty) => format!("instance-of v{} {}", value.0, self.ty(*ty)),
            Op::Enter(value) => format!("enter v{}", value.0),
            Op::Exit(value) => format!("exit v{}", value.0),
            other => terminator(other),
        }
    }

    fn constant(&self, constant: &Constant) -> String {
        match constant {
            Constant::Other => "constant ?".to_owned(),
            Constant::Int(value) => format!("constant int {value}"),
            Constant::Long(value) => format!("constant long {value}"),
            Constant::Float(value) => format!("constant float {value:?}"),
            Constant::Double(value) => format!("constant double {value:?}"),
            Constant::String(text) => format!("constant string \"{}\"", escape(self.0.names().bytes(*text))),
            Constant::Class(ty) => format!("constant class {}", self.ty(*ty)),
            Constant::Member(member) => format!("constant member {}", self.member(*member)),
            Constant::Handle(handle) => format!("constant handle {} {}", handle.kind, self.member(handle.member)),
            Constant::MethodType(descriptor) => format!("constant method-type {}", self.descriptor(*descriptor)),
            Constant::Dynamic { bootstrap, name, descriptor } => {
                format!("constant dynamic {bootstrap} {}", self.named(*name, *descriptor))
            }
        }
    }

    fn ty(&self, ty: Type) -> String {
        self.0.names().show(ty)
    }

    /// `java/util/List.size:()I`, with `interface ` before a method that is named as an interface's.
    fn member(&self, member: MemberRef) -> String {
        let member = self.0.member(member);
        let of_interface = if member.of_interface { "interface " } else { "" };
        format!("{of_interface}{}.{}", self.ty(member.owner), self.named(member.name, member.descriptor))
    }

    fn named(&self, name: Name, descriptor: Descriptor) -> String {
        format!("{}:{}", escape(self.0.names().bytes(name)), self.descriptor(descriptor))
    }

    fn descriptor(&self, descriptor: Descriptor) -> String {
        escape(self.0.names().bytes(self.0.names().signature(descriptor).text))
    }
}

fn terminator(op: &Op) -> String {
    match op {
        Op::Jump(to) => format!("jump block{}", to.0),
        Op::Branch(condition, a, b, then, otherwise) => {
            let right = b.map_or_else(String::new, |b| format!(" v{}", b.0));
            format!("if-{} v{}{right} block{} block{}", word(&CONDITIONS, *condition), a.0, then.0, otherwise.0)
        }
        Op::Switch(value, default, cases) => {
            let cases: String = cases.iter().map(|(case, to)| format!(" {case} block{}", to.0)).collect();
            format!("switch v{} block{}{cases}", value.0, default.0)
        }
        Op::Return(Some(value)) => format!("return v{}", value.0),
        Op::Throw(value) => format!("throw v{}", value.0),
        _ => "return".to_owned(),
    }
}

fn list(values: &[Value]) -> String {
    values.iter().map(|value| format!(" v{}", value.0)).collect()
}
