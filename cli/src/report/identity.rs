//! By what a race is known again in a later run: its rule, its variable, and the two methods in which it was seen.
//!
//! Lines are no part of it, so it outlives edits. Methods go by class and name: overloads count as one. Names that javac numbers go
//! without their number (`lambda$run$3` is `lambda$run$*`), and of code of the JDK the program's method that called it counts, so that
//! another JDK finds the same. A method that was not kept agrees with any.

use facts::finding::{Access, Conflict, Subject, Variable};
use facts::site::Place;
use serde::{Deserialize, Serialize};

use super::frames::is_folded;
use super::merge::{HazardKey, Key};

/// Version of these rules.
pub const SCHEME: u32 = 1;

/// The two methods of a race, `bank/Account.deposit`, the smaller one first; `None` for one that was not kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Pair(Option<String>, Option<String>);

impl Pair {
    /// The methods of a conflict.
    pub fn of(conflict: &Conflict) -> Self {
        Self::new(method_of(&conflict.current), method_of(&conflict.previous))
    }

    /// Two methods in any order.
    pub fn new(a: Option<String>, b: Option<String>) -> Self {
        if a <= b { Self(a, b) } else { Self(b, a) }
    }

    /// Of what is done in one method.
    pub fn within(place: &Place) -> Self {
        let method = method(place);
        Self(Some(method.clone()), Some(method))
    }

    /// Whether both may be the same two methods.
    pub fn agrees(&self, other: &Self) -> bool {
        let same = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        same(&self.0, &other.0) && same(&self.1, &other.1) || same(&self.0, &other.1) && same(&self.1, &other.0)
    }

    /// The two methods.
    pub fn names(&self) -> [Option<&str>; 2] {
        [self.0.as_deref(), self.1.as_deref()]
    }

    /// `bank/Account.audit and bank/Account.deposit`.
    pub fn text(&self) -> String {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "a method that was not kept".to_owned());
        format!("{} and {}", name(&self.0), name(&self.1))
    }

    /// Without numbers that javac gives.
    pub fn steady(self) -> Self {
        let [a, b] = [self.0, self.1].map(|name| name.map(|name| steady(&name)));
        Self::new(a, b)
    }
}

/// A key without numbers that javac gives.
pub fn steady_key(key: &Key) -> Key {
    let mut key = key.clone();
    if let Variable::Array { origin, .. } | Variable::Contents { origin, .. } = &mut key.variable {
        *origin = steady(origin);
    }
    key
}

/// The same for code.
pub fn steady_hazard(key: &HazardKey) -> HazardKey {
    let mut key = key.clone();
    match &mut key.subject {
        Subject::Method { name, .. } | Subject::Block { name, .. } => *name = steady(name),
        Subject::Methods { names } => names.iter_mut().for_each(|name| *name = steady(name)),
    }
    key
}

fn method_of(access: &Access) -> Option<String> {
    access.stack.iter().find(|place| !is_folded(place)).or(access.stack.first()).map(method)
}

/// The method of a place.
pub fn method(place: &Place) -> String {
    named(&place.class, &place.method)
}

/// The method of a class, by its internal name.
pub fn named(class: &str, method: &str) -> String {
    steady(&format!("{class}.{method}"))
}

/// `a/B.lambda$run$3` as `a/B.lambda$run$*`.
fn steady(name: &str) -> String {
    match name.rsplit_once('$') {
        Some((rest, number)) if rest.contains("lambda$") && is_number(number) => format!("{rest}$*"),
        _ => name.to_owned(),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{access, conflict, place};
    use super::*;

    fn pair(a: &str, b: &str) -> Pair {
        let name = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Pair::new(name(a), name(b))
    }

    #[test]
    fn lines_and_order_are_no_matter() {
        let of =
            |a: (&str, u32), b: (&str, u32)| Pair::of(&conflict(access(a.0, a.1, 1, &[]), access(b.0, b.1, 2, &[])));
        assert_eq!(of(("read", 10), ("write", 20)), of(("write", 21), ("read", 11)));
        assert_ne!(of(("read", 10), ("write", 20)), of(("write", 20), ("write", 20)));
    }

    #[test]
    fn what_javac_and_the_jdk_name_is_no_matter() {
        let of = |frames: &[(&str, &str)]| {
            let mut current = access("write", 10, 1, &[]);
            current.stack = frames.iter().map(|(class, method)| place(class, method, 1)).collect();
            Pair::of(&conflict(current, access("read", 20, 2, &[])))
        };
        let expected = pair("bank/Main.lambda$run$*", "bank/Account.read");
        for frames in [
            &[("bank/Main", "lambda$run$3")][..],
            &[("bank/Main", "lambda$run$14"), ("bank/Main", "main")],
            &[("java/util/HashMap", "putVal"), ("java/util/HashMap", "put"), ("bank/Main", "lambda$run$0")],
        ] {
            assert_eq!(of(frames), expected, "{frames:?}");
        }
        assert_ne!(of(&[("bank/Main", "lambda$walk$3")]), expected);
        assert_eq!(of(&[("bank/Main", "price$3")]), pair("bank/Main.price$3", "bank/Account.read"));
    }

    #[test]
    fn what_was_not_kept_agrees_with_any() {
        for (one, other, expected) in [
            (("a", "b"), ("a", "b"), true),
            (("a", "b"), ("a", "c"), false),
            (("a", "b"), ("a", ""), true),
            (("a", "b"), ("", "b"), true),
            (("a", "b"), ("", "c"), false),
            (("a", "a"), ("a", "b"), false),
            (("b", ""), ("a", "b"), true),
        ] {
            let (one, other) = (pair(one.0, one.1), pair(other.0, other.1));
            assert_eq!((one.agrees(&other), other.agrees(&one)), (expected, expected), "{one:?} {other:?}");
        }
    }
}
