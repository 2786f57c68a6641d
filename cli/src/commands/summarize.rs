//! `jrace summarize`: the summaries of a part of a program, as an action of a build.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use facts::name::dotted;
use modular::analysis::{Analysis, Limits};
use modular::store::linked::Linked;
use static_typer::program::{ClassId, Program};

use crate::analysis::{Origin, load};
use crate::args::Summarize;
use crate::models;
use crate::output::say;
use crate::races::linked::{Folders, Made, Out, basis};
use crate::stages::Stages;

/// Writes the folder of a target.
///
/// # Errors
/// The classes cannot be read, a folder that is linked is none, or the folder cannot be written.
pub fn summarize(args: &Summarize) -> Result<u8> {
    let classes = &args.classes;
    let pattern = classes.application.iter().find(|path| path.file_name().is_some_and(|name| name == "*"));
    ensure!(pattern.is_none(), "a part is made of jars and directories that are named one by one, without `*`");
    let linked = Folders::open(&args.link)?;
    ensure!(!linked.has(&args.out), "`{}` is one of the folders to link: give --out another one", args.out.display());
    let models = models::file(classes.models.as_deref())?;
    let out = Out::at(&args.out)?;
    let mut stages = Stages::begin("reading classes");
    let all = [classes.application.clone(), linked.classes()].concat();
    let mut program = load(&all, &classes.library, classes.jdk.as_deref(), Origin::ClassPath, Program::load)?;
    models::tell(&mut program, models.as_deref())?;
    stages.next("method summaries");
    let basis = basis(classes.jdk.as_deref(), models.as_deref())?;
    let is_own = |class: ClassId| comes_from(&classes.application, program.origin(class));
    let store = Linked { parts: linked.parts(&basis), ..Linked::default() };
    let counts = Analysis::of_part(&modular::resolution(&program), is_own, Limits::default(), &store, &basis.build);
    stages.end();
    if counts.damaged > 0 {
        say("some of the summaries that are linked are damaged: they are made anew");
    }
    let own = program.application().filter(|class| is_own(*class));
    let names = own.map(|class| dotted(&program.class_name(class))).collect();
    let summaries = store.made.into_inner();
    out.write(&Made { archives: &classes.application, classes: names, linked: &linked, basis, summaries })?;
    Ok(0)
}

/// Whether a class comes from one of these archives, or from a jar inside of one.
fn comes_from(archives: &[PathBuf], origin: &Path) -> bool {
    let inside = |archive: &Path| [archive.as_os_str().as_encoded_bytes(), b"!"].concat();
    archives
        .iter()
        .any(|archive| origin == archive || origin.as_os_str().as_encoded_bytes().starts_with(&inside(archive)))
}
