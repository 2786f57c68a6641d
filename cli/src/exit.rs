//! Exit codes: 0 clean, `exitcode` (66) when findings count, 2 when jrace itself failed, and the command's own code
//! otherwise.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// jrace could not do what it was asked.
pub const FAILURE: u8 = 2;

/// The exit code of `jrace report` and `jrace replay`.
pub fn of_report(findings: bool, exitcode: u8) -> u8 {
    if findings { exitcode } else { 0 }
}

/// The exit code of `jrace run`: findings that count come first; without them (or with `exitcode=0`) it is the command's own
/// code, and 128+n for a command that signal n killed.
pub fn of_run(findings: bool, exitcode: u8, command: ExitStatus) -> u8 {
    match of_report(findings, exitcode) {
        0 => of_command(command),
        code => code,
    }
}

fn of_command(status: ExitStatus) -> u8 {
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
        for (findings, exitcode, command, expected) in [
            (false, 66, exited(0), 0),
            (false, 66, exited(3), 3),
            (false, 66, killed(15), 143),
            (true, 66, exited(0), 66),
            (true, 66, exited(3), 66),
            (true, 66, killed(9), 66),
            (true, 0, exited(3), 3),
            (true, 0, exited(0), 0),
        ] {
            assert_eq!(of_run(findings, exitcode, command), expected, "{findings} {exitcode} {command}");
        }
    }
}
