//! Source lines on pages.

use facts::site::Place;

use super::{classed, element, escape};
use crate::document::spot::Locator;

/// How many lines are shown before and after that of a frame.
const AROUND: usize = 2;

/// The lines around a place, if they are found; open at the first frame, which may be shown for a `word`.
pub fn excerpt(locator: &mut Locator<'_>, place: &Place, is_top: bool, word: Option<&str>) -> Option<String> {
    let excerpt = locator.sources.excerpt(place, AROUND)?;
    let path = (locator.shown)(&excerpt.path);
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
