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
}
