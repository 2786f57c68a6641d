//! What calls of the library do to elements of arrays, as `Arrays.fill`, `System.arraycopy` and `clone()` do: accesses to the arrays that
//! are arguments, like those of instructions.

use std::borrow::Cow;

use facts::access::AccessKind;
use facts::models::contents;

use crate::program::{MemberRef, Program};

/// The arguments whose elements a call reads or writes; of each, whether it writes them.
pub fn accesses(program: &Program, member: MemberRef) -> Vec<(usize, bool)> {
    let (names, member) = (program.names(), program.member(member));
    // An array has no class of its own.
    let owner = member.owner.as_class().map_or(Cow::Borrowed("["), |owner| names.text(owner));
    let (name, descriptor) = (names.text(member.name), names.text(names.signature(member.descriptor).text));
    if contents::is_array_copy(&owner, &name) {
        return vec![(0, false), (2, true)];
    }
    let of_first = contents::of_array(&owner, &name, &descriptor).map(|elements| elements.kind);
    let kind = of_first.or_else(|| contents::of_element(&owner, &name));
    kind.map(|kind| (0, kind == AccessKind::Write)).into_iter().collect()
}
