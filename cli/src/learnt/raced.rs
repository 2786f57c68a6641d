//! References that have raced in runs: the next analysis is to know that what they held has been handed over by a race. Of a variable
//! that holds no reference, nothing has.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use facts::finding::Variable;

/// What can be read of such notes.
pub fn read(path: &Path) -> BTreeSet<Variable> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Adds variables of classes that are `known`; says whether any is new.
///
/// # Errors
/// The file cannot be written.
pub fn add<'a>(
    path: &Path,
    raced: impl Iterator<Item = &'a Variable>,
    known: &dyn Fn(&str) -> bool,
) -> io::Result<bool> {
    let mut all = read(path);
    let n_before = all.len();
    all.extend(raced.filter(|variable| refers(variable, known)).map(of_all_origins));
    if all.len() == n_before {
        return Ok(false);
    }
    let mut text = Vec::new();
    for variable in &all {
        serde_json::to_writer(&mut text, variable)?;
        text.push(b'\n');
    }
    fs::write(path, text).map(|()| true)
}

/// Whether it may refer to objects of the program. Classes that a program makes in each run have other names in the next one.
fn refers(variable: &Variable, known: &dyn Fn(&str) -> bool) -> bool {
    let is_reference = |descriptor: &str| descriptor.ends_with(';') && descriptor != "Ljava/lang/String;";
    match variable {
        Variable::Field { class, descriptor, .. } | Variable::Static { class, descriptor, .. } => {
            known(class) && (is_reference(descriptor) || descriptor.starts_with('['))
        }
        Variable::Array { descriptor, .. } => {
            let element = descriptor.strip_prefix('[').unwrap_or_default();
            let base = element.trim_start_matches('[').strip_prefix('L').and_then(|name| name.strip_suffix(';'));
            // What a class of the JDK names may be the program's: `Object[]`.
            let may_refer = |base: &str| known(base) || base.starts_with("java/");
            element.starts_with('[') && base.is_none() || is_reference(element) && base.is_some_and(may_refer)
        }
        Variable::Object { class } => known(class),
        Variable::Contents { .. } => true,
    }
}

/// The analysis does not tell arrays and collections apart by where they come from.
fn of_all_origins(variable: &Variable) -> Variable {
    let mut all = variable.clone();
    if let Variable::Array { origin, .. } | Variable::Contents { origin, .. } = &mut all {
        origin.clear();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(descriptor: &str) -> Variable {
        Variable::Array { descriptor: descriptor.into(), origin: "bank/Bank.accounts[]".into() }
    }

    fn field(class: &str, descriptor: &str) -> Variable {
        Variable::Field { class: class.into(), name: "last".into(), descriptor: descriptor.into() }
    }

    #[test]
    fn references_are_noted_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("raced");
        let known = |class: &str| class.starts_with("bank/");
        let [referring, others] = [
            vec![
                field("bank/Bank", "Lbank/Account;"),
                field("bank/Bank", "[I"),
                array("[Lbank/Account;"),
                array("[Ljava/lang/Object;"),
                array("[[I"),
            ],
            vec![
                field("bank/Bank", "I"),
                field("bank/Bank", "Ljava/lang/String;"),
                field("made/Class$$1", "Lbank/Account;"),
                array("[I"),
                array("[Ljava/lang/String;"),
                array("[Lmade/Class$$1;"),
            ],
        ];
        let first = add(&path, referring.iter().chain(&others), &known).unwrap();
        let second = add(&path, referring.iter(), &known).unwrap();
        assert_eq!((first, second, read(&path).len()), (true, false, referring.len()));
    }
}
