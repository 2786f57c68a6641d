//! Findings to disk, as they happen.
//!
//! Each record is one `write` of one line to a file opened for appending, so that whatever ends the JVM (`halt`, SIGKILL, a
//! crash) loses nothing already found: the bytes are the kernel's by then.

use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Write};
use std::path::Path;

use facts::finding::{Jvm, Record, file_name};
use parking_lot::Mutex;

use crate::log;

/// The findings file of this JVM.
#[derive(Debug)]
pub struct Sink {
    file: Mutex<File>,
}

impl Sink {
    /// Creates the directory and the file, and writes the header.
    ///
    /// # Errors
    /// The directory or file cannot be written.
    pub fn create(directory: &Path, jvm: &Jvm) -> io::Result<Self> {
        create_dir_all(directory)?;
        let path = directory.join(file_name(jvm.pid, jvm.started));
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let sink = Self { file: Mutex::new(file) };
        sink.try_write(&Record::Jvm(jvm.clone()))?;
        Ok(sink)
    }

    /// Appends a record; a full disk is said once.
    pub fn write(&self, record: &Record) {
        if let Err(error) = self.try_write(record) {
            log::once(&format!("findings can no longer be written: {error}"));
        }
    }

    fn try_write(&self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.lock().write_all(&line)
    }
}
