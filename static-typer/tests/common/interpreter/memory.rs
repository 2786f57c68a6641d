//! Allocations, elements and fields.

use rustc_hash::FxHashMap;
use static_typer::ir::{Op, Value};
use static_typer::program::{FieldId, MemberRef, Type};

use super::heap::{Contents, Datum};
use super::{Frame, Machine, Outcome};

impl Machine<'_> {
    pub(super) fn allocation(&mut self, frame: &Frame, ty: Type, op: &Op) -> Outcome<Datum> {
        match op {
            Op::New => {
                self.initialize(self.program.find(ty.as_class().expect("a class")).expect("a known class"));
                Ok(Datum::Reference(Some(self.allocate(ty, Contents::Fields(FxHashMap::default())))))
            }
            Op::NewArray(length) => self.new_arrays(ty, &[frame.get(*length).int()]),
            Op::NewArrays(lengths) => {
                let lengths: Vec<i32> = lengths.iter().map(|length| frame.get(*length).int()).collect();
                self.new_arrays(ty, &lengths)
            }
            Op::Length(array) => {
                let array = self.object(frame.get(*array))?;
                Ok(Datum::Int(self.elements(array).len() as i32))
            }
            other => panic!("{other:?} is not known"),
        }
    }

    fn new_arrays(&mut self, ty: Type, lengths: &[i32]) -> Outcome<Datum> {
        if lengths.iter().any(|length| *length < 0) {
            return Err(self.failure("java/lang/NegativeArraySizeException"));
        }
        let element = ty.element().expect("an array");
        let mut elements = vec![Datum::zero(element); lengths[0] as usize];
        if lengths.len() > 1 {
            for place in &mut elements {
                *place = self.new_arrays(element, &lengths[1..])?;
            }
        }
        Ok(Datum::Reference(Some(self.allocate(ty, Contents::Elements(elements)))))
    }

    fn elements(&mut self, array: usize) -> &mut Vec<Datum> {
        match &mut self.heap[array].contents {
            Contents::Elements(elements) => elements,
            _ => panic!("an element of what is no array"),
        }
    }

    pub(super) fn element(&mut self, frame: &Frame, op: &Op) -> Outcome<Option<Datum>> {
        match op {
            Op::LoadElement(array, index) => {
                let (array, index) = self.place_of_element(frame, *array, *index)?;
                Ok(Some(self.elements(array)[index]))
            }
            Op::StoreElement(array, index, value) => {
                let (array, index) = self.place_of_element(frame, *array, *index)?;
                self.store_element(array, index, frame.get(*value)).map(|()| None)
            }
            other => panic!("{other:?} is not known"),
        }
    }

    fn place_of_element(&mut self, frame: &Frame, array: Value, index: Value) -> Outcome<(usize, usize)> {
        let array = self.object(frame.get(array))?;
        let length = self.elements(array).len();
        let index = usize::try_from(frame.get(index).int()).ok().filter(|index| *index < length);
        Ok((array, index.ok_or_else(|| self.failure("java/lang/ArrayIndexOutOfBoundsException"))?))
    }

    fn store_element(&mut self, array: usize, index: usize, datum: Datum) -> Outcome<()> {
        let element = self.heap[array].ty.element().expect("an array");
        if let Datum::Reference(Some(place)) = datum
            && !self.is_instance(place, element)
        {
            return Err(self.failure("java/lang/ArrayStoreException"));
        }
        self.elements(array)[index] = datum.narrowed(element);
        Ok(())
    }

    pub(super) fn field(&mut self, frame: &Frame, op: &Op) -> Outcome<Option<Datum>> {
        match op {
            Op::GetStatic(member) => {
                let (field, ty) = self.resolved(*member);
                self.initialize(self.program.field(field).class);
                Ok(Some(self.statics.get(&field).copied().unwrap_or(Datum::zero(ty))))
            }
            Op::PutStatic(member, value) => {
                let (field, ty) = self.resolved(*member);
                self.initialize(self.program.field(field).class);
                self.statics.insert(field, frame.get(*value).narrowed(ty));
                Ok(None)
            }
            Op::GetField(object, member) => {
                let (field, ty) = self.resolved(*member);
                let object = self.object(frame.get(*object))?;
                Ok(Some(self.fields(object).get(&field).copied().unwrap_or(Datum::zero(ty))))
            }
            Op::PutField(object, member, value) => {
                let (field, ty) = self.resolved(*member);
                let object = self.object(frame.get(*object))?;
                self.fields(object).insert(field, frame.get(*value).narrowed(ty));
                Ok(None)
            }
            other => panic!("{other:?} is not known"),
        }
    }

    fn resolved(&self, member: MemberRef) -> (FieldId, Type) {
        let field = self.program.resolve_field(self.program.member(member)).expect("a field of the fixture");
        (field, self.program.field(field).ty)
    }

    fn fields(&mut self, object: usize) -> &mut FxHashMap<FieldId, Datum> {
        match &mut self.heap[object].contents {
            Contents::Fields(fields) => fields,
            _ => panic!("a field of what has none"),
        }
    }
}
