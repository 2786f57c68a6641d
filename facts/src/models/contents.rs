//! Objects of the library as variables: which classes are for one thread at a time, and which methods read or write what an object
//! of theirs holds. The rows are in the files of the models (`[[called]]`).
//!
//! A call is known by the class that it names, often an interface; whether the object is one of these is known when it is called.

use super::called::{Called, Does, Objects, Pattern, Reflective};
pub use super::called::{Extent, Finds, Place};
use crate::access::AccessKind;

/// What a call does to the contents of objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Call {
    /// To the object that it is called on; of a static method, to the first argument.
    pub object: Option<AccessKind>,
    /// Whether it reads its last argument, a collection or a map.
    pub copies: bool,
    /// Whether it looks something up in the object, which may keep the order of look-ups.
    pub looks_up: bool,
    /// What it finds that it was not asked for by name.
    pub finds: Finds,
    /// To which elements of a list it comes.
    pub comes_to: Place,
    /// Whether the method is static.
    pub is_static: bool,
}

/// Whether objects of a class, not only of those that extend it, carry a word for their contents.
#[must_use]
pub fn has_word(class: &str) -> bool {
    objects(class).any(|objects| objects.holds_contents)
}

/// Whether the elements of what objects of a class hold are variables of their own, by index.
#[must_use]
pub fn has_elements(class: &str) -> bool {
    objects(class).any(|objects| objects.holds_elements)
}

/// The field that holds the object for which those of a class stand.
#[must_use]
pub fn stands_for(class: &str) -> Option<&'static str> {
    objects(class).find_map(|objects| objects.stands_for.as_deref())
}

/// What an object of a class with a word is to the program that has it in a field of some type (`Ljava/util/Set;`, `[Ljava/util/Set;`):
/// where that says so a set, of which only the map is known that it stands for. A view of keys that is kept in a field seems to be one, too.
#[must_use]
pub fn seen_as<'a>(class: &'a str, declared: &str) -> &'a str {
    let declared = declared.trim_start_matches('[').trim_start_matches('L').trim_end_matches(';');
    let backed = objects(class).find_map(|objects| objects.backs.as_deref());
    backed.filter(|_| objects(declared).any(|objects| objects.is_backed)).unwrap_or(class)
}

/// Whether runs take the contents of objects of a class for a variable that has its name.
#[must_use]
pub fn is_checked(class: &str) -> bool {
    has_word(class) || Called::built_in().rows().iter().any(|row| row.objects.backs.as_deref() == Some(class))
}

/// The field that holds the lock that each method of such an object takes.
#[must_use]
pub fn lock_of(class: &str) -> Option<&'static str> {
    objects(class).find_map(|objects| objects.locked_by.as_deref())
}

fn objects(class: &str) -> impl Iterator<Item = &'static Objects> {
    Called::built_in().of_class(class).map(|row| &row.objects)
}

/// Every class with a word.
pub fn classes() -> impl Iterator<Item = &'static str> {
    let rows = Called::built_in().rows().iter().filter(|row| row.objects.holds_contents);
    rows.flat_map(|row| row.classes.iter().map(Pattern::name))
}

/// What a call does to the contents of objects that are for one thread at a time.
#[must_use]
pub fn call(class: &str, method: &str, descriptor: &str) -> Option<Call> {
    let touched = |does: &Does| match does {
        Does::Touches(kind) => Some((*kind, false)),
        Does::TouchesArgument(kind) => Some((Some(*kind), true)),
        _ => None,
    };
    let does = |wanted: Does| move |does: &Does| (*does == wanted).then_some(());
    let called = Called::built_in();
    let (object, is_static) = called.of_call(class, method, descriptor, touched).unwrap_or_default();
    let copies = called.of_call(class, method, descriptor, does(Does::ReadsLast)).is_some();
    let looks_up = called.of_call(class, method, descriptor, does(Does::LooksUp)).is_some();
    let finds = called.of_call(class, method, descriptor, found).unwrap_or_default();
    let comes_to = called.of_call(class, method, descriptor, place).unwrap_or_default();
    (object.is_some() || copies).then_some(Call { object, copies, looks_up, finds, comes_to, is_static })
}

fn place(does: &Does) -> Option<Place> {
    match does {
        Does::ComesTo(place) => Some(*place),
        _ => None,
    }
}

fn found(does: &Does) -> Option<Finds> {
    match does {
        Does::Finds(finds) => Some(*finds),
        _ => None,
    }
}

/// What a call does to the contents of a map that several threads may use.
#[must_use]
pub fn of_shared_map(class: &str, method: &str, descriptor: &str) -> Option<AccessKind> {
    let touched = |does: &Does| if let Does::TouchesShared(kind) = does { Some(*kind) } else { None };
    Called::built_in().of_call(class, method, descriptor, touched)
}

/// Whether a call reads elements of one array and writes those of another.
#[must_use]
pub fn is_array_copy(class: &str, method: &str) -> bool {
    let copies = |does: &Does| (*does == Does::CopiesElements).then_some(());
    Called::built_in().of_call(class, method, "", copies).is_some()
}

/// What a call does to the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elements {
    /// Whether it writes them.
    pub kind: AccessKind,
    /// Which.
    pub extent: Extent,
}

/// What a call does to the elements of the array that it is called on, or of its first argument.
#[must_use]
pub fn of_array(class: &str, method: &str, descriptor: &str) -> Option<Elements> {
    if class.starts_with('[') {
        return (method == "clone").then_some(Elements { kind: AccessKind::Read, extent: Extent::Whole });
    }
    let is_range = behind_array(descriptor).starts_with("II");
    let touched = |does: &Does| match does {
        Does::TouchesElements { kind, .. } if is_range => Some(Elements { kind: *kind, extent: Extent::Range }),
        Does::TouchesElements { kind, extent } => Some(Elements { kind: *kind, extent: *extent }),
        _ => None,
    };
    Called::built_in().of_call(class, method, descriptor, touched)
}

/// What a call does to an element of its first argument, an array that reflection knows.
#[must_use]
pub fn of_element(class: &str, method: &str) -> Option<AccessKind> {
    reflective(class, method).and_then(|reflective| match reflective {
        Reflective::Element(kind) => Some(kind),
        _ => None,
    })
}

/// What a call of a variable handle does that orders nothing.
#[must_use]
pub fn by_handle(class: &str, method: &str) -> Option<AccessKind> {
    let of_handle = reflective(class, method).filter(|_| class == "java/lang/invoke/VarHandle");
    of_handle.and_then(|reflective| match reflective {
        Reflective::Field(kind) => Some(kind),
        _ => None,
    })
}

fn reflective(class: &str, method: &str) -> Option<Reflective> {
    let does = |does: &Does| if let Does::Reflects(reflective) = does { Some(*reflective) } else { None };
    Called::built_in().of_call(class, method, "", does)
}

/// The parameters behind the first one, an array.
fn behind_array(descriptor: &str) -> &str {
    let element = descriptor.trim_start_matches('(').trim_start_matches('[');
    match element.strip_prefix('L') {
        Some(class) => class.split_once(';').map_or("", |(_, rest)| rest),
        None => element.get(1..).unwrap_or_default(),
    }
}

/// What a method of the library does with the object that it is called on, or with its first argument if that is an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// It may hand it to anybody.
    None,
    /// Nobody has it afterwards who did not before.
    Kept,
    /// The same for both arrays of `System.arraycopy`.
    Both,
    /// Only the result, which is the object itself.
    Returned,
    /// Only the result, which stands for the object: an iterator or a view.
    View,
}

impl Keeping {
    /// Whether it is known of this slot of the arguments, in which the object is the first.
    #[must_use]
    pub const fn covers(self, slot: usize) -> bool {
        match self {
            Self::None => false,
            Self::Kept | Self::Returned | Self::View => slot == 0,
            Self::Both => slot == 0 || slot == 2,
        }
    }
}

/// The class that calls name whose object may be of any.
const OBJECT: &str = "java/lang/Object";

/// Whether a text is made of the contents of what has a type, if that is of such a class.
#[must_use]
pub fn is_shown(ty: &str) -> bool {
    ty == OBJECT || is_called(ty)
}

/// Whether objects of a class, if such are made, are known here, so that [`keeping`] knows its methods.
#[must_use]
pub fn is_called(class: &str) -> bool {
    let touches = |(_, does): &(Pattern, Does)| matches!(does, Does::Touches(_));
    class != OBJECT && Called::built_in().of_class(class).any(|row| row.methods.iter().any(touches))
}

/// What a method does with its object. No method of a class in [`is_called`] keeps the object that it is called on, or hands it to code
/// of others, but by its result.
#[must_use]
pub fn keeping(class: &str, method: &str, descriptor: &str) -> Keeping {
    if is_array_copy(class, method) {
        return Keeping::Both;
    }
    let result = descriptor.split_once(')').map_or("", |(_, result)| result);
    let tells_nothing = !result.starts_with('L') || matches!(result, "Ljava/lang/String;" | "Ljava/lang/Object;");
    if tells_nothing {
        let is_known = is_called(class) || of_array(class, method, descriptor).is_some();
        return if is_known { Keeping::Kept } else { Keeping::None };
    }
    if objects(class).any(|objects| objects.itself.iter().any(|ty| ty == result)) {
        Keeping::Returned
    } else if method != "clone" && objects(class).any(|objects| objects.views.iter().any(|ty| ty == result)) {
        Keeping::View
    } else {
        Keeping::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(class: &str, method: &str, descriptor: &str) -> Option<AccessKind> {
        call(class, method, descriptor).and_then(|call| call.object)
    }

    #[test]
    fn methods_go_by_their_family() {
        let (read, write) = (Some(AccessKind::Read), Some(AccessKind::Write));
        assert_eq!(object("java/util/Map", "get", "(Ljava/lang/Object;)Ljava/lang/Object;"), read);
        assert_eq!(object("java/lang/Object", "toString", "()Ljava/lang/String;"), read);
        // That of a class of the program may show the object to others.
        assert_eq!(keeping("java/lang/Object", "toString", "()Ljava/lang/String;"), Keeping::None);
        assert_eq!(
            object("java/util/HashMap", "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
            write
        );
        assert_eq!(object("java/util/Map", "keySet", "()Ljava/util/Set;"), None);
        assert_eq!(object("java/util/Iterator", "next", "()Ljava/lang/Object;"), read);
        assert_eq!(object("java/util/Iterator", "hasNext", "()Z"), None);
        assert_eq!(object("java/text/DateFormat", "format", "(Ljava/util/Date;)Ljava/lang/String;"), write);
        assert_eq!(object("java/lang/String", "length", "()I"), None);
        assert_eq!(object("java/util/Calendar", "getTime", "()Ljava/util/Date;"), read);
    }

    #[test]
    fn what_is_not_said_to_come_elsewhere_comes_to_each_element() {
        let place = |class, method, descriptor| call(class, method, descriptor).map(|call| call.comes_to);
        assert_eq!(place("java/util/List", "get", "(I)Ljava/lang/Object;"), Some(Place::Index));
        assert_eq!(place("java/util/ArrayList", "set", "(ILjava/lang/Object;)Ljava/lang/Object;"), Some(Place::Index));
        assert_eq!(place("java/util/List", "getFirst", "()Ljava/lang/Object;"), Some(Place::Each));
        assert_eq!(place("java/util/Map", "get", "(Ljava/lang/Object;)Ljava/lang/Object;"), Some(Place::Each));
        assert_eq!(place("java/util/List", "size", "()I"), Some(Place::None));
        assert_eq!(place("java/util/Iterator", "next", "()Ljava/lang/Object;"), Some(Place::Next));
        assert_eq!(place("java/util/ListIterator", "previous", "()Ljava/lang/Object;"), Some(Place::Each));
    }

    #[test]
    fn only_what_moves_a_buffer_counts() {
        let write = Some(AccessKind::Write);
        assert_eq!(object("java/nio/ByteBuffer", "get", "()B"), write);
        assert_eq!(object("java/nio/ByteBuffer", "get", "(I)B"), None);
        assert_eq!(object("java/nio/ByteBuffer", "put", "(B)Ljava/nio/ByteBuffer;"), write);
        assert_eq!(object("java/nio/ByteBuffer", "put", "(IB)Ljava/nio/ByteBuffer;"), None);
        assert_eq!(object("java/nio/ByteBuffer", "put", "([BII)Ljava/nio/ByteBuffer;"), write);
        assert_eq!(object("java/nio/Buffer", "position", "()I"), Some(AccessKind::Read));
        assert_eq!(object("java/nio/Buffer", "position", "(I)Ljava/nio/Buffer;"), write);
    }

    #[test]
    fn a_range_stands_behind_the_array() {
        let of = |method, descriptor| of_array("java/util/Arrays", method, descriptor).map(|elements| elements.extent);
        assert_eq!(of("fill", "([II)V"), Some(Extent::Whole));
        assert_eq!(of("fill", "([IIII)V"), Some(Extent::Range));
        assert_eq!(of("sort", "([Ljava/lang/Object;IILjava/util/Comparator;)V"), Some(Extent::Range));
        assert_eq!(of("copyOf", "([II)[I"), Some(Extent::Whole));
        assert_eq!(of("binarySearch", "([JJ)I"), Some(Extent::Some));
        assert_eq!(of("asList", "([Ljava/lang/Object;)Ljava/util/List;"), None);
    }

    #[test]
    fn what_is_copied_is_read() {
        let of = |class, method, descriptor| call(class, method, descriptor).is_some_and(|call| call.copies);
        assert!(of("java/util/ArrayList", "<init>", "(Ljava/util/Collection;)V"));
        assert!(!of("java/util/ArrayList", "<init>", "(I)V"));
        assert!(of("java/util/List", "addAll", "(ILjava/util/Collection;)Z"));
        assert!(of("java/util/Map", "putAll", "(Ljava/util/Map;)V"));
        assert!(!of("java/util/Map", "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"));
    }

    #[test]
    fn no_class_has_both_a_word_and_another_object() {
        assert!(classes().count() > 25 && classes().all(|class| stands_for(class).is_none()));
        let named = Called::built_in().rows().iter().filter(|row| row.objects.stands_for.is_some());
        let mut seen = std::collections::BTreeSet::new();
        assert!(
            classes()
                .chain(named.flat_map(|row| row.classes.iter().map(Pattern::name)))
                .all(|class| seen.insert(class))
        );
    }
}
