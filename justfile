# What CI runs.
ready:
    .ci/run

# Each fuzz target for some minutes.
fuzz seconds="300":
    fuzz/run {{seconds}}

# The helper class, after a change of its sources.
helper:
    runtime-agent/java/compile.sh

# A tarball for users, tried without Rust.
dist:
    release/dist.sh
