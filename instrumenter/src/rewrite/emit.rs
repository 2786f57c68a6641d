//! Writes the `Code` attribute of a woven method.

use classfile::opcode::{self, GOTO, GOTO_W, JSR, JSR_W, LOOKUPSWITCH, TABLESWITCH};
use classfile::{Class, Member, flag};

use crate::failure::Failure;
use crate::plan::Reason;
use crate::rewrite::additions::Additions;
use crate::rewrite::code::{Code, Handler};
use crate::rewrite::edits::Edits;
use crate::rewrite::frames;
use crate::rewrite::layout::{Layout, padding, points};
use crate::rewrite::tables::Mover;
use crate::rewrite::writer::{patch4, push2, push4};

/// A method with its edits in place.
pub(crate) struct Emitter<'a> {
    pub class: &'a Class<'a>,
    pub method: &'a Member<'a>,
    pub code: &'a Code<'a>,
    pub edits: &'a Edits,
    pub layout: &'a Layout,
}

impl Emitter<'_> {
    /// Appends the contents of the attribute.
    pub fn emit(&self, additions: &mut Additions, out: &mut Vec<u8>) -> Result<(), Failure> {
        let max_stack = self.code.max_stack.checked_add(self.edits.extra_stack).ok_or(Reason::TooLarge)?;
        push2(out, max_stack);
        let added = self.edits.extra_locals.saturating_add(self.edits.scratch);
        if added > 0 {
            self.code.check_locals()?;
        }
        push2(out, self.code.max_locals.checked_add(added).ok_or(Reason::TooLarge)?);
        self.code_array(out);
        self.handlers(out)?;
        self.attributes(additions, out)
    }

    fn code_array(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(self.edits.prologue());
        let mut edits = self.edits.list().iter().peekable();
        let mut steps = self.layout.steps.iter().peekable();
        let mut jumps = self.code.jumps.iter().peekable();
        // Original bytes up to here are written; plain instructions are copied in runs.
        let mut copied = 0;
        for index in points(self.code, self.edits, &self.layout.hosts()) {
            let instruction = self.code.instructions[index];
            let edit = edits.next_if(|edit| edit.index as usize == index);
            let jump = jumps.next_if(|jump| jump.from as usize == index);
            let end = self.code.instructions[index + 1].at as usize;
            out.extend_from_slice(&self.code.bytes[copied..instruction.at as usize]);
            copied = end;
            out.extend_from_slice(edit.map_or(&[], |edit| self.edits.before(edit)));
            if let Some(first) = jump {
                self.jumping(index, first.to, &mut jumps, out);
            } else if !edit.is_some_and(|edit| edit.dropped) {
                out.extend_from_slice(self.code.instruction(index));
            }
            out.extend_from_slice(edit.map_or(&[], |edit| self.edits.after(edit)));
            while let Some(step) = steps.next_if(|step| step.host as usize == index) {
                out.push(GOTO_W);
                push4(out, self.layout.labels[step.target as usize].wrapping_sub(step.at));
            }
        }
        out.extend_from_slice(&self.code.bytes[copied..]);
        out.extend_from_slice(self.edits.catch_all());
        patch4(out, start);
    }

    /// Writes a branch or a switch; `first` is where its first jump leads, `jumps` has the others.
    fn jumping<'j>(
        &self,
        index: usize,
        first: u32,
        jumps: &mut std::iter::Peekable<impl Iterator<Item = &'j crate::rewrite::code::Jump>>,
        out: &mut Vec<u8>,
    ) {
        let opcode = self.code.instructions[index].opcode;
        let at = self.layout.starts[index];
        let first = self.layout.destination(index, first).wrapping_sub(at);
        if !matches!(opcode, TABLESWITCH | LOOKUPSWITCH) {
            return self.branch(index, opcode, first, out);
        }
        let instruction = self.code.instruction(index);
        let operands = 1 + padding(self.code.instructions[index].at) as usize;
        out.push(opcode);
        out.extend_from_slice(&[0; 3][..padding(at) as usize]);
        push4(out, first);
        let header = if opcode == TABLESWITCH { 8 } else { 4 };
        out.extend_from_slice(&instruction[operands + 4..operands + 4 + header]);
        let mut keys = instruction[operands + 8..].chunks_exact(8);
        while let Some(jump) = jumps.next_if(|jump| jump.from as usize == index) {
            if opcode == LOOKUPSWITCH {
                out.extend_from_slice(&keys.next().unwrap_or(&[0; 8])[..4]);
            }
            push4(out, self.layout.labels[jump.to as usize].wrapping_sub(at));
        }
    }

    fn branch(&self, index: usize, opcode: u8, distance: u32, out: &mut Vec<u8>) {
        if opcode::is_short_branch(opcode) && !self.layout.is_widened(index) {
            out.push(opcode);
            return push2(out, distance as u16);
        }
        out.push(match opcode {
            GOTO => GOTO_W,
            JSR => JSR_W,
            wide => wide,
        });
        push4(out, distance);
    }

    fn handlers(&self, out: &mut Vec<u8>) -> Result<(), Reason> {
        let count_at = out.len();
        push2(out, 0);
        let mut count = 0_u16;
        let mut entry = |start: u32, end: u32, target: u32, catch_type: u16| {
            for value in [start, end, target, catch_type.into()] {
                push2(out, value as u16);
            }
            count = count.checked_add(1)?;
            Some(())
        };
        for handler in &self.code.handlers {
            let (mut start, end) = (self.range_start(handler), self.range_end(handler));
            let target = self.layout.labels[handler.target as usize];
            // A step has its target's frame, which need not suit the handlers at the place where it stands.
            for step in &self.layout.steps {
                if start < step.at && step.at < end {
                    entry(start, step.at, target, handler.catch_type).ok_or(Reason::TooLarge)?;
                }
                if start <= step.at && step.at < end {
                    start = step.at + crate::rewrite::layout::STEP_LENGTH;
                }
            }
            if start < end {
                entry(start, end, target, handler.catch_type).ok_or(Reason::TooLarge)?;
            }
        }
        for caught in self.edits.caught() {
            let [start, end] = [caught.start, caught.end].map(|index| self.layout.labels[index]);
            entry(start, end, self.layout.length(), 0).ok_or(Reason::TooLarge)?;
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(())
    }

    /// A range that starts behind an instruction covers also what was inserted behind that instruction: a hook after
    /// `monitorenter` has to lie in the range whose handler unlocks, or HotSpot's compilers refuse the method.
    fn range_start(&self, handler: &Handler) -> u32 {
        self.layout.labels[handler.start as usize] - self.inserted_behind(handler.start.checked_sub(1))
    }

    /// A handler that covers itself does not cover the hook after its `monitorexit`; see `weave::monitor`.
    fn range_end(&self, handler: &Handler) -> u32 {
        let last = handler.end.checked_sub(1).filter(|_| handler.covers_itself());
        self.layout.labels[handler.end as usize] - self.inserted_behind(last)
    }

    /// How many bytes were inserted behind an instruction.
    fn inserted_behind(&self, index: Option<u32>) -> u32 {
        let list = self.edits.list();
        let edit = index.and_then(|index| list.binary_search_by_key(&index, |edit| edit.index).ok());
        edit.map_or(0, |found| self.edits.after(&list[found]).len() as u32)
    }

    fn attributes(&self, additions: &mut Additions, out: &mut Vec<u8>) -> Result<(), Failure> {
        let count_at = out.len();
        push2(out, 0);
        let mover = Mover { code: self.code, layout: self.layout, version: self.class.version };
        let mut count = 0_u16;
        let mut has_frames = false;
        for (name, contents) in self.code.attributes.iter() {
            let start = out.len();
            push2(out, name);
            push4(out, 0);
            let text = self.class.pool.utf8(name)?;
            match text {
                // Offsets in forms of their own, which nothing reads any more (CLDC, and javac's -Xjcov).
                b"StackMap" | b"CharacterRangeTable" | b"CoverageTable" => {
                    out.truncate(start);
                    continue;
                }
                b"StackMapTable" => {
                    has_frames = true;
                    self.frames(contents, additions, out)?;
                }
                b"LineNumberTable" => mover.lines(contents, out)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => mover.variables(contents, out)?,
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    // The JVM does not look into these, so damaged ones must not keep the method from being woven.
                    if mover.type_annotations(contents, out).is_err() {
                        out.truncate(start + 6);
                        out.extend_from_slice(contents);
                    }
                }
                _ => out.extend_from_slice(contents),
            }
            patch4(out, start + 2);
            count += 1;
        }
        if !has_frames && self.needs_frame() {
            let start = out.len();
            push2(out, additions.utf8(b"StackMapTable")?);
            push4(out, 0);
            self.frames(&[0, 0], additions, out)?;
            patch4(out, start + 2);
            count = count.checked_add(1).ok_or(Reason::TooLarge)?;
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(())
    }

    /// Whether the catch-all handler has to have a frame (JVMS 4.10: from version 50 on).
    fn needs_frame(&self) -> bool {
        self.class.version >= 50 && !self.edits.catch_all().is_empty()
    }

    fn frames(&self, contents: &[u8], additions: &mut Additions, out: &mut Vec<u8>) -> Result<(), Failure> {
        let frames = frames::read(contents, self.code)?;
        let throwable = if self.needs_frame() { additions.class(b"java/lang/Throwable")? } else { 0 };
        let count_at = out.len();
        push2(out, 0);
        let mut writer = frames::Writer::new(self.code, self.layout, out);
        let object = if self.edits.extra_locals == 0 { 0 } else { additions.class(b"java/lang/Object")? };
        let added = vec![frames::object(object); self.edits.extra_locals.into()];
        let is_same = self.layout.steps.is_empty() && added.is_empty();
        if is_same || frames.is_empty() {
            writer.moved(&frames)?;
        } else {
            let receiver = (self.method.access & flag::STATIC == 0).then_some(self.class.this_class);
            let is_constructor = self.method.name == b"<init>";
            let initial = frames::initial_locals(receiver, is_constructor, self.method.descriptor, additions)?;
            writer.full(&frames, initial, &added)?;
        }
        if self.needs_frame() {
            writer.handler(self.layout.length(), &added, throwable)?;
        }
        let count = writer.count;
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(())
    }
}
