//! Source lines on pages.

use std::path::Path;

use facts::site::Place;

use super::{classed, element, escape};
use crate::report::source::Sources;

/// How many lines are shown before and after that of a frame.
const AROUND: usize = 2;

/// Shows the source of frames.
pub struct Excerpts<'a> {
    sources: Sources,
    directory: &'a Path,
}

impl<'a> Excerpts<'a> {
    /// Paths below `directory` are shown as they are from there.
    pub fn new(sources: Sources, directory: &'a Path) -> Self {
        Self { sources, directory }
    }

    /// The sources, and the directory below which they are shown as they are from there.
    pub fn parts(&mut self) -> (&mut Sources, &'a Path) {
        (&mut self.sources, self.directory)
    }

    /// The lines around a place, if they are found; open at the first frame, which may be shown for a `word`.
    pub fn excerpt(&mut self, place: &Place, is_top: bool, word: Option<&str>) -> Option<String> {
        let excerpt = self.sources.excerpt(place, AROUND)?;
        let path = excerpt.path.strip_prefix(self.directory).unwrap_or(&excerpt.path).display().to_string();
        let number = usize::try_from(place.line?).ok()?;
        let lines = excerpt.lines.iter().zip(excerpt.first..).map(|(text, line)| {
            let text = format!("{line:>5}  {text}");
            if line == number { classed("mark", "line", &text) + "\n" } else { escape(&text) + "\n" }
        });
        let lines: String = lines.collect();
        let file = place.file.as_deref().unwrap_or_default();
        let label = escape(&format!("Source of {file}:{number}"));
        let code = format!("<pre tabindex=\"0\" aria-label=\"{label}\"><code>{lines}</code></pre>");
        let word = word.filter(|_| is_top).map(|word| format!(" where {word} is accessed")).unwrap_or_default();
        let summary = element("summary", &format!("{path}{word}"));
        let open = if is_top { " open" } else { "" };
        Some(format!("<details class=\"source\"{open}>{summary}{code}</details>"))
    }
}
