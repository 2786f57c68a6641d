//! Where a program begins: with `main` methods, or with code that stands for whoever calls it, clients of a library or a test framework
//! (`static_typer::points_to::environment`; paper 000, section 2.1).
//!
//! What the environment forks runs in threads of clients, each of them many; a test framework runs it in one thread, again and again. What
//! it does besides is done by nobody: it makes objects that clients have, however they come to them.

use std::collections::BTreeSet;

use static_typer::points_to::{Code, CodeId};
use static_typer::program::MethodId;

use crate::multiplicity::Multiplicity;
use crate::node::Label;
use crate::summary::ThreadId;

/// The code of the environment, which is no method's.
pub(crate) const ENVIRONMENT: CodeId = CodeId(u32::MAX - 5);
/// Labels of its threads have no code.
pub(crate) const CLIENT: CodeId = CodeId(u32::MAX - 6);

/// Where a program begins.
#[derive(Clone, Debug)]
pub enum Begin {
    /// With `main` methods, each in a thread of its own.
    Mains(Vec<MethodId>),
    /// With code that calls it.
    Environment(Box<Code>),
}

impl Begin {
    /// With some `main` methods.
    #[must_use]
    pub fn mains(mains: &[MethodId]) -> Self {
        Self::Mains(mains.to_vec())
    }
}

/// The threads of clients, each with the method that it calls.
pub type Clients = Vec<(ThreadId, MethodId)>;

/// The thread that stands for nobody.
#[must_use]
pub fn nobody() -> ThreadId {
    [Label { code: CLIENT, number: u32::MAX }].into()
}

/// The thread of a call of the environment.
#[must_use]
pub fn thread(environment: &Code, number: u32) -> ThreadId {
    match (environment.calls[number as usize].is_fork, environment.is_sequential) {
        (false, _) => nobody(),
        (true, false) => [Label { code: CLIENT, number }].into(),
        (true, true) => [Label { code: CLIENT, number: 0 }].into(),
    }
}

/// The threads of an environment but that of nobody, with how many they are.
pub fn threads(environment: &Code) -> impl Iterator<Item = (ThreadId, Multiplicity, MethodId)> + '_ {
    let forks = (0..).zip(&environment.calls).filter(|(_, site)| site.is_fork);
    let multiplicity = if environment.is_sequential { Multiplicity::One } else { Multiplicity::Many };
    let mut known = BTreeSet::new();
    let all = forks.map(move |(number, site)| (thread(environment, number), multiplicity, site.method));
    all.filter(move |(thread, ..)| known.insert(thread.clone()))
}
