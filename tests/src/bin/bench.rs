//! Prints the table of BENCHMARKS.md: `cargo run --release -p jrace-tests --bin bench [RUNS]`.
//!
//! Each ratio is of the medians of interleaved runs of one invocation, so that a noisy machine disturbs both sides alike.
//! Compute-bound programs are measured in processor time, start-up in wall time.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark reads and writes files, and prints")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use jrace_tests::run::{agent, records};

/// What a run cost.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    processor: Duration,
}

struct Bench {
    jdk: Jdk,
    runs: usize,
    output: tempfile::TempDir,
}

fn main() -> Result<()> {
    let runs = std::env::args().nth(1).map_or(Ok(5), |text| text.parse()).context("RUNS is a number")?;
    println!("| JDK | what | plain | woven | ratio |\n|---|---|---|---|---|");
    for jdk in Jdk::all() {
        let bench = Bench { jdk, runs, output: tempfile::tempdir()? };
        bench.compute_bound()?;
        bench.start_up()?;
        bench.heap()?;
        bench.javac()?;
        bench.weaving()?;
    }
    Ok(())
}

impl Bench {
    fn compute_bound(&self) -> Result<()> {
        let index: toml::Table = std::fs::read_to_string(root().join("demo-apps/demos.toml"))?.parse()?;
        let classes = tempfile::tempdir()?;
        self.jdk.compile(&sources(&root().join("demo-apps"))?, classes.path(), &[])?;
        let mut ratios = Vec::new();
        let demos = index["demo"].as_array().context("demos.toml lists no demo")?;
        for demo in demos.iter().filter(|demo| demo.get("compute_bound").is_some()) {
            let arguments = demo.get("bench_args").and_then(|value| value.as_array()).context("no bench_args")?;
            let mut command = vec!["-cp".to_owned(), path(classes.path()), text(demo, "main")];
            command.extend(arguments.iter().filter_map(|value| value.as_str().map(str::to_owned)));
            let (plain, woven) = self.compare(&command)?;
            ratios.push(woven.processor.as_secs_f64() / plain.processor.as_secs_f64());
            self.row(&text(demo, "name"), plain.processor, woven.processor);
        }
        ratios.sort_by(f64::total_cmp);
        println!("| {} | median of these | | | {:.2} |", self.jdk.feature, ratios[ratios.len() / 2]);
        Ok(())
    }

    fn start_up(&self) -> Result<()> {
        let (plain, woven) = self.compare(&self.fixture("Hello")?)?;
        self.row("Hello World, wall", plain.wall, woven.wall);
        Ok(())
    }

    fn heap(&self) -> Result<()> {
        let arguments = self.fixture("Heap")?;
        let used = |woven: bool| -> Result<f64> {
            let output = self.java(woven).args(&arguments).output()?;
            Ok(String::from_utf8_lossy(&output.stdout).trim().parse::<f64>()? / 1e6)
        };
        let (plain, woven) = (used(false)?, used(true)?);
        println!(
            "| {} | heap of a million nodes | {plain:.0} MB | {woven:.0} MB | {:.2} |",
            self.jdk.feature,
            woven / plain
        );
        Ok(())
    }

    /// The compiler of the JDK, if it has one, woven, compiling 500 classes.
    fn javac(&self) -> Result<()> {
        if !self.jdk.has("javac") {
            return Ok(());
        }
        let folder = tempfile::tempdir()?;
        for i in 0..500 {
            std::fs::write(folder.path().join(format!("C{i}.java")), source(i))?;
        }
        let out = tempfile::tempdir()?;
        let mut arguments: Vec<String> =
            ["-m", "jdk.compiler/com.sun.tools.javac.Main", "-proc:none", "-d"].map(str::to_owned).into();
        arguments.push(path(out.path()));
        arguments.extend(sources(folder.path())?.iter().map(|source| path(source)));
        let (plain, woven) = self.compare(&arguments)?;
        self.row("javac, 500 files", plain.processor, woven.processor);
        Ok(())
    }

    /// Weaving time a class, from the summary of the JVM that wove the most: javac's.
    fn weaving(&self) -> Result<()> {
        let mut summaries: Vec<(u64, u64)> = Vec::new();
        for record in records(self.output.path())? {
            if let facts::finding::Record::End(end) = record {
                summaries.push((end.weaving_nanos, end.woven_classes));
            }
        }
        let most = summaries.iter().max_by_key(|(_, classes)| *classes).context("no summary")?;
        let each = most.0 as f64 / 1e3 / most.1 as f64;
        println!("| {} | weaving, a class of {} woven | | {each:.1} µs | |", self.jdk.feature, most.1);
        Ok(())
    }

    fn fixture(&self, name: &str) -> Result<Vec<String>> {
        let out = self.output.path().join("classes");
        self.jdk.compile(&[root().join("tests/java/bench").join(format!("{name}.java"))], &out, &[])?;
        Ok(vec!["-cp".to_owned(), path(&out), name.to_owned()])
    }

    fn compare(&self, arguments: &[String]) -> Result<(Cost, Cost)> {
        let (mut plain, mut woven) = (Vec::new(), Vec::new());
        for _ in 0..self.runs {
            plain.push(cost(self.java(false).args(arguments))?);
            woven.push(cost(self.java(true).args(arguments))?);
        }
        Ok((median(plain), median(woven)))
    }

    fn java(&self, woven: bool) -> Command {
        let mut command = self.jdk.tool("java");
        if woven {
            let include = "include=com.sun.tools.javac.*:*";
            command.arg(format!("-agentpath:{}=output={},{include}", agent().display(), self.output.path().display()));
        }
        command
    }

    fn row(&self, what: &str, plain: Duration, woven: Duration) {
        let ratio = woven.as_secs_f64() / plain.as_secs_f64();
        let [plain, woven] = [plain, woven].map(|time| format!("{} ms", time.as_millis()));
        println!("| {} | {what} | {plain} | {woven} | {ratio:.2} |", self.jdk.feature);
    }
}

/// A class with enough in it to be worth compiling.
fn source(i: usize) -> String {
    let methods: String = (0..20)
        .map(|m| {
            format!(
                "  long m{m}(java.util.List<? extends Number> list, int n) {{\n    long sum = {i};\n    \
                 for (Number x : list) {{ if (x.intValue() % 3 == n) sum += x.longValue() * {m}; }}\n    \
                 return list.stream().mapToLong(v -> v.longValue() + field{m}).sum() + sum;\n  }}\n  long field{m};\n"
            )
        })
        .collect();
    format!("class C{i} {{\n{methods}}}\n")
}

fn cost(command: &mut Command) -> Result<Cost> {
    let (begun, before) = (Instant::now(), children());
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    ensure!(status.success(), "{command:?} failed");
    Ok(Cost { wall: begun.elapsed(), processor: children() - before })
}

/// Processor time of all ended children.
fn children() -> Duration {
    // SAFETY: getrusage fills the structure it is given.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    [usage.ru_utime, usage.ru_stime]
        .iter()
        .map(|time| Duration::new(time.tv_sec.cast_unsigned(), time.tv_usec as u32 * 1000))
        .sum()
}

fn median(mut costs: Vec<Cost>) -> Cost {
    costs.sort_by_key(|cost| cost.processor);
    let processor = costs[costs.len() / 2].processor;
    costs.sort_by_key(|cost| cost.wall);
    Cost { wall: costs[costs.len() / 2].wall, processor }
}

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn text(demo: &toml::Value, key: &str) -> String {
    demo.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}
