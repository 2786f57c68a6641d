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
    /// The number of the test that a framework calls this, and shows as `displayed` says; if it has ended, of what it was part of. 0
    /// if there is none.
    pub fn number(&self, called: &str, displayed: impl FnOnce() -> Option<String>, has_ended: bool) -> u32 {
        let name = if has_ended { class(called) } else { name(called, displayed) };
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
fn name(called: &str, displayed: impl FnOnce() -> Option<String>) -> Option<String> {
    let Some(id) = identifier(called) else {
        return of_method(called).or_else(|| of_description(called));
    };
    let segments = segments(id);
    match &segments[..] {
        [(_, class), _, ..] if !is_known(id) => {
            displayed().map(|shown| format!("{class}.{shown}")).or_else(|| of_segments(&segments))
        }
        _ => of_segments(&segments),
    }
}

/// What a test is part of: its class; `None` once that has ended, too.
fn class(called: &str) -> Option<String> {
    let Some(id) = identifier(called) else {
        return described(called).map(|(_, class)| class.to_owned());
    };
    let segments = segments(id);
    let (_, around) = segments.split_last()?;
    of_segments(if is_known(id) { around } else { &around[..around.len().min(1)] })
}

/// The unique identifier of the JUnit platform for a test, from its engine's name on. An engine for suites runs others, whose
/// identifiers begin again.
fn identifier(called: &str) -> Option<&str> {
    let (_, id) = called.split_once(": [engine:")?;
    Some(id.rsplit_once("/[engine:").map_or(id, |(_, id)| id))
}

/// Whether the segments of an engine's identifiers are understood. Those of others may be numbers, or methods that their compilers
/// have made: reports have what the engine shows.
fn is_known(id: &str) -> bool {
    id.starts_with("junit-")
}

/// The kinds and values of a unique identifier, after that of the engine: `[class:a.FooTest]/[method:bar(int)]`.
fn segments(id: &str) -> Vec<(&str, String)> {
    let parts = id.strip_suffix(']').unwrap_or(id).split("]/[").skip(1);
    parts.filter_map(|part| part.split_once(':')).map(|(kind, value)| (kind, decoded(value))).collect()
}

/// A value of an identifier, in which what has a meaning there is encoded as in URLs.
fn decoded(value: &str) -> String {
    let encoded = [("%5B", "["), ("%5D", "]"), ("%3A", ":"), ("%2F", "/"), ("%2B", "+"), ("%25", "%")];
    encoded.iter().fold(value.to_owned(), |value, (code, meant)| value.replace(code, meant))
}

fn of_segments(segments: &[(&str, String)]) -> Option<String> {
    // The old engine: what JUnit 4 calls it is the last segment.
    if let Some(("test", called)) = segments.last().map(|(kind, value)| (*kind, value))
        && called.ends_with(')')
    {
        return of_description(called);
    }
    let mut name = String::new();
    for (kind, value) in segments {
        match *kind {
            "nested-class" => name.extend(["$", value]),
            "method" | "test-template" | "test-factory" => name.extend([".", &with_simple_types(value)]),
            kind if kind.starts_with("test-template-") || kind.starts_with("dynamic-") => {
                name.extend(["[", value.trim_start_matches('#'), "]"]);
            }
            _ if name.is_empty() => name.push_str(value),
            _ => name.extend([".", value]),
        }
    }
    Some(name).filter(|name| !name.is_empty())
}

/// A method with its types, in short: `takes(int, String[])` of `takes(int, [Ljava.lang.String;)`; without brackets if it takes nothing.
fn with_simple_types(called: &str) -> String {
    let Some((method, types)) = called.strip_suffix(')').and_then(|called| called.rsplit_once('(')) else {
        return called.to_owned();
    };
    let types: Vec<String> = types.split(", ").filter(|ty| !ty.is_empty()).map(simple).collect();
    if types.is_empty() { method.to_owned() } else { format!("{method}({})", types.join(", ")) }
}

/// A type without its package and the classes around it, as `Class.getSimpleName` has it of what `Class.getName` calls it.
fn simple(ty: &str) -> String {
    let element = ty.trim_start_matches('[');
    let n = ty.len() - element.len();
    let element = match (n, element) {
        (0, _) => element,
        (_, "Z") => "boolean",
        (_, "B") => "byte",
        (_, "C") => "char",
        (_, "S") => "short",
        (_, "I") => "int",
        (_, "J") => "long",
        (_, "F") => "float",
        (_, "D") => "double",
        (_, class) => class.trim_start_matches('L').trim_end_matches(';'),
    };
    element.rsplit(['.', '$']).next().unwrap_or(element).to_owned() + &"[]".repeat(n)
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
        let name = |called| name(called, || Some("what is shown".to_owned()));
        for (called, expected) in [
            ("TestMethodTestDescriptor: [engine:junit-jupiter]/[class:a.FooTest]/[method:bar()]", "a.FooTest.bar"),
            (
                "X: [engine:junit-jupiter]/[class:a.FooTest]/[nested-class:In]/[method:bar(int, b.C)]",
                "a.FooTest$In.bar(int, C)",
            ),
            (
                "X: [engine:junit-jupiter]/[class:a.FooTest]/[test-template:bar(int)]/[test-template-invocation:#2]",
                "a.FooTest.bar(int)[2]",
            ),
            (
                "X: [engine:junit-jupiter]/[class:F]/[method:bar(%5BI, %5B%5BLjava.lang.String;, a.B$C)]",
                "F.bar(int[], String[][], C)",
            ),
            (
                "X: [engine:junit-jupiter]/[class:F]/[test-factory:d()]/[dynamic-container:#1]/[dynamic-test:#3]",
                "F.d[1][3]",
            ),
            ("X: [engine:junit-vintage]/[runner:a.FooTest]/[test:bar(a.FooTest)]", "a.FooTest.bar"),
            (
                "X: [engine:junit-vintage]/[runner:a.FooTest]/[test:%5Bx (1)%5D]/[test:bar%5Bx (1)%5D(a.FooTest)]",
                "a.FooTest.bar[x (1)]",
            ),
            ("X: [engine:junit-vintage]/[runner:a.FooTest]/[test:50%25 %2B 5(a.FooTest)]", "a.FooTest.50% + 5"),
            ("X: [engine:junit-jupiter]/[class:F]/[method:adds two (and) numbers()]", "F.adds two (and) numbers"),
            ("X: [engine:junit-jupiter]/[class:a.FooTest]", "a.FooTest"),
            (
                "X: [engine:junit-platform-suite]/[suite:a.All]/[engine:junit-jupiter]/[class:a.FooTest]/[method:bar()]",
                "a.FooTest.bar",
            ),
            ("X: [engine:junit-platform-suite]/[suite:a.All]", "a.All"),
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

    /// Spock calls them by methods that its compiler has made, `[feature:$spock_feature_0_4]/[iteration:0]`.
    #[test]
    fn tests_of_other_engines_are_called_what_they_show() {
        let feature = "FeatureNode: [engine:spock]/[spec:a.FooSpec]/[feature:$spock_feature_0_4]";
        let iteration = format!("{feature}/[iteration:0]");
        let shown = || Some("adds 1 and 2".to_owned());
        assert_eq!(name(&iteration, shown).as_deref(), Some("a.FooSpec.adds 1 and 2"));
        assert_eq!(name(feature, shown).as_deref(), Some("a.FooSpec.adds 1 and 2"));
        assert_eq!(name(feature, || None).as_deref(), Some("a.FooSpec.$spock_feature_0_4"));
        let spec = "SpecNode: [engine:spock]/[spec:a.FooSpec]";
        assert_eq!(name(spec, || Some("FooSpec".to_owned())).as_deref(), Some("a.FooSpec"));
        for (ended, expected) in [(&*iteration, Some("a.FooSpec")), (feature, Some("a.FooSpec")), (spec, None)] {
            assert_eq!(class(ended).as_deref(), expected, "{ended}");
        }
    }

    #[test]
    fn after_a_test_comes_what_it_was_part_of() {
        let suite = Suite::default();
        let bar = suite.number("bar(a.FooTest)", || None, false);
        assert_eq!(suite.name(bar).as_deref(), Some("a.FooTest.bar"));
        let after = suite.number("X: [engine:junit-jupiter]/[class:a.FooTest]/[method:bar()]", || None, true);
        assert_eq!(suite.name(after).as_deref(), Some("a.FooTest"));
        assert_eq!(suite.number("bar(a.FooTest)", || None, true), after);
        assert_eq!(suite.number("X: [engine:junit-jupiter]/[class:a.FooTest]", || None, true), 0);
        assert_eq!(suite.name(0), None);
    }
}
