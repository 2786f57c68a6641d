//! Random programs written in another way: what an analysis says of them must not change, or only for the better.

/// A change of a program's text.
pub type Change = fn(&str) -> String;

/// Changes after which a program does the same under the same locks.
pub const SAME: [(&str, Change); 3] =
    [("anonymous classes for lambdas", anonymous), ("aliases of locks", aliased), ("split methods", split)];

/// Assignments that stand alone.
const ASSIGNMENTS: [&str; 4] = ["if (other != null) other.", "if (peer != null) peer.", "if (n < 3) s = ", "cells["];

/// Holds a lock at every third assignment.
#[must_use]
pub fn locked(program: &str) -> String {
    let mut n_assignments = 0;
    let line = |line: &str| {
        let is_assignment = own_field(line).is_some() || ASSIGNMENTS.iter().any(|text| line.starts_with(text));
        n_assignments += usize::from(is_assignment);
        let is_chosen = is_assignment && n_assignments % 3 == 0;
        if is_chosen { format!("synchronized (LOCK) {{ {line} }}\n") } else { format!("{line}\n") }
    };
    program.lines().map(line).collect()
}

/// The field that a line adds to, in the object whose code it is.
fn own_field(line: &str) -> Option<&str> {
    let (field, rest) = line.split_once(" = ")?;
    (rest == format!("{field} + n;")).then_some(field)
}

fn anonymous(program: &str) -> String {
    program.lines().map(|line| without_lambda(line) + "\n").collect()
}

/// A lambda is the last one in its line, and has no braces in its body. One of locals only stays: an anonymous class would keep the
/// object whose method makes it, which javac leaves out only since 18 (JDK-8271623).
fn without_lambda(line: &str) -> String {
    let is_changed = |lambda: &str| !["same.", "all.get("].iter().any(|local| lambda.contains(local));
    let Some((before, lambda)) = line.split_once("() -> ").filter(|(_, lambda)| is_changed(lambda)) else {
        return line.to_owned();
    };
    let (body, after) = match lambda.strip_prefix('{').and_then(|block| block.split_once('}')) {
        Some((body, after)) => (body.to_owned(), after.to_owned()),
        None => {
            lambda.split_once(");").map(|(body, after)| (format!("{body};"), format!(");{after}"))).unwrap_or_default()
        }
    };
    format!("{before}new Runnable() {{ public void run() {{ {body} }} }}{after}")
}

fn aliased(program: &str) -> String {
    let declared = "final Object lock = new Object(); static final Object LOCK = new Object();";
    let aliases = format!("{declared} final Object alias = lock; static final Object ALIAS = LOCK;");
    let program = program.replace(declared, &aliases);
    let program =
        program.replace("synchronized (lock)", "synchronized (alias)").replace(" = lock; synch", " = alias; synch");
    program.replace("synchronized (LOCK)", "synchronized (ALIAS)").replace(" = LOCK; synch", " = ALIAS; synch")
}

/// What a constructor does stays there: its object is known to nobody yet.
fn split(program: &str) -> String {
    let (mut text, mut parts, mut is_constructor) = (String::new(), String::new(), false);
    for (number, line) in program.lines().enumerate() {
        if line.starts_with("class ") {
            // The class before ends here.
            text.insert_str(text.rfind('}').unwrap_or(text.len()), &std::mem::take(&mut parts));
        }
        is_constructor |= line.starts_with('K') && line.contains("(int n) {");
        if own_field(line).is_some() && !is_constructor {
            text += &format!("part{number}(n);\n");
            parts += &format!("private void part{number}(int n) {{ {line} }}\n");
        } else {
            text += &format!("{line}\n");
        }
        is_constructor &= !line.ends_with("b = n; }");
    }
    text
}
