# What CI runs.
ready:
    .ci/run

# Each fuzz target for some minutes.
fuzz seconds="300":
    fuzz/run {{seconds}}

# The helper class, after a change of its sources.
helper:
    runtime-agent/java/compile.sh

# Tarballs and Debian packages for users, tried without Rust.
dist *machines:
    release/dist.sh {{machines}}

# What takes too long for CI: all classes of the JDKs and of some jars, every JDK in every test, and programs of Maven Central.
sweep: sweep-tests sweep-programs

# The tests, with all of what some stand for in CI.
sweep-tests *args:
    JRACE_SWEEP=1 cargo test --workspace --no-fail-fast {{args}}

# Programs of Maven Central alone and under jrace, in every mode: a table. What was run already is kept in target/sweep.
sweep-programs *args:
    cargo build --quiet --release -p cli -p runtime-agent
    nice tests/sweep/sweep.py {{args}}

# Tables of BENCHMARKS.md taken again, whose commands have one of the words in them; without a word, the commands.
tables *words:
    tests/tables.py {{words}}

# The analyses with one rule dropped, each time: which are missed by nobody. A minute each; `just mutants -f static-typer/src/types/threads.rs`.
mutants *args:
    nice cargo mutants --output target --no-shuffle {{args}}
