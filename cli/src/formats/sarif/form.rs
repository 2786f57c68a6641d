//! The part of SARIF 2.1.0 that is written. Names and meanings are those of the standard. `cli/README.md` says why no crate for the whole of it
//! is used.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::time::StageTime;

/// Where the schema of the form lies.
pub const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident { $($(#[$serde:meta])* $field:ident: $ty:ty),* $(,)? })*) => {
        $($(#[$doc])* #[derive(Serialize, Debug)] #[serde(rename_all = "camelCase")]
        #[allow(missing_docs, reason = "the standard says what they mean")]
        pub struct $name { $($(#[$serde])* pub $field: $ty),* })*
    };
}

objects! {
    /// Section 3.13.
    Sarif { #[serde(rename = "$schema")] schema: &'static str, version: &'static str, runs: Vec<Run> }
    /// Section 3.14.
    Run { tool: Tool, invocations: Vec<Invocation>, original_uri_base_ids: BaseIds, results: Vec<ResultEntry> }
    /// Section 3.18.
    Tool { driver: Driver }
    /// Section 3.19.
    Driver { name: &'static str, version: &'static str, semantic_version: &'static str, rules: Vec<Rule> }
    /// Section 3.49.
    Rule {
        id: &'static str,
        name: &'static str,
        short_description: Message,
        full_description: Message,
        help: Help,
        default_configuration: Configuration,
        properties: Properties,
    }
    /// Section 3.12.
    Help { text: &'static str, markdown: &'static str }
    /// Section 3.50.
    Configuration { level: &'static str }
    /// Tags that GitHub shows and filters by.
    Properties { tags: [&'static str; 2], precision: &'static str }
    /// Section 3.14.14: one base, `%SRCROOT%`.
    BaseIds { #[serde(rename = "%SRCROOT%")] root: SourceRoot }
    /// Section 3.4.
    SourceRoot { description: Message }
    /// Section 3.20.
    Invocation {
        execution_successful: bool,
        tool_execution_notifications: Vec<Notification>,
        #[serde(skip_serializing_if = "Option::is_none")] properties: Option<Timed>,
    }
    /// Section 3.8: how long each stage took.
    Timed { times: Vec<StageTime> }
    /// Section 3.58.
    Notification { level: &'static str, message: Message }
    /// Section 3.27.
    ResultEntry {
        rule_id: &'static str,
        rule_index: usize,
        level: &'static str,
        message: Message,
        locations: Vec<Location>,
        related_locations: Vec<Location>,
        code_flows: Vec<CodeFlow>,
        partial_fingerprints: BTreeMap<&'static str, String>,
        #[serde(skip_serializing_if = "Option::is_none")] baseline_state: Option<&'static str>,
        #[serde(skip_serializing_if = "Vec::is_empty")] suppressions: Vec<Suppression>,
        #[serde(skip_serializing_if = "Option::is_none")] rank: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")] properties: Option<Graded>,
    }
    /// Section 3.35.
    Suppression { kind: &'static str, justification: String }
    /// How sure a result is.
    Graded { grade: &'static str }
    /// Section 3.36.
    CodeFlow { message: Message, thread_flows: Vec<ThreadFlow> }
    /// Section 3.37.
    ThreadFlow { id: String, message: Message, locations: Vec<ThreadFlowLocation> }
    /// Section 3.38.
    ThreadFlowLocation { location: Location, importance: &'static str }
    /// Section 3.28.
    Location {
        #[serde(skip_serializing_if = "Option::is_none")] id: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")] physical_location: Option<PhysicalLocation>,
        logical_locations: Vec<LogicalLocation>,
        #[serde(skip_serializing_if = "Option::is_none")] message: Option<Message>,
    }
    /// Section 3.29.
    PhysicalLocation {
        artifact_location: ArtifactLocation,
        #[serde(skip_serializing_if = "Option::is_none")] region: Option<Region>,
    }
    /// Section 3.4.
    ArtifactLocation {
        uri: String,
        #[serde(skip_serializing_if = "Option::is_none")] uri_base_id: Option<&'static str>,
    }
    /// Section 3.30.
    Region { start_line: u32 }
    /// Section 3.33.
    LogicalLocation { fully_qualified_name: String, kind: &'static str }
    /// Section 3.11.
    Message { text: String }
}

impl<T: Into<String>> From<T> for Message {
    fn from(text: T) -> Self {
        Self { text: text.into() }
    }
}
