//! Loading: class files become classes, and what they name is looked for.

use std::collections::VecDeque;
use std::ops::Range;

use classfile::annotation;
use classfile::attribute::{Attributes, BootstrapMethod, bootstrap_methods};
use classfile::descriptor::FieldType;
use classfile::pool::{Constant as Entry, Pool, Reference};
use classfile::{Malformed, text};
use rustc_hash::FxHashSet;

use super::{
    Annotation, Bootstrap, Class, ClassId, Constant, Descriptor, Field, Handle, Member, MemberRef, Method, Name,
    Problem, Program, Type, flag,
};
use crate::classpath::{ClassPath, FoundClass};

impl Program {
    /// The application on a class path, with the classes it names and their superclasses and interfaces. Of two classes of
    /// one name the first counts, as in Java.
    ///
    /// What is damaged or missing is left out and stands in [`Program::problems`] and [`Program::missing`].
    #[must_use]
    pub fn load(path: &mut ClassPath) -> Self {
        let application = path.application();
        Self::of(application, |name| path.find(name))
    }

    /// The same with the code of libraries and of the JDK, and everything that these name in turn.
    #[must_use]
    pub fn load_whole(path: &mut ClassPath) -> Self {
        Self::load_whole_and(path, Vec::new())
    }

    /// The same with classes that nothing needs to name, by their internal names; those that are missing are no problem.
    #[must_use]
    pub fn load_whole_and(path: &mut ClassPath, unnamed: Vec<String>) -> Self {
        let application = path.application();
        let services = path.services();
        Loader { keeps_libraries: true, services, unnamed, ..Loader::default() }
            .load(application, |name| path.find(name))
    }

    /// The same for class files at hand, with a way to find others by name.
    #[must_use]
    pub fn of(application: Vec<FoundClass>, find: impl FnMut(&str) -> Option<FoundClass>) -> Self {
        Loader::default().load(application, find)
    }

    /// The same with the code of libraries.
    #[must_use]
    pub fn of_whole(application: Vec<FoundClass>, find: impl FnMut(&str) -> Option<FoundClass>) -> Self {
        Loader { keeps_libraries: true, ..Loader::default() }.load(application, find)
    }
}

#[derive(Default)]
struct Loader {
    program: Program,
    /// Names of the superclass and the interfaces of each class.
    supers: Vec<(Option<Name>, Vec<Name>)>,
    wanted: VecDeque<Name>,
    /// Names that were looked for, so that what is missing or damaged is looked for once.
    sought: FxHashSet<Name>,
    /// Whether the code of libraries is kept as well.
    keeps_libraries: bool,
    /// Services and their providers.
    services: Vec<(String, String)>,
    /// Classes that are wanted though no code names them.
    unnamed: Vec<String>,
}

impl Loader {
    fn load(mut self, application: Vec<FoundClass>, mut find: impl FnMut(&str) -> Option<FoundClass>) -> Program {
        for found in application {
            self.add(found, true);
        }
        // What libraries name and lack is no concern of the application.
        let mut named = if self.keeps_libraries { self.wanted.len() } else { usize::MAX };
        self.add_services();
        for class in std::mem::take(&mut self.unnamed) {
            self.wanted.push_back(self.program.names.intern(&classfile::modified(&class)));
        }
        while let Some(name) = self.wanted.pop_front() {
            if self.program.find(name).is_none() && self.sought.insert(name) {
                let text = self.program.names.text(name).into_owned();
                match find(&text) {
                    Some(found) => self.add(found, false),
                    None if named > 0 => self.program.missing.push(name),
                    None => {}
                }
            }
            named = named.saturating_sub(1);
        }
        self.link()
    }

    /// Providers are classes of the program, though no code names them.
    fn add_services(&mut self) {
        for (service, provider) in std::mem::take(&mut self.services) {
            let [service, provider] = [service, provider].map(|name| {
                let internal = name.replace('.', "/");
                self.program.names.intern(&classfile::modified(&internal))
            });
            self.wanted.push_back(provider);
            self.program.services.push((service, provider));
        }
    }

    fn add(&mut self, found: FoundClass, is_application: bool) {
        let FoundClass { bytes, origin } = found;
        if let Err((class, reason)) = self.read(&bytes, &origin, is_application) {
            self.program.problems.push(Problem { origin, class, reason });
        }
    }

    fn read(&mut self, bytes: &[u8], origin: &std::path::Path, is_application: bool) -> Result<(), (String, String)> {
        let unnamed = |malformed: Malformed| (String::new(), malformed.to_string());
        let file = classfile::Class::read(bytes).map_err(unnamed)?;
        if file.access & flag::MODULE != 0 {
            return Ok(());
        }
        let class = file.pool.class_name(file.this_class).map_err(unnamed)?;
        let name = self.program.names.intern(class);
        if self.program.find(name).is_some() {
            return Ok(());
        }
        let describe = |reason| (text(class).into_owned(), reason);
        let supers = self.supers_of(&file).map_err(|malformed| describe(malformed.to_string()))?;
        let origin = self.program.origins.insert_full(origin.to_owned()).0 as u32;
        let kept = (is_application || self.keeps_libraries).then_some(bytes);
        let mut class = self.class(&file, name, origin, kept).map_err(describe)?;
        class.is_application = is_application;
        self.wanted.extend(supers.0.iter().chain(&supers.1));
        self.declare(ClassId(self.program.classes.len() as u32), &class);
        self.program.classes.push(class);
        self.supers.push(supers);
        Ok(())
    }

    /// Makes a class known; one that turns out damaged leaves no trace.
    fn declare(&mut self, id: ClassId, class: &Class) {
        let program = &mut self.program;
        program.by_name.insert(class.name, id);
        for method in class.methods.clone().map(super::MethodId) {
            let Method { name, descriptor, .. } = program.methods[method.index()];
            program.declared_methods.insert((id, name, descriptor), method);
        }
        for field in class.fields.clone().map(super::FieldId) {
            let Field { name, ty, .. } = program.fields[field.index()];
            program.declared_fields.insert((id, name, ty), field);
        }
    }

    fn supers_of(&mut self, file: &classfile::Class<'_>) -> Result<(Option<Name>, Vec<Name>), Malformed> {
        let names = &mut self.program.names;
        let super_class = match file.super_class {
            0 => None,
            index => Some(names.intern(file.pool.class_name(index)?)),
        };
        let interfaces = file.interfaces().map(|index| Ok(names.intern(file.pool.class_name(index)?)));
        Ok((super_class, interfaces.collect::<Result<_, Malformed>>()?))
    }

    /// `kept` are the bytes of a class whose code is analysed.
    fn class(
        &mut self,
        file: &classfile::Class<'_>,
        name: Name,
        origin: u32,
        kept: Option<&[u8]>,
    ) -> Result<Class, String> {
        let bootstraps = read_bootstrap_methods(file).map_err(|malformed| malformed.to_string())?;
        let id = ClassId(self.program.classes.len() as u32);
        let (first_field, first_method) = (self.program.fields.len(), self.program.methods.len());
        let members = self.fields(file, id, kept.is_some()).and_then(|()| self.methods(file, id, kept.is_some()));
        if let Err(reason) = members {
            self.program.fields.truncate(first_field);
            self.program.methods.truncate(first_method);
            return Err(reason);
        }
        let source_file = file.source_file.and_then(|index| file.pool.utf8(index).ok());
        let source_file = source_file.map(|text| self.program.names.intern(text));
        let pool = if kept.is_some() { self.pool(file) } else { Vec::new() };
        Ok(Class {
            name,
            access: file.access,
            version: file.version,
            super_class: None,
            interfaces: Vec::new(),
            is_incomplete: false,
            fields: first_field as u32..self.program.fields.len() as u32,
            methods: first_method as u32..self.program.methods.len() as u32,
            is_application: kept.is_some(),
            source_file,
            origin,
            annotations: self.annotations(file, file.attributes),
            line_table: file.pool.indices().find(|index| file.pool.utf8(*index) == Ok(b"LineNumberTable")),
            bootstrap_methods: bootstraps.into_iter().map(|method| bootstrap(method, &pool)).collect(),
            pool,
            bytes: kept.unwrap_or_default().into(),
        })
    }

    fn fields(&mut self, file: &classfile::Class<'_>, class: ClassId, wanted: bool) -> Result<(), String> {
        for info in &file.fields {
            let (name, descriptor) = self.name_and_descriptor(info)?;
            let ty = self.program.names.signature(descriptor).result;
            if wanted {
                self.want(ty);
            }
            let annotations = self.annotations(file, info.attributes);
            self.program.fields.push(Field { class, name, ty, access: info.access, annotations });
        }
        Ok(())
    }

    fn methods(&mut self, file: &classfile::Class<'_>, class: ClassId, wanted: bool) -> Result<(), String> {
        for info in &file.methods {
            let (name, descriptor) = self.name_and_descriptor(info)?;
            if wanted {
                self.want_all(descriptor);
            }
            let annotations = self.annotations(file, info.attributes);
            let code = info.code.as_ref().map(|Range { start, end }| *start as u32..*end as u32);
            self.program.methods.push(Method { class, name, descriptor, access: info.access, annotations, code });
        }
        Ok(())
    }

    fn name_and_descriptor(&mut self, info: &classfile::Member<'_>) -> Result<(Name, Descriptor), String> {
        let descriptor = self.program.names.intern_descriptor(info.descriptor);
        let descriptor = descriptor.ok_or_else(|| format!("no descriptor: `{}`", text(info.descriptor)))?;
        Ok((self.program.names.intern(info.name), descriptor))
    }

    fn annotations(&mut self, file: &classfile::Class<'_>, attributes: Attributes<'_>) -> Vec<Annotation> {
        let names = &mut self.program.names;
        let mut intern = |index: u16| file.pool.utf8(index).ok().map(|text| names.intern(text));
        let mut annotations = Vec::new();
        for info in annotation::Annotation::all(attributes, &file.pool) {
            let strings = info.strings.iter().filter_map(|(name, value)| intern(*name).zip(intern(*value))).collect();
            let ty = file.pool.utf8(info.descriptor).ok().and_then(FieldType::of).filter(|ty| ty.dimensions == 0);
            if let Some(class) = ty.and_then(|ty| ty.class()) {
                annotations.push((class, strings));
            }
        }
        let with_class = |(class, strings)| Annotation { class: names.intern(class), strings };
        annotations.into_iter().map(with_class).collect()
    }

    /// Entries that are damaged can be used by no instruction; the JVM would refuse the class.
    fn pool(&mut self, file: &classfile::Class<'_>) -> Vec<Constant> {
        let indices = 0..u16::try_from(file.pool.count()).unwrap_or(u16::MAX);
        indices.map(|index| self.constant(&file.pool, index).unwrap_or(Constant::Other)).collect()
    }

    fn constant(&mut self, pool: &Pool<'_>, index: u16) -> Option<Constant> {
        let names = &mut self.program.names;
        Some(match pool.get(index)? {
            Entry::Integer(value) => Constant::Int(value),
            Entry::Float(value) => Constant::Float(value),
            Entry::Long(value) => Constant::Long(value),
            Entry::Double(value) => Constant::Double(value),
            Entry::String(text) => Constant::String(names.intern(pool.utf8(text).ok()?)),
            Entry::Class(text) => {
                let ty = names.intern_class_type(pool.utf8(text).ok()?)?;
                self.want(ty);
                Constant::Class(ty)
            }
            Entry::Field(..) | Entry::Method(..) | Entry::InterfaceMethod(..) => {
                Constant::Member(self.member(pool, index)?)
            }
            Entry::MethodHandle(kind, member) => Constant::Handle(Handle { kind, member: self.member(pool, member)? }),
            Entry::MethodType(text) => Constant::MethodType(names.intern_descriptor(pool.utf8(text).ok()?)?),
            Entry::Dynamic(bootstrap, name_and_type) | Entry::InvokeDynamic(bootstrap, name_and_type) => {
                let (name, descriptor) = pool.name_and_type(name_and_type).ok()?;
                let (name, descriptor) = (names.intern(name), names.intern_descriptor(descriptor)?);
                // The interface of a lambda stands nowhere else.
                self.want_all(descriptor);
                Constant::Dynamic { bootstrap, name, descriptor }
            }
            Entry::Utf8(_) | Entry::NameAndType(..) | Entry::Module(_) | Entry::Package(_) => Constant::Other,
        })
    }

    fn member(&mut self, pool: &Pool<'_>, index: u16) -> Option<MemberRef> {
        let entry = pool.get(index)?;
        let Reference { class, name, descriptor } = pool.reference(index).ok()?;
        let names = &mut self.program.names;
        let owner = names.intern_class_type(pool.class_name(class).ok()?)?;
        let (name, descriptor) = (names.intern(name), names.intern_descriptor(descriptor)?);
        self.want_all(descriptor);
        let is_field = matches!(entry, Entry::Field(..));
        let of_interface = matches!(entry, Entry::InterfaceMethod(..));
        let member = Member { owner, name, descriptor, is_field, of_interface };
        Some(MemberRef(self.program.members.insert_full(member).0 as u32))
    }

    fn want_all(&mut self, descriptor: Descriptor) {
        let signature = self.program.names.signature(descriptor);
        let types = signature.parameters.iter().chain([&signature.result]);
        self.wanted.extend(types.filter_map(|ty| class_in(*ty)));
    }

    fn want(&mut self, ty: Type) {
        self.wanted.extend(class_in(ty));
    }

    fn link(mut self) -> Program {
        for (index, (super_class, interfaces)) in self.supers.iter().enumerate() {
            let find = |name: &Name| self.program.by_name.get(name).copied();
            let found: Vec<ClassId> = interfaces.iter().filter_map(find).collect();
            let parent = super_class.as_ref().and_then(find);
            let class = &mut self.program.classes[index];
            class.is_incomplete = found.len() < interfaces.len() || parent.is_none() && super_class.is_some();
            class.super_class = parent;
            class.interfaces = found;
        }
        self.program.cut_circles();
        self.program.missing.sort_unstable_by_key(|name| self.program.names.text(*name).into_owned());
        self.program.missing.dedup();
        self.program.weak = super::weak::passed_on_weakly(&self.program);
        self.program.raced.clone_from(&self.program.weak);
        self.program
    }
}

fn class_in(ty: Type) -> Option<Name> {
    match ty.base {
        super::Base::Class(name) => Some(name),
        _ => None,
    }
}

/// Those of a class.
fn read_bootstrap_methods(file: &classfile::Class<'_>) -> Result<Vec<BootstrapMethod>, Malformed> {
    let contents = file.attributes.named(&file.pool, b"BootstrapMethods").last();
    contents.map_or_else(|| Ok(Vec::new()), bootstrap_methods)
}

fn bootstrap(method: BootstrapMethod, pool: &[Constant]) -> Bootstrap {
    let constant = |index: u16| pool.get(usize::from(index)).copied().unwrap_or(Constant::Other);
    Bootstrap {
        handle: if let Constant::Handle(handle) = constant(method.handle) { Some(handle) } else { None },
        arguments: method.arguments.into_iter().map(constant).collect(),
    }
}
