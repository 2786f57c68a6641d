//! Annotations that are not in the class files.

use classfile::modified;

use super::{Annotation, ClassId, MethodId, Program};

/// What an annotation stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    /// A class.
    Class,
    /// A field.
    Field,
    /// A method.
    Method,
}

impl Program {
    /// Adds an annotation to every class, field and method of the application whose name `matches`, `a/B`, `a/B.field` and
    /// `a/B.method`; returns how many there are.
    pub fn annotate(
        &mut self,
        matches: impl Fn(&str) -> bool,
        on: &[On],
        annotation: &str,
        value: Option<&str>,
    ) -> usize {
        let new = self.annotation(annotation, value);
        let application: Vec<ClassId> = self.application().collect();
        let mut n_found = 0;
        for class in application {
            let name = self.class_name(class).into_owned();
            let (fields, methods) = (self.class(class).fields.clone(), self.class(class).methods.clone());
            let names = &self.names;
            let is_meant = |kind, member| on.contains(&kind) && matches(&format!("{name}.{}", names.text(member)));
            let fields = self.fields[fields.start as usize..fields.end as usize].iter_mut();
            let methods = self.methods[methods.start as usize..methods.end as usize].iter_mut();
            let members =
                fields.filter(|field| is_meant(On::Field, field.name)).map(|field| &mut field.annotations).chain(
                    methods.filter(|method| is_meant(On::Method, method.name)).map(|method| &mut method.annotations),
                );
            let whole =
                (on.contains(&On::Class) && matches(&name)).then_some(&mut self.classes[class.index()].annotations);
            for annotations in whole.into_iter().chain(members) {
                annotations.push(new.clone());
                n_found += 1;
            }
        }
        n_found
    }

    /// Adds an annotation to a method.
    pub fn annotate_method(&mut self, method: MethodId, annotation: &str, value: &str) {
        let new = self.annotation(annotation, Some(value));
        self.methods[method.index()].annotations.push(new);
    }

    fn annotation(&mut self, class: &str, value: Option<&str>) -> Annotation {
        let class = self.names.intern(&modified(class));
        let element = self.names.intern(b"value");
        let value = value.map(|text| (element, self.names.intern(&modified(text))));
        Annotation { class, strings: value.into_iter().collect() }
    }
}
