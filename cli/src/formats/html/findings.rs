//! The findings of a page in their parts and groups, what they can be chosen by, and once more by object.

use super::anchors::Anchors;
use super::choices::{self, Choice};
use super::entry::{Entries, Entry, MAX_EAGER};
use super::objects::{self, Group as Object};
use crate::document::Document;
use crate::document::finding::Finding;
use crate::document::page::Page;
use crate::document::spot::Locator;

/// Those that count.
pub struct Findings<'a> {
    pub number: usize,
    /// Whether frames are there, but no source of any.
    pub lacks_sources: bool,
    pub choices: Vec<Choice<'a>>,
    /// The first one is the section of the findings; the others are in it, below it.
    pub parts: Vec<Part<'a>>,
    pub objects: Vec<Object<'a>>,
}

/// Findings below a heading.
pub struct Part<'a> {
    pub title: &'static str,
    pub meaning: Option<&'static str>,
    pub groups: Vec<Group<'a>>,
}

/// Findings in the code of somebody, who is named if the command can tell. Those that come late are text until the script makes elements of
/// them, when there is time; without scripts they are there from the beginning.
pub struct Group<'a> {
    pub title: Option<&'static str>,
    pub early: Vec<Entry<'a>>,
    pub late: Vec<Vec<Entry<'a>>>,
}

impl<'a> Findings<'a> {
    /// Those of a document, with their sources.
    pub fn of(document: &'a Document<'_>, locator: &mut Locator<'_>) -> Self {
        let page = &document.page;
        let findings: Vec<&Finding<'_>> = document.counting().collect();
        let anchors = Anchors::of(&findings);
        let mut entries = Entries::new(locator, page.libraries, &anchors);
        let parts = parts(&mut entries, page, &findings);
        let has_frames = findings.iter().any(|finding| finding.place().is_some());
        Self {
            number: findings.len(),
            lacks_sources: has_frames && entries.n_sources == 0,
            choices: choices::of(page, &findings),
            parts,
            objects: objects::of(&findings, &anchors),
        }
    }
}

/// The first part is there in any case.
fn parts<'a>(entries: &mut Entries<'_, '_>, page: &Page, findings: &[&'a Finding<'a>]) -> Vec<Part<'a>> {
    let part = |(number, part): (usize, &crate::document::page::Part)| {
        let of_part = findings.iter().enumerate().filter(|(_, finding)| finding.entry.part == number);
        let groups = groups(entries, page, &of_part.map(|(index, finding)| (index, *finding)).collect::<Vec<_>>());
        let meaning = part.meaning.filter(|_| number > 0);
        (number == 0 || !groups.is_empty()).then_some(Part { title: part.title, meaning, groups })
    };
    page.parts.iter().enumerate().filter_map(part).collect()
}

/// Those that have findings.
fn groups<'a>(entries: &mut Entries<'_, '_>, page: &Page, findings: &[(usize, &'a Finding<'a>)]) -> Vec<Group<'a>> {
    if page.groups.is_empty() {
        return group(entries, None, findings).into_iter().collect();
    }
    let of_group = |number: usize| findings.iter().filter(move |(_, finding)| finding.entry.group == number);
    let titles = page.groups.iter().enumerate();
    titles
        .filter_map(|(number, title)| group(entries, Some(*title), &of_group(number).copied().collect::<Vec<_>>()))
        .collect()
}

fn group<'a>(
    entries: &mut Entries<'_, '_>,
    title: Option<&'static str>,
    findings: &[(usize, &'a Finding<'a>)],
) -> Option<Group<'a>> {
    let (early, late) = findings.split_at(findings.partition_point(|(index, _)| *index < MAX_EAGER));
    let early = entries.of(early);
    let late = late.chunks(MAX_EAGER).map(|chunk| entries.of(chunk)).collect();
    (!findings.is_empty()).then_some(Group { title, early, late })
}
