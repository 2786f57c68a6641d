//! The bodies of every method of the application.

use rayon::prelude::*;

use crate::ir::{Body, Malformed};
use crate::program::{MethodId, Program};

/// Every body, by method.
#[derive(Debug)]
pub struct Bodies {
    bodies: Vec<Body>,
    place: Vec<u32>,
    failures: Vec<(MethodId, Malformed)>,
}

/// The method has no body.
const NONE: u32 = u32::MAX;

impl Bodies {
    /// Builds them, several at a time.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let methods: Vec<MethodId> = program.application().flat_map(|class| program.methods_of(class)).collect();
        let built: Vec<_> =
            methods.par_iter().filter_map(|method| Some((*method, Body::of(program, *method)?))).collect();
        let end = methods.iter().map(|method| method.index() + 1).max().unwrap_or(0);
        let mut all = Self { bodies: Vec::new(), place: vec![NONE; end], failures: Vec::new() };
        for (method, body) in built {
            match body {
                Ok(body) => {
                    all.place[method.index()] = all.bodies.len() as u32;
                    all.bodies.push(body);
                }
                Err(reason) => all.failures.push((method, reason)),
            }
        }
        all
    }

    /// The bodies, by method.
    pub fn iter(&self) -> std::slice::Iter<'_, Body> {
        self.bodies.iter()
    }

    /// The bodies as a list, for work on several at a time.
    #[must_use]
    pub fn all(&self) -> &[Body] {
        &self.bodies
    }

    /// The body of a method.
    #[must_use]
    pub fn get(&self, method: MethodId) -> Option<&Body> {
        let place = self.place.get(method.index()).filter(|place| **place != NONE)?;
        self.bodies.get(*place as usize)
    }

    /// Methods whose code is damaged.
    #[must_use]
    pub fn failures(&self) -> &[(MethodId, Malformed)] {
        &self.failures
    }
}
