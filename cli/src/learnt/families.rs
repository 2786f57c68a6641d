//! Classes that a program makes in each run under other names: [families](facts::focus::Family).
//!
//! They show by coming under two names. What a run has brought is held against what is known already: new classes that are known ones but
//! for their names, which nothing else names, are a copy of these. A copy is not kept. What it is a copy of is typed twice from then on,
//! the second time under names of its own, so that no proof takes it that there is one only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use facts::focus::{Naming, ReflectedMember, hash};
use instrumenter::shape::{self, Name, Shape};

use super::{files, put, version};

/// What the names of second copies end with.
const TWIN: &str = "$$Twin";

/// How many times classes are held against each other at most, for one group of new ones.
const PATIENCE: usize = 10_000;

/// Families, each with the names of its classes, of which some may not have been loaded.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Families(pub Vec<BTreeSet<String>>);

impl Families {
    /// Those that earlier runs have shown.
    pub fn read(path: &Path) -> Self {
        let read = |bytes: Vec<u8>| serde_json::from_slice(&bytes).ok();
        Self(fs::read(path).ok().and_then(read).unwrap_or_default())
    }

    /// Keeps them.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        fs::write(path, serde_json::to_vec(&self.0)?)
    }

    /// A member of the second copy, for one of the first.
    pub fn twin(&self, reflected: &ReflectedMember) -> Option<ReflectedMember> {
        let family = self.0.iter().find(|family| family.contains(&reflected.class))?;
        Some(reflected.renamed(&twin(family)))
    }

    fn has(&self, class: &str) -> bool {
        self.0.iter().any(|family| family.contains(class))
    }

    /// With those of a family that share a class with it.
    fn closed(&self, mut classes: BTreeSet<String>) -> BTreeSet<String> {
        let joined = self.0.iter().filter(|family| !family.is_disjoint(&classes)).flatten().cloned();
        classes.extend(joined.collect::<Vec<_>>());
        classes
    }

    fn add(&mut self, family: BTreeSet<String>) {
        self.0.retain(|known| known.is_disjoint(&family));
        self.0.push(family);
        self.0.sort();
    }
}

fn twin(family: &BTreeSet<String>) -> Naming {
    let classes = family.iter().map(|class| (class.clone(), format!("{class}{TWIN}"))).collect();
    Naming { classes, ..Naming::default() }
}

/// A class file, below the folder of its run or of what is known.
struct Copied {
    class: String,
    file: PathBuf,
    bytes: Vec<u8>,
}

impl Copied {
    fn read(folder: &Path, file: PathBuf) -> io::Result<Option<Self>> {
        let Some((class, _)) = version(&file) else { return Ok(None) };
        let bytes = fs::read(folder.join(&file))?;
        Ok(Some(Self { class, file, bytes }))
    }

    /// What cannot be read has no names: it is not woven either.
    fn shape(&self) -> Shape<'_> {
        Shape::read(&self.bytes).unwrap_or(Shape { skeleton: 0, names: Vec::new() })
    }

    fn renamed(&self, naming: &Naming) -> Option<Vec<u8>> {
        shape::renamed(&self.bytes, &|class| naming.classes.get(class).cloned()).ok()
    }
}

/// Takes copies of what is known out of what a run has copied, and says what they are called. `checked` and `from` are folders of
/// classes that are checked.
pub fn take_copies(families: &mut Families, checked: &Path, from: &Path) -> io::Result<Vec<Naming>> {
    let is_twin = |file: &PathBuf| version(file).is_some_and(|(class, _)| class.ends_with(TWIN));
    let is_new = |file: &PathBuf| !checked.join(file).exists();
    let read = |folder: &Path, files: Vec<PathBuf>| -> io::Result<Vec<Copied>> {
        files.into_iter().filter_map(|file| Copied::read(folder, file).transpose()).collect()
    };
    let new = read(from, files(from)?.into_iter().filter(is_new).collect())?;
    if new.is_empty() || !checked.is_dir() {
        return Ok(Vec::new());
    }
    let known = read(checked, files(checked)?.into_iter().filter(|file| !is_twin(file)).collect())?;
    let comparison = Comparison::of(&known, &new);
    let mut namings = Vec::new();
    for group in comparison.groups() {
        let naming = comparison.naming(families, &group);
        for class in group.iter().map(|class| &new[*class]) {
            match &naming {
                Some(_) => fs::remove_file(from.join(&class.file))?,
                None => make_room(families, from, class)?,
            }
        }
        if let Some(naming) = naming {
            families.add(families.closed(naming.classes.keys().cloned().collect()));
            namings.push(naming);
        }
    }
    write_twins(families, &known, checked)?;
    Ok(namings)
}

/// A new class keeps out of the way of a family that has its name.
fn make_room(families: &Families, from: &Path, class: &Copied) -> io::Result<()> {
    let own = format!("{}${:016x}", class.class, hash(&class.bytes));
    let naming = Naming { classes: BTreeMap::from([(class.class.clone(), own.clone())]), ..Naming::default() };
    let renamed = families.has(&class.class).then(|| class.renamed(&naming)).flatten();
    match renamed {
        Some(bytes) => {
            fs::remove_file(from.join(&class.file))?;
            fs::write(from.join(format!("{own}.{:016x}.class", hash(&bytes))), bytes)
        }
        None => Ok(()),
    }
}

/// Second copies of all families.
fn write_twins(families: &Families, known: &[Copied], checked: &Path) -> io::Result<()> {
    for family in &families.0 {
        let naming = twin(family);
        for class in known.iter().filter(|class| family.contains(&class.class)) {
            let Some(bytes) = class.renamed(&naming) else { continue };
            let file = checked.join(format!("{}.{:016x}.class", naming.class(&class.class), hash(&bytes)));
            if !file.exists() {
                let part = checked.with_file_name("twin.part");
                fs::write(&part, bytes)?;
                put(&part, &file)?;
            }
        }
    }
    Ok(())
}

/// Known and new classes.
struct Comparison<'a> {
    known: &'a [Copied],
    new: Vec<(&'a Copied, Shape<'a>)>,
    /// Known classes by the numbers of their skeletons.
    alike: BTreeMap<u64, Vec<usize>>,
    /// Which known classes name a class.
    naming: BTreeMap<String, BTreeSet<usize>>,
    /// Known classes, and members that they name.
    meant: BTreeSet<String>,
}

impl<'a> Comparison<'a> {
    fn of(known: &'a [Copied], new: &'a [Copied]) -> Self {
        let mut alike = BTreeMap::<u64, Vec<usize>>::new();
        let mut naming = BTreeMap::<String, BTreeSet<usize>>::new();
        let mut meant: BTreeSet<String> = known.iter().map(|class| class.class.clone()).collect();
        for (at, class) in known.iter().enumerate() {
            let shape = class.shape();
            alike.entry(shape.skeleton).or_default().push(at);
            for name in shape.names.iter().filter_map(named) {
                naming.entry(name).or_default().insert(at);
            }
            let of_members = shape.names.iter().filter(|name| matches!(name, Name::Member(_)));
            meant.extend(of_members.map(|name| name.as_str().to_owned()));
        }
        Self { known, new: new.iter().map(|class| (class, class.shape())).collect(), alike, naming, meant }
    }

    /// New classes, those together that name each other.
    fn groups(&self) -> Vec<Vec<usize>> {
        let of = |name: &str| self.new.iter().position(|(class, _)| class.class == name);
        let mut group: Vec<usize> = (0..self.new.len()).collect();
        for (at, (_, shape)) in self.new.iter().enumerate() {
            for other in shape.classes().into_iter().filter_map(of) {
                let (one, another) = (group[at], group[other]);
                group.iter_mut().filter(|group| **group == another).for_each(|group| *group = one);
            }
        }
        let mut groups = BTreeMap::<usize, Vec<usize>>::new();
        group.iter().enumerate().for_each(|(at, group)| groups.entry(*group).or_default().push(at));
        groups.into_values().collect()
    }

    /// What a group of new classes is called, if it is a copy of known ones.
    fn naming(&self, families: &Families, group: &[usize]) -> Option<Naming> {
        let mut patience = PATIENCE;
        self.search(families, group, &Naming::default(), &mut patience)
    }

    fn search(&self, families: &Families, group: &[usize], so_far: &Naming, patience: &mut usize) -> Option<Naming> {
        let Some((first, rest)) = group.split_first() else {
            return self.is_copy(families, so_far).then(|| so_far.clone());
        };
        let (class, shape) = &self.new[*first];
        for known in self.alike.get(&shape.skeleton)?.iter().map(|known| &self.known[*known]) {
            *patience = patience.checked_sub(1)?;
            let own = self.difference((known, &known.shape()), (class, shape));
            let joined = own.and_then(|own| so_far.clone().join(&own));
            if let Some(found) = joined.and_then(|joined| self.search(families, rest, &joined, patience)) {
                return Some(found);
            }
        }
        None
    }

    /// Whether nothing else names the classes, neither the known ones nor the new ones, and only what tools make has other names.
    fn is_copy(&self, families: &Families, naming: &Naming) -> bool {
        let family = families.closed(naming.classes.keys().cloned().collect());
        let namers = |name: &String| self.naming.get(name).into_iter().flatten().map(|at| &self.known[*at].class);
        let is_anonymous = |known: &String| namers(known).all(|namer| family.contains(namer));
        let is_new = |new: &String| namers(new).all(|namer| namer == new || families.has(namer));
        let of_family = || self.known.iter().filter(|class| family.contains(&class.class));
        let made = |classes: &mut dyn Iterator<Item = &'a Copied>| -> BTreeSet<String> {
            classes.flat_map(|class| shape::synthetic_members(&class.bytes).unwrap_or_default()).collect()
        };
        let (made_known, made_new) = (made(&mut of_family()), made(&mut self.new.iter().map(|(class, _)| *class)));
        family.iter().all(is_anonymous)
            && naming.classes.values().all(is_new)
            && naming.members.iter().all(|(known, new)| made_known.contains(known) && made_new.contains(new))
            && of_family().all(|class| class.renamed(&twin(&family)).is_some())
    }

    /// The names in which a new class differs from a known one, if it differs in nothing else and they are of one package.
    fn difference(
        &self,
        (known, of_known): (&Copied, &Shape<'_>),
        (new, of_new): (&Copied, &Shape<'_>),
    ) -> Option<Naming> {
        if known.class == new.class || of_known.names.len() != of_new.names.len() {
            return None;
        }
        let mut naming = Naming::default();
        for pair in of_known.names.iter().zip(&of_new.names).filter(|(known, new)| known != new) {
            let (names, (before, after)) = match pair {
                (Name::Class(before), Name::Class(after)) => (&mut naming.classes, (before, after)),
                (Name::Member(before), Name::Member(after)) => (&mut naming.members, (before, after)),
                (Name::Text(before), Name::Text(after)) if !self.is_meant(before) && !self.is_meant(after) => continue,
                _ => return None,
            };
            let other = names.insert(before.clone().into_owned(), after.clone().into_owned());
            if other.is_some_and(|other| other != **after) {
                return None;
            }
        }
        let is_near = |(before, after): (&String, &String)| {
            package(before) == package(&known.class) && package(after) == package(&new.class)
        };
        let is_own = naming.classes.get(&known.class) == Some(&new.class);
        (is_own && naming.classes.iter().all(is_near)).then_some(naming)
    }

    /// Whether a string may stand for a class or a member that is known.
    fn is_meant(&self, text: &str) -> bool {
        self.meant.contains(&text.replace('.', "/"))
    }
}

/// The class that a name may stand for.
fn named(name: &Name<'_>) -> Option<String> {
    match name {
        Name::Class(class) => Some(class.clone().into_owned()),
        Name::Text(text) => Some(text.replace('.', "/")),
        Name::Member(_) => None,
    }
}

fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}
