//! Abstract objects and contexts, which are one domain in a k-object-sensitive analysis (paper 000, section 2.2.1).
//!
//! An abstract object is the site that makes it and the context in which the site ran. The context of an instance method is
//! the object it is called on, so a context is that object or nothing (written ε).

use std::num::NonZeroU32;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ir::Value;
use crate::program::{MethodId, Name, Program, Type};

use super::id::ObjectId;
use super::set::ObjectSet;
use super::site::Site;

/// The context of code: the object it is called on, or none.
pub type Context = Option<ObjectId>;

/// What an [`ObjectId`] stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Where it comes from.
    pub site: Site,
    /// The sites of the object whose method made it, and of that object's maker, and so on; one fewer than k.
    pub makers: Box<[Site]>,
}

/// Every abstract object, and masks of those that are of a type.
#[derive(Default, Debug)]
pub struct Objects {
    objects: IndexSet<Object, FxBuildHasher>,
    types: Vec<Type>,
    of_application: Vec<bool>,
    masks: Vec<(Type, ObjectSet)>,
    mask_of: FxHashMap<Type, MaskId>,
    /// Which masks objects of a type are in.
    masks_with: IndexMap<Type, Vec<MaskId>, FxBuildHasher>,
}

/// A mask of the objects of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MaskId(NonZeroU32);

impl MaskId {
    /// The mask that is made after so many others.
    fn after(n_masks: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(n_masks as u32))
    }

    const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl Objects {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Every object.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.types.len() as u32).map(ObjectId)
    }

    /// What an object stands for.
    #[must_use]
    pub fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize]
    }

    /// The class of an object.
    #[must_use]
    pub fn ty(&self, object: ObjectId) -> Type {
        self.types[object.0 as usize]
    }

    /// Whether the application makes an object, itself or by objects that it makes.
    #[must_use]
    pub fn is_of_application(&self, object: ObjectId) -> bool {
        self.of_application[object.0 as usize]
    }

    /// Whether it tells anything apart that code is called on an object: not so for classes, members and texts, which have no parts
    /// of their own and are many.
    #[must_use]
    pub fn is_context(&self, object: ObjectId) -> bool {
        !matches!(
            self.get(object).site,
            Site::Class(_) | Site::Constructor(_) | Site::Method(_) | Site::Field(_) | Site::Text(_)
        )
    }

    /// The object that a site makes in a context, of which up to `depth` sites count.
    pub fn intern(&mut self, program: &Program, site: Site, ty: Type, context: Context, depth: usize) -> ObjectId {
        let makers = context.map_or_else(Vec::new, |maker| {
            let maker = self.get(maker);
            std::iter::once(maker.site).chain(maker.makers.iter().copied()).take(depth).collect()
        });
        let by_maker = context.is_some_and(|maker| self.is_of_application(maker));
        let is_of_application = by_maker || site.is_of_application(program);
        self.insert(program, Object { site, makers: makers.into() }, ty, is_of_application)
    }

    /// What stands for the copies of an object, and for copies of these; itself if it is not known where it was made.
    pub fn copy(&mut self, program: &Program, object: ObjectId) -> ObjectId {
        let Object { site: Site::New(method, at, depth), makers } = self.get(object).clone() else { return object };
        let copy = Object { site: Site::Copy(method, at, depth), makers };
        self.insert(program, copy, self.ty(object), self.is_of_application(object))
    }

    /// What stands for an array of another length that an instruction makes like another array, with what that holds: a copy. One
    /// that is like an empty array holds something, and is told apart by the instruction.
    pub fn resized(
        &mut self,
        program: &Program,
        object: ObjectId,
        (method, at): (MethodId, Value),
        context: Context,
        depth: usize,
    ) -> ObjectId {
        match self.get(object).site {
            Site::Empty(ty) => self.intern(program, Site::Reflected(method, at, ty), ty, context, depth),
            _ => self.copy(program, object),
        }
    }

    /// The `Class` of an object; what a method returns if the class is not certain.
    pub fn class_of(&mut self, program: &Program, object: ObjectId, method: MethodId) -> ObjectId {
        let ty = self.ty(object);
        let is_certain =
            matches!(self.get(object).site, Site::New(..) | Site::Copy(..) | Site::Empty(_) | Site::Reflected(..));
        let site = if is_certain && ty != Type::NULL { Site::Class(ty) } else { Site::Returned(method) };
        self.intern(program, site, Type::class(Name::CLASS), None, 0)
    }

    fn insert(&mut self, program: &Program, object: Object, ty: Type, is_of_application: bool) -> ObjectId {
        let (index, is_new) = self.objects.insert_full(object);
        let object = ObjectId(index as u32);
        if is_new {
            self.types.push(ty);
            self.of_application.push(is_of_application);
            for mask in self.masks_with(program, ty) {
                self.masks[mask.index()].1.insert(object);
            }
        }
        object
    }

    fn masks_with(&mut self, program: &Program, ty: Type) -> Vec<MaskId> {
        let masks = &self.masks;
        let with = self.masks_with.entry(ty).or_insert_with(|| {
            let of_type = masks.iter().enumerate().filter(|(_, (of, _))| program.is_subtype(ty, *of));
            of_type.map(|(index, _)| MaskId::after(index)).collect()
        });
        with.clone()
    }

    /// The mask of the objects that may be cast to a type; none for what every object may be cast to.
    pub fn mask(&mut self, program: &Program, ty: Type) -> Option<MaskId> {
        if ty == Type::OBJECT {
            return None;
        }
        if let Some(mask) = self.mask_of.get(&ty) {
            return Some(*mask);
        }
        let id = MaskId::after(self.masks.len());
        let mut mask = ObjectSet::default();
        for (of, with) in &mut self.masks_with {
            if program.is_subtype(*of, ty) {
                with.push(id);
            }
        }
        for object in self.iter() {
            if self.masks_with.get(&self.ty(object)).is_some_and(|with| with.last() == Some(&id)) {
                mask.insert(object);
            }
        }
        self.masks.push((ty, mask));
        self.mask_of.insert(ty, id);
        Some(id)
    }

    /// About how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let masks: usize = self.masks.iter().map(|(_, mask)| mask.bytes()).sum();
        // Makers are few, but each list of them was allocated.
        let with_makers = size_of::<Object>() + size_of::<Site>() + 4 * size_of::<usize>();
        masks + self.objects.capacity() * with_makers + self.types.capacity() * (size_of::<Type>() + 1)
    }

    /// The objects in a mask.
    #[must_use]
    pub fn in_mask(&self, mask: MaskId) -> &ObjectSet {
        &self.masks[mask.index()].1
    }
}
