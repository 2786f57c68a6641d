//! What packages bring beside the command: `jrace completions SHELL` and `jrace man DIR`.

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::args::{Arguments, Completions, Man};
use crate::output::out;

/// Prints completions.
///
/// # Errors
/// None.
pub fn completions(args: &Completions) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "jrace", &mut script);
    out(&String::from_utf8_lossy(&script));
    Ok(0)
}

/// Writes the manual pages.
///
/// # Errors
/// A directory in which none can be written.
pub fn man(args: &Man) -> Result<u8> {
    let directory = &args.directory;
    let advice = || format!("cannot write manual pages to `{}`; name a directory of yours", directory.display());
    std::fs::create_dir_all(directory).with_context(advice)?;
    clap_mangen::generate_to(Arguments::command(), directory).with_context(advice)?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        man(&Man { directory: folder.path().join("man1") }).unwrap();
        let page = |name: &str| std::fs::read_to_string(folder.path().join("man1").join(name)).unwrap_or_default();
        assert!(page("jrace.1").contains("Finds data races in running Java programs"));
        for command in Arguments::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = command.get_name();
            assert!(page(&format!("jrace-{name}.1")).contains(&format!("jrace\\-{name}")), "{name}");
        }
    }

    #[test]
    fn the_version_names_the_commit() {
        let version = Arguments::command().render_version();
        let version = version.trim().strip_prefix("jrace ").unwrap();
        let (number, commit) = version.split_once(" (").map_or((version, None), |(number, of)| (number, Some(of)));
        assert_eq!(number, env!("CARGO_PKG_VERSION"));
        let is_commit = |of: &str| of.strip_suffix(')').is_some_and(|of| of.len() == 19 && of.is_ascii());
        assert!(commit.is_none_or(is_commit), "{version}");
    }
}
