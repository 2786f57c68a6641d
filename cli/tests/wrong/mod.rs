//! Wrong uses: of every option of every command, as `--help` lists them, values that are none; of every argument, what is no such thing.
//! Each is answered by one sentence that names what is wrong and has a remedy, with exit code 2, and nothing that was there is lost.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use regex::Regex;

use super::Bench;

/// Commands, and what follows a wrong option so that nothing else is wrong. `demo` has the options of `run`.
const COMMANDS: [(&str, &[&str]); 13] = [
    ("run", &["--", "true"]),
    ("discover", &["--", "true"]),
    ("compare", &["--", "true"]),
    ("report", &["findings"]),
    ("baseline", &["update", "known.json"]),
    ("replay", &["trace"]),
    ("check", &["classes"]),
    ("explain", &["a.B.x", "classes"]),
    ("races", &["classes"]),
    ("summarize", &["classes", "--out", "made.sum"]),
    ("instrument", &["classes", "--output", "woven"]),
    ("doctor", &[]),
    ("man", &["pages"]),
];

/// Options that take any text, and why there is no wrong one.
const ANY_TEXT: [(&str, &str); 9] = [
    ("include", "a pattern matches what it matches"),
    ("exclude", "a pattern matches what it matches"),
    ("transactions", "a pattern matches what it matches"),
    ("api", "a pattern matches what it matches"),
    ("strip-path-prefix", "a path need not begin with it"),
    ("jvm-option", "each JVM says itself which ones it has"),
    ("main", "whether there is such a class is known once the classes are read; `races.rs` tries it"),
    ("output", "for directories that are made; those that cannot be are in `command.rs`"),
    ("agent", "doctor tells of it in its table; those of other commands are in `command.rs`"),
];

/// Options that name what is written: it may be there already, and need not be.
const WRITTEN: [&str; 11] = [
    "html",
    "json",
    "sarif",
    "junit",
    "write-baseline",
    "record",
    "record-reflection",
    "dump",
    "focus-set",
    "store",
    "out",
];

/// Options that go with another one only.
const TOGETHER: [(&str, &str, &str); 3] =
    [("explain", "types", "--why-not"), ("races", "store", "--modular"), ("races", "link", "--modular")];

/// What a sentence does that helps.
const REMEDY: &str = "name |choose|write|correct|give |set |use |run |did you mean|takes|unset|leave |--help|explains|update|of the form|the kinds are|names|needs";

struct Opt {
    name: String,
    /// What its value is called: `FILE`.
    value: String,
    /// Whether it may stand without one.
    is_optional: bool,
}

/// The options of a command that take a value.
fn options(bench: &Bench, command: &str) -> Vec<Opt> {
    let line = Regex::new(r"(?m)^ +(?:-\w, )?--([\w-]+)(\[=| )<([^>]+)>").unwrap();
    let help = bench.jrace(&[command, "--help"]).out;
    let option = |found: regex::Captures<'_>| Opt {
        name: found[1].to_owned(),
        value: found[3].to_owned(),
        is_optional: &found[2] == "[=",
    };
    line.captures_iter(&help).map(option).collect()
}

/// What is in the working directory, before every use anew.
fn furnish(bench: &Bench) {
    let path = |name: &str| bench.path().join(name);
    bench.write("garbage", "no such thing = {\n");
    bench.write("newer.json", r#"{"format": 999, "identity": 999, "jrace": "9.9"}"#);
    for folder in ["folder", "classes", "findings"] {
        fs::create_dir_all(path(folder)).unwrap();
    }
    let _ = symlink("loop", path("loop"));
    let jvm = r#"{"jvm":{"format":1,"pid":7,"started":1,"version":"17","command":"a.B","check":"hybrid, field"}}"#;
    bench.write("findings/findings-7-1.jsonl", &format!("{jvm}\n"));
}

/// Whether everything is there that was.
fn is_furnished(bench: &Bench) -> bool {
    let holds = |name: &str, text: &str| fs::read_to_string(bench.path().join(name)).is_ok_and(|there| there == text);
    let is_link = |name: &str| fs::symlink_metadata(bench.path().join(name)).is_ok_and(|data| data.is_symlink());
    let is_folder = |name: &str| Path::new(&bench.path().join(name)).is_dir();
    holds("garbage", "no such thing = {\n") && is_link("loop") && is_folder("folder") && is_folder("classes")
}

/// Values that are none of this option.
fn wrong_values(command: &str, option: &Opt) -> Vec<&'static str> {
    let is_written = WRITTEN.contains(&option.name.as_str()) && !(command == "run" && option.name == "focus-set");
    match option.value.as_str() {
        _ if ANY_TEXT.iter().any(|(name, _)| *name == option.name) => Vec::new(),
        "FILE" | "PATH" | "LOG" if is_written => vec!["none/such", "folder"],
        "DIR" if is_written => vec!["garbage"],
        // A link that leads to itself can be read by nobody, whoever runs the tests.
        "FILE" | "PATH" | "LOG" => vec!["none/such", "folder", "loop", "garbage", "newer.json"],
        "DIR" => vec!["none/such", "garbage", "loop"],
        "N" | "MB" | "RUNS" | "K" => vec!["x", "-1", "1.5", "99999999999999999999"],
        _ => vec!["nonsense"],
    }
}

/// One sentence that names one of these, has a remedy, and was said before anything was done.
fn refused(bench: &Bench, arguments: &[&str], named: &[&str]) -> Result<(), String> {
    furnish(bench);
    let ended = bench.jrace(arguments);
    let remedy = Regex::new(REMEDY).unwrap();
    let sentence = ended.err.strip_prefix("jrace: ").unwrap_or_default();
    let is_one = ended.err.ends_with('\n') && ended.err.lines().count() == 1 && ended.out.is_empty();
    let is_named = named.iter().any(|name| sentence.contains(name));
    let is_right = ended.code == Some(2) && is_one && is_named && remedy.is_match(sentence) && is_furnished(bench);
    if is_right { Ok(()) } else { Err(format!("jrace {}: {ended:?}", arguments.join(" "))) }
}

fn all_are_refused(uses: Vec<Result<(), String>>, least: usize) {
    let number = uses.len();
    let wrong: Vec<String> = uses.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{} of {number}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(number >= least, "only {number} uses");
}

#[test]
fn values_that_are_none_are_refused() {
    let bench = Bench::new();
    let mut uses = Vec::new();
    for (command, rest) in COMMANDS {
        for option in options(&bench, command) {
            let flag = format!("--{}", option.name);
            let together = TOGETHER.iter().filter(|(of, name, _)| (*of, *name) == (command, option.name.as_str()));
            let together: Vec<&str> = together.map(|(.., other)| *other).collect();
            for value in wrong_values(command, &option) {
                let given = format!("{flag}={value}");
                let arguments = [&[command, &given], &together[..], rest].concat();
                uses.push(refused(&bench, &arguments, &[value, &flag, &option.name.replace('-', "_")]));
            }
            if !option.is_optional {
                uses.push(refused(&bench, &[command, &flag], &[&flag]));
            }
        }
    }
    all_are_refused(uses, 250);
}

#[test]
fn names_are_suggested_only_if_they_are_near() {
    let bench = Bench::new();
    for (command, _) in COMMANDS {
        for far in ["--qq", "--zyxwv", "--unheard-of"] {
            let ended = bench.jrace(&[command, far]);
            assert!(ended.code == Some(2) && !ended.err.contains("did you mean"), "{command} {far}: {ended:?}");
        }
    }
    for far in ["foo", "x", "zyxwv"] {
        let ended = bench.jrace(&["run", "--option", &format!("{far}=1"), "--", "true"]);
        assert!(ended.code == Some(2) && !ended.err.contains("did you mean"), "{far}: {ended:?}");
    }
    for (near, meant) in [("--htlm", "--html"), ("--inclde", "--include"), ("--source-pth", "--source-path")] {
        let ended = bench.jrace(&["run", near, "x", "--", "true"]);
        assert!(ended.code == Some(2) && ended.err.contains(&format!("did you mean `{meant}`?")), "{ended:?}");
    }
}

#[test]
fn arguments_that_are_none_are_refused() {
    let bench = Bench::new();
    let mut uses = Vec::new();
    let files = ["none/such", "folder", "loop", "garbage"];
    for file in files {
        uses.extend([
            refused(&bench, &["report", file], &[file]),
            refused(&bench, &["replay", file], &[file]),
            refused(&bench, &["check", file], &[file]),
            refused(&bench, &["races", file], &[file]),
            refused(&bench, &["races", "--modular", file], &[file]),
            refused(&bench, &["summarize", "--out", "made.sum", file], &[file]),
            refused(&bench, &["explain", "a.B.x", file], &[file]),
            refused(&bench, &["instrument", file, "--output", "folder/woven"], &[file]),
            refused(&bench, &["baseline", "update", "known.json", "--from", file], &[file]),
            refused(&bench, &["run", "--", &format!("./{file}")], &[file]),
            refused(&bench, &["discover", "--", &format!("./{file}")], &[file]),
            refused(&bench, &["compare", "-n", "1", "--", &format!("./{file}")], &[file]),
        ]);
    }
    for arguments in [
        &["report", "findings", "more", "--nothing"][..],
        &["man", "garbage"],
        &["instrument", "classes"],
        &["schema", "nonsense"],
        &["completions", "nonsense"],
        &["help", "nonsense"],
        &["demo", "nonsense"],
        &["nonsense"],
        &["baseline", "nonsense"],
        &["run"],
        &["compare"],
        &["check"],
        &["summarize", "--out", "made.sum"],
        &["summarize", "classes"],
        &["explain", "a.B.x"],
        &["explain"],
        &["races"],
        &["replay"],
        &["instrument"],
        &["completions"],
        &["man"],
        &["-jar", "app.jar"],
        &["--html", "x", "run", "--", "true"],
        &["check", "--api", "x", "--main", "y", "classes"],
        &["report", "--brief", "--json", "findings"],
    ] {
        uses.push(refused(&bench, arguments, &[arguments[0], "jrace"]));
    }
    all_are_refused(uses, 60);
}
