//! The command as a whole, with a shell script in the place of a JVM: it finds its output directory where a JVM would, in
//! `JAVA_TOOL_OPTIONS`, and writes a findings file there.
#![expect(clippy::disallowed_methods, reason = "tests prepare files")]

mod baselines;
mod doctor;
mod ended;
mod formats;
mod sarif;
mod schema;
mod terminal;
mod wrong;

use std::fs::File;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use facts::access::AccessKind;
use facts::event::{Event, EventKind, Location};
use facts::finding::Jvm;
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::trace::{FieldDefinition, TraceWriter};
use jrace_tests::jdk::Jdk;
use tempfile::TempDir;

use ended::Ended;

/// Writes a findings file with a race on `bank.Account.$1`, as the JVM with process id `$2`; its grade is `$3`, if there is one.
const FAKE_JVM: &str = r#"
out=$(printf %s "$JAVA_TOOL_OPTIONS" | sed -n 's/.*output=\([^,"]*\).*/\1/p')
thread='{"id":1,"name":"main","alive":true,"created":[]}'
access() {
    echo '{"kind":"'$1'","stack":[{"class":"bank/Account","method":"'$1'","descriptor":"()V","offset":0,"line":'$2',"file":"Account.java"}],"thread":'$thread',"locks":[]}'
}
file="$out/findings-$2-1000.jsonl"
echo '{"jvm":{"format":1,"pid":'$2',"started":1000,"version":"17","command":"bank.Main","check":"eraser, field"}}' > "$file"
if [ "$1" != none ]; then
    variable='{"kind":"field","class":"bank/Account","name":"'$1'","descriptor":"I"}'
    echo '{"finding":{"rule":"race","evidence":"lockset","variable":'$variable',"conflicts":[{'${3:+'"grade":"'$3'",'}'"current":'$(access write 10)',"previous":'$(access read 20)'}]}}' >> "$file"
    echo '{"seen":{"variable":'$variable',"accesses":5,"objects":1}}' >> "$file"
fi
echo '{"end":{"checked_classes":1,"woven_classes":1,"unwoven_classes":0,"unwoven_methods":0,"huge_methods":0,"sites":1,"threads":2,"weaving_nanos":1}}' >> "$file"
echo "program output"
"#;

/// A working directory with a fake JVM and a fake agent, below a name with a space and a comma.
struct Bench {
    directory: TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { directory: tempfile::Builder::new().prefix("a b,c").tempdir().unwrap() };
        bench.write("jvm", FAKE_JVM);
        bench.write_script("unchecked", r#"
            jvm='{"jvm":{"format":1,"pid":'$1',"started":1000,"version":"11","command":"old.Main","check":"eraser, field"}}'
            printf '%s\n{"unchecked":"this is JDK 11"}\n' "$jvm" > "$out/findings-$1-1000.jsonl""#);
        bench.write_script(
            "idle",
            r#"sh ./jvm none 5; sed -i 's/"checked_classes":1/"checked_classes":0/' "$out/findings-5-1000.jsonl""#,
        );
        bench.write_script("damaged", r#"echo '{"jv' > "$out/findings-8-1000.jsonl""#);
        std::fs::write(bench.path().join("libjrace.so"), library()).unwrap();
        bench
    }

    /// Where the fake JVM would write, in a script.
    fn write_script(&self, name: &str, body: &str) {
        let out = r#"out=$(printf %s "$JAVA_TOOL_OPTIONS" | sed -n 's/.*output=\([^,"]*\).*/\1/p')"#;
        self.write(name, &format!("{out}\n{body}\n"));
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jrace"));
        command.args(arguments).current_dir(self.path()).env("JRACE_AGENT", self.path().join("libjrace.so"));
        command.env_remove("JRACE_OPTIONS").env_remove("JAVA_TOOL_OPTIONS").env_remove("JAVA_HOME");
        command
    }

    fn jrace(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command(arguments).output().unwrap())
    }

    /// `jrace run FLAGS -- sh jvm FIELD PID; exit CODE`.
    fn run(&self, flags: &[&str], program: &str) -> Ended {
        self.jrace(&[&["run"], flags, &["--", "sh", "-c", program]].concat())
    }
}

/// The head of a library of this machine, without a table of sections.
fn library() -> Vec<u8> {
    let mut head = std::fs::read(env!("CARGO_BIN_EXE_jrace")).unwrap()[..64].to_vec();
    head[0x28..0x30].fill(0);
    head[0x3c..0x3e].fill(0);
    head
}

fn summary(text: &str) -> &str {
    text.lines().last().unwrap()
}

// The output directory of the fake JVM must not contain a comma, which its `sed` could not undo.
fn output() -> TempDir {
    tempfile::Builder::new().prefix("jrace out").tempdir().unwrap()
}

#[test]
fn exit_codes_tell_what_happened() {
    let (bench, out) = (Bench::new(), output());
    let flag = format!("--output={}", out.path().display());
    for (flags, program, expected) in [
        (&[][..], "sh ./jvm none 1", 0),
        (&[], "sh ./jvm none 1; exit 3", 3),
        (&[], "sh ./jvm x 1", 66),
        (&[], "sh ./jvm x 1; exit 3", 66),
        (&["--exitcode=7"], "sh ./jvm x 1", 7),
        (&["--exitcode=0"], "sh ./jvm x 1; exit 3", 3),
        (&[], "sh ./jvm none 1; kill -TERM $$", 143),
        (&[], "true", 2),
        (&["--allow-none"], "true", 0),
        (&[], "exit 3", 3),
        (&[], "sh ./jvm none 1; sh ./unchecked 2", 2),
        (&["--allow-none"], "sh ./jvm none 1; sh ./unchecked 2", 0),
        (&[], "sh ./jvm x 1; sh ./unchecked 2; exit 3", 66),
        (&[], "sh ./idle", 2),
        (&["--allow-none"], "sh ./idle", 0),
        (&[], "sh ./idle; sh ./jvm none 1", 0),
        (&[], "sh ./jvm none 1; sh ./damaged", 2),
        (&["--allow-none"], "sh ./damaged", 2),
        (&[], "sh ./jvm x 1; sh ./damaged", 66),
    ] {
        let ended = bench.run(&[&[flag.as_str()], flags].concat(), program);
        assert_eq!(ended.code, Some(expected), "{flags:?} {program}: {ended:?}");
        assert!(summary(&ended.err).ends_with(&format!(", exit {expected}")), "{}", ended.err);
    }
}

#[test]
fn possible_races_are_shown_and_fail_only_when_asked_for() {
    let (bench, out) = (Bench::new(), output());
    let output = format!("--output={}", out.path().display());
    let run = |flags: &[&str], program: &str| bench.run(&[&[output.as_str()], flags].concat(), program);
    let ended = run(&[], "sh ./jvm x 1 possible");
    let expected = "SUMMARY: jrace: 0 races in 0 variables, 1 possible race in 1 variable (0 suppressed, 0 in baseline), 1 JVM, exit 0";
    assert_eq!((ended.code, summary(&ended.err)), (Some(0), expected), "{ended:?}");
    assert!(ended.err.contains("POSSIBLE RACE on field bank.Account.x (int)\n"), "{ended:?}");
    for (flags, program, expected) in [
        (&[][..], "sh ./jvm x 1 possible; exit 3", 3),
        (&["--fail-on=possible"], "sh ./jvm x 1 possible", 66),
        (&["--option", "fail_on=possible", "--exitcode=7"], "sh ./jvm x 1 possible", 7),
        (&[], "sh ./jvm x 1 certain", 66),
        (&[], "sh ./jvm x 1 possible; sh ./jvm x 2 certain", 66),
        (&[], "sh ./jvm x 1 possible; sh ./jvm x 2", 66),
    ] {
        assert_eq!(run(flags, program).code, Some(expected), "{flags:?} {program}");
    }
    bench.write("jrace.toml", "fail_on = 'possible'\n");
    assert_eq!(run(&[], "sh ./jvm x 1 possible").code, Some(66));
    assert_eq!(run(&["--fail-on=certain"], "sh ./jvm x 1 possible").code, Some(0));
    run(&["--fail-on=never"], "true")
        .failed_with("option `fail_on` cannot be `never`: it takes `certain`, `possible` or `unlikely`");
}

#[test]
fn unlikely_races_are_one_line_until_they_are_asked_for() {
    let (bench, out) = (Bench::new(), output());
    let output = format!("--output={}", out.path().display());
    let run = |flags: &[&str]| {
        bench.run(&[&[output.as_str()], flags].concat(), "sh ./jvm x 1 unlikely; sh ./jvm y 2 unlikely")
    };
    let line = "Unlikely races in 2 variables (--unlikely shows them in full): bank.Account.x, bank.Account.y\n";
    let head = "UNLIKELY RACE on field bank.Account.x (int)\n";
    for (flags, code, is_shown) in [
        (&[][..], 0, false),
        (&["--fail-on=possible"], 0, false),
        (&["--unlikely"], 0, true),
        (&["--full-stacks"], 0, true),
        (&["--fail-on=unlikely"], 66, true),
    ] {
        let ended = run(flags);
        let expected = "SUMMARY: jrace: 0 races in 0 variables, 2 unlikely races in 2 variables (0 suppressed, 0 in baseline), 2 JVMs, exit";
        assert_eq!((ended.code, summary(&ended.err)), (Some(code), &*format!("{expected} {code}")), "{flags:?}");
        assert_eq!((ended.err.contains(line), ended.err.contains(head)), (!is_shown, is_shown), "{flags:?} {ended:?}");
    }
    let n_lines = |flags: &[&str]| run(flags).err.lines().filter(|line| line.contains("unlikely race on")).count();
    assert_eq!([n_lines(&["--brief"]), n_lines(&["--brief", "--unlikely"])], [0, 2]);
}

#[test]
fn findings_are_written_for_code_scanning() {
    let (bench, out) = (Bench::new(), output());
    let directory = out.path().to_str().unwrap();
    bench.run(&["--output", directory], "sh ./jvm x 1 possible; sh ./jvm y 2 certain; sh ./jvm z 3; sh ./unchecked 4");
    let ended = bench.jrace(&["report", directory, "--sarif", "r.sarif"]);
    assert_eq!(ended.code, Some(66));
    let text = std::fs::read_to_string(bench.path().join("r.sarif")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    sarif::validate(&document);
    let results = document["runs"][0]["results"].as_array().unwrap();
    let levels: Vec<_> = results.iter().map(|result| result["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["error", "error", "warning"]);
    let notes = document["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(notes.contains("ran unchecked: this is JDK 11"), "{notes}");
    // A run has the forms of its report.
    let ended =
        bench.run(&["--output", directory, "--sarif", "run.sarif", "--html", "run.html"], "sh ./jvm x 1 certain");
    assert_eq!(ended.code, Some(66), "{ended:?}");
    let written = |name: &str| std::fs::read_to_string(bench.path().join(name)).unwrap();
    let document: serde_json::Value = serde_json::from_str(&written("run.sarif")).unwrap();
    sarif::validate(&document);
    assert_eq!(document["runs"][0]["results"][0]["properties"]["grade"], "certain");
    let page = written("run.html");
    assert!(page.contains("<title>jrace run</title>") && page.contains("data-rule=\"race\""), "{page}");
    bench
        .jrace(&["report", directory, "--sarif", "none/r.sarif"])
        .failed_with("cannot write the results to `none/r.sarif`; choose another file with --sarif: No such file or directory (os error 2)");
}

#[test]
fn a_run_writes_its_document_with_both_exit_codes() {
    let (bench, out) = (Bench::new(), output());
    let directory = out.path().to_str().unwrap();
    for (program, flags, exits) in [
        ("sh ./jvm x 1 certain; exit 3", &[][..], (66, 3)),
        ("sh ./jvm x 1 certain; exit 3", &["--exitcode-on", "success"], (3, 3)),
        ("sh ./jvm x 1 certain; kill -9 $$", &["--exitcode", "0"], (137, 137)),
        ("sh ./jvm x 1 certain", &[], (66, 0)),
    ] {
        let flags = [&["--output", directory, "--json", "run.json"], flags].concat();
        assert_eq!(bench.run(&flags, program).code, Some(exits.0), "{program}");
        let written = std::fs::read_to_string(bench.path().join("run.json")).unwrap();
        let document = schema::valid("report", &written);
        let told = (&document["exit"], &document["command_exit"], &document["findings"][0]["name"]);
        assert_eq!(told, (&exits.0.into(), &exits.1.into(), &"bank.Account.x".into()), "{document}");
    }
    let report = schema::valid("report", &bench.jrace(&["report", "--json", directory]).out);
    assert!(report["command_exit"].is_null(), "{report}");
    bench
        .run(&["--json", "none/run.json"], "true")
        .failed_with("cannot write the document to `none/run.json`; choose another file with --json: No such file or directory (os error 2)");
}

#[test]
fn a_baseline_of_a_possible_race_knows_no_certain_one() {
    let (bench, out) = (Bench::new(), output());
    let directory = out.path().to_str().unwrap();
    let baseline = |grade: &str| {
        bench.run(&["--output", directory], &format!("sh ./jvm x 1 {grade}"));
        bench.jrace(&["report", "--last", directory, "--write-baseline", &format!("{grade}.json")]);
        format!("--baseline={grade}.json")
    };
    let known = ["possible", "certain"].map(baseline);
    for (baseline, grade, expected) in [
        (&known[0], "possible", "0 races in 0 variables (0 suppressed, 1 in baseline), 1 JVM, exit 0"),
        (&known[0], "certain", "1 race in 1 variable (0 suppressed, 0 in baseline), 1 JVM, exit 66"),
        (&known[0], "", "0 races in 0 variables (0 suppressed, 1 in baseline), 1 JVM, exit 0"),
        (&known[1], "possible", "0 races in 0 variables (0 suppressed, 1 in baseline), 1 JVM, exit 0"),
        (&known[1], "certain", "0 races in 0 variables (0 suppressed, 1 in baseline), 1 JVM, exit 0"),
    ] {
        let flags = ["--output", directory, baseline, "--fail-on=possible"];
        let ended = bench.run(&flags, &format!("sh ./jvm x 1 {grade}"));
        assert_eq!(summary(&ended.err), format!("SUMMARY: jrace: {expected}"), "{baseline} {grade}");
    }
}

/// The first word that is no option begins the command, which keeps its own options.
#[test]
fn nobody_needs_two_dashes() {
    let (bench, out) = (Bench::new(), output());
    let ended = bench.jrace(&[
        "run",
        "--output",
        out.path().to_str().unwrap(),
        "sh",
        "-c",
        "sh ./jvm x 1; exit $0",
        "3",
        "--all",
    ]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(66), "program output\n"), "{ended:?}");
    assert!(bench.jrace(&["run", "--focsu", "sh"]).err.contains("has no option `--focsu`: did you mean `--focus`?"));
}

#[test]
fn no_path_is_missed_without_advice() {
    let bench = Bench::new();
    for arguments in [
        &["check", "none.jar"][..],
        &["races", "none.jar"],
        &["explain", "a.B", "none.jar"],
        &["replay", "none"],
        &["report", "none"],
        &["instrument", "none.jar", "-o", "out.jar"],
        &["run", "--baseline", "none", "--", "true"],
        &["run", "--suppressions", "none", "--", "true"],
        &["check", "--annotations", "none", "."],
        &["check", "--observed", "none", "."],
        &["check", "--types", "none", "."],
        &["discover", "--merge", "none", "--", "true"],
        &["run", "none-such-program"],
    ] {
        let ended = bench.jrace(arguments);
        assert_eq!((ended.code, ended.err.lines().count()), (Some(2), 1), "{arguments:?} {ended:?}");
        assert!(ended.err.contains("none") && ended.err.contains([';', ':']), "{arguments:?} {ended:?}");
        let what = ended.err.trim_start_matches("jrace: ");
        let advised =
            ["; name", ": name", "; write", "; correct", ": correct"].iter().any(|advice| what.contains(advice));
        assert!(advised, "{arguments:?} {ended:?}");
    }
}

#[test]
fn the_program_owns_standard_output() {
    let (bench, out) = (Bench::new(), output());
    let ended = bench.run(&["--output", out.path().to_str().unwrap()], "sh ./jvm x 1");
    assert_eq!(ended.out, "program output\n");
    assert!(ended.err.contains("RACE on field bank.Account.x (int)\n"), "{}", ended.err);
    let expected = "SUMMARY: jrace: 1 race in 1 variable (0 suppressed, 0 in baseline), 1 JVM, exit 66";
    assert_eq!(summary(&ended.err), expected);
}

#[test]
fn runs_are_reported_alone_and_merged_on_demand() {
    let (bench, out) = (Bench::new(), output());
    let directory = out.path().to_str().unwrap();
    let first = bench.run(&["--output", directory], "sh ./jvm x 1; sh ./jvm x 2");
    assert!(summary(&first.err).contains("1 race in 1 variable (0 suppressed, 0 in baseline), 2 JVMs"), "{first:?}");
    let second = bench.run(&["--output", directory], "sh ./jvm y 3");
    assert!(summary(&second.err).contains("1 race in 1 variable"), "{second:?}");
    let all = bench.jrace(&["report", directory]);
    assert_eq!((all.code, all.err.as_str()), (Some(66), ""));
    assert!(summary(&all.out).contains("2 races in 2 variables (0 suppressed, 0 in baseline), 3 JVMs"), "{all:?}");
    assert!(all.out.contains("Seen 10 times on 2 objects in JVM 1 (bank.Main), JVM 2 (bank.Main)"), "{all:?}");
    assert_eq!(bench.jrace(&["report", directory, directory]).out, all.out);
    let last = bench.jrace(&["report", "--last", directory]);
    assert!(summary(&last.out).contains("1 race in 1 variable (0 suppressed, 0 in baseline), 1 JVM,"), "{last:?}");
    let json: serde_json::Value = schema::valid("report", &bench.jrace(&["report", "--json", directory]).out);
    assert_eq!(json["summary"]["races"], 2);
}

#[test]
fn known_and_suppressed_findings_do_not_count() {
    let (bench, out) = (Bench::new(), output());
    let directory = out.path().to_str().unwrap();
    bench.run(&["--output", directory], "sh ./jvm x 1");
    let written = bench.jrace(&["report", directory, "--write-baseline", "known.json"]);
    assert_eq!(
        (written.code, written.err.as_str()),
        (Some(0), "jrace: wrote a baseline of 1 finding to `known.json`\n")
    );
    bench.write("quiet.txt", "# known\nrace:^bank.Account.z$\nrace:nothing\n");
    let flags = ["--output", directory, "--baseline=known.json", "--suppressions=quiet.txt"];
    let ended = bench.run(&flags, "sh ./jvm x 1; sh ./jvm z 2");
    assert_eq!(ended.code, Some(0));
    assert_eq!(
        ended.err.lines().skip(1).collect::<Vec<_>>(),
        [
            "note: the suppression `race:nothing` (line 3) matched nothing",
            "SUMMARY: jrace: 0 races in 0 variables (1 suppressed, 1 in baseline), 2 JVMs, exit 0"
        ]
    );
    assert_eq!(bench.run(&flags, "sh ./jvm y 1").code, Some(66));
}

#[test]
fn the_agent_gets_the_merged_options() {
    let bench = Bench::new();
    bench.write("jrace.toml", "include = ['a.*', 'b.*']\nstack_depth = 7\nrecord = 'traces'\n");
    let mut command = bench.command(&["run", "--exclude=c.*", "--jvm-option=-Dx=a b", "--option", "jdk=1", "--"]);
    command.args(["sh", "-c", "printf '%s' \"$JAVA_TOOL_OPTIONS\""]);
    command.env("JRACE_OPTIONS", "stack_depth=9").env("JAVA_TOOL_OPTIONS", "-Xmx1g");
    let ended = Ended::of(command.output().unwrap());
    let root = bench.path().canonicalize().unwrap().display().to_string();
    let (start, rest) = ended.out.split_once(",output=").unwrap();
    let escaped = root.replace(',', "\\,");
    assert_eq!(
        start,
        format!(
            "-XX:Tier3DelayOn=1000 -Xmx1g \"-agentpath:{root}/libjrace.so=config=,exclude=c.*,include=a.*:b.*,jdk=1"
        )
    );
    let end = format!(",record={escaped}/traces,stack_depth=9\" \"-Dx=a b\"");
    assert!(rest.starts_with(&format!("{escaped}/.jrace/run-")) && rest.ends_with(&end), "{rest}");
    assert!(bench.path().join("traces").is_dir());
    assert_eq!(std::fs::read_dir(bench.path().join(".jrace")).unwrap().count(), 0);
    assert!(ended.err.starts_with("jrace: no JVM loaded the agent: the command started no JVM, "), "{}", ended.err);
    assert_eq!(ended.code, Some(2));
}

#[test]
fn what_was_not_checked_is_said_in_every_form() {
    let (bench, out) = (Bench::new(), output());
    let directory = out.path().to_str().unwrap();
    let ended = bench.run(&["--output", directory], "sh ./jvm none 1; sh ./unchecked 2; sh ./damaged");
    for note in [
        "note: JVM 2 (old.Main) ran unchecked: this is JDK 11\n",
        "note: 1 of 2 JVMs known to have started were checked\n",
        "findings-8-1000.jsonl` holds no findings: none of its lines is a record of jrace\n",
    ] {
        assert!(ended.err.contains(note), "{note}: {}", ended.err);
    }
    assert_eq!(
        summary(&ended.err),
        "SUMMARY: jrace: 0 races in 0 variables (0 suppressed, 0 in baseline), 1 JVM, exit 2"
    );
    let page = bench.path().join("page.html");
    let report = bench.jrace(&["report", "--json", "--html", page.to_str().unwrap(), directory]);
    let json: serde_json::Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!((report.code, &json["exit"]), (Some(2), &2.into()));
    assert_eq!((&json["summary"]["jvms"], &json["summary"]["started"]), (&1.into(), &2.into()));
    assert_eq!(json["jvms"][1]["unchecked"][0], "this is JDK 11");
    assert!(json["problems"][0].as_str().unwrap().ends_with("none of its lines is a record of jrace"), "{json}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("ran unchecked: this is JDK 11"), "{page}");
    std::fs::remove_file(
        std::fs::read_dir(out.path()).unwrap().next().unwrap().unwrap().path().join("findings-8-1000.jsonl"),
    )
    .unwrap();
    assert_eq!(bench.jrace(&["report", directory]).code, Some(2));
    assert_eq!(bench.jrace(&["report", "--allow-none", directory]).code, Some(0));
}

#[test]
fn an_agent_that_no_jvm_can_load_is_refused() {
    let bench = Bench::new();
    let refused = |bytes: &[u8], why: &str| {
        std::fs::write(bench.path().join("libjrace.so"), bytes).unwrap();
        let path = bench.path().join("libjrace.so").canonicalize().unwrap();
        let advice = "build it again, or name another with --agent or JRACE_AGENT";
        bench
            .run(&[], "touch started")
            .failed_with(&format!("the agent `{}` cannot be used; {advice}: {why}", path.display()));
        assert!(!bench.path().join("started").exists());
    };
    refused(b"", "it is too short for a library: failed to fill whole buffer");
    refused(&[b'x'; 100], "it is no library");
    let mut cut = library();
    cut[0x28] = 0xff;
    refused(&cut, "it is cut short");
    let mut foreign = library();
    foreign[18] ^= 0xff;
    refused(&foreign, "it is no library for this machine");
}

#[test]
fn what_is_not_there_is_not_passed_over() {
    let bench = Bench::new();
    bench.write("app.jar", "");
    let wrong_home = bench.command(&["check", "app.jar"]).env("JAVA_HOME", "/no/jdk").output().unwrap();
    Ended::of(wrong_home).failed_with("JAVA_HOME is `/no/jdk`, which is no directory: correct or unset it");
    for library in ["lib/a.jar", "lib/*"] {
        bench
            .jrace(&["check", "app.jar", "--library", library])
            .failed_with(&format!("the library `{library}` does not exist: correct it, or leave it out of --library"));
    }
    bench.write("notes.txt", "no findings\n");
    bench.jrace(&["report", "notes.txt"]).failed_with(
        "there is nothing to report: `notes.txt` holds no findings: none of its lines is a record of jrace; name findings \
         files, or the output directory of a run",
    );
}

#[test]
fn mistakes_are_one_sentence() {
    let bench = Bench::new();
    let run = |flags: &[&str]| bench.run(flags, "true");
    run(&["--option", "granularty=x"])
        .failed_with("unknown option `granularty` (did you mean `granularity`?); `jrace help options` lists them all");
    run(&["--check=lockset"])
        .failed_with("option `check` cannot be `lockset`: it takes `hybrid`, `happens-before`, `eraser` or `none`");
    run(&["--tasks", "--check=eraser"]).failed_with(
        "races of tasks are possible ones, which only `--check hybrid` reports: leave out `--check eraser`, or set `tasks` to 0",
    );
    run(&["--option=tasks=1", "--focus"]).failed_with(
        "what one thread does is not told apart by task where it is proved: leave out the focus, or set `tasks` to 0",
    );
    run(&["--agent=nowhere.so"])
        .failed_with("there is no agent at `nowhere.so`: name the file libjrace.so with --agent or JRACE_AGENT");
    run(&["--output=jvm"]).failed_with(
        "cannot write to the output directory `jvm`; choose another with --output: Not a directory (os error 20)",
    );
    bench.write("bad.txt", "race:x\nrace\n");
    let path = bench.path().canonicalize().unwrap();
    run(&["--suppressions=bad.txt"]).failed_with(&format!(
        "in the suppressions file `{}/bad.txt`: line 2: `race` is not of the form `race:PATTERN`",
        path.display()
    ));
    run(&["--focus-set=no-set"]).failed_with(
        "cannot use the focus set `no-set`; write one with `jrace check --focus-set`: No such file or directory (os error 2)",
    );
    bench.write("app.jar", "");
    let without_jdk = bench.command(&["check", "app.jar"]).env("PATH", "").output().unwrap();
    Ended::of(without_jdk).failed_with("no JDK was found: set JAVA_HOME to one, or name it with --jdk");
    bench
        .jrace(&["run", "--", "./no-such-program"])
        .failed_with("cannot start `./no-such-program`; name a program that is on the PATH, or its path: No such file or directory (os error 2)");
    let failed = bench.jrace(&["run", "sh", "-c", "exit 3"]);
    let sentence = "jrace: the command failed (exit status: 3) and no JVM had loaded the agent, so nothing was checked: what it says may tell why\n";
    assert!(failed.code == Some(3) && failed.err.starts_with(sentence), "{failed:?}");
    let unnamed = bench.command(&["run", "true"]).env("JRACE_AGENT", "").output().unwrap();
    Ended::of(unnamed).failed_with("JRACE_AGENT is empty: unset it, or let it name the file libjrace.so");
    bench.jrace(&["instrument", "jvm", "--output", "no/woven.jar"]).failed_with(
        "cannot weave `jvm` to `no/woven.jar`; name a jar or classes, and with --output a place for a copy: \
         jvm is not a jar that can be read: invalid Zip archive: Could not find EOCD",
    );
    let denied = "Permission denied (os error 13)";
    bench.jrace(&["run", "--", "./jvm"]).failed_with(&format!(
        "cannot start `./jvm`; make it executable, or name the program that runs it, as in `jrace run -- sh FILE`: {denied}"
    ));
    bench
        .jrace(&["run", "./app.jar"])
        .failed_with(&format!("cannot start `./app.jar`; run a jar with `jrace run -- java -jar FILE`: {denied}"));
    bench
        .jrace(&["run", "/"])
        .failed_with(&format!("cannot start `/`; it is a directory: name the program in it: {denied}"));
    bench.jrace(&["replay", "/"]).failed_with("`/` is a directory: name a trace in it");
    bench.jrace(&["run", "-jar", "app.jar"]).failed_with(
        "`jrace run` has no option `-jar`: what is for the program comes after its name, as in `jrace run -- java -jar app.jar`",
    );
    bench
        .jrace(&["java", "-jar", "app.jar"])
        .failed_with("jrace has no command `java`: to check what it does, write `jrace run -- java -jar app.jar`");
    bench.jrace(&["discover"]).failed_with(
        "there is no type log `.jrace/types.jsonl`: `jrace discover -- COMMAND` makes one, and --output names another",
    );
    Bench::new()
        .jrace(&["report"])
        .failed_with("there is no directory `.jrace`: name one, or first run `jrace run -- COMMAND`");
    bench.jrace(&["help", "nothing"]).failed_with("there is no help on `nothing`: name a command or `options`");
    bench.jrace(&["demo", "nothing"]).failed_with("there is no demo `nothing`: `jrace demo --list` names them all");
    bench.write("jrace.toml", "sharpness = 3");
    bench
        .jrace(&["report"])
        .failed_with("in jrace.toml: unknown option `sharpness`; `jrace help options` lists them all");
}

/// A report that is lost is none.
#[test]
fn a_full_disk_is_a_failure() {
    let bench = Bench::new();
    for words in [&["schema", "report"][..], &["help", "options"], &["doctor"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let child = bench.command(words).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let ended = Ended::of(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(2), "{words:?}: {ended:?}");
        assert!(ended.err.contains("cannot write to standard output"), "{words:?}: {ended:?}");
    }
}

/// What a command says that is told to end once its program has written `ready`.
fn ended_when_ready(bench: &Bench, mut command: Command, program: &str) -> Ended {
    let child = command.args(["sh", "-c", program]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !bench.path().join("ready").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").arg(child.id().to_string()).status().unwrap();
    Ended::of(child.wait_with_output().unwrap())
}

#[test]
fn a_running_jrace_hands_signals_on() {
    let (bench, out) = (Bench::new(), output());
    let program = "trap 'sh ./jvm x 1; exit 5' TERM; echo ready > ready; while :; do sleep 0.05; done";
    let command = bench.command(&["run", "--exitcode=0", "--output", out.path().to_str().unwrap(), "--"]);
    let ended = ended_when_ready(&bench, command, program);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(summary(&ended.err).contains("1 race in 1 variable"), "{ended:?}");
}

/// Whoever ends the run that learns wants no other one.
#[test]
fn a_signal_while_classes_are_learnt_ends_it_all() {
    let (bench, out) = (Bench::new(), output());
    let program = "[ -e ready ] && exit 0; trap 'exit 0' TERM; echo ready > ready; while :; do sleep 0.05; done";
    let command = bench.command(&["run", "--focus", "--output", out.path().to_str().unwrap(), "--"]);
    let ended = ended_when_ready(&bench, command, program);
    assert_eq!(ended.code, Some(143), "{ended:?}");
    assert!(ended.err.contains("the command is not run a second time"), "{ended:?}");
}

/// A pipe in the place of the trace keeps the checker waiting.
#[test]
fn a_signal_ends_jrace_when_the_command_has_ended() {
    let (bench, out, temporary) = (Bench::new(), output(), output());
    let program = r#"sh ./jvm none 1; traces=$(printf %s "$JAVA_TOOL_OPTIONS" | sed -n 's/.*record=\([^,"]*\).*/\1/p')
        mkdir -p "$traces"; mkfifo "$traces/trace-1-1000.jrt"; echo ready > ready"#;
    let mut command = bench.command(&["run", "--atomicity", "--output", out.path().to_str().unwrap(), "--"]);
    command.args(["sh", "-c", program]).env("TMPDIR", temporary.path()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !bench.path().join("ready").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    // The first ones may still be meant for the command.
    let ended = (0..200).find_map(|_| {
        Command::new("kill").arg(child.id().to_string()).status().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().unwrap()
    });
    let _ = child.kill();
    assert_eq!(ended.and_then(|ended| ended.signal()), Some(15), "{ended:?}");
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0);
}

#[test]
fn a_signal_while_traces_are_looked_at_shows_the_races() {
    let (bench, out, temporary) = (Bench::new(), output(), output());
    let program = r#"sh ./jvm x 1; traces=$(printf %s "$JAVA_TOOL_OPTIONS" | sed -n 's/.*record=\([^,"]*\).*/\1/p')
        mkdir -p "$traces"; mkfifo "$traces/trace-1-1000.jrt"; echo ready > ready"#;
    let mut command = bench.command(&["run", "--atomicity", "--output", out.path().to_str().unwrap(), "--"]);
    command.args(["sh", "-c", program]).env("TMPDIR", temporary.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    while !bench.path().join("ready").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let ended = (0..200).any(|_| {
        Command::new("kill").arg(child.id().to_string()).status().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().unwrap().is_some()
    });
    let _ = child.kill();
    let ended = (ended, Ended::of(child.wait_with_output().unwrap()));
    assert_eq!((ended.0, ended.1.code), (true, Some(66)), "{ended:?}");
    assert!(ended.1.err.contains("RACE on field bank.Account.x (int)\n"), "{ended:?}");
    assert!(ended.1.err.contains("note: a signal came before everything was looked at"), "{ended:?}");
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0);
}

#[test]
fn the_next_run_clears_what_a_killed_one_has_left() {
    let (bench, out, temporary) = (Bench::new(), output(), output());
    let traces = |program: &str| {
        format!(
            r#"traces=$(printf %s "$JAVA_TOOL_OPTIONS" | sed -n 's/.*record=\([^,"]*\).*/\1/p'); mkdir -p "$traces"
            echo x > "$traces/trace-4194305-1000.jrt"; {program}"#
        )
    };
    let command = |program: &str| {
        let mut command = bench.command(&["run", "--atomicity", "--output", out.path().to_str().unwrap(), "--"]);
        command.args(["sh", "-c", &traces(program)]).env("TMPDIR", temporary.path()).stdout(Stdio::null());
        command
    };
    let mut killed = command("echo $$ > pid; echo ready > ready; exec sleep 60").spawn().unwrap();
    while !bench.path().join("ready").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let others = || std::fs::read_dir(temporary.path()).unwrap().count();
    let beside = Ended::of(command("sh ./jvm none 1").output().unwrap());
    // The folder and its owner's file.
    assert_eq!((others(), beside.err.contains("cleared")), (2, false), "{beside:?}");
    killed.kill().unwrap();
    killed.wait().unwrap();
    let next = bench
        .command(&["run", "--output", out.path().to_str().unwrap(), "--", "sh", "-c", "sh ./jvm none 1"])
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    let next = Ended::of(next);
    assert!(
        next.err.contains("jrace: cleared `") && next.err.contains("(2 B), which a run has left that was killed"),
        "{next:?}"
    );
    assert_eq!((others(), next.code), (0, Some(0)));
    let pid = std::fs::read_to_string(bench.path().join("pid")).unwrap();
    Command::new("kill").arg(pid.trim()).status().unwrap();
}

/// A trace in which threads 1 and 2 write `bank.Account.balance` without a lock.
fn trace() -> Vec<u8> {
    let jvm = Jvm {
        format: 1,
        pid: 9,
        started: 1,
        version: String::new(),
        command: "bank.Main".into(),
        check: String::new(),
        options: Vec::new(),
        directory: String::new(),
    };
    let mut writer = TraceWriter::new(Vec::new(), &jvm).unwrap();
    let (class, name, descriptor) = ("bank/Account".to_owned(), "balance".to_owned(), "I".to_owned());
    writer.define_field(FieldId(1), &FieldDefinition { class, name, descriptor, flags: 0 }).unwrap();
    for thread in [1, 2] {
        let action = EventKind::Access(AccessKind::Write, Location::Field(ObjectId(5), FieldId(1)));
        writer.event(&Event { thread: ThreadId(thread), site: SiteId(thread), action }).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn traces_are_replayed_and_exported() {
    let bench = Bench::new();
    let trace = trace();
    std::fs::write(bench.path().join("trace"), &trace).unwrap();
    let ended = bench.jrace(&["replay", "trace"]);
    assert_eq!(ended.code, Some(66));
    assert!(ended.out.contains("RACE on field bank.Account.balance (int)\n"), "{ended:?}");
    assert_eq!(bench.jrace(&["replay", "trace", "--granularity=object", "--exitcode=5"]).code, Some(5));
    let exported = bench.jrace(&["replay", "trace", "--export", "std"]);
    assert_eq!((exported.code, exported.out.as_str()), (Some(0), "T1|w(V5.1)|1\nT2|w(V5.1)|2\n"));
    bench.jrace(&["replay", "trace", "--export", "std", "-o", "trace.std"]);
    assert_eq!(std::fs::read_to_string(bench.path().join("trace.std")).unwrap(), exported.out);

    std::fs::write(bench.path().join("cut"), &trace[..trace.len() - 4]).unwrap();
    let cut = bench.jrace(&["replay", "cut", "--json"]);
    let json: serde_json::Value = schema::valid("report", &cut.out);
    let problem = json["problems"][0].as_str().unwrap();
    assert!(problem.starts_with("`cut` is cut short from byte "), "{problem}");
    assert_eq!(json["findings"][0]["name"], "bank.Account.balance");
    bench.jrace(&["replay", "jvm"]).failed_with(
        "cannot replay `jvm`; name a trace that `jrace run --record DIR` has written: this is not a jrace trace",
    );
}

#[test]
fn help_tells_of_every_option() {
    let ended = Bench::new().jrace(&["help", "options"]);
    assert!(ended.out.contains("  exitcode           66"), "{}", ended.out);
    let ended = Bench::new().jrace(&["help", "run"]);
    assert!(ended.out.contains("--granularity <field|object>"), "{}", ended.out);
}

#[test]
fn schemas_are_printed() {
    let bench = Bench::new();
    let ended = bench.jrace(&["schema"]);
    assert!(ended.code == Some(0) && ended.out.contains("races     `jrace races --json`\n"), "{ended:?}");
    bench.jrace(&["schema", "rapport"]).failed_with(
        "there is no schema `rapport`: name one of report, check, explain, summary, races, compare, discover, baseline",
    );
}

/// Of what types prove, runs may show the opposite: one of the two is wrong, which is said.
#[test]
fn a_race_on_what_types_prove_race_free_is_told() {
    let bench = Bench::new();
    let out = output();
    let findings = out.path().to_str().unwrap();
    bench.run(&["--output", findings], "sh ./jvm x 1 certain; sh ./jvm y 2 possible");
    let methods = "public synchronized void write() { x++; y++; } public synchronized int read() { return x + y; }";
    bench.write(
        "Account.java",
        &format!("package bank; public class Account {{ private int x; private int y; {methods} }}"),
    );
    Jdk::oldest().compile(&[bench.path().join("Account.java")], &bench.path().join("classes"), &[]).unwrap();
    let ended = bench.jrace(&["check", "--observed", findings, "classes"]);
    let told = "jrace: runs have shown a race on bank.Account.x, which its type is taken to prove free of races: code that is not among \
                these classes may use it, or please report this\n";
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), told), "{ended:?}");
}

/// The document of every command keeps to its schema, with as much in it as can be.
#[test]
fn documents_keep_to_their_schemas() {
    let bench = Bench::new();
    std::fs::write(bench.path().join("trace"), trace()).unwrap();
    for checker in ["hybrid", "happens-before", "eraser", "block", "reduction", "deadlock"] {
        schema::valid("report", &bench.jrace(&["replay", "trace", "--json", "--checker", checker]).out);
    }
    let source = "package a; public class B { int x; final int[] y = new int[1]; public synchronized void m() { x++; y[0]++; } \
                  public synchronized void n() { x = 2; } public int r() { return x; } }";
    bench.write("B.java", source);
    Jdk::oldest().compile(&[bench.path().join("B.java")], &bench.path().join("classes"), &[]).unwrap();
    for flags in [&[][..], &["--all"]] {
        let ended = bench.jrace(&[&["check", "--json", "classes"], flags].concat());
        let document = schema::valid("check", &ended.out);
        assert_eq!((&document["fields"][0]["name"], ended.code), (&"a.B.x".into(), Some(66)), "{ended:?}");
    }
    let ended = bench.jrace(&["races", "--json", "--api", "a.*", "classes"]);
    assert_eq!(schema::valid("races", &ended.out)["variables"][0]["name"], "a.B.x", "{ended:?}");
}
