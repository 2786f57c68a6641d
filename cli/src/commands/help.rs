//! `jrace help [COMMAND]` and `jrace help options`.

use anyhow::{Result, bail};
use clap::CommandFactory;
use facts::options::{OPTIONS, OptionRow};

use crate::args::{Arguments, Help};
use crate::output::{Stream, out};
use crate::wrap::wrapped;

/// Widest line of the table.
const WIDTH: usize = 110;

/// Prints help.
///
/// # Errors
/// No such topic.
pub fn help(args: &Help) -> Result<u8> {
    let mut command = Arguments::command();
    command.build();
    match args.topic.as_deref() {
        None => out(&command.render_long_help().to_string()),
        Some("options") => out(&wrapped(&option_table(), Stream::Out.columns().unwrap_or(WIDTH).min(WIDTH))),
        Some(topic) => match command.find_subcommand_mut(topic) {
            Some(command) => out(&command.render_long_help().to_string()),
            None => bail!("there is no help on `{topic}`: name a command or `options`"),
        },
    }
    Ok(0)
}

/// Each option in a line.
fn option_table() -> String {
    let mut text = String::from(
        "Options, with their defaults. They can be set in `jrace.toml` (name = value; lists as arrays), in the variable \
         JRACE_OPTIONS (name=value,name=value; `\\,` for a comma), with flags of `jrace run` and with `--option name=value`; \
         later ones win in this order. Relative paths start at the working directory.\n\n",
    );
    let width = |of: fn(&OptionRow) -> &str| OPTIONS.iter().map(|row| of(row).len()).max().unwrap_or_default();
    let (name_width, default_width) = (width(|row| row.name), width(|row| row.default));
    for row in OPTIONS {
        text += &format!("  {:name_width$}  {:default_width$}  {}\n", row.name, row.default, row.meaning);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the manual.
    fn manual_table() -> String {
        let cell = |text: &str| text.replace('|', "\\|");
        let default = |text: &str| if text.is_empty() { String::new() } else { format!("`{}`", cell(text)) };
        let rows = OPTIONS
            .iter()
            .map(|row| format!("| `{}` | {} | {} |\n", row.name, default(row.default), cell(row.meaning)));
        format!("| option | default | meaning |\n|---|---|---|\n{}", rows.collect::<String>())
    }

    /// With `UPDATE_EXPECT=1`, the chapter gets the table.
    #[test]
    fn the_manual_has_the_table() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/options.md");
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = text.split_once("<!-- made by cli/src/commands/help.rs -->\n").unwrap();
        let (_, after) = rest.split_once("<!-- end -->\n").unwrap();
        let made =
            format!("{before}<!-- made by cli/src/commands/help.rs -->\n\n{}\n<!-- end -->\n{after}", manual_table());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        assert!(
            text == made || std::env::var_os("UPDATE_EXPECT").is_some(),
            "UPDATE_EXPECT=1 cargo test -p cli the_manual_has makes it anew"
        );
    }

    /// Whether a command line is understood; it may lack what it is about.
    fn is_understood(words: &[&str]) -> bool {
        use clap::Parser as _;
        use clap::error::ErrorKind::{
            DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion, MissingRequiredArgument,
        };
        let allowed = [DisplayHelp, DisplayVersion, MissingRequiredArgument, DisplayHelpOnMissingArgumentOrSubcommand];
        Arguments::try_parse_from(words).map_or_else(|error| allowed.contains(&error.kind()), |_| true)
    }

    /// Every command in the running text of the manual is one that jrace understands.
    #[test]
    fn commands_of_the_manual_are_understood() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let chapters = std::fs::read_dir(root.join("book/src")).unwrap().map(|entry| entry.unwrap().path());
        let chapters = chapters.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        let (mut n, mut wrong) = (0, Vec::new());
        for path in chapters.chain([root.join("README.md")]) {
            let text = std::fs::read_to_string(&path).unwrap().replace('\n', " ");
            // Fences are code, too, but of many lines; what is between single marks is every second part.
            let codes = text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
            let is_notation = |code: &str| code.contains(['…', '[', '|']);
            for command in codes.filter(|code| code.starts_with("jrace ") && !is_notation(code)) {
                n += 1;
                let words: Vec<&str> = command.split_whitespace().collect();
                // An option may be named without its value.
                if !is_understood(&words) && !is_understood(&[&words[..], &["VALUE"]].concat()) {
                    wrong.push(format!("{}: {command}", path.display()));
                }
            }
        }
        assert!(wrong.is_empty() && n > 50, "{n} {wrong:#?}");
        assert!(!is_understood(&["jrace", "report", "--jsn"]) && !is_understood(&["jrace", "rapport"]));
    }

    #[test]
    fn the_table_names_every_option() {
        let table = wrapped(&option_table(), WIDTH);
        for row in OPTIONS {
            assert!(table.contains(&format!("\n  {}", row.name)), "{}", row.name);
        }
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
    }
}
