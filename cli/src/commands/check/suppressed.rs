//! What a check finds and suppressions know, as they know what runs find.

use facts::finding::Rule;

use super::report::{Access, Error, Field};
use super::rules;
use crate::report::suppressed::{self, Suppressions};

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
        let mut all = self.position().map(|place| suppressions.of_places(rule, &[place])).unwrap_or_default();
        all.extend(by_name);
        self.suppressed_by = all.into_iter().collect();
    }
}

impl Field {
    /// Of a field that is suppressed in part, the accesses stay that are not.
    fn suppress(&mut self, suppressions: &Suppressions) {
        self.suppressed_by = suppressions.of_named(Rule::Race, &self.name);
        if self.suppressed_by.is_empty() {
            let of_access = |access: &Access| suppressions.of_places(Rule::Race, &[&access.place]);
            self.suppressed_by = suppressed::retain(&mut self.unguarded, of_access);
        }
    }
}
