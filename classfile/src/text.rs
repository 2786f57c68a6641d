//! Texts of class files: modified UTF-8 (JVMS 4.4.7). Two things are encoded in another way than in UTF-8: U+0000, as `C0 80`, and characters beyond
//! U+FFFF, as two surrogates of three bytes each.

use std::borrow::Cow;

/// As text for people and maps. What is damaged, and a surrogate by itself, is replaced: by one sign, as in what JNI gives of a string. Nearly all of it
/// is ASCII, which the first look finds word by word.
#[must_use]
pub fn text(modified: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(modified).map_or_else(|_| String::from_utf16_lossy(&units(modified)).into(), Cow::Borrowed)
}

/// As class files have it.
#[must_use]
pub fn modified(text: &str) -> Cow<'_, [u8]> {
    // Only characters beyond U+FFFF have bytes from F0 on.
    if text.bytes().all(|byte| byte != 0 && byte < 0xF0) { text.as_bytes().into() } else { encoded(text).into() }
}

/// In UTF-16.
fn units(mut modified: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(modified.len());
    while let Some((first, rest)) = modified.split_first() {
        let (unit, n) = unit(*first, rest).unwrap_or((char::REPLACEMENT_CHARACTER as u16, 0));
        units.push(unit);
        modified = &rest[n..];
    }
    units
}

/// One unit, and how many bytes it has after the first.
fn unit(first: u8, rest: &[u8]) -> Option<(u16, usize)> {
    let next = |n: usize| rest.get(n).filter(|byte| **byte & 0xC0 == 0x80).map(|byte| u16::from(byte & 0x3F));
    match first {
        0x01..=0x7F => Some((first.into(), 0)),
        0xC0..=0xDF => Some((u16::from(first & 0x1F) << 6 | next(0)?, 1)),
        0xE0..=0xEF => Some((u16::from(first & 0x0F) << 12 | next(0)? << 6 | next(1)?, 2)),
        _ => None,
    }
}

fn encoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 2);
    let last = |unit: u16| 0x80 | (unit & 0x3F) as u8;
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7F => bytes.push(unit as u8),
            0x00 | 0x80..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, last(unit)]),
            _ => bytes.extend([0xE0 | (unit >> 12) as u8, last(unit >> 6), last(unit)]),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_what_the_jvm_takes_them_for() {
        for (shown, bytes) in [
            ("plain", &b"plain"[..]),
            ("größe漢", "größe漢".as_bytes()),
            ("a\0b", b"a\xC0\x80b"),
            ("\u{20BB7}", b"\xED\xA1\x82\xED\xBE\xB7"),
            ("x\u{1F680}y", b"x\xED\xA0\xBD\xED\xBA\x80y"),
        ] {
            assert_eq!((text(bytes), &*modified(shown)), (shown.into(), bytes), "{shown}");
        }
    }

    #[test]
    fn what_is_damaged_is_replaced() {
        for bytes in [&b"a\xED\xA1\x82b"[..], b"a\xFFb", b"a\x80b"] {
            assert_eq!(text(bytes), "a\u{FFFD}b", "{bytes:?}");
        }
        assert_eq!(text(b"a\xE6\xBC"), "a\u{FFFD}\u{FFFD}");
    }

    /// All characters, in the neighbourhood of any other.
    #[test]
    fn every_text_comes_back() {
        let all: Vec<char> = (0..=u32::from(char::MAX)).step_by(61).filter_map(char::from_u32).collect();
        for (one, other) in all.iter().zip(all.iter().rev()) {
            let shown = String::from_iter([*one, *other]);
            assert_eq!(text(&modified(&shown)), shown);
        }
    }
}
