//! How a finding comes about: steps of threads, or places in the code.

use std::borrow::Cow;

use facts::site::Place;

use super::spot::{Locator, Origin, Spot};
use crate::report::words::{self, position};

/// What the steps of a way are to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Threads do them at once.
    Threads,
    /// Threads do them in this order.
    Order,
    /// The code leads from one to the next.
    Code,
    /// Each is enough by itself.
    Places,
}

/// One way in which a finding comes about.
pub struct Way<'a> {
    /// What its steps are to each other.
    pub shape: Shape,
    /// What it is called, if it has a name.
    pub title: Option<String>,
    /// What makes it doubtful, if anything does.
    pub doubt: Option<String>,
    /// What a reader of its steps' paths should know.
    pub caveat: Option<&'static str>,
    /// What both threads come to, and where it is made, if that is known; some of it.
    pub objects: Vec<(String, Option<Cow<'a, Place>>)>,
    /// How much more there is.
    pub more_objects: usize,
    /// Locks that are held from the first step to the last.
    pub kept: Vec<String>,
    /// What is known of the order in which threads do the steps, in sentences.
    pub order: Option<String>,
    /// The steps.
    pub steps: Vec<Step<'a>>,
}

impl Way<'_> {
    /// A way without steps.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            title: None,
            doubt: None,
            caveat: None,
            objects: Vec::new(),
            more_objects: 0,
            kept: Vec::new(),
            order: None,
            steps: Vec::new(),
        }
    }
}

/// What a thread does, or would do.
#[derive(Default)]
pub struct Step<'a> {
    /// Whose it is: 0 for whom the finding is about, and others for other threads.
    pub actor: usize,
    /// In a word or two: `write`.
    pub verb: String,
    /// With its object: `write of field bank.Account.balance (int)`.
    pub deed: String,
    /// With its thread: `Write by thread T3 "worker"`.
    pub said: String,
    /// As a heading: `Current write by thread T3 "worker" (still running)`.
    pub title: String,
    /// The locks that are held; `None` if they were not kept, or are not the question.
    pub locks: Option<Vec<String>>,
    /// Whether locks are the question.
    pub holds: bool,
    /// The thread: `thread T3 "worker"`; empty if it is not the question.
    pub thread: String,
    /// Where that comes from, if it is worth a word: `thread T3 was started at bank.Bank.open(Bank.java:42)`.
    pub origin: Option<String>,
    /// Whether it still ran when this was found, if that is known.
    pub alive: Option<bool>,
    /// In which place it was seen, of two that are done at once: `seen first`.
    pub seen: Option<&'static str>,
    /// The test for which its thread works.
    pub test: Option<&'a str>,
    /// The method that is broken or breaks another.
    pub within: Option<String>,
    /// The word by which a source line names what it is done to.
    pub word: Option<String>,
    /// The calls that lead there, the innermost first.
    pub path: Vec<Frame<'a>>,
    /// Where else the same is done.
    pub alike: Vec<Frame<'a>>,
    /// The thread, and the calls that led to its start.
    pub started: Option<(String, Vec<Frame<'a>>)>,
}

impl<'a> Step<'a> {
    /// The first frame of the program, or else the first.
    pub fn shown(&self) -> Option<&Frame<'a>> {
        self.path.iter().find(|frame| !frame.library).or(self.path.first())
    }

    /// Where it is shown.
    pub(super) fn spot(&self, locator: &mut Locator<'_>) -> Spot {
        let Some(frame) = self.shown() else { return Spot::of_class("") };
        let spot = locator.spot(&frame.place);
        let origin = if frame.library { Origin::Library } else { spot.origin };
        Spot { origin, ..spot }
    }

    /// `write by another thread in deposit() (Account.java:12)`, with the place if that is wanted.
    pub(super) fn brief(&self, is_placed: bool) -> String {
        let other = if self.actor > 0 { " by another thread" } else { "" };
        let within = self.shown().map(|frame| {
            let position = frame.position().filter(|_| is_placed).map(|position| format!(" ({position})"));
            format!(" in {}(){}", frame.place.method, position.unwrap_or_default())
        });
        format!("{}{other}{}", self.verb, within.unwrap_or_default())
    }

    /// `Write by thread T3 "worker", locks held: none`.
    pub fn with_locks(&self) -> String {
        if !self.holds {
            return self.said.clone();
        }
        format!("{}, locks held: {}", self.said, self.locks_held())
    }

    /// The locks in words.
    pub fn locks_held(&self) -> String {
        match self.locks.as_deref() {
            None => "not kept".to_owned(),
            Some([]) => "none".to_owned(),
            Some(locks) => locks.join("; "),
        }
    }
}

/// A call, or an access in a method.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame<'a> {
    /// Where. Without a class, the method's name is text for what is not in the code.
    pub place: Cow<'a, Place>,
    /// The locks that the method holds there, if that is known.
    pub locks: &'a [String],
    /// Whether it says little, as it is code of a library.
    pub library: bool,
}

impl Frame<'_> {
    /// `bank.Account.deposit`.
    pub fn name(&self) -> String {
        if self.place.class.is_empty() {
            return words::printable(&self.place.method);
        }
        words::printable(&words::function(&self.place))
    }

    /// `bank.Account.deposit(Account.java:12), holding bank.Account (o5)`.
    pub fn text(&self) -> String {
        let holding =
            if self.locks.is_empty() { String::new() } else { format!(", holding {}", self.locks.join("; ")) };
        let at = if self.place.class.is_empty() { self.place.method.clone() } else { words::frame(&self.place) };
        words::printable(&(at + &holding))
    }

    /// `Account.java:12`, if it is in the code.
    pub fn position(&self) -> Option<String> {
        Some(position(&self.place)).filter(|_| !self.place.class.is_empty())
    }
}
