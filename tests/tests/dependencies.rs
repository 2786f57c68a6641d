//! The dependency policy, `deny.toml`, holds for what is linked into the programs. `cargo deny check` asks the same and more, but
//! takes half as long to build as all of jrace.
#![allow(clippy::disallowed_methods, reason = "a test of the checkout's own files reads them")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use semver::{Version, VersionReq};
use serde_json::{Value, json};
use spdx::{Expression, Licensee, ParseMode};
use toml::Table;

#[test]
fn what_is_linked_keeps_to_the_policy() {
    let policy = Policy::read();
    let jrace = metadata("Cargo.toml", &policy);
    assert_eq!(policy.broken_by(&jrace), [] as [String; 0]);
    assert_eq!(policy.skips_not_needed_by(&jrace), [] as [String; 0]);
    assert_eq!(policy.broken_by(&metadata("fuzz/libfuzzer/Cargo.toml", &policy)), [] as [String; 0]);
}

#[test]
fn what_breaks_the_policy_is_found() {
    let policy = Policy::read();
    let sound = metadata("Cargo.toml", &policy);
    let broken = |name: &str, key: &str, value: Value| {
        let mut metadata = sound.clone();
        package(&mut metadata, name)[key] = value;
        policy.broken_by(&metadata).join("; ")
    };
    assert_eq!(
        broken("redb", "license", json!("GPL-3.0-only OR LGPL-2.1-only")),
        "redb has licence GPL-3.0-only OR LGPL-2.1-only"
    );
    assert_eq!(broken("redb", "license", json!("MIT AND GPL-3.0-only")), "redb has licence MIT AND GPL-3.0-only");
    assert_eq!(broken("redb", "license", Value::Null), "redb has licence unknown");
    assert_eq!(broken("redb", "license", json!("GPL-3.0-only/MIT")), "");
    assert_eq!(
        broken("redb", "source", json!("git+https://example.org/redb")),
        "redb is from git+https://example.org/redb"
    );
    assert_eq!(
        broken("facts", "dependencies", json!([{"name": "redb", "req": "*", "path": null}])),
        "facts takes any version of redb"
    );
    assert_eq!(broken("facts", "dependencies", json!([{"name": "redb", "req": "*", "path": "../redb"}])), "");
    assert!(broken("redb", "name", json!("serde")).starts_with("serde has versions "));
    let mut fewer = sound.clone();
    package(&mut fewer, "winnow")["name"] = json!("other");
    assert_eq!(policy.skips_not_needed_by(&fewer), ["winnow@^0.7 is skipped for nothing"]);
}

/// What `deny.toml` asks for: the part of it that is checked here.
struct Policy {
    targets: Vec<String>,
    licenses: Vec<Licensee>,
    /// What one crate may have besides.
    exceptions: BTreeMap<String, Vec<Licensee>>,
    /// Second versions that stay.
    skipped: Vec<(String, VersionReq)>,
}

impl Policy {
    fn read() -> Self {
        let file = fs::read_to_string(jrace_tests::root().join("deny.toml")).expect("the policy is in the checkout");
        let policy: Table = file.parse().expect("the policy is TOML");
        for (table, key) in [
            ("bans", "multiple-versions"),
            ("bans", "wildcards"),
            ("sources", "unknown-registry"),
            ("sources", "unknown-git"),
        ] {
            assert_eq!(policy[table][key].as_str(), Some("deny"), "{table}.{key}: this test knows no other policy");
        }
        Self {
            targets: strings(&policy["graph"]["targets"]).map(str::to_owned).collect(),
            licenses: licensees(&policy["licenses"]["allow"]),
            exceptions: array(&policy["licenses"]["exceptions"])
                .map(|row| (string(&row["crate"]).to_owned(), licensees(&row["allow"])))
                .collect(),
            skipped: array(&policy["bans"]["skip"])
                .map(|row| string(&row["crate"]).split_once('@').expect("a crate@version"))
                .map(|(name, version)| (name.to_owned(), version.parse().expect("a version")))
                .collect(),
        }
    }

    /// A sentence for each thing that the policy forbids.
    fn broken_by(&self, metadata: &Value) -> Vec<String> {
        let linked = linked(metadata);
        let mut broken = Vec::new();
        for package in &linked {
            let name = &package["name"].as_str().expect("a name");
            if !self.allows(name, &package["license"]) {
                broken.push(format!("{name} has licence {}", package["license"].as_str().unwrap_or("unknown")));
            }
            if let Some(source) = package["source"].as_str().filter(|source| *source != CRATES_IO) {
                broken.push(format!("{name} is from {source}"));
            }
            broken.extend(wildcards(package).map(|taken| format!("{name} takes any version of {taken}")));
        }
        for (name, versions) in versions(&linked) {
            let kept: Vec<_> =
                versions.iter().filter(|version| !self.skips(name, version)).map(Version::to_string).collect();
            if kept.len() > 1 {
                broken.push(format!("{name} has versions {}", kept.join(", ")));
            }
        }
        broken
    }

    fn skips_not_needed_by(&self, metadata: &Value) -> Vec<String> {
        let linked = linked(metadata);
        let versions = versions(&linked);
        let is_needed = |name: &str, skipped: &VersionReq| {
            versions
                .get(name)
                .is_some_and(|found| found.len() > 1 && found.iter().any(|version| skipped.matches(version)))
        };
        self.skipped
            .iter()
            .filter(|(name, skipped)| !is_needed(name, skipped))
            .map(|(name, skipped)| format!("{name}@{skipped} is skipped for nothing"))
            .collect()
    }

    fn allows(&self, name: &str, license: &Value) -> bool {
        let Some(license) = license.as_str() else { return false };
        let license = Expression::parse_mode(license, ParseMode::LAX).expect("a licence expression");
        let allowed = || self.licenses.iter().chain(self.exceptions.get(name).into_iter().flatten());
        license.evaluate(|asked| allowed().any(|licensee| licensee.satisfies(asked)))
    }

    fn skips(&self, name: &str, version: &Version) -> bool {
        self.skipped.iter().any(|(skipped, versions)| skipped == name && versions.matches(version))
    }
}

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What cargo says of a workspace: its packages, and which of them each one links on the targets of the policy.
fn metadata(manifest: &str, policy: &Policy) -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest])
        .args(policy.targets.iter().flat_map(|target| ["--filter-platform", target]))
        .current_dir(jrace_tests::root())
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

/// The packages that the workspace's programs are built of or with, without those that only tests need.
fn linked(metadata: &Value) -> Vec<&Value> {
    let nodes: BTreeMap<_, _> = list(&metadata["resolve"]["nodes"]).map(|node| (node["id"].as_str(), node)).collect();
    let mut found = BTreeSet::new();
    let mut waiting: Vec<_> = list(&metadata["workspace_members"]).map(Value::as_str).collect();
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            let is_linked = |link: &&Value| list(&link["dep_kinds"]).any(|kind| kind["kind"] != "dev");
            waiting.extend(list(&nodes[&id]["deps"]).filter(is_linked).map(|link| link["pkg"].as_str()));
        }
    }
    list(&metadata["packages"]).filter(|package| found.contains(&package["id"].as_str())).collect()
}

fn versions<'a>(packages: &[&'a Value]) -> BTreeMap<&'a str, BTreeSet<Version>> {
    let mut versions = BTreeMap::<_, BTreeSet<_>>::new();
    for package in packages {
        let version = package["version"].as_str().expect("a version").parse().expect("a semantic version");
        versions.entry(package["name"].as_str().expect("a name")).or_default().insert(version);
    }
    versions
}

/// The crates that a package of ours takes in any version, other than those of the workspace.
fn wildcards(package: &Value) -> impl Iterator<Item = &str> {
    list(&package["dependencies"])
        .filter(|taken| taken["req"] == "*" && taken["path"].is_null())
        .filter_map(|taken| taken["name"].as_str())
}

fn package<'a>(metadata: &'a mut Value, name: &str) -> &'a mut Value {
    let packages = metadata["packages"].as_array_mut().expect("a list of packages");
    packages.iter_mut().find(|package| package["name"] == name).expect("a package of that name")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn array(value: &toml::Value) -> impl Iterator<Item = &toml::Value> {
    value.as_array().expect("an array").iter()
}

fn string(value: &toml::Value) -> &str {
    value.as_str().expect("a string")
}

fn strings(value: &toml::Value) -> impl Iterator<Item = &str> {
    array(value).map(string)
}

fn licensees(names: &toml::Value) -> Vec<Licensee> {
    strings(names).map(|name| Licensee::parse(name).expect("a licence")).collect()
}
