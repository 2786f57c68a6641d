//! Which methods a test framework runs: JUnit 3, 4 and 5, and TestNG, by annotations and by name.

use crate::program::{Annotation, ClassId, MethodId, Program, flag};

/// Packages of annotations.
const FRAMEWORKS: &[&str] = &["org/junit/", "org/testng/annotations/"];
/// Annotations of methods that are run, in these packages and below.
const RUN: &[&str] = &[
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
    "Theory",
    "Before",
    "BeforeAll",
    "BeforeClass",
    "BeforeEach",
    "BeforeMethod",
    "BeforeSuite",
    "BeforeTest",
    "After",
    "AfterAll",
    "AfterClass",
    "AfterEach",
    "AfterMethod",
    "AfterSuite",
    "AfterTest",
    "DataPoints",
    "DataProvider",
    "Parameters",
];

/// Annotations of methods whose arguments something provides, and of what provides them.
const PROVIDED: [&str; 5] = [
    "org/junit/experimental/theories/",
    "org/junit/jupiter/params/",
    "org/junit/runners/Parameterized$Parameters",
    "org/testng/annotations/",
    "org/junitpioneer/jupiter/cartesian/",
];

/// The methods of some classes of the application that a test framework runs, and those of their superclasses.
#[must_use]
pub fn test_methods(program: &Program, is_in: &dyn Fn(ClassId) -> bool) -> Vec<MethodId> {
    let classes = program.application().filter(|class| is_in(*class));
    let declaring = classes.flat_map(|class| program.ancestors(class));
    let methods = declaring.filter(|class| program.class(*class).is_application).flat_map(|class| {
        let is_old = is_test_case(program, class);
        program.methods_of(class).filter(move |method| is_run(program, *method, is_old))
    });
    let mut methods: Vec<MethodId> = methods.collect();
    methods.sort_unstable();
    methods.dedup();
    methods
}

fn is_run(program: &Program, method: MethodId, is_old: bool) -> bool {
    let data = program.method(method);
    let name = program.names().text(data.name);
    let is_by_name = || name.starts_with("test") || matches!(&*name, "setUp" | "tearDown");
    data.has_code()
        && data.access & flag::SYNTHETIC == 0
        && (data.annotations.iter().any(|annotation| runs(program, annotation)) || is_old && is_by_name())
}

fn runs(program: &Program, annotation: &Annotation) -> bool {
    let class = program.names().text(annotation.class);
    let simple = class.rsplit(['/', '$']).next().unwrap_or_default();
    FRAMEWORKS.iter().any(|package| class.starts_with(package)) && RUN.contains(&simple)
}

/// Whether a method gets its arguments from what provides them, or makes such arguments: all but those of JUnit 5 that are not
/// parameterized, which extensions give what they like.
pub(super) fn provides_arguments(program: &Program, method: MethodId) -> bool {
    let annotations = &program.method(method).annotations;
    let mut names = annotations.iter().map(|annotation| program.names().text(annotation.class));
    names.any(|name| PROVIDED.iter().any(|package| name.starts_with(package)))
}

/// Whether JUnit 3 runs a method by its name.
pub(super) fn is_run_by_name(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    let name = program.names().text(data.name);
    let is_suite = data.is_static() && name == "suite" && program.signature(method).parameters.is_empty();
    let is_named = name.starts_with("test") || matches!(&*name, "setUp" | "tearDown");
    data.has_code() && (is_suite || is_named && is_test_case(program, data.class))
}

/// JUnit 3 goes by names.
fn is_test_case(program: &Program, class: ClassId) -> bool {
    program.ancestors(class).any(|above| program.class_name(above) == "junit/framework/TestCase")
}
