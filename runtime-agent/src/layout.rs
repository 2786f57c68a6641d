//! Where HotSpot puts woven fields: behind those of the class, whose offsets stay.
//!
//! Programs copy the layout of JDK classes to learn an offset (Lombok, AspectJ) and then write there. HotSpot lays contended groups
//! out behind all other fields (`FieldLayoutBuilder::compute_regular_layout`), and shadow words are marked as one. It has to be
//! told to honour the mark in every class, and to pad no group, before it loads the first class. These flags cannot be managed,
//! so they are set where they lie, which HotSpot's tables for debuggers (`vmStructs.cpp`) tell. The JDK's own contended classes
//! lose their padding too. Fields of a subclass still come behind the shadow words of its superclasses.

use std::ffi::{CStr, c_char};

/// Makes HotSpot lay contended groups out last, in every class and without padding; says whether it will.
///
/// It must be called while the JVM loads its agents. A class from an archive (CDS) has the padding it was stored with, and could not
/// be woven once it is loaded: a class whose offsets change cannot be retransformed. So archives are not used; for agents that see
/// early classes HotSpot does not use them anyway.
pub fn put_groups_last() -> bool {
    let Some(flags) = Flags::of() else { return false };
    let found = ["EnableContended", "RestrictContended", "ContendedPaddingWidth"].map(|name| flags.find(name));
    let [Some(enabled), Some(restricted), Some(padding)] = found else { return false };
    // SAFETY: HotSpot keeps values of one byte and an `int` there, and no other thread reads them yet.
    unsafe {
        if enabled.value.read() == 0 {
            return false;
        }
        if let Some(archived) = flags.find("UseSharedSpaces") {
            archived.value.write(0);
        }
        restricted.value.write(0);
        padding.value.cast::<i32>().write(0);
        // A default would give way to the size of the processor's cache lines.
        padding.origin.write(padding.origin.read() & !ORIGIN | COMMAND_LINE);
    }
    true
}

/// Which bits of a flag say where its value comes from (`JVMFlag::VALUE_ORIGIN_MASK`), and the value for the command line.
const ORIGIN: i32 = 15;
const COMMAND_LINE: i32 = 1;

/// A flag of the JVM.
struct Flag {
    value: *mut u8,
    origin: *mut i32,
}

/// The flags of the JVM: an array of structures whose form its tables tell.
struct Flags {
    first: *const u8,
    count: usize,
    /// Size of a structure, and where its parts are in it.
    size: usize,
    name: usize,
    address: usize,
    origin: usize,
}

impl Flags {
    fn of() -> Option<Self> {
        let fields = Table::of(
            c"gHotSpotVMStructs",
            c"gHotSpotVMStructEntryArrayStride",
            c"gHotSpotVMStructEntryTypeNameOffset",
        )?;
        let types =
            Table::of(c"gHotSpotVMTypes", c"gHotSpotVMTypeEntryArrayStride", c"gHotSpotVMTypeEntryTypeNameOffset")?;
        let [named, at, address] = [
            c"gHotSpotVMStructEntryFieldNameOffset",
            c"gHotSpotVMStructEntryOffsetOffset",
            c"gHotSpotVMStructEntryAddressOffset",
        ]
        .map(word);
        let (named, at, address) = (named?, at?, address?);
        let field = |name: &str| fields.entries().find(|entry| entry.is("JVMFlag") && entry.text(named) == Some(name));
        let fixed = |name: &str| Some(field(name)?.word(address) as *const usize);
        let size_at = word(c"gHotSpotVMTypeEntrySizeOffset")?;
        // SAFETY: the tables name the static fields of this JVM.
        let (first, count) = unsafe { (fixed("flags")?.read(), fixed("numFlags")?.read()) };
        Some(Self {
            first: first as *const u8,
            count,
            size: types.entries().find(|entry| entry.is("JVMFlag"))?.word(size_at),
            name: field("_name")?.word(at),
            address: field("_addr")?.word(at),
            origin: field("_flags")?.word(at),
        })
    }

    fn find(&self, name: &str) -> Option<Flag> {
        // SAFETY: so many structures of this size lie there.
        let at = |index: usize| unsafe { self.first.add(index * self.size) };
        let found = (0..self.count).map(|index| Entry { at: at(index), name: self.name }).find(|flag| flag.is(name))?;
        let value = found.word(self.address) as *mut u8;
        // SAFETY: the part lies in the structure.
        let origin = unsafe { found.at.add(self.origin) }.cast_mut().cast();
        (!value.is_null()).then_some(Flag { value, origin })
    }
}

/// A table that ends with an entry without a name.
struct Table {
    first: *const u8,
    stride: usize,
    name: usize,
}

impl Table {
    fn of(table: &CStr, stride: &CStr, name: &CStr) -> Option<Self> {
        Some(Self { first: word(table)? as *const u8, stride: word(stride)?, name: word(name)? })
    }

    fn entries(&self) -> impl Iterator<Item = Entry> + use<'_> {
        // SAFETY: the entry without a name is the last that is looked at.
        let each = (0..).map(|index| Entry { at: unsafe { self.first.add(index * self.stride) }, name: self.name });
        each.take_while(|entry| entry.word(entry.name) != 0)
    }
}

/// A structure with a name.
#[derive(Clone, Copy)]
struct Entry {
    at: *const u8,
    name: usize,
}

impl Entry {
    /// The 64-bit word at an offset.
    fn word(self, offset: usize) -> usize {
        // SAFETY: offsets come from the table that describes the entry.
        unsafe { self.at.add(offset).cast::<usize>().read_unaligned() }
    }

    fn text(self, offset: usize) -> Option<&'static str> {
        let text = self.word(offset) as *const c_char;
        // SAFETY: names are constants of the JVM's library.
        if text.is_null() { None } else { unsafe { CStr::from_ptr(text) }.to_str().ok() }
    }

    fn is(self, name: &str) -> bool {
        self.text(self.name) == Some(name)
    }
}

/// The 64-bit word that an exported variable of the JVM's library holds.
fn word(symbol: &CStr) -> Option<usize> {
    // SAFETY: a look-up by name; launchers load the JVM with global symbols.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, symbol.as_ptr()) };
    // SAFETY: all of these symbols are variables of 64 bits.
    if address.is_null() { None } else { Some(unsafe { address.cast::<usize>().read() }) }
}
