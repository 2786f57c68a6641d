//! What `jrace races --modular` keeps in a folder between runs: the summaries of methods, and what was found.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use modular::store::disk::{Disk, Problem};

use crate::output::{private, say};
use crate::report::baseline::{self, Baseline};
use crate::report::claims::{Claims, known};

/// What was found, as a baseline.
const FINDINGS: &str = "findings.json";

/// A store, and whether this run writes to it.
pub struct Kept<'a> {
    disk: Disk,
    folder: &'a Path,
    is_written: bool,
    n_damaged: usize,
}

/// What tells builds of jrace apart: the commit, and the file, as what is built may have been changed since.
pub fn build() -> String {
    let version = env!("JRACE_VERSION");
    let file = std::env::current_exe().and_then(fs::metadata).ok();
    let modified = file.and_then(|file| Some((file.modified().ok()?, file.len())));
    modified.map_or_else(|| version.to_owned(), |file| format!("{version} {file:?}"))
}

/// The findings of a store, if a path is that of one.
pub fn findings(path: &Path) -> Option<PathBuf> {
    Disk::is_at(path).then(|| path.join(FINDINGS))
}

impl<'a> Kept<'a> {
    /// Opens the store that this run writes to, or else the one that it is compared with. One that another process uses is not
    /// taken, which is said.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(written: Option<&'a Path>, compared: Option<&'a Path>, build: &str) -> Result<Option<Self>> {
        let Some(folder) = written.or(compared) else { return Ok(None) };
        let disk = match Disk::open(folder, build) {
            Ok(disk) => disk,
            Err(problem @ Problem::InUse(_)) => {
                say(&problem.to_string());
                return Ok(None);
            }
            Err(problem) => return Err(problem.into()),
        };
        disk.lost.iter().for_each(|lost| say(lost));
        Ok(Some(Self { disk, folder, is_written: written.is_some(), n_damaged: 0 }))
    }

    /// The summaries.
    pub const fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Notes how many summaries could not be read.
    pub fn note_damaged(&mut self, n_damaged: usize) {
        self.n_damaged = n_damaged + self.disk.n_unread();
    }

    /// Writes what is new, and what was found.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(self, claims: &Claims) -> Result<()> {
        if self.n_damaged > 0 {
            say(&format!(
                "{} of the store `{}` are damaged: they were made anew",
                self.n_damaged,
                self.folder.display()
            ));
        }
        if !self.is_written {
            return Ok(());
        }
        self.disk.write()?;
        let text = baseline::text(&Baseline { claims: known(claims), ..Baseline::default() })?;
        let path = self.folder.join(FINDINGS);
        write(&path, &text).with_context(|| {
            format!("`{}` cannot be written: give --store a folder that can be written and has room", path.display())
        })
    }
}

/// The file is there when it is complete.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    let mut file = private().write(true).create(true).truncate(true).open(&part)?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    fs::rename(part, path)
}
