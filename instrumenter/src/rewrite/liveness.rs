//! Which local variables are live, and class files whose frames have no others: what ProGuard and R8 make, for tests.

use classfile::local::{assigned, loaded};
use classfile::opcode::*;
use classfile::{Class, Malformed, Member, flag, text};

use crate::failure::Failure;
use crate::plan::WeaveError;
use crate::rewrite::additions::Additions;
use crate::rewrite::code::Code;
use crate::rewrite::edits::Edits;
use crate::rewrite::frames::{self, Writer};
use crate::rewrite::layout::Layout;
use crate::rewrite::splice::Splice;
use crate::rewrite::writer::push2;

/// For each instruction, the variables that may be loaded before they are assigned to. Both slots of a long or double are.
struct Liveness {
    n_locals: usize,
    live: Vec<bool>,
}

impl Liveness {
    fn of(code: &Code<'_>) -> Self {
        let n_locals = usize::from(code.max_locals) + 1;
        let mut liveness = Self { n_locals, live: vec![false; n_locals * (code.len() + 1)] };
        while (0..code.len()).rev().filter(|index| liveness.step(code, *index)).count() > 0 {}
        liveness
    }

    fn is_live(&self, index: usize, local: usize) -> bool {
        self.live.get(index * self.n_locals + local) == Some(&true)
    }

    /// Says whether more is known to be live before an instruction.
    fn step(&mut self, code: &Code<'_>, index: usize) -> bool {
        let instruction = code.instruction(index);
        let (loads, assigns) = (slots(loaded(instruction), instruction), slots(assigned(instruction), instruction));
        let is_count = matches!(instruction, [IINC, ..] | [WIDE, IINC, ..]);
        let falls = (!ends_flow(code.instructions[index].opcode)).then_some(index + 1);
        let jumps = code.jumps.iter().filter(|jump| jump.from as usize == index).map(|jump| jump.to as usize);
        let after: Vec<usize> = falls.into_iter().chain(jumps).collect();
        let caught = |handler: &&crate::rewrite::code::Handler| (handler.start..handler.end).contains(&(index as u32));
        let handlers: Vec<usize> = code.handlers.iter().filter(caught).map(|handler| handler.target as usize).collect();
        let mut changed = false;
        for local in 0..self.n_locals {
            let passes = !assigns.contains(&local) && after.iter().any(|next| self.is_live(*next, local));
            let is_live = passes
                || loads.contains(&local)
                || is_count && assigns.contains(&local)
                || handlers.iter().any(|handler| self.is_live(*handler, local));
            changed |= std::mem::replace(&mut self.live[index * self.n_locals + local], is_live) != is_live;
        }
        changed
    }
}

/// The slots of the variable that an instruction names.
fn slots(local: Option<u16>, instruction: &[u8]) -> std::ops::Range<usize> {
    let Some(local) = local.map(usize::from) else { return 0..0 };
    let opcode = if instruction[0] == WIDE { instruction[1] } else { instruction[0] };
    // lload, dload, lstore and dstore, and their short forms.
    let is_wide = matches!(opcode, 22 | 24 | 30..=33 | 38..=41 | 55 | 57 | 63..=66 | 71..=74);
    local..local + 1 + usize::from(is_wide)
}

/// The class with frames that have no dead variables.
///
/// # Errors
/// The class or one of its methods is damaged.
pub(crate) fn forget_dead_locals(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let class = Class::read(bytes).map_err(|malformed| malformed.0.to_owned())?;
    let mut additions = Additions::new(&class.pool);
    let mut splice = Splice::default();
    for method in &class.methods {
        let Some(span) = method.code.clone() else { continue };
        let contents = &bytes[span.clone()];
        let written = splice.replace(span, |out| write(&class, method, contents, &mut additions, out));
        written.map_err(|_| text(method.name).into_owned())?;
    }
    Ok(splice.join(&class, &additions))
}

/// Writes the contents of the `Code` attribute.
fn write(
    class: &Class<'_>,
    method: &Member<'_>,
    contents: &[u8],
    additions: &mut Additions,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let code = Code::read(contents)?;
    let before_attributes = 8 + code.bytes.len() + 2 + 8 * code.handlers.len() + 2;
    out.extend_from_slice(&contents[..before_attributes]);
    for (name, contents) in code.attributes.iter() {
        push2(out, name);
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        if class.pool.utf8(name)? == b"StackMapTable" {
            write_frames(class, method, &code, contents, additions, out)?;
        } else {
            out.extend_from_slice(contents);
        }
        let length = (out.len() - start - 4) as u32;
        out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    }
    Ok(())
}

fn write_frames(
    class: &Class<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
    contents: &[u8],
    additions: &mut Additions,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let frames = frames::read(contents, code)?;
    let layout = Layout::of(code, &Edits::default())?;
    let liveness = Liveness::of(code);
    let receiver = (method.access & flag::STATIC == 0).then_some(class.this_class);
    let initial = frames::initial_locals(receiver, method.name == b"<init>", method.descriptor, additions)
        .map_err(|_: WeaveError| Malformed("a descriptor"))?;
    let count_at = out.len();
    push2(out, 0);
    let mut writer = Writer::new(code, &layout, out);
    writer.live(&frames, initial, |index, local| liveness.is_live(index as usize, local))?;
    let count = writer.count;
    out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
    Ok(())
}
