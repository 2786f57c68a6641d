//! Locks: every way to take one and to give it back.

jrace_tests::cases! {
    "locks";
    monitors: "";
    methods: "";
    unwound: "";
    reentrant: "";
    readwrite: "";
    stamped: "";
    handover: "";
    waiting: "";
    wrappers: "";
    excluded: "exclude=excluded.Unchecked";
    recursion: "";
}
