//! Variable handles: which of their accesses order threads, by mode.
//!
//! The object that a call names first, with the field or as the array, stands for the edge; for a static field, the handle does.
//! Plain and opaque accesses order nothing, but where a [`fence`] stands beside them: a write right after one that releases is
//! as one that releases, a read right before one that acquires as one that acquires.

/// What a call of a method of `VarHandle` orders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mode {
    /// Whether what came before is known to who reads the variable.
    pub releases: bool,
    /// Whether what came before the write that it reads is known afterwards.
    pub acquires: bool,
    /// How many arguments are values, not coordinates.
    pub values: usize,
}

const READS: &[&str] = &["getVolatile", "getAcquire"];
const WRITES: &[&str] = &["setVolatile", "setRelease"];
/// `compareAndExchangeRelease` and its likes read plainly, those that acquire write plainly.
const UPDATES: &[(&str, usize)] = &[
    ("compareAndSet", 2),
    ("compareAndExchange", 2),
    ("weakCompareAndSet", 2),
    ("getAndSet", 1),
    ("getAndAdd", 1),
    ("getAndBitwiseOr", 1),
    ("getAndBitwiseAnd", 1),
    ("getAndBitwiseXor", 1),
];

/// What the method with this name orders, if it orders anything.
#[must_use]
pub fn mode(class: &str, method: &str) -> Option<Mode> {
    if class != "java/lang/invoke/VarHandle" {
        return None;
    }
    if READS.contains(&method) {
        return Some(Mode { releases: false, acquires: true, values: 0 });
    }
    if WRITES.contains(&method) {
        return Some(Mode { releases: true, acquires: false, values: 1 });
    }
    let (rest, values) = UPDATES.iter().find_map(|(name, values)| Some((method.strip_prefix(name)?, *values)))?;
    match rest {
        "" => Some(Mode { releases: true, acquires: true, values }),
        "Acquire" => Some(Mode { releases: false, acquires: true, values }),
        "Release" => Some(Mode { releases: true, acquires: false, values }),
        _ => None,
    }
}

/// What an opaque access would order with a fence beside it.
#[must_use]
pub fn opaque(class: &str, method: &str) -> Option<Mode> {
    match (class, method) {
        ("java/lang/invoke/VarHandle", "getOpaque") => Some(Mode { releases: false, acquires: true, values: 0 }),
        ("java/lang/invoke/VarHandle", "setOpaque") => Some(Mode { releases: true, acquires: false, values: 1 }),
        _ => None,
    }
}

/// What a fence keeps in order (`VarHandle` and `sun.misc.Unsafe`, their Javadoc).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fence {
    /// Whether what came before stays before the writes after it.
    pub releases: bool,
    /// Whether what comes after stays after the reads before it.
    pub acquires: bool,
}

/// The fence that a call is, if it is one.
#[must_use]
pub fn fence(class: &str, method: &str) -> Option<Fence> {
    let (releases, acquires) = match (class, method) {
        ("java/lang/invoke/VarHandle", "releaseFence" | "storeStoreFence") => (true, false),
        ("java/lang/invoke/VarHandle", "acquireFence" | "loadLoadFence") => (false, true),
        ("sun/misc/Unsafe", "storeFence") => (true, false),
        ("sun/misc/Unsafe", "loadFence") => (false, true),
        ("java/lang/invoke/VarHandle" | "sun/misc/Unsafe", "fullFence") => (true, true),
        _ => return None,
    };
    Some(Fence { releases, acquires })
}

/// Whether a call makes a handle, so that fields can be reached by one.
#[must_use]
pub fn is_made_by(class: &str, method: &str) -> bool {
    class == "java/lang/invoke/MethodHandles$Lookup"
        && matches!(method, "findVarHandle" | "findStaticVarHandle" | "unreflectVarHandle")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_order_as_they_are_named() {
        let of = |method| mode("java/lang/invoke/VarHandle", method).map(|mode| (mode.releases, mode.acquires));
        assert_eq!(of("getVolatile"), Some((false, true)));
        assert_eq!(of("setRelease"), Some((true, false)));
        assert_eq!(of("getAndBitwiseOrAcquire"), Some((false, true)));
        assert_eq!(of("weakCompareAndSet"), Some((true, true)));
        for method in ["get", "set", "getOpaque", "setOpaque", "weakCompareAndSetPlain", "coordinateTypes"] {
            assert_eq!(of(method), None, "{method}");
        }
        assert_eq!(mode("java/util/concurrent/atomic/AtomicInteger", "setRelease"), None);
    }
}
