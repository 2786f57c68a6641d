//! The two streams, and files for whole documents. A reader that has gone away (`jrace report | head`) is no error; a full disk is one.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::ErrorKind::BrokenPipe;
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use facts::name::printable;
use rustix::termios::tcgetwinsize;

use crate::paint::Paint;
use crate::wrap::{NARROWEST, wrapped};

/// Why the first text could not be written that standard output has lost.
static LOST: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes to standard output.
pub fn out(text: &str) {
    note(io::stdout().lock().write_all(text.as_bytes()));
}

fn note(written: io::Result<()>) {
    // A closed pipe means that nobody reads any more.
    if let Err(error) = written.or_else(|error| if error.kind() == BrokenPipe { Ok(()) } else { Err(error) }) {
        LOST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Whether standard output has all that was written to it.
///
/// # Errors
/// Something was lost, and not because nobody reads any more.
pub fn all_written() -> Result<()> {
    note(io::stdout().lock().flush());
    let lost = LOST.lock().unwrap_or_else(PoisonError::into_inner).take();
    lost.map_or(Ok(()), Err).context("cannot write to standard output; make room, or write to another file")
}

/// Writes a JSON document to standard output as it comes: that of a large library has hundreds of megabytes.
///
/// # Errors
/// It cannot be written as JSON.
pub fn out_json(document: &impl serde::Serialize) -> serde_json::Result<()> {
    let mut to = io::BufWriter::new(io::stdout().lock());
    let written = serde_json::to_writer_pretty(&mut to, document);
    // A closed pipe means that nobody reads any more.
    let written = written.or_else(|error| {
        if error.is_io() {
            note(Err(error.into()));
            Ok(())
        } else {
            Err(error)
        }
    });
    note(to.write_all(b"\n").and_then(|()| to.flush()));
    written
}

/// Writes to standard error.
pub fn err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Says a sentence unless something was said about the same before: a command may analyse classes more than once.
pub fn say_once(about: &str, sentence: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(about.to_owned()) {
        say(sentence);
    }
}

/// Clears what somebody who was ended has left in the terminal's line.
pub fn clear_line() {
    if io::stderr().is_terminal() {
        err("\r\u{1b}[2K");
    }
}

/// Says a sentence on standard error; what a program gives to it cannot drive the terminal.
pub fn say(sentence: &str) {
    err(&format!("jrace: {}\n", printable(sentence)));
}

/// Prints an error as one sentence.
pub fn complain(error: &anyhow::Error) {
    say(&format!("{error:#}"));
}

/// How files are opened that may show what a program works on: only its user reads them.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Creates a directory that only its user can look into, and those that it lies in.
///
/// # Errors
/// It cannot be created.
pub fn create_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Where a report goes.
#[derive(Clone, Copy)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Stream {
    /// Writes text.
    pub fn write(self, text: &str) {
        match self {
            Self::Out => out(text),
            Self::Err => err(text),
        }
    }

    /// Writes text for people: a terminal has lines that fit into it.
    pub fn show(self, text: &str) {
        match self.columns() {
            Some(columns) => self.write(&wrapped(text, columns)),
            None => self.write(text),
        }
    }

    /// How wide the terminal is; `None` for what is none, or does not say so.
    pub fn columns(self) -> Option<usize> {
        let size = match self {
            Self::Out => tcgetwinsize(io::stdout()),
            Self::Err => tcgetwinsize(io::stderr()),
        };
        size.ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns >= NARROWEST)
    }

    /// Colours and links as this stream can show them.
    pub fn paint(self) -> Paint {
        let of = match self {
            Self::Out => supports_hyperlinks::Stream::Stdout,
            Self::Err => supports_hyperlinks::Stream::Stderr,
        };
        Paint::new(self.is_colourful()).with_links(supports_hyperlinks::on(of)).with_columns(self.columns())
    }

    /// Whether colours are wanted: a terminal that can show them, and nobody said `NO_COLOR`.
    fn is_colourful(self) -> bool {
        let is_terminal = match self {
            Self::Out => io::stdout().is_terminal(),
            Self::Err => io::stderr().is_terminal(),
        };
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        is_terminal && !refused && !is_dumb
    }
}

/// A file for a document, tried before the work begins: an hour later would be late to learn that it cannot be written.
pub struct Destination<'a> {
    path: &'a Path,
    what: &'static str,
    flag: &'static str,
}

impl<'a> Destination<'a> {
    /// The file that a flag names; `what` is written there. What it holds stays until then.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn at(path: &'a Path, what: &'static str, flag: &'static str) -> Result<Self> {
        let destination = Self { path, what, flag };
        destination.probe().with_context(|| destination.problem())?;
        Ok(destination)
    }

    /// Writes the document.
    ///
    /// # Errors
    /// It cannot be written any more.
    pub fn write(&self, text: &str) -> Result<()> {
        let written = if self.path.exists() { fs::write(self.path, text) } else { self.create(text) };
        written.with_context(|| self.problem())
    }

    /// What a trial makes goes again: an empty file is no document.
    fn probe(&self) -> io::Result<()> {
        let existed = self.path.exists();
        OpenOptions::new().create(true).append(true).open(self.path)?;
        // A link to a file that is not there yet stays.
        if existed { Ok(()) } else { fs::remove_file(fs::canonicalize(self.path)?) }
    }

    /// The file appears when it is complete.
    fn create(&self, text: &str) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let by_umask = Permissions::from_mode(0o666);
        let mut file = tempfile::Builder::new().permissions(by_umask).tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(self.path)?;
        Ok(())
    }

    fn problem(&self) -> String {
        format!("cannot write {} to `{}`; choose another file with {}", self.what, self.path.display(), self.flag)
    }
}
