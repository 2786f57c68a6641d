//! What calls of the JDK are, by the rows of the models.
//!
//! A method has a row only if it does not call the application back. Where it would ask its arguments for `hashCode`, `equals`,
//! `compareTo` or `toString`, they must be of a type whose methods are the JDK's (*tame*). What has none is compound: it may block, call
//! back, or touch what threads share. What goes by the types of parameters is said here: strings, and what is thrown.

use facts::models::called::{Called, Does, Mover};

use super::basic::Basic;
use super::own_parts::OwnParts;
use crate::ir::{Body, Value};
use crate::program::{Base, Handle, MethodId, Name, Program, Type};
use crate::types::locks::{self, LockEffect};

/// What a call of a library's method is; the effects of locks are not its business.
#[must_use]
pub(super) fn of_call(
    program: &Program,
    own_parts: &OwnParts,
    method: MethodId,
    body: &Body,
    arguments: &[Value],
) -> Basic {
    let data = program.method(method);
    let (declaring, name) = (program.class_name(data.class), program.names().text(data.name));
    let call = Call { program, method, name: &name, body, arguments };
    let receiver = arguments.first().filter(|_| !data.is_static()).and_then(|first| call.class(*first));
    if own_parts.may_run(program, data.class, receiver.as_deref()) {
        return Basic::Compound;
    }
    if data.is_constructor() {
        return call.of_constructor(&declaring);
    }
    let of_class = |class: &str| call.of_class(class);
    receiver.and_then(|class| of_class(&class)).or_else(|| of_class(&declaring)).unwrap_or(Basic::Compound)
}

/// Whether an object of a class may be used like one that is not shared, if nobody else has it.
#[must_use]
pub(super) fn may_be_own(program: &Program, class: Type) -> bool {
    let is_own = |(_, does): &(_, Does)| matches!(does, Does::IsOwn { .. });
    let has_own =
        |name| Called::built_in().of_class(&program.names().text(name)).any(|row| row.methods.iter().any(is_own));
    class.as_class().is_some_and(has_own)
}

/// Whether a call is harmless if nobody else has the object that it is called on; such a call does not let it escape.
#[must_use]
pub(super) fn is_harmless_on_own(program: &Program, method: MethodId, body: &Body, arguments: &[Value]) -> bool {
    let data = program.method(method);
    let name = program.names().text(data.name);
    let call = Call { program, method, name: &name, body, arguments };
    let Some(receiver) = arguments.first().filter(|_| !data.is_static()) else { return false };
    let Some(class) = call.class(*receiver).filter(|_| may_be_own(program, body.instruction(*receiver).ty)) else {
        return false;
    };
    if data.is_constructor() {
        let is_of_numbers = || program.signature(method).parameters.iter().all(|ty| !ty.is_reference());
        return *program.class_name(data.class) == class && is_of_numbers();
    }
    // Text is made of what tells its text; collections keep what they are given.
    let own = |does: &Does| if let Does::IsOwn { asks } = does { Some(*asks) } else { None };
    let asks = Called::built_in().of_call(&class, &name, &call.descriptor(), own);
    asks.is_some_and(|asks| !asks || call.is_tame(1))
}

/// What taking a lock is, if it may not be held already, or giving it back, if it may be held no longer.
#[must_use]
pub(super) fn of_effect(effect: LockEffect) -> Basic {
    match effect {
        // An attempt that fails does nothing (`algorithms.md` 11.4).
        LockEffect::Acquires(_) | LockEffect::AcquiresIf(_) => Basic::Right,
        LockEffect::Releases => Basic::Left,
    }
}

/// What a call of a method does to a lock. An attempt that waits for a time is one too.
#[must_use]
pub(super) fn effect(program: &Program, method: MethodId) -> Option<LockEffect> {
    // Which of its modes a stamp stands for is not followed, so how often the lock is held is not known either.
    let is_stamped = program.class_name(program.method(method).class) == "java/util/concurrent/locks/StampedLock";
    locks::effect(program, method).filter(|_| !is_stamped)
}

/// What the making of a dynamic call site's result is: a lambda, or a string of its arguments.
#[must_use]
pub(super) fn of_dynamic(program: &Program, bootstrap: Option<Handle>, body: &Body, arguments: &[Value]) -> Basic {
    let owner = bootstrap.and_then(|handle| program.member(handle.member).owner.as_class());
    let is_tame = || arguments.iter().all(|value| is_tame(program, body.instruction(*value).ty));
    match owner.map(|owner| program.names().text(owner)).as_deref() {
        Some("java/lang/invoke/LambdaMetafactory") => Basic::Const,
        Some("java/lang/invoke/StringConcatFactory") if is_tame() => Basic::Const,
        _ => Basic::Compound,
    }
}

/// Whether values of a type are numbers, or objects whose methods are the JDK's.
fn is_tame(program: &Program, ty: Type) -> bool {
    let known = |name| is_value(&program.names().text(name));
    !ty.is_reference() || ty == Type::NULL || ty.as_class().is_some_and(known)
}

fn is_value(class: &str) -> bool {
    Called::built_in().of_class(class).any(|row| row.objects.is_value)
}

struct Call<'a> {
    program: &'a Program,
    method: MethodId,
    name: &'a str,
    body: &'a Body,
    arguments: &'a [Value],
}

impl Call<'_> {
    fn class(&self, value: Value) -> Option<String> {
        let name = self.body.instruction(value).ty.as_class()?;
        Some(self.program.names().text(name).into_owned())
    }

    fn of_class(&self, class: &str) -> Option<Basic> {
        if class == "java/lang/String" {
            return self.is_pure_on_text().then_some(Basic::Const);
        }
        let (is, asks) = self.row(class)?;
        ((!asks || self.is_tame(1)) && !self.takes_function()).then_some(is).filter(|is| *is != Basic::Compound)
    }

    /// What the models say, and whether it asks its arguments.
    fn row(&self, class: &str) -> Option<(Basic, bool)> {
        let moves = |does: &Does| if let Does::Moves { mover, asks } = does { Some((*mover, *asks)) } else { None };
        let (mover, asks) = Called::built_in().of_call(class, self.name, &self.descriptor(), moves)?;
        let is = match mover {
            Mover::Constant => Basic::Const,
            Mover::Both => Basic::Mover,
            Mover::Left => Basic::Left,
            Mover::Right => Basic::Right,
            Mover::Atomic => Basic::Atomic,
            Mover::Compound => Basic::Compound,
        };
        Some((is, asks))
    }

    fn descriptor(&self) -> std::borrow::Cow<'_, str> {
        self.program.names().text(self.program.signature(self.method).text)
    }

    fn of_constructor(&self, class: &str) -> Basic {
        let parameters = &self.program.signature(self.method).parameters;
        let of_numbers = parameters.iter().all(|ty| !ty.is_reference());
        let of_text = |ty: &Type| *ty == Type::class(Name::STRING) || self.names(*ty, "java/lang/Throwable");
        let throwable = self.program.names().get(b"java/lang/Throwable").and_then(|name| self.program.find(name));
        let class_id = self.program.method(self.method).class;
        let is_thrown = throwable.is_some_and(|throwable| self.program.is_subclass(class_id, throwable));
        // What is thrown asks its cause for a text only if it has none itself.
        let is_made_of_text =
            parameters.iter().all(of_text) && !matches!(parameters[..], [cause] if cause != Type::class(Name::STRING));
        let is_listed = self.row(class).is_some_and(|(is, _)| is != Basic::Compound);
        let is_fresh = of_numbers && Called::built_in().of_class(class).any(|row| row.objects.is_fresh);
        if is_listed || is_fresh || is_thrown && is_made_of_text { Basic::Mover } else { Basic::Compound }
    }

    /// Methods of strings that look at nothing but strings and numbers.
    fn is_pure_on_text(&self) -> bool {
        let parameters = &self.program.signature(self.method).parameters;
        let is_text = |ty: &Type| !ty.is_reference() || *ty == Type::class(Name::STRING);
        self.name == "equals" || parameters.iter().all(is_text)
    }

    /// Whether the arguments from one on are the JDK's own, or numbers.
    fn is_tame(&self, from: usize) -> bool {
        let from = if self.program.method(self.method).is_static() { 0 } else { from };
        self.arguments.iter().skip(from).all(|value| is_tame(self.program, self.body.instruction(*value).ty))
    }

    /// Whether code may be passed to it.
    fn takes_function(&self) -> bool {
        let names = self.program.names();
        let is_function = |ty: &Type| match ty.base {
            Base::Class(class) => names.text(class).starts_with("java/util/function/"),
            _ => false,
        };
        self.program.signature(self.method).parameters.iter().any(is_function)
    }

    fn names(&self, ty: Type, class: &str) -> bool {
        ty.as_class().is_some_and(|name| self.program.names().text(name) == class)
    }
}
