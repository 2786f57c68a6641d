//! Commands about jrace itself and its files.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Weave a jar offline, for inspection
#[derive(Args, Debug)]
pub struct Instrument {
    /// A jar, or a directory of classes
    #[arg(value_name = "JAR")]
    pub input: PathBuf,
    /// The woven jar or directory
    #[arg(short, long, value_name = "JAR")]
    pub output: PathBuf,
    /// Print what was woven
    #[arg(long)]
    pub dump: bool,
    /// Weave only classes whose dotted name matches; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// Do not weave accesses of classes whose dotted name matches; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// One shadow word for each field, or one for each object [default: field]
    #[arg(long, value_name = "field|object")]
    pub granularity: Option<String>,
}

/// Say whether JVMs can be checked on this machine, what stands in the way, and what to do
///
/// Starts a JVM with the agent that does nothing else, and looks at the JDK, the C library, other agents and where findings go.
///
/// Exit code: 0 if everything works, 2 if not.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Directory for findings, as for `jrace run` [default: .jrace]
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The agent, libjrace.so, when it is not found by itself
    #[arg(long, value_name = "PATH", env = "JRACE_AGENT")]
    pub agent: Option<PathBuf>,
}

/// Print completions for a shell
///
/// With them, the tab key completes commands, options and their values.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace completions bash > ~/.local/share/bash-completion/completions/jrace")]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Print the JSON schema of a document that jrace writes
///
/// Without NAME: which ones there are.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace schema report > report.schema.json")]
pub struct Schema {
    /// The document: report, check, explain, races, compare, discover, baseline
    pub name: Option<String>,
}

/// Write the manual pages
///
/// One page for jrace and one for each command.
#[derive(Args, Debug)]
#[command(after_help = "Example: jrace man ~/.local/share/man/man1; man jrace-run")]
pub struct Man {
    /// Directory for the pages; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Explain a command, or the option table (`jrace help options`)
#[derive(Args, Debug)]
pub struct Help {
    /// A command, or `options`
    pub topic: Option<String>,
}
