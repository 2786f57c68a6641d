//! The transfer function of a method: from the atomicities of the methods that it calls to its own.
//!
//! A forward analysis over its blocks: what has been done so far, composed with the next step, joined where paths meet. As
//! composition distributes over joins, that is the join over all paths, loops included, and the same as the typing rules of
//! paper 004 make of nested statements. An exception may come after any step, so what a method has done so far counts at every
//! place; and what a block has done at its end is at least what it has done before.

use std::collections::BTreeSet;

use super::basic::Basic;
use super::conditional::Atomicity;
use super::families::Joined;
use super::solver::MAX_LOCKS;
use super::steps::{BlockSteps, Calls, Step, Steps, unless_held};
use crate::program::MethodId;
use crate::types::Held;

/// What is known of a method so far.
pub(super) type Of<'a> = &'a dyn Fn(MethodId) -> Atomicity<Held>;

/// What is known of a call so far.
pub(super) type OfCalls<'a> = &'a dyn Fn(&Calls) -> Atomicity<Held>;

impl Steps {
    /// The atomicity of the method, if its calls have these.
    pub fn transfer(&self, of: OfCalls<'_>) -> Atomicity<Held> {
        let mut done: Vec<Vec<Atomicity<Held>>> = self.blocks.iter().map(|block| block.atomicities(of)).collect();
        let locks: BTreeSet<Held> =
            done.iter().flatten().flat_map(Atomicity::locks).chain(self.section.clone()).collect();
        // A tree can double with each lock.
        let kept: Vec<Held> = locks.iter().take(MAX_LOCKS).cloned().collect();
        if locks.len() > MAX_LOCKS {
            done.iter_mut().flatten().for_each(|step| *step = step.within(&kept));
        }
        let section = |basic| {
            let section = self.section.as_ref().map(|lock| unless_held(lock, basic).within(&kept));
            section.unwrap_or(Atomicity::CONST)
        };
        let done: Vec<Atomicity<Held>> =
            done.iter().map(|block| block.iter().fold(Atomicity::CONST, |done, step| done.then(step))).collect();
        let mut before: Vec<Option<Atomicity<Held>>> = vec![None; self.blocks.len()];
        before[0] = Some(section(Basic::Right));
        let mut all = Atomicity::CONST;
        let mut open = BTreeSet::from([0]);
        while let Some(block) = open.pop_first() {
            let Some(after) = before[block].as_ref().map(|before| before.then(&done[block])) else { continue };
            for next in self.blocks[block].next.iter().map(|next| next.index()) {
                let known = before[next].as_ref().map_or_else(|| after.clone(), |known| known.join(&after));
                if before[next].as_ref() != Some(&known) {
                    before[next] = Some(known);
                    open.insert(next);
                }
            }
            all = all.join(&after);
        }
        all.then(&section(Basic::Left))
    }
}

impl BlockSteps {
    fn atomicities(&self, of: OfCalls<'_>) -> Vec<Atomicity<Held>> {
        self.steps.iter().map(|(_, step)| step.atomicity(of)).collect()
    }
}

impl Step {
    /// What it is, if calls have these atomicities.
    pub fn atomicity(&self, of: OfCalls<'_>) -> Atomicity<Held> {
        match self {
            Self::Is(atomicity) => atomicity.clone(),
            Self::Calls(calls) => of(calls),
        }
    }
}

impl Calls {
    /// What the call is, if methods have these atomicities.
    pub fn atomicity(&self, of: Of<'_>) -> Atomicity<Held> {
        let mut joined = Joined::NOTHING;
        self.targets.iter().enumerate().for_each(|(place, target)| _ = joined.put(place, &of(*target)));
        self.joined(&joined)
    }

    /// What the call is, by what its targets come to.
    pub fn joined(&self, targets: &Joined) -> Atomicity<Held> {
        let basic = self.besides.join(targets.basic);
        let renamed = |target: &Atomicity<Held>| target.renamed(&|lock| self.known(lock));
        // Nothing is more than an error.
        let others = targets.others.values().filter(|_| basic != Basic::Error);
        others.fold(Atomicity::Basic(basic), |all, target| all.join(&renamed(target)).bounded(MAX_LOCKS))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::breach;
    use super::*;
    use crate::ir::{Block, Value};
    use crate::types::{Path, Root};

    fn lock(n: u16) -> Held {
        Held { path: Path::of(Root::Parameter(n)), monitor: true, shared: false }
    }

    fn next(seed: &mut u64, n: usize) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % n
    }

    fn step(seed: &mut u64) -> Step {
        let basic = |seed: &mut u64| Atomicity::Basic(Basic::ALL[next(seed, 5)]);
        let (held, free) = (basic(seed), basic(seed));
        Step::Is(Atomicity::when(&lock(next(seed, 2) as u16), &held, &free))
    }

    fn body(seed: &mut u64) -> Steps {
        let n_blocks = 1 + next(seed, 5);
        let block = |seed: &mut u64| BlockSteps {
            steps: (0..next(seed, 3)).map(|n| (Value(n as u32), step(seed))).collect(),
            next: (0..next(seed, 3)).map(|_| Block(next(seed, n_blocks) as u32)).collect(),
        };
        let blocks = (0..n_blocks).map(|_| block(seed)).collect();
        Steps { blocks, section: Some(lock(0)).filter(|_| next(seed, 3) == 0), tries: false }
    }

    /// What every way through the blocks comes to, one by one: nothing is joined before the end.
    fn naive(steps: &Steps, held: &[Held]) -> Basic {
        let none = |_: &Calls| Atomicity::CONST;
        let takes = steps.section.as_ref().is_some_and(|lock| !held.contains(lock));
        let section = |basic| if takes { basic } else { Basic::Const };
        let mut open = vec![(0, section(Basic::Right))];
        let (mut seen, mut all) = (Vec::new(), Basic::Const);
        while let Some((block, done)) = open.pop() {
            if seen.contains(&(block, done)) {
                continue;
            }
            seen.push((block, done));
            let of_block = steps.blocks[block].steps.iter();
            let after = of_block.fold(done, |done: Basic, (_, step)| {
                done.then(step.atomicity(&none).eval(&|lock| held.contains(lock)))
            });
            all = all.join(after.then(section(Basic::Left)));
            open.extend(steps.blocks[block].next.iter().map(|next| (next.index(), after)));
        }
        all
    }

    #[test]
    fn joining_where_ways_meet_loses_nothing() {
        let (mut seed, mut results) = (7, BTreeSet::new());
        for _ in 0..4000 {
            let steps = body(&mut seed);
            let atomicity = steps.transfer(&|_| Atomicity::CONST);
            for held in [vec![], vec![lock(0)], vec![lock(1)], vec![lock(0), lock(1)]] {
                let basic = atomicity.eval(&|lock| held.contains(lock));
                assert_eq!(basic, naive(&steps, &held), "{steps:?} with {held:?}");
                results.insert(basic.to_string());
                // Events that break it are there just when it is broken.
                let of = |method: MethodId| if method.0 == 0 { atomicity.clone() } else { Atomicity::CONST };
                let breach = breach::find(MethodId(0), &held, &of, &|_| Some(&steps));
                assert_eq!(breach.is_none(), basic.is_atomic(), "{steps:?} with {held:?}");
            }
        }
        assert_eq!(results.len(), 6);
    }
    /// However many locks there are, what is inferred is at least what is, and the work stays small.
    #[test]
    fn more_locks_than_are_told_apart() {
        let section = |n: u16| {
            let (right, left) = (unless_held(&lock(n), Basic::Right), unless_held(&lock(n), Basic::Left));
            [(Value(0), Step::Is(right)), (Value(0), Step::Is(left))]
        };
        let steps = (0..200).flat_map(section).collect();
        let steps = Steps { blocks: vec![BlockSteps { steps, next: vec![Block(0)] }], section: None, tries: false };
        let atomicity = steps.transfer(&|_| Atomicity::CONST);
        assert_eq!(atomicity, Atomicity::Basic(Basic::Compound));
        let all: Vec<Held> = (0..200).map(lock).collect();
        assert_eq!(naive(&steps, &all), Basic::Const);
        let few: Vec<(Value, Step)> = (0..4).flat_map(section).collect();
        let steps = Steps { blocks: vec![BlockSteps { steps: few, next: Vec::new() }], section: None, tries: false };
        let atomicity = steps.transfer(&|_| Atomicity::CONST);
        assert_eq!(atomicity.eval(&|_| true), Basic::Const);
        assert_eq!(atomicity.eval(&|held| *held != lock(2)), Basic::Atomic);
    }
}
