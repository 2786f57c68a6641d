//! The command `jrace`: the only crate that formats for people.
//!
//! `commands` has one module a command, `report` turns findings files into what a person or a program reads, `comparison`
//! does so with measured runs, `evidence` joins what runs have shown with what analyses say. What a command has found is a
//! `document`, which `formats` write. `settings` merges the sources of options, and `exit` decides the exit code. Everything
//! else is done by the crates it links.
//!
//! Streams: what the user asked for (`jrace report`, `jrace help`, the list of demos) goes to standard output. `jrace run`
//! and `jrace demo` leave standard output to the command they run, byte for byte, and print their report on standard error
//! after it. Errors are one sentence on standard error, exit code 2.

#![expect(clippy::disallowed_methods, reason = "the command reads and writes files for its user")]

mod abandoned;
mod agent;
mod analysis;
mod args;
mod commands;
mod comparison;
mod discovered;
mod document;
mod entries;
mod evidence;
mod exit;
mod formats;
mod html;
mod java;
mod learnt;
mod machine;
mod measure;
mod models;
mod output;
mod paint;
mod proofs;
mod races;
mod report;
mod roll;
mod schema;
mod settings;
mod sidecar;
mod signals;
mod stages;
mod statements;
mod usage;
mod wrap;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = match args::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let ended = commands::dispatch(arguments).and_then(|code| output::all_written().map(|()| code));
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output::complain(&error);
            ExitCode::from(exit::FAILURE)
        }
    }
}

/// Says what is wrong with the command line, or shows the help that it asks for.
fn refuse(error: &clap::Error) -> ExitCode {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match usage::sentence(error, &words) {
        Some(sentence) => output::say(&sentence),
        None => error.exit(),
    }
    ExitCode::from(exit::FAILURE)
}
