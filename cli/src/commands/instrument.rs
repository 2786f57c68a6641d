//! `jrace instrument`: weaving a jar or a directory offline, to look at what the agent does to classes.
//!
//! The woven classes call the agent's helper class, so they run only under the agent, which weaves anyway: this is for
//! inspection.

use std::io::{self, Write};

use anyhow::{Result, anyhow, ensure};
use facts::access::Granularity;
use facts::hook::Events;
use facts::name::printable;
use facts::options::Options;
use facts::pattern::Pattern;
use facts::site::Site;
use indicatif::ProgressBar;
use instrumenter::{Outcome, Plan, archive, dump};

use crate::args::Instrument;

#[derive(Default)]
struct Counts {
    woven: usize,
    sites: usize,
    unwoven: Vec<String>,
    listing: String,
}

/// Weaves a jar or a directory.
///
/// # Errors
/// The input cannot be read or the output cannot be written, or the granularity is unknown.
pub fn instrument(args: &Instrument) -> Result<u8> {
    let granularity = granularity(args)?;
    ensure!(args.input.exists(), "there is no `{}`: name a jar or a directory of classes", args.input.display());
    let mut counts = Counts::default();
    let progress = ProgressBar::new_spinner().with_message("weaving");
    archive::instrument(&args.input, &args.output, &mut |bytes| {
        progress.tick();
        weave(args, granularity, bytes, &mut counts)
    })
    .map_err(|error| {
        let (input, output) = (args.input.display(), args.output.display());
        anyhow!(
            "cannot weave `{input}` to `{output}`; name a jar or classes, and with --output a place for a copy: {error}"
        )
    })?;
    progress.finish_and_clear();
    print(args, &counts)?;
    Ok(0)
}

fn granularity(args: &Instrument) -> Result<Granularity> {
    let mut options = Options::default();
    args.granularity.iter().try_for_each(|value| options.set("granularity", value))?;
    Ok(options.granularity)
}

/// `None` keeps the class as it is.
fn weave(args: &Instrument, granularity: Granularity, bytes: &[u8], counts: &mut Counts) -> Option<Vec<u8>> {
    let header = instrumenter::header(bytes).ok()?;
    let name = facts::name::dotted(&header.name);
    let matches = |patterns: &[String]| patterns.iter().any(|pattern| Pattern::whole(pattern).matches(&name));
    let checked = (args.include.is_empty() || matches(&args.include)) && !matches(&args.exclude);
    let plan = Plan {
        granularity,
        shadows: checked,
        may_shadow: &|class| !class.starts_with("java/"),
        focus: None,
        ..Plan::new(if checked { Events::ERASER } else { Events::LOCKS })
    };
    let mut sites: Vec<Site> = Vec::new();
    match instrumenter::weave(bytes, &plan, &mut sites) {
        Ok(Outcome::Unchanged) => None,
        Ok(Outcome::Woven(woven)) => {
            counts.woven += 1;
            counts.sites += sites.len();
            counts
                .unwoven
                .extend(woven.unwoven_methods.iter().map(|(method, reason)| format!("{name}.{method}: {reason}")));
            if args.dump
                && let Ok(listing) = dump::listing(&woven.bytes)
            {
                counts.listing.push_str(&listing.to_string());
            }
            Some(woven.bytes)
        }
        Err(error) => {
            counts.unwoven.push(format!("{name}: {error}"));
            None
        }
    }
}

fn print(args: &Instrument, counts: &Counts) -> Result<()> {
    let mut out = io::stdout().lock();
    for line in counts.listing.lines() {
        writeln!(out, "{}", printable(line))?;
    }
    for left in &counts.unwoven {
        writeln!(out, "left as it is: {}", printable(left))?;
    }
    let classes = if counts.woven == 1 { "class" } else { "classes" };
    writeln!(out, "{}: {} {classes} woven, {} sites", args.output.display(), counts.woven, counts.sites)?;
    Ok(())
}
