//! Reads every class of the oldest JDK, with this crate and with `ristretto_classfile`, and prints what that costs.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example prints")]

use std::time::Instant;

use classfile::instruction::walk;
use classfile::{Class, Code};
use jrace_tests::jdk::Jdk;
use ristretto_classfile::ClassFile;
use ristretto_jimage::Image;

fn measure(what: &str, classes: &[Vec<u8>], mut read: impl FnMut(&[u8]) -> usize) {
    for _ in 0..3 {
        let start = Instant::now();
        let n: usize = classes.iter().map(|bytes| read(bytes)).sum();
        let each = start.elapsed().as_secs_f64() * 1e6 / classes.len() as f64;
        println!("{what}: {each:.1} us a class ({n} in all)");
    }
}

fn main() {
    let image = Image::from_file(&Jdk::oldest().home.join("lib/modules")).expect("a JDK has an image");
    let of_class = image.iter().flatten().filter(|resource| resource.extension() == "class");
    let classes: Vec<Vec<u8>> = of_class.map(|resource| resource.data().to_vec()).collect();
    measure("this crate, members", &classes, |bytes| Class::read(bytes).map_or(0, |class| class.methods.len()));
    measure("this crate, all code", &classes, |bytes| {
        let Ok(class) = Class::read(bytes) else { return 0 };
        let codes = class.methods.iter().filter_map(|method| Code::read(&bytes[method.code.clone()?]).ok());
        codes.map(|code| walk(code.bytes).count()).sum()
    });
    measure("ristretto_classfile", &classes, |bytes| {
        ClassFile::from_slice(bytes).map_or(0, |class| class.methods.len())
    });
}
