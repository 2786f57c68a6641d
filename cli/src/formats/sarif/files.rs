//! Source files that were found are named from where the repository lies, as code scanning needs it; others from where their packages do.

use std::collections::BTreeMap;
use std::path::Path;

use super::form::{Location, ResultEntry};
use crate::document::finding::Finding;
use crate::report::words::{self, source_file};

/// By the path from where its package lies, that of each file that was found, from the root; none where two have one name.
pub struct Files(BTreeMap<String, Option<String>>);

impl Files {
    /// Those of findings.
    pub fn of<'a>(findings: impl Iterator<Item = &'a Finding<'a>>, root: Option<&Path>) -> Self {
        let mut files: BTreeMap<String, Option<String>> = BTreeMap::new();
        let named = findings.filter_map(|finding| {
            let path = finding.spot.found_below(root?)?;
            Some((words::uri(&source_file(finding.place()?)?), words::uri(path.to_str()?)))
        });
        for (name, path) in named {
            let known = files.entry(name).or_insert_with(|| Some(path.clone()));
            known.take_if(|other| *other != path);
        }
        Self(files)
    }

    /// Names the files of a result.
    pub fn name(&self, result: &mut ResultEntry) {
        let threads = result.code_flows.iter_mut().flat_map(|flow| &mut flow.thread_flows);
        let of_threads = threads.flat_map(|thread| &mut thread.locations).map(|step| &mut step.location);
        let others = result.locations.iter_mut().chain(&mut result.related_locations);
        others.chain(of_threads).for_each(|location| self.name_file(location));
    }

    fn name_file(&self, location: &mut Location) {
        let Some(physical) = &mut location.physical_location else { return };
        if let Some(Some(path)) = self.0.get(&physical.artifact_location.uri) {
            physical.artifact_location.uri.clone_from(path);
            physical.artifact_location.uri_base_id = None;
        }
    }
}
