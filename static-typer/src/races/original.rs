//! The original pairs: accesses to the same variable, one of them a write, wherever they stand (paper 000, figure 5).

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ir::{Body, Op};
use crate::program::{FieldId, MethodId, Program};

use crate::points_to::Resolution;

/// Reads and writes of each field; none for elements.
type Tally = FxHashMap<Option<FieldId>, (u64, u64)>;

/// How many pairs there are in the application.
pub fn pairs(program: &Program, with_volatile: bool) -> u64 {
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
    let counts = |field: &Option<FieldId>| {
        field.is_none_or(|field| {
            let data = program.field(field);
            program.class(data.class).is_application && !data.is_final() && (with_volatile || !data.is_volatile())
        })
    };
    let total: std::collections::BTreeMap<_, _> = total.into_iter().collect();
    let counted = total.into_iter().filter(|(variable, _)| counts(variable));
    counted.map(|(_, (reads, writes))| reads * writes + writes * (writes + 1) / 2).sum()
}

fn tally(resolution: &Resolution<'_>, body: &Body) -> Tally {
    let mut tally = Tally::default();
    for value in body.all_values() {
        let (variable, write) = match body.op(value) {
            Op::LoadElement(..) => (None, false),
            Op::StoreElement(..) => (None, true),
            Op::GetField(_, member) | Op::GetStatic(member) => (resolution.field(*member), false),
            Op::PutField(_, member, _) | Op::PutStatic(member, _) => (resolution.field(*member), true),
            _ => continue,
        };
        let is_element = matches!(body.op(value), Op::LoadElement(..) | Op::StoreElement(..));
        if is_element || variable.is_some() {
            let entry = tally.entry(variable).or_default();
            if write {
                entry.1 += 1;
            } else {
                entry.0 += 1;
            }
        }
    }
    tally
}
