//! Methods that take or give back a lock for whoever calls them, used right and wrong, and what is used instead of locks: flags of which
//! one thread wins, and flags that publish.
//!
//! `TAKE(lock)`, `GIVE(lock)` and `TRY(lock)` are those of a kind of locks, `TYPE` is their type, `NEW` makes one. The first thread runs
//! `one`, the second one what races, or in the twin what does not.

/// A use of helpers.
pub struct Helper {
    pub name: &'static str,
    /// Members that several have.
    pub before: &'static str,
    pub members: &'static str,
    pub one: &'static str,
    pub racy: &'static str,
    pub clean: &'static str,
}

const fn helper(name: &'static str, members: &'static str, [racy, clean]: [&'static str; 2]) -> Helper {
    Helper { name, before: "", members, one: "TAKE(lock) hits++; GIVE(lock)", racy, clean }
}

const fn of_two(name: &'static str, members: &'static str, [racy, clean]: [&'static str; 2]) -> Helper {
    Helper { one: "TAKE(a) hits++; GIVE(a)", ..helper(name, members, [racy, clean]) }
}

/// Every way.
pub const HELPERS: &[Helper] = &[
    helper(
        "Private",
        "final TYPE lock = NEW; private void acq() { TAKE(lock) } private void rel() { GIVE(lock) }",
        ["acq(); try { Support.yes(); } finally { rel(); } hits++;", "acq(); try { hits++; } finally { rel(); }"],
    ),
    helper(
        "Levels",
        "final TYPE lock = NEW; void acq() { more(); } void more() { TAKE(lock) } void rel() { less(); } void less() { GIVE(lock) }",
        ["acq(); rel(); hits++;", "acq(); hits++; rel();"],
    ),
    helper(
        "Static",
        "static final TYPE lock = NEW; static void acq() { TAKE(lock) } static void rel() { GIVE(lock) }",
        ["acq(); rel(); hits++;", "acq(); hits++; rel();"],
    ),
    of_two(
        "TwoLocks",
        "final TYPE a = NEW, b = NEW; void acqA() { TAKE(a) } void relA() { GIVE(a) } void acqB() { TAKE(b) } void relB() { GIVE(b) }",
        ["acqB(); hits++; relB();", "acqA(); hits++; relA();"],
    ),
    helper(
        "OtherObject",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) }",
        ["X other = new X(); other.acq(); hits++; other.rel();", "X other = this; other.acq(); hits++; other.rel();"],
    ),
    Helper {
        one: "box.acq(); hits++; box.rel();",
        ..helper(
            "FinalPath",
            "static class Box { final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) } } final Box box = new Box(), second = new Box();",
            ["second.acq(); hits++; second.rel();", "box.acq(); hits++; box.rel();"],
        )
    },
    of_two(
        "Passed",
        "final TYPE a = NEW, b = NEW; static void acq(TYPE given) { TAKE(given) } static void rel(TYPE given) { GIVE(given) }",
        ["acq(b); hits++; rel(b);", "acq(a); hits++; rel(a);"],
    ),
    of_two(
        "OfTwoPassed",
        "final TYPE a = NEW, b = NEW; static void acq(TYPE first, TYPE second) { TAKE(second) } static void rel(TYPE first, TYPE second) { GIVE(second) }",
        ["acq(a, b); hits++; rel(a, b);", "acq(b, a); hits++; rel(b, a);"],
    ),
    helper(
        "Overridden",
        "static class Up { void acq(X x) { TAKE(x.lock) } void rel(X x) { GIVE(x.lock) } } static class Down extends Up { void acq(X x) { } void rel(X x) { } } final TYPE lock = NEW; final Up up = new Up(), down = new Down();",
        ["down.acq(this); hits++; down.rel(this);", "up.acq(this); hits++; up.rel(this);"],
    ),
    helper(
        "OverriddenRelease",
        "static class Up { void rel(X x) { } } static class Down extends Up { void rel(X x) { GIVE(x.lock) } } final TYPE lock = NEW; void acq() { TAKE(lock) } final Up up = new Up(), down = new Down();",
        ["acq(); down.rel(this); hits++;", "acq(); up.rel(this); hits++; down.rel(this);"],
    ),
    helper(
        "Implemented",
        "interface Taker { void acq(X x); } static class Real implements Taker { public void acq(X x) { TAKE(x.lock) } } static class None implements Taker { public void acq(X x) { } } final TYPE lock = NEW; final Taker real = new Real(), none = new None();",
        ["none.acq(this); hits++;", "real.acq(this); hits++; GIVE(lock)"],
    ),
    helper(
        "ByLambda",
        "interface Taker { void acq(); } static class Real implements Taker { final X x; Real(X x) { this.x = x; } public void acq() { TAKE(x.lock) } } final TYPE lock = NEW; final Taker real = new Real(this), none = () -> { };",
        ["none.acq(); hits++;", "real.acq(); hits++; GIVE(lock)"],
    ),
    helper(
        "Tries",
        "final TYPE lock = NEW; boolean acq() { return TRY(lock); } void rel() { GIVE(lock) }",
        ["boolean got = acq(); if (got) { rel(); } hits++;", "if (acq()) { try { hits++; } finally { rel(); } }"],
    ),
    helper(
        "StaleTry",
        "final TYPE lock = NEW; boolean acq() { return TRY(lock); } void rel() { GIVE(lock) }",
        ["boolean got = acq(); rel(); if (got) { hits++; }", "boolean got = acq(); if (got) { hits++; } rel();"],
    ),
    helper(
        "StaleReturn",
        "final TYPE lock = NEW; boolean acq() { boolean got = TRY(lock); GIVE(lock) return got; } boolean good() { boolean got = TRY(lock); return got; }",
        ["if (acq()) { hits++; }", "if (good()) { hits++; GIVE(lock) }"],
    ),
    helper(
        "TriesOr",
        "final TYPE lock = NEW; boolean acq() { return Support.yes() || TRY(lock); } boolean good() { return Support.yes() && TRY(lock); }",
        ["if (acq()) { hits++; }", "if (good()) { hits++; GIVE(lock) }"],
    ),
    helper(
        "TriesNot",
        "final TYPE lock = NEW; boolean acq() { return !Support.no() || TRY(lock); } boolean good() { return !Support.no() && TRY(lock); }",
        ["if (acq()) { hits++; }", "if (good()) { hits++; GIVE(lock) }"],
    ),
    helper(
        "TriesLevels",
        "final TYPE lock = NEW; boolean more() { return TRY(lock); } boolean acq() { if (more()) { GIVE(lock) return true; } return false; } boolean good() { if (more()) { return true; } return false; }",
        ["if (acq()) { hits++; }", "if (good()) { hits++; GIVE(lock) }"],
    ),
    helper(
        "TriesEither",
        "final TYPE lock = NEW, other = NEW; boolean acq() { if (Support.yes()) { return TRY(other); } return TRY(lock); } boolean good() { if (Support.no()) { return false; } return TRY(lock); }",
        ["if (acq()) { hits++; }", "if (good()) { hits++; GIVE(lock) }"],
    ),
    helper(
        "UnlessClosed",
        "final TYPE lock = NEW; boolean acq() { TAKE(lock) if (Support.yes()) { GIVE(lock) return true; } return true; } boolean good() { TAKE(lock) if (Support.no()) { GIVE(lock) return false; } return true; }",
        ["if (acq()) { hits++; }", "if (good()) { hits++; GIVE(lock) }"],
    ),
    helper(
        "TakesAndSays",
        "final TYPE lock = NEW; boolean good() { TAKE(lock) return Support.no(); }",
        ["if (good()) { Support.yes(); } GIVE(lock) hits++;", "if (good()) { Support.yes(); } hits++; GIVE(lock)"],
    ),
    helper(
        "OneBranch",
        "final TYPE lock = NEW; void acq() { if (Support.no()) { TAKE(lock) } } void good() { if (Support.no()) { Support.yes(); } TAKE(lock) }",
        ["acq(); hits++;", "good(); hits++; GIVE(lock)"],
    ),
    of_two(
        "OtherBranch",
        "final TYPE a = NEW, b = NEW; void acq() { if (Support.no()) { TAKE(a) } else { TAKE(b) } } void good() { if (Support.no()) { TAKE(a) } else { TAKE(a) } }",
        ["acq(); hits++; GIVE(b)", "good(); hits++; GIVE(a)"],
    ),
    helper(
        "Loop",
        "final TYPE lock = NEW; void acq() { while (Support.no()) { TAKE(lock) } } void good() { while (Support.no()) { Support.yes(); } TAKE(lock) }",
        ["acq(); hits++;", "good(); hits++; GIVE(lock)"],
    ),
    helper(
        "Fails",
        "final TYPE lock = NEW; void acq() { Support.fail(); TAKE(lock) } void good() { try { Support.fail(); } catch (IllegalStateException e) { TAKE(lock) } }",
        ["try { acq(); } catch (IllegalStateException e) { } hits++;", "good(); hits++; GIVE(lock)"],
    ),
    helper(
        "FailsAfterwards",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) Support.fail(); }",
        [
            "acq(); try { rel(); } catch (IllegalStateException e) { hits++; }",
            "acq(); hits++; try { rel(); } catch (IllegalStateException e) { }",
        ],
    ),
    helper(
        "FailsInside",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { try { Support.fail(); } finally { GIVE(lock) } }",
        [
            "acq(); try { rel(); } catch (IllegalStateException e) { } hits++;",
            "acq(); hits++; try { rel(); } catch (IllegalStateException e) { }",
        ],
    ),
    helper(
        "Recursive",
        "final TYPE lock = NEW; void acq(int n) { if (n == 1) { return; } if (n == 0) { TAKE(lock) } else { acq(n - 1); } } void good(int n) { if (n == 0) { TAKE(lock) } else { good(n - 1); } }",
        ["acq(2); hits++;", "good(2); hits++; GIVE(lock)"],
    ),
    helper(
        "RecursiveRelease",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel(int n) { GIVE(lock) if (n > 0) { rel(n - 1); } }",
        ["acq(); acq(); rel(1); hits++;", "acq(); acq(); rel(0); hits++; rel(0);"],
    ),
    helper(
        "Twice",
        "final TYPE lock = NEW; void acq() { TAKE(lock) TAKE(lock) } void rel() { GIVE(lock) }",
        ["acq(); rel(); rel(); hits++;", "acq(); rel(); hits++; rel();"],
    ),
    helper(
        "ReleasesTwice",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) GIVE(lock) }",
        ["acq(); acq(); rel(); hits++;", "acq(); acq(); acq(); rel(); hits++; GIVE(lock)"],
    ),
    of_two(
        "Unrelated",
        "final TYPE a = NEW, b = NEW; void relA() { GIVE(a) } void relB() { GIVE(b) }",
        ["TAKE(a) TAKE(b) relA(); hits++; relB();", "TAKE(a) TAKE(b) relB(); hits++; relA();"],
    ),
    of_two(
        "Aliased",
        "final TYPE a = NEW, b = a; void acqA() { TAKE(a) } void relB() { GIVE(b) }",
        ["acqA(); relB(); hits++;", "acqA(); hits++; relB();"],
    ),
    of_two(
        "TwistedNames",
        "final TYPE a = NEW, b = a; void twist() { TAKE(a) GIVE(b) }",
        ["twist(); hits++;", "TAKE(a) twist(); hits++; GIVE(a)"],
    ),
    of_two(
        "TwistedBack",
        "final TYPE a = NEW, b = a; void twist() { GIVE(b) TAKE(a) GIVE(a) }",
        ["TAKE(b) twist(); hits++;", "TAKE(b) TAKE(b) twist(); hits++; GIVE(b)"],
    ),
    of_two(
        "AliasedParameters",
        "final TYPE a = NEW, b = NEW; static void swap(TYPE given, TYPE taken) { GIVE(given) TAKE(taken) }",
        ["TAKE(a) swap(a, b); hits++; GIVE(b)", "TAKE(a) swap(a, a); hits++; GIVE(a)"],
    ),
    helper(
        "Swapped",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void swap() { GIVE(lock) TAKE(lock) }",
        ["acq(); swap(); GIVE(lock) hits++;", "acq(); swap(); hits++; GIVE(lock)"],
    ),
    helper(
        "AccessInGap",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void gap() { GIVE(lock) hits++; TAKE(lock) } void good() { hits++; GIVE(lock) TAKE(lock) }",
        ["acq(); gap(); GIVE(lock)", "acq(); good(); GIVE(lock)"],
    ),
    helper(
        "CalleeInGap",
        "final TYPE lock = NEW; void hit() { hits++; } void acq() { TAKE(lock) } void rel() { GIVE(lock) } void gap() { rel(); hit(); acq(); } void good() { hit(); rel(); acq(); }",
        ["acq(); gap(); rel();", "acq(); good(); rel();"],
    ),
    helper(
        "Conditional",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel(boolean now) { if (now) { GIVE(lock) } }",
        ["acq(); rel(true); hits++;", "acq(); rel(false); hits++; rel(true);"],
    ),
    Helper {
        one: "acq(); hits++; rel();",
        ..helper(
            "Reassigned",
            "TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) }",
            ["lock = NEW; acq(); hits++; rel();", "acq(); hits++; rel();"],
        )
    },
    helper(
        "Returned",
        "final TYPE lock = NEW; TYPE acq() { TAKE(lock) return lock; }",
        ["TYPE got = acq(); GIVE(got) hits++;", "TYPE got = acq(); hits++; GIVE(got)"],
    ),
    helper(
        "InAnotherThread",
        "final TYPE lock = NEW; void acq() { Support.start(() -> { TAKE(lock) GIVE(lock) }); } void good() { TAKE(lock) }",
        ["acq(); hits++;", "good(); hits++; GIVE(lock)"],
    ),
    helper(
        "BaseChanges",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) }",
        [
            "X at = new X(); for (int n = 0; n < 2; n++) { X was = at; at.acq(); at = this; at.hits++; was.rel(); }",
            "X at = this; for (int n = 0; n < 2; n++) { at.acq(); at.hits++; at.rel(); }",
        ],
    ),
    helper(
        "Constructed",
        "static class Guard { final X x; Guard(X x) { this.x = x; x.acq(); } void close() { x.rel(); } } final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) }",
        [
            "Guard guard = new Guard(new X()); hits++; guard.close();",
            "Guard guard = new Guard(this); hits++; guard.close();",
        ],
    ),
    helper(
        "Reflected",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } public void rel() { GIVE(lock) }",
        ["acq(); Support.reflect(this, \"rel\"); hits++;", "acq(); hits++; Support.reflect(this, \"rel\");"],
    ),
    helper(
        "CalledBack",
        "final TYPE lock = NEW; void acq() { TAKE(lock) } void rel() { GIVE(lock) }",
        ["acq(); List.of(1).forEach(one -> rel()); hits++;", "acq(); hits++; List.of(1).forEach(one -> rel());"],
    ),
    helper(
        "Accessor",
        "class In { void hit() { acq(); hits++; rel(); } void miss() { acq(); rel(); hits++; } } final TYPE lock = NEW; private void acq() { TAKE(lock) } private void rel() { GIVE(lock) }",
        ["new In().miss();", "new In().hit();"],
    ),
];

/// Those of locks of their own.
pub const OWN: &[Helper] = &[
    Helper {
        one: "write(); hits++; unwrite();",
        ..helper(
            "Halves",
            "final ReentrantReadWriteLock rw = new ReentrantReadWriteLock(); void read() { rw.readLock().lock(); } void unread() { rw.readLock().unlock(); } void write() { rw.writeLock().lock(); } void unwrite() { rw.writeLock().unlock(); }",
            ["read(); hits++; unread();", "write(); hits++; unwrite();"],
        )
    },
    Helper {
        one: "acq(rw.writeLock()); hits++; rel(rw.writeLock());",
        ..helper(
            "PassedHalves",
            "final ReentrantReadWriteLock rw = new ReentrantReadWriteLock(); static void acq(Lock given) { given.lock(); } static void rel(Lock given) { given.unlock(); }",
            ["acq(rw.readLock()); hits++; rel(rw.readLock());", "acq(rw.writeLock()); hits++; rel(rw.writeLock());"],
        )
    },
    Helper {
        one: "write(); hits++; unwrite();",
        ..helper(
            "Downgraded",
            "final ReentrantReadWriteLock rw = new ReentrantReadWriteLock(); void write() { rw.writeLock().lock(); } void unwrite() { rw.writeLock().unlock(); } void down() { rw.readLock().lock(); rw.writeLock().unlock(); } void unread() { rw.readLock().unlock(); }",
            ["write(); down(); hits++; unread();", "write(); hits++; down(); unread();"],
        )
    },
    Helper {
        one: "in(); synchronized (this) { hits++; }",
        ..helper(
            "Synchronized",
            "synchronized void in() { }",
            ["in(); hits++;", "synchronized (this) { in(); hits++; }"],
        )
    },
    won("Lost", "", ["if (!flag.compareAndSet(false, true)) { hits++; }", WINS]),
    won("AfterWin", "", ["if (flag.compareAndSet(false, true)) { Support.yes(); } hits++;", WINS]),
    won("SetBack", "", ["flag.set(false); if (flag.compareAndSet(false, true)) { hits++; }", WINS]),
    won(
        "HandedOn",
        "static void reset(AtomicBoolean given) { given.set(false); }",
        ["reset(flag); if (flag.compareAndSet(false, true)) { hits++; }", WINS],
    ),
    won(
        "SetBackByLambda",
        "static void pass(Consumer<Boolean> given) { given.accept(false); }",
        ["pass(flag::set); if (flag.compareAndSet(false, true)) { hits++; }", WINS],
    ),
    won(
        "OtherFlag",
        "final AtomicBoolean other = new AtomicBoolean();",
        ["if (other.compareAndSet(false, true)) { hits++; }", WINS],
    ),
    won("FlagOfOther", "", ["X x = new X(); if (x.flag.compareAndSet(false, true)) { hits++; }", WINS]),
    won("GotAndSet", "", ["if (flag.getAndSet(true)) { hits++; }", "if (!flag.getAndSet(true)) { hits++; }"]),
    won("ClearedIfSet", "", ["if (flag.compareAndSet(true, false)) { hits++; }", WINS]),
    won(
        "InCallee",
        "void hit() { hits++; }",
        ["if (!flag.compareAndSet(false, true)) { hit(); }", "if (flag.compareAndSet(false, true)) { hit(); }"],
    ),
    published("Unguarded", "", ["int seen = hits;", "int seen = get();"]),
    published(
        "WrittenAgain",
        "",
        ["synchronized (this) { hits = 2; }", "synchronized (this) { if (!done) { hits = 2; } }"],
    ),
    published(
        "Reset",
        "",
        ["synchronized (this) { done = false; } get();", "synchronized (this) { done = true; } get();"],
    ),
    published(
        "OfAnother",
        "",
        ["X x = new X(); x.get(); if (x.done) { int seen = hits; }", "if (done) { int seen = hits; }"],
    ),
    published(
        "SeenUnset",
        "",
        ["boolean was = done; if (was) { hits = 2; }", "boolean was = done; if (!was) { hits = 2; }"],
    ),
];

const WINS: &str = "if (flag.compareAndSet(false, true)) { hits++; }";

/// What stands behind a flag that only one thread can set.
const fn won(name: &'static str, members: &'static str, [racy, clean]: [&'static str; 2]) -> Helper {
    Helper {
        one: WINS,
        before: "final AtomicBoolean flag = new AtomicBoolean();",
        ..helper(name, members, [racy, clean])
    }
}

/// A value that a volatile flag publishes.
const fn published(name: &'static str, members: &'static str, [racy, clean]: [&'static str; 2]) -> Helper {
    Helper {
        one: "int seen = get();",
        before: "private volatile boolean done; int get() { if (!done) { synchronized (this) { if (!done) { hits = 1; done = true; } } } return hits; }",
        ..helper(name, members, [racy, clean])
    }
}
