//! Proofs by locks lose nothing: programs that use every kind of lock in every wrong way race as without a focus.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Result, ensure};
use facts::focus::FocusSet;
use jrace_tests::generator::locks::{self, Way};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::jrace;

/// What is proved without fail: the right use of a lock in a final field, also by helpers.
const PROVED: [&str; 10] = [
    "AfterDirectReentrantFieldWhole",
    "AfterDirectLockFieldWhole",
    "AfterDirectInterruptibleFieldWhole",
    "AfterDirectReentrantStaticWhole",
    "HelperPrivateReentrantRight",
    "HelperLevelsReentrantRight",
    "HelperStaticReentrantRight",
    "HelperTriesReentrantRight",
    "HelperFinalPathReentrantRight",
    "HelperUnrelatedReentrantRight",
];

/// `hits` of classes with a class `X`.
fn hits(classes: &[String]) -> BTreeSet<String> {
    classes.iter().map(|class| format!("{class}$X.hits")).collect()
}

/// What is reported of `hits`.
fn only_hits(names: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    names.into_iter().filter(|name| name.ends_with("$X.hits")).collect()
}

/// What a search finds.
fn searched(classes: &Path, jdk: &Jdk) -> Result<BTreeSet<String>> {
    let output = jrace(jdk).args(["races", "--main", "locks.Main"]).arg(classes).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.code() == Some(66), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let words = text.split(|c: char| !c.is_alphanumeric() && !"$._".contains(c)).map(|word| word.trim_end_matches('.'));
    Ok(only_hits(words.map(|word| word.trim_start_matches("locks.").to_owned())))
}

/// Races on what is accessed without the lock are found by a search and with each focus; the focus sets stay in the folder.
fn no_use_is_overlooked(ways: &[Way], modes: &[&str], folder: &Path) -> Result<()> {
    let (made, jdk) = (locks::program(ways), Jdk::oldest());
    let (source, classes) = (folder.join("Main.java"), folder.join("classes"));
    std::fs::write(&source, &made.source)?;
    jdk.compile(&[source], &classes, &["--release", "17"])?;
    let racy = hits(&made.racy);
    let found = |options: &str| -> Result<BTreeSet<String>> {
        let options = format!("exclude=locks.Support{options}");
        let run = Launch::main(&jdk, &classes, "locks.Main").short().checked(&options).run()?.succeeded()?;
        Ok(only_hits(run.racy()))
    };
    let full = found("")?;
    ensure!(full == racy, "without a focus: {:?}", full.symmetric_difference(&racy).collect::<Vec<_>>());
    for mode in modes {
        let set = folder.join(mode);
        let output =
            jrace(&jdk).arg("check").arg(&classes).args(["--focus", mode, "--focus-set"]).arg(&set).output()?;
        ensure!(output.status.code().is_some_and(|code| code != 2), "{}", String::from_utf8_lossy(&output.stderr));
        let focused = found(&format!(",focus_set={}", set.display()))?;
        ensure!(focused.is_superset(&full), "{mode} lost {:#?}", full.difference(&focused).collect::<Vec<_>>());
    }
    let missed: Vec<_> = full.difference(&searched(&classes, &jdk)?).cloned().collect();
    ensure!(missed.is_empty(), "a search misses {missed:#?}");
    Ok(())
}

/// Holds what types and the search know of locks: what gives one back (`releases`, `callbacks`, `balance`, `released`), which are
/// genuine (`extended`, `genuine`), what is the same one (`final_expressions`), and how often it is held (`state`, `held`).
#[test]
fn no_wrong_use_of_a_lock_is_overlooked() -> Result<()> {
    let folder = tempfile::tempdir()?;
    no_use_is_overlooked(&Way::each(), &["combined", "field", "method"], folder.path())?;
    let set = FocusSet::read(BufReader::new(File::open(folder.path().join("field"))?))?;
    let is_proved = |class: &&str| {
        let x = format!("locks/{class}$X");
        set.get(&x).is_some_and(|class| class.is_race_free(&x, "hits", "I"))
    };
    let unproved: Vec<_> = PROVED.iter().filter(|class| !is_proved(class)).collect();
    ensure!(unproved.is_empty(), "not proved: {unproved:?}");
    Ok(())
}

/// So many at random; `JRACE_LOCK_USES=SEED,COUNT` chooses others.
#[test]
fn no_random_use_of_a_lock_is_overlooked() -> Result<()> {
    let given = std::env::var("JRACE_LOCK_USES").ok();
    let given = given.as_deref().and_then(|text| text.split_once(','));
    let (seed, count) =
        given.and_then(|(seed, count)| Some((seed.parse().ok()?, count.parse().ok()?))).unwrap_or((1, 300));
    no_use_is_overlooked(&Way::random(seed, count), &["field"], tempfile::tempdir()?.path())
}
