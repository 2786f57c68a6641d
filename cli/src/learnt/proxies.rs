//! Proxies of the JDK for public interfaces (`jdk.proxy2.$Proxy4`): what they do, their interfaces say. Their names go by what comes first,
//! and their methods stand in another order in each run.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files;

/// The interfaces of a proxy, sorted.
type Interfaces = Vec<String>;

/// Takes proxies out of the classes of a run that known ones are like. Who calls one does not name it.
///
/// # Errors
/// Files cannot be read or removed.
pub fn take_known(known: &Path, new: &Path) -> io::Result<()> {
    let all = |folder: &Path| -> io::Result<Vec<(PathBuf, Interfaces)>> {
        let proxies = files(folder)?.into_iter().filter(|file| is_proxy(file)).map(|file| folder.join(file));
        let read = |file: PathBuf| -> io::Result<_> { Ok(interfaces(&fs::read(&file)?).map(|of| (file, of))) };
        proxies.filter_map(|file| read(file).transpose()).collect()
    };
    let new = all(new)?;
    if new.is_empty() {
        return Ok(());
    }
    let known: BTreeSet<Interfaces> = all(known)?.into_iter().map(|(_, of)| of).collect();
    new.into_iter().filter(|(_, of)| known.contains(of)).try_for_each(|(file, _)| fs::remove_file(file))
}

/// Whether it has the name of one, below `checked` or `library`.
fn is_proxy(file: &Path) -> bool {
    let name = file.strip_prefix("checked").or_else(|_| file.strip_prefix("library")).ok().and_then(Path::to_str);
    let package = name.and_then(|name| name.rsplit_once("/$Proxy")).map(|(package, _)| package);
    package
        .is_some_and(|package| package == "com/sun/proxy" || package.strip_prefix("jdk/proxy").is_some_and(is_number))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn interfaces(bytes: &[u8]) -> Option<Interfaces> {
    let mut interfaces: Interfaces =
        instrumenter::interfaces(bytes).ok()?.into_iter().map(|name| name.into_owned()).collect();
    interfaces.sort();
    Some(interfaces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_known_by_their_packages() {
        let is = |file: &str| is_proxy(Path::new(file));
        assert!(is("library/jdk/proxy2/$Proxy4.class") && is("checked/com/sun/proxy/$Proxy0.0123456789abcdef.class"));
        assert!(!is("library/jdk/proxyless/$Proxy4.class") && !is("checked/app/$Proxy4.0123456789abcdef.class"));
    }
}
