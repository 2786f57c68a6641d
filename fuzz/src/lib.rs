//! What must hold of any bytes that a reader is given: it does not panic, and what was understood stays what it is.
//!
//! `cargo test` tries mutations of the seeds, and `libfuzzer` what coverage leads to.

mod class_file;
mod finding;
mod focus;
mod identity;
mod reflection_log;
mod trace;
mod type_log;
mod weave;

/// Panics if the bytes break it.
pub type Property = fn(&[u8]);

/// Each target by its name, which is that of its folders of seeds and of what was found worth keeping.
pub const TARGETS: [(&str, Property); 8] = [
    ("classfile", class_file::property),
    ("identity", identity::property),
    ("weave", weave::property),
    ("trace", trace::property),
    ("finding", finding::property),
    ("focus", focus::property),
    ("type_log", type_log::property),
    ("reflection_log", reflection_log::property),
];

/// Lines behind a header that fits them: no fuzzer finds hashes.
fn headed(header: &impl serde::Serialize, lines: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(header).expect("headers can be written");
    text.push(b'\n');
    text.extend_from_slice(lines);
    text
}
