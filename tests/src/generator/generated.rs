//! Programs that make classes in each run under names of that run, each as one that surely races: early, or only once there is a second
//! copy or one that differs. A proof that goes by one copy, or takes a class for a copy that is none, loses the race.
//!
//! A template is compiled with the program and never loaded. Its name ends with digits that every copy has others for.

use std::fmt::Write as _;

/// A program.
struct Case {
    name: &'static str,
    /// Classes beside the main side; those with digits are templates.
    classes: &'static str,
    /// What runs: `late` says whether the second copy comes, `turn` counts the runs.
    code: &'static str,
    /// The variable that races, `*` for digits, and whether it does so without what comes late.
    variable: &'static str,
    is_early: bool,
    /// Whether what comes late is no copy, so that nothing is proved any more.
    is_strange: bool,
}

const CASES: &[Case] = &[
    Case {
        name: "Locks",
        classes: "class LocksBox { static int hits; }
class Locks00000000 implements Runnable { static final Object LOCK = new Object(); public void run() { synchronized (LOCK) { LocksBox.hits++; } } }",
        code: "Runnable one = make(\"Locks\"), two = late ? make(\"Locks\") : one; other(one); two.run();",
        variable: "LocksBox.hits",
        is_early: false,
        is_strange: false,
    },
    Case {
        name: "Marks",
        classes: "class MarksBox { static int hits; }
class Marks00000000 implements Runnable { static final Object LOCK = new Object(); public void run() { synchronized (LOCK) { if (!\"mark00000000\".isEmpty()) MarksBox.hits++; } } }",
        code: "Runnable one = make(\"Marks\"), two = late ? make(\"Marks\") : one; other(one); two.run();",
        variable: "MarksBox.hits",
        is_early: false,
        is_strange: false,
    },
    Case {
        name: "Hides",
        classes: "class HidesBox { static int hits; }
class Hides00000000 implements Runnable { static final Object LOCK = new Object(); public void run() { synchronized (LOCK) { HidesBox.hits++; } } }",
        code: "byte[] bytes = named(\"Hides\", ZEROS, digits()); Runnable one = hide(bytes), two = late ? hide(bytes) : one; other(one); two.run();",
        variable: "HidesBox.hits",
        is_early: false,
        is_strange: false,
    },
    Case {
        name: "Default",
        classes: "class DefaultBox { static int hits; } interface Adds { default void add() { DefaultBox.hits++; } }
class Default00000000 implements Adds, Runnable { static final Object LOCK = new Object(); public void run() { synchronized (LOCK) { add(); } } }",
        code: "Runnable one = make(\"Default\"), two = late ? make(\"Default\") : one; other(one); two.run();",
        variable: "DefaultBox.hits",
        is_early: false,
        is_strange: false,
    },
    Case {
        name: "Lambda",
        classes: "class LambdaBox { static int hits; }
class Lambda00000000 implements java.util.function.Supplier<Runnable> { static final Object LOCK = new Object();
 public Runnable get() { return () -> { synchronized (LOCK) { LambdaBox.hits++; } }; } }",
        code: "java.util.function.Supplier<Runnable> one = make(\"Lambda\"), two = late ? make(\"Lambda\") : one; other(one.get()); two.get().run();",
        variable: "LambdaBox.hits",
        is_early: false,
        is_strange: false,
    },
    Case {
        name: "Held",
        classes: "class HeldBox { int hits; static HeldBox first; }
class Held00000000 implements Runnable { private final HeldBox own = new HeldBox();
 public void run() { if (Tools.isLate) { synchronized (Held00000000.class) { HeldBox.first = HeldBox.first == null ? own : HeldBox.first; HeldBox.first.hits++; } } else { synchronized (Held00000000.class) { own.hits++; } } } }",
        code: "isLate = late; Runnable one = make(\"Held\"), two = late ? make(\"Held\") : one; other(one); two.run();",
        variable: "HeldBox.hits",
        is_early: false,
        is_strange: false,
    },
    Case {
        name: "Overrides",
        classes: "class Base { int hits; synchronized void step() { hits++; } void go() { step(); } }
class Overrides00000000 extends Base implements Runnable { void step() { hits++; } public void run() { go(); } }",
        code: "Runnable one = make(\"Overrides\"); new Base().go(); other(one); one.run();",
        variable: "Base.hits",
        is_early: true,
        is_strange: false,
    },
    Case {
        name: "Statics",
        classes: "class Statics00000000 implements Runnable { static int hits; public void run() { hits++; } }",
        code: "Runnable one = make(\"Statics\"); other(one); one.run();",
        variable: "Statics*.hits",
        is_early: true,
        is_strange: false,
    },
    Case {
        name: "Named",
        classes: "class Named00000000 implements Runnable { static int hits; static final Object LOCK = new Object();
 public void run() { if (Tools.isLate) Tools.quietly(() -> Class.forName(\"generated.Named00000000\").getDeclaredField(new String(\"hits\")).setInt(null, 7)); else add(); }
 static void add() { synchronized (LOCK) { hits++; } } }",
        code: "isLate = true; Runnable one = make(\"Named\"); other(one); isLate = false; one.run(); isLate = true; other(one);",
        variable: "Named*.hits",
        is_early: true,
        is_strange: false,
    },
    Case {
        name: "Proxies",
        classes: "class ProxiesBox { static int hits; } interface One { void add(); } interface Two { void add(); } interface Three { void add(); }
class Proxied {
 static Runnable proxy(int at) {
  Class<?> type = new Class<?>[] { One.class, Two.class, Three.class }[at];
  Object made = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> { ProxiesBox.hits++; return null; });
  return () -> { if (made instanceof One one) one.add(); if (made instanceof Two two) two.add(); if (made instanceof Three three) three.add(); };
 }
}",
        code: "Runnable[] all = new Runnable[3]; for (int i = 0; i < 3; i++) { int at = (turn + i) % 3; all[at] = Proxied.proxy(at); } other(all[0]); all[1].run();",
        variable: "ProxiesBox.hits",
        is_early: true,
        is_strange: false,
    },
    Case {
        name: "Shares",
        classes: "class SharesPart11111111 { static int hits; }
class Shares00000000 implements Runnable { static final Object LOCK = new Object(); public void run() { synchronized (LOCK) { SharesPart11111111.hits++; } } }",
        code: "String part = digits(); define(named(\"SharesPart\", ONES, part)); Runnable one = make(\"Shares\", ONES, part), two = late ? make(\"Shares\", ONES, part) : one;
 other(one); two.run();",
        variable: "SharesPart*.hits",
        is_early: false,
        is_strange: true,
    },
    Case {
        name: "Strange",
        classes: "class StrangePart11111111 implements Runnable { static final StrangePart11111111 ONE = new StrangePart11111111(); int hits; public synchronized void run() { hits++; } }
class StrangeLate11111111 implements Runnable { static final StrangeLate11111111 ONE = new StrangeLate11111111(); int hits; public void run() { hits++; } }
class Strange00000000 implements Runnable, java.util.function.Supplier<Runnable> {
 public void run() { StrangePart11111111 part = StrangePart11111111.ONE; synchronized (part) { part.hits++; } }
 public Runnable get() { return StrangePart11111111.ONE; } }",
        code: "String part = digits(); define(named(late ? \"StrangeLate\" : \"StrangePart\", \"StrangeLate\" + ONES, \"StrangePart\" + part, ONES, part));
 Object one = make(\"Strange\", ONES, part); ((java.util.function.Supplier<Runnable>) one).get(); other((Runnable) one); ((java.util.function.Supplier<Runnable>) one).get().run();",
        variable: "StrangePart*.hits",
        is_early: false,
        is_strange: true,
    },
    Case {
        name: "After",
        classes: "class AfterPart11111111 implements Runnable { static final AfterPart11111111 ONE = new AfterPart11111111(); int hits; public synchronized void run() { hits++; } }
class AfterLate11111111 implements Runnable { static final AfterLate11111111 ONE = new AfterLate11111111(); int hits; public void run() { hits++; } }
class After00000000 implements Runnable, java.util.function.Supplier<Runnable> {
 public void run() { AfterPart11111111 part = AfterPart11111111.ONE; synchronized (part) { part.hits++; } }
 public Runnable get() { return AfterPart11111111.ONE; } }",
        code: "String part = digits(); Object one = make(\"After\", ONES, part); define(named(late ? \"AfterLate\" : \"AfterPart\", \"AfterLate\" + ONES, \"AfterPart\" + part, ONES, part));
 other((Runnable) one); ((java.util.function.Supplier<Runnable>) one).get().run();",
        variable: "AfterPart*.hits",
        is_early: false,
        is_strange: true,
    },
    Case {
        name: "Takes",
        classes: "class TakesBase { int hits; synchronized void add() { hits++; } void go() { step(); } void step() {} }
class Takes00000000 extends TakesBase implements Runnable { void made() { hits++; } public void run() { synchronized (this) { made(); } add(); go(); } }",
        code: "byte[] bytes = synthetic(named(\"Takes\", ZEROS, digits()), \"made\"); Runnable one = make(replaced(bytes, \"made\", late ? \"step\" : \"made\")); other(one); one.run();",
        variable: "TakesBase.hits",
        is_early: false,
        is_strange: true,
    },
    Case {
        name: "Texts",
        classes: "class TextsBoxA { static int hits; } class TextsBoxB { static int hits; static synchronized void add() { hits++; } }
class Texts00000000 implements Runnable { public void run() { Tools.quietly(() -> Class.forName(\"generated.TextsBoxA\").getDeclaredField(\"hits\").setInt(null, 7)); } }",
        code: "TextsBoxA.hits++; Runnable one = make(replaced(named(\"Texts\", ZEROS, digits()), \"BoxA\", late ? \"BoxB\" : \"BoxA\")); other(TextsBoxB::add); one.run();",
        variable: "TextsBoxB.hits",
        is_early: false,
        is_strange: true,
    },
    Case {
        name: "Ordinary",
        classes: "class OrdinaryPart11111111 { static int hits; } class OrdinaryHitsTyped000 { static int hits; static synchronized void add() { hits++; } }
class Ordinary00000000 implements Runnable { static final Object LOCK = new Object(); public void run() { synchronized (LOCK) { OrdinaryPart11111111.hits++; } } }",
        code: "String part = \"OrdinaryPart\" + digits(); if (!late) define(named(\"OrdinaryPart\", ONES, part.substring(12))); OrdinaryHitsTyped000.add();
 Runnable one = make(replaced(named(\"Ordinary\", ZEROS, digits()), \"OrdinaryPart\" + ONES, late ? \"OrdinaryHitsTyped000\" : part)); other(one); OrdinaryHitsTyped000.add();",
        variable: "OrdinaryHitsTyped*.hits",
        is_early: false,
        is_strange: true,
    },
    Case {
        // On one line: what tells of lines is part of the form.
        name: "Alike",
        classes: "class AlikeOne implements Runnable { static int hits; public synchronized void run() { add(); } static synchronized void add() { peek(); } static void peek() { hits++; } } class AlikeTwo implements Runnable { static int hits; public synchronized void run() { add(); } static synchronized void add() { peek(); } static void peek() { hits++; } }",
        code: "if (late) { other(AlikeTwo::add); AlikeTwo.peek(); }
 other((Runnable) Class.forName(new StringBuilder(\"enOekilA.detareneg\").reverse().toString()).getDeclaredConstructor().newInstance());",
        variable: "AlikeTwo.hits",
        is_early: false,
        is_strange: true,
    },
];

const HEAD: &str = "package generated;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
class Tools {
 static final String ZEROS = \"00000000\", ONES = \"11111111\";
 static volatile boolean isLate;
 interface Task { void run() throws Exception; }
 static void quietly(Task task) { try { task.run(); } catch (Exception e) { throw new IllegalStateException(e); } }
 static void other(Runnable task) { Thread thread = new Thread(task); thread.start(); while (thread.getThreadGroup() != null) Thread.yield(); }
 static String digits() { return String.format(\"%08d\", ThreadLocalRandom.current().nextInt(20_000_000, 100_000_000)); }
 static byte[] replaced(byte[] bytes, String... names) {
  String text = new String(bytes, StandardCharsets.ISO_8859_1);
  for (int i = 0; i < names.length; i += 2) text = text.replace(names[i], names[i + 1]);
  return text.getBytes(StandardCharsets.ISO_8859_1);
 }
 static byte[] named(String template, String... names) throws Exception {
  for (String digits : new String[] { ZEROS, ONES }) {
   var file = Tools.class.getResourceAsStream(template + digits + \".class\");
   if (file != null) return replaced(file.readAllBytes(), names);
  }
  throw new IllegalStateException(template);
 }
 static Class<?> define(byte[] bytes) throws Exception { return MethodHandles.lookup().defineClass(bytes); }
 @SuppressWarnings(\"unchecked\")
 static <T> T make(byte[] bytes) throws Exception { return (T) define(bytes).getDeclaredConstructor().newInstance(); }
 static <T> T make(String template) throws Exception { return make(named(template, ZEROS, digits())); }
 static <T> T make(String template, String part, String digits) throws Exception { return make(named(template, ZEROS, digits(), part, digits)); }
 static Runnable hide(byte[] bytes) throws Exception {
  return (Runnable) MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass().getDeclaredConstructor().newInstance();
 }
 /** The method gets the mark of what no source has. */
 static byte[] synthetic(byte[] bytes, String method) throws Exception {
  var in = new java.io.DataInputStream(new java.io.ByteArrayInputStream(bytes));
  in.skipBytes(8);
  int count = in.readUnsignedShort(), name = 0, end = 10;
  for (int i = 1; i < count; i++) {
   int tag = in.readUnsignedByte(), length = 2;
   switch (tag) {
    case 1 -> { length = in.readUnsignedShort(); if (new String(bytes, end + 3, length, StandardCharsets.ISO_8859_1).equals(method)) name = i; end += 2; }
    case 5, 6 -> { length = 8; i++; }
    case 3, 4, 9, 10, 11, 12, 17, 18 -> length = 4;
    case 15 -> length = 3;
    default -> {}
   }
   in.skipBytes(length);
   end += 1 + length;
  }
  for (int at = end + 8; at < bytes.length - 4; at++) {
   if (bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == (byte) (name >> 8) && bytes[at + 3] == (byte) name) { bytes[at] = 0x10; return bytes; }
  }
  throw new IllegalStateException(method);
 }
}
public final class Main {
 public static void main(String[] arguments) throws Exception {
  boolean late = arguments[0].equals(\"late\"); int turn = Integer.parseInt(arguments[1]);
  for (int i = 2; i < arguments.length; i++) switch (arguments[i]) {
";

/// A program among others.
#[derive(Debug)]
pub struct Program {
    /// An argument of the main class.
    pub name: &'static str,
    /// Whether it races without what comes late.
    pub is_early: bool,
    /// Whether what comes late is no copy of what is known.
    pub is_strange: bool,
    variable: &'static str,
}

impl Program {
    /// Whether a name is that of the variable that races.
    #[must_use]
    pub fn is_racy(&self, name: &str) -> bool {
        let (before, after) = self.variable.split_once('*').unwrap_or((self.variable, ""));
        let digits = name.strip_prefix(before).and_then(|name| name.strip_suffix(after));
        digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
    }
}

/// The source of `generated.Main`, and the programs that it runs. Its first argument is `late` if what comes late is to come, the
/// second one counts the runs, and the others name programs.
#[must_use]
pub fn programs() -> (String, Vec<Program>) {
    let mut source = HEAD.to_owned();
    for Case { name, .. } in CASES {
        let _ = writeln!(source, "   case \"{name}\" -> {name}Case.run(late, turn);");
    }
    source += "   default -> throw new IllegalArgumentException();\n  }\n }\n}\n";
    // What is named and not there proves nothing of what has the same name.
    for Case { name, classes, code, .. } in CASES {
        let run = format!("static void run(boolean late, int turn) throws Exception {{ {code} }}");
        let _ = writeln!(source, "{classes}\nfinal class {name}Case extends Tools {{ {run} }}");
    }
    let program = |case: &Case| Program {
        name: case.name,
        is_early: case.is_early,
        is_strange: case.is_strange,
        variable: case.variable,
    };
    (source, CASES.iter().map(program).collect())
}
