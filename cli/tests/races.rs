//! `jrace races` as a whole, on the demo `bank`: every form of its report, what is known besides, and input that is no good.
#![expect(clippy::disallowed_methods, reason = "tests prepare files")]

mod aliases;
mod ended;
mod links;
mod norace;
mod sarif;
mod schema;
mod since;
mod stores;
mod summaries;
mod suppressed;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use jrace_tests::demos::Demo;
use jrace_tests::jdk::Jdk;
use jrace_tests::{fixture, root, run};
use serde_json::Value;
use tempfile::TempDir;

use ended::Ended;

/// A working directory, and the classes of the demo.
struct Bench {
    directory: TempDir,
    jdk: Jdk,
    demo: Demo,
}

impl Bench {
    fn new() -> Self {
        let demo = Demo::all().unwrap().into_iter().find(|demo| demo.name == "bank").unwrap();
        Self { directory: tempfile::tempdir().unwrap(), jdk: Jdk::oldest(), demo }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn jrace(&self, arguments: &[&str]) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jrace"));
        command.args(arguments).current_dir(self.directory.path()).env("JAVA_HOME", &self.jdk.home);
        command.env_remove("JRACE_OPTIONS").env_remove("JAVA_TOOL_OPTIONS");
        Ended::of(command.output().unwrap())
    }

    /// `jrace races ARGUMENTS CLASSES`.
    fn races(&self, arguments: &[&str]) -> Ended {
        let classes = self.demo.classes().unwrap();
        self.jrace(&[&["races"], arguments, &[classes.to_str().unwrap()]].concat())
    }

    /// Leaves the findings of a run in `out`.
    fn run(&self) {
        self.run_with(&["--output", "out"]);
    }

    /// A run with `--output DIR` and other flags.
    fn run_with(&self, flags: &[&str]) -> run::Run {
        let mut command = run::jrace(&self.jdk);
        command.arg("run").args(flags).arg("--").arg(self.jdk.home.join("bin/java"));
        command.arg("-cp").arg(self.demo.classes().unwrap()).arg(&self.demo.main).args(&self.demo.args);
        let output = command.current_dir(self.directory.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(66), "{output:?}");
        let directory = std::fs::read_dir(self.path(flags[1])).unwrap().next().unwrap().unwrap().path();
        run::Run { output, records: run::records(&directory).unwrap() }
    }
}

impl Ended {
    fn json(&self) -> Value {
        schema::valid("races", &self.out)
    }
}

fn names(report: &Value) -> Vec<&str> {
    let variables = report["variables"].as_array().unwrap();
    variables.iter().map(|variable| variable["name"].as_str().unwrap()).collect()
}

#[test]
fn every_form_has_the_same_races() {
    let bench = Bench::new();
    let sources = root().join("demo-apps");
    let flags = ["--json", "--sarif", "r.sarif", "--html", "r.html", "--sources", sources.to_str().unwrap()];
    let ended = bench.races(&flags);
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
    let report = ended.json();
    let expected = ["bank.Bank.expressTransfers", "bank.Account.balance", "bank.Bank.lastToClose"];
    assert_eq!(names(&report), expected);
    assert_eq!((&report["format"], &report["observed"]), (&1.into(), &Value::Null));

    let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
    sarif::validate(&sarif);
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let fingerprints: Vec<&str> =
        results.iter().map(|result| result["partialFingerprints"]["variable/v1"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.iter().map(|name| name.split(' ').next().unwrap()).collect::<Vec<_>>(), expected);
    assert!(results.iter().all(|result| result["codeFlows"][0]["threadFlows"].as_array().unwrap().len() == 2));
    let place = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((&place["uri"], &place["uriBaseId"]), (&"bank/Bank.java".into(), &"%SRCROOT%".into()));

    let page = bench.read("r.html");
    for name in expected {
        let name = name.replace('.', ".<wbr>");
        assert!(page.contains(&format!("<span class=\"name\">field {name} ")), "{name}");
    }
    assert!(page.contains("balance += amount;") && page.contains("id=\"objects\""), "{page}");
}

/// Code scanning looks for files from where the repository lies.
#[test]
fn sarif_names_files_that_were_found_from_the_root() {
    let bench = Bench::new();
    let sources = bench.path("app/src/bank");
    std::fs::create_dir_all(&sources).unwrap();
    std::fs::copy(root().join("demo-apps/bank/Bank.java"), sources.join("Bank.java")).unwrap();
    bench.races(&["--sarif", "r.sarif", "--sources", "app/src"]);
    let text = bench.read("r.sarif");
    sarif::validate(&serde_json::from_str(&text).unwrap());
    assert!(text.contains(r#""artifactLocation":{"uri":"app/src/bank/Bank.java"}"#), "{text}");
    assert!(!text.contains(r#""uri":"bank/Bank.java""#), "{text}");
    assert!(text.contains(r#"{"uri":"bank/Account.java","uriBaseId":"%SRCROOT%"}"#), "{text}");
}

/// With one state to look at, a search for a path sees the access itself and no call.
#[test]
fn a_search_for_paths_that_gives_up_says_so_in_every_form() {
    let bench = Bench::new();
    let paths = |report: &Value| -> Vec<String> {
        let variables = report["variables"].as_array().unwrap().iter();
        let races = variables.flat_map(|variable| variable["races"].as_array().unwrap());
        races.map(|race| race["paths"].as_str().unwrap().to_owned()).collect()
    };
    let whole = bench.races(&["--json"]);
    assert!(paths(&whole.json()).iter().all(|paths| paths == "possible"), "{whole:?}");
    let cut = bench.races(&["--json", "--path-states", "1"]);
    let all = paths(&cut.json());
    assert!(cut.code == whole.code && all.len() == paths(&whole.json()).len(), "{cut:?}");
    assert!(all.iter().all(|paths| paths == "cut-short"), "{cut:?}");
    let forms = ["--sarif", "r.sarif", "--html", "r.html", "--junit", "r.xml"];
    let once = format!("call paths: the search was cut short for {} races: ", all.len());
    let at_race = "Paths: the search for these paths was cut short, so others may lead there";
    for (flags, n_lines) in [(&["--path-states", "1"][..], 1), (&[], 0)] {
        let ended = bench.races(&[flags, &forms].concat());
        assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
        for text in [&ended.out, &bench.read("r.sarif"), &bench.read("r.html"), &bench.read("r.xml")] {
            assert_eq!(text.matches(&once).count(), n_lines, "{text}");
            assert_eq!(text.contains(at_race), n_lines > 0, "{text}");
        }
    }
}

/// Every form has the times if they are asked for; documents are the same twice otherwise, and with times but for these.
#[test]
fn times_are_in_every_form_that_is_asked_for_them() {
    let bench = Bench::new();
    let forms = ["--sarif", "r.sarif", "--html", "r.html", "--junit", "r.xml"];
    let told = |flags: &[&str]| {
        let summary = bench.path("summary.md");
        let _ = std::fs::remove_file(&summary);
        let classes = bench.demo.classes().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_jrace"));
        command.args(["races", "--github"]).args(flags).args(forms).arg(classes).current_dir(bench.directory.path());
        command.env("JAVA_HOME", &bench.jdk.home).env("GITHUB_STEP_SUMMARY", &summary).env_remove("JRACE_OPTIONS");
        let ended = Ended::of(command.output().unwrap());
        assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
        let files = ["r.sarif", "r.html", "r.xml", "summary.md"].map(|file| bench.read(file));
        std::iter::once(ended.out).chain(files).collect::<Vec<String>>()
    };
    let without = told(&[]);
    assert_eq!(without, told(&[]));
    let with = told(&["--times"]);
    for stage in ["reading classes", "points-to analysis", "types", "call paths"] {
        assert!(with.iter().all(|text| text.contains(stage)), "{with:?}");
    }
    assert!(without.iter().all(|text| !text.contains("points-to analysis")), "{without:?}");
    sarif::validate(&serde_json::from_str(&with[1]).unwrap());

    let document = |flags: &[&str]| bench.races(&[flags, &["--json"]].concat()).json();
    let (whole, mut timed) = (document(&[]), document(&["--times"]));
    let times = timed["times"].take();
    let seconds = |name: &str| times.as_array().unwrap().iter().map(|time| time[name].as_f64().unwrap()).sum::<f64>();
    assert!(seconds("seconds") > 0.0 && seconds("processor") > 0.0, "{times}");
    assert_eq!(timed, whole);
}

/// `jrace check` has the forms of `jrace races`.
#[test]
fn what_types_do_not_prove_is_in_every_form() {
    let bench = Bench::new();
    let (classes, sources) = (bench.demo.classes().unwrap(), root().join("demo-apps"));
    bench.write("claims", "bank.Account.balance @GuardedBy(\"this\")\n");
    let all = ["check", "--all", "--annotations", "claims", "--sarif", "r.sarif", "--html", "r.html"];
    let others = ["--junit", "r.xml", "--sources", sources.to_str().unwrap(), classes.to_str().unwrap()];
    let ended = bench.jrace(&[&all[..], &others].concat());
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
    let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
    sarif::validate(&sarif);
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    let of_rule = |rule: &str| results.iter().filter(|result| result["ruleId"] == rule).cloned().collect::<Vec<_>>();
    let claims = of_rule("unguarded-access");
    assert!(!claims.is_empty() && claims.iter().all(|result| result["level"] == "error"), "{results:#?}");
    let text = claims[0]["message"]["text"].as_str().unwrap();
    assert!(text.starts_with("bank.Account.balance is accessed without `this`, which is said to guard it"), "{text}");
    let name = claims[0]["partialFingerprints"]["claim/v1"].as_str().unwrap();
    assert!(name.starts_with("unguarded-access bank.Account.balance in bank/Account."), "{name}");
    let [field] =
        &of_rule("race-unsafe").into_iter().filter(|field| field["level"] == "warning").collect::<Vec<_>>()[..1]
    else {
        panic!("{results:#?}");
    };
    assert!(field["message"]["text"].as_str().unwrap().contains(": race-unsafe, as its accesses"), "{field}");
    let at = |location: &Value| location["physicalLocation"]["artifactLocation"]["uri"] == "bank/Account.java";
    assert!(at(&field["locations"][0]) && at(&field["relatedLocations"][0]), "{field}");
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    let page = bench.read("r.html");
    assert!(page.contains("data-rule=\"unguarded-access\"") && page.contains("balance += amount;"), "{page}");
    assert!(bench.read("r.xml").contains("<testcase name=\"unguarded-access: bank.Account.balance at "));
}

/// `jrace explain` says the same to people, programs and browsers.
#[test]
fn what_is_explained_fits_into_a_terminal() {
    let bench = Bench::new();
    let classes = bench.demo.classes().unwrap();
    for command in ["explain bank.Bank.*", "explain --summary bank.Bank.transfer"] {
        let shown = ended::shown(bench.directory.path(), 60, &[], &format!("{command} '{}'", classes.display()));
        // Progress was there first, and is gone.
        let lines = shown.lines().map(|line| line.rsplit("\u{1b}[2K").next().unwrap_or_default().trim());
        let wide: Vec<&str> = lines.filter(|line| line.chars().count() > 60).collect();
        assert!(wide.is_empty() && shown.lines().count() > 10, "{command}: {shown}");
    }
}

#[test]
fn what_is_explained_is_in_every_form() {
    let bench = Bench::new();
    let (classes, sources) = (bench.demo.classes().unwrap(), root().join("demo-apps"));
    let others = ["--sources", sources.to_str().unwrap(), classes.to_str().unwrap()];
    let explain = |flags: &[&str]| {
        let ended = bench.jrace(&[&["explain", "--focus", "bank.*"], flags, &others].concat());
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
        ended.out
    };
    let text = explain(&["--html", "r.html"]);
    let json = schema::valid("explain", &explain(&["--json"]));
    let page = bench.read("r.html");
    let mut n_focus = 0;
    for (list, what) in [("fields", "what"), ("methods", "atomicity")] {
        let entries = json[list].as_array().unwrap();
        assert!(entries.len() > 4, "{json:#}");
        for entry in entries {
            let [name, what] = [&entry["name"], &entry[what]].map(|text| text.as_str().unwrap());
            assert!(text.contains(&format!("{name}: {what}\n")), "{name} {text}");
            let (in_table, breakable) = (format!("<td>{name}</td>"), name.replace('.', ".<wbr>"));
            assert!(page.contains(&in_table) || page.contains(&breakable), "{name} {page}");
            for line in entry["focus"].as_array().unwrap() {
                n_focus += 1;
                assert!(text.contains(&format!("  {}\n", line.as_str().unwrap())), "{line} {text}");
            }
        }
    }
    assert!(n_focus > 8 && page.contains("balance += amount;") && page.contains("data-rule=\"race-unsafe\""), "{page}");
    let lines = explain(&["--brief", "--junit", "r.xml", "--sarif", "r.sarif", "--github"]);
    let (annotations, lines): (Vec<&str>, Vec<&str>) = lines.lines().partition(|line| line.starts_with("::"));
    let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
    sarif::validate(&sarif);
    let n = sarif["runs"][0]["results"].as_array().unwrap().len();
    // GitHub shows ten of a level; nothing explained is an error.
    let warnings = annotations.iter().filter(|line| line.starts_with("::warning ")).count();
    let errors = annotations.iter().filter(|line| line.starts_with("::error ")).count();
    assert_eq!((lines.len(), warnings, errors), (n, n.min(10), 0), "{lines:#?} {annotations:#?}");
    assert!(n > 0 && lines.iter().any(|line| line.contains("Account.java:")), "{lines:#?}");
    let cases = bench.read("r.xml");
    assert_eq!((cases.matches("<testcase ").count(), cases.matches("<skipped").count()), (n, n), "{cases}");
    bench
        .jrace(&["explain", "bank.*", "--html", "missing/r.html", others[2]])
        .failed_with("cannot write the page to `missing/r.html`; choose another file with --html: No such file or directory (os error 2)");
}

/// One line a finding on standard output, and the rest of the report on standard error; test cases; annotations.
#[test]
fn findings_are_lines_test_cases_and_annotations() {
    let bench = Bench::new();
    let sources = root().join("demo-apps");
    let flags = ["--brief", "--junit", "r.xml", "--github", "--sources", sources.to_str().unwrap()];
    let classes = bench.demo.classes().unwrap();
    for (command, line, annotation, case) in [
        (
            "races",
            "bank/Account.java:18: race on bank.Account.balance: write in add() against ",
            "line=18,title=jrace%3A race::race on bank.Account.balance: write in add()",
            "name=\"race: field bank.Account.balance (int)\" classname=\"bank.Account\"",
        ),
        (
            "check",
            "bank/Bank.java:34: bank.Bank.lastToClose: race-unsafe, as its accesses have no lock in common: read in main() with no lock and 1 more ",
            "line=34,title=jrace%3A race-unsafe::bank.Bank.lastToClose: race-unsafe",
            "name=\"race-unsafe: field bank.Bank.lastToClose\" classname=\"bank.Bank\"",
        ),
    ] {
        let all: &[&str] = if command == "check" { &["--all"] } else { &[] };
        let ended = bench.jrace(&[&[command], &flags[..], all, &[classes.to_str().unwrap()]].concat());
        let (lines, annotations): (Vec<&str>, Vec<&str>) = ended.out.lines().partition(|line| !line.starts_with("::"));
        let is_at = |found: &&str, text: &str| found.contains(text);
        assert!(lines.iter().any(|found| is_at(found, line)), "{command}: {ended:?}");
        assert!(lines.iter().all(|line| line.ends_with(']')), "{ended:?}");
        let is_warning = |found: &&str| found.starts_with("::warning file=") && found.contains(annotation);
        assert!(annotations.iter().any(is_warning), "{command}: {ended:?}");
        assert!(ended.err.contains(&format!("SUMMARY: jrace {command}: ")), "{ended:?}");
        assert!(bench.read("r.xml").contains(case), "{command}: {}", bench.read("r.xml"));
    }
    let ended = bench.races(&["--brief", "--json"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
}

#[test]
fn text_ends_with_a_summary() {
    let bench = Bench::new();
    let ended = bench.races(&["--exitcode", "7"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(7), ""), "{ended:?}");
    let ranked = "RACE on field bank.Account.balance (int)\n  Rank 2: its class uses locks; a field of an object; ";
    assert!(ended.out.contains(ranked), "{}", ended.out);
    let last = ended.out.lines().last().unwrap();
    assert!(last.starts_with("SUMMARY: jrace races: 3 variables with races (2 without any common lock); "), "{last}");
    assert!(last.contains(" kinds of threads; ") && last.ends_with(" unlocked, exit 7"), "{last}");
}

#[test]
fn annotations_leave_races_out() {
    let bench = Bench::new();
    bench.write("all", "benign bank.Account.balance # a sum for show\n\nlocal bank.Bank\n");
    let ended = bench.races(&["--json", "--annotations", "all"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    assert_eq!(ended.json()["left_out"][0]["by"], "all:1: benign bank.Account.balance");

    bench.write("some", "local bank.Account.balance\nbenign bank.Account.money\n");
    let ended = bench.races(&["--json", "--annotations", "some"]);
    let warning = "jrace: some:2: benign bank.Account.money: this annotation leaves out no race\n";
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), warning));
    let report = ended.json();
    assert_eq!(names(&report).len(), 2);
    assert_eq!(report["unmatched_annotations"][0], "some:2: benign bank.Account.money");
}

/// The fields that race, and what is said of annotations that leave out nothing.
fn without(beginning: &[&str], annotations: &str) -> (Vec<String>, String) {
    let bench = Bench::new();
    let folder = root().join("tests/java/races/unparallel");
    let sources = ["Service.java", "Workers.java"].map(|name| folder.join(name));
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17"]).unwrap();
    bench.write("notes", annotations);
    let flags = [&["races", "--json", "--annotations", "notes"], beginning, &[classes.to_str().unwrap()]].concat();
    let ended = bench.jrace(&flags);
    let report = ended.json();
    let name = |variable: &Value| variable["name"].as_str().unwrap().rsplit('.').next().unwrap().to_owned();
    let mut names: Vec<String> = report["variables"].as_array().unwrap().iter().map(name).collect();
    names.sort();
    (names, ended.err)
}

#[test]
fn calls_of_clients_that_do_not_run_in_parallel_leave_out_what_only_they_do() {
    let without = |annotations| without(&["--api", "unparallel.Service"], annotations);
    let fields = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without("").0, fields("calls configuration served"));
    // Two calls of `open` may still run in parallel, and `calls` is written by either method.
    let (left, told) = without("unparallel unparallel.Service.open unparallel.Service.serve");
    assert_eq!((left, told.as_str()), (fields("calls configuration served"), ""));
    let (left, told) = without("unparallel *.open *.Service.*");
    assert_eq!((left, told.as_str()), (fields("calls served"), ""));
    assert_eq!(without("unparallel *.open *\nunparallel *.serve *.serve").0, Vec::<String>::new());
    let (left, told) = without("unparallel *.open *.close");
    assert_eq!(left, fields("calls configuration served"));
    assert!(told.ends_with("notes:1: unparallel *.open *.close: this annotation leaves out no race\n"), "{told}");
}

#[test]
fn threads_that_do_not_run_in_parallel_are_named_by_what_they_run() {
    let without = |annotations| without(&["--main", "unparallel.Workers"], annotations).0;
    assert_eq!(without(""), ["both", "first"]);
    assert_eq!(without("unparallel unparallel.Workers$Early.run unparallel.Workers$Late.run"), ["both", "first"]);
    assert_eq!(without("unparallel *Early.run *Early.run"), ["both", "first"]);
    assert_eq!(without("unparallel *Early.run *.run"), Vec::<String>::new());
}

#[test]
fn annotations_in_the_code_leave_out_races() {
    let bench = Bench::new();
    let mut sources = jrace_tests::jdk::sources(&root().join("annotations/src/main/java/jrace")).unwrap();
    sources.push(root().join("tests/java/races/annotated/Annotated.java"));
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17"]).unwrap();
    let ended = bench.jrace(&["races", "--api", "annotated.*", "--json", classes.to_str().unwrap()]);
    let report = ended.json();
    assert_eq!(names(&report), ["annotated.Annotated.racy"]);
    let left_out = |index: usize| report["left_out"][index]["by"].as_str().unwrap();
    assert_eq!(
        [0, 1].map(left_out),
        ["@ThreadLocal on annotated.Annotated$Scratch", "@NoWarn on annotated.Annotated.calls"]
    );
    assert_eq!((report["left_out"].as_array().unwrap().len(), ended.err.as_str()), (2, ""));
}

#[test]
fn the_rank_says_what_speaks_against_a_race() {
    let bench = Bench::new();
    let sources = jrace_tests::jdk::sources(&root().join("tests/java/races/ranked")).unwrap();
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17"]).unwrap();
    let report = bench.jrace(&["races", "--api", "ranked.*", "--json", classes.to_str().unwrap()]).json();
    let variable = |name: &str| {
        let mut all = report["variables"].as_array().unwrap().iter();
        all.find(|variable| variable["name"] == name).unwrap_or_else(|| panic!("{name}: {report:#}"))
    };
    let reason = |name: &str| variable(name)["rank"]["reason"].as_str().unwrap();
    for (name, said) in [
        ("ranked.Ranked$Queue.total", "but both hold locks, which may be those of two objects"),
        ("ranked.Ranked$Queue.name", "but only setters without a lock write it"),
        ("ranked.Ranked$Cursor.at", "probably not meant to be shared: it goes over something, as one thread does"),
        ("ranked.Ranked$Literal.class$java$lang$String", "but the compiler has made the field"),
        ("java.util.HashMap", "but two classes use it"),
        ("ranked.Ranked$Template.limit", "but all others that call it hold the lock"),
        ("ranked.Ranked$Worker.jobs", "but a client calls what threads or the JVM begin with"),
        ("ranked.Described.state", "neither the class nor any access uses a lock"),
        ("ranked.Marked.marked", "neither the class nor any access uses a lock"),
        ("ranked.Marked.position", "neither the class nor any access uses a lock"),
        ("ranked.Ranked$Prepared.path", "but one side makes or fills a new object"),
        ("ranked.Ranked$Lazy.computed", "but only what comes back as it is computed writes it twice"),
    ] {
        assert!(reason(name).ends_with(said), "{name}: {}", reason(name));
    }
    // Copies beside their originals are no objects that stand for many.
    assert!(
        !reason("ranked.Copies$Counter.counted").contains("stands for"),
        "{}",
        reason("ranked.Copies$Counter.counted")
    );
    let polled = &variable("ranked.Ranked$Poller.polls")["races"][0]["accesses"];
    let by_thread = |access: &Value| access["thread"].as_str().is_some_and(|thread| thread.contains("Ranked.java:"));
    assert!(polled.as_array().unwrap().iter().any(by_thread), "{polled:#}");
    // Every client can close the pool of a source; another pool only a subclass of it can.
    let closed = &variable("ranked.Ranked$Pool.listener")["races"][0];
    assert_eq!(closed["accesses"][0]["thread"], "a client that calls ranked.Ranked$Source.close", "{closed:#}");
    assert!(closed["objects"][0].as_str().unwrap().contains(" made at Ranked.java:"), "{closed:#}");
}

#[test]
fn a_set_of_the_keys_of_a_concurrent_map_is_as_safe_as_that() {
    let bench = Bench::new();
    let found = |source: &str| {
        let sources = [root().join("tests/java/races/given").join(source)];
        let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17"]).unwrap();
        bench.jrace(&["races", "--api", "given.*", "--json", classes.to_str().unwrap()]).json()
    };
    assert_eq!(names(&found("Sets.java")), Vec::<String>::new());
    assert_eq!(names(&found("OwnMap.java")), ["java.util.Collections$SetFromMap"]);
}

/// The fields, and the lines that make containers, which comments name.
fn commented(sources: &[PathBuf]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for source in sources {
        let mut class = String::new();
        for line in std::fs::read_to_string(source).unwrap().lines() {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
            if let Some(at) = words.iter().position(|word| *word == "class" || *word == "interface")
                && !line.starts_with(' ')
                && !line.contains("/**")
            {
                words[at + 1].clone_into(&mut class);
            }
            if let Some((declared, "RACE")) = line.split_once("; // ") {
                let field = declared.split(" = ").next().unwrap().rsplit(' ').next().unwrap();
                let is_container = declared.contains("HashMap");
                found.insert(if is_container {
                    "java.util.HashMap".to_owned()
                } else {
                    format!("shop.{class}.{field}")
                });
            }
        }
    }
    found
}

#[test]
fn frameworks_make_beans_and_call_them() {
    let bench = Bench::new();
    let folder = root().join("tests/java/races/beans");
    let library = jrace_tests::jdk::sources(&folder.join("library")).unwrap();
    let library = fixture::compiled(&bench.jdk, &library, &["--release", "17"]).unwrap();
    let library = library.to_str().unwrap();
    let sources = jrace_tests::jdk::sources(&folder.join("shop")).unwrap();
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17", "-cp", library]).unwrap();
    let classes = classes.to_str().unwrap();
    let ended = bench.jrace(&["races", "--json", "--library", library, classes]);
    let report = ended.json();
    let found: BTreeSet<String> = names(&report).into_iter().map(str::to_owned).collect();
    assert_eq!(found, commented(&sources), "{report:#}");
    let entries = report["entries"].as_str().unwrap();
    assert!(
        entries.starts_with("`main` of shop.Shop, and ") && entries.ends_with(" beans that frameworks call"),
        "{entries}"
    );
    let orders = report["variables"].as_array().unwrap().iter().find(|one| one["name"] == "shop.Orders.orders");
    let thread = &orders.unwrap()["races"][0]["accesses"][0]["thread"];
    assert_eq!(thread, "a thread of a framework that calls shop.Orders.order");
    // Without the library, what implements its types is not known to be called.
    let alone = bench.jrace(&["races", "--json", classes]).json();
    let lost =
        ["shop.Images.shown", "shop.Orders.executed", "shop.Orders.mapped", "shop.Timing.done"].map(str::to_owned);
    let left: BTreeSet<String> = names(&alone).into_iter().map(str::to_owned).collect();
    assert_eq!(left, &found - &BTreeSet::from(lost), "{alone:#}");
    // What is said to begin counts.
    let main = bench.jrace(&["races", "--json", "--main", "shop.Other", "--library", library, classes]);
    assert!(main.err.contains("`shop.Other` has no `main` method"), "{}", main.err);
    let api = bench.jrace(&["races", "--json", "--api", "shop.Shop", "--library", library, classes]).json();
    assert!(!names(&api).contains(&"shop.Orders.orders"), "{api:#}");
}

#[test]
fn what_is_done_to_a_view_is_done_to_what_it_stands_for() {
    let bench = Bench::new();
    let sources = jrace_tests::jdk::sources(&root().join("tests/java/races/views")).unwrap();
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17"]).unwrap();
    let report = bench.jrace(&["races", "--json", classes.to_str().unwrap()]).json();
    let found: BTreeSet<String> = names(&report).into_iter().map(str::to_owned).collect();
    let containers = [
        "ArrayDeque",
        "ArrayList",
        "EnumMap",
        "HashMap",
        "HashSet",
        "LinkedHashMap",
        "LinkedList",
        "PriorityQueue",
        "TreeMap",
        "TreeSet",
        "WeakHashMap",
    ];
    let containers = containers.iter().map(|name| format!("java.util.{name}"));
    let expected: BTreeSet<String> = containers.chain(["int[]".to_owned()]).collect();
    assert_eq!(found, expected, "{report:#}");
    // Summaries know method references, too.
    let report = bench.jrace(&["races", "--modular", "--json", classes.to_str().unwrap()]).json();
    let found = names(&report);
    assert!(["java.util.WeakHashMap", "int[]"].iter().all(|name| found.contains(name)), "{report:#}");
}

/// As with Kotlin and Scala: captured variables are fields of the library's, lambdas implement its interfaces, and it keeps what it is given behind
/// updaters.
#[test]
fn what_is_borrowed_from_a_library_is_followed() {
    let bench = Bench::new();
    let folder = root().join("tests/java/races/borrowed");
    let library = jrace_tests::jdk::sources(&folder.join("library")).unwrap();
    let library = fixture::compiled(&bench.jdk, &library, &["--release", "17"]).unwrap();
    let library = library.to_str().unwrap();
    let sources = jrace_tests::jdk::sources(&folder.join("program")).unwrap();
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17", "-cp", library]).unwrap();
    let report = bench.jrace(&["races", "--json", "--library", library, classes.to_str().unwrap()]).json();
    let found: BTreeSet<String> = names(&report).into_iter().map(str::to_owned).collect();
    let own = ["byAction", "byUpdater", "byList", "byHandle"].map(|field| format!("app.Main$Account.{field}"));
    let others =
        ["lib.Cell.value", "app.Main$Step.label", "app.Main$Step.resumed", "app.Main$Ghost.seen"].map(str::to_owned);
    let expected: BTreeSet<String> = own.into_iter().chain(others).collect();
    assert_eq!(found, expected, "{report:#}");
    let variables = report["variables"].as_array().unwrap();
    let below: Vec<&str> = variables
        .iter()
        .filter(|one| one["rank"]["is_below"] == true)
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(below, ["app.Main$Step.label"], "{report:#}");
}

/// Counters whose names begin with `racy` are used by two threads, the others by none.
#[test]
fn what_proxies_and_method_handles_call_is_followed() {
    let bench = Bench::new();
    let source = root().join("tests/java/races/proxies/Proxies.java");
    let declared = |line: &str| Some(line.trim().strip_prefix("int ")?.strip_suffix(';')?.to_owned());
    let fields: BTreeSet<String> = std::fs::read_to_string(&source).unwrap().lines().filter_map(declared).collect();
    let racy = fields.iter().filter(|field| field.starts_with("racy"));
    let expected: BTreeSet<String> = racy.map(|field| format!("proxies.Proxies$Counter.{field}")).collect();
    let classes = fixture::compiled(&bench.jdk, &[source], &["--release", "17"]).unwrap();
    let report = bench.jrace(&["races", "--json", classes.to_str().unwrap()]).json();
    let found: BTreeSet<String> = names(&report).into_iter().map(str::to_owned).collect();
    assert!(found == expected && found.len() > 16, "{report:#}");
    let unseen = report["assumptions"].to_string();
    assert!(!unseen.contains("Proxy") && !unseen.contains("MethodHandle"), "{unseen}");
}

/// What a handle stands for that comes as a parameter is not followed.
#[test]
fn calls_of_handles_that_are_not_followed_are_told() {
    let bench = Bench::new();
    let source = "import java.lang.invoke.*;
public class Called {
    static int count;
    static void count() { count++; }
    static void call(MethodHandle handle) {
        try {
            handle.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
    public static void main(String[] arguments) throws Exception {
        MethodHandle handle = MethodHandles.lookup().findStatic(Called.class, \"count\", MethodType.methodType(void.class));
        new Thread(() -> call(handle)).start();
        call(handle);
    }
}
";
    let classes = fixture::compiled_text(bench.directory.path(), "Called.java", source).unwrap();
    let report = bench.jrace(&["races", "--json", classes.to_str().unwrap()]).json();
    let unseen = report["assumptions"].to_string();
    assert!(unseen.contains("what java.lang.invoke.MethodHandle.invoke does at Called.java:7"), "{unseen}");
}

#[test]
fn clients_leave_alone_what_is_internal() {
    let bench = Bench::new();
    let sources = jrace_tests::jdk::sources(&root().join("tests/java/races/internal")).unwrap();
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17"]).unwrap();
    let report = |api: &[&str]| {
        let api = api.iter().flat_map(|pattern| ["--api", pattern]);
        let arguments: Vec<&str> =
            ["races", "--json"].into_iter().chain(api).chain([classes.to_str().unwrap()]).collect();
        bench.jrace(&arguments).json()
    };
    let outside = report(&["outside.*"]);
    assert_eq!(names(&outside), ["outside.Api.calls"]);
    let entries = outside["entries"].as_str().unwrap();
    assert!(entries.ends_with("of `outside.*` but for 1 type in packages called `internal`"), "{entries}");
    // Who means it says so.
    let all = report(&["outside.*", "outside.internal.*"]);
    assert!(names(&all).contains(&"outside.internal.Counting.handled"), "{all:#}");
}

#[test]
fn runs_confirm_races() {
    let bench = Bench::new();
    bench.run();
    bench.write("notes", "benign bank.Bank.expressTransfers\n");
    let flags = ["--json", "--observed", "out", "--annotations", "notes", "--sarif", "r.sarif", "--html", "r.html"];
    let ended = bench.races(&flags);
    let report = ended.json();
    let confirmed = report["observed"]["confirmed"].as_u64().unwrap();
    assert!(confirmed > 0 && report["observed"]["jvms"] == 1, "{report:#}");
    let observed = |variable: &Value| variable["observed"] == "confirmed";
    let variables = report["variables"].as_array().unwrap();
    assert_eq!(variables.iter().take_while(|variable| observed(variable)).count() as u64, confirmed);
    // What is seen at run time only is what the annotation leaves out.
    for missed in report["observed"]["missed"].as_array().unwrap() {
        assert_eq!(missed["excluded_by"], "the annotation notes:1: benign bank.Bank.expressTransfers");
    }
    let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
    sarif::validate(&sarif);
    assert_eq!(sarif["runs"][0]["results"][0]["level"], "error");
    assert!(bench.read("r.html").contains("data-observed=\"confirmed\""));
    let text = bench.races(&["--observed", "out"]).out;
    assert!(text.contains("\n  Confirmed at run time\n") && text.contains(" seen at run time only; "), "{text}");
}

/// What runs have shown of a collection is known again, whichever map a set keeps its elements in; a `Vector` has no races.
#[test]
fn runs_confirm_races_on_contents() {
    const CHECKED: [(&str, &str, &str); 9] = [
        ("List", "ArrayList", "add"),
        ("List", "LinkedList", "add"),
        ("Deque", "ArrayDeque", "add"),
        ("Queue", "PriorityQueue", "add"),
        ("Set", "HashSet", "add"),
        ("LinkedHashSet", "LinkedHashSet", "add"),
        ("SortedSet", "TreeSet", "add"),
        ("Map", "HashMap", "get"),
        ("NavigableMap", "TreeMap", "get"),
    ];
    let bench = Bench::new();
    let (mut fields, mut uses) = (String::new(), String::new());
    for (index, (ty, class, method)) in CHECKED.iter().chain(&[("List", "Vector", "add")]).enumerate() {
        let of = if ty.ends_with("Map") { "<Integer, Integer>" } else { "<Integer>" };
        fields += &format!("    final {ty}{of} f{index} = new {class}<>();\n");
        uses += &match *method {
            "get" => format!("f{index}.put(1, 1); f{index}.get(1); "),
            _ => format!("f{index}.add(1); "),
        };
    }
    let text = format!(
        "package app;\nimport java.util.*;\npublic class Main {{\n{fields}    void all() {{ {uses} }}\n    public static void main(String[] \
         arguments) {{\n        Main main = new Main();\n        new Thread(() -> main.all()).start();\n        main.all();\n    }}\n}}\n"
    );
    bench.write("Main.java", &text);
    bench.jdk.compile(&[bench.path("Main.java")], &bench.path("classes"), &[]).unwrap();
    let mut run = run::jrace(&bench.jdk);
    run.args(["run", "--output", "out", "--"])
        .arg(bench.jdk.home.join("bin/java"))
        .args(["-cp", "classes", "app.Main"]);
    assert_eq!(run.current_dir(bench.directory.path()).output().unwrap().status.code(), Some(66));
    let report = bench.jrace(&["races", "--json", "--observed", "out", "classes"]).json();
    assert_eq!(report["observed"]["missed"], Value::Array(Vec::new()));
    let variables = report["variables"].as_array().unwrap().iter().filter(|variable| variable["kind"] == "contents");
    let observed =
        variables.map(|variable| (variable["name"].as_str().unwrap(), variable["observed"].as_str().unwrap()));
    let mut expected: Vec<(String, &str)> =
        CHECKED.map(|(_, class, _)| (format!("java.util.{class}"), "confirmed")).into();
    expected.sort();
    let mut observed: Vec<(String, &str)> = observed.map(|(name, observed)| (name.to_owned(), observed)).collect();
    observed.sort();
    assert_eq!(observed, expected);
}

/// Runs say of a field in `jrace check` what they say of it in `jrace races`, and what has raced is reported though no lock is usual.
#[test]
fn runs_confirm_what_types_do_not_prove() {
    let bench = Bench::new();
    bench.run();
    let classes = bench.demo.classes().unwrap();
    let check = |flags: &[&str]| bench.jrace(&[&["check"], flags, &[classes.to_str().unwrap()]].concat());
    assert_eq!(check(&[]).code, Some(0));
    let ended = check(&["--observed", "out", "--json", "--sarif", "r.sarif"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
    let report = schema::valid("check", &ended.out);
    let fields = report["fields"].as_array().unwrap();
    let raced: Vec<&Value> = fields.iter().map(|field| &field["name"]).collect();
    let races = bench.races(&["--observed", "out", "--json"]).json();
    let variables = races["variables"].as_array().unwrap().iter();
    let mut confirmed: Vec<&Value> =
        variables.filter(|variable| variable["observed"] == "confirmed").map(|variable| &variable["name"]).collect();
    confirmed.sort_by_key(|name| name.as_str());
    assert!(!raced.is_empty() && raced == confirmed, "{raced:?} {confirmed:?}");
    assert!(fields.iter().all(|field| field["observed"] == "confirmed"), "{report:#}");
    let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
    sarif::validate(&sarif);
    assert_eq!(sarif["runs"][0]["results"][0]["level"], "error");
    let all = schema::valid("check", &check(&["--observed", "out", "--json", "--all"]).out);
    assert!(all["fields"].as_array().unwrap().iter().all(|field| field["observed"].is_string()), "{all:#}");
    assert!(check(&["--observed", "out"]).out.contains("\n  Confirmed at run time\n"));
}

#[test]
fn runs_exercise_what_two_threads_come_to() {
    let bench = Bench::new();
    let sources = [root().join("tests/java/races/observed/Observed.java")];
    let classes = fixture::compiled(&bench.jdk, &sources, &["--release", "17"]).unwrap();
    let mut command = run::jrace(&bench.jdk);
    command.args(["run", "--output", "out", "--"]).arg(bench.jdk.home.join("bin/java")).arg("-cp").arg(&classes);
    let output = command.arg("observed.Observed").current_dir(bench.directory.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(66), "{output:?}");
    let classes = classes.to_str().unwrap();
    let flags = ["races", "--json", "--observed", "out", "--sarif", "r.sarif", "--html", "r.html", classes];
    let report = bench.jrace(&flags).json();
    let observed = |name: &str| {
        let is_it = |variable: &&Value| variable["name"] == format!("observed.Observed.{name}");
        report["variables"].as_array().unwrap().iter().find(is_it).unwrap()["observed"].clone()
    };
    assert_eq!(["confirmed", "exercised", "unexercised"].map(observed), ["confirmed", "exercised", "not-exercised"]);
    assert_eq!((&report["observed"]["confirmed"], &report["observed"]["exercised"]), (&1.into(), &1.into()));
    assert!(bench.read("r.sarif").contains(" Exercised at run time without racing."));
    assert!(bench.read("r.html").contains("data-observed=\"not-exercised\""));
    let text = bench.jrace(&["races", "--observed", "out", classes]).out;
    assert!(text.contains("\n  Not exercised at run time\n"), "{text}");
}

#[test]
fn documents_appear_when_they_are_complete() {
    let bench = Bench::new();
    bench.write("empty.jar", "");
    bench.write("kept.html", "before");
    let ended = bench.jrace(&["races", "--sarif", "r.sarif", "--focus-set", "set", "--html", "kept.html", "empty.jar"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(bench.read("kept.html"), "before");
    let left = |directory: &TempDir| std::fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(left(&bench.directory), 2);
    assert_eq!(bench.races(&["--html", "kept.html", "--focus-set", "set"]).code, Some(66));
    assert!(bench.read("kept.html").starts_with("<!DOCTYPE html>") && bench.path("set").is_file());
    assert_eq!(left(&bench.directory), 3);
}

#[test]
fn bad_input_is_told_with_a_remedy() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.write("torn.jar", "PK\u{3}\u{4}");
    bench
        .jrace(&["races", "torn.jar"])
        .failed_with("torn.jar is not a jar that can be read: invalid Zip archive: Could not find EOCD; name jars or directories of classes");
    bench.jrace(&["races", "empty"]).failed_with("no class was found in `empty`: name jars or directories of classes");
    bench
        .races(&["--main", "bank.Bnk"])
        .failed_with("`bank.Bnk` has no `main` method that `java` would start: name another class with --main");
    bench.races(&["--api", "bnk.*"]).failed_with("no class is called `bnk.*`: write `package.Class`, `*` for any part");
    for flag in ["--sarif", "--html"] {
        let ended = bench.races(&[flag, "none/file"]);
        assert!(
            ended
                .err
                .ends_with(&format!("; choose another file with {flag}: No such file or directory (os error 2)\n")),
            "{ended:?}"
        );
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
    }
    bench
        .races(&["--observed", "empty"])
        .failed_with("there is no findings file in `empty`: no JVM ran with the agent, or its findings are elsewhere; name another directory, or first run `jrace run -- COMMAND`");
}

#[test]
fn contexts_that_take_too_much_memory_are_given_up_with_a_note() {
    let bench = Bench::new();
    let ended = bench.races(&["--contexts", "object", "-k", "3", "--memory", "10", "--json"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""));
    let report = ended.json();
    let assumptions: Vec<&str> = report["assumptions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let notes: Vec<&&str> = assumptions.iter().filter(|note| note.starts_with("contexts ")).collect();
    let note = "contexts (3-object contexts take more than 10 MB, see --memory; with hybrid 1-object contexts instead)";
    assert_eq!(notes, [&note]);
    bench.races(&["--memory", "1"]).failed_with("the analysis takes more than 1 MB: give it more with --memory");
}

#[test]
fn mistakes_in_annotations_carry_their_place() {
    let bench = Bench::new();
    bench.races(&["--annotations", "none"]).failed_with(
        "cannot read the annotations file `none`; correct or leave out --annotations: No such file or directory (os \
             error 2)",
    );
    for (text, expected) in [
        ("# fine\nlocal\n", "notes:2: `local` is not of the form `local PATTERN`: write `local package.Class.field`"),
        (
            "silent a.B.c",
            "notes:1: `silent` is no annotation: write `local PATTERN`, `benign PATTERN` or `unparallel METHOD METHOD`, and `#` \
             before a comment",
        ),
        (
            "unparallel a.B.run",
            "notes:1: `unparallel a.B.run` is not of the form `unparallel METHOD METHOD`: write `unparallel package.Class.method \
             package.Class.method`",
        ),
    ] {
        bench.write("notes", text);
        bench.races(&["--annotations", "notes"]).failed_with(expected);
    }
}

#[test]
fn a_jar_without_sources_is_reported_by_the_names_of_its_classes() {
    let bench = Bench::new();
    fixture::jar(&bench.jdk, &bench.path("bank.jar"), None, &bench.demo.classes().unwrap()).unwrap();
    let ended = bench.jrace(&["races", "--api", "bank.*", "--json", "--html", "r.html", "bank.jar"]);
    assert_eq!((ended.code, ended.json()["harness"].as_bool()), (Some(66), Some(true)), "{ended:?}");
    assert!(bench.read("r.html").contains("a client that calls bank.<wbr>"));
}

#[test]
fn a_focus_set_has_everything_but_the_races() {
    let bench = Bench::new();
    let found = bench.races(&["--focus-set", "focus-set"]);
    assert_eq!((found.code, &*found.err), (Some(66), ""), "{found:?}");
    let full = bench.run_with(&["--output", "full"]);
    let focused = bench.run_with(&["--output", "focused", "--focus-set", "focus-set"]);
    assert_eq!(focused.racy(), full.racy());
    let n_sites = |run: &run::Run| run.summaries().1[0].sites;
    assert!(n_sites(&focused) < n_sites(&full));
}

#[test]
fn stages_can_be_left_out() {
    let bench = Bench::new();
    let all = names(&bench.races(&["--json"]).json()).len();
    let unlocked = bench.races(&["--json", "--skip", "unlocked"]).json();
    assert!(names(&unlocked).len() > all, "{unlocked:#}");
    let pairs: Vec<_> =
        unlocked["stages"].as_array().unwrap().iter().map(|stage| stage["pairs"].as_u64().unwrap()).collect();
    assert_eq!(pairs[pairs.len() - 1], pairs[pairs.len() - 2], "{pairs:?}");
}

#[test]
fn reflective_calls_stand_in_the_paths_and_what_is_not_known_of_them_in_the_assumptions() {
    let bench = Bench::new();
    let source = root().join("tests/java/races/seeds/Reflected.java");
    let classes = fixture::compiled(&bench.jdk, std::slice::from_ref(&source), &["--release", "17"]).unwrap();
    let report = bench.jrace(&["races", "--json", "--exitcode", "0", classes.to_str().unwrap()]).json();
    let said: Vec<&str> = report["assumptions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let text = std::fs::read_to_string(source).unwrap();
    let lines = (1..).zip(text.lines()).filter_map(|(n, line)| Some((n, line.split_once("// resolved: ")?.1)));
    let mut n_lines = 0;
    for (n, how) in lines {
        let place = format!(" at Reflected.java:{n}");
        let [assumption] = said.iter().filter(|text| text.ends_with(&place)).collect::<Vec<_>>()[..] else {
            panic!("{place}: {said:?}");
        };
        let beginning =
            if how == "no" { "what java.lang.reflect." } else { "classes outside the application that fit" };
        assert!(assumption.starts_with(beginning), "{assumption}");
        n_lines += 1;
    }
    assert_eq!(said.iter().filter(|text| text.contains(" at Reflected.java:")).count(), n_lines);
    let variables = report["variables"].as_array().unwrap();
    let by_field = variables.iter().find(|variable| variable["name"] == "seeds.Reflected.byField").unwrap();
    let path = &by_field["races"][0]["accesses"][0]["path"];
    assert_eq!(path[0]["method"], "seeds.Reflected.fields");
    assert_ne!(path[1]["method"], "seeds.Reflected.fields", "{path}");
}

/// A suite of what looks like JUnit 4: tests that share a field, one of which starts a thread, and one that is given something.
const SUITE: [(&str, &str); 2] = [
    ("Test.java", "package org.junit; public @interface Test {}"),
    (
        "Suite.java",
        "public class Suite {
            static int inTurn, inThread;
            @org.junit.Test public void first() { inTurn++; }
            @org.junit.Test public void second() { inTurn++; new Thread(() -> inThread++).start(); inThread++; }
            public void never() { new Thread(() -> inTurn++).start(); }
        }",
    ),
];

/// Tests come one after the other, and nothing else is called: what frameworks do besides is for `jrace run --focus` to follow.
#[test]
fn races_in_tests_are_those_of_threads_that_tests_start() {
    let bench = Bench::new();
    let sources = SUITE.map(|(name, text)| {
        bench.write(name, text);
        bench.path(name)
    });
    bench.jdk.compile(&sources, &bench.path("suite"), &["--release", "17"]).unwrap();
    let ended = bench.jrace(&["races", "--json", "--tests", "suite"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(66), ""), "{ended:?}");
    assert_eq!(names(&ended.json()), ["Suite.inThread"]);
    bench.jdk.compile(&[bench.path("Test.java")], &bench.path("none"), &[]).unwrap();
    bench
        .jrace(&["races", "--tests", "none"])
        .failed_with("no method is a test of JUnit or TestNG: name the directory or the jar of the tests too");
}

/// Of ways to one place, a race is one that does without the locks of the others, whichever method comes first in the class.
#[test]
fn the_ways_that_are_shown_do_without_locks_that_others_hold() {
    for (locked, unlocked) in [("a", "b"), ("b", "a")] {
        for (counter, count) in [("int n;", "n++;"), ("final int[] n = new int[1];", "n[0]++;")] {
            let bench = Bench::new();
            let methods = [
                format!("public synchronized void {locked}() {{ count(); }}"),
                format!("public void {unlocked}() {{ further(); }} private void further() {{ count(); }}"),
            ];
            let mut methods = methods.to_vec();
            methods.sort();
            let methods = methods.join(" ");
            bench.write(
                "P.java",
                &format!("public class P {{ {counter} {methods} private void count() {{ {count} }} }}"),
            );
            std::fs::create_dir(bench.path("classes")).unwrap();
            bench.jdk.compile(&[bench.path("P.java")], &bench.path("classes"), &[]).unwrap();
            let json = bench.jrace(&["races", "--json", "--api", "*", "classes"]).json();
            let race = &json["variables"][0]["races"][0];
            for access in race["accesses"].as_array().unwrap() {
                let path = access["path"].as_array().unwrap();
                let methods: Vec<&str> = path.iter().map(|frame| frame["method"].as_str().unwrap()).collect();
                assert_eq!(methods, ["P.count", "P.further", &format!("P.{unlocked}")], "{locked} {count}");
            }
        }
    }
}
