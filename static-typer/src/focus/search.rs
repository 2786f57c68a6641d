//! What the search for races proves about a whole program, from where it begins: its `main` methods, or the test frameworks that
//! run it.

use std::collections::BTreeMap;

use facts::focus::Guard;
use facts::name::dotted;
use rustc_hash::FxHashSet;

use crate::points_to::{Code, Framework, PointsTo, Resolution, Sensitivity, Suite, environment};
use crate::program::{FieldId, MethodId, Program, flag};
use crate::races::{
    IdleLocks, Options, Proofs, RaceFree, Races, Stage, hidden_by, hiding, idle_transactions, run_by_one,
};
use crate::types::{Bodies, Types};

use super::Goal;

/// What is searched for, and how.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// What need not be observed.
    pub goal: Goal,
    /// Whether tests run in any number of threads, though nothing of them says so.
    pub is_parallel: bool,
    /// Whether what may hide calls is taken not to run, with a guard in it: the next search is to know if it does.
    pub has_guards: bool,
    /// Whether [`Races::reasons`] are asked for.
    pub explains: bool,
    /// So much memory at most.
    pub memory_bytes: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Searched {
    /// What has no race.
    pub race_free: RaceFree,
    /// What is known of methods besides.
    pub methods: MethodFacts,
    /// The races that stand in the way of more.
    pub races: Races,
}

/// What a search finds of methods, besides the accesses of which it finds no race.
#[derive(Clone, Default, Debug)]
pub struct MethodFacts {
    /// Those that may call what it has not followed, each with the first such call: it counts on them never to run.
    pub hiding: BTreeMap<MethodId, MethodId>,
    /// Those that one thread only runs: it counts on that too.
    pub run_by_one: FxHashSet<MethodId>,
    /// Locks that need not be known to be held, where the search and types leave out checks.
    pub idle: IdleLocks,
    /// Methods that need not be known to run, where transactions are looked at.
    pub idle_transactions: FxHashSet<MethodId>,
}

impl MethodFacts {
    /// What all proofs count on of a method, if `search` is among them.
    #[must_use]
    pub fn guard(&self, program: &Program, search: &RaceFree, method: MethodId) -> Option<Guard> {
        let is_unreached = || is_unreached(program, search, method);
        match method {
            _ if self.hiding.contains_key(&method) => Some(Guard::Hiding),
            _ if self.run_by_one.contains(&method) => Some(Guard::RunByOne),
            _ => is_unreached().then_some(Guard::Unreached),
        }
    }
}

/// Whether a search has found no call of a method. The JVM asks enums for their constants, which changes nothing.
fn is_unreached(program: &Program, search: &RaceFree, method: MethodId) -> bool {
    let data = program.method(method);
    let is_called = search.called.as_ref().is_none_or(|called| called.contains(&method));
    let of_enum = program.class(data.class).access & flag::ENUM != 0;
    let is_constants = || of_enum && matches!(&*program.names().text(data.name), "values" | "$values" | "valueOf");
    !is_called && data.has_code() && !search.framework.has(data.class) && !is_constants()
}

/// How a program is begun.
enum Beginning {
    /// With its `main` methods.
    Mains(Vec<MethodId>),
    /// By test frameworks.
    Tests(Suite),
}

impl Beginning {
    fn of(program: &Program, framework: &Framework) -> Option<Self> {
        let mains = program.main_methods();
        let begins = || (!mains.is_empty()).then_some(Self::Mains(mains));
        Suite::of(program, framework).map(Self::Tests).or_else(begins)
    }

    fn code(&self, resolution: &Resolution<'_>, is_parallel: bool) -> Code {
        match self {
            Self::Mains(mains) => environment::mains(resolution, mains),
            Self::Tests(suite) => environment::suite(resolution, suite, is_parallel),
        }
    }

    /// The methods that may hide calls, if it may be that none of them runs: a guard can stand in them.
    fn hiding(
        &self,
        program: &Program,
        points_to: &PointsTo,
        framework: &Framework,
        has_guards: bool,
    ) -> Result<BTreeMap<MethodId, MethodId>, String> {
        let hiding = hiding(program, points_to)?;
        let is_begun_with = |method: &MethodId| match self {
            Self::Mains(mains) => mains.contains(method),
            Self::Tests(suite) => suite.called.contains(method) || framework.has(program.method(*method).class),
        };
        let runs = |method: &MethodId| !has_guards || is_begun_with(method);
        match hiding.iter().find(|(method, _)| runs(method)) {
            Some((method, hidden)) => Err(hidden_by(program, *method, *hidden)),
            None => Ok(hiding),
        }
    }

    /// The methods that frameworks call.
    fn tests(&self) -> &[MethodId] {
        if let Self::Tests(suite) = self { &suite.called } else { &[] }
    }
}

/// What a search for races over a whole program proves besides its types, and which locks or transactions are idle with both. Tests
/// of JUnit and TestNG run one after the other, unless they are said or seen to run in parallel.
///
/// # Errors
/// In words: why nothing is proved that way. Calls or objects may be hidden from it, or it takes too much memory.
pub fn search(
    program: &Program,
    bodies: &Bodies,
    types: &Types,
    search: &Search,
    progress: &dyn Fn(usize),
) -> Result<Searched, String> {
    let mut made = program.reflected().classes.iter().copied();
    if let Some(class) = made.find(|class| super::is_for_services(program, &types.unseen, *class)) {
        return Err(format!("the JDK makes objects of {} and calls them", dotted(&program.class_name(class))));
    }
    let framework = Framework::of(program);
    let beginning = Beginning::of(program, &framework);
    let beginning = beginning.ok_or_else(|| "there is no `main` and no test to search from".to_owned())?;
    let framework = if beginning.tests().is_empty() { Framework::default() } else { framework };
    let resolution = Resolution::of(program).with_framework(framework);
    let code = beginning.code(&resolution, search.is_parallel || Framework::is_parallel(program));
    let memory_bytes = search.memory_bytes;
    let found = PointsTo::of(&resolution, &Sensitivity::Hybrid(1), code, memory_bytes, progress);
    let points_to = found.ok_or_else(|| format!("the search takes more than {} MB", memory_bytes >> 20))?;
    let hiding = beginning.hiding(program, &points_to, &resolution.framework, search.has_guards);
    let hiding = hiding.map_err(|reason| format!("{} may hide what is called", dotted(&reason)))?;
    let options = match search.goal {
        Goal::RaceFree => Options { proofs: Proofs::by_types(program, bodies, types, false), ..Options::default() },
        // With locks left out of account, and with what they prove.
        Goal::Unshared => Options { skipped: vec![Stage::Unlocked], ..Options::default() },
    };
    let races = Races::of(program, &points_to, &Options { explains: search.explains, ..options });
    let once: Vec<FieldId> = resolution.once_fields().collect();
    let mut race_free = RaceFree::by_search(program, &points_to, &races, resolution.framework, &types.unseen.fields);
    race_free.flags.extend(once);
    let run_by_one = run_by_one(&points_to, &races.threads, beginning.tests());
    let mut methods = MethodFacts { hiding, run_by_one, ..MethodFacts::default() };
    if search.goal == Goal::Unshared {
        race_free.fields.retain(|field| !program.field(*field).is_volatile());
        let proofs = [&super::typed(types, search.goal), &race_free];
        methods.idle_transactions = idle_transactions(program, &points_to, &race_free.framework, &proofs);
    } else {
        let proofs = [&super::typed(types, search.goal), &race_free];
        methods.idle = IdleLocks::of(program, &points_to, &race_free.framework, &proofs);
    }
    Ok(Searched { race_free, methods, races })
}
