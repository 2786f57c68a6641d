//! Which objects carry their entries. What is asked of a class stays the same when it is redefined.

use classfile::{Class, flag};

/// What may stand in a queue, or be handed to a thread.
const TASKS: [&[u8]; 3] = [b"java/lang/Runnable", b"java/util/concurrent/Callable", b"java/util/function/Supplier"];

/// Sizes of an object's header, of a reference and of what an object's size is a multiple of, as HotSpot has them for heaps below 32 GB.
const HEADER: usize = 12;
const REFERENCE: usize = 4;
const ALIGNMENT: usize = 8;

/// Whether the objects of a class, to which so many words were added, carry their entries: they may be locks, handles may access their volatile
/// fields, they may be handed over as tasks, or have room for it.
pub(crate) fn are_carried(class: &Class<'_>, words: usize) -> bool {
    !class.is_interface() && (is_lock(class) || has_volatile(class) || is_task(class) || has_room(class, words))
}

fn is_lock(class: &Class<'_>) -> bool {
    class.methods.iter().any(|method| method.access & (flag::SYNCHRONIZED | flag::STATIC) == flag::SYNCHRONIZED)
}

fn has_volatile(class: &Class<'_>) -> bool {
    class.fields.iter().any(|field| field.access & (flag::VOLATILE | flag::STATIC) == flag::VOLATILE)
}

fn is_task(class: &Class<'_>) -> bool {
    class.interfaces().any(|interface| class.pool.class_name(interface).is_ok_and(|name| TASKS.contains(&name)))
}

/// Not known of a class that extends another one.
fn has_room(class: &Class<'_>, words: usize) -> bool {
    let extends_none = class.pool.class_name(class.super_class).is_ok_and(|name| name == b"java/lang/Object");
    let fields = class.fields.iter().filter(|field| field.access & flag::STATIC == 0);
    extends_none && leaves_room(fields.map(|field| size(field.descriptor)).sum(), words)
}

/// Whether what fills objects with so many bytes of fields up to a multiple of eight has room for a reference.
fn leaves_room(fields: usize, words: usize) -> bool {
    let rest = (HEADER + fields + words * REFERENCE) % ALIGNMENT;
    rest != 0 && rest <= ALIGNMENT - REFERENCE
}

fn size(descriptor: &[u8]) -> usize {
    match descriptor {
        b"J" | b"D" => 8,
        b"Z" | b"B" => 1,
        b"S" | b"C" => 2,
        _ => REFERENCE,
    }
}

#[cfg(test)]
mod tests {
    use super::leaves_room;

    #[test]
    fn room_is_what_alignment_leaves() {
        // Of 12, 28, 19 and 25 bytes.
        let with_room = [(0, 0), (8, 2), (3, 1), (9, 1)];
        // Of 16, 24 and 21.
        let without = [(4, 0), (8, 1), (5, 1)];
        assert!(with_room.iter().all(|(fields, words)| leaves_room(*fields, *words)));
        assert!(without.iter().all(|(fields, words)| !leaves_room(*fields, *words)));
    }
}
