//! What reports for the terminal have in common: lines with colours, and what a thread does, with its locks, its calls and the line of
//! source that it is about.

use std::fmt::Write as _;
use std::path::Path;

use facts::site::Place;

use crate::document::way::{Frame, Step};
use crate::paint::Paint;
use crate::report::frames::{Part, folded, parts};
use crate::report::source::Sources;
use crate::report::words::printable;

/// A text that is written.
pub struct Text<F> {
    /// Its colours.
    pub paint: Paint,
    /// Where source lines are found.
    pub sources: Sources,
    /// How paths appear.
    pub shown: F,
    /// What is written so far.
    pub text: String,
}

impl<F: Fn(&Path) -> String> Text<F> {
    /// An empty text.
    pub fn new(paint: Paint, sources: Sources, shown: F) -> Self {
        Self { paint, sources, shown, text: String::new() }
    }

    /// A line. Nothing but colours drives the terminal.
    pub fn line(&mut self, indent: usize, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:indent$}{}", "", self.paint.line(text));
    }

    /// What a thread does, below a heading; with the source line of its first frame if it `has_source`. Of the other frames those are
    /// shown that are `wanted`.
    pub fn step(&mut self, heading: &str, step: &Step<'_>, has_source: bool, wanted: &dyn Fn(&Frame<'_>) -> bool) {
        self.line(2, heading);
        if let Some(test) = step.test {
            self.line(4, &printable(&format!("test: {test}")));
        }
        self.line(4, &printable(&format!("locks held: {}", step.locks_held())));
        if step.path.is_empty() {
            self.line(4, "stack not kept");
        }
        self.calls(4, &step.path, has_source.then_some(step.word.as_deref()), wanted);
    }

    /// Frames; below the first its source line, in which a word is marked, if it is to be there and is found.
    pub fn calls(
        &mut self,
        indent: usize,
        path: &[Frame<'_>],
        source: Option<Option<&str>>,
        wanted: &dyn Fn(&Frame<'_>) -> bool,
    ) {
        for (at, part) in parts(path, wanted).into_iter().enumerate() {
            match part {
                Part::Frame(frame) => {
                    self.line(indent, &format!("at {}", frame.text()));
                    source
                        .filter(|_| at == 0)
                        .into_iter()
                        .for_each(|word| self.excerpt(indent + 2, &frame.place, word));
                }
                Part::Folded(frames) => {
                    let folded = folded(frames.iter().map(|frame| frame.place.as_ref()));
                    self.line(indent, &self.paint.faint(&format!("... {folded}")));
                }
            }
        }
    }

    fn excerpt(&mut self, indent: usize, place: &Place, word: Option<&str>) {
        let Some(line) = self.sources.line(place) else { return };
        let path = self.paint.link(&line.path, &(self.shown)(&line.path));
        for text in self.paint.excerpt(indent, &path, &line.text, place.line.unwrap_or_default(), word) {
            self.line(indent, &text);
        }
    }
}
