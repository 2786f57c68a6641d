//! Where an application begins: what is an entry is one decision for `jrace check` and `jrace races`, and both print it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail, ensure};
use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::points_to::{Beans, Client, environment, test_methods};
use static_typer::program::{ClassId, MethodId, Program};

use crate::args::Begin;
use crate::report::words::{count, printable};

/// Part of the names of packages that are a library's own business, by custom.
const INTERNAL: &str = "internal";

/// Who calls an application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caller {
    /// The JVM, by `main`.
    Jvm,
    /// A test framework.
    Tests,
    /// Frameworks of applications, in any thread, beside the JVM.
    Frameworks,
    /// Clients of a library, in any thread.
    Clients,
}

/// What is called.
#[derive(Clone, Debug)]
pub struct Entries {
    /// By whom.
    pub caller: Caller,
    /// In the order of the classes.
    pub methods: Vec<MethodId>,
    /// How clients call them, if these are who calls.
    pub client: Client,
    /// What frameworks make and call, if they are who calls; the rest is `main` then.
    pub beans: Beans,
    /// Whether the user has named the classes that clients use.
    pub names_classes: bool,
    /// The sentence that is printed, without a full stop.
    pub words: String,
}

impl Entries {
    /// Decides. An application that `is_program` may be meant to be run.
    ///
    /// # Errors
    /// What the user names is not there, or there are no tests.
    pub fn of(begin: &Begin, program: &Program, is_program: bool) -> Result<Self> {
        if begin.tests {
            return Self::tests(program);
        }
        if !begin.api.is_empty() {
            return Self::clients(program, &begin.api);
        }
        let has_mains = || is_program && !program.main_methods().is_empty();
        let has_main = begin.main.is_some() || has_mains();
        let mains = if has_main { mains(program, begin.main.as_deref())? } else { Vec::new() };
        let begins = |main: &MethodId| environment::begins_framework(program, *main);
        // A `main` that begins no framework is another program's.
        let is_apart = begin.main.is_some() && !mains.iter().any(begins);
        let beans = if is_apart { Beans::default() } else { Beans::of(program) };
        if !beans.is_empty() {
            return Ok(Self::frameworks(program, mains, beans));
        }
        if has_main { Ok(Self::mains(program, mains)) } else { Self::clients(program, &[]) }
    }

    /// Beans, beside `main` methods: those that begin a framework, if any does.
    fn frameworks(program: &Program, mut mains: Vec<MethodId>, beans: Beans) -> Self {
        let begins = |main: &MethodId| environment::begins_framework(program, *main);
        if mains.iter().any(begins) {
            mains.retain(begins);
        }
        let words = if mains.is_empty() { String::new() } else { words_of(program, &mains) + ", and " };
        let called = (beans.called.len() + beans.called_by_one.len()) as u64;
        let classes: BTreeSet<ClassId> =
            beans.called.iter().chain(&beans.called_by_one).map(|(class, _)| *class).collect();
        let words = format!(
            "{words}{} of {} that frameworks call",
            count(called, "method"),
            count(classes.len() as u64, "bean")
        );
        let methods = mains.into_iter().chain(beans.methods(program)).collect();
        Self { beans, ..Self::of_methods(Caller::Frameworks, methods, words) }
    }

    fn tests(program: &Program) -> Result<Self> {
        let methods = test_methods(program, &|_| true);
        ensure!(
            !methods.is_empty(),
            "no method is a test of JUnit or TestNG: name the directory or the jar of the tests too"
        );
        let words = format!("{} of test classes", count(methods.len() as u64, "method"));
        Ok(Self::of_methods(Caller::Tests, methods, words))
    }

    fn mains(program: &Program, methods: Vec<MethodId>) -> Self {
        let words = words_of(program, &methods);
        Self::of_methods(Caller::Jvm, methods, words)
    }

    fn clients(program: &Program, api: &[String]) -> Result<Self> {
        let names: BTreeMap<ClassId, String> =
            program.application().map(|class| (class, dotted(&program.class_name(class)))).collect();
        for text in api {
            let pattern = Pattern::whole(text);
            ensure!(
                names.values().any(|name| pattern.matches(name)),
                "no class is called `{text}`: write `package.Class`, `*` for any part"
            );
        }
        let (taken, internal) = taken(&names, api);
        let n_internal = internal.len() as u64;
        let client = Client { internal, ..Client::of(program, &|class| taken.contains(&class)) };
        let methods: Vec<MethodId> = client.all_methods().collect();
        let of = if api.is_empty() { "all public classes".to_owned() } else { format!("`{}`", api.join("`, `")) };
        let left_out = match n_internal {
            0 => String::new(),
            n => format!(" but for {} in packages called `internal`", count(n, "type")),
        };
        let words = format!("{} that clients may call, of {of}{left_out}", count(methods.len() as u64, "method"));
        Ok(Self { client, names_classes: !api.is_empty(), ..Self::of_methods(Caller::Clients, methods, words) })
    }

    fn of_methods(caller: Caller, methods: Vec<MethodId>, words: String) -> Self {
        Self { caller, methods, client: Client::default(), beans: Beans::default(), names_classes: false, words }
    }

    /// Everything, where nothing is public and no `main` is there: classes of the same package call it.
    pub fn or_everything(self, program: &Program) -> Self {
        if !self.methods.is_empty() {
            return self;
        }
        let methods = program.application().flat_map(|class| program.methods_of(class)).collect();
        Self { methods, words: "every method, as there is no `main` and nothing public".to_owned(), ..self }
    }

    /// Whether other threads than the application's own run it.
    pub fn is_shared(&self) -> bool {
        matches!(self.caller, Caller::Clients | Caller::Frameworks)
    }

    /// Whether these are clients of a library.
    pub fn has_clients(&self) -> bool {
        self.caller == Caller::Clients
    }

    /// The line that says it.
    pub fn line(words: &str) -> String {
        printable(&format!("ENTRIES: {words}")) + "\n"
    }
}

/// The `main` methods of a program, or that of a class.
fn mains(program: &Program, class: Option<&str>) -> Result<Vec<MethodId>> {
    let mut methods = program.main_methods();
    if let Some(class) = class {
        methods.retain(|main| class_of(program, *main) == class);
        if methods.is_empty() {
            bail!("`{class}` has no `main` method that `java` would start: name another class with --main");
        }
    }
    Ok(methods)
}

/// `main` methods, in words.
fn words_of(program: &Program, mains: &[MethodId]) -> String {
    let others = match mains.len().saturating_sub(1) {
        0 => String::new(),
        number => format!(" and {}", count(number as u64, "other")),
    };
    format!("`main` of {}{others}", mains.first().map(|main| class_of(program, *main)).unwrap_or_default())
}

fn class_of(program: &Program, method: MethodId) -> String {
    dotted(&program.class_name(program.method(method).class))
}

/// The classes that some patterns choose, all of them if there is none, and those that were left out: what is in a package called
/// `internal` is nothing for clients, unless a pattern says so or has nothing else.
fn taken(names: &BTreeMap<ClassId, String>, api: &[String]) -> (BTreeSet<ClassId>, BTreeSet<ClassId>) {
    let everything = ["*".to_owned()];
    let texts = if api.is_empty() { &everything } else { api };
    let (mut taken, mut internal) = (BTreeSet::new(), BTreeSet::new());
    for text in texts {
        let pattern = Pattern::whole(text);
        let chosen = names.iter().filter(|(_, name)| pattern.matches(name));
        let (inside, outside): (Vec<_>, Vec<_>) = chosen.partition(|(_, name)| is_internal(name));
        let is_meant = text.contains(INTERNAL) || outside.is_empty();
        taken.extend(outside.iter().map(|(class, _)| **class));
        (if is_meant { &mut taken } else { &mut internal }).extend(inside.iter().map(|(class, _)| **class));
    }
    internal.retain(|class| !taken.contains(class));
    (taken, internal)
}

fn is_internal(class: &str) -> bool {
    class.rsplit_once('.').is_some_and(|(package, _)| package.split('.').any(|part| part == INTERNAL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_internal_is_nothing_for_clients() {
        let all =
            ["a.Api", "a.internal.Pool", "a.internal.pool.Slot", "a.internals.Other", "Internal", "b.internal.Only"];
        let names: BTreeMap<ClassId, String> =
            (0..).zip(all).map(|(id, name)| (ClassId(id), name.to_owned())).collect();
        let taken = |api: &[&str]| {
            let api: Vec<String> = api.iter().map(|text| (*text).to_owned()).collect();
            let (taken, internal) = taken(&names, &api);
            (taken.iter().map(|class| names[class].as_str()).collect::<Vec<_>>(), internal.len())
        };
        assert_eq!(taken(&[]), (vec!["a.Api", "a.internals.Other", "Internal"], 3));
        assert_eq!(taken(&["a.*"]), (vec!["a.Api", "a.internals.Other"], 2));
        assert_eq!(taken(&["a.internal.*"]), (vec!["a.internal.Pool", "a.internal.pool.Slot"], 0));
        // A pattern that has nothing else means it.
        assert_eq!(taken(&["b.*"]), (vec!["b.internal.Only"], 0));
        assert_eq!(
            taken(&["a.*", "a.internal.pool.*"]),
            (vec!["a.Api", "a.internal.pool.Slot", "a.internals.Other"], 1)
        );
    }
}
