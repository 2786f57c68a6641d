//! A race report as one page that needs nothing else: style and script are in it, and it asks for nothing.
//!
//! Everything is there without the script, which only filters. The two views are those of paper 000, section 2.3: by variable,
//! and by the objects that are accessed, where one imprecision of the analysis shows as one group.

use std::collections::BTreeMap;
use std::path::Path;

use static_typer::races::Confidence;

use super::api::Api;
use super::observation::Observation;
use super::report::{AccessView, Frame, RaceView, Report, StageCount, VariableRaces, confidence_name};
use crate::html::findings::{self, breakable, chip, choice, holding, list};
use crate::html::sources::Excerpts;
use crate::html::{classed, element, escape};
use crate::report::source::Sources;
use crate::report::words::count;

/// Makes the page.
pub struct Page<'a> {
    code: Excerpts<'a>,
}

impl<'a> Page<'a> {
    /// Paths below `directory` are shown as they are from there.
    pub fn new(sources: Sources, directory: &'a Path) -> Self {
        Self { code: Excerpts::new(sources, directory) }
    }

    /// The page.
    pub fn document(mut self, report: &Report) -> String {
        let n_above = report.above_and_below().0.len();
        let mut variables: Vec<String> =
            report.variables.iter().enumerate().map(|(index, variable)| self.variable(index, variable)).collect();
        if n_above < variables.len() {
            variables.insert(n_above, element("h2", "Probably not meant to be shared"));
        }
        let variables = variables.concat();
        let main = format!(
            "{}{}<section id=\"variables\" tabindex=\"-1\">\n<h2>By variable</h2>\n{variables}</section>\n{}{}",
            summary(report),
            filters(report),
            objects(report),
            notes(report),
        );
        findings::document("jrace races", ("variables", "Skip to the races"), &heading(report), &main)
    }

    fn variable(&mut self, index: usize, variable: &VariableRaces) -> String {
        let races: String =
            variable.races.iter().enumerate().map(|(n, race)| self.race((index, n), variable, race)).collect();
        let others = variable.pairs.saturating_sub(variable.races.len() as u64);
        let others = if others > 0 {
            classed("p", "quiet", &format!("{} like these.", count(others, "more pair")))
        } else {
            String::new()
        };
        let open = if index == 0 { " open" } else { "" };
        format!(
            "<details class=\"variable\" id=\"v{index}\" {}{open}>\n<summary>{}{}</summary>\n{}{races}{others}</details>\n",
            data(variable),
            classed("span", "name", &variable.subject()),
            badges(variable),
            element("p", &variable.ranked()),
        )
    }

    fn race(&mut self, (index, number): (usize, usize), variable: &VariableRaces, race: &RaceView) -> String {
        let sides: String = race.accesses.iter().map(|access| self.access(access, variable)).collect();
        let on = race.objects.first().map(|object| match race.objects.len() - 1 {
            0 => format!("On {}.", object.text),
            more => format!("On {} and {}.", object.text, count(more as u64, "other")),
        });
        let doubt = race.doubt().map(|doubt| format!(" Doubtful: {doubt}."));
        let words = format!("{}{}", on.unwrap_or_default(), doubt.unwrap_or_default());
        let title = format!("Race {} of {}, {}", number + 1, variable.races.len(), count(race.pairs, "pair"));
        format!(
            "<article id=\"v{index}r{number}\" tabindex=\"-1\">\n{}{}<div class=\"sides\">{sides}</div>\n</article>\n",
            element("h3", &title),
            element("p", &words),
        )
    }

    fn access(&mut self, access: &AccessView, variable: &VariableRaces) -> String {
        let frames: String =
            folded(&access.path).into_iter().map(|frames| self.frames(frames, access, variable)).collect();
        let (locks, alike) = (holding(&access.locks), self.alike(access, variable));
        format!(
            "<section class=\"side\">\n<h4>{}</h4>\n{locks}<ol class=\"path\">{frames}</ol>\n{alike}</section>\n",
            breakable(&access.headline()),
        )
    }

    fn alike(&mut self, access: &AccessView, variable: &VariableRaces) -> String {
        if access.alike.is_empty() {
            return String::new();
        }
        let items: String = access.alike.iter().map(|frame| self.frame(frame, false, variable)).collect();
        format!(
            "<details class=\"folded\"><summary>{}</summary><ul class=\"path\">{items}</ul></details>\n",
            access.others()
        )
    }

    /// Some frames of libraries that follow each other are one entry.
    fn frames(&mut self, frames: &[Frame], access: &AccessView, variable: &VariableRaces) -> String {
        let is_top = frames.first() == access.path.first();
        let items: String =
            frames.iter().enumerate().map(|(n, frame)| self.frame(frame, is_top && n == 0, variable)).collect();
        if frames.len() < 2 {
            return items;
        }
        format!(
            "<li class=\"folded\"><details><summary>{} frames of libraries</summary><ol>{items}</ol></details></li>\n",
            frames.len()
        )
    }

    fn frame(&mut self, frame: &Frame, is_top: bool, variable: &VariableRaces) -> String {
        let locks: String = frame.locks.iter().map(|lock| chip(lock)).collect();
        let locks = if locks.is_empty() { locks } else { format!("<div>holds {locks}</div>") };
        let class = if frame.library { " class=\"library\"" } else { "" };
        let position =
            if frame.class.is_empty() { String::new() } else { classed("span", "position", &frame.position()) };
        let excerpt = self.code.excerpt(&frame.place(), is_top, variable.word()).unwrap_or_default();
        format!("<li{class}>{} {position}{locks}{excerpt}</li>\n", breakable(&frame.method))
    }
}

/// What filters look at.
fn data(variable: &VariableRaces) -> String {
    let observed = variable.observed.map_or("", Observation::name);
    let confidence = confidence_name(variable.confidence());
    let package = escape(variable.package());
    format!("data-confidence=\"{confidence}\" data-observed=\"{observed}\" data-package=\"{package}\"")
}

fn badges(variable: &VariableRaces) -> String {
    let observed = match variable.observed {
        Some(Observation::Confirmed) => classed("span", "badge confirmed", "confirmed at run time"),
        Some(Observation::Possible) => classed("span", "badge doubtful", "possible at run time"),
        Some(Observation::Exercised) => classed("span", "badge", "exercised without racing"),
        _ => String::new(),
    };
    let doubtful = variable.confidence() == Confidence::MaybeSameLock;
    let doubtful = if doubtful { classed("span", "badge doubtful", "maybe the same lock") } else { String::new() };
    let pairs = classed("span", "badge", &count(variable.pairs, "pair"));
    format!(" {observed} {doubtful} {pairs}")
}

/// Frames, those of libraries in a row together; the first stands alone, as it is the access.
fn folded(path: &[Frame]) -> Vec<&[Frame]> {
    let Some((_, rest)) = path.split_first() else { return Vec::new() };
    let runs = rest.chunk_by(|a, b| a.library && b.library);
    std::iter::once(&path[..1]).chain(runs).collect()
}

fn heading(report: &Report) -> String {
    let Report { entries, jrace, .. } = report;
    let how =
        format!("Every call and every object was followed by jrace {jrace}; nothing was run. Entries: {entries}.");
    format!("{}{}", element("h1", &format!("Races in {}", report.application.join(", "))), classed("p", "quiet", &how))
}

fn summary(report: &Report) -> String {
    let kinds = if report.threads == 1 { "kind of thread" } else { "kinds of threads" };
    let mut facts = vec![
        (report.variables.len(), "variables may race"),
        (report.n_sure(), "without any common lock"),
        (report.proved.len(), "proved race-free by types"),
        (report.threads, kinds),
    ];
    if let Some(observed) = &report.observed {
        facts.push((observed.confirmed, "confirmed at run time"));
        facts.push((observed.possible, "possible at run time"));
        facts.push((observed.exercised, "exercised without racing"));
        facts.push((observed.missed.len(), "seen at run time only"));
    }
    format!("<section id=\"summary\">\n<h2>Summary</h2>\n{}{}</section>\n", findings::facts(&facts), funnel(report))
}

/// A bar for each stage, as long as the logarithm of the pairs that it leaves.
fn funnel(report: &Report) -> String {
    const WIDTH: f64 = 420.0;
    const LEFT: f64 = 76.0;
    const LINE: f64 = 26.0;
    let most = report.stages.iter().map(|stage| stage.pairs).max().unwrap_or_default();
    let longest = (1.0 + most as f64).ln().max(1.0);
    let bar = |(index, stage): (usize, &StageCount)| {
        let (top, length) = (LINE * index as f64, (WIDTH - LEFT - 70.0) * (1.0 + stage.pairs as f64).ln() / longest);
        let baseline = top + LINE / 2.0 + 4.0;
        format!(
            "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" rx=\"2\"/>\
             <text x=\"{:.1}\" y=\"{baseline}\">{}</text>\n",
            LEFT - 8.0,
            stage.stage,
            top + 3.0,
            LINE - 6.0,
            LEFT + length + 6.0,
            stage.pairs
        )
    };
    let bars: String = report.stages.iter().enumerate().map(bar).collect();
    let height = LINE * report.stages.len() as f64;
    format!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Pairs of accesses that each stage leaves\">\n\
         {bars}</svg><figcaption>Pairs of accesses that each stage leaves, on a logarithmic scale</figcaption></figure>\n"
    )
}

fn filters(report: &Report) -> String {
    let confidences = [("no-common-lock", "no common lock"), ("maybe-same-lock", "maybe the same lock")];
    let confidences = confidences.map(|(value, text)| (value.to_owned(), text.to_owned()));
    let observations = Observation::ALL.map(Observation::name).map(|name| (name.to_owned(), name.replace('-', " ")));
    let packages = report.variables.iter().map(VariableRaces::package);
    let mut choices = vec![findings::packages(packages), choice("Confidence", "confidence", confidences)];
    if report.observed.is_some() {
        choices.push(choice("At run time", "observed", observations));
    }
    findings::filters("variables", &choices)
}

/// The other view: races by the objects on which they occur.
fn objects(report: &Report) -> String {
    let mut groups: BTreeMap<Vec<&str>, Vec<String>> = BTreeMap::new();
    for (index, variable) in report.variables.iter().enumerate() {
        for (number, race) in variable.races.iter().enumerate() {
            let objects = race.objects.iter().map(|object| object.text.as_str()).collect();
            let place = |access: &AccessView| access.path.first().map(Frame::position).unwrap_or_default();
            let places: Vec<String> = race.accesses.iter().map(place).collect();
            let link = format!("{}: {}", variable.variable, places.join(" and "));
            let link = format!("<li {}><a href=\"#v{index}r{number}\">{}</a></li>\n", data(variable), breakable(&link));
            groups.entry(objects).or_default().push(link);
        }
    }
    let groups: String = groups.iter().map(|(objects, links)| group(objects, links)).collect();
    format!(
        "<section id=\"objects\" tabindex=\"-1\">\n<h2>By object</h2>\n{}{groups}</section>\n",
        classed("p", "quiet", "Races on the same objects often have one cause, or are one mistake of the analysis.")
    )
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

fn notes(report: &Report) -> String {
    let missed = report.observed.iter().flat_map(|observed| &observed.missed).map(|missed| {
        let why = missed.excluded_by.as_deref().unwrap_or("nothing that is assumed excludes it");
        format!("{}: {why}", missed.variable)
    });
    let left_out = report.left_out.iter().map(|left_out| format!("{}, by {}", left_out.variable, left_out.by));
    let exercised = report.observed.is_some().then(|| {
        "A race counts as exercised if two threads of a run came to its variable in one object, through whichever code.".to_owned()
    });
    let assumptions = report.assumptions.iter().map(|text| format!("Not seen: {text}."));
    [
        list("seen", "Seen at run time only", &missed.collect::<Vec<_>>()),
        list("api", "The client", &report.api.iter().flat_map(Api::lines).collect::<Vec<_>>()),
        list("assumptions", "Assumptions", &assumptions.chain(exercised).collect::<Vec<_>>()),
        list("left-out", "Left out by annotations", &left_out.collect::<Vec<_>>()),
        list("unmatched", "Annotations that leave out nothing", &report.unmatched_annotations),
        list("proved", "Proved race-free by types", &report.proved),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::report;
    use super::*;

    fn page_of(report: &Report) -> String {
        let directory = tempfile::tempdir().unwrap();
        let account: String = (1..=30).map(|line| format!("line {line} <&>\n")).collect();
        std::fs::create_dir(directory.path().join("bank")).unwrap();
        std::fs::write(directory.path().join("bank/Account.java"), format!("package bank;\n{account}")).unwrap();
        Page::new(Sources::new(directory.path(), &[]), directory.path()).document(report)
    }

    #[test]
    fn names_and_sources_are_escaped_and_nothing_is_loaded() {
        let page = page_of(&report());
        assert!(page.contains("Races in bank&lt;1&gt;.jar") && page.contains("the &lt;main&gt; thread"), "{page}");
        assert!(page.contains("line 17 &lt;&amp;&gt;") && !page.contains("<&>") && !page.contains("<1>"), "{page}");
        for word in ["http:", "https:", "src=", "@import", "url(", "<link"] {
            assert!(!page.contains(word), "{word}");
        }
    }

    #[test]
    fn both_views_have_every_race() {
        let page = page_of(&report());
        assert_eq!(page.matches("<article ").count(), 3);
        assert_eq!(page.matches("<section class=\"side\">").count(), 6);
        assert_eq!(page.matches("<rect").count(), 3);
        for link in ["#v0r0", "#v1r0", "#v2r0"] {
            assert!(page.contains(&format!("<a href=\"{link}\"")) && page.contains(&format!("id=\"{}\"", &link[1..])));
        }
    }

    #[test]
    fn each_variable_has_its_rank_and_some_are_below_a_line() {
        let mut report = report();
        assert_eq!(page_of(&report).matches("<p>Rank 1: both write</p>").count(), 3);
        assert!(!page_of(&report).contains("Probably not meant"));
        report.variables[2].rank.is_below = true;
        let page = page_of(&report);
        let at = |text: &str| page.find(text).unwrap();
        assert!(at("id=\"v1\"") < at("Probably not meant") && at("Probably not meant") < at("id=\"v2\""), "{page}");
    }

    #[test]
    fn every_method_of_a_race_is_there() {
        let page = page_of(&report());
        assert_eq!(page.matches("1 other place like this").count(), 3);
        assert_eq!(page.matches("Bank.java:57").count(), 3, "{page}");
    }

    #[test]
    fn frames_of_libraries_are_folded_but_for_the_access() {
        let frames = |libraries: &[bool]| -> Vec<usize> {
            let path = &report().variables[0].races[0].accesses[0].path;
            let path: Vec<Frame> =
                libraries.iter().map(|library| Frame { library: *library, ..path[0].clone() }).collect();
            folded(&path).iter().map(|frames| frames.len()).collect()
        };
        assert_eq!(frames(&[true, true, true, false, false, true]), [1, 2, 1, 1, 1]);
        assert!(frames(&[]).is_empty());
    }
}
