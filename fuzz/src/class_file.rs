//! Whatever is read of a class file can be asked for all it has, and its instructions stand one behind the other.

use classfile::annotation::Annotation;
use classfile::attribute::{bootstrap_methods, line_numbers};
use classfile::descriptor::Parameters;
use classfile::instruction::walk;
use classfile::shape::{Shape, renamed};
use classfile::signature::{Mention, of_field, of_method};
use classfile::type_annotation::TypeAnnotation;
use classfile::{Class, Code, Flow, local};

pub(crate) fn property(bytes: &[u8]) {
    let Ok(class) = Class::read(bytes) else { return };
    for index in class.pool.indices() {
        assert!(class.pool.get(index).is_some(), "what was read once is read again");
        let _ = class.pool.reference(index).and_then(|reference| class.pool.class_name(reference.class));
        let _ = class.pool.dynamic(index);
        signature(class.pool.utf8(index).unwrap_or_default());
    }
    shape(bytes);
    for (_, contents) in class.attributes.iter() {
        let _ = bootstrap_methods(contents);
    }
    for member in class.fields.iter().chain(&class.methods) {
        let _ = Annotation::all(member.attributes, &class.pool);
        let _ = TypeAnnotation::all(member.attributes, &class.pool);
        let mut parameters = Parameters::of(member.descriptor);
        parameters.by_ref().for_each(|parameter| assert!(parameter.slots() > 0));
        let _ = parameters.result();
        if let Some(Ok(code)) = member.code.clone().map(|code| Code::read(&bytes[code])) {
            instructions(&code);
        }
    }
}

/// What has other names for its classes is a class file.
fn shape(bytes: &[u8]) {
    let Ok(shape) = Shape::read(bytes) else { return };
    let _ = Shape::references(bytes);
    if let Ok(other) = renamed(bytes, &|name| Some(format!("{name}$"))) {
        let other = Shape::read(&other).expect("it is read under other names");
        assert!(shape.names.len() <= other.names.len(), "a name is lost");
    }
}

/// Each type stands after the one that it is within.
fn signature(text: &[u8]) {
    let is_in_order = |of: &[Mention]| of.iter().enumerate().all(|(n, of)| of.within.is_none_or(|within| within < n));
    assert!(of_field(text).is_none_or(|of| is_in_order(&of)));
    assert!(of_method(text).is_none_or(|all| all.iter().all(|of| is_in_order(of))));
}

fn instructions(code: &Code<'_>) {
    let mut end = 0;
    for instruction in walk(code.bytes) {
        let Ok(instruction) = instruction else { return };
        assert_eq!((instruction.at, instruction.at + instruction.bytes().len() as u32), (end, instruction.end()));
        end = instruction.end();
        let _ = local::used(instruction.bytes());
        if let Flow::Switch(switch) = instruction.flow() {
            assert!(switch.cases().count() <= instruction.bytes().len() / 4);
        }
    }
    assert_eq!(end as usize, code.bytes.len());
    for (_, contents) in code.attributes.iter() {
        assert!(line_numbers(contents).count() <= contents.len() / 4);
    }
}
