//! Alias sets of method headers (appendix A of paper 003): which parameters of a method may refer to one object.
//!
//! Nothing is proved by them. Whoever calls the method keeps to them, or not: `modular` looks at that.

use std::borrow::Cow;

use crate::program::{MethodId, Program};

/// The annotation.
pub const ALIAS_SETS: &str = "jrace/annotations/AliasSets";

/// What says nothing of a parameter.
const ANY: &str = "_";

/// What a method says of its parameters: `from, to, _`.
#[must_use]
pub fn alias_sets(program: &Program, method: MethodId) -> Option<Cow<'_, str>> {
    let names = program.names();
    let annotations = &program.method(method).annotations;
    let said = annotations.iter().rev().find(|annotation| names.text(annotation.class) == ALIAS_SETS)?;
    said.strings.first().map(|(_, text)| names.text(*text))
}

/// The pairs of parameters that are to refer to different objects. The first parameter of a method that is not static is `this`.
#[must_use]
pub fn separate(program: &Program, method: MethodId) -> Vec<[u16; 2]> {
    let Some(text) = alias_sets(program, method) else { return Vec::new() };
    let this = (!program.method(method).is_static()).then_some("this");
    let sets: Vec<&str> = this.into_iter().chain(names(&text)).collect();
    let numbers = 0..sets.len();
    let pairs = numbers.clone().flat_map(|a| numbers.clone().skip(a + 1).map(move |b| [a, b]));
    let are_apart = |[a, b]: &[usize; 2]| sets[*a] != sets[*b] && sets[*a] != ANY && sets[*b] != ANY;
    pairs.filter(are_apart).map(|pair| pair.map(|number| number as u16)).collect()
}

/// What is wrong with what a method says, if anything is.
#[must_use]
pub fn mistake(program: &Program, method: MethodId) -> Option<String> {
    let text = alias_sets(program, method)?;
    let parameters = &program.signature(method).parameters;
    let sets: Vec<&str> = names(&text).collect();
    if sets.len() != parameters.len() {
        return Some(format!(
            "`@AliasSets(\"{text}\")` names {} of {} parameters: write a name for each, `_` for what may be any object or is none",
            sets.len(),
            parameters.len()
        ));
    }
    let is_wrong = |(set, ty): &(&str, _)| *set != ANY && !crate::program::Type::is_reference(*ty);
    let wrong = sets.iter().copied().zip(parameters.iter().copied()).position(|pair| is_wrong(&pair))?;
    Some(format!("`@AliasSets(\"{text}\")` names parameter {}, which is no object: write `_` for it", wrong + 1))
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty())
}
