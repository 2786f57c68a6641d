//! Test frameworks: where a test begins and ends, in the thread that runs it.

use super::Effect::{self, BeginsTest, EndsTest};
use super::Model;
use super::Subject::Argument;

/// A method of a framework, with what it says of its argument.
type Row = (&'static str, &'static str, Effect);

/// The JUnit platform tells its listeners of every engine's tests, also of JUnit 3 and 4 and of classes as a whole; JUnit 3 and 4
/// run alone, too. TestNG calls every test and every method that prepares one here, by its old and its new name, and what runs
/// next in the thread says when it has ended.
const ROWS: &[Row] = &[
    ("org/junit/platform/launcher/core/ExecutionListenerAdapter", "executionStarted", BeginsTest(Argument(0))),
    ("org/junit/platform/launcher/core/ExecutionListenerAdapter", "executionFinished", EndsTest(Argument(0))),
    ("org/junit/runner/notification/RunNotifier", "fireTestStarted", BeginsTest(Argument(0))),
    ("org/junit/runner/notification/RunNotifier", "fireTestFinished", EndsTest(Argument(0))),
    ("junit/framework/TestResult", "startTest", BeginsTest(Argument(0))),
    ("junit/framework/TestResult", "endTest", EndsTest(Argument(0))),
    ("org/testng/internal/MethodInvocationHelper", "invokeMethod", BeginsTest(Argument(0))),
    ("org/testng/internal/invokers/MethodInvocationHelper", "invokeMethod", BeginsTest(Argument(0))),
];

/// The models of one class.
pub(super) fn of_class(class: &str) -> impl Iterator<Item = Model> {
    let rows = ROWS.iter().filter(move |(owner, ..)| *owner == class);
    rows.map(|(class, method, effect)| Model { class, method, descriptor: None, effect: *effect })
}
