//! The environment of a test suite: what test frameworks do with a program.
//!
//! They make objects of its classes, in any way, and keep what they get in a pool: what is passed to objects of theirs, what is
//! returned to them, what is of a type of theirs, what is thrown, and all that such objects of the JDK, of theirs and arrays
//! refer to. They call what [`Suite`] says with what is in the pool, any number of times, in one thread or in many.

use crate::points_to::core::code::{CallSite, Code, Dispatch, Global, Local, Slot};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::copies;
use crate::program::{ClassId, FieldId, MethodId, Name, Type};

use super::suite::Suite;
use super::{Harness, call, end_threads};

/// The environment of a suite, with one thread or (`is_parallel`) with any number.
#[must_use]
pub fn suite(resolution: &Resolution<'_>, suite: &Suite, is_parallel: bool) -> Code {
    let mut harness = Harness::new(resolution, Some(&resolution.framework));
    suite.called.iter().for_each(|method| harness.need_all(*method));
    for method in suite.called.iter().chain(&suite.called_on_given) {
        harness.call(*method, true);
    }
    for field in &suite.fields {
        harness.need_each([resolution.program.field(*field).ty]);
        harness.inject(*field);
    }
    suite.mains.iter().for_each(|main| harness.begin(*main));
    harness.keep_reached();
    harness.keep_thrown();
    harness.share();
    end_threads(resolution, &mut harness.code);
    harness.code.is_sequential = !is_parallel;
    harness.code.finish();
    harness.code
}

impl Harness<'_> {
    /// Objects of a framework's type: those of the program's classes, and one that does what frameworks do.
    pub(super) fn play(&mut self, ty: Type, class: ClassId, concrete: &[ClassId]) {
        concrete.iter().for_each(|class| self.make(*class));
        let made = self.code.local();
        self.code.allocations.push((made, Site::Given(ty), ty));
        self.code.global_stores.push((Global::Pool, made));
        self.implemented.insert(ty);
        self.code.initializes.push(class);
        self.fill(made, ty);
    }

    /// Any of its fields may refer to anything.
    fn fill(&mut self, object: Local, ty: Type) {
        for slot in copies::slots(self.program(), ty) {
            if let Slot::Field(field) = slot {
                let from = self.pooled(self.program().field(field).ty);
                self.code.store(object, slot, from);
            }
        }
    }

    /// A field that is read and written by reflection.
    pub(super) fn inject(&mut self, field: FieldId) {
        let data = self.program().field(field);
        let (ty, class, is_static) = (data.ty, data.class, data.is_static());
        if !ty.is_reference() {
            return;
        }
        let (value, read) = (self.pooled(ty), self.code.local());
        if is_static {
            self.code.initializes.push(class);
            self.code.global_loads.push((read, Global::Static(field), None));
            self.code.global_stores.push((Global::Static(field), value));
        } else {
            let object = self.pooled(Type::class(self.program().class(class).name));
            self.code.load(read, object, Slot::Field(field));
            self.code.store(object, Slot::Field(field), value);
        }
        self.code.global_stores.push((Global::Pool, read));
    }

    /// A `main` method, of a JVM of its own: it shares nothing with the suite, nor with another one.
    fn begin(&mut self, main: MethodId) {
        self.need(Type::class(Name::STRING).array());
        let arguments = self.arguments(None, main);
        self.code.initializes.push(self.program().method(main).class);
        let site = call(Dispatch::Static, main, arguments);
        self.code.call(CallSite { is_fork: true, repeats: true, ..site });
    }

    pub(super) fn keep_reached(&mut self) {
        let (given, reached) = (self.code.local(), self.code.local());
        self.code.global_loads.push((given, Global::Pool, None));
        self.code.open(reached, given);
        self.code.global_stores.push((Global::Pool, reached));
    }

    /// What one of their threads gets, every one does.
    fn share(&mut self) {
        let Some(method) = self.resolution.program.method_named("java/lang/Object", "getClass", "()Ljava/lang/Class;")
        else {
            return;
        };
        let given = self.code.local();
        self.code.global_loads.push((given, Global::Pool, None));
        let site = call(Dispatch::Special, method, Box::new([Some(given)]));
        self.code.call(CallSite { is_fork: true, repeats: true, ..site });
    }

    fn keep_thrown(&mut self) {
        let thrown = self.code.local();
        self.code.global_loads.push((thrown, Global::Thrown, None));
        self.code.global_stores.push((Global::Pool, thrown));
    }
}
