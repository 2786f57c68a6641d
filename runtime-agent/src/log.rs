//! What the agent says: whole lines to standard error, or to `log_path`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use facts::name::printable;
use parking_lot::Mutex;

use crate::private::private;

static TARGET: OnceLock<File> = OnceLock::new();
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Sends messages to a file from now on.
///
/// # Errors
/// The file cannot be opened for appending.
pub fn redirect(path: &Path) -> std::io::Result<()> {
    let file = private().create(true).append(true).open(path)?;
    let _ = TARGET.set(file);
    Ok(())
}

/// Says one sentence. A failure to say it is ignored: there is nobody left to tell.
pub fn say(sentence: &str) {
    let line = format!("jrace: {}\n", printable(sentence));
    let _ = match TARGET.get() {
        Some(mut file) => file.write_all(line.as_bytes()),
        None => std::io::stderr().write_all(line.as_bytes()),
    };
}

/// Says a sentence unless it was said before; whether it was new.
pub fn once(sentence: &str) -> bool {
    let is_new = SAID.lock().insert(sentence.to_owned());
    if is_new {
        say(sentence);
    }
    is_new
}
