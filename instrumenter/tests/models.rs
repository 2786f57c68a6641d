//! The rows of the models are about methods that there are.

use std::collections::BTreeSet;

use facts::models::Models;
use jrace_tests::jdk::Jdk;

use crate::common::jdk_classes;

/// Rows of test frameworks, which no JDK has.
const FRAMEWORKS: [&str; 3] = ["org/junit/", "junit/", "org/testng/"];

/// A row may name several classes, of which not each has every method; older JDKs lack what newer ones have, and newer ones what older
/// ones had. So each class has a method that a row is about, or calls and fields, and each method is one of some class.
#[test]
fn every_row_fits_a_method_of_a_jdk() {
    let models = Models::built_in();
    let is_of_jdk = |class: &str| !FRAMEWORKS.iter().any(|package| class.starts_with(package));
    let (mut fitting, mut classes) = (BTreeSet::new(), BTreeSet::new());
    for class in Jdk::all().iter().flat_map(jdk_classes) {
        let Some(model) = models.of_class(&class.name) else { continue };
        let misfits = instrumenter::misfits(&class.bytes, &model.methods).unwrap();
        if misfits.len() < model.methods.len() || model.methods.is_empty() {
            classes.insert(class.name);
        }
        fitting.extend(model.methods.iter().filter(|row| !misfits.contains(row)).map(|row| format!("{row:?}")));
    }
    let of_jdk = || models.classes().filter(|(class, _)| is_of_jdk(class));
    let strange: Vec<&str> = of_jdk().map(|(class, _)| class).filter(|class| !classes.contains(*class)).collect();
    assert!(strange.is_empty(), "no JDK has these classes, or no method of theirs: {strange:?}");
    let rows: BTreeSet<String> = of_jdk().flat_map(|(_, model)| &model.methods).map(|row| format!("{row:?}")).collect();
    assert!(rows.len() > 150, "{} rows", rows.len());
    let left: Vec<&String> = rows.difference(&fitting).collect();
    assert!(left.is_empty(), "no JDK has these methods: {left:#?}");
}
