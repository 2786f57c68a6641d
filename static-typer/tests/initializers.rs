//! Random programs with class initializers and with threads that start others, tried in every order in which their threads may run:
//! every variable that two threads come to at once in one of them is in what the search reports.
#![allow(clippy::disallowed_methods, reason = "writes the programs that it tries")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Result, ensure};
use jrace_tests::generator;
use jrace_tests::jdk::Jdk;
use static_typer::classpath::ClassPath;
use static_typer::points_to::{Framework, PointsTo, Resolution, Sensitivity, environment};
use static_typer::program::Program;
use static_typer::races::{Options, RaceFree, Races, Variable};

const N_CLASSES: usize = 3;
const N_VARIABLES: usize = 3;
const N_THREADS: usize = 3;

/// A step of a program.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Writes a variable.
    Write(usize),
    /// Uses a class.
    Use(usize),
    /// Calls a static method of a class.
    Call(usize),
    /// Calls a method of the main class.
    Help,
    /// Starts a thread.
    Start(usize),
    /// May leave out the next step.
    Maybe,
}

/// A list of steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    /// The initializer of the main class.
    First,
    Main,
    Help,
    Thread(usize),
    Initializer(usize),
    Method(usize),
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

struct Sample {
    parts: Vec<(Part, Vec<Step>)>,
}

impl Sample {
    fn of(seed: u64) -> Self {
        let mut random = Random(seed);
        (0..9).for_each(|_| _ = random.below(2));
        let mut sample = Self { parts: Vec::new() };
        sample.add(Part::First, 1, &mut random);
        sample.add(Part::Main, 4, &mut random);
        sample.add(Part::Help, 2, &mut random);
        (0..N_THREADS).for_each(|thread| sample.add(Part::Thread(thread), 3, &mut random));
        (0..N_CLASSES).for_each(|class| sample.add(Part::Initializer(class), 2, &mut random));
        (0..N_CLASSES).for_each(|class| sample.add(Part::Method(class), 2, &mut random));
        // Each thread is started once.
        for thread in 0..N_THREADS {
            let part = match random.below(8) {
                0 => Part::First,
                1 => Part::Method(random.below(N_CLASSES)),
                2 => Part::Initializer(random.below(N_CLASSES)),
                3..5 if thread > 0 => Part::Thread(thread - 1),
                _ => Part::Main,
            };
            sample.start(thread, part, &mut random);
        }
        sample
    }

    fn start(&mut self, thread: usize, part: Part, random: &mut Random) {
        let Some((_, steps)) = self.parts.iter_mut().find(|(other, _)| *other == part) else { return };
        let at = random.below(steps.len() + 1);
        let at = if at > 0 && matches!(steps[at - 1], Step::Maybe) { at - 1 } else { at };
        steps.insert(at, Step::Start(thread));
    }

    fn add(&mut self, part: Part, n_steps: usize, random: &mut Random) {
        let mut steps = Vec::new();
        for _ in 0..=random.below(n_steps) {
            if random.below(5) == 0 {
                steps.push(Step::Maybe);
            }
            steps.push(match (random.below(8), part) {
                (0..3, _) | (_, Part::Method(_)) => Step::Write(random.below(N_VARIABLES)),
                (6, _) if part != Part::Help => Step::Call(random.below(N_CLASSES)),
                (7, Part::Main | Part::Thread(_)) => Step::Help,
                _ => Step::Use(random.below(N_CLASSES)),
            });
        }
        self.parts.push((part, steps));
    }

    fn steps(&self, part: Part) -> &[Step] {
        self.parts.iter().find(|(other, _)| *other == part).map_or(&[], |(_, steps)| steps)
    }

    fn block(&self, part: Part) -> String {
        let step = |step: &Step| match step {
            Step::Write(variable) => format!("V.v{variable}++;\n"),
            Step::Use(class) => format!("C{class}.own = 1;\n"),
            Step::Call(class) => format!("C{class}.call();\n"),
            Step::Help => "V.help();\n".to_owned(),
            Step::Start(thread) => format!("new T{thread}().start();\n"),
            Step::Maybe => "if (System.nanoTime() > 0)\n".to_owned(),
        };
        self.steps(part).iter().map(step).collect()
    }

    fn source(&self, name: &str) -> String {
        let help = self.block(Part::Help);
        let mut text =
            format!("public final class {name} {{\nstatic final class V {{ static void help() {{ {help} }}\n");
        (0..N_VARIABLES).for_each(|variable| _ = writeln!(text, "static int v{variable};"));
        text.push_str("}\n");
        for class in 0..N_CLASSES {
            let (initializer, method) = (self.block(Part::Initializer(class)), self.block(Part::Method(class)));
            let _ = writeln!(
                text,
                "static final class C{class} {{ static int own; static {{ {initializer} }} static void call() {{ {method} }} }}"
            );
        }
        for thread in 0..N_THREADS {
            let run = self.block(Part::Thread(thread));
            let _ = writeln!(text, "static final class T{thread} extends Thread {{ public void run() {{ {run} }} }}");
        }
        let (first, main) = (self.block(Part::First), self.block(Part::Main));
        let _ = writeln!(text, "static {{ {first} }}\npublic static void main(String[] a) {{ {main} }}\n}}");
        text
    }

    /// The variables that two threads may be about to write at once; none if some thread may be started twice, as each has one place.
    fn racy(&self) -> Option<BTreeSet<usize>> {
        let (mut racy, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![State::begin()]);
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            if state.is_repeated {
                return None;
            }
            if let Some(thread) = (0..=N_THREADS).find(|thread| state.is_next_alone(self, *thread)) {
                state.follow(self, thread, &mut open);
                continue;
            }
            let mut written = BTreeSet::new();
            for thread in 0..=N_THREADS {
                if let Some(Step::Write(variable)) = state.next(self, thread)
                    && !written.insert(variable)
                {
                    racy.insert(variable);
                }
                state.follow(self, thread, &mut open);
            }
        }
        Some(racy)
    }
}

/// What has become of a class (JLS 12.4.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Unused,
    /// In the middle of its initialization by a thread.
    Begun(usize),
    Ready,
}

/// Where every thread is; the main one comes last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    stacks: [Vec<(Part, usize)>; N_THREADS + 1],
    classes: [Class; N_CLASSES],
    started: [bool; N_THREADS],
    is_repeated: bool,
}

impl State {
    fn begin() -> Self {
        let mut stacks = [const { Vec::new() }; N_THREADS + 1];
        stacks[N_THREADS].extend([(Part::Main, 0), (Part::First, 0)]);
        Self { stacks, classes: [Class::Unused; N_CLASSES], started: [false; N_THREADS], is_repeated: false }
    }

    fn next(&self, sample: &Sample, thread: usize) -> Option<Step> {
        let (part, at) = self.stacks[thread].last()?;
        sample.steps(*part).get(*at).copied()
    }

    /// Whether the next step of a thread is the same before and after any step of another one, and is no write: no other order of
    /// these has to be tried.
    fn is_next_alone(&self, sample: &Sample, thread: usize) -> bool {
        match self.next(sample, thread) {
            Some(Step::Use(class) | Step::Call(class)) => match self.classes[class] {
                Class::Begun(by) => by == thread,
                class => class == Class::Ready,
            },
            next => matches!(next, Some(Step::Help | Step::Start(_) | Step::Maybe)),
        }
    }

    /// Adds the states that one more step of a thread leads to.
    fn follow(&self, sample: &Sample, thread: usize, open: &mut Vec<Self>) {
        let mut after = self.clone();
        let Some((_, at)) = after.stacks[thread].last_mut() else { return };
        *at += 1;
        match self.next(sample, thread) {
            Some(Step::Use(class)) if !after.use_class(thread, class) => return,
            None | Some(Step::Write(_) | Step::Use(_)) => {}
            Some(Step::Call(class)) => {
                after.stacks[thread].push((Part::Method(class), 0));
                if !after.use_class(thread, class) {
                    return;
                }
            }
            Some(Step::Help) => after.stacks[thread].push((Part::Help, 0)),
            Some(Step::Start(started)) => {
                after.is_repeated |= std::mem::replace(&mut after.started[started], true);
                after.stacks[started].push((Part::Thread(started), 0));
            }
            Some(Step::Maybe) => {
                let mut without = after.clone();
                without.stacks[thread].last_mut().into_iter().for_each(|(_, at)| *at += 1);
                without.leave(sample, thread);
                open.push(without);
            }
        }
        after.leave(sample, thread);
        open.push(after);
    }

    /// Ends what has no more steps, at once: nothing can be seen in between that is not seen before.
    fn leave(&mut self, sample: &Sample, thread: usize) {
        while let Some((part, at)) = self.stacks[thread].last().copied()
            && at >= sample.steps(part).len()
        {
            self.stacks[thread].pop();
            if let Part::Initializer(class) = part {
                self.classes[class] = Class::Ready;
            }
        }
    }

    /// Begins to initialize a class if nobody has; says whether the thread need not wait.
    fn use_class(&mut self, thread: usize, class: usize) -> bool {
        if self.classes[class] == Class::Unused {
            self.classes[class] = Class::Begun(thread);
            self.stacks[thread].push((Part::Initializer(class), 0));
        }
        matches!(self.classes[class], Class::Begun(by) if by == thread) || self.classes[class] == Class::Ready
    }
}

/// One of them starts a thread in an initializer that a call runs first.
const SEEDS: std::ops::Range<u64> = 40..52;

fn found(program: &Program, name: &str) -> BTreeSet<usize> {
    let resolution = Resolution::of(program);
    let mut mains = program.main_methods();
    mains.retain(|method| program.class_name(program.method(*method).class) == name);
    let code = environment::mains(&resolution, &mains);
    let points_to = PointsTo::of(&resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {}).expect("no limit");
    let races = Races::of(program, &points_to, &Options::default());
    let fields = races.races.iter().filter_map(|race| match race.variable {
        Variable::Field(field) => Some(program.names().text(program.field(field).name).into_owned()),
        _ => None,
    });
    (0..N_VARIABLES).filter(|variable| fields.clone().any(|name| name == format!("v{variable}"))).collect()
}

#[test]
fn initializers_race_as_every_order_of_threads_shows() -> Result<()> {
    let (jdk, folder) = (Jdk::oldest(), tempfile::tempdir()?);
    let samples: Vec<(String, Sample)> =
        generator::seeds(SEEDS).map(|seed| (format!("P{seed}"), Sample::of(seed))).collect();
    let mut sources = Vec::new();
    for (name, sample) in &samples {
        sources.push(folder.path().join(format!("{name}.java")));
        std::fs::write(sources.last().expect("one"), sample.source(name))?;
    }
    let classes = folder.path().join("classes");
    std::fs::create_dir(&classes)?;
    jdk.compile(&sources, &classes, &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let (mut n_tried, mut n_racy, mut n_false) = (0, 0, 0);
    for (name, sample) in &samples {
        let Some(racy) = sample.racy() else { continue };
        let found = found(&program, name);
        n_tried += 1;
        ensure!(racy.is_subset(&found), "{racy:?} are racy and {found:?} found in\n{}", sample.source(name));
        n_racy += racy.len();
        n_false += found.len() - racy.len();
    }
    let n_clean = n_tried * N_VARIABLES - n_racy;
    let is_fair = 2 * n_tried > samples.len() && 2 * n_racy > n_tried;
    ensure!(is_fair && 3 * n_false < n_clean, "{n_racy} racy, {n_false} false of {n_clean} clean in {n_tried}");
    Ok(())
}

/// What two initializers do with objects of `X`, on which they call the same methods, and what threads do that run them.
struct Way {
    name: &'static str,
    /// Members of both classes and beside them.
    members: [&'static str; 2],
    initializer: &'static str,
    /// What each thread does besides.
    run: &'static str,
    is_racy: bool,
}

const fn clean(name: &'static str, initializer: &'static str) -> Way {
    Way { name, members: ["", ""], initializer, run: "", is_racy: false }
}

const fn racy(name: &'static str, members: [&'static str; 2], initializer: &'static str, run: &'static str) -> Way {
    Way { name, members, initializer, run, is_racy: true }
}

/// Objects that stay with an initializer, and those that get out.
const WAYS: [Way; 11] = [
    clean("Local", "X x = new X(); fill(x); own = x.hits;"),
    clean("Builder", "own = new X().hit().hit().hits;"),
    clean("Array", "X[] all = {new X(), new X()}; fill(all[1]); own = all[0].hits;"),
    clean("List", "java.util.List<X> all = new java.util.ArrayList<>(); all.add(new X()); fill(all.get(0));"),
    clean("Nested", "X x = new X(); x.next = new X(); fill(x.next);"),
    Way { run: "X x = new X(); fill(x);", ..clean("BesideThreads", "X x = new X(); fill(x);") },
    racy("Static", ["", "static X shared = new X();"], "fill(shared);", "fill(shared);"),
    racy("OfTheOther", ["static X kept = new X();", ""], "fill(kept); fill(A.kept);", "fill(A.kept); fill(B.kept);"),
    racy("Started", ["", ""], "X x = new X(); new Thread(() -> fill(x)).start(); fill(x);", ""),
    racy(
        "KeptByOther",
        ["", "static final X[] all = new X[1];"],
        "X x = new X(); all[0] = x; fill(x);",
        "if (all[0] != null) fill(all[0]);",
    ),
    racy(
        "Linked",
        ["", "static X top = new X();"],
        "X x = new X(); top.next = x; fill(x);",
        "if (top.next != null) fill(top.next);",
    ),
];

impl Way {
    fn source(&self) -> String {
        let Self { name, members: [inside, beside], initializer, run, .. } = self;
        let class = |class| {
            format!(
                "static final class {class} {{ static int own; {inside} static {{ {initializer} }} static void use() {{}} }}\n"
            )
        };
        format!(
            "final class {name} {{ static final class X {{ int hits; X next; X hit() {{ hits++; return this; }} }}\n\
             static void fill(X x) {{ x.hit(); x.hits++; }}\n{beside}\n{}{}\
             static void run() {{ A.use(); B.use(); {run} }} }}\n",
            class("A"),
            class("B")
        )
    }
}

/// A library with a class whose initializer calls the program, and what that uses there.
const LIBRARY: &str = "final class Late { static { Hooks.hook.run(); } static void use() {} }
final class Hooks { static Runnable hook; }";
const CALLED: &str = "final class InLibrary { static final class X { int hits; }
static X shared = new X(); static void hit() { shared.hits++; } }\n";
const IN_LIBRARY: &str = "Hooks.hook = InLibrary::hit; new Thread(() -> Late.use()).start(); InLibrary.hit();";

/// What initializers use and no other thread reaches is proved, though several run the same code; what gets out is not.
#[test]
fn what_stays_with_an_initializer_is_proved() -> Result<()> {
    let (folder, jdk) = (tempfile::tempdir()?, Jdk::oldest());
    let path = |name: &str| folder.path().join(name);
    let (hooks, library) = (path("Hooks.java"), path("library"));
    std::fs::write(&hooks, LIBRARY)?;
    jdk.compile(&[hooks], &library, &["--release", "17"])?;
    let runs: String = WAYS.iter().map(|way| format!("{}.run();\n", way.name)).collect();
    let main = format!(
        "public final class Main {{ static void all() {{ {runs} }}\n\
         public static void main(String[] given) {{ {IN_LIBRARY} new Thread(() -> all()).start(); all(); }} }}\n"
    );
    std::fs::write(path("Main.java"), main + CALLED + &WAYS.iter().map(Way::source).collect::<String>())?;
    let (classes, with) = (path("classes"), library.to_string_lossy());
    jdk.compile(&[path("Main.java")], &classes, &["--release", "17", "-cp", &with])?;
    let program =
        Program::load_whole(&mut ClassPath::open(&[classes], std::slice::from_ref(&library), Some(&jdk.home))?);
    let resolution = Resolution::of(&program);
    let code = environment::mains(&resolution, &program.main_methods());
    let points_to = PointsTo::of(&resolution, &Sensitivity::Hybrid(1), code, u64::MAX, &|_| {});
    let points_to = points_to.expect("memory is not bounded");
    let races = Races::of(&program, &points_to, &Options::default());
    let proofs = RaceFree::by_search(&program, &points_to, &races, Framework::default(), &program.reflected().fields);
    let proved = |class: &str| {
        let hits = program.field_named(&format!("{class}$X"), "hits");
        hits.is_some_and(|hits| proofs.fields.contains(&hits))
    };
    let ways = WAYS.iter().map(|way| (way.name, way.is_racy)).chain([("InLibrary", true)]);
    let wrong: Vec<&str> = ways.filter(|(name, is_racy)| proved(name) == *is_racy).map(|(name, _)| name).collect();
    ensure!(wrong.is_empty(), "{wrong:?}");
    Ok(())
}
