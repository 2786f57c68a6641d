//! Any bytes can be read as a focus set. What was read comes back when it is written again, and nothing else comes back when
//! a byte of that changes.
//!
//! No fuzzer finds hashes, so unless the first byte is odd, the rest follows a sound header.

use facts::focus::{FORMAT, FocusSet, Header, hash};

use crate::headed;

pub(crate) fn property(input: &[u8]) {
    let Some((choice, bytes)) = input.split_first() else { return };
    let headed =
        if choice & 1 == 0 { headed(&Header { focus_set: FORMAT, hash: hash(bytes) }, bytes) } else { bytes.to_vec() };
    let Ok(set) = FocusSet::read(headed.as_slice()) else { return };
    let mut text = Vec::new();
    set.write(&mut text).expect("memory can be written");
    assert_eq!(FocusSet::read(text.as_slice()).expect("it was written"), set);
    let at = text.len() * usize::from(*choice) / 256;
    text[at] ^= 1 << (choice & 7);
    if let Ok(damaged) = FocusSet::read(text.as_slice()) {
        assert_eq!(damaged, set);
    }
}
