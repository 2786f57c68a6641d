//! The JDKs of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// One installed JDK.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jdk {
    /// Its home directory.
    pub home: PathBuf,
    /// Its feature release.
    pub feature: u32,
}

impl Jdk {
    /// Every JDK found: those in `JRACE_JDKS` (colon-separated homes), or else those below `/usr/lib/jvm`, one a release.
    ///
    /// # Panics
    /// There is none: the tests need one.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let homes: Vec<PathBuf> = match std::env::var("JRACE_JDKS") {
            Ok(list) => list.split(':').map(PathBuf::from).collect(),
            Err(_) => std::fs::read_dir("/usr/lib/jvm")
                .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
                .unwrap_or_default(),
        };
        let mut jdks: Vec<Self> = homes.iter().filter_map(|home| Self::at(home)).collect();
        jdks.sort_by(|a, b| (a.feature, &a.home).cmp(&(b.feature, &b.home)));
        jdks.dedup_by_key(|jdk| jdk.feature);
        assert!(!jdks.is_empty(), "no JDK of release 17 or later found: set JRACE_JDKS to the home of one");
        jdks
    }

    /// The oldest one: what it compiles, all can run.
    #[must_use]
    pub fn oldest() -> Self {
        Self::all().swap_remove(0)
    }

    fn at(home: &Path) -> Option<Self> {
        let output = Command::new(home.join("bin/javac")).arg("-version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let feature = text.trim().strip_prefix("javac ")?.split(['.', '-']).next()?.parse().ok()?;
        (feature >= 17).then(|| Self { home: home.to_owned(), feature })
    }

    /// A tool of the JDK: `java`, `javac`, `jar`.
    #[must_use]
    pub fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.home.join("bin").join(name));
        command.env_remove("JAVA_TOOL_OPTIONS").env("JAVA_HOME", &self.home);
        command
    }

    /// Compiles sources into a directory.
    ///
    /// # Errors
    /// What javac says.
    pub fn compile(&self, sources: &[PathBuf], out: &Path, options: &[&str]) -> Result<()> {
        let output = self
            .tool("javac")
            .args(["-g", "-nowarn"])
            .args(options)
            .arg("-d")
            .arg(out)
            .args(sources)
            .output()
            .context("javac cannot be started")?;
        ensure!(output.status.success(), "javac failed:\n{}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }
}

/// Every Java source below a directory, sorted.
///
/// # Errors
/// The directory cannot be read.
pub fn sources(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
