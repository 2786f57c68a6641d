//! Subtypes, and what a member name means: resolution (JVMS 5.4.3) and method selection (JVMS 5.4.6).

use super::{Base, ClassId, Descriptor, FieldId, Member, MethodId, Name, Problem, Program, Type, flag};

impl Program {
    /// Whether values of one class or interface are values of another. A class of which a superclass is missing may be more
    /// than this says.
    #[must_use]
    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        class == of
            || self.class(of).name == Name::OBJECT
            || self.supers(class).any(|above| self.is_subclass(above, of))
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
        let mut above = Some(first);
        while let Some(class) = above {
            if self.is_subclass(second, class) {
                return self.class(class).name;
            }
            above = self.class(class).super_class;
        }
        Name::OBJECT
    }

    /// The superclass and the interfaces of a class.
    pub fn supers(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        let class = self.class(class);
        class.super_class.into_iter().chain(class.interfaces.iter().copied())
    }

    /// The field that a name in an instruction means (JVMS 5.4.3.2).
    #[must_use]
    pub fn resolve_field(&self, member: &Member) -> Option<FieldId> {
        let class = self.find(member.owner.as_class()?)?;
        self.field_in(class, member.name, member.descriptor)
    }

    fn field_in(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Option<FieldId> {
        if let Some(field) = self.declared_fields.get(&(class, name, descriptor)) {
            return Some(*field);
        }
        let class = self.class(class);
        let above = class.interfaces.iter().copied().chain(class.super_class);
        above.filter_map(|above| self.field_in(above, name, descriptor)).next()
    }

    /// The method that a name in an instruction means (JVMS 5.4.3.3 and 5.4.3.4). Methods of arrays are those of `Object`.
    #[must_use]
    pub fn resolve_method(&self, member: &Member) -> Option<MethodId> {
        let class = self.find(member.owner.as_class().unwrap_or(Name::OBJECT))?;
        self.method_in(class, member.name, member.descriptor)
    }

    fn method_in(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Option<MethodId> {
        self.method_of_superclass(class, name, descriptor).or_else(|| self.method_of_interface(class, name, descriptor))
    }

    /// The method that a class declares.
    #[must_use]
    pub fn declared_method(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Option<MethodId> {
        self.declared_methods.get(&(class, name, descriptor)).copied()
    }

    fn method_of_superclass(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Option<MethodId> {
        let mut above = Some(class);
        while let Some(class) = above {
            if let Some(method) = self.declared_method(class, name, descriptor) {
                return Some(method);
            }
            above = self.class(class).super_class;
        }
        // Interfaces have the methods of Object without being its subclasses.
        let object = self.find(Name::OBJECT).filter(|_| self.class(class).is_interface())?;
        self.declared_method(object, name, descriptor)
    }

    /// The most specific method of an interface; one with code comes before those without.
    fn method_of_interface(&self, class: ClassId, name: Name, descriptor: Descriptor) -> Option<MethodId> {
        let mut candidates: Vec<MethodId> = Vec::new();
        self.interface_methods(class, name, descriptor, &mut candidates);
        let specific = |method: &&MethodId| {
            let class = self.method(**method).class;
            !candidates.iter().any(|other| {
                let below = self.method(*other).class;
                below != class && self.is_subclass(below, class)
            })
        };
        let best = candidates.iter().filter(specific);
        best.copied().min_by_key(|method| (!self.method(*method).has_code(), *method))
    }

    fn interface_methods(&self, class: ClassId, name: Name, descriptor: Descriptor, into: &mut Vec<MethodId>) {
        for above in self.supers(class) {
            if self.class(above).is_interface() {
                let inherited = self.declared_method(above, name, descriptor);
                into.extend(inherited.filter(|id| self.method(*id).access & (flag::STATIC | flag::PRIVATE) == 0));
            }
            self.interface_methods(above, name, descriptor, into);
        }
    }

    /// The method that a virtual or interface call of `resolved` runs on an object of that class (JVMS 5.4.6).
    #[must_use]
    pub fn select(&self, receiver: ClassId, resolved: MethodId) -> Option<MethodId> {
        let method = self.method(resolved);
        if method.access & (flag::PRIVATE | flag::STATIC) != 0 {
            return Some(resolved);
        }
        let found = self.method_of_superclass(receiver, method.name, method.descriptor);
        let found = found.filter(|id| self.method(*id).access & (flag::PRIVATE | flag::STATIC) == 0);
        found.or_else(|| self.method_of_interface(receiver, method.name, method.descriptor))
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
