//! Where the agent `libjrace.so` is.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

const NAME: &str = "libjrace.so";

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

/// HotSpot splits `-agentpath:PATH=OPTIONS` at the first `=`.
fn usable(path: &Path) -> Result<PathBuf> {
    let path = path.canonicalize().with_context(|| format!("cannot open the agent `{}`", path.display()))?;
    if path.as_os_str().as_encoded_bytes().contains(&b'=') {
        bail!("the agent's path `{}` contains `=`, which the JVM cannot read: copy the file elsewhere", path.display());
    }
    Ok(path)
}
