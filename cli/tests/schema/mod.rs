//! Documents keep to the schemas that `jrace schema` prints.

use std::process::Command;

use serde_json::Value;

/// The document of this name, checked against its schema.
pub fn valid(name: &str, document: &str) -> Value {
    let printed = Command::new(env!("CARGO_BIN_EXE_jrace")).args(["schema", name]).output().unwrap();
    let schema = serde_json::from_slice(&printed.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document: Value = serde_json::from_str(document).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}
