//! The classes that a command runs, as its JVMs have copied them, and the focus set that was proved about them.
//!
//! `OUTPUT/focus/` holds `classes/checked/…/NAME.HASH.class`, `classes/library/…/NAME.class` and a focus set of each mode. A run
//! copies the classes that are not there to a folder of its own; afterwards they take the place of earlier versions. `unforeseen`
//! says which method ran though the search for races counts on it not to; then only types count. `parallel` names a test that ran
//! in a second thread; then the search takes it that tests run in any number of threads. Classes that are not checked but use
//! checked ones join them: a proof has to know every caller. `reflected` lists members that reflection or handles have accessed, of which no
//! proof counts on knowing all that is done with them. `raced` lists references that have raced: who gets an object by one knows nothing
//! of what was done to it. `families` lists classes that come under other names in each run.

pub mod families;
mod proxies;
mod raced;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use facts::finding::Variable;
use facts::focus::{FocusSet, Naming, ReflectedMember, hash};

use crate::abandoned::Owner;
use crate::analysis::{Analysis, jdk_version};
use crate::args::{Begin, Focus};
use crate::models;
use crate::output::{self, say};
use families::Families;

/// What a run notes of methods, which the next analysis is to know.
const UNFORESEEN: &str = "unforeseen";
const PARALLEL: &str = "parallel";

/// Which references have raced.
const RACED: &str = "raced";

/// Which classes come under other names in each run.
const FAMILIES: &str = "families";

/// Every kind of focus set.
const ALL: [Focus; 4] = [Focus::Field, Focus::Method, Focus::Combined, Focus::Unshared];

/// What is known of a command's classes.
pub struct Learnt {
    output: PathBuf,
    folder: PathBuf,
    /// The user's models, on which proofs count: with others, all is learnt anew.
    models: Option<PathBuf>,
}

impl Learnt {
    /// What earlier runs with this output directory and these models have learnt.
    pub fn of(output: &Path, models: Option<&Path>) -> Self {
        let text = models.and_then(|models| fs::read(models).ok());
        let name = text.map_or_else(|| "focus".to_owned(), |text| format!("focus-{:x}", hash(&text)));
        Self { output: output.to_owned(), folder: output.join(name), models: models.map(Path::to_owned) }
    }

    /// The user's models.
    pub fn models(&self) -> Option<&Path> {
        self.models.as_deref()
    }

    /// Whether there is nothing yet.
    pub fn is_empty(&self) -> bool {
        !self.checked().is_dir()
    }

    /// Where a run copies its classes to.
    pub fn of_run(&self) -> PathBuf {
        self.folder.join(format!("run-{}", std::process::id()))
    }

    /// The output directory.
    pub fn output(&self) -> &Path {
        &self.output
    }

    /// Where all of it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Notes that this process uses [`Self::of_run`].
    ///
    /// # Errors
    /// The output directory cannot be written.
    pub fn own_run(&self) -> Result<Owner> {
        let owned = output::create_private(&self.folder).and_then(|()| Owner::of(&self.of_run()));
        owned.with_context(|| format!("class files cannot be kept in `{}`", self.folder.display()))
    }

    /// A class of which the run had several versions, as class loaders may have: one of them will be kept.
    ///
    /// # Errors
    /// The run's classes cannot be read.
    pub fn in_versions(&self) -> Result<Option<String>> {
        let files = files(&self.of_run()).context("the classes of the run cannot be read")?;
        let mut seen = BTreeSet::new();
        let mut classes = files.iter().filter_map(|file| version(file.strip_prefix("checked").ok()?));
        Ok(classes.find_map(|(class, _)| (!seen.insert(class.clone())).then_some(class)))
    }

    /// Takes over what a run has copied.
    ///
    /// # Errors
    /// Files cannot be moved.
    pub fn take(&self) -> Result<()> {
        let from = self.of_run();
        let known = proxies::take_known(&self.folder.join("classes"), &from);
        let moved = known.and_then(|()| self.take_copies(&from)).and_then(|namings| {
            self.replace(&from)?;
            self.distrust(&from)?;
            self.add_reflected(&from, &namings)
        });
        let moved = moved.and_then(|()| if from.exists() { fs::remove_dir_all(&from) } else { Ok(()) });
        moved.with_context(|| format!("class files cannot be kept in `{}`", self.folder.display()))
    }

    /// Where the focus set of the classes is, or is to be.
    pub fn set_of(&self, focus: Focus) -> PathBuf {
        self.folder.join(match focus {
            Focus::Field => "focus-set-field",
            Focus::Method => "focus-set-method",
            Focus::Combined => "focus-set",
            Focus::Unshared => "focus-set-unshared",
        })
    }

    /// How many bytes all classes have.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn size(&self) -> Result<u64> {
        let classes = self.folder.join("classes");
        let sizes = files(&classes).map(|files| {
            files.iter().filter_map(|file| fs::metadata(classes.join(file)).ok()).map(|file| file.len()).sum()
        });
        sizes.context("the classes of earlier runs cannot be read")
    }

    /// The classes, analysed.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn analysis(&self, focus: Focus) -> Result<Analysis> {
        let library = [self.library()].into_iter().filter(|folder| folder.is_dir());
        let named = |file: &PathBuf| Some(file.with_extension("").to_str()?.to_owned());
        let unnamed = files(&self.library()).context("the classes of earlier runs cannot be read")?;
        let unnamed = unnamed.iter().filter_map(named).collect();
        let unforeseen = fs::read_to_string(self.folder.join(UNFORESEEN)).ok();
        let is_parallel = self.folder.join(PARALLEL).exists();
        let families = self.families();
        let analysis = Analysis::of(
            &[self.checked()],
            &library.collect::<Vec<_>>(),
            None,
            focus,
            Some(unnamed),
            &Begin::default(),
            |program| {
                // The report of a run names rows that do not fit. Without them, less is proved.
                if let Err(error) = models::tell(program, self.models()) {
                    say(&format!("the focus is without the models: {error:#}"));
                }
                for reflected in self.reflected() {
                    for ReflectedMember { class, name, descriptor } in
                        families.twin(&reflected).into_iter().chain([reflected])
                    {
                        program.add_reflected(&class, &name, &descriptor);
                    }
                }
                program.set_raced(&raced::read(&self.folder.join(RACED)));
                Ok(())
            },
        )?;
        Ok(analysis.beside_runs(unforeseen, is_parallel, families.0))
    }

    /// Forgets what the search has proved if a method ran that it did not foresee, or a test in a second thread.
    fn distrust(&self, from: &Path) -> std::io::Result<()> {
        let noted: Vec<&str> = [UNFORESEEN, PARALLEL].into_iter().filter(|name| from.join(name).exists()).collect();
        if noted.is_empty() {
            return Ok(());
        }
        noted.iter().try_for_each(|name| fs::rename(from.join(name), self.folder.join(name)))?;
        self.forget(&[Focus::Combined, Focus::Unshared])
    }

    /// Adds variables that have raced. Proofs that take it that nothing was handed over by them are forgotten.
    ///
    /// # Errors
    /// The notes cannot be written.
    pub fn add_raced<'a>(&self, variables: impl Iterator<Item = &'a Variable>) -> Result<()> {
        let add = || {
            let checked = self.checked_classes()?;
            let is_known = |class: &str| checked.contains(class);
            match raced::add(&self.folder.join(RACED), variables, &is_known)? {
                true => self.forget(&ALL),
                false => Ok(()),
            }
        };
        add().with_context(|| format!("what has raced cannot be noted in `{}`", self.folder.display()))
    }

    fn families(&self) -> Families {
        Families::read(&self.folder.join(FAMILIES))
    }

    /// Leaves out copies of known classes, and says what these are called.
    fn take_copies(&self, from: &Path) -> std::io::Result<Vec<Naming>> {
        let known = self.families();
        let mut families = known.clone();
        let namings = families::take_copies(&mut families, &self.checked(), &from.join("checked"))?;
        if families != known {
            families.write(&self.folder.join(FAMILIES))?;
        }
        Ok(namings)
    }

    /// What runs have accessed by reflection or handles.
    fn reflected(&self) -> BTreeSet<ReflectedMember> {
        read_reflected(&self.folder.join(ReflectedMember::NOTES))
    }

    /// Adds what a run has accessed by reflection. Proofs that do not know of it are forgotten.
    fn add_reflected(&self, from: &Path, namings: &[Naming]) -> std::io::Result<()> {
        let known = self.reflected();
        let new = read_reflected(&from.join(ReflectedMember::NOTES))
            .into_iter()
            .map(|reflected| known_name(reflected, namings));
        let new: BTreeSet<ReflectedMember> = new.filter(|reflected| !known.contains(reflected)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let checked = self.checked_classes()?;
        let (n_known, mut all) = (known.len(), known);
        // Classes that are made anew in each run have other names in the next one.
        all.extend(new.into_iter().filter(|reflected| checked.contains(&reflected.class) || reflected.is_release()));
        if all.len() == n_known {
            return Ok(());
        }
        let mut text = Vec::new();
        for reflected in &all {
            serde_json::to_writer(&mut text, reflected)?;
            text.push(b'\n');
        }
        fs::write(self.folder.join(ReflectedMember::NOTES), text)?;
        self.forget(&ALL)
    }

    /// Forgets what has been proved.
    fn forget(&self, sets: &[Focus]) -> std::io::Result<()> {
        let mut sets = sets.iter().map(|focus| self.set_of(*focus)).filter(|set| set.exists());
        sets.try_for_each(fs::remove_file)
    }

    fn checked(&self) -> PathBuf {
        self.folder.join("classes/checked")
    }

    fn checked_classes(&self) -> std::io::Result<BTreeSet<String>> {
        Ok(files(&self.checked())?.iter().filter_map(|file| Some(version(file)?.0)).collect())
    }

    fn library(&self) -> PathBuf {
        self.folder.join("classes/library")
    }

    /// Whether a focus set is of these classes.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn is_current(&self, path: &Path) -> Result<bool> {
        let Ok(file) = fs::File::open(path) else { return Ok(false) };
        let Ok(set) = FocusSet::read(std::io::BufReader::new(file)) else { return Ok(false) };
        if set.basis.jdk.is_some() && set.basis.jdk != jdk_version(None) {
            return Ok(false);
        }
        let mut known: BTreeMap<String, u64> = set.classes().map(|class| (class.class.clone(), class.hash)).collect();
        let files = files(&self.checked()).context("the classes of earlier runs cannot be read")?;
        // As a library, a class was judged as if nothing in it were checked.
        let is_typed = |class: &str| set.get(class).is_some_and(|known| known.open.is_some());
        let is_known = |file: &PathBuf| {
            version(file).is_some_and(|(class, hash)| is_typed(&class) && known.remove(&class) == Some(hash))
        };
        if !files.iter().all(is_known) {
            return Ok(false);
        }
        // The rest are libraries, which only a search has looked at.
        let is_same = |(class, hash): (&String, &u64)| self.library_hash(class) == Some(*hash);
        Ok(known.is_empty() || known.iter().all(is_same) && !self.has_new_library(&set)?)
    }

    /// Whether there is a library class, unknown to a focus set, that makes a run void its proofs.
    fn has_new_library(&self, set: &FocusSet) -> Result<bool> {
        let files = files(&self.library()).context("the classes of earlier runs cannot be read")?;
        let uses_known = |file: &PathBuf| {
            let bytes = fs::read(self.library().join(file)).unwrap_or_default();
            // What cannot be read is not woven either.
            instrumenter::class_names(&bytes).is_ok_and(|names| names.iter().any(|name| set.has(name)))
        };
        Ok(files.iter().any(|file| {
            let class = file.with_extension("");
            class.to_str().is_some_and(|class| !set.has(class) && (set.lacks(class) || uses_known(file)))
        }))
    }

    fn library_hash(&self, class: &str) -> Option<u64> {
        fs::read(self.library().join(format!("{class}.class"))).ok().map(|bytes| hash(&bytes))
    }

    fn replace(&self, from: &Path) -> std::io::Result<()> {
        let (classes, new) = (self.folder.join("classes"), files(from)?);
        new.iter().try_for_each(|file| put(&from.join(file), &classes.join(file)))?;
        if new.is_empty() { Ok(()) } else { self.add_users() }
    }

    /// Moves library classes that use analysed ones, directly or not, to where they are analysed.
    fn add_users(&self) -> std::io::Result<()> {
        let library = self.library();
        let mut analysed = self.checked_classes()?;
        let mut others = Vec::new();
        for file in files(&library)? {
            let bytes = fs::read(library.join(&file))?;
            // What cannot be read is not woven either.
            let names = instrumenter::class_names(&bytes).unwrap_or_default();
            let names: BTreeSet<String> = names.into_iter().map(Into::into).collect();
            others.push((file, hash(&bytes), names));
        }
        loop {
            let (users, rest): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|(_, _, names)| !names.is_disjoint(&analysed));
            for (file, hash, _) in &users {
                put(&library.join(file), &self.checked().join(file.with_extension(format!("{hash:016x}.class"))))?;
                analysed.extend(file.with_extension("").to_str().map(str::to_owned));
            }
            if users.is_empty() {
                return Ok(());
            }
            others = rest;
        }
    }
}

/// A member by the name that is known of it.
fn known_name(reflected: ReflectedMember, namings: &[Naming]) -> ReflectedMember {
    let of_class = |naming: &&Naming| naming.classes.values().any(|class| *class == reflected.class);
    namings.iter().find(of_class).map(|naming| reflected.renamed(&naming.reversed())).unwrap_or(reflected)
}

/// What can be read of notes: a JVM that is killed may leave half a line.
fn read_reflected(path: &Path) -> BTreeSet<ReflectedMember> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Moves a class file, in place of other versions.
fn put(from: &Path, to: &Path) -> std::io::Result<()> {
    let folder = to.parent().unwrap_or(to);
    output::create_private(folder)?;
    for old in fs::read_dir(folder)? {
        let old = old?.path();
        if name(&old) == name(to) && old.is_file() {
            fs::remove_file(old)?;
        }
    }
    fs::rename(from, to)
}

/// `a/b/C.HASH.class` without its folder and its version.
fn name(path: &Path) -> Option<&str> {
    let stem = path.file_stem().and_then(OsStr::to_str)?;
    Some(stem.rsplit_once('.').map_or(stem, |(name, _)| name))
}

/// Class and hash of `checked/…/NAME.HASH.class` below the classes, or of the same below `checked`.
pub fn version(file: &Path) -> Option<(String, u64)> {
    let text = file.to_str()?.strip_suffix(".class")?;
    let (class, hash) = text.rsplit_once('.')?;
    Some((class.to_owned(), u64::from_str_radix(hash, 16).ok()?))
}

/// Every file below a folder, as a path from there; none if there is no such folder.
pub fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop().filter(|next| next.is_dir()) {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension() == Some(OsStr::new("class")) {
                files.extend(path.strip_prefix(folder).map(Path::to_owned));
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"x").unwrap();
    }

    #[test]
    fn newer_versions_take_the_place_of_older_ones() {
        let folder = tempfile::tempdir().unwrap();
        let learnt = Learnt::of(folder.path(), None);
        assert!(learnt.is_empty());
        for classes in [
            vec!["checked/a/A.0000000000000001.class", "checked/a/AB.0000000000000002.class", "library/l/L.class"],
            vec!["checked/a/A.0000000000000003.class"],
        ] {
            classes.iter().for_each(|class| make(&learnt.of_run().join(class)));
            learnt.take().unwrap();
        }
        let kept: Vec<_> = files(&learnt.checked()).unwrap().iter().filter_map(|file| version(file)).collect();
        assert_eq!(kept, [("a/A".to_owned(), 3), ("a/AB".to_owned(), 2)]);
        assert!(folder.path().join("focus/classes/library/l/L.class").is_file() && !learnt.of_run().exists());
    }

    #[test]
    fn versions_of_one_run_are_told_from_those_of_several() {
        let folder = tempfile::tempdir().unwrap();
        let learnt = Learnt::of(folder.path(), None);
        make(&learnt.of_run().join("checked/a/A.0000000000000001.class"));
        make(&learnt.of_run().join("library/a/A.class"));
        assert_eq!(learnt.in_versions().unwrap(), None);
        learnt.take().unwrap();
        make(&learnt.of_run().join("checked/a/A.0000000000000002.class"));
        assert_eq!(learnt.in_versions().unwrap(), None);
        make(&learnt.of_run().join("checked/a/A.0000000000000003.class"));
        assert_eq!(learnt.in_versions().unwrap(), Some("a/A".to_owned()));
    }
}
