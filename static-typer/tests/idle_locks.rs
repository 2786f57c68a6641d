//! Idle locks are those under which nothing runs that is checked, whichever way it comes there.
#![allow(clippy::disallowed_methods, reason = "tests read their fixtures")]

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use jrace_tests::fixture::compiled;
use jrace_tests::jdk::Jdk;
use jrace_tests::root;
use static_typer::classpath::ClassPath;
use static_typer::focus::{Goal, Search, search};
use static_typer::ir::{Block, Body, Op, Value};
use static_typer::program::{Program, flag};
use static_typer::races::{IdleLocks, Section, leading, sections};
use static_typer::types::{Bodies, Types};

/// The lines of a class with locks, and whether these are idle.
fn found(program: &Program, class: &str, idle: &IdleLocks) -> Result<BTreeMap<u16, bool>> {
    let mut lines = BTreeMap::new();
    let class = program.application().find(|other| program.class_name(*other) == class).context("the class")?;
    for method in program.methods_of(class) {
        let Some(body) = Body::of(program, method).transpose().ok().flatten() else { continue };
        let values = || body.all_values();
        if program.method(method).access & flag::SYNCHRONIZED != 0 {
            let first = values().find_map(|value| body.line(value)).context("a line")?;
            lines.insert(first, idle.methods.contains(&method));
        }
        let listed = |at: u16| idle.monitors.get(&method).is_some_and(|offsets| offsets.binary_search(&at).is_ok());
        for value in values().filter(|value| matches!(body.op(*value), Op::Enter(_))) {
            lines.insert(body.line(value).context("a line")?, listed(body.instruction(value).at));
        }
        let is_end = |value: &_| matches!(body.op(*value), Op::Enter(_) | Op::Exit(_));
        let n_listed = values().filter(is_end).filter(|value| listed(body.instruction(*value).at)).count();
        ensure!(n_listed == idle.monitors.get(&method).map_or(0, Vec::len), "not all are monitors");
    }
    Ok(lines)
}

#[test]
fn locks_are_idle_where_nothing_checked_runs_under_them() -> Result<()> {
    let source = root().join("tests/java/races/idle/Idle.java");
    let text = std::fs::read_to_string(&source)?;
    let jdk = Jdk::oldest();
    let classes = compiled(&jdk, &[source], &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let bodies = Bodies::of(&program);
    let types = Types::infer(&program, &bodies);
    let wanted =
        Search { goal: Goal::RaceFree, is_parallel: false, has_guards: false, explains: false, memory_bytes: u64::MAX };
    let searched = search(&program, &bodies, &types, &wanted, &|_| {}).map_err(anyhow::Error::msg)?;
    let verdict = |line: &str| match line.split_once(" // ")?.1 {
        "idle" => Some(true),
        "needed" | "missed" => Some(false),
        _ => None,
    };
    let expected = (1_u16..).zip(text.lines()).filter_map(|(n, line)| Some((n, verdict(line)?))).collect();
    assert_eq!(found(&program, "idle/Idle", &searched.methods.idle)?, expected);
    // Transactions ask for every lock.
    let wanted = Search { goal: Goal::Unshared, ..wanted };
    let searched = search(&program, &bodies, &types, &wanted, &|_| {}).map_err(anyhow::Error::msg)?;
    ensure!(searched.methods.idle.methods.is_empty() && searched.methods.idle.monitors.is_empty());
    Ok(())
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Whether a way leads from a node to a marked one, tried step by step.
fn leads(marked: &[bool], edges: &[Vec<usize>], from: usize, steps: usize) -> bool {
    marked[from] || steps > 0 && edges[from].iter().any(|to| leads(marked, edges, *to, steps - 1))
}

#[test]
fn what_leads_to_a_mark_is_found_as_by_trying_every_way() {
    const NODES: usize = 7;
    let mut random = Random(1);
    for _ in 0..2000 {
        let marked: Vec<bool> = (0..NODES).map(|_| random.below(5) == 0).collect();
        let mut edge = || (0..random.below(3)).map(|_| random.below(NODES)).collect();
        let edges: Vec<Vec<usize>> = (0..NODES).map(|_| edge()).collect();
        let found = leading(&marked, |node| edges[node].clone());
        let naive: Vec<bool> = (0..NODES).map(|node| leads(&marked, &edges, node, NODES)).collect();
        assert_eq!(found, naive, "{marked:?} {edges:?}");
    }
}

/// Runs a body along some way, exceptions at any place included, and tells what comes while each lock is held.
fn walk(body: &Body, random: &mut Random, mut visit: impl FnMut(Value, Value)) {
    let mut depths: BTreeMap<Value, usize> = BTreeMap::new();
    let mut block = Block(0);
    for _ in 0..40 {
        let handlers: Vec<Block> = body.block(block).handlers.iter().map(|(_, handler)| *handler).collect();
        let catch_all = body.block(block).handlers.iter().position(|(caught, _)| caught.is_none());
        let handlers = &handlers[..catch_all.map_or(handlers.len(), |at| at + 1)];
        let mut thrown = None;
        for value in body.values(block) {
            depths.iter().filter(|(_, depth)| **depth > 0).for_each(|(lock, _)| visit(*lock, value));
            let goes_on =
                matches!(body.op(value), Op::Phi(_) | Op::Caught | Op::Jump(_) | Op::Branch(..) | Op::Switch(..));
            if !handlers.is_empty() && !goes_on && random.below(8) == 0 {
                thrown = Some(handlers[random.below(handlers.len())]);
                break;
            }
            match body.op(value) {
                Op::Enter(lock) => *depths.entry(*lock).or_default() += 1,
                Op::Exit(lock) => *depths.entry(*lock).or_default() -= 1,
                _ => {}
            }
        }
        let next = body.successors(block);
        block = match thrown {
            Some(handler) => handler,
            None if next.is_empty() => return,
            None => next[random.below(next.len())],
        };
    }
}

#[test]
fn sections_have_all_that_comes_while_a_lock_is_held() -> Result<()> {
    let jdk = Jdk::oldest();
    let classes = compiled(&jdk, &[root().join("tests/java/races/idle/Idle.java")], &["--release", "17"])?;
    let program = Program::load_whole(&mut ClassPath::open(&[classes], &[], Some(&jdk.home))?);
    let (mut random, mut n_certain, mut n_others, mut n_seen) = (Random(1), 0, 0, 0);
    for method in program.classes().flat_map(|class| program.methods_of(class)) {
        let Some(Ok(body)) = Body::of(&program, method) else { continue };
        if !body.all_values().any(|value| matches!(body.op(value), Op::Enter(_))) {
            continue;
        }
        let Some(sections) = sections(&body) else {
            n_others += 1;
            continue;
        };
        n_certain += 1;
        for _ in 0..30 {
            walk(&body, &mut random, |lock, value| {
                let of_lock = |section: &&Section| matches!(body.op(section.ends[0]), Op::Enter(of) | Op::Exit(of) if *of == lock);
                let section = sections.iter().find(of_lock).expect("a section");
                assert!(section.inside.contains(&value), "{} {value:?}", program.method_name(method));
                n_seen += 1;
            });
        }
    }
    ensure!(n_certain > 300 && n_others * 50 < n_certain && n_seen > 10_000, "{n_certain} {n_others} {n_seen}");
    Ok(())
}
