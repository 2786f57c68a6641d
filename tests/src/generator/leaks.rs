//! Every way in which an object gets from its owner to another one, as a program that surely races then, and one that does
//! nearly the same with objects that stay.
//!
//! A `Keeper` touches its nodes under its own lock only, so a proof by owners that overlooks the way finds every access guarded.

use std::fmt::Write as _;

/// What a class is made of: declarations beside `Keeper`, members of it, and what `give` does in it.
struct Code {
    beside: &'static str,
    members: &'static str,
    give: &'static str,
}

/// A way, and what is like it.
struct Way {
    name: &'static str,
    leaks: Code,
    stays: Code,
}

const fn code(beside: &'static str, members: &'static str, give: &'static str) -> Code {
    Code { beside, members, give }
}

/// `T` takes the node of this keeper, `P` puts what was taken to the other one; in both, the lock is held.
const WAYS: &[Way] = &[
    Way {
        name: "Field",
        leaks: code(
            "static class Box { Node kept; }",
            "",
            "Box box = new Box(); T{ box.kept = head; } P{ other.head = box.kept; }",
        ),
        stays: code("static class Box { Node kept; }", "", "Box box = new Box(); box.kept = new Node();"),
    },
    Way {
        name: "ObjectField",
        leaks: code(
            "static class Box { Object kept; }",
            "",
            "Box box = new Box(); T{ box.kept = head; } P{ other.head = (Node) box.kept; }",
        ),
        stays: code("static class Box { Object kept; }", "", "Box box = new Box(); T{ box.kept = head == null; }"),
    },
    Way {
        name: "Record",
        leaks: code(
            "record Pair(Node kept) {}",
            "",
            "Pair pair; T{ pair = new Pair(head); } P{ other.head = pair.kept(); }",
        ),
        stays: code("record Pair(Node kept) {}", "", "Pair pair = new Pair(new Node());"),
    },
    Way {
        name: "Return",
        leaks: code("", "Node get() { return head; }", "Node node; T{ node = get(); } P{ other.head = node; }"),
        stays: code("", "Node get() { return head; }", "Node node; T{ node = get(); head = node; get().hits++; }"),
    },
    Way {
        name: "ReturnObject",
        leaks: code(
            "",
            "Object get() { return head; }",
            "Object node; T{ node = get(); } P{ other.head = (Node) node; }",
        ),
        stays: code("", "Object get() { return head == null; }", "Object node; T{ node = get(); }"),
    },
    Way {
        name: "Argument",
        leaks: code("", "synchronized void put(Node node) { head = node; }", "T{ other.put(head); }"),
        stays: code("", "synchronized void put(Node node) { head = node; }", "other.put(new Node()); T{ put(head); }"),
    },
    Way {
        name: "Call",
        leaks: code(
            "",
            "",
            "AtomicReference<Node> box = new AtomicReference<>(); T{ box.set(head); } P{ other.head = box.get(); }",
        ),
        stays: code("", "", "AtomicReference<Integer> box = new AtomicReference<>(); T{ box.set(head.hits); }"),
    },
    Way {
        name: "Interface",
        leaks: code(
            "interface Taker { void take(Object node); }",
            "public void take(Object node) { head = (Node) node; }",
            "Taker taker = other; T{ P{ taker.take(head); } }",
        ),
        stays: code(
            "interface Taker { void take(Object node); }",
            "public void take(Object node) { head = new Node(); }",
            "Taker taker = other; P{ taker.take(other); }",
        ),
    },
    Way {
        name: "Generic",
        leaks: code(
            "",
            "static <E> E same(E it) { return it; }",
            "Node node; T{ node = same(head); } P{ other.head = node; }",
        ),
        stays: code("", "static <E> E same(E it) { return it; }", "T{ head.hits = same(head.hits); }"),
    },
    Way {
        name: "Array",
        leaks: code("", "", "Object[] all = new Object[1]; T{ all[0] = head; } P{ other.head = (Node) all[0]; }"),
        stays: code("", "", "Node[] all = new Node[1]; T{ all[0] = head; head = all[0]; }"),
    },
    Way {
        name: "ArrayField",
        leaks: code(
            "",
            "Node[] row = new Node[1];",
            "T{ row[0] = head; other.row = row; } P{ other.head = other.row[0]; }",
        ),
        stays: code(
            "",
            "Node[] row = new Node[1];",
            "T{ row[0] = head; Node[] more = new Node[2]; more[0] = row[0]; row = more; }",
        ),
    },
    Way {
        name: "ArrayCopy",
        leaks: code(
            "",
            "Node[] row = new Node[1];",
            "T{ row[0] = head; System.arraycopy(row, 0, other.row, 0, 1); } P{ other.head = other.row[0]; }",
        ),
        stays: code(
            "",
            "Node[] row = new Node[1];",
            "T{ row[0] = head; Node[] more = new Node[2]; System.arraycopy(row, 0, more, 0, 1); row = more; }",
        ),
    },
    Way {
        name: "ObjectArrayCopy",
        leaks: code(
            "",
            "Node[] row = new Node[1];",
            "Object[] all = new Object[1]; T{ row[0] = head; System.arraycopy(row, 0, all, 0, 1); } P{ other.head = (Node) all[0]; }",
        ),
        stays: code("", "Node[] row = new Node[1];", "T{ row[0] = head; System.arraycopy(row, 0, row, 0, 1); }"),
    },
    Way {
        name: "Collection",
        leaks: code("", "", "List<Node> all = new ArrayList<>(); T{ all.add(head); } P{ other.head = all.get(0); }"),
        stays: code("", "", "List<Integer> all = new ArrayList<>(); T{ all.add(head.hits); }"),
    },
    Way {
        name: "Lambda",
        leaks: code("", "", "T{ Node node = head; Runnable task = () -> { P{ other.head = node; } }; task.run(); }"),
        stays: code(
            "",
            "",
            "T{ Node node = head; int hits = node.hits; Runnable task = () -> { P{ other.head = new Node(); other.head.hits = hits; } }; task.run(); }",
        ),
    },
    Way {
        name: "MethodReference",
        leaks: code(
            "",
            "Node get() { return head; }",
            "Supplier<Node> supplier = this::get; Node node; T{ node = supplier.get(); } P{ other.head = node; }",
        ),
        stays: code(
            "",
            "Keeper get() { return this; }",
            "Supplier<Keeper> supplier = this::get; P{ other.head = new Node(); }",
        ),
    },
    Way {
        name: "Anonymous",
        leaks: code(
            "",
            "",
            "T{ Node node = head; new Thread() { public void run() { P{ other.head = node; } } }.run(); }",
        ),
        stays: code(
            "",
            "",
            "T{ int hits = head.hits; new Thread() { public void run() { P{ other.head.hits = hits; } } }.run(); }",
        ),
    },
    Way {
        name: "Inner",
        leaks: code(
            "",
            "class Inner { Node kept = head; }",
            "Inner inner; T{ inner = new Inner(); } P{ other.head = inner.kept; }",
        ),
        stays: code("", "class Inner { Node kept = new Node(); }", "Inner inner; T{ inner = new Inner(); }"),
    },
    Way {
        name: "Static",
        leaks: code("", "static Node kept;", "T{ kept = head; } P{ other.head = kept; }"),
        stays: code("", "static int kept;", "T{ kept = head.hits; }"),
    },
    Way {
        name: "StaticObject",
        leaks: code("", "static Object kept;", "T{ kept = head; } P{ other.head = (Node) kept; }"),
        stays: code("", "static Object kept;", "T{ kept = this; }"),
    },
    Way {
        name: "Merged",
        leaks: code("", "", "Object node; T{ node = head != null ? head : this; } P{ other.head = (Node) node; }"),
        stays: code("", "", "T{ Node node = head != null ? head : new Node(); head = node; }"),
    },
    Way {
        name: "Thrown",
        leaks: code(
            "static class Box extends RuntimeException { Node kept; }",
            "",
            "try { Box box = new Box(); T{ box.kept = head; } throw box; } catch (Box box) { P{ other.head = box.kept; } }",
        ),
        stays: code(
            "static class Box extends RuntimeException { Node kept; }",
            "",
            "try { Box box = new Box(); box.kept = new Node(); throw box; } catch (Box box) { P{ other.head = new Node(); } }",
        ),
    },
    Way {
        name: "Loop",
        leaks: code(
            "",
            "",
            "Node last = null; for (Keeper k : new Keeper[] { this, other }) { synchronized (k) { if (last != null) k.head = last; last = k.head; } }",
        ),
        stays: code(
            "",
            "",
            "for (Keeper k : new Keeper[] { this, other }) { synchronized (k) { Node last = k.head; k.head = last; last.hits++; } }",
        ),
    },
    Way {
        name: "Copy",
        leaks: code(
            "",
            "Keeper copy() { try { return (Keeper) clone(); } catch (CloneNotSupportedException e) { throw new RuntimeException(e); } }",
            "T{ if (head != null) return copy(); }",
        ),
        stays: code(
            "",
            "Keeper copy() { Keeper copy = new Keeper(); copy.head = new Node(); return copy; }",
            "T{ if (head != null) return copy(); }",
        ),
    },
];

/// The source of all of them: package `leaks`, with a class `Main`; and for each way the names of the class that leaks and of
/// the one that does not. What races is `hits` of the class `Node` in it.
#[must_use]
pub fn program() -> (String, Vec<(String, String)>) {
    let mut text = String::from(
        "package leaks;
        import java.util.*; import java.util.concurrent.atomic.*; import java.util.function.*; import support.Support;\n",
    );
    let mut main = String::new();
    let mut names = Vec::new();
    for Way { name, leaks, stays } in WAYS {
        let both = (format!("{name}Leaks"), format!("{name}Stays"));
        for (class, code) in [(&both.0, leaks), (&both.1, stays)] {
            text += &source(class, code);
            // Writing to a string cannot fail.
            let _ = writeln!(main, "{class}.run();");
        }
        names.push(both);
    }
    let _ = writeln!(text, "public final class Main {{ public static void main(String[] arguments) {{ {main} }} }}");
    (text, names)
}

fn source(class: &str, Code { beside, members, give }: &Code) -> String {
    let types = match (beside.contains("Taker"), members.contains("clone()")) {
        (true, _) => "implements Taker",
        (_, true) => "implements Cloneable",
        _ => "",
    };
    let give = give.replace("T{", "synchronized (this) {").replace("P{", "synchronized (other) {");
    format!(
        "final class {class} {{
            static class Node {{ int hits; }}
            {beside}
            static class Keeper {types} {{
                Node head;
                {members}
                synchronized void fill() {{ head = new Node(); head.hits++; }}
                synchronized void touch() {{ head.hits++; }}
                Keeper give(Keeper other) {{ {give} return other; }}
            }}
            static void run() {{
                Keeper from = new Keeper(), other = new Keeper();
                from.fill();
                other.fill();
                Support.start(from::touch);
                Keeper to = from.give(other);
                Support.start(to::touch);
                Support.start(from::touch);
            }}
        }}\n"
    )
}
