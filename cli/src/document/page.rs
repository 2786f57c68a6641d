//! What a page shows besides the findings themselves.

use super::graph::Graph;
use super::table::Plot;

/// All that is around the findings.
#[derive(Default)]
pub struct Page {
    /// `Races in bank.jar`.
    pub heading: String,
    /// How it was found, in a sentence or two.
    pub about: String,
    /// Of what it was made: names, each with lines.
    pub origin: Vec<(&'static str, Vec<String>)>,
    /// Numbers, and what they count.
    pub facts: Vec<(usize, &'static str)>,
    /// What each stage of the search has left, if there are stages.
    pub stages: Vec<(&'static str, u64)>,
    /// Seconds as bars, if there is such a picture.
    pub plot: Option<Plot>,
    /// What refers to what, if there is such a picture.
    pub graph: Option<Graph>,
    /// What the findings are: `variables`.
    pub of: &'static str,
    /// What frames that say little are of: `libraries`.
    pub libraries: &'static str,
    /// Choices of findings, besides those of package, rule, grade and test.
    pub filters: Vec<Filter>,
    /// Headings, the first of which has the findings that are not in another part.
    pub parts: Vec<Part>,
    /// Whose code findings may be in, the most interesting first; empty if the command cannot tell.
    pub groups: Vec<&'static str>,
    /// What there is to say besides.
    pub lists: Vec<List>,
}

/// A choice of findings by one of their marks.
pub struct Filter {
    /// What is chosen: `Confidence`.
    pub label: &'static str,
    /// The mark.
    pub name: &'static str,
    /// Its values, and what they are called.
    pub values: Vec<(&'static str, String)>,
}

/// Findings that stand together.
pub struct Part {
    /// Their heading.
    pub title: &'static str,
    /// What it means, if it needs words.
    pub meaning: Option<&'static str>,
}

/// A list with a heading; nothing without entries.
pub struct List {
    /// Its name in the page.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// The entries.
    pub entries: Vec<String>,
}

/// How a finding looks on a page.
#[derive(Default)]
pub struct Entry {
    /// The number of its part.
    pub part: usize,
    /// The number of its group.
    pub group: usize,
    /// Its package.
    pub package: String,
    /// By what it can be chosen: names of marks, and their values.
    pub marks: Vec<(&'static str, &'static str)>,
    /// Words beside its subject.
    pub badges: Vec<(Badge, String)>,
    /// Whether it is closed until a reader opens it.
    pub is_closed: bool,
    /// Sentences after the ways, without a full stop.
    pub ending: Vec<String>,
}

/// How a word beside a subject stands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Badge {
    /// Not at all.
    Plain,
    /// As what is sure.
    Sure,
    /// As what is doubtful.
    Doubtful,
}

/// The package of `bank.Account.balance` or of `bank.Account`: parts that begin in lower case.
pub fn package(name: &str) -> &str {
    let upper = |part: &str| part.starts_with(|first: char| !first.is_lowercase());
    let mut end = 0;
    for part in name.split('.') {
        if upper(part) {
            return name[..end].trim_end_matches('.');
        }
        end += part.len() + 1;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_end_where_classes_begin() {
        assert_eq!(package("org.acme.Pool.size"), "org.acme");
        assert_eq!((package("Pool.size"), package("main")), ("", ""));
    }
}
