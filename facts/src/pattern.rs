//! Patterns over class names, functions and paths, in the dialect of sanitizer suppression files, but for one thing: names are whole.
//!
//! A pattern matches when it occurs anywhere in the text as whole names: `Account.id` is no part of `Account.idempotencyKey`, nor
//! `Account` of `SubAccount`. `*` stands for any run of characters, `^` at the front ties the match to the beginning, `$` at the end ties
//! it to the end.

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
        let begins =
            |at: usize| if self.from_start { at == 0 } else { is_between_names(text, at, first.chars().next()) };
        let mut found = occurrences(text, 0, first).filter(|at| begins(*at));
        found.any(|at| self.ends_behind(text, at + first.len(), first, rest))
    }

    /// Whether the pieces that are left follow one that ends there.
    fn ends_behind(&self, text: &str, mut end: usize, last: &str, rest: &[String]) -> bool {
        let ends = |at: usize, piece: &str| {
            if self.to_end { at == text.len() } else { is_between_names(text, at, piece.chars().next_back()) }
        };
        let Some((last_of_rest, middle)) = rest.split_last() else { return ends(end, last) };
        for piece in middle {
            let Some(at) = occurrences(text, end, piece).next() else { return false };
            end = at + piece.len();
        }
        occurrences(text, end, last_of_rest).any(|at| ends(at + last_of_rest.len(), last_of_rest))
    }
}

/// Where a piece is found from some place on.
fn occurrences<'a>(text: &'a str, from: usize, piece: &'a str) -> impl Iterator<Item = usize> + 'a {
    text[from..]
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len() - from])
        .map(move |at| from + at)
        .filter(move |at| text[*at..].starts_with(piece))
}

/// Whether no name goes on from one side of a place to the other; a pattern begins or ends there with this character.
fn is_between_names(text: &str, at: usize, edge: Option<char>) -> bool {
    let is_of_name = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let both = (text[..at].chars().next_back(), text[at..].chars().next());
    !(is_of_name(edge) && is_of_name(both.0) && is_of_name(both.1))
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
            ("Account.id", "acme.Account.idempotencyKey", false),
            ("Account.id", "acme.Account.id", true),
            ("Account.id*", "acme.Account.idempotencyKey", true),
            ("Account", "acme.SubAccount.id", false),
            ("*Account", "acme.SubAccount.id", true),
            ("C2.f1", "h.C2.f11 h.C2.f1", true),
            ("acme", "acme.Account$Entry.id", true),
            ("Account", "acme.Account$Entry.id", true),
            ("App$$Lambda*", "acme.App$$Lambda$12", true),
            ("int[]", "int[]", true),
            ("größe", "a.größen", false),
            ("a*b", "a_ab_b ab", true),
        ] {
            assert_eq!(Pattern::new(pattern).matches(text), expected, "{pattern} on {text}");
        }
        assert!(Pattern::whole("com.acme.*").matches("com.acme.Shop"));
        assert!(!Pattern::whole("com.acme.*").matches("org.com.acme.Shop"));
    }
}
