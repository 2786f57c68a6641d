//! What a command left.

use std::path::Path;
use std::process::{Command, Output, Stdio};

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

/// What jrace shows in a terminal of so many columns, with its codes: util-linux's `script` provides one.
pub fn shown(directory: &Path, columns: usize, environment: &[(&str, &str)], arguments: &str) -> String {
    let command = format!("stty cols {columns} rows 40; exec '{}' {arguments}", env!("CARGO_BIN_EXE_jrace"));
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &command, "/dev/null"]).current_dir(directory).stdin(Stdio::null());
    script.env_remove("JRACE_OPTIONS").env_remove("NO_COLOR").env("TERM", "xterm-256color");
    let output = script.envs(environment.iter().copied()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}
