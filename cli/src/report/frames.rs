//! Which frames of a stack are shown, and what stands for the others.

use facts::site::Place;

/// Packages of the JDK.
const JDK: [&str; 5] = ["java/", "javax/", "jdk/", "sun/", "com/sun/"];

/// Packages of what runs tests: their frames say little about the program.
const RUNNERS: [&str; 9] = [
    "org/junit/",
    "junit/",
    "org/testng/",
    "org/apache/maven/",
    "org/gradle/",
    "worker/org/gradle/",
    "sbt/",
    "com/novocode/junit/",
    "com/intellij/rt/",
];

/// Names under which many projects live: the next part tells which one it is.
const SHARED: [&str; 5] = ["org/apache", "org/eclipse", "com/google", "com/github", "io/github"];

/// How many packages are named of frames that are not shown.
const MAX_PACKAGES: usize = 3;

/// Part of a stack.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Part<'a, T> {
    /// A frame that is shown.
    Frame(&'a T),
    /// Frames of which only the number and the packages are said.
    Folded(&'a [T]),
}

/// The first frame and those that are `wanted`; of the others, single ones, which take no more room than their number.
pub fn parts<'a, T>(stack: &'a [T], wanted: impl Fn(&T) -> bool) -> Vec<Part<'a, T>> {
    let Some((top, rest)) = stack.split_first() else { return Vec::new() };
    let runs = rest.chunk_by(|a, b| !wanted(a) && !wanted(b));
    let part = |run: &'a [T]| if let [one] = run { Part::Frame(one) } else { Part::Folded(run) };
    std::iter::once(Part::Frame(top)).chain(runs.map(part)).collect()
}

/// `14 frames of org.springframework, org.apache.tomcat`: the packages in the order of the stack.
pub fn folded<'p>(frames: impl ExactSizeIterator<Item = &'p Place>) -> String {
    let number = frames.len();
    let mut names: Vec<String> = Vec::new();
    for name in frames.map(family) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!("{number} frames of {}", super::words::some_of(&names, MAX_PACKAGES))
}

/// Whose code a frame is, by its package.
fn family(place: &Place) -> String {
    let package = place.class.rsplit_once('/').map_or("", |(package, _)| package);
    if is_of(&place.class, &JDK) {
        return "the JDK".to_owned();
    }
    if is_generated(&place.class) {
        return "generated code".to_owned();
    }
    let n_parts = if SHARED.iter().any(|shared| package.starts_with(shared)) { 3 } else { 2 };
    let name = package.split('/').take(n_parts).collect::<Vec<_>>().join(".");
    if name.is_empty() { "classes without a package".to_owned() } else { super::words::printable(&name) }
}

/// Whether a frame says little about the program.
pub fn is_folded(place: &Place) -> bool {
    says_little(&place.class)
}

/// Whether frames of a class do. The JVM makes up the classes of lambdas, and their names differ from run to run.
pub fn says_little(class: &str) -> bool {
    is_generated(class) || is_of(class, &JDK) || is_of(class, &RUNNERS)
}

fn is_generated(class: &str) -> bool {
    class.contains("$$Lambda")
}

fn is_of(class: &str, packages: &[&str]) -> bool {
    packages.iter().any(|prefix| class.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::place;
    use super::*;

    #[test]
    fn what_lies_between_frames_of_the_program_is_one_line() {
        let of = |class| place(class, "m", 1);
        let stack = [
            "java/util/HashMap",
            "app/A",
            "org/apache/tomcat/X",
            "org/apache/tomcat/Y",
            "java/lang/Thread",
            "app/B",
            "org/lib/L",
        ];
        let stack = stack.map(of);
        let parts = parts(&stack, |place| place.class.starts_with("app/"));
        let (frame, rest) = (Part::Frame, &stack[2..5]);
        let expected = [frame(&stack[0]), frame(&stack[1]), Part::Folded(rest), frame(&stack[5]), frame(&stack[6])];
        assert_eq!(parts, expected);
        assert_eq!(folded(rest.iter()), "3 frames of org.apache.tomcat, the JDK");
        let many = ["a/b/c/D", "E", "x/y/Z", "q/R", "a/B$$Lambda$1"].map(of);
        assert_eq!(folded(many.iter()), "5 frames of a.b, classes without a package, x.y and 2 more");
    }
}
