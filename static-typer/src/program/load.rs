//! Loading: class files become classes, and what they name is looked for.

use std::collections::VecDeque;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::class_file::{Attributes, ClassFile, Malformed, MemberInfo};
use super::pool::Entry;
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
            self.wanted.push_back(self.program.names.intern(class.as_bytes()));
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
                self.program.names.intern(internal.as_bytes())
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

    fn read(
        &mut self,
        bytes: &[u8],
        origin: &std::path::Path,
        is_application: bool,
    ) -> Result<(), (String, Malformed)> {
        let file = ClassFile::read(bytes).map_err(|reason| (String::new(), reason))?;
        if file.access & flag::MODULE != 0 {
            return Ok(());
        }
        let text = file.class_name(file.this_class).map_err(|reason| (String::new(), reason))?;
        let name = self.program.names.intern(text);
        if self.program.find(name).is_some() {
            return Ok(());
        }
        let describe = |reason| (String::from_utf8_lossy(text).into_owned(), reason);
        let supers = self.supers_of(&file).map_err(describe)?;
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

    fn supers_of(&mut self, file: &ClassFile<'_>) -> Result<(Option<Name>, Vec<Name>), Malformed> {
        let names = &mut self.program.names;
        let super_class = match file.super_class {
            0 => None,
            index => Some(names.intern(file.class_name(index)?)),
        };
        let interfaces = file.interfaces.iter().map(|index| Ok(names.intern(file.class_name(*index)?)));
        Ok((super_class, interfaces.collect::<Result<_, Malformed>>()?))
    }

    /// `kept` are the bytes of a class whose code is analysed.
    fn class(
        &mut self,
        file: &ClassFile<'_>,
        name: Name,
        origin: u32,
        kept: Option<&[u8]>,
    ) -> Result<Class, Malformed> {
        let id = ClassId(self.program.classes.len() as u32);
        let (first_field, first_method) = (self.program.fields.len(), self.program.methods.len());
        let members = self.fields(file, id, kept.is_some()).and_then(|()| self.methods(file, id, kept.is_some()));
        if let Err(reason) = members {
            self.program.fields.truncate(first_field);
            self.program.methods.truncate(first_method);
            return Err(reason);
        }
        let source_file = file.attributes.source_file.and_then(|index| file.utf8(index).ok());
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
            annotations: self.annotations(file, &file.attributes),
            line_table: file.pool.indices().find(|index| file.utf8(*index) == Ok(b"LineNumberTable")),
            bootstrap_methods: bootstrap_methods(&file.attributes, &pool),
            pool,
            bytes: kept.unwrap_or_default().into(),
        })
    }

    fn fields(&mut self, file: &ClassFile<'_>, class: ClassId, wanted: bool) -> Result<(), Malformed> {
        for info in &file.fields {
            let (name, descriptor) = self.name_and_descriptor(file, info)?;
            let ty = self.program.names.signature(descriptor).result;
            if wanted {
                self.want(ty);
            }
            let annotations = self.annotations(file, &info.attributes);
            self.program.fields.push(Field { class, name, ty, access: info.access, annotations });
        }
        Ok(())
    }

    fn methods(&mut self, file: &ClassFile<'_>, class: ClassId, wanted: bool) -> Result<(), Malformed> {
        for info in &file.methods {
            let (name, descriptor) = self.name_and_descriptor(file, info)?;
            if wanted {
                self.want_all(descriptor);
            }
            let annotations = self.annotations(file, &info.attributes);
            let code = info.attributes.code.as_ref();
            let code = code.map(|Range { start, end }| *start as u32..*end as u32);
            self.program.methods.push(Method { class, name, descriptor, access: info.access, annotations, code });
        }
        Ok(())
    }

    fn name_and_descriptor(
        &mut self,
        file: &ClassFile<'_>,
        info: &MemberInfo,
    ) -> Result<(Name, Descriptor), Malformed> {
        let (name, text) = (file.utf8(info.name)?, file.utf8(info.descriptor)?);
        let descriptor = self.program.names.intern_descriptor(text);
        let descriptor = descriptor.ok_or_else(|| format!("no descriptor: `{}`", String::from_utf8_lossy(text)))?;
        Ok((self.program.names.intern(name), descriptor))
    }

    fn annotations(&mut self, file: &ClassFile<'_>, attributes: &Attributes) -> Vec<Annotation> {
        let names = &mut self.program.names;
        let mut text = |index: u16| file.utf8(index).ok().map(|text| names.intern(text));
        let mut annotations = Vec::new();
        for info in &attributes.annotations {
            let strings = info.strings.iter().filter_map(|(name, value)| text(*name).zip(text(*value))).collect();
            let class = file.utf8(info.descriptor).ok().and_then(|text| text.strip_prefix(b"L")?.strip_suffix(b";"));
            if let Some(class) = class {
                annotations.push((class, strings));
            }
        }
        let with_class = |(class, strings)| Annotation { class: names.intern(class), strings };
        annotations.into_iter().map(with_class).collect()
    }

    /// Entries that are damaged can be used by no instruction; the JVM would refuse the class.
    fn pool(&mut self, file: &ClassFile<'_>) -> Vec<Constant> {
        file.pool.indices().map(|index| self.constant(file, index).unwrap_or(Constant::Other)).collect()
    }

    fn constant(&mut self, file: &ClassFile<'_>, index: u16) -> Option<Constant> {
        let names = &mut self.program.names;
        Some(match file.pool.get(index) {
            Entry::Int(value) => Constant::Int(value),
            Entry::Float(value) => Constant::Float(value),
            Entry::Long(value) => Constant::Long(value),
            Entry::Double(value) => Constant::Double(value),
            Entry::String(text) => Constant::String(names.intern(file.pool.utf8(text)?)),
            Entry::Class(text) => {
                let ty = names.intern_class_type(file.pool.utf8(text)?)?;
                self.want(ty);
                Constant::Class(ty)
            }
            Entry::Field(..) | Entry::Method(..) | Entry::InterfaceMethod(..) => {
                Constant::Member(self.member(file, index)?)
            }
            Entry::Handle(kind, member) => Constant::Handle(Handle { kind, member: self.member(file, member)? }),
            Entry::MethodType(text) => Constant::MethodType(names.intern_descriptor(file.pool.utf8(text)?)?),
            Entry::Dynamic(bootstrap, name_and_type) => {
                let (name, descriptor) = self.name_and_type(file, name_and_type)?;
                Constant::Dynamic { bootstrap, name, descriptor }
            }
            Entry::Other | Entry::Utf8(_) | Entry::NameAndType(..) => Constant::Other,
        })
    }

    fn member(&mut self, file: &ClassFile<'_>, index: u16) -> Option<MemberRef> {
        let (class, name_and_type, is_field, of_interface) = match file.pool.get(index) {
            Entry::Field(class, name_and_type) => (class, name_and_type, true, false),
            Entry::Method(class, name_and_type) => (class, name_and_type, false, false),
            Entry::InterfaceMethod(class, name_and_type) => (class, name_and_type, false, true),
            _ => return None,
        };
        let owner = self.program.names.intern_class_type(file.class_name(class).ok()?)?;
        let (name, descriptor) = self.name_and_type(file, name_and_type)?;
        self.want_all(descriptor);
        let member = Member { owner, name, descriptor, is_field, of_interface };
        Some(MemberRef(self.program.members.insert_full(member).0 as u32))
    }

    fn name_and_type(&mut self, file: &ClassFile<'_>, index: u16) -> Option<(Name, Descriptor)> {
        let Entry::NameAndType(name, descriptor) = file.pool.get(index) else { return None };
        let name = self.program.names.intern(file.pool.utf8(name)?);
        Some((name, self.program.names.intern_descriptor(file.pool.utf8(descriptor)?)?))
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
        self.program
    }
}

fn class_in(ty: Type) -> Option<Name> {
    match ty.base {
        super::Base::Class(name) => Some(name),
        _ => None,
    }
}

fn bootstrap_methods(attributes: &Attributes, pool: &[Constant]) -> Vec<Bootstrap> {
    let constant = |index: &u16| pool.get(usize::from(*index)).copied().unwrap_or(Constant::Other);
    let read = |(handle, arguments): &(u16, Vec<u16>)| Bootstrap {
        handle: if let Constant::Handle(handle) = constant(handle) { Some(handle) } else { None },
        arguments: arguments.iter().map(constant).collect(),
    };
    attributes.bootstrap_methods.iter().map(read).collect()
}
