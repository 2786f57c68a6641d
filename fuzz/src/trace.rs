//! Any bytes can be read as a trace. What was read before the damage comes back when it is written again, and a trace that is
//! cut anywhere still yields its beginning.
//!
//! No fuzzer finds checksums, so unless the first byte is odd, the rest becomes payloads of sound blocks.

use facts::finding::Jvm;
use facts::trace::{Record, TraceReader, TraceWriter};

pub(crate) fn property(input: &[u8]) {
    let Some((choice, bytes)) = input.split_first() else { return };
    let records = read(&if choice & 1 == 0 { blocks(bytes) } else { bytes.to_vec() });
    let again = write(&records);
    assert_eq!(read(&again), records);
    let cut = again.len() * usize::from(*choice) / 256;
    assert!(records.starts_with(&read(&again[..cut])));
}

/// A trace without an end, whose blocks have these payloads: each has its length in front, in two bytes.
fn blocks(mut bytes: &[u8]) -> Vec<u8> {
    let mut file = write(&[]);
    file.truncate(file.len() - 8);
    while let Some(([low, high], rest)) = bytes.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (payload, rest) = rest.split_at(length);
        file.extend_from_slice(&(length as u32).to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
        file.extend_from_slice(payload);
        bytes = rest;
    }
    file
}

/// The records before the damage, of which there is at most one, inside the file, and nothing behind it.
fn read(file: &[u8]) -> Vec<Record> {
    let Ok(reader) = TraceReader::new(file) else { return Vec::new() };
    let mut records: Vec<Record> = reader.map(|record| record.expect("memory can be read")).collect();
    if let Some(Record::Damage(damage)) = records.last() {
        assert!(damage.offset <= file.len() as u64);
        records.pop();
    }
    assert!(!records.iter().any(|record| matches!(record, Record::Damage(_))));
    records
}

fn write(records: &[Record]) -> Vec<u8> {
    let jvm = Jvm {
        format: facts::finding::FORMAT,
        pid: 1,
        started: 1,
        version: String::new(),
        command: String::new(),
        check: String::new(),
        options: Vec::new(),
        directory: String::new(),
    };
    let mut writer = TraceWriter::new(Vec::new(), &jvm).expect("memory can be written");
    for (number, record) in records.iter().enumerate() {
        writer.record(record).expect("memory can be written");
        // Several blocks, so that a cut leaves some of them.
        if number % 10 == 9 {
            writer.flush().expect("memory can be written");
        }
    }
    writer.finish().expect("memory can be written")
}
