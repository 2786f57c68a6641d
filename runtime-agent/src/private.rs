//! Files that only the user of the program may read: they show what it works on.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// How files are opened that may show what the program works on: only its user reads them.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Creates a directory that only the program's user can look into, and those that it lies in.
///
/// # Errors
/// It cannot be created.
pub fn create_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}
