//! Findings on one page that needs nothing else: style and script are in it, and it asks for nothing.
//!
//! Everything is there without the script, which only filters. Findings stand in the order of the document; where it is known on which
//! objects threads meet, a second view has them by object (paper 000, section 2.3), where one imprecision of the analysis shows as
//! one group.

mod plot;

use std::collections::BTreeMap;

use super::table;
use crate::document::Document;
use crate::document::finding::Finding;
use crate::document::page::{Badge, Page};
use crate::document::spot::Locator;
use crate::document::time;
use crate::document::way::{Frame, Shape, Step, Way};
use crate::html::findings::{self, breakable, chip, choice, holding, list};
use crate::html::sources::excerpt;
use crate::html::{classed, element, escape};
use crate::report::words::count;

/// How many steps of a way are shown that are enough by themselves.
const MAX_PLACES: usize = 12;

/// The page. Paths are shown as the locator shows them.
pub fn document(document: &Document<'_>, locator: &mut Locator<'_>) -> String {
    let page = &document.page;
    let main = format!(
        "{}{}{}{}",
        summary(page),
        document.tables.iter().map(table::html).collect::<String>(),
        found(document, locator) + &table::html(&time::table(&document.times)),
        page.lists.iter().map(|part| list(part.id, part.title, &part.entries)).collect::<String>(),
    );
    let heading = element("h1", &page.heading) + &classed("p", "quiet", &page.about);
    let first = document.tables.first().filter(|_| document.rules.is_empty());
    let skip = first.map_or(("findings", "Skip to the findings"), |table| (table.id, "Skip to the table"));
    findings::document(document.command, skip, &heading, &main, !document.rules.is_empty())
}

/// The findings, of a command that has some.
fn found(document: &Document<'_>, locator: &mut Locator<'_>) -> String {
    if document.rules.is_empty() {
        return String::new();
    }
    let page = &document.page;
    let counting: Vec<&Finding<'_>> = document.counting().collect();
    let parts = Writer { locator, libraries: page.libraries }.parts(page, &counting);
    filters(page, &counting) + &parts + &objects(&counting)
}

fn summary(page: &Page) -> String {
    if page.facts.is_empty() && page.plot.is_none() {
        return String::new();
    }
    let funnel = if page.stages.is_empty() { String::new() } else { funnel(&page.stages) };
    let facts = if page.facts.is_empty() { String::new() } else { findings::facts(&page.facts) };
    let plot = page.plot.as_ref().map(plot::svg).unwrap_or_default();
    format!("<section id=\"summary\">\n<h2>Summary</h2>\n{facts}{funnel}{plot}</section>\n")
}

/// A bar for each stage, as long as the logarithm of the pairs that it leaves.
fn funnel(stages: &[(&str, u64)]) -> String {
    const WIDTH: f64 = 420.0;
    const LEFT: f64 = 76.0;
    const LINE: f64 = 26.0;
    let most = stages.iter().map(|(_, pairs)| *pairs).max().unwrap_or_default();
    let longest = (1.0 + most as f64).ln().max(1.0);
    let bar = |(index, (stage, pairs)): (usize, &(&str, u64))| {
        let (top, length) = (LINE * index as f64, (WIDTH - LEFT - 70.0) * (1.0 + *pairs as f64).ln() / longest);
        let baseline = top + LINE / 2.0 + 4.0;
        format!(
            "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{stage}</text>\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" rx=\"2\"/>\
             <text x=\"{:.1}\" y=\"{baseline}\">{pairs}</text>\n",
            LEFT - 8.0,
            top + 3.0,
            LINE - 6.0,
            LEFT + length + 6.0,
        )
    };
    let bars: String = stages.iter().enumerate().map(bar).collect();
    let height = LINE * stages.len() as f64;
    format!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Pairs of accesses that each stage leaves\">\n\
         {bars}</svg><figcaption>Pairs of accesses that each stage leaves, on a logarithmic scale</figcaption></figure>\n"
    )
}

fn filters(page: &Page, findings: &[&Finding<'_>]) -> String {
    let packages = findings::packages(findings.iter().map(|finding| finding.entry.package.as_str()));
    let others = page.filters.iter().map(|filter| {
        let values = filter.values.iter().map(|(value, text)| (escape(value), text.clone()));
        choice(filter.label, filter.name, values)
    });
    findings::filters(page.of, &std::iter::once(packages).chain(others).collect::<Vec<_>>())
}

/// Where a finding is on the page, and a way of it.
fn anchor(index: usize, way: usize) -> String {
    format!("v{index}r{way}")
}

/// What filters look at.
fn marks(finding: &Finding<'_>) -> String {
    let package = ("package", finding.entry.package.as_str());
    let marks = std::iter::once(package).chain(finding.entry.marks.iter().copied());
    marks.map(|(name, value)| format!(" data-{name}=\"{}\"", escape(value))).collect()
}

/// Writes findings with their sources.
struct Writer<'a, 'l> {
    locator: &'a mut Locator<'l>,
    /// What frames that say little are of.
    libraries: &'static str,
}

impl Writer<'_, '_> {
    /// The first part is the section of the findings; the others are in it, below it.
    fn parts(&mut self, page: &Page, findings: &[&Finding<'_>]) -> String {
        let nothing = classed("p", "quiet", "Nothing is reported.");
        let mut text = if findings.is_empty() { nothing } else { String::new() };
        for (number, part) in page.parts.iter().enumerate() {
            let of_part = findings.iter().enumerate().filter(|(_, finding)| finding.entry.part == number);
            let entries: String = of_part.map(|(index, finding)| self.finding(index, finding)).collect();
            let (title, meaning) = (element("h2", part.title), part.meaning.map(|text| element("p", text)));
            if number == 0 {
                text = title + &entries + &text;
            } else if !entries.is_empty() {
                text += &format!("<section>\n{title}{}{entries}</section>\n", meaning.unwrap_or_default());
            }
        }
        format!("<section id=\"findings\" tabindex=\"-1\">\n{text}</section>\n")
    }

    /// One finding that opens.
    fn finding(&mut self, index: usize, finding: &Finding<'_>) -> String {
        let entry = &finding.entry;
        let badge = |(badge, text): &(Badge, String)| format!(" {}", classed("span", class_of(*badge), text));
        let badges: String = entry.badges.iter().map(badge).collect();
        let is_plain = finding.claim.ends_with(&finding.subject);
        let claim = Some(&finding.claim).filter(|_| !is_plain);
        let sentence = |text: &String| element("p", &format!("{}.", text.trim_end_matches('.')));
        let intro: String = claim.into_iter().chain(&finding.remarks).map(sentence).collect();
        let ways: String =
            finding.ways.iter().enumerate().map(|(number, way)| self.way(&anchor(index, number), way)).collect();
        let more = if finding.more_ways > 0 {
            classed("p", "quiet", &format!("{} like these.", count(finding.more_ways, "more pair")))
        } else {
            String::new()
        };
        let ending: String = entry.ending.iter().map(sentence).collect();
        format!(
            "<details class=\"variable\" id=\"v{index}\"{}{}>\n<summary><span class=\"name\">{}</span>{badges}</summary>\n\
             {intro}{ways}{more}{ending}{}</details>\n",
            marks(finding),
            if entry.is_closed { "" } else { " open" },
            breakable(&finding.subject),
            advised(finding.hint.as_deref()),
        )
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
        format!("<article id=\"{id}\" tabindex=\"-1\">\n{title}{}{kept}{steps}</article>\n", about(way))
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
        let source = excerpt(self.locator, &frame.place, true, None).unwrap_or_default();
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

    fn frame(&mut self, frame: &Frame<'_>, is_top: bool, word: Option<&str>) -> String {
        let locks: String = frame.locks.iter().map(|lock| chip(lock)).collect();
        let locks = if locks.is_empty() { locks } else { format!("<div>holds {locks}</div>") };
        let class = if frame.library { " class=\"library\"" } else { "" };
        let position = frame.position().map(|position| classed("span", "position", &position)).unwrap_or_default();
        let source = excerpt(self.locator, &frame.place, is_top, word).unwrap_or_default();
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

/// Text in which what stands between backquotes is code.
fn with_code(text: &str) -> String {
    let part = |(at, part)| if at % 2 == 1 { element("code", part).trim_end().to_owned() } else { escape(part) };
    text.split('`').enumerate().map(part).collect()
}

/// The other view: by the objects on which threads meet.
fn objects(findings: &[&Finding<'_>]) -> String {
    let mut groups: BTreeMap<Vec<&str>, Vec<String>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        for (number, way) in finding.ways.iter().enumerate() {
            let objects = way.objects.iter().map(|(text, _)| text.as_str()).collect();
            groups.entry(objects).or_default().push(link(finding, way, &anchor(index, number)));
        }
    }
    if groups.keys().all(Vec::is_empty) {
        return String::new();
    }
    let groups: String = groups.iter().map(|(objects, links)| group(objects, links)).collect();
    format!(
        "<section id=\"objects\" tabindex=\"-1\">\n<h2>By object</h2>\n{}{groups}</section>\n",
        classed("p", "quiet", "Races on the same objects often have one cause, or are one mistake of the analysis.")
    )
}

fn link(finding: &Finding<'_>, way: &Way<'_>, anchor: &str) -> String {
    let position = |step: &Step<'_>| step.path.first().and_then(Frame::position).unwrap_or_default();
    let places: Vec<String> = way.steps.iter().map(position).collect();
    let text = breakable(&format!("{}: {}", finding.subject, places.join(" and ")));
    format!("<li{}><a href=\"#{anchor}\">{text}</a></li>\n", marks(finding))
}

fn group(objects: &[&str], links: &[String]) -> String {
    let name = if objects.is_empty() { "static fields".to_owned() } else { objects.join("; ") };
    let number = classed("span", "badge", &count(links.len() as u64, "race"));
    format!(
        "<details class=\"group\">\n<summary>{} {number}</summary>\n<ul>{}</ul>\n</details>\n",
        classed("span", "name", &name),
        links.concat()
    )
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::document::fixtures::{self, finding};
    use crate::document::page::Part;
    use crate::report::fixtures::place;
    use crate::report::source::Sources;

    fn page_of(findings: Vec<Finding<'_>>) -> String {
        let parts = vec![Part { title: "Findings", meaning: None }];
        let page = Page { parts, libraries: "libraries", ..Page::default() };
        let document = Document { page, ..fixtures::document(findings) };
        super::document(&document, &mut Locator::new(Sources::default(), &|_| String::new()))
    }

    #[test]
    fn code_in_advice_is_code() {
        assert_eq!(with_code("`x++` <needs> `an`."), "<code>x++</code> &lt;needs&gt; <code>an</code>.");
    }

    #[test]
    fn frames_of_libraries_are_folded_but_for_the_access() {
        let here = place("a/B", "m", 1);
        let folded = |libraries: &[bool]| {
            let frame = |library: &bool| Frame { place: Cow::Borrowed(&here), locks: &[], library: *library };
            let step = Step { path: libraries.iter().map(frame).collect(), ..Step::default() };
            let ways = vec![Way { steps: vec![step], ..Way::new(Shape::Threads) }];
            let page = page_of(vec![Finding { ways, ..finding("a.B.x") }]);
            (page.matches("frames of libraries</summary>").count(), page.matches("a.<wbr>B.<wbr>m").count())
        };
        assert_eq!(folded(&[true, true, true, false, false, true]), (1, 6));
        assert_eq!(folded(&[true, false, true]), (0, 3));
        assert_eq!(folded(&[]), (0, 0));
    }

    #[test]
    fn places_that_are_many_are_counted() {
        let here = place("a/B", "m", 1);
        let path = || vec![Frame { place: Cow::Borrowed(&here), locks: &[], library: false }];
        let steps = (0..MAX_PLACES + 2).map(|_| Step { path: path(), ..Step::default() }).collect();
        let ways = vec![Way { steps, ..Way::new(Shape::Places) }];
        let page = page_of(vec![Finding { ways, ..finding("a.B.x") }]);
        assert_eq!(page.matches("<section class=\"side\">").count(), MAX_PLACES);
        assert!(page.contains("2 more places like these."), "{page}");
    }

    #[test]
    fn nothing_is_said_where_nothing_is_reported() {
        assert!(page_of(Vec::new()).contains("Nothing is reported."));
    }
}
