//! Jars from Maven Central, downloaded once.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::launch::SHORT;
use crate::root;

/// Lets a command that is or starts `mvn` end sooner, see [`SHORT`]. The JVMs of tests are as they are.
pub fn shorten(command: &mut Command) {
    command.env("MAVEN_OPTS", format!("{SHORT} -XX:+UseSerialGC")).env_remove("JAVA_TOOL_OPTIONS");
}

/// A directory with the dependencies of the `pom.xml` in a folder: `target/real/NAME`, where NAME is the folder's. `tests/real.sh` uses the
/// same.
///
/// They are downloaded when the directory is not there or the `pom.xml` has changed since.
///
/// # Errors
/// Maven is not installed, or cannot get a jar.
pub fn jars(folder: &Path) -> Result<PathBuf> {
    let name = folder.file_name().context("a folder without a name")?.display();
    let pom = folder.join("pom.xml");
    let real = root().join("target/real");
    std::fs::create_dir_all(&real)?;
    // Other threads and other programs of tests may want the same.
    let one_at_a_time = File::create(real.join(format!("{name}.lock")))?;
    one_at_a_time.lock()?;
    let directory = real.join(name.to_string());
    let copied = directory.join("pom.xml");
    let wanted = std::fs::read(&pom).with_context(|| pom.display().to_string())?;
    if std::fs::read(&copied).ok().as_ref() != Some(&wanted) {
        download(&pom, &directory)?;
        // Only now: a download that was cut short begins again.
        std::fs::write(copied, wanted)?;
    }
    Ok(directory)
}

fn download(pom: &Path, directory: &Path) -> Result<()> {
    if directory.exists() {
        std::fs::remove_dir_all(directory)?;
    }
    let mut command = Command::new("mvn");
    shorten(&mut command);
    let output = command
        .args(["-q", "-B", "-f"])
        .arg(pom)
        .arg("dependency:copy-dependencies")
        .arg(format!("-DoutputDirectory={}", directory.display()))
        .output()
        .context("`mvn` cannot be started: the real inputs come from Maven Central, so install Maven")?;
    ensure!(
        output.status.success(),
        "the jars of {} cannot be downloaded from Maven Central:\n{}{}",
        pom.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
