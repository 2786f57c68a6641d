//! Reflective calls of which it is not certain what they do, in words.

use std::collections::{BTreeMap, BTreeSet};

use facts::name::dotted;
use static_typer::ir::{Body, Value};
use static_typer::points_to::PointsTo;
use static_typer::points_to::reflection::{MAX_GUESSED, Resolved, resolved};
use static_typer::program::{MethodId, Program};
use static_typer::races::unfollowed;

use crate::report::words::count;

/// So many are named.
const MAX_NAMED: usize = 20;

/// How many calls are known by a log only.
#[must_use]
pub fn logged(program: &Program, points_to: &PointsTo) -> u64 {
    resolved(program, points_to).values().filter(|(_, how)| *how == Resolved::Logged).count() as u64
}

/// A noun phrase for each call of the application, one for those of libraries, and one for those that a log knows.
#[must_use]
pub fn unseen(program: &Program, points_to: &PointsTo) -> Vec<String> {
    let mut named: BTreeMap<MethodId, BTreeSet<String>> = BTreeMap::new();
    let mut n_of_libraries = 0;
    let reflective = resolved(program, points_to);
    let reflective = reflective.into_iter().map(|((caller, at), (called, how))| (caller, at, called, how));
    let others = unfollowed(program, points_to).into_iter();
    for (caller, at, called, how) in reflective.chain(others.map(|(by, at, called)| (by, at, called, Resolved::Not))) {
        let Some(what) = phrase(&dotted(&name(program, called)), how) else { continue };
        if program.class(program.method(caller).class).is_application {
            named.entry(caller).or_default().insert(format!("{what} at {}", place(program, caller, at)));
        } else {
            n_of_libraries += 1;
        }
    }
    let mut phrases: Vec<String> = named.into_values().flatten().collect();
    let left = phrases.len().saturating_sub(MAX_NAMED);
    phrases.truncate(MAX_NAMED);
    phrases.extend((left > 0).then(|| format!("what {} do", count(left as u64, "other reflective call"))));
    phrases.extend(
        (n_of_libraries > 0).then(|| format!("what {} of libraries do", count(n_of_libraries, "reflective call"))),
    );
    let n_logged = logged(program, points_to);
    phrases.extend((n_logged > 0).then(|| format!("what {} did in no logged run", count(n_logged, "reflective call"))));
    phrases
}

fn phrase(called: &str, how: Resolved) -> Option<String> {
    match how {
        Resolved::Exactly | Resolved::Logged => None,
        Resolved::Guessed(all) if all > MAX_GUESSED => {
            Some(format!("all but {MAX_GUESSED} of the {all} classes that fit the cast of {called}"))
        }
        Resolved::Guessed(_) => Some(format!("classes outside the application that fit the cast of {called}")),
        Resolved::Not => Some(format!("what {called} does")),
    }
}

/// `java/lang/reflect/Method.invoke`.
fn name(program: &Program, method: MethodId) -> String {
    let data = program.method(method);
    format!("{}.{}", program.class_name(data.class), program.names().text(data.name))
}

/// `Loader.java:12`, or the method where no lines are known.
fn place(program: &Program, caller: MethodId, at: Value) -> String {
    let file = program.class(program.method(caller).class).source_file;
    let body = Body::of(program, caller).and_then(Result::ok);
    let line = body.as_ref().filter(|body| at.index() < body.instructions.len()).and_then(|body| body.line(at));
    match file.zip(line) {
        Some((file, line)) => format!("{}:{line}", program.names().text(file)),
        None => dotted(&name(program, caller)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_on_guesses_is_said() {
        let phrase = |how| phrase("Class.newInstance", how).unwrap_or_default();
        assert_eq!(phrase(Resolved::Exactly), "");
        assert_eq!(phrase(Resolved::Logged), "");
        assert_eq!(
            phrase(Resolved::Guessed(64)),
            "classes outside the application that fit the cast of Class.newInstance"
        );
        assert_eq!(
            phrase(Resolved::Guessed(65)),
            "all but 64 of the 65 classes that fit the cast of Class.newInstance"
        );
        assert_eq!(phrase(Resolved::Not), "what Class.newInstance does");
    }
}
