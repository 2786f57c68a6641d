//! `jrace schema NAME`: what documents for programs look like.

use anyhow::{Context, Result};

use crate::args;
use crate::output::{Stream, out};
use crate::schema::SCHEMAS;

/// Prints a schema, or which ones there are.
///
/// # Errors
/// No such document.
pub fn schema(args: &args::Schema) -> Result<u8> {
    let Some(name) = &args.name else {
        SCHEMAS.iter().for_each(|schema| Stream::Out.show(&format!("{:8}  {}\n", schema.name, schema.of)));
        return Ok(0);
    };
    let schema = SCHEMAS.iter().find(|schema| schema.name == name);
    let names = SCHEMAS.map(|schema| schema.name).join(", ");
    out(schema.with_context(|| format!("there is no schema `{name}`: name one of {names}"))?.text);
    Ok(0)
}
