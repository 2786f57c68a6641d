//! What checking a trace has not looked at, in sentences.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use checkers::atomicity::block_based::BlockBased;
use checkers::atomicity::limits::{Limits, Work};
use checkers::lock_order::LockOrder;
use facts::index::SiteId;
use facts::name::{dotted, printable};

use super::names::Names;
use super::words::count;

/// So many methods are named.
const NAMED: usize = 3;

/// What was left out for want of room, within so many megabytes for blocks.
pub fn sentences(blocks: Option<&BlockBased>, order: Option<&LockOrder>, memory: u32, names: &Names) -> Vec<String> {
    let work = blocks.map(BlockBased::work);
    let of_blocks = work.map(|work| work.dropped + work.left_out);
    let of_order = order.map(LockOrder::work).map(|work| work.dropped + work.abandoned);
    let sentence = |(what, left_out): (&str, Option<u64>)| {
        let left_out = left_out.filter(|left_out| *left_out > 0)?;
        Some(format!("{what} may have been missed: there was no room or time for {}", count(left_out, "step")))
    };
    let missed =
        [("atomicity violations", of_blocks), ("potential deadlocks", of_order)].into_iter().filter_map(sentence);
    let is_full = |work: &Work| work.blocks >= Limits::in_megabytes(memory).blocks || work.passed > 0;
    let full = blocks.filter(|blocks| is_full(&blocks.work())).map(|blocks| full(blocks, memory, names));
    missed.chain(work.filter(|work| work.done > 0).map(done)).chain(full).collect()
}

/// That some code has been looked at enough.
fn done(work: Work) -> String {
    let (codes, most) = (count(work.done as u64, "transaction"), Limits::default().violations);
    format!(
        "{codes} can be broken by accesses to two variables in {most} ways or more; further ways were not looked for"
    )
}

/// That the memory is used up, and what was passed over since.
fn full(blocks: &BlockBased, memory: u32, names: &Names) -> String {
    let kept = count(blocks.work().blocks as u64, "block");
    let full = format!("the {memory} MB of `atomicity_memory` are full: {kept} were kept");
    match blocks.work().passed {
        0 => full,
        passed => format!(
            "{full}; {} after that were not looked at for accesses to two variables: {}",
            count(passed, "transaction"),
            of_methods(blocks.passed(), names)
        ),
    }
}

/// Transactions of some code by methods, the most first: `12 of a.B.c, 3 of a.B.d and 7 of 5 other methods`.
pub fn of_methods(codes: impl Iterator<Item = (SiteId, u64)>, names: &Names) -> String {
    let mut methods = BTreeMap::<String, u64>::new();
    for (code, n) in codes {
        let place = names.site(code).map(|site| &site.place);
        let name = place.map_or_else(|| code.to_string(), |place| format!("{}.{}", dotted(&place.class), place.method));
        *methods.entry(name).or_default() += n;
    }
    let mut methods: Vec<_> = methods.into_iter().collect();
    methods.sort_by_key(|(_, n)| Reverse(*n));
    let rest = methods.split_off(NAMED.min(methods.len()));
    let named: Vec<String> = methods.iter().map(|(name, n)| printable(&format!("{n} of {name}"))).collect();
    let n_rest: u64 = rest.iter().map(|(_, n)| n).sum();
    let others = || format!(" and {n_rest} of {}", count(rest.len() as u64, "other method"));
    named.join(", ") + &(if rest.is_empty() { String::new() } else { others() })
}

#[cfg(test)]
mod tests {
    use facts::site::{Action, Site};
    use facts::trace::Record;

    use super::super::fixtures::place;
    use super::*;

    #[test]
    fn the_most_frequent_methods_are_named() {
        let mut names = Names::default();
        for (id, method) in [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (6, "b")] {
            let site = Site { place: place("bank/Account", method, id), action: Action::Transaction };
            names.define(Record::Site(SiteId(id), Box::new(site)));
        }
        let told = |codes: &[(u32, u64)]| of_methods(codes.iter().map(|(code, n)| (SiteId(*code), *n)), &names);
        assert_eq!(told(&[(1, 2), (2, 3), (6, 4)]), "7 of bank.Account.b, 2 of bank.Account.a");
        let all = told(&[(1, 2), (2, 3), (3, 5), (4, 4), (5, 1)]);
        assert_eq!(all, "5 of bank.Account.c, 4 of bank.Account.d, 3 of bank.Account.b and 3 of 2 other methods");
    }
}
