//! Findings to disk, as they happen.
//!
//! Each record is one `write` of one line to a file opened for appending, so that whatever ends the JVM (`halt`, SIGKILL, a
//! crash) loses nothing already found: the bytes are the kernel's by then.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use facts::finding::{Jvm, Record, file_name};
use parking_lot::Mutex;

use crate::private::{create_private, private};
use crate::{log, roll};

/// The findings file of this JVM.
#[derive(Debug)]
pub struct Sink {
    directory: PathBuf,
    jvm: Jvm,
    file: Mutex<File>,
}

impl Sink {
    /// Creates the directory and the file, and writes the header.
    ///
    /// # Errors
    /// The directory or file cannot be written.
    pub fn create(directory: &Path, jvm: &Jvm) -> io::Result<Self> {
        create_private(directory)?;
        let file = private().create(true).append(true).open(directory.join(file_name(jvm.pid, jvm.started)))?;
        let sink = Self { directory: directory.to_owned(), jvm: jvm.clone(), file: Mutex::new(file) };
        sink.try_write(&Record::Jvm(jvm.clone()))?;
        Ok(sink)
    }

    /// Appends a record; a full disk is said once.
    pub fn write(&self, record: &Record) {
        if let Err(error) = self.try_write(record) {
            let reason = format!("findings can no longer be written: {error}");
            if log::once(&reason) {
                roll::tell(&self.directory, &self.jvm, &reason);
            }
        }
    }

    /// Says that nothing is checked from here on.
    pub fn give_up(&self, reason: &str) {
        if log::once(&format!("the program runs unchecked: {reason}")) {
            self.write(&Record::Unchecked(reason.to_owned()));
        }
    }

    /// Says that a check has failed by a mistake of jrace's own. The program goes on.
    pub fn fault(&self, what: &str) {
        if log::once(&format!("a check failed by a mistake of jrace's own, and the program goes on: {what}")) {
            self.write(&Record::Fault(what.to_owned()));
        }
    }

    fn try_write(&self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.lock().write_all(&line)
    }
}
