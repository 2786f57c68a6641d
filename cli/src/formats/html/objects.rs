//! The other view: by the objects on which threads meet (paper 000, section 2.3), where one imprecision of the analysis shows as one
//! group.

use std::collections::BTreeMap;

use super::anchors::Anchors;
use super::filters::marks;
use crate::document::finding::Finding;
use crate::document::way::{Frame, Step, Way};
use crate::html::classed;
use crate::html::findings::breakable;
use crate::report::words::count;

/// A group for each set of objects; nothing where none is known.
pub fn view(findings: &[&Finding<'_>], anchors: &Anchors) -> String {
    let mut groups: BTreeMap<Vec<&str>, Vec<String>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        for (number, way) in finding.ways.iter().enumerate() {
            let objects = way.objects.iter().map(|(text, _)| text.as_str()).collect();
            groups.entry(objects).or_default().push(link(finding, way, &anchors.way(index, number)));
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
