//! The store on disk: a file of `redb`, which only its user reads. A run writes everything at its end at once, or nothing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use redb::backends::FileBackend;
use redb::{Database, DatabaseError, ReadOnlyTable, ReadableDatabase as _, StorageError, TableDefinition};

use super::Store;

const ENTRIES: TableDefinition<'_, u128, &[u8]> = TableDefinition::new("entries");
/// What made the entries, by the number of the form that they have.
const MADE_BY: TableDefinition<'_, u64, &str> = TableDefinition::new("made by");
const BUILD: u64 = 0;
const FILE: &str = "summaries.redb";

/// Why a store cannot be used: a sentence with what is done about it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// Another process has it.
    #[error("the store `{0}` is in use by another jrace: summaries are made anew, and not kept")]
    InUse(String),
    /// It cannot be written, or no more of it.
    #[error("{0}: give --store a folder that can be written and has room")]
    Unwritable(String),
}

/// A store on disk.
pub struct Disk {
    folder: PathBuf,
    database: Option<Database>,
    entries: Option<ReadOnlyTable<u128, &'static [u8]>>,
    new: RefCell<BTreeMap<u128, Vec<u8>>>,
    build: String,
    /// Why what was there is not taken, in words.
    pub lost: Option<String>,
    n_unread: Cell<usize>,
}

impl Disk {
    /// Whether a folder has a store.
    #[must_use]
    pub fn is_at(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Opens the store of a folder, or makes one. What is damaged, or what another build has made, is not taken.
    ///
    /// # Errors
    /// Another process has it, or it cannot be written.
    pub fn open(folder: &Path, build: &str) -> Result<Self, Problem> {
        let (database, damaged) = made(folder)?;
        let made_by = made_by(&database);
        let is_own = made_by.as_deref() == Some(build);
        let of_another = made_by
            .filter(|_| !is_own)
            .map(|_| format!("the store `{}` is of another build of jrace: summaries are made anew", folder.display()));
        let read = database.begin_read().ok().filter(|_| is_own);
        Ok(Self {
            folder: folder.to_owned(),
            entries: read.and_then(|read| read.open_table(ENTRIES).ok()),
            database: Some(database),
            new: RefCell::default(),
            build: build.to_owned(),
            lost: damaged.or(of_another),
            n_unread: Cell::default(),
        })
    }

    /// How many entries could not be read.
    pub fn n_unread(&self) -> usize {
        self.n_unread.get()
    }

    /// Writes what is new.
    ///
    /// # Errors
    /// It cannot be written. What was there before is there still.
    pub fn write(mut self) -> Result<(), Problem> {
        // Nobody reads any more: what is replaced may go.
        let had_entries = self.entries.take().is_some();
        let new = self.new.take();
        let Some(database) = self.database.take().filter(|_| !new.is_empty()) else { return Ok(()) };
        write(&database, &new, &self.build, had_entries).map_err(|error| {
            Problem::Unwritable(format!("the store `{}` cannot be written ({error})", self.folder.display()))
        })
    }
}

impl Store for Disk {
    fn get(&self, name: u128) -> Vec<Vec<u8>> {
        let Some(entries) = self.entries.as_ref() else { return Vec::new() };
        match entries.get(name) {
            Ok(entry) => entry.map(|entry| entry.value().to_vec()).into_iter().collect(),
            Err(_) => {
                self.n_unread.set(self.n_unread.get() + 1);
                Vec::new()
            }
        }
    }

    fn put(&self, name: u128, entry: Vec<u8>) {
        self.new.borrow_mut().insert(name, entry);
    }
}

/// The database of a folder, made if there is none that can be read; and if there was one, a sentence on that.
fn made(folder: &Path) -> Result<(Database, Option<String>), Problem> {
    let unwritable = |error: &dyn std::fmt::Display| {
        Problem::Unwritable(format!("the store `{}` cannot be written ({error})", folder.display()))
    };
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| unwritable(&error))?;
    let path = folder.join(FILE);
    match database(&path) {
        Ok(database) => Ok((database, None)),
        Err(Failure::InUse) => Err(Problem::InUse(folder.display().to_string())),
        Err(Failure::Other(error)) => Err(unwritable(&error)),
        Err(Failure::Damaged) => {
            fs::remove_file(&path).map_err(|error| unwritable(&error))?;
            let database = database(&path).map_err(|_| unwritable(&"it cannot be made anew"))?;
            Ok((database, Some(format!("the store `{}` is damaged: summaries are made anew", folder.display()))))
        }
    }
}

enum Failure {
    InUse,
    Damaged,
    Other(String),
}

fn database(path: &Path) -> Result<Database, Failure> {
    let file = open(path).map_err(|error| Failure::Other(error.to_string()))?;
    let create = || -> Result<Database, DatabaseError> {
        let mut database = Database::builder().create_with_backend(FileBackend::new(file)?)?;
        // Every page is read: what is damaged is known before anything is taken.
        match database.check_integrity() {
            Ok(true) => Ok(database),
            Ok(false) => Err(StorageError::Corrupted("it had to be repaired".to_owned()).into()),
            Err(error) => Err(error),
        }
    };
    // Damage is an error where it was foreseen, and anything else where it was not.
    match catch_unwind(AssertUnwindSafe(create)) {
        Ok(Ok(database)) => Ok(database),
        Ok(Err(DatabaseError::DatabaseAlreadyOpen)) => Err(Failure::InUse),
        Ok(Err(DatabaseError::Storage(StorageError::Io(error)))) if !is_of_damage(&error) => {
            Err(Failure::Other(error.to_string()))
        }
        Ok(Err(_)) | Err(_) => Err(Failure::Damaged),
    }
}

/// A file that is too short, or not one of the database.
fn is_of_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData)
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Which build has made the entries; none of a new store.
fn made_by(database: &Database) -> Option<String> {
    let table = database.begin_read().ok()?.open_table(MADE_BY).ok()?;
    Some(table.get(BUILD).ok()??.value().to_owned())
}

fn write(
    database: &Database,
    new: &BTreeMap<u128, Vec<u8>>,
    build: &str,
    had_entries: bool,
) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    if !had_entries {
        transaction.delete_table(ENTRIES)?;
    }
    transaction.open_table(MADE_BY)?.insert(BUILD, build)?;
    let mut entries = transaction.open_table(ENTRIES)?;
    for (name, entry) in new {
        entries.insert(*name, &entry[..])?;
    }
    drop(entries);
    transaction.commit()?;
    Ok(())
}
