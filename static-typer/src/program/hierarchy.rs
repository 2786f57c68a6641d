//! Subtypes, and what a member name means: resolution (JVMS 5.4.3) and method selection (JVMS 5.4.6).

use rustc_hash::FxHashSet;

use super::{Base, ClassId, Descriptor, FieldId, Member, Method, MethodId, Name, Problem, Program, Type, flag};

impl Program {
    /// Whether values of one class or interface are values of another. A class of which a superclass is missing may be more
    /// than this says.
    #[must_use]
    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        if class == of || self.class(of).name == Name::OBJECT {
            return true;
        }
        // No interface is above a class by its superclasses alone, and nothing else by its interfaces.
        if self.class(of).is_interface() {
            self.ancestors(class).any(|above| above == of)
        } else {
            self.superclasses(class).any(|above| above == of)
        }
    }

    /// Whether a value of one type may be assigned to another (JVMS 5.4.3, `isAssignableFrom`).
    #[must_use]
    pub fn is_subtype(&self, ty: Type, of: Type) -> bool {
        if ty == of || of == Type::OBJECT || ty == Type::NULL {
            return ty == of || ty.is_reference() && of.is_reference();
        }
        match (ty.dimensions.cmp(&of.dimensions), ty.base, of.base) {
            (std::cmp::Ordering::Equal, Base::Class(a), Base::Class(b)) => match (self.find(a), self.find(b)) {
                (Some(a), Some(b)) => self.is_subclass(a, b),
                _ => a == b || b == Name::OBJECT,
            },
            (std::cmp::Ordering::Greater, _, Base::Class(name)) => self.is_above_arrays(name),
            _ => false,
        }
    }

    /// `Object`, `Cloneable` and `Serializable` are what arrays are besides (JLS 10.8).
    fn is_above_arrays(&self, name: Name) -> bool {
        name == Name::OBJECT || matches!(&*self.names().text(name), "java/lang/Cloneable" | "java/io/Serializable")
    }

    /// The least type above two reference types, as the verifier computes it (JVMS 4.10.2.2): of an interface and anything
    /// else that is `Object`.
    #[must_use]
    pub fn join(&self, a: Type, b: Type) -> Type {
        if a == b || b == Type::NULL {
            return a;
        }
        if a == Type::NULL {
            return b;
        }
        match (a.base, b.base) {
            (Base::Class(x), Base::Class(y)) if a.dimensions == b.dimensions => {
                Type { dimensions: a.dimensions, base: Base::Class(self.common_class(x, y)) }
            }
            _ => self.join_of_arrays(a, b),
        }
    }

    fn join_of_arrays(&self, a: Type, b: Type) -> Type {
        let primitive = |ty: Type| !matches!(ty.base, Base::Class(_));
        // An array of a primitive type is an Object one dimension further out.
        let depth = |ty: Type| ty.dimensions.saturating_sub(u8::from(primitive(ty)));
        Type { dimensions: depth(a).min(depth(b)), ..Type::OBJECT }
    }

    fn common_class(&self, a: Name, b: Name) -> Name {
        let (Some(first), Some(second)) = (self.find(a), self.find(b)) else { return Name::OBJECT };
        if self.class(first).is_interface() || self.class(second).is_interface() {
            return if a == b { a } else { Name::OBJECT };
        }
        let common = self.superclasses(first).find(|above| self.is_subclass(second, *above));
        common.map_or(Name::OBJECT, |class| self.class(class).name)
    }

    /// The superclass and the interfaces of a class.
    pub fn supers(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        let class = self.class(class);
        class.super_class.into_iter().chain(class.interfaces.iter().copied())
    }

    /// A class, its superclass, and so on.
    pub fn superclasses(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        std::iter::successors(Some(class), |class| self.class(*class).super_class)
    }

    /// What is initialized with a class, itself first: its superclasses, and for each the interfaces above that declare a method which is
    /// neither abstract nor static (JVMS 5.5). What is above an interface is not.
    pub fn initialized_with(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        let is_default = |method| self.method(method).access & (flag::ABSTRACT | flag::STATIC) == 0;
        let is_meant =
            move |above: &ClassId| !self.class(*above).is_interface() || self.methods_of(*above).any(is_default);
        let above = if self.class(class).is_interface() { None } else { Some(self.ancestors(class).skip(1)) };
        std::iter::once(class).chain(above.into_iter().flatten().filter(is_meant))
    }

    /// A class, and all that is above it, each once: what is above an interface before the next interface, and the
    /// superclass last.
    pub fn ancestors(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        let mut seen = FxHashSet::default();
        let mut stack = vec![class];
        std::iter::from_fn(move || {
            let next = std::iter::from_fn(|| stack.pop()).find(|class| seen.insert(*class))?;
            let class = self.class(next);
            stack.extend(class.super_class.into_iter().chain(class.interfaces.iter().rev().copied()));
            Some(next)
        })
    }

    /// The field that a name in an instruction means (JVMS 5.4.3.2).
    #[must_use]
    pub fn resolve_field(&self, member: &Member) -> Option<FieldId> {
        let class = self.find(member.owner.as_class()?)?;
        let ty = self.names().signature(member.descriptor).result;
        let declared = |class| self.declared_fields.get(&(class, member.name, ty)).copied();
        self.ancestors(class).find_map(declared)
    }

    /// The method that a name in an instruction means (JVMS 5.4.3.3 and 5.4.3.4). Methods of arrays are those of `Object`.
    #[must_use]
    pub fn resolve_method(&self, member: &Member) -> Option<MethodId> {
        let class = self.find(member.owner.as_class().unwrap_or(Name::OBJECT))?;
        self.method_in(class, member.name, member.descriptor)
    }

    fn method_in(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Option<MethodId> {
        let mut declared = self.superclasses(class).filter_map(|above| self.declared_method(above, name, descriptor));
        let of_superclass = if self.class(class).is_interface() {
            self.declared_method(class, name, descriptor).or_else(|| self.method_of_object(name, descriptor))
        } else {
            declared.next()
        };
        of_superclass.or_else(|| self.methods_of_interfaces(class, name, descriptor).first().copied())
    }

    /// Interfaces have the public methods of `Object`.
    fn method_of_object(&self, name: Name, descriptor: Descriptor) -> Option<MethodId> {
        let method = self.declared_method(self.find(Name::OBJECT)?, name, descriptor)?;
        (self.method(method).access & (flag::PUBLIC | flag::STATIC) == flag::PUBLIC).then_some(method)
    }

    /// The method that a class declares.
    #[must_use]
    pub fn declared_method(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Option<MethodId> {
        self.declared_methods.get(&(class, name, descriptor)).copied()
    }

    /// The most specific methods of the interfaces above a class, those with code first.
    fn methods_of_interfaces(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Vec<MethodId> {
        let interfaces = self.ancestors(class).skip(1).filter(|above| self.class(*above).is_interface());
        let declared = interfaces.filter_map(|above| self.declared_method(above, name, descriptor));
        let candidates: Vec<MethodId> = declared.filter(|method| self.is_inherited(*method)).collect();
        let specific = |method: &MethodId| {
            let class = self.method(*method).class;
            !candidates.iter().any(|other| {
                let below = self.method(*other).class;
                below != class && self.is_subclass(below, class)
            })
        };
        let mut best: Vec<MethodId> = candidates.iter().copied().filter(specific).collect();
        best.sort_unstable_by_key(|method| (!self.method(*method).has_code(), *method));
        best
    }

    fn is_inherited(&self, method: MethodId) -> bool {
        self.method(method).access & (flag::STATIC | flag::PRIVATE) == 0
    }

    /// The method that a virtual or interface call of `resolved` runs on an object of that class (JVMS 5.4.6).
    #[must_use]
    pub fn select(&self, receiver: ClassId, resolved: MethodId) -> Option<MethodId> {
        if !self.is_inherited(resolved) {
            return Some(resolved);
        }
        let Method { name, descriptor, .. } = *self.method(resolved);
        let mut declared =
            self.superclasses(receiver).filter_map(|above| self.declared_method(above, name, descriptor));
        let found = declared.find(|method| self.overrides(*method, resolved));
        found.or_else(|| match self.methods_of_interfaces(receiver, name, descriptor)[..] {
            // Between two default methods the JVM does not choose.
            [first, second, ..] if self.method(first).has_code() && self.method(second).has_code() => None,
            [first, ..] => Some(first),
            [] => None,
        })
    }

    /// Whether a method of a class stands for one of the same name and descriptor above it (JVMS 5.4.5). One that only its
    /// package sees is overridden there, or by what overrides an overriding method that more see.
    #[must_use]
    pub fn overrides(&self, method: MethodId, above: MethodId) -> bool {
        let Method { class, name, descriptor, .. } = *self.method(method);
        if !self.is_inherited(method) || method == above || self.can_override(class, above) {
            return self.is_inherited(method);
        }
        let end = self.method(above).class;
        let between: Vec<ClassId> = self.superclasses(class).take_while(|between| *between != end).collect();
        let mut overriding = vec![above];
        for between in between.into_iter().rev() {
            let declared = self.declared_method(between, name, descriptor).filter(|id| self.is_inherited(*id));
            let overrides = overriding.iter().any(|above| self.can_override(between, *above));
            overriding.extend(declared.filter(|_| overrides));
        }
        overriding.contains(&method)
    }

    /// Whether a class sees a method so that its own can override it.
    fn can_override(&self, class: ClassId, above: MethodId) -> bool {
        let Method { class: declaring, access, .. } = *self.method(above);
        access & (flag::PUBLIC | flag::PROTECTED) != 0 || self.package(class) == self.package(declaring)
    }

    fn package(&self, class: ClassId) -> &[u8] {
        let name = self.names().bytes(self.class(class).name);
        &name[..name.iter().rposition(|byte| *byte == b'/').unwrap_or(0)]
    }

    /// A class that is above itself would send every search in circles; the JVM refuses such classes too (JVMS 5.3.5).
    pub(super) fn cut_circles(&mut self) {
        let mut state = vec![0_u8; self.classes.len()];
        for class in self.classes() {
            self.cut_below(class, &mut state);
        }
    }

    /// Visits what is above a class: 1 is being visited, 2 is done.
    fn cut_below(&mut self, start: ClassId, state: &mut [u8]) {
        let mut stack = vec![(start, 0)];
        while let Some((class, next)) = stack.pop() {
            state[class.index()] = state[class.index()].max(1);
            let Some(above) = self.supers(class).nth(next) else {
                state[class.index()] = 2;
                continue;
            };
            stack.push((class, next + 1));
            match state[above.index()] {
                0 => stack.push((above, 0)),
                1 => {
                    stack.pop();
                    self.cut(class, above);
                    stack.push((class, next));
                }
                _ => {}
            }
        }
    }

    fn cut(&mut self, class: ClassId, above: ClassId) {
        let problem = Problem {
            origin: self.origin(class).clone(),
            class: self.class_name(class).into_owned(),
            reason: "a class that is its own superclass".to_owned(),
        };
        self.problems.push(problem);
        let class = &mut self.classes[class.index()];
        class.super_class = class.super_class.filter(|id| *id != above);
        class.interfaces.retain(|id| *id != above);
        class.is_incomplete = true;
    }
}
