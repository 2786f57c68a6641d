//! Where Java is.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// A tool of the JDK: that of `JAVA_HOME` where it has one, or else that of the `PATH`.
pub fn tool(name: &str) -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
    let tool = home.map(|home| Path::new(&home).join("bin").join(name)).filter(|tool| tool.is_file());
    tool.unwrap_or_else(|| name.into())
}

/// Whether `JAVA_HOME` can be what somebody meant: another JDK in its place would do something else without a word.
///
/// # Errors
/// It names no directory.
pub fn check_home() -> Result<()> {
    let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    match home.filter(|home| !home.is_dir()) {
        Some(home) => bail!("JAVA_HOME is `{}`, which is no directory: correct or unset it", home.display()),
        None => Ok(()),
    }
}

/// The version of a JDK: `17.0.9`.
pub fn version(home: &Path) -> Option<String> {
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(version.trim_matches('"').to_owned())
}

/// The home of the JDK that [`tool`] finds `java` of.
pub fn home() -> Option<PathBuf> {
    let java = tool("java");
    let on_path = || {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join("java")).find(|java| java.is_file())
    };
    let java = if java.is_absolute() { java } else { on_path()? };
    // `/usr/bin/java` is a link to a link.
    let java = java.canonicalize().ok()?;
    Some(java.parent()?.parent()?.to_owned())
}
