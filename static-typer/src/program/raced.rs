//! References that have raced in runs, or are passed on in a weak mode: what they held has come to a thread with nothing in between.

use facts::finding::Variable;

use super::{FieldId, Program, Type};

/// References that have raced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Raced {
    /// Those of a field.
    Field(FieldId),
    /// Those that objects of a type hold.
    Of(Type),
}

impl Program {
    /// Says on which variables runs have shown races.
    pub fn set_raced<'a>(&mut self, variables: impl IntoIterator<Item = &'a Variable>) {
        let raced: Vec<Raced> = variables.into_iter().filter_map(|variable| self.raced_by(variable)).collect();
        self.raced = self.weak.clone();
        self.raced.extend(raced);
    }

    fn raced_by(&mut self, variable: &Variable) -> Option<Raced> {
        match variable {
            Variable::Field { class, name, .. } | Variable::Static { class, name, .. } => {
                self.field_named(class, name).map(Raced::Field)
            }
            Variable::Object { class: of }
            | Variable::Contents { class: of, .. }
            | Variable::Array { descriptor: of, .. } => {
                self.names.intern_class_type(&classfile::modified(of)).map(Raced::Of)
            }
        }
    }

    /// What has raced in runs, and what is passed on in a weak mode.
    #[must_use]
    pub fn raced(&self) -> &[Raced] {
        &self.raced
    }
}
