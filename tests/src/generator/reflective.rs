//! Every way in which reflection, handles and what the JDK does with them come to fields, methods and objects that a program otherwise
//! uses by one rule only, each as a program that surely races: a proof that overlooks the way finds the rule kept.
//!
//! Names are constants, or made up at run time (`N(…)`): then nothing but a run tells which are meant. A program is told with
//! which class each is, so that it can be run alone.

use std::fmt::Write as _;

/// What everybody but reflection keeps to: members of `Box`, code of the plain side, and whether that is the main thread's alone.
struct Rule {
    name: &'static str,
    members: &'static str,
    plain: &'static str,
    is_static: bool,
    is_written: bool,
    by_main: bool,
}

/// How reflection accesses a field: what finds it, how it is written and read.
struct Way {
    name: &'static str,
    code: &'static str,
    of_static: Option<bool>,
    writes: bool,
}

const RULES: &[Rule] = &[
    Rule {
        name: "Guarded",
        members: "int hits; synchronized void add() { hits++; }",
        plain: "box.add();",
        is_static: false,
        is_written: true,
        by_main: false,
    },
    Rule {
        name: "ReadOnly",
        members: "int hits; int get() { return hits; }",
        plain: "box.get();",
        is_static: false,
        is_written: false,
        by_main: false,
    },
    Rule {
        name: "StaticGuarded",
        members: "static int hits; static synchronized void add() { hits++; }",
        plain: "Box.add();",
        is_static: true,
        is_written: true,
        by_main: false,
    },
    Rule {
        name: "ByMain",
        members: "static int hits; static void add() { hits++; }",
        plain: "Box.add();",
        is_static: true,
        is_written: true,
        by_main: true,
    },
    Rule { name: "Unread", members: "int hits;", plain: "REACH", is_static: false, is_written: true, by_main: false },
];

const fn way(name: &'static str, writes: bool, of_static: Option<bool>, code: &'static str) -> Way {
    Way { name, code, of_static, writes }
}

/// `FIELD` is a `Field` of `hits`, `OBJECT` the box, or null for a static field.
const WAYS: &[Way] = &[
    way("Set", true, None, "FIELD.set(OBJECT, 7);"),
    way("SetInt", true, None, "FIELD.setInt(OBJECT, 7);"),
    way("Get", false, None, "FIELD.get(OBJECT);"),
    way("GetInt", false, None, "FIELD.getInt(OBJECT);"),
    way(
        "Listed",
        true,
        None,
        "for (Field field : Box.class.getDeclaredFields()) if (field.getName().equals(N(hits))) field.setInt(OBJECT, 7);",
    ),
    way("Named", true, None, "Class.forName(Box.class.getName()).getDeclaredField(N(hits)).setInt(OBJECT, 7);"),
    way("OfObject", true, Some(false), "box.getClass().getDeclaredField(N(hits)).setInt(box, 7);"),
    way(
        "Setter",
        true,
        Some(false),
        "MethodHandles.lookup().findSetter(Box.class, N(hits), int.class).invokeExact(box, 7);",
    ),
    way(
        "StaticSetter",
        true,
        Some(true),
        "MethodHandles.lookup().findStaticSetter(Box.class, N(hits), int.class).invokeExact(7);",
    ),
    way(
        "Getter",
        false,
        Some(false),
        "int n = (int) MethodHandles.lookup().findGetter(Box.class, N(hits), int.class).invokeExact(box);",
    ),
    way(
        "StaticGetter",
        false,
        Some(true),
        "int n = (int) MethodHandles.lookup().findStaticGetter(Box.class, N(hits), int.class).invokeExact();",
    ),
    way("UnreflectedSetter", true, Some(false), "MethodHandles.lookup().unreflectSetter(FIELD).invoke(box, 7);"),
    way(
        "UnreflectedGetter",
        false,
        Some(false),
        "int n = (int) MethodHandles.lookup().unreflectGetter(FIELD).invoke(box);",
    ),
    way(
        "Variable",
        true,
        Some(false),
        "MethodHandles.lookup().findVarHandle(Box.class, N(hits), int.class).set(box, 7);",
    ),
    way(
        "StaticVariable",
        true,
        Some(true),
        "MethodHandles.lookup().findStaticVarHandle(Box.class, N(hits), int.class).set(7);",
    ),
    way(
        "UnreflectedVariable",
        false,
        Some(false),
        "int n = (int) MethodHandles.lookup().unreflectVarHandle(FIELD).get(box);",
    ),
    way(
        "PrivateVariable",
        true,
        Some(false),
        "MethodHandles.privateLookupIn(Box.class, MethodHandles.lookup()).findVarHandle(Box.class, N(hits), int.class).set(box, 7);",
    ),
];

/// What is no access to a field by what stands for it: name, declarations, the plain side, and the other side. `hits` of `Box` races.
struct Other {
    name: &'static str,
    is_told: bool,
    members: &'static str,
    plain: &'static str,
    reach: &'static str,
    by_main: bool,
}

const fn other(
    name: &'static str,
    by_main: bool,
    members: &'static str,
    plain: &'static str,
    reach: &'static str,
) -> Other {
    Other { name, is_told: true, members, plain, reach, by_main }
}

/// No constant at a look-up tells of it.
const fn untold(name: &'static str, members: &'static str, plain: &'static str, reach: &'static str) -> Other {
    Other { name, is_told: false, members, plain, reach, by_main: false }
}

const HELPED: &str =
    "static class Box { int hits; synchronized void add() { help(); } private void help() { hits++; } }";
const BY_MAIN: &str = "static class Box { static int hits; static void add() { hits++; } }";
const OPEN_BY_MAIN: &str = "public static class Box { public static int hits; public static void add() { hits++; } }";
const UNDER: &str = "public static class Box { public static int hits; public static void add() { hits++; } } public static class Under extends Box {}";
const BELOW: &str = "static class Base { void help() {} }
     static class Box extends Base { int hits; synchronized void add() { help(); } void help() { hits++; } }";
/// Objects that are made by reflection and kept as what nobody knows.
const MADE: &str = "public static class Box implements Serializable {
         private static final long serialVersionUID = 1; int hits; public Box() {} void add() { hits++; } }
     static final Map<String, Object> BEANS = new ConcurrentHashMap<>();
     static void own() { Box own = new Box(); own.add(); }
     static void shared() { ((Box) BEANS.get(\"it\")).add(); }
     static Object allocated() { try {
         Field field = Class.forName(\"sun.misc.Unsafe\").getDeclaredField(\"theUnsafe\");
         field.setAccessible(true);
         Object unsafe = field.get(null);
         return unsafe.getClass().getMethod(\"allocateInstance\", Class.class).invoke(unsafe, Box.class);
     } catch (Exception e) { throw new IllegalStateException(e); } }";
/// The same from what an object of another class was written as.
const RENAMED: &str = "public static class Box implements Serializable {
         private static final long serialVersionUID = 1; int hits; public Box() {} void add() { hits++; } }
     static final Map<String, Object> BEANS = new ConcurrentHashMap<>();
     static void own() { Box own = new Box(); own.add(); }
     static void shared() { ((Box) BEANS.get(\"it\")).add(); }
     static class Twi implements Serializable { private static final long serialVersionUID = 1; int hits; }
     static Object renamed() { try {
         ByteArrayOutputStream out = new ByteArrayOutputStream();
         new ObjectOutputStream(out).writeObject(new Twi());
         String text = out.toString(StandardCharsets.ISO_8859_1).replace(\"Twi\", \"Box\");
         return new ObjectInputStream(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1))).readObject();
     } catch (Exception e) { throw new IllegalStateException(e); } }";
/// An object that another one keeps under its lock.
const KEPT: &str = "static class Box { int hits; }
     static class Keeper { private Box head = new Box(); synchronized void add() { head.hits++; } }
     static final Keeper ONE = new Keeper(), OTHER = new Keeper();";

const OTHERS: &[Other] = &[
    other("Invoked", false, HELPED, "box.add();", "Box.class.getDeclaredMethod(N(help)).invoke(box);"),
    other("InvokedByMain", true, BY_MAIN, "Box.add();", "Box.class.getDeclaredMethod(N(add)).invoke(null);"),
    other("InvokedPublic", true, OPEN_BY_MAIN, "Box.add();", "Box.class.getMethod(N(add)).invoke(null);"),
    other("PublicField", true, OPEN_BY_MAIN, "Box.add();", "Box.class.getField(N(hits)).setInt(null, 7);"),
    other(
        "PublicListed",
        true,
        OPEN_BY_MAIN,
        "Box.add();",
        "for (Field field : Box.class.getFields()) if (field.getName().equals(N(hits))) field.setInt(null, 7);",
    ),
    other("Inherited", true, UNDER, "Box.add();", "Under.class.getField(N(hits)).setInt(null, 7);"),
    other("OfBelow", false, BELOW, "box.add();", "Base[] all = { box }; all[0].getClass().getDeclaredField(N(hits)).setInt(all[0], 7);"),
    other("Overridden", false, BELOW, "box.add();", "Base.class.getDeclaredMethod(N(help)).invoke(box);"),
    other(
        "Bound",
        false,
        HELPED,
        "box.add();",
        "MethodHandles.lookup().bind(box, N(help), MethodType.methodType(void.class)).invoke();",
    ),
    other(
        "InvokedListed",
        false,
        HELPED,
        "box.add();",
        "for (Method method : Box.class.getDeclaredMethods()) if (method.getName().equals(N(help))) method.invoke(box);",
    ),
    other(
        "Virtual",
        false,
        HELPED,
        "box.add();",
        "MethodHandles.lookup().findVirtual(Box.class, N(help), MethodType.methodType(void.class)).invoke(box);",
    ),
    other(
        "Special",
        false,
        HELPED,
        "box.add();",
        "MethodHandles.privateLookupIn(Box.class, MethodHandles.lookup()).findSpecial(Box.class, N(help), MethodType.methodType(void.class), Box.class).invoke(box);",
    ),
    other(
        "StaticHandle",
        true,
        BY_MAIN,
        "Box.add();",
        "MethodHandles.lookup().findStatic(Box.class, N(add), MethodType.methodType(void.class)).invokeExact();",
    ),
    other(
        "Unreflected",
        false,
        HELPED,
        "box.add();",
        "MethodHandles.lookup().unreflect(Box.class.getDeclaredMethod(N(help))).invoke(box);",
    ),
    other(
        "Proxied",
        false,
        "interface Adder { void add(); }
         static class Box implements Adder { int hits; public synchronized void add() { help(); } private void help() { hits++; } }",
        "box.add();",
        "((Adder) Proxy.newProxyInstance(Box.class.getClassLoader(), new Class<?>[] { Adder.class },
             (proxy, method, arguments) -> Box.class.getDeclaredMethod(N(help)).invoke(box))).add();",
    ),
    other(
        "HandleProxied",
        false,
        HELPED,
        "box.add();",
        "MethodHandleProxies.asInterfaceInstance(Runnable.class,
             MethodHandles.lookup().findVirtual(Box.class, N(help), MethodType.methodType(void.class)).bindTo(box)).run();",
    ),
    other(
        "Made",
        false,
        MADE,
        "own(); BEANS.computeIfAbsent(\"it\", key -> { try { return Box.class.getDeclaredConstructor().newInstance(); } catch (Exception e) { throw new IllegalStateException(e); } }); shared();",
        "shared();",
    ),
    // The name is made up of two.
    untold(
        "MadeByName",
        MADE,
        "own(); BEANS.computeIfAbsent(\"it\", key -> { try { return Class.forName(M.class.getName() + N($Box)).getConstructor().newInstance(); } catch (Exception e) { throw new IllegalStateException(e); } }); shared();",
        "shared();",
    ),
    other(
        "MadeByHandle",
        false,
        MADE,
        "own(); BEANS.computeIfAbsent(\"it\", key -> { try { return MethodHandles.lookup().findConstructor(Box.class, MethodType.methodType(void.class)).invoke(); } catch (Throwable e) { throw new IllegalStateException(e); } }); shared();",
        "shared();",
    ),
    untold("Deserialized", RENAMED, "own(); BEANS.computeIfAbsent(\"it\", key -> renamed()); shared();", "shared();"),
    untold("Allocated", MADE, "own(); BEANS.computeIfAbsent(\"it\", key -> allocated()); shared();", "shared();"),
    other(
        "Moved",
        false,
        KEPT,
        "ONE.add();",
        "Field head = Keeper.class.getDeclaredField(N(head)); head.set(OTHER, head.get(ONE)); OTHER.add();",
    ),
    other(
        "Unlocked",
        false,
        "static class Box {
             final ReentrantLock lock = new ReentrantLock();
             int hits;
             void add() { lock.lock(); try { hits++; } finally { lock.unlock(); } }
             void odd() throws Exception {
                 lock.lock();
                 ReentrantLock.class.getMethod(N(unlock)).invoke(lock);
                 hits++;
                 lock.lock();
                 lock.unlock();
             }
         }",
        "box.add();",
        "box.odd();",
    ),
    other(
        "FinalLock",
        false,
        "static class Box { private final Object lock; int hits; Box() { lock = new Object(); } void add() { synchronized (lock) { hits++; } } }",
        "box.add();",
        "Field field = Box.class.getDeclaredField(N(lock)); field.setAccessible(true); field.set(box, new Object()); box.add();",
    ),
    other(
        "LambdaMade",
        false,
        HELPED,
        "box.add();",
        "((Runnable) LambdaMetafactory.metafactory(MethodHandles.privateLookupIn(Box.class, MethodHandles.lookup()), \"run\", MethodType.methodType(Runnable.class, Box.class), MethodType.methodType(void.class),
             MethodHandles.privateLookupIn(Box.class, MethodHandles.lookup()).findVirtual(Box.class, N(help), MethodType.methodType(void.class)), MethodType.methodType(void.class)).getTarget().invoke(box)).run();",
    ),
    other(
        "Elements",
        false,
        "static class Box { int[] row = new int[2]; int hits; synchronized void add() { row[0]++; } }",
        "box.add();",
        "Array.setInt(Box.class.getDeclaredField(N(row)).get(box), 0, 1);",
    ),
    other(
        "ElementVariable",
        false,
        "static class Box { private int[] row = new int[2]; int hits; synchronized void add() { row[0]++; } int[] row() { return row; } }",
        "box.add();",
        "MethodHandles.arrayElementVarHandle(int[].class).set(box.row(), 0, 1);",
    ),
];

/// What all programs use.
const HEAD: &str = "package reflective;
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.*;
import java.util.concurrent.locks.ReentrantLock;

final class Turns {
    interface Body { void run() throws Throwable; }
    /** Runs a body in a new thread to its end, which no checker sees. */
    static void turn(Body body) {
        Thread thread = new Thread(() -> {
            try { body.run(); } catch (Throwable e) { e.printStackTrace(); }
        });
        thread.start();
        while (thread.getThreadGroup() != null) Thread.yield();
    }
}
final class Names {
    /** A name that no constant has. */
    static String of(String reversed) { return new StringBuilder(reversed).reverse().toString(); }
    /** A class that no constant tells. */
    static Class<?> same(Class<?> type) { return type; }
}
";

/// A program.
#[derive(Debug)]
pub struct Program {
    /// Its class, which is also what it is run by.
    pub class: String,
    /// What races in it.
    pub variable: String,
    /// Whether that is an array's elements.
    pub is_of_array: bool,
    /// Whether constants at look-ups tell of what is accessed, if constants do at all.
    pub is_told: bool,
}

/// The source of all, and each.
#[derive(Debug)]
pub struct Programs {
    /// `Main.java`.
    pub source: String,
    /// The programs in it.
    pub all: Vec<Program>,
}

/// All programs, with names that constants tell or not; `again` says whether the plain side runs after the other one, too.
#[must_use]
pub fn programs(constant: bool, again: bool) -> Programs {
    let mut made = Programs { source: HEAD.to_owned(), all: Vec::new() };
    for rule in RULES {
        let fits = |way: &&Way| way.of_static.is_none_or(|of| of == rule.is_static) && (way.writes || rule.is_written);
        for way in WAYS.iter().filter(fits) {
            let reach = way.code.replace("FIELD", "Box.class.getDeclaredField(N(hits))");
            let reach = reach.replace("OBJECT", if rule.is_static { "null" } else { "box" });
            // One that only reads does not race with another one.
            if rule.name == "Unread" && !way.writes {
                continue;
            }
            let class = format!("{}{}", rule.name, way.name);
            let members = format!("static class Box {{ {} }}", rule.members);
            let plain = rule.plain.replace("REACH", &reach);
            made.add(&class, [&members, &plain, &reach], rule.by_main, constant, again);
        }
    }
    for other in OTHERS {
        made.add(other.name, [other.members, other.plain, other.reach], other.by_main, constant, again);
        made.all.iter_mut().rev().take(1).for_each(|program| program.is_told = other.is_told);
    }
    let mut main = String::from(
        "public final class Main {\n public static void main(String[] programs) throws Exception {\n  for (String program : programs) switch (program) {\n",
    );
    for program in &made.all {
        let _ = writeln!(main, "   case \"{0}\": {0}.run(); break;", program.class);
    }
    made.source += &(main + "  }\n }\n}\n");
    made
}

impl Programs {
    fn add(&mut self, class: &str, [members, plain, reach]: [&str; 3], by_main: bool, constant: bool, again: bool) {
        // A look-up of a name in a class that is not known means the members of all programs that have it.
        let own = |code: &str| {
            let own = |code: String, name| code.replace(name, &format!("{name}{class}"));
            ["hits", "help"].into_iter().fold(code.to_owned(), own)
        };
        let named = |code: &str| named(&own(code).replace("M.class", &format!("{class}.class")), constant);
        let [members, plain, reach] = [members, plain, reach].map(named);
        let turn = |code: &str| format!("Turns.turn(() -> {{ {code} }});");
        let body = match (by_main, again) {
            // It does not see the other thread's end.
            (true, _) => format!("{} {plain}", turn(&reach)),
            (false, false) => format!("{} {}", turn(&plain), turn(&reach)),
            (false, true) => format!("{} {} {}", turn(&plain), turn(&reach), turn(&plain)),
        };
        let _ = writeln!(
            self.source,
            "final class {class} {{\n {members}\n static void run() throws Exception {{ Box box = new Box(); {body} }}\n}}"
        );
        let is_array = class.starts_with("Element");
        let variable = format!("{class}$Box.hits{class}");
        self.all.push(Program { class: class.to_owned(), variable, is_of_array: is_array, is_told: true });
    }
}

/// Replaces `N(name)`, and classes if they are not to be constants.
fn named(code: &str, constant: bool) -> String {
    let hidden = || {
        code.replace("Box.class", "Names.same(Box.class)")
            .replace("Keeper.class", "Names.same(Keeper.class)")
            .replace("box.getClass()", "Names.same(box.getClass())")
    };
    let code = if constant { code.to_owned() } else { hidden() };
    let mut parts = code.split("N(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        text += &match constant {
            true => format!("\"{name}\""),
            false => format!("Names.of(\"{}\")", name.chars().rev().collect::<String>()),
        };
        text += rest;
    }
    text
}
