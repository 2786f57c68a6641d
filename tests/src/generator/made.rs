//! Methods that make objects, copy them or have factories make them, pass them about, and access them all the while. A run in miniature says whether
//! another thread may have an object by then: so what a search takes for new to the method can be held to it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use super::Random;

/// Variables of a method: nodes `a` and `b` of these in each statement, and one of the boxes.
const N_NODES: usize = 3;
const N_BOXES: usize = 2;
/// How deep statements nest.
const MAX_DEPTH: usize = 2;
/// Runs of each method, which take other branches.
const N_RUNS: u64 = 64;

/// What every class has besides its method: factories, of which some give away what they make.
const MEMBERS: &str = "
    static volatile Node node; static volatile Box box; static int seen;
    static class Node implements Cloneable {
        int value; volatile Node next;
        Node() {}
        Node(Node next) { this.next = next; }
        Node copy() { try { return (Node) clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } }
    }
    static class Box {
        volatile Node kept;
        Box() {}
        Box(Node kept) { this.kept = kept; }
        Node create() { Node made = new Node(); kept = made; return made; }
        Node get() { return kept; }
        void set(Node kept) { this.kept = kept; }
    }
    static boolean flag() { return System.nanoTime() % 2 == 0; }
    static Node make() { return new Node(); }
    static Node registered() { Node made = new Node(); node = made; return made; }
    static Node boxed() { Box made = new Box(); made.kept = new Node(); box = made; return made.kept; }
    static Node nested() { Node made = new Node(); made.next = new Node(); node = made; return made.next; }
    static Node same(Node node) { return node; }
    static void keep(Node kept) { node = kept; }
    static void walk(Node from, int depth) { if (from != null && depth < 5) { seen += from.value; walk(from.next, depth + 1); } }
    static void read() { walk(node, 0); Box kept = box; if (kept != null) { walk(kept.kept, 0); } }
";

/// What a statement does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    New,
    NewOf,
    Copy,
    Create,
    Registered,
    Boxed,
    Nested,
    Load,
    Global,
    Same,
    Next,
    SetNext,
    NewBox,
    NewBoxOf,
    GlobalBox,
    Put,
    PutGlobal,
    PutBox,
    Access,
}

/// By operation, its ways to be written, of `A` and `B`, nodes, and `X`, a box. An access stands three times, as without any there is no race.
const WRITTEN: &[(Op, &str)] = &[
    (Op::New, "A = new Node();"),
    (Op::New, "A = make();"),
    (Op::NewOf, "A = new Node(B);"),
    (Op::Copy, "A = B.copy();"),
    (Op::Create, "A = X.create();"),
    (Op::Registered, "A = registered();"),
    (Op::Boxed, "A = boxed();"),
    (Op::Nested, "A = nested();"),
    (Op::Load, "A = X.kept;"),
    (Op::Load, "A = X.get();"),
    (Op::Global, "A = node;"),
    (Op::Same, "A = same(B);"),
    (Op::Next, "A = B.next;"),
    (Op::SetNext, "A.next = B;"),
    (Op::NewBox, "X = new Box();"),
    (Op::NewBox, "X = new Box();"),
    (Op::NewBoxOf, "X = new Box(A);"),
    (Op::GlobalBox, "X = box;"),
    (Op::Put, "X.kept = A;"),
    (Op::Put, "X.set(A);"),
    (Op::PutGlobal, "node = A;"),
    (Op::PutGlobal, "keep(A);"),
    (Op::PutGlobal, "{ Node kept = A; Runnable keeps = () -> node = kept; keeps.run(); }"),
    (Op::PutBox, "box = X;"),
    (Op::Access, "A.value++;"),
    (Op::Access, "A.value++;"),
    (Op::Access, "A.value++;"),
];

/// The number of the way `node = A;`.
const LAST: usize = 20;

enum Statement {
    Twice(Vec<Statement>),
    Either([Vec<Statement>; 2]),
    /// A way to write an operation, by its number, two nodes and a box.
    Do(usize, [usize; 2], usize),
}

fn block(random: &mut Random, n: usize, depth: usize) -> Vec<Statement> {
    let mut statement = || match random.below(12) {
        0 if depth < MAX_DEPTH => {
            let n = 2 + random.below(3);
            Statement::Twice(block(random, n, depth + 1))
        }
        1 if depth < MAX_DEPTH => {
            let [one, other] = [1 + random.below(3), random.below(3)];
            Statement::Either([block(random, one, depth + 1), block(random, other, depth + 1)])
        }
        _ => {
            let nodes = [random.below(N_NODES), random.below(N_NODES)];
            Statement::Do(random.below(WRITTEN.len()), nodes, random.below(N_BOXES))
        }
    };
    (0..n).map(|_| statement()).collect()
}

fn write(text: &mut String, block: &[Statement], names: &mut usize) {
    for statement in block {
        match statement {
            Statement::Twice(body) => {
                *names += 1;
                let _ = writeln!(text, "for (int i{0} = 0; i{0} < 2; i{0}++) {{", *names);
                write(text, body, names);
                text.push_str("}\n");
            }
            Statement::Either([one, other]) => {
                text.push_str("if (flag()) {\n");
                write(text, one, names);
                text.push_str("} else {\n");
                write(text, other, names);
                text.push_str("}\n");
            }
            Statement::Do(way, [a, b], x) => {
                for word in WRITTEN[*way].1.split_inclusive(|sign: char| !sign.is_alphanumeric()) {
                    let name = word.trim_end_matches(|sign: char| !sign.is_alphanumeric());
                    let _ = match name {
                        "A" => write!(text, "n{a}"),
                        "B" => write!(text, "n{b}"),
                        "X" => write!(text, "b{x}"),
                        _ => write!(text, "{name}"),
                    };
                    text.push_str(&word[name.len()..]);
                }
                text.push('\n');
            }
        }
    }
}

/// A run. Objects are numbers; each refers to one other at most.
#[derive(Default)]
struct Run {
    refers: Vec<Option<usize>>,
    nodes: [Option<usize>; N_NODES],
    boxes: [Option<usize>; N_BOXES],
    /// What others have: by `node` and by `box`.
    globals: [Option<usize>; 2],
    /// What others may have, from when they might have got it.
    out: BTreeSet<usize>,
    races: bool,
}

impl Run {
    fn make(&mut self, refers: Option<usize>) -> Option<usize> {
        self.refers.push(refers);
        Some(self.refers.len() - 1)
    }

    /// A run that has just begun: boxes have nodes.
    fn begin() -> Self {
        let mut run = Self::default();
        run.nodes = std::array::from_fn(|_| run.make(None));
        run.boxes = std::array::from_fn(|n| run.make(run.nodes[n]));
        run
    }

    /// Runs statements; none if one of them fails, as nothing follows then.
    fn block(&mut self, block: &[Statement], random: &mut Random) -> Option<()> {
        for statement in block {
            match statement {
                Statement::Twice(body) => (0..2).try_for_each(|_| self.block(body, random))?,
                Statement::Either(bodies) => self.block(&bodies[random.below(2)], random)?,
                Statement::Do(way, nodes, x) => self.step(WRITTEN[*way].0, *nodes, *x)?,
            }
            self.show();
        }
        Some(())
    }

    /// Does a statement; none if it fails, for want of an object.
    fn step(&mut self, op: Op, [a, b]: [usize; 2], x: usize) -> Option<()> {
        let [node, other, in_box] = [self.nodes[a], self.nodes[b], self.boxes[x]];
        match op {
            Op::New => self.nodes[a] = self.make(None),
            Op::NewOf => self.nodes[a] = self.make(other),
            Op::Registered => {
                self.nodes[a] = self.make(None);
                self.globals[0] = self.nodes[a];
            }
            Op::Boxed | Op::Nested => {
                self.nodes[a] = self.make(None);
                self.globals[usize::from(op == Op::Boxed)] = self.make(self.nodes[a]);
            }
            Op::Global => self.nodes[a] = self.globals[0],
            Op::Same => self.nodes[a] = other,
            Op::NewBox => self.boxes[x] = self.make(None),
            Op::NewBoxOf => self.boxes[x] = self.make(node),
            Op::GlobalBox => self.boxes[x] = self.globals[1],
            Op::PutGlobal => self.globals[0] = node,
            Op::PutBox => self.globals[1] = in_box,
            Op::Copy => self.nodes[a] = self.make(self.refers[other?]),
            Op::Next => self.nodes[a] = self.refers[other?],
            Op::Load => self.nodes[a] = self.refers[in_box?],
            Op::Create => {
                self.nodes[a] = self.make(None);
                self.refers[in_box?] = self.nodes[a];
            }
            Op::SetNext => self.refers[node?] = other,
            Op::Put => self.refers[in_box?] = node,
            Op::Access => self.races |= self.out.contains(&node?),
        }
        Some(())
    }

    /// Others may have what the globals lead to.
    fn show(&mut self) {
        for global in self.globals {
            let mut shown = BTreeSet::new();
            let mut next = global;
            while let Some(object) = next.filter(|object| shown.insert(*object)) {
                next = self.refers[object];
            }
            self.out.append(&mut shown);
        }
    }
}

/// The source of a class `Made` with a `main`, for numbers of random methods, each in a class of its own, and the names of those classes (`M17`) in which a
/// node is accessed that another thread may have.
#[must_use]
pub fn program(seeds: Range<u64>) -> (String, BTreeSet<String>) {
    let (mut text, mut racy) = (String::new(), BTreeSet::new());
    let (mut runs, mut reads) = (String::new(), String::new());
    for seed in seeds {
        let mut random = Random(seed);
        let n = 3 + random.below(12);
        let mut body = block(&mut random, n, 0);
        // In the end others have what there is, so that all that was done before has to be seen to be early enough.
        body.extend((0..N_NODES).map(|node| Statement::Do(LAST, [node; 2], 0)));
        let races = |number| {
            let mut run = Run::begin();
            let _ = run.block(&body, &mut Random(number));
            run.races
        };
        if (0..N_RUNS).any(races) {
            racy.insert(format!("M{seed}"));
        }
        let _ = write!(
            text,
            "class M{seed} {{{MEMBERS}static void run() {{\nNode n0 = new Node(), n1 = new Node(), n2 = new Node(); Box b0 = new Box(n0), b1 = new Box(n1);\n"
        );
        write(&mut text, &body, &mut 0);
        text.push_str("}\n}\n");
        let _ = write!(runs, "M{seed}.run(); ");
        let _ = write!(reads, "M{seed}.read(); ");
    }
    let _ = write!(
        text,
        "public class Made {{
             static void runs() {{ {runs} }}
             static void reads() {{ {reads} }}
             public static void main(String[] arguments) {{
                 new Thread(Made::runs).start();
                 new Thread(() -> {{ synchronized (Made.class) {{ reads(); }} }}).start();
             }}
         }}"
    );
    (text, racy)
}
