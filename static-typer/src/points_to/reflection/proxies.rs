//! What `Proxy.newProxyInstance` makes: objects that implement interfaces, and hand each call to a handler (JDK 17, `Proxy`).

use crate::points_to::core::code::{CallSite, Code, Dispatch, Slot, call};
use crate::points_to::core::site::Site;
use crate::points_to::frontend::resolve::Resolution;
use crate::points_to::library::models::{declared, returns};
use crate::program::{FieldId, MethodId, Program, Type};

const HANDLER: &str = "java/lang/reflect/InvocationHandler";
const INVOKE: &str = "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;";
/// The methods of `Object` that the handler gets, too.
const OF_OBJECT: [&str; 3] = ["equals", "hashCode", "toString"];

/// The field in which a proxy keeps its handler.
pub fn handler(program: &Program) -> Option<FieldId> {
    program.field_named("java/lang/reflect/Proxy", "h")
}

/// Whether a type is that of an interface.
pub fn is_interface(program: &Program, ty: Type) -> bool {
    ty.dimensions == 0 && program.class_of(ty).is_some_and(|class| program.class(class).is_interface())
}

/// Whether objects from a site are proxies: nothing else that reflection makes has the type of an interface.
pub fn is_proxy(program: &Program, from: Site, ty: Type) -> bool {
    matches!(from, Site::Reflected(..)) && is_interface(program, ty)
}

/// Whether a proxy hands a call of a method to its handler.
pub fn is_handed_on(program: &Program, method: MethodId) -> bool {
    let data = program.method(method);
    let is_of_object = &*program.class_name(data.class) == "java/lang/Object";
    !data.is_static() && (!is_of_object || OF_OBJECT.contains(&&*program.names().text(data.name)))
}

/// The code of a proxy's method.
#[must_use]
pub fn proxied(resolution: &Resolution<'_>, method: MethodId) -> Code {
    let program = resolution.program;
    let mut code = declared(resolution, method);
    let (this, parameters) = (code.parameters[0], code.parameters[1..].to_vec());
    let field = handler(program);
    let invoke = program.method_named(HANDLER, "invoke", INVOKE);
    if let (Some(of), Some(field), Some(invoke)) = (this, field, invoke) {
        let (handler, mirror, array, returned) = (code.local(), code.local(), code.local(), code.local());
        code.load(handler, of, Slot::Field(field));
        code.allocations.push((mirror, Site::Method(method), program.signature(invoke).parameters[1]));
        code.allocations.push((array, Site::Returned(method), program.signature(invoke).parameters[2]));
        for argument in parameters.into_iter().flatten() {
            code.store(array, Slot::Element, argument);
        }
        let arguments = Box::new([Some(handler), this, Some(mirror), Some(array)]);
        code.call(CallSite { result: Some(returned), ..call(Dispatch::Virtual, invoke, arguments) });
        let ty = program.signature(method).result;
        if ty.is_reference() {
            let result = code.result_local();
            code.copies.push((result, returned, Some(ty)));
        }
    } else {
        returns(resolution, &mut code, method);
    }
    code.finish();
    code
}
