//! The sites that weaving has made, stored compactly: a large program has half a million.

use facts::access::AccessKind;
use facts::models::contents::Finds;
use facts::models::inherited::Callee;
use facts::name;
use facts::site::{Action, ArrayRef, FieldRef, Hands, Place, Site};
use instrumenter::{NewAction, NewContents, NewField, NewSite};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

/// Highest site number: the helper class has tables of this size.
const LAST: usize = (1 << facts::layout::site::SITE_BITS) - 1;

/// What the instruction at a site accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A field, through this reference.
    Field(FieldRef),
    /// An array.
    Array(ArrayRef),
    /// The contents of an object of the library, with the field that this was loaded from, and through how many array loads then.
    Contents(Option<(FieldRef, u8)>),
    /// Nothing: it is where a transaction begins and ends.
    Transaction,
    /// Nothing: a lock operation.
    None,
}

/// What threads hand over under locks at a site.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Handing {
    /// They find what was left there last.
    pub finds_latest: bool,
    /// They may find what any thread has left: of an array or a collection, it is not known who left which element.
    pub finds_all: bool,
    /// They leave something.
    pub leaves: bool,
    /// They take away what others may have found.
    pub takes: bool,
    /// They find elements of a collection.
    pub finds_elements: bool,
}

impl Handing {
    /// As the helper classes have it (`JraceSites`).
    pub fn bits(self) -> i32 {
        i32::from(self.finds_latest)
            | i32::from(self.finds_all) << 1
            | i32::from(self.leaves) << 2
            | i32::from(self.takes) << 3
            | i32::from(self.finds_elements) << 4
    }
}

#[derive(Clone, Copy)]
struct Row {
    class: u32,
    method: u32,
    descriptor: u32,
    file: u32,
    offset: u32,
    line: u32,
    kind: Option<AccessKind>,
    is_static: bool,
    target: RowTarget,
}

/// A field by its class, name and descriptor.
type RowField = (u32, u32, u32);

/// The same, and a number of array loads.
type Origin = Option<(u32, u32, u32, u8)>;

#[derive(Clone, Copy)]
enum RowTarget {
    None,
    Contents { finds: Finds, callee: Callee, origin: Origin },
    Transaction,
    Field { class: u32, name: u32, descriptor: u32 },
    Array { element: char, origin: Origin },
}

#[derive(Default)]
struct Table {
    strings: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
    rows: Vec<Row>,
}

/// All sites, numbered from 1.
#[derive(Default)]
pub struct Sites {
    table: RwLock<Table>,
}

impl instrumenter::SiteSink for &Sites {
    fn add(&mut self, site: NewSite<'_>) -> u32 {
        self.table.write().add(&site)
    }
}

impl Table {
    fn intern(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.strings.len() as u32;
        self.strings.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    fn add(&mut self, site: &NewSite<'_>) -> u32 {
        if self.rows.len() >= LAST {
            // The helper class takes site 0 as one that needs no check.
            return 0;
        }
        let (kind, target) = self.action(&site.action);
        let row = Row {
            class: self.intern(site.class),
            method: self.intern(site.method),
            descriptor: self.intern(site.descriptor),
            file: self.intern(site.file.unwrap_or_default()),
            offset: site.offset,
            line: site.line.unwrap_or_default(),
            kind,
            is_static: matches!(site.action, NewAction::Static(..)),
            target,
        };
        self.rows.push(row);
        self.rows.len() as u32
    }

    /// A site of a call for a field that it accesses by reflection. Of two classes that have one name each has its own.
    fn reflective(&mut self, call: u32, field: &FieldRef, kind: AccessKind, is_static: bool) -> u32 {
        let Some(row) = self.row(call).copied() else { return 0 };
        let (class, name, descriptor) = self.field(&field.class, &field.name, &field.descriptor);
        if self.rows.len() >= LAST {
            return 0;
        }
        let target = RowTarget::Field { class, name, descriptor };
        self.rows.push(Row { kind: Some(kind), is_static, target, ..row });
        self.rows.len() as u32
    }

    fn action(&mut self, action: &NewAction<'_>) -> (Option<AccessKind>, RowTarget) {
        match *action {
            NewAction::Field(kind, field) | NewAction::Static(kind, field) => {
                let (class, name, descriptor) = self.field(field.class, field.name, field.descriptor);
                (Some(kind), RowTarget::Field { class, name, descriptor })
            }
            NewAction::Array(kind, array) => {
                let origin = self.origin(array.origin);
                (Some(kind), RowTarget::Array { element: array.element, origin })
            }
            NewAction::Contents(NewContents { kind, finds, callee, origin }) => {
                (Some(kind), RowTarget::Contents { finds, callee, origin: self.origin(origin) })
            }
            NewAction::Transaction => (None, RowTarget::Transaction),
            NewAction::Enter | NewAction::Reflected | NewAction::ClassInit => (None, RowTarget::None),
        }
    }

    fn origin(&mut self, origin: Option<(NewField<'_>, u8)>) -> Origin {
        origin.map(|(field, depth)| {
            let (class, name, descriptor) = self.field(field.class, field.name, field.descriptor);
            (class, name, descriptor, depth)
        })
    }

    fn origin_of(&self, origin: Origin) -> Option<(FieldRef, u8)> {
        origin.map(|(class, name, descriptor, depth)| (self.reference(class, name, descriptor), depth))
    }

    fn field(&mut self, class: &str, name: &str, descriptor: &str) -> RowField {
        (self.intern(class), self.intern(name), self.intern(descriptor))
    }

    fn text(&self, number: u32) -> String {
        self.strings[number as usize].to_string()
    }

    fn reference(&self, class: u32, name: u32, descriptor: u32) -> FieldRef {
        FieldRef { class: self.text(class), name: self.text(name), descriptor: self.text(descriptor) }
    }

    fn row(&self, site: u32) -> Option<&Row> {
        self.rows.get((site as usize).checked_sub(1)?)
    }

    fn handing(&self, site: u32) -> Option<Handing> {
        let row = self.row(site)?;
        let (reads, writes) = (row.kind == Some(AccessKind::Read), row.kind == Some(AccessKind::Write));
        Some(match row.target {
            RowTarget::Field { descriptor, .. } => match Hands::of(&self.strings[descriptor as usize]) {
                Some(hands) => {
                    let takes = writes && hands == Hands::Reference;
                    Handing { finds_latest: reads, takes, leaves: writes, ..Handing::default() }
                }
                None => Handing::default(),
            },
            RowTarget::Array { element: 'L', .. } => Handing { finds_all: reads, leaves: writes, ..Handing::default() },
            // Who takes an element out leaves none.
            RowTarget::Contents { finds, .. } => Handing {
                finds_all: finds != Finds::Nothing,
                finds_elements: finds == Finds::Elements,
                leaves: writes && finds == Finds::Nothing,
                ..Handing::default()
            },
            _ => Handing::default(),
        })
    }

    /// Whether a later row of the same method writes the field of this one. Those of a method stand side by side, as its instructions do.
    fn is_written_later(&self, site: u32) -> Option<bool> {
        let row = self.row(site)?;
        let after = self.rows.iter().skip(site as usize).take_while(|other| other.code() == row.code());
        let mut writes = after.filter(|other| other.kind == Some(AccessKind::Write));
        Some(row.field().is_some() && writes.any(|other| other.field() == row.field()))
    }
}

impl Row {
    fn code(&self) -> (u32, u32, u32) {
        (self.class, self.method, self.descriptor)
    }

    fn field(&self) -> Option<RowField> {
        match self.target {
            RowTarget::Field { class, name, descriptor } => Some((class, name, descriptor)),
            _ => None,
        }
    }
}

impl Sites {
    /// How many sites there are.
    pub fn count(&self) -> u64 {
        self.table.read().rows.len() as u64
    }

    /// The site of a call, which accesses fields by what stands for them, for one of these fields; 0 if there are too many.
    pub fn reflective(&self, call: u32, field: &FieldRef, kind: AccessKind, is_static: bool) -> u32 {
        self.table.write().reflective(call, field, kind, is_static)
    }

    /// Where a site stands.
    pub fn place(&self, site: u32) -> Option<Place> {
        let table = self.table.read();
        let row = table.row(site)?;
        let file = table.text(row.file);
        Some(Place {
            class: table.text(row.class),
            method: table.text(row.method),
            descriptor: table.text(row.descriptor),
            offset: row.offset,
            line: (row.line != 0).then_some(row.line),
            file: (!file.is_empty()).then_some(file),
        })
    }

    /// Whether the method of a site goes on to write the field that is accessed there.
    pub fn is_written_later(&self, site: u32) -> bool {
        self.table.read().is_written_later(site).unwrap_or(false)
    }

    /// Whether a call at a site writes to an object of the library, of which it may read a part: what is in a list, to set an element.
    pub fn writes_contents(&self, site: u32) -> bool {
        let table = self.table.read();
        table
            .row(site)
            .is_some_and(|row| matches!((row.kind, row.target), (Some(AccessKind::Write), RowTarget::Contents { .. })))
    }

    /// What threads hand over under locks at a site.
    pub fn handing(&self, site: u32) -> Handing {
        self.table.read().handing(site).unwrap_or_default()
    }

    /// Which method is called at a site.
    pub fn callee(&self, site: u32) -> Callee {
        match self.table.read().row(site).map(|row| row.target) {
            Some(RowTarget::Contents { callee, .. }) => callee,
            _ => Callee::default(),
        }
    }

    /// What a site accesses.
    pub fn target(&self, site: u32) -> Target {
        let table = self.table.read();
        match table.row(site).map(|row| row.target) {
            Some(RowTarget::Field { class, name, descriptor }) => {
                Target::Field(table.reference(class, name, descriptor))
            }
            Some(RowTarget::Array { element, origin }) => {
                Target::Array(ArrayRef { element, origin: table.origin_of(origin) })
            }
            Some(RowTarget::Contents { origin, .. }) => Target::Contents(table.origin_of(origin)),
            Some(RowTarget::Transaction) => Target::Transaction,
            Some(RowTarget::None) | None => Target::None,
        }
    }

    /// The whole site, for a trace.
    pub fn site(&self, site: u32) -> Option<Site> {
        let place = self.place(site)?;
        let (kind, is_static) = self.table.read().row(site).map(|row| (row.kind, row.is_static))?;
        let action = match (self.target(site), kind) {
            (Target::Field(field), Some(kind)) if is_static => Action::Static(kind, field),
            (Target::Field(field), Some(kind)) => Action::Field(kind, field),
            (Target::Array(array), Some(kind)) => Action::Array(kind, array),
            (Target::Contents(_), Some(kind)) => Action::Contents(kind),
            (Target::Transaction, _) => Action::Transaction,
            _ => Action::Enter,
        };
        Some(Site { place, action })
    }

    /// The array or object of the library that a site accesses, as a programmer would name it: after the field it was loaded from, or
    /// after the method.
    pub fn origin(&self, site: u32) -> String {
        let of_field = |field: FieldRef, loads: usize| format!("{}.{}{}", field.class, field.name, "[]".repeat(loads));
        match self.target(site) {
            Target::Array(ArrayRef { origin: Some((field, depth)), .. }) => of_field(field, usize::from(depth) + 1),
            Target::Contents(Some((field, depth))) => of_field(field, usize::from(depth)),
            _ => self
                .place(site)
                .map(|place| format!("{}.{}", place.class, place.method))
                .unwrap_or_else(|| name::dotted("unknown")),
        }
    }
}
