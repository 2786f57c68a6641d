//! The rows of the models are about methods that there are.

use std::collections::{BTreeMap, BTreeSet};

use facts::models::Models;
use facts::models::called::{Called, Pattern, Row};
use jrace_tests::jdk::Jdk;
use ristretto_classfile::ClassFile;

use crate::common::jdk_classes;

/// Rows of test frameworks and servlets, which no JDK has.
const FRAMEWORKS: [&str; 5] = ["org/junit/", "junit/", "org/testng/", "jakarta/servlet/", "javax/servlet/"];

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

/// The members of a class, and what is above it.
struct Members {
    above: Vec<String>,
    methods: Vec<(String, String)>,
    fields: Vec<String>,
}

impl Members {
    fn read(bytes: &[u8]) -> Self {
        let class = ClassFile::from_bytes(bytes).expect("the JDK's classes can be read");
        let pool = &class.constant_pool;
        let text = |index| pool.try_get_utf8(index).map(ToString::to_string).unwrap_or_default();
        let name = |index: &u16| pool.try_get_class(*index).map(ToString::to_string).ok();
        Self {
            above: class.interfaces.iter().chain([&class.super_class]).filter_map(name).collect(),
            methods: class
                .methods
                .iter()
                .map(|method| (text(method.name_index), text(method.descriptor_index)))
                .collect(),
            fields: class.fields.iter().map(|field| text(field.name_index)).collect(),
        }
    }
}

/// Calls may name a class whose superclasses have the method.
#[test]
fn every_row_about_calls_fits_a_method_of_a_jdk() {
    let mut left = BTreeSet::new();
    for (jdk, number) in Jdk::all().iter().zip(0..) {
        let classes: BTreeMap<String, Members> =
            jdk_classes(jdk).into_iter().map(|class| (class.name, Members::read(&class.bytes))).collect();
        let strange = Called::built_in().rows().iter().flat_map(|row| misfits(row, &classes)).collect();
        left = if number == 0 { strange } else { left.intersection(&strange).cloned().collect() };
    }
    assert!(left.is_empty(), "no JDK has these: {left:#?}");
}

/// The classes, fields and methods of a row that are not there.
fn misfits(row: &Row, classes: &BTreeMap<String, Members>) -> BTreeSet<String> {
    let of = |class: &Pattern| -> Vec<&Members> {
        classes.iter().filter(|(name, _)| class.fits(name, "")).map(|(_, members)| members).collect()
    };
    let missing = row.classes.iter().filter(|class| of(class).is_empty()).map(|class| format!("{class:?}"));
    let mut strange: BTreeSet<String> = missing.collect();
    let named: Vec<&Members> = row.classes.iter().flat_map(of).collect();
    let fields = row.objects.stands_for.iter().chain(&row.objects.locked_by);
    for (field, members) in fields.flat_map(|field| named.iter().map(move |members| (field, members))) {
        if !members.fields.contains(field) {
            strange.insert(format!("{:?}: {field}", row.classes));
        }
    }
    let mut all = named;
    let mut next = 0;
    while let Some(members) = all.get(next) {
        all.extend(members.above.clone().iter().filter_map(|above| classes.get(above)));
        next += 1;
    }
    let is_there =
        |method: &Pattern| all.iter().flat_map(|members| &members.methods).any(|(name, ty)| method.fits(name, ty));
    strange.extend(row.methods.iter().filter(|(method, _)| !is_there(method)).map(|row| format!("{row:?}")));
    strange
}
