//! Methods that people know not to run in parallel (the annotations of paper 000, section 2.1): a pair of accesses is none if
//! every way to one of them begins with the one method, and every way to the other with the other.
//!
//! Ways begin with a thread's *entry*: the first method of the application that it runs. That is what a client calls, `main`, or
//! a `run` that the library calls. Entries that the same names match are of one *kind*.

use std::collections::BTreeSet;

use facts::name::dotted;
use facts::pattern::Pattern;
use rustc_hash::FxHashSet;

use crate::points_to::{InstanceId, PointsTo};
use crate::program::{MethodId, Program};
use crate::races::threads::Threads;

/// Entries that the same names match, by number.
pub type Kind = u32;

/// Two names match an entry or do not, for each pair of names.
type Matches = Vec<[bool; 2]>;

/// Where the ways to all code begin. Without names nothing is known, and nothing told apart.
#[derive(Default, Debug)]
pub struct Entries {
    kinds: Vec<Matches>,
    /// The kinds of each instance.
    of: Vec<Vec<Kind>>,
}

impl Entries {
    /// Follows every call from the entries.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads, names: &[[Pattern; 2]]) -> Self {
        if names.is_empty() {
            return Self::default();
        }
        let mut entries = Self { kinds: Vec::new(), of: vec![Vec::new(); points_to.instances().count()] };
        let (mut beginnings, mut before): (Vec<Vec<InstanceId>>, Vec<InstanceId>) = (Vec::new(), Vec::new());
        for root in &threads.roots {
            for (instance, method) in beginning(program, points_to, *root, &mut before) {
                let kind = entries.kind(matches(program, method, names));
                beginnings.resize_with(entries.kinds.len(), Vec::new);
                beginnings[kind].push(instance);
            }
        }
        for (kind, instances) in beginnings.into_iter().enumerate() {
            entries.follow(points_to, kind as Kind, instances);
        }
        let unnamed = entries.kind(vec![[false; 2]; names.len()]) as Kind;
        before.into_iter().for_each(|instance| entries.of[instance.index()].push(unnamed));
        entries
    }

    fn kind(&mut self, matches: Matches) -> usize {
        let known = self.kinds.iter().position(|known| *known == matches);
        known.unwrap_or_else(|| {
            self.kinds.push(matches);
            self.kinds.len() - 1
        })
    }

    fn follow(&mut self, points_to: &PointsTo, kind: Kind, mut open: Vec<InstanceId>) {
        while let Some(instance) = open.pop() {
            let kinds = &mut self.of[instance.index()];
            if kinds.last() != Some(&kind) {
                kinds.push(kind);
                open.extend(points_to.callees(instance));
            }
        }
    }

    /// The kinds of entries from which an instance is reached, each once.
    #[must_use]
    pub fn kinds(&self, instance: InstanceId) -> Vec<Kind> {
        let kinds: BTreeSet<Kind> = self.of.get(instance.index()).into_iter().flatten().copied().collect();
        kinds.into_iter().collect()
    }

    /// The kinds that cannot run in parallel with any of these.
    #[must_use]
    pub fn barred(&self, kinds: &[Kind]) -> Vec<Kind> {
        let is_barred = |other: &Kind| kinds.iter().all(|kind| !self.barring(*kind, *other).is_empty());
        (0..self.kinds.len() as Kind).filter(|other| !kinds.is_empty() && is_barred(other)).collect()
    }

    /// The pairs of names, by number, that keep accesses by these entries apart.
    #[must_use]
    pub fn between(&self, a: &[Kind], b: &[Kind]) -> BTreeSet<usize> {
        let pairs = a.iter().flat_map(|a| b.iter().map(|b| (*a, *b)));
        pairs.flat_map(|(a, b)| self.barring(a, b)).collect()
    }

    fn barring(&self, a: Kind, b: Kind) -> Vec<usize> {
        let pairs = self.kinds[a as usize].iter().zip(&self.kinds[b as usize]).enumerate();
        let bars = |[a, b]: &[bool; 2], [c, d]: &[bool; 2]| *a && *d || *b && *c;
        pairs.filter(|(_, (a, b))| bars(a, b)).map(|(pair, _)| pair).collect()
    }
}

/// The entries of a root; what runs before them goes to `before`.
fn beginning(
    program: &Program,
    points_to: &PointsTo,
    root: InstanceId,
    before: &mut Vec<InstanceId>,
) -> Vec<(InstanceId, MethodId)> {
    let (mut found, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![root]);
    while let Some(instance) = open.pop() {
        if !seen.insert(instance) {
            continue;
        }
        match points_to.code(instance).method.filter(|method| is_application(program, *method)) {
            Some(method) => found.push((instance, method)),
            None => {
                before.push(instance);
                open.extend(points_to.callees(instance));
            }
        }
    }
    found
}

fn is_application(program: &Program, method: MethodId) -> bool {
    program.class(program.method(method).class).is_application
}

fn matches(program: &Program, method: MethodId, names: &[[Pattern; 2]]) -> Matches {
    let data = program.method(method);
    let name = format!("{}.{}", dotted(&program.class_name(data.class)), program.names().text(data.name));
    names.iter().map(|pair| pair.each_ref().map(|pattern| pattern.matches(&name))).collect()
}
