//! The layout as Java source.

use std::fmt::Write;

/// A nested class of constants.
pub(super) struct Group {
    pub class: &'static str,
    pub about: &'static [&'static str],
    pub constants: Vec<Constant>,
}

/// A constant as Java writes it.
pub(super) struct Constant {
    pub name: &'static str,
    about: &'static [&'static str],
    java_type: &'static str,
    pub value: String,
}

impl Constant {
    pub fn new(name: &'static str, about: &'static [&'static str], value: &dyn Literal) -> Self {
        let (java_type, value) = value.java();
        Self { name, about, java_type, value }
    }
}

/// A value that Java can write down.
pub(super) trait Literal {
    /// Its type there, and how it is written.
    fn java(&self) -> (&'static str, String);
}

/// What is unsigned here has the same bits there.
impl Literal for u32 {
    fn java(&self) -> (&'static str, String) {
        let is_word = *self > u32::from(u16::MAX);
        ("int", if is_word { format!("0x{:04X}_{:04X}", self >> 16, self & 0xFFFF) } else { self.to_string() })
    }
}

impl Literal for i32 {
    fn java(&self) -> (&'static str, String) {
        ("int", self.to_string())
    }
}

/// Operations: small, and as wide as an entry only where they are shifted.
impl Literal for u64 {
    fn java(&self) -> (&'static str, String) {
        ("int", self.to_string())
    }
}

impl Literal for i64 {
    fn java(&self) -> (&'static str, String) {
        ("long", format!("{self}L"))
    }
}

impl Literal for &str {
    fn java(&self) -> (&'static str, String) {
        ("String", format!("{self:?}"))
    }
}

/// The file `JraceLayout.java`.
#[must_use]
pub fn source() -> String {
    let mut out = String::from(
        "package java.lang;\n\n\
         /**\n * What the helper classes share with the agent. Made from {@code facts::layout}: change that, and run\n \
         * {@code UPDATE_EXPECT=1 cargo test -p facts layout}.\n */\n\
         final class JraceLayout {\n    private JraceLayout() {}\n",
    );
    for group in super::groups() {
        group.write(&mut out);
    }
    out + "}\n"
}

impl Group {
    fn write(&self, out: &mut String) {
        javadoc(out, "    ", self.about);
        _ = writeln!(out, "    static final class {} {{\n        private {}() {{}}", self.class, self.class);
        for Constant { name, about, java_type, value } in &self.constants {
            javadoc(out, "        ", about);
            _ = writeln!(out, "        static final {java_type} {name} = {value};");
        }
        *out += "    }\n";
    }
}

fn javadoc(out: &mut String, indent: &str, about: &[&str]) {
    let lines: Vec<String> = about.iter().map(|line| code(line.trim())).collect();
    match lines.as_slice() {
        [line] => _ = writeln!(out, "\n{indent}/** {line} */"),
        lines => {
            _ = writeln!(out, "\n{indent}/**");
            for line in lines {
                _ = writeln!(out, "{}", format!("{indent} * {line}").trim_end());
            }
            _ = writeln!(out, "{indent} */");
        }
    }
}

/// What stands in backticks is code.
fn code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    parts.map(|(i, part)| if i % 2 == 1 { format!("{{@code {part}}}") } else { part.to_owned() }).collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compares a file")]
mod tests {
    use std::path::Path;

    /// Both sides know the same numbers: the Java side is what this makes.
    #[test]
    fn the_layout_in_java_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime-agent/java/java/lang/JraceLayout.java");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, super::source()).expect("the helper classes' sources");
        }
        let checked_in = std::fs::read_to_string(path).expect("checked in");
        assert!(
            checked_in == super::source(),
            "UPDATE_EXPECT=1 cargo test -p facts layout, then runtime-agent/java/compile.sh"
        );
    }
}
