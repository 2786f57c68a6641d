//! `jrace prove`: the focus set of what earlier runs have learnt, in a process that can be ended at any time. It ends by itself when
//! its standard input does: whoever has started it is gone.

use std::io::Read as _;

use anyhow::Result;

use crate::analysis::write_set;
use crate::args::Prove;
use crate::exit;
use crate::learnt::Learnt;

/// Proves what can be proved: first by types, then by a search if one is asked for.
///
/// # Errors
/// The classes cannot be read, or a set cannot be written.
pub fn prove(args: &Prove) -> Result<u8> {
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(exit::FAILURE.into());
    });
    let analysis = Learnt::of(&args.output, args.models.as_deref()).analysis(args.focus)?.within(args.memory);
    write_set(&analysis.typed_set(), &args.typed)?;
    let Some(searched) = &args.searched else { return Ok(0) };
    let set = analysis.focus_set();
    write_set(&set, searched)?;
    Ok(if set.basis.jdk.is_some() { 0 } else { exit::IN_VAIN })
}
