//! The two streams. A reader that has gone away (`jrace report | head`) is no error.

use std::io::{self, IsTerminal, Write};

/// Writes to standard output.
pub fn out(text: &str) {
    // A closed pipe means that nobody reads any more.
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// Writes to standard error.
pub fn err(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints an error as one sentence.
pub fn complain(error: &anyhow::Error) {
    err(&format!("jrace: {error:#}\n"));
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

    /// Whether colours are wanted: a terminal that can show them, and nobody said `NO_COLOR`.
    pub fn is_colourful(self) -> bool {
        let is_terminal = match self {
            Self::Out => io::stdout().is_terminal(),
            Self::Err => io::stderr().is_terminal(),
        };
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        is_terminal && !refused && !is_dumb
    }
}
