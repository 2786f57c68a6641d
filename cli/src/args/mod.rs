//! The command line.

mod analysis;
mod report;
mod run;
mod tools;

use clap::{Parser, Subcommand};

pub use analysis::*;
pub use report::*;
pub use run::*;
pub use tools::*;

/// Finds data races in running Java programs.
///
/// Put `jrace run --` in front of the command that starts your program or its tests.
#[derive(Parser, Debug)]
#[command(name = "jrace", version = env!("JRACE_VERSION"), disable_help_subcommand = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    Run(Run),
    Discover(Discover),
    Report(Report),
    Baseline(Baseline),
    Replay(Replay),
    Check(Check),
    Explain(Explain),
    Races(Races),
    Summarize(Summarize),
    Demo(Demo),
    Compare(Compare),
    Instrument(Instrument),
    Doctor(Doctor),
    Schema(Schema),
    Completions(Completions),
    Man(Man),
    Help(Help),
    #[command(hide = true)]
    Prove(Prove),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use facts::options::OptionRow;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    /// Flags that set an option say the default that the table has.
    #[test]
    fn defaults_of_flags_are_those_of_the_table() {
        let command = Arguments::command();
        let run = command.find_subcommand("run").unwrap();
        let said: Vec<_> = run
            .get_arguments()
            .filter_map(|argument| {
                let row = OptionRow::of(argument.get_id().as_str())?;
                let help = argument.get_help()?.to_string();
                let default = help.split_once("[default: ")?.1.trim_end_matches(']').to_owned();
                Some((row.name, default, row.default))
            })
            .collect();
        assert!(said.len() > 4 && said.iter().all(|(_, said, default)| said == default), "{said:?}");
    }
}
