//! Random families, in Java: nodes `N…`, their subclasses `M…`, owners `K…` and `B…` that keep them, and methods that pass them
//! around. Few of them do much, for most families that do much have no owners.

use std::fmt::Write as _;

use jrace_tests::generator::Random;

/// The methods that pass nodes on; the last one is static.
const N_METHODS: usize = 3;
/// What nodes are assigned to and read from. `@` stands for the number of the family.
const PLACES: &[&str] =
    &["e", "f", "n", "o", "head", "tail", "row[1]", "k.head", "k.row[0]", "box.kept", "k.box.kept", "e.next", "n.next"];
/// The same in a static method.
const OF_STATIC: &[&str] = &["e", "n", "o", "k.head", "k.row[0]", "k.box.kept", "n.next"];
/// What else makes nodes.
const MADE: &[&str] = &["new N@()", "new M@()", "null", "(M@) e", "(flag ? e : f)", "(flag ? n : e)"];
/// What is more than an assignment, and rarer. `$` stands for a simple one.
const NESTED: &[&str] = &[
    "if (flag) { $ }",
    "while (flag) { $ $ }",
    "try { $ } catch (RuntimeException x) { $ }",
    "for (K@ i : all) { i.head = new N@(); $ }",
    "for (K@ i : all) { e = i.head; $ }",
    "for (K@ i : all) { N@ g = f; f = i.head; if (g != null) g.x++; }",
    "for (N@ i : row) { e = i; $ }",
    "System.arraycopy(row, 0, k.row, 0, 1);",
    "System.arraycopy(row, 0, new N@[1], 0, 1);",
    "{ N@[][] rows = { row }; e = rows[0][0]; }",
    "{ K@ own = new K@(); own.head = e; $ }",
    "{ K@ own = k; own.tail = e; $ }",
];

/// The source of some families, in one file.
pub fn source(n_families: usize) -> String {
    let mut random = Random(7);
    (0..n_families).fold(String::new(), |text, n| text + &family(&mut random, n).replace('@', &n.to_string()))
}

fn family(random: &mut Random, n: usize) -> String {
    let mut text = String::from(
        "class N@ { int x; N@ next; } class M@ extends N@ { int y; } class B@ { N@ kept; }
        class K@ { N@ head, tail; N@[] row = new N@[2]; final B@ box = new B@(); static boolean flag; static K@[] all;\n",
    );
    for method in 0..N_METHODS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "N@ m{method}(K@ k, N@ n, N@ o) {{ N@ e = null, f = null;");
        (0..=random.below(3)).for_each(|_| text += &statement(random));
        let _ = writeln!(text, "return {}; }}", random.pick(&["null", "null", "e", "n", "head"]));
    }
    text += "static N@ s(K@ k, N@ n, N@ o) { N@ e = null, f = null;";
    let _ = writeln!(
        text,
        "{} = {}; return {}; }}",
        random.pick(OF_STATIC),
        random.pick(OF_STATIC),
        random.pick(OF_STATIC)
    );
    // Who is called by nobody is called by clients.
    text += "void run() { N@ a = new N@(), b = new N@(); K@ k = new K@();";
    for method in ["m0", "m1", "m2", "s"] {
        let (k, first, second) = (random.pick(&["this", "k"]), node(random), node(random));
        let kept = random.pick(&["", "", "", "head = ", "k.tail = ", "b = "]);
        let _ = writeln!(text, "{kept}{method}({k}, {first}, {second});");
    }
    let _ = writeln!(text, "}} }} // {n}");
    text
}

fn node(random: &mut Random) -> &'static str {
    random.pick(&["a", "b", "null", "new N@()", "new N@()", "head"])
}

fn statement(random: &mut Random) -> String {
    if random.below(3) > 0 {
        return assignment(random);
    }
    let mut text = random.pick(NESTED).to_owned();
    while text.contains('$') {
        text = text.replacen('$', &assignment(random), 1);
    }
    text + "\n"
}

fn assignment(random: &mut Random) -> String {
    let to = random.pick(PLACES);
    let from = match random.below(8) {
        0 => format!("m{}(k, {}, {})", random.below(N_METHODS), random.pick(PLACES), random.pick(PLACES)),
        1 => format!("s({}, {}, null)", random.pick(&["k", "this"]), random.pick(PLACES)),
        2 | 3 => random.pick(MADE).to_owned(),
        _ => random.pick(PLACES).to_owned(),
    };
    format!("{to} = {from};\n")
}
