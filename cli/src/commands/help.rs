//! `jrace help [COMMAND]` and `jrace help options`.

use anyhow::{Result, bail};
use clap::CommandFactory;
use facts::options::{OPTIONS, OptionRow};

use crate::args::{Arguments, Help};
use crate::output::out;

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
        Some("options") => out(&option_table()),
        Some(topic) => match command.find_subcommand_mut(topic) {
            Some(command) => out(&command.render_long_help().to_string()),
            None => bail!("there is no help on `{topic}`: name a command or `options`"),
        },
    }
    Ok(0)
}

fn option_table() -> String {
    let mut text = String::from(
        "Options, with their defaults. They can be set in `jrace.toml` (name = value; lists as arrays), in the variable\n\
         JRACE_OPTIONS (name=value,name=value; `\\,` for a comma), with flags of `jrace run` and with `--option name=value`;\n\
         later ones win in this order. Relative paths start at the working directory.\n\n",
    );
    let name_width = OPTIONS.iter().map(|row| row.name.len()).max().unwrap_or_default();
    let default_width = OPTIONS.iter().map(|row| row.default.len()).max().unwrap_or_default();
    for row in OPTIONS {
        text.push_str(&table_row(row, name_width, default_width));
    }
    text
}

fn table_row(row: &OptionRow, name_width: usize, default_width: usize) -> String {
    let margin = name_width + default_width + 6;
    let mut lines = vec![String::new()];
    for word in row.meaning.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if margin + line.len() + 1 + word.len() <= WIDTH => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let (name, default) = if index == 0 { (row.name, row.default) } else { ("", "") };
        text += &format!("  {name:name_width$}  {default:default_width$}  {line}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_every_option() {
        let table = option_table();
        for row in OPTIONS {
            assert!(table.contains(&format!("\n  {}", row.name)), "{}", row.name);
        }
        assert!(table.lines().all(|line| line.len() <= WIDTH + 10), "{table}");
    }
}
