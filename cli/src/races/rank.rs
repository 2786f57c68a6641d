//! Which finding a developer should look at first, and why: signals with weights, added up.
//!
//! Nothing is left out by it. Below the line is what several threads are probably not meant to share at all, and for what clients do
//! that of which little says that it happens.

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::Observation;

/// What is known of a race that says how likely it is one that its developer would mend.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Evidence {
    /// What kind of variable it is on.
    pub target: Target,
    /// How many accesses of the field there are, and how many hold the lock that most of them hold.
    pub accesses: Share,
    /// What is held at the two accesses.
    pub locks: Locks,
    /// Whether both write.
    pub both_write: bool,
    /// Whether both are one place in the code.
    pub is_one_place: bool,
    /// Who makes the two accesses.
    pub threads: Threads,
    /// Whether it is in a library, whose clients may have objects for one thread each.
    pub is_of_library: bool,
    /// The frames of the longer path.
    pub depth: usize,
    /// Whether one object stands for many others, so that it may be two.
    pub is_merged: bool,
    /// Whether no two paths bring two threads to one object, though all were tried.
    pub is_unmatched: bool,
    /// Whether no path to one of the accesses was found.
    pub lacks_path: bool,
    /// Whether one of the accesses lacks the other's lock only where subclasses or the package call it: all others hold it.
    pub is_unlocked_inside: bool,
    /// What one of the accesses has to do with how the object is made.
    pub making: Making,
    /// Whether the contents or elements are accessed by two classes.
    pub has_two_users: bool,
    /// Whether a volatile field publishes it, unless what is called to compute it comes back.
    pub is_nearly_published: bool,
    /// Whether a field is written by setters of clients only, without a lock.
    pub is_plainly_set: bool,
    /// Whether the compiler has made the field.
    pub is_synthetic: bool,
    /// Whether the class claims to be thread-safe.
    pub is_claimed: bool,
    /// Whether the class claims not to be.
    pub is_disclaimed: bool,
    /// Whether the class, or one nested with it, uses locks.
    pub class_locks: bool,
    /// What the class is, if that says something.
    pub shape: Option<Shape>,
    /// Whether all its objects are made by what threads of frameworks run, and no bean is among them.
    pub is_of_request: bool,
}

/// The kind of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Target {
    /// A field of the object on which threads make their calls.
    #[default]
    Field,
    /// A field of an object that others keep.
    Inner,
    /// A static field.
    Static,
    /// What a container holds.
    Contents,
    /// Elements of arrays.
    Elements,
}

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Share {
    /// Those that hold the lock.
    pub guarded: usize,
    /// All of them.
    pub all: usize,
}

/// The locks at two accesses that have none in common for certain.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Locks {
    /// No lock is held on either path.
    #[default]
    None,
    /// A lock on one path.
    One,
    /// Locks on both.
    Both,
    /// Locks that may be the same one.
    MaybeSame,
}

/// What an access has to do with how its object is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Making {
    /// Nothing.
    #[default]
    None,
    /// Code that has made the object comes there, or fills a new one, or a constructor of something else.
    Maker,
    /// The object's own constructor comes there, or that which makes it.
    Constructor,
}

/// Who makes two accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Threads {
    /// A thread that the program itself starts has a part.
    #[default]
    Own,
    /// Two threads of one kind that the program starts.
    Alike,
    /// Requests, or what else frameworks have threads for.
    Frameworks,
    /// Clients by public methods.
    Public,
    /// Clients, by what only subclasses, or classes of the package, can call.
    Inner,
    /// Clients, by what the program has threads of its own run, or a `main`.
    Task,
}

/// Classes that threads seldom share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An iterator, an enumeration, a result set.
    Iterator,
    /// A builder.
    Builder,
    /// Its field is set by setters only, and the class uses no lock.
    Bean,
    /// Compared by what it holds.
    Value,
    /// What the compiler keeps of a coroutine of Kotlin where it is suspended.
    Coroutine,
}

/// The place of a finding, and why it has it.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Default, Debug)]
pub struct Rank {
    /// From 1.
    pub place: usize,
    /// The sum of the weights.
    pub score: i32,
    /// The reason, in a line.
    pub reason: String,
    /// Whether it is less likely: threads are probably not meant to share what it is on, or little speaks for it.
    pub is_below: bool,
}

impl Rank {
    /// From 0, the least, to 100, as SARIF has it (section 3.27.25). It does not depend on other findings.
    pub fn percent(&self) -> f64 {
        let score = f64::from(self.score.clamp(-100, 200) + 100) / 3.0;
        if self.is_below { score / 10.0 } else { score }
    }
}

/// A line of the table: what speaks for or against a finding.
struct Signal {
    weight: i32,
    text: String,
}

impl Signal {
    fn new(weight: i32, text: impl Into<String>) -> Self {
        Self { weight, text: text.into() }
    }
}

/// A run has shown it: nothing that is only computed comes before.
const CONFIRMED: i32 = 900;
/// A run has shown that only the order of locks kept it apart.
const POSSIBLE: i32 = 250;
/// Runs came there with two threads and saw nothing: says little, as schedules are few.
const EXERCISED: i32 = -10;
/// Who writes `@ThreadSafe` wants to know.
const CLAIMED: i32 = 60;
/// The weight of a lock that nearly all accesses hold: the others forgot it.
const MISSED: f64 = 70.0;
/// One side found a lock necessary.
const ONE_LOCKED: i32 = 25;
/// The same where no write is known to hold the lock: it may be there for something else.
const ONE_LOCKED_ELSEWHERE: i32 = 10;
/// Locks on both sides are mostly one lock, of an object that stands for several.
const BOTH_LOCKED: i32 = -40;
/// The same, known.
const MAYBE_SAME: i32 = -150;
/// Objects that lock themselves each guard what is theirs, but there is one static field: all the surer if they may be two.
const OBJECTS_LOCK_STATIC: i32 = -10;
/// A field of the object on which both calls are made: least is approximated.
const FIELD: i32 = 20;
/// What keeps the object may also lock it, or be one thread's.
const INNER_FIELD: i32 = 0;
/// There is only one, so that nothing is approximated, and no thread has it for itself.
const STATIC: i32 = 40;
/// Containers are told apart by where they are made, so that two may be taken for one.
const CONTENTS: i32 = -5;
/// Arrays too, and most are handed over or used by one thread.
const ELEMENTS: i32 = -15;
/// A class keeps its containers and arrays to itself. What two classes use has come from one to the other by what is general, such as
/// other containers, and there the analysis often takes two for one.
const TWO_USERS: i32 = -60;
/// Two writes lose one, whatever the reader expects.
const BOTH_WRITE: i32 = 5;
/// What guards a place against being run twice (a flag, but for an `AtomicBoolean` that is never set back) is not looked at.
const ONE_PLACE: i32 = -10;
/// A thread of the program's own, not one that a client might have.
const OWN_THREAD: i32 = 15;
/// The same, but threads of one kind mostly work on objects of their own.
const ALIKE_THREADS: i32 = 0;
/// Requests do come at the same time.
const FRAMEWORKS: i32 = 15;
/// Every client can do it.
const PUBLIC: i32 = 10;
/// What only subclasses call they mostly call under the locks of what calls them, or while the object is made.
const INNER: i32 = -40;
/// Who gets a task from a library does not run it, and nobody calls `run` of a thread, or `main`.
const TASK: i32 = -60;
/// The class itself takes the lock before it calls the method, which is there for subclasses to redefine, not to call.
const UNLOCKED_INSIDE: i32 = -60;
/// Easy to check by hand.
const SHORT: i32 = 10;
/// Each call is one more place to be wrong about the object.
const LONG: i32 = -10;
/// One object of the analysis that is many: mostly they are two.
const MERGED: i32 = -30;
/// The accesses may well be to two objects.
const UNMATCHED: i32 = -100;
/// Nothing shows how a thread comes there, so that it cannot be checked by hand, and nothing of what a path says is known.
const NO_PATH: i32 = -60;
/// Nobody else has the object yet, mostly.
const MAKER: i32 = -35;
/// The object is out before its constructor has ended, but others come to it only then, mostly.
const CONSTRUCTOR: i32 = -80;
/// Who sets something without a lock has one thread in mind, which sets it before others use the object.
const PLAINLY_SET: i32 = -70;
/// What comes back to compute a value, and computes it once more, does so for ever, mostly.
const NEARLY_PUBLISHED: i32 = -100;
/// What compilers keep in fields of their own is the same whoever computes it.
const SYNTHETIC: i32 = -70;
/// The class is made for several threads.
const CLASS_LOCKS: i32 = 15;

/// What two clients might do is less likely with less than that: public methods and short paths (20) are nearly all that speaks for it.
const LEAST: i32 = 15;
/// Threads of a library are there, whatever clients do; but more should speak for it than against it.
const LEAST_OF_THREADS: i32 = 0;

/// Frames of a short path, and of a long one.
pub const SHORT_PATH: usize = 4;
const LONG_PATH: usize = 8;
/// How many reasons for a finding a line has.
const MAX_REASONS: usize = 3;

/// Ranks a finding by itself; its place is known among others only.
pub fn rank(evidence: &Evidence, observed: Option<Observation>) -> Rank {
    let signals = signals(evidence, observed);
    let score = signals.iter().map(|signal| signal.weight).sum();
    let unshared = why_below(evidence, observed);
    let is_below = unshared.is_some() || least(evidence, observed).is_some_and(|least| score < least);
    let reason = match unshared {
        Some(why) => format!("probably not meant to be shared: {why}"),
        None if is_below => format!("little speaks for it: {}", reason(signals)),
        None => reason(signals),
    };
    Rank { place: 0, score, reason, is_below }
}

/// With less than that, it is below the line; none if it is not by what it weighs.
fn least(evidence: &Evidence, observed: Option<Observation>) -> Option<i32> {
    let is_known = evidence.is_claimed || matches!(observed, Some(Observation::Confirmed | Observation::Possible));
    match evidence.threads {
        _ if is_known => None,
        Threads::Public | Threads::Inner | Threads::Task => Some(LEAST),
        Threads::Own | Threads::Alike | Threads::Frameworks => evidence.is_of_library.then_some(LEAST_OF_THREADS),
    }
}

fn signals(evidence: &Evidence, observed: Option<Observation>) -> Vec<Signal> {
    let holds = |is_so: bool, weight: i32, text: &str| is_so.then(|| Signal::new(weight, text));
    let optional = [
        of_runs(observed),
        of_share(evidence.accesses),
        of_locks(evidence),
        of_depth(evidence.depth).filter(|_| !evidence.lacks_path),
        holds(evidence.is_claimed, CLAIMED, "its class claims @ThreadSafe"),
        holds(evidence.both_write, BOTH_WRITE, "both write"),
        holds(evidence.is_merged, MERGED, "its object stands for many"),
        holds(evidence.is_unmatched, UNMATCHED, "no two paths lead to one object"),
        holds(evidence.lacks_path, NO_PATH, "no path to one side was found"),
        holds(evidence.is_unlocked_inside, UNLOCKED_INSIDE, "all others that call it hold the lock"),
        holds(evidence.is_one_place, ONE_PLACE, "both are one place"),
        holds(evidence.has_two_users, TWO_USERS, "two classes use it"),
        holds(evidence.is_plainly_set, PLAINLY_SET, "only setters without a lock write it"),
        holds(evidence.is_nearly_published, NEARLY_PUBLISHED, "only what comes back as it is computed writes it twice"),
        holds(evidence.is_synthetic, SYNTHETIC, "the compiler has made the field"),
        of_making(evidence.making),
        holds(evidence.class_locks, CLASS_LOCKS, "its class uses locks"),
    ];
    optional.into_iter().flatten().chain([of_target(evidence.target), of_threads(evidence.threads)]).collect()
}

fn of_runs(observed: Option<Observation>) -> Option<Signal> {
    match observed? {
        Observation::Confirmed => Some(Signal::new(CONFIRMED, "a run has shown it")),
        Observation::Possible => Some(Signal::new(POSSIBLE, "only the order of locks kept it apart in a run")),
        Observation::Exercised => Some(Signal::new(EXERCISED, "runs came there without a race")),
        Observation::NotExercised | Observation::NotChecked => None,
    }
}

/// A lock missed at 1 of 9 accesses is much surer than at 4 of 9, where it may be there for something else.
fn of_share(Share { guarded, all }: Share) -> Option<Signal> {
    let text = format!("{guarded} of {all} accesses of the field hold one lock");
    let part = guarded as f64 / all as f64;
    (guarded > 0 && guarded < all).then(|| Signal::new((MISSED * part * part).round() as i32, text))
}

fn of_locks(evidence: &Evidence) -> Option<Signal> {
    match evidence.locks {
        Locks::Both | Locks::MaybeSame if evidence.target == Target::Static => {
            Some(Signal::new(OBJECTS_LOCK_STATIC, "both hold locks, which may be those of two objects"))
        }
        Locks::None => None,
        Locks::One if is_for_others(evidence) => {
            Some(Signal::new(ONE_LOCKED_ELSEWHERE, "one side holds a lock, the other none"))
        }
        Locks::One => Some(Signal::new(ONE_LOCKED, "one side holds a lock, the other none")),
        Locks::Both => Some(Signal::new(BOTH_LOCKED, "both come by code that holds a lock")),
        Locks::MaybeSame => Some(Signal::new(MAYBE_SAME, "both hold what may be one lock")),
    }
}

/// Whether no access of the field is known to hold a lock that writes hold, too. Of containers and arrays that is not known.
fn is_for_others(evidence: &Evidence) -> bool {
    let is_field = !matches!(evidence.target, Target::Contents | Target::Elements);
    is_field && evidence.accesses.guarded == 0
}

fn of_making(making: Making) -> Option<Signal> {
    match making {
        Making::None => None,
        Making::Maker => Some(Signal::new(MAKER, "one side makes or fills a new object")),
        Making::Constructor => Some(Signal::new(CONSTRUCTOR, "one side constructs the object")),
    }
}

fn of_depth(depth: usize) -> Option<Signal> {
    match depth {
        ..=SHORT_PATH => Some(Signal::new(SHORT, "short paths")),
        LONG_PATH.. => Some(Signal::new(LONG, "long paths")),
        _ => None,
    }
}

fn of_target(target: Target) -> Signal {
    match target {
        Target::Field => Signal::new(FIELD, "a field of the object that is called"),
        Target::Inner => Signal::new(INNER_FIELD, "a field of an object"),
        Target::Static => Signal::new(STATIC, "a static field"),
        Target::Contents => Signal::new(CONTENTS, "contents of a container"),
        Target::Elements => Signal::new(ELEMENTS, "elements of arrays"),
    }
}

fn of_threads(threads: Threads) -> Signal {
    match threads {
        Threads::Own => Signal::new(OWN_THREAD, "by a thread that the program starts"),
        Threads::Alike => Signal::new(ALIKE_THREADS, "by threads of one kind that the program starts"),
        Threads::Frameworks => Signal::new(FRAMEWORKS, "by threads of frameworks"),
        Threads::Public => Signal::new(PUBLIC, "both by public methods"),
        Threads::Inner => Signal::new(INNER, "not by public methods only"),
        Threads::Task => Signal::new(TASK, "a client calls what threads or the JVM begin with"),
    }
}

/// What speaks most for it, and what speaks most against it.
fn reason(mut signals: Vec<Signal>) -> String {
    signals.sort_by_key(|signal| -signal.weight);
    let (good, bad): (Vec<Signal>, Vec<Signal>) = signals.into_iter().partition(|signal| signal.weight >= 0);
    let mut texts: Vec<String> = good.into_iter().take(MAX_REASONS).map(|signal| signal.text).collect();
    texts.extend(bad.last().map(|signal| format!("but {}", signal.text)));
    texts.join("; ")
}

/// Why clients probably do not share it, if that is so.
fn why_below(evidence: &Evidence, observed: Option<Observation>) -> Option<&'static str> {
    let is_seen = matches!(observed, Some(Observation::Confirmed | Observation::Possible));
    let is_by_threads = match evidence.threads {
        Threads::Own => true,
        // Those of a library have objects of their own, mostly, as its clients have.
        Threads::Alike => !evidence.is_of_library,
        Threads::Frameworks => !evidence.is_of_request,
        Threads::Public | Threads::Inner | Threads::Task => false,
    };
    if evidence.shape == Some(Shape::Coroutine) && !is_seen {
        return Some("the state of a coroutine, which one thread has at a time");
    }
    let is_shared = is_by_threads || evidence.target == Target::Static;
    if is_seen || is_shared || evidence.is_claimed {
        return None;
    }
    if evidence.is_disclaimed {
        return Some("its class claims @NotThreadSafe");
    }
    let is_guarded = evidence.accesses.guarded > 0 || evidence.locks != Locks::None;
    if evidence.is_of_request && (!is_guarded || evidence.making != Making::None) {
        return Some("each request makes such objects");
    }
    match (evidence.shape, evidence.class_locks) {
        // Its locks are those of what it goes over, which threads do share.
        (Some(Shape::Iterator), _) => Some("it goes over something, as one thread does"),
        _ if is_guarded => None,
        (Some(Shape::Builder), _) => Some("a builder, without a lock"),
        (_, true) => None,
        (Some(Shape::Bean), _) => Some("a property with a setter, in a class without locks"),
        (Some(Shape::Value), _) => Some("an object that is compared by value, in a class without locks"),
        (None | Some(Shape::Coroutine), _) => Some("neither the class nor any access uses a lock"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(change: impl Fn(&mut Evidence)) -> i32 {
        let mut evidence =
            Evidence { class_locks: true, threads: Threads::Public, depth: SHORT_PATH + 1, ..Evidence::default() };
        change(&mut evidence);
        rank(&evidence, None).score
    }

    fn share(guarded: usize, all: usize) -> i32 {
        score(|evidence| evidence.accesses = Share { guarded, all })
    }

    #[test]
    fn a_lock_that_is_seldom_missed_is_surer() {
        let shares: Vec<i32> = [(8, 9), (5, 9), (1, 9), (0, 9)].map(|(guarded, all)| share(guarded, all)).into();
        assert!(shares.is_sorted_by(|a, b| a > b), "{shares:?}");
        // A lock at few accesses says little: three of nine have not much more than none.
        assert!(share(9 - 1, 9) - share(6, 9) > share(3, 9) - share(0, 9));
        let locked = |guarded: usize| {
            let share = |evidence: &mut Evidence| evidence.accesses = Share { guarded, all: 1000 };
            score(|evidence| _ = (share(evidence), evidence.locks = Locks::One)) - score(share)
        };
        assert!(locked(0) > 0 && locked(1) > locked(0));
        // What is always guarded here is not by what the types count.
        assert_eq!(share(9, 9), share(0, 9));
        assert_eq!(share(0, 0), share(0, 9));
    }

    #[test]
    fn each_signal_moves_a_finding() {
        let same = score(|_| {});
        let better: [fn(&mut Evidence); 6] = [
            |evidence| evidence.is_claimed = true,
            |evidence| evidence.both_write = true,
            |evidence| evidence.locks = Locks::One,
            |evidence| evidence.depth = SHORT_PATH,
            |evidence| evidence.threads = Threads::Own,
            |evidence| evidence.target = Target::Static,
        ];
        let worse: [fn(&mut Evidence); 21] = [
            |evidence| evidence.lacks_path = true,
            |evidence| evidence.target = Target::Inner,
            |evidence| evidence.class_locks = false,
            |evidence| evidence.is_merged = true,
            |evidence| evidence.is_unmatched = true,
            |evidence| evidence.making = Making::Maker,
            |evidence| evidence.making = Making::Constructor,
            |evidence| evidence.locks = Locks::Both,
            |evidence| evidence.locks = Locks::MaybeSame,
            |evidence| evidence.depth = LONG_PATH,
            |evidence| evidence.threads = Threads::Inner,
            |evidence| evidence.threads = Threads::Task,
            |evidence| evidence.is_unlocked_inside = true,
            |evidence| evidence.threads = Threads::Alike,
            |evidence| evidence.target = Target::Contents,
            |evidence| evidence.target = Target::Elements,
            |evidence| evidence.is_one_place = true,
            |evidence| evidence.has_two_users = true,
            |evidence| evidence.is_plainly_set = true,
            |evidence| evidence.is_synthetic = true,
            |evidence| evidence.is_nearly_published = true,
        ];
        assert!(better.into_iter().all(|change| score(change) > same));
        assert!(worse.into_iter().all(|change| score(change) < same));
    }

    #[test]
    fn locks_of_objects_do_not_guard_a_static_field() {
        let of = |target: Target, locks: Locks| score(|evidence| (evidence.target, evidence.locks) = (target, locks));
        let lost = |target: Target, locks: Locks| of(target, Locks::None) - of(target, locks);
        assert!(lost(Target::Static, Locks::MaybeSame) < lost(Target::Field, Locks::Both));
        assert!(lost(Target::Static, Locks::Both) < lost(Target::Field, Locks::Both));
        assert!(lost(Target::Static, Locks::MaybeSame) > 0);
    }

    #[test]
    fn what_runs_have_shown_is_before_all_that_is_computed() {
        let best = Evidence {
            accesses: Share { guarded: 99, all: 100 },
            locks: Locks::One,
            both_write: true,
            is_claimed: true,
            class_locks: true,
            ..Evidence::default()
        };
        let worst = Evidence {
            target: Target::Elements,
            locks: Locks::MaybeSame,
            threads: Threads::Inner,
            depth: LONG_PATH,
            is_merged: true,
            is_unmatched: true,
            lacks_path: true,
            making: Making::Constructor,
            has_two_users: true,
            is_plainly_set: true,
            is_synthetic: true,
            ..Evidence::default()
        };
        let shown = |observation| rank(&worst, Some(observation)).score;
        assert!(shown(Observation::Confirmed) > rank(&best, None).score);
        assert!(shown(Observation::Confirmed) > shown(Observation::Possible));
        assert!(shown(Observation::Exercised) < rank(&worst, None).score);
    }

    #[test]
    fn below_the_line_is_what_uses_no_lock_and_no_run_has_shown() {
        let plain = Evidence { threads: Threads::Public, ..Evidence::default() };
        let is_below = |change: fn(&mut Evidence)| {
            let mut evidence = plain.clone();
            change(&mut evidence);
            rank(&evidence, None).is_below
        };
        assert!(is_below(|_| {}));
        let above: [fn(&mut Evidence); 6] = [
            |evidence| evidence.class_locks = true,
            |evidence| evidence.accesses = Share { guarded: 1, all: 9 },
            |evidence| evidence.locks = Locks::One,
            |evidence| evidence.is_claimed = true,
            |evidence| evidence.target = Target::Static,
            |evidence| evidence.threads = Threads::Own,
        ];
        assert!(above.into_iter().all(|change| !is_below(change)));
        assert!(!rank(&plain, Some(Observation::Confirmed)).is_below);
        // Little speaks for what clients may do, but threads of the program are there for certain.
        let inner = Evidence { target: Target::Inner, class_locks: true, threads: Threads::Inner, ..plain.clone() };
        assert!(rank(&inner, None).is_below && !rank(&inner, Some(Observation::Possible)).is_below);
        let coroutine = Evidence { threads: Threads::Own, shape: Some(Shape::Coroutine), ..inner };
        assert!(rank(&coroutine, None).is_below && !rank(&coroutine, Some(Observation::Confirmed)).is_below);
        assert!(!rank(&Evidence { threads: Threads::Alike, ..inner }, None).is_below);
        let alike = Evidence { threads: Threads::Alike, ..plain.clone() };
        assert!(!rank(&alike, None).is_below);
        assert!(rank(&Evidence { is_of_library: true, ..alike }, None).is_below);
        assert!(is_below(|evidence| (evidence.locks, evidence.is_disclaimed) = (Locks::One, true)));
        // Iterators of a class with locks do not become shared by these, nor by locks that they take.
        assert!(is_below(|evidence| (evidence.locks, evidence.shape) = (Locks::One, Some(Shape::Iterator))));
        assert!(!is_below(|evidence| (evidence.locks, evidence.shape) = (Locks::One, Some(Shape::Builder))));
        assert!(is_below(|evidence| (evidence.class_locks, evidence.shape) = (true, Some(Shape::Iterator))));
        assert!(!is_below(|evidence| (evidence.class_locks, evidence.shape) = (true, Some(Shape::Value))));
    }

    #[test]
    fn the_reason_is_what_weighs_most() {
        let evidence = Evidence {
            accesses: Share { guarded: 8, all: 9 },
            class_locks: true,
            threads: Threads::Public,
            is_merged: true,
            ..Evidence::default()
        };
        let reason = rank(&evidence, None).reason;
        assert_eq!(
            reason,
            "8 of 9 accesses of the field hold one lock; a field of the object that is called; its class uses locks; but its object \
             stands for many"
        );
    }
}
