//! Names of locks that mean another one than it seems.
//!
//! `LOCKED(lock){…}` holds it, `TYPE` is the type of locks, `NEW` makes one. The first thread runs `one`, the second one `two`, which
//! races; its twin does not.

/// A way to name a lock wrongly.
pub struct Name {
    pub name: &'static str,
    pub members: &'static str,
    pub one: &'static str,
    pub racy: &'static str,
    /// Empty where `one` races with itself.
    pub clean: &'static str,
    /// Whether it is a monitor only that is meant.
    pub is_of_monitors: bool,
}

const fn name(name: &'static str, members: &'static str, [one, racy, clean]: [&'static str; 3]) -> Name {
    Name { name, members, one, racy, clean, is_of_monitors: false }
}

const fn monitor(name: &'static str, members: &'static str, uses: [&'static str; 3]) -> Name {
    Name { is_of_monitors: true, ..self::name(name, members, uses) }
}

const A: &str = "LOCKED(a){ hits++; }";
const B: &str = "LOCKED(b){ hits++; }";
const LOCK: &str = "LOCKED(lock){ hits++; }";
const MINE: &str = "LOCKED(this){ hits++; }";

/// Every way.
pub const NAMES: &[Name] = &[
    name("TwoFields", "final TYPE a = NEW, b = NEW;", [A, B, A]),
    name(
        "Shadowed",
        "final TYPE above = NEW;",
        ["LOCKED(super.above){ hits++; }", "LOCKED(above){ hits++; }", "LOCKED(((S) this).above){ hits++; }"],
    ),
    name("Reassigned", "TYPE lock = NEW;", [LOCK, "lock = NEW; LOCKED(lock){ hits++; }", LOCK]),
    name("ReassignedUnder", "TYPE lock = NEW;", [LOCK, "LOCKED(lock){ lock = NEW; } LOCKED(lock){ hits++; }", LOCK]),
    name("VolatileReassigned", "volatile TYPE lock = NEW;", [LOCK, "lock = NEW; LOCKED(lock){ hits++; }", LOCK]),
    name(
        "Late",
        "TYPE lock; boolean isMade; TYPE it() { if (!isMade) lock = NEW; return lock; }",
        ["LOCKED(it()){ hits++; }", "LOCKED(it()){ hits++; }", "isMade = true; LOCKED(it()){ hits++; }"],
    ),
    name("StaticReassigned", "static TYPE lock = NEW;", [LOCK, "lock = NEW; LOCKED(lock){ hits++; }", LOCK]),
    name("NewEachTime", "final TYPE lock = NEW;", [LOCK, "LOCKED(NEW){ hits++; }", LOCK]),
    name(
        "NewLocals",
        "",
        ["TYPE local = NEW; LOCKED(local){ hits++; }", "TYPE local = NEW; LOCKED(local){ hits++; }", ""],
    ),
    name(
        "NewByGetter",
        "final TYPE lock = NEW; TYPE made() { return NEW; } TYPE it() { return lock; }",
        ["LOCKED(it()){ hits++; }", "LOCKED(made()){ hits++; }", "LOCKED(it()){ hits++; }"],
    ),
    name(
        "OverriddenGetter",
        "final TYPE lock = NEW; TYPE it() { return lock; }",
        ["LOCKED(it()){ hits++; }", "LOCKED(super.it()){ hits++; }", "LOCKED(((S) this).it()){ hits++; }"],
    ),
    name(
        "Parameter",
        "final TYPE a = NEW, b = NEW; void in(TYPE given) { LOCKED(given){ hits++; } }",
        ["in(a);", "in(b);", "in(a);"],
    ),
    name(
        "ReassignedParameter",
        "final TYPE a = NEW, b = NEW; void in(TYPE given) { LOCKED(given){ hits++; } } void out(TYPE given) { given = b; LOCKED(given){ hits++; } }",
        ["in(a);", "out(a);", "in(a);"],
    ),
    name(
        "Elements",
        "final TYPE[] all = { NEW, NEW };",
        ["LOCKED(all[0]){ hits++; }", "LOCKED(all[1]){ hits++; }", "LOCKED(all[0]){ hits++; }"],
    ),
    name(
        "ReplacedElement",
        "final TYPE[] all = { NEW };",
        ["LOCKED(all[0]){ hits++; }", "all[0] = NEW; LOCKED(all[0]){ hits++; }", "LOCKED(all[0]){ hits++; }"],
    ),
    name(
        "Striped",
        "final TYPE[] all = { NEW, NEW }; void in(int n) { LOCKED(all[n & 1]){ hits++; } }",
        ["in(1);", "in(2);", "in(3);"],
    ),
    name(
        "Listed",
        "final List<TYPE> all = List.of(NEW, NEW);",
        ["LOCKED(all.get(0)){ hits++; }", "LOCKED(all.get(1)){ hits++; }", "LOCKED(all.get(0)){ hits++; }"],
    ),
    name(
        "Mapped",
        "final Map<String, TYPE> all = Map.of(\"a\", NEW, \"b\", NEW);",
        ["LOCKED(all.get(\"a\")){ hits++; }", "LOCKED(all.get(\"b\")){ hits++; }", "LOCKED(all.get(\"a\")){ hits++; }"],
    ),
    name(
        "Computed",
        "final Map<Object, TYPE> all = new ConcurrentHashMap<>(); void in(Object key) { LOCKED(all.computeIfAbsent(key, one -> NEW)){ hits++; } }",
        ["in(1);", "in(Thread.currentThread());", "in(1);"],
    ),
    name(
        "PutIfAbsent",
        "final Map<Object, TYPE> all = new ConcurrentHashMap<>(); void in(Object key) { all.putIfAbsent(key, NEW); LOCKED(all.get(key)){ hits++; } }",
        ["in(\"a\");", "in(\"b\");", "in(\"a\");"],
    ),
    name(
        "OfThread",
        "static final ThreadLocal<TYPE> LOCAL = ThreadLocal.withInitial(() -> NEW); final TYPE lock = NEW;",
        ["LOCKED(LOCAL.get()){ hits++; }", "LOCKED(LOCAL.get()){ hits++; }", ""],
    ),
    name(
        "OfOther",
        "X other; final TYPE lock = NEW;",
        [LOCK, "other = new X(); LOCKED(other.lock){ hits++; }", "other = this; LOCKED(other.lock){ hits++; }"],
    ),
    name(
        "OfOtherParameter",
        "final TYPE lock = NEW; static void in(X x, X locked) { LOCKED(locked.lock){ x.hits++; } }",
        ["in(this, this);", "in(this, new X());", "in(this, this);"],
    ),
    name(
        "OfSharedOther",
        "static final X OTHER = new X(); final TYPE lock = NEW; static void in(X x, X locked) { LOCKED(locked.lock){ x.hits++; } }",
        ["in(this, this);", "in(this, OTHER);", "in(this, this);"],
    ),
    name(
        "OfContainer",
        "static class Box { final TYPE lock = NEW; final X x; Box(X x) { this.x = x; } } final TYPE lock = NEW; final Box box = new Box(this);",
        [LOCK, "LOCKED(box.lock){ box.x.hits++; }", "LOCKED(box.x.lock){ box.x.hits++; }"],
    ),
    name(
        "TwoWrappers",
        "static class Box { final TYPE lock = NEW; final X x; Box(X x) { this.x = x; } void in() { LOCKED(lock){ x.hits++; } } } final Box first = new Box(this), second = new Box(this);",
        ["first.in();", "second.in();", "first.in();"],
    ),
    name(
        "TwoOwners",
        "static class Node { Object kept; } static class Box { final TYPE lock = NEW; X x; void in() { LOCKED(lock){ x.hits++; } } } final Box first = new Box(), second = new Box();",
        ["first.x = this; first.in();", "second.x = first.x; second.in();", "first.in();"],
    ),
    name(
        "Copied",
        "static class Box implements Cloneable { TYPE lock = NEW; X x; Box copy() { try { Box box = (Box) clone(); box.lock = NEW; return box; } catch (CloneNotSupportedException e) { throw new Error(e); } } void in() { LOCKED(lock){ x.hits++; } } } final Box box = new Box();",
        ["box.x = this; box.in();", "box.copy().in();", "box.in();"],
    ),
    name(
        "Merged",
        "final TYPE a = NEW, b = NEW;",
        [A, "LOCKED(Support.yes() ? b : a){ hits++; }", "LOCKED(Support.yes() ? a : b){ hits++; }"],
    ),
    name(
        "Last",
        "final TYPE a = NEW, b = NEW;",
        [
            A,
            "TYPE last = null; for (TYPE one : Arrays.asList(a, b)) last = one; LOCKED(last){ hits++; }",
            "TYPE last = null; for (TYPE one : Arrays.asList(b, a)) last = one; LOCKED(last){ hits++; }",
        ],
    ),
    name(
        "BaseChanges",
        "final TYPE lock = NEW;",
        [
            LOCK,
            "X at = new X(); LOCKED(at.lock){ at = this; at.hits++; }",
            "X at = this; LOCKED(at.lock){ at.hits++; at = null; }",
        ],
    ),
    name(
        "BaseChangesInLoop",
        "final TYPE lock = NEW;",
        [
            LOCK,
            "X at = new X(); LOCKED(at.lock){ for (int n = 0; n < 2; n++) { at.hits++; at = this; } }",
            "X at = this; LOCKED(at.lock){ for (int n = 0; n < 2; n++) { at.hits++; } }",
        ],
    ),
    name(
        "Next",
        "final TYPE lock = NEW; X next;",
        [
            LOCK,
            "X head = new X(); head.next = this; for (X at = head; at != null; at = at.next) { LOCKED(at.lock){ if (at.next != null) at.next.hits++; } }",
            "X head = new X(); head.next = this; for (X at = head; at != null; at = at.next) { LOCKED(at.lock){ at.hits++; } }",
        ],
    ),
    name(
        "Atomic",
        "final AtomicReference<TYPE> lock = new AtomicReference<>(NEW);",
        [
            "LOCKED(lock.get()){ hits++; }",
            "lock.set(NEW); LOCKED(lock.get()){ hits++; }",
            "LOCKED(lock.get()){ hits++; }",
        ],
    ),
    name(
        "SuppliedNew",
        "final Supplier<TYPE> locks = () -> NEW; final TYPE lock = NEW; final Supplier<TYPE> kept = () -> lock;",
        ["LOCKED(kept.get()){ hits++; }", "LOCKED(locks.get()){ hits++; }", "LOCKED(kept.get()){ hits++; }"],
    ),
    name(
        "Component",
        "record Held(TYPE lock) {} final TYPE a = NEW, b = NEW;",
        [
            "LOCKED(new Held(a).lock()){ hits++; }",
            "LOCKED(new Held(b).lock()){ hits++; }",
            "LOCKED(new Held(a).lock()){ hits++; }",
        ],
    ),
    name(
        "RecordGetter",
        "record Held(TYPE lock) { public TYPE lock() { return NEW; } } final Held held = new Held(NEW);",
        ["LOCKED(held.lock()){ hits++; }", "LOCKED(held.lock()){ hits++; }", ""],
    ),
    name(
        "Constants",
        "enum Of { A, B; final TYPE lock = NEW; }",
        ["LOCKED(Of.A.lock){ hits++; }", "LOCKED(Of.B.lock){ hits++; }", "LOCKED(Of.A.lock){ hits++; }"],
    ),
    name(
        "Varargs",
        "final TYPE a = NEW, b = NEW; static TYPE last(TYPE... all) { return all[all.length - 1]; }",
        [A, "LOCKED(last(a, b)){ hits++; }", "LOCKED(last(b, a)){ hits++; }"],
    ),
    name(
        "Generic",
        "final TYPE a = NEW, b = NEW; static <T> T second(T first, T second) { return second; }",
        [A, "LOCKED(second(a, b)){ hits++; }", "LOCKED(second(b, a)){ hits++; }"],
    ),
    name("TwoNames", "final TYPE a = NEW, b = NEW, c = b;", [B, A, "LOCKED(c){ hits++; }"]),
    name(
        "OfInner",
        "class In { final TYPE lock = NEW; void in() { LOCKED(lock){ hits++; } } } final In first = new In(), second = new In();",
        ["first.in();", "second.in();", "first.in();"],
    ),
    name(
        "OfFresh",
        "static class In { final TYPE lock = NEW; }",
        ["In in = new In(); LOCKED(in.lock){ hits++; }", "In in = new In(); LOCKED(in.lock){ hits++; }", ""],
    ),
    name(
        "InConstructor",
        "static class Maker { Maker(X x, TYPE lock) { LOCKED(lock){ x.hits++; } } } final TYPE a = NEW, b = NEW;",
        ["new Maker(this, a);", "new Maker(this, b);", "new Maker(this, a);"],
    ),
    name(
        "Recursive",
        "final TYPE a = NEW, b = NEW; void in(int n, TYPE one, TYPE other) { if (n == 0) { LOCKED(one){ hits++; } } else in(n - 1, other, one); }",
        ["in(2, a, b);", "in(1, a, b);", "in(0, a, b);"],
    ),
    monitor("Itself", "final Object lock = new Object();", [MINE, LOCK, MINE]),
    monitor(
        "ClassAndObject",
        "static synchronized void of(X x) { x.hits++; } synchronized void in() { hits++; }",
        ["of(this);", "in();", "of(this);"],
    ),
    monitor(
        "TwoClasses",
        "static synchronized void of(X x) { x.hits++; }",
        ["of(this);", "LOCKED(S.class){ hits++; }", "LOCKED(X.class){ hits++; }"],
    ),
    monitor(
        "GotClass",
        "static class Sub extends X {} static final X SUB = new Sub();",
        [
            "LOCKED(X.class){ SUB.hits++; }",
            "LOCKED(SUB.getClass()){ SUB.hits++; }",
            "LOCKED(new X().getClass()){ SUB.hits++; }",
        ],
    ),
    monitor(
        "ArrayClass",
        "",
        ["LOCKED(X.class){ hits++; }", "LOCKED(X[].class){ hits++; }", "LOCKED(X.class){ hits++; }"],
    ),
    monitor(
        "PrimitiveClass",
        "",
        ["LOCKED(int.class){ hits++; }", "LOCKED(Integer.class){ hits++; }", "LOCKED(int.class){ hits++; }"],
    ),
    monitor("Boxed", "Integer lock = 1000;", [LOCK, "lock++; LOCKED(lock){ hits++; }", LOCK]),
    monitor("BoxedConstant", "void in(Object given) { LOCKED(given){ hits++; } }", ["in(1000);", "in(1000);", ""]),
    monitor("FinalBoxed", "final Integer a = 1000, b = 1000;", [A, B, A]),
    monitor("SmallBoxed", "void in(Object given) { LOCKED(given){ hits++; } }", ["in(1);", "in(2);", "in(1);"]),
    monitor(
        "Text",
        "",
        [
            "LOCKED(\"lock\"){ hits++; }",
            "LOCKED(new String(\"lock\")){ hits++; }",
            "LOCKED(\"lo\" + \"ck\"){ hits++; }",
        ],
    ),
    monitor("Joined", "int n = 1;", ["LOCKED((\"lock\" + n)){ hits++; }", "LOCKED((\"lock\" + n)){ hits++; }", ""]),
    monitor("Cloned", "final int[] lock = new int[1];", [LOCK, "LOCKED(lock.clone()){ hits++; }", LOCK]),
    monitor(
        "AnonymousThis",
        "",
        [
            MINE,
            "new Runnable() { public void run() { LOCKED(this){ hits++; } } }.run();",
            "new Runnable() { public void run() { LOCKED(X.this){ hits++; } } }.run();",
        ],
    ),
    monitor(
        "LambdaThis",
        "",
        [
            MINE,
            "Runnable in = () -> { Object other = new X(); LOCKED(other){ hits++; } }; in.run();",
            "Runnable in = () -> { LOCKED(this){ hits++; } }; in.run();",
        ],
    ),
    monitor("InnerMethod", "class In { synchronized void in() { hits++; } }", [MINE, "new In().in();", MINE]),
    monitor(
        "InnerOfSame",
        "class In { synchronized void in() { hits++; } } final In in = new In();",
        ["in.in();", "new In().in();", "in.in();"],
    ),
    monitor(
        "OfReplacedList",
        "List<Integer> list = new ArrayList<>();",
        ["LOCKED(list){ hits++; }", "list = new ArrayList<>(); LOCKED(list){ hits++; }", "LOCKED(list){ hits++; }"],
    ),
    monitor(
        "OfView",
        "final List<Integer> list = Collections.synchronizedList(new ArrayList<>());",
        ["LOCKED(list){ hits++; }", "LOCKED(list.subList(0, 0)){ hits++; }", "LOCKED(list){ hits++; }"],
    ),
    monitor(
        "Waits",
        "",
        [
            MINE,
            "LOCKED(this){ try { wait(1); } catch (InterruptedException e) { throw new Error(e); } } hits++;",
            "LOCKED(this){ try { wait(1); } catch (InterruptedException e) { throw new Error(e); } hits++; }",
        ],
    ),
    monitor(
        "LockItself",
        "final ReentrantLock lock = new ReentrantLock();",
        [
            "lock.lock(); try { hits++; } finally { lock.unlock(); }",
            LOCK,
            "lock.lock(); try { hits++; } finally { lock.unlock(); }",
        ],
    ),
];
