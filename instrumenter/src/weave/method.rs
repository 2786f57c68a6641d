//! Whole methods: synchronized ones and class initializers report their beginning, and their end on every exit.
//!
//! The exit by an exception is a handler over the whole body. Its frame has no locals, which suits every state of the body.

use facts::hook::{Events, Hook};

use super::library::Effects;
use super::{Failure, MethodWeaver};
use crate::class::{Class, Method, flag};
use crate::opcode::{ALOAD_0, ATHROW};
use crate::plan::{NewAction, WeaveError};

/// What a method's ends report.
#[derive(Clone, Copy)]
pub(super) enum Wrap {
    Nothing,
    Synchronized,
    /// With the number of its site.
    ClassInit(i32),
}

/// Whether the ends of the method are reported.
pub(super) fn wraps(class: &Class<'_>, method: &Method<'_>, events: Events) -> bool {
    is_synchronized(method, events) || is_class_init(class, method, events)
}

fn is_synchronized(method: &Method<'_>, events: Events) -> bool {
    events.contains(Events::SYNCHRONIZED) && method.access & flag::SYNCHRONIZED != 0 && method.name != b"<init>"
}

/// Since version 51 a class initializer has to be static (JVMS 2.9.2).
fn is_class_init(class: &Class<'_>, method: &Method<'_>, events: Events) -> bool {
    let is_initializer = method.name == b"<clinit>" && method.descriptor == b"()V";
    let counts = class.version < 51 || method.access & flag::STATIC != 0;
    events.contains(Events::CLASS_INIT) && is_initializer && counts
}

impl MethodWeaver<'_, '_> {
    /// Emits what runs when the method is entered.
    pub(super) fn begin_method(&mut self, effects: &Effects) -> Result<Wrap, Failure> {
        let mark = self.edits.mark();
        let events = self.class.plan.events;
        let wrap = if is_synchronized(self.method, events) {
            self.enter_method()?;
            Wrap::Synchronized
        } else if is_class_init(self.class.class, self.method, events) {
            let id = self.class_init_site()?;
            Wrap::ClassInit(id)
        } else {
            Wrap::Nothing
        };
        self.entry_effects(effects)?;
        self.empty(self.repeats.all());
        self.edits.prologue_since(mark);
        Ok(wrap)
    }

    /// A class file older than version 49 cannot load its class as a constant.
    fn enter_method(&mut self) -> Result<(), WeaveError> {
        self.edits.needs_stack(2);
        let is_static = self.method.access & flag::STATIC != 0;
        let hook = match (is_static, self.class.class.version) {
            (true, ..49) => Hook::EnterStatic,
            (true, _) => {
                self.load_constant(self.class.class.this_class);
                Hook::EnterMethod
            }
            (false, _) => {
                self.emit(&[ALOAD_0]);
                Hook::EnterMethod
            }
        };
        self.site(0, NewAction::Enter)?;
        self.hook(hook)
    }

    fn class_init_site(&mut self) -> Result<i32, WeaveError> {
        self.edits.needs_stack(2);
        let id = self.site(0, NewAction::ClassInit)?;
        self.hook(Hook::ClassInitBegin)?;
        Ok(id)
    }

    /// Emits what runs before a return.
    pub(super) fn before_return(&mut self, wrap: Wrap, effects: &Effects) -> Result<(), Failure> {
        self.exit_effects(effects)?;
        Ok(self.exit_method(wrap)?)
    }

    fn exit_method(&mut self, wrap: Wrap) -> Result<(), WeaveError> {
        match wrap {
            Wrap::Nothing => Ok(()),
            Wrap::Synchronized => self.hook(Hook::ExitMethod),
            Wrap::ClassInit(site) => {
                self.constant(site)?;
                self.hook(Hook::ClassInitEnd)
            }
        }
    }

    /// Emits what runs when an exception leaves the method.
    pub(super) fn end_method(&mut self, wrap: Wrap) -> Result<(), Failure> {
        if let Wrap::Nothing = wrap {
            return Ok(());
        }
        let mark = self.edits.mark();
        self.exit_method(wrap)?;
        self.emit(&[ATHROW]);
        self.edits.catch_all_since(mark);
        Ok(())
    }
}
