//! Libraries that are not followed: those of a program that application frameworks use are larger than the program by far, and what
//! they do with its objects is mostly what frameworks do.
//!
//! A method of theirs returns an object of the type that it declares, and calls what it is given: methods of the interface that it takes a
//! parameter for, a task in another thread. It keeps nothing, so what a program finds again in a cache of such a library
//! is not known; libraries of collections and caches are followed.

use crate::points_to::core::code::{CallSite, Code, Dispatch, Local, NOWHERE, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::resolve::Resolution;
use crate::program::{ClassId, MethodId, Name, Program, Type, flag};

use super::models::{declared, returns};

/// Types of tasks.
const TASKS: [&str; 3] = ["java/lang/Runnable", "java/lang/Thread", "java/util/concurrent/Callable"];
/// An interface that has more methods is nothing that a program passes to be called back.
const MAX_CALLED: usize = 8;

/// What a method of one does.
#[must_use]
pub fn opaque(resolution: &Resolution<'_>, method: MethodId) -> Code {
    let program = resolution.program;
    let mut code = declared(resolution, method);
    returns(resolution, &mut code, method);
    let n_receivers = usize::from(!program.method(method).is_static());
    let types = program.signature(method).parameters.clone();
    let parameters: Vec<Option<Local>> = code.parameters[n_receivers..].to_vec();
    for (ty, parameter) in types.iter().zip(parameters) {
        if let Some(class) = program.class_of(*ty).filter(|_| ty.element().is_none())
            && let Some(parameter) = parameter
        {
            call_back(program, &mut code, class, parameter);
        }
    }
    code.finish();
    code
}

/// Calls what a type that is not the program's declares.
fn call_back(program: &Program, code: &mut Code, class: ClassId, on: Local) {
    if program.class(class).is_application {
        return;
    }
    let is_open = |method: &MethodId| {
        let data = program.method(*method);
        data.access & flag::ABSTRACT != 0 && !is_of_object(program, *method)
    };
    let open: Vec<MethodId> =
        program.ancestors(class).flat_map(|above| program.methods_of(above)).filter(is_open).collect();
    let is_task = TASKS.contains(&&*program.class_name(class));
    if open.len() <= MAX_CALLED {
        open.into_iter().for_each(|method| call_one(program, code, method, on, is_task));
    }
}

fn call_one(program: &Program, code: &mut Code, method: MethodId, on: Local, is_task: bool) {
    let passed =
        program.signature(method).parameters.iter().map(|ty| ty.is_reference().then(|| own(code, method, *ty)));
    let arguments: Vec<Option<Local>> = std::iter::once(Some(on)).chain(passed).collect();
    let site = call(Dispatch::Virtual, method, arguments.into());
    code.call(CallSite { is_fork: is_task, repeats: is_task, ..site });
}

/// An object that the library calls with.
fn own(code: &mut Code, method: MethodId, ty: Type) -> Local {
    let own = code.local();
    let site = if ty == Type::class(Name::STRING) { Site::Merged(ty) } else { Site::Reflected(method, NOWHERE, ty) };
    code.allocations.push((own, site, ty));
    own
}

fn is_of_object(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    program
        .find(Name::OBJECT)
        .is_some_and(|object| program.declared_method(object, data.name, data.descriptor).is_some())
}
