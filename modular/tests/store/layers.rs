//! Random programs in layers: a class names only those below it, and overrides what these call. So hardly anything is recursive, and a part
//! that has the classes below knows nothing of what its calls run.

use jrace_tests::generator::Random;

/// How many classes there are, each a layer.
const CLASSES: usize = 6;
const METHODS: usize = 2;

#[derive(Clone, Debug)]
enum Step {
    /// A field of the object is written.
    Own,
    /// A static field of a class is.
    Static(usize),
    /// A method is called on a new object.
    Make(usize, usize),
    /// The teller of a class is given a new object, perhaps by another thread.
    Tell(usize, usize, bool),
    /// A method is called on what the teller was given.
    Given(usize),
    /// A method of a class is called on a new object of one below it.
    Seen(usize, usize, usize),
    /// A new object is run by the library, perhaps in another thread.
    Run(usize, bool),
}

#[derive(Clone, Debug)]
struct Class {
    above: Option<usize>,
    methods: Vec<Option<Vec<Step>>>,
    is_synchronized: bool,
    /// What the library runs, if it is not inherited.
    run: Option<Vec<Step>>,
    /// The class of what the teller is given.
    told: usize,
    teller: Vec<Step>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Layers {
    classes: Vec<Class>,
    begins: Vec<Step>,
}

impl Layers {
    /// Any.
    pub fn random(random: &mut Random) -> Self {
        let classes = (0..CLASSES).map(|n| class(n, random)).collect();
        let begin = |random: &mut Random| Step::Tell(random.below(CLASSES), random.below(CLASSES), true);
        Self { classes, begins: (0..6).map(|_| begin(random)).collect() }
    }

    /// The same with another class.
    pub fn edited(&self, random: &mut Random) -> Self {
        let mut edited = self.clone();
        let n = random.below(CLASSES);
        edited.classes[n] = Class { told: self.classes[n].told, ..class(n, random) };
        edited
    }

    fn is_below(&self, class: usize, above: usize) -> bool {
        class == above || self.classes[class].above.is_some_and(|next| self.is_below(next, above))
    }

    /// In Java.
    pub fn java(&self, name: &str) -> String {
        let begins: String = self.begins.iter().map(|step| self.step(name, CLASSES, step)).collect();
        let mut text = format!("class {name} {{\n  public static void main(String[] args) {{\n{begins}  }}\n}}\n");
        for (n, class) in self.classes.iter().enumerate() {
            text += &self.class(name, n, class);
        }
        text
    }

    fn class(&self, name: &str, n: usize, class: &Class) -> String {
        let above = class.above.map(|above| format!("extends {name}{}", letter(above)));
        let above = above.unwrap_or("implements Runnable".to_owned());
        let body = |steps: &[Step]| steps.iter().map(|step| self.step(name, n, step)).collect::<String>();
        let mut text = format!("class {name}{} {above} {{\n  int own{n};\n  static int all{n};\n", letter(n));
        let lock = if class.is_synchronized { "synchronized " } else { "" };
        for (m, steps) in class.methods.iter().enumerate() {
            if let Some(steps) = steps {
                text += &format!("  {lock}void m{m}() {{\n{}  }}\n", body(steps));
            }
        }
        if let Some(steps) = &class.run {
            text += &format!("  public void run() {{\n{}  }}\n", body(steps));
        }
        let told = letter(class.told);
        text + &format!("  static void tell{n}({name}{told} given) {{\n{}  }}\n}}\n", body(&class.teller))
    }

    fn step(&self, name: &str, of: usize, step: &Step) -> String {
        match step {
            Step::Own => format!("    own{of}++;\n"),
            Step::Static(class) => format!("    {name}{}.all{class}++;\n", letter(*class)),
            Step::Make(class, method) => format!("    new {name}{}().m{method}();\n", letter(*class)),
            Step::Seen(above, class, method) => {
                let class = if self.is_below(*class, *above) { *class } else { *above };
                let (above, class) = (letter(*above), letter(class));
                format!("    {{ {name}{above} seen = new {name}{class}(); seen.m{method}(); }}\n")
            }
            Step::Run(class, false) => {
                format!("    {{ Runnable task = new {name}{}(); task.run(); }}\n", letter(*class))
            }
            Step::Run(class, true) => format!("    new Thread(new {name}{}()).start();\n", letter(*class)),
            Step::Given(method) => format!("    given.m{method}();\n"),
            Step::Tell(class, given, is_thread) => {
                let told = self.classes[*class].told;
                let given = if self.is_below(*given, told) { *given } else { told };
                let call = format!("{name}{}.tell{class}(new {name}{}())", letter(*class), letter(given));
                if *is_thread {
                    format!("    for (int i = 0; i < 2; i++) new Thread(() -> {call}).start();\n")
                } else {
                    format!("    {call};\n")
                }
            }
        }
    }
}

fn letter(class: usize) -> char {
    ['A', 'F', 'K', 'P', 'U', 'Z'][class]
}

fn class(n: usize, random: &mut Random) -> Class {
    let above = (n > 0 && random.one_in(2)).then(|| random.below(n));
    let steps =
        |random: &mut Random| -> Vec<Step> { (0..1 + random.below(3)).map(|_| step(n, random, false)).collect() };
    let run = (above.is_none() || random.one_in(3)).then(|| steps(random));
    // Who overrides something does something of its own.
    let method = |random: &mut Random| [vec![Step::Own], steps(random)].concat();
    let methods = (0..METHODS).map(|_| (above.is_none() || !random.one_in(3)).then(|| method(random))).collect();
    let mut teller: Vec<Step> = (0..1 + random.below(3)).map(|_| step(n, random, true)).collect();
    teller.push(Step::Given(random.below(METHODS)));
    Class { above, methods, is_synchronized: random.one_in(4), run, told: random.below(n + 1), teller }
}

fn step(n: usize, random: &mut Random, is_teller: bool) -> Step {
    match random.below(if n == 0 { 2 } else { 7 }) {
        0 if !is_teller => Step::Own,
        0 => Step::Given(random.below(METHODS)),
        1 => Step::Static(random.below(n + 1)),
        2 => Step::Make(random.below(n), random.below(METHODS)),
        3 => Step::Seen(random.below(n), random.below(n), random.below(METHODS)),
        // Of a call of the library all that overrides it is called first: hardly anything is not recursive then.
        4 => Step::Run(random.below(n), !random.one_in(8)),
        _ => Step::Tell(random.below(n), random.below(n), random.one_in(4)),
    }
}
