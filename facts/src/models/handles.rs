//! Variable handles: which of their accesses order threads, by mode. The rows are in `java.lang.invoke.toml`, and for those that the JDK
//! makes by addresses in `jdk.internal.toml`.
//!
//! Opaque accesses order only where a [`fence`] stands beside them: a write right after one that releases is as one that releases, a read
//! right before one that acquires as one that acquires.

use super::called::{Called, Does};
pub use super::called::{Fence, Mode};

/// What the method with this name orders, if it orders anything.
#[must_use]
pub fn mode(class: &str, method: &str) -> Option<Mode> {
    let orders = |does: &Does| if let Does::Orders(mode) = does { Some(*mode) } else { None };
    Called::built_in().of_call(class, method, "", orders)
}

/// What an opaque access would order with a fence beside it.
#[must_use]
pub fn opaque(class: &str, method: &str) -> Option<Mode> {
    let orders = |does: &Does| if let Does::OrdersWithFence(mode) = does { Some(*mode) } else { None };
    Called::built_in().of_call(class, method, "", orders)
}

/// The fence that a call is, if it is one.
#[must_use]
pub fn fence(class: &str, method: &str) -> Option<Fence> {
    let fence = |does: &Does| if let Does::Fence(fence) = does { Some(*fence) } else { None };
    Called::built_in().of_call(class, method, "", fence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_order_what_is_beside_them() {
        let of = |class, method| fence(class, method).map(|fence| (fence.releases, fence.acquires));
        let (handle, memory) = ("java/lang/invoke/VarHandle", "sun/misc/Unsafe");
        assert_eq!(of(handle, "storeStoreFence"), Some((true, false)));
        assert_eq!(of(handle, "acquireFence"), Some((false, true)));
        assert_eq!(of(memory, "fullFence"), Some((true, true)));
        assert_eq!((of(memory, "releaseFence"), of(handle, "loadFence")), (None, None));
        assert_eq!(opaque(handle, "setOpaque"), Some(Mode { releases: true, acquires: false, values: 1 }));
        assert_eq!(opaque(handle, "getOpaque"), Some(Mode { releases: false, acquires: true, values: 0 }));
    }

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

    #[test]
    fn modes_by_address_are_as_those_of_handles() {
        let of =
            |method| mode("jdk/internal/misc/Unsafe", method).map(|mode| (mode.releases, mode.acquires, mode.values));
        assert_eq!(
            (of("getLongVolatile"), of("putReferenceRelease")),
            (Some((false, true, 0)), Some((true, false, 1)))
        );
        assert_eq!(
            (of("getAndAddLong"), of("getAndBitwiseOrByteRelease")),
            (Some((true, true, 1)), Some((true, false, 1)))
        );
        assert_eq!(
            (of("compareAndSetInt"), of("compareAndExchangeIntAcquire")),
            (Some((true, true, 2)), Some((false, true, 2)))
        );
        assert_eq!(
            (of("weakCompareAndSetInt"), of("weakCompareAndSetIntRelease")),
            (Some((true, true, 2)), Some((true, false, 2)))
        );
        for method in
            ["getInt", "putInt", "getIntOpaque", "weakCompareAndSetIntPlain", "getUnsafe", "objectFieldOffset"]
        {
            assert_eq!(of(method), None, "{method}");
        }
    }
}
