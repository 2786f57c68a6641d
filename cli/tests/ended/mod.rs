//! What a command left.

use std::process::Output;

/// Exit code, standard output and standard error.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    #[track_caller]
    pub fn failed_with(&self, sentence: &str) {
        assert_eq!(
            (self.code, self.err.as_str(), self.out.as_str()),
            (Some(2), format!("jrace: {sentence}\n").as_str(), "")
        );
    }
}
