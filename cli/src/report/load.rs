//! Reading findings files.
//!
//! Layout of an output directory: `jrace run` gives each run its own directory `run-TIME-PID` (milliseconds since 1970 and
//! jrace's process id), in which each JVM writes one findings file; what is foreseen from its trace goes into a second one, and the exit
//! code of a command that has failed beside them. JVMs
//! that were given the agent by hand write into the output directory itself. [`load`] reads both.
//!
//! A record is a line: damage to one hides no other. What is damaged becomes one sentence for each file, in [`Merged::unread`], as
//! does a newer format, of which what is known is read.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use facts::finding::{FORMAT, Jvm, Record};

use super::generated::stable;
use super::merge::Merged;
use super::words;
use crate::output;

/// The file with the exit code of a command that has failed.
const FAILED: &str = "command-failed";

/// Reads findings files, and those in directories, and merges them. `shown` is how a path appears in a sentence.
///
/// # Errors
/// A path that does not exist or holds no findings file, or files in which there is no record at all.
pub fn load(paths: &[PathBuf], only_last: bool, shown: &impl Fn(&Path) -> String) -> Result<Merged> {
    let mut merged = Merged::default();
    for path in paths {
        let (files, directories) = files(path, only_last).with_context(|| {
            format!("cannot read findings in `{}`; name a findings file, or the output directory of a run", shown(path))
        })?;
        if files.is_empty() {
            bail!(
                "there is no findings file in `{}`: no JVM ran with the agent, or its findings are elsewhere; name \
                 another directory, or first run `jrace run -- COMMAND`",
                shown(path)
            );
        }
        merged = merged.union(load_files(&files, shown));
        for directory in &directories {
            merged = merged.union(failure(directory, shown));
        }
    }
    if merged.jvms.is_empty() {
        bail!(
            "there is nothing to report: {}; name findings files, or the output directory of a run",
            Vec::from_iter(merged.unread).join("; ")
        );
    }
    Ok(merged)
}

/// Reads the findings of one run; a run without JVMs has none.
///
/// # Errors
/// The directory cannot be read.
pub fn load_run(directory: &Path, shown: &impl Fn(&Path) -> String) -> Result<Merged> {
    Ok(load_files(&findings_files(directory)?, shown))
}

/// Name of the file with what is foreseen from the trace of the JVM with this process id and start time.
pub fn predicted_name(pid: u32, started: u64) -> String {
    format!("findings-{pid}-{started}-predicted.jsonl")
}

fn load_files(files: &[PathBuf], shown: &impl Fn(&Path) -> String) -> Merged {
    let mut merged = Merged::default();
    for file in files {
        merged = merged.union(match std::fs::read(file) {
            Ok(bytes) => parse(&bytes, &shown(file)),
            // What others have found must not be lost for it.
            Err(error) => Merged::of_unread(format!("`{}` cannot be read: {error}", shown(file))),
        });
    }
    merged
}

/// The findings files that are meant, and the directories that these lie in, if no file is named.
fn files(path: &Path, only_last: bool) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    if path.is_file() {
        return Ok((vec![path.to_owned()], Vec::new()));
    }
    let directories = directories(path, only_last)?;
    let mut files = Vec::new();
    for directory in &directories {
        files.extend(findings_files(directory)?);
    }
    Ok((files, directories))
}

/// An output directory and its runs, the oldest first, or the last of them.
fn directories(path: &Path, only_last: bool) -> Result<Vec<PathBuf>> {
    let runs = run_directories(path)?;
    Ok(match runs.last().filter(|_| only_last) {
        Some(last) => vec![last.clone()],
        None => std::iter::once(path.to_owned()).chain(runs).collect(),
    })
}

/// Notes that the command of a run has failed, beside its findings, if there are any.
///
/// # Errors
/// It cannot be written.
pub fn note_failure(directory: &Path, exit: u8) -> Result<()> {
    if directory.exists() {
        output::private()
            .write(true)
            .create(true)
            .truncate(true)
            .open(directory.join(FAILED))?
            .write_all(exit.to_string().as_bytes())?;
    }
    Ok(())
}

/// What a command that has failed may not have done any more.
fn failure(directory: &Path, shown: &impl Fn(&Path) -> String) -> Merged {
    let Ok(exit) = std::fs::read_to_string(directory.join(FAILED)) else { return Merged::default() };
    let (run, exit) = (shown(directory), words::printable(&exit));
    Merged::of_problem(format!(
        "the command of `{run}` failed with exit code {exit}: it may not have done all that it does else"
    ))
}

fn findings_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = entries(directory, |name| name.starts_with("findings-") && name.ends_with(".jsonl"))?;
    files.sort();
    Ok(files)
}

/// The run directories, oldest first.
fn run_directories(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut runs = entries(directory, |name| run_number(name).is_some())?;
    runs.sort_by_key(|path| path.file_name().and_then(|name| run_number(&name.to_string_lossy())));
    Ok(runs)
}

fn entries(directory: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if wanted(&entry.file_name().to_string_lossy()) {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

/// Name of the directory of a run.
pub fn run_name(milliseconds: u128, pid: u32) -> String {
    format!("run-{milliseconds}-{pid}")
}

fn run_number(name: &str) -> Option<(u128, u32)> {
    let (milliseconds, pid) = name.strip_prefix("run-")?.split_once('-')?;
    Some((milliseconds.parse().ok()?, pid.parse().ok()?))
}

fn parse(bytes: &[u8], name: &str) -> Merged {
    let (mut records, mut n_damaged, mut n_lines) = (Vec::new(), 0, 0);
    // All at once: names of classes stand in many members, and within other names.
    let text = str::from_utf8(bytes).map(stable);
    let bytes = text.as_ref().map_or(bytes, |text| text.as_bytes());
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        n_lines += 1;
        match serde_json::from_slice(line) {
            Ok(record) => records.push(record),
            Err(_) => {
                n_damaged += 1;
                records.extend(salvaged(line));
            }
        }
    }
    let jvm = records.iter().find_map(|record| if let Record::Jvm(jvm) = record { Some(jvm.clone()) } else { None });
    let unread = unread(name, jvm.as_ref(), &records, n_damaged, n_lines);
    let merged = match jvm.or_else(|| jvm_of(name)) {
        Some(jvm) if !records.is_empty() => Merged::of_file(jvm, records),
        _ => Merged::default(),
    };
    unread.map(Merged::of_unread).unwrap_or_default().union(merged)
}

/// What cannot be read of a file with these records, if anything.
fn unread(name: &str, jvm: Option<&Jvm>, records: &[Record], n_damaged: usize, n_lines: usize) -> Option<String> {
    match jvm {
        _ if n_lines == 0 => Some(format!("`{name}` is empty: its JVM ended before it could write")),
        _ if records.is_empty() => Some(format!("`{name}` holds no findings: none of its lines is a record of jrace")),
        Some(Jvm { format, .. }) if *format > FORMAT => Some(format!(
            "`{name}` has format {format}, which is newer than this jrace reads ({FORMAT}), so findings may be missing: update jrace"
        )),
        _ if n_damaged > 0 => Some(format!(
            "`{name}` is damaged in {} of {n_lines}: what they said may be missing",
            words::count(n_damaged as u64, "line")
        )),
        None => Some(format!("`{name}` does not say which JVM wrote it: its first line is missing")),
        Some(_) => None,
    }
}

/// Whole records in a damaged line: where the end of a line was lost, more than one is in it.
fn salvaged(line: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.windows(2).position(|pair| pair == b"{\"") {
        rest = &rest[at..];
        let mut stream = serde_json::Deserializer::from_slice(rest).into_iter();
        let read = stream.next().and_then(Result::ok);
        rest = if read.is_some() { &rest[stream.byte_offset()..] } else { &rest[1..] };
        records.extend(read);
    }
    records
}

/// The JVM by the name of its file, for one whose record is lost.
fn jvm_of(name: &str) -> Option<Jvm> {
    let stem = Path::new(name).file_name()?.to_str()?.strip_prefix("findings-")?.strip_suffix(".jsonl")?;
    let (pid, started) = stem.strip_suffix("-predicted").unwrap_or(stem).split_once('-')?;
    let (pid, started) = (pid.parse().ok()?, started.parse().ok()?);
    let (version, command, check, options, directory) = Default::default();
    Some(Jvm { format: FORMAT, pid, started, version, command, check, options, directory })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixtures::{access, conflict, field, finding, jvm, seen};
    use super::*;
    use facts::finding::Variable;

    fn bytes() -> Vec<u8> {
        let records = [
            Record::Jvm(jvm(1)),
            finding(field("a"), vec![conflict(access("write", 1, 1, &[]), access("read", 2, 2, &[]))]),
            seen(field("a"), 3, 1),
            finding(field("b"), vec![conflict(access("write", 3, 1, &[]), access("read", 4, 2, &[]))]),
        ];
        records.iter().flat_map(|record| (serde_json::to_string(record).unwrap() + "\n").into_bytes()).collect()
    }

    const NAME: &str = "findings-1-1001.jsonl";

    /// The fields with races, and what could not be read.
    fn read(bytes: &[u8]) -> (Vec<Variable>, Vec<String>) {
        let merged = parse(bytes, NAME);
        let fields = merged.findings().map(|(key, _)| key.variable.clone()).collect();
        (fields, Vec::from_iter(merged.unread))
    }

    /// The variable of a race in a class of this name, as it is read from a file, and the function of its first frame.
    fn names_of(class: &str) -> (String, String) {
        let mut access = access("write", 10, 1, &[]);
        access.stack[0].class = class.to_owned();
        let variable = Variable::Static { class: class.to_owned(), name: "x".into(), descriptor: "I".into() };
        let records = [Record::Jvm(jvm(1)), finding(variable, vec![conflict(access.clone(), access)])];
        let lines: String = records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect();
        let merged = parse(lines.as_bytes(), "f");
        let (key, found) = merged.findings().next().unwrap();
        let sighting = found.conflicts.values().next().unwrap();
        (words::variable_name(&key.variable), words::function(&sighting.conflict.current.stack[0]))
    }

    #[test]
    fn generated_classes_have_one_name() {
        let expected = ("a.$Proxy*.x".to_owned(), "a.$Proxy*.write".to_owned());
        assert_eq!([names_of("a/$Proxy12"), names_of("a/$Proxy13")], [expected.clone(), expected]);
    }

    #[test]
    fn a_cut_line_is_left_out_and_said() {
        let whole = bytes();
        let cut = format!("`{NAME}` is damaged in 1 line of 4: what they said may be missing");
        assert_eq!(read(&whole[..whole.len() - 9]), (vec![field("a")], vec![cut]));
        let both = (vec![field("a"), field("b")], Vec::new());
        assert_eq!(read(&whole), both);
        assert_eq!(read(&whole[..whole.len() - 1]), both);
    }

    #[test]
    fn other_files_are_no_findings() {
        let unread = |bytes: &[u8]| read(bytes).1.concat();
        assert_eq!(unread(b""), format!("`{NAME}` is empty: its JVM ended before it could write"));
        assert_eq!(
            unread(b"hello\xff\n{}\n"),
            format!("`{NAME}` holds no findings: none of its lines is a record of jrace")
        );
        let headless = bytes().split_inclusive(|byte| *byte == b'\n').skip(1).collect::<Vec<_>>().concat();
        let sentence = format!("`{NAME}` does not say which JVM wrote it: its first line is missing");
        assert_eq!(read(&headless), (vec![field("a"), field("b")], vec![sentence]));
    }

    #[test]
    fn of_a_newer_format_is_read_what_is_known() {
        let newer = String::from_utf8(bytes()).unwrap().replacen("\"format\":1", "\"format\":2", 1) + "{\"new\":0}\n";
        let sentence = format!(
            "`{NAME}` has format 2, which is newer than this jrace reads (1), so findings may be missing: update jrace"
        );
        assert_eq!(read(newer.as_bytes()), (vec![field("a"), field("b")], vec![sentence]));
    }

    /// Where something is flipped in one record, all others are reported, and the damage is said unless the record still is one.
    #[test]
    fn no_flipped_byte_hides_what_others_say() {
        let whole = bytes();
        let line_of = |at: usize| whole[..at].iter().filter(|byte| **byte == b'\n').count();
        for at in 0..whole.len() {
            for flip in (0..8).map(|bit| 1 << bit).chain([0xff]) {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                let (fields, unread) = read(&bytes);
                for (line, name) in [(1, "a"), (3, "b")] {
                    // The end of a line is no part of its record.
                    let is_hit = line_of(at) == line && whole[at] != b'\n';
                    assert!(is_hit || fields.contains(&field(name)), "byte {at} ^ {flip}: {fields:?} {unread:?}");
                }
                assert!(fields.len() > 1 || !unread.is_empty(), "byte {at} ^ {flip}: {fields:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0usize..2000, byte: u8, cut in 0usize..4000) {
            let mut bytes = bytes();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(cut.max(1));
            let _ = parse(&bytes, "f");
        }
    }

    #[test]
    fn runs_are_kept_apart_and_merge() {
        let directory = tempfile::tempdir().unwrap();
        for (folder, pid) in [("run-999-7", 1), ("run-1000-3", 2), (".", 3), ("run-x", 4)] {
            let folder = directory.path().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            let line = serde_json::to_string(&Record::Jvm(jvm(pid))).unwrap();
            std::fs::write(folder.join(facts::finding::file_name(pid, 5)), line).unwrap();
        }
        let shown = |path: &Path| path.display().to_string();
        let pids = |last| {
            let merged = load(&[directory.path().to_owned()], last, &shown).unwrap();
            merged.jvms.keys().map(|jvm| jvm.pid).collect::<Vec<_>>()
        };
        assert_eq!(pids(false), [1, 2, 3]);
        assert_eq!(pids(true), [2]);
    }
}
