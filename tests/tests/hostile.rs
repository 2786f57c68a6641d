//! Programs whose names drive terminals: no command passes them on, in no form.
#![allow(clippy::disallowed_methods, reason = "makes class files and reads pages")]

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::jar;
use jrace_tests::jdk::Jdk;
use jrace_tests::run::jrace;
use tempfile::TempDir;

/// Stands in the sources for what javac would refuse.
const MARK: &str = "XYZWV";
/// Escape, bell, the end of a line, and the control sequence introducer: as long as the mark.
const HOSTILE: &str = "\u{1b}\u{7}\n\u{9b}";
/// Follows the mark: no line begins with it.
const FORGED: &str = "FORGED";

/// A field that is not always guarded, one that races, and a transaction that is broken.
const SOURCE: &str = "package evil;
class Kind@ {
    int sum@, racy@; int[] cells@ = new int[2]; final Object lock@ = new Object();
    void add@() { racy@++; cells@[0]++; synchronized (lock@) { sum@ = sum@ + 1; } synchronized (lock@) { sum@++; } }
    void peek@() { synchronized (this) { synchronized (lock@) { sum@--; } } }
    synchronized void poke@() { synchronized (lock@) { synchronized (this) { sum@++; } } if (racy@ == 7) sum@ = 0; }
}
class Worker@ extends Thread {
    final Kind@ kind@;
    Worker@(Kind@ kind) { super(\"name\\u001b\\u0007\\nFORGED\"); kind@ = kind; }
    public void run() { for (int i = 0; i < 50; i++) { kind@.add@(); kind@.peek@(); kind@.poke@(); } }
}
class Main {
    public static void main(String[] arguments) throws Exception {
        Kind@ kind = new Kind@();
        Thread[] all = { new Worker@(kind), new Worker@(kind) };
        for (Thread one : all) one.start();
        for (Thread one : all) one.join();
    }
}
";

struct Bench {
    folder: TempDir,
    jdk: Jdk,
}

impl Bench {
    fn new() -> Result<Self> {
        let bench = Self { folder: tempfile::tempdir()?, jdk: Jdk::oldest() };
        let source = bench.path(&format!("Source{MARK}{FORGED}.java"));
        std::fs::write(&source, SOURCE.replace('@', &format!("{MARK}{FORGED}")))?;
        bench.jdk.compile(&[source], &bench.path("plain"), &[])?;
        std::fs::create_dir_all(bench.path("classes/evil"))?;
        for entry in std::fs::read_dir(bench.path("plain/evil"))? {
            let entry = entry?.path();
            let name = entry.file_name().and_then(|name| name.to_str()).context("a name")?.replace(MARK, HOSTILE);
            std::fs::write(bench.path("classes/evil").join(name), spoilt(std::fs::read(entry)?))?;
        }
        jar(&bench.jdk, &bench.path("evil.jar"), Some("Main-Class: evil.Main\n"), &bench.path("classes"))?;
        Ok(bench)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a command writes; it must end with one of these codes.
    fn jrace(&self, arguments: &[&str], codes: [i32; 2]) -> Result<String> {
        let output = jrace(&self.jdk).current_dir(self.folder.path()).args(arguments).output()?;
        let text = format!("{}{}", String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
        ensure!(output.status.code().is_some_and(|code| codes.contains(&code)), "{arguments:?}: {text}");
        Ok(text)
    }

    /// A command whose text, and the page that it writes, must be safe, and must tell of the names.
    fn is_safe(&self, arguments: &[&str]) -> Result<()> {
        let text = self.jrace(arguments, [0, 66])?;
        ensure!(text.contains(FORGED), "{arguments:?} names nothing: {text}");
        safe(&text, &|character| character.is_control()).with_context(|| format!("{arguments:?}"))
    }

    fn are_safe(&self, pages: &[&str]) -> Result<()> {
        for page in pages {
            let text = std::fs::read_to_string(self.path(page))?;
            ensure!(text.contains(FORGED), "{page} names nothing");
            safe(&text, &|character| character.is_ascii_control()).with_context(|| (*page).to_owned())?;
        }
        Ok(())
    }
}

fn spoilt(mut class: Vec<u8>) -> Vec<u8> {
    while let Some(at) = class.windows(MARK.len()).position(|bytes| bytes == MARK.as_bytes()) {
        class[at..at + MARK.len()].copy_from_slice(HOSTILE.as_bytes());
    }
    class
}

fn safe(text: &str, is_control: &dyn Fn(char) -> bool) -> Result<()> {
    let found = text.chars().find(|character| is_control(*character) && *character != '\n');
    ensure!(found.is_none(), "{found:?} in {text:?}");
    ensure!(!text.lines().any(|line| line.starts_with(FORGED)), "a forged line in {text}");
    Ok(())
}

fn java(jdk: &Jdk) -> String {
    jdk.home.join("bin/java").display().to_string()
}

#[test]
fn static_commands_write_names_out() -> Result<()> {
    let bench = Bench::new()?;
    bench.is_safe(&["check", "--all", "--html", "check.html", "evil.jar"])?;
    bench.is_safe(&["explain", "*", "evil.jar"])?;
    for mode in ["field", "method", "combined"] {
        bench.is_safe(&["explain", &format!("--focus={mode}"), "*", "evil.jar"])?;
    }
    bench.is_safe(&["races", "--all", "--html", "races.html", "--sarif", "races.sarif", "evil.jar"])?;
    bench.is_safe(&["instrument", "--dump", "evil.jar", "--output", "woven.jar"])?;
    bench.are_safe(&["check.html", "races.html", "races.sarif"])?;
    for command in ["check", "races"] {
        let json = bench.jrace(&[command, "--json", "evil.jar"], [0, 66])?;
        safe(&json, &|character| character.is_ascii_control())?;
    }
    Ok(())
}

#[test]
fn commands_that_run_write_names_out() -> Result<()> {
    let bench = Bench::new()?;
    let java = java(&bench.jdk);
    let run = ["--", &java, "-cp", "classes", "evil.Main"];
    let watched = ["run", "--atomicity", "--record", "traces", "--option", "verbose=2"];
    bench.is_safe(&[&watched[..], &run].concat())?;
    bench.is_safe(&[&["discover"][..], &run].concat())?;
    bench.is_safe(&["report", "--full-stacks", "--html", "report.html"])?;
    bench.are_safe(&["report.html"])?;
    let traces: Vec<PathBuf> = std::fs::read_dir(bench.path("traces"))?.flatten().map(|entry| entry.path()).collect();
    let trace = traces.first().map(PathBuf::as_path).and_then(Path::to_str).context("a trace")?;
    for checker in ["eraser", "block", "reduction"] {
        bench.is_safe(&["replay", "--checker", checker, trace])?;
    }
    safe(&bench.jrace(&["report", "--json"], [66, 66])?, &|character| character.is_ascii_control())?;
    bench.is_safe(&["check", "--observed", ".jrace", "--types", ".jrace/types.jsonl", "classes"])?;
    bench.is_safe(&["races", "--observed", ".jrace", "classes"])
}
