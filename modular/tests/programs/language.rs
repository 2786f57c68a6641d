//! A small language of concurrent programs, and random programs in it.
//!
//! It has what summaries may go wrong about: methods that call themselves, each other and by interfaces; locks of parameters, of
//! what their fields refer to, of arrays and of classes; helpers that lock and unlock; callbacks of libraries; and threads, started
//! in every way. Nothing in a program depends on what it computes but references, which may be null.

use jrace_tests::generator::Random;

/// Variables of a method: the first two are its parameters.
pub const N_LOCALS: usize = 4;
/// How many methods a program has.
const N_METHODS: usize = 3;

/// A program: `main` has no parameters.
pub struct Program {
    /// The methods.
    pub methods: Vec<Method>,
    /// What `main` does.
    pub main: Vec<Statement>,
}

/// A method.
pub struct Method {
    /// Whether it is called on its first parameter.
    pub is_virtual: bool,
    /// Whether it is `synchronized`.
    pub is_synchronized: bool,
    /// What it does.
    pub body: Vec<Statement>,
    /// What it does in the subclass, and whether that is `synchronized`.
    pub overridden: Option<(bool, Vec<Statement>)>,
    /// The variable that it returns.
    pub result: usize,
}

/// A statement, with its number.
pub struct Statement {
    /// The number.
    pub id: usize,
    /// What it does.
    pub what: What,
}

/// What a statement does; variables are numbers, and nothing is done with null.
pub enum What {
    /// A new object, perhaps of the subclass, with what its final field refers to and whose lock it has, if not its own.
    New {
        to: usize,
        is_sub: bool,
        fixed: usize,
        lock: Option<usize>,
    },
    Move {
        to: usize,
        from: usize,
    },
    Load {
        to: usize,
        of: usize,
        field: Field,
    },
    Store {
        of: usize,
        field: Field,
        from: usize,
    },
    /// The open lock of one becomes that of another.
    Lend {
        to: usize,
        of: usize,
    },
    Hit {
        of: usize,
        hit: usize,
        access: Hit,
    },
    Locked {
        lock: Lock,
        of: usize,
        body: Vec<Statement>,
    },
    /// Gives the explicit lock back meanwhile, if it is held.
    Gap {
        by_helper: bool,
        of: usize,
        body: Vec<Statement>,
    },
    Loop {
        body: Vec<Statement>,
    },
    Call {
        way: Call,
        method: usize,
        arguments: [usize; 2],
        to: usize,
    },
    /// Starts a thread, and joins it after some more, if there is something.
    Start {
        way: Start,
        method: usize,
        arguments: [usize; 2],
        joined: Option<Vec<Statement>>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Left,
    Right,
    /// A final one.
    Fixed,
    /// An element of an array.
    Cell(usize),
    Static,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    Read,
    Write,
    Update,
}

/// A lock of an object, or of all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    Monitor,
    /// The monitor of what a final field refers to.
    Final,
    /// The monitor of what another field refers to.
    Open,
    Array,
    /// The monitor of the class that the object is of.
    ClassOf,
    Static,
    Class,
    Explicit,
    Tried,
    Helper,
    Reading,
    Writing,
}

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Call {
    Direct,
    Interface,
    /// By a library, twice.
    Each,
    Runnable,
    Supplier,
    Constructor,
    Inner,
}

/// How a thread is started that calls a method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Lambda,
    Subclass,
    Anonymous,
    /// Its constructor starts it.
    Itself,
    Pool,
    /// A library calls what starts it, twice.
    Each,
}

/// The kinds of locks, some more often than others.
const LOCKS: [Lock; 14] = [
    Lock::Monitor,
    Lock::Monitor,
    Lock::Monitor,
    Lock::Final,
    Lock::Open,
    Lock::Array,
    Lock::ClassOf,
    Lock::Static,
    Lock::Class,
    Lock::Explicit,
    Lock::Tried,
    Lock::Helper,
    Lock::Reading,
    Lock::Writing,
];

/// Which methods a method calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Only later ones.
    Flat,
    /// Later ones, and itself.
    Direct,
    /// All.
    Any,
}

struct Writer {
    random: Random,
    shape: Shape,
    n_statements: usize,
    /// The method that is written; none for `main`.
    method: Option<usize>,
    /// How deep statements nest.
    depth: usize,
    /// Whether variables and fields keep what they refer to, so that summaries can be exact.
    is_tidy: bool,
    /// The locks that are used: few, so that accesses have some in common.
    locks: [Lock; 2],
}

impl Program {
    /// A random program.
    pub fn random(seed: u64) -> Self {
        let mut random = Random(seed);
        let shape = random.pick(&[Shape::Flat, Shape::Flat, Shape::Direct, Shape::Any]);
        let is_tidy = random.one_in(2);
        let locks = [random.pick(&LOCKS), random.pick(&LOCKS)];
        let is_thin = random.one_in(3);
        let mut writer = Writer { locks, random, shape, n_statements: 0, method: None, depth: 0, is_tidy };
        let methods = (0..N_METHODS).map(|number| writer.method(number)).collect();
        writer.method = None;
        let main = if is_thin { writer.thin_main() } else { writer.main() };
        Self { methods, main }
    }
}

impl Writer {
    fn method(&mut self, number: usize) -> Method {
        self.method = Some(number);
        let is_virtual = self.random.one_in(2);
        let is_synchronized = self.random.one_in(4);
        let body = self.body();
        let overridden = (is_virtual && self.random.one_in(2)).then(|| (self.random.one_in(4), self.body()));
        Method { is_virtual, is_synchronized, body, overridden, result: self.local() }
    }

    /// Some objects that know each other, two threads, and anything.
    fn main(&mut self) -> Vec<Statement> {
        let mut main: Vec<Statement> = (0..N_LOCALS).map(|to| self.new_object(to)).collect();
        for of in 0..N_LOCALS {
            let (field, from) = (self.random.pick(&[Field::Left, Field::Right, Field::Cell(0)]), self.local());
            main.push(self.of(What::Store { of, field, from }));
        }
        let method = self.random.below(N_METHODS);
        for _ in 0..2 {
            let method = if self.random.one_in(2) { method } else { self.random.below(N_METHODS) };
            let start = self.start(method);
            main.push(start);
            self.statement(&mut main);
        }
        main
    }

    /// Two objects, what methods do with them here or in a thread, and an access after each: a summary that is shorter than those of the
    /// methods, which may be collapsed while it is not.
    fn thin_main(&mut self) -> Vec<Statement> {
        let mut main: Vec<Statement> = (0..2).map(|to| self.new_object(to)).collect();
        let method = self.random.below(N_METHODS);
        for _ in 0..2 + self.random.below(2) {
            let method = if self.random.one_in(2) { method } else { self.random.below(N_METHODS) };
            let next = match self.random.one_in(2) {
                true => self.start(method),
                false => self.call(method, [0, 1]),
            };
            main.push(next);
            let access = self.random.pick(&[Hit::Read, Hit::Write]);
            let of = self.random.below(2);
            main.push(self.of(What::Hit { of, hit: 0, access }));
        }
        main
    }

    /// Something, and at the end an access, perhaps with a lock.
    fn body(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        (0..self.random.below(3)).for_each(|_| self.statement(&mut body));
        let is_locked = self.depth == 0 && !self.random.one_in(6);
        body.push(if is_locked { self.locked() } else { self.hit() });
        body
    }

    fn nested(&mut self) -> Vec<Statement> {
        self.depth += 1;
        let body = self.body();
        self.depth -= 1;
        body
    }

    fn local(&mut self) -> usize {
        self.random.below(N_LOCALS)
    }

    fn lock(&mut self) -> Lock {
        let locks = self.locks;
        self.random.pick(&locks)
    }

    /// A variable, mostly a parameter.
    fn base(&mut self) -> usize {
        if self.random.one_in(if self.is_tidy { 6 } else { 3 }) { self.local() } else { self.random.below(2) }
    }

    fn of(&mut self, what: What) -> Statement {
        self.n_statements += 1;
        Statement { id: self.n_statements - 1, what }
    }

    fn statement(&mut self, body: &mut Vec<Statement>) {
        let kind = self.random.below(20);
        let next = match kind {
            0..=3 if !self.is_tidy => self.changing(kind),
            4 => self.load(),
            5 | 6 => return self.step(body),
            17 | 18 if self.depth == 0 => return self.own_lock(body),
            7..=10 if self.depth < 3 => self.locked(),
            11 if self.depth < 2 => {
                let body = self.nested();
                self.of(What::Loop { body })
            }
            12..=14 => match self.callee() {
                Some(method) => {
                    let arguments = [self.base(), self.base()];
                    self.call(method, arguments)
                }
                None => self.locked(),
            },
            15 => match self.later() {
                Some(method) => self.start(method),
                None => self.locked(),
            },
            16 if self.depth > 0 => self.gap(),
            _ if self.depth == 0 => self.locked(),
            _ => self.hit(),
        };
        body.push(next);
    }

    /// An access with the lock of a new object.
    fn own_lock(&mut self, body: &mut Vec<Statement>) {
        body.push(self.new_object(2));
        let (lock, hit) = (self.lock(), self.hit());
        body.push(self.of(What::Locked { lock, of: 2, body: vec![hit] }));
    }

    /// What makes variables and fields refer to something else.
    fn changing(&mut self, kind: usize) -> Statement {
        let (to, other) = (self.local(), self.local());
        match kind {
            0 => self.new_object(to),
            1 => self.of(What::Move { to, from: other }),
            2 => self.of(What::Lend { to, of: other }),
            _ => self.store(),
        }
    }

    /// A call on what a field of a parameter refers to, as recursion over a structure has it.
    fn step(&mut self, body: &mut Vec<Statement>) {
        let (of, field, to) = (self.base(), self.field(), 2);
        body.push(self.of(What::Load { to, of, field }));
        let next = match self.callee() {
            Some(method) => self.call(method, [to, of]),
            None => self.of(What::Hit { of: to, hit: 0, access: Hit::Update }),
        };
        body.push(next);
    }

    fn new_object(&mut self, to: usize) -> Statement {
        let (is_sub, fixed) = (self.random.one_in(2), self.local());
        let lock = self.random.one_in(4).then(|| self.local());
        self.of(What::New { to, is_sub, fixed, lock })
    }

    fn field(&mut self) -> Field {
        let cell = Field::Cell(self.random.below(2));
        self.random.pick(&[Field::Left, Field::Left, Field::Right, Field::Fixed, cell, Field::Static])
    }

    fn load(&mut self) -> Statement {
        let (of, field) = (self.base(), self.field());
        let to = if self.is_tidy { 2 + self.random.below(2) } else { self.local() };
        self.of(What::Load { to, of, field })
    }

    fn store(&mut self) -> Statement {
        let (of, field, from) = (self.base(), self.field(), self.local());
        let field = if field == Field::Fixed { Field::Left } else { field };
        self.of(What::Store { of, field, from })
    }

    fn hit(&mut self) -> Statement {
        let (of, hit) = (self.base(), usize::from(self.random.one_in(4)));
        let access = self.random.pick(&[Hit::Read, Hit::Write, Hit::Update, Hit::Update]);
        self.of(What::Hit { of, hit, access })
    }

    fn locked(&mut self) -> Statement {
        let (lock, of) = (self.lock(), self.base());
        let method = self.callee().filter(|_| self.random.one_in(2));
        let body = match method {
            Some(method) => {
                let other = self.base();
                vec![self.call(method, [of, other])]
            }
            None => self.nested(),
        };
        self.of(What::Locked { lock, of, body })
    }

    fn gap(&mut self) -> Statement {
        let (by_helper, of, body) = (self.random.one_in(2), self.base(), self.nested());
        self.of(What::Gap { by_helper, of, body })
    }

    /// A method that may be called here.
    fn callee(&mut self) -> Option<usize> {
        let first = match (self.shape, self.method) {
            (Shape::Any, _) | (_, None) => 0,
            (Shape::Direct, Some(method)) => method,
            (Shape::Flat, Some(method)) => method + 1,
        };
        (first < N_METHODS).then(|| first + self.random.below(N_METHODS - first))
    }

    /// A method that a thread may begin with here: threads that start what starts them are few.
    fn later(&mut self) -> Option<usize> {
        let first = self.method.map_or(0, |method| method + 1);
        (first < N_METHODS).then(|| first + self.random.below(N_METHODS - first))
    }

    fn call(&mut self, method: usize, arguments: [usize; 2]) -> Statement {
        use Call::{Constructor, Direct, Each, Inner, Interface, Runnable, Supplier};
        const WAYS: [Call; 10] =
            [Direct, Direct, Direct, Direct, Interface, Constructor, Inner, Each, Runnable, Supplier];
        let way = self.random.pick(if self.may_call_back() { &WAYS } else { &WAYS[..7] });
        let to = if self.is_tidy { 3 } else { self.local() };
        self.of(What::Call { way, method, arguments, to })
    }

    fn start(&mut self, method: usize) -> Statement {
        use Start::{Anonymous, Each, Itself, Lambda, Pool, Subclass};
        const WAYS: [Start; 6] = [Lambda, Subclass, Anonymous, Itself, Pool, Each];
        let way = self.random.pick(if self.may_call_back() { &WAYS } else { &WAYS[..4] });
        let arguments = [self.base(), self.base()];
        let may_join = matches!(way, Lambda | Subclass | Anonymous) && self.depth < 2;
        let joined = (may_join && self.random.one_in(4)).then(|| self.nested());
        self.of(What::Start { way, method, arguments, joined })
    }

    /// What hands itself to libraries again and again has summaries without end.
    fn may_call_back(&self) -> bool {
        self.shape == Shape::Flat || self.method.is_none()
    }
}
