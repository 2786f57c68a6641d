//! Writes the random programs of `tests/tests/focus.rs` into a directory: `programs DIR FROM TO`.
#![allow(clippy::disallowed_methods, reason = "writes programs")]

use jrace_tests::generator;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, from, to] = &arguments[..] else { anyhow::bail!("usage: programs DIR FROM TO") };
    let folder = std::path::Path::new(folder);
    let mut main = String::from("public final class All { public static void main(String[] args) {\n");
    let write = |name: String, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, text)
    };
    write("support/Support.java".to_owned(), generator::SUPPORT)?;
    for seed in from.parse::<u64>()?..to.parse()? {
        write(format!("g{seed}/Main.java"), &generator::program(seed))?;
        main += &format!("g{seed}.Main.run();\n");
    }
    write("All.java".to_owned(), &(main + "}}\n"))?;
    Ok(())
}
