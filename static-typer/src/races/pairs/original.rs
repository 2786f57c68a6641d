//! The original pairs: accesses to the same variable, one of them a write, wherever they stand (paper 000, figure 5).

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::points_to::{Resolution, container_access, element_accesses, reads_last};
use crate::program::{MethodId, Program};

use super::variable::Variable;

/// Reads and writes of each variable.
type Tally = FxHashMap<Variable, (u64, u64)>;

/// How many pairs there are in the application.
pub fn pairs(program: &Program, is_chord: bool) -> u64 {
    let resolution = Resolution::of(program);
    let methods: Vec<MethodId> = program.application().flat_map(|class| program.methods_of(class)).collect();
    let tallies = methods.par_iter().filter_map(|method| Some(tally(&resolution, &Body::of(program, *method)?.ok()?)));
    let total = tallies.reduce(Tally::default, |mut a, b| {
        for (variable, (reads, writes)) in b.into_iter().collect::<std::collections::BTreeMap<_, _>>() {
            let entry = a.entry(variable).or_default();
            *entry = (entry.0 + reads, entry.1 + writes);
        }
        a
    });
    let counts = |variable: &Variable| match variable {
        Variable::Field(field) => {
            let data = program.field(*field);
            !program.is_of_jdk(data.class) && !data.is_final() && (is_chord || !data.is_volatile())
        }
        Variable::Element => true,
        Variable::Content => !is_chord,
    };
    let total: std::collections::BTreeMap<_, _> = total.into_iter().collect();
    let counted = total.into_iter().filter(|(variable, _)| counts(variable));
    counted.map(|(_, (reads, writes))| reads * writes + writes * (writes + 1) / 2).sum()
}

fn tally(resolution: &Resolution<'_>, body: &Body) -> Tally {
    let mut tally = Tally::default();
    for value in body.all_values() {
        for (variable, write) in accesses(resolution, body, value) {
            let (reads, writes) = tally.entry(variable).or_default();
            *(if write { writes } else { reads }) += 1;
        }
    }
    tally
}

fn accesses(resolution: &Resolution<'_>, body: &Body, value: Value) -> Vec<(Variable, bool)> {
    let field =
        |member, write| resolution.field(member).map(|field| (Variable::Field(field), write)).into_iter().collect();
    match body.op(value) {
        Op::LoadElement(..) => vec![(Variable::Element, false)],
        Op::StoreElement(..) => vec![(Variable::Element, true)],
        Op::GetField(_, member) | Op::GetStatic(member) => field(*member, false),
        Op::PutField(_, member, _) | Op::PutStatic(member, _) => field(*member, true),
        Op::Invoke(_, member, _) => {
            let method = resolution.method(*member);
            let contents = method.and_then(|method| container_access(resolution.program, method));
            let last = method.is_some_and(|method| reads_last(resolution.program, method)).then_some(false);
            let elements = element_accesses(resolution.program, *member).into_iter();
            let elements = elements.map(|(_, write)| (Variable::Element, write));
            let contents = contents.into_iter().chain(last).map(|write| (Variable::Content, write));
            contents.chain(elements).collect()
        }
        _ => Vec::new(),
    }
}
