//! The classes of a library that its synthesized client uses, and how it comes to those that are not public.

use facts::name::dotted;
use schemars::JsonSchema;
use serde::Serialize;
use static_typer::points_to::Client;
use static_typer::program::{Program, Way};

/// How many classes a line names.
const MAX_NAMES: usize = 8;

/// What a client uses.
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct Api {
    /// Public classes.
    pub public: Vec<String>,
    /// Others, to which public ones lead.
    pub package_private: Vec<Reached>,
    /// Classes that were asked for to which none leads.
    pub unreached: Vec<String>,
}

/// A class that is not public.
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct Reached {
    /// Its name.
    pub class: String,
    /// `returned by bank.Bank.open`.
    pub by: String,
}

/// What a client takes; what it does not is told if classes were asked for.
pub fn of(program: &Program, client: &Client, is_asked: bool) -> Api {
    let mut api = Api { public: Vec::new(), package_private: Vec::new(), unreached: Vec::new() };
    for (class, way) in &client.classes {
        let class = dotted(&program.class_name(*class));
        match by(program, *way) {
            Some(by) => api.package_private.push(Reached { class, by }),
            None => api.public.push(class),
        }
    }
    let unreached = client.closed.iter().filter(|_| is_asked);
    api.unreached = unreached.map(|class| dotted(&program.class_name(*class))).collect();
    api
}

fn by(program: &Program, way: Way) -> Option<String> {
    match way {
        Way::Public => None,
        Way::Extended(class) => Some(format!("extended by {}", dotted(&program.class_name(class)))),
        Way::Field(field) => Some(format!("in {}", dotted(&program.field_name(field)))),
        Way::Method(method) => {
            let method = program.method(method);
            let class = dotted(&program.class_name(method.class));
            Some(format!("given out by {class}.{}", program.names().text(method.name)))
        }
    }
}

impl Api {
    /// A line each for what is called and what is not.
    pub fn lines(&self) -> Vec<String> {
        let reached = self.package_private.iter();
        let reached: Vec<String> = reached.map(|reached| format!("{} ({})", reached.class, reached.by)).collect();
        let lines = [
            ("the client calls public classes", &self.public),
            ("the client calls package-private classes", &reached),
            ("the client calls none of these, as no public class extends them or gives them out", &self.unreached),
        ];
        let some = lines.iter().filter(|(_, names)| !names.is_empty());
        some.map(|(what, names)| format!("{what}: {}", listed(names))).collect()
    }
}

fn listed(names: &[String]) -> String {
    let (shown, more) = names.split_at(names.len().min(MAX_NAMES));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    format!("{}{more}", shown.join(", "))
}
