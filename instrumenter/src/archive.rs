//! Jar to jar, directory to directory: classes are woven, everything else is copied byte for byte.
//!
//! Entries keep their order, names, times and compression, so the same input and the same weaving give the same output.
//! Classes below `META-INF/versions` are woven too, and so are the classes of jars inside the jar (as in executable jars).
//! Signatures are left out of a jar in which something was woven, as they no longer match.
#![allow(clippy::disallowed_methods, reason = "this is the module that reads and writes files")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};

use facts::inflated::Inflated;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Jars in jars in jars are followed this far.
const MAX_NESTING: u8 = 4;

/// Weaves one class file: the new bytes, or none if the class keeps its own.
pub type WeaveClass<'a> = &'a mut dyn FnMut(&[u8]) -> Option<Vec<u8>>;

/// Why there is no output: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A jar cannot be read or written.
    #[error("{path} is not a jar that can be read: {source}")]
    Jar {
        /// The jar.
        path: PathBuf,
        /// What is wrong with it.
        source: ZipError,
    },
    /// The output would overwrite what is being read.
    #[error("{0}: the output must lie outside the input")]
    Overlap(PathBuf),
}

/// Weaves the jar or the directory `input` to `output`. A jar that exists there is replaced when the new one is complete; in
/// a directory, files of the same names are.
///
/// # Errors
/// Something cannot be read or written, or the input would be overwritten.
pub fn instrument(input: &Path, output: &Path, weave: WeaveClass<'_>) -> Result<(), ArchiveError> {
    let from = input.canonicalize().map_err(at(input))?;
    let to = output.canonicalize().unwrap_or_else(|_| output.to_owned());
    if from == to || from.is_dir() && to.starts_with(&from) {
        return Err(ArchiveError::Overlap(output.to_owned()));
    }
    if from.is_dir() { directory(input, output, weave) } else { jar(input, output, weave) }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> ArchiveError {
    let path = path.to_owned();
    move |source| ArchiveError::File { path, source }
}

fn directory(input: &Path, output: &Path, weave: WeaveClass<'_>) -> Result<(), ArchiveError> {
    std::fs::create_dir_all(output).map_err(at(output))?;
    let entries = std::fs::read_dir(input).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(at(input))?;
    let mut names: Vec<_> = entries.iter().map(std::fs::DirEntry::file_name).collect();
    names.sort();
    for name in names {
        let (from, to) = (input.join(&name), output.join(&name));
        if from.is_dir() {
            directory(&from, &to, weave)?;
        } else if from.extension().is_some_and(|extension| extension == "class") {
            let bytes = std::fs::read(&from).map_err(at(&from))?;
            std::fs::write(&to, weave(&bytes).unwrap_or(bytes)).map_err(at(&to))?;
        } else {
            std::fs::copy(&from, &to).map_err(at(&from))?;
        }
    }
    Ok(())
}

fn jar(input: &Path, output: &Path, weave: WeaveClass<'_>) -> Result<(), ArchiveError> {
    let broken = |source| match source {
        ZipError::Io(source) => ArchiveError::File { path: input.to_owned(), source },
        source => ArchiveError::Jar { path: input.to_owned(), source },
    };
    let file = File::open(input).map_err(at(input))?;
    let inflated = Inflated::of(file.metadata().map_err(at(input))?.len());
    let mut archive = ZipArchive::new(file).map_err(broken)?;
    let woven = weave_entries(&mut archive, weave, 0, &inflated).map_err(broken)?;
    let mut partial = output.as_os_str().to_owned();
    partial.push(".part");
    let partial = PathBuf::from(partial);
    let mut file = File::create(&partial).map_err(at(&partial))?;
    write(&mut archive, &woven, &mut file).map_err(broken)?;
    drop(file);
    std::fs::rename(&partial, output).map_err(at(output))
}

/// The new contents of entries, by index.
fn weave_entries<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    weave: WeaveClass<'_>,
    nesting: u8,
    inflated: &Inflated,
) -> Result<BTreeMap<usize, Vec<u8>>, ZipError> {
    let mut woven = BTreeMap::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index)?;
        let is_jar = is_jar(entry.name()) && nesting < MAX_NESTING;
        if !is_jar && !entry.name().ends_with(".class") {
            continue;
        }
        let declared = entry.size();
        let bytes = if is_jar { inflated.other(entry, declared)? } else { inflated.class(entry, declared)? };
        let new = if is_jar { nested(&bytes, weave, nesting + 1, inflated)? } else { weave(&bytes) };
        woven.extend(new.map(|bytes| (index, bytes)));
    }
    Ok(woven)
}

fn is_jar(name: &str) -> bool {
    name.ends_with(".jar") || name.ends_with(".war")
}

/// A jar inside a jar; what is no jar in spite of its name is left alone.
fn nested(bytes: &[u8], weave: WeaveClass<'_>, nesting: u8, inflated: &Inflated) -> Result<Option<Vec<u8>>, ZipError> {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else { return Ok(None) };
    let woven = weave_entries(&mut archive, weave, nesting, inflated)?;
    if woven.is_empty() {
        return Ok(None);
    }
    let mut out = Cursor::new(Vec::with_capacity(bytes.len()));
    write(&mut archive, &woven, &mut out)?;
    Ok(Some(out.into_inner()))
}

fn write<R: Read + Seek, W: Write + Seek>(
    archive: &mut ZipArchive<R>,
    woven: &BTreeMap<usize, Vec<u8>>,
    out: W,
) -> Result<(), ZipError> {
    let mut writer = ZipWriter::new(out);
    writer.set_raw_comment(archive.comment().into());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        match woven.get(&index) {
            Some(bytes) => {
                // What is stored must stay so: class loaders of executable jars map the jars inside.
                let method = match entry.compression() {
                    CompressionMethod::Stored => CompressionMethod::Stored,
                    _ => CompressionMethod::Deflated,
                };
                let options = entry.options().compression_method(method).large_file(bytes.len() > u32::MAX as usize);
                writer.start_file(entry.name(), options)?;
                writer.write_all(bytes)?;
            }
            None if !woven.is_empty() && is_signature(entry.name()) => {}
            None => writer.raw_copy_file(entry)?,
        }
    }
    writer.finish()?.flush()?;
    Ok(())
}

/// Signature files lie directly in `META-INF` (JAR File Specification).
fn is_signature(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    upper.strip_prefix("META-INF/").is_some_and(|file| {
        let ends = [".SF", ".RSA", ".DSA", ".EC"].iter().any(|extension| file.ends_with(extension));
        !file.contains('/') && (ends || file.starts_with("SIG-"))
    })
}
