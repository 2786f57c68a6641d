//! Code as bytes: by these it is known that a method is what it was.
//!
//! Instructions have no numbers there, so that arithmetic may change without changing what the method is to others.

use static_typer::points_to::{Access, CallSite, Code, CodeId, Dispatch, Local, Lock, Site, Use};
use static_typer::types::may_release;

use super::bytes::{Reader, Writer};
use super::facts::hash;
use super::form::Form;
use super::names::Names;

impl Names<'_, '_> {
    /// What code is, with all that the program says of what it names, and whether what it calls for sure has code; none if something
    /// has no name. What its other calls may run is said where that was asked.
    pub fn digest(&self, code: CodeId) -> Option<u128> {
        if let Some(known) = self.codes.borrow().get(&code) {
            return *known;
        }
        let mut writer = Writer::new(self);
        writer.code(code);
        write_code(&mut writer, self.graph.code(code));
        for site in &self.graph.code(code).calls {
            // Models may say so of what overrides the method, wherever that is.
            may_release(self.graph.program, site.method).write(&mut writer);
            if site.dispatch != Dispatch::Virtual {
                self.graph.of_method(site.method).is_some().write(&mut writer);
            }
        }
        self.fresh.borrow_mut().showing(self.graph, code).map(|calls| calls.to_vec()).write(&mut writer);
        let written = writer.finish();
        let digest = written.map(|written| {
            let facts = self.facts(&written.table);
            hash(&[&written.bytes[..], &facts.to_le_bytes()].concat())
        });
        self.codes.borrow_mut().insert(code, digest);
        digest
    }

    /// The same, with the order of its instructions.
    pub fn digest_in_order(&self, code: CodeId) -> Option<u128> {
        let data = self.graph.code(code);
        let mut found = self.digest(code)?.to_le_bytes().to_vec();
        if data.lambda.is_none()
            && let Some(method) = data.method
        {
            found.extend(self.graph.program.skeleton(method));
            let places = data.calls.iter().map(|site| site.at).chain(data.accesses.iter().map(|access| access.at));
            places.for_each(|at| found.extend(at.0.to_le_bytes()));
        }
        Some(hash(&found))
    }
}

fn write_code(to: &mut Writer<'_, '_>, code: &Code) {
    code.lambda.is_some().write(to);
    code.n_locals.write(to);
    code.parameters.write(to);
    code.result.write(to);
    to.number(code.allocations.len() as u64);
    for (local, site, ty) in &code.allocations {
        local.write(to);
        write_site(to, code, site);
        ty.write(to);
        to.note_made(*ty);
    }
    code.copies.write(to);
    code.global_loads.write(to);
    code.global_stores.write(to);
    code.calls.iter().for_each(|site| write_call(to, site));
    code.accesses.iter().for_each(|access| write_access(to, access));
    for (base, used) in code.all_uses() {
        base.write(to);
        write_use(to, used);
    }
    for local in (0..code.n_locals).map(Local) {
        let (root, fields) = code.path(local);
        if !fields.is_empty() {
            (local, root, fields).write(to);
        }
    }
}

/// A site of the code itself is what stands in this place.
fn write_site(to: &mut Writer<'_, '_>, code: &Code, site: &Site) {
    let (tag, at, depth) = match site {
        Site::New(_, at, depth) => (1_u8, at, *depth),
        Site::Copy(_, at, depth) => (2, at, *depth),
        Site::Reflected(_, at, _) => (3, at, 0),
        Site::Lambda(_, at, bridge) => {
            to.code(*bridge);
            (4, at, 0)
        }
        site => {
            to.number(0);
            return site.write(to);
        }
    };
    (tag, depth, code.repeated.contains(at)).write(to);
}

fn write_call(to: &mut Writer<'_, '_>, site: &CallSite) {
    let dispatch = match site.dispatch {
        Dispatch::Static => 0_u8,
        Dispatch::Special => 1,
        Dispatch::Virtual => 2,
    };
    (dispatch, site.method).write(to);
    (site.arguments.clone(), site.result).write(to);
    (site.is_fork, site.held.clone(), site.repeats).write(to);
    site.gives_back_own.write(to);
}

fn write_access(to: &mut Writer<'_, '_>, access: &Access) {
    (access.slot, access.base, access.array).write(to);
    (access.write, access.held.clone()).write(to);
}

fn write_use(to: &mut Writer<'_, '_>, used: &Use) {
    match used {
        Use::Load(slot, local, ty) => {
            to.number(0);
            (*slot, *local, *ty).write(to);
        }
        Use::Store(slot, local) => {
            to.number(1);
            (*slot, *local).write(to);
        }
        Use::Call(call) => (2_u8, *call).write(to),
        Use::Clone(local) => (3_u8, *local).write(to),
        Use::Open(local) => (4_u8, *local).write(to),
        Use::Resize(local, method, _) => (5_u8, *local, *method).write(to),
        Use::ClassOf(local, method) => (6_u8, *local, *method).write(to),
    }
}

impl Form for Local {
    fn write(&self, to: &mut Writer<'_, '_>) {
        self.0.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        u32::read(from).map(Self)
    }
}

impl Form for Lock {
    fn write(&self, to: &mut Writer<'_, '_>) {
        (self.local, self.monitor, self.shared).write(to);
        self.is_flag.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let ((local, monitor, shared), is_flag) = (Form::read(from)?, Form::read(from)?);
        Some(Self { local, monitor, shared, is_flag })
    }
}
