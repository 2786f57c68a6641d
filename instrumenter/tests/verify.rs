//! HotSpot verifies every woven class: of the JDKs, java.base included, and of libraries from many compilers.
//!
//! `JRACE_SWEEP=1` takes every module and every library; otherwise java.base and the first few libraries are enough.
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{self, ClassFile, Numbers};
use facts::access::{ArrayGranularity, Granularity};
use facts::hook::{ENTRY, Events, THREAD_FIELDS};
use facts::models::{Model, Models};
use instrumenter::Plan;
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::Jdk;

const VERIFY: [&str; 7] = [
    // What is only loaded is not worth compiling.
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+BytecodeVerificationLocal",
    "-XX:+BytecodeVerificationRemote",
    "-Xshare:off",
    "-Xmx2g",
];

#[test]
fn woven_jdks_boot_and_verify() {
    for jdk in Jdk::all() {
        let directory = tempfile::tempdir().unwrap();
        let mut classes = common::jdk_classes(&jdk);
        if !common::sweep() {
            classes.retain(|class| class.module == "java.base");
        }
        let expected = load(&jdk, directory.path(), &classes, &[], &[]);
        common::compile_hooks(&jdk, &directory.path().join("java.base"), "", "");
        let modules: BTreeSet<&str> = classes.iter().map(|class| class.module.as_str()).collect();
        let patches: Vec<String> = modules
            .iter()
            .map(|module| format!("--patch-module={module}={}", directory.path().join(module).display()))
            .collect();
        for events in [Events::ERASER | Events::CONTENTS, Events::ALL | Events::TRANSACTIONS] {
            let n_woven = weave_jdk(directory.path(), &classes, events);
            let found = load(&jdk, directory.path(), &classes, &patches, &[]);
            assert_eq!(found, expected, "JDK {}", jdk.feature);
            assert!(n_woven * 2 > classes.len(), "only {n_woven} of {} classes were woven", classes.len());
        }
    }
}

fn weave_jdk(out: &Path, classes: &[ClassFile], events: Events) -> usize {
    let mut sites = Numbers::default();
    let mut n_woven = 0;
    for class in classes {
        let models: Vec<Model> = Models::built_in().methods(&class.name).cloned().collect();
        let plan = Plan {
            // The VM computes with the layout of a few classes of java.base.
            shadows: class.module != "java.base",
            carries: class.module != "java.base",
            models: &models,
            add_fields: match class.name.as_str() {
                "java/lang/Thread" => &THREAD_FIELDS,
                "java/lang/Class" => &[ENTRY],
                name if !models.is_empty() && !name.starts_with("java/lang/ref/") => &[ENTRY],
                _ => &[],
            },
            ..Plan::new(events)
        };
        n_woven += common::weave_into(out, std::slice::from_ref(class), &plan, &mut sites);
    }
    n_woven
}

/// What `LoadAll` prints: the classes that fail, and how many do not.
fn load(jdk: &Jdk, directory: &Path, classes: &[ClassFile], options: &[String], path: &[PathBuf]) -> Vec<String> {
    let list = directory.join("classes.txt");
    let names: Vec<String> = classes.iter().map(|class| class.name.replace('/', ".")).collect();
    std::fs::write(&list, names.join("\n")).unwrap();
    let source = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/LoadAll.java"));
    let loader = compiled(jdk, &[source], &[]).unwrap();
    let mut java = jdk.tool("java");
    java.args(VERIFY).args(["--add-modules", "ALL-SYSTEM"]).args(options);
    java.arg("-cp").arg(loader).arg("LoadAll").arg(list).args(path);
    let output = java.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text.lines().map(str::to_owned).collect()
}

/// Group, artifact and version; the first few are taken always. ProGuard or R8 has made the frames of some.
const LIBRARIES: [(&str, &str, &str); 18] = [
    ("commons-pool", "commons-pool", "1.2"),
    ("org.apache.commons", "commons-lang3", "3.17.0"),
    ("org.jetbrains.kotlin", "kotlin-stdlib", "2.1.0"),
    ("com.google.guava", "guava", "33.4.0-jre"),
    ("org.scala-lang", "scala-library", "2.13.15"),
    ("org.scala-lang", "scala3-library_3", "3.6.2"),
    ("org.scala-lang", "scala3-compiler_3", "3.6.2"),
    ("org.apache.groovy", "groovy", "4.0.24"),
    ("org.clojure", "clojure", "1.12.0"),
    ("com.h2database", "h2", "2.3.232"),
    ("org.apache.derby", "derby", "10.16.1.1"),
    ("org.jruby", "jruby-core", "9.4.9.0"),
    ("org.python", "jython-standalone", "2.7.4"),
    ("xalan", "xalan", "2.7.0"),
    ("antlr", "antlr", "2.7.7"),
    ("com.guardsquare", "proguard-base", "7.6.0"),
    ("org.eclipse.jdt", "ecj", "3.39.0"),
    ("org.jetbrains.kotlin", "kotlin-compiler-embeddable", "2.0.21"),
];

/// What each mode of the agent weaves: races, races by element, traces for atomicity (all and sparing), type discovery.
fn modes() -> [Plan<'static>; 5] {
    let recorded = Plan { shadows: true, ..Plan::new(Events::ALL | Events::TRANSACTIONS) };
    let races = Plan { shadows: true, carries: true, ..Plan::new(Events::ERASER | Events::CONTENTS) };
    [
        races,
        Plan { arrays: ArrayGranularity::Element, ..races },
        Plan { granularity: Granularity::Object, ..recorded },
        Plan { leaves_out_redundant: true, ..recorded },
        Plan { events: Events::DISCOVERY, ..races },
    ]
}

#[test]
fn woven_libraries_verify() {
    let (libraries, jdks) = match common::sweep() {
        true => (&LIBRARIES[..], Jdk::all()),
        false => (&LIBRARIES[..3], Jdk::oldest_and_newest()),
    };
    // The jars before it in the list are what a library depends on.
    let mut path = Vec::new();
    for (group, artifact, version) in libraries {
        path.insert(0, fetch(group, artifact, version));
        for jdk in &jdks {
            let [races, _, recorded, ..] = modes();
            let all = modes();
            let plans = if common::sweep() { &all[..] } else { &[races, recorded] };
            check_library(jdk, &path, common::jar_classes(&path[0]), plans);
        }
    }
}

/// Frames that give up a variable after its last use, as ProGuard and R8 write them.
#[test]
fn frames_without_dead_variables_verify() {
    let jdk = Jdk::oldest();
    let libraries = if common::sweep() { &LIBRARIES[..4] } else { &LIBRARIES[..2] };
    for (group, artifact, version) in libraries {
        let jar = fetch(group, artifact, version);
        let mut classes = common::jar_classes(&jar);
        classes.iter_mut().for_each(forget_dead);
        check_library(&jdk, &[jar], classes, &modes());
    }
    let mut classes = common::jdk_classes(&jdk);
    classes.retain(|class| class.module == "java.xml");
    classes.iter_mut().for_each(forget_dead);
    let directory = tempfile::tempdir().unwrap();
    common::compile_hooks(&jdk, &directory.path().join("java.base"), "", "");
    let patch = |module: &str| format!("--patch-module={module}={}", directory.path().join(module).display());
    let patches = ["java.base", "java.xml"].map(patch);
    let expected = load(&jdk, directory.path(), &classes, &patches[..1], &[]);
    for plan in modes() {
        common::weave_into(directory.path(), &classes, &plan, &mut Numbers(20_000));
        assert_eq!(load(&jdk, directory.path(), &classes, &patches, &[]), expected);
    }
}

fn forget_dead(class: &mut ClassFile) {
    class.bytes = instrumenter::forget_dead_locals(&class.bytes).unwrap_or_else(|why| panic!("{}: {why}", class.name));
}

/// The library is the first jar of the path; its classes may be others than in the jar.
fn check_library(jdk: &Jdk, path: &[PathBuf], classes: Vec<ClassFile>, plans: &[Plan<'_>]) {
    let jar = &path[0];
    let directory = tempfile::tempdir().unwrap();
    common::compile_hooks(jdk, &directory.path().join("hooks"), "", "");
    let patch = [format!("--patch-module=java.base={}", directory.path().join("hooks").display())];
    let out = directory.path().join("woven");
    let load_out = || {
        // All of the library comes from one place: a signed package must not be mixed.
        add_unwoven(&out, &classes);
        let woven_path = [std::slice::from_ref(&out), &path[1..]].concat();
        let loaded = load(jdk, directory.path(), &classes, &patch, &woven_path);
        std::fs::remove_dir_all(&out).unwrap();
        loaded
    };
    let expected = load_out();
    for plan in plans {
        let n_woven = common::weave_into(&out, &classes, plan, &mut Numbers(20_000));
        assert_eq!(load_out(), expected, "{} on JDK {} with {plan:?}", jar.display(), jdk.feature);
        assert!(n_woven > 0, "nothing in {} was woven", jar.display());
    }
}

/// Puts the classes that were not woven beside those that were.
fn add_unwoven(out: &Path, classes: &[ClassFile]) {
    for class in classes {
        let path = out.join(&class.name).with_extension("class");
        if !path.exists() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &class.bytes).unwrap();
        }
    }
}

/// The jar in the local Maven repository, downloaded when absent.
fn fetch(group: &str, artifact: &str, version: &str) -> PathBuf {
    let repository = std::env::var("HOME").map(PathBuf::from).unwrap().join(".m2/repository");
    let jar =
        repository.join(group.replace('.', "/")).join(artifact).join(version).join(format!("{artifact}-{version}.jar"));
    if !jar.exists() {
        let artifact = format!("-Dartifact={group}:{artifact}:{version}");
        let status = Command::new("mvn").args(["-q", "dependency:get", "-Dtransitive=false", &artifact]).status();
        assert!(status.is_ok_and(|status| status.success()), "mvn cannot fetch {artifact}; put it in ~/.m2/repository");
    }
    jar
}
