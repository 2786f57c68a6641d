//! Names of classes and types, in the JVM's form and in the form people read.

/// `a/b/C$D` as `a.b.C$D`.
#[must_use]
pub fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

/// The part after the last package separator: `a/b/C$D` as `C$D`.
#[must_use]
pub fn simple(class: &str) -> &str {
    class.rsplit(['/', '.']).next().unwrap_or(class)
}

/// A type descriptor as it is written in source: `[[D` as `double[][]`, `Ljava/util/List;` as `java.util.List`.
///
/// A malformed descriptor is returned as it is.
#[must_use]
pub fn readable(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        "V" => "void".to_owned(),
        _ => match element.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
            Some(class) => dotted(class),
            None => return descriptor.to_owned(),
        },
    };
    name + &"[]".repeat(dimensions)
}

/// Text from a program for people, on one line: control characters, ends of lines and marks that turn the direction of writing are
/// written out. A name must neither drive a terminal nor look like other lines.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let turns = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}') {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_read_like_source() {
        assert_eq!(readable("[[D"), "double[][]");
        assert_eq!(readable("Ljava/util/List;"), "java.util.List");
        assert_eq!(readable("["), "[");
        assert_eq!(simple("a/b/C$D"), "C$D");
    }

    #[test]
    fn no_text_drives_a_terminal() {
        assert_eq!(printable("a\u{1b}[31mé\n\u{7f}\u{9b}"), "a\\u{1b}[31mé\\n\\u{7f}\\u{9b}");
        assert_eq!(printable("\u{202e}x\u{2028}"), "\\u{202e}x\\u{2028}");
    }
}
