//! One finding on a page: what is claimed, how it comes about, and what to do.

use std::iter::once;

use askama::Template;

use super::anchors::Anchors;
use super::choices::{Mark, marks};
use super::excerpt::Excerpt;
use super::timeline::Timeline;
use crate::document::finding::Finding;
use crate::document::page::Badge;
use crate::document::spot::Locator;
use crate::document::way::{Frame, Shape, Step, Way};
use crate::html::filters;
use crate::report::words::count;

/// How many steps of a way are shown that are enough by themselves.
pub const MAX_PLACES: usize = 12;

/// How many findings are open when the page is.
pub const MAX_OPEN: usize = 20;

/// How many findings are elements from the beginning.
pub const MAX_EAGER: usize = 100;

/// A finding that opens.
#[derive(Template)]
#[template(path = "finding.html")]
pub struct Entry<'a> {
    finding: &'a Finding<'a>,
    anchor: String,
    marks: Vec<Mark<'a>>,
    /// Words beside the subject, with how they look.
    badges: Vec<(&'static str, &'a str)>,
    is_open: bool,
    /// Whether it is text in the page: a mark tells the script where that begins which is in it.
    is_late: bool,
    ways: Vec<Passage<'a>>,
    /// How many more there are.
    more: Option<String>,
}

impl Entry<'_> {
    /// The claim, if it says more than the subject, and what belongs to it.
    fn intro(&self) -> impl Iterator<Item = &String> {
        let finding = self.finding;
        let claim = once(&finding.claim).filter(|claim| !claim.ends_with(&finding.subject));
        claim.chain(&finding.remarks)
    }
}

/// A way in which it comes about.
#[derive(Template)]
#[template(path = "way.html")]
struct Passage<'a> {
    way: &'a Way<'a>,
    anchor: String,
    about: String,
    timeline: Option<Timeline<'a>>,
    steps: Steps<'a>,
}

enum Steps<'a> {
    /// Beside each other, and how many more there are.
    Beside(Vec<Side<'a>>, Option<String>),
    /// One after the other: those of the finding's own thread on the left, those of others on the right.
    InTurn(Vec<Side<'a>>),
    /// In a line each.
    Lines(Vec<Call<'a>>),
}

/// What a thread does, with the calls that lead there.
#[derive(Template)]
#[template(path = "side.html")]
struct Side<'a> {
    step: &'a Step<'a>,
    path: Option<Path<'a>>,
    alike: Vec<Call<'a>>,
    /// The thread, and the calls that led to its start.
    started: Option<(&'a str, Path<'a>)>,
}

impl Side<'_> {
    fn others(&self) -> String {
        count(self.alike.len() as u64, "other place")
    }
}

/// Calls. Those that say little and follow each other are one run, but for the first call.
#[derive(Template)]
#[template(path = "path.html")]
struct Path<'a> {
    runs: Vec<Vec<Call<'a>>>,
    /// What calls that say little are of.
    libraries: &'static str,
}

/// A call, or an access in a method, with its source lines.
#[derive(Template)]
#[template(path = "call.html")]
struct Call<'a> {
    text: String,
    position: Option<String>,
    locks: &'a [String],
    is_library: bool,
    excerpt: Option<Excerpt>,
}

/// Makes entries with their sources.
pub struct Entries<'s, 'l> {
    locator: &'s mut Locator<'l>,
    libraries: &'static str,
    anchors: &'s Anchors,
    /// Whether the finding that is made comes late.
    is_late: bool,
    /// How many findings are open so far.
    n_open: usize,
    /// How many frames have had their source.
    pub n_sources: usize,
}

impl<'s, 'l> Entries<'s, 'l> {
    /// Nothing is made yet.
    pub fn new(locator: &'s mut Locator<'l>, libraries: &'static str, anchors: &'s Anchors) -> Self {
        Self { locator, libraries, anchors, is_late: false, n_open: 0, n_sources: 0 }
    }
}

impl Entries<'_, '_> {
    /// Those of findings with their numbers.
    pub fn of<'a>(&mut self, findings: &[(usize, &'a Finding<'a>)]) -> Vec<Entry<'a>> {
        findings.iter().map(|(index, finding)| self.entry(*index, finding)).collect()
    }

    /// One finding. Those that come late are closed, and have the source of the first frame only.
    fn entry<'a>(&mut self, index: usize, finding: &'a Finding<'a>) -> Entry<'a> {
        self.is_late = index >= MAX_EAGER;
        let is_open = !finding.entry.is_closed && !self.is_late && self.n_open < MAX_OPEN;
        self.n_open += usize::from(is_open);
        let ways = finding.ways.iter().enumerate().filter(|(_, way)| !way.steps.is_empty());
        Entry {
            finding,
            anchor: self.anchors.finding(index).to_owned(),
            marks: marks(finding),
            badges: finding.entry.badges.iter().map(|(badge, text)| (class_of(*badge), text.as_str())).collect(),
            is_open,
            is_late: self.is_late,
            ways: ways.map(|(number, way)| self.way(self.anchors.way(index, number), way)).collect(),
            more: some(finding.more_ways, "more pair"),
        }
    }

    fn way<'a>(&mut self, anchor: String, way: &'a Way<'_>) -> Passage<'a> {
        let n_shown = if way.shape == Shape::Places { way.steps.len().min(MAX_PLACES) } else { way.steps.len() };
        let (shown, more) = way.steps.split_at(n_shown);
        let steps = match way.shape {
            Shape::Threads | Shape::Places => Steps::Beside(self.sides(shown), some(more.len() as u64, "more place")),
            Shape::Order => Steps::InTurn(self.sides(shown)),
            Shape::Code => Steps::Lines(shown.iter().filter_map(|step| self.line(step)).collect()),
        };
        Passage { way, anchor, about: about(way), timeline: Timeline::of(way), steps }
    }

    fn sides<'a>(&mut self, steps: &'a [Step<'_>]) -> Vec<Side<'a>> {
        steps.iter().map(|step| self.side(step)).collect()
    }

    fn side<'a>(&mut self, step: &'a Step<'_>) -> Side<'a> {
        let path = self.path(&step.path, step.word.as_deref());
        let alike = step.alike.iter().map(|frame| self.call(frame, false, None)).collect();
        let started = step.started.as_ref();
        let started = started.and_then(|(thread, path)| Some((thread.as_str(), self.path(path, None)?)));
        Side { step, path, alike, started }
    }

    /// Nothing without frames.
    fn path<'a>(&mut self, path: &'a [Frame<'_>], word: Option<&str>) -> Option<Path<'a>> {
        let (top, rest) = path.split_first()?;
        let mut runs = vec![vec![self.call(top, true, word)]];
        for run in rest.chunk_by(|a, b| a.library && b.library) {
            runs.push(run.iter().map(|frame| self.call(frame, false, None)).collect());
        }
        Some(Path { runs, libraries: self.libraries })
    }

    /// A step of code, which is what its title says, at its first frame.
    fn line<'a>(&mut self, step: &'a Step<'_>) -> Option<Call<'a>> {
        let call = self.call(step.path.first()?, true, None);
        let text = if step.title.is_empty() { call.text } else { format!("{}, in {}", step.title, call.text) };
        Some(Call { text, locks: &[], is_library: false, ..call })
    }

    fn call<'a>(&mut self, frame: &'a Frame<'_>, is_top: bool, word: Option<&str>) -> Call<'a> {
        let is_wanted = is_top || !self.is_late;
        let excerpt = is_wanted.then(|| Excerpt::of(self.locator, &frame.place, is_top, word)).flatten();
        self.n_sources += usize::from(excerpt.is_some());
        let (text, position) = (frame.name(), frame.position());
        Call { text, position, locks: frame.locks, is_library: frame.library, excerpt }
    }
}

fn class_of(badge: Badge) -> &'static str {
    match badge {
        Badge::Plain => "badge",
        Badge::Sure => "badge confirmed",
        Badge::Doubtful => "badge doubtful",
    }
}

/// Nothing of none.
fn some(number: u64, singular: &str) -> Option<String> {
    (number > 0).then(|| count(number, singular))
}

/// On what threads meet, what makes that doubtful, and what a reader of the paths should know.
fn about(way: &Way<'_>) -> String {
    let on = way.objects.first().map(|(object, _)| match way.objects.len() - 1 + way.more_objects {
        0 => format!("On {object}."),
        more => format!("On {object} and {}.", count(more as u64, "other")),
    });
    let doubt = way.doubt.as_ref().map(|doubt| format!("Doubtful: {doubt}."));
    let caveat = way.caveat.map(|caveat| format!("Paths: {caveat}."));
    on.into_iter().chain(doubt).chain(caveat).collect::<Vec<_>>().join(" ")
}
