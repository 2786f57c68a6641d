//! From bytecode to SSA: the operand stack is simulated, block by block.

use classfile::attribute::line_numbers;
use classfile::instruction::{self, between};
use classfile::opcode::*;
use classfile::{Code, Flow};
use rustc_hash::FxHashMap;

use super::flow::{Graph, Kind};
use super::{Arithmetic, Block, Body, Call, Condition, Instruction, Malformed, Op, Value, typing};
use crate::program::{Base, ClassId, Constant, MemberRef, MethodId, Name, Program, Type};

pub(super) fn build(program: &Program, method: MethodId, contents: &[u8]) -> Result<Body, Malformed> {
    let class = program.method(method).class;
    let code = Code::read(contents)?;
    let graph = Graph::of(&code)?;
    let mut builder = Builder::new(program, method, &code, &graph);
    for node in 0..graph.nodes.len() {
        builder.translate(node)?;
    }
    builder.complete_phis();
    builder.lines = lines(&code, |name| program.names_lines(class, name));
    let mut body = builder.finish()?;
    typing::infer(program, &mut body)?;
    Ok(body)
}

/// Offset and line, by offset; `is_lines` tells the names of line tables from those of other attributes.
fn lines(code: &Code<'_>, is_lines: impl Fn(u16) -> bool) -> Vec<(u16, u16)> {
    let tables = code.attributes.iter().filter(|(name, _)| is_lines(*name));
    let mut lines: Vec<(u16, u16)> = tables.flat_map(|(_, contents)| line_numbers(contents)).collect();
    lines.sort_unstable();
    lines
}

/// The first variable that stands for a stack entry; those below are local variables.
pub(super) const STACK: u32 = 1 << 16;
/// What a variable is before it is assigned. The JVM lets no code read it.
pub(super) const UNDEFINED: Value = Value(u32::MAX);

/// A value on the simulated stack; a wide one takes two slots.
#[derive(Clone, Copy)]
struct Entry {
    value: Value,
    wide: bool,
}

/// The method as far as it is translated. Values are numbered anew when all phis are known.
pub(super) struct Builder<'p> {
    pub program: &'p Program,
    pub method: MethodId,
    class: ClassId,
    pub code: &'p Code<'p>,
    pub graph: &'p Graph,
    pub lines: Vec<(u16, u16)>,
    pub instructions: Vec<Instruction>,
    /// The instructions of each node without its phis.
    pub lists: Vec<Vec<Value>>,
    pub phis: Vec<Vec<Value>>,
    /// The variables that a node assigns, with their last values.
    pub assigned: Vec<FxHashMap<u32, Value>>,
    /// The values of variables at the beginning of a node, as far as they were asked for.
    pub at_entry: Vec<FxHashMap<u32, Value>>,
    /// Phis without operands: node, variable, phi.
    pub pending: Vec<(usize, u32, Value)>,
    /// Whether each stack entry at the beginning of a node is wide.
    shapes: Vec<Option<Vec<bool>>>,
    stack: Vec<Entry>,
    /// The node and the offset that are translated.
    node: usize,
    at: u32,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program, method: MethodId, code: &'p Code<'p>, graph: &'p Graph) -> Self {
        let n = graph.nodes.len();
        Self {
            program,
            method,
            class: program.method(method).class,
            code,
            graph,
            lines: Vec::new(),
            instructions: Vec::new(),
            lists: vec![Vec::new(); n],
            phis: vec![Vec::new(); n],
            assigned: vec![FxHashMap::default(); n],
            at_entry: vec![FxHashMap::default(); n],
            pending: Vec::new(),
            shapes: vec![None; n],
            stack: Vec::new(),
            node: 0,
            at: 0,
        }
    }

    fn translate(&mut self, node: usize) -> Result<(), Malformed> {
        self.node = node;
        let shape = self.shapes[node].get_or_insert_default().clone();
        let entries = shape.iter().enumerate().map(|(n, wide)| (STACK + n as u32, *wide));
        self.stack =
            entries.map(|(variable, wide)| Entry { value: self.read_at_entry(node, variable), wide }).collect();
        match self.graph.nodes[node].kind {
            Kind::Entry => self.parameters()?,
            Kind::Landing { catch_type, target } => self.caught(catch_type, target)?,
            Kind::Code { start, end } => self.block(start, end)?,
        }
        if !self.lists[node].last().is_some_and(|last| self.instructions[last.index()].op.is_terminator()) {
            let to = self.successor(0)?;
            self.emit(Op::Jump(to), Type::VOID);
        }
        self.leave()
    }

    fn parameters(&mut self) -> Result<(), Malformed> {
        let method = self.program.method(self.method);
        let receiver = (!method.is_static()).then(|| Type::class(self.program.class(self.class).name));
        let signature = self.program.signature(self.method);
        let mut local = 0;
        for (n, ty) in receiver.into_iter().chain(signature.parameters.iter().copied()).enumerate() {
            let value = self.emit(Op::Parameter(n as u16), ty.on_stack());
            self.assign(local, value)?;
            local += 1 + u32::from(ty.is_wide());
        }
        Ok(())
    }

    fn caught(&mut self, catch_type: u16, target: u32) -> Result<(), Malformed> {
        self.at = target;
        let ty = match catch_type {
            0 => Type::class(Name::THROWABLE),
            index => self.class_constant(index)?,
        };
        self.produce(Op::Caught, ty);
        Ok(())
    }

    fn block(&mut self, start: u32, end: u32) -> Result<(), Malformed> {
        for instruction in between(self.code.bytes, start, end) {
            let instruction = instruction?;
            self.at = instruction.at;
            self.instruction(instruction)?;
        }
        self.at = end;
        Ok(())
    }

    /// Hands the stack on to the successors.
    fn leave(&mut self) -> Result<(), Malformed> {
        let shape: Vec<bool> = self.stack.iter().map(|entry| entry.wide).collect();
        for (n, entry) in std::mem::take(&mut self.stack).into_iter().enumerate() {
            self.assigned[self.node].insert(STACK + n as u32, entry.value);
        }
        let node = &self.graph.nodes[self.node];
        for to in &node.successors {
            if self.shapes[*to].get_or_insert_with(|| shape.clone()) != &shape {
                return Malformed::new("stacks of different heights at one place");
            }
        }
        for (_, landing) in &node.handlers {
            self.shapes[*landing].get_or_insert_default();
        }
        Ok(())
    }

    fn emit(&mut self, op: Op, ty: Type) -> Value {
        let value = self.new_value(op, ty, self.at);
        self.lists[self.node].push(value);
        value
    }

    pub fn new_value(&mut self, op: Op, ty: Type, at: u32) -> Value {
        self.instructions.push(Instruction { op, ty, at: at as u16 });
        Value(self.instructions.len() as u32 - 1)
    }

    /// Emits an instruction and pushes its result.
    fn produce(&mut self, op: Op, ty: Type) {
        let value = self.emit(op, ty);
        self.push(value, ty);
    }

    fn push(&mut self, value: Value, ty: Type) {
        self.stack.push(Entry { value, wide: ty.is_wide() });
    }

    fn pop(&mut self) -> Result<Value, Malformed> {
        let entry = self.stack.pop().ok_or_else(|| Malformed("an empty stack".to_owned()))?;
        if entry.value == UNDEFINED { Malformed::new("a variable that was not set") } else { Ok(entry.value) }
    }

    fn assign(&mut self, local: u32, value: Value) -> Result<(), Malformed> {
        if local >= self.code.max_locals.into() {
            return Malformed::new("a local variable too far");
        }
        self.assigned[self.node].insert(local, value);
        Ok(())
    }

    fn local(&mut self, local: u32) -> Result<Value, Malformed> {
        let value = match self.assigned[self.node].get(&local) {
            Some(value) => *value,
            None => self.read_at_entry(self.node, local),
        };
        if value == UNDEFINED { Malformed::new("a local variable that was not set") } else { Ok(value) }
    }

    fn successor(&self, n: usize) -> Result<Block, Malformed> {
        let to = self.graph.nodes[self.node].successors.get(n);
        to.map_or_else(|| Malformed::new("a jump to nowhere"), |to| Ok(Block(*to as u32)))
    }

    fn class_constant(&self, index: u16) -> Result<Type, Malformed> {
        match self.program.constant(self.class, index) {
            Constant::Class(ty) => Ok(ty),
            _ => Malformed::new("a constant that is no class"),
        }
    }

    fn member(&self, index: u16, is_field: bool) -> Result<(MemberRef, Type), Malformed> {
        match self.program.constant(self.class, index) {
            Constant::Member(member) if self.program.member(member).is_field == is_field => {
                let descriptor = self.program.member(member).descriptor;
                Ok((member, self.program.names().signature(descriptor).result))
            }
            _ => Malformed::new("a constant that is no member"),
        }
    }

    fn instruction(&mut self, instruction: instruction::Instruction<'_>) -> Result<(), Malformed> {
        let opcode = instruction.opcode();
        match opcode {
            NOP => {}
            ACONST_NULL => self.produce(Op::Null, Type::NULL),
            ICONST_M1..=ICONST_5 => {
                self.push_constant(Constant::Int(i32::from(opcode) - i32::from(ICONST_0)), Type::INT);
            }
            LCONST_0 | LCONST_1 => self.push_constant(Constant::Long((opcode - LCONST_0).into()), Type::LONG),
            FCONST_0..=FCONST_2 => self.push_constant(Constant::Float((opcode - FCONST_0).into()), Type::FLOAT),
            DCONST_0 | DCONST_1 => self.push_constant(Constant::Double((opcode - DCONST_0).into()), Type::DOUBLE),
            BIPUSH => self.push_constant(Constant::Int(instruction.u1(1).cast_signed().into()), Type::INT),
            SIPUSH => self.push_constant(Constant::Int(instruction.u2(1).cast_signed().into()), Type::INT),
            LDC..=LDC2_W => self.load_constant(instruction.index())?,
            ILOAD..=ALOAD => self.load_local(opcode, instruction.u1(1).into())?,
            ILOAD_0..=ALOAD_3 => {
                self.load_local(ILOAD + (opcode - ILOAD_0) / 4, u32::from(opcode - ILOAD_0) % 4)?;
            }
            IALOAD..=SALOAD => self.load_element(opcode)?,
            ISTORE..=ASTORE => self.store_local(instruction.u1(1).into())?,
            ISTORE_0..=ASTORE_3 => self.store_local(u32::from(opcode - ISTORE_0) % 4)?,
            IASTORE..=SASTORE => self.store_element()?,
            POP..=SWAP => self.shuffle(opcode)?,
            IADD..=LXOR | LCMP..=DCMPG => self.arithmetic(opcode)?,
            IINC => self.increment(instruction.u1(1).into(), instruction.u1(2).cast_signed().into())?,
            I2L..=I2S => self.convert(opcode)?,
            IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL => self.branch(opcode)?,
            JSR | JSR_W => self.push_constant(Constant::Int(self.at as i32), Type::INT),
            TABLESWITCH | LOOKUPSWITCH => self.switch(instruction)?,
            IRETURN..=RETURN => self.return_value(opcode)?,
            GETSTATIC..=PUTFIELD => self.field(opcode, instruction.index())?,
            INVOKEVIRTUAL..=INVOKEINTERFACE => self.invoke(opcode, instruction.index())?,
            INVOKEDYNAMIC => self.invoke_dynamic(instruction.index())?,
            NEW..=ANEWARRAY | MULTIANEWARRAY => self.allocate(instruction)?,
            ARRAYLENGTH..=MONITOREXIT => self.object(instruction)?,
            WIDE => self.wide(instruction)?,
            // Jumps, and the return from a subroutine: the end of the block says where to.
            _ => {}
        }
        Ok(())
    }

    fn push_constant(&mut self, constant: Constant, ty: Type) {
        self.produce(Op::Constant(constant), ty);
    }

    fn load_constant(&mut self, index: u16) -> Result<(), Malformed> {
        let constant = self.program.constant(self.class, index);
        let Some(ty) = typing::of_constant(self.program, &constant) else {
            return Malformed::new("a constant that cannot be loaded");
        };
        self.push_constant(constant, ty);
        Ok(())
    }

    fn load_local(&mut self, opcode: u8, local: u32) -> Result<(), Malformed> {
        let value = self.local(local)?;
        self.stack.push(Entry { value, wide: matches!(opcode, LLOAD | DLOAD) });
        Ok(())
    }

    fn store_local(&mut self, local: u32) -> Result<(), Malformed> {
        let value = self.pop()?;
        self.assign(local, value)
    }

    fn increment(&mut self, local: u32, by: i32) -> Result<(), Malformed> {
        let old = self.local(local)?;
        let by = self.emit(Op::Constant(Constant::Int(by)), Type::INT);
        let sum = self.emit(Op::Arithmetic(Arithmetic::Add, old, by), Type::INT);
        self.assign(local, sum)
    }

    fn wide(&mut self, instruction: instruction::Instruction<'_>) -> Result<(), Malformed> {
        let (opcode, local) = (instruction.u1(1), u32::from(instruction.u2(2)));
        match opcode {
            ILOAD..=ALOAD => self.load_local(opcode, local),
            ISTORE..=ASTORE => self.store_local(local),
            IINC => self.increment(local, instruction.u2(4).cast_signed().into()),
            // The return from a subroutine.
            _ => Ok(()),
        }
    }

    fn load_element(&mut self, opcode: u8) -> Result<(), Malformed> {
        let (index, array) = (self.pop()?, self.pop()?);
        let ty = match opcode {
            LALOAD => Type::LONG,
            FALOAD => Type::FLOAT,
            DALOAD => Type::DOUBLE,
            // Known when the array's type is.
            AALOAD => typing::UNKNOWN,
            _ => Type::INT,
        };
        self.produce(Op::LoadElement(array, index), ty);
        Ok(())
    }

    fn store_element(&mut self) -> Result<(), Malformed> {
        let (value, index, array) = (self.pop()?, self.pop()?, self.pop()?);
        self.emit(Op::StoreElement(array, index, value), Type::VOID);
        Ok(())
    }

    /// The instructions that move values on the stack, as JVMS 6.5 describes them: in slots.
    fn shuffle(&mut self, opcode: u8) -> Result<(), Malformed> {
        let (top, below) = match opcode {
            POP => return self.take(1).map(drop),
            POP2 => return self.take(2).map(drop),
            DUP => (self.take(1)?, Vec::new()),
            DUP_X1 => (self.take(1)?, self.take(1)?),
            DUP_X2 => (self.take(1)?, self.take(2)?),
            DUP2 => (self.take(2)?, Vec::new()),
            DUP2_X1 => (self.take(2)?, self.take(1)?),
            DUP2_X2 => (self.take(2)?, self.take(2)?),
            _ => {
                let (a, b) = (self.take(1)?, self.take(1)?);
                self.stack.extend(a.into_iter().chain(b));
                return Ok(());
            }
        };
        self.stack.extend(top.iter().chain(&below).chain(&top).copied());
        Ok(())
    }

    /// Takes that many slots from the stack.
    fn take(&mut self, slots: usize) -> Result<Vec<Entry>, Malformed> {
        let mut taken = 0;
        let mut from = self.stack.len();
        while taken < slots && from > 0 {
            from -= 1;
            taken += 1 + usize::from(self.stack[from].wide);
        }
        if taken == slots {
            Ok(self.stack.split_off(from))
        } else {
            Malformed::new("half of a wide value on the stack")
        }
    }

    fn arithmetic(&mut self, opcode: u8) -> Result<(), Malformed> {
        const NUMBERS: [Type; 4] = [Type::INT, Type::LONG, Type::FLOAT, Type::DOUBLE];
        let right = self.pop()?;
        if (INEG..=DNEG).contains(&opcode) {
            self.produce(Op::Negate(right), NUMBERS[usize::from(opcode - INEG)]);
            return Ok(());
        }
        let left = self.pop()?;
        let (operation, ty) = match opcode {
            IADD..=DREM => (
                [
                    Arithmetic::Add,
                    Arithmetic::Subtract,
                    Arithmetic::Multiply,
                    Arithmetic::Divide,
                    Arithmetic::Remainder,
                ][usize::from(opcode - IADD) / 4],
                NUMBERS[usize::from(opcode - IADD) % 4],
            ),
            ISHL..=LXOR => (
                [
                    Arithmetic::ShiftLeft,
                    Arithmetic::ShiftRight,
                    Arithmetic::UnsignedShiftRight,
                    Arithmetic::And,
                    Arithmetic::Or,
                    Arithmetic::Xor,
                ][usize::from(opcode - ISHL) / 2],
                NUMBERS[usize::from(opcode - ISHL) % 2],
            ),
            FCMPL | DCMPL => (Arithmetic::CompareLess, Type::INT),
            FCMPG | DCMPG => (Arithmetic::CompareGreater, Type::INT),
            _ => (Arithmetic::Compare, Type::INT),
        };
        self.produce(Op::Arithmetic(operation, left, right), ty);
        Ok(())
    }

    fn convert(&mut self, opcode: u8) -> Result<(), Malformed> {
        let value = self.pop()?;
        let to = match opcode {
            L2I | F2I | D2I => Type::INT,
            I2L | F2L | D2L => Type::LONG,
            I2F | L2F | D2F => Type::FLOAT,
            I2B => Type::of(Base::Byte),
            I2C => Type::of(Base::Char),
            I2S => Type::of(Base::Short),
            _ => Type::DOUBLE,
        };
        self.produce(Op::Convert(value, to), to.on_stack());
        Ok(())
    }

    fn branch(&mut self, opcode: u8) -> Result<(), Malformed> {
        const CONDITIONS: [Condition; 6] = [
            Condition::Equal,
            Condition::NotEqual,
            Condition::Less,
            Condition::GreaterOrEqual,
            Condition::Greater,
            Condition::LessOrEqual,
        ];
        let right = if (IF_ICMPEQ..=IF_ACMPNE).contains(&opcode) { Some(self.pop()?) } else { None };
        let left = self.pop()?;
        let condition = match opcode {
            IFEQ..=IFLE => CONDITIONS[usize::from(opcode - IFEQ)],
            IF_ICMPEQ..=IF_ICMPLE => CONDITIONS[usize::from(opcode - IF_ICMPEQ)],
            IF_ACMPEQ | IFNULL => Condition::Equal,
            _ => Condition::NotEqual,
        };
        self.emit(Op::Branch(condition, left, right, self.successor(0)?, self.successor(1)?), Type::VOID);
        Ok(())
    }

    fn switch(&mut self, instruction: instruction::Instruction<'_>) -> Result<(), Malformed> {
        let value = self.pop()?;
        let Flow::Switch(switch) = instruction.flow() else { return Malformed::new("no switch") };
        let to_block = |(n, (case, _)): (usize, (i32, u32))| Ok((case, self.successor(n + 1)?));
        let cases = switch.cases().enumerate().map(to_block).collect::<Result<_, Malformed>>()?;
        self.emit(Op::Switch(value, self.successor(0)?, cases), Type::VOID);
        Ok(())
    }

    fn return_value(&mut self, opcode: u8) -> Result<(), Malformed> {
        let value = if opcode == RETURN { None } else { Some(self.pop()?) };
        self.emit(Op::Return(value), Type::VOID);
        Ok(())
    }

    fn field(&mut self, opcode: u8, index: u16) -> Result<(), Malformed> {
        let (member, ty) = self.member(index, true)?;
        match opcode {
            GETSTATIC => self.produce(Op::GetStatic(member), ty.on_stack()),
            GETFIELD => {
                let object = self.pop()?;
                self.produce(Op::GetField(object, member), ty.on_stack());
            }
            _ => {
                let value = self.pop()?;
                let op = if opcode == PUTSTATIC {
                    Op::PutStatic(member, value)
                } else {
                    Op::PutField(self.pop()?, member, value)
                };
                self.emit(op, Type::VOID);
            }
        }
        Ok(())
    }

    fn invoke(&mut self, opcode: u8, index: u16) -> Result<(), Malformed> {
        let (member, ty) = self.member(index, false)?;
        let call = [Call::Virtual, Call::Special, Call::Static, Call::Interface][usize::from(opcode - INVOKEVIRTUAL)];
        let signature = self.program.names().signature(self.program.member(member).descriptor);
        let count = signature.parameters.len() + usize::from(call != Call::Static);
        let arguments = self.arguments(count)?;
        self.result(Op::Invoke(call, member, arguments), ty);
        Ok(())
    }

    fn invoke_dynamic(&mut self, index: u16) -> Result<(), Malformed> {
        let Constant::Dynamic { bootstrap, name, descriptor } = self.program.constant(self.class, index) else {
            return Malformed::new("a constant that is no call site");
        };
        let signature = self.program.names().signature(descriptor);
        let arguments = self.arguments(signature.parameters.len())?;
        self.result(Op::InvokeDynamic(bootstrap, name, descriptor, arguments), signature.result);
        Ok(())
    }

    fn arguments(&mut self, count: usize) -> Result<Box<[Value]>, Malformed> {
        let mut arguments = (0..count).map(|_| self.pop()).collect::<Result<Vec<_>, _>>()?;
        arguments.reverse();
        Ok(arguments.into())
    }

    fn result(&mut self, op: Op, ty: Type) {
        if ty == Type::VOID {
            self.emit(op, ty);
        } else {
            self.produce(op, ty.on_stack());
        }
    }

    fn allocate(&mut self, instruction: instruction::Instruction<'_>) -> Result<(), Malformed> {
        let (op, ty) = match instruction.opcode() {
            NEW => (Op::New, self.class_constant(instruction.index())?),
            NEWARRAY => (Op::NewArray(self.pop()?), primitive_array(instruction.u1(1))?),
            ANEWARRAY => (Op::NewArray(self.pop()?), self.class_constant(instruction.index())?.array()),
            _ => {
                let dimensions = instruction.u1(3);
                let ty = self.class_constant(instruction.index())?;
                if dimensions == 0 || dimensions > ty.dimensions {
                    return Malformed::new("an array of more dimensions than its type has");
                }
                (Op::NewArrays(self.arguments(dimensions.into())?), ty)
            }
        };
        self.produce(op, ty);
        Ok(())
    }

    fn object(&mut self, instruction: instruction::Instruction<'_>) -> Result<(), Malformed> {
        let value = self.pop()?;
        match instruction.opcode() {
            ARRAYLENGTH => self.produce(Op::Length(value), Type::INT),
            CHECKCAST => self.produce(Op::Cast(value), self.class_constant(instruction.index())?),
            INSTANCEOF => {
                let class = self.class_constant(instruction.index())?;
                self.produce(Op::InstanceOf(value, class), Type::INT);
            }
            ATHROW => drop(self.emit(Op::Throw(value), Type::VOID)),
            MONITORENTER => drop(self.emit(Op::Enter(value), Type::VOID)),
            _ => drop(self.emit(Op::Exit(value), Type::VOID)),
        }
        Ok(())
    }
}

/// The operand of `newarray` (JVMS table 6.5.newarray-A).
fn primitive_array(code: u8) -> Result<Type, Malformed> {
    const BASES: [Base; 8] =
        [Base::Boolean, Base::Char, Base::Float, Base::Double, Base::Byte, Base::Short, Base::Int, Base::Long];
    let base = code.checked_sub(4).and_then(|n| BASES.get(usize::from(n)));
    base.map_or_else(|| Malformed::new("an array of an unknown type"), |base| Ok(Type::of(*base).array()))
}
