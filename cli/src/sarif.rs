//! What documents in SARIF 2.1.0 share, for code scanning. The structures of the form are in [`form`].
//!
//! GitHub stores 5,000 results of an upload and 1,000 thread flow locations of a result, and takes 10 MB in gzip: what would
//! be cut off there is to be left out, and a notification to say so.

pub mod form;

use anyhow::Result;

use self::form::{
    ArtifactLocation, BaseIds, CodeFlow, Driver, Invocation, Location, LogicalLocation, Message, Notification,
    PhysicalLocation, Region, ResultEntry, Rule, Run, Sarif, SourceRoot, Tool,
};

/// How many results GitHub stores.
pub const MAX_RESULTS: usize = 5_000;

/// How many races of a variable become code flows.
pub const MAX_FLOWS: usize = 3;

/// How many calls of a path are kept, those nearest to the access.
pub const MAX_CALLS: usize = 150;

/// How many locations all flows of a result have: GitHub stores 1,000.
const MAX_STEPS: usize = 1_000;

/// How many places besides its own a result has: with that one, fewer than the 1,000 that GitHub stores.
pub const MAX_RELATED: usize = 900;

/// Where relative paths begin; whoever reads the file knows where that is.
const ROOT: &str = "%SRCROOT%";

/// Flows of one result, cut so that GitHub stores all of them: of each thread, the calls nearest to where it ends stay.
pub fn bounded(mut flows: Vec<CodeFlow>) -> Vec<CodeFlow> {
    let n_threads = flows.iter().map(|flow| flow.thread_flows.len()).sum::<usize>().max(1);
    let most = (MAX_STEPS / n_threads).max(1);
    for thread in flows.iter_mut().flat_map(|flow| &mut flow.thread_flows) {
        thread.locations.drain(..thread.locations.len().saturating_sub(most));
    }
    flows
}

/// A document with one run of jrace.
///
/// # Errors
/// None in practice: the data has no map whose keys are not strings.
pub fn document(rules: Vec<Rule>, notes: impl Iterator<Item = String>, results: Vec<ResultEntry>) -> Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    let driver = Driver { name: "jrace", version, semantic_version: version, rules };
    let notes = notes.map(|text| Notification { level: "note", message: text.into() });
    let run = Run {
        tool: Tool { driver },
        invocations: vec![Invocation { execution_successful: true, tool_execution_notifications: notes.collect() }],
        original_uri_base_ids: BaseIds { root: SourceRoot { description: "Where the packages begin.".into() } },
        results,
    };
    let sarif = Sarif { schema: form::SCHEMA, version: "2.1.0", runs: vec![run] };
    Ok(serde_json::to_string(&sarif)? + "\n")
}

/// A line of a method, and what is said of it. The file is named from where its package lies.
pub fn location(
    method: String,
    (file, line): (Option<String>, Option<u32>),
    message: Option<String>,
    id: Option<usize>,
) -> Location {
    let physical = |uri: String| PhysicalLocation {
        artifact_location: ArtifactLocation { uri: encoded(&uri), uri_base_id: ROOT },
        region: line.filter(|line| *line > 0).map(|start_line| Region { start_line }),
    };
    Location {
        id,
        physical_location: file.map(physical),
        logical_locations: vec![LogicalLocation { fully_qualified_name: method, kind: "function" }],
        message: message.map(Message::from),
    }
}

/// A path as a URI: names of classes may have letters that URIs do not (RFC 3986, section 2).
fn encoded(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/$+,;=@!".contains(&byte);
    path.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(encoded("a/B$C é.java"), "a/B$C%20%C3%A9.java");
    }
}
