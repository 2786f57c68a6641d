//! Colours of the terminal and links to files, or neither.

use std::path::{Path, absolute};

use anstyle::{AnsiColor, Reset, Style};

use crate::report::words::{printable, uri};
use crate::wrap::{NARROWEST, clipped};

const ALARM: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const ADVICE: Style = AnsiColor::Cyan.on_default();

/// Each comes before those with which it begins.
const STYLES: [Style; 5] = [ALARM, WARNING, STRONG, FAINT, ADVICE];

/// How a link begins and ends, with the address in between (OSC 8); one without an address ends the link.
const LINK: &str = "\u{1b}]8;;";
const LINK_END: &str = "\u{1b}\\";

/// What stands before a source line: its number and a bar.
const MARGIN: usize = 7;

/// Colours, or none.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
    links: bool,
    columns: Option<usize>,
}

impl Paint {
    /// Colours when `on`.
    pub fn new(on: bool) -> Self {
        Self { on, links: false, columns: None }
    }

    /// The same with links to files, or without.
    #[must_use]
    pub fn with_links(self, links: bool) -> Self {
        Self { links, ..self }
    }

    /// The same for a terminal of so many columns.
    #[must_use]
    pub fn with_columns(self, columns: Option<usize>) -> Self {
        Self { columns, ..self }
    }

    fn with(self, style: Style, text: &str) -> String {
        if self.on { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A line as it is shown: nothing but these colours and links drives the terminal.
    pub fn line(self, text: &str) -> String {
        let (mut shown, mut rest) = (String::new(), text);
        while let Some(at) = rest.find('\u{1b}').filter(|_| self.on || self.links) {
            let kept = self.code(&rest[at..]);
            shown += &printable(&rest[..at]);
            // Any other one is written out.
            shown += kept.unwrap_or("\\u{1b}");
            rest = &rest[at + kept.map_or(1, str::len)..];
        }
        shown + &printable(rest)
    }

    /// The colour or the link with which a text begins.
    fn code(self, text: &str) -> Option<&str> {
        let colour = |style: &Style| text.strip_prefix(&*style.render().to_string());
        let end = || text.strip_prefix(&*Reset.render().to_string());
        let link = || {
            let (address, rest) = text.strip_prefix(LINK)?.split_once(LINK_END)?;
            let path = address.strip_prefix("file://").or(address.is_empty().then_some(""))?.replace('%', "");
            (uri(&path) == path).then_some(rest)
        };
        let coloured = if self.on { STYLES.iter().find_map(colour).or_else(end) } else { None };
        let rest = coloured.or_else(|| if self.links { link() } else { None })?;
        Some(&text[..text.len() - rest.len()])
    }

    /// A file's name, which leads to it.
    pub fn link(self, path: &Path, shown: &str) -> String {
        match absolute(path) {
            Ok(path) if self.links => {
                let address = uri(&path.to_string_lossy());
                format!("{LINK}file://{address}{LINK_END}{shown}{LINK}{LINK_END}")
            }
            _ => shown.to_owned(),
        }
    }

    /// What is wrong.
    pub fn alarm(self, text: &str) -> String {
        self.with(ALARM, text)
    }

    /// What may be wrong.
    pub fn warning(self, text: &str) -> String {
        self.with(WARNING, text)
    }

    /// What to look at first.
    pub fn strong(self, text: &str) -> String {
        self.with(STRONG, text)
    }

    /// What can be skipped.
    pub fn faint(self, text: &str) -> String {
        self.with(FAINT, text)
    }

    /// What to do.
    pub fn advice(self, text: &str) -> String {
        self.with(ADVICE, text)
    }

    /// A source line below its path, with a mark below the word that it is shown for; so far in, it is cut where the terminal ends.
    pub fn excerpt(self, indent: usize, path: &str, text: &str, number: u32, word: Option<&str>) -> [String; 3] {
        let text = printable(text);
        let room = self.columns.map_or(usize::MAX, |columns| columns.saturating_sub(indent + MARGIN).max(NARROWEST));
        let (text, (start, width)) = clipped(&text, marked(&text, word), room);
        let marker = format!("{:start$}{}", "", "^".repeat(width));
        [
            self.faint(&format!("--> {path}")),
            format!("{}{text}", self.faint(&format!("{number:>4} | "))),
            format!("{}{}", self.faint(&format!("{:>4} | ", "")), self.alarm(&marker)),
        ]
    }
}

/// Column and width of what a line is shown for: the variable's name as a word, or the whole line.
fn marked(line: &str, word: Option<&str>) -> (usize, usize) {
    let width = |text: &str| text.chars().count();
    let found = word.and_then(|word| line.match_indices(word).map(|(at, _)| at).find(|at| is_word(line, *at, word)));
    match (found, word) {
        (Some(at), Some(word)) => (width(&line[..at]), width(word)),
        _ => (0, width(line).max(1)),
    }
}

fn is_word(line: &str, at: usize, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == '$';
    let before = line[..at].chars().next_back();
    let after = line[at + word.len()..].chars().next();
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_drive_the_terminal() {
        let line = Paint::new(true).alarm("a\u{1b}[2J\n\u{7}");
        assert_eq!(Paint::new(true).line(&line), "\u{1b}[1m\u{1b}[31ma\\u{1b}[2J\\n\\u{7}\u{1b}[0m");
        assert_eq!(Paint::new(false).line("a\u{1b}[1mb"), "a\\u{1b}[1mb");
        for style in STYLES {
            let painted = format!("{style}a{style:#}");
            assert_eq!(Paint::new(true).line(&painted), painted);
            assert!(!Paint::new(false).line(&painted).contains('\u{1b}'));
        }
    }

    #[test]
    fn only_files_are_linked() {
        let paint = Paint::new(false).with_links(true);
        let link = paint.link(Path::new("/src/a b/A.java"), "A.java");
        assert_eq!(link, "\u{1b}]8;;file:///src/a%20b/A.java\u{1b}\\A.java\u{1b}]8;;\u{1b}\\");
        assert_eq!(paint.line(&link), link);
        assert_eq!(Paint::new(true).link(Path::new("/A.java"), "A.java"), "A.java");
        for other in
            ["\u{1b}]8;;http://x\u{1b}\\", "\u{1b}]8;;file:///\u{7}x\u{1b}\\", "\u{1b}]8;;file:///x", "\u{1b}[1m"]
        {
            assert!(!paint.line(other).contains('\u{1b}'), "{other:?}");
        }
    }
}
