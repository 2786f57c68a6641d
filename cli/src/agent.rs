//! Where the agent `libjrace.so` is.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

const NAME: &str = "libjrace.so";

/// Bytes of the header of a library.
const HEADER: usize = 64;

/// The agent's absolute path: the one that was named (`--agent`, `JRACE_AGENT`), or else next to the executable, in `../lib`,
/// or in the sibling `release` and `debug` folders of a build.
///
/// # Errors
/// No such file.
pub fn locate(named: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = named {
        if !path.is_file() {
            bail!("there is no agent at `{}`: name the file {NAME} with --agent or JRACE_AGENT", path.display());
        }
        return usable(path);
    }
    let executable = std::env::current_exe().context("the executable's own path cannot be found; use --agent")?;
    let folder = executable.parent().unwrap_or(Path::new("/"));
    match candidates(folder).into_iter().find(|path| path.is_file()) {
        Some(path) => usable(&path),
        None => bail!(
            "{NAME} is neither next to `{}` nor in `../lib`: build it with `cargo build --release`, or name it with --agent \
             or JRACE_AGENT",
            executable.display()
        ),
    }
}

fn candidates(folder: &Path) -> Vec<PathBuf> {
    ["", "../lib", "../release", "../debug"].map(|place| folder.join(place).join(NAME)).to_vec()
}

/// HotSpot splits `-agentpath:PATH=OPTIONS` at the first `=`, and no JVM starts with a library that it cannot load.
fn usable(path: &Path) -> Result<PathBuf> {
    let advice = || {
        format!(
            "the agent `{}` cannot be used; build it again, or name another with --agent or JRACE_AGENT",
            path.display()
        )
    };
    let path = path.canonicalize().with_context(advice)?;
    library(&path).with_context(advice)?;
    if path.as_os_str().as_encoded_bytes().contains(&b'=') {
        bail!("the agent's path `{}` contains `=`, which the JVM cannot read: copy the file elsewhere", path.display());
    }
    Ok(path)
}

/// Whether a file is a library of this machine that is all there, by the header of its format (ELF, 64 bits).
fn library(path: &Path) -> Result<()> {
    let (file, ours) = (File::open(path)?, File::open("/proc/self/exe")?);
    let mut header = [0; HEADER];
    file.read_exact_at(&mut header, 0).context("it is too short for a library")?;
    ensure!(header.starts_with(b"\x7fELF"), "it is no library");
    let mut own = [0; HEADER];
    ours.read_exact_at(&mut own, 0)?;
    let machine = |header: &[u8; HEADER]| (header[4], header[5], header[16..20].to_owned());
    ensure!(machine(&header) == machine(&own), "it is no library for this machine");
    let number =
        |at: usize, length: usize| header[at..at + length].iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
    // The table of sections comes last.
    let end = number(0x28, 8).saturating_add(number(0x3a, 2) * number(0x3c, 2));
    ensure!(file.metadata()?.len() >= end, "it is cut short");
    Ok(())
}
