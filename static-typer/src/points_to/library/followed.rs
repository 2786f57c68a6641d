//! Which libraries are followed where the others are [not](super::opaque).

use crate::program::{ClassId, Program};

/// Packages of libraries that keep what they get for whoever asks for it.
const FOLLOWED: [&str; 9] = [
    "com/github/benmanes/caffeine/",
    "com/google/common/",
    "com/googlecode/concurrentlinkedhashmap/",
    "it/unimi/dsi/fastutil/",
    "org/apache/commons/collections",
    "org/apache/commons/lang",
    "org/apache/commons/pool",
    "org/eclipse/collections/",
    "org/springframework/util/",
];

/// Whether a class is of a library that is not followed.
#[must_use]
pub fn is_opaque(program: &Program, class: ClassId) -> bool {
    let name = program.class_name(class);
    !program.class(class).is_application
        && !program.is_of_jdk(class)
        && !FOLLOWED.iter().any(|package| name.starts_with(package))
}
