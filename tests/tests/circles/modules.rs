//! The modules of a crate, and which file uses which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::visit::Visit;
use syn::{Attribute, Item, UseTree};

/// The names from the crate's root to a module.
type ModulePath = Vec<String>;

/// What stands in a module.
#[derive(Default)]
struct Module {
    /// Its file, as a path in `src`.
    file: String,
    /// Names that `use` brings in, and where they lead as written.
    imports: BTreeMap<String, Vec<String>>,
    /// What `use …::*` brings in.
    globs: Vec<Vec<String>>,
    /// Names of its items.
    items: BTreeSet<String>,
    /// Every path in its code.
    paths: BTreeSet<Vec<String>>,
}

/// The modules of a crate, without those that are only there for tests.
#[derive(Default)]
pub struct Modules(BTreeMap<ModulePath, Module>);

impl Modules {
    /// Reads the crate in `src`.
    pub fn of_crate(src: &Path) -> Self {
        let root = ["lib.rs", "main.rs"].map(|name| src.join(name)).into_iter().find(|file| file.exists());
        let mut modules = Self::default();
        modules.read(src, &root.expect("a crate"), Vec::new());
        modules
    }

    fn read(&mut self, src: &Path, file: &Path, path: ModulePath) {
        let text = fs::read_to_string(file).expect("a source file");
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.add(src, file, path, &parsed.items);
    }

    fn add(&mut self, src: &Path, file: &Path, path: ModulePath, items: &[Item]) {
        let name = file.strip_prefix(src).expect("a file of the crate").to_string_lossy().into_owned();
        let mut module = Module { file: name, ..Module::default() };
        for item in items {
            match item {
                Item::Mod(child) if is_for_tests(&child.attrs) => {}
                Item::Mod(child) => {
                    let child_path = [&path[..], &[child.ident.to_string()]].concat();
                    match &child.content {
                        Some((_, items)) => self.add(src, file, child_path, items),
                        None => self.read(src, &file_of(src, &child_path), child_path),
                    }
                }
                item => module.visit_item(item),
            }
        }
        self.0.insert(path, module);
    }

    /// From which file to which there is a use, and of what.
    pub fn uses(&self) -> Vec<(String, String, String)> {
        let mut uses = BTreeMap::new();
        for (path, module) in &self.0 {
            for used in module.imports.values().chain(&module.globs).chain(&module.paths) {
                let Some(to) = self.resolve(path, used, 0) else { continue };
                let file = &self.0[&to].file;
                if *file != module.file {
                    let what = used.last().expect("a name").clone();
                    uses.entry((module.file.clone(), file.clone())).or_insert(what);
                }
            }
        }
        uses.into_iter().map(|((from, to), what)| (from, to, what)).collect()
    }

    /// Whether one is the file of a module and the other that of its direct child.
    pub fn are_parent_and_child(&self, one: &str, other: &str) -> bool {
        let is_child = |child: &ModulePath, of: &ModulePath| child.split_last().is_some_and(|(_, parent)| parent == of);
        let first = |file: &str| {
            let paths = self.0.iter().filter(|(_, module)| module.file == file).map(|(path, _)| path);
            paths.min_by_key(|path| path.len())
        };
        match (first(one), first(other)) {
            (Some(one), Some(other)) => is_child(one, other) || is_child(other, one),
            _ => false,
        }
    }

    /// The module in which stands what a path leads to; none if that is not in this crate.
    fn resolve(&self, from: &[String], used: &[String], depth: usize) -> Option<ModulePath> {
        const DEEPEST: usize = 16;
        let (first, mut rest) = used.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from.split_last()?.1.to_vec(),
            name => {
                let module = &self.0[from];
                if self.0.contains_key(&[from, &[name.to_owned()]].concat()) {
                    [from, &[name.to_owned()]].concat()
                } else {
                    let import = module.imports.get(name).filter(|import| depth < DEEPEST && import[0] != name)?;
                    let whole = [&import[..], rest].concat();
                    return self.resolve(from, &whole, depth + 1);
                }
            }
        };
        while let Some((name, after)) = rest.split_first() {
            if name == "super" {
                at.pop()?;
            } else if self.0.contains_key(&[&at[..], std::slice::from_ref(name)].concat()) {
                at.push(name.clone());
            } else {
                return Some(self.defining(&at, rest, depth).unwrap_or(at));
            }
            rest = after;
        }
        Some(at)
    }

    /// Where stands what a module re-exports under a name, if it does.
    fn defining(&self, at: &[String], rest: &[String], depth: usize) -> Option<ModulePath> {
        let module = &self.0[at];
        if module.items.contains(&rest[0]) || depth > 16 {
            return None;
        }
        if let Some(import) = module.imports.get(&rest[0]) {
            return self.resolve(at, &[&import[..], &rest[1..]].concat(), depth + 1);
        }
        let targets = module.globs.iter().filter_map(|glob| self.resolve(at, glob, depth + 1));
        let mut having = targets.filter(|target| {
            let module = &self.0[target];
            module.items.contains(&rest[0]) || module.imports.contains_key(&rest[0])
        });
        having.next()
    }
}

fn file_of(src: &Path, path: &[String]) -> PathBuf {
    let base = src.join(path.iter().collect::<PathBuf>());
    let flat = base.with_extension("rs");
    if flat.exists() { flat } else { base.join("mod.rs") }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.to_token_stream().to_string().replace(' ', "").contains("cfg(test)"))
}

impl Module {
    fn import(&mut self, mut prefix: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(prefix, &path.tree);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(prefix.clone(), tree)),
            UseTree::Glob(_) => self.globs.push(prefix),
            UseTree::Name(name) if name.ident == "self" => {
                let name = prefix.last().expect("a name before `self`").clone();
                self.imports.insert(name, prefix);
            }
            UseTree::Name(name) => {
                prefix.push(name.ident.to_string());
                self.imports.insert(name.ident.to_string(), prefix);
            }
            UseTree::Rename(name) => {
                prefix.push(name.ident.to_string());
                self.imports.insert(name.rename.to_string(), prefix);
            }
        }
    }

    /// Paths from the crate's root, or from a parent, in what a macro is given.
    fn tokens(&mut self, tokens: &str) {
        let mut words = tokens.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if word != "crate" && word != "super" {
                continue;
            }
            let mut path = vec![word.to_owned()];
            while words.next_if_eq(&"::").is_some() {
                path.extend(words.next().map(str::to_owned));
            }
            if path.len() > 1 {
                self.paths.insert(path);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, name) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Macro(item) => (&item.attrs, None),
            Item::Mod(item) => (&item.attrs, None),
            Item::Use(item) => (&item.attrs, None),
            _ => return syn::visit::visit_item(self, item),
        };
        if is_for_tests(attributes) {
            return;
        }
        self.items.extend(name.map(ToString::to_string));
        match item {
            Item::Use(item) => self.import(Vec::new(), &item.tree),
            item => syn::visit::visit_item(self, item),
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            syn::visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(&call.tokens.to_string());
        syn::visit::visit_macro(self, call);
    }
}
