//! What classes of the library report, by the models.

use std::borrow::Cow;
use std::sync::Arc;

use facts::hook::Events;
use facts::models::{Call, Effect, Model, Models};

use crate::loading::Loading;
use crate::mode::Mode;

/// The models, as far as this run needs them.
pub struct Library {
    mode: Arc<Mode>,
    /// What methods do that jrace knows, or the user tells of.
    models: Cow<'static, Models>,
    /// What the user tells of.
    told: Models,
}

impl Library {
    /// The models that jrace has, and those that the user tells of.
    pub fn new(mode: Arc<Mode>, told: Models) -> Self {
        let known = Cow::Borrowed(Models::built_in());
        let models = if told.is_empty() { known } else { Cow::Owned(known.into_owned().and(told.clone())) };
        Self { mode, models, told }
    }

    /// Whether a class reports anything.
    pub fn reports(&self, class: &str) -> bool {
        let has_accesses = !self.observed(class).is_empty() || !self.calls(class).is_empty();
        has_accesses || !self.models(class).is_empty() || self.has_monitors(class)
    }

    /// Whether the objects of a class carry their entries: what it reports is of them, or they are classes, which tell of their objects. What HotSpot
    /// lays out itself keeps its form.
    pub fn carries(&self, class: &str) -> bool {
        let is_fixed = class.starts_with("java/lang/ref/");
        self.mode.extends_thread() && !is_fixed && (class == "java/lang/Class" || self.reports(class))
    }

    /// What the methods of a class report. Without any event to report, the fields added to `Thread` have
    /// to be hidden, and for a focus it counts what is accessed by reflection.
    pub fn models(&self, class: &str) -> Vec<Model> {
        let options = &self.mode.options;
        let is_focused = options.focus_set.is_some() || options.classes.is_some();
        let is_wanted = |model: &&Model| match model.effect {
            Effect::ReturnsFields => true,
            Effect::Reflects(_) => is_focused,
            _ => !self.mode.events.is_empty(),
        };
        let orders = |model: &&Model| self.mode.knows_order() || !model.effect.is_of_order();
        self.models.methods(class).filter(is_wanted).filter(orders).cloned().collect()
    }

    /// The events of monitors that a class reports.
    pub fn monitors(&self, class: &str) -> Events {
        if self.has_monitors(class) { Events::LOCKS | Events::EDGES } else { Events::NONE }
    }

    fn has_monitors(&self, class: &str) -> bool {
        self.mode.knows_order() && self.models.of_class(class).is_some_and(|model| model.has_monitors)
    }

    /// The volatile fields of which a class reports reads.
    pub fn observed<'a>(&'a self, class: &'a str) -> Vec<(&'a str, &'a str)> {
        if self.mode.knows_order() { self.models.reads_in(class).collect() } else { Vec::new() }
    }

    /// The calls that methods of a class report.
    pub fn calls(&self, class: &str) -> &[Call] {
        let model = self.models.of_class(class).filter(|_| self.mode.knows_order());
        model.map_or(&[], |model| &model.calls)
    }

    /// What the user tells of that fits no method of a class; of each its name.
    pub fn misfits(&self, class: Loading<'_>) -> Vec<String> {
        let Some(told) = self.told.of_class(class.name).filter(|_| class.redefined.is_none()) else {
            return Vec::new();
        };
        let misfits = instrumenter::misfits(class.bytes, &told.methods).unwrap_or_default();
        misfits.into_iter().map(|model| model.method.clone()).collect()
    }
}
