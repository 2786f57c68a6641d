//! One finding on a page: what is claimed, how it comes about, and what to do.

use super::anchors::Anchors;
use super::filters::marks;
use super::timeline;
use crate::document::finding::Finding;
use crate::document::page::Badge;
use crate::document::spot::Locator;
use crate::document::way::{Frame, Shape, Step, Way};
use crate::html::findings::{breakable, chip, holding, with_code};
use crate::html::sources::excerpt;
use crate::html::{classed, element, escape};
use crate::report::words::count;

/// How many steps of a way are shown that are enough by themselves.
pub const MAX_PLACES: usize = 12;

/// How many findings are open when the page is.
pub const MAX_OPEN: usize = 20;

/// How many findings are elements from the beginning.
pub const MAX_EAGER: usize = 100;

/// Writes findings with their sources.
pub struct Writer<'a, 'l> {
    /// Where their sources are.
    pub locator: &'a mut Locator<'l>,
    /// What frames that say little are of.
    pub libraries: &'static str,
    /// Where the findings are on the page.
    pub anchors: &'a Anchors,
    /// Whether the finding that is written comes late.
    is_late: bool,
    /// How many findings are open so far.
    n_open: usize,
    /// How many frames have had their source.
    pub n_sources: usize,
}

impl<'a, 'l> Writer<'a, 'l> {
    /// Nothing is written yet.
    pub fn new(locator: &'a mut Locator<'l>, libraries: &'static str, anchors: &'a Anchors) -> Self {
        Self { locator, libraries, anchors, is_late: false, n_open: 0, n_sources: 0 }
    }
}

impl Writer<'_, '_> {
    /// Findings that open. Those that come late are text, in which marks tell where each begins and what is in it: the script makes elements
    /// of them when there is time. Without scripts they are there from the beginning.
    pub fn findings(&mut self, findings: &[(usize, &Finding<'_>)]) -> String {
        let early = findings.partition_point(|(index, _)| *index < MAX_EAGER);
        let (early, late) = findings.split_at(early);
        let mut text: String = early.iter().map(|(index, finding)| self.finding(*index, finding)).collect();
        for chunk in late.chunks(MAX_EAGER) {
            let marked =
                |(index, finding): &(usize, &Finding<'_>)| format!("<!--finding-->{}", self.finding(*index, finding));
            text += &format!("<noscript class=\"late\">{}</noscript>\n", chunk.iter().map(marked).collect::<String>());
        }
        text
    }

    /// One finding. Those that come late are closed, and have the source of the first frame only.
    fn finding(&mut self, index: usize, finding: &Finding<'_>) -> String {
        let entry = &finding.entry;
        let badge = |(badge, text): &(Badge, String)| format!(" {}", classed("span", class_of(*badge), text));
        let badges: String = entry.badges.iter().map(badge).collect();
        self.is_late = index >= MAX_EAGER;
        let is_open = !entry.is_closed && !self.is_late && self.n_open < MAX_OPEN;
        self.n_open += usize::from(is_open);
        let (body, anchor) = (self.body(index, finding), escape(self.anchors.finding(index)));
        let mark = if self.is_late { "<!--body-->" } else { "" };
        format!(
            "<details class=\"variable\"{}{}>\n<summary id=\"{anchor}\"><span class=\"name\">{}</span>{badges} \
             <a class=\"link\" href=\"#{anchor}\" aria-label=\"Link to this finding\">#</a></summary>\n{mark}{body}</details>\n",
            marks(finding),
            if is_open { " open" } else { "" },
            breakable(&finding.subject),
        )
    }

    fn body(&mut self, index: usize, finding: &Finding<'_>) -> String {
        let is_plain = finding.claim.ends_with(&finding.subject);
        let claim = Some(&finding.claim).filter(|_| !is_plain);
        let sentence = |text: &String| element("p", &format!("{}.", text.trim_end_matches('.')));
        let intro: String = claim.into_iter().chain(&finding.remarks).map(sentence).collect();
        let ways = finding.ways.iter().enumerate();
        let ways: String = ways.map(|(number, way)| self.way(&self.anchors.way(index, number), way)).collect();
        let more = if finding.more_ways > 0 {
            classed("p", "quiet", &format!("{} like these.", count(finding.more_ways, "more pair")))
        } else {
            String::new()
        };
        let ending: String = finding.entry.ending.iter().map(sentence).collect();
        format!("{intro}{ways}{more}{ending}{}", advised(finding.hint.as_deref()))
    }

    fn way(&mut self, id: &str, way: &Way<'_>) -> String {
        if way.steps.is_empty() {
            return String::new();
        }
        let title = way.title.as_ref().map(|title| element("h3", title)).unwrap_or_default();
        let steps = match way.shape {
            Shape::Threads => self.sides(&way.steps),
            Shape::Places => {
                let more = way.steps.len().saturating_sub(MAX_PLACES) as u64;
                let more = if more > 0 {
                    element("p", &format!("{} like these.", count(more, "more place")))
                } else {
                    String::new()
                };
                self.sides(&way.steps[..way.steps.len().min(MAX_PLACES)]) + &more
            }
            Shape::Order => {
                let steps: String = way.steps.iter().map(|step| self.turn(step)).collect();
                format!("<ol class=\"steps\">\n{steps}</ol>\n")
            }
            Shape::Code => {
                let steps: String = way.steps.iter().map(|step| self.line(step)).collect();
                format!("<ol class=\"path\">{steps}</ol>\n")
            }
        };
        let kept: String = way.kept.iter().map(|lock| chip(lock)).collect();
        let kept = if kept.is_empty() { kept } else { format!("<p>Held all the time: {kept}</p>\n") };
        format!(
            "<article id=\"{}\" tabindex=\"-1\">\n{title}{}{kept}{}{steps}</article>\n",
            escape(id),
            about(way),
            timeline::of(way)
        )
    }

    fn sides(&mut self, steps: &[Step<'_>]) -> String {
        let sides: String = steps.iter().map(|step| self.side(step)).collect();
        format!("<div class=\"sides\">{sides}</div>\n")
    }

    /// A step in its turn: those of the finding's own thread on the left, those of others on the right.
    fn turn(&mut self, step: &Step<'_>) -> String {
        let class = if step.actor == 0 { "own" } else { "other" };
        format!("<li class=\"{class}\">{}</li>\n", self.side(step).trim_end())
    }

    /// A step in a line with its source.
    fn line(&mut self, step: &Step<'_>) -> String {
        let Some(frame) = step.path.first() else { return String::new() };
        let text = if step.title.is_empty() { frame.name() } else { format!("{}, in {}", step.title, frame.name()) };
        let position = frame.position().map(|position| classed("span", "position", &position)).unwrap_or_default();
        let source = self.source(frame, true, None);
        format!("<li>{} {position}{source}</li>\n", breakable(&text))
    }

    fn side(&mut self, step: &Step<'_>) -> String {
        let test = step.test.map(|test| format!("<p>Test {}</p>\n", breakable(test)));
        let within = step.within.as_ref().map(|name| format!("<p>In {}</p>\n", breakable(name)));
        let locks = match &step.locks {
            _ if !step.holds => String::new(),
            Some(locks) => holding(locks),
            None => element("p", "Locks held were not kept."),
        };
        let path = match &step.path[..] {
            [] => classed("p", "quiet", "The stack was not kept."),
            path => self.path(path, step.word.as_deref()),
        };
        let started = step.started.as_ref().filter(|(_, path)| !path.is_empty()).map(|(title, path)| {
            let (summary, path) = (element("summary", title), self.path(path, None));
            format!("<details class=\"source\">{summary}{path}</details>\n")
        });
        format!(
            "<section class=\"side\">\n<h4>{}</h4>\n{}{}{locks}{path}{}{}</section>\n",
            breakable(&step.title),
            test.unwrap_or_default(),
            within.unwrap_or_default(),
            self.alike(step),
            started.unwrap_or_default(),
        )
    }

    fn alike(&mut self, step: &Step<'_>) -> String {
        if step.alike.is_empty() {
            return String::new();
        }
        let items: String = step.alike.iter().map(|frame| self.frame(frame, false, None)).collect();
        let others = count(step.alike.len() as u64, "other place");
        format!(
            "<details class=\"folded\"><summary>{others} like this</summary><ul class=\"path\">{items}</ul></details>\n"
        )
    }

    /// Frames with their source lines; those that say little and follow each other are one entry, but for the first frame.
    fn path(&mut self, path: &[Frame<'_>], word: Option<&str>) -> String {
        let (top, rest) = path.split_at(1);
        let mut items: String = top.iter().map(|frame| self.frame(frame, true, word)).collect();
        for frames in rest.chunk_by(|a, b| a.library && b.library) {
            let shown: String = frames.iter().map(|frame| self.frame(frame, false, None)).collect();
            items += &match frames.len() {
                1 => shown,
                n => {
                    let summary = format!("<summary>{n} frames of {}</summary>", self.libraries);
                    format!("<li class=\"folded\"><details>{summary}<ol>{shown}</ol></details></li>\n")
                }
            };
        }
        format!("<ol class=\"path\">{items}</ol>\n")
    }

    fn source(&mut self, frame: &Frame<'_>, is_top: bool, word: Option<&str>) -> String {
        let is_wanted = is_top || !self.is_late;
        let source = is_wanted.then(|| excerpt(self.locator, &frame.place, is_top, word)).flatten();
        self.n_sources += usize::from(source.is_some());
        source.unwrap_or_default()
    }

    fn frame(&mut self, frame: &Frame<'_>, is_top: bool, word: Option<&str>) -> String {
        let locks: String = frame.locks.iter().map(|lock| chip(lock)).collect();
        let locks = if locks.is_empty() { locks } else { format!("<div>holds {locks}</div>") };
        let class = if frame.library { " class=\"library\"" } else { "" };
        let position = frame.position().map(|position| classed("span", "position", &position)).unwrap_or_default();
        let source = self.source(frame, is_top, word);
        format!("<li{class}>{} {position}{locks}{source}</li>\n", breakable(&frame.name()))
    }
}

fn class_of(badge: Badge) -> &'static str {
    match badge {
        Badge::Plain => "badge",
        Badge::Sure => "badge confirmed",
        Badge::Doubtful => "badge doubtful",
    }
}

/// On what threads meet, what makes that doubtful, and what a reader of the paths should know.
fn about(way: &Way<'_>) -> String {
    let on = way.objects.first().map(|(object, _)| match way.objects.len() - 1 + way.more_objects {
        0 => format!("On {object}."),
        more => format!("On {object} and {}.", count(more as u64, "other")),
    });
    let doubt = way.doubt.as_ref().map(|doubt| format!("Doubtful: {doubt}."));
    let caveat = way.caveat.map(|caveat| format!("Paths: {caveat}."));
    let words = on.into_iter().chain(doubt).chain(caveat).collect::<Vec<_>>().join(" ");
    if words.is_empty() { words } else { element("p", &words) }
}

/// Advice, if there is any.
fn advised(advice: Option<&str>) -> String {
    advice.map(|advice| format!("<p class=\"advice\">Hint: {}</p>\n", with_code(advice))).unwrap_or_default()
}
