//! Class files of the JDK have the shape that they have under other names.

use classfile::shape::{Name, Shape, renamed};
use classfile::{Class, text};
use jrace_tests::jdk::Jdk;
use ristretto_jimage::Image;

#[test]
fn a_class_has_its_shape_under_each_name() {
    let image = Image::from_file(&Jdk::oldest().home.join("lib/modules")).expect("a JDK has an image");
    let mut n_classes = 0;
    for resource in image.iter().flatten().filter(|resource| resource.module() == "java.base") {
        let bytes = resource.data();
        let Ok(class) = Class::read(bytes) else { continue };
        let own = class.pool.class_name(class.this_class).map(text).expect("a name");
        assert_eq!(renamed(bytes, &|_| None).expect(&own), bytes, "{own}");
        let (shape, twin) = (Shape::read(bytes).expect(&own), format!("{own}$$Twin"));
        let Ok(other) = renamed(bytes, &|name| (name == own).then(|| twin.clone())) else { continue };
        let of_other = Shape::read(&other).expect(&own);
        assert_eq!(shape.skeleton, of_other.skeleton, "{own}");
        let is_same = |(before, after): (&Name<'_>, &Name<'_>)| match (before, after) {
            (Name::Class(before), Name::Class(after)) if *before == own => *after == twin,
            _ => before == after,
        };
        assert_eq!(shape.names.len(), of_other.names.len(), "{own}");
        assert!(shape.names.iter().zip(&of_other.names).all(is_same), "{own}");
        let place = |name: &Name<'_>| matches!(name, Name::Class(class) if *class == own || *class == twin);
        let places = shape.names.iter().position(place).into_iter().collect();
        assert_eq!(shape.fixed(&places, &|_| true), of_other.fixed(&places, &|_| true), "{own}");
        assert!(shape.fixed(&places, &|_| true) != shape.fixed(&Default::default(), &|_| true), "{own}");
        assert_eq!(renamed(&other, &|name| (name == twin).then(|| own.to_string())).expect(&own), bytes, "{own}");
        n_classes += 1;
    }
    assert!(n_classes > 5_000, "only {n_classes} classes");
}
