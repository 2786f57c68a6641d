//! Signatures (JVMS 4.7.9.1): the types of fields and methods with their arguments, which descriptors have not.

/// Types in types are followed this far: real ones have a few levels, and a hostile file could have thousands.
const MAX_NESTING: usize = 64;

/// A step from a type to one within it (JVMS 4.7.20.2). Steps to nested types are left out: what is written `Outer.Inner` is one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To what an array is made of.
    Element,
    /// To the bound of a wildcard.
    Bound,
    /// To an argument.
    Argument(u8),
}

/// A type that a signature mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The descriptor of its erasure; none for a type variable.
    pub descriptor: Option<Vec<u8>>,
    /// The way to it.
    pub path: Vec<Step>,
    /// The number of the mention of which it is an argument or an element.
    pub within: Option<usize>,
}

/// The types that the signature of a field mentions, each after those that it is within. A descriptor is a signature, too.
#[must_use]
pub fn of_field(signature: &[u8]) -> Option<Vec<Mention>> {
    let mut parser = Parser { rest: signature, mentions: Vec::new() };
    parser.ty(&[], None)?;
    parser.rest.is_empty().then_some(parser.mentions)
}

/// The types that the signature of a method mentions: of each parameter, and of what it returns in the end.
#[must_use]
pub fn of_method(signature: &[u8]) -> Option<Vec<Vec<Mention>>> {
    let mut parser = Parser { rest: signature, mentions: Vec::new() };
    if parser.skip(b'<') {
        parser.type_parameters()?;
    }
    let mut found = Vec::new();
    parser.skip(b'(').then_some(())?;
    while !parser.skip(b')') {
        parser.ty(&[], None)?;
        found.push(std::mem::take(&mut parser.mentions));
    }
    if !parser.skip(b'V') {
        parser.ty(&[], None)?;
    }
    found.push(parser.mentions);
    Some(found)
}

struct Parser<'a> {
    rest: &'a [u8],
    mentions: Vec<Mention>,
}

impl<'a> Parser<'a> {
    fn skip(&mut self, byte: u8) -> bool {
        let rest = self.rest.strip_prefix(&[byte]);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// What stands before one of some bytes.
    fn until(&mut self, ends: &[u8]) -> Option<&'a [u8]> {
        let (text, rest) = self.rest.split_at_checked(self.rest.iter().position(|byte| ends.contains(byte))?)?;
        self.rest = rest;
        Some(text)
    }

    /// Type parameters are variables: only what comes after their bounds matters.
    fn type_parameters(&mut self) -> Option<()> {
        while !self.skip(b'>') {
            self.until(b":")?;
            while self.skip(b':') {
                if !self.rest.starts_with(b":") && self.rest.first().is_some_and(|byte| b"LT[".contains(byte)) {
                    self.ty(&[], None)?;
                }
            }
        }
        self.mentions.clear();
        Some(())
    }

    /// A type; its number.
    fn ty(&mut self, path: &[Step], within: Option<usize>) -> Option<usize> {
        if path.len() > MAX_NESTING {
            return None;
        }
        let index = self.mentions.len();
        self.mentions.push(Mention { descriptor: None, path: path.to_vec(), within });
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.mentions[index].descriptor = match first {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(vec![*first]),
            b'L' => Some(self.class(path, index)?),
            b'[' => {
                let element = self.ty(&[path, &[Step::Element]].concat(), Some(index))?;
                self.mentions[element].descriptor.as_ref().map(|element| [b"[", &element[..]].concat())
            }
            b'T' => {
                self.until(b";")?;
                self.skip(b';');
                None
            }
            _ => return None,
        };
        Some(index)
    }

    /// What comes after `L`.
    fn class(&mut self, path: &[Step], index: usize) -> Option<Vec<u8>> {
        let mut descriptor = b"L".to_vec();
        loop {
            descriptor.extend(self.until(b"<.;")?);
            if self.skip(b'<') {
                self.arguments(path, index)?;
            }
            if self.skip(b';') {
                descriptor.push(b';');
                return Some(descriptor);
            }
            self.skip(b'.').then_some(())?;
            descriptor.push(b'$');
        }
    }

    fn arguments(&mut self, path: &[Step], index: usize) -> Option<()> {
        let mut number = 0u8;
        while !self.skip(b'>') {
            let step = Step::Argument(number);
            number = number.checked_add(1)?;
            if self.skip(b'*') {
                continue;
            }
            let is_wildcard = self.skip(b'+') || self.skip(b'-');
            let steps: &[Step] = if is_wildcard { &[step, Step::Bound] } else { &[step] };
            self.ty(&[path, steps].concat(), Some(index))?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(mentions: &[Mention]) -> Vec<String> {
        let name = |mention: &Mention| {
            let descriptor = mention.descriptor.as_ref().map_or("?".into(), |text| String::from_utf8_lossy(text));
            format!("{descriptor} {:?} {:?}", mention.within, mention.path)
        };
        mentions.iter().map(name).collect()
    }

    #[test]
    fn arguments_elements_and_bounds_have_their_way() {
        let of_field = |text: &str| shown(&of_field(text.as_bytes()).unwrap());
        assert_eq!(
            of_field("Ljava/util/Map<TK;Ljava/util/List<+[[I>;>;"),
            [
                "Ljava/util/Map; None []",
                "? Some(0) [Argument(0)]",
                "Ljava/util/List; Some(0) [Argument(1)]",
                "[[I Some(2) [Argument(1), Argument(0), Bound]",
                "[I Some(3) [Argument(1), Argument(0), Bound, Element]",
                "I Some(4) [Argument(1), Argument(0), Bound, Element, Element]",
            ]
        );
        assert_eq!(of_field("La/Outer<*>.Inner<La/B;>;"), ["La/Outer$Inner; None []", "La/B; Some(0) [Argument(0)]"]);
        assert_eq!(of_field("[TT;"), ["? None []", "? Some(0) [Element]"]);
        assert_eq!(of_field("J"), ["J None []"]);
    }

    #[test]
    fn methods_have_parameters_and_a_result() {
        let found = of_method(b"<T::Ljava/lang/Comparable<TT;>;U:TT;>(I[TT;)Ljava/util/List<TU;>;^TU;").unwrap();
        let shown: Vec<_> = found.iter().map(|mentions| shown(mentions).len()).collect();
        assert_eq!(shown, [1, 2, 2]);
        assert_eq!(of_method(b"()V").unwrap(), [vec![]]);
    }

    #[test]
    fn damage_is_nothing() {
        for damaged in ["", "L", "La", "La<", "La<*", "La<*>", "[", "T", "TT", "Q", "II", "La;a", "La<V>;"] {
            assert_eq!(of_field(damaged.as_bytes()), None, "{damaged}");
        }
        for damaged in ["", "(", "()", "(V)V", "<T", "<T:", "<:>", "<T:>(", "I"] {
            assert_eq!(of_method(damaged.as_bytes()), None, "{damaged}");
        }
        let deep = "La<".repeat(100_000);
        assert_eq!(of_field(deep.as_bytes()), None);
        let many = format!("La<{}>;", "*".repeat(300));
        assert_eq!(of_field(many.as_bytes()), None);
    }
}
