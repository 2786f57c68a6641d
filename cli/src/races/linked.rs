//! Folders of `jrace summarize`: the classes of a target, and the summaries of their methods. The same target makes the same bytes,
//! wherever and whenever that is.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use modular::store::hash;
use modular::store::linked::Part;
use serde::{Deserialize, Serialize};

use crate::analysis::jdk_version;
use crate::output::say;
use crate::report::words::count;

/// The form of the folders.
const FORMAT: u32 = 1;
/// What a folder is; it is written last.
const TARGET: &str = "target.json";
const SUMMARIES: &str = "summaries";
const CLASSES: &str = "classes";

/// What a folder says of itself.
#[derive(Serialize, Deserialize, Debug)]
struct Target {
    format: u32,
    /// What made it, and of what besides the classes.
    basis: Basis,
    /// The jars and directories of the target.
    archives: Vec<Archive>,
    /// Its classes, by their dotted names.
    classes: Vec<String>,
    /// The jars and directories of the targets that it was linked with, sorted; a name as often as there are such.
    needs: Vec<PathBuf>,
}

/// What summaries depend on besides classes.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// The build of jrace.
    pub build: String,
    /// The version of the JDK.
    pub jdk: Option<String>,
    /// The digest of the user's models.
    pub models: Option<String>,
}

/// A jar or a directory, as it lies in the folder.
#[derive(Serialize, Deserialize, Debug)]
struct Archive {
    /// As the user has named it; without what leads there, if that is an absolute path.
    name: PathBuf,
    digest: String,
}

/// A folder that was read.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    target: Target,
}

/// The folders that are linked.
#[derive(Default, Debug)]
pub struct Folders(Vec<Folder>);

impl Folders {
    /// Reads what folders say of themselves, and their classes.
    ///
    /// # Errors
    /// One is no such folder, is damaged, or needs a target that is not among them.
    pub fn open(paths: &[PathBuf]) -> Result<Self> {
        let folders = Self(paths.iter().map(|path| Folder::open(path)).collect::<Result<_>>()?);
        for folder in &folders.0 {
            if let Some(need) = folder.target.needs.iter().find(|need| folders.lacks(need, folder)) {
                bail!(
                    "`{}` was summarized with `{}`, which is missing: give --link the folder of that, too",
                    folder.path.display(),
                    need.display()
                );
            }
        }
        folders.say_twins();
        Ok(folders)
    }

    /// Whether there are fewer archives of a name than a folder was linked with: two modules may both call theirs `classes`.
    fn lacks(&self, name: &PathBuf, of: &Folder) -> bool {
        let others = self.0.iter().filter(|folder| folder.path != of.path);
        let there = others.flat_map(|folder| &folder.target.archives).filter(|archive| archive.name == *name).count();
        there < of.target.needs.iter().filter(|need| *need == name).count()
    }

    /// Says which class is in more than one of them.
    fn say_twins(&self) {
        let mut first: BTreeMap<&str, &Path> = BTreeMap::new();
        let mut twins = Vec::new();
        for folder in &self.0 {
            for class in folder.target.classes.iter().filter(|class| !class.ends_with("package-info")) {
                if let Some(other) = first.get(class.as_str()) {
                    twins.push((class, *other, &folder.path));
                } else {
                    first.insert(class, &folder.path);
                }
            }
        }
        if let Some((class, first, second)) = twins.first() {
            let others = others(twins.len() - 1);
            let (first, second) = (first.display(), second.display());
            say(&format!(
                "`{class}`{others} is in `{first}` and in `{second}`: the first is taken, as on a class path"
            ));
        }
    }

    fn archives(&self) -> impl Iterator<Item = &Archive> {
        self.0.iter().flat_map(|folder| &folder.target.archives)
    }

    /// Where the classes are.
    pub fn classes(&self) -> Vec<PathBuf> {
        let of_folder = |folder: &Folder| {
            let place = |(n, archive)| place(&folder.path, n, archive);
            folder.target.archives.iter().enumerate().map(place).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(of_folder).collect()
    }

    /// What the classes are called in a report.
    pub fn names(&self) -> Vec<PathBuf> {
        self.archives().map(|archive| archive.name.clone()).collect()
    }

    /// Whether a folder is one of them.
    pub fn has(&self, folder: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).ok();
        real(folder).is_some_and(|folder| self.0.iter().any(|of| real(&of.path).as_ref() == Some(&folder)))
    }

    /// The summaries. Says which of them cannot be taken, or may not.
    pub fn parts(&self, basis: &Basis) -> Vec<Part> {
        self.say_others("are of another build of jrace: they are made anew", |of| of.build != basis.build);
        let is_own = |of: &Basis| of.build == basis.build;
        let jdk = |of: &Basis| of.jdk.clone().unwrap_or_default();
        self.say_others(&format!("were made with another JDK than {}: what differs is made anew", jdk(basis)), |of| {
            is_own(of) && of.jdk != basis.jdk
        });
        self.say_others("were made with other models: what differs is made anew", |of| {
            is_own(of) && of.models != basis.models
        });
        let own = self.0.iter().filter(|folder| is_own(&folder.target.basis));
        own.filter_map(|folder| {
            let part = fs::read(folder.path.join(SUMMARIES)).ok().and_then(Part::of);
            if part.is_none() {
                say(&format!("the summaries of `{}` are damaged: they are made anew", folder.path.display()));
            }
            part
        })
        .collect()
    }

    fn say_others(&self, what: &str, is_one: impl Fn(&Basis) -> bool) {
        let mut others = self.0.iter().filter(|folder| is_one(&folder.target.basis));
        let Some(first) = others.next() else { return };
        let n_others = others.count();
        say(&format!("the summaries of `{}`{} {what}", first.path.display(), self::others(n_others)));
    }
}

/// ` and 2 others`, if there are any.
fn others(number: usize) -> String {
    if number == 0 { String::new() } else { format!(" and {}", count(number as u64, "other")) }
}

impl Folder {
    fn open(path: &Path) -> Result<Self> {
        let shown = path.display();
        let text = fs::read_to_string(path.join(TARGET)).map_err(|error| {
            anyhow!(
                "`{shown}` is no folder of `jrace summarize` that can be read ({error}): name such folders with --link"
            )
        })?;
        let value: serde_json::Value = serde_json::from_str(&text)
            .with_context(|| format!("`{shown}` is damaged: make it again with `jrace summarize`"))?;
        ensure!(
            value["format"] == FORMAT,
            "`{shown}` is of a jrace that makes other folders: make it again with this one's `jrace summarize`"
        );
        let damaged = || format!("`{shown}` is damaged: make it again with `jrace summarize`");
        let target: Target = serde_json::from_value(value).with_context(damaged)?;
        for (n, archive) in target.archives.iter().enumerate() {
            let digest = files(&place(path, n, archive)).and_then(|files| digest(&files));
            ensure!(digest.is_ok_and(|digest| digest == archive.digest), damaged());
        }
        Ok(Self { path: path.to_owned(), target })
    }
}

/// Where an archive lies in a folder.
fn place(folder: &Path, number: usize, archive: &Archive) -> PathBuf {
    let name = last(&archive.name).unwrap_or(Path::new("classes"));
    folder.join(CLASSES).join(format!("{number}-{}", name.display()))
}

fn last(path: &Path) -> Option<&Path> {
    path.file_name().map(Path::new)
}

/// What a report and other targets call an archive.
fn name(path: &Path) -> PathBuf {
    let last = if path.is_absolute() { last(path) } else { None };
    last.unwrap_or(path).to_owned()
}

/// What a folder is made of.
pub struct Made<'a> {
    /// The jars and directories of the target.
    pub archives: &'a [PathBuf],
    /// The dotted names of their classes.
    pub classes: Vec<String>,
    /// The targets that they need.
    pub linked: &'a Folders,
    /// What else the summaries depend on.
    pub basis: Basis,
    /// The summaries.
    pub summaries: BTreeMap<u128, Vec<u8>>,
}

/// A folder that is to be written.
pub struct Out<'a> {
    folder: &'a Path,
}

impl<'a> Out<'a> {
    /// A new folder, an empty one, or one that a run before has made.
    ///
    /// # Errors
    /// It has something else, or cannot be written.
    pub fn at(folder: &'a Path) -> Result<Self> {
        let unwritable = || format!("`{}` cannot be written: give --out another folder", folder.display());
        fs::create_dir_all(folder).with_context(unwritable)?;
        let is_empty = fs::read_dir(folder).with_context(unwritable)?.next().is_none();
        ensure!(
            is_empty || folder.join(TARGET).is_file() || folder.join(UNFINISHED).is_file(),
            "`{}` has files that are no summaries: give --out a new folder",
            folder.display()
        );
        fs::write(folder.join(UNFINISHED), "").with_context(unwritable)?;
        remove(&folder.join(TARGET)).with_context(unwritable)?;
        Ok(Self { folder })
    }

    /// Writes a target: what it is comes last, so that a folder that was not finished is none.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, made: &Made<'_>) -> Result<()> {
        let shown = self.folder.display();
        let written = self.parts(made);
        written.with_context(|| format!("`{shown}` cannot be written: give --out a folder that has room"))
    }

    fn parts(&self, made: &Made<'_>) -> io::Result<()> {
        if self.folder.join(CLASSES).exists() {
            fs::remove_dir_all(self.folder.join(CLASSES))?;
        }
        let mut archives = Vec::new();
        for (n, path) in made.archives.iter().enumerate() {
            let mut archive = Archive { name: name(path), digest: String::new() };
            let to = place(self.folder, n, &archive);
            copy(path, &to)?;
            archive.digest = digest(&files(&to)?)?;
            archives.push(archive);
        }
        fs::write(self.folder.join(SUMMARIES), Part::bytes(&made.summaries))?;
        let mut needs = made.linked.names();
        needs.sort_unstable();
        let target =
            Target { format: FORMAT, basis: made.basis.clone(), archives, classes: made.classes.clone(), needs };
        let part = self.folder.join(UNFINISHED);
        fs::write(&part, serde_json::to_string_pretty(&target)? + "\n")?;
        fs::rename(part, self.folder.join(TARGET))
    }
}

/// What is there instead of [`TARGET`] as long as a folder is written.
const UNFINISHED: &str = "target.json.part";

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Copies a jar, or the class files of a directory.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let is_class = |path: &Path| path.extension().is_some_and(|extension| extension == "class");
    for (name, file) in files(from)?.into_iter().filter(|(name, _)| name.as_os_str().is_empty() || is_class(name)) {
        let to = if name.as_os_str().is_empty() { to.to_owned() } else { to.join(name) };
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(to, fs::read(file)?)?;
    }
    Ok(())
}

/// A file, or the files of a directory, by their names in it.
fn files(path: &Path) -> io::Result<BTreeMap<PathBuf, PathBuf>> {
    if !path.is_dir() {
        return Ok([(PathBuf::new(), path.to_owned())].into());
    }
    let (mut found, mut open) = (BTreeMap::new(), vec![PathBuf::new()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(path.join(&folder))? {
            let name = folder.join(entry?.file_name());
            let file = path.join(&name);
            // As a class path does, it does not follow links to directories.
            if file.is_dir() && !file.is_symlink() {
                open.push(name);
            } else {
                found.insert(name, file);
            }
        }
    }
    Ok(found)
}

fn digest(files: &BTreeMap<PathBuf, PathBuf>) -> io::Result<String> {
    let mut all = Vec::new();
    for (name, file) in files {
        let bytes = fs::read(file)?;
        all.extend(hash(name.as_os_str().as_encoded_bytes()).to_le_bytes());
        all.extend(hash(&bytes).to_le_bytes());
    }
    Ok(format!("{:032x}", hash(&all)))
}

/// What summaries depend on here.
///
/// # Errors
/// The models or the program file of jrace cannot be read.
pub fn basis(jdk: Option<&Path>, models: Option<&Path>) -> Result<Basis> {
    let digest_of = |file: &Path| digest(&files(file)?).with_context(|| format!("`{}` cannot be read", file.display()));
    // The file tells builds apart that were made of changed sources; when it was made, says nothing.
    let file = std::env::current_exe().context("the program file of jrace cannot be found")?;
    Ok(Basis {
        build: format!("{} {}", env!("JRACE_VERSION"), digest_of(&file)?),
        jdk: jdk_version(jdk),
        models: models.map(digest_of).transpose()?,
    })
}
