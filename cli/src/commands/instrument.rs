//! `jrace instrument`: weaving a jar offline.

use anyhow::{Result, bail};

use crate::args::Instrument;

/// Weaves a jar.
pub fn instrument(args: &Instrument) -> Result<u8> {
    bail!("weaving `{}` is not built yet", args.input.display())
}
