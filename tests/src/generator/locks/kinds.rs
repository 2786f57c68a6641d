//! Kinds of locks, and where a program keeps one.

/// A lock as Java code uses it; `$` is an expression for it.
pub struct Kind {
    pub name: &'static str,
    pub ty: &'static str,
    pub new: &'static str,
    pub take: &'static str,
    pub give: &'static str,
    /// An expression that is true if it has taken the lock.
    pub tries: &'static str,
    /// Whether who holds it may take it again.
    pub is_reentrant: bool,
}

const fn kind(name: &'static str, ty: &'static str, new: &'static str, [take, give, tries]: [&'static str; 3]) -> Kind {
    Kind { name, ty, new, take, give, tries, is_reentrant: true }
}

const fn stamped(name: &'static str, ty: &'static str, new: &'static str, uses: [&'static str; 3]) -> Kind {
    Kind { is_reentrant: false, ..kind(name, ty, new, uses) }
}

const LOCK: [&str; 3] = ["$.lock();", "$.unlock();", "$.tryLock()"];
const WRITE: [&str; 3] = ["$.writeLock().lock();", "$.writeLock().unlock();", "$.writeLock().tryLock()"];

/// Locks that one thread holds at a time.
pub const KINDS: &[Kind] = &[
    kind("Reentrant", "ReentrantLock", "new ReentrantLock()", LOCK),
    kind("Lock", "Lock", "new ReentrantLock()", LOCK),
    kind("ReentrantReadWrite", "ReentrantReadWriteLock", "new ReentrantReadWriteLock()", WRITE),
    kind("ReadWrite", "ReadWriteLock", "new ReentrantReadWriteLock()", WRITE),
    kind("Half", "Lock", "new ReentrantReadWriteLock().writeLock()", LOCK),
    kind("WriteLock", "ReentrantReadWriteLock.WriteLock", "new ReentrantReadWriteLock().writeLock()", LOCK),
    kind("Own", "Mutex", "new Mutex()", LOCK),
    kind("Sub", "ReentrantLock", "new Counting()", LOCK),
    kind(
        "Timed",
        "ReentrantLock",
        "new ReentrantLock()",
        ["Support.interruptibly($);", "$.unlock();", "Support.timed($)"],
    ),
    kind(
        "Interruptible",
        "ReentrantLock",
        "new ReentrantLock()",
        [
            "try { $.lockInterruptibly(); } catch (InterruptedException i) { throw new Error(i); }",
            "$.unlock();",
            "$.tryLock()",
        ],
    ),
    stamped("View", "Lock", "new StampedLock().asWriteLock()", LOCK),
    stamped(
        "Stamped",
        "StampedLock",
        "new StampedLock()",
        ["$.writeLock();", "$.tryUnlockWrite();", "$.tryWriteLock() != 0"],
    ),
    stamped(
        "StampedView",
        "StampedLock",
        "new StampedLock()",
        ["$.writeLock();", "$.asWriteLock().unlock();", "$.tryWriteLock() != 0"],
    ),
    stamped(
        "Semaphore",
        "Semaphore",
        "new Semaphore(1)",
        ["$.acquireUninterruptibly();", "$.release();", "$.tryAcquire()"],
    ),
];

/// What is used like a lock and keeps nobody out.
pub const WEAK: &[Kind] = &[
    kind(
        "ReadHalf",
        "ReentrantReadWriteLock",
        "new ReentrantReadWriteLock()",
        ["$.readLock().lock();", "$.readLock().unlock();", ""],
    ),
    kind(
        "InterfaceReadHalf",
        "ReadWriteLock",
        "new ReentrantReadWriteLock()",
        ["$.readLock().lock();", "$.readLock().unlock();", ""],
    ),
    kind("KeptReadHalf", "Lock", "new ReentrantReadWriteLock().readLock()", LOCK),
    kind("ReadLock", "ReentrantReadWriteLock.ReadLock", "new ReentrantReadWriteLock().readLock()", LOCK),
    kind("StampedRead", "StampedLock", "new StampedLock()", ["$.readLock();", "$.tryUnlockRead();", ""]),
    kind("StampedReadView", "Lock", "new StampedLock().asReadLock()", LOCK),
    kind(
        "Optimistic",
        "StampedLock",
        "new StampedLock()",
        ["long stamp = $.tryOptimisticRead();", "$.validate(stamp);", ""],
    ),
    kind(
        "Converted",
        "StampedLock",
        "new StampedLock()",
        ["long stamp = $.writeLock(); stamp = $.tryConvertToReadLock(stamp);", "$.unlockRead(stamp);", ""],
    ),
    kind(
        "Reconverted",
        "StampedLock",
        "new StampedLock()",
        ["long stamp = $.writeLock(); $.tryConvertToOptimisticRead(stamp);", "", ""],
    ),
    kind("Unlocked", "StampedLock", "new StampedLock()", ["long stamp = $.writeLock(); $.unlock(stamp);", "", ""]),
    kind(
        "Downgraded",
        "ReentrantReadWriteLock",
        "new ReentrantReadWriteLock()",
        ["$.writeLock().lock(); $.readLock().lock(); $.writeLock().unlock();", "$.readLock().unlock();", ""],
    ),
    kind("Permits", "Semaphore", "new Semaphore(2)", ["$.acquireUninterruptibly();", "$.release();", ""]),
    kind("Nothing", "Lock", "new Nothing()", LOCK),
    kind("NothingItself", "Nothing", "new Nothing()", LOCK),
    kind("Overridden", "ReentrantLock", "new Overridden()", LOCK),
    kind("NewEachTime", "ReadWriteLock", "new NewEachTime()", WRITE),
    kind("NewHalves", "ReentrantReadWriteLock", "new NewHalves()", WRITE),
];

/// Where a lock is kept.
pub struct Place {
    pub name: &'static str,
    /// Members of the class that has what is accessed, with `TYPE` and `NEW`.
    pub members: &'static str,
    /// Members of its superclass.
    pub above: &'static str,
    /// What methods begin with.
    pub prefix: &'static str,
    /// The lock in them.
    pub here: &'static str,
    /// The lock in other methods.
    pub elsewhere: &'static str,
}

const fn place(name: &'static str, members: &'static str, lock: &'static str) -> Place {
    Place { name, members, above: "", prefix: "", here: lock, elsewhere: lock }
}

/// Each keeps it for good.
pub const PLACES: &[Place] = &[
    place("Field", "final TYPE lock = NEW;", "lock"),
    place("Static", "static final TYPE KEPT = NEW;", "KEPT"),
    place("Getter", "final TYPE lock = NEW; TYPE it() { return lock; }", "it()"),
    place("Inner", "static class In { final TYPE lock = NEW; } final In in = new In();", "in.lock"),
    place("Holder", "static class Holder { static final TYPE KEPT = NEW; }", "Holder.KEPT"),
    Place { prefix: "TYPE mine = lock;", here: "mine", ..place("Alias", "final TYPE lock = NEW;", "lock") },
    Place { above: "final TYPE lock = NEW;", ..place("Super", "", "lock") },
];
