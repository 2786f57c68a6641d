//! `jrace summarize` and `jrace races --modular --link`: the folders of all targets give the report of one run, a folder is the same
//! wherever it is made, and what is wrong with one is said.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Bench, Ended};

const COUNTER: &str =
    "package store;\npublic class Counter {\n    protected int count;\n    public void add(int n) { count += n; }\n}\n";
/// It calls what another target overrides.
const JOBS: &str = "package store;\npublic class Jobs {\n    public static void twice(Counter counter) {\n        \
                    for (int i = 0; i < 2; i++) new Thread(() -> counter.add(1)).start();\n    }\n}\n";
const TILL: &str = "package shop;\nimport store.*;\npublic class Till extends Counter {\n    int sales;\n    \
                    @Override public void add(int n) { sales += n; }\n    \
                    public static void main(String[] args) { Jobs.twice(new Till()); Jobs.twice(new Counter()); }\n}\n";

/// Targets `store` and `shop`; the second overrides what the first calls.
fn targets() -> Bench {
    let bench = Bench::new();
    for (name, text) in [("Counter.java", COUNTER), ("Jobs.java", JOBS), ("Till.java", TILL)] {
        bench.write(name, text);
    }
    let sources = ["Counter.java", "Jobs.java"].map(|name| bench.path(name));
    bench.jdk.compile(&sources, &bench.path("store"), &["--release", "17", "-g"]).unwrap();
    let store = bench.path("store");
    let flags = ["--release", "17", "-g", "-cp", store.to_str().unwrap()];
    bench.jdk.compile(&[bench.path("Till.java")], &bench.path("shop"), &flags).unwrap();
    bench
}

fn summarize(bench: &Bench) {
    let ended = bench.jrace(&["summarize", "--out", "store.sum", "store"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    let ended = bench.jrace(&["summarize", "--out", "shop.sum", "shop", "--link", "store.sum"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
}

fn linked(bench: &Bench, flags: &[&str]) -> Ended {
    bench.jrace(&[&["races", "--modular", "--link", "shop.sum", "store.sum"], flags].concat())
}

fn at_once(bench: &Bench, flags: &[&str]) -> Ended {
    bench.jrace(&[&["races", "--modular", "shop", "store"], flags].concat())
}

#[test]
fn linked_targets_give_the_bytes_of_one_run() {
    let bench = targets();
    summarize(&bench);
    for form in [&["--json"][..], &["--all"], &["--brief"]] {
        let (linked, at_once) = (linked(&bench, form), at_once(&bench, form));
        assert_eq!((linked.code, &linked.out), (at_once.code, &at_once.out));
        assert!(linked.err.contains(" summaries were linked, 0 made anew\n"), "{linked:?}");
        assert!(at_once.out.contains("sales") && at_once.code == Some(66), "{at_once:?}");
    }
    // A target that was changed and not summarized again, as a jar of its own, and with a store.
    bench.write("Till.java", &TILL.replace("public void add", "public synchronized void add"));
    let store = bench.path("store");
    let flags = ["--release", "17", "-g", "-cp", store.to_str().unwrap()];
    bench.jdk.compile(&[bench.path("Till.java")], &bench.path("shop"), &flags).unwrap();
    let plain = at_once(&bench, &[]);
    for is_first in [true, false] {
        let ended = bench.jrace(&["races", "--modular", "--store", "kept", "shop", "--link", "store.sum"]);
        assert_eq!((ended.code, &ended.out), (plain.code, &plain.out));
        assert!(ended.err.contains("made anew") && ended.err.contains(", 0 made anew") != is_first, "{ended:?}");
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name().into_string().unwrap())).unwrap();
        if entry.is_dir() {
            found.extend(files(&entry).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(entry).unwrap());
        }
    }
    found
}

#[test]
fn a_target_makes_the_same_bytes_anywhere() {
    let (here, there) = (targets(), targets());
    summarize(&here);
    summarize(&there);
    let path = |bench: &Bench, name: &str| bench.path(name).display().to_string();
    for name in ["store.sum", "shop.sum"] {
        let found = files(&here.path(name));
        assert!(found.len() >= 3, "{:?}", found.keys());
        assert_eq!(found, files(&there.path(name)), "{name}");
        let of_here = here.directory.path().to_str().unwrap().as_bytes().to_vec();
        assert!(found.values().all(|bytes| !bytes.windows(of_here.len()).any(|window| window == of_here)), "{name}");
    }
    // By absolute paths, over what is there already.
    let [out, classes, link] = ["shop.sum", "shop", "store.sum"].map(|name| path(&there, name));
    let ended = here.jrace(&["summarize", "--out", &out, &classes, "--link", &link]);
    assert_eq!((ended.code, files(&here.path("shop.sum"))), (Some(0), files(&there.path("shop.sum"))), "{ended:?}");
}

fn replace(bench: &Bench, file: &str, from: &str, to: &str) {
    let text = bench.read(file);
    assert!(text.contains(from), "{text}");
    bench.write(file, &text.replace(from, to));
}

#[test]
fn what_cannot_be_taken_is_made_anew_and_said() {
    let bench = targets();
    let plain = at_once(&bench, &["--json"]);
    let tries = |told: &str, change: &dyn Fn(&Bench)| {
        summarize(&bench);
        change(&bench);
        let ended = linked(&bench, &["--json"]);
        assert_eq!((ended.code, &ended.out), (plain.code, &plain.out), "{told}");
        assert!(ended.err.contains(told), "{told}: {ended:?}");
    };
    let json = "store.sum/target.json";
    tries("the summaries of `store.sum` are of another build of jrace: they are made anew\n", &|bench| {
        replace(bench, json, "\"build\": \"", "\"build\": \"0.0.1 ")
    });
    tries("the summaries of `store.sum` were made with another JDK than ", &|bench| {
        replace(bench, json, "\"jdk\": \"", "\"jdk\": \"1")
    });
    tries("the summaries of `store.sum` were made with other models: what differs is made anew\n", &|bench| {
        replace(bench, json, "\"models\": null", "\"models\": \"00\"")
    });
    let bytes = |bench: &Bench| fs::read(bench.path("store.sum/summaries")).unwrap();
    tries("the summaries of `store.sum` are damaged: they are made anew\n", &|bench| {
        let bytes = bytes(bench);
        fs::write(bench.path("store.sum/summaries"), &bytes[..bytes.len() - 1]).unwrap();
    });
    tries(", as 1 of them is damaged\n", &|bench| {
        let mut bytes = bytes(bench);
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(bench.path("store.sum/summaries"), bytes).unwrap();
        let whole = files(&bench.path("shop.sum"));
        let ended = bench.jrace(&["summarize", "--out", "shop.sum", "shop", "--link", "store.sum"]);
        assert_eq!(ended.err, "jrace: some of the summaries that are linked are damaged: they are made anew\n");
        assert!(files(&bench.path("shop.sum"))["summaries"].len() > whole["summaries"].len());
        bench.jrace(&["summarize", "--out", "shop.sum", "shop", "--library", "store"]);
    });
    tries("the summaries of `store.sum` are damaged", &|bench| {
        fs::remove_file(bench.path("store.sum/summaries")).unwrap()
    });
    tries("`shop.Till` is in `shop.sum` and in `store.sum`: the first is taken, as on a class path\n", &|bench| {
        replace(bench, json, "\"store.Counter\"", "\"shop.Till\"")
    });
}

/// Of an absolute path only the last part is a name.
#[test]
fn targets_of_one_name_are_told_apart() {
    let bench = targets();
    let summarize = |module: &str, of: &str, links: &[&str]| {
        let (classes, out) = (bench.path(&format!("{module}/classes")), format!("{module}.sum"));
        fs::create_dir_all(classes.parent().unwrap()).unwrap();
        fs::rename(bench.path(of), &classes).unwrap();
        let linked = if links.is_empty() { Vec::new() } else { [&["--link"], links].concat() };
        let ended = bench.jrace(&[&["summarize", "--out", &out, classes.to_str().unwrap()], &linked[..]].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.err);
    };
    summarize("a", "store", &[]);
    summarize("b", "shop", &["a.sum"]);
    bench
        .jrace(&["races", "--modular", "--link", "b.sum"])
        .failed_with("`b.sum` was summarized with `classes`, which is missing: give --link the folder of that, too");
    assert_ne!(bench.jrace(&["races", "--modular", "--link", "b.sum", "a.sum"]).code, Some(2));
}

#[test]
fn what_is_wrong_with_a_folder_is_one_sentence() {
    let bench = targets();
    summarize(&bench);
    bench
        .jrace(&["races", "--modular", "--link", "shop.sum"])
        .failed_with("`shop.sum` was summarized with `store`, which is missing: give --link the folder of that, too");
    bench
        .jrace(&["summarize", "--out", "shop.sum", "shop", "--link", "shop.sum", "store.sum"])
        .failed_with("`shop.sum` is one of the folders to link: give --out another one");
    bench
        .jrace(&["summarize", "--out", "store", "shop"])
        .failed_with("`store` has files that are no summaries: give --out a new folder");
    bench
        .jrace(&["summarize", "--out", "new", "shop/*"])
        .failed_with("a part is made of jars and directories that are named one by one, without `*`");
    bench.write("file", "");
    let ended = bench.jrace(&["summarize", "--out", "file", "shop"]);
    assert!(
        ended.code == Some(2) && ended.err.contains("`file` cannot be written: give --out another folder"),
        "{ended:?}"
    );
    let ended = linked(&bench, &["--link", "shop"]);
    assert!(ended.code == Some(2) && ended.err.contains("`shop` is no folder of `jrace summarize`"), "{ended:?}");
    let damaged = "`store.sum` is damaged: make it again with `jrace summarize`";
    let class = fs::read_dir(bench.path("store.sum/classes/0-store/store")).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&class).unwrap();
    fs::write(&class, [&whole[..], &[0]].concat()).unwrap();
    linked(&bench, &[]).failed_with(damaged);
    fs::write(&class, &whole).unwrap();
    fs::write(bench.path("store.sum/classes/0-store/New.class"), &whole).unwrap();
    linked(&bench, &[]).failed_with(damaged);
    summarize(&bench);
    replace(&bench, "store.sum/target.json", "\"format\": 1", "\"format\": 0");
    linked(&bench, &[]).failed_with(
        "`store.sum` is of a jrace that makes other folders: make it again with this one's `jrace summarize`",
    );
    bench.write("store.sum/target.json", "{");
    let ended = linked(&bench, &[]);
    assert!(ended.code == Some(2) && ended.err.contains(damaged), "{ended:?}");
}

/// A command that may write files of `blocks` times 512 bytes only, as on a disk that is full.
fn in_little_room(bench: &Bench, blocks: usize, arguments: &[&str]) -> Ended {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_jrace")]).args(arguments).current_dir(bench.directory.path());
    command.env("JAVA_HOME", &bench.jdk.home).env_remove("JRACE_OPTIONS").env_remove("JAVA_TOOL_OPTIONS");
    Ended::of(command.output().unwrap())
}

#[test]
fn what_has_no_room_is_one_sentence_and_nothing_is_taken_of_it() {
    let bench = targets();
    let ended = in_little_room(&bench, 2, &["summarize", "--out", "store.sum", "store"]);
    assert!(ended.code == Some(2) && ended.err.contains(": give --out a folder that has room: "), "{ended:?}");
    let ended = bench.jrace(&["races", "--modular", "shop", "--link", "store.sum"]);
    assert!(ended.code == Some(2) && ended.err.contains("`store.sum` is no folder of `jrace summarize`"), "{ended:?}");
    summarize(&bench);
    let plain = at_once(&bench, &[]);
    assert_eq!(linked(&bench, &[]).out, plain.out);
    let ended = in_little_room(&bench, 100, &["races", "--modular", "--store", "kept", "shop", "store"]);
    assert!(ended.code == Some(2) && ended.out.is_empty(), "{ended:?}");
    assert!(ended.err.ends_with(": give --store a folder that can be written and has room\n"), "{ended:?}");
    assert_eq!(at_once(&bench, &["--store", "kept"]).out, plain.out);
}
