//! Any bytes can be read as a reflection log. What was read comes back when it is written again, also if a second JVM has written
//! the same, and damage takes nothing away that comes before it.

use facts::reflection_log::{FORMAT, Header, ReflectionLog, line};

pub(crate) fn property(input: &[u8]) {
    let Ok(log) = ReflectionLog::read(input) else { return };
    let whole = ReflectionLog { damaged: None, ..log.clone() };
    let text = written(&whole);
    assert_eq!(read(&text), whole);
    assert_eq!(read(&[text.as_slice(), text.as_slice()].concat()), whole);
    if let Some(number) = log.damaged {
        let sound = input.split_inclusive(|byte| *byte == b'\n').take(number - 1);
        assert_eq!(read(&sound.collect::<Vec<_>>().concat()), whole);
    }
}

fn read(bytes: &[u8]) -> ReflectionLog {
    ReflectionLog::read(bytes).expect("it was read before")
}

fn written(log: &ReflectionLog) -> Vec<u8> {
    let header = line(&Header { reflection_log: FORMAT }).expect("headers can be written");
    let entries = log.entries.iter().map(|entry| line(entry).expect("entries can be written"));
    std::iter::once(header).chain(entries).flatten().collect()
}
