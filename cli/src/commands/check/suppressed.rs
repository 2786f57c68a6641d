//! What a check finds and suppressions know, as they know what runs find.

use std::collections::BTreeSet;

use facts::finding::Rule;

use super::report::{Error, Field};
use super::rules;
use crate::report::suppressed::{SuppressedBy, Suppressions};

/// Marks what is suppressed.
pub fn apply(suppressions: &Suppressions, errors: &mut [Error<'_>], fields: &mut [Field]) {
    errors.iter_mut().for_each(|error| error.suppress(suppressions));
    fields.iter_mut().for_each(|field| field.suppress(suppressions));
}

impl Error<'_> {
    fn suppress(&mut self, suppressions: &Suppressions) {
        let rule = if self.rule == rules::NOT_ATOMIC { Rule::Atomicity } else { Rule::Race };
        let name = self.name.split('(').next().unwrap_or_default();
        let by_name = suppressions.of_named(rule, name);
        let by_place = self.position().map(|place| suppressions.of_places(rule, &[place])).unwrap_or_default();
        let all: BTreeSet<SuppressedBy> = by_name.into_iter().chain(by_place).collect();
        self.suppressed_by = all.into_iter().collect();
    }
}

impl Field {
    /// Of a field that is suppressed in part, the accesses stay that are not.
    fn suppress(&mut self, suppressions: &Suppressions) {
        self.suppressed_by = suppressions.of_named(Rule::Race, &self.name);
        if !self.suppressed_by.is_empty() {
            return;
        }
        let mut all = BTreeSet::new();
        let mut is_left = Vec::new();
        for access in &self.unguarded {
            let by = suppressions.of_places(Rule::Race, &[&access.place]);
            is_left.push(by.is_empty());
            all.extend(by);
        }
        if is_left.contains(&true) {
            let mut is_left = is_left.into_iter();
            self.unguarded.retain(|_| is_left.next() == Some(true));
        } else {
            self.suppressed_by = all.into_iter().collect();
        }
    }
}
