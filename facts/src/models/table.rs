//! The table of models, as it is written down: rows of TOML by class.
//!
//! ```toml
//! [[model]]
//! class = "java.util.concurrent.CountDownLatch"
//! source = "CountDownLatch: Memory consistency effects"
//! [model.methods]
//! countDown = "publishes this"
//! "await()V getCount" = "observes this"
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use super::written::{ModelError, Phrases, refused, syntax, words};
use super::{Call, Effect, Inner, Model, phrase};

/// What is known of the methods of one class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassModel {
    /// What its methods do.
    pub methods: Vec<Model>,
    /// What they call in the midst of it.
    pub calls: Vec<Call>,
    /// Volatile fields, each read of which meets the object that has it: too many methods do.
    pub reads: Vec<String>,
    /// Whether its monitors count, as they order what several threads do through its objects.
    pub has_monitors: bool,
}

/// Models of classes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Models {
    classes: BTreeMap<String, ClassModel>,
}

impl Models {
    /// Those in the text of a user's file.
    ///
    /// # Errors
    /// The first mistake.
    pub fn read(text: &str) -> Result<Self, ModelError> {
        let document: Document = toml::from_str(text).map_err(|error| syntax(&error, text))?;
        Self::of(document.model)
    }

    pub(super) fn of(entries: Vec<Entry>) -> Result<Self, ModelError> {
        let mut models = Self::default();
        for (entry, number) in entries.into_iter().zip(1..) {
            let names = entry.class.iter().chain(&entry.classes).cloned().collect::<Vec<_>>();
            if names.is_empty() {
                return Err(ModelError::NoClass(number));
            }
            let model = entry.read(&names[0])?;
            for name in names {
                models.classes.entry(name.replace('.', "/")).or_default().add(model.clone());
            }
        }
        Ok(models)
    }

    /// These and others: of a class that both have, all rows count.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        for (class, model) in others.classes {
            self.classes.entry(class).or_default().add(model);
        }
        self
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// What is known of a class, by its internal name.
    #[must_use]
    pub fn of_class(&self, class: &str) -> Option<&ClassModel> {
        self.classes.get(class)
    }

    /// What the methods of a class do.
    pub fn methods(&self, class: &str) -> impl Iterator<Item = &Model> {
        self.of_class(class).into_iter().flat_map(|model| &model.methods)
    }

    /// Whether a method of this name has an effect.
    pub fn has(&self, effect: Effect, class: &str, method: &str) -> bool {
        self.methods(class).any(|model| model.method == method && model.effect == effect)
    }

    /// The volatile fields, with their classes, whose reads count in a class: its own, and those of classes that it is nested in.
    pub fn reads_in<'a>(&'a self, class: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let outer = class.match_indices('$').map(|(at, _)| &class[..at]);
        outer
            .chain([class])
            .filter_map(|class| self.classes.get_key_value(class))
            .flat_map(|(class, model)| model.reads.iter().map(move |field| (class.as_str(), field.as_str())))
    }

    /// Every class that has rows, by its internal name.
    pub fn classes(&self) -> impl Iterator<Item = (&str, &ClassModel)> {
        self.classes.iter().map(|(name, model)| (name.as_str(), model))
    }
}

impl ClassModel {
    fn add(&mut self, other: Self) {
        self.methods.extend(other.methods);
        self.calls.extend(other.calls);
        self.reads.extend(other.reads);
        self.has_monitors |= other.has_monitors;
    }
}

/// A user's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Where what the rows say is promised, unless they say it themselves.
    #[serde(default, rename = "source")]
    _source: String,
    #[serde(default)]
    model: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    class: Option<String>,
    #[serde(default)]
    classes: Vec<String>,
    #[serde(default, rename = "source")]
    pub _source: String,
    #[serde(default)]
    monitors: bool,
    #[serde(default)]
    reads: Vec<String>,
    #[serde(default)]
    methods: BTreeMap<String, Phrases>,
    #[serde(default)]
    calls: BTreeMap<String, Phrases>,
}

impl Entry {
    /// What the row says of each of its classes; `class` is the one that an error names.
    fn read(&self, class: &str) -> Result<ClassModel, ModelError> {
        let mut model = ClassModel { reads: self.reads.clone(), has_monitors: self.monitors, ..ClassModel::default() };
        for (method, phrase) in words(&self.methods) {
            model.methods.push(row(class, method, phrase)?);
        }
        for (names, phrases) in &self.calls {
            for method in names.split(' ') {
                model.calls.push(call(class, method, phrases.all())?);
            }
        }
        Ok(model)
    }
}

fn row(class: &str, method: &str, phrase: &str) -> Result<Model, ModelError> {
    let effect = phrase::effect(phrase).ok_or_else(|| refused(class, method, phrase))?;
    let (name, descriptor) = method.find('(').map_or((method, None), |at| (&method[..at], Some(&method[at..])));
    Ok(Model { method: name.to_owned(), descriptor: descriptor.map(str::to_owned), effect })
}

fn call(class: &str, method: &str, phrases: &[String]) -> Result<Call, ModelError> {
    let (owner, name) = method.rsplit_once('.').ok_or_else(|| ModelError::NoMethod(method.to_owned()))?;
    let mut inner = Inner::default();
    for phrase in phrases {
        let told = match phrase.as_str() {
            "observes this" => &mut inner.meets,
            "publishes this" => &mut inner.publishes,
            "opens this" => &mut inner.opens,
            "publishes chain" => &mut inner.publishes_chain,
            "publishes result" => &mut inner.hands,
            "takes argument" => &mut inner.takes,
            "asks argument" => &mut inner.asks,
            "begins task" => &mut inner.begins,
            _ => return Err(refused(class, method, phrase)),
        };
        *told = true;
    }
    Ok(Call { owner: owner.replace('.', "/"), method: name.to_owned(), inner })
}

#[cfg(test)]
mod tests {
    use super::super::Subject::{Argument, Result as Returned, This};
    use super::*;
    use crate::layout::lock_mode as mode;

    fn effects(models: &Models, class: &str, method: &str) -> Vec<Effect> {
        models.methods(class).filter(|model| model.method == method).map(|model| model.effect).collect()
    }

    #[test]
    fn rows_say_what_methods_do() {
        let models = Models::built_in();
        let queue = "java/util/concurrent/ArrayBlockingQueue";
        assert_eq!(effects(models, queue, "put"), [Effect::Puts(Argument(0)), Effect::Publishes(This)]);
        assert_eq!(effects(models, queue, "take"), [Effect::Takes(Returned)]);
        let lock = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
        assert_eq!(effects(models, lock, "tryLock"), [Effect::AcquiresIf(mode::SHARED | mode::VIEW)]);
        let join = models.methods("java/lang/Thread").find(|model| model.effect == Effect::Joins).unwrap();
        assert_eq!(join.descriptor.as_deref(), Some("(J)V"));
        assert!(models.of_class("java/util/Vector").unwrap().has_monitors);
        assert!(models.of_class("java/util/ArrayList").is_none());
        let barrier = models.of_class("java/util/concurrent/CyclicBarrier").unwrap();
        let run = Inner { meets: true, publishes: true, ..Inner::default() };
        assert_eq!(barrier.calls, [Call { owner: "java/lang/Runnable".into(), method: "run".into(), inner: run }]);
    }

    #[test]
    fn volatile_fields_are_read_in_nested_classes_too() {
        let reads = |class| Models::built_in().reads_in(class).collect::<Vec<_>>();
        let future = "java/util/concurrent/CompletableFuture";
        assert_eq!(reads(future), [(future, "result")]);
        assert_eq!(reads("java/util/concurrent/CompletableFuture$UniApply$X"), [(future, "result")]);
        assert_eq!(reads("java/util/concurrent/CompletableFutures"), []);
    }

    #[test]
    fn a_user_adds_rows() {
        let mine = Models::read(
            "[[model]]\nclasses = ['app.Box$Inner', 'java.lang.Thread']\n[model.methods]\n'lock acquire' = 'acquires this'\n\
             release = ['releases this', 'publishes arg1']",
        );
        let models = Models::built_in().clone().and(mine.unwrap());
        assert_eq!(effects(&models, "app/Box$Inner", "acquire"), [Effect::Acquires(mode::EXCLUSIVE)]);
        let release = [Effect::Releases(mode::EXCLUSIVE), Effect::Publishes(Argument(1))];
        assert_eq!(effects(&models, "app/Box$Inner", "release"), release);
        assert_eq!(effects(&models, "java/lang/Thread", "start"), [Effect::Starts], "what was known stays");
    }

    #[test]
    fn mistakes_are_told_in_a_sentence() {
        for (text, expected) in [
            ("[[model]]\n", "model 1 of the file names no class: write `class = \"package.Class\"`"),
            ("x = 1\n", "line 1: unknown field `x`, expected `source` or `model`"),
            (
                "[[model]]\nclass = 'A'\nmethods = { put = 1 }",
                "line 3: an effect, or a list of effects, must be a string or a list of strings",
            ),
            (
                "[[model]]\nclass = 'a.B'\n[model.methods]\nput = 'publishes'",
                "`a.B.put` cannot have the effect `publishes`: write, for example, `publishes arg0`, `observes result`, `acquires this` \
                 or `releases this`; the chapter on models in the manual lists them all",
            ),
            (
                "[[model]]\nclass = 'a.B'\n[model.calls]\nrun = 'takes argument'",
                "`run` names no method: write `package.Class.method`",
            ),
        ] {
            assert_eq!(Models::read(text).unwrap_err().to_string(), expected);
        }
    }
}
