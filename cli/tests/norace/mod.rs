//! `jrace races --only-norace` and `--except-mayrace`: only what no race is to be on is asked about, or all but where races do no harm, by
//! either search.

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
    let annotations = root().join("annotations/src/main/java/jrace/annotations");
    let annotations = ["NoRace.java", "MayRace.java"].map(|name| annotations.join(name));
    bench.jdk.compile(&annotations, &bench.path("jar"), &["--release", "8"]).unwrap();
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

const TYPES: &str = "package shop;
import java.util.*;
import jrace.annotations.NoRace;
public class Till extends Thread {
    @NoRace static final Map<String, ? extends Deque<long[]>> ALL = new HashMap<>();
    static final ArrayDeque DEQUE = new ArrayDeque();
    static final long[] LONGS = new long[1];
    static final List<@NoRace Item> ITEMS = new ArrayList<>();
    static final Item ITEM = new Item();
    static final Object SLIPS = new PriorityQueue<Slip>();
    static int @NoRace [] cells = new int[1];
    @NoRace static Other[] others = { new Other() };
    static final short[] SHORTS = new short[1];
    static final Set<String> NAMES = new HashSet<>();
    @NoRace static class Slip { }
    static class Item { int price; }
    static class Other { int price; }
    static void take(PriorityQueue<Slip> slips) { slips.add(new Slip()); }
    @Override public void run() {
        ALL.put(\"\", null); DEQUE.add(LONGS); LONGS[0]++; ITEMS.add(ITEM); ITEM.price++; take((PriorityQueue<Slip>) SLIPS);
        cells[0]++; cells = new int[1]; others[0].price++; others[0] = new Other(); SHORTS[0]++; NAMES.add(\"\");
    }
    public static void main(String[] args) { new Till().start(); new Till().start(); }
}
";

#[test]
fn types_say_it_of_what_they_hold() {
    let bench = till(TYPES);
    let asked = found(&bench, &["--only-norace"]).unwrap();
    let expected = [
        "int[]",
        "java.util.ArrayDeque",
        "java.util.ArrayList",
        "java.util.HashMap",
        "java.util.PriorityQueue",
        "long[]",
        "shop.Till$Item.price",
        "shop.Till$Other[]",
    ];
    assert_eq!(asked, expected.map(str::to_owned).into());
    let others = ["java.util.HashSet", "shop.Till$Other.price", "shop.Till.cells", "short[]"];
    let all = found(&bench, &[]).unwrap();
    assert_eq!(all.difference(&asked).collect::<Vec<_>>(), others);
}

const HARMLESS: &str = "package shop;
import java.util.*;
import jrace.annotations.*;
public class Till extends Thread {
    static int asked;
    @MayRace static int harmless;
    static final Stats STATS = new Stats();
    @MayRace static class Stats { int hits; @NoRace int sum; }
    @MayRace static final short[] SHORTS = new short[1];
    @MayRace static final char[] LETTERS = new char[1];
    static final char[][] OTHERS = { new char[1] };
    static final List<Stats> LIST = new ArrayList<>();
    @MayRace static final Queue<Integer> NUMBERS = new ArrayDeque<>();
    static final Deque<String> NAMES = new ArrayDeque<>();
    @Override public void run() {
        asked++; harmless++; STATS.hits++; STATS.sum++; SHORTS[0]++; LETTERS[0]++; OTHERS[0][0]++;
        LIST.add(STATS); NUMBERS.add(1); NAMES.add(\"\");
    }
    public static void main(String[] args) { new Till().start(); new Till().start(); }
}
";

#[test]
fn all_but_where_races_do_no_harm_is_asked_about() {
    let bench = till(HARMLESS);
    let all = found(&bench, &[]).unwrap();
    let asked = found(&bench, &["--except-mayrace"]).unwrap();
    let left_out = ["java.util.ArrayList", "shop.Till$Stats.hits", "shop.Till.harmless", "short[]"];
    assert_eq!(all.difference(&asked).collect::<Vec<_>>(), left_out);
    // Others may have those, and the field's own annotation counts before its class's.
    let others = ["char[]", "java.util.ArrayDeque", "shop.Till$Stats.sum", "shop.Till.asked"];
    assert_eq!(asked, others.map(str::to_owned).into());
    let both = found(&bench, &["--except-mayrace", "--only-norace"]).unwrap();
    assert_eq!(both, ["shop.Till$Stats.sum".to_owned()].into());
}

#[test]
fn what_an_object_of_any_type_may_be_is_asked_about() {
    let any = "static final Object ANY = new Stats[1];\n    @Override public void run() {\n        ((Stats[]) ANY)[0] = STATS;";
    let bench = till(&HARMLESS.replace("@Override public void run() {", any));
    let (all, asked) = (found(&bench, &[]).unwrap(), found(&bench, &["--except-mayrace"]).unwrap());
    // But for arrays of a class that says so.
    let left_out = ["shop.Till$Stats.hits", "shop.Till$Stats[]", "shop.Till.harmless"];
    assert_eq!(all.difference(&asked).collect::<Vec<_>>(), left_out);
}

#[test]
fn the_last_line_that_fits_counts_and_before_the_code() {
    let bench = till(HARMLESS);
    bench.write("file", "shop.* @MayRace\nshop.Till.harmless @NoRace\n");
    let with_file = |flag: &str| found(&bench, &[flag, "--annotations", "file"]).unwrap();
    assert_eq!(with_file("--only-norace"), ["shop.Till.harmless".to_owned()].into());
    assert_eq!(with_file("--except-mayrace"), ["shop.Till.harmless".to_owned()].into());
    bench.write("file", "shop.Till.harmless @NoRace\nshop.* @MayRace\n");
    assert_eq!(with_file("--except-mayrace"), BTreeSet::new());
    let bench = till(&HARMLESS.replace("@MayRace ", ""));
    bench.jrace(&["races", "--except-mayrace", "classes"]).failed_with(
        "no field is @MayRace: annotate fields or classes, or write lines `package.Class @MayRace` in a file for --annotations",
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
        ended.err.contains("is for `jrace check --annotations`: of annotations, `jrace races` takes `@NoRace`, `@MayRace` and `@AliasSets` only"),
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
