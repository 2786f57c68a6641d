//! The module image of a JDK (`lib/modules`).

use std::path::{Path, PathBuf};

use ristretto_jimage::{Image, Resource};
use rustc_hash::FxHashMap;

use super::{ClassPathError, FoundClass, is_class};

pub(super) struct JdkImage {
    /// Feature release, for instance 17.
    pub release: u32,
    path: PathBuf,
    image: Image,
    /// In which module a package is. The unnamed parts of the JDK have no classes.
    modules: FxHashMap<String, String>,
}

impl JdkImage {
    pub fn open(home: &Path) -> Result<Self, ClassPathError> {
        let broken = |reason: String| ClassPathError::Jdk { path: home.to_owned(), reason };
        let path = home.join("lib/modules");
        if !path.is_file() {
            return Err(broken("it has no lib/modules".to_owned()));
        }
        let image = Image::from_file(&path).map_err(|error| broken(error.to_string()))?;
        let release = release(home).ok_or_else(|| broken("its file `release` names no version".to_owned()))?;
        let mut modules = FxHashMap::default();
        for resource in image.iter() {
            let resource = resource.map_err(|error| broken(error.to_string()))?;
            if resource.extension() == "class" {
                modules.entry(resource.parent().to_owned()).or_insert_with(|| resource.module().to_owned());
            }
        }
        Ok(Self { release, path, image, modules })
    }

    pub fn find(&self, name: &str) -> Option<FoundClass> {
        let (package, _) = name.rsplit_once('/')?;
        let module = self.modules.get(package)?;
        let resource = self.image.get_resource(&format!("/{module}/{name}.class")).ok()?;
        Some(self.found(&resource))
    }

    pub fn read_all(&self) -> Vec<FoundClass> {
        let resources = self.image.iter().flatten();
        let classes = resources.filter(|resource| resource.extension() == "class" && is_class(resource.base()));
        let mut classes: Vec<Resource<'_>> = classes.collect();
        classes.sort_by_cached_key(Resource::full_name);
        classes.iter().map(|resource| self.found(resource)).collect()
    }

    fn found(&self, resource: &Resource<'_>) -> FoundClass {
        FoundClass { bytes: resource.data().to_vec(), origin: self.path.clone() }
    }
}

/// The feature release that the JDK's file `release` names: `JAVA_VERSION="17.0.9"`.
fn release(home: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(home.join("release")).ok()?;
    let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    version.trim_matches('"').split(['.', '-', '+']).next()?.parse().ok()
}
