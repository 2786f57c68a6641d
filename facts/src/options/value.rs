//! How values of options are read.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use super::{Atomicity, Check, ExitcodeOn};
use crate::access::{ArrayGranularity, Granularity};
use crate::finding::Grade;

/// What the values of an option are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Something else than a path.
    Word,
    /// A path.
    Path,
    /// Several paths with `:` between them.
    Paths,
}

/// Reads the values of an option.
#[derive(Clone, Copy)]
pub struct Reader<T> {
    /// What they are.
    pub form: Form,
    /// The value, or what would do.
    pub read: fn(&str) -> Result<T, &'static str>,
}

const fn word<T>(read: fn(&str) -> Result<T, &'static str>) -> Reader<T> {
    Reader { form: Form::Word, read }
}

const fn path<T>(read: fn(&str) -> Result<T, &'static str>) -> Reader<T> {
    Reader { form: Form::Path, read }
}

/// One of a few names.
fn named<T: Copy>(value: &str, names: &[(&str, T)], expected: &'static str) -> Result<T, &'static str> {
    names.iter().find(|(name, _)| *name == value).map(|(_, value)| *value).ok_or(expected)
}

/// A number of a range.
fn number<T: FromStr + PartialOrd>(
    value: &str,
    range: RangeInclusive<T>,
    expected: &'static str,
) -> Result<T, &'static str> {
    value.parse().ok().filter(|number| range.contains(number)).ok_or(expected)
}

/// Parts with `:` between them.
fn list<T: for<'a> From<&'a str>>(value: &str) -> Vec<T> {
    value.split(':').filter(|part| !part.is_empty()).map(T::from).collect()
}

pub const CHECK: Reader<Check> = word(|value| Check::of(value).ok_or("`hybrid`, `happens-before`, `eraser` or `none`"));
pub const GRANULARITY: Reader<Granularity> = word(|value| {
    named(value, &[("field", Granularity::Field), ("object", Granularity::Object)], "`field` or `object`")
});
pub const ARRAYS: Reader<ArrayGranularity> = word(|value| {
    let names =
        [("object", ArrayGranularity::Object), ("element", ArrayGranularity::Element), ("off", ArrayGranularity::Off)];
    named(value, &names, "`object`, `element` or `off`")
});
pub const ATOMICITY: Reader<Atomicity> = word(|value| {
    let names = [("off", Atomicity::Off), ("block", Atomicity::Block), ("reduction", Atomicity::Reduction)];
    named(value, &names, "`block`, `reduction` or `off`")
});
pub const GRADE: Reader<Grade> = word(|value| {
    let grades = [("certain", Grade::Certain), ("possible", Grade::Possible), ("unlikely", Grade::Unlikely)];
    named(value, &grades, "`certain`, `possible` or `unlikely`")
});
pub const EXITCODE_ON: Reader<ExitcodeOn> = word(|value| {
    let names = [("findings", ExitcodeOn::Findings), ("success", ExitcodeOn::Success)];
    named(value, &names, "`findings` or `success`")
});
pub const ON_OR_OFF: Reader<bool> = word(|value| named(value, &[("on", true), ("off", false)], "`on` or `off`"));
pub const FLAG: Reader<bool> =
    word(|value| named(value, &[("0", false), ("false", false), ("1", true), ("true", true)], "0 or 1"));

pub const PATTERNS: Reader<Vec<String>> = word(|value| Ok(list(value)));
pub const TEXT: Reader<String> = word(|value| Ok(value.to_owned()));

pub const PATH: Reader<Option<PathBuf>> = path(|value| Ok((!value.is_empty()).then(|| value.into())));
pub const DIRECTORY: Reader<PathBuf> =
    path(|value| if value.is_empty() { Err("a directory") } else { Ok(value.into()) });
pub const PATHS: Reader<Vec<PathBuf>> = Reader { form: Form::Paths, read: |value| Ok(list(value)) };

pub const MEGABYTES: Reader<u32> = word(|value| number(value, 0..=u32::MAX, "a number of megabytes"));
pub const SOME_MEGABYTES: Reader<u32> = word(|value| number(value, 1..=u32::MAX, "a number of megabytes, at least 1"));
/// None without a limit.
pub const SECONDS: Reader<Option<u32>> = word(|value| {
    let seconds = number(value, 0..=u32::MAX, "a number of seconds")?;
    Ok(Some(seconds).filter(|seconds| *seconds > 0))
});
/// None for every event.
pub const SEED: Reader<Option<u64>> =
    word(|value| if value.is_empty() { Ok(None) } else { number(value, 0..=u64::MAX, "a number").map(Some) });
pub const DEPTH: Reader<u16> = word(|value| number(value, 1..=1024, "a number from 1 to 1024"));
pub const EXIT_CODE: Reader<u8> = word(|value| number(value, 0..=u8::MAX, "a number from 0 to 255"));
pub const VERBOSITY: Reader<u8> = word(|value| number(value, 0..=2, "a number from 0 to 2"));
