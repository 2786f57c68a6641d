//! The machine that the command runs on.

/// So many megabytes are taken to be there where nothing says how many are.
const UNKNOWN_MEMORY: u64 = 8192;

/// Half of the memory of the machine or, if that is less, of the control group, in megabytes.
pub fn half_of_memory() -> u64 {
    let read = |file| std::fs::read_to_string(file).unwrap_or_default();
    let of_machine = read("/proc/meminfo");
    let of_machine = of_machine.lines().find_map(|line| line.strip_prefix("MemTotal:")?.split_whitespace().next());
    let of_machine =
        of_machine.and_then(|kilobytes| kilobytes.parse::<u64>().ok()).map_or(UNKNOWN_MEMORY, |kb| kb >> 10);
    let of_group = read("/sys/fs/cgroup/memory.max").trim().parse::<u64>().map_or(u64::MAX, |bytes| bytes >> 20);
    of_machine.min(of_group) / 2
}
