//! Which reflective calls were resolved, and how: by constants, by casts, by a log, or not at all.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::ir::Value;
use crate::points_to::PointsTo;
use crate::points_to::core::site::Site;
use crate::program::{MethodId, Program};

use super::api::Api;
use super::call::{MAX_FOLLOWED, Reflection, guessed};

/// How far the targets of a reflective call are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resolved {
    /// By constants, all of them.
    Exactly,
    /// By casts: so many classes of the application, of which `MAX_GUESSED` at most were looked at.
    Guessed(usize),
    /// By a log of runs only: there may be others.
    Logged,
    /// Not at all.
    Not,
}

/// The method that each call names, and how far what it does is known; by caller and instruction.
pub type ByCall = BTreeMap<(MethodId, Value), (MethodId, Resolved)>;

/// What is found of a call.
struct Found {
    method: MethodId,
    api: Api,
    without_log: Option<Resolved>,
    is_logged: bool,
    made_on: FxHashSet<Site>,
}

impl Found {
    fn resolved(&self) -> Resolved {
        let without_log = self.without_log.filter(|_| self.made_on.len() <= MAX_FOLLOWED);
        match without_log.unwrap_or(Resolved::Not) {
            Resolved::Not if self.is_logged => Resolved::Logged,
            resolved => resolved,
        }
    }
}

/// How the reflective calls of code were resolved that does something, and those of which a log says what they find.
#[must_use]
pub fn resolved(program: &Program, points_to: &PointsTo) -> ByCall {
    let mut calls: BTreeMap<(MethodId, Value), Found> = BTreeMap::new();
    for instance in points_to.instances() {
        for site in &points_to.code(instance).calls {
            let Some(known) = site.reflection.as_deref() else { continue };
            let new = Found {
                method: site.method,
                api: known.api,
                without_log: None,
                is_logged: false,
                made_on: FxHashSet::default(),
            };
            let found = calls.entry((known.caller, known.at)).or_insert(new);
            if site.is_logged {
                found.is_logged = true;
                continue;
            }
            let receivers = site.arguments.first().copied().flatten();
            let receivers = receivers.into_iter().flat_map(|local| points_to.local(instance, local).iter());
            for receiver in receivers.map(|object| points_to.objects.get(object).site) {
                found.made_on.insert(receiver);
                found.without_log = found.without_log.max(Some(one(program, known, receiver)));
            }
        }
    }
    calls.retain(|_, found| found.is_logged || acts(found.api));
    calls.into_iter().map(|(call, found)| (call, (found.method, found.resolved()))).collect()
}

fn acts(api: Api) -> bool {
    matches!(api, Api::Make | Api::Proxy | Api::Construct | Api::Call | Api::Get | Api::Set)
}

fn one(program: &Program, known: &Reflection, receiver: Site) -> Resolved {
    match (known.api, receiver) {
        (Api::ForName, Site::Text(_))
        | (Api::Make | Api::Proxy, Site::Class(_))
        | (Api::Construct, Site::Constructor(_))
        | (Api::Call, Site::Method(_))
        | (Api::Get | Api::Set, Site::Field(_)) => Resolved::Exactly,
        (Api::Proxy, _) if !known.casts.is_empty() => Resolved::Exactly,
        (Api::Make | Api::Construct, _) if !known.casts.is_empty() => {
            Resolved::Guessed(guessed(program, &known.casts).len())
        }
        _ => Resolved::Not,
    }
}
