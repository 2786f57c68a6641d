//! Uses of one lock that leave a gap: what comes first is accessed without it, and in the twin with it.
//!
//! `TAKE` and `GIVE` are for the lock, `FREE` gives it back by a [releaser](RELEASERS), `TRY` is an expression that is true if it has taken
//! the lock, `HIT` is the access.

/// A way to use a lock.
pub struct Gap {
    pub name: &'static str,
    pub racy: &'static str,
    pub clean: &'static str,
    /// Whether another thread holds the lock meanwhile.
    pub is_contended: bool,
}

const fn gap(name: &'static str, racy: &'static str, clean: &'static str) -> Gap {
    Gap { name, racy, clean, is_contended: false }
}

/// Every way.
pub const GAPS: &[Gap] = &[
    gap("After", "TAKE FREE HIT", "TAKE HIT FREE"),
    gap("Between", "TAKE HIT FREE HIT TAKE GIVE", "TAKE HIT FREE TAKE HIT GIVE"),
    gap(
        "Branch",
        "TAKE if (Support.yes()) { FREE } HIT if (Support.no()) { GIVE }",
        "TAKE if (Support.no()) { FREE } HIT if (Support.yes()) { GIVE }",
    ),
    gap(
        "Loop",
        "TAKE for (int n = 0; n < 2; n++) { HIT if (n == 0) { FREE } }",
        "TAKE for (int n = 0; n < 2; n++) { HIT } FREE",
    ),
    gap(
        "LoopTake",
        "for (int n = 0; n < 2; n++) { if (n == 0) { TAKE } HIT if (n == 0) { FREE } }",
        "for (int n = 0; n < 2; n++) { TAKE HIT FREE }",
    ),
    gap("Finally", "TAKE try { HIT } finally { FREE } HIT", "TAKE try { HIT } finally { FREE }"),
    gap(
        "InnerFinally",
        "TAKE try { try { Support.yes(); } finally { FREE } HIT } finally { Support.yes(); }",
        "TAKE try { try { Support.yes(); } finally { HIT } HIT } finally { FREE }",
    ),
    gap(
        "Handler",
        "TAKE try { Support.fail(); } catch (IllegalStateException e) { FREE HIT }",
        "TAKE try { Support.fail(); } catch (IllegalStateException e) { HIT FREE }",
    ),
    gap(
        "AfterHandler",
        "TAKE try { Support.fail(); } catch (IllegalStateException e) { FREE } HIT",
        "TAKE try { Support.fail(); } catch (IllegalStateException e) { HIT } HIT FREE",
    ),
    gap(
        "Thrown",
        "TAKE try { FREE Support.fail(); GIVE } catch (IllegalStateException e) { HIT }",
        "TAKE try { Support.fail(); FREE } catch (IllegalStateException e) { HIT GIVE }",
    ),
    gap("Stale", "boolean got = TRY; FREE if (got) { HIT }", "boolean got = TRY; if (got) { HIT } FREE"),
    gap(
        "StaleBranch",
        "boolean got = TRY; if (got) { FREE } if (got) { HIT }",
        "boolean got = TRY; if (got) { HIT } if (got) { FREE }",
    ),
    gap("Tried", "if (TRY) { FREE HIT }", "if (TRY) { HIT FREE }"),
    gap("Negated", "if (!(TRY)) { Support.fail(); } FREE HIT", "if (!(TRY)) { Support.fail(); } HIT FREE"),
    gap("Chosen", "if (Support.yes() || TRY) { HIT } TAKE FREE", "if (Support.yes() && TRY) { HIT FREE }"),
    Gap { is_contended: true, ..gap("Failed", "if (!(TRY)) { HIT } else { GIVE }", "if (TRY) { HIT GIVE }") },
    Gap {
        is_contended: true,
        ..gap("Ignored", "boolean got = TRY; HIT if (got) { GIVE }", "boolean got = TRY; if (got) { HIT GIVE }")
    },
    gap("Thread", "TAKE Support.start(() -> { HIT }); FREE", "Support.start(() -> { TAKE HIT FREE });"),
    gap(
        "Later",
        "TAKE Runnable later = () -> { HIT }; FREE later.run();",
        "TAKE Runnable later = () -> { HIT }; later.run(); FREE",
    ),
    gap(
        "Anonymous",
        "TAKE Runnable later = new Runnable() { public void run() { HIT } }; FREE later.run();",
        "TAKE Runnable later = new Runnable() { public void run() { HIT } }; later.run(); FREE",
    ),
    gap(
        "Supplied",
        "TAKE Supplier<Integer> later = () -> { HIT return 1; }; FREE later.get();",
        "TAKE Supplier<Integer> later = () -> { HIT return 1; }; later.get(); FREE",
    ),
    gap(
        "Stream",
        "TAKE java.util.stream.Stream<Integer> later = Arrays.asList(1).stream().peek(peeked -> { HIT }); FREE later.toList();",
        "TAKE java.util.stream.Stream<Integer> later = Arrays.asList(1).stream().peek(peeked -> { HIT }); later.toList(); FREE",
    ),
    gap(
        "Executor",
        "TAKE Support.POOL.submit(() -> { HIT Support.isDone = true; }); FREE Support.settle();",
        "Support.POOL.submit(() -> { TAKE HIT FREE Support.isDone = true; }); Support.settle();",
    ),
    gap(
        "Future",
        "TAKE CompletableFuture.runAsync(() -> { HIT Support.isDone = true; }, Support.POOL); FREE Support.settle();",
        "CompletableFuture.runAsync(() -> { TAKE HIT FREE Support.isDone = true; }, Support.POOL); Support.settle();",
    ),
];

/// Ways for locks that may be taken again.
pub const NESTED: &[Gap] = &[
    gap("Twice", "TAKE TAKE FREE FREE HIT", "TAKE TAKE FREE HIT FREE"),
    gap("TwiceIf", "TAKE if (Support.no()) { TAKE } FREE HIT", "TAKE if (Support.yes()) { TAKE } FREE HIT GIVE"),
    gap(
        "TwiceHandler",
        "TAKE TAKE try { HIT FREE Support.fail(); } catch (IllegalStateException e) { FREE HIT }",
        "TAKE TAKE try { HIT FREE Support.fail(); } catch (IllegalStateException e) { HIT FREE }",
    ),
    gap(
        "TwiceLoop",
        "TAKE TAKE for (int n = 0; n < 2; n++) { FREE } HIT",
        "TAKE TAKE for (int n = 0; n < 2; n++) { HIT FREE }",
    ),
    gap("TriedAgain", "TAKE if (TRY) { FREE } FREE HIT", "TAKE if (TRY) { FREE } HIT FREE"),
];

/// How a lock is given back: a name, members of the class, and the code; `GIVE` stands for the plain way.
pub const RELEASERS: &[(&str, &str, &str)] = &[
    ("Direct", "", "GIVE"),
    ("Helper", "private void rel() { GIVE }", "rel();"),
    ("DeepHelper", "private void rel() { more(); } void more() { GIVE }", "rel();"),
    ("Passed", "static void rel(TYPE given) { PASSED }", "rel(LOCK);"),
    (
        "Kept",
        "static class Rel { final TYPE kept; Rel(TYPE kept) { this.kept = kept; } void rel() { OFKEPT } }",
        "new Rel(LOCK).rel();",
    ),
    (
        "Interface",
        "interface Act { void act(); } final Act act = new Act() { public void act() { GIVE } };",
        "act.act();",
    ),
    ("OwnLambda", "interface Act { void act(); }", "{ Act act = () -> { GIVE }; act.act(); }"),
    ("Lambda", "", "{ Runnable act = () -> { GIVE }; act.run(); }"),
    ("Reference", "void rel() { GIVE }", "{ Runnable act = X.this::rel; act.run(); }"),
    (
        "Override",
        "static class Up { void rel(X of) {} } static class Down extends Up { void rel(X of) { of.give(); } } void give() { GIVE } final Up up = new Down();",
        "up.rel(X.this);",
    ),
    (
        "Default",
        "interface Act { X of(); default void act() { of().give(); } } void give() { GIVE } final Act act = () -> this;",
        "act.act();",
    ),
    ("ForEach", "", "Arrays.asList(1).forEach(one -> { GIVE });"),
    ("Optional", "", "Optional.of(1).ifPresent(one -> { GIVE });"),
    ("Compute", "", "new HashMap<Integer, Integer>().computeIfAbsent(1, one -> { GIVE return 1; });"),
    ("Streamed", "", "Arrays.asList(1).stream().map(one -> { GIVE return 1; }).toList();"),
    ("Sorted", "", "Arrays.asList(2, 1).sort((a, b) -> { GIVE return 0; });"),
    ("Initial", "", "ThreadLocal.withInitial(() -> { GIVE return 1; }).get();"),
    (
        "Appended",
        "class Told { public String toString() { GIVE return \"\"; } }",
        "new StringBuilder().append(new Told());",
    ),
    ("Valued", "class Told { public String toString() { GIVE return \"\"; } }", "String.valueOf(new Told());"),
    (
        "Concatenated",
        "String said; class Told { public String toString() { GIVE return \"\"; } }",
        "said = \"it \" + new Told();",
    ),
    ("Hashed", "class Told { public int hashCode() { GIVE return 1; } }", "Objects.hash(new Told());"),
    (
        "Equal",
        "class Told { public boolean equals(Object other) { GIVE return true; } }",
        "Objects.equals(new Told(), 1);",
    ),
    (
        "RecordEqual",
        "class Told { public boolean equals(Object other) { GIVE return true; } } record Pair(Object told) {}",
        "new Pair(new Told()).equals(new Pair(new Told()));",
    ),
    (
        "Compared",
        "class Told implements Comparable<Told> { public int compareTo(Told other) { GIVE return 1; } }",
        "new PriorityQueue<>(List.of(new Told(), new Told()));",
    ),
    (
        "Iterated",
        "class Told implements Iterable<Integer> { public Iterator<Integer> iterator() { GIVE return List.of(1).iterator(); } }",
        "for (int one : new Told()) Support.yes();",
    ),
    ("Closed", "", "try (Support.Quiet quiet = () -> { GIVE }) { Support.yes(); }"),
    ("Reflected", "public void rel() { GIVE }", "Support.reflect(X.this, \"rel\");"),
    (
        "Invoked",
        "public void rel() { GIVE }",
        "try { X.class.getMethod(\"rel\").invoke(X.this); } catch (ReflectiveOperationException f) { throw new Error(f); }",
    ),
    (
        "Handled",
        "public void rel() { GIVE }",
        "try { java.lang.invoke.MethodHandles.lookup().findVirtual(X.class, \"rel\", java.lang.invoke.MethodType.methodType(void.class)).invoke(X.this); } catch (Throwable f) { throw new Error(f); }",
    ),
    ("DeepForEach", "void rel() { Arrays.asList(1).forEach(one -> { GIVE }); }", "rel();"),
    ("DeeperForEach", "void rel() { more(); } void more() { Arrays.asList(1).forEach(one -> { GIVE }); }", "rel();"),
    ("DeepTask", "void rel(Runnable act) { act.run(); }", "rel(() -> { GIVE });"),
    (
        "DeepConsumer",
        "void give() { GIVE } void rel(Consumer<X> act) { List.of(this).forEach(act); }",
        "rel(one -> { one.give(); });",
    ),
    (
        "DeepConcatenated",
        "String said; class Told { public String toString() { GIVE return \"\"; } } void rel() { said = \"it \" + new Told(); }",
        "rel();",
    ),
    ("DeepReflected", "public void rel() { GIVE } void more() { Support.reflect(this, \"rel\"); }", "more();"),
];

/// Releasers that count on taking again what is held.
pub const BALANCING: &[(&str, &str, &str)] = &[
    ("Excused", "void rel() { if (TRY) { GIVE } GIVE }", "rel();"),
    ("StoredExcuse", "void rel() { boolean got = TRY; if (got) { GIVE } GIVE }", "rel();"),
    ("Retaken", "void rel() { TAKE GIVE GIVE }", "rel();"),
    ("Looped", "void rel() { TAKE for (int n = 0; n < 2; n++) { GIVE } }", "rel();"),
    ("HandlerGives", "void rel() { try { Support.fail(); } catch (IllegalStateException e) { GIVE } }", "rel();"),
    ("Throws", "void rel() { try { GIVE } finally { Support.yes(); } }", "rel();"),
];

/// How the variable is accessed: a name, members, the code.
pub const ACCESSES: &[(&str, &str, &str)] = &[
    ("", "", "hits++;"),
    ("InCallee", "void touch() { hits++; }", "touch();"),
    ("InStatic", "static void hit(X x) { x.hits++; }", "hit(X.this);"),
    ("InLambda", "", "{ Runnable hit = () -> hits++; hit.run(); }"),
    ("InForEach", "", "Arrays.asList(1).forEach(hit -> hits++);"),
    ("InInner", "class Hit { void hit() { hits++; } }", "new Hit().hit();"),
];
