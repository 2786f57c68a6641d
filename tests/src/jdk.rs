//! The JDKs of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{compiler, root};

/// One installed JDK.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jdk {
    /// Its home directory.
    pub home: PathBuf,
    /// Its feature release.
    pub feature: u32,
}

impl Jdk {
    /// Every JDK found: those in `JRACE_JDKS` (colon-separated homes), or else those below `/usr/lib/jvm` and `target/jdks`
    /// (see `tests/jdk21.sh`), one a release. Some may be without a compiler.
    ///
    /// # Panics
    /// There is none: the tests need one.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let homes: Vec<PathBuf> = match std::env::var("JRACE_JDKS") {
            Ok(list) => list.split(':').map(PathBuf::from).collect(),
            Err(_) => [PathBuf::from("/usr/lib/jvm"), root().join("target/jdks")]
                .iter()
                .filter_map(|folder| std::fs::read_dir(folder).ok())
                .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
                .collect(),
        };
        let mut jdks: Vec<Self> = homes.iter().filter_map(|home| Self::at(home)).collect();
        jdks.sort_by_key(|jdk| (jdk.feature, !jdk.has("javac"), jdk.home.clone()));
        jdks.dedup_by_key(|jdk| jdk.feature);
        assert!(!jdks.is_empty(), "no JDK of release 17 or later found: set JRACE_JDKS to the home of one");
        jdks
    }

    /// The oldest one with a compiler: what it compiles, all can run.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn oldest() -> Self {
        Self::all().into_iter().find(|jdk| jdk.has("javac")).expect("a JDK with javac: set JRACE_JDKS to its home")
    }

    /// The oldest and the newest, for tests that take long. With `JRACE_SWEEP` all.
    #[must_use]
    pub fn oldest_and_newest() -> Vec<Self> {
        let all = Self::all();
        match &all[..] {
            [oldest, .., newest] if !is_sweep() => vec![oldest.clone(), newest.clone()],
            _ => all,
        }
    }

    /// The newest, for tests that take very long and of which the JDK decides little. With `JRACE_SWEEP` all.
    #[must_use]
    pub fn newest() -> Vec<Self> {
        let mut all = Self::all();
        if is_sweep() { all } else { all.split_off(all.len().saturating_sub(1)) }
    }

    fn at(home: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(home.join("release")).ok()?;
        let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
        let feature = version.split(['.', '"', '-']).next()?.parse().ok()?;
        let jdk = Self { home: home.to_owned(), feature };
        (feature >= 17 && jdk.has("java")).then_some(jdk)
    }

    /// Whether it has a tool: `java`, `javac`, `jar`.
    #[must_use]
    pub fn has(&self, tool: &str) -> bool {
        self.home.join("bin").join(tool).exists()
    }

    /// A tool of the JDK, or of the oldest one if this one has no tools.
    #[must_use]
    pub fn tool(&self, name: &str) -> Command {
        if !self.has(name) && self.has("java") && !self.has("javac") {
            return Self::oldest().tool(name);
        }
        let mut command = Command::new(self.home.join("bin").join(name));
        command.env_remove("JAVA_TOOL_OPTIONS").env("JAVA_HOME", &self.home);
        command
    }

    /// Copies `Vector` and `Hashtable` with their nested classes, which tests analyse like a library; returns where they are.
    ///
    /// # Errors
    /// The tool `jimage` fails.
    pub fn vector_and_hashtable(&self, folder: &Path) -> Result<PathBuf> {
        const CLASSES: &str = r"regex:/java.base/java/util/(Vector|Hashtable)(\$.*)?\.class";
        let mut command = self.tool("jimage");
        command.args(["extract", "--include", CLASSES, "--dir"]).arg(folder).arg(self.home.join("lib/modules"));
        let status = command.status().context("jimage cannot be started")?;
        ensure!(status.success(), "jimage failed: {status}");
        Ok(folder.join("java.base"))
    }

    /// Compiles sources into a directory.
    ///
    /// # Errors
    /// What javac says.
    pub fn compile(&self, sources: &[PathBuf], out: &Path, options: &[&str]) -> Result<()> {
        let text = |path: &Path| path.to_str().map(str::to_owned).with_context(|| format!("`{}`", path.display()));
        let before = ["-g", "-nowarn"].iter().chain(options).map(|option| (*option).to_owned());
        let mut arguments: Vec<String> = before.chain(["-d".to_owned(), text(out)?]).collect();
        for source in sources {
            arguments.push(text(source)?);
        }
        if self.has("javac") { compiler::run(self, &arguments) } else { compiler::run(&Self::oldest(), &arguments) }
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

/// Whether what takes too long for CI is asked for.
#[must_use]
pub fn is_sweep() -> bool {
    std::env::var_os("JRACE_SWEEP").is_some()
}
