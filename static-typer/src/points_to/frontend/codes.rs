//! The code of every method that is reached, extracted once, and which code a call on an object runs.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ir::{Body, Value};
use crate::points_to::Sensitivity;
use crate::points_to::core::code::{CallSite, Code, Dispatch};
use crate::points_to::core::id::CodeId;
use crate::points_to::core::site::Site;
use crate::points_to::library::models;
use crate::points_to::library::opaque::opaque;
use crate::points_to::library::parts::ClosedParts;
use crate::points_to::reflection::api::Apis;
use crate::points_to::reflection::call::MAX_FOLLOWED;
use crate::points_to::reflection::mirrors::Subject;
use crate::points_to::reflection::proxies;
use crate::program::{ClassId, MethodId, Name, Type, flag};

use super::extract::Extractor;
use super::handles::Handles;
use super::resolve::{Resolution, Selection, is_receiver};

/// The code that was extracted.
pub struct Codes<'a> {
    resolution: &'a Resolution<'a>,
    sensitivity: &'a Sensitivity,
    closed: ClosedParts,
    extractor: Extractor<'a>,
    codes: Vec<Option<Arc<Code>>>,
    of_method: FxHashMap<MethodId, CodeId>,
    instead: FxHashMap<(Instead, MethodId), CodeId>,
    mirrors: FxHashMap<Subject, CodeId>,
    /// How many things each reflective call was made on.
    made_on: FxHashMap<(MethodId, Value), usize>,
    selection: Selection,
    missing: Vec<MethodId>,
    bytes: usize,
}

/// Whose code runs in place of a method's own, if it has any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Instead {
    /// A client implements an abstract method.
    Implemented,
    /// A client may override a default method.
    Overridden,
    /// A proxy has it.
    Proxied,
    /// A library implements it that is not followed.
    Opaque,
}

impl<'a> Codes<'a> {
    /// No code yet.
    pub fn new(resolution: &'a Resolution<'a>, handles: &'a Handles<'a>, sensitivity: &'a Sensitivity) -> Self {
        let closed = if resolution.has_every_part { ClosedParts::default() } else { ClosedParts::of(resolution) };
        Self {
            resolution,
            sensitivity,
            closed,
            extractor: Extractor {
                resolution,
                handles,
                apis: Apis::of(resolution.program),
                next: CodeId(0),
                lambdas: Vec::new(),
            },
            codes: Vec::new(),
            of_method: FxHashMap::default(),
            instead: FxHashMap::default(),
            mirrors: FxHashMap::default(),
            made_on: FxHashMap::default(),
            selection: Selection::default(),
            missing: Vec::new(),
            bytes: 0,
        }
    }

    /// About how many bytes it takes.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Code by its number.
    pub fn get(&self, code: CodeId) -> Arc<Code> {
        self.codes[code.0 as usize].clone().unwrap_or_default()
    }

    /// Adds code that is no method's. Codes and lambdas are numbered together.
    pub fn add(&mut self, code: Code) -> CodeId {
        let id = self.extractor.next;
        self.extractor.next.0 += 1;
        self.set(id, code);
        id
    }

    /// The code of a method; none if it is abstract, damaged or missing.
    pub fn of_method(&mut self, method: MethodId) -> Option<CodeId> {
        if self.resolution.program.method(method).access & flag::ABSTRACT != 0 {
            return None;
        }
        if let Some(code) = self.of_method.get(&method) {
            return Some(*code);
        }
        let is_opaque = self.resolution.is_opaque(self.resolution.program.method(method).class);
        let model = || models::model(self.resolution, &self.closed, method);
        let code = match if is_opaque { Some(opaque(self.resolution, method)) } else { model() } {
            Some(code) => code,
            None => self.extract(method)?,
        };
        let code = self.add(code);
        self.of_method.insert(method, code);
        Some(code)
    }

    /// The code that a call runs on an object of a type and from a site.
    pub fn on(&mut self, site: &CallSite, ty: Type, from: Site) -> Option<CodeId> {
        let subject = Subject::of(&self.extractor.apis, site, ty, from);
        if let Some(subject) =
            subject.and_then(|subject| if site.is_logged { Some(subject) } else { self.admit(subject) })
        {
            return Some(self.mirror(subject));
        }
        let program = self.resolution.program;
        let class = program.class_of(ty)?;
        if proxies::is_proxy(program, from, ty) && proxies::is_handed_on(program, site.method) {
            return is_receiver(program, class, site.method).then(|| self.instead(Instead::Proxied, site.method));
        }
        let method = match site.dispatch {
            Dispatch::Virtual => self.selection.select(program, class, site.method),
            _ => Some(site.method).filter(|method| is_receiver(program, class, *method)),
        }?;
        match from {
            Site::Lambda(_, _, bridge) if program.method(method).access & flag::ABSTRACT != 0 => {
                self.of_object(method).map_or(Some(bridge), |own| self.of_method(own))
            }
            _ if program.method(method).access & flag::ABSTRACT != 0
                && self.resolution.is_opaque(program.method(method).class) =>
            {
                Some(self.instead(Instead::Opaque, method))
            }
            Site::Given(_) if program.method(method).access & flag::ABSTRACT != 0 => Some(self.of_client(method)),
            Site::Given(_) if self.may_be_overridden(class, method) => Some(self.instead(Instead::Overridden, method)),
            _ => self.of_method(method),
        }
    }

    /// The method of `Object` that an interface declares once more, as `Comparator` does with `equals`: no lambda implements it.
    fn of_object(&self, method: MethodId) -> Option<MethodId> {
        let program = self.resolution.program;
        let data = program.method(method);
        let own = program.declared_method(program.find(Name::OBJECT)?, data.name, data.descriptor)?;
        (program.method(own).access & flag::PUBLIC != 0).then_some(own)
    }

    /// What a reflective call is followed on. Of more than [`MAX_FOLLOWED`] things it is not known which one is meant.
    fn admit(&mut self, subject: Subject) -> Option<Subject> {
        let call = subject.known.as_ref().map(|known| (known.caller, known.at));
        let Some(call) = call.filter(|_| !self.mirrors.contains_key(&subject)) else {
            return Some(subject);
        };
        let n_things = self.made_on.entry(call).or_default();
        *n_things += 1;
        if *n_things <= MAX_FOLLOWED { Some(subject) } else { subject.unknown() }
    }

    /// The initializer of a class.
    pub fn initializer(&mut self, class: ClassId) -> Option<CodeId> {
        let program = self.resolution.program;
        let initializer = program.methods_of(class).find(|method| program.method(*method).name == Name::CLINIT);
        initializer.and_then(|method| self.of_method(method))
    }

    /// Every code by its number, and the methods that have none that can be read.
    pub fn into_parts(self) -> (Vec<Option<Arc<Code>>>, Vec<MethodId>) {
        (self.codes, self.missing)
    }

    fn set(&mut self, id: CodeId, mut code: Code) {
        // That of a reflective call is made for its call already.
        let method = code.method.filter(|_| code.mirrors.is_none());
        let contexts = method.map(|method| self.sensitivity.contexts(self.resolution.program, method));
        code.contexts = contexts.unwrap_or_default();
        self.bytes += code.bytes();
        let index = id.0 as usize;
        if self.codes.len() <= index {
            self.codes.resize(index + 1, None);
        }
        self.codes[index] = Some(Arc::new(code));
    }

    /// The code of a reflective call.
    fn mirror(&mut self, subject: Subject) -> CodeId {
        if let Some(code) = self.mirrors.get(&subject) {
            return *code;
        }
        let code = self.add(subject.code(self.resolution));
        self.mirrors.insert(subject, code);
        code
    }

    /// Whether a client's class that implements an interface of the library may have another method in the place of a default one.
    fn may_be_overridden(&self, class: ClassId, method: MethodId) -> bool {
        let program = self.resolution.program;
        let is_own = |class: ClassId| program.class(class).is_application && program.class(class).is_interface();
        let is_open = program.method(method).access & (flag::PRIVATE | flag::STATIC) == 0;
        !self.resolution.has_opaque() && is_open && is_own(class) && is_own(program.method(method).class)
    }

    /// The code of a client's implementation of an abstract method.
    pub fn of_client(&mut self, method: MethodId) -> CodeId {
        self.instead(Instead::Implemented, method)
    }

    /// The code that runs in place of a method's own.
    fn instead(&mut self, instead: Instead, method: MethodId) -> CodeId {
        if let Some(code) = self.instead.get(&(instead, method)) {
            return *code;
        }
        let code = self.add(match instead {
            Instead::Implemented => models::client(self.resolution, method),
            Instead::Overridden => models::overriding(self.resolution, method),
            Instead::Proxied => proxies::proxied(self.resolution, method),
            Instead::Opaque => opaque(self.resolution, method),
        });
        self.instead.insert((instead, method), code);
        code
    }

    fn extract(&mut self, method: MethodId) -> Option<Code> {
        let Some(Ok(body)) = Body::of(self.resolution.program, method) else {
            self.missing.push(method);
            return None;
        };
        let code = self.extractor.code(&body);
        for lambda in std::mem::take(&mut self.extractor.lambdas) {
            let bridge = models::lambda(self.resolution, &lambda);
            self.set(lambda.code, bridge);
        }
        Some(code)
    }
}
