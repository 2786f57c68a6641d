//! The schemas of the documents for programs.
//!
//! They are made of the types that are written, and kept in `schemas`; a test compares the two (`UPDATE_EXPECT=1` writes them). The number in
//! a file's name is the document's `format`: it grows when a member changes its meaning. Members may be added at any time, so
//! readers must pass over those they do not know.

/// The version of every document that a command writes with `--json`.
pub const FORMAT: u32 = 1;

/// A document.
pub struct Schema {
    /// Its name: `report`.
    pub name: &'static str,
    /// Which commands write it.
    pub of: &'static str,
    /// The schema.
    pub text: &'static str,
}

/// Every one.
pub const SCHEMAS: [Schema; 8] = [
    Schema {
        name: "report",
        of: "`jrace report --json`, `jrace run --json` and `jrace replay --json`",
        text: include_str!("../schemas/report-1.json"),
    },
    Schema { name: "check", of: "`jrace check --json`", text: include_str!("../schemas/check-1.json") },
    Schema { name: "explain", of: "`jrace explain --json`", text: include_str!("../schemas/explain-1.json") },
    Schema { name: "summary", of: "`jrace explain --summary --json`", text: include_str!("../schemas/summary-1.json") },
    Schema { name: "races", of: "`jrace races --json`", text: include_str!("../schemas/races-1.json") },
    Schema { name: "compare", of: "`jrace compare --json`", text: include_str!("../schemas/compare-1.json") },
    Schema { name: "discover", of: "`jrace discover --json`", text: include_str!("../schemas/discover-1.json") },
    Schema {
        name: "baseline",
        of: "the file of `jrace baseline update`",
        text: include_str!("../schemas/baseline-2.json"),
    },
];

#[cfg(test)]
pub mod tests {
    use std::path::Path;

    use expect_test::expect_file;
    use schemars::generate::SchemaSettings;
    use schemars::{JsonSchema, Schema};
    use serde_json::Value;

    use super::{FORMAT, SCHEMAS};

    /// The document, which has to keep to the schema of this name.
    pub fn valid(name: &str, document: &str) -> Value {
        let schema = SCHEMAS.iter().find(|schema| schema.name == name).unwrap();
        let validator = jsonschema::validator_for(&serde_json::from_str(schema.text).unwrap()).unwrap();
        let document = serde_json::from_str(document).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        document
    }

    fn schema<T: JsonSchema>(name: &str, format: u32) -> Schema {
        let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
        schema.insert("title".into(), format!("jrace {name}, format {format}").into());
        schema.remove("description");
        schema
    }

    #[test]
    fn schemas_are_those_of_the_types() {
        let schemas = [
            ("report", FORMAT, schema::<crate::report::json::Document<'static>>("report", FORMAT)),
            ("check", FORMAT, schema::<crate::commands::check::report::Report<'static>>("check", FORMAT)),
            ("explain", FORMAT, schema::<crate::commands::check::explained::Explained>("explain", FORMAT)),
            ("summary", FORMAT, schema::<crate::races::summary::model::MethodSummary>("summary", FORMAT)),
            ("races", FORMAT, schema::<crate::races::report::Report>("races", FORMAT)),
            ("compare", FORMAT, schema::<crate::comparison::json::Document<'static>>("compare", FORMAT)),
            ("discover", FORMAT, schema::<crate::report::owners::Document<'static>>("discover", FORMAT)),
            ("baseline", 2, schema::<crate::report::baseline::Document>("baseline", 2)),
        ];
        assert_eq!(schemas.len(), SCHEMAS.len());
        for (name, format, schema) in schemas {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schemas/{name}-{format}.json"));
            expect_file![path].assert_eq(&(serde_json::to_string_pretty(&schema).unwrap() + "\n"));
        }
    }

    #[test]
    fn schemas_refuse_what_is_something_else() {
        for schema in SCHEMAS {
            let validator = jsonschema::validator_for(&serde_json::from_str(schema.text).unwrap()).unwrap();
            for other in
                [r#"{}"#, r#"[]"#, r#"{"format":"1","findings":[]}"#, r#"{"format":1,"findings":[{"rule":"theft"}]}"#]
            {
                assert!(!validator.is_valid(&serde_json::from_str(other).unwrap()), "{} {other}", schema.name);
            }
        }
    }
}
