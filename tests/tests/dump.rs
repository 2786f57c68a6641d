//! What runs call, and the casts that fail in them, are in what `jrace races --dump` writes.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::demos::Demo;
use jrace_tests::fixture::{compiled, jar};
use jrace_tests::generator::Random;
use jrace_tests::jdk::Jdk;
use jrace_tests::launch::Launch;
use jrace_tests::root;
use jrace_tests::run::jrace;

const ASM: &str = "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED";

/// Lines of three parts: a method, a line, and a method or a type.
type Lines = BTreeSet<[String; 3]>;

#[derive(Default, Debug)]
struct Graph {
    methods: BTreeSet<String>,
    calls: Lines,
    casts: Lines,
}

/// The agent that notes what happens.
fn observer(jdk: &Jdk, folder: &Path) -> Result<PathBuf> {
    let classes = compiled(jdk, &[root().join("tests/java/dump/Observer.java")], &["--add-exports", ASM])?;
    let agent = folder.join("observer.jar");
    jar(jdk, &agent, Some("Premain-Class: observer.Observer\n"), &classes)?;
    Ok(agent)
}

/// What a run does.
fn observed(jdk: &Jdk, classes: &Path, main: &str, args: &[String]) -> Result<Graph> {
    let folder = tempfile::tempdir()?;
    let (agent, file) = (observer(jdk, folder.path())?, folder.path().join("seen"));
    let agent = format!("-javaagent:{}={}", agent.display(), file.display());
    let launch = Launch::main(jdk, classes, main).jvm(["--add-exports", ASM, &agent]).args(args);
    launch.run()?.succeeded()?;
    let mut graph = Graph::default();
    for line in std::fs::read_to_string(file)?.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let [kind, method, at, what] = parts[..] else { anyhow::bail!("{line}") };
        let lines = if kind == "cast" { &mut graph.casts } else { &mut graph.calls };
        lines.insert([method, at, what].map(str::to_owned));
    }
    Ok(graph)
}

/// What the search says.
fn dumped(jdk: &Jdk, classes: &Path, main: &str, contexts: &[&str]) -> Result<Graph> {
    let folder = tempfile::tempdir()?;
    let mut command = jrace(jdk);
    command.args(["races", "--exitcode", "0", "--main", main, "--dump"]).arg(folder.path()).args(contexts);
    let output = command.arg(classes).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |file: &str| -> Result<Vec<Vec<String>>> {
        let text = std::fs::read_to_string(folder.path().join(file))?;
        let lines: Vec<&str> = text.lines().collect();
        ensure!(lines.is_sorted_by(|a, b| a < b), "{file} is not sorted, or has a line twice");
        Ok(lines.iter().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
    };
    let line = |position: &str| position.rsplit_once(':').map_or("?", |(_, line)| line).to_owned();
    let caller = |site: &str| site.split_once(">/").map_or(site.to_owned(), |(method, _)| format!("{method}>"));
    let methods = read("reachable-methods.txt")?.into_iter().flatten().collect();
    let mut graph = Graph { methods, ..Graph::default() };
    for parts in read("call-edges.txt")? {
        graph.calls.insert([caller(&parts[0]), line(&parts[2]), parts[1].clone()]);
    }
    for parts in read("casts-that-may-fail.txt")? {
        let (_, cast) = parts[0].split_once(">/cast ").context("a cast")?;
        let (ty, _) = cast.rsplit_once('/').context("a number")?;
        graph.casts.insert([caller(&parts[0]), line(&parts[1]), ty.to_owned()]);
    }
    Ok(graph)
}

/// What the JVM calls has no caller in the code.
fn is_called(call: &[String; 3]) -> bool {
    !call[0].is_empty()
}

fn is_covered(seen: &Graph, graph: &Graph) -> Result<()> {
    let missed: Vec<_> = seen.calls.iter().filter(|call| is_called(call) && !graph.calls.contains(*call)).collect();
    ensure!(missed.is_empty(), "calls that are not dumped: {missed:#?}");
    let missed: Vec<_> = seen.calls.iter().filter(|call| !graph.methods.contains(&call[2])).collect();
    ensure!(missed.is_empty(), "methods that are not reached: {missed:#?}");
    let missed: Vec<_> = seen.casts.difference(&graph.casts).collect();
    ensure!(missed.is_empty(), "casts that fail and are not dumped: {missed:#?}");
    // Both ends of an edge are reached.
    let ends = graph.calls.iter().flat_map(|[caller, _, callee]| [caller, callee]);
    let missed: Vec<_> = ends.filter(|method| !graph.methods.contains(*method)).take(3).collect();
    ensure!(missed.is_empty(), "ends of edges that are not reached: {missed:#?}");
    Ok(())
}

const CONTEXTS: [&[&str]; 3] = [&["--contexts", "none"], &["--contexts", "hybrid"], &["--contexts", "object"]];

#[test]
fn calls_and_failing_casts_of_random_programs_are_dumped() -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    let names: Vec<String> = (0..80).map(|seed| format!("P{seed}")).collect();
    let programs = names.iter().zip(0..).map(|(name, seed)| program(&mut Random(seed), name));
    let runs: String = names.iter().map(|name| format!("{name}.run(); ")).collect();
    let main = format!("class All {{ public static void main(String[] args) throws Exception {{ {runs} }} }}\n");
    let path = folder.path().join("All.java");
    std::fs::write(&path, HEAD.to_owned() + &programs.collect::<String>() + &main)?;
    let classes = folder.path().join("classes");
    jdk.compile(&[path], &classes, &["--release", "17"])?;
    let seen = observed(&jdk, &classes, "All", &[])?;
    ensure!(seen.calls.len() > 500 && seen.casts.len() > 50, "{} calls, {} casts", seen.calls.len(), seen.casts.len());
    let mut n_casts = Vec::new();
    for contexts in CONTEXTS {
        let graph = dumped(&jdk, &classes, "All", contexts)?;
        is_covered(&seen, &graph).with_context(|| format!("{contexts:?}"))?;
        n_casts.push(graph.casts.len());
    }
    // With contexts there are fewer, else the dump would not depend on them.
    ensure!(n_casts[0] > n_casts[2], "{n_casts:?}");
    Ok(())
}

#[test]
fn calls_of_demos_are_dumped() -> Result<()> {
    let jdk = Jdk::oldest();
    for demo in Demo::all()?.into_iter().filter(|demo| ["bank", "crawler", "webserver"].contains(&demo.name.as_str())) {
        let classes = demo.classes()?;
        let seen = observed(&jdk, &classes, &demo.main, &demo.args)?;
        ensure!(seen.calls.len() > 5, "{seen:?}");
        is_covered(&seen, &dumped(&jdk, &classes, &demo.main, &[])?).with_context(|| demo.name.clone())?;
    }
    Ok(())
}

/// What the programs have in common.
const HEAD: &str = "
import java.util.*; import java.util.concurrent.*; import java.util.function.*;
interface Shape { default Object at(Object o) { return o; } }
";

/// A program of calls in many ways, through which objects go to casts.
fn program(random: &mut Random, name: &str) -> String {
    let mut text = format!("final class {name} {{\n");
    for class in 0..4 {
        let above =
            if class > 0 && random.one_in(2) { format!("extends C{} ", random.below(class)) } else { String::new() };
        text += &format!("    static class C{class} {above}implements Shape {{ Object f; C{class}() {{ f = this; }}\n");
        if random.one_in(2) {
            text += "        public Object at(Object o) { f = o; return this; }\n";
        }
        text += "        static Object make(Object o) { return o; } public Object get() { return f; } }\n";
    }
    for method in 0..5 {
        let statements: Vec<String> = (0..3 + random.below(4)).map(|_| statement(random)).collect();
        text += &format!(
            "    static Object m{method}(Object a, Object b, int n) throws Exception {{\n        if (n == 0) return a;\n        \
             Object c = b;\n        {}\n        return c;\n    }}\n",
            statements.join("\n        ")
        );
    }
    text + "    static void run() throws Exception { for (int i = 0; i < 3; i++) m0(new C0(), new C1(), 4); }\n}\n"
}

fn statement(random: &mut Random) -> String {
    let x = random.pick(&["a", "b", "c"]);
    let (y, z) = (random.pick(&["a", "b", "c"]), random.pick(&["a", "b", "c"]));
    let (class, method) = (random.below(4), random.below(5));
    match random.below(16) {
        0 => format!("{x} = new C{class}();"),
        1 => format!("{x} = m{method}({y}, {z}, n - 1);"),
        2 | 3 => format!("try {{ {x} = ((C{class}) {y}).at({z}); }} catch (ClassCastException e) {{ }}"),
        4 => format!("if ({y} instanceof Shape s) {x} = s.at({z});"),
        5 => format!("{{ List<Object> l = new ArrayList<>(); l.add({y}); {x} = l.get(0); }}"),
        6 => format!(
            "try {{ List<C{class}> l = new ArrayList<>(); ((List) l).add({y}); C{class} d = l.get(0); {x} = d; }} catch (ClassCastException e) {{ }}"
        ),
        7 => format!("{{ Object d = {y}; Supplier<Object> s = () -> d; {x} = s.get(); }}"),
        8 => format!("{{ Function<Object, Object> g = C{class}::make; {x} = g.apply({y}); }}"),
        9 => format!("{{ Object[] d = {{{y}, {z}}}; {x} = d[1]; }}"),
        10 => format!("try {{ {x} = (C{class}[]) new Object[] {{{y}}}; }} catch (ClassCastException e) {{ }}"),
        11 => format!(
            "{{ Object d = {y}; Thread t = new Thread(() -> {{ if (d instanceof C{class} o) o.at(d); }}); t.start(); t.join(); }}"
        ),
        12 => format!("{x} = C{class}.class.getMethod(\"get\").invoke(new C{class}());"),
        13 => format!(
            "{{ Map<String, Object> m = new HashMap<>(); m.put(\"k\", {y}); for (Object d : m.values()) {x} = d; }}"
        ),
        14 => format!("{x} = C{class}.class.newInstance();"),
        _ => format!("if ({y} instanceof C{class} o) {{ o.f = {z}; {x} = o.get(); }}"),
    }
}
