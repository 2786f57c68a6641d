//! Proxies of the JDK for public interfaces (`jdk.proxy2.$Proxy4`): what they do, their interfaces say. Their numbers go by what comes
//! first, and their methods stand in another order in each run. Who calls one does not name it, so each is kept under a name of its own.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use facts::focus::hash;
use instrumenter::shape;

use super::files;

/// The interfaces of a proxy, sorted.
type Interfaces = Vec<String>;

/// A proxy: its file below the folder, and what it is like.
struct Proxy {
    file: PathBuf,
    bytes: Vec<u8>,
    interfaces: Interfaces,
}

/// Takes proxies out of the classes of a run that known ones are like; the others get names that no other proxy has in any run.
///
/// # Errors
/// Files cannot be read, written or removed.
pub fn take_known(known: &Path, new: &Path) -> io::Result<()> {
    let new_proxies = proxies(new)?;
    if new_proxies.is_empty() {
        return Ok(());
    }
    let mut known: BTreeSet<Interfaces> = proxies(known)?.into_iter().map(|proxy| proxy.interfaces).collect();
    for proxy in new_proxies {
        let file = new.join(&proxy.file);
        let own = proxy.under_own_name().filter(|_| !known.contains(&proxy.interfaces));
        if let Some((name, bytes)) = own {
            fs::write(file.with_file_name(name), bytes)?;
        }
        fs::remove_file(file)?;
        known.insert(proxy.interfaces);
    }
    Ok(())
}

impl Proxy {
    fn read(folder: &Path, file: PathBuf) -> io::Result<Option<Self>> {
        let bytes = fs::read(folder.join(&file))?;
        let interfaces = interfaces(&bytes);
        Ok(interfaces.map(|interfaces| Self { file, bytes, interfaces }))
    }

    /// The name of its file and its bytes, with a number of its interfaces behind its own.
    fn under_own_name(&self) -> Option<(String, Vec<u8>)> {
        let class = class(&self.file)?;
        let own = format!("{class}${:016x}", hash(self.interfaces.join(" ").as_bytes()));
        let bytes = shape::renamed(&self.bytes, &|name| (name == class).then(|| own.clone())).ok()?;
        Some((format!("{}.class", own.rsplit_once('/')?.1), bytes))
    }
}

/// Those below a folder of `checked` and `library`.
fn proxies(folder: &Path) -> io::Result<Vec<Proxy>> {
    let files = files(folder)?.into_iter().filter(|file| class(file).is_some());
    files.filter_map(|file| Proxy::read(folder, file).transpose()).collect()
}

/// The class of a file, if it is a proxy by its name. The agent asks for no proofs about these packages.
fn class(file: &Path) -> Option<&str> {
    let file = file.strip_prefix("checked").or_else(|_| file.strip_prefix("library")).ok()?.to_str()?;
    let (number, rest) = file.strip_prefix("jdk/proxy")?.split_once("/$Proxy")?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let end = file.len() - rest.len() + rest.find('.')?;
    is_number.then(|| &file[..end])
}

fn interfaces(bytes: &[u8]) -> Option<Interfaces> {
    let names = instrumenter::interfaces(bytes).ok()?;
    let mut interfaces: Interfaces = names.into_iter().map(Cow::into_owned).collect();
    interfaces.sort();
    Some(interfaces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_known_by_their_packages() {
        let of = |file: &'static str| class(Path::new(file));
        assert_eq!(of("library/jdk/proxy2/$Proxy4.class"), Some("jdk/proxy2/$Proxy4"));
        assert_eq!(of("checked/jdk/proxy2/$Proxy4$01.0123456789abcdef.class"), Some("jdk/proxy2/$Proxy4$01"));
        assert_eq!(of("library/jdk/proxyless/$Proxy4.class"), None);
        assert_eq!(of("checked/com/sun/proxy/$Proxy0.0123456789abcdef.class"), None);
    }
}
