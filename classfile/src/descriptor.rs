//! Descriptors of fields and methods (JVMS 4.3).

/// The type of a field, a parameter or a value that is returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldType<'a> {
    /// As it stands in the descriptor.
    pub text: &'a [u8],
    /// Of how many dimensions the array is; 0 if it is none.
    pub dimensions: u8,
}

impl<'a> FieldType<'a> {
    /// The type at the front of a text, and what is behind it; none if no type is there.
    #[must_use]
    pub fn split(text: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let dimensions = text.iter().take_while(|byte| **byte == b'[').count();
        let length = match text.get(dimensions)? {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => dimensions + 1,
            b'L' => text.iter().position(|byte| *byte == b';')? + 1,
            _ => return None,
        };
        let (text, rest) = text.split_at(length);
        // An array has at most 255 dimensions.
        Some((Self { text, dimensions: u8::try_from(dimensions).ok()? }, rest))
    }

    /// The text, if all of it is one type.
    #[must_use]
    pub fn of(text: &'a [u8]) -> Option<Self> {
        Self::split(text).filter(|(_, rest)| rest.is_empty()).map(|(ty, _)| ty)
    }

    /// The letter of what it is, or of what the array is made of (JVMS table 4.3-A): `L` for a class.
    #[must_use]
    pub fn letter(&self) -> u8 {
        self.text.get(usize::from(self.dimensions)).copied().unwrap_or_default()
    }

    /// The name of the class that it is, or that the array is made of.
    #[must_use]
    pub fn class(&self) -> Option<&'a [u8]> {
        self.text.get(usize::from(self.dimensions)..)?.strip_prefix(b"L")?.strip_suffix(b";")
    }

    /// Whether its values are objects.
    #[must_use]
    pub fn is_reference(&self) -> bool {
        matches!(self.text.first(), Some(b'L' | b'['))
    }

    /// How many slots a value takes (JVMS 2.6.1).
    #[must_use]
    pub fn slots(&self) -> usize {
        slots(self.text)
    }
}

/// How many slots a value of the type at the front of a text takes: none for `V`.
#[must_use]
pub fn slots(text: &[u8]) -> usize {
    match text.first() {
        Some(b'J' | b'D') => 2,
        Some(b'V') | None => 0,
        _ => 1,
    }
}

/// The parameters of a method, without the receiver; then [`Parameters::result`].
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    /// None once there was no type where one has to be.
    rest: Option<&'a [u8]>,
}

impl<'a> Parameters<'a> {
    /// Those of a method descriptor.
    #[must_use]
    pub fn of(descriptor: &'a [u8]) -> Self {
        Self { rest: descriptor.strip_prefix(b"(") }
    }

    /// What is behind the parameters that are left: `V`, or the type that the method returns. None if the descriptor is damaged up to there.
    #[must_use]
    pub fn result(mut self) -> Option<&'a [u8]> {
        self.by_ref().for_each(drop);
        self.rest?.strip_prefix(b")")
    }
}

impl<'a> Iterator for Parameters<'a> {
    type Item = FieldType<'a>;

    fn next(&mut self) -> Option<FieldType<'a>> {
        let rest = self.rest.filter(|rest| !rest.starts_with(b")"))?;
        let (parameter, rest) = FieldType::split(rest).unzip();
        self.rest = rest;
        parameter
    }
}

/// Slots of the arguments, without a receiver, and of the result.
#[must_use]
pub fn method_slots(descriptor: &[u8]) -> Option<(usize, usize)> {
    let mut parameters = Parameters::of(descriptor);
    let arguments = parameters.by_ref().map(|parameter| parameter.slots()).sum();
    Some((arguments, slots(parameters.result()?)))
}

/// How many parameters there are, without a receiver.
#[must_use]
pub fn n_parameters(descriptor: &[u8]) -> Option<usize> {
    let mut parameters = Parameters::of(descriptor);
    let count = parameters.by_ref().count();
    parameters.result().map(|_| count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_counted() {
        assert_eq!(method_slots(b"(IJ[[DLjava/lang/String;)V"), Some((5, 0)));
        assert_eq!(n_parameters(b"(IJ[[DLjava/lang/String;)V"), Some(4));
        assert_eq!(method_slots(b"()D"), Some((0, 2)));
        for wrong in [&b"(Lx"[..], b"([", b"(V)V", b"I", b""] {
            assert_eq!(method_slots(wrong), None);
            assert_eq!(n_parameters(wrong), None);
        }
    }

    #[test]
    fn types_are_split_off() {
        let (array, rest) = FieldType::split(b"[[Ljava/lang/String;I").expect("a type");
        assert_eq!((array.dimensions, array.letter(), array.class()), (2, b'L', Some(&b"java/lang/String"[..])));
        assert_eq!(FieldType::of(rest).map(|ty| (ty.letter(), ty.class(), ty.slots())), Some((b'I', None, 1)));
        let many = [&[b'['; 255][..], b"I"].concat();
        assert_eq!(FieldType::of(&many).map(|ty| ty.dimensions), Some(255));
        for wrong in [&b"V"[..], b"[", b"Lx", b"II", b"", &[b"[", &many[..]].concat()] {
            assert_eq!(FieldType::of(wrong), None);
        }
    }
}
