//! Every field of the fixtures gets the type that its comment says, and every type error has its comment.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::root;
use static_typer::classpath::ClassPath;
use static_typer::program::{Base, Program};
use static_typer::types::{Bodies, FieldType, Guard, Owner, Root, Rule, Types};

/// Errors by file and line, types by `Class.field`; sorted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Expected {
    types: BTreeMap<String, String>,
    errors: Vec<(String, u16, String)>,
}

/// `// type: …` stands behind a field's declaration, `// error: …` behind what is wrong, and both behind a declaration.
fn expected(files: &[PathBuf]) -> Result<Expected> {
    let mut expected = Expected::default();
    for path in files {
        let file = path.file_name().and_then(|name| name.to_str()).context("a file name")?.to_owned();
        let mut class = String::new();
        for (n, line) in std::fs::read_to_string(path)?.lines().enumerate() {
            if let Some((_, after)) = line.split_once("class ").filter(|_| line.ends_with('{')) {
                class = after.split([' ', '<']).next().unwrap_or_default().to_owned();
            }
            let Some((code, comment)) = line.split_once("// ") else { continue };
            let (ty, errors) = comment.split_once("error: ").unwrap_or((comment, ""));
            if let Some(ty) = ty.strip_prefix("type: ") {
                let declared = code.split(['=', ';']).next().unwrap_or_default().trim();
                let field = declared.rsplit(' ').next().unwrap_or_default();
                expected.types.insert(format!("{class}.{field}"), ty.trim().to_owned());
            }
            // A declaration has no line in a class file.
            let line = if ty.is_empty() { u16::try_from(n + 1)? } else { 0 };
            expected.errors.extend(errors.split_whitespace().map(|error| (file.clone(), line, error.to_owned())));
        }
    }
    expected.errors.sort();
    Ok(expected)
}

fn simple(name: &str) -> &str {
    name.rsplit(['/', '$']).next().unwrap_or(name)
}

fn guard(program: &Program, guard: &Guard) -> String {
    let name = |field| program.names().text(program.field(field).name).into_owned();
    let mut text = match guard.path.root {
        Root::Class(ty) => match ty.base {
            Base::Class(class) => format!("{}.class", simple(&program.names().text(class))),
            _ => "?".to_owned(),
        },
        Root::Static(field) => format!("{}.{}", simple(&program.class_name(program.field(field).class)), name(field)),
        Root::Text(text) => program.names().text(text).into_owned(),
        Root::Parameter(_) | Root::Value(_) => "this".to_owned(),
        Root::Owner(_) => "owner".to_owned(),
    };
    guard.path.fields.iter().for_each(|field| text += &format!(".{}", name(*field)));
    text
}

fn ty(program: &Program, field: &FieldType) -> String {
    match &field.owner {
        None => "unsafe".to_owned(),
        Some(Owner::Final) => "final".to_owned(),
        Some(Owner::Volatile) => "volatile".to_owned(),
        Some(Owner::Unique) => "unique".to_owned(),
        Some(Owner::ReadOnly) => "read-only".to_owned(),
        Some(Owner::MainThread) => "main thread".to_owned(),
        Some(Owner::ThisThread) => "confined".to_owned(),
        Some(Owner::Guarded(lock)) => format!("guarded {}", guard(program, lock)),
    }
}

fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::UnguardedAccess => "unguarded-access",
        Rule::UnheldCall => "unheld-call",
        Rule::NoLock => "no-lock",
        Rule::MutableClass => "mutable-class",
        Rule::UnsafeClass => "unsafe-class",
        Rule::SharedObject => "shared-object",
        Rule::NoOwner => "no-owner",
        Rule::LockArgument => "lock-argument",
    }
}

fn found(classes: &Path, jdk: &Jdk) -> Result<Expected> {
    let mut path = ClassPath::open(&[classes.to_owned()], &[], Some(&jdk.home))?;
    Ok(typed(&Program::load(&mut path)))
}

fn typed(program: &Program) -> Expected {
    let bodies = Bodies::of(program);
    shown(program, &bodies, &Types::infer(program, &bodies))
}

fn shown(program: &Program, bodies: &Bodies, types: &Types) -> Expected {
    let mut found = Expected::default();
    for field in &types.fields {
        let data = program.field(field.field);
        let name = program.names().text(data.name);
        if !name.starts_with("this$") {
            found.types.insert(format!("{}.{name}", simple(&program.class_name(data.class))), ty(program, field));
        }
    }
    for error in &types.errors {
        let line = error.place.and_then(|(method, value)| bodies.get(method)?.line(value)).unwrap_or(0);
        let class = match error.subject {
            static_typer::types::Subject::Field(field) => program.field(field).class,
            static_typer::types::Subject::Method(method) => program.method(method).class,
            static_typer::types::Subject::Class(class) => class,
        };
        let file = program.class(class).source_file.map(|file| program.names().text(file).into_owned());
        found.errors.push((file.unwrap_or_default(), line, rule(error.rule).to_owned()));
    }
    found.errors.sort();
    found
}

#[test]
fn fields_have_the_types_that_their_comments_say() -> Result<()> {
    have_types(&sources(&root().join("tests/java/types"))?)
}

/// What one class does may concern every call of the program: of a library that calls back, of a lock that is extended.
#[test]
fn fields_of_programs_by_themselves_have_the_types_that_their_comments_say() -> Result<()> {
    for program in ["callbacks", "extended", "remote", "replaced"] {
        have_types(&sources(&root().join("tests/java/calls").join(program))?)?;
    }
    Ok(())
}

/// With the code of libraries it is known which of their locks still lock. Without, none is taken to, but for a known miss: a class that the
/// program does not name is not seen.
#[test]
fn locks_of_libraries_may_not_lock() -> Result<()> {
    let folder = root().join("tests/java/calls/foreign");
    let jdk = Jdk::oldest();
    let libraries = [compiled(&jdk, &sources(&folder.join("library"))?, &["-g", "--release", "17"])?];
    let with = libraries[0].to_str().context("a path")?;
    for (program, field, without) in
        [("program", "Foreign.counted", "unsafe"), ("unnamed", "Unnamed.given", "guarded this.hidden")]
    {
        let files = sources(&folder.join(program))?;
        let classes = [compiled(&jdk, &files, &["-g", "--release", "17", "-cp", with])?];
        let open = || ClassPath::open(&classes, &libraries, Some(&jdk.home));
        let mut expected = expected(&files)?.types;
        assert_eq!(typed(&Program::load_whole(&mut open()?)).types, expected);
        expected.insert(field.into(), without.into());
        assert_eq!(typed(&Program::load(&mut open()?)).types, expected);
    }
    Ok(())
}

/// Nor is it proved.
#[test]
fn what_code_could_break_that_is_not_there_is_no_error() -> Result<()> {
    let files = sources(&root().join("tests/java/calls/believed"))?;
    let all =
        [&files[..], &sources(&root().join("annotations"))?, &sources(&root().join("tests/java/types/net"))?].concat();
    let jdk = Jdk::oldest();
    let classes = compiled(&jdk, &all, &["-g", "--release", "17"])?;
    let program = &Program::load(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let bodies = Bodies::of(program);
    let types = Types::infer(program, &bodies);
    let believed = shown(program, &bodies, &types.believed(program, &bodies));
    let proved = shown(program, &bodies, &types);
    let expected = expected(&files)?;
    assert_eq!(Expected { errors: believed.errors.clone(), ..proved.clone() }, expected);
    assert!(believed.errors.len() < proved.errors.len());
    Ok(())
}

fn have_types(files: &[PathBuf]) -> Result<()> {
    let expected = expected(files)?;
    let annotations = sources(&root().join("annotations"))?;
    let (jdk, files) = (Jdk::oldest(), [files, &annotations].concat());
    for release in ["8", "17"] {
        let classes = compiled(&jdk, &files, &["-g", "-Xlint:-options", "--release", release])?;
        let found = found(&classes, &jdk)?;
        let differs = |(field, ty): &(&String, &String)| expected.types.get(*field) != Some(*ty);
        let wrong: Vec<_> = found.types.iter().filter(differs).collect();
        ensure!(wrong.is_empty(), "found, but not expected (release {release}): {wrong:?}");
        ensure!(found.types.len() == expected.types.len(), "{:?} are not {:?}", found.types, expected.types);
        ensure!(found.errors == expected.errors, "{:#?}\nare not {:#?}", found.errors, expected.errors);
    }
    Ok(())
}

/// Of JDK 17's `Vector` and `Hashtable`, the fields that are not always guarded, and the methods that access them without the
/// lock, which are of four kinds:
///
/// - Reads that race: `hasMoreElements`, `hasNext` and `Enumerator.next`, which the JDK leaves so on purpose; and iterators
///   made without the lock (`getIterator`, `Enumerator.<init>`), as `Collections.synchronizedSet` asks its users to take it.
/// - False alarms on objects that nobody else has yet: `clone`, `readObject`, `readHashtable`, `reconstitutionPut`, and
///   `defaultWriteHashtable` on a stand-in of `Properties`.
/// - False alarms on `EntrySet`, `KeySet` and `ValueCollection`: they are handed out in wrappers that lock the table.
/// - `rehash`, which a subclass may call without the lock, as it is protected.
const UNGUARDED: [(&str, &str); 7] = [
    ("Vector.elementCount", "Vector$1.hasMoreElements Vector$Itr.hasNext Vector.readObject"),
    ("Vector.elementData", "Vector.clone Vector.readObject"),
    (
        "Hashtable.count",
        "Hashtable$EntrySet.remove Hashtable$EntrySet.size Hashtable$KeySet.size Hashtable$ValueCollection.size \
         Hashtable.getIterator Hashtable.readHashtable Hashtable.reconstitutionPut",
    ),
    ("Hashtable.loadFactor", "Hashtable.defaultWriteHashtable Hashtable.rehash"),
    (
        "Hashtable.modCount",
        "Hashtable$EntrySet.remove Hashtable$Enumerator.<init> Hashtable$Enumerator.next Hashtable$Enumerator.remove \
         Hashtable.clone Hashtable.rehash",
    ),
    (
        "Hashtable.table",
        "Hashtable$EntrySet.contains Hashtable$EntrySet.remove Hashtable$Enumerator.<init> Hashtable.clone \
         Hashtable.readHashtable Hashtable.rehash",
    ),
    ("Hashtable.threshold", "Hashtable.defaultWriteHashtable Hashtable.readHashtable Hashtable.rehash"),
];

#[test]
fn the_warnings_of_vector_and_hashtable_are_explained() -> Result<()> {
    let jdk = Jdk::oldest();
    let folder = tempfile::tempdir()?;
    let classes = jdk.vector_and_hashtable(folder.path())?;
    let mut path = ClassPath::open(&[classes], &[], Some(&jdk.home))?;
    let program = Program::load(&mut path);
    let bodies = Bodies::of(&program);
    let types = Types::infer(&program, &bodies);
    let own = |field: &FieldType| {
        let data = program.field(field.field);
        let class = simple(&program.class_name(data.class)).to_owned();
        // Iterators and entries are for the clients to guard.
        let is_own = !program.class_name(data.class).contains('$');
        is_own.then(|| format!("{class}.{}", program.names().text(data.name)))
    };
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for field in types.unsafe_fields() {
        let Some(name) = own(field) else { continue };
        let unguarded = field.accesses.iter().filter(|access| access.guards.is_empty());
        let method = |access: &static_typer::types::Access| {
            let method = program.method(access.method);
            let class = program.class_name(method.class).into_owned();
            format!("{}.{}", class.trim_start_matches("java/util/"), program.names().text(method.name))
        };
        found.insert(name, unguarded.map(method).collect());
    }
    let expected = UNGUARDED.map(|(field, methods)| {
        (field.to_owned(), methods.split(' ').map(str::to_owned).collect::<BTreeSet<String>>())
    });
    ensure!(found == BTreeMap::from(expected), "{found:#?}");
    Ok(())
}
