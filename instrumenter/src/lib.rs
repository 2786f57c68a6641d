//! Class bytes in, woven class bytes out.
//!
//! The class file is spliced, not written anew: new code bodies, constants and fields go into the original bytes, and every
//! other byte stays. So a class with nothing to weave is untouched, attributes that this crate has never heard of survive,
//! and so do newer versions of the format. Woven code is straight-line calls of hooks (`facts::hook`); the branches are in
//! the helper class, so that frames only move.
//!
//! What cannot be woven keeps its bytes: a method that is damaged or would grow past what the format holds, a class that
//! cannot be read or whose constant pool is full. No input makes this crate panic.
//!
//! ```
//! use facts::hook::Events;
//! use instrumenter::{Outcome, Plan, WeaveError, weave};
//!
//! let mut sites = Vec::new();
//! let error = weave(b"not a class", &Plan::new(Events::ALL), &mut sites).unwrap_err();
//! assert_eq!(error.to_string(), "the class file is malformed: no class file magic number");
//! ```

// Casts of offsets and counts lose nothing: code is at most 65535 bytes long, and the limits are checked when code is read
// (JVMS 4.7.3) and when it is laid out (`layout`).

pub mod archive;
pub mod dump;
mod elide;
mod failure;
mod plan;
mod rewrite;
mod select;
mod weave;

use std::borrow::Cow;

use classfile::{Class, Front, flag, text};
use facts::models::Model;

pub use classfile::shape;
pub use plan::{
    NewAction, NewArray, NewContents, NewField, NewSite, Outcome, Plan, Reason, SiteSink, WeaveError, Woven,
};

use failure::Failure;
use rewrite::additions::{Additions, names_helper};
use rewrite::code::Code;
use rewrite::edits::Edits;
use rewrite::emit::Emitter;
use rewrite::layout::Layout;
use rewrite::splice::Splice;
use weave::ClassWeaver;
use weave::library::is_of;

/// The first facts of a class file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header<'a> {
    /// Internal name.
    pub name: Cow<'a, str>,
    /// Internal name of the superclass; only `java/lang/Object` and modules have none.
    pub super_name: Option<Cow<'a, str>>,
    /// Major version.
    pub version: u16,
    /// Access flags (JVMS 4.1).
    pub access_flags: u16,
}

/// Reads the first facts of a class file.
///
/// # Errors
/// The bytes are not a class file.
pub fn header(bytes: &[u8]) -> Result<Header<'_>, WeaveError> {
    let front = Front::read(bytes)?;
    let name = |index| front.pool.class_name(index).map(text);
    Ok(Header {
        name: name(front.this_class)?,
        super_name: if front.super_class == 0 { None } else { Some(name(front.super_class)?) },
        version: front.version,
        access_flags: front.access,
    })
}

/// The internal names of the classes that a class file names.
///
/// # Errors
/// The bytes are not a class file.
pub fn class_names(bytes: &[u8]) -> Result<Vec<Cow<'_, str>>, WeaveError> {
    let pool = Front::read(bytes)?.pool;
    Ok(pool.indices().filter_map(|index| pool.class_name(index).ok()).map(text).collect())
}

/// The internal names of the interfaces that a class says it implements.
///
/// # Errors
/// The bytes are not a class file.
pub fn interfaces(bytes: &[u8]) -> Result<Vec<Cow<'_, str>>, WeaveError> {
    let class = Class::read(bytes)?;
    Ok(class.interfaces().filter_map(|index| class.pool.class_name(index).ok()).map(text).collect())
}

/// The models of a class that none of its methods with code has the name, the descriptor and the form for.
///
/// # Errors
/// The bytes are not a class file.
pub fn misfits<'m>(bytes: &[u8], models: &'m [Model]) -> Result<Vec<&'m Model>, WeaveError> {
    let class = Class::read(bytes)?;
    let has = |model: &Model| class.methods.iter().any(|method| method.code.is_some() && is_of(model, method));
    Ok(models.iter().filter(|model| !has(model)).collect())
}

/// Weaves one class.
///
/// `java/lang/Object` and modules are never woven: the JVM depends on the exact form of the one, and the other has no code.
///
/// # Errors
/// The class keeps its bytes: it is damaged, woven already, or has no room for further constants.
pub fn weave(bytes: &[u8], plan: &Plan<'_>, sites: &mut dyn SiteSink) -> Result<Outcome, WeaveError> {
    let class = Class::read(bytes)?;
    if class.super_class == 0 || class.access & flag::MODULE != 0 {
        return Ok(Outcome::Unchanged);
    }
    if names_helper(&class.pool) {
        return Err(WeaveError::AlreadyWoven);
    }
    let name = text(class.pool.class_name(class.this_class)?);
    let (is_own, is_any) = (|field: NewField<'_>| field.class == name, |_: NewField<'_>| true);
    let smaller = [plan.without_checks(&is_own), plan.without_checks(&is_any)];
    let mut weaver = ClassWeaver::new(&class, plan, &smaller, sites)?;
    weaver.methods()?;
    weaver.splice.add_fields(&class, plan, &mut weaver.additions)?;
    if weaver.splice.is_empty() && weaver.unwoven.is_empty() {
        return Ok(Outcome::Unchanged);
    }
    let ClassWeaver { splice, additions, n_sites, unwoven, huge, .. } = weaver;
    let bytes = if splice.is_empty() {
        bytes.to_vec()
    } else {
        rewrite::references::check(&class)?;
        splice.join(&class, &additions)
    };
    Ok(Outcome::Woven(Woven { bytes, sites: n_sites, unwoven_methods: unwoven, huge_methods: huge }))
}

/// The class after every method was taken apart and put together again, for tests: the same bytes must come out.
///
/// # Errors
/// The class or one of its methods is damaged.
#[doc(hidden)]
pub fn identity(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let class = Class::read(bytes).map_err(|malformed| malformed.0.to_owned())?;
    let mut additions = Additions::new(&class.pool);
    let mut splice = Splice::default();
    for method in &class.methods {
        let Some(span) = method.code.clone() else { continue };
        let name = || text(method.name).into_owned();
        let code = Code::read(&bytes[span.clone()]).map_err(|malformed| name() + ": " + malformed.0)?;
        let edits = Edits::default();
        let layout = Layout::of(&code, &edits).map_err(|reason| format!("{}: {reason}", name()))?;
        let emitter = Emitter { class: &class, method, code: &code, edits: &edits, layout: &layout };
        splice.replace(span, |out| emitter.emit(&mut additions, out)).map_err(|_: Failure| name())?;
    }
    Ok(splice.join(&class, &additions))
}

/// The class with the locals in its frames that are dead made unusable, as ProGuard and R8 write frames, for tests.
///
/// # Errors
/// The class or one of its methods is damaged.
#[doc(hidden)]
pub fn forget_dead_locals(bytes: &[u8]) -> Result<Vec<u8>, String> {
    rewrite::liveness::forget_dead_locals(bytes)
}
