//! Damaged stores: whatever was flipped or cut off, what is found is what is found without a store.

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::compiled as classes_of;
use jrace_tests::generator::Random;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use modular::analysis::{Analysis, Limits};
use modular::environment::Begin;
use modular::store::disk::{Disk, Problem};
use modular::store::{Memory, Store as _};
use static_typer::classpath::ClassPath;
use static_typer::program::Program;

use super::{described, difference, remembered};

fn seeds() -> Result<Program> {
    let (jdk, files) = (Jdk::oldest(), sources(&root().join("tests/java/races/seeds"))?);
    let classes = classes_of(&jdk, &files, &["--release", "17"])?;
    Ok(Program::load(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?))
}

/// The file of a store.
const FILE: &str = "summaries.redb";

#[test]
fn a_damaged_entry_is_made_anew() -> Result<()> {
    let (program, limits) = (seeds()?, Limits::default());
    let resolution = modular::resolution(&program);
    let mains = &program.main_methods()[..1];
    let expected = described(&Analysis::of(&resolution, &Begin::mains(mains), limits));
    let store = Memory::default();
    remembered(&resolution, mains, limits, &store);
    let whole = store.entries.borrow().clone();
    let mut random = Random(7);
    for round in 0..60 {
        let mut entries = whole.clone();
        let keys: Vec<u128> = entries.keys().copied().collect();
        for _ in 0..1 + random.below(3) {
            let entry = entries.get_mut(&random.pick(&keys)).context("an entry")?;
            let at = random.below(entry.len());
            if random.one_in(3) {
                entry.truncate(at)
            } else {
                entry[at] ^= 1 << random.below(8)
            }
            entry.push(0);
        }
        *store.entries.borrow_mut() = entries;
        let analysis = remembered(&resolution, mains, limits, &store);
        let found = described(&analysis);
        ensure!(found == expected, "round {round}: {}", difference(&expected, &found));
        ensure!(analysis.counts.damaged > 0 || analysis.counts.is_all_taken, "round {round}: nothing is said");
    }
    Ok(())
}

#[test]
fn a_damaged_file_is_made_anew() -> Result<()> {
    let (program, limits, folder) = (seeds()?, Limits::default(), tempfile::tempdir()?);
    let resolution = modular::resolution(&program);
    let mains = &program.main_methods()[..1];
    let expected = described(&Analysis::of(&resolution, &Begin::mains(mains), limits));
    let disk = Disk::open(folder.path(), "test")?;
    remembered(&resolution, mains, limits, &disk);
    disk.write()?;
    let memory = Memory::default();
    remembered(&resolution, mains, limits, &memory);
    let entries = memory.entries.into_inner();
    let path = folder.path().join(FILE);
    let whole = std::fs::read(&path)?;
    let (mut random, mut n_lost) = (Random(11), 0);
    for round in 0..80 {
        let mut bytes = whole.clone();
        if round % 4 == 0 {
            bytes.truncate(random.below(bytes.len()));
        } else {
            // Where the file says what it is, and anywhere.
            let end = if round % 4 == 1 { 8192 } else { bytes.len() };
            for _ in 0..1 + random.below(4) {
                let at = random.below(end);
                bytes[at] ^= 1 << random.below(8);
            }
        }
        std::fs::write(&path, bytes)?;
        let disk = Disk::open(folder.path(), "test").with_context(|| format!("round {round}"))?;
        match &disk.lost {
            Some(_) => n_lost += 1,
            // What was hit is not used: everything is there.
            None => {
                ensure!(entries.iter().all(|(name, entry)| disk.get(*name).first() == Some(entry)), "round {round}")
            }
        }
        if round % 8 == 0 {
            let found = described(&remembered(&resolution, mains, limits, &disk));
            ensure!(found == expected, "round {round}: {}", difference(&expected, &found));
        }
    }
    // More than half of a new file is free room.
    ensure!(n_lost > 25, "{n_lost} of 80 were said to be damaged");
    Ok(())
}

#[test]
fn a_store_has_one_user_and_one_build() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let disk = Disk::open(folder.path(), "1")?;
    ensure!(matches!(Disk::open(folder.path(), "1"), Err(Problem::InUse(_))), "it is in use");
    disk.put(5, vec![1, 2, 3]);
    disk.write()?;
    let disk = Disk::open(folder.path(), "1")?;
    ensure!(disk.get(5) == [[1, 2, 3]] && disk.get(6).is_empty() && disk.lost.is_none(), "what was put is there");
    // As if the process had ended here.
    disk.put(6, vec![4]);
    drop(disk);
    let disk = Disk::open(folder.path(), "2")?;
    ensure!(
        disk.get(5).is_empty() && disk.lost.as_ref().is_some_and(|lost| lost.contains("another build")),
        "it is of 1"
    );
    disk.put(7, vec![5]);
    disk.write()?;
    let disk = Disk::open(folder.path(), "2")?;
    ensure!(disk.get(7) == [[5]] && disk.get(5).is_empty() && disk.lost.is_none(), "it is of 2 now");
    Ok(())
}

/// A run that is killed closes nothing.
#[test]
fn a_run_that_is_ended_leaves_what_was_there() -> Result<()> {
    let (folder, copy) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let disk = Disk::open(folder.path(), "1")?;
    disk.put(5, vec![1, 2, 3]);
    disk.write()?;
    let disk = Disk::open(folder.path(), "1")?;
    disk.put(6, vec![4]);
    std::fs::copy(folder.path().join(FILE), copy.path().join(FILE))?;
    let left = Disk::open(copy.path(), "1")?;
    ensure!(left.lost.is_none() && left.get(5) == [[1, 2, 3]] && left.get(6).is_empty(), "{:?}", left.lost);
    Ok(())
}

#[test]
fn a_store_that_cannot_be_written_is_said() -> Result<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("file"), "")?;
    let problem = Disk::open(&folder.path().join("file"), "1").err().context("a file is no folder")?;
    ensure!(problem.to_string().contains("give --store a folder that can be written"), "{problem}");
    Ok(())
}

#[test]
fn only_its_user_reads_a_store() -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("new/store");
    Disk::open(&path, "1")?.write()?;
    let mode = |path: &std::path::Path| anyhow::Ok(std::fs::metadata(path)?.permissions().mode() & 0o777);
    ensure!(mode(&path)? == 0o700 && mode(&path.join(FILE))? == 0o600, "it is private");
    Ok(())
}
