//! The other view: by the objects on which threads meet (paper 000, section 2.3), where one imprecision of the analysis shows as one
//! group.

use std::collections::BTreeMap;

use super::anchors::Anchors;
use super::choices::{Mark, marks};
use crate::document::finding::Finding;
use crate::document::way::{Frame, Step, Way};
use crate::report::words::count;

/// Races on the same objects.
pub struct Group<'a> {
    pub name: String,
    pub number: String,
    pub links: Vec<Link<'a>>,
}

/// Where one of them is on the page.
pub struct Link<'a> {
    pub marks: Vec<Mark<'a>>,
    pub anchor: String,
    pub text: String,
}

/// A group for each set of objects; nothing where none is known.
pub fn of<'a>(findings: &[&'a Finding<'a>], anchors: &Anchors) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<Vec<&str>, Vec<Link<'a>>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        for (number, way) in finding.ways.iter().enumerate() {
            let objects = way.objects.iter().map(|(text, _)| text.as_str()).collect();
            groups.entry(objects).or_default().push(link(finding, way, anchors.way(index, number)));
        }
    }
    if groups.keys().all(Vec::is_empty) {
        return Vec::new();
    }
    groups.into_iter().map(|(objects, links)| group(&objects, links)).collect()
}

fn link<'a>(finding: &'a Finding<'_>, way: &Way<'_>, anchor: String) -> Link<'a> {
    let position = |step: &Step<'_>| step.path.first().and_then(Frame::position).unwrap_or_default();
    let places: Vec<String> = way.steps.iter().map(position).collect();
    Link { marks: marks(finding), anchor, text: format!("{}: {}", finding.subject, places.join(" and ")) }
}

fn group<'a>(objects: &[&str], links: Vec<Link<'a>>) -> Group<'a> {
    let name = if objects.is_empty() { "static fields".to_owned() } else { objects.join("; ") };
    Group { name, number: count(links.len() as u64, "race"), links }
}
