//! The `StackMapTable` attribute (JVMS 4.7.4): frames stand on labels, and are delta-coded when written.
//!
//! A frame keeps the kind its compiler chose, so that frames that did not move are written byte for byte as they were; only
//! the short kinds give way to their extended forms when a gap grows past 63. When steps bring in frames between the
//! others, which describe locals relative to the frame before, or a method gets more locals, every frame is written in full.

use classfile::descriptor::Parameters;
use classfile::{Malformed, Reader};

use crate::plan::{Reason, WeaveError};
use crate::rewrite::additions::Additions;
use crate::rewrite::code::Code;
use crate::rewrite::layout::Layout;

const SAME_LOCALS_1: u8 = 64;
const SAME_LOCALS_1_EXTENDED: u8 = 247;
const SAME_EXTENDED: u8 = 251;
const FULL: u8 = 255;

/// How many locals frames may have in all when each is written in full. No real method comes near.
const MAX_EXPANDED: usize = 1 << 22;

/// A verification type: tag, and operand where the tag has one.
type Type = (u8, u16);
const TOP: Type = (0, 0);
const UNINITIALIZED_THIS: Type = (6, 0);
const DOUBLE: u8 = 3;
const LONG: u8 = 4;
const OBJECT: u8 = 7;
const UNINITIALIZED: u8 = 8;

pub(crate) struct Frame<'a> {
    /// The instruction that the frame is for.
    at: u32,
    kind: u8,
    /// What follows the offset.
    body: &'a [u8],
}

impl Frame<'_> {
    /// Makes the locals of the frame before those of this one; returns what is on the stack.
    fn apply(&self, locals: &mut Vec<Type>) -> Result<Vec<Type>, Malformed> {
        let mut reader = Reader::new(self.body);
        let mut stack = Vec::new();
        match self.kind {
            SAME_LOCALS_1..128 | SAME_LOCALS_1_EXTENDED => {
                read_types(1, &mut reader, &mut |each| stack.push(each))?;
            }
            248..=250 => {
                let kept = locals.len().checked_sub(usize::from(SAME_EXTENDED - self.kind));
                locals.truncate(kept.ok_or(Malformed("a frame that chops too much"))?);
            }
            252..=254 => {
                let added = u16::from(self.kind - SAME_EXTENDED);
                read_types(added, &mut reader, &mut |each| locals.push(each))?;
            }
            FULL => {
                locals.clear();
                let count = reader.u2()?;
                read_types(count, &mut reader, &mut |each| locals.push(each))?;
                let count = reader.u2()?;
                read_types(count, &mut reader, &mut |each| stack.push(each))?;
            }
            _ => {}
        }
        Ok(stack)
    }
}

/// Reads the contents of the attribute.
pub(crate) fn read<'a>(contents: &'a [u8], code: &Code<'_>) -> Result<Vec<Frame<'a>>, Malformed> {
    let mut reader = Reader::new(contents);
    let count = reader.u2()?;
    let mut frames = Vec::with_capacity(usize::from(count).min(contents.len()));
    let mut offset = None;
    for _ in 0..count {
        let (kind, delta) = read_head(&mut reader)?;
        let at = offset.map_or(u32::from(delta), |last: u32| last + u32::from(delta) + 1);
        offset = Some(at);
        let start = reader.position();
        // Weaving raises the limit.
        if read_body(kind, &mut reader, &mut |_| ())? > usize::from(code.max_stack) {
            return Err(Malformed("a frame with more on the stack than its method has room for"));
        }
        frames.push(Frame { at: code.begins(at)?, kind, body: &contents[start..reader.position()] });
    }
    if reader.is_at_end() { Ok(frames) } else { Err(Malformed("frames that do not fill their table")) }
}

/// Hands the class of every object type in the contents of the attribute to `each`, as a pool index.
pub(crate) fn classes(contents: &[u8], each: &mut dyn FnMut(u16)) -> Result<(), Malformed> {
    let mut reader = Reader::new(contents);
    for _ in 0..reader.u2()? {
        let (kind, _) = read_head(&mut reader)?;
        read_body(kind, &mut reader, &mut |(tag, operand)| {
            if tag == OBJECT {
                each(operand);
            }
        })?;
    }
    Ok(())
}

/// Kind, and distance to the frame before.
fn read_head(reader: &mut Reader<'_>) -> Result<(u8, u16), Malformed> {
    let kind = reader.u1()?;
    let delta = match kind {
        0..SAME_LOCALS_1 => kind.into(),
        SAME_LOCALS_1..128 => u16::from(kind - SAME_LOCALS_1),
        128..SAME_LOCALS_1_EXTENDED => return Err(Malformed("a frame of an unknown kind")),
        _ => reader.u2()?,
    };
    Ok((kind, delta))
}

/// Hands every type to `each`; says how many slots those on the stack take.
fn read_body(kind: u8, reader: &mut Reader<'_>, each: &mut dyn FnMut(Type)) -> Result<usize, Malformed> {
    let types = match kind {
        SAME_LOCALS_1..128 | SAME_LOCALS_1_EXTENDED => 1,
        252..=254 => u16::from(kind - SAME_EXTENDED),
        FULL => reader.u2()?,
        _ => 0,
    };
    let slots = read_types(types, reader, each)?;
    match kind {
        SAME_LOCALS_1..128 | SAME_LOCALS_1_EXTENDED => Ok(slots),
        FULL => {
            let stack = reader.u2()?;
            read_types(stack, reader, each)
        }
        _ => Ok(0),
    }
}

/// Says how many slots the types take.
fn read_types(count: u16, reader: &mut Reader<'_>, each: &mut dyn FnMut(Type)) -> Result<usize, Malformed> {
    let mut slots = 0;
    for _ in 0..count {
        let tag = reader.u1()?;
        let operand = if matches!(tag, OBJECT | UNINITIALIZED) { reader.u2()? } else { 0 };
        slots += slots_of(tag);
        each((tag, operand));
    }
    Ok(slots)
}

/// Slots of a type in the locals or on the stack.
const fn slots_of(tag: u8) -> usize {
    if matches!(tag, DOUBLE | LONG) { 2 } else { 1 }
}

/// Writes frames one after another.
pub(crate) struct Writer<'a> {
    code: &'a Code<'a>,
    layout: &'a Layout,
    out: &'a mut Vec<u8>,
    last: Option<u32>,
    pub count: u16,
}

impl<'a> Writer<'a> {
    pub fn new(code: &'a Code<'a>, layout: &'a Layout, out: &'a mut Vec<u8>) -> Self {
        Self { code, layout, out, last: None, count: 0 }
    }

    /// Writes frames as they are, at their new places.
    pub fn moved(&mut self, frames: &[Frame<'_>]) -> Result<(), Reason> {
        for frame in frames {
            self.offset(self.layout.labels[frame.at as usize], frame.kind)?;
            self.body(frame)?;
        }
        Ok(())
    }

    /// Writes frames in full, with those of the steps among them, and with added locals behind the original ones.
    pub fn full(&mut self, frames: &[Frame<'_>], initial: Vec<Type>, added: &[Type]) -> Result<(), Reason> {
        if frames.len() * usize::from(self.code.max_locals) > MAX_EXPANDED {
            return Err(Reason::FarBranch);
        }
        let mut expanded = expand(frames, initial)?;
        for frame in expanded.iter_mut().filter(|_| !added.is_empty()) {
            frame.add_locals(self.code.max_locals, added)?;
        }
        let mut all: Vec<(u32, &Expanded)> =
            expanded.iter().map(|frame| (self.layout.labels[frame.at as usize], frame)).collect();
        for step in &self.layout.steps {
            let frame = expanded.iter().find(|frame| frame.at == step.target).ok_or(Reason::FarBranch)?;
            all.push((step.at, frame));
        }
        all.sort_by_key(|(at, _)| *at);
        for (at, frame) in all {
            self.full_frame(at, &frame.locals, &frame.stack)?;
        }
        Ok(())
    }

    /// Writes frames in full, without the locals that are dead at their instructions.
    pub fn live(
        &mut self,
        frames: &[Frame<'_>],
        initial: Vec<Type>,
        is_live: impl Fn(u32, usize) -> bool,
    ) -> Result<(), Reason> {
        for mut frame in expand(frames, initial)? {
            frame.forget(&is_live);
            self.full_frame(self.layout.labels[frame.at as usize], &frame.locals, &frame.stack)?;
        }
        Ok(())
    }

    /// Writes the frame of a handler that knows only the added locals.
    pub fn handler(&mut self, at: u32, added: &[Type], throwable: u16) -> Result<(), Reason> {
        let mut locals = Vec::new();
        if !added.is_empty() {
            locals.resize(self.code.max_locals.into(), TOP);
            locals.extend_from_slice(added);
        }
        self.full_frame(at, &locals, &[object(throwable)])
    }

    /// Writes one full frame.
    fn full_frame(&mut self, at: u32, locals: &[Type], stack: &[Type]) -> Result<(), Reason> {
        self.offset(at, FULL)?;
        self.types(locals)?;
        self.types(stack)
    }

    fn types(&mut self, types: &[Type]) -> Result<(), Reason> {
        self.out.extend_from_slice(&(types.len() as u16).to_be_bytes());
        types.iter().try_for_each(|each| self.one_type(*each))
    }

    fn offset(&mut self, at: u32, kind: u8) -> Result<(), Reason> {
        let delta = match self.last {
            None => at,
            Some(last) => at.checked_sub(last + 1).ok_or(Malformed("frames out of order"))?,
        };
        self.last = Some(at);
        self.count = self.count.checked_add(1).ok_or(Reason::TooLarge)?;
        let (short, extended) = match kind {
            0..SAME_LOCALS_1 => (Some(0), SAME_EXTENDED),
            SAME_LOCALS_1..128 => (Some(SAME_LOCALS_1), SAME_LOCALS_1_EXTENDED),
            kind => (None, kind),
        };
        match short {
            Some(base) if delta < 64 => self.out.push(base + delta as u8),
            _ => {
                self.out.push(extended);
                self.out.extend_from_slice(&(delta as u16).to_be_bytes());
            }
        }
        Ok(())
    }

    fn body(&mut self, frame: &Frame<'_>) -> Result<(), Reason> {
        if !frame.body.contains(&UNINITIALIZED) {
            self.out.extend_from_slice(frame.body);
            return Ok(());
        }
        let mut reader = Reader::new(frame.body);
        let is_full = frame.kind == FULL;
        while !reader.is_at_end() {
            let count = if is_full { reader.u2()? } else { 1 };
            if is_full {
                self.out.extend_from_slice(&count.to_be_bytes());
            }
            let mut types = Vec::new();
            read_types(count, &mut reader, &mut |each| types.push(each))?;
            types.iter().try_for_each(|each| self.one_type(*each))?;
        }
        Ok(())
    }

    /// An uninitialized type names its `new` instruction: the instruction itself, not the label before it.
    fn one_type(&mut self, (tag, operand): Type) -> Result<(), Reason> {
        self.out.push(tag);
        let operand = match tag {
            OBJECT => operand,
            UNINITIALIZED => self.layout.starts[self.code.begins(operand.into())? as usize] as u16,
            _ => return Ok(()),
        };
        self.out.extend_from_slice(&operand.to_be_bytes());
        Ok(())
    }
}

/// A frame that depends on no other.
struct Expanded {
    at: u32,
    locals: Vec<Type>,
    stack: Vec<Type>,
}

impl Expanded {
    /// Makes unusable the locals that are dead, and drops them at the end. An object whose constructor has not run stays: the
    /// verifier has to know of it.
    fn forget(&mut self, is_live: impl Fn(u32, usize) -> bool) {
        let (mut kept, mut slot) = (Vec::new(), 0);
        for (tag, operand) in std::mem::take(&mut self.locals) {
            let slots = slots_of(tag);
            if (tag, operand) == UNINITIALIZED_THIS || is_live(self.at, slot) {
                kept.push((tag, operand));
            } else {
                kept.extend(std::iter::repeat_n(TOP, slots));
            }
            slot += slots;
        }
        kept.truncate(kept.iter().rposition(|each| *each != TOP).map_or(0, |last| last + 1));
        self.locals = kept;
    }

    fn add_locals(&mut self, behind: u16, added: &[Type]) -> Result<(), Malformed> {
        let slots: usize = self.locals.iter().map(|(tag, _)| slots_of(*tag)).sum();
        let unused = usize::from(behind).checked_sub(slots).ok_or(Malformed("a frame with too many locals"))?;
        self.locals.extend(std::iter::repeat_n(TOP, unused));
        self.locals.extend_from_slice(added);
        Ok(())
    }
}

fn expand(frames: &[Frame<'_>], initial: Vec<Type>) -> Result<Vec<Expanded>, Malformed> {
    let mut locals = initial;
    let mut expanded = Vec::with_capacity(frames.len());
    for frame in frames {
        let stack = frame.apply(&mut locals)?;
        expanded.push(Expanded { at: frame.at, locals: locals.clone(), stack });
    }
    Ok(expanded)
}

/// For each frame, its instruction and whether local variable 0 is an object there. Of the locals that the method begins with,
/// only how many there are counts, and whether the first is an object.
pub(crate) fn receivers(frames: &[Frame<'_>], initial: Vec<Type>) -> Result<Vec<(u32, bool)>, Malformed> {
    let mut locals = initial;
    let mut receivers = Vec::with_capacity(frames.len());
    for frame in frames {
        frame.apply(&mut locals)?;
        receivers.push((frame.at, locals.first().is_some_and(|(tag, _)| *tag == OBJECT)));
    }
    Ok(receivers)
}

/// A class type.
pub(crate) fn object(class: u16) -> Type {
    (OBJECT, class)
}

/// The locals on entry to a method (JVMS 4.10.1.6); `receiver` is none for static methods.
pub(crate) fn initial_locals(
    receiver: Option<u16>,
    is_constructor: bool,
    descriptor: &[u8],
    additions: &mut Additions,
) -> Result<Vec<Type>, WeaveError> {
    let this = receiver.map(|class| if is_constructor { UNINITIALIZED_THIS } else { object(class) });
    let mut locals: Vec<Type> = this.into_iter().collect();
    let mut parameters = Parameters::of(descriptor);
    for parameter in parameters.by_ref() {
        locals.push(match (parameter.text, parameter.class()) {
            (array @ [b'[', ..], _) => object(additions.class(array)?),
            (_, Some(class)) => object(additions.class(class)?),
            (b"F", _) => (2, 0),
            (b"D", _) => (DOUBLE, 0),
            (b"J", _) => (LONG, 0),
            _ => (1, 0),
        });
    }
    parameters.result().ok_or(WeaveError::Malformed("a descriptor"))?;
    debug_assert!(!locals.contains(&TOP));
    Ok(locals)
}
