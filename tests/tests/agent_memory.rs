//! Shadow state dies with its object: what comes and goes leaves no native memory behind.
//!
//! `JRACE_MEMORY=full` runs the numbers of the promise: 1 million locks, 100 million objects, 10,000 threads.

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::{classes, on_newest, on_oldest_and_newest};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;

/// The heap is touched as a whole at the start, so that the resident set grows only by native memory. The compilers, whose memory
/// grows too, are not put off on a busy machine.
const HEAP: [&str; 5] =
    ["-Xms192m", "-Xmx192m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:-BackgroundCompilation"];

/// Rounds, and in each: guarded objects with two nested locks, thousands of plain ones, threads.
fn numbers() -> [&'static str; 4] {
    let is_full = std::env::var("JRACE_MEMORY").is_ok_and(|value| value == "full");
    if is_full { ["50", "20000", "2000", "200"] } else { ["12", "20000", "500", "100"] }
}

/// Half of the rounds fill tables that double as they grow. In the other half at least 240,000 locks come and go, with two
/// sets each: 100 bytes a lock would be 24 MB. About 20 bytes of a nested set stay (`checkers::eraser::lock_set`), and a thread's
/// name and place of creation. The JVM's own memory comes and goes by up to 14 MB (JDK 21, with this agent and with older ones).
#[test]
fn native_memory_is_bounded() -> Result<()> {
    let classes = classes("memory")?;
    on_oldest_and_newest(|jdk| {
        let launch = Launch::main(jdk, &classes, "bounded.Main").jvm(HEAP).args(numbers()).checked("");
        let run = launch.patience(600).run()?.succeeded()?;
        let resident: Vec<u64> = run.stdout().lines().map(str::parse).collect::<Result<_, _>>()?;
        let (middle, last) = (resident[resident.len() / 2 - 1], resident.last().context("a line for each round")?);
        ensure!(last.saturating_sub(middle) < 18_000, "kilobytes after each round: {resident:?}");
        Ok(())
    })
}

/// The tables of a thread whose events are recorded take up to 616 KB. When it has ended they take none: 2,000 at once left 1.1 GB
/// behind. What stays is a chunk of 16 KB for each, for the next threads, and what the JVM and the C library keep of threads.
#[test]
fn the_tables_of_threads_that_have_ended_are_freed() -> Result<()> {
    let classes = classes("memory")?;
    let jdk = Jdk::oldest();
    for (threads, at_once) in [("4000", "1"), ("2000", "2000")] {
        let folder = tempfile::tempdir()?;
        let options = format!("check=none,atomicity=block,record_redundant=0,record={}", folder.path().display());
        let launch = Launch::main(&jdk, &classes, "lanes.Main").jvm(HEAP).args([threads, at_once]);
        let run = launch.checked(&options).patience(600).run()?.succeeded()?;
        let resident: Vec<u64> = run.stdout().lines().map(str::parse).collect::<Result<_, _>>()?;
        let [before, after] = resident[..] else { anyhow::bail!("{resident:?}") };
        ensure!(after.saturating_sub(before) < 150_000, "{threads} threads, {at_once} at once: {resident:?} KB");
    }
    Ok(())
}

/// A location that many threads use under one lock keeps the latest of them. With all of them, and with what each thread remembers of
/// states that no location has any more, 2,000 threads that live at once filled this heap and did not end.
#[test]
fn many_threads_under_the_same_locks_need_little_heap() -> Result<()> {
    let classes = classes("memory")?;
    on_newest(|jdk| {
        let heap = ["-Xms128m", "-Xmx128m", "-XX:+UseSerialGC"];
        let launch = Launch::main(jdk, &classes, "lanes.Main").jvm(heap).args(["2000", "2000"]);
        launch.checked("check=hybrid").patience(180).run()?.succeeded().map(drop)
    })
}

/// What the agent keeps of locks and of tasks goes when they are garbage, and not only when the table of all that was kept is full. As many
/// tasks as there had ever been locks stayed, so that this heap was collected hundreds of times, or was not enough; now it is a few times.
#[test]
fn garbage_leaves_the_table_of_shadows_though_it_has_been_large() -> Result<()> {
    let classes = classes("memory")?;
    on_oldest_and_newest(|jdk| {
        let heap = ["-Xms128m", "-Xmx128m", "-XX:+UseSerialGC"];
        let launch = Launch::main(jdk, &classes, "swept.Main").jvm(heap).args(["600000", "1500000"]);
        let run = launch.checked("check=hybrid").patience(180).run()?.succeeded()?;
        let collections: u32 = run.stdout().trim().parse()?;
        ensure!(collections < 40, "collections of the old space: {collections}");
        Ok(())
    })
}

/// An object carries what is kept of it, which goes when the object does. As long as it was in a table that the collector has to clear, one that took
/// its own lock, an atomic variable or a future lived until then: the old space was collected fifty times, and is not once now.
#[test]
fn objects_that_come_and_go_with_a_lock_of_their_own_leave_nothing() -> Result<()> {
    let classes = classes("memory")?;
    on_oldest_and_newest(|jdk| {
        let heap = ["-Xms24m", "-Xmx24m", "-XX:+UseSerialGC"];
        let kinds = ["synchronized-method", "volatile-field", "atomic", "lock", "future", "task", "latch"];
        let launch = Launch::main(jdk, &classes, "fresh.Main").jvm(heap).args(["500000"]).args(kinds);
        let run = launch.checked("check=hybrid").patience(180).run()?.succeeded()?;
        let collections: u32 = run.stdout().trim().parse()?;
        ensure!(collections < 10, "collections of the old space: {collections}");
        Ok(())
    })
}
