//! Bounds on what comes out of archives: a few bytes of one can stand for gigabytes.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most that a class file takes, in bytes. The largest ones of real programs take some megabytes: a method has 64 KB of code at
/// most.
const CLASS: u64 = 64 << 20;

/// What any archive may inflate to, in bytes, and how many times its own length besides. Class files deflate to a third.
const FLOOR: u64 = 64 << 20;
const RATIO: u64 = 32;

/// What may still come out of an archive and of those inside it.
#[derive(Clone, Debug)]
pub struct Inflated {
    left: Arc<AtomicU64>,
}

impl Inflated {
    /// Of an archive of this length, in bytes.
    #[must_use]
    pub fn of(length: u64) -> Self {
        Self { left: Arc::new(AtomicU64::new(length.saturating_mul(RATIO).saturating_add(FLOOR))) }
    }

    /// Reads a class file, which says to have `declared` bytes.
    ///
    /// # Errors
    /// It cannot be read, or it has more bytes than a class file, or than may still come out of the archive.
    pub fn class(&self, entry: impl Read, declared: u64) -> io::Result<Vec<u8>> {
        self.read(entry, declared, CLASS)
    }

    /// Reads anything else.
    ///
    /// # Errors
    /// It cannot be read, or it has more bytes than may still come out of the archive.
    pub fn other(&self, entry: impl Read, declared: u64) -> io::Result<Vec<u8>> {
        self.read(entry, declared, u64::MAX)
    }

    fn read(&self, entry: impl Read, declared: u64, most: u64) -> io::Result<Vec<u8>> {
        let left = self.left.load(Relaxed);
        let bound = most.min(left);
        let too_large = || {
            let what = if bound == most { "a class file has" } else { "may still come out of the archive" };
            io::Error::other(format!("it has more bytes than {what} ({bound})"))
        };
        if declared > bound {
            return Err(too_large());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(declared).unwrap_or_default());
        // What it says of itself need not be so.
        entry.take(bound + 1).read_to_end(&mut bytes)?;
        let length = bytes.len() as u64;
        if length > bound {
            return Err(too_large());
        }
        self.left.fetch_sub(length, Relaxed);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_inflates_without_bounds() {
        let small = Inflated::of(1 << 20);
        let message = |read: io::Result<Vec<u8>>| read.map(|bytes| bytes.len()).unwrap_err().to_string();
        for declared in [1, CLASS + 1] {
            let read = small.class(io::repeat(0), declared);
            assert_eq!(message(read), "it has more bytes than a class file has (67108864)");
        }
        let all = FLOOR + (RATIO << 20);
        assert_eq!(small.other(io::repeat(0).take(all - 5), 7).unwrap().len() as u64, all - 5);
        assert_eq!(
            message(small.class(&b"123456"[..], 6)),
            "it has more bytes than may still come out of the archive (5)"
        );
        assert_eq!(small.clone().class(&b"12345"[..], 5).unwrap(), b"12345");
        assert_eq!(message(small.class(&b"1"[..], 1)), "it has more bytes than may still come out of the archive (0)");
    }
}
