//! Programs of the small language in Java, a statement a line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::language::{Call, Field, Hit, Lock, Method, Program, Start, Statement, What};

/// What every program has.
const COMMON: &str = "    static final Object LOCK = new Object();
    static final List<String> TWICE = List.of(\"\", \"\");
    static final ExecutorService POOL = Executors.newCachedThreadPool();
    static N shared;
    static void join(Thread thread) {
        try { thread.join(); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
";

/// The members of its objects.
const OBJECT: &str = "        int hit0, hit1; N left, right; final N fixed; final N[] cells = new N[2];
        final Object lock; Object open;
        final ReentrantLock explicit = new ReentrantLock();
        final ReentrantReadWriteLock halves = new ReentrantReadWriteLock();
        N(N fixed, Object lock) { this.fixed = fixed; this.lock = lock; this.open = lock; }
        void take() { explicit.lock(); }
        void give() { explicit.unlock(); }
";

/// How deep calls go.
const DEPTH: usize = 3;

/// The source of a program, and which statement each line is of.
pub fn source(program: &Program, class: &str, is_unfolded: bool) -> (String, BTreeMap<u16, usize>) {
    let mut printer =
        Printer { text: String::new(), program, class, is_unfolded, depth: DEPTH, statements: BTreeMap::new() };
    printer.program();
    (printer.text, printer.statements)
}

struct Printer<'a> {
    text: String,
    program: &'a Program,
    class: &'a str,
    /// Whether each method is there once for each depth, so that none calls itself.
    is_unfolded: bool,
    /// How deep what is printed may call.
    depth: usize,
    statements: BTreeMap<u16, usize>,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn program(&mut self) {
        for package in ["", ".concurrent", ".concurrent.locks", ".function"] {
            self.line(&format!("import java.util{package}.*;"));
        }
        self.line(&format!("public final class {} {{", self.class));
        self.text.push_str(COMMON);
        self.objects();
        for (number, method) in self.program.methods.iter().enumerate() {
            if !method.is_virtual {
                self.each_depth(|printer| printer.method(number, "static", method.is_synchronized, &method.body));
            }
        }
        self.line("public static void main(String[] arguments) {");
        self.line("int n = 3; N v0 = null, v1 = null, v2 = null, v3 = null;");
        self.body(&self.program.main);
        self.line("}");
        (0..self.program.methods.len()).for_each(|number| self.each_depth(|printer| printer.classes(number)));
        self.line("}");
    }

    /// Prints something for each depth of which there is a copy.
    fn each_depth(&mut self, mut print: impl FnMut(&mut Self)) {
        let depths = if self.is_unfolded { 0..DEPTH } else { 0..1 };
        for depth in depths {
            self.depth = depth;
            print(self);
        }
        self.depth = DEPTH;
    }

    /// What a method is called, or something of it, in the copy of what is printed, or in that which is called there.
    fn name(&self, prefix: &str, number: usize, is_called: bool) -> String {
        match self.is_unfolded {
            true => format!("{prefix}{number}_{}", self.depth - usize::from(is_called)),
            false => format!("{prefix}{number}"),
        }
    }

    /// The classes of objects, with the virtual methods.
    fn objects(&mut self) {
        let program = self.program;
        let of_objects: Vec<(usize, &Method)> =
            program.methods.iter().enumerate().filter(|(_, method)| method.is_virtual).collect();
        let (mut declared, mut inner) = (String::new(), String::new());
        for (number, _) in &of_objects {
            self.each_depth(|printer| {
                let name = printer.name("m", *number, false);
                declared += &format!("N {name}(int n, N b); ");
                inner += &format!("N {name}(int n, N b) {{ return N.this.{name}(n, b); }} ");
            });
        }
        self.line(&format!("interface I {{ {declared} }}"));
        self.line("static class N implements I {");
        self.text.push_str(OBJECT);
        self.line(&format!("class Inner {{ {inner} }}"));
        for (number, method) in &of_objects {
            self.each_depth(|printer| printer.method(*number, "public", method.is_synchronized, &method.body));
        }
        self.line("}\nstatic final class Q extends N {");
        self.line("Q(N fixed, Object lock) { super(fixed, lock); }");
        for (number, method) in &of_objects {
            if let Some((is_synchronized, body)) = &method.overridden {
                self.each_depth(|printer| printer.method(*number, "public", *is_synchronized, body));
            }
        }
        self.line("}");
    }

    /// The classes that call a method of those that are used: threads and what calls in its constructor.
    fn classes(&mut self, number: usize) {
        let call = self.called(&self.name("m", number, false), number, "n", ["a", "b"]);
        for (prefix, then) in [("T", ""), ("S", "start();"), ("C", "")] {
            let class = self.name(prefix, number, false);
            if !self.text.contains(&format!("new {class}(")) {
                continue;
            }
            let parameters = format!("{class}(int n, N a, N b)");
            if prefix == "C" {
                self.line(&format!("static class {class} {{ final N result; {parameters} {{ result = {call}; }} }}"));
                continue;
            }
            let made = format!("{parameters} {{ this.n = n; this.a = a; this.b = b; {then} }}");
            let run = format!("public void run() {{ {call}; }}");
            self.line(&format!("static class {class} extends Thread {{ final int n; final N a, b; {made} {run} }}"));
        }
    }

    /// A call of a method by a name.
    fn called(&self, name: &str, number: usize, n: &str, [a, b]: [&str; 2]) -> String {
        if self.program.methods[number].is_virtual {
            format!("{a}.{name}({n}, {b})")
        } else {
            format!("{name}({n}, {a}, {b})")
        }
    }

    fn method(&mut self, number: usize, modifiers: &str, is_synchronized: bool, body: &[Statement]) {
        let method = &self.program.methods[number];
        let synchronized = if is_synchronized { "synchronized " } else { "" };
        let (parameters, first) = if method.is_virtual { ("int n, N b", "this") } else { ("int n, N a, N b", "a") };
        let name = self.name("m", number, false);
        self.line(&format!("{modifiers} {synchronized}N {name}({parameters}) {{"));
        self.line(&format!("N v0 = {first}, v1 = b, v2 = null, v3 = null;"));
        self.body(body);
        self.line(&format!("return v{};\n}}", method.result));
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.statements.insert(self.text.lines().count() as u16 + 1, statement.id);
        let (begin, body, end) = self.parts(statement);
        self.line(&begin);
        if let Some(body) = body {
            self.body(body);
            self.line(&end);
        }
    }

    /// The line of a statement, and if there are others in it, these and the line after them.
    fn parts<'s>(&self, Statement { id, what }: &'s Statement) -> (String, Option<&'s [Statement]>, String) {
        match what {
            What::Locked { lock, of, body } => {
                let (begin, end) = locked(*lock, *of, *id, self.class);
                (begin, Some(body), end)
            }
            What::Gap { by_helper, of, body } => {
                let (give, take) = if *by_helper { ("give", "take") } else { ("explicit.unlock", "explicit.lock") };
                let held = format!("k{id} != null && k{id}.explicit.isHeldByCurrentThread()");
                let begin = format!("{{ N k{id} = v{of}; if ({held}) {{ k{id}.{give}(); try {{");
                (begin, Some(body), format!("}} finally {{ k{id}.{take}(); }} }} }}"))
            }
            What::Loop { body } => (format!("for (int i{id} = 0; i{id} < 2; i{id}++) {{"), Some(body), "}".to_owned()),
            What::Start { .. } | What::Call { .. } if self.depth == 0 && self.is_unfolded => {
                (String::new(), None, String::new())
            }
            What::Start { way, method, arguments, joined } => {
                let begin = self.started(*way, *method, *arguments, *id);
                match joined {
                    Some(body) => (begin, Some(body), format!("join(t{id}); }}")),
                    None => (begin + " }", None, String::new()),
                }
            }
            What::Call { way, method, arguments, to } => {
                (self.call(*way, *method, *arguments, *to, *id), None, String::new())
            }
            simple => (plain(simple), None, String::new()),
        }
    }

    /// What a call needs: depth that is left, an object to be called on, and copies of what is passed for lambdas.
    fn guard(&self, method: usize, [a, b]: [usize; 2], id: usize) -> String {
        let on = if self.program.methods[method].is_virtual { format!(" && v{a} != null") } else { String::new() };
        format!("if (n > 0{on}) {{ N a{id} = v{a}, b{id} = v{b};")
    }

    fn call(&self, way: Call, method: usize, arguments: [usize; 2], to: usize, id: usize) -> String {
        let guard = self.guard(method, arguments, id);
        let (a, b) = (format!("a{id}"), format!("b{id}"));
        let (name, class) = (self.name("m", method, true), self.name("C", method, true));
        let call = self.called(&name, method, "n - 1", [&a, &b]);
        let is_virtual = self.program.methods[method].is_virtual;
        let done = match way {
            Call::Interface if is_virtual => format!("v{to} = ((I) {a}).{name}(n - 1, {b});"),
            Call::Inner if is_virtual => format!("v{to} = {a}.new Inner().{name}(n - 1, {b});"),
            Call::Direct | Call::Interface | Call::Inner => format!("v{to} = {call};"),
            Call::Each => format!("TWICE.forEach(s -> {call});"),
            Call::Runnable => format!("Runnable r = () -> {call}; r.run();"),
            Call::Supplier => format!("Supplier<N> s = () -> {call}; v{to} = s.get();"),
            Call::Constructor => format!("v{to} = new {class}(n - 1, {a}, {b}).result;"),
        };
        format!("{guard} {done} }}")
    }

    fn started(&self, way: Start, method: usize, arguments: [usize; 2], id: usize) -> String {
        let guard = self.guard(method, arguments, id);
        let (a, b) = (format!("a{id}"), format!("b{id}"));
        let [name, subclass, itself] = ["m", "T", "S"].map(|prefix| self.name(prefix, method, true));
        let call = self.called(&name, method, "n - 1", [&a, &b]);
        let thread = format!("Thread t{id} =");
        let done = match way {
            Start::Lambda => format!("{thread} new Thread(() -> {call}); t{id}.start();"),
            Start::Subclass => format!("{thread} new {subclass}(n - 1, {a}, {b}); t{id}.start();"),
            Start::Anonymous => {
                format!("{thread} new Thread() {{ public void run() {{ {call}; }} }}; t{id}.start();")
            }
            Start::Itself => format!("new {itself}(n - 1, {a}, {b});"),
            Start::Pool => format!("POOL.execute(() -> {call});"),
            Start::Each => format!("TWICE.forEach(s -> new Thread(() -> {call}).start());"),
        };
        format!("{guard} {done}")
    }
}

/// What is before and after a body that holds a lock.
fn locked(lock: Lock, of: usize, id: usize, class: &str) -> (String, String) {
    let monitor = |lock: &str| (format!("if (v{of} != null) synchronized ({lock}) {{"), "}".to_owned());
    // The body may give the variable another object.
    let explicit = |take: &str, give: &str| {
        let begin = format!("{{ N k{id} = v{of}; if (k{id} != null) {{ k{id}.{take}(); try {{");
        (begin, format!("}} finally {{ k{id}.{give}(); }} }} }}"))
    };
    match lock {
        Lock::Monitor => monitor(&format!("v{of}")),
        Lock::Final => monitor(&format!("v{of}.lock")),
        Lock::Open => monitor(&format!("v{of}.open")),
        Lock::Array => monitor(&format!("v{of}.cells")),
        Lock::ClassOf => monitor(&format!("v{of}.getClass()")),
        Lock::Static => monitor("LOCK"),
        Lock::Class => monitor(&format!("{class}.class")),
        Lock::Explicit => explicit("explicit.lock", "explicit.unlock"),
        Lock::Tried => {
            let begin = format!("{{ N k{id} = v{of}; if (k{id} != null && k{id}.explicit.tryLock()) {{ try {{");
            (begin, format!("}} finally {{ k{id}.explicit.unlock(); }} }} }}"))
        }
        Lock::Helper => explicit("take", "give"),
        Lock::Reading => explicit("halves.readLock().lock", "halves.readLock().unlock"),
        Lock::Writing => explicit("halves.writeLock().lock", "halves.writeLock().unlock"),
    }
}

/// A statement that has no others in it and calls nothing.
fn plain(what: &What) -> String {
    let of = |of: usize, field: Field| match field {
        Field::Left => format!("v{of}.left"),
        Field::Right => format!("v{of}.right"),
        Field::Fixed => format!("v{of}.fixed"),
        Field::Cell(n) => format!("v{of}.cells[{n}]"),
        Field::Static => "shared".to_owned(),
    };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match what {
        What::New { to, is_sub, fixed, lock } => {
            let class = if *is_sub { "Q" } else { "N" };
            match lock {
                Some(lock) => write!(text, "if (v{lock} != null) v{to} = new {class}(v{fixed}, v{lock}.lock);"),
                None => write!(text, "v{to} = new {class}(v{fixed}, new Object());"),
            }
        }
        What::Move { to, from } => write!(text, "v{to} = v{from};"),
        What::Load { to, of: base, field } => write!(text, "if (v{base} != null) v{to} = {};", of(*base, *field)),
        What::Store { of: base, field, from } => write!(text, "if (v{base} != null) {} = v{from};", of(*base, *field)),
        What::Lend { to, of } => write!(text, "if (v{to} != null && v{of} != null) v{to}.open = v{of}.open;"),
        What::Hit { of, hit, access } => match access {
            Hit::Read => write!(text, "if (v{of} != null) {{ int r = v{of}.hit{hit}; }}"),
            Hit::Write => write!(text, "if (v{of} != null) v{of}.hit{hit} = 1;"),
            Hit::Update => write!(text, "if (v{of} != null) v{of}.hit{hit}++;"),
        },
        _ => Ok(()),
    };
    text
}
