//! Methods that make objects, copy them or have factories make them, pass them about, and access them all the while. A run in miniature says whether
//! another thread may have an object by then: so what a search takes for new to the method can be held to it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use super::Random;

/// Variables of a method: nodes `a` and `b` of these in each statement, one of the boxes, and a view of a box.
const N_NODES: usize = 3;
const N_BOXES: usize = 2;
/// How deep statements nest.
const MAX_DEPTH: usize = 2;
/// Runs of each method, which take other branches.
const N_RUNS: u64 = 64;

/// What every class has besides its method: factories, of which some give away what they make.
const MEMBERS: &str = "
    static volatile Node node; static volatile Box box; static volatile View view; static int seen;
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
    static class View {
        final Box of;
        View(Box of) { this.of = of; }
        Node get() { return of.kept; }
    }
    static View wrap(Box of) { return new View(of); }
    static boolean flag() { return System.nanoTime() % 2 == 0; }
    static Node make() { return new Node(); }
    static Node registered() { Node made = new Node(); node = made; return made; }
    static Node boxed() { Box made = new Box(); made.kept = new Node(); box = made; return made.kept; }
    static Node nested() { Node made = new Node(); made.next = new Node(); node = made; return made.next; }
    static Node same(Node node) { return node; }
    static void keep(Node kept) { node = kept; }
    static void walk(Node from, int depth) { if (from != null && depth < 5) { seen += from.value; walk(from.next, depth + 1); } }
    static void read(Box kept) { if (kept != null) { walk(kept.kept, 0); } }
    static void read() { walk(node, 0); read(box); View kept = view; if (kept != null) { read(kept.of); } }
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
    NewView,
    OfView,
    LoadView,
    PutView,
    Access,
}

/// By operation, its ways to be written, of `A` and `B`, nodes, and `X`, a box, beside `v`, the view. An access stands three times, as without any there is no race.
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
    (Op::NewView, "v = new View(X);"),
    (Op::NewView, "v = wrap(X);"),
    (Op::OfView, "X = v.of;"),
    (Op::LoadView, "A = v.get();"),
    (Op::PutView, "view = v;"),
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

/// Statements that have to come together, and those of a loop behind them. Methods have them in part, and others between them.
const SHAPES: &[(&[&str], &[&str])] = &[
    // Others get something that is older than the node that was put into what it leads to.
    (&["v = wrap(b0);", "n0 = new Node();", "b0.kept = n0;", "view = v;", "n0.value++;"], &[]),
    (&["b1 = v.of;", "n0 = make();", "b0.set(n0);", "box = b1;", "n0.value++;"], &[]),
    (&["n1 = b0.get();", "n0 = n1.copy();", "n1.next = n0;", "keep(n1);", "n0.value++;"], &[]),
    // What others have leads to what the next node is put into.
    (&[], &["n0 = new Node();", "n0.next = n1;", "n1.next = n0;", "n0.value++;", "node = n0;", "n1 = same(n0);"]),
    (&["box = b0;"], &["n0 = new Node(n1);", "n1.next = n0;", "n0.value++;", "b0.kept = n0;", "n1 = b0.kept;"]),
];

/// What a method is made of: few ways to write few things, so that what has to come together does.
struct Words {
    ways: Vec<usize>,
    n_nodes: usize,
    n_boxes: usize,
}

impl Words {
    fn of(random: &mut Random) -> Self {
        let is_needed = |way: usize| matches!(WRITTEN[way].0, Op::Access) || way == 0;
        let one_in = 1 + random.below(6);
        Self {
            ways: (0..WRITTEN.len()).filter(|way| is_needed(*way) || random.below(one_in) == 0).collect(),
            n_nodes: 1 + random.below(N_NODES),
            n_boxes: 1 + random.below(N_BOXES),
        }
    }

    fn block(&self, random: &mut Random, n: usize, depth: usize) -> Vec<Statement> {
        let mut statement = || match random.below(12) {
            0 | 1 if depth < MAX_DEPTH => {
                let n = 2 + random.below(5);
                Statement::Twice(self.block(random, n, depth + 1))
            }
            2 if depth < MAX_DEPTH => {
                let [one, other] = [1 + random.below(3), random.below(3)];
                Statement::Either([self.block(random, one, depth + 1), self.block(random, other, depth + 1)])
            }
            _ => {
                let nodes = [random.below(self.n_nodes), random.below(self.n_nodes)];
                Statement::Do(self.ways[random.below(self.ways.len())], nodes, random.below(self.n_boxes))
            }
        };
        (0..n).map(|_| statement()).collect()
    }

    /// A shape with other statements between, and without some of its own.
    fn bent(&self, random: &mut Random) -> Vec<Statement> {
        let (once, again) = SHAPES[random.below(SHAPES.len())];
        let mut bend = |lines: &[&str]| -> Vec<Statement> {
            let mut bent = Vec::new();
            for line in lines {
                let n = usize::from(random.one_in(6));
                bent.extend(self.block(random, n, MAX_DEPTH));
                bent.extend((!random.one_in(12)).then(|| Statement::read(line)));
            }
            bent
        };
        let mut body = bend(once);
        if !again.is_empty() {
            body.push(Statement::Twice(bend(again)));
        }
        body
    }
}

impl Statement {
    /// One that stands for the line of a shape.
    fn read(line: &str) -> Self {
        let all = (0..WRITTEN.len()).flat_map(|way| {
            let nodes = (0..N_NODES).flat_map(|a| (0..N_NODES).map(move |b| [a, b]));
            nodes.flat_map(move |nodes| (0..N_BOXES).map(move |x| (way, nodes, x)))
        });
        let (way, nodes, x) = all.into_iter().find(|(way, nodes, x)| written(*way, *nodes, *x) == line).expect("a way");
        Self::Do(way, nodes, x)
    }
}

/// A statement as it is written.
fn written(way: usize, [a, b]: [usize; 2], x: usize) -> String {
    let mut text = String::new();
    for word in WRITTEN[way].1.split_inclusive(|sign: char| !sign.is_alphanumeric()) {
        let name = word.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        let _ = match name {
            "A" => write!(text, "n{a}"),
            "B" => write!(text, "n{b}"),
            "X" => write!(text, "b{x}"),
            _ => write!(text, "{name}"),
        };
        text.push_str(&word[name.len()..]);
    }
    text
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
            Statement::Do(way, nodes, x) => {
                text.push_str(&written(*way, *nodes, *x));
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
    view: Option<usize>,
    /// What others have: by `node`, by `box` and by `view`.
    globals: [Option<usize>; 3],
    /// What others may have, from when they might have got it.
    out: BTreeSet<usize>,
    races: bool,
}

impl Run {
    fn make(&mut self, refers: Option<usize>) -> Option<usize> {
        self.refers.push(refers);
        Some(self.refers.len() - 1)
    }

    /// A run that has just begun: boxes have nodes, and the view has a box.
    fn begin() -> Self {
        let mut run = Self::default();
        run.nodes = std::array::from_fn(|_| run.make(None));
        run.boxes = std::array::from_fn(|n| run.make(run.nodes[n]));
        run.view = run.make(run.boxes[0]);
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
            Op::NewView => self.view = self.make(in_box),
            Op::OfView => self.boxes[x] = self.refers[self.view?],
            Op::LoadView => self.nodes[a] = self.refers[self.refers[self.view?]?],
            Op::PutView => self.globals[2] = self.view,
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
        let words = Words::of(&mut random);
        let mut body = if random.one_in(3) { words.bent(&mut random) } else { words.block(&mut random, n, 0) };
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
            "class M{seed} {{{MEMBERS}static void run() {{\nNode n0 = new Node(), n1 = new Node(), n2 = new Node(); Box b0 = new Box(n0), b1 = new Box(n1); View v = new View(b0);\n"
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
