//! What is to be inserted into a method: straight-line code, so that nothing in it moves with its place.

use std::ops::Range;

/// Code to insert, all of it in one buffer.
#[derive(Default)]
pub(crate) struct Edits {
    bytes: Vec<u8>,
    /// In code order, at most one for each instruction.
    list: Vec<Edit>,
    prologue: Range<usize>,
    catch_all: Range<usize>,
    caught: Vec<Range<usize>>,
    /// Stack slots needed beyond those of the original code.
    pub extra_stack: u16,
    /// Local variables added behind the original ones; each holds an object or null from the prologue on.
    pub extra_locals: u16,
    /// Slots behind those, for what is set aside while a copy of what lies below it is made. Nothing is in them between instructions.
    pub scratch: u16,
}

/// What happens to one instruction.
pub(crate) struct Edit {
    /// The instruction.
    pub index: u32,
    /// Inserted before it; jumps to the instruction arrive before this.
    before: Range<usize>,
    /// Inserted after it; jumps to the next instruction arrive after this.
    after: Range<usize>,
    /// Whether the instruction itself is left out.
    pub dropped: bool,
}

/// Where the code that is being emitted will go.
pub(crate) struct Mark(usize);

impl Edits {
    /// Where emitted code goes.
    pub fn out(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    pub fn mark(&self) -> Mark {
        Mark(self.bytes.len())
    }

    /// Whether nothing was emitted since.
    pub fn is_at(&self, mark: &Mark) -> bool {
        mark.0 == self.bytes.len()
    }

    fn since(&self, Mark(start): Mark) -> Range<usize> {
        start..self.bytes.len()
    }

    /// What was emitted since `mark` runs once, when the method is entered: no jump arrives before it.
    pub fn prologue_since(&mut self, mark: Mark) {
        self.prologue = self.since(mark);
    }

    /// What was emitted since `mark` handles every exception that leaves the original code from one of these ranges of
    /// instructions, which must not overlap.
    pub fn catch_all_since(&mut self, mark: Mark, caught: Vec<Range<usize>>) {
        self.catch_all = self.since(mark);
        self.caught = caught;
    }

    /// What was emitted between the marks goes before the instruction, and since the second mark after it.
    pub fn around(&mut self, index: usize, before: Mark, after: Mark, dropped: bool) {
        let before = before.0..after.0;
        let after = self.since(after);
        if dropped || !before.is_empty() || !after.is_empty() {
            self.list.push(Edit { index: index as u32, before, after, dropped });
        }
    }

    pub fn needs_stack(&mut self, slots: u16) {
        self.extra_stack = self.extra_stack.max(slots);
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.prologue.is_empty() && self.catch_all.is_empty()
    }

    pub fn list(&self) -> &[Edit] {
        &self.list
    }

    pub fn prologue(&self) -> &[u8] {
        &self.bytes[self.prologue.clone()]
    }

    pub fn catch_all(&self) -> &[u8] {
        &self.bytes[self.catch_all.clone()]
    }

    /// The instructions whose exceptions the catch-all handler takes.
    pub fn caught(&self) -> &[Range<usize>] {
        &self.caught
    }

    pub fn before(&self, edit: &Edit) -> &[u8] {
        &self.bytes[edit.before.clone()]
    }

    pub fn after(&self, edit: &Edit) -> &[u8] {
        &self.bytes[edit.after.clone()]
    }
}
