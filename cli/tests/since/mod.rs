//! What is new and what is gone since an earlier look at the classes, whichever lines have moved.

use serde_json::Value;

use super::{Bench, schema};

const COMMANDS: [&str; 2] = ["races", "check"];

/// A class with three fields, of which these are also written without their lock; `blank` lines, and as many lambdas, come in between.
fn source(racy: &[usize], blank: usize) -> String {
    let gap = "\n".repeat(blank);
    let mut text = format!("package app;{gap}\npublic class Main {{\n");
    for n in 0..blank {
        text += &format!("    void other{n}() {{ Runnable other = () -> other{n}(); other.run(); }}{gap}\n");
    }
    for field in 0..3 {
        let lock = if racy.contains(&field) { "" } else { "synchronized (this)" };
        // The compiler numbers the methods of lambdas.
        let [begin, end] = if field == 0 { ["Runnable add = () -> {", "}; add.run();"] } else { ["", ""] };
        text += &format!(
            "    private int f{field};{gap}\n    synchronized int twice{field}() {{ return f{field}{gap} + f{field}; }}\n    \
             synchronized void set{field}(int to) {{ f{field} = to; f{field} = to; }}\n{gap}    \
             void add{field}() {{ {begin} {lock} {{{gap} f{field}++; }} {end} }}\n"
        );
    }
    let calls = |field| {
        format!("Runnable r{field} = () -> {{ twice{field}(); set{field}(1); add{field}(); }}; r{field}.run(); ")
    };
    let all: String = (0..3).map(calls).collect();
    text + &format!(
        "    void all() {{ {all} }}\n    public static void main(String[] arguments) {{\n        Main main = new Main();{gap}\n        \
         new Thread(() -> main.all()).start();\n        main.all();\n    }}\n}}\n"
    )
}

fn compile(bench: &Bench, racy: &[usize], blank: usize) {
    compile_text(bench, &source(racy, blank));
}

fn compile_text(bench: &Bench, source: &str) {
    bench.write("Main.java", source);
    let classes = bench.path("classes");
    let _ = std::fs::remove_dir_all(&classes);
    std::fs::create_dir(&classes).unwrap();
    bench.jdk.compile(&[bench.path("Main.java")], &classes, &[]).unwrap();
}

/// The JSON document of a command, which is kept as `COMMAND.json`.
fn keep(bench: &Bench, command: &str) {
    let ended = bench.jrace(&[command, "--json", "classes"]);
    schema::valid(command, &ended.out);
    bench.write(&format!("{command}.json"), &ended.out);
}

/// How each finding stands to what was known, `f0 new`; what is gone as a whole, `f0 gone`; and the exit code.
fn told(bench: &Bench, command: &str, since: &str) -> (Vec<String>, i32) {
    let ended = bench.jrace(&[command, "--json", "--since", since, "classes"]);
    let report = schema::valid(command, &ended.out);
    let findings = ["variables", "errors", "fields"].into_iter().filter_map(|list| report[list].as_array()).flatten();
    let name = |name: &Value| {
        name.as_str().unwrap().split(' ').find_map(|word| word.strip_prefix("app.Main.")).unwrap().to_owned()
    };
    let mut told: Vec<String> = findings
        .map(|finding| format!("{} {}", name(&finding["name"]), finding["baseline"].as_str().unwrap()))
        .collect();
    let is_there = |field: &str| told.iter().any(|told| told.starts_with(field));
    let gone = report["gone"]["claims"].as_array().unwrap().iter().map(|gone| name(&gone["name"]));
    let gone: Vec<String> = gone.filter(|field| !is_there(field)).map(|field| format!("{field} gone")).collect();
    told.extend(gone);
    told.sort();
    (told, ended.code.unwrap())
}

/// Moved lines are nothing new; one more race, and it alone, is new; one less, and it alone, is gone.
#[test]
fn what_is_new_or_gone_is_exactly_what_has_changed() {
    let bench = Bench::new();
    compile(&bench, &[0, 1], 0);
    COMMANDS.iter().for_each(|command| keep(&bench, command));
    for (racy, blank, expected, code) in [
        (&[0, 1][..], 3, &["f0 unchanged", "f1 unchanged"][..], 0),
        (&[0, 1, 2], 2, &["f0 unchanged", "f1 unchanged", "f2 new"], 66),
        (&[], 1, &["f0 gone", "f1 gone"], 0),
        (&[2, 0], 0, &["f0 unchanged", "f1 gone", "f2 new"], 66),
    ] {
        compile(&bench, racy, blank);
        for command in COMMANDS {
            let found = told(&bench, command, &format!("{command}.json"));
            assert_eq!(
                (found.0.iter().map(String::as_str).collect::<Vec<_>>(), found.1),
                (expected.to_vec(), code),
                "{command} {racy:?} {blank}"
            );
        }
    }
}

/// Accesses that race alike are one race, of which the report shows two: whichever these are, one more method makes its own races and takes
/// none away.
#[test]
fn a_method_more_takes_nothing_away() {
    let bench = Bench::new();
    let compile = |writers: &[&str]| {
        let methods: String = writers.iter().map(|name| format!("    void {name}() {{ f = 1; }}\n")).collect();
        let calls: String = writers.iter().map(|name| format!("{name}(); ")).collect();
        let main = "Main main = new Main(); new Thread(() -> main.all()).start(); main.all();";
        compile_text(
            &bench,
            &format!(
                "package app;\npublic class Main {{\n    int f;\n{methods}    void all() {{ {calls} }}\n    \
                 public static void main(String[] arguments) {{ {main} }}\n}}\n"
            ),
        );
    };
    let pairs = |list: &Value| -> Vec<String> {
        let pairs = list[0]["pairs"].as_array().into_iter().flatten().map(|pair| pair["methods"].to_string());
        pairs.map(|pair| pair.replace("app/Main.", "")).collect()
    };
    let few = ["b", "d", "e"];
    compile(&few);
    keep(&bench, "races");
    let all = pairs(&serde_json::from_str::<Value>(&bench.read("races.json")).unwrap()["claims"]);
    assert_eq!(
        all,
        ["bb", "bd", "be", "dd", "de", "ee"].map(|pair| format!("[\"{}\",\"{}\"]", &pair[..1], &pair[1..]))
    );
    compile(&["a", "b", "c", "d", "e"]);
    assert_eq!(told(&bench, "races", "races.json"), (vec!["f updated".to_owned()], 66));
    let ended = bench.jrace(&["races", "--json", "--since", "races.json", "classes"]);
    let report = schema::valid("races", &ended.out);
    assert_eq!(pairs(&report["gone"]["claims"]), Vec::<String>::new());
    bench.write("races.json", &ended.out);
    compile(&few);
    let report = schema::valid("races", &bench.jrace(&["races", "--json", "--since", "races.json", "classes"]).out);
    let gone = pairs(&report["gone"]["claims"]);
    assert!(gone.len() == 9 && gone.iter().all(|pair| pair.contains("\"a\"") || pair.contains("\"c\"")), "{gone:?}");
    assert_eq!(report["variables"][0]["baseline"], "unchanged");
}

/// In text, what is known is not shown, and what is gone has a line.
#[test]
fn only_what_is_new_is_shown_and_what_is_gone_is_said() {
    let bench = Bench::new();
    compile(&bench, &[0, 1], 0);
    COMMANDS.iter().for_each(|command| keep(&bench, command));
    compile(&bench, &[1, 2], 1);
    for command in COMMANDS {
        let file = format!("{command}.json");
        let flags = ["--sarif", "r.sarif", "--html", "r.html", "--junit", "r.xml", "classes"];
        let ended = bench.jrace(&[&[command, "--since", &file][..], &flags].concat());
        assert_eq!(ended.code, Some(66), "{ended:?}");
        let (found, ending) = ended.out.split_once("gone: ").unwrap();
        assert!(found.contains("app.Main.f2") && !found.contains("app.Main.f1"), "{ended:?}");
        assert!(ending.contains("app.Main.f0") && ending.contains("; 1 in baseline, 1 gone"), "{ended:?}");
        let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
        super::sarif::validate(&sarif);
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        assert_eq!((results.len(), &results[0]["baselineState"]), (1, &"new".into()), "{sarif:#}");
        assert!(bench.read("r.html").contains("In the baseline and gone"));
        assert_eq!(bench.read("r.xml").matches("<failure").count(), 1);
        bench.jrace(&[command, "--since", &file, "--sarif", "r.sarif", "--sarif-known", "classes"]);
        let sarif: Value = serde_json::from_str(&bench.read("r.sarif")).unwrap();
        super::sarif::validate(&sarif);
        let states = sarif["runs"][0]["results"].as_array().unwrap().iter().map(|result| &result["baselineState"]);
        assert_eq!(states.collect::<Vec<_>>(), ["new", "unchanged", "absent"]);
        let only = bench.jrace(&[command, "--since", &file, "--json", "--only-new", "classes"]);
        assert!(!schema::valid(command, &only.out).to_string().contains("\"unchanged\""), "{only:?}");
    }
}

/// One file is the baseline of all commands, and of runs, which do not miss what others have found.
#[test]
fn a_baseline_is_kept_up_to_date_by_documents() {
    let bench = Bench::new();
    compile(&bench, &[0, 1], 0);
    COMMANDS.iter().for_each(|command| keep(&bench, command));
    let variable = r#"{"kind":"field","class":"app/Main","name":"f9","descriptor":"I"}"#;
    let of_runs = format!(r#"{{"rule":"race","variable":{variable},"pairs":[{{"methods":["a","b"]}}]}}"#);
    bench.write("known.json", &format!(r#"{{"format":2,"identity":1,"findings":[{of_runs}]}}"#));
    let update = |from: &[&str]| {
        let from = from.iter().flat_map(|file| ["--from", file]).collect::<Vec<_>>();
        let ended = bench.jrace(&[&["baseline", "update", "known.json"][..], &from].concat());
        schema::valid("baseline", &bench.read("known.json"));
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
        ended.out.lines().last().unwrap().to_owned()
    };
    assert_eq!(update(&["races.json", "check.json"]), "`known.json` has 5 findings: 8 new");
    assert_eq!(update(&["check.json", "races.json"]), "`known.json` has 5 findings: nothing has changed");
    for command in COMMANDS {
        assert_eq!(
            told(&bench, command, "known.json"),
            (vec!["f0 unchanged".to_owned(), "f1 unchanged".to_owned()], 0)
        );
    }
    compile(&bench, &[1], 0);
    keep(&bench, "races");
    assert_eq!(update(&["races.json"]), "`known.json` has 4 findings: 3 gone");
    compile(&bench, &[0, 1], 0);
    assert_eq!(told(&bench, "races", "known.json"), (vec!["f0 returned".to_owned(), "f1 unchanged".to_owned()], 66));
    assert_eq!(told(&bench, "check", "known.json").1, 0);
    bench.write("jrace.toml", "baseline = 'known.json'\n");
    assert_eq!(bench.jrace(&["check", "classes"]).code, Some(0));
    assert!(bench.jrace(&["races", "classes"]).out.contains("; 1 in baseline, 0 gone"));
}

/// One way to write a program of three fields, of which some are written without their lock.
#[derive(Clone, Debug)]
struct Build {
    racy: Vec<usize>,
    /// Blank lines, and the name of a local variable.
    blank: usize,
    local: &'static str,
    /// In how many helpers each field's access is, one within the other.
    helpers: [usize; 3],
    /// Whether the methods that access are called something else.
    is_renamed: bool,
    /// Where the methods begin that stand in a circle.
    first: usize,
    /// A method more: one that accesses the first field itself, or one that calls its innermost helper.
    more: Option<&'static str>,
}

impl Build {
    fn source(&self) -> String {
        let gap = "\n".repeat(self.blank);
        let mut methods: Vec<String> = (0..3).flat_map(|field| self.methods(field)).collect();
        methods.extend(self.more.map(|body| format!("    void more() {{ {body} }}\n")));
        methods.rotate_left(self.first);
        let add = self.add();
        let run = |field| format!("Runnable r{field} = () -> {{ set{field}(1); {add}{field}(); }}; r{field}.run(); ");
        let more = if self.more.is_some() { "more();" } else { "" };
        let all: String = (0..3).map(run).collect();
        format!(
            "package app;{gap}\npublic class Main {{\n    private int f0, f1, f2;\n{}    private void all() {{ {all}{more} }}{gap}\n    \
             public static void main(String[] arguments) {{\n        Main main = new Main();{gap}\n        \
             new Thread(() -> main.all()).start();\n        main.all();\n    }}\n}}\n",
            methods.concat()
        )
    }

    fn add(&self) -> &'static str {
        if self.is_renamed { "plus" } else { "add" }
    }

    fn methods(&self, field: usize) -> Vec<String> {
        let (gap, local, add) = ("\n".repeat(self.blank), self.local, self.add());
        let lock = if self.racy.contains(&field) { "" } else { "synchronized (this)" };
        let access = format!("{lock} {{ int {local} = f{field};{gap} f{field} = {local} + 1; }}");
        let name = |depth: usize| if depth == 0 { format!("{add}{field}") } else { format!("help{field}{depth}") };
        let last = self.helpers[field];
        let body = |depth: usize| if depth == last { access.clone() } else { format!("{}();", name(depth + 1)) };
        let method = |depth: usize| format!("    private void {}() {{{gap} {} }}\n", name(depth), body(depth));
        let set = format!("    private synchronized void set{field}(int to) {{ f{field} = to; }}\n");
        (0..=last).map(method).chain([set]).collect()
    }
}

/// Keeps the classes of a build as a directory of this name.
fn keep_build(bench: &Bench, build: &Build, name: &str) {
    compile_text(bench, &build.source());
    let _ = std::fs::remove_dir_all(bench.path(name));
    std::fs::rename(bench.path("classes"), bench.path(name)).unwrap();
}

/// What is new and gone since an earlier build is what was changed, however else the code was written anew.
#[test]
fn since_an_earlier_build_only_what_has_changed_is_new() {
    let bench = Bench::new();
    let mut numbers = 7_u64;
    let mut below = |end: usize| {
        numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (numbers >> 33) as usize % end
    };
    let mut n_moved = 0;
    for _ in 0..3 {
        let mut build = || Build {
            racy: (0..3).filter(|_| below(3) > 0).collect(),
            blank: below(3),
            local: ["x", "before", "value"][below(3)],
            helpers: std::array::from_fn(|_| below(3)),
            is_renamed: below(2) == 0,
            first: below(6),
            more: None,
        };
        let (then, now) = (build(), build());
        keep_build(&bench, &then, "then");
        compile_text(&bench, &now.source());
        let stands = |field: usize| match (then.racy.contains(&field), now.racy.contains(&field)) {
            (true, true) => Some("unchanged"),
            (false, true) => Some("new"),
            (true, false) => Some("gone"),
            (false, false) => None,
        };
        let expected: Vec<String> = (0..3).filter_map(|field| Some(format!("f{field} {}", stands(field)?))).collect();
        let code = if expected.iter().any(|told| told.ends_with("new")) { 66 } else { 0 };
        assert_eq!(told(&bench, "races", "then"), (expected, code), "{then:?} {now:?}");
        let is_known = |field: &usize| then.racy.contains(field) && now.racy.contains(field);
        let is_moved = |field: &usize| then.helpers[*field] != now.helpers[*field];
        n_moved += (0..3).filter(|field| is_known(field) && is_moved(field)).count();
    }
    assert!(n_moved > 3, "{n_moved}");
}

/// A method more that comes to a known race is new with its own pairs, also if it comes there by a helper that is new itself; what is
/// compared with classes is compared with what their document would say.
#[test]
fn since_an_earlier_build_one_more_way_to_a_race_is_new() {
    let bench = Bench::new();
    let then = Build { racy: vec![0], blank: 0, local: "x", helpers: [0; 3], is_renamed: false, first: 0, more: None };
    keep_build(&bench, &then, "then");
    for (helpers, more) in [([0; 3], "f0 = 7;"), ([1, 0, 0], "help01();")] {
        compile_text(&bench, &Build { helpers, more: Some(more), ..then.clone() }.source());
        assert_eq!(told(&bench, "races", "then"), (vec!["f0 updated".to_owned()], 66), "{more}");
    }
    let document = bench.jrace(&["races", "--json", "--exitcode", "0", "then"]);
    bench.write("then.json", &document.out);
    compile_text(&bench, &Build { more: Some("f0 = 7;"), ..then.clone() }.source());
    let [by_classes, by_document] =
        ["then", "then.json"].map(|since| bench.jrace(&["races", "--json", "--since", since, "classes"]));
    assert_eq!((by_classes.code, &by_classes.out), (Some(66), &by_document.out));
    let report = schema::valid("races", &by_classes.out);
    let races = report["variables"][0]["races"].as_array().unwrap();
    let is_by_more = |race: &Value| {
        let accesses = race["accesses"].as_array().unwrap().iter();
        let mut places =
            accesses.flat_map(|access| access["alike"].as_array().unwrap().iter().chain([&access["path"][0]]));
        places.any(|place| place["method"] == "app.Main.more")
    };
    assert!(races.iter().all(is_by_more), "{races:#?}");
}

#[test]
fn what_is_no_earlier_report_is_refused() {
    let bench = Bench::new();
    compile(&bench, &[0], 0);
    keep(&bench, "races");
    bench.write("junk.json", "junk");
    bench.write("other.json", r#"{"format":1,"fields":[]}"#);
    bench.write("newer.json", r#"{"format":9,"claims":[]}"#);
    for (command, file, sentence) in [
        (
            "check",
            "races.json",
            "`races.json` is of another command and knows nothing of unguarded-access: give what this command has written with --json",
        ),
        (
            "check",
            "newer.json",
            "`newer.json` is no baseline: its format 9 is newer than this jrace reads (2); update jrace",
        ),
        (
            "races",
            "other.json",
            "`other.json` is no baseline: write one with `jrace baseline update FILE`: missing field `findings`",
        ),
        (
            "races",
            "junk.json",
            "`junk.json` is no baseline: write one with `jrace baseline update FILE`: expected value at line 1 column 1",
        ),
        (
            "races",
            "none.json",
            "cannot read the baseline `none.json`; write one with `jrace baseline update FILE`: No such file or directory (os error 2)",
        ),
    ] {
        bench.jrace(&[command, "--since", file, "classes"]).failed_with(sentence);
    }
    bench.jrace(&["check", "--since", "classes", "classes"]).failed_with(
        "`classes` is no document of findings: only `jrace races`, without --modular, compares with an earlier build of the classes; give what this \
         command has written with --json",
    );
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench
        .jrace(&["races", "--since", "empty", "classes"])
        .failed_with("the earlier classes `empty` cannot be searched: no class was found in `empty`: name jars or directories of classes");
    bench.jrace(&["races", "--modular", "--since", "junk.json", "classes"]).failed_with(
        "`junk.json` is no baseline: write one with `jrace baseline update FILE`: expected value at line 1 column 1",
    );
}
