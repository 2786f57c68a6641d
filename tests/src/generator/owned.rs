//! Nodes that objects keep: classes `L…` whose objects others own, or nearly.

use super::{N_CLASSES, Writer};

/// How many node classes a program has.
pub(super) const N_NODES: usize = 3;
/// Ways in which nodes get to others than their owner: what was there before is used, as it may be another owner's.
const N_LEAKS: usize = 10;

/// How a program treats the nodes of one class.
#[derive(Clone, Copy)]
pub(super) struct Habit {
    /// The lock that guards them.
    lock: &'static str,
    /// Whether it is always held.
    strict: bool,
    /// How they leak, if they do.
    leak: Option<usize>,
}

impl Habit {
    pub const NONE: Self = Self { lock: "this", strict: true, leak: None };
}

/// Which nodes objects of a class keep.
fn node(class: usize) -> usize {
    class % N_NODES
}

impl Writer {
    /// Half of the node classes do not leak, and most of those are always locked.
    pub(super) fn new_habits(&mut self) -> [Habit; N_NODES] {
        std::array::from_fn(|_| Habit {
            lock: self.random.pick(&["this", "this", "lock"]),
            strict: !self.random.one_in(4),
            leak: self.random.one_in(2).then(|| self.random.below(N_LEAKS)),
        })
    }

    pub(super) fn nodes(&mut self) {
        for node in 0..N_NODES {
            let l = format!("L{node}");
            // A static field is a leak by its declaration.
            let kept = if self.habits[node].leak == Some(0) { format!("static {l} kept;") } else { String::new() };
            self.line(&format!(
                "class {l} implements Runnable {{ int x; int y; int z; {l} next; {kept} static Object box; static Object[] rows;"
            ));
            self.line(&format!("{l}(int n) {{ x = n; y = n; }}"));
            self.line("void bump(int n) { x += n; if (next != null && Support.spend()) next.bump(n); }");
            self.line(&format!("static void link({l} a, {l} b) {{ b.next = a.next; a.next = b; b.y++; }}"));
            self.line(&format!(
                "{l} last() {{ {l} at = this; while (at.next != null && Support.spend()) at = at.next; return at; }}"
            ));
            self.line("public void run() { z++; } }");
        }
    }

    /// What a class has for its nodes.
    pub(super) fn keeper(&mut self, class: usize) {
        let l = format!("L{}", node(class));
        self.line(&format!("{l} head; {l}[] row = new {l}[2];"));
        self.line(&format!("private void touch({l} e) {{ if (e != null) e.y++; }}"));
        self.line(&format!("private {l} first() {{ return head; }}"));
        self.line(&format!("static {l} chain(int n) {{ {l} first = null; for (int i = 0; i < 2; i++) {{ {l} e = new {l}(n); e.next = first; first = e; first.x++; if (first.next != null) first.next.y++; }} return first; }}"));
    }

    /// A statement about the nodes of an object.
    pub(super) fn use_nodes(&mut self, class: usize, peer: usize) {
        let habit = self.habits[node(class)];
        let leak = habit.leak.filter(|_| self.random.one_in(3));
        let text = match leak {
            Some(leak) => self.leak(class, peer, leak),
            None => self.keep(class),
        };
        let is_locked = habit.strict || !self.random.one_in(3);
        let lock = habit.lock;
        self.line(&if is_locked { format!("synchronized ({lock}) {{ {text} }}") } else { format!("{{ {text} }}") });
    }

    fn keep(&mut self, class: usize) -> String {
        let l = format!("L{}", node(class));
        let field = self.random.pick(&["x", "y", "z"]);
        let lock = self.habits[node(class)].lock;
        match self.random.below(11) {
            0 | 1 => format!("{l} e = new {l}(n); e.next = head; head = e; e.{field}++;"),
            2 => format!("for ({l} e = head; e != null && Support.spend(); e = e.next) e.{field} = n;"),
            3 => "if (head != null) head.bump(n);".to_owned(),
            4 => format!("if (head != null) {l}.link(head, new {l}(n));"),
            5 => format!("{l} e = head; if (e != null) {{ head = e.next; e.{field}++; }}"),
            6 => "touch(first());".to_owned(),
            7 => format!("if (head != null) {{ row[n & 1] = head.last(); row[n & 1].{field}++; }}"),
            8 => format!("head = chain(n); head.{field}++; head.bump(1);"),
            9 => format!("K{class} k = new K{class}(n); k.head = new {l}(n); k.head.{field} = 1; k.touch(k.head);"),
            // Owners in a loop, each with its lock.
            _ => {
                let of = if lock == "this" { "k".to_owned() } else { format!("k.{lock}") };
                format!(
                    "for (K{class} k : new K{class}[] {{ this, null, this }}) if (k != null) synchronized ({of}) {{ {l} e = k.head; if (e != null) e.{field}++; }}"
                )
            }
        }
    }

    fn leak(&mut self, class: usize, peer: usize, leak: usize) -> String {
        let l = format!("L{}", node(class));
        let field = self.random.pick(&["x", "y", "z"]);
        let is_like = node(class) == node(peer);
        match leak {
            0 => format!("if ({l}.kept != null) {l}.kept.{field}++; {l}.kept = head;"),
            1 => format!("{l} e = head; Support.later(() -> {{ if (e != null) e.{field}++; }});"),
            2 => "if (head != null) Support.later(head);".to_owned(),
            3 => format!("if ({l}.box != null) (({l}) {l}.box).{field}++; {l}.box = head;"),
            4 if is_like => format!("if (peer != null) {{ peer.head = head; if (head != null) head.{field}++; }}"),
            5 if is_like => format!("if (peer != null) {{ head = peer.head; if (head != null) head.{field}++; }}"),
            6 => format!(
                "K{class} k = new K{class}(n); k.head = head; if (k.head != null) k.head.{field}++; Support.later(() -> {{ synchronized (k) {{ if (k.head != null) k.head.{field}++; }} }});"
            ),
            7 => format!(
                "if ({l}.rows != null && {l}.rows[0] != null) (({l}) {l}.rows[0]).{field}++; row[0] = head; {l}.rows = row;"
            ),
            8 => format!(
                "{l} last = null; for (K{class} k : new K{class}[] {{ new K{class}(n), this }}) {{ synchronized (k) {{ if (last != null) last.{field}++; k.head = new {l}(n); last = k.head; }} Support.later(() -> k.touch(k.head)); }}"
            ),
            _ => format!(
                "java.util.ArrayList<{l}> all = new java.util.ArrayList<>(); all.add(head); Support.later(() -> {{ if (all.get(0) != null) all.get(0).{field}++; }});"
            ),
        }
    }
}

const _: () = assert!(N_CLASSES > N_NODES, "some classes keep the same nodes");
