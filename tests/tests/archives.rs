//! Options that ask for an archive of classes, which a JVM with an agent can neither write nor use: the program runs as without jrace.
#![allow(clippy::disallowed_methods, reason = "makes builds")]

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Result, ensure};
use jrace_tests::fixture::{classes, jar, on_jdks};
use jrace_tests::jdk::Jdk;
use jrace_tests::run::jrace;

/// Options that ask for an archive, with the release that knows them.
const REQUESTS: [(u32, &str); 9] = [
    (17, "-Xshare:on"),
    (17, "-XX:ArchiveClassesAtExit=new"),
    (17, "-XX:SharedArchiveFile=old"),
    (17, "-Xshare:on -XX:SharedArchiveFile=old"),
    (19, "-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=new"),
    (25, "-XX:AOTMode=record -XX:AOTConfiguration=new"),
    (25, "-XX:AOTCacheOutput=new"),
    (25, "-XX:AOTMode=on -XX:AOTCache=cache"),
    (25, "-XX:AOTCache=cache"),
];

/// Those of a JDK.
fn requests(jdk: &Jdk) -> impl Iterator<Item = &'static str> {
    let feature = jdk.feature;
    REQUESTS.into_iter().filter(move |(since, _)| *since <= feature).map(|(_, request)| request)
}

/// A folder with a program, an archive, and a cache where there are such.
struct Place<'a> {
    jdk: &'a Jdk,
    folder: tempfile::TempDir,
}

impl<'a> Place<'a> {
    fn new(jdk: &'a Jdk) -> Result<Self> {
        let place = Self { jdk, folder: tempfile::tempdir()? };
        jar(&Jdk::oldest(), &place.path().join("app.jar"), None, &classes("atomicity")?)?;
        place.plain("-XX:ArchiveClassesAtExit=old")?;
        if jdk.feature >= 25 {
            place.plain("-XX:AOTCacheOutput=cache")?;
        }
        Ok(place)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program without jrace.
    fn plain(&self, options: &str) -> Result<Output> {
        let java = self.jdk.tool("java");
        let output = self.program(java, options).output()?;
        ensure!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(output)
    }

    fn program(&self, mut java: Command, options: &str) -> Command {
        java.args(options.split_whitespace()).args(["-cp", "app.jar", "waiting.Main", "10"]).current_dir(self.path());
        java
    }

    fn run(&self) -> Command {
        let mut run = jrace(self.jdk);
        run.arg("run").arg("--").current_dir(self.path());
        run
    }

    fn java(&self) -> std::path::PathBuf {
        self.jdk.home.join("bin/java")
    }

    /// It ended well, printed what the program prints, and told what was switched off.
    fn is_undisturbed(&self, request: &str, output: &Output) -> Result<()> {
        let (said, printed) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        let told = |line: &str| line.starts_with("jrace: switched off by _JAVA_OPTIONS, because a JVM with an agent");
        let n_told = said.lines().filter(|line| told(line)).count();
        let alone = self.plain("")?;
        let is_alike = output.stdout == alone.stdout && output.status.code() == Some(0) && n_told == 1;
        ensure!(is_alike && said.contains(" 1 JVM, exit 0"), "{request}: {}\n{printed}\n{said}", output.status);
        ensure!(!self.path().join("new").exists(), "{request}: an archive was written");
        Ok(())
    }
}

fn places(check: impl Fn(&Place<'_>) -> Result<()>) -> Result<()> {
    on_jdks(&Jdk::oldest_and_newest(), |jdk| check(&Place::new(jdk)?))
}

#[test]
fn options_of_the_command() -> Result<()> {
    places(|place| {
        requests(place.jdk).try_for_each(|request| {
            let mut run = place.run();
            run.arg(place.java());
            place.is_undisturbed(request, &place.program(run, request).output()?)
        })
    })
}

#[test]
fn options_of_variables() -> Result<()> {
    places(|place| {
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
            for request in requests(place.jdk) {
                let mut run = place.run();
                run.arg(place.java()).env(variable, request);
                place.is_undisturbed(&format!("{variable}={request}"), &place.program(run, "").output()?)?;
            }
        }
        Ok(())
    })
}

/// As a build reads the options of its test JVMs.
#[test]
fn options_of_a_build() -> Result<()> {
    places(|place| {
        let module = place.path().join("module");
        std::fs::create_dir(&module)?;
        for request in requests(place.jdk) {
            std::fs::write(module.join("pom.xml"), format!("<project><argLine>{request}</argLine></project>"))?;
            let build = "options=$(sed -n 's|.*<argLine>\\(.*\\)</argLine>.*|\\1|p' module/pom.xml); \
                         \"$java\" $options -cp app.jar waiting.Main 10";
            let output = place.run().env("java", place.java()).args(["sh", "-c", build]).output()?;
            place.is_undisturbed(request, &output)?;
        }
        Ok(())
    })
}

/// Nothing is said, and no variable set, where nothing asks for an archive.
#[test]
fn other_commands_are_left_alone() -> Result<()> {
    let jdk = Jdk::oldest();
    let place = Place::new(&jdk)?;
    let output = place.run().args(["sh", "-c", "echo \"${_JAVA_OPTIONS-unset}\""]).output()?;
    let (said, printed) = (String::from_utf8(output.stderr)?, String::from_utf8(output.stdout)?);
    ensure!(printed == "unset\n" && !said.contains("archive"), "{printed}{said}");
    Ok(())
}
