//! Names and strings in dumps.

/// Names may contain almost anything (JVMS 4.2.2), and strings are in modified UTF-8: what would end a word or a part of one
/// is escaped, and so is every byte that is not UTF-8.
pub(crate) fn escape(text: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                ':' | '@' | '"' | '\\' => escaped.extend(c.escape_unicode()),
                _ if c.is_whitespace() || c.is_control() => escaped.extend(c.escape_unicode()),
                _ => escaped.push(c),
            }
        }
        escaped.extend(chunk.invalid().iter().map(|byte| format!("\\x{{{byte:x}}}")));
    }
    escaped
}
