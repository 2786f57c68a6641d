//! `jrace explain --summary`: the summary of a method.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use facts::name::dotted;
use facts::pattern::Pattern;
use modular::analysis::Limits;
use modular::explain::explain as explained;
use static_typer::program::{MethodId, Program};

use super::summaries::begin;
use crate::analysis::{Origin, jdk_said, load};
use crate::args::Explain;
use crate::document::spot::Locator;
use crate::entries::Entries;
use crate::formats::Outlets;
use crate::models;
use crate::output::{Stream, out_json};
use crate::races::summary::model::MethodSummary;
use crate::races::summary::{document, lines};
use crate::report::source::Sources;
use crate::report::words::{printable, some_of};
use crate::settings;

/// How many methods are listed of which one may be meant.
const MAX_LISTED: usize = 12;

/// Prints the summary of a method, or writes it as a document.
///
/// # Errors
/// The page cannot be written, the classes cannot be read, no method or several have the name, or nothing calls it.
pub fn explain(args: &Explain) -> Result<u8> {
    let classes = &args.classes;
    let outlets = Outlets::of(&args.forms)?;
    let mut is_program = false;
    let mut program =
        load(&classes.application, &classes.library, classes.jdk.as_deref(), Origin::ClassPath, |path| {
            is_program = path.is_program();
            Program::load(path)
        })?;
    models::tell(&mut program, models::file(classes.models.as_deref())?.as_deref())?;
    let entries = Entries::of(&args.begin, &program, is_program)?;
    let method = method(&program, &args.field)?;
    let resolution = modular::resolution(&program);
    let (begin, ..) = begin(&entries, &resolution)?;
    let explained = explained(&resolution, &begin, Limits::default(), &[method]);
    let title = full_name(&program, method);
    let Some(explanation) = explained.methods.get(&method) else {
        bail!(
            "nothing calls `{title}` from where the program begins ({}), so that it has no summary: name another class with --main, or what \
             others call with --api",
            entries.words
        );
    };
    if outlets.are_wanted() || args.json {
        let application = classes.application.iter().map(|path| path.display().to_string()).collect();
        let summary = MethodSummary::of(&explained, explanation, title.clone(), (application, entries.words.clone()));
        if args.json {
            out_json(&summary)?;
        }
        write(args, &outlets, &summary)?;
    }
    if !args.json {
        let lines = lines(&explained, explanation, &title);
        Stream::Out.show(&lines.iter().map(|line| printable(line) + "\n").collect::<String>());
    }
    Ok(0)
}

/// Writes the page.
fn write(args: &Explain, outlets: &Outlets<'_>, summary: &MethodSummary) -> Result<()> {
    let directory = std::env::current_dir().context("the working directory cannot be found")?;
    let shown = |path: &Path| settings::shown(path, &directory, "");
    let mut locator = Locator::new(Sources::default(), &shown);
    let jdk = jdk_said(args.classes.jdk.as_deref());
    outlets.write(&document::of(summary).made_of("JDK", jdk), &mut locator)
}

/// The method of the application that is meant.
fn method(program: &Program, text: &str) -> Result<MethodId> {
    let pattern = Pattern::whole(text);
    let is_meant =
        |method: &MethodId| pattern.matches(&name(program, *method)) || pattern.matches(&full_name(program, *method));
    let all = program.application().flat_map(|class| program.methods_of(class));
    let found: Vec<MethodId> = all.filter(|method| program.method(*method).has_code()).filter(is_meant).collect();
    match &found[..] {
        [] => bail!("no method with code is called `{text}`: write `package.Class.method`, `*` for any part"),
        [method] => Ok(*method),
        several => {
            let names: Vec<String> =
                several.iter().map(|method| format!("`{}`", full_name(program, *method))).collect();
            bail!("{} methods are called `{text}`: write which one, {}", several.len(), some_of(&names, MAX_LISTED))
        }
    }
}

/// `bank.Account.deposit`.
fn name(program: &Program, method: MethodId) -> String {
    let data = program.method(method);
    format!("{}.{}", dotted(&program.class_name(data.class)), program.names().text(data.name))
}

/// `bank.Account.deposit(int)`.
fn full_name(program: &Program, method: MethodId) -> String {
    let parameters = program.signature(method).parameters.iter();
    let types: Vec<String> = parameters.map(|ty| dotted(&program.names().show(*ty))).collect();
    format!("{}({})", name(program, method), types.join(", "))
}
