//! Random edits, one after the other: what is found with the summaries of the build before is what is found from nothing, and
//! only what an edit may touch is made again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use facts::models::Models;
use jrace_tests::generator::Random;
use jrace_tests::jdk::Jdk;
use modular::analysis::{Analysis, Remembered};
use modular::environment::Begin;
use modular::store::Memory;
use static_typer::classpath::ClassPath;
use static_typer::program::Program;

use super::{LIMITS, described, difference, remembered};

/// How many classes there may be.
const CLASSES: usize = 5;
/// How many methods each has.
const METHODS: usize = 3;
/// So many programs are edited, with `JRACE_SWEEP` so many, and so often.
const PROGRAMS: u64 = 10;
const SWEEP: u64 = 48;
const EDITS: usize = 8;

/// A statement; classes, methods and fields by number.
#[derive(Clone, Debug)]
enum Statement {
    Write(usize),
    Read(usize),
    Static,
    /// Arithmetic with a constant.
    Constant(u32),
    /// A call on the object of a field of the class.
    Call(usize, usize),
    /// A call on a new object, perhaps in a loop.
    CallNew(usize, usize, bool),
    /// A new object goes to the field of the class.
    Keep(usize),
    Locked(Vec<Statement>),
    Explicit(Vec<Statement>),
    /// A lock is released that a caller holds, perhaps one of the program's own.
    Released(bool),
    /// A lock of the program's own is held, if models say so.
    Told(Vec<Statement>),
    /// A new object is run by a thread.
    Start(usize, bool),
    /// A lambda that makes a call is run by a pool.
    Lambda(usize, usize),
    /// What a call returns is called.
    Returned(usize, usize),
    /// What a list holds is called.
    Listed(usize, usize),
    /// It is in a branch, before or after what follows.
    Branch(Vec<Statement>),
    /// An array is filled.
    Array,
    /// What an object's class overrides of the library is called by the library.
    Compared(usize),
}

#[derive(Clone, Debug)]
struct Method {
    /// Whether it is not inherited.
    is_there: bool,
    body: Vec<Statement>,
    is_synchronized: bool,
    is_wide: bool,
    /// The class of the new object that it returns, if it does not return its own.
    returns: Option<usize>,
}

#[derive(Clone, Debug)]
struct Class {
    is_there: bool,
    above: Option<usize>,
    methods: Vec<Method>,
    field_is_volatile: bool,
    helper: bool,
    /// Whether it has an order of its own, which the library calls.
    compares: bool,
    setup: Option<u32>,
}

#[derive(Clone, Debug)]
struct Source {
    classes: Vec<Class>,
    /// Whether models say that the program's own lock is one.
    is_told: bool,
}

/// What was edited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Edit {
    Body,
    Arithmetic,
    Signature,
    Superclass,
    Remove,
    Add,
    Lock,
    Volatile,
    Helper,
    Initializer,
    Models,
    Inherit,
    Compare,
    Nothing,
}

const ALL: [Edit; 14] = [
    Edit::Body,
    Edit::Arithmetic,
    Edit::Signature,
    Edit::Superclass,
    Edit::Remove,
    Edit::Add,
    Edit::Lock,
    Edit::Volatile,
    Edit::Helper,
    Edit::Initializer,
    Edit::Models,
    Edit::Inherit,
    Edit::Compare,
    Edit::Nothing,
];

impl Build {
    /// Whether models say that the program's own lock is one.
    pub fn is_told(&self) -> bool {
        self.source.is_told
    }

    /// In Java.
    pub fn java(&self, name: &str) -> String {
        self.source.java(name)
    }
}

impl Source {
    fn random(random: &mut Random) -> Self {
        let class = |n: usize, random: &mut Random| Class {
            is_there: n < 2 || !random.one_in(4),
            above: (n > 0 && random.one_in(2)).then(|| random.below(n)),
            methods: (0..METHODS).map(|_| method(random)).collect(),
            field_is_volatile: false,
            helper: random.one_in(3),
            compares: random.one_in(4),
            setup: random.one_in(3).then(|| random.below(9) as u32),
        };
        Self { classes: (0..CLASSES).map(|n| class(n, random)).collect(), is_told: random.one_in(2) }
    }

    fn edit(&mut self, edit: Edit, random: &mut Random) {
        let n = random.below(CLASSES);
        let class = &mut self.classes[n];
        let of = random.below(METHODS);
        match edit {
            Edit::Body => class.methods[of] = Method { body: body(random, 0), ..class.methods[of].clone() },
            Edit::Arithmetic => {
                let at = random.below(class.methods[of].body.len() + 1);
                class.methods[of].body.insert(at, Statement::Constant(random.below(1000) as u32));
            }
            Edit::Signature => class.methods[of].is_wide ^= true,
            Edit::Superclass => class.above = (n > 0 && random.one_in(2)).then(|| random.below(n)),
            Edit::Remove => class.is_there = n < 2,
            Edit::Add => class.is_there = true,
            Edit::Lock => class.methods[of].is_synchronized ^= true,
            Edit::Volatile => class.field_is_volatile ^= true,
            Edit::Helper => class.helper ^= true,
            Edit::Initializer => class.setup = class.setup.map_or(Some(random.below(9) as u32), |_| None),
            Edit::Inherit => class.methods[of].is_there ^= true,
            Edit::Compare => class.compares ^= true,
            Edit::Models => self.is_told ^= true,
            Edit::Nothing => {}
        }
    }

    fn has(&self, class: usize) -> bool {
        self.classes[class].is_there
    }

    /// The class above one that is there.
    fn above(&self, class: usize) -> Option<usize> {
        self.classes[class].above.filter(|above| self.has(*above))
    }

    /// In Java. All names are as long as they are in every other build.
    fn java(&self, name: &str) -> String {
        let mut text = format!(
            "import java.util.*;\nimport java.util.concurrent.*;\nimport java.util.concurrent.locks.*;\n\
             class {name} {{\n  static {name}B first = new {name}A();\n  static final ReentrantLock LOCK = new ReentrantLock();\n  \
             static final ExecutorService POOL = Executors.newFixedThreadPool(2);\n  static int shared;\n  \
             static final {name}L TOLD = new {name}L();\n  \
             static final List<{name}B> LIST = new ArrayList<>();\n  \
             public static void main(String[] args) {{\n    {name}B root = new {name}A();\n    first = root;\n    \
             LIST.add(root);\n    new Thread(root).start();\n    root.m0(1);\n    root.m1(2);\n  }}\n}}\n"
        );
        text += &format!(
            "abstract class {name}B implements Runnable, Comparable<{name}B> {{\n  {name}B next; int value; int other; int[] cells = \
             new int[4];\n  Object m0(long n) {{ value = 1; return this; }}\n  Object m1(long n) {{ return this; }}\n  Object m2(long n) {{ other = 1; return \
             this; }}\n  \
             public void run() {{ m2(0); }}\n  public int compareTo({name}B of) {{ return value - of.other; }}\n}}\n"
        );
        text += &format!("class {name}L {{ void lock() {{}} void unlock() {{}} }}\n");
        for n in (0..CLASSES).filter(|n| self.has(*n)) {
            text += &self.class(name, n);
        }
        text
    }

    fn class(&self, name: &str, n: usize) -> String {
        let class = &self.classes[n];
        let own = letter(n);
        let above = self.above(n).map_or("B_".to_owned(), |above| letter(above).to_string());
        let above = if above == "B_" { format!("{name}B") } else { format!("{name}{above}") };
        let volatile = if class.field_is_volatile { "volatile " } else { "" };
        let mut text = format!("class {name}{own} extends {above} {{\n  {volatile}int own{n}; {name}B kept{n};\n");
        if let Some(number) = class.setup {
            text += &format!("  static int ready{n} = {number};\n  static {{ {name}.shared = ready{n}; }}\n");
        }
        if class.helper {
            text += &format!("  private static int helper{n}(int n) {{ return n * {n}; }}\n");
        }
        if class.compares {
            text += &format!("  public int compareTo({name}B of) {{ own{n} = 5; return 0; }}\n");
        }
        for (m, method) in class.methods.iter().enumerate().filter(|(_, method)| method.is_there) {
            let modifier = if method.is_synchronized { "synchronized " } else { "" };
            let made = method.returns.map(|class| letter(if self.has(class) { class } else { 0 }));
            let result = made.map_or("this".to_owned(), |made| format!("new {name}{made}()"));
            text += &format!("  {modifier}Object m{m}(long n) {{\n    if (n > 5) return null;\n");
            // One whose signature has changed is another one, that this one calls.
            if method.is_wide {
                text += &format!("    w{m}(n, this);\n    return {result};\n  }}\n  void w{m}(long n, Object o) {{\n");
            }
            text += &self.body(name, n, &method.body);
            text += &if method.is_wide { "  }\n".to_owned() } else { format!("    return {result};\n  }}\n") };
        }
        text + "}\n"
    }

    fn body(&self, name: &str, of: usize, body: &[Statement]) -> String {
        body.iter().map(|statement| self.statement(name, of, statement)).collect()
    }

    fn statement(&self, name: &str, of: usize, statement: &Statement) -> String {
        let made = |class: usize| format!("new {name}{}()", letter(if self.has(class) { class } else { 0 }));
        match statement {
            Statement::Write(0) => format!("    own{of} = 1;\n"),
            Statement::Write(_) => "    value = 2;\n".to_owned(),
            Statement::Read(0) => format!("    n += own{of};\n"),
            Statement::Read(_) => "    n += other;\n".to_owned(),
            Statement::Static => format!("    {name}.shared++;\n"),
            Statement::Constant(number) => format!("    n = n * {number} + 1;\n"),
            Statement::Call(0, method) => format!("    if (next != null) next.m{method}(n + 1);\n"),
            Statement::Call(1, method) => format!("    if (kept{of} != null) kept{of}.m{method}(n + 1);\n"),
            Statement::Call(_, method) => format!("    {name}.first.m{method}(n + 1);\n"),
            Statement::CallNew(class, method, false) => format!("    {}.m{method}(n + 1);\n", made(*class)),
            Statement::CallNew(class, method, true) => {
                format!("    for (int i = 0; i < 3; i++) {}.m{method}(n + 1);\n", made(*class))
            }
            Statement::Keep(class) => format!("    kept{of} = {}; next = kept{of};\n", made(*class)),
            Statement::Locked(body) => format!("    synchronized (this) {{\n{}    }}\n", self.body(name, of, body)),
            Statement::Explicit(body) => {
                let body = self.body(name, of, body);
                format!("    {name}.LOCK.lock();\n    try {{\n{body}    }} finally {{ {name}.LOCK.unlock(); }}\n")
            }
            Statement::Told(body) => {
                let body = self.body(name, of, body);
                format!("    {name}.TOLD.lock();\n    try {{\n{body}    }} finally {{ {name}.TOLD.unlock(); }}\n")
            }
            Statement::Released(is_told) => {
                let lock = if *is_told { "TOLD" } else { "LOCK" };
                format!("    if (n > 3) {name}.{lock}.unlock();\n")
            }
            Statement::Start(class, false) => format!("    new Thread({}).start();\n", made(*class)),
            Statement::Start(_, true) => "    new Thread(this).start();\n".to_owned(),
            Statement::Lambda(class, method) => {
                format!("    {name}.POOL.submit(() -> {{ {}.m{method}(3); value = 4; }});\n", made(*class))
            }
            Statement::Returned(first, second) => {
                format!("    if ({name}.first.m{first}(n + 1) instanceof {name}B got) got.m{second}(n + 1);\n")
            }
            Statement::Listed(class, method) => format!(
                "    {name}.LIST.add({});\n    for ({name}B listed : {name}.LIST) listed.m{method}(n + 1);\n",
                made(*class)
            ),
            Statement::Branch(body) => format!("    if (n > 2) {{\n{}    }}\n", self.body(name, of, body)),
            Statement::Array => "    cells[(int) n & 3] = 1;\n".to_owned(),
            Statement::Compared(class) => {
                format!("    {name}.LIST.add({}); Collections.sort({name}.LIST);\n", made(*class))
            }
        }
    }
}

/// The letter of a class; `B` is what all extend.
fn letter(class: usize) -> char {
    ['A', 'C', 'D', 'E', 'F'][class]
}

fn method(random: &mut Random) -> Method {
    Method {
        is_there: !random.one_in(3),
        body: body(random, 0),
        is_synchronized: random.one_in(4),
        is_wide: random.one_in(4),
        returns: random.one_in(2).then(|| random.below(CLASSES)),
    }
}

fn body(random: &mut Random, depth: usize) -> Vec<Statement> {
    (0..1 + random.below(3)).map(|_| statement(random, depth)).collect()
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    let class = random.below(CLASSES);
    let method = random.below(METHODS);
    match random.below(if depth > 1 { 11 } else { 16 }) {
        0 => Statement::Write(random.below(2)),
        1 => Statement::Read(random.below(2)),
        2 => Statement::Static,
        3 => Statement::Constant(random.below(100) as u32),
        4 => Statement::Call(random.below(3), method),
        5 => Statement::CallNew(class, method, random.one_in(2)),
        6 => Statement::Keep(class),
        7 => Statement::Start(class, random.one_in(3)),
        8 => Statement::Array,
        9 if random.one_in(2) => Statement::Returned(random.below(METHODS), method),
        9 => Statement::Listed(class, method),
        10 if random.one_in(5) => Statement::Released(random.one_in(2)),
        10 => Statement::Lambda(class, method),
        11 => Statement::Locked(body(random, depth + 1)),
        12 => Statement::Explicit(body(random, depth + 1)),
        13 => Statement::Branch(body(random, depth + 1)),
        14 => Statement::Told(body(random, depth + 1)),
        _ => Statement::Compared(class),
    }
}

/// A program after some edits, and the last of these.
pub struct Build {
    edit: Edit,
    source: Source,
}

pub fn builds(seed: u64, n_edits: usize) -> Vec<Build> {
    let mut random = Random(seed);
    let mut source = Source::random(&mut random);
    let mut builds = vec![Build { edit: Edit::Nothing, source: source.clone() }];
    for _ in 0..n_edits {
        let edit = random.pick(&ALL);
        source.edit(edit, &mut random);
        builds.push(Build { edit, source: source.clone() });
    }
    builds
}

/// The names of a program's classes begin with that, in all builds. They are compiled at once, by other names of that length.
const NAME: &str = "Program";

pub fn name(seed: u64, build: usize) -> String {
    format!("P{seed:03}_{build:02}")
}

/// Compiles all builds of all programs, whose Java begins with a name, and puts each build in a folder of its own.
pub fn compile<S>(all: &[Vec<S>], java: impl Fn(&S, &str) -> String, folder: &Path) -> Result<()> {
    let (jdk, mut files) = (Jdk::oldest(), Vec::new());
    for (seed, builds) in all.iter().enumerate() {
        for (n, build) in builds.iter().enumerate() {
            let name = name(seed as u64, n);
            files.push(folder.join(format!("{name}.java")));
            std::fs::write(folder.join(format!("{name}.java")), java(build, &name))?;
        }
    }
    let classes = folder.join("classes");
    std::fs::create_dir_all(&classes)?;
    jdk.compile(&files, &classes, &["--release", "17"])?;
    for entry in std::fs::read_dir(&classes)? {
        let path = entry?.path();
        let file = path.file_name().and_then(|name| name.to_str()).context("a name")?;
        let (build, rest) = file.split_at(NAME.len());
        let to = folder.join(build);
        std::fs::create_dir_all(&to)?;
        std::fs::write(to.join(format!("{NAME}{rest}")), renamed(&std::fs::read(&path)?, build.as_bytes()))?;
    }
    Ok(())
}

fn renamed(class: &[u8], from: &[u8]) -> Vec<u8> {
    let mut bytes = class.to_vec();
    let places = class.windows(from.len()).enumerate().filter(|(_, window)| *window == from);
    places.for_each(|(at, _)| bytes[at..at + from.len()].copy_from_slice(NAME.as_bytes()));
    bytes
}

/// What the user's models say of the program's own lock.
const MODELS: &str =
    "[[model]]\nclass = \"ProgramL\"\n[model.methods]\nlock = \"acquires this\"\nunlock = \"releases this\"\n";

fn loaded(folder: &Path, jdk: &Jdk, is_told: bool) -> Result<Program> {
    loaded_with(&[folder.to_owned()], &[], jdk, is_told)
}

/// A program with libraries, and what models say of it.
pub fn loaded_with(folders: &[PathBuf], libraries: &[PathBuf], jdk: &Jdk, is_told: bool) -> Result<Program> {
    let mut program = Program::load(&mut ClassPath::open(folders, libraries, Some(&jdk.home))?);
    if is_told {
        program.tell(&Models::read(MODELS)?)?;
    }
    Ok(program)
}

/// Other limits, and another build of the command: nothing is taken that was made with these.
fn others(folder: &Path, jdk: &Jdk, seed: usize, store: &Memory) -> Result<()> {
    let program = loaded(folder, jdk, false)?;
    let (resolution, mains, limits) =
        (modular::resolution(&program), program.main_methods(), LIMITS[(seed + 1) % LIMITS.len()]);
    let expected = described(&Analysis::of(&resolution, &Begin::mains(&mains), limits));
    let analysis = remembered(&resolution, &mains, limits, store);
    let found = described(&analysis);
    ensure!(found == expected, "program {seed}, other limits: {}", difference(&expected, &found));
    ensure!(analysis.counts.taken == 0, "other limits");
    let with = Remembered { store, build: "another", max_listed: 8 };
    let analysis = Analysis::remembered(&resolution, &Begin::mains(&mains), limits, &with);
    ensure!(analysis.counts.taken == 0 && !analysis.counts.is_all_taken, "another build");
    Ok(())
}

#[test]
fn edits_change_what_is_remembered_as_they_change_what_is_made() -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    let programs = if std::env::var_os("JRACE_SWEEP").is_some() { SWEEP } else { PROGRAMS };
    let all: Vec<Vec<Build>> = (0..programs).map(|seed| builds(seed, EDITS)).collect();
    compile(&all, Build::java, folder.path())?;
    let (mut n_taken, mut n_made, mut seen, mut n_races) = (0, 0, BTreeSet::new(), 0);
    for (seed, builds) in all.iter().enumerate() {
        let (limits, store) = (LIMITS[seed % LIMITS.len()], Memory::default());
        for (n, build) in builds.iter().enumerate() {
            let program = loaded(&folder.path().join(name(seed as u64, n)), &jdk, build.source.is_told)?;
            let (resolution, mains) = (modular::resolution(&program), program.main_methods());
            let expected = described(&Analysis::of(&resolution, &Begin::mains(&mains), limits));
            let analysis = remembered(&resolution, &mains, limits, &store);
            let found = described(&analysis);
            let what = format!("program {seed}, build {n}, {:?}", build.edit);
            ensure!(found == expected, "{what}: {}", difference(&expected, &found));
            let counts = analysis.counts;
            let n_again = counts.components - counts.taken;
            ensure!(build.edit != Edit::Nothing || n == 0 || n_again == 0, "{what}: {n_again} made again");
            ensure!(n == 0 || build.edit != Edit::Arithmetic || n_again <= 1, "{what}: {n_again} made again");
            ensure!(n == 0 || build.edit != Edit::Helper || n_again == 0, "{what}: {n_again} made again");
            n_made += if n > 0 { n_again } else { 0 };
            n_taken += counts.taken;
            n_races += expected.len();
            seen.insert(build.edit);
        }
        others(&folder.path().join(name(seed as u64, EDITS)), &jdk, seed, &store)?;
    }
    println!("{n_taken} taken, {n_made} made again, {n_races} lines");
    ensure!(n_taken > n_made && n_made > 50 && n_races > 500 && seen.len() == ALL.len(), "{n_taken} {n_made} {seen:?}");
    Ok(())
}
