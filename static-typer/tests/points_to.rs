//! The solver agrees with the rules, applied one by one.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::{Jdk, sources};
use jrace_tests::{generator, maven, root};
use static_typer::classpath::ClassPath;
use static_typer::ir::{Body, Value};
use static_typer::points_to::{
    Beans, Client, Code, Framework, PointsTo, Resolution, Sensitivity, Site, Slot, Suite, casts, environment, naive,
};
use static_typer::program::{Program, Type};

pub const ALL: [Sensitivity; 5] =
    [Sensitivity::None, Sensitivity::Object(1), Sensitivity::Object(2), Sensitivity::Hybrid(1), Sensitivity::Hybrid(2)];

/// Says how many variables refer to something.
fn agree(resolution: &Resolution<'_>, sensitivity: &Sensitivity, environment: &Code, what: &str) -> usize {
    let solved = PointsTo::of(resolution, sensitivity, environment.clone(), u64::MAX, &|_| {});
    let solved = naive::of(resolution.program, &solved.expect("no limit"));
    let expected = naive::solve(resolution, sensitivity, environment.clone());
    let wrong = expected.locals.iter().filter(|(key, objects)| solved.locals.get(key) != Some(objects));
    let wrong: Vec<_> = wrong.take(3).collect();
    assert!(wrong.is_empty(), "{what}, {sensitivity}: {wrong:#?}");
    assert!(solved == expected, "{what}, {sensitivity}: {} and {} calls", solved.calls.len(), expected.calls.len());
    expected.locals.len()
}

/// Without a JDK both work on the application alone, which makes the rules fast enough.
fn all_agree(program: &Program, what: &str) -> usize {
    let resolution = Resolution::of(program);
    let environments = [
        environment::mains(&resolution, &program.main_methods()),
        environment::harness(&resolution, &Client::of(program, &|_| true)).0,
    ];
    let pairs = environments.iter().flat_map(|environment| ALL.iter().map(move |kind| (environment, kind)));
    pairs.map(|(environment, kind)| agree(&resolution, kind, environment, what)).sum()
}

#[test]
fn fixtures_come_out_as_the_rules_say() -> Result<()> {
    let jdk = Jdk::oldest();
    for folder in ["tests/java/races/seeds", "tests/java/races/paper", "demo-apps/webserver", "demo-apps/tsp"] {
        let classes = compiled(&jdk, &sources(&root().join(folder))?, &["--release", "17"])?;
        let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], None)?);
        assert!(all_agree(&program, folder) > 100);
    }
    Ok(())
}

#[test]
fn suites_come_out_as_the_rules_say() -> Result<()> {
    let jars = maven::jars(&root().join("tests/java/real/pool2"))?;
    let folders = ["tests/java/suites/plain", "tests/java/agent/util"].map(|folder| sources(&root().join(folder)));
    let files: Vec<_> = folders.into_iter().collect::<Result<Vec<_>>>()?.concat();
    let class_path = format!("{}/*", jars.display());
    let classes = compiled(&Jdk::oldest(), &files, &["--release", "17", "-cp", &class_path])?;
    let junit = jars.join("junit-platform-console-standalone-1.11.4.jar");
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[junit], None)?);
    let framework = Framework::of(&program);
    let suite = Suite::of(&program, &framework).context("tests")?;
    let resolution = Resolution::of(&program).with_framework(framework);
    for kind in ALL {
        assert!(agree(&resolution, &kind, &environment::suite(&resolution, &suite, false), "suite") > 100);
    }
    Ok(())
}

#[test]
fn beans_come_out_as_the_rules_say() -> Result<()> {
    let folder = root().join("tests/java/races/beans");
    let library = compiled(&Jdk::oldest(), &sources(&folder.join("library"))?, &["--release", "17"])?;
    let class_path = library.display().to_string();
    let classes = compiled(&Jdk::oldest(), &sources(&folder.join("shop"))?, &["--release", "17", "-cp", &class_path])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[library], None)?);
    let resolution = Resolution::of(&program).with_opaque_libraries();
    let environment = environment::requests(&resolution, &program.main_methods(), &Beans::of(&program));
    for kind in ALL {
        assert!(agree(&resolution, &kind, &environment, "beans") > 100);
    }
    Ok(())
}

/// Without a JDK nothing is `Object.clone`, so the environment copies.
#[test]
fn copies_come_out_as_the_rules_say() -> Result<()> {
    let classes = compiled(&Jdk::oldest(), &sources(&root().join("tests/java/races/seeds"))?, &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], None)?);
    let resolution = Resolution::of(&program);
    let maker = *program.main_methods().first().context("a method")?;
    let of = Type::class(program.class(resolution.program.class_named("seeds/Clones").context("a class")?).name);
    let field = Slot::Field(resolution.program.field_named("seeds/Clones", "box").context("a field")?);
    let mut code = environment::mains(&resolution, &[]);
    let [original, part, copy, again, loaded] = std::array::from_fn(|_| code.local());
    code.allocations.push((original, Site::New(maker, Value(0), 0), of));
    code.allocations.push((part, Site::New(maker, Value(1), 0), Type::OBJECT));
    code.copy(copy, original);
    code.copy(again, copy);
    code.load(loaded, again, field);
    code.store(original, field, part);
    code.finish();
    for kind in ALL {
        agree(&resolution, &kind, &code, "copies");
        let solved = PointsTo::of(&resolution, &kind, code.clone(), u64::MAX, &|_| {}).context("no limit")?;
        let of = |local| solved.local(solved.root, local);
        assert!(!of(copy).intersects(of(original)) && of(again).only() == of(copy).only(), "{kind}");
        assert!(of(loaded).only().is_some() && of(loaded).only() == of(part).only(), "{kind}");
    }
    Ok(())
}

/// Whether the casts of each line may fail, by its comment.
#[allow(clippy::disallowed_methods, reason = "reads a fixture")]
fn commented(path: &Path, has_contexts: bool) -> Result<BTreeMap<u16, bool>> {
    let expected = |line: &str| match line.split_once("// cast: ")?.1 {
        "may fail without contexts" => Some(!has_contexts),
        comment => Some(comment == "may fail"),
    };
    let text = std::fs::read_to_string(path)?;
    Ok((1..).zip(text.lines()).filter_map(|(n, line)| Some((n, expected(line)?))).collect())
}

/// Whether the casts of each line of the application may fail.
fn casts_by_line(program: &Program, solved: &PointsTo) -> Result<BTreeMap<u16, bool>> {
    let mut lines = BTreeMap::new();
    for ((method, at), fails) in casts(program, solved) {
        if program.class(program.method(method).class).is_application {
            let body = Body::of(program, method).context("code")?.ok().context("a body")?;
            lines.insert(body.line(at).context("a line")?, fails);
        }
    }
    Ok(lines)
}

#[test]
fn casts_that_may_fail_are_known() -> Result<()> {
    let path = root().join("static-typer/tests/java/casts/Casts.java");
    let classes = compiled(&Jdk::oldest(), std::slice::from_ref(&path), &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], None)?);
    let resolution = Resolution::of(&program);
    let environment = environment::mains(&resolution, &program.main_methods());
    for kind in ALL {
        agree(&resolution, &kind, &environment, "casts");
        let solved = PointsTo::of(&resolution, &kind, environment.clone(), u64::MAX, &|_| {}).context("no limit")?;
        assert_eq!(casts_by_line(&program, &solved)?, commented(&path, kind != Sensitivity::None)?, "{kind}");
    }
    Ok(())
}

/// What the rules alone are fast enough with.
const JDK: &[&str] = &[
    "java/lang/Class",
    "java/lang/Exception",
    "java/lang/Object",
    "java/lang/RuntimeException",
    "java/lang/String",
    "java/lang/Throwable",
    "java/lang/reflect/Array",
    "java/security/AccessController",
    "java/security/PrivilegedActionException",
    "java/security/PrivilegedExceptionAction",
    "java/util/Arrays",
];

#[test]
fn arrays_of_other_lengths_are_like_the_first() -> Result<()> {
    let (jdk, path) = (Jdk::oldest(), root().join("static-typer/tests/java/lengths/Lengths.java"));
    let classes = compiled(&jdk, std::slice::from_ref(&path), &["--release", "17"])?;
    let mut class_path = ClassPath::open(&[classes], &[], Some(&jdk.home))?;
    let program =
        Program::of_whole(class_path.application(), |name| class_path.find(name).filter(|_| JDK.contains(&name)));
    let resolution = Resolution::of(&program);
    let environment = environment::mains(&resolution, &program.main_methods());
    for kind in ALL {
        agree(&resolution, &kind, &environment, "lengths");
        let solved = PointsTo::of(&resolution, &kind, environment.clone(), u64::MAX, &|_| {}).context("no limit")?;
        assert_eq!(casts_by_line(&program, &solved)?, commented(&path, kind != Sensitivity::None)?, "{kind}");
    }
    Ok(())
}

/// Random numbers that are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next one.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn variable(&mut self) -> &'static str {
        ["a", "b", "c"][self.below(3) as usize]
    }

    /// A statement over `a`, `b` and `c`, in which references go to and fro between methods, fields and arrays.
    fn statement(&mut self) -> String {
        let (x, y, z) = (self.variable(), self.variable(), self.variable());
        let (class, field, method) = (self.below(3), ["f", "g", "S"][self.below(3) as usize], self.below(5));
        match self.below(10) {
            0 => format!("{x} = new C{class}();"),
            1 => format!("{x} = {y};"),
            2 => format!("if ({y} instanceof C{class} o) o.{field} = {z};"),
            3 => format!("if ({y} instanceof C{class} o) {x} = o.{field};"),
            4 | 5 => format!("if (go()) {x} = m{method}({y}, {z});"),
            6 => format!("if ({y} instanceof C{class} o) {x} = o.v({z});"),
            7 => format!("{x} = new Object[] {{{y}}};"),
            8 => format!("if ({y} instanceof Object[] o && go()) o[0] = {z}; else if (go()) {x} = {z};"),
            _ => format!(
                "if ({y} instanceof Object[] o) {x} = o[0]; while (go()) {{ Object d = {x}; {x} = {y}; {y} = d; }}"
            ),
        }
    }

    fn body(&mut self) -> String {
        let statements: Vec<String> = (0..2 + self.below(6)).map(|_| self.statement()).collect();
        format!("Object c = null; {} return {};", statements.join(" "), self.variable())
    }

    /// A program of one class that is called so, with its `main`.
    pub fn program(&mut self, name: &str) -> String {
        let mut text = format!("final class {name} {{ static boolean go() {{ return Math.random() < 0.1; }}\n");
        for method in 0..5 {
            text += &format!("static Object m{method}(Object a, Object b) {{ {} }}\n", self.body());
        }
        for class in 0..3 {
            let above = if class == 0 { String::new() } else { format!("extends C{} ", self.below(class)) };
            let fields = if class == 0 { "Object f, g; static Object S;" } else { "" };
            text += &format!(
                "static class C{class} {above}{{ {fields} Object v(Object a) {{ Object b = this; {} }} }}\n",
                self.body()
            );
        }
        text + "public static void main(String[] args) { m0(new C1(), new C2()); } }\n"
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]
fn references_in_circles_come_out_as_the_rules_say() -> Result<()> {
    let jdk = Jdk::oldest();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("Circles.java");
    let programs: Vec<String> = (0..100).map(|seed| Numbers(seed).program(&format!("P{seed}"))).collect();
    std::fs::write(&path, programs.concat())?;
    let classes = folder.path().join("classes");
    std::fs::create_dir(&classes)?;
    jdk.compile(&[path], &classes, &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], None)?);
    let resolution = Resolution::of(&program);
    let mut n_objects = 0;
    for main in program.main_methods() {
        let environment = environment::mains(&resolution, &[main]);
        n_objects +=
            ALL.iter().map(|kind| agree(&resolution, kind, &environment, &program.method_name(main))).sum::<usize>();
    }
    assert!(n_objects > 10_000, "{n_objects}");
    Ok(())
}

#[test]
#[allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]
fn random_programs_come_out_as_the_rules_say() -> Result<()> {
    let jdk = Jdk::oldest();
    let folder = tempfile::tempdir()?;
    let mut all = Vec::new();
    let mut write = |name: String, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        std::fs::write(&path, text)?;
        all.push(path);
        std::io::Result::Ok(())
    };
    write("support/Support.java".to_owned(), generator::SUPPORT)?;
    let mut main = String::from("public final class All { public static void main(String[] args) {\n");
    for seed in 0..30 {
        write(format!("g{seed}/Main.java"), &generator::program(seed))?;
        main += &format!("g{seed}.Main.run();\n");
    }
    write("All.java".to_owned(), &(main + "}}\n"))?;
    let classes = folder.path().join("classes");
    std::fs::create_dir(&classes)?;
    jdk.compile(&all, &classes, &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], None)?);
    assert!(all_agree(&program, "random programs") > 1000);
    Ok(())
}
