//! Contents of objects of the library: a program with a field of each class, made from a table, in which another thread reads between
//! two writes.
#![allow(clippy::disallowed_methods, reason = "writes the program that it makes")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Result, ensure};
use facts::finding::Variable;
use facts::models::contents;
use jrace_tests::fixture::{classes, compiled, folder, on_every_jdk};
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::launch::Launch;
use jrace_tests::run::Run;

/// Type, how it is made, what writes it, what reads it (`$` is the field).
type Row = (&'static str, &'static str, &'static str, &'static str);

/// One row at least for each class that the models know, and for each way that leads to it.
const UNSAFE: &[Row] = &[
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "$.size()"),
    ("ArrayList<Integer>", "new ArrayList<>()", "$.add(1)", "$.get(0)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "for (int i : $) sum += i"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "$.subList(0, 1).get(0)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "for (int i : $.subList(0, 1)) sum += i"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "Collections.unmodifiableList($).get(0)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "for (int i : Collections.unmodifiableList($)) sum += i"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "new LinkedList<>($)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "new HashSet<Integer>().addAll($)"),
    ("List<Integer>", "new ArrayList<>(List.of(2, 1))", "Collections.sort($)", "Collections.max($)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "$.forEach(i -> { })"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "$.stream().count()"),
    ("List<Integer>", "new ArrayList<>(List.of(2, 1))", "$.add(0, 1)", "$.equals(null)"),
    ("List<Integer>", "Collections.synchronizedList(new ArrayList<>())", "$.add(1)", "for (int i : $) sum += i"),
    (
        "Map<Integer, Integer>",
        "Collections.synchronizedMap(new HashMap<>())",
        "$.put(1, 1)",
        "for (int i : $.keySet()) sum += i",
    ),
    ("List<Integer>", "new LinkedList<>()", "$.add(1)", "for (int i : $) sum += i"),
    ("Deque<Integer>", "new ArrayDeque<>()", "$.push(1)", "$.peek()"),
    ("Deque<Integer>", "new ArrayDeque<>()", "$.push(1)", "for (int i : $) sum += i"),
    ("Queue<Integer>", "new PriorityQueue<>()", "$.offer(1)", "for (int i : $) sum += i"),
    ("Map<Integer, Integer>", "new HashMap<>()", "$.put(1, 1)", "$.get(1)"),
    ("Map<Integer, Integer>", "new HashMap<>()", "$.merge(1, 1, Integer::sum)", "$.getOrDefault(1, 2)"),
    ("Map<Integer, Integer>", "new HashMap<>()", "$.computeIfAbsent(1, k -> k)", "for (int i : $.keySet()) sum += i"),
    ("Map<Integer, Integer>", "new HashMap<>()", "$.put(1, 1)", "for (int i : $.values()) sum += i"),
    (
        "Map<Integer, Integer>",
        "new HashMap<>()",
        "$.put(1, 1)",
        "for (Map.Entry<Integer, Integer> e : $.entrySet()) sum += e.getKey()",
    ),
    ("Map<Integer, Integer>", "new HashMap<>()", "$.put(1, 1)", "Collections.unmodifiableMap($).get(1)"),
    ("Map<Integer, Integer>", "new HashMap<>()", "$.replace(1, 1, 2)", "new TreeMap<Integer, Integer>().putAll($)"),
    ("Map<Integer, Integer>", "new LinkedHashMap<>()", "$.put(1, 1)", "for (int i : $.keySet()) sum += i"),
    ("Map<Integer, Integer>", "new TreeMap<>()", "$.put(1, 1)", "for (int i : $.keySet()) sum += i"),
    ("TreeMap<Integer, Integer>", "new TreeMap<>()", "$.put(1, 1)", "$.headMap(3).get(1)"),
    ("Map<Integer, Integer>", "new IdentityHashMap<>()", "$.put(1, 1)", "for (int i : $.values()) sum += i"),
    ("Map<Integer, Integer>", "new WeakHashMap<>()", "$.put(1, 1)", "for (int i : $.values()) sum += i"),
    ("Map<Letter, Integer>", "new EnumMap<>(Letter.class)", "$.put(Letter.A, 1)", "for (int i : $.values()) sum += i"),
    ("Set<Letter>", "EnumSet.noneOf(Letter.class)", "$.add(Letter.A)", "for (Letter l : $) sum++"),
    ("Set<Integer>", "new HashSet<>()", "$.add(1)", "for (int i : $) sum += i"),
    ("Set<Integer>", "new LinkedHashSet<>()", "$.add(1)", "$.contains(1)"),
    ("Set<Integer>", "new TreeSet<>()", "$.add(1)", "for (int i : $) sum += i"),
    ("Own", "new Own()", "$.put(1, 1)", "$.get(1)"),
    ("BitSet", "new BitSet()", "$.set(1)", "$.get(1)"),
    ("StringBuilder", "new StringBuilder()", "$.append('x').append(1L)", "$.length()"),
    ("StringBuilder", "new StringBuilder()", "$.insert(0, 1L)", "$.toString()"),
    ("StringBuilder", "new StringBuilder(\"xyz\")", "$.replace(0, 1, \"y\")", "$.indexOf(\"y\")"),
    ("StringJoiner", "new StringJoiner(\"\")", "$.add(\"x\")", "$.length()"),
    ("StringTokenizer", "new StringTokenizer(\"a b\")", "$.nextToken()", "$.hasMoreTokens()"),
    ("Scanner", "new Scanner(\"a b c d\")", "$.next()", "$.next()"),
    ("Formatter", "new Formatter()", "$.format(\"x\")", "$.format(\"x\")"),
    ("Calendar", "Calendar.getInstance()", "$.set(2000, 1, 1)", "$.getTime()"),
    ("SplittableRandom", "new SplittableRandom(1)", "$.nextInt()", "$.nextInt()"),
    ("Matcher", "Pattern.compile(\"a\").matcher(\"aaaa\")", "$.find()", "$.hitEnd()"),
    ("DateFormat", "new SimpleDateFormat(\"y\")", "$.format(new Date())", "$.parse(\"1\")"),
    ("NumberFormat", "new DecimalFormat(\"0\")", "$.format(1L)", "$.format(1L)"),
    ("NumberFormat", "NumberFormat.getCompactNumberInstance()", "$.format(1L)", "$.format(1L)"),
    ("MessageFormat", "new MessageFormat(\"x\")", "$.format(new Object[0])", "$.format(new Object[0])"),
    ("ByteBuffer", "ByteBuffer.allocate(99)", "$.put((byte) 1)", "$.remaining()"),
    ("LongBuffer", "LongBuffer.allocate(99)", "$.put(1L)", "$.get()"),
    ("MessageDigest", "MessageDigest.getInstance(\"SHA-256\")", "$.update((byte) 1)", "$.digest()"),
    ("Signature", "signature()", "$.update((byte) 1)", "$.update((byte) 1)"),
    ("Mac", "mac()", "$.update((byte) 1)", "$.update((byte) 1)"),
    ("Cipher", "cipher()", "$.update(new byte[1])", "$.update(new byte[1])"),
    ("CRC32", "new CRC32()", "$.update(1)", "$.getValue()"),
    ("CRC32C", "new CRC32C()", "$.update(1)", "$.getValue()"),
    ("Checksum", "new Adler32()", "$.update(1)", "$.getValue()"),
    ("CharsetEncoder", "StandardCharsets.UTF_8.newEncoder()", "$.reset()", "$.canEncode('x')"),
    ("CharsetDecoder", "StandardCharsets.UTF_8.newDecoder()", "$.reset()", "$.replacement()"),
    ("IntSummaryStatistics", "new IntSummaryStatistics()", "$.accept(1)", "$.getMax()"),
    ("LongSummaryStatistics", "new LongSummaryStatistics()", "$.accept(1L)", "$.getSum()"),
    ("DoubleSummaryStatistics", "new DoubleSummaryStatistics()", "$.accept(1.0)", "$.getMin()"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "List.copyOf($)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "new CopyOnWriteArrayList<>($)"),
    ("Map<Integer, Integer>", "new HashMap<>()", "$.put(1, 1)", "new ConcurrentHashMap<>($)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "sum += (\"list \" + $).length()"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "sum += (\"list \" + $ + 1L).length()"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "String.valueOf($)"),
    ("List<Integer>", "new ArrayList<>()", "$.add(1)", "new StringBuilder().append($)"),
    ("int[]", "{1, 2}", "System.arraycopy(new int[] {1}, 0, $, 0, 1)", "$.clone()"),
    ("int[]", "{1, 2}", "Arrays.fill($, 1)", "System.arraycopy($, 0, new int[1], 0, 1)"),
    ("int[]", "{1, 2}", "Arrays.sort($, 0, 1)", "Arrays.copyOfRange($, 0, 1)"),
    ("String[]", "{\"a\"}", "Arrays.fill($, 0, 1, \"b\")", "Arrays.copyOf($, 3)"),
];

/// What several threads may use as they like.
const SAFE: &[Row] = &[
    ("Map<Integer, Integer>", "new ConcurrentHashMap<>()", "$.put(1, 1)", "for (int i : $.keySet()) sum += i"),
    ("Map<Integer, Integer>", "new ConcurrentSkipListMap<>()", "$.put(1, 1)", "$.get(1)"),
    ("List<Integer>", "new CopyOnWriteArrayList<>()", "$.add(1)", "for (int i : $) sum += i"),
    ("List<Integer>", "new Vector<>()", "$.add(1)", "for (int i : $) sum += i"),
    ("Map<Integer, Integer>", "new Hashtable<>()", "$.put(1, 1)", "$.get(1)"),
    ("Map<Integer, Integer>", "Collections.synchronizedMap(new HashMap<>())", "$.put(1, 1)", "$.get(1)"),
    (
        "Map<Integer, Integer>",
        "Collections.synchronizedMap(new TreeMap<>())",
        "$.put(1, 1)",
        "synchronized ($) { for (int i : $.keySet()) sum += i; }",
    ),
    (
        "List<Integer>",
        "Collections.synchronizedList(new ArrayList<>())",
        "$.add(1)",
        "synchronized ($) { for (int i : $) sum += i; }",
    ),
    ("Queue<Integer>", "new ConcurrentLinkedQueue<>()", "$.add(1)", "$.peek()"),
    ("Deque<Integer>", "new LinkedBlockingDeque<>()", "$.add(1)", "$.peek()"),
    ("StringBuffer", "new StringBuffer()", "$.append('x')", "$.length()"),
    ("List<Integer>", "List.of(1)", "$.contains(1)", "for (int i : $) sum += i"),
    ("List<Integer>", "Collections.emptyList()", "$.isEmpty()", "for (int i : $) sum += i"),
    ("Random", "new Random()", "$.nextInt()", "$.nextInt()"),
    ("NumberFormat", "new ChoiceFormat(\"0#x\")", "$.format(1L)", "$.format(1L)"),
    ("ByteBuffer", "ByteBuffer.allocate(99)", "$.put(1, (byte) 1)", "$.get(2)"),
    ("Synchronized", "new Synchronized()", "$.put(1, 1)", "$.get(1)"),
    ("List<Integer>", "new ArrayList<>(List.of(1))", "$.contains(1)", "$.contains(1)"),
    ("int[]", "{1, 2}", "$.clone()", "System.arraycopy($, 0, new int[1], 0, 1)"),
];

const HEAD: &str = "package contents;
import java.nio.*;
import java.nio.charset.*;
import java.security.*;
import java.text.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;
import java.util.zip.*;
import javax.crypto.*;
import javax.crypto.spec.SecretKeySpec;

enum Letter { A }

/** Calls of super are seen. */
class Own extends HashMap<Integer, Integer> {
    @Override public Integer put(Integer key, Integer value) { return super.put(key, value); }
    @Override public Integer get(Object key) { return super.get(key); }
}

/** An override locks, which whoever calls it cannot know. */
class Synchronized extends HashMap<Integer, Integer> {
    @Override public synchronized Integer put(Integer key, Integer value) { return super.put(key, value); }
    @Override public synchronized Integer get(Object key) { return super.get(key); }
}

class Made {
    static volatile int result;
    static Mac mac() throws Exception {
        Mac mac = Mac.getInstance(\"HmacSHA256\");
        mac.init(new SecretKeySpec(new byte[16], \"HmacSHA256\"));
        return mac;
    }
    static Cipher cipher() throws Exception {
        Cipher cipher = Cipher.getInstance(\"AES/ECB/PKCS5Padding\");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], \"AES\"));
        return cipher;
    }
    static Signature signature() throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance(\"EC\");
        keys.initialize(256);
        Signature signature = Signature.getInstance(\"SHA256withECDSA\");
        signature.initSign(keys.generateKeyPair().getPrivate());
        return signature;
    }
}

public class Main {
    public static void main(String[] args) throws Exception {
        Racy racy = new Racy();
        Locked locked = new Locked();
        Safe safe = new Safe();
        racy.write();
        locked.write();
        safe.write();
        util.Threads.each(racy::read, locked::read, safe::read);
        racy.write();
        locked.write();
        safe.write();
    }
}
";

/// A class with a field for each row.
fn class(name: &str, rows: &[Row], modifier: &str) -> String {
    let mut text = format!("class {name} extends Made {{\n    {name}() throws Exception {{}}\n");
    for (index, (ty, made, ..)) in rows.iter().enumerate() {
        let _ = writeln!(text, "    final {ty} {} = {made};", field(index));
    }
    for (method, column) in [("write", 0), ("read", 1)] {
        let _ = writeln!(text, "    {modifier} void {method}() throws Exception {{\n        int sum = 0;");
        for (index, row) in rows.iter().enumerate() {
            let code = [row.2, row.3][column].replace('$', &field(index));
            let end = if code.ends_with('}') { "" } else { ";" };
            let _ = writeln!(text, "        {code}{end}");
        }
        let _ = writeln!(text, "        result = sum;\n    }}");
    }
    text + "}\n"
}

fn field(index: usize) -> String {
    format!("f{index:02}")
}

/// The name under which a row is reported.
fn reported(index: usize, (ty, ..): &Row) -> String {
    match *ty {
        // A call of super names its method.
        "Own" => "Own.put".to_owned(),
        _ if ty.ends_with("[]") => format!("Racy.{}[]", field(index)),
        _ => format!("Racy.{}", field(index)),
    }
}

fn program() -> String {
    HEAD.to_owned() + &class("Racy", UNSAFE, "") + &class("Locked", UNSAFE, "synchronized") + &class("Safe", SAFE, "")
}

#[test]
fn every_unsafe_class_is_checked() -> Result<()> {
    let directory = tempfile::tempdir()?;
    let source = directory.path().join("Main.java");
    std::fs::write(&source, program())?;
    let mut all = vec![source];
    all.extend(sources(&folder().join("util"))?);
    let classes = compiled(&Jdk::oldest(), &all, &["--release", "17"])?;
    let expected: BTreeSet<String> = UNSAFE.iter().enumerate().map(|(index, row)| reported(index, row)).collect();
    on_every_jdk(|jdk| {
        for options in ["", "retire=0", "arrays=off", "granularity=object", "contents=off"] {
            let run = Run::java(jdk, options, &["-cp", &classes.to_string_lossy(), "contents.Main"])?.succeeded()?;
            let racy: BTreeSet<String> = run.racy().into_iter().collect();
            let is_wanted = |name: &&String| match options {
                "arrays=off" => !name.ends_with("[]"),
                "contents=off" => false,
                _ => true,
            };
            let wanted: BTreeSet<String> = expected.iter().filter(is_wanted).cloned().collect();
            let missed: Vec<_> = wanted.difference(&racy).collect();
            let false_alarms: Vec<_> = racy.difference(&wanted).collect();
            ensure!(wanted == racy, "{options}: missed {missed:?}, false alarms {false_alarms:?}");
            sets_are_no_maps(&run)?;
        }
        Ok(())
    })
}

/// A set is told as such, though what races is the map that it keeps its elements in, unless an iterator is all that is known of it.
fn sets_are_no_maps(run: &Run) -> Result<()> {
    for finding in run.findings() {
        let Variable::Contents { class, origin } = &finding.variable else { continue };
        let row = origin.strip_prefix("contents/Racy.f").and_then(|index| UNSAFE.get(index.parse::<usize>().ok()?));
        let Some((ty, made, ..)) = row.filter(|(ty, ..)| *ty == "Set<Integer>") else { continue };
        let made = made.trim_start_matches("new ").trim_end_matches("<>()");
        ensure!(*class == format!("java/util/{made}"), "{ty} {made}: {class}");
    }
    Ok(())
}

/// A class that is added to the models needs a row.
#[test]
fn every_class_of_the_models_has_a_row() {
    for class in contents::classes() {
        let simple = class.rsplit('/').next().unwrap_or(class);
        let is_made = |row: &&Row| row.0.starts_with(simple) || row.1.contains(simple);
        let is_below = simple == "Buffer" || simple == "CompactNumberFormat";
        assert!(is_below || UNSAFE.iter().any(|row| is_made(&row)), "{class}");
    }
}

/// The program's own exceptions come where there is nothing to call on, and none but those.
#[test]
fn a_null_receiver_fails_as_it_would_have() -> Result<()> {
    let classes = classes("contents")?;
    on_every_jdk(|jdk| {
        let launch = Launch::main(jdk, &classes, "nulls.Main");
        jrace_tests::fixture::same_as_without(&launch, "").map(drop)
    })
}
