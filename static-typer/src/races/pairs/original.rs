//! The original pairs: accesses to the same variable, one of them a write, wherever they stand (paper 000, figure 5).

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op, Value};
use crate::points_to::{Resolution, container_access};
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
            program.class(data.class).is_application && !data.is_final() && (is_chord || !data.is_volatile())
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
        if let Some((variable, write)) = access(resolution, body, value) {
            let (reads, writes) = tally.entry(variable).or_default();
            *(if write { writes } else { reads }) += 1;
        }
    }
    tally
}

fn access(resolution: &Resolution<'_>, body: &Body, value: Value) -> Option<(Variable, bool)> {
    let field = |member| resolution.field(member).map(Variable::Field);
    match body.op(value) {
        Op::LoadElement(..) => Some((Variable::Element, false)),
        Op::StoreElement(..) => Some((Variable::Element, true)),
        Op::GetField(_, member) | Op::GetStatic(member) => Some((field(*member)?, false)),
        Op::PutField(_, member, _) | Op::PutStatic(member, _) => Some((field(*member)?, true)),
        Op::Invoke(_, member, _) => {
            let write = container_access(resolution.program, resolution.method(*member)?)?;
            Some((Variable::Content, write))
        }
        _ => None,
    }
}
