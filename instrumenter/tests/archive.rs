//! Jars keep everything but what is woven.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::io::{Cursor, Read, Write};
use std::path::Path;

use crate::common::Numbers;
use facts::hook::Events;
use instrumenter::archive::{ArchiveError, instrument};
use instrumenter::{Outcome, Plan, weave};
use jrace_tests::jdk::Jdk;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Name, contents, whether stored.
type Entry<'a> = (&'a str, Vec<u8>, bool);

fn jar(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let time = DateTime::from_date_and_time(2020, 2, 3, 4, 5, 6).unwrap();
    for (name, bytes, stored) in entries {
        let method = if *stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method).last_modified_time(time);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn weave_all(input: &Path, output: &Path) -> Result<(), ArchiveError> {
    let mut sites = Numbers::default();
    instrument(input, output, &mut |bytes| match weave(bytes, &Plan::new(Events::ALL), &mut sites) {
        Ok(Outcome::Woven(woven)) => Some(woven.bytes),
        _ => None,
    })
}

fn read(jar: &[u8], name: &str) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(jar)).unwrap();
    let mut bytes = Vec::new();
    archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn class_file() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Locks.java");
    Jdk::oldest().compile(&[source], directory.path(), &[]).unwrap();
    std::fs::read(directory.path().join("Locks.class")).unwrap()
}

#[test]
fn a_jar_keeps_all_but_classes_and_signatures() {
    let class = class_file();
    let inner = jar(&[("Locks.class", class.clone(), false)]);
    let input = jar(&[
        ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n".to_vec(), false),
        ("META-INF/ME.SF", b"x".to_vec(), false),
        ("META-INF/ME.RSA", b"x".to_vec(), false),
        ("META-INF/versions/17/Locks.class", class.clone(), false),
        ("data.bin", vec![7; 10_000], false),
        ("not.class", b"hello".to_vec(), false),
        ("lib/inner.jar", inner, true),
        ("lib/broken.jar", b"no jar".to_vec(), true),
    ]);
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("a.jar"), directory.path().join("b.jar"));
    std::fs::write(&from, &input).unwrap();
    weave_all(&from, &to).unwrap();
    let output = std::fs::read(&to).unwrap();
    let mut archive = ZipArchive::new(Cursor::new(&output[..])).unwrap();
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    let expected = [
        "META-INF/MANIFEST.MF",
        "META-INF/versions/17/Locks.class",
        "data.bin",
        "not.class",
        "lib/inner.jar",
        "lib/broken.jar",
    ];
    assert_eq!(names, expected);
    for index in 0..archive.len() {
        let entry = archive.by_index(index).unwrap();
        assert_eq!(entry.last_modified().map(|time| time.year()), Some(2020), "{}", entry.name());
        let stored = entry.compression() == CompressionMethod::Stored;
        assert_eq!(stored, entry.name().starts_with("lib/"), "{}", entry.name());
    }
    for name in ["META-INF/MANIFEST.MF", "data.bin", "not.class", "lib/broken.jar"] {
        assert_eq!(read(&output, name), read(&input, name), "{name}");
    }
    assert_ne!(read(&output, "META-INF/versions/17/Locks.class"), class);
    assert_ne!(read(&read(&output, "lib/inner.jar"), "Locks.class"), class);
    weave_all(&from, &to).unwrap();
    assert_eq!(std::fs::read(&to).unwrap(), output, "the same input gives the same output");
}

#[test]
fn a_jar_without_classes_keeps_its_signatures() {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("a.jar"), directory.path().join("b.jar"));
    std::fs::write(&from, jar(&[("META-INF/ME.SF", b"x".to_vec(), false)])).unwrap();
    weave_all(&from, &to).unwrap();
    assert_eq!(read(&std::fs::read(&to).unwrap(), "META-INF/ME.SF"), b"x");
}

#[test]
fn the_input_is_never_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let inside = directory.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    assert!(matches!(weave_all(directory.path(), directory.path()), Err(ArchiveError::Overlap(_))));
    assert!(matches!(weave_all(directory.path(), &inside), Err(ArchiveError::Overlap(_))));
    let error = weave_all(&directory.path().join("absent.jar"), &inside).unwrap_err();
    assert!(error.to_string().contains("absent.jar"), "{error}");
    let text = directory.path().join("text.jar");
    std::fs::write(&text, "hello").unwrap();
    assert!(weave_all(&text, &inside.join("x.jar")).unwrap_err().to_string().contains("is not a jar that can be read"));
}
