//! What a user's models say of the methods of a program.

use std::collections::BTreeMap;

use facts::models::{Effect, Model, Models};

use super::{ClassId, MethodId, Program, flag};

/// What is told of methods.
#[derive(Debug, Default)]
pub(super) struct Told(BTreeMap<MethodId, Vec<Effect>>);

/// Why models do not fit a program: one sentence with the remedy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// A row about nothing.
    #[error(
        "`{0}`: the class declares no method with code that can have this effect; correct the name, the form or the effect, \
         or leave the row out"
    )]
    NoMethod(String),
    /// A lock that would be held for ever.
    #[error("`{0}` takes a lock that no row of its class gives back in the same mode: add one with `releases`")]
    NeverReleased(String),
}

impl Program {
    /// Takes in what a user's models say of methods of the program. Classes that are not there do not matter.
    ///
    /// # Errors
    /// A row fits no method of its class, or takes a lock that none gives back.
    pub fn tell(&mut self, models: &Models) -> Result<(), Misfit> {
        self.told = self.fitting(models)?;
        let Some(kept) = self.told.0.keys().copied().find(|method| !self.is_given_back(*method)) else { return Ok(()) };
        self.told = Told::default();
        Err(Misfit::NeverReleased(self.method_name(kept).replace('/', ".")))
    }

    fn fitting(&self, models: &Models) -> Result<Told, Misfit> {
        let mut told = Told::default();
        for (name, model) in models.classes() {
            let Some(class) = self.names().named(name).and_then(|name| self.find(name)) else { continue };
            for row in &model.methods {
                let methods: Vec<MethodId> = self.methods_of(class).filter(|method| self.fits(row, *method)).collect();
                if methods.is_empty() {
                    return Err(Misfit::NoMethod(format!("{}.{}", name.replace('/', "."), row.method)));
                }
                for method in methods {
                    told.0.entry(method).or_default().push(row.effect);
                }
            }
        }
        Ok(told)
    }

    /// What the user's models say of a method.
    #[must_use]
    pub fn told(&self, method: MethodId) -> &[Effect] {
        self.told.0.get(&method).map_or(&[], Vec::as_slice)
    }

    /// Every method of which they say something.
    pub fn all_told(&self) -> impl Iterator<Item = (MethodId, &[Effect])> {
        self.told.0.iter().map(|(method, effects)| (*method, effects.as_slice()))
    }

    fn fits(&self, row: &Model, method: MethodId) -> bool {
        let data = self.method(method);
        let (signature, is_static) = (self.signature(method), data.is_static());
        let descriptor = self.names().text(signature.text);
        let is_object = |n: usize| signature.parameters.get(n).is_some_and(|ty| ty.is_reference());
        *self.names().text(data.name) == *row.method
            && row.descriptor.as_ref().is_none_or(|wanted| *wanted == *descriptor)
            && data.access & (flag::ABSTRACT | flag::NATIVE) == 0
            && row.effect.fits(is_static, &descriptor, is_object)
    }

    /// Whether the lock that a method takes is given back by one of its class or of a class above it.
    fn is_given_back(&self, method: MethodId) -> bool {
        let class = self.method(method).class;
        self.told(method).iter().all(|effect| match effect {
            Effect::Acquires(mode) | Effect::AcquiresIf(mode) | Effect::AcquiresStamp(mode) => {
                self.told_above(class).any(|effect| *effect == Effect::Releases(*mode))
            }
            _ => true,
        })
    }

    fn told_above(&self, class: ClassId) -> impl Iterator<Item = &Effect> {
        self.superclasses(class).flat_map(|above| self.methods_of(above)).flat_map(|method| self.told(method))
    }
}
