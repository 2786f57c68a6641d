//! Whether every index of a class file lies in its constant pool.
//!
//! The JVM refuses an index past the end. Once constants are appended it would come to mean one of them, so such a class
//! must keep its bytes: the woven class would load, or be refused for another reason. Indices of the wrong kind do not
//! matter, as they stay what they are; nor do those in annotations, which the JVM takes as they come.

use classfile::attribute::{Attributes, BootstrapMethod, bootstrap_methods};
use classfile::instruction::walk;
use classfile::opcode::has_index;
use classfile::{Class, Code, Constant, Malformed, Pool, Reader};

use crate::rewrite::frames;

const PAST_THE_END: Malformed = Malformed("an index past the end of the constant pool");

/// Bytes before the indices of a table's row, how many indices, and bytes behind them.
type Row = [usize; 3];
const INDEX: Row = [0, 1, 0];

/// Looks at every index of a class, but those of names and descriptors, which led to texts when it was read.
pub(crate) fn check(class: &Class<'_>) -> Result<(), Malformed> {
    constants(&class.pool)?;
    let indices = Indices(&class.pool);
    [class.this_class, class.super_class].into_iter().chain(class.interfaces()).try_for_each(|it| indices.one(it))?;
    let members = class.fields.iter().chain(&class.methods);
    members.map(|member| member.attributes).try_for_each(|attributes| indices.attributes(attributes, true))?;
    indices.attributes(class.attributes, true)
}

/// Looks at what constants refer to.
fn constants(pool: &Pool<'_>) -> Result<(), Malformed> {
    for constant in pool.indices().filter_map(|index| pool.get(index)) {
        let [first, second] = match constant {
            Constant::Class(first)
            | Constant::String(first)
            | Constant::MethodHandle(_, first)
            | Constant::MethodType(first)
            | Constant::Module(first)
            | Constant::Package(first)
            // Bootstrap methods are no constants.
            | Constant::Dynamic(_, first)
            | Constant::InvokeDynamic(_, first) => [first, 0],
            Constant::Field(first, second)
            | Constant::Method(first, second)
            | Constant::InterfaceMethod(first, second)
            | Constant::NameAndType(first, second) => [first, second],
            Constant::Utf8(_)
            | Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_) => [0, 0],
        };
        if usize::from(first.max(second)) >= pool.count() {
            return Err(Malformed("a constant that refers past the end of the pool"));
        }
    }
    Ok(())
}

struct Indices<'a>(&'a Pool<'a>);

impl Indices<'_> {
    fn one(&self, index: u16) -> Result<(), Malformed> {
        if usize::from(index) < self.0.count() { Ok(()) } else { Err(PAST_THE_END) }
    }

    fn row(&self, reader: &mut Reader<'_>, [before, count, behind]: Row) -> Result<(), Malformed> {
        reader.take(before)?;
        for _ in 0..count {
            self.one(reader.u2()?)?;
        }
        reader.take(behind).map(drop)
    }

    fn rows(&self, reader: &mut Reader<'_>, count: u16, row: Row) -> Result<(), Malformed> {
        (0..count).try_for_each(|_| self.row(reader, row))
    }

    /// Rows with their number in front.
    fn table(&self, reader: &mut Reader<'_>, row: Row) -> Result<(), Malformed> {
        let count = reader.u2()?;
        self.rows(reader, count, row)
    }

    /// `outer` attributes may hold others; without that distinction damage could nest them without end.
    fn attributes(&self, attributes: Attributes<'_>, outer: bool) -> Result<(), Malformed> {
        for (name, contents) in attributes.iter() {
            let reader = &mut Reader::new(contents);
            match self.0.utf8(name)? {
                b"Code" if outer => self.code(&Code::read(contents)?)?,
                b"Record" if outer => self.components(reader)?,
                b"StackMapTable" => self.frames(contents)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => self.table(reader, [4, 2, 2])?,
                b"BootstrapMethods" => self.bootstrap_methods(contents)?,
                b"MethodParameters" => {
                    let count = reader.u1()?;
                    self.rows(reader, count.into(), [0, 1, 2])?;
                }
                b"InnerClasses" => self.table(reader, [0, 3, 2])?,
                b"Exceptions" | b"NestMembers" | b"PermittedSubclasses" => self.table(reader, INDEX)?,
                b"EnclosingMethod" => self.row(reader, [0, 2, 0])?,
                b"ConstantValue" | b"Signature" | b"SourceFile" | b"NestHost" => self.row(reader, INDEX)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Those of a record.
    fn components(&self, reader: &mut Reader<'_>) -> Result<(), Malformed> {
        for _ in 0..reader.u2()? {
            self.row(reader, [0, 2, 0])?;
            self.attributes(Attributes::read(reader)?, false)?;
        }
        Ok(())
    }

    fn code(&self, code: &Code<'_>) -> Result<(), Malformed> {
        self.instructions(code.bytes)?;
        code.handlers.iter().try_for_each(|handler| self.one(handler.catch_type))?;
        self.attributes(code.attributes, false)
    }

    /// Few instructions have an index, and this looks at all of them, so the highest is kept and compared once.
    fn instructions(&self, bytes: &[u8]) -> Result<(), Malformed> {
        let mut highest = 0;
        for instruction in walk(bytes) {
            let instruction = instruction?;
            if has_index(instruction.opcode()) {
                highest = highest.max(instruction.index());
            }
        }
        self.one(highest)
    }

    fn frames(&self, contents: &[u8]) -> Result<(), Malformed> {
        let mut highest = 0;
        frames::classes(contents, &mut |class| highest = highest.max(class))?;
        self.one(highest)
    }

    fn bootstrap_methods(&self, contents: &[u8]) -> Result<(), Malformed> {
        let of_method = |method: &BootstrapMethod| {
            std::iter::once(&method.handle).chain(&method.arguments).try_for_each(|index| self.one(*index))
        };
        bootstrap_methods(contents)?.iter().try_for_each(of_method)
    }
}
