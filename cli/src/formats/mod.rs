//! Documents for tools and readers: `--brief`, `--junit`, `--github`, `--sarif` and `--html`.
//!
//! Each form is a file with a function that takes a [`Document`] and knows no command. Another one is such a file, a flag in
//! [`Forms`], and a row in [`Outlets`]. Where nothing is a finding there are [`Tabled`] forms only.
//! `text` and `table` are what reports for the terminal have in common.

pub mod github;
pub mod html;
pub mod junit;
pub mod sarif;
pub mod table;
pub mod test_reports;
pub mod text;

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::args::{Forms, Tabled};
use crate::document::Document;
use crate::document::spot::Locator;
use crate::output::{Destination, out, say};
use crate::report::words::some_of;
use test_reports::TestReports;

/// How many tests are named that are not marked.
const MAX_TESTS: usize = 5;

/// One line a finding.
pub fn brief(document: &Document<'_>) -> String {
    document.by_origin().into_iter().map(|finding| finding.line()).collect()
}

/// The forms that were asked for, besides the report.
#[derive(Default)]
pub struct Outlets<'a> {
    html: Option<Destination<'a>>,
    sarif: Option<Destination<'a>>,
    /// Whether SARIF has what does not count, too.
    sarif_known: bool,
    junit: Option<Destination<'a>>,
    github: bool,
    test_reports: Option<TestReports>,
}

impl<'a> Outlets<'a> {
    /// Tries the files before the work begins.
    ///
    /// # Errors
    /// One that cannot be written.
    pub fn of(forms: &'a Forms) -> Result<Self> {
        let at = |path: &'a Option<PathBuf>, what, flag| {
            path.as_deref().map(|path| Destination::at(path, what, flag)).transpose()
        };
        Ok(Self {
            html: at(&forms.html, "the page", "--html")?,
            sarif: at(&forms.sarif, "the results", "--sarif")?,
            sarif_known: forms.sarif_known,
            junit: at(&forms.junit, "the test results", "--junit")?,
            github: forms.github,
            test_reports: None,
        })
    }

    /// Those of a command without findings.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn of_tables(forms: &'a Tabled) -> Result<Self> {
        let html = forms.html.as_deref().map(|path| Destination::at(path, "the page", "--html")).transpose()?;
        Ok(Self { html, github: forms.github, ..Self::default() })
    }

    /// The same with the reports of the command's own tests.
    pub fn with_test_reports(self, reports: Option<TestReports>) -> Self {
        Self { test_reports: reports, ..self }
    }

    /// Whether there are any.
    pub fn are_wanted(&self) -> bool {
        let Self { html, sarif, junit, github, test_reports, .. } = self;
        html.is_some() || sarif.is_some() || junit.is_some() || *github || test_reports.is_some()
    }

    /// Marks tests in the reports of the command, and says of those that cannot be marked. The findings are shown in any case.
    pub fn mark_tests(&self, document: &Document<'_>) {
        let Some(reports) = &self.test_reports else { return };
        match reports.mark(document).map(Vec::from_iter) {
            Ok(left) if left.is_empty() => {}
            Ok(left) => say(&format!("in no test report as passed, so not marked: {}", some_of(&left, MAX_TESTS))),
            Err(error) => say(&format!("{error:#}")),
        }
    }

    /// Writes them.
    ///
    /// # Errors
    /// A file that cannot be written any more.
    pub fn write(&self, document: &Document<'_>, locator: &mut Locator<'_>) -> Result<()> {
        if let Some(file) = &self.html {
            file.write(&html::document(document, locator))?;
        }
        if let Some(file) = &self.sarif {
            file.write(&sarif::document(document, root().as_deref(), self.sarif_known)?)?;
        }
        if let Some(file) = &self.junit {
            file.write(&junit::document(document).context("cannot make test results of the findings")?)?;
        }
        if self.github {
            out(&github::annotations(document, github::workspace().as_deref()));
            // The annotations say the same: a page that cannot be written is not worth a failure.
            github::append_summary(document).unwrap_or_else(|error| say(&format!("{error:#}")));
        }
        Ok(())
    }
}

/// Where the repository lies, or else the directory in which the command runs.
fn root() -> Option<PathBuf> {
    github::workspace().or_else(|| std::env::current_dir().ok()?.canonicalize().ok())
}

#[cfg(test)]
mod tests {
    use super::brief;
    use crate::document::finding::{Finding, Level};
    use crate::document::fixtures::{document, item, spot};
    use crate::document::spot::Origin;

    #[test]
    fn a_line_is_a_finding_and_own_code_comes_first() {
        let [first, second, mut third] = ["A.java", "B.java", "C.java"].map(|path| item("a.B.x", path, Level::Error));
        let library = Finding { spot: spot("L.java", Origin::Library), ..first };
        let test = Finding { spot: spot("T.java", Origin::Test), ..second };
        third.spot.line = None;
        let text = "race on a.B.x: write in m() against read in n() [certain]";
        let expected = format!("C.java: {text}\nT.java:12: {text}\nL.java:12: {text}\n");
        assert_eq!(brief(&document(vec![library, test, third])), expected);
    }
}
