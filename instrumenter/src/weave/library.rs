//! Library methods: what the synchronization models say that they do.

use classfile::opcode::*;
use classfile::{Member, flag, text};
use facts::hook::Hook;
use facts::models::{Effect, Inner, Model, Subject};

use super::MethodWeaver;
use crate::failure::Failure;
use crate::plan::{Reason, WeaveError};
use crate::select::descriptor;

/// The effects of one method.
pub(super) struct Effects(Vec<Effect>);

impl Effects {
    pub fn of(method: &Member<'_>, models: &[Model]) -> Self {
        Self(models.iter().filter(|model| is_of(model, method)).map(|model| model.effect).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the method handles a request.
    pub fn run_request(&self) -> bool {
        self.0.iter().any(|effect| matches!(effect, Effect::RunsRequest(_)))
    }
}

/// Whether a model says something of a method.
pub(crate) fn is_of(model: &Model, method: &Member<'_>) -> bool {
    model.method.as_bytes() == method.name
        && model.descriptor.as_ref().is_none_or(|descriptor| descriptor.as_bytes() == method.descriptor)
        && model.effect.fits(method.access & flag::STATIC != 0, &text(method.descriptor), |n| {
            descriptor::reference_slot(method.descriptor, n).is_some()
        })
}

/// Where a method that defines a class has its bytes: in the first argument, or behind its name.
fn class_file_slot(descriptor: &[u8]) -> Option<u8> {
    let behind_name = descriptor.starts_with(b"(Ljava/lang/String;[B").then_some(2);
    descriptor.starts_with(b"([B").then_some(1).or(behind_name)
}

/// Whether the receiver is reported at all.
const fn uses_receiver(effect: Effect) -> bool {
    !matches!(
        effect,
        Effect::ReturnsFields
            | Effect::Publishes(Subject::Argument(_))
            | Effect::Meets(Subject::Argument(_))
            | Effect::Sends(Subject::Argument(_))
            | Effect::Takes(Subject::Result | Subject::Argument(_))
            | Effect::BeginsTest(Subject::Argument(_))
            | Effect::Reflects(Subject::Argument(_))
            | Effect::Handles(Subject::Argument(_))
            | Effect::EndsTest(Subject::Argument(_))
            | Effect::Observes(Subject::Result | Subject::Argument(_))
            | Effect::ObservesEntry
            | Effect::Asks(_)
            | Effect::WritesField
            | Effect::RetractsField
            | Effect::Hands(_)
            | Effect::HasRun
            | Effect::RunsRequest(_)
            | Effect::ReturnsLocal
            | Effect::KeepsLocal
            | Effect::SeesEnds
            | Effect::Interrupted
            | Effect::InterruptedIf
    )
}

/// Whether the receiver is reported before a return.
const fn needs_receiver(effect: Effect) -> bool {
    matches!(
        effect,
        Effect::AcquiresIf(_)
            | Effect::AcquiresStamp(_)
            | Effect::Converts(_)
            | Effect::Hopes
            | Effect::Acquires(_)
            | Effect::Joins
            | Effect::ObservesIf
            | Effect::ObservesIfNull
            | Effect::Passes
            | Effect::Receives
            | Effect::Retracts
            | Effect::Misses(_)
            | Effect::SeesAlive
            | Effect::SeesState
            | Effect::TakesPermits
            | Effect::HasPermits
            | Effect::TakesPermitsIf
            | Effect::Awaits
            | Effect::WritesField
            | Effect::Reads
            | Effect::Puts(Subject::Result)
            | Effect::Observes(Subject::This)
    )
}

impl MethodWeaver<'_, '_> {
    /// Emits what is reported on entry.
    pub(super) fn entry_effects(&mut self, effects: &Effects) -> Result<(), Failure> {
        for effect in &effects.0 {
            if uses_receiver(*effect) && self.code.overwrites_receiver() {
                return Err(Reason::NoReceiver.into());
            }
            match effect {
                Effect::Releases(_)
                | Effect::Validates
                | Effect::Starts
                | Effect::Ends
                | Effect::HandsPermits
                | Effect::Signals
                | Effect::PublishesChain
                | Effect::Arrives
                | Effect::Opens
                | Effect::Writes => self.report(*effect)?,
                Effect::PublishesIfNull(n) | Effect::Removes(n) => self.report_put(*effect, Subject::Argument(*n))?,
                Effect::RemovesAll => {
                    self.edits.needs_stack(2);
                    self.emit(&[ACONST_NULL, ALOAD_0]);
                    self.hook(effect.hook())?;
                }
                Effect::WritesField | Effect::KeepsLocal => self.report_subject(*effect, Subject::Argument(0))?,
                Effect::SeesEnds | Effect::HasRun => self.hook(effect.hook())?,
                Effect::RunsRequest(None) => {
                    self.edits.needs_stack(1);
                    self.emit(&[ACONST_NULL]);
                    self.hook(effect.hook())?;
                }
                Effect::RunsRequest(Some(n)) => self.report_subject(*effect, Subject::Argument(*n))?,
                Effect::Awaits => {
                    self.edits.needs_stack(1);
                    self.emit(&[ALOAD_0]);
                    self.hook(Hook::Awaiting)?;
                }
                Effect::Takes(Subject::Result) => {}
                Effect::Publishes(subject)
                | Effect::Meets(subject)
                | Effect::Sends(subject)
                | Effect::Takes(subject)
                | Effect::BeginsTest(subject)
                | Effect::Reflects(subject)
                | Effect::Handles(subject)
                | Effect::EndsTest(subject) => self.report_subject(*effect, *subject)?,
                Effect::Puts(Subject::Result) => {}
                Effect::Puts(subject) | Effect::PutsEach(subject) => self.report_put(*effect, *subject)?,
                Effect::DefinesHidden => self.exchange_class_file(*effect)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Emits what is reported before a return.
    pub(super) fn exit_effects(&mut self, index: usize, effects: &Effects) -> Result<(), Failure> {
        for effect in &effects.0 {
            if needs_receiver(*effect) && !self.has_receiver(index)? {
                return Err(Reason::NoReceiver.into());
            }
            match effect {
                Effect::Releases(_) | Effect::Validates | Effect::Starts | Effect::Ends | Effect::DefinesHidden => {}
                Effect::Publishes(_)
                | Effect::PutsEach(_)
                | Effect::SeesEnds
                | Effect::Meets(_)
                | Effect::Takes(Subject::This | Subject::Argument(_))
                | Effect::BeginsTest(_)
                | Effect::Reflects(_)
                | Effect::Handles(_)
                | Effect::EndsTest(_)
                | Effect::HandsPermits
                | Effect::Signals
                | Effect::Writes
                | Effect::WritesField
                | Effect::Puts(Subject::This | Subject::Argument(_))
                | Effect::PublishesIfNull(_)
                | Effect::HasRun
                | Effect::RunsRequest(_)
                | Effect::KeepsLocal
                | Effect::Sends(_)
                | Effect::Arrives
                | Effect::Opens
                | Effect::Removes(_)
                | Effect::RemovesAll
                | Effect::PublishesChain => {}
                Effect::Misses(n) => self.report_missed(*effect, *n)?,
                Effect::Puts(Subject::Result) => {
                    self.edits.needs_stack(2);
                    self.emit(&[DUP, ALOAD_0]);
                    self.hook(effect.hook())?;
                }
                Effect::Observes(Subject::Result) | Effect::Takes(Subject::Result) | Effect::ObservesEntry => {
                    self.report_found(index, *effect)?;
                }
                Effect::Asks(_) | Effect::Hands(_) | Effect::ReturnsLocal => {
                    self.edits.needs_stack(1);
                    self.emit(&[DUP]);
                    self.hook(effect.hook())?;
                }
                Effect::Observes(subject) => self.report_subject(*effect, *subject)?,
                Effect::ReturnsFields => self.hook(Hook::FilterFields)?,
                Effect::Interrupted => self.hook(effect.hook())?,
                Effect::InterruptedIf => {
                    self.edits.needs_stack(1);
                    self.emit(&[DUP]);
                    self.hook(effect.hook())?;
                }
                Effect::AcquiresIf(_)
                | Effect::ObservesIf
                | Effect::ObservesIfNull
                | Effect::Retracts
                | Effect::SeesAlive
                | Effect::SeesState => {
                    self.emit(&[DUP]);
                    self.report(*effect)?;
                }
                Effect::RetractsField => self.report_retracted(*effect)?,
                Effect::TakesPermits => self.report_permits(*effect)?,
                Effect::TakesPermitsIf => {
                    self.emit(&[DUP]);
                    self.report_permits(*effect)?;
                }
                Effect::AcquiresStamp(_) | Effect::Converts(_) | Effect::Hopes => {
                    self.emit(&[DUP2]);
                    self.report(*effect)?;
                }
                Effect::Acquires(_)
                | Effect::Joins
                | Effect::HasPermits
                | Effect::Awaits
                | Effect::Passes
                | Effect::Receives
                | Effect::Reads => self.report(*effect)?,
            }
        }
        Ok(())
    }

    /// Emits the call with the class file and the receiver; what it returns takes the place of the class file.
    fn exchange_class_file(&mut self, effect: Effect) -> Result<(), WeaveError> {
        let slot = class_file_slot(self.method.descriptor).unwrap_or_default();
        self.edits.needs_stack(2);
        self.emit(&[ALOAD_0 + slot, ALOAD_0]);
        self.hook(effect.hook())?;
        self.emit(&[ASTORE_0 + slot]);
        Ok(())
    }

    /// Emits what is reported before a call in the midst of a library method, or after it.
    pub(super) fn inner(&mut self, index: usize, inner: Inner, is_after: bool) -> Result<(), Failure> {
        let told = [
            (Hook::Observe, inner.meets && !is_after),
            (Hook::Publish, inner.publishes && is_after),
            (Hook::Open, inner.opens && is_after),
            (Hook::PublishChain, inner.publishes_chain && is_after),
        ];
        let is_told = told.iter().any(|(_, is_wanted)| *is_wanted);
        let is_put = is_after && inner.hands;
        let begins = !is_after && inner.begins;
        self.edits.needs_stack(2);
        for (hook, is_wanted) in [(Hook::Observe, inner.takes), (Hook::Ask, inner.asks)] {
            if is_wanted && !is_after {
                self.emit(&[DUP]);
                self.hook(hook)?;
            }
        }
        if (is_told || is_put || begins) && self.method.access & flag::STATIC == 0 {
            if self.code.overwrites_receiver() || !self.has_receiver(index)? {
                return Err(Reason::NoReceiver.into());
            }
            for (hook, is_wanted) in [(Hook::Put, is_put), (Hook::BeginTask, begins)] {
                if is_wanted {
                    self.emit(&[DUP, ALOAD_0]);
                    self.hook(hook)?;
                }
            }
            for (hook, is_wanted) in told {
                if is_wanted {
                    self.emit(&[ALOAD_0]);
                    self.hook(hook)?;
                }
            }
        }
        Ok(())
    }

    /// Emits the call with an argument and the receiver.
    fn report_put(&mut self, effect: Effect, subject: Subject) -> Result<(), WeaveError> {
        self.edits.needs_stack(2);
        self.load_subject(subject);
        self.emit(&[ALOAD_0]);
        self.hook(effect.hook())
    }

    /// Emits the call with the result and the receiver, or null if there is none any more.
    fn report_found(&mut self, index: usize, effect: Effect) -> Result<(), Failure> {
        let is_static = self.method.access & flag::STATIC != 0;
        let has_receiver = !is_static && !self.code.overwrites_receiver() && self.has_receiver(index)?;
        self.edits.needs_stack(2);
        self.emit(&[DUP, if has_receiver { ALOAD_0 } else { ACONST_NULL }]);
        Ok(self.hook(effect.hook())?)
    }

    /// Emits the call with the result, an argument, which the method must not have changed, and the receiver.
    fn report_missed(&mut self, effect: Effect, argument: usize) -> Result<(), Failure> {
        if self.code.overwrites(self.slot_of(Subject::Argument(argument))) {
            return Err(Reason::NoReceiver.into());
        }
        self.edits.needs_stack(3);
        self.emit(&[DUP]);
        self.load_subject(Subject::Argument(argument));
        self.emit(&[ALOAD_0]);
        Ok(self.hook(effect.hook())?)
    }

    /// Emits the call with the result and the first argument, which the method must not have changed.
    fn report_retracted(&mut self, effect: Effect) -> Result<(), Failure> {
        let object = Subject::Argument(0);
        if self.code.overwrites(self.slot_of(object)) {
            return Err(Reason::NoReceiver.into());
        }
        self.edits.needs_stack(2);
        self.emit(&[DUP]);
        Ok(self.report_subject(effect, object)?)
    }

    /// Emits the call with the number of permits, which the method must not have changed, and the receiver.
    fn report_permits(&mut self, effect: Effect) -> Result<(), Failure> {
        let is_told = self.method.descriptor.starts_with(b"(I");
        if is_told && self.code.overwrites(1) {
            return Err(Reason::NoReceiver.into());
        }
        self.edits.needs_stack(3);
        self.emit(&[if is_told { ILOAD_1 } else { ICONST_1 }, ALOAD_0]);
        Ok(self.hook(effect.hook())?)
    }

    /// Emits the call with the receiver or an argument.
    fn report_subject(&mut self, effect: Effect, subject: Subject) -> Result<(), WeaveError> {
        self.edits.needs_stack(1);
        self.load_subject(subject);
        self.hook(effect.hook())
    }

    fn load_subject(&mut self, subject: Subject) {
        let slot = self.slot_of(subject);
        self.emit(&[ALOAD, slot]);
    }

    fn slot_of(&self, subject: Subject) -> u8 {
        let is_static = self.method.access & flag::STATIC != 0;
        let slot = match subject {
            Subject::Argument(n) => descriptor::reference_slot(self.method.descriptor, n).unwrap_or(0),
            Subject::This | Subject::Result => 0,
        };
        let first = usize::from(!is_static && matches!(subject, Subject::Argument(_)));
        (first + slot) as u8
    }

    /// Emits the call with the receiver and, for locks, the mode.
    fn report(&mut self, effect: Effect) -> Result<(), WeaveError> {
        self.edits.needs_stack(4);
        self.emit(&[ALOAD_0]);
        if let Effect::Acquires(mode)
        | Effect::AcquiresIf(mode)
        | Effect::AcquiresStamp(mode)
        | Effect::Converts(mode)
        | Effect::Releases(mode) = effect
        {
            self.constant(mode)?;
        }
        self.hook(effect.hook())
    }
}
