//! The tests that a framework runs in this JVM: their numbers, and their names from what frameworks call them.

use parking_lot::RwLock;

/// More tests than this have no number, so that a suite of millions of dynamic tests costs bounded memory.
const MOST: usize = 1 << 16;

/// All tests begun so far.
#[derive(Default)]
pub struct Suite {
    names: RwLock<indexmap::IndexSet<String>>,
}

impl Suite {
    /// The number of the test that a framework calls this; if it has ended, of what it was part of. 0 if there is none.
    pub fn number(&self, called: &str, has_ended: bool) -> u32 {
        let name = if has_ended { class(called) } else { name(called) };
        name.map_or(0, |name| self.number_of(name))
    }

    /// The name of a test by its number: `package.Class.method`, `package.Class.method[2]`, or `package.Class`.
    pub fn name(&self, number: u32) -> Option<String> {
        self.names.read().get_index((number as usize).checked_sub(1)?).cloned()
    }

    fn number_of(&self, name: String) -> u32 {
        if let Some(at) = self.names.read().get_index_of(&name) {
            return at as u32 + 1;
        }
        let mut names = self.names.write();
        if names.len() == MOST { 0 } else { names.insert_full(name).0 as u32 + 1 }
    }
}

/// The name of a test, or of a class or group of tests.
fn name(called: &str) -> Option<String> {
    match called.split_once(": [engine:") {
        Some((_, id)) => of_segments(&segments(id)),
        None => of_method(called).or_else(|| of_description(called)),
    }
}

/// What a test is part of: its class; `None` once that has ended, too.
fn class(called: &str) -> Option<String> {
    match called.split_once(": [engine:") {
        Some((_, id)) => of_segments(segments(id).split_last()?.1),
        None => described(called).map(|(_, class)| class.to_owned()),
    }
}

/// The kinds and values of a unique identifier of the JUnit platform, after that of the engine:
/// `[class:a.FooTest]/[method:bar(int)]`.
fn segments(id: &str) -> Vec<(&str, &str)> {
    let parts = id.strip_suffix(']').unwrap_or(id).split("]/[").skip(1);
    parts.filter_map(|part| part.split_once(':')).collect()
}

fn of_segments(segments: &[(&str, &str)]) -> Option<String> {
    let mut name = String::new();
    for (kind, value) in segments {
        match *kind {
            "nested-class" => name.extend(["$", value]),
            "method" | "test-template" | "test-factory" => name.extend([".", value.split('(').next()?]),
            kind if kind.starts_with("test-template-") || kind.starts_with("dynamic-") => {
                name.extend(["[", value.trim_start_matches('#'), "]"]);
            }
            // The old engine: what JUnit 4 calls it is the last segment.
            "test" if value.contains('(') => return of_description(value),
            _ if name.is_empty() => name.push_str(value),
            _ => name.extend([".", value]),
        }
    }
    Some(name).filter(|name| !name.is_empty())
}

/// What JUnit 3 and 4 call a test: `bar(a.FooTest)`, `bar[2](a.FooTest)`, `does this (and that)(a.FooTest)`.
fn of_description(called: &str) -> Option<String> {
    match described(called) {
        Some((method, class)) => Some(format!("{class}.{method}")),
        None => (!called.contains(['(', ' '])).then(|| called.to_owned()),
    }
}

fn described(called: &str) -> Option<(&str, &str)> {
    let (method, class) = called.strip_suffix(')')?.rsplit_once('(')?;
    (!class.contains([',', ' '])).then_some((method, class))
}

/// What TestNG runs: `public void a.FooTest.bar(int) throws …`.
fn of_method(called: &str) -> Option<String> {
    let (_, name) = called.split('(').next()?.rsplit_once(' ')?;
    (name.contains('.') && !name.contains([']', '['])).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frameworks_call_tests_by_one_name_each() {
        for (called, expected) in [
            ("TestMethodTestDescriptor: [engine:junit-jupiter]/[class:a.FooTest]/[method:bar()]", "a.FooTest.bar"),
            (
                "X: [engine:junit-jupiter]/[class:a.FooTest]/[nested-class:In]/[method:bar(int, b.C)]",
                "a.FooTest$In.bar",
            ),
            (
                "X: [engine:junit-jupiter]/[class:a.FooTest]/[test-template:bar(int)]/[test-template-invocation:#2]",
                "a.FooTest.bar[2]",
            ),
            (
                "X: [engine:junit-jupiter]/[class:F]/[test-factory:d()]/[dynamic-container:#1]/[dynamic-test:#3]",
                "F.d[1][3]",
            ),
            ("X: [engine:junit-vintage]/[runner:a.FooTest]/[test:bar(a.FooTest)]", "a.FooTest.bar"),
            ("X: [engine:junit-jupiter]/[class:a.FooTest]", "a.FooTest"),
            ("bar(a.FooTest)", "a.FooTest.bar"),
            ("bar[1](a.FooTest)", "a.FooTest.bar[1]"),
            ("bar[x = (1.5)](a.FooTest)", "a.FooTest.bar[x = (1.5)]"),
            ("bar[a b.c](a.FooTest)", "a.FooTest.bar[a b.c]"),
            ("adds two numbers(a.FooTest)", "a.FooTest.adds two numbers"),
            ("a.FooTest", "a.FooTest"),
            ("public void a.FooTest.bar(int) throws java.lang.Exception", "a.FooTest.bar"),
            ("public void a.FooTest.bar(java.lang.String)", "a.FooTest.bar"),
            ("public void a.FooTest.bar()", "a.FooTest.bar"),
        ] {
            assert_eq!(name(called).as_deref(), Some(expected), "{called}");
        }
        assert_eq!(name("JupiterEngineDescriptor: [engine:junit-jupiter]"), None);
    }

    #[test]
    fn after_a_test_comes_what_it_was_part_of() {
        let suite = Suite::default();
        let bar = suite.number("bar(a.FooTest)", false);
        assert_eq!(suite.name(bar).as_deref(), Some("a.FooTest.bar"));
        let after = suite.number("X: [engine:junit-jupiter]/[class:a.FooTest]/[method:bar()]", true);
        assert_eq!(suite.name(after).as_deref(), Some("a.FooTest"));
        assert_eq!(suite.number("bar(a.FooTest)", true), after);
        assert_eq!(suite.number("X: [engine:junit-jupiter]/[class:a.FooTest]", true), 0);
        assert_eq!(suite.name(0), None);
    }
}
