//! `jrace races --only-norace`: only what no race is to be on is asked about, by either search.

use std::collections::BTreeSet;

use jrace_tests::root;

use super::{Bench, Ended, names};

const TILL: &str = "package shop;
import java.util.*;
import jrace.annotations.NoRace;
public class Till extends Thread {
    @NoRace static int asked;
    static int other, named;
    @NoRace static final int[] CELLS = new int[1];
    static final long[] OTHERS = new long[1];
    @NoRace static final Map<String, String> MAP = new HashMap<>();
    static final List<String> LIST = new ArrayList<>();
    static final Slip SLIP = new Slip();
    @NoRace static class Slip { int whole; }
    @Override public void run() {
        asked++; other++; named++; CELLS[0]++; OTHERS[0]++; SLIP.whole++;
        MAP.put(\"\", \"\"); LIST.add(\"\");
    }
    public static void main(String[] args) { new Till().start(); new Till().start(); }
}
";

/// What both searches find, which is the same.
fn found(bench: &Bench, flags: &[&str]) -> Result<BTreeSet<String>, Ended> {
    let mut all = Vec::new();
    for search in [&[][..], &["--modular"]] {
        let ended = bench.jrace(&[&["races", "--json"], search, flags, &["--library", "jar", "classes"]].concat());
        if ended.code == Some(2) {
            return Err(ended);
        }
        all.push(names(&ended.json()).into_iter().map(str::to_owned).collect::<BTreeSet<_>>());
    }
    assert_eq!(all[0], all[1]);
    Ok(all.remove(0))
}

fn till(text: &str) -> Bench {
    let bench = Bench::new();
    let annotation = root().join("annotations/src/main/java/jrace/annotations/NoRace.java");
    bench.jdk.compile(&[annotation], &bench.path("jar"), &["--release", "17"]).unwrap();
    bench.write("Till.java", text);
    let path = bench.path("jar");
    let flags = ["--release", "17", "-cp", path.to_str().unwrap()];
    bench.jdk.compile(&[bench.path("Till.java")], &bench.path("classes"), &flags).unwrap();
    bench
}

#[test]
fn fields_classes_and_what_they_refer_to_are_asked_about() {
    let bench = till(TILL);
    let asked = ["int[]", "java.util.HashMap", "shop.Till$Slip.whole", "shop.Till.asked"];
    let others = ["java.util.ArrayList", "long[]", "shop.Till.named", "shop.Till.other"];
    let of = |parts: &[&[&str]]| parts.concat().into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(found(&bench, &[]).unwrap(), of(&[&asked, &others]));
    assert_eq!(found(&bench, &["--only-norace"]).unwrap(), of(&[&asked]));
    bench.write("file", "shop.Till.named @NoRace # by hand\n");
    let with_file = found(&bench, &["--only-norace", "--annotations", "file"]).unwrap();
    assert_eq!(with_file, of(&[&asked, &["shop.Till.named"]]));
    let text = bench.jrace(&["races", "--modular", "--only-norace", "--library", "jar", "classes"]);
    assert!(
        text.out.contains("\nnot seen: races on 4 variables, as only what is @NoRace was asked about\n"),
        "{text:?}"
    );
}

#[test]
fn nothing_to_ask_about_is_told() {
    let bench = till(&TILL.replace("@NoRace ", ""));
    for search in [&[][..], &["--modular"]] {
        let flags = [&["races", "--only-norace"], search, &["classes"]].concat();
        bench.jrace(&flags).failed_with(
            "no field is @NoRace: annotate fields or classes, or write lines `package.Class @NoRace` in a file for --annotations",
        );
    }
    bench.write("file", "shop.Till @GuardedBy(\"this\")\n");
    let ended = bench.jrace(&["races", "--only-norace", "--annotations", "file", "classes"]);
    assert!(
        ended.err.contains("is for `jrace check --annotations`: of annotations, `jrace races` takes `@NoRace` only"),
        "{ended:?}"
    );
    bench.write("file", "unparallel a.B.c a.B.d\n");
    bench.jrace(&["races", "--modular", "--annotations", "file", "classes"]).failed_with(
        "`unparallel` is for the search without --modular: leave these lines out of the file of --annotations",
    );
    bench.write("file", "benign shop.Till.*\n");
    let benign = bench.jrace(&["races", "--modular", "--json", "--annotations", "file", "classes"]);
    assert!(!names(&benign.json()).contains(&"shop.Till.asked"), "{benign:?}");
}
