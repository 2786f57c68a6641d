//! The options of this JVM, and what they name that has to be read before there is an agent.

use std::fmt::Display;

use facts::access::{ArrayGranularity, Granularity};
use facts::config;
use facts::models::Models;
use facts::options::{self, Atomicity, Check, Options};

/// The options, and what was given of them that is to be told: the file that `config` names comes first, then `JRACE_OPTIONS`, then the
/// agent's own string.
///
/// # Errors
/// They cannot be right: one sentence.
pub fn parse(text: &str) -> Result<(Options, Vec<String>), String> {
    let environment = std::env::var("JRACE_OPTIONS").unwrap_or_default();
    let mut named = Options::default();
    apply(&mut named, &environment, text)?;
    let (mut options, mut given) = (Options::default(), Vec::new());
    if let Some(path) = named.config {
        let bad = |error: &dyn Display| format!("{}: {error}", path.display());
        #[allow(clippy::disallowed_methods, reason = "the one file that is read before there is an agent")]
        let read = std::fs::read_to_string(&path);
        for (name, value) in config::of(&path, read).map_err(|error| bad(&error))? {
            options.set(&name, &value).map_err(|error| bad(&error))?;
            given.push((name, value));
        }
    }
    apply(&mut options, &environment, text)?;
    given.extend([environment.as_str(), text].into_iter().filter_map(|text| options::pairs(text).ok()).flatten());
    let options = if options.discover.is_some() { for_discovery(options)? } else { options };
    Ok((options, options::telling(&given)))
}

fn apply(options: &mut Options, environment: &str, text: &str) -> Result<(), String> {
    options.apply(environment).map_err(|error| format!("JRACE_OPTIONS: {error}"))?;
    options.apply(text).map_err(|error| error.to_string())
}

/// Discovery looks at fields and at nothing else.
fn for_discovery(options: Options) -> Result<Options, String> {
    if options.record.is_none() {
        return Err("option `discover` needs `record=DIR`, where the trace is written".to_owned());
    }
    Ok(Options {
        check: Check::None,
        granularity: Granularity::Field,
        arrays: ArrayGranularity::Off,
        record_redundant: true,
        atomicity: Atomicity::Off,
        deadlocks: false,
        ..options
    })
}

/// The models of the user's file.
///
/// # Errors
/// It cannot be read, or is no file of models: one sentence.
pub fn models(options: &Options) -> Result<Models, String> {
    let Some(path) = &options.models else { return Ok(Models::default()) };
    let bad = |error: &dyn Display| format!("models {}: {error}", path.display());
    #[allow(clippy::disallowed_methods, reason = "like the options, it is read before there is an agent")]
    let text = std::fs::read_to_string(path).map_err(|error| bad(&format!("it cannot be read: {error}")))?;
    Models::read(&text).map_err(|error| bad(&error))
}
