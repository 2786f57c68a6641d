//! The standard that SARIF documents have to keep to.

use std::path::Path;

use serde_json::Value;

/// Checks a document against the schema of the standard.
pub fn validate(sarif: &Value) {
    let schema = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sarif/schema-2.1.0.json"));
    // One pattern of the standard closes a bracket that it has not opened, which only lenient readers accept.
    let schema = schema.unwrap().replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(sarif).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0", "runs": [{}] })));
}
