//! What the JVM's and the JDK's own threads run: they handle references, clean up, run tasks, and print what ends them. Like all
//! threads they share the code of the JDK, but none of the program's objects reach them unless something hands these over.
//!
//! A thread that runs no code of the program has none of its exceptions either, although these are followed by type only, from
//! every throw to every catch. So an exception that the program only hands to the JDK, to log it in another thread, is missed.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::{Global, InstanceId, ObjectId, ObjectSet, PointsTo, Site};
use crate::program::{ClassId, Name, Program, Type};

use super::within::{Root, Within};

/// A call that starts a thread, by its caller and number, and what that begins with.
pub type Start = (InstanceId, u32, InstanceId);
/// Code by instance.
type Run = FxHashSet<InstanceId>;

/// The code that each such thread runs, by what it begins with, and goes on with at its end.
#[derive(Default, Debug)]
pub struct OwnThreads(FxHashMap<InstanceId, Run>);

impl OwnThreads {
    /// Whether a thread begins with code of the JDK, on objects that the program has nothing to do with.
    #[must_use]
    pub fn is_own(program: &Program, points_to: &PointsTo, root: InstanceId) -> bool {
        let code = points_to.code(root);
        let Some(this) = code.parameters.first().copied().flatten() else { return false };
        let is_application = |ty: Type| class(program, ty).is_some_and(|class| program.class(class).is_application);
        let is_of_jdk = |object: ObjectId| match points_to.objects.get(object).site {
            Site::Given(ty) => !is_application(ty),
            _ => !points_to.objects.is_of_application(object) && !is_application(points_to.objects.ty(object)),
        };
        !code.is_checked && points_to.local(root, this).iter().all(is_of_jdk)
    }

    /// Follows those that begin with some roots.
    #[must_use]
    pub fn of(program: &Program, points_to: &PointsTo, starts: &[Start], roots: &[InstanceId]) -> Self {
        let (given, own): (Vec<InstanceId>, Vec<InstanceId>) =
            roots.iter().partition(|root| is_given(points_to, starts, **root));
        let kept = exceptions(program, points_to);
        let begun =
            |roots: &[InstanceId]| -> Vec<Root> { roots.iter().map(|root| begin(points_to, starts, *root)).collect() };
        let run = |roots: &[InstanceId], kept: &ObjectSet| -> Run {
            Within::of(points_to, &begun(roots), kept).instances().collect()
        };
        let is_entered = |roots: &[InstanceId]| Within::is_entered(points_to, &begun(roots), &kept);
        let mut by_root: FxHashMap<InstanceId, Run> = FxHashMap::default();
        if is_entered(&own) {
            let threads = threads(points_to, &own);
            let followed = threads.par_iter().map(|roots| {
                let nothing = ObjectSet::default();
                (roots, run(roots, if is_entered(roots) { &nothing } else { &kept }))
            });
            for (roots, run) in followed.collect::<Vec<_>>() {
                by_root.extend(roots.iter().map(|root| (*root, run.clone())));
            }
        } else {
            let together = run(&own, &kept);
            by_root.extend(own.iter().map(|root| (*root, together.clone())));
        }
        by_root.extend(given.iter().map(|root| (*root, run(&[*root], &ObjectSet::default()))));
        Self(by_root)
    }

    /// What a thread runs, if it is one of these.
    #[must_use]
    pub fn run(&self, root: InstanceId) -> Option<&FxHashSet<InstanceId>> {
        self.0.get(&root)
    }
}

fn class(program: &Program, ty: Type) -> Option<ClassId> {
    program.find(ty.as_class()?)
}

/// Whether it is a thread of whoever uses the program that ends: of what it may be, something was thrown by the program.
fn is_given(points_to: &PointsTo, starts: &[Start], root: InstanceId) -> bool {
    starts.iter().any(|(caller, _, other)| *other == root && *caller == points_to.root)
}

/// The exceptions of the program.
fn exceptions(program: &Program, points_to: &PointsTo) -> ObjectSet {
    let is_throwable = |class| {
        let mut above = program.superclasses(class);
        above.any(|above| program.class(above).name == Name::THROWABLE)
    };
    let is_of_program = |object: &ObjectId| {
        let class = class(program, points_to.objects.ty(*object));
        class.is_some_and(|class| program.class(class).is_application && is_throwable(class))
    };
    points_to.objects.iter().filter(is_of_program).collect()
}

/// The roots that are of one thread, as far as they are called on one object.
fn threads(points_to: &PointsTo, roots: &[InstanceId]) -> Vec<Vec<InstanceId>> {
    let mut threads: FxHashMap<ObjectSet, Vec<InstanceId>> = FxHashMap::default();
    for root in roots {
        let this = points_to.code(*root).parameters.first().copied().flatten();
        let on = this.map(|this| points_to.local(*root, this).clone()).unwrap_or_default();
        threads.entry(on).or_default().push(*root);
    }
    threads.into_values().collect()
}

/// The handler of uncaught exceptions gets what ends the thread. What ends threads that others start may be anything.
fn begin(points_to: &PointsTo, starts: &[Start], root: InstanceId) -> Root {
    let by = || starts.iter().filter(|(.., other)| *other == root);
    let is_thrown = |place: usize| {
        by().all(|(caller, call, _)| {
            let code = points_to.code(*caller);
            let argument = code.calls[*call as usize].arguments.get(place).copied().flatten();
            let loads = |to, global| Some(to) == argument && global == Global::Thrown;
            *caller != points_to.root && code.global_loads.iter().any(|(to, global, _)| loads(*to, *global))
        })
    };
    let places = 0..points_to.code(root).parameters.len();
    Root { instance: root, thrown: places.filter(|place| is_thrown(*place)).collect() }
}
