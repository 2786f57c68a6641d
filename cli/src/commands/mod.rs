//! One module a command. Each takes its arguments and returns the exit code.

pub mod archives;
pub mod attach;
pub mod baseline;
pub mod check;
pub mod compare;
pub mod daemons;
pub mod demo;
pub mod discover;
pub mod doctor;
pub mod foresight;
pub mod help;
pub mod instrument;
pub mod launch;
pub mod packaging;
pub mod prove;
pub mod proved;
pub mod races;
pub mod replay;
pub mod report;
pub mod run;
pub mod schema;
pub mod summarize;

use anyhow::Result;

use crate::args::{Arguments, Command};

/// Does what was asked.
///
/// # Errors
/// One sentence on what went wrong.
pub fn dispatch(arguments: Arguments) -> Result<u8> {
    match arguments.command {
        Command::Run(run) => run::run(&run),
        Command::Discover(discover) => discover::discover(&discover),
        Command::Report(report) => report::report(&report),
        Command::Baseline(baseline) => baseline::baseline(&baseline),
        Command::Replay(replay) => replay::replay(&replay),
        Command::Check(check) => check::check(&check),
        Command::Explain(explain) => check::explain(&explain),
        Command::Races(races) => races::races(&races),
        Command::Summarize(summarize) => summarize::summarize(&summarize),
        Command::Demo(demo) => demo::demo(&demo),
        Command::Compare(compare) => compare::compare(&compare),
        Command::Instrument(instrument) => instrument::instrument(&instrument),
        Command::Doctor(doctor) => doctor::doctor(&doctor),
        Command::Schema(schema) => schema::schema(&schema),
        Command::Completions(completions) => packaging::completions(&completions),
        Command::Man(man) => packaging::man(&man),
        Command::Help(help) => help::help(&help),
        Command::Prove(prove) => prove::prove(&prove),
    }
}
