//! Where the agent `libjrace.so` is.

use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::output::create_private;

const NAME: &str = "libjrace.so";

/// The agent, in a command that has it in it.
#[cfg(feature = "agent")]
const BUILT_IN: Option<&[u8]> = Some(include_bytes!(env!("JRACE_BUILT_AGENT")));
#[cfg(not(feature = "agent"))]
const BUILT_IN: Option<&[u8]> = None;

/// Bytes of the header of a library.
const HEADER: usize = 64;

/// The agent's absolute path: the one that was named (`--agent`, `JRACE_AGENT`), or else next to the executable, in `../lib` or
/// `../lib/jrace`, or in the sibling `release` and `debug` folders of a build. If it is in the executable, it is unpacked.
///
/// # Errors
/// No such file, or it cannot be unpacked.
pub fn locate(named: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = named {
        if !path.is_file() {
            bail!("there is no agent at `{}`: name the file {NAME} with --agent or JRACE_AGENT", path.display());
        }
        return usable(path);
    }
    let executable = std::env::current_exe().context("the executable's own path cannot be found; use --agent")?;
    let folder = executable.parent().unwrap_or(Path::new("/"));
    match (candidates(folder).into_iter().find(|path| path.is_file()), BUILT_IN) {
        (Some(path), _) => usable(&path),
        (None, Some(agent)) => usable(&unpacked(agent)?),
        (None, None) => bail!(
            "{NAME} is neither next to `{}` nor in `../lib`: build it with `cargo build --release`, install jrace with `cargo install --path \
             cli --features agent`, or name it with --agent or JRACE_AGENT",
            executable.display()
        ),
    }
}

/// The agent as a file in the user's cache, as JVMs want one; JVMs that have loaded another one there keep it.
fn unpacked(agent: &[u8]) -> Result<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    let folder = cache.unwrap_or_else(std::env::temp_dir).join("jrace").join(env!("CARGO_PKG_VERSION"));
    let path = folder.join(NAME);
    unpack(agent, &folder, &path).with_context(|| {
        format!("the agent cannot be unpacked to `{}`: set XDG_CACHE_HOME to a folder that can be written, or name the agent with --agent", path.display())
    })?;
    Ok(path)
}

fn unpack(agent: &[u8], folder: &Path, path: &Path) -> Result<()> {
    if fs::read(path).is_ok_and(|there| there == agent) {
        return Ok(());
    }
    create_private(folder)?;
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o755)).tempfile_in(folder)?;
    file.write_all(agent)?;
    file.persist(path)?;
    Ok(())
}

fn candidates(folder: &Path) -> Vec<PathBuf> {
    ["", "../lib", "../lib/jrace", "../release", "../debug"].map(|place| folder.join(place).join(NAME)).to_vec()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_unpacked_once_and_again_when_it_is_another() {
        let directory = tempfile::tempdir().unwrap();
        let (folder, path) = (directory.path().join("a/b"), directory.path().join("a/b").join(NAME));
        let written = |agent: &[u8]| {
            unpack(agent, &folder, &path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), agent);
            fs::metadata(&path).unwrap().modified().unwrap()
        };
        let first = written(b"one");
        assert_eq!(written(b"one"), first);
        assert_ne!(written(b"two"), first);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}
