//! Which fields and classes there are, and where their shadow words are.

use std::ptr;

use facts::access::{AccessKind, Granularity};
use facts::models::contents;
use facts::models::inherited::{Inherited, Number};
use facts::site::{ArrayRef, FieldRef};
use facts::{hook, name};
use jvmti_bindings::sys::jni::{jboolean, jbyteArray, jclass, jint, jobject, jstring};

use crate::jvmti::Class;
use crate::loading::Loading;
use crate::sites::Target;

natives! {
    /// The class of the woven caller.
    fn caller(agent, env, _site: jint) -> jclass, else ptr::null_mut() => {
        agent.vm.caller().map(|class| class.0)
    }

    /// Dotted name of the class that the field reference of a site names.
    fn owner(agent, env, site: jint) -> jstring, else ptr::null_mut() => {
        match agent.sites.target(site as u32) {
            Target::Field(field) | Target::Array(ArrayRef { origin: Some((field, _)), .. }) => {
                Some(env.string(&name::dotted(&field.class)))
            }
            _ => None,
        }
    }

    /// Name of the shadow word for the field of a site, or of the field for the shadow of its array.
    fn shadow(agent, env, site: jint) -> jstring, else ptr::null_mut() => {
        let by_object = agent.mode.options.granularity == Granularity::Object;
        match agent.sites.target(site as u32) {
            Target::Array(ArrayRef { origin: Some((field, _)), .. }) => {
                Some(env.string(&hook::array_shadow_name(&field.name)))
            }
            _ if by_object && !agent.variables.is_volatile(site as u32) => Some(env.string(hook::OBJECT_SHADOW)),
            Target::Field(field) => Some(env.string(&hook::shadow_name(&field.name, &field.descriptor))),
            _ => None,
        }
    }

    /// Resolves the field of a site (JVMS 5.4.3.2), starting at a class that is or extends the one the reference names.
    fn declaring(agent, env, start: jclass, site: jint, is_static: jboolean) -> jclass, else ptr::null_mut() => {
        agent.variables.resolve(env, Class(start), site as u32, is_static != 0).map(|class| class.0)
    }

    /// The site of a call that accesses a field by what stands for it.
    fn reflectiveSite(
        agent, env, call: jint, class: jstring, name: jstring, descriptor: jstring, is_static: jboolean, write: jboolean
    ) -> jint, else 0 => {
        let class = env.text(class).replace('.', "/");
        let field = FieldRef { class, name: env.text(name), descriptor: env.text(descriptor) };
        let kind = if write != 0 { AccessKind::Write } else { AccessKind::Read };
        Some(agent.sites.reflective(call as u32, &field, kind, is_static != 0) as jint)
    }

    /// The slot of a static field.
    fn slot(agent, env, class_id: jint, site: jint) -> jint, else jint::MAX => {
        match agent.sites.target(site as u32) {
            Target::Field(field) => Some(agent.variables.slot(class_id, field) as jint),
            _ => None,
        }
    }

    /// Whether the field of a site is volatile.
    fn isVolatile(agent, env, site: jint) -> jboolean, else 0 => {
        Some(agent.variables.is_volatile(site as u32).into())
    }

    /// Names of the fields for what is kept of a class's objects, with a semicolon after each, and `clone` if it declares such a method.
    fn added(agent, env, of: jclass) -> jstring, else ptr::null_mut() => {
        let kept: String = agent.vm.fields_like(Class(of), hook::is_kept).iter().map(|name| format!("{name};")).collect();
        let clones = agent.vm.has_method(Class(of), "clone", "()Ljava/lang/Object;");
        Some(env.string(&(kept + if clones { "clone" } else { "" })))
    }

    /// What the models say of the contents of a class's objects.
    fn contents(agent, env, of: jstring) -> jstring, else ptr::null_mut() => {
        let name = env.text(of).replace('.', "/");
        let field = contents::stands_for(&name).or(contents::has_word(&name).then_some(""))?;
        let lock = contents::lock_of(&name).map(|lock| format!(",{lock}")).unwrap_or_default();
        Some(env.string(&format!("{field}{lock}")))
    }

    /// Which method is called at a site on an object that may be one of the library, in bits (`JraceInherited`).
    fn callee(agent, _env, site: jint) -> jint, else 0 => {
        let callee = agent.sites.callee(site as u32);
        let number = callee.method.map_or(0, |method| jint::from(method.0));
        Some(number << 1 | jint::from(callee.is_inherited))
    }

    /// Whether the code at a site is that of a class.
    fn isIn(agent, _env, of: jclass, site: jint) -> jboolean, else 0 => {
        let place = agent.sites.place(site as u32)?;
        Some((agent.vm.internal_name(Class(of))? == place.class).into())
    }

    /// Whether a class itself has a public method with a part in what one of the library does: this one, if that counts, or one it calls.
    fn touches(agent, env, of: jclass, library: jstring, number: jint, itself: jboolean) -> jboolean, else 1 => {
        let library = env.text(library).replace('.', "/");
        let called = Inherited::of(Number(number as u16))?;
        let touches = |(name, descriptor): (String, String)| {
            let is_it = (&*name, &*descriptor) == called.method();
            if is_it { itself != 0 } else { called.may_call(&library, &name, &descriptor) }
        };
        let methods = agent.vm.methods_of(Class(of)).into_iter().filter(|method| agent.vm.is_public(*method));
        Some(methods.filter_map(|method| agent.vm.name_of(method)).any(touches).into())
    }

    /// Whether a class itself declares a public method that accesses contents where objects of the class of the library above it do.
    fn overrides(agent, env, of: jclass, library: jstring) -> jboolean, else 1 => {
        let library = env.text(library).replace('.', "/");
        let accesses = |(name, descriptor): (String, String)| {
            !matches!(name.as_str(), "toString" | "hashCode" | "equals")
                && contents::call(&library, &name, &descriptor).is_some_and(|call| call.object.is_some())
        };
        let methods = agent.vm.methods_of(Class(of)).into_iter().filter(|method| agent.vm.is_public(*method));
        Some(methods.filter_map(|method| agent.vm.name_of(method)).any(accesses).into())
    }

    /// A class file with checks, or null.
    fn weave(agent, env, bytes: jbyteArray, loader: jobject) -> jbyteArray, else ptr::null_mut() => {
        let bytes = env.bytes(bytes)?;
        let header = instrumenter::header(&bytes).ok()?;
        let loader = agent.loaders.kind(env, loader);
        let class = Loading { name: &header.name, loader, bytes: &bytes, redefined: None };
        env.new_bytes(&agent.weaver.weave(class)?)
    }
}
