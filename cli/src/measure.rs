//! What running a command costs.

use std::ops::Add;
use std::time::{Duration, Instant};

/// What a run took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// User and system time: of the command and of every process that it waited for, or of this process.
    pub processor: Duration,
    /// By the clock.
    pub wall: Duration,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { processor: self.processor + other.processor, wall: self.wall + other.wall }
    }
}

/// Measures what a child process costs that starts and ends in `run`; no other child may end meanwhile.
pub fn measured<T>(run: impl FnOnce() -> T) -> (T, Cost) {
    measured_of(libc::RUSAGE_CHILDREN, run)
}

/// Measures what this process itself does in `run`.
pub fn measured_here<T>(run: impl FnOnce() -> T) -> (T, Cost) {
    measured_of(libc::RUSAGE_SELF, run)
}

fn measured_of<T>(whose: libc::c_int, run: impl FnOnce() -> T) -> (T, Cost) {
    let stopwatch = Stopwatch::of(whose);
    let result = run();
    (result, stopwatch.cost())
}

/// Measures from when it is started.
#[derive(Clone, Copy)]
pub struct Stopwatch {
    whose: libc::c_int,
    begun: Instant,
    before: Duration,
}

impl Stopwatch {
    /// Measures what this process does from now on.
    pub fn start() -> Self {
        Self::of(libc::RUSAGE_SELF)
    }

    fn of(whose: libc::c_int) -> Self {
        Self { whose, begun: Instant::now(), before: processor_time(whose) }
    }

    /// What it took so far.
    pub fn cost(&self) -> Cost {
        let wall = self.begun.elapsed();
        Cost { processor: processor_time(self.whose).saturating_sub(self.before), wall }
    }
}

/// Processor time so far: of this process, or of all its children that have ended.
fn processor_time(whose: libc::c_int) -> Duration {
    // SAFETY: every field of the structure is a number, for which zero bytes are a value.
    let mut usage = unsafe { std::mem::zeroed::<libc::rusage>() };
    // SAFETY: the pointer is to a structure of the type that the call fills, and it lives longer than the call.
    unsafe { libc::getrusage(whose, &raw mut usage) };
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
