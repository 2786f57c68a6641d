//! What is said of races: the qualifier `norace` of paper 003, section 3.2, its opposite, and where types have them.
//!
//! The paper's typing rules keep what is so qualified from being used under a plain type. Here nothing has to: an access counts by
//! what it is of, under whichever type.

use classfile::signature::{Mention as Written, Step, of_field, of_method};
use classfile::type_annotation::{Target, TypeAnnotation};
use classfile::{Class, Member, Pool};

use crate::program::{Annotation, ClassId, FieldId, Program, Type};

/// What is said of races on a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Qualifier {
    /// There is to be none.
    NoRace,
    /// They do no harm.
    MayRace,
}

const NO_RACE: &str = "jrace/annotations/NoRace";
const MAY_RACE: &str = "jrace/annotations/MayRace";

impl Qualifier {
    /// That of an annotation.
    #[must_use]
    pub fn of_annotation(class: &str) -> Option<Self> {
        match class {
            NO_RACE => Some(Self::NoRace),
            MAY_RACE => Some(Self::MayRace),
            _ => None,
        }
    }

    /// What a class says of all its fields.
    #[must_use]
    pub fn of_class(program: &Program, class: ClassId) -> Option<Self> {
        Self::of(program, &program.class(class).annotations)
    }

    /// What a field says itself.
    #[must_use]
    pub fn of_field(program: &Program, field: FieldId) -> Option<Self> {
        Self::of(program, &program.field(field).annotations)
    }

    /// Where both are said, there is to be none.
    fn of(program: &Program, annotations: &[Annotation]) -> Option<Self> {
        let all = annotations.iter().filter_map(|of| Self::of_annotation(&program.names().text(of.class)));
        all.reduce(|a, b| if a == Self::NoRace { a } else { b })
    }
}

/// A type that the header of a field or a method mentions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mention {
    /// Its erasure; none for type variables, and for classes that the program has not.
    pub ty: Option<Type>,
    /// The number of the mention of which it is an argument or an element.
    pub within: Option<usize>,
    /// Whether no race is to be on what has the type there.
    pub is_norace: bool,
}

/// The types of a field, or those of a method at one of its parameters or in what it returns, each after those that it is within.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The field, if it is one.
    pub field: Option<FieldId>,
    /// The types.
    pub mentions: Vec<Mention>,
}

/// The headers of what a class of the application declares.
#[must_use]
pub fn headers(program: &Program, class: ClassId) -> Vec<Header> {
    let Ok(file) = Class::read(program.bytes(class)) else { return Vec::new() };
    let fields = program.fields_of(class).zip(&file.fields);
    let fields = fields.filter_map(|(id, field)| {
        let mentions = of_field(signature(field, &file.pool))?;
        Some(Header { field: Some(id), mentions: marked(program, &file, field, Target::Field, &mentions) })
    });
    fields.chain(file.methods.iter().flat_map(|method| of_parameters(program, &file, method))).collect()
}

fn of_parameters(program: &Program, file: &Class<'_>, method: &Member<'_>) -> Vec<Header> {
    let types = of_method(signature(method, &file.pool)).unwrap_or_default();
    let n_parameters = types.len().saturating_sub(1);
    let target = |n: usize| if n < n_parameters { Target::Parameter(n as u8) } else { Target::Result };
    let header = |(n, mentions): (usize, &Vec<Written>)| Header {
        field: None,
        mentions: marked(program, file, method, target(n), mentions),
    };
    types.iter().enumerate().map(header).collect()
}

/// The signature of a member; its descriptor, if it has none.
fn signature<'a>(member: &Member<'a>, pool: &Pool<'a>) -> &'a [u8] {
    let mut all = member.attributes.named(pool, b"Signature");
    let index = all.next().and_then(|contents| Some(u16::from_be_bytes(contents.try_into().ok()?)));
    index.and_then(|index| pool.utf8(index).ok()).unwrap_or(member.descriptor)
}

/// The types with what their annotations say.
fn marked(
    program: &Program,
    file: &Class<'_>,
    member: &Member<'_>,
    target: Target,
    mentions: &[Written],
) -> Vec<Mention> {
    let is_norace = |of: u16| file.pool.utf8(of) == Ok(b"Ljrace/annotations/NoRace;");
    let of_types = TypeAnnotation::all(member.attributes, &file.pool);
    let of_types = of_types.into_iter().filter(|of| of.target == target && is_norace(of.annotation.descriptor));
    let mut paths: Vec<Vec<Step>> = of_types.map(|of| of.path).collect();
    let declared = classfile::annotation::Annotation::all(member.attributes, &file.pool);
    if declared.iter().any(|of| is_norace(of.descriptor)) {
        // What is written before a field is of its type, too (JLS 9.7.4): of what the array is made of.
        paths.retain(|path| path.iter().any(|step| *step != Step::Element) || path.len() != dimensions(mentions));
    }
    let names = program.names();
    let mention = |of: &Written| Mention {
        ty: of.descriptor.as_ref().and_then(|text| names.get_type(text)),
        within: of.within,
        is_norace: paths.contains(&of.path),
    };
    mentions.iter().map(mention).collect()
}

/// Those of an array; none for what is no array.
fn dimensions(mentions: &[Written]) -> usize {
    mentions.iter().take_while(|of| of.path.iter().all(|step| *step == Step::Element)).count().saturating_sub(1)
}
