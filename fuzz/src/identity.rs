//! Any method that can be read is put together again as it was, or at least as something that stays the same.

pub(crate) fn property(bytes: &[u8]) {
    if let Ok(again) = instrumenter::identity(bytes) {
        // Padding bytes of switches need not be zero in the input, and attributes with obsolete offsets are left out.
        assert_eq!(instrumenter::identity(&again), Ok(again));
    }
}
