//! Patterns over class names, functions and paths, in the dialect of sanitizer suppression files.
//!
//! A pattern matches when it occurs anywhere in the text. `*` stands for any run of characters, `^` at the front ties the
//! match to the beginning, `$` at the end ties it to the end.

/// A compiled pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    source: String,
    pieces: Vec<String>,
    from_start: bool,
    to_end: bool,
}

impl Pattern {
    /// Compiles a pattern; every text is one.
    #[must_use]
    pub fn new(source: &str) -> Self {
        let (body, from_start) = match source.strip_prefix('^') {
            Some(rest) => (rest, true),
            None => (source, false),
        };
        let (body, to_end) = match body.strip_suffix('$') {
            Some(rest) => (rest, true),
            None => (body, false),
        };
        let pieces = body.split('*').map(str::to_owned).collect();
        Self { source: source.to_owned(), pieces, from_start, to_end }
    }

    /// Compiles a pattern that must match the whole text: for class names in `include` and `exclude`.
    #[must_use]
    pub fn whole(source: &str) -> Self {
        let mut pattern = Self::new(source);
        pattern.from_start = true;
        pattern.to_end = true;
        pattern
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern matches the text.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else { return true };
        let Some((last, middle)) = rest.split_last() else { return self.matches_single(first, text) };
        let Some(after_first) = (if self.from_start { text.strip_prefix(first.as_str()) } else { after(text, first) })
        else {
            return false;
        };
        let mut remaining = after_first;
        for piece in middle {
            match after(remaining, piece) {
                Some(rest) => remaining = rest,
                None => return false,
            }
        }
        if self.to_end { remaining.ends_with(last.as_str()) } else { remaining.contains(last.as_str()) }
    }

    fn matches_single(&self, piece: &str, text: &str) -> bool {
        match (self.from_start, self.to_end) {
            (true, true) => text == piece,
            (true, false) => text.starts_with(piece),
            (false, true) => text.ends_with(piece),
            (false, false) => text.contains(piece),
        }
    }
}

fn after<'a>(text: &'a str, piece: &str) -> Option<&'a str> {
    text.find(piece).map(|at| &text[at + piece.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_and_stars() {
        for (pattern, text, expected) in [
            ("Counter", "a.Counter.inc", true),
            ("^Counter", "a.Counter.inc", false),
            ("^a.*inc$", "a.Counter.inc", true),
            ("^a.*inc$", "a.Counter.incr", false),
            ("Co*er", "a.Counter.inc", true),
            ("er*Co", "a.Counter.inc", false),
            ("*", "", true),
            ("", "anything", true),
            ("^$", "x", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(Pattern::new(pattern).matches(text), expected, "{pattern} on {text}");
        }
        assert!(Pattern::whole("com.acme.*").matches("com.acme.Shop"));
        assert!(!Pattern::whole("com.acme.*").matches("org.com.acme.Shop"));
    }
}
