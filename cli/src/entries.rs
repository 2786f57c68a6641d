//! Where an application begins: what is an entry is one decision for `jrace check` and `jrace races`, and both print it.

use anyhow::{Result, bail, ensure};
use facts::name::dotted;
use facts::pattern::Pattern;
use static_typer::points_to::{Client, test_methods};
use static_typer::program::{ClassId, MethodId, Program};

use crate::args::Begin;
use crate::report::words::{count, printable};

/// Who calls an application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caller {
    /// The JVM, by `main`.
    Jvm,
    /// A test framework.
    Tests,
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
        let has_mains = || is_program && !program.main_methods().is_empty();
        if begin.main.is_some() || begin.api.is_empty() && has_mains() {
            return Self::mains(program, begin.main.as_deref());
        }
        Self::clients(program, &begin.api)
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

    fn mains(program: &Program, class: Option<&str>) -> Result<Self> {
        let mut methods = program.main_methods();
        let class_of = |main: &MethodId| dotted(&program.class_name(program.method(*main).class));
        if let Some(class) = class {
            methods.retain(|main| class_of(main) == class);
            if methods.is_empty() {
                bail!("`{class}` has no method `public static void main(String[])`: name another class with --main");
            }
        }
        let others = match methods.len().saturating_sub(1) {
            0 => String::new(),
            number => format!(" and {}", count(number as u64, "other")),
        };
        let words = format!("`main` of {}{others}", methods.first().map(class_of).unwrap_or_default());
        Ok(Self::of_methods(Caller::Jvm, methods, words))
    }

    fn clients(program: &Program, api: &[String]) -> Result<Self> {
        let patterns: Vec<Pattern> = api.iter().map(|pattern| Pattern::whole(pattern)).collect();
        let is_in = |class: ClassId| {
            let name = dotted(&program.class_name(class));
            patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(&name))
        };
        for (text, pattern) in api.iter().zip(&patterns) {
            let mut names = program.application().map(|class| dotted(&program.class_name(class)));
            ensure!(
                names.any(|name| pattern.matches(&name)),
                "no class is called `{text}`: write `package.Class`, `*` for any part"
            );
        }
        let client = Client::of(program, &is_in);
        let methods: Vec<MethodId> = client.all_methods().collect();
        let of = if api.is_empty() { "all public classes".to_owned() } else { format!("`{}`", api.join("`, `")) };
        let words = format!("{} that clients may call, of {of}", count(methods.len() as u64, "method"));
        Ok(Self { client, names_classes: !api.is_empty(), ..Self::of_methods(Caller::Clients, methods, words) })
    }

    fn of_methods(caller: Caller, methods: Vec<MethodId>, words: String) -> Self {
        Self { caller, methods, client: Client::default(), names_classes: false, words }
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
    pub fn has_clients(&self) -> bool {
        self.caller == Caller::Clients
    }

    /// The line that says it.
    pub fn line(words: &str) -> String {
        printable(&format!("ENTRIES: {words}")) + "\n"
    }
}
