//! Reading findings files.
//!
//! Layout of an output directory: `jrace run` gives each run its own directory `run-TIME-PID` (milliseconds since 1970 and
//! jrace's process id), in which each JVM writes one findings file; what is foreseen from its trace goes into a second one. JVMs
//! that were given the agent by hand write into the output directory itself. [`load`] reads both.
//!
//! A file is read up to its first damaged line, and the damage becomes one sentence in [`Merged::problems`]. A file of a
//! newer format is an error: leaving it out would hide findings.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use facts::finding::{FORMAT, Jvm, Record};

use super::merge::Merged;

/// Reads findings files, and those in directories, and merges them. `shown` is how a path appears in a sentence.
///
/// # Errors
/// A path that does not exist or holds no findings file, an unreadable file, or one of a newer format.
pub fn load(paths: &[PathBuf], only_last: bool, shown: &impl Fn(&Path) -> String) -> Result<Merged> {
    let mut merged = Merged::default();
    for path in paths {
        let files = files(path, only_last).with_context(|| format!("cannot read findings in `{}`", shown(path)))?;
        if files.is_empty() {
            bail!(
                "there is no findings file in `{}`: no JVM ran with the agent, or its findings are elsewhere",
                shown(path)
            );
        }
        merged = merged.union(load_files(&files, shown)?);
    }
    Ok(merged)
}

/// Reads the findings of one run; a run without JVMs has none.
///
/// # Errors
/// See [`load`].
pub fn load_run(directory: &Path, shown: &impl Fn(&Path) -> String) -> Result<Merged> {
    load_files(&findings_files(directory)?, shown)
}

/// Name of the file with what is foreseen from the trace of the JVM with this process id and start time.
pub fn predicted_name(pid: u32, started: u64) -> String {
    format!("findings-{pid}-{started}-predicted.jsonl")
}

fn load_files(files: &[PathBuf], shown: &impl Fn(&Path) -> String) -> Result<Merged> {
    let mut merged = Merged::default();
    for file in files {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read `{}`", shown(file)))?;
        merged = merged.union(parse(&bytes, &shown(file))?);
    }
    Ok(merged)
}

fn files(path: &Path, only_last: bool) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut runs = run_directories(path)?;
    if only_last && let Some(last) = runs.pop() {
        return findings_files(&last);
    }
    let mut files = findings_files(path)?;
    for run in runs {
        files.extend(findings_files(&run)?);
    }
    Ok(files)
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

fn parse(bytes: &[u8], name: &str) -> Result<Merged> {
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    let Some((_, first)) = lines.next() else {
        return Ok(Merged::of_problem(format!("`{name}` is empty: its JVM ended before it could write")));
    };
    let Some(jvm) = first_record(first, name)? else {
        return Ok(Merged::of_problem(format!("`{name}` does not begin with the record of a JVM and was not read")));
    };
    let mut records = Vec::new();
    let mut damage = Merged::default();
    for (index, line) in lines {
        match serde_json::from_slice(line) {
            Ok(record) => records.push(record),
            Err(_) => {
                damage = Merged::of_problem(format!(
                    "`{name}` is damaged from line {} on and was read up to there",
                    index + 1
                ));
                break;
            }
        }
    }
    Ok(Merged::of_file(jvm, records).union(damage))
}

fn first_record(line: &[u8], name: &str) -> Result<Option<Jvm>> {
    let value: Option<serde_json::Value> = serde_json::from_slice(line).ok();
    let format = value.as_ref().and_then(|value| value["jvm"]["format"].as_u64());
    if let Some(newer) = format.filter(|format| *format > u64::from(FORMAT)) {
        bail!("`{name}` has format {newer}, which is newer than this jrace reads ({FORMAT}); update jrace");
    }
    match value.map(serde_json::from_value) {
        Some(Ok(Record::Jvm(jvm))) => Ok(Some(jvm)),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixtures::{access, conflict, field, finding, jvm, seen};
    use super::*;

    fn bytes() -> Vec<u8> {
        let records = [
            Record::Jvm(jvm(1)),
            finding(field("a"), vec![conflict(access("write", 1, 1, &[]), access("read", 2, 2, &[]))]),
            seen(field("a"), 3, 1),
            finding(field("b"), vec![conflict(access("write", 3, 1, &[]), access("read", 4, 2, &[]))]),
        ];
        records.iter().flat_map(|record| (serde_json::to_string(record).unwrap() + "\n").into_bytes()).collect()
    }

    #[test]
    fn a_cut_line_is_left_out_and_said() {
        let whole = bytes();
        let merged = parse(&whole[..whole.len() - 9], "f").unwrap();
        assert_eq!(merged.findings().count(), 1);
        assert_eq!(Vec::from_iter(merged.problems), ["`f` is damaged from line 4 on and was read up to there"]);
        assert_eq!(parse(&whole, "f").unwrap().findings().count(), 2);
        assert_eq!(parse(&whole[..whole.len() - 1], "f").unwrap().problems.len(), 0);
    }

    #[test]
    fn other_files_are_no_findings() {
        assert_eq!(
            Vec::from_iter(parse(b"", "f").unwrap().problems),
            ["`f` is empty: its JVM ended before it could write"]
        );
        let problem = "`f` does not begin with the record of a JVM and was not read";
        assert_eq!(Vec::from_iter(parse(b"hello\xff\n", "f").unwrap().problems), [problem]);
        let newer = parse(b"{\"jvm\":{\"format\":2,\"new\":0}}\n", "f").unwrap_err().to_string();
        assert_eq!(newer, "`f` has format 2, which is newer than this jrace reads (1); update jrace");
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
