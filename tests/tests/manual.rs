//! The manual: chapters that are all listed, and links that lead somewhere.
#![allow(clippy::disallowed_methods, reason = "reads the checkout's own documents")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::root;

const DOCUMENTS: [&str; 5] = ["README.md", "ARCHITECTURE.md", "ACCURACY.md", "CONTRIBUTING.md", "BENCHMARKS.md"];

fn chapters() -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root().join("book/src"))?;
    Ok(entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?)
}

/// The targets of links in a text, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut is_code = false;
    let prose = text.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    let of_line = |line: &str| -> Vec<String> {
        let parts = line.split("](").skip(1);
        parts.filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
    };
    prose.flat_map(of_line).collect()
}

/// As hosts of code and mdBook make it of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

fn leads_somewhere(from: &Path, link: &str) -> Result<bool> {
    if link.contains("://") {
        return Ok(true);
    }
    let (file, section) = link.split_once('#').map_or((link, None), |(file, section)| (file, Some(section)));
    let target = if file.is_empty() { from.to_owned() } else { from.parent().context("a folder")?.join(file) };
    let Some(section) = section else { return Ok(target.exists()) };
    let text = std::fs::read_to_string(&target).unwrap_or_default();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    Ok(headings.any(|line| anchor(line.trim_start_matches('#')) == section))
}

#[test]
fn links_lead_somewhere() -> Result<()> {
    let documents = DOCUMENTS.iter().map(|name| root().join(name)).chain(chapters()?);
    let mut n = 0;
    for path in documents {
        for link in links(&std::fs::read_to_string(&path)?) {
            ensure!(leads_somewhere(&path, &link)?, "{}: {link}", path.display());
            n += 1;
        }
    }
    ensure!(n > 30, "only {n} links");
    let reading = root().join("book/src/reading.md");
    ensure!(!leads_somewhere(&reading, "#no-such-section")? && !leads_somewhere(&reading, "none.md")?);
    leads_somewhere(&reading, "#how-sure-a-race-is").map(|_| ())
}

#[test]
fn every_chapter_is_listed_and_the_readme_is_short() -> Result<()> {
    let readme = std::fs::read_to_string(root().join("README.md"))?;
    let summary = std::fs::read_to_string(root().join("book/src/SUMMARY.md"))?;
    let named = |text: &str, folder: &str| -> BTreeSet<String> {
        links(text).iter().filter_map(|link| link.strip_prefix(folder)).map(str::to_owned).collect()
    };
    let files: BTreeSet<String> = chapters()?
        .iter()
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .filter(|name| name != "SUMMARY.md")
        .collect();
    ensure!(named(&summary, "") == files, "{files:?}");
    ensure!(named(&readme, "book/src/") == files, "{files:?}");
    ensure!(readme.lines().count() <= 120, "{} lines", readme.lines().count());
    Ok(())
}
