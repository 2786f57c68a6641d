//! Folders of runs that were killed. SIGKILL leaves nobody who could clear up, so the next run does.
//!
//! Whoever uses a folder holds a lock on the file `FOLDER.owner` beside it. The kernel gives the lock up with the process,
//! so a process id that is in use again is not taken for it. What JVMs of a killed run still write to stays until they have
//! ended, too: the names of their files tell which process that is and since when it runs.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use rustix::process::geteuid;

use crate::output::{private, say};
use crate::report::words::printable;

/// What folders in the temporary directory begin with.
pub const PREFIX: &str = "jrace-";

const SUFFIX: &str = ".owner";

/// How much a clock may have been set back since a JVM has noted its start, in milliseconds.
const SLACK: u64 = 2000;

/// Clock ticks a second, in which Linux gives times of processes on every machine.
const TICKS: u64 = 100;

/// A folder that is in use as long as this.
#[derive(Debug)]
pub struct Owner {
    file: PathBuf,
    /// Locked.
    _lock: File,
}

impl Owner {
    /// Takes a folder, which need not be there yet.
    ///
    /// # Errors
    /// Its owner cannot be noted.
    pub fn of(folder: &Path) -> io::Result<Self> {
        let file = owner_file(folder);
        // It gets its name when it is locked: nobody finds it in between.
        let new = file.with_extension("new");
        let lock = private().write(true).create(true).truncate(true).open(&new)?;
        lock.lock()?;
        fs::rename(&new, &file)?;
        Ok(Self { file, _lock: lock })
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// Clears the folders in a directory that begin like this and belong to nobody any more, and says so.
pub fn clear(directory: &Path, prefix: &str) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for file in entries.map(|entry| entry.path()) {
        let name = file.file_name().and_then(|name| name.to_str());
        let Some(folder) = name.filter(|name| name.starts_with(prefix)).and_then(|name| name.strip_suffix(SUFFIX))
        else {
            continue;
        };
        if let Some(_lock) = unowned(&file)
            && clear_one(&directory.join(folder))
        {
            let _ = fs::remove_file(&file);
        }
    }
}

/// Removes a folder of one's own with the note of its owner.
pub fn remove(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    let _ = fs::remove_file(owner_file(folder));
}

/// Locks the owner's file of a folder of ours, if nobody else has.
fn unowned(file: &Path) -> Option<File> {
    let is_ours = |data: &fs::Metadata| data.is_file() && data.uid() == geteuid().as_raw();
    fs::symlink_metadata(file).ok().filter(is_ours)?;
    let lock = File::open(file).ok()?;
    lock.try_lock().is_ok().then_some(lock)
}

/// Says whether the folder is gone.
fn clear_one(folder: &Path) -> bool {
    let files = files(folder);
    let name = printable(&folder.display().to_string());
    let writer = files.iter().find_map(|(path, _)| jvm_of(path).filter(|(pid, started)| runs(*pid, *started)));
    if let Some((pid, _)) = writer {
        say(&format!("JVM {pid} of a run that was killed still writes to `{name}`: `kill {pid}` ends it"));
        return false;
    }
    let bytes = files.iter().map(|(_, length)| length).sum();
    if folder.exists() && fs::remove_dir_all(folder).is_ok() {
        say(&format!("cleared `{name}` ({}), which a run has left that was killed", HumanBytes(bytes)));
    }
    !folder.exists()
}

/// All files below a folder, with their lengths.
fn files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.metadata() {
            Ok(data) if data.is_dir() => files.extend(self::files(&entry.path())),
            Ok(data) => files.push((entry.path(), data.len())),
            Err(_) => {}
        }
    }
    files
}

/// Process id and start (milliseconds since 1970) of the JVM that writes a trace or findings.
fn jvm_of(path: &Path) -> Option<(u32, u64)> {
    let stem = path.file_stem()?.to_str()?;
    let (pid, started) = ["trace-", "findings-"].iter().find_map(|kind| stem.strip_prefix(kind))?.split_once('-')?;
    Some((pid.parse().ok()?, started.parse().ok()?))
}

/// Whether a process of this id is there that has been since then.
fn runs(pid: u32, since: u64) -> bool {
    let start = start_of(&read(&format!("/proc/{pid}/stat")), &read("/proc/stat"));
    start.is_some_and(|start| start <= since.saturating_add(SLACK))
}

/// When a process has started (milliseconds since 1970), by its `stat` and that of the system.
fn start_of(process: &str, system: &str) -> Option<u64> {
    // The second field is a name in parentheses, which may hold anything.
    let ticks: u64 = process.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    let boot: u64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some(boot * 1000 + ticks * 1000 / TICKS)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn owner_file(folder: &Path) -> PathBuf {
    let mut file = folder.as_os_str().to_owned();
    file.push(SUFFIX);
    file.into()
}

#[cfg(test)]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::*;

    fn now() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
    }

    /// A folder as a killed run leaves it, with a trace of a process.
    fn left(directory: &Path, name: &str, pid: u32, started: u64) -> PathBuf {
        let folder = directory.join(name);
        fs::create_dir_all(folder.join("traces")).unwrap();
        fs::write(folder.join("traces").join(facts::trace::file_name(pid, started)), "x").unwrap();
        fs::write(owner_file(&folder), "").unwrap();
        folder
    }

    #[test]
    fn what_belongs_to_nobody_is_cleared() {
        let directory = tempfile::tempdir().unwrap();
        let (own, gone) = (std::process::id(), u32::MAX - 1);
        let owned = left(directory.path(), "jrace-owned", gone, 1);
        let owner = Owner::of(&owned).unwrap();
        let written = left(directory.path(), "jrace-written", own, now());
        let other = left(directory.path(), "other", gone, 1);
        let unmarked = left(directory.path(), "jrace-unmarked", gone, 1);
        fs::remove_file(owner_file(&unmarked)).unwrap();
        let dead = left(directory.path(), "jrace-dead", gone, 1);
        // The process id is in use again, by one that came later.
        let reused = left(directory.path(), "jrace-reused", own, 1);
        clear(directory.path(), PREFIX);
        let there = [&owned, &written, &other, &unmarked, &dead, &reused].map(|folder| folder.exists());
        assert_eq!(there, [true, true, true, true, false, false]);
        drop(owner);
        assert!(!owner_file(&owned).exists() && !owner_file(&dead).exists() && owner_file(&written).exists());
    }

    #[test]
    fn a_process_is_told_by_its_start() {
        let process = format!("12 (a) b ) S {} 250 0", vec!["0"; 18].join(" "));
        assert_eq!(start_of(&process, "cpu 1\nbtime 1000\n"), Some(1_002_500));
        assert!(runs(std::process::id(), now()) && !runs(std::process::id(), 1) && !runs(u32::MAX, now()));
    }
}
