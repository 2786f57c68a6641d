//! Taking every method apart and putting it together again changes no byte.

use jrace_tests::jdk::Jdk;

use crate::common;

#[test]
fn every_jdk_class_survives_byte_for_byte() {
    for jdk in Jdk::all() {
        let classes = common::jdk_classes(&jdk);
        let step = if common::sweep() { 1 } else { 7 };
        for class in classes.iter().step_by(step) {
            let result = instrumenter::identity(&class.bytes);
            assert!(result.as_ref() == Ok(&class.bytes), "{} of {}: {:?}", class.name, jdk.feature, result.err());
        }
    }
}
