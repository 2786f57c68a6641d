//! Threads in an array or a list that one loop joins from the first to the last.
//!
//! A method that runs once makes the collection, and nobody else sees it. Each thread that it makes at some place is stored
//! before or after it is started, and never replaced; all starts are in this method, and none comes after the loop. Then whoever
//! leaves the loop by its condition has joined every thread that was made there and runs or has run.

use rustc_hash::FxHashSet;

use crate::ir::{Block, Body, Value};
use crate::points_to::{CallEdge, InstanceId, ObjectId, PointsTo, Site};
use crate::program::{MethodId, Program};
use crate::races::threads::{Threads, is_thread_method};

use super::collected::Collected;
use super::ended::{End, Ended};
use super::reading::Reading;

/// Finds such loops.
#[must_use]
pub fn joined_threads(program: &Program, points_to: &PointsTo, threads: &Threads) -> Vec<Ended> {
    let starts = calls_of(program, points_to, "start");
    let mut joined = Vec::new();
    for (instance, join) in calls_of(program, points_to, "join") {
        if !threads.runs_once(instance) {
            continue;
        }
        let code = points_to.code(instance);
        let method: Option<MethodId> = code.method.filter(|_| code.lambda.is_none());
        let Some(body) = method.and_then(|method| Body::of(program, method)?.ok()) else { continue };
        let reading = Reading { program, points_to, instance, body: &body };
        let Some(collected) = reading.collected(code.calls[join.call as usize].at) else { continue };
        let search = Search { reading, threads, starts: &starts, collected: &collected };
        let objects = collected.stores.iter().filter_map(|(store, made)| search.thread(*store, *made));
        let end = End::Edge(collected.header, collected.exit);
        joined.extend(objects.map(|object| Ended { instance, end, object }));
    }
    joined
}

/// The calls that run a method of `Thread`.
fn calls_of(program: &Program, points_to: &PointsTo, method: &str) -> Vec<(InstanceId, CallEdge)> {
    let runs = |instance: InstanceId| is_thread_method(program, points_to.code(instance), method);
    let running: FxHashSet<InstanceId> = points_to.instances().filter(|instance| runs(*instance)).collect();
    let of = |caller| points_to.calls(caller).iter().filter(|edge| running.contains(&edge.callee));
    points_to.instances().flat_map(|caller| of(caller).map(move |edge| (caller, *edge))).collect()
}

struct Search<'a> {
    reading: Reading<'a>,
    threads: &'a Threads,
    starts: &'a [(InstanceId, CallEdge)],
    collected: &'a Collected,
}

impl Search<'_> {
    /// What the threads begin on that a store keeps, if every start of theirs is here, and before the loop.
    fn thread(&self, store: Value, made: Value) -> Option<ObjectId> {
        let Reading { points_to, instance, body, .. } = self.reading;
        let object = points_to.value(instance, made).only()?;
        let site = points_to.objects.get(object).site;
        let is_made_here = matches!(site, Site::New(method, at, _) if method == body.method && at == made);
        if !is_made_here || !self.threads.is_made_in_one_run(object) || self.threads.begun_on(object).is_none() {
            return None;
        }
        let late = self.reading.reached(&body.following(self.collected.header), None);
        self.starts.iter().all(|start| self.is_kept(start, object, made, store, &late)).then_some(object)
    }

    /// Whether a start is none of those threads, or of one that is in the collection and not too late.
    fn is_kept(
        &self,
        (caller, edge): &(InstanceId, CallEdge),
        object: ObjectId,
        made: Value,
        store: Value,
        late: &FxHashSet<Block>,
    ) -> bool {
        let reading = self.reading;
        let site = &reading.points_to.code(*caller).calls[edge.call as usize];
        let Some(receiver) = site.arguments.first().copied().flatten() else { return true };
        if !reading.points_to.local(*caller, receiver).contains(object) {
            return true;
        }
        let started = reading.receiver(site.at).filter(|_| *caller == reading.instance);
        started.is_some_and(|started| {
            let is_kept = || {
                reading.follows(made, store, site.at) || reading.comes_past(site.at, store, self.collected.header, made)
            };
            !late.contains(&reading.body.block_of(site.at))
                && (reading.taken_from(started) == Some(self.collected.collection) || started == made && is_kept())
        })
    }
}
