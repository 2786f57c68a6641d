//! Source lines on pages.

use askama::Template;
use facts::site::Place;

use crate::document::spot::Locator;

/// How many lines are shown before and after that of a frame.
const AROUND: usize = 2;

/// The lines around a place.
#[derive(Template)]
#[template(path = "excerpt.html")]
pub struct Excerpt {
    path: String,
    file: String,
    /// The line of the place.
    number: usize,
    /// What is accessed there, if that is known.
    word: Option<String>,
    is_open: bool,
    lines: Vec<(usize, String)>,
}

impl Excerpt {
    /// The lines, if they are found; open at the first frame, which may be shown for a `word`.
    pub fn of(locator: &mut Locator<'_>, place: &Place, is_top: bool, word: Option<&str>) -> Option<Self> {
        let excerpt = locator.sources.excerpt(place, AROUND)?;
        Some(Self {
            path: (locator.shown)(&excerpt.path),
            file: place.file.clone().unwrap_or_default(),
            number: usize::try_from(place.line?).ok()?,
            word: word.filter(|_| is_top).map(str::to_owned),
            is_open: is_top,
            lines: (excerpt.first..).zip(excerpt.lines).collect(),
        })
    }
}
