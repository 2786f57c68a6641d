//! The code that stands for whoever calls the application, for both searches.

use anyhow::{Result, ensure};
use facts::name::dotted;
use static_typer::points_to::{Client, Code, Resolution, environment};
use static_typer::program::Program;

use crate::entries::{Caller, Entries};
use crate::races::api::{self, Api};

/// The code that everything begins with.
pub struct Environment {
    /// The code.
    pub code: Code,
    /// What it cannot do.
    pub assumptions: Vec<String>,
    /// The classes that it takes, if it is a client's.
    pub api: Option<Api>,
}

impl From<Code> for Environment {
    fn from(code: Code) -> Self {
        Self { code, assumptions: Vec::new(), api: None }
    }
}

impl Environment {
    /// That which the entries call for.
    ///
    /// # Errors
    /// There is nothing to begin with.
    pub fn of(entries: &Entries, resolution: &Resolution<'_>) -> Result<Self> {
        let (program, methods) = (resolution.program, &entries.methods);
        match entries.caller {
            Caller::Tests => return Ok(environment::tests(resolution, methods).into()),
            Caller::Jvm => return Ok(environment::mains(resolution, methods).into()),
            Caller::Frameworks => {
                let mut mains = program.main_methods();
                mains.retain(|main| methods.contains(main));
                return Ok(environment::requests(resolution, &mains, &entries.beans).into());
            }
            Caller::Clients => {}
        }
        let client = &entries.client;
        ensure!(!client.is_empty(), nothing_to_call(program, client));
        let (code, implemented) = environment::harness(resolution, client);
        let implemented: Vec<String> = implemented.iter().map(|ty| dotted(&program.names().show(*ty))).collect();
        let assumption = format!("what clients do that implement {}", implemented.join(", "));
        let assumptions = if implemented.is_empty() { Vec::new() } else { vec![assumption] };
        // Without patterns nobody has asked for the classes that are left out.
        Ok(Self { code, assumptions, api: Some(api::of(program, client, entries.names_classes)) })
    }
}

fn nothing_to_call(program: &Program, client: &Client) -> String {
    match client.closed.first() {
        Some(class) if client.classes.is_empty() => format!(
            "no class that was named is public, and no public class extends or gives out `{}`: name the public classes that use \
             it, or a class with a `main` with --main",
            dotted(&program.class_name(*class))
        ),
        _ => "no public method was found to begin with: name a class with --main, or classes with --api".to_owned(),
    }
}
