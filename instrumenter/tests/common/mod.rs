//! What the tests of this crate share.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::path::Path;

use facts::hook::Hook;
use instrumenter::{NewSite, Outcome, Plan, Reason, SiteSink};
use jrace_tests::jdk::Jdk;
use ristretto_jimage::Image;

/// A class file with its module and its internal name.
pub struct ClassFile {
    pub module: String,
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Every class of a JDK, sorted by module and name.
pub fn jdk_classes(jdk: &Jdk) -> Vec<ClassFile> {
    let image = Image::from_file(&jdk.home.join("lib/modules")).expect("the JDK has a module image");
    let mut classes = Vec::new();
    for resource in image.iter() {
        let resource = resource.expect("the image is intact");
        if resource.extension() == "class" && resource.base() != "module-info" {
            let name = format!("{}/{}", resource.parent(), resource.base());
            classes.push(ClassFile { module: resource.module().to_owned(), name, bytes: resource.data().to_vec() });
        }
    }
    classes.sort_by(|a, b| (&a.module, &a.name).cmp(&(&b.module, &b.name)));
    classes
}

/// Whether the long versions of tests are asked for.
pub fn sweep() -> bool {
    std::env::var_os("JRACE_SWEEP").is_some()
}

/// Every class of a jar.
pub fn jar_classes(jar: &Path) -> Vec<ClassFile> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(jar).expect("the jar opens")).expect("the jar is a zip");
    let mut classes = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("the jar is intact");
        if let Some(name) = entry.name().strip_suffix(".class").map(str::to_owned) {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut bytes).expect("the entry is intact");
            classes.push(ClassFile { module: String::new(), name, bytes });
        }
    }
    classes
}

/// Source of a helper class whose hooks do nothing but `body`, with `HOOK` standing for the hook's name, and what woven code
/// relies on: waiting.
pub fn stub_hooks(body: &str) -> String {
    let mut source = String::from("package java.lang;\npublic final class JraceHooks {\n");
    for hook in Hook::ALL {
        let (parameters, result) = signature(hook.descriptor());
        let body = body.replace("HOOK", hook.name());
        let (throws, end) = match hook {
            Hook::Wait => ("throws InterruptedException", "a0.wait();"),
            Hook::WaitMillis => ("throws InterruptedException", "a0.wait(a1);"),
            Hook::WaitNanos => ("throws InterruptedException", "a0.wait(a1, a2);"),
            Hook::CopyElements => ("", "System.arraycopy(a0, a1, a2, a3, a4);"),
            Hook::FilterFields | Hook::WeaveHidden => ("", "return a0;"),
            Hook::ReadArrayAgain | Hook::WriteArrayAgain | Hook::ReadArrayLater | Hook::WriteArrayLater => {
                ("", "return a0;")
            }
            _ => ("", ""),
        };
        source += &format!("    public static {result} {}({parameters}) {throws} {{ {body} {end} }}\n", hook.name());
    }
    source + "}\n"
}

/// Parameters and result in Java, `a0` the first parameter.
fn signature(descriptor: &str) -> (String, String) {
    let (parameters, result) = descriptor[1..].split_once(')').expect("a method descriptor");
    let mut types = Vec::new();
    let mut rest = parameters;
    while !rest.is_empty() {
        let length = 1 + if rest.trim_start_matches('[').starts_with('L') {
            rest.find(';').expect("a class type ends")
        } else {
            rest.len() - rest.trim_start_matches('[').len()
        };
        types.push(facts::name::readable(&rest[..length]));
        rest = &rest[length..];
    }
    let parameters: Vec<String> = types.iter().enumerate().map(|(index, name)| format!("{name} a{index}")).collect();
    (parameters.join(", "), facts::name::readable(result))
}

/// Compiles the helper class into a directory that can patch java.base.
pub fn compile_hooks(jdk: &Jdk, out: &Path, body: &str, more: &str) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join("java/lang/JraceHooks.java");
    std::fs::create_dir_all(source.parent().expect("it has one")).expect("a directory");
    std::fs::write(&source, stub_hooks(body).replace("class JraceHooks {", &format!("class JraceHooks {{\n{more}")))
        .expect("a file");
    let patch = format!("java.base={}", directory.path().display());
    jdk.compile(&[source], out, &["--patch-module", &patch]).expect("the helper class compiles");
}

/// Weaves classes into directories by module, below `out`; returns how many were woven.
pub fn weave_into(out: &Path, classes: &[ClassFile], plan: &Plan<'_>, sites: &mut dyn SiteSink) -> usize {
    let mut woven = 0;
    for class in classes {
        match instrumenter::weave(&class.bytes, plan, sites) {
            Ok(Outcome::Woven(result)) => {
                // Initializers of tables may come close to the limit of 64 KB.
                let is_expected = |reason| matches!(reason, Reason::TooLarge | Reason::TooLargeToCheck);
                let unexpected = result.unwoven_methods.iter().find(|(_, reason)| !is_expected(*reason));
                assert_eq!(unexpected, None, "{}", class.name);
                let path = out.join(&class.module).join(&class.name).with_extension("class");
                std::fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
                std::fs::write(path, result.bytes).expect("a file");
                woven += 1;
            }
            Ok(Outcome::Unchanged) => {}
            Err(error) => panic!("{}: {error}", class.name),
        }
    }
    woven
}

/// Numbers sites and forgets them.
#[derive(Default)]
pub struct Numbers(pub u32);

impl SiteSink for Numbers {
    fn add(&mut self, _: NewSite<'_>) -> u32 {
        self.0 += 1;
        self.0
    }
}
