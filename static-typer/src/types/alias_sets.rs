//! Alias sets of method headers (appendix A of paper 003): which parameters of a method may refer to one object.
//!
//! Nothing is proved by them. Whoever calls the method keeps to them, or not: `modular` looks at that.

use std::borrow::Cow;

use crate::program::{MethodId, Program, Type, flag};

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
    let first = first(program, method, names(&text).count()).unwrap_or(0) + usize::from(this.is_some());
    let said = names(&text).enumerate().map(|(n, set)| (first + n, set));
    let sets: Vec<(usize, &str)> = this.map(|this| (0, this)).into_iter().chain(said).collect();
    let pairs = sets.iter().enumerate().flat_map(|(n, a)| sets[n + 1..].iter().map(move |b| [a, b]));
    let are_apart = |[a, b]: &[&(usize, &str); 2]| a.1 != b.1 && a.1 != ANY && b.1 != ANY;
    pairs.filter(are_apart).map(|pair| pair.map(|(number, _)| *number as u16)).collect()
}

/// Which parameter of a method is the first of its source, if that names so many; none if that cannot be. Compilers give constructors more: an enum's the
/// name and the number of the constant, an inner class's the object around it, and those of a class in a method, at the end, the variables that it uses.
fn first(program: &Program, method: MethodId, said: usize) -> Option<usize> {
    let parameters = &program.signature(method).parameters;
    let data = program.method(method);
    if said == parameters.len() || !data.is_constructor() {
        return (said == parameters.len()).then_some(0);
    }
    let name = program.class_name(data.class);
    let (outer, own) = name.rsplit_once('$').unwrap_or_default();
    let is_outer = |ty: &Type| ty.as_class().is_some_and(|class| program.names().text(class) == outer);
    let before = match () {
        () if program.class(data.class).access & flag::ENUM != 0 => 2,
        () if parameters.first().is_some_and(is_outer) => 1,
        () => 0,
    };
    let may_use_variables = own.starts_with(|first: char| first.is_ascii_digit());
    (before + said == parameters.len() || may_use_variables && before + said < parameters.len()).then_some(before)
}

/// What is wrong with what a method says, if anything is.
#[must_use]
pub fn mistake(program: &Program, method: MethodId) -> Option<String> {
    let text = alias_sets(program, method)?;
    let parameters = &program.signature(method).parameters;
    let sets: Vec<&str> = names(&text).collect();
    let Some(first) = first(program, method, sets.len()) else {
        return Some(format!(
            "`@AliasSets(\"{text}\")` names {} of {} parameters: write a name for each, `_` for what may be any object or is none",
            sets.len(),
            parameters.len()
        ));
    };
    let is_wrong = |(set, ty): (&str, Type)| set != ANY && !ty.is_reference();
    let wrong = sets.iter().copied().zip(parameters[first..].iter().copied()).position(is_wrong)?;
    Some(format!("`@AliasSets(\"{text}\")` names parameter {}, which is no object: write `_` for it", wrong + 1))
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty())
}
