//! What has an annotation in the code: `annotation = "com.acme.Benign"` in a suppression.
//!
//! On a field it suppresses what is found of the field, on a method what its code takes part in, on a class both for its members.
//! Annotations are read from class files, which `classes` of the table names (`classes = ["target/classes"]`); without it, from where
//! Maven and Gradle put them. One of source retention is in none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use facts::finding::{Subject, Variable};
use facts::site::Place;
use static_typer::classpath::ClassPath;
use static_typer::program::{Annotation, Program};

/// Where builds put class files.
const USUAL: [&str; 4] =
    ["target/classes", "target/test-classes", "build/classes/java/main", "build/classes/java/test"];

/// The classes, fields and methods that have an annotation.
#[derive(Clone, PartialEq, Debug)]
pub struct Annotated {
    name: String,
    classes: BTreeSet<String>,
    /// `bank/Account.balance`, `bank/Account.deposit`.
    members: BTreeSet<String>,
}

impl Annotated {
    /// Reads the class files that a table names, from the directory.
    ///
    /// # Errors
    /// There is none, or one that cannot be read.
    pub fn read(name: &str, classes: Option<&toml::Value>, directory: &Path) -> Result<Self> {
        let paths = match classes {
            Some(value) => named(value, directory)?,
            None => USUAL.iter().map(|path| directory.join(path)).filter(|path| path.is_dir()).collect(),
        };
        let remedy = "say where class files are, `classes = [\"target/classes\"]`";
        ensure!(!paths.is_empty(), "no class files are known to look for annotations in: {remedy}");
        let mut path = ClassPath::open(&paths, &[], None).map_err(|error| anyhow!("{error}; {remedy}"))?;
        Ok(Self::of(name, &Program::load(&mut path)))
    }

    fn of(name: &str, program: &Program) -> Self {
        let internal = name.trim_start_matches('@').replace('.', "/");
        let has = |annotations: &[Annotation]| {
            annotations.iter().any(|annotation| program.names().text(annotation.class) == internal)
        };
        let mut found = Self { name: name.to_owned(), classes: BTreeSet::new(), members: BTreeSet::new() };
        for class in program.application() {
            if has(&program.class(class).annotations) {
                found.classes.insert(program.class_name(class).into_owned());
            }
            let fields = program.fields_of(class).filter(|field| has(&program.field(*field).annotations));
            found.members.extend(fields.map(|field| program.field_name(field)));
            let methods = program.methods_of(class).filter(|method| has(&program.method(*method).annotations));
            let without_descriptor = |name: String| name.split('(').next().unwrap_or_default().to_owned();
            found.members.extend(methods.map(|method| without_descriptor(program.method_name(method))));
        }
        found
    }

    /// The annotation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the variable has it, or its class.
    pub fn has_variable(&self, variable: &Variable) -> bool {
        match variable {
            Variable::Field { class, name, .. } | Variable::Static { class, name, .. } => self.has(class, name),
            Variable::Object { class } => self.has_class(class),
            Variable::Array { origin, .. } | Variable::Contents { origin, .. } => {
                origin.trim_end_matches("[]").rsplit_once('.').is_some_and(|(class, name)| self.has(class, name))
            }
        }
    }

    /// Whether the class, the field or the method has it: `bank.Account.balance`.
    pub fn has_named(&self, name: &str) -> bool {
        let internal = name.replace('.', "/");
        self.has_class(&internal) || internal.rsplit_once('/').is_some_and(|(class, member)| self.has(class, member))
    }

    /// Whether the code that makes an access with this stack has it.
    pub fn has_code(&self, stack: &[Place]) -> bool {
        let place = stack.iter().find(|place| !super::frames::is_folded(place));
        place.is_some_and(|place| self.has(&place.class, &place.method))
    }

    /// Whether the code has it.
    pub fn has_subject(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Method { class, name, .. } | Subject::Block { class, name, .. } => self.has(class, name),
            Subject::Methods { names } => {
                names.iter().all(|name| name.rsplit_once('.').is_some_and(|(class, name)| self.has(class, name)))
            }
        }
    }

    fn has(&self, class: &str, member: &str) -> bool {
        self.has_class(class) || self.members.contains(&format!("{class}.{member}"))
    }

    /// Nested classes are parts of the class around them.
    fn has_class(&self, class: &str) -> bool {
        let around = class.match_indices('$').map(|(at, _)| &class[..at]);
        around.chain([class]).any(|class| self.classes.contains(class))
    }
}

fn named(value: &toml::Value, directory: &Path) -> Result<Vec<PathBuf>> {
    let texts = value.as_array().map(|items| items.iter().map(toml::Value::as_str).collect::<Option<Vec<_>>>());
    let texts = texts.flatten().context("`classes` is no list of paths: write `classes = [\"target/classes\"]`")?;
    let paths: Vec<PathBuf> = texts.into_iter().map(|text| directory.join(text)).collect();
    for path in &paths {
        ensure!(path.exists(), "there is no `{}`: name jars or directories of classes in `classes`", path.display());
    }
    Ok(paths)
}
