//! Order between threads: what the library promises, and what it does not.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use facts::finding::{Finding, Record};
use facts::name::dotted;
use jrace_tests::fixture::{
    classes, compare, compiled_text, folder, jar, on_every_jdk, on_oldest_and_newest, same_as_without,
};
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::run::short_name;

/// A run may come out otherwise where a rule is missing, so each JDK has several.
const RUNS: usize = 3;

/// Each case orders two threads in one way, or seems to.
#[test]
fn promised_edges_order_and_others_do_not() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        for _ in 0..RUNS {
            let run = same_as_without(&Launch::main(jdk, &classes, "edges.Main"), "check=hybrid")?;
            compare(&run, "order", "edges")?;
        }
        Ok(())
    })
}

/// What only locks have ordered may race in another schedule: happens-before alone does not say so.
#[test]
fn what_only_locks_order_is_possible() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "edges.Main").args(["ByChance"]);
        let hybrid = launch.clone().checked("check=hybrid").run().context("hybrid")?;
        let happens_before = launch.checked("check=happens-before").run().context("happens-before")?;
        ensure!(hybrid.racy() == ["ByChance.x"], "hybrid: {:?}", hybrid.racy());
        ensure!(happens_before.racy().is_empty(), "happens-before: {:?}", happens_before.racy());
        Ok(())
    })
}

/// The second thread has the place in clocks that the first one gave back.
#[test]
fn what_threads_access_one_after_the_other_is_shared() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let run = same_as_without(&Launch::main(jdk, &classes, "shared.Main"), "check=hybrid")?;
        let shared = run.records.iter().filter_map(|record| match record {
            Record::Shared(variable) => Some(short_name(variable)),
            _ => None,
        });
        assert_eq!(shared.collect::<Vec<_>>(), ["Main.inTurn", "Main.readInTurn"]);
        Ok(())
    })
}

/// The last read and the write of each box race. That takes steps of both threads at the same moment.
#[test]
fn no_access_is_lost_where_two_come_together() -> Result<()> {
    const BOXES: u64 = 15_000;
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let run = same_as_without(&Launch::main(jdk, &classes, "together.Main"), "check=hybrid,retire=0")?;
        let seen = run.records.iter().rev().find_map(|record| match record {
            Record::Seen { variable, objects, .. } => Some((short_name(variable), *objects)),
            _ => None,
        });
        ensure!(seen == Some(("Box.value".to_owned(), BOXES)), "{seen:?}");
        Ok(())
    })
}

/// Each thread has an element of its own, which it reads without the lock. The first step of the second thread comes at any moment of the first.
#[test]
fn threads_that_come_to_two_elements_together_do_not_race() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let run = same_as_without(&Launch::main(jdk, &classes, "apart.Main"), "check=hybrid")?;
        ensure!(run.racy().is_empty(), "{:?}", run.racy());
        Ok(())
    })
}

/// Advice depends on it.
#[test]
fn who_reads_and_may_write_is_told_from_who_only_reads() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let run = same_as_without(&Launch::main(jdk, &classes, "beside.Main"), "check=hybrid")?;
        let sides: BTreeMap<_, _> = run
            .findings()
            .map(|finding| (short_name(&finding.variable), finding.conflicts[0].current.writes_too))
            .collect();
        let expected = [("Main.begun", false), ("Main.counted", true), ("Main.read", false)];
        ensure!(sides == expected.map(|(name, writes)| (name.to_owned(), writes)).into(), "{sides:?}");
        Ok(())
    })
}

/// Of an earlier access that was not remembered, the place is shown where only one can be meant, and that one is right.
#[test]
fn places_of_earlier_accesses_are_right() -> Result<()> {
    let classes = classes("order")?;
    on_every_jdk(|jdk| {
        let mut places = 0;
        for seed in 0..RUNS {
            let run =
                same_as_without(&Launch::main(jdk, &classes, "places.Main").args([seed.to_string()]), "check=hybrid")?;
            for conflict in run.findings().flat_map(|finding| &finding.conflicts) {
                let [current, previous] = [&conflict.current, &conflict.previous].map(|access| access.stack.first());
                let Some((current, previous)) = current.zip(previous) else { continue };
                let Some(expected) = current.method.strip_prefix("after") else { continue };
                let found = previous.method.trim_matches(['<', '>']);
                ensure!(found.eq_ignore_ascii_case(expected), "seed {seed}: {conflict:#?}");
                places += usize::from(conflict.previous.stack.len() == 1);
            }
        }
        ensure!(places > 0, "no place was known");
        Ok(())
    })
}

/// A lock is known by a field that refers to it, wherever the accessed object or the code on the stack leads to one.
#[test]
fn locks_are_known_by_their_fields() -> Result<()> {
    let classes = classes("order")?;
    let expected = known_names()?;
    on_every_jdk(|jdk| {
        for order in ["locked first", "bare first"] {
            let launch = Launch::main(jdk, &classes, "names.Main").args((order == "bare first").then_some(order));
            let run = same_as_without(&launch, "check=hybrid")?;
            let found: BTreeMap<String, BTreeSet<String>> = run.findings().map(names_of_locks).collect();
            ensure!(found == expected, "{order}: {found:#?}");
        }
        Ok(())
    })
}

/// What the comments say, by the class of the case.
#[allow(clippy::disallowed_methods, reason = "a test reads its own fixture")]
fn known_names() -> Result<BTreeMap<String, BTreeSet<String>>> {
    let source = std::fs::read_to_string(folder().join("order/names/Main.java"))?;
    let cases = source.split("\nfinal class ").skip(1).filter_map(|case| {
        let (class, _) = case.split_once(' ')?;
        let (_, name) = case.split_once("// known as: ")?;
        Some((class.to_owned(), BTreeSet::from([name.lines().next()?.to_owned()])))
    });
    Ok(cases.collect())
}

/// The class of the case that a finding is of, and the names of the locks in it.
fn names_of_locks(finding: &Finding) -> (String, BTreeSet<String>) {
    let variable = short_name(&finding.variable);
    let case = variable.split(['.', '$']).next().unwrap_or_default().to_owned();
    let accesses = finding.conflicts.iter().flat_map(|conflict| [&conflict.current, &conflict.previous]);
    let names = accesses.flat_map(|access| access.locks.iter().flatten()).map(|lock| match &lock.field {
        Some(field) => format!("{}.{}", dotted(&field.class), field.name),
        None => dotted(&lock.class),
    });
    (case, names.collect())
}

/// What a logger counts and keeps for itself orders those who log by chance. Its locks count, and what it hands over by a queue. Who
/// develops one, or names it, has it checked: then it is part of the program.
#[test]
fn libraries_that_watch_the_program_order_nothing() -> Result<()> {
    let classes = classes("telemetry")?;
    let directory = tempfile::tempdir()?;
    let library = directory.path().join("logger.jar");
    jar(&Jdk::oldest(), &library, None, &classes)?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &library, "watched.Main");
        compare(&same_as_without(&launch, "check=hybrid")?, "telemetry", "watched")?;
        let named = launch.checked("check=hybrid,include=*").run()?.succeeded()?;
        let developed = Launch::main(jdk, &classes, "watched.Main").checked("check=hybrid").run()?.succeeded()?;
        ensure!(named.racy() == ["Logger.races"], "named: {:?}", named.racy());
        ensure!(developed.racy() == ["Logger.races"], "developed: {:?}", developed.racy());
        Ok(())
    })
}

/// A method that checks would make too large for a class file, on the way of threads that a lock, volatile fields of its class and of another, or
/// a call keep in order; and one whose accesses nobody checks, which is said.
fn too_large() -> String {
    let filling = "a++; b += a;\n".repeat(2400);
    let method = |name: &str, body: &str| format!("void {name}() {{ {} }}\n", body.replace("FILLING", &filling));
    let methods = [
        method("byVolatile", "set(); FILLING ready = true;"),
        method("byOther", "setOther(); FILLING other.ready = true;"),
        method("byStatic", "setStatic(); FILLING allReady = true;"),
        method("byLock", "synchronized (lock) { count(); FILLING }"),
    ];
    format!(
        "public final class Main {{
             static final class Other {{ volatile boolean ready; }}
             int a, b, handed, handedByOther, handedByStatic, counted, racy;
             volatile boolean ready; static volatile boolean allReady;
             final Other other = new Other(); final Object lock = new Object();
             void set() {{ handed++; }} void setOther() {{ handedByOther++; }} void setStatic() {{ handedByStatic++; }} void count() {{ counted++; }}
             {}
             void race() {{ racy++; }}
             static void both(Runnable one, Runnable two) throws Exception {{
                 Thread[] threads = {{new Thread(one), new Thread(two)}};
                 for (Thread thread : threads) {{ thread.start(); }}
                 for (Thread thread : threads) {{ thread.join(); }}
             }}
             public static void main(String[] arguments) throws Exception {{
                 Main main = new Main();
                 both(main::byVolatile, () -> {{ while (!main.ready) {{ Thread.onSpinWait(); }} main.set(); }});
                 both(main::byOther, () -> {{ while (!main.other.ready) {{ Thread.onSpinWait(); }} main.setOther(); }});
                 both(main::byStatic, () -> {{ while (!allReady) {{ Thread.onSpinWait(); }} main.setStatic(); }});
                 both(main::byLock, main::byLock);
                 both(main::race, main::race);
                 System.out.println(main.a);
             }}
         }}",
        methods.concat()
    )
}

#[test]
fn methods_too_large_for_checks_keep_what_orders_threads() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let classes = compiled_text(folder.path(), "Main.java", &too_large())?;
    on_oldest_and_newest(|jdk| {
        let run = Launch::main(jdk, &classes, "Main").checked("").run()?.succeeded()?;
        ensure!(run.racy() == ["Main.racy"], "{:?}", run.racy());
        let said = |record: &Record| match record {
            Record::Unwoven { method, reason, .. } if reason.contains("its accesses are not checked") => method.clone(),
            _ => None,
        };
        let left: BTreeSet<String> = run.records.iter().filter_map(said).collect();
        ensure!(
            left == ["byLock()V", "byOther()V", "byStatic()V", "byVolatile()V"].map(str::to_owned).into(),
            "{left:?}"
        );
        Ok(())
    })
}
