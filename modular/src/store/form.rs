//! What each part of a summary is as bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use static_typer::points_to::{CodeId, Global, Site, Slot};
use static_typer::program::{Base, FieldId, MethodId, Type};

use super::bytes::{Reader, Writer};
use super::trace::Trace;
use crate::check::{Listed, Variable, Warning};
use crate::environment::CLIENT;
use crate::library::Calls;
use crate::multiplicity::Multiplicity;
use crate::node::{Cell, Label, Node, NodeId, Nodes};
use crate::regions::{CALLED, ELSEWHERE, LIBRARY, REGION, ROOT};
use crate::summary::{Contents, Event, HandOver, Lock, OwnLock, Place, Separation, Summary, Thread};

/// What has a form without the numbers of a run.
pub trait Form: Sized {
    /// Writes it.
    fn write(&self, to: &mut Writer<'_, '_>);

    /// Reads it; none if it is not that.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

/// The form of a structure is that of its parts.
macro_rules! structure {
    ($name:ident { $($part:ident),* }) => {
        impl Form for $name {
            fn write(&self, to: &mut Writer<'_, '_>) {
                $(self.$part.write(to);)*
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                Some(Self { $($part: Form::read(from)?),* })
            }
        }
    };
}

/// The form of one of several is a number, and its parts.
macro_rules! choice {
    ($name:ident { $($number:literal $variant:ident $(($($part:ident),*))?),* }) => {
        impl Form for $name {
            fn write(&self, to: &mut Writer<'_, '_>) {
                match self {
                    $(Self::$variant $(($($part),*))? => {
                        to.number($number);
                        $($($part.write(to);)*)?
                    })*
                }
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                match from.number()? {
                    $($number => {
                        $($(let $part = Form::read(from)?;)*)?
                        Some(Self::$variant $(($($part),*))?)
                    })*
                    _ => None,
                }
            }
        }
    };
}

structure!(Lock { nodes, monitor, shared });
structure!(OwnLock { field, monitor, shared });
structure!(Place { code, number });
structure!(Event { place, labels, write, cell, array, nodes, base, thread, locks, own, started, ended });
structure!(Contents { cells, nodes });
structure!(Thread { multiplicity, parents });
structure!(HandOver { labels, calls, receivers, data, runs_in, is_start, thread, locks, started, multiplicity, done });
structure!(Separation { labels, arguments, nodes });
structure!(Listed { races, counts });
structure!(Summary {
    nodes,
    multiplicities,
    contents,
    beyond,
    results,
    events,
    threads,
    entries,
    hand_overs,
    separations,
    shared,
    releases,
    is_collapsed
});
choice!(Multiplicity { 0 Unknown, 1 One, 2 Many });
choice!(Slot { 0 Field(field), 1 Element, 2 Captured(n), 3 Content, 4 PerThread });
choice!(Global { 0 Static(field), 1 Thrown, 2 Threads, 3 ThreadLocals, 4 Pool });
choice!(Cell { 0 Slot(slot), 1 Global(global), 2 Argument(code, n), 3 Result(code), 4 Pooled(ty) });
choice!(Node { 0 Global, 1 Parameter(code, n), 2 Required(base, cell), 3 Beyond(cell), 4 Object(labels, site, ty) });
choice!(Calls { 0 None, 1 Run, 2 NoTasks, 3 All, 4 Only(method) });
choice!(Warning { 0 MultipleWrite, 1 ConflictingAccess });
choice!(Variable { 0 Field(field), 1 Elements(ty), 2 Contents(ty) });

macro_rules! number {
    ($($name:ty),*) => {$(
        impl Form for $name {
            fn write(&self, to: &mut Writer<'_, '_>) {
                to.number(u64::from(*self));
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                Self::try_from(from.number()?).ok()
            }
        }
    )*};
}

number!(u8, u16, u32, u64);

impl Form for bool {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.number(u64::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match from.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Form for u128 {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.number((*self >> 96) as u64);
        to.number((*self >> 48) as u64 & 0xffff_ffff_ffff);
        to.number(*self as u64 & 0xffff_ffff_ffff);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let [high, middle, low] = [from.number()?, from.number()?, from.number()?].map(Self::from);
        Some(high << 96 | middle << 48 | low)
    }
}

impl Form for NodeId {
    fn write(&self, to: &mut Writer<'_, '_>) {
        self.0.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        u32::read(from).filter(|node| *node < from.n_nodes).map(Self)
    }
}

impl Form for CodeId {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.code(*self);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.code()
    }
}

impl Form for MethodId {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.method(*self);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.method()
    }
}

impl Form for FieldId {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.field(*self);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.field()
    }
}

/// What types that are no classes are called.
const PRIMITIVES: [Base; 10] = [
    Base::Void,
    Base::Boolean,
    Base::Byte,
    Base::Char,
    Base::Short,
    Base::Int,
    Base::Long,
    Base::Float,
    Base::Double,
    Base::Null,
];

impl Form for Type {
    fn write(&self, to: &mut Writer<'_, '_>) {
        self.dimensions.write(to);
        match self.base {
            Base::Class(name) => {
                to.number(PRIMITIVES.len() as u64);
                to.class(name);
            }
            base => to.number(PRIMITIVES.iter().position(|primitive| *primitive == base).unwrap_or_default() as u64),
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let dimensions = u8::read(from)?;
        let number = usize::try_from(from.number()?).ok()?;
        let base = match PRIMITIVES.get(number) {
            Some(base) => *base,
            None if number == PRIMITIVES.len() => Base::Class(from.class()?),
            None => return None,
        };
        Some(Self { dimensions, base })
    }
}

/// Labels that stand for no code come before those that do.
impl Form for Label {
    fn write(&self, to: &mut Writer<'_, '_>) {
        let tag = match self.code {
            ROOT => 0,
            REGION => 1,
            CALLED => 2,
            LIBRARY => 3,
            ELSEWHERE => 4,
            CLIENT => 5,
            _ => 6,
        };
        to.number(tag);
        match tag {
            // Regions are named by code.
            1 | 2 => to.code(CodeId(self.number)),
            6 => {
                to.code(self.code);
                self.number.write(to);
            }
            _ => self.number.write(to),
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let tag = usize::try_from(from.number()?).ok()?;
        let code = match [ROOT, REGION, CALLED, LIBRARY, ELSEWHERE, CLIENT].get(tag) {
            Some(code) => *code,
            None if tag == 6 => from.code()?,
            None => return None,
        };
        let number = if matches!(tag, 1 | 2) { from.code()?.0 } else { u32::read(from)? };
        Some(Self { code, number })
    }
}

impl Form for Site {
    fn write(&self, to: &mut Writer<'_, '_>) {
        let place = |site: &Self, to: &mut Writer<'_, '_>, tag: u64| match to.names.sites.place(site) {
            Some((code, number)) => {
                to.number(tag);
                to.code(code);
                number.write(to);
            }
            None => to.lose(),
        };
        match self {
            Self::New(..) | Self::Lambda(..) | Self::Reflected(..) => place(self, to, 0),
            Self::Copy(method, at, depth) => place(&Self::New(*method, *at, *depth), to, 1),
            Self::Empty(ty) => (2_u8, *ty).write(to),
            Self::Merged(ty) => (3_u8, *ty).write(to),
            Self::Class(ty) => (4_u8, *ty).write(to),
            Self::Given(ty) => (5_u8, *ty).write(to),
            Self::Text(text) => {
                to.number(6);
                to.class(*text);
            }
            Self::Constructor(method) => (7_u8, *method).write(to),
            Self::Method(method) => (8_u8, *method).write(to),
            Self::Returned(method) => (9_u8, *method).write(to),
            Self::Field(field) => (10_u8, *field).write(to),
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.number()? {
            tag @ (0 | 1) => {
                let place = Form::read(from)?;
                match (tag, from.sites.at(place)?) {
                    (0, site) => site,
                    (_, Self::New(method, at, depth)) => Self::Copy(method, at, depth),
                    _ => return None,
                }
            }
            2 => Self::Empty(Form::read(from)?),
            3 => Self::Merged(Form::read(from)?),
            4 => Self::Class(Form::read(from)?),
            5 => Self::Given(Form::read(from)?),
            6 => Self::Text(from.class()?),
            7 => Self::Constructor(Form::read(from)?),
            8 => Self::Method(Form::read(from)?),
            9 => Self::Returned(Form::read(from)?),
            10 => Self::Field(Form::read(from)?),
            _ => return None,
        })
    }
}

impl Form for Nodes {
    fn write(&self, to: &mut Writer<'_, '_>) {
        self.iter().map(|(_, node)| node.clone()).collect::<Vec<_>>().write(to);
        for (_, node) in self.iter() {
            if let Node::Object(_, _, ty) = node {
                to.note_made(*ty);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut nodes = Self::new();
        for (n, node) in Vec::<Node>::read(from)?.into_iter().enumerate() {
            let is_in_order = !matches!(&node, Node::Required(base, _) if base.0 as usize >= n);
            if !is_in_order || nodes.intern(node).0 as usize != n {
                return None;
            }
        }
        from.n_nodes = nodes.iter().count() as u32;
        Some(nodes)
    }
}

/// Nodes: the distances from one to the next. Often the same ones are named.
impl Form for BTreeSet<NodeId> {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.once(|to| {
            to.number(self.len() as u64);
            let mut last = 0;
            for node in self {
                to.number(u64::from(node.0 - last));
                last = node.0;
            }
        });
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        if let Some(known) = usize::try_from(from.number()?).ok()?.checked_sub(1) {
            return from.sets.get(known).cloned();
        }
        let (mut nodes, mut last) = (Self::new(), 0_u32);
        for _ in 0..from.length()? {
            last = last.checked_add(u32::read(from)?).filter(|node| *node < from.n_nodes)?;
            nodes.insert(NodeId(last));
        }
        from.sets.push(nodes.clone());
        Some(nodes)
    }
}

/// Fields have another order in another program.
impl Form for BTreeSet<OwnLock> {
    fn write(&self, to: &mut Writer<'_, '_>) {
        let program = to.names.graph.program;
        let mut locks: Vec<OwnLock> = self.iter().copied().collect();
        locks.sort_by_cached_key(|lock| (lock.field.map(|field| program.field_name(field)), lock.monitor, lock.shared));
        locks.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Vec::read(from)?.into_iter().collect())
    }
}

impl<T: Form> Form for Option<T> {
    fn write(&self, to: &mut Writer<'_, '_>) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match bool::read(from)? {
            true => T::read(from).map(Some),
            false => Some(None),
        }
    }
}

impl<T: Form> Form for Vec<T> {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.number(self.len() as u64);
        self.iter().for_each(|part| part.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        (0..from.length()?).map(|_| T::read(from)).collect()
    }
}

impl<T: Form> Form for Box<[T]> {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.number(self.len() as u64);
        self.iter().for_each(|part| part.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Vec::read(from).map(Into::into)
    }
}

impl<T: Form, const N: usize> Form for [T; N] {
    fn write(&self, to: &mut Writer<'_, '_>) {
        self.iter().for_each(|part| part.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let parts: Option<Vec<T>> = (0..N).map(|_| T::read(from)).collect();
        parts?.try_into().ok()
    }
}

/// Sets whose order is the same in every program.
macro_rules! ordered {
    ($($name:ty),*) => {$(
        impl Form for BTreeSet<$name> {
            fn write(&self, to: &mut Writer<'_, '_>) {
                to.number(self.len() as u64);
                self.iter().for_each(|part| part.write(to));
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                (0..from.length()?).map(|_| Form::read(from)).collect()
            }
        }
    )*};
}

ordered!((CodeId, u16), Box<[Label]>, Option<Box<[Label]>>, (Box<[Label]>, Option<Box<[Label]>>), Separation);

impl<T: Form + Eq + Hash> Form for IndexSet<T, FxBuildHasher> {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.number(self.len() as u64);
        self.iter().for_each(|part| part.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        (0..from.length()?).map(|_| T::read(from)).collect()
    }
}

impl<K: Form + Ord, V: Form> Form for BTreeMap<K, V> {
    fn write(&self, to: &mut Writer<'_, '_>) {
        to.number(self.len() as u64);
        for (key, value) in self {
            key.write(to);
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        (0..from.length()?).map(|_| Some((K::read(from)?, V::read(from)?))).collect()
    }
}

macro_rules! tuple {
    ($($name:ident $part:tt),*) => {
        impl<$($name: Form),*> Form for ($($name,)*) {
            fn write(&self, to: &mut Writer<'_, '_>) {
                $(self.$part.write(to);)*
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                Some(($($name::read(from)?,)*))
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);

structure!(Trace { callees, adopted, dispatched, absent, releases, assumed, is_limited });
