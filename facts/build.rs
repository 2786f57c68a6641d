//! Translates the tables of models (`models/*.toml`) into one table of JSON, which is read in a fraction of the time: every JVM with the
//! agent does it. Nothing is understood here: `models::built_in` reads the rows as it reads those of a user.

#![expect(clippy::disallowed_methods, reason = "a build script writes its output")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::{Map, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut all = Map::new();
    for file in files()? {
        let tables = tables(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        tables.into_iter().for_each(|(kind, rows)| add(&mut all, kind, rows));
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("models.json"), serde_json::to_vec(&all)?)?;
    println!("cargo:rerun-if-changed=models");
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}

fn files() -> io::Result<Vec<PathBuf>> {
    let mut files = fs::read_dir("models")?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort_by(|one, other| one.file_stem().cmp(&other.file_stem()));
    Ok(files)
}

fn tables(file: &Path) -> Result<Map<String, Value>, Box<dyn Error>> {
    Ok(toml::from_str(&fs::read_to_string(file)?)?)
}

/// Adds the rows of a file, but for where they are promised (`source`), which nobody asks at run time.
fn add(all: &mut Map<String, Value>, kind: String, rows: Value) {
    let Value::Array(mut rows) = rows else { return };
    rows.iter_mut().filter_map(Value::as_object_mut).for_each(|row| _ = row.remove("source"));
    let known = all.entry(kind).or_insert_with(|| Value::Array(Vec::new()));
    known.as_array_mut().into_iter().for_each(|known| known.append(&mut rows));
}
