//! Names of classes that are made at run time.
//!
//! Numbers and hashes in them differ from run to run, so what is said of such a class today would not be known tomorrow. They are
//! written `*`: `app.App$$Lambda$34` is `app.App$$Lambda*`. As a pattern, that matches all of them.

use std::borrow::Cow;

/// What follows a mark in a name.
type Tail = fn(&str) -> usize;

/// Marks, and how much of what follows them differs from run to run.
const MARKS: [(&str, Tail); 17] = [
    ("$$Lambda", lambda),
    ("$Proxy", digits),
    ("$$SpringCGLIB$$", word),
    ("$$EnhancerBySpringCGLIB$$", word),
    ("$$FastClassBySpringCGLIB$$", word),
    ("$$EnhancerByCGLIB$$", word),
    ("$$FastClassByCGLIB$$", word),
    ("$$EnhancerByGuice$$", word),
    ("$$FastClassByGuice$$", word),
    ("$MockitoMock$", word),
    ("$HibernateProxy$", word),
    ("$ByteBuddy$", word),
    ("GeneratedMethodAccessor", digits),
    ("GeneratedConstructorAccessor", digits),
    ("GeneratedSerializationConstructorAccessor", digits),
    ("/0x", address),
    (".0x", address),
];

/// Fewest digits of the address in the name of a hidden class.
const MIN_ADDRESS: usize = 8;

/// The text with every such name in the one form, which is its own.
pub fn stable(text: &str) -> Cow<'_, str> {
    let is_candidate = |byte| matches!(byte, b'$' | b'G' | b'/' | b'.');
    let (mut written, mut kept) = (String::new(), 0);
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| is_candidate(*byte)) {
        if at >= kept
            && let Some((to_mark, end)) = variable_part(text, at)
        {
            written += &text[kept..to_mark];
            written.push('*');
            kept = end;
        }
    }
    if kept == 0 { Cow::Borrowed(text) } else { Cow::Owned(written + &text[kept..]) }
}

/// Where what differs begins and ends, of a mark that begins here.
fn variable_part(text: &str, at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let (mark, tail) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark))?;
    let n = tail(&rest[mark.len()..]);
    let is_address = mark.ends_with("0x");
    let is_lambda = *mark == "$$Lambda" && !rest[mark.len()..].starts_with(|c: char| c.is_alphanumeric());
    let from = if is_address { at } else { at + mark.len() };
    (n > 0 || is_lambda).then_some((from, at + mark.len() + n))
}

fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|character| !is_part(character)).unwrap_or(text.len())
}

fn digits(text: &str) -> usize {
    run(text, |character| character.is_ascii_digit())
}

fn word(text: &str) -> usize {
    run(text, |character| character.is_ascii_alphanumeric())
}

fn address(text: &str) -> usize {
    Some(run(text, |character| character.is_ascii_hexdigit())).filter(|n| *n >= MIN_ADDRESS).unwrap_or(0)
}

/// `$34`, `$34/0x00000008010b1440`, `/0x00000008010b1440`; and what patterns have in its place, `$*` and `*`.
fn lambda(text: &str) -> usize {
    let number = text.strip_prefix('$').map_or(0, |rest| if rest.starts_with('*') { 1 } else { digits(rest) });
    let n = if number > 0 { number + 1 } else { usize::from(text.starts_with('*')) };
    let rest = &text[n..];
    let hexadecimal = ["/0x", ".0x", "+0x"].iter().find_map(|mark| rest.strip_prefix(mark));
    n + hexadecimal.map_or(0, |rest| 3 + run(rest, |character| character.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_in_every_run() {
        for (name, expected) in [
            ("app.App$$Lambda$34.apply", "app.App$$Lambda*.apply"),
            ("app/App$$Lambda$34/0x00000008010b1440", "app/App$$Lambda*"),
            ("app/App$$Lambda.0x00007f0a01000a00.run", "app/App$$Lambda*.run"),
            ("app/App$$Lambda", "app/App$$Lambda*"),
            ("app/App$$LambdaOfMine", "app/App$$LambdaOfMine"),
            ("jdk.proxy2.$Proxy12.call", "jdk.proxy2.$Proxy*.call"),
            ("a.B$$EnhancerBySpringCGLIB$$ab12.m", "a.B$$EnhancerBySpringCGLIB$$*.m"),
            ("a.B$$SpringCGLIB$$0.m", "a.B$$SpringCGLIB$$*.m"),
            ("jdk/internal/reflect/GeneratedMethodAccessor7", "jdk/internal/reflect/GeneratedMethodAccessor*"),
            ("a.B$MockitoMock$1034.m, a.C$$Lambda$1", "a.B$MockitoMock$*.m, a.C$$Lambda*"),
            ("java/lang/invoke/LambdaForm$MH/0x0000000801004400", "java/lang/invoke/LambdaForm$MH*"),
            ("a.Account$1.0x12 é$Proxy", "a.Account$1.0x12 é$Proxy"),
            ("a.Proxy12.lambda$main$0", "a.Proxy12.lambda$main$0"),
        ] {
            assert_eq!(stable(name), expected);
            assert_eq!(stable(expected), expected, "its own form");
        }
        assert_eq!(stable("$$Lambda$*.run$"), "$$Lambda*.run$", "patterns of old");
    }
}
