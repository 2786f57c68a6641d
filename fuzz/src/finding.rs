//! Any line can be read as a record of a findings file, and what was understood comes back when it is written again.

use facts::finding::Record;

pub(crate) fn property(line: &[u8]) {
    if let Ok(record) = serde_json::from_slice::<Record>(line) {
        let again = serde_json::to_string(&record).expect("records can be written");
        assert!(!again.contains('\n'), "one record is one line");
        assert_eq!(serde_json::from_str::<Record>(&again).expect("it was written"), record);
    }
}
