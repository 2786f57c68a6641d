//! What running a command costs.

use std::time::{Duration, Instant};

/// What a run took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// User and system time of the command and of every process that it waited for.
    pub processor: Duration,
    /// By the clock.
    pub wall: Duration,
}

/// Measures what a child process costs that starts and ends in `run`; no other child may end meanwhile.
pub fn measured<T>(run: impl FnOnce() -> T) -> (T, Cost) {
    let (begun, before) = (Instant::now(), of_children());
    let result = run();
    let wall = begun.elapsed();
    (result, Cost { processor: of_children().saturating_sub(before), wall })
}

/// Processor time of all children that have ended.
fn of_children() -> Duration {
    // SAFETY: every field of the structure is a number, for which zero bytes are a value.
    let mut usage = unsafe { std::mem::zeroed::<libc::rusage>() };
    // SAFETY: the pointer is to a structure of the type that the call fills, and it lives longer than the call.
    unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) };
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

fn duration(time: libc::timeval) -> Duration {
    // Neither is ever negative.
    let part = |number: i64| Duration::from_micros(u64::try_from(number).unwrap_or_default());
    part(time.tv_sec) * 1_000_000 + part(time.tv_usec)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_time_of_children_counts() {
        let program = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let (status, cost) = measured(|| Command::new("sh").args(["-c", program]).status());
        assert!(status.unwrap().success());
        assert!(cost.processor > Duration::ZERO && cost.wall > Duration::ZERO, "{cost:?}");
    }
}
