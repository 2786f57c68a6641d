//! Event lists as text, for tests: `t1 acq m; t1 wr x; t1 rel m; t2 rd o.f; t2 wr a[3]`.
//!
//! Steps: `acq`, `rel`, `acqr`, `relr` (read mode), `rd`, `wr`, `find`, `leave` (of a reference, which hands over), `see`, `set` (of a flag), `vrd`, `vwr` (volatile), `fork`, `join`, `wait`, `woken`,
//! `notify`, `pub`, `obs`, `init` and `inited` (class initializers), `begin`, `end`; `enter M` and `exit M` for a transaction of the
//! method `M`. A plain name is a lock, a class or a static field. The site is the number of the step, from 1, but for
//! transactions: `M` is the site 1001 or above.

use facts::access::{AccessKind, LockMode};
use facts::event::{Event, EventKind, Location};
use facts::index::{FieldId, ObjectId, SiteId, ThreadId};
use facts::site::Hands;

/// Reads an event list; panics on a mistake, since tests are the only users.
pub fn events(text: &str) -> Vec<Event> {
    let mut names = Names::default();
    let steps = text.split([';', '\n']).map(str::trim).filter(|step| !step.is_empty());
    steps.zip(1..).map(|(step, site)| event(&mut names, step, site)).collect()
}

/// The sites at which variables are accessed that hand over.
pub fn handing(text: &str) -> Vec<(SiteId, Hands)> {
    let steps = text.split([';', '\n']).map(str::trim).filter(|step| !step.is_empty());
    let hands = |step: &str| match step.split_whitespace().nth(1) {
        Some("find" | "leave") => Some(Hands::Reference),
        Some("see" | "set") => Some(Hands::Flag),
        _ => None,
    };
    steps.zip(1..).filter_map(|(step, site)| Some((SiteId(site), hands(step)?))).collect()
}

/// Names in the order of their first use: the first is number 1.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        let at = self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        u32::try_from(at).unwrap() + 1
    }

    fn object(&mut self, name: &str) -> ObjectId {
        ObjectId(self.number(name).into())
    }

    fn location(&mut self, name: &str) -> Location {
        if let Some((object, field)) = name.split_once('.') {
            return Location::Field(self.object(object), FieldId(self.number(field)));
        }
        if let Some((array, index)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            return Location::Element(self.object(array), index.parse().unwrap());
        }
        Location::Static(FieldId(self.number(name)))
    }
}

fn event(names: &mut Names, step: &str, site: u32) -> Event {
    let words: Vec<&str> = step.split_whitespace().collect();
    let operand = words.get(2).copied().unwrap_or("");
    let action = action(names, words[1], operand);
    let site =
        if matches!(action, EventKind::Enter | EventKind::Exit) { METHODS + names.number(operand) } else { site };
    Event { thread: thread(words[0]), site: SiteId(site), action }
}

/// Sites above are those of methods.
const METHODS: u32 = 1000;

fn thread(name: &str) -> ThreadId {
    ThreadId(name.strip_prefix('t').unwrap().parse().unwrap())
}

fn action(names: &mut Names, verb: &str, operand: &str) -> EventKind {
    match verb {
        "acq" => EventKind::Acquire(names.object(operand), LockMode::Exclusive),
        "rel" => EventKind::Release(names.object(operand), LockMode::Exclusive),
        "acqr" => EventKind::Acquire(names.object(operand), LockMode::Shared),
        "relr" => EventKind::Release(names.object(operand), LockMode::Shared),
        "rd" | "find" | "see" => EventKind::Access(AccessKind::Read, names.location(operand)),
        "wr" | "leave" | "set" => EventKind::Access(AccessKind::Write, names.location(operand)),
        "vrd" => EventKind::Volatile(AccessKind::Read, names.location(operand)),
        "vwr" => EventKind::Volatile(AccessKind::Write, names.location(operand)),
        "fork" => EventKind::Fork(thread(operand)),
        "join" => EventKind::Join(thread(operand)),
        "wait" => EventKind::WaitBegin(names.object(operand)),
        "woken" => EventKind::WaitEnd(names.object(operand)),
        "notify" => EventKind::Notify(names.object(operand), true),
        "init" => EventKind::ClassInitBegin(names.object(operand)),
        "inited" => EventKind::ClassInitEnd(names.object(operand)),
        "pub" => EventKind::Publish(names.object(operand)),
        "obs" => EventKind::Observe(names.object(operand)),
        "begin" => EventKind::Begin,
        "end" => EventKind::End,
        "enter" => EventKind::Enter,
        "exit" => EventKind::Exit,
        _ => panic!("no such step: {verb}"),
    }
}
