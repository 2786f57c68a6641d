//! The reflection log: which classes and members runs have reached by reflection, and from where.
//!
//! A text file, one JSON value a line: [`Header`], then [`Entry`]s. JVMs append to it, each line in one `write`, so that several may
//! at once and none that is killed loses anything; each that finds the file empty begins with a header, so there may be some more.
//! What follows damage is not read: the log only ever adds to what is known, so a part of it is as good as a shorter run.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};

/// Version of the file's form.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// See [`FORMAT`].
    pub reflection_log: u32,
}

/// That a place has reached something, once or more often.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Where the reflective call stands.
    #[serde(flatten)]
    pub caller: Caller,
    /// What the call does.
    pub kind: Kind,
    /// What it does that with.
    pub target: Target,
}

/// A place in code. Byte indexes are not the same in woven code, and lines are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Caller {
    /// Internal name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The line, where the class file tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// What reflective calls do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Find a class by its name.
    Class,
    /// Make an object with a constructor.
    Make,
    /// Call a method.
    Call,
    /// Read a field.
    Get,
    /// Write a field.
    Set,
}

/// A class, or a member of one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Internal name.
    pub class: String,
    /// The member, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<Member>,
}

/// A member of a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// What runs have reached.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReflectionLog {
    /// Each thing that was reached, by place.
    pub entries: BTreeSet<Entry>,
    /// The number of the first line that is damaged: nothing was read from there on.
    pub damaged: Option<usize>,
}

/// Why nothing was read: one clause.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The first line is no header.
    #[error("it is no reflection log, such as `jrace run --record-reflection` writes")]
    NoLog,
    /// Another version has written it.
    #[error("it has format {0}, and this jrace reads format {FORMAT}: record it anew")]
    Format(u32),
}

impl ReflectionLog {
    /// Reads a log. An empty file is one without entries: a JVM that ended at once may leave it.
    ///
    /// # Errors
    /// See [`LogError`].
    pub fn read(mut from: impl BufRead) -> Result<Self, LogError> {
        let mut log = Self::default();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if from.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            match serde_json::from_slice(&line) {
                Ok(Line::Header(Header { reflection_log: FORMAT })) => {}
                Ok(Line::Header(Header { reflection_log })) => return Err(LogError::Format(reflection_log)),
                Ok(Line::Entry(entry)) if number > 1 => drop(log.entries.insert(entry)),
                _ if number == 1 => return Err(LogError::NoLog),
                _ => {
                    log.damaged = Some(number);
                    break;
                }
            }
        }
        Ok(log)
    }
}

/// A line as it is written.
///
/// # Errors
/// None for these types.
pub fn line(of: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(of)?;
    line.push(b'\n');
    Ok(line)
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Header(Header),
    Entry(Entry),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u32, kind: Kind, member: Option<(&str, &str)>) -> Entry {
        let member = member.map(|(name, descriptor)| Member { name: name.into(), descriptor: descriptor.into() });
        Entry {
            caller: Caller {
                class: "a/Main".into(),
                method: "run".into(),
                descriptor: "()V".into(),
                line: (number > 0).then_some(number),
            },
            kind,
            target: Target { class: "a/Täsk".into(), member },
        }
    }

    fn entries() -> Vec<Entry> {
        let member = Some(("run", "()V"));
        vec![entry(0, Kind::Call, member), entry(7, Kind::Class, None), entry(7, Kind::Set, Some(("x", "I")))]
    }

    fn text(entries: &[Entry]) -> Vec<u8> {
        let lines = entries.iter().map(|entry| line(entry).unwrap());
        std::iter::once(line(&Header { reflection_log: FORMAT }).unwrap()).chain(lines).flatten().collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let read = ReflectionLog::read(&*text(&entries())).unwrap();
        assert_eq!(read, ReflectionLog { entries: entries().into_iter().collect(), damaged: None });
        let line = line(&entry(7, Kind::Class, None)).unwrap();
        let expected = r#"{"class":"a/Main","method":"run","descriptor":"()V","line":7,"kind":"class","target":{"class":"a/Täsk"}}"#;
        assert_eq!(String::from_utf8(line).unwrap().trim_end(), expected);
    }

    #[test]
    fn jvms_may_begin_and_append_at_once() {
        let both = [text(&entries()[..2]), text(&entries()[1..])].concat();
        assert_eq!(ReflectionLog::read(&*both).unwrap(), ReflectionLog::read(&*text(&entries())).unwrap());
        assert_eq!(ReflectionLog::read(&b""[..]).unwrap(), ReflectionLog::default());
    }

    #[test]
    fn a_log_that_is_cut_is_read_up_to_there() {
        let whole = text(&entries());
        let ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').collect();
        for end in ends[0] + 1..whole.len() {
            let log = ReflectionLog::read(&whole[..end]).unwrap();
            let n_whole = ends.iter().filter(|at| **at <= end).count();
            assert_eq!(log.entries.len(), n_whole - 1, "{end}");
            assert_eq!(log.damaged, (!ends.contains(&end) && whole[end - 1] != b'\n').then_some(n_whole + 1), "{end}");
        }
    }

    #[test]
    fn what_follows_damage_is_not_read() {
        let mut bytes = text(&entries());
        let second = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        bytes[second] = 0xff;
        let log = ReflectionLog::read(&*bytes).unwrap();
        assert_eq!((log.entries.len(), log.damaged), (0, Some(2)));
    }

    #[test]
    fn other_files_are_no_logs() {
        let error = |bytes: &[u8]| ReflectionLog::read(bytes).unwrap_err().to_string();
        assert!(error(b"PK\x03\x04").starts_with("it is no reflection log"));
        assert!(error(&line(&entries()[0]).unwrap()).starts_with("it is no reflection log"));
        assert_eq!(
            error(b"{\"reflection_log\":2}\n"),
            "it has format 2, and this jrace reads format 1: record it anew"
        );
    }
}
