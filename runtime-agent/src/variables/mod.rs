//! Variables: which field, array or object of the library the instruction at a site accesses.

mod resolution;

use std::sync::Arc;

use facts::access::Granularity;
use facts::finding::Variable;
use facts::models::contents;
use facts::site::FieldRef;
use jvmti_bindings::sys::jni::jobject;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::classes::Filter;
use crate::jvmti::{Env, FieldFlags, Vm};
use crate::loading::Loaders;
use crate::mode::Mode;
use crate::sites::{Sites, Target};

/// What resolution found out about a field.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Internal name of the class that declares it; at object granularity, of the class that holds the object's word.
    pub class: String,
    /// Its access flags that matter here.
    pub flags: FieldFlags,
}

/// The variables of all sites.
pub struct Variables {
    mode: Arc<Mode>,
    vm: Arc<Vm>,
    sites: Arc<Sites>,
    filter: Arc<Filter>,
    loaders: Arc<Loaders>,
    /// The field of each resolved site.
    fields: Mutex<FxHashMap<u32, Declared>>,
    /// Slots of static fields, by number of the class.
    slots: Mutex<FxHashMap<(i32, String, String), u32>>,
}

impl Variables {
    /// No site is resolved.
    pub fn new(mode: Arc<Mode>, vm: Arc<Vm>, sites: Arc<Sites>, filter: Arc<Filter>, loaders: Arc<Loaders>) -> Self {
        Self { mode, vm, sites, filter, loaders, fields: Mutex::default(), slots: Mutex::default() }
    }

    /// The field that a site accesses, once it is resolved.
    pub fn declared(&self, site: u32) -> Option<Declared> {
        self.fields.lock().get(&site).cloned()
    }

    /// Whether the field of a site is known to be volatile.
    pub fn is_volatile(&self, site: u32) -> bool {
        self.declared(site).is_some_and(|declared| declared.flags.is_volatile)
    }

    /// The slot of a static field of the class with this number; slots count from 1.
    pub fn slot(&self, class: i32, field: FieldRef) -> u32 {
        let mut slots = self.slots.lock();
        let next = slots.len() as u32 + 1;
        *slots.entry((class, field.name, field.descriptor)).or_insert(next)
    }

    /// What a site accesses in an object; in none for a static field.
    pub fn of(&self, env: Env, site: u32, object: jobject) -> Variable {
        let class = || (!object.is_null()).then(|| env.class_of(object));
        match self.sites.target(site) {
            Target::Field(field) => self.field(site, field, object.is_null()),
            Target::Contents(from) => {
                let class = class().and_then(|class| self.vm.internal_name(class)).unwrap_or_default();
                let seen = from.map(|(field, _)| contents::seen_as(&class, &field.descriptor).to_owned());
                Variable::Contents { class: seen.unwrap_or(class), origin: self.sites.origin(site) }
            }
            target => {
                let class = class().filter(|_| matches!(target, Target::Array(_)));
                let descriptor = class.and_then(|class| self.vm.descriptor(class)).unwrap_or_default();
                Variable::Array { descriptor, origin: self.sites.origin(site) }
            }
        }
    }

    fn field(&self, site: u32, field: FieldRef, is_static: bool) -> Variable {
        let FieldRef { class, name, descriptor } = field;
        let class = self.declared(site).map_or(class, |declared| declared.class);
        match (is_static, self.mode.options.granularity) {
            (true, _) => Variable::Static { class, name, descriptor },
            (false, Granularity::Object) => Variable::Object { class },
            (false, Granularity::Field) => Variable::Field { class, name, descriptor },
        }
    }

    /// Whether two sites may access one variable. Of arrays and contents, the references through which they do tell nothing.
    pub fn are_alike(&self, a: u32, b: u32) -> bool {
        match (self.sites.target(a), self.sites.target(b)) {
            (Target::Field(a_field), Target::Field(b_field)) => {
                let is_same = a_field.name == b_field.name && a_field.descriptor == b_field.descriptor;
                let class = |site| self.declared(site).map(|declared| declared.class);
                is_same && class(a) == class(b)
            }
            (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
        }
    }

    /// The references through which variables that are fields were accessed, and the classes that did so.
    pub fn accesses_to(&self, variables: &[Variable]) -> (FxHashSet<FieldRef>, FxHashSet<String>) {
        let fields: FxHashSet<_> = variables.iter().filter_map(field_of).collect();
        let access = |(site, declared): (&u32, &Declared)| match self.sites.target(*site) {
            Target::Field(reference) => {
                let is_meant = fields.contains(&(&declared.class, &reference.name, &reference.descriptor));
                let class = self.sites.place(*site)?.class;
                is_meant.then_some((reference, class))
            }
            _ => None,
        };
        self.fields.lock().iter().filter_map(access).unzip()
    }
}

/// Class, name and descriptor.
fn field_of(variable: &Variable) -> Option<(&str, &str, &str)> {
    match variable {
        Variable::Field { class, name, descriptor } | Variable::Static { class, name, descriptor } => {
            Some((class, name, descriptor))
        }
        Variable::Array { .. } | Variable::Contents { .. } | Variable::Object { .. } => None,
    }
}
