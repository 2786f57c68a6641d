//! Any bytes can be read as a type log. What was read comes back when it is written again, and merging it with itself changes
//! nothing.
//!
//! No fuzzer finds hashes, so unless the first byte is odd, the rest follows a sound header.

use facts::focus::hash;
use facts::type_log::{FORMAT, Header, TypeLog};

use crate::headed;

pub(crate) fn property(input: &[u8]) {
    let Some((choice, bytes)) = input.split_first() else { return };
    let headed =
        if choice & 1 == 0 { headed(&Header { type_log: FORMAT, hash: hash(bytes) }, bytes) } else { bytes.to_vec() };
    let Ok(log) = TypeLog::read(headed.as_slice()) else { return };
    let mut text = Vec::new();
    log.write(&mut text).expect("memory can be written");
    assert_eq!(TypeLog::read(text.as_slice()).expect("it was written"), log);
    log.fields().values().for_each(|observed| drop(observed.owner()));
    drop(log.methods());
    assert_eq!(log.clone().merge(log.clone()), log);
}
