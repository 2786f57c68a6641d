//! Exit codes: `exitcode` (66) when findings count (with `exitcode_on=success`, only where the command succeeded); else the command's own when it failed; else 2 when jrace itself failed,
//! when JVMs were not checked or when findings could not be read; 0 when all went well. A command that fails is a failure
//! already, and says more by its code than jrace by its own.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use facts::options::{ExitcodeOn, Options};

/// jrace could not do what it was asked.
pub const FAILURE: u8 = 2;

/// A process of jrace's own tells another that a search has proved nothing, which it has said.
pub const IN_VAIN: u8 = 3;

/// The exit code of `jrace report` and `jrace replay`; `complete` says whether nothing is missing.
pub fn of_report(findings: bool, exitcode: u8, complete: bool) -> u8 {
    first([if findings { exitcode } else { 0 }, of_rest(complete)])
}

/// The exit code of `jrace run`: findings that count come first; without them (or with `exitcode=0`) it is the command's own
/// code, and 128+n for a command that signal n killed.
pub fn of_run(findings: bool, options: &Options, command: ExitStatus, complete: bool) -> u8 {
    first([if findings { of_findings(options, command) } else { 0 }, without_findings(command, complete)])
}

/// The exit code for findings that count in a run of a command; 0 if its own stays.
pub fn of_findings(options: &Options, command: ExitStatus) -> u8 {
    let counts = options.exitcode_on == ExitcodeOn::Findings || command.success();
    if counts { options.exitcode } else { 0 }
}

/// The exit code of what runs a command and looks for no races.
pub fn without_findings(command: ExitStatus, complete: bool) -> u8 {
    first([of_command(command), of_rest(complete)])
}

/// The exit code when a signal ends jrace: 128+n for signal n, unless there are findings that count.
pub fn of_signal(findings: bool, exitcode: u8, number: i32) -> u8 {
    first([if findings { exitcode } else { 0 }, u8::try_from(128 + number).unwrap_or(FAILURE)])
}

fn of_rest(complete: bool) -> u8 {
    if complete { 0 } else { FAILURE }
}

/// The first that tells of a failure.
fn first<const N: usize>(codes: [u8; N]) -> u8 {
    codes.into_iter().find(|code| *code != 0).unwrap_or_default()
}

/// The command's own: 128+n if signal n killed it.
pub fn of_command(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILURE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_come_before_the_command_s_code() {
        let exited = |code: i32| ExitStatus::from_raw(code << 8);
        let killed = ExitStatus::from_raw;
        for (findings, exitcode, command, complete, expected) in [
            (false, 66, exited(0), true, 0),
            (false, 66, exited(0), false, 2),
            (false, 66, exited(3), true, 3),
            (false, 66, exited(3), false, 3),
            (false, 66, killed(15), false, 143),
            (true, 66, exited(0), true, 66),
            (true, 66, exited(3), false, 66),
            (true, 66, killed(9), true, 66),
            (true, 0, exited(3), false, 3),
            (true, 0, exited(0), false, 2),
            (true, 0, exited(0), true, 0),
        ] {
            let options = Options { exitcode, ..Options::default() };
            let code = of_run(findings, &options, command, complete);
            assert_eq!(code, expected, "{findings} {exitcode} {command} {complete}");
            let options = Options { exitcode_on: ExitcodeOn::Success, ..options };
            let expected = if command.success() { expected } else { of_run(false, &options, command, complete) };
            assert_eq!(
                of_run(findings, &options, command, complete),
                expected,
                "{findings} {exitcode} {command} {complete}"
            );
        }
        assert_eq!([of_signal(true, 66, 15), of_signal(true, 0, 15), of_signal(false, 66, 2)], [66, 143, 130]);
        assert_eq!([of_report(true, 66, false), of_report(false, 66, false), of_report(false, 66, true)], [66, 2, 0]);
    }
}
