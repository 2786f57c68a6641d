//! Stacks on pages.

use facts::finding::Thread;
use facts::site::Place;

use crate::html::findings::breakable;
use crate::html::sources::Excerpts;
use crate::html::{classed, element};
use crate::report::frames::is_folded;
use crate::report::words;

/// A stack: source lines under each frame, frames of the JDK and of test runners folded. `word` is what is accessed.
pub fn stack(code: &mut Excerpts<'_>, stack: &[Place], word: Option<&str>) -> String {
    if stack.is_empty() {
        return classed("p", "quiet", "The stack was not kept.");
    }
    let (top, rest) = stack.split_at(1);
    let mut items = frame(code, &top[0], true, word);
    for frames in rest.chunk_by(|a, b| is_folded(a) && is_folded(b)) {
        items += &run(code, frames);
    }
    format!("<ol class=\"path\">{items}</ol>\n")
}

/// Where a thread was started, if that was seen.
pub fn started(code: &mut Excerpts<'_>, thread: &Thread) -> String {
    if thread.created.is_empty() {
        return String::new();
    }
    let summary = element("summary", &format!("Thread {} was started", thread.id));
    format!("<details class=\"source\">{summary}{}</details>\n", stack(code, &thread.created, None))
}

/// Frames that say little are one entry.
fn run(code: &mut Excerpts<'_>, frames: &[Place]) -> String {
    let items: String = frames.iter().map(|place| frame(code, place, false, None)).collect();
    if frames.len() < 2 {
        return items;
    }
    let summary = element("summary", &format!("{} frames of the JDK or a test runner", frames.len()));
    format!("<li class=\"folded\"><details>{summary}<ol>{items}</ol></details></li>\n")
}

fn frame(code: &mut Excerpts<'_>, place: &Place, is_top: bool, word: Option<&str>) -> String {
    let class = if is_folded(place) { " class=\"library\"" } else { "" };
    let position = classed("span", "position", &words::position(place));
    let excerpt = code.excerpt(place, is_top, word).unwrap_or_default();
    format!("<li{class}>{} {position}{excerpt}</li>\n", breakable(&words::function(place)))
}
