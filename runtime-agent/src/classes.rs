//! Which classes are woven, with what, and the weaving itself.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use facts::finding::Record;
use facts::hook::{CONTENTS_SHADOW, Events, THREAD_FIELDS};
use facts::models::{Call, Effect, Model, contents};
use facts::name;
use facts::options::Options;
use facts::pattern::Pattern;
use instrumenter::{NewField, Outcome, Plan, Woven};

use crate::agent::Agent;
use crate::jdk::is_jdk;
use crate::log;

/// Other agents: their probes are not the program's.
const AGENTS: &[&str] = &["org/jacoco/agent/", "net/bytebuddy/", "org/mockito/internal/creation/bytebuddy/"];

/// Build tools, which share JVMs with the tests they run: their races are not the user's unless `include` names them.
const BUILD_TOOLS: &[&str] = &[
    "org/apache/maven/",
    "org/codehaus/plexus/",
    "org/eclipse/aether/",
    "org/eclipse/sisu/",
    "org/fusesource/jansi/",
    "org/gradle/",
];

/// Who loads a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loader {
    /// The boot loader or the platform loader: part of the JDK.
    Jdk,
    /// Any other.
    Application,
}

/// Decides which classes are checked.
pub struct Filter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    transactions: Vec<Pattern>,
    jdk: bool,
}

impl Filter {
    /// The patterns of the options.
    pub fn new(options: &Options) -> Self {
        let compile = |patterns: &[String]| patterns.iter().map(|pattern| Pattern::whole(pattern)).collect();
        let [include, exclude, transactions] =
            [&options.include, &options.exclude, &options.transactions].map(|patterns| compile(patterns));
        Self { include, exclude, transactions, jdk: options.jdk }
    }

    /// Whether a method (`package.Class.method`) is expected to be atomic.
    pub fn is_transaction(&self, method: &str) -> bool {
        self.transactions.iter().any(|pattern| pattern.matches(method))
    }

    /// Whether accesses in and to the class are checked. A class of the JDK that the application loader has (javac, for
    /// example) can be named in `include`.
    pub fn checks(&self, class: &str, loader: Loader) -> bool {
        let dotted = name::dotted(class);
        let included = self.include.iter().any(|pattern| pattern.matches(&dotted));
        let application = loader == Loader::Application && !is_jdk(class);
        let wanted = if self.include.is_empty() {
            application && !starts_with(class, BUILD_TOOLS) || self.may_touch(class)
        } else {
            included && (loader == Loader::Application || self.may_touch(class))
        };
        wanted && !starts_with(class, AGENTS) && !self.exclude.iter().any(|pattern| pattern.matches(&dotted))
    }

    /// With `jdk=1`, library code is checked too, save what the agent's own hooks run through.
    fn may_touch(&self, class: &str) -> bool {
        self.jdk && !starts_with(class, &["java/lang/", "java/util/concurrent/", "jdk/internal/", "sun/"])
    }

    /// Whether an access through a reference to this class can reach a checked field.
    pub fn may_shadow(&self, class: &str) -> bool {
        self.jdk || !starts_with(class, &["java/", "jdk/", "sun/"])
    }
}

fn starts_with(class: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| class.starts_with(prefix))
}

/// The field for the contents of an object of a library class, if it carries one.
fn contents_word(agent: &Agent, class: Loading<'_>) -> Option<(&'static str, &'static str)> {
    (class.loader == Loader::Jdk && contents::has_word(class.name))
        .then(|| (CONTENTS_SHADOW, agent.events.shadow_descriptor()))
}

/// A class that is about to be defined or redefined.
#[derive(Clone, Copy)]
pub struct Loading<'a> {
    /// Internal name.
    pub name: &'a str,
    /// Who loads it.
    pub loader: Loader,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// For a redefinition: whether the present class has shadow words. Its fields must stay as they are.
    pub redefined: Option<bool>,
}

/// Weaves a class; `None` keeps its bytes.
pub fn weave(agent: &Agent, class: Loading<'_>) -> Option<Vec<u8>> {
    if class.name == "java/lang/Thread" {
        return weave_thread(agent, class);
    }
    let word = contents_word(agent, class);
    if word.is_some() && !agent.filter.checks(class.name, class.loader) {
        return weave_word(agent, class, word.as_slice());
    }
    if !agent.ready.load(Relaxed) || class.name.starts_with("java/lang/Jrace") {
        return None;
    }
    note_misfits(agent, class);
    let models = models_of(agent, class.name);
    let observed = observed_in(agent, class.name);
    let inner = calls_of(agent, class.name);
    if class.loader == Loader::Jdk && is_modelled(agent, class.name) {
        let monitors = if has_monitors(agent, class.name) { Events::LOCKS | Events::EDGES } else { Events::NONE };
        let plan = Plan { events: monitors, observed: &observed, inner, ..library_plan(&models) };
        return run(agent, class, &plan);
    }
    let checked = agent.filter.checks(class.name, class.loader);
    agent.focus.copy(class, checked);
    // What is not checked may call what is, though: the proofs have to know of it.
    let meets = checked || class.loader == Loader::Application && agent.filter.may_shadow(class.name);
    let proved = if meets { agent.focus.of(agent, class, checked) } else { None };
    let events = if checked { agent.events } else { excluded_events(agent, class) };
    if events.is_empty() {
        return None;
    }
    let super_shadows = checked && super_is_checked(agent, class);
    let is_transaction = |method: &str| agent.filter.is_transaction(method);
    let known = agent.settled.known(class.name);
    let is_settled = |field: NewField<'_>| agent.settled.has(&field.to_field());
    let plan = Plan {
        events,
        granularity: agent.options.granularity,
        shadows: checked && class.redefined.unwrap_or(true),
        super_shadows,
        shadows_last: agent.shadows_last,
        may_shadow: &|owner| agent.filter.may_shadow(owner),
        focus: proved.or(known.as_deref()),
        is_settled: if agent.settled.is_any() { Some(&is_settled) } else { None },
        transactions: if agent.options.transactions.is_empty() { None } else { Some(&is_transaction) },
        leaves_covered: !agent.options.record_covered,
        arrays: agent.options.arrays,
        models: &models,
        observed: &[],
        inner,
        // With `jdk=1`, a class that has come before there was anything to weave has none; another one gets it now.
        add_fields: word.as_slice(),
    };
    run(agent, class, &plan)
}

/// What the methods of a class report that has models. Without any event to report, only the fields added to `Thread` have to be hidden.
fn models_of(agent: &Agent, class: &str) -> Vec<Model> {
    let hides = |model: &&Model| !agent.events.is_empty() || model.effect == Effect::ReturnsFields;
    let orders = |model: &&Model| agent.knows_order() || !model.effect.is_of_order();
    agent.models.methods(class).filter(hides).filter(orders).cloned().collect()
}

/// Tells of what the user says of methods that the class does not have.
fn note_misfits(agent: &Agent, class: Loading<'_>) {
    let Some(told) = agent.told.of_class(class.name).filter(|_| class.redefined.is_none()) else { return };
    for model in instrumenter::misfits(class.bytes, &told.methods).unwrap_or_default() {
        let reason = "its model fits no method with code that this class declares".to_owned();
        leave(agent, class.name, Some(model.method.clone()), reason);
    }
}

/// Whether a library class reports what it does with monitors.
fn has_monitors(agent: &Agent, class: &str) -> bool {
    agent.knows_order() && agent.models.of_class(class).is_some_and(|model| model.has_monitors)
}

/// The volatile fields of which a library class reports reads.
fn observed_in<'a>(agent: &'a Agent, class: &'a str) -> Vec<(&'a str, &'a str)> {
    if agent.knows_order() { agent.models.reads_in(class).collect() } else { Vec::new() }
}

/// The calls that methods of a class report.
fn calls_of<'a>(agent: &'a Agent, class: &str) -> &'a [Call] {
    let model = agent.models.of_class(class).filter(|_| agent.knows_order());
    model.map_or(&[], |model| &model.calls)
}

/// Whether a class of the library reports anything.
pub fn is_modelled(agent: &Agent, class: &str) -> bool {
    let has_accesses = !observed_in(agent, class).is_empty() || !calls_of(agent, class).is_empty();
    has_accesses || !models_of(agent, class).is_empty() || has_monitors(agent, class)
}

/// An excluded class of the application still reports its locks; the JDK's own code does not.
fn excluded_events(agent: &Agent, class: Loading<'_>) -> Events {
    let foreign = class.loader == Loader::Jdk || starts_with(class.name, AGENTS);
    if foreign || agent.events.is_empty() {
        Events::NONE
    } else {
        agent.events.only(Events::LOCKS | Events::ORDER | Events::WAIT_NOTIFY | Events::EDGES)
    }
}

fn super_is_checked(agent: &Agent, class: Loading<'_>) -> bool {
    let Ok(header) = instrumenter::header(class.bytes) else { return false };
    // Whoever loads the superclass, it is the application unless its name says otherwise.
    header.super_name.is_some_and(|name| agent.filter.checks(&name, Loader::Application))
}

fn library_plan(models: &[Model]) -> Plan<'_> {
    Plan { may_shadow: &|_| false, models, ..Plan::new(Events::NONE) }
}

/// `Thread` gets its fields when it is first loaded, before any Java code runs; its methods report starts only once the
/// helper class is there, when it is retransformed.
fn weave_thread(agent: &Agent, class: Loading<'_>) -> Option<Vec<u8>> {
    let models = models_of(agent, class.name);
    let ready = agent.ready.load(Relaxed);
    let mut plan = library_plan(if ready { &models } else { &[] });
    plan.add_fields = if class.redefined == Some(false) { &[] } else { &THREAD_FIELDS };
    run(agent, class, &plan)
}

/// A class whose objects carry a word for their contents gets it as it is loaded, before any Java code runs.
fn weave_word(agent: &Agent, class: Loading<'_>, word: &[(&'static str, &'static str)]) -> Option<Vec<u8>> {
    let wanted = agent.events.contains(Events::CONTENTS) && class.redefined != Some(false);
    let mut plan = library_plan(&[]);
    plan.add_fields = word;
    wanted.then(|| run(agent, class, &plan)).flatten()
}

fn run(agent: &Agent, class: Loading<'_>, plan: &Plan<'_>) -> Option<Vec<u8>> {
    let begun = Instant::now();
    let outcome = instrumenter::weave(class.bytes, plan, &mut &agent.sites);
    agent.counts.nanos.fetch_add(begun.elapsed().as_nanos() as u64, Relaxed);
    match outcome {
        Ok(Outcome::Unchanged) => None,
        Ok(Outcome::Woven(woven)) => {
            note(agent, class.name, &woven);
            Some(woven.bytes)
        }
        Err(error) => {
            agent.counts.unwoven.fetch_add(1, Relaxed);
            leave(agent, class.name, None, error.to_string());
            None
        }
    }
}

fn note(agent: &Agent, class: &str, woven: &Woven) {
    agent.counts.woven.fetch_add(1, Relaxed);
    agent.counts.huge_methods.fetch_add(woven.huge_methods.len() as u64, Relaxed);
    agent.counts.unwoven_methods.fetch_add(woven.unwoven_methods.len() as u64, Relaxed);
    for (method, reason) in &woven.unwoven_methods {
        leave(agent, class, Some(method.clone()), reason.to_string());
    }
}

fn leave(agent: &Agent, class: &str, method: Option<String>, reason: String) {
    if agent.options.verbose >= 2 {
        let place = method.as_ref().map(|method| format!(".{method}")).unwrap_or_default();
        log::say(&format!("{}{place} is left as it is: {reason}", name::dotted(class)));
    }
    agent.sink.write(&Record::Unwoven { class: class.to_owned(), method, reason });
}
