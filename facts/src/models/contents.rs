//! Objects of the library as variables: which classes are for one thread at a time, and which methods read or write what an object
//! of theirs holds.
//!
//! A call is known by the class that it names, often an interface; whether the object is one of these is known when it is called.
//! Methods go by families: within one, a name means the same in each class. A method that may write counts as a write, except where
//! it mostly does not (`LinkedHashMap.get` in access order, `WeakHashMap.get`, `Calendar.get`): races between such reads are missed.

use crate::access::AccessKind;

/// What a call does to the contents of objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Call {
    /// To the object that it is called on; of a static method, to the first argument.
    pub object: Option<AccessKind>,
    /// Whether it reads its last argument, a collection or a map.
    pub copies: bool,
    /// Whether the method is static.
    pub is_static: bool,
}

/// What methods are about, by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    Collection,
    Iterator,
    Builder,
    Format,
    Calendar,
    Buffer,
    Digest,
    Matcher,
    Scanner,
    Splittable,
    Joiner,
    Bits,
}

/// Classes whose objects are for one thread at a time, and all that extend them in the library. Each carries a word.
const UNSAFE: &[&str] = &[
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/ArrayDeque",
    "java/util/PriorityQueue",
    "java/util/HashMap",
    "java/util/TreeMap",
    "java/util/IdentityHashMap",
    "java/util/WeakHashMap",
    "java/util/EnumMap",
    "java/util/EnumSet",
    "java/util/BitSet",
    "java/util/StringJoiner",
    "java/util/StringTokenizer",
    "java/util/Scanner",
    "java/util/Formatter",
    "java/util/Calendar",
    "java/util/SplittableRandom",
    "java/util/regex/Matcher",
    "java/lang/StringBuilder",
    "java/text/SimpleDateFormat",
    "java/text/DecimalFormat",
    "java/text/CompactNumberFormat",
    "java/text/MessageFormat",
    "java/nio/Buffer",
    "java/security/MessageDigest",
    "java/security/Signature",
    "javax/crypto/Mac",
    "javax/crypto/Cipher",
];

/// Classes whose objects stand for another one, with the field that holds it: sets over maps, views, unmodifiable wrappers and
/// iterators. A field that a JDK does not have leaves the objects of the class unchecked.
const STANDS_FOR: &[(&str, &str)] = &[
    ("java/util/HashSet", "map"),
    ("java/util/TreeSet", "m"),
    ("java/util/ArrayList$Itr", "this$0"),
    ("java/util/ArrayList$SubList", "root"),
    ("java/util/ArrayList$SubList$1", "this$0"),
    ("java/util/AbstractList$Itr", "this$0"),
    ("java/util/AbstractList$SubList", "root"),
    ("java/util/AbstractList$SubList$1", "this$0"),
    ("java/util/LinkedList$ListItr", "this$0"),
    ("java/util/LinkedList$DescendingIterator", "itr"),
    ("java/util/LinkedList$ReverseOrderLinkedListView", "list"),
    ("java/util/ArrayDeque$DeqIterator", "this$0"),
    ("java/util/PriorityQueue$Itr", "this$0"),
    ("java/util/HashMap$HashIterator", "this$0"),
    ("java/util/HashMap$KeySet", "this$0"),
    ("java/util/HashMap$Values", "this$0"),
    ("java/util/HashMap$EntrySet", "this$0"),
    ("java/util/LinkedHashMap$LinkedHashIterator", "this$0"),
    ("java/util/LinkedHashMap$LinkedKeySet", "this$0"),
    ("java/util/LinkedHashMap$LinkedValues", "this$0"),
    ("java/util/LinkedHashMap$LinkedEntrySet", "this$0"),
    ("java/util/LinkedHashMap$ReversedLinkedHashMapView", "base"),
    ("java/util/TreeMap$PrivateEntryIterator", "this$0"),
    ("java/util/TreeMap$KeySet", "m"),
    ("java/util/TreeMap$Values", "this$0"),
    ("java/util/TreeMap$EntrySet", "this$0"),
    ("java/util/TreeMap$NavigableSubMap", "m"),
    ("java/util/TreeMap$NavigableSubMap$SubMapIterator", "this$0"),
    ("java/util/TreeMap$NavigableSubMap$EntrySetView", "this$0"),
    ("java/util/IdentityHashMap$IdentityHashMapIterator", "this$0"),
    ("java/util/IdentityHashMap$KeySet", "this$0"),
    ("java/util/IdentityHashMap$Values", "this$0"),
    ("java/util/IdentityHashMap$EntrySet", "this$0"),
    ("java/util/WeakHashMap$HashIterator", "this$0"),
    ("java/util/WeakHashMap$KeySet", "this$0"),
    ("java/util/WeakHashMap$Values", "this$0"),
    ("java/util/WeakHashMap$EntrySet", "this$0"),
    ("java/util/EnumMap$EnumMapIterator", "this$0"),
    ("java/util/EnumMap$KeySet", "this$0"),
    ("java/util/EnumMap$Values", "this$0"),
    ("java/util/EnumMap$EntrySet", "this$0"),
    ("java/util/RegularEnumSet$EnumSetIterator", "this$0"),
    ("java/util/JumboEnumSet$EnumSetIterator", "this$0"),
    ("java/util/AbstractMap$1", "this$0"),
    ("java/util/AbstractMap$2", "this$0"),
    ("java/util/ReverseOrderListView", "base"),
    ("java/util/ReverseOrderDequeView", "base"),
    ("java/util/ReverseOrderSortedSetView", "base"),
    ("java/util/Collections$UnmodifiableCollection", "c"),
    ("java/util/Collections$UnmodifiableCollection$1", "i"),
    ("java/util/Collections$UnmodifiableList$1", "i"),
    ("java/util/Collections$UnmodifiableMap", "m"),
    ("java/util/Collections$UnmodifiableMap$UnmodifiableEntrySet$1", "i"),
    ("java/util/Collections$CheckedCollection", "c"),
    ("java/util/Collections$CheckedCollection$1", "val$it"),
    ("java/util/Collections$CheckedMap", "m"),
    ("java/util/Collections$SetFromMap", "m"),
    ("java/util/Collections$AsLIFOQueue", "q"),
];

/// Wrappers that lock: the field of what they wrap, and that of the lock.
const LOCKS: &[(&str, &str, &str)] = &[
    ("java/util/Collections$SynchronizedCollection", "c", "mutex"),
    ("java/util/Collections$SynchronizedMap", "m", "mutex"),
];

/// Through which classes they are called, besides those themselves.
const CALLED_AS: &[(&str, Family)] = &[
    ("java/lang/Iterable", Family::Collection),
    ("java/util/Collection", Family::Collection),
    ("java/util/SequencedCollection", Family::Collection),
    ("java/util/List", Family::Collection),
    ("java/util/Set", Family::Collection),
    ("java/util/SequencedSet", Family::Collection),
    ("java/util/SortedSet", Family::Collection),
    ("java/util/NavigableSet", Family::Collection),
    ("java/util/Queue", Family::Collection),
    ("java/util/Deque", Family::Collection),
    ("java/util/Map", Family::Collection),
    ("java/util/SequencedMap", Family::Collection),
    ("java/util/SortedMap", Family::Collection),
    ("java/util/NavigableMap", Family::Collection),
    ("java/util/AbstractCollection", Family::Collection),
    ("java/util/AbstractList", Family::Collection),
    ("java/util/AbstractSequentialList", Family::Collection),
    ("java/util/AbstractSet", Family::Collection),
    ("java/util/AbstractQueue", Family::Collection),
    ("java/util/AbstractMap", Family::Collection),
    ("java/util/LinkedHashMap", Family::Collection),
    ("java/util/HashSet", Family::Collection),
    ("java/util/LinkedHashSet", Family::Collection),
    ("java/util/TreeSet", Family::Collection),
    ("java/util/Iterator", Family::Iterator),
    ("java/util/ListIterator", Family::Iterator),
    ("java/util/GregorianCalendar", Family::Calendar),
    ("java/lang/AbstractStringBuilder", Family::Builder),
    ("java/lang/Appendable", Family::Builder),
    ("java/text/Format", Family::Format),
    ("java/text/DateFormat", Family::Format),
    ("java/text/NumberFormat", Family::Format),
    ("java/nio/ByteBuffer", Family::Buffer),
    ("java/nio/CharBuffer", Family::Buffer),
    ("java/nio/ShortBuffer", Family::Buffer),
    ("java/nio/IntBuffer", Family::Buffer),
    ("java/nio/LongBuffer", Family::Buffer),
    ("java/nio/FloatBuffer", Family::Buffer),
    ("java/nio/DoubleBuffer", Family::Buffer),
    ("java/nio/MappedByteBuffer", Family::Buffer),
];

/// How the names of methods of a family begin that write, and that read; what begins with neither does not count.
const BY_NAME: &[(Family, &[&str], &[&str])] = &[
    (
        Family::Collection,
        &[
            "add",
            "offer",
            "push",
            "poll",
            "pop",
            "put",
            "set",
            "remove",
            "retain",
            "replace",
            "clear",
            "sort",
            "compute",
            "merge",
            "ensureCapacity",
            "trimToSize",
        ],
        &[
            "get",
            "contains",
            "size",
            "isEmpty",
            "peek",
            "element",
            "first",
            "last",
            "indexOf",
            "iterator",
            "listIterator",
            "descendingIterator",
            "spliterator",
            "stream",
            "parallelStream",
            "toArray",
            "forEach",
            "hashCode",
            "equals",
            "toString",
            "higher",
            "lower",
            "floor",
            "ceiling",
            "clone",
        ],
    ),
    (Family::Iterator, &["remove", "set", "add"], &["next", "previous", "forEachRemaining"]),
    (
        Family::Builder,
        &["append", "insert", "delete", "replace", "reverse", "set", "ensureCapacity", "trimToSize", "repeat"],
        &[
            "charAt",
            "length",
            "substring",
            "subSequence",
            "indexOf",
            "lastIndexOf",
            "toString",
            "codePoint",
            "chars",
            "compareTo",
            "getChars",
            "isEmpty",
        ],
    ),
    (Family::Format, &["format", "parse", "set", "apply"], &["get", "to", "is"]),
    (
        Family::Calendar,
        &["set", "add", "roll", "clear"],
        &["get", "is", "after", "before", "compareTo", "toInstant", "toZonedDateTime", "clone"],
    ),
    (
        Family::Buffer,
        &["flip", "clear", "rewind", "mark", "reset", "compact"],
        &["remaining", "hasRemaining", "slice", "duplicate", "asReadOnlyBuffer"],
    ),
    (Family::Digest, &["update", "digest", "reset", "doFinal", "init", "sign", "verify", "wrap", "unwrap"], &[]),
    (
        Family::Matcher,
        &["find", "matches", "lookingAt", "reset", "usePattern", "region", "replace", "append", "use"],
        &["group", "start", "end", "toMatchResult", "hitEnd", "requireEnd"],
    ),
    (Family::Scanner, &["next", "hasNext", "find", "skip", "use", "close", "reset", "hasMore", "format"], &["count"]),
    (Family::Splittable, &["next", "split"], &[]),
    (Family::Joiner, &["add", "merge", "setEmptyValue"], &["toString", "length"]),
    (
        Family::Bits,
        &["set", "clear", "flip", "and", "or", "xor"],
        &[
            "get",
            "next",
            "previous",
            "cardinality",
            "length",
            "size",
            "isEmpty",
            "intersects",
            "stream",
            "to",
            "hashCode",
            "equals",
            "clone",
        ],
    ),
];

/// Exceptions: names that begin like those above and do not touch the contents.
const NEITHER: &[(Family, &str)] = &[
    // Loads the fields' names only, or asks for what never changes.
    (Family::Calendar, "getInstance"),
    (Family::Calendar, "getAvailable"),
    (Family::Calendar, "getTimeZone"),
    (Family::Format, "getInstance"),
    (Family::Format, "getAvailable"),
    (Family::Matcher, "regionStart"),
    (Family::Matcher, "regionEnd"),
    // They are static, or of other objects.
    (Family::Collection, "getClass"),
    (Family::Format, "getClass"),
    (Family::Calendar, "getClass"),
    (Family::Bits, "getClass"),
];

/// Static methods with a list or a map as their first argument.
const OF_COLLECTIONS: &[(&str, AccessKind)] = &[
    ("sort", AccessKind::Write),
    ("shuffle", AccessKind::Write),
    ("reverse", AccessKind::Write),
    ("swap", AccessKind::Write),
    ("fill", AccessKind::Write),
    ("rotate", AccessKind::Write),
    ("addAll", AccessKind::Write),
    ("max", AccessKind::Read),
    ("min", AccessKind::Read),
    ("frequency", AccessKind::Read),
    ("binarySearch", AccessKind::Read),
    ("indexOfSubList", AccessKind::Read),
    ("lastIndexOfSubList", AccessKind::Read),
];

/// Descriptors of types of arguments that are copied or gone over.
const COPIED: &[&str] =
    &["Ljava/util/Collection;", "Ljava/util/Map;", "Ljava/util/SortedMap;", "Ljava/util/SortedSet;"];

/// Whether objects of a class, not only of those that extend it, carry a word for their contents.
#[must_use]
pub fn has_word(class: &str) -> bool {
    UNSAFE.contains(&class)
}

/// The field that holds the object for which those of a class stand.
#[must_use]
pub fn stands_for(class: &str) -> Option<&'static str> {
    let row = STANDS_FOR.iter().find(|row| row.0 == class).map(|row| row.1);
    row.or_else(|| LOCKS.iter().find(|row| row.0 == class).map(|row| row.1))
}

/// The field that holds the lock that each method of such an object takes.
#[must_use]
pub fn lock_of(class: &str) -> Option<&'static str> {
    LOCKS.iter().find(|row| row.0 == class).map(|row| row.2)
}

/// Every class with a word.
#[must_use]
pub fn classes() -> &'static [&'static str] {
    UNSAFE
}

/// What a call does to the contents of objects that are for one thread at a time.
#[must_use]
pub fn call(class: &str, method: &str, descriptor: &str) -> Option<Call> {
    if method == "<init>" {
        return copies(class, descriptor).then_some(Call { copies: true, ..Call::default() });
    }
    if class == "java/util/Collections" {
        let (_, kind) = OF_COLLECTIONS.iter().find(|row| row.0 == method)?;
        return Some(Call { object: Some(*kind), copies: false, is_static: true });
    }
    let family = family(class)?;
    let object = if family == Family::Buffer { buffer(method, descriptor) } else { None };
    let object = object.or_else(|| by_name(family, method));
    let copies = object.is_some() && family == Family::Collection && last_is_copied(descriptor);
    object.is_some().then_some(Call { object, copies, is_static: false })
}

/// Whether a constructor reads its only argument.
fn copies(class: &str, descriptor: &str) -> bool {
    family(class) == Some(Family::Collection)
        && descriptor.strip_prefix('(').is_some_and(|rest| COPIED.iter().any(|ty| rest.strip_prefix(ty) == Some(")V")))
}

fn last_is_copied(descriptor: &str) -> bool {
    descriptor.split_once(')').is_some_and(|(arguments, _)| COPIED.iter().any(|ty| arguments.ends_with(ty)))
}

fn family(class: &str) -> Option<Family> {
    if let Some((_, family)) = CALLED_AS.iter().find(|row| row.0 == class) {
        return Some(*family);
    }
    if !has_word(class) {
        return None;
    }
    Some(match class {
        "java/lang/StringBuilder" => Family::Builder,
        "java/util/BitSet" => Family::Bits,
        "java/util/StringJoiner" => Family::Joiner,
        "java/util/Scanner" | "java/util/StringTokenizer" | "java/util/Formatter" => Family::Scanner,
        "java/util/Calendar" => Family::Calendar,
        "java/util/SplittableRandom" => Family::Splittable,
        "java/util/regex/Matcher" => Family::Matcher,
        "java/nio/Buffer" => Family::Buffer,
        _ if class.starts_with("java/text/") => Family::Format,
        _ if class.starts_with("java/security/") || class.starts_with("javax/crypto/") => Family::Digest,
        _ => Family::Collection,
    })
}

fn by_name(family: Family, method: &str) -> Option<AccessKind> {
    if NEITHER.iter().any(|row| row.0 == family && method.starts_with(row.1)) {
        return None;
    }
    let (_, writes, reads) = BY_NAME.iter().find(|row| row.0 == family)?;
    let begins = |names: &[&str]| names.iter().any(|name| method.starts_with(name));
    if begins(writes) {
        return Some(AccessKind::Write);
    }
    begins(reads).then_some(AccessKind::Read)
}

/// Only what moves the position or the limit: threads may share a buffer by its indexes.
fn buffer(method: &str, descriptor: &str) -> Option<AccessKind> {
    let arguments = descriptor.strip_prefix('(')?.split_once(')')?.0;
    let is_of_range = arguments.starts_with(['[', 'L']);
    let is_relative = match method {
        "position" | "limit" => {
            return Some(if arguments.is_empty() { AccessKind::Read } else { AccessKind::Write });
        }
        _ if method.starts_with("get") && method != "getClass" => arguments.is_empty() || is_of_range,
        _ if method.starts_with("put") => arguments.len() == 1 || is_of_range,
        _ => false,
    };
    is_relative.then_some(AccessKind::Write)
}

/// Through which classes maps are called that several threads may use at once; which one it is, is known when it is called.
const MAPS: &[&str] = &[
    "java/util/Map",
    "java/util/concurrent/ConcurrentMap",
    "java/util/concurrent/ConcurrentNavigableMap",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentSkipListMap",
];

/// What methods of maps do to their contents, each by itself at once: name, arguments, whether it writes. A method that may write
/// counts as a write.
const OF_MAPS: &[(&str, &str, AccessKind)] = &[
    ("get", "(Ljava/lang/Object;)", AccessKind::Read),
    ("getOrDefault", "(Ljava/lang/Object;Ljava/lang/Object;)", AccessKind::Read),
    ("containsKey", "(Ljava/lang/Object;)", AccessKind::Read),
    ("containsValue", "(Ljava/lang/Object;)", AccessKind::Read),
    ("size", "()", AccessKind::Read),
    ("mappingCount", "()", AccessKind::Read),
    ("isEmpty", "()", AccessKind::Read),
    ("put", "(Ljava/lang/Object;Ljava/lang/Object;)", AccessKind::Write),
    ("putIfAbsent", "(Ljava/lang/Object;Ljava/lang/Object;)", AccessKind::Write),
    ("replace", "(Ljava/lang/Object;Ljava/lang/Object;)", AccessKind::Write),
    ("remove", "(Ljava/lang/Object;)", AccessKind::Write),
    ("remove", "(Ljava/lang/Object;Ljava/lang/Object;)", AccessKind::Write),
    ("computeIfAbsent", "(Ljava/lang/Object;Ljava/util/function/Function;)", AccessKind::Write),
    ("computeIfPresent", "(Ljava/lang/Object;Ljava/util/function/BiFunction;)", AccessKind::Write),
    ("compute", "(Ljava/lang/Object;Ljava/util/function/BiFunction;)", AccessKind::Write),
    ("putAll", "(Ljava/util/Map;)", AccessKind::Write),
    ("clear", "()", AccessKind::Write),
];

/// What a call does to the contents of a map that several threads may use.
#[must_use]
pub fn of_shared_map(class: &str, method: &str, descriptor: &str) -> Option<AccessKind> {
    let is_same = |row: &&(&str, &str, AccessKind)| row.0 == method && descriptor.starts_with(row.1);
    OF_MAPS.iter().find(is_same).filter(|_| MAPS.contains(&class)).map(|row| row.2)
}

/// Whether a call reads elements of one array and writes those of another.
#[must_use]
pub fn is_array_copy(class: &str, method: &str) -> bool {
    (class, method) == ("java/lang/System", "arraycopy")
}

/// What a call does to the elements of the array that it is called on, or of its first argument.
#[must_use]
pub fn of_array(class: &str, method: &str, descriptor: &str) -> Option<AccessKind> {
    let is_array = descriptor.starts_with("([");
    match (class, method) {
        ("java/util/Arrays", "fill" | "sort" | "parallelSort" | "setAll" | "parallelSetAll" | "parallelPrefix")
            if is_array =>
        {
            Some(AccessKind::Write)
        }
        (
            "java/util/Arrays",
            "copyOf" | "copyOfRange" | "hashCode" | "toString" | "binarySearch" | "stream" | "equals",
        ) if is_array => Some(AccessKind::Read),
        (class, "clone") if class.starts_with('[') => Some(AccessKind::Read),
        _ => None,
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

/// Whether objects of a class, if such are made, are known here, so that [`keeping`] knows its methods.
#[must_use]
pub fn is_called(class: &str) -> bool {
    family(class).is_some()
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
    if of_array(class, method, descriptor).is_some() {
        return if tells_nothing { Keeping::Kept } else { Keeping::None };
    }
    match family(class) {
        None => Keeping::None,
        Some(_) if tells_nothing => Keeping::Kept,
        Some(Family::Builder | Family::Joiner) if ITSELF.contains(&result) => Keeping::Returned,
        Some(Family::Collection) if VIEWS.contains(&result) && method != "clone" => Keeping::View,
        Some(_) => Keeping::None,
    }
}

/// Types of results that are the object itself.
const ITSELF: &[&str] = &[
    "Ljava/lang/StringBuilder;",
    "Ljava/lang/AbstractStringBuilder;",
    "Ljava/lang/Appendable;",
    "Ljava/util/StringJoiner;",
];

/// Types of results that stand for the object.
const VIEWS: &[&str] = &[
    "Ljava/util/Iterator;",
    "Ljava/util/ListIterator;",
    "Ljava/util/Set;",
    "Ljava/util/Collection;",
    "Ljava/util/List;",
    "Ljava/util/Map;",
    "Ljava/util/SortedMap;",
    "Ljava/util/SortedSet;",
    "Ljava/util/NavigableMap;",
    "Ljava/util/NavigableSet;",
];

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
        assert!(UNSAFE.iter().all(|class| stands_for(class).is_none()));
        let mut seen = std::collections::BTreeSet::new();
        let views = STANDS_FOR.iter().map(|row| row.0).chain(LOCKS.iter().map(|row| row.0));
        assert!(UNSAFE.iter().copied().chain(views).all(|class| seen.insert(class)));
    }
}
