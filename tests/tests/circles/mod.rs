//! No circle of files inside a crate, except between a module and its direct child.
//!
//! A file uses another if a `use` or a path in it leads to what stands there, re-exports followed; what is only there for tests does
//! not count. A module may use its children and they what it defines: that is one concept in a folder.
#![allow(clippy::disallowed_methods, reason = "a test of the checkout's own files reads them")]

mod modules;

use std::collections::BTreeSet;

use modules::Modules;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

/// The circles of a crate, each with its files sorted, and a line for each use in it.
fn circles(modules: &Modules) -> Vec<(Vec<String>, Vec<String>)> {
    let uses = modules.uses();
    let mut graph = DiGraphMap::<&str, &str>::new();
    for (from, to, what) in uses.iter().filter(|(from, to, _)| !modules.are_parent_and_child(from, to)) {
        graph.add_edge(from, to, what);
    }
    let mut circles = Vec::new();
    for mut files in tarjan_scc(&graph).into_iter().filter(|files| files.len() > 1) {
        files.sort_unstable();
        let within: BTreeSet<&str> = files.iter().copied().collect();
        let is_within = |(from, to, _): &(&str, &str, _)| within.contains(from) && within.contains(to);
        let edges = graph.all_edges().filter(is_within).map(|(from, to, what)| format!("{from} uses {what} of {to}"));
        circles.push((files.into_iter().map(str::to_owned).collect(), edges.collect()));
    }
    circles.sort();
    circles
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut wrong = String::new();
    for name in
        ["checkers", "classfile", "cli", "facts", "fuzz", "instrumenter", "modular", "runtime-agent", "static-typer"]
    {
        for (files, edges) in circles(&Modules::of_crate(&jrace_tests::root().join(name).join("src"))) {
            wrong += &format!("{name}: {files:?}\n    {}\n", edges.join("\n    "));
        }
    }
    assert!(wrong.is_empty(), "circles:\n{wrong}");
}

/// The circles of a crate made of these files.
fn of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    circles(&Modules::of_crate(folder.path())).into_iter().map(|(files, _)| files).collect()
}

#[test]
fn a_planted_circle_is_found() {
    let lib = ("lib.rs", "mod a; mod b; mod c;");
    let uses = ("a.rs", "use crate::b::B; pub struct A(B);");
    assert!(of(&[lib, uses, ("b.rs", "pub struct B;"), ("c.rs", "")]).is_empty());
    let ways = [
        "use crate::a::A; pub struct B(A);",
        "use super::{c, a::{self, A}}; pub struct B(A);",
        "pub struct B(super::a::A);",
        "pub struct B; fn f() { let _ = crate::a::A::new(); }",
        "pub struct B; fn f() { println!(\"{}\", crate::a::N); }",
        "pub use crate::c::A as Other; pub struct B;",
    ];
    for way in ways {
        let third = if way.contains("crate::c") { "pub use crate::a::A;" } else { "" };
        let found = of(&[lib, uses, ("b.rs", way), ("c.rs", third)]);
        assert_eq!(found, [["a.rs", "b.rs"]], "{way}");
    }
    let through_a_third =
        [lib, uses, ("b.rs", "use crate::c::C; pub struct B(C);"), ("c.rs", "use crate::a::A; pub struct C(A);")];
    assert_eq!(of(&through_a_third), [["a.rs", "b.rs", "c.rs"]]);
}

#[test]
fn what_is_no_circle_is_not_found() {
    let lib = ("lib.rs", "mod a; mod b; pub struct Root;");
    let uses = ("a.rs", "use crate::b::B; pub struct A(B);");
    let others = [
        "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }",
        "pub struct B; #[cfg(test)] use crate::a::A;",
        "pub struct B(crate::Root);",
        "pub struct B(a::A); mod a { pub struct A; }",
    ];
    for other in others {
        assert!(of(&[lib, uses, ("b.rs", other)]).is_empty(), "{other}");
    }
    // Parent and child, also where the parent re-exports what another child defines.
    let parent = ("a/mod.rs", "mod x; mod y; pub use x::X; pub struct Shared; pub fn run() { y::go(); }");
    let children = [("a/x.rs", "pub struct X(super::Shared);"), ("a/y.rs", "pub fn go() { let _: super::X; }")];
    assert!(of(&[("lib.rs", "mod a;"), parent, children[0], children[1]]).is_empty());
    let circle = [("a/x.rs", "pub struct X; fn f() { super::y::go(); }"), children[1]];
    assert_eq!(of(&[("lib.rs", "mod a;"), parent, circle[0], circle[1]]), [["a/x.rs", "a/y.rs"]]);
}
