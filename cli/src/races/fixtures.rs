//! A small report for tests, with names that must be escaped.

use static_typer::races::Confidence;

use super::paths::Paths;
use super::rank::{Evidence, Locks, Rank, Target};
use super::report::{
    AccessView, FORMAT, Frame, Kind, Object, RULES, RaceView, Report, StageCount, VariableRaces, methods,
};
use crate::evidence::Key;
use crate::report::claims::Identities;

/// Three variables: a field, elements of arrays, and a static field with a doubtful race.
pub fn report() -> Report {
    Report {
        format: FORMAT,
        jrace: "0",
        application: vec!["bank<1>.jar".into()],
        harness: false,
        entries: "`main` of bank.Bank".into(),
        stages: [("original", 39), ("reachable", 16), ("unlocked", 6)]
            .map(|(stage, pairs)| StageCount { stage, pairs })
            .into(),
        threads: 2,
        variables: vec![
            variable(Kind::Field, "bank.Account.balance", "bank.Account", Confidence::NoCommonLock),
            variable(Kind::Elements, "int[]", "int[]", Confidence::NoCommonLock),
            variable(Kind::StaticField, "bank.Bank.total", "", Confidence::MaybeSameLock),
        ],
        broken_sets: Vec::new(),
        proved: vec!["bank.Account.safe (int)".into()],
        left_out: Vec::new(),
        unmatched_annotations: Vec::new(),
        observed: None,
        logged_calls: None,
        api: None,
        times: None,
        assumptions: vec!["what 2 native methods of libraries do".into()],
        identities: Identities::default(),
        rules: &RULES,
    }
}

/// A variable with one race, on an object of a type unless that is empty.
pub fn variable(kind: Kind, name: &str, ty: &str, confidence: Confidence) -> VariableRaces {
    let variable = if kind == Kind::Elements { format!("elements of {name}") } else { format!("{name} (int)") };
    VariableRaces {
        variable,
        kind,
        name: name.to_owned(),
        pairs: 3,
        observed: None,
        baseline: None,
        suppressed_by: Vec::new(),
        rank: Rank { place: 1, score: 50, reason: "both write".into(), is_below: false },
        races: vec![RaceView { evidence: evidence(kind, confidence), ..race(ty, confidence) }],
        keys: [Key::Field(name.to_owned())].into(),
    }
}

fn evidence(kind: Kind, confidence: Confidence) -> Evidence {
    let target = if kind == Kind::Elements { Target::Elements } else { Target::Field };
    let locks = if confidence == Confidence::MaybeSameLock { Locks::MaybeSame } else { Locks::None };
    Evidence { target, locks, class_locks: true, ..Evidence::default() }
}

fn race(ty: &str, confidence: Confidence) -> RaceView {
    let types: Vec<String> = Some(ty.to_owned()).filter(|ty| !ty.is_empty()).into_iter().collect();
    let object = |ty: &String| Object {
        text: format!("{ty} made at Bank.java:22"),
        ty: ty.clone(),
        site: Some(frame("bank/Bank", "<clinit>", 22)),
    };
    let accesses = vec![access("write", &["add", "express", "run"]), access("read", &["balance", "main"])];
    RaceView {
        methods: methods(&accesses, false),
        warning: None,
        confidence,
        pairs: 2,
        objects: types.iter().map(object).collect(),
        more_objects: 0,
        paths: Some(Paths::Possible),
        accesses,
        types: types.into_iter().collect(),
        evidence: Evidence::default(),
    }
}

fn access(kind: &'static str, methods: &[&str]) -> AccessView {
    let mut path: Vec<Frame> = methods.iter().map(|method| frame("bank/Account", method, 18)).collect();
    path[1].locks.push("bank.Teller made at Bank.java:41".into());
    let alike = if kind == "read" { vec![frame("bank/Bank", "audit", 57)] } else { Vec::new() };
    AccessView { kind, thread: "the <main> thread".into(), locks: Vec::new(), path, alike }
}

fn frame(class: &str, method: &str, line: u16) -> Frame {
    let (package, simple) = class.split_once('/').unwrap();
    Frame {
        method: format!("{package}.{simple}.{method}"),
        file: Some(format!("{simple}.java")),
        line: Some(line),
        library: method == "run",
        locks: Vec::new(),
        class: class.to_owned(),
    }
}
