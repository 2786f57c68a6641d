//! What the agent says: whole lines to standard error, or to `log_path`.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use parking_lot::Mutex;

static TARGET: OnceLock<File> = OnceLock::new();
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Sends messages to a file from now on.
///
/// # Errors
/// The file cannot be opened for appending.
pub fn redirect(path: &Path) -> std::io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let _ = TARGET.set(file);
    Ok(())
}

/// Says one sentence. A failure to say it is ignored: there is nobody left to tell.
pub fn say(sentence: &str) {
    let line = format!("jrace: {sentence}\n");
    let _ = match TARGET.get() {
        Some(mut file) => file.write_all(line.as_bytes()),
        None => std::io::stderr().write_all(line.as_bytes()),
    };
}

/// Says a sentence unless it was said before.
pub fn once(sentence: &str) {
    if SAID.lock().insert(sentence.to_owned()) {
        say(sentence);
    }
}
