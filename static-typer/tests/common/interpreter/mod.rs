//! A machine that runs bodies as the intermediate form defines them: the oracle for what they mean.
//!
//! It runs what fixtures need. It panics where a body makes no sense: a value of another type than its instruction says, a
//! variable that was not computed.

mod arithmetic;
mod calls;
pub mod heap;
mod memory;

use std::rc::Rc;

use heap::{Contents, Datum, Object};
use rustc_hash::{FxHashMap, FxHashSet};
use static_typer::ir::{Block, Body, Op, Value};
use static_typer::program::{Base, ClassId, Constant, FieldId, MethodId, Name, Program, Type};

/// More than any fixture needs, so that a wrong loop ends.
const MAX_BLOCKS: usize = 20_000_000;

/// The exception that leaves an instruction or a method: its place in the heap.
pub struct Thrown(pub usize);

type Outcome<T> = Result<T, Thrown>;

/// A program that runs.
pub struct Machine<'p> {
    program: &'p Program,
    bodies: FxHashMap<MethodId, Rc<Body>>,
    heap: Vec<Object>,
    statics: FxHashMap<FieldId, Datum>,
    initialized: FxHashSet<ClassId>,
    /// Objects of which there is one for each type or text.
    classes: FxHashMap<Type, usize>,
    strings: FxHashMap<Name, usize>,
    n_blocks: usize,
}

/// A call that has not returned.
struct Frame {
    body: Rc<Body>,
    arguments: Vec<Datum>,
    values: Vec<Option<Datum>>,
    caught: Option<usize>,
}

/// Where a block leads.
enum Exit {
    To(Block),
    Out(Option<Datum>),
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            bodies: FxHashMap::default(),
            heap: Vec::new(),
            statics: FxHashMap::default(),
            initialized: FxHashSet::default(),
            classes: FxHashMap::default(),
            strings: FxHashMap::default(),
            n_blocks: 0,
        }
    }

    /// What a static method of one `int` gives, or the class of what it throws: as Java shows it.
    pub fn outcome(&mut self, method: MethodId, argument: i32) -> String {
        self.initialize(self.program.method(method).class);
        let text = match self.run(method, vec![Datum::Int(argument)]) {
            Ok(Some(Datum::Long(result))) => result.to_string(),
            Ok(other) => panic!("{other:?} is no long"),
            Err(Thrown(exception)) => self.program.names().show(self.heap[exception].ty).replace('/', "."),
        };
        assert!(self.heap.iter().all(|object| object.locks == 0), "a monitor is still held");
        text
    }

    /// Runs a class's initializer, after that of its superclass, and of the interfaces above it that have default methods
    /// (JVMS 5.5). An interface initializes nothing else.
    fn initialize(&mut self, class: ClassId) {
        let data = self.program.class(class);
        if !data.is_application || !self.initialized.insert(class) {
            return;
        }
        if !data.is_interface() {
            data.super_class.into_iter().for_each(|above| self.initialize(above));
            data.interfaces.iter().for_each(|above| self.initialize_interface(*above));
        }
        let of_class = |method: &MethodId| self.program.method(*method).name == Name::CLINIT;
        if let Some(initializer) = self.program.methods_of(class).find(of_class) {
            assert!(self.run(initializer, Vec::new()).is_ok(), "an initializer fails");
        }
    }

    fn initialize_interface(&mut self, interface: ClassId) {
        self.program.class(interface).interfaces.iter().for_each(|above| self.initialize_interface(*above));
        let is_default = |method: MethodId| {
            let method = self.program.method(method);
            method.has_code() && !method.is_static()
        };
        if self.program.methods_of(interface).any(is_default) {
            self.initialize(interface);
        }
    }

    fn body(&mut self, method: MethodId) -> Rc<Body> {
        let program = self.program;
        let build = || {
            let body =
                Body::of(program, method).unwrap_or_else(|| panic!("{} has no code", program.method_name(method)));
            Rc::new(body.unwrap_or_else(|reason| panic!("{}: {reason}", program.method_name(method))))
        };
        Rc::clone(self.bodies.entry(method).or_insert_with(build))
    }

    fn run(&mut self, method: MethodId, arguments: Vec<Datum>) -> Outcome<Option<Datum>> {
        let body = self.body(method);
        let mut frame = Frame { arguments, values: vec![None; body.instructions.len()], caught: None, body };
        let (mut before, mut block) = (None, Block(0));
        loop {
            self.n_blocks += 1;
            assert!(self.n_blocks < MAX_BLOCKS, "{} runs too long", self.program.method_name(method));
            self.phis(&mut frame, before, block);
            before = Some(block);
            block = match self.block(&mut frame, block) {
                Ok(Exit::To(next)) => next,
                Ok(Exit::Out(result)) => return Ok(result),
                Err(Thrown(exception)) => {
                    frame.caught = Some(exception);
                    self.handler(&frame.body, block, exception).ok_or(Thrown(exception))?
                }
            };
        }
    }

    /// Phis take their values at once: one may be an operand of another.
    fn phis(&mut self, frame: &mut Frame, before: Option<Block>, block: Block) {
        let body = Rc::clone(&frame.body);
        let place = body.block(block).predecessors.iter().position(|known| Some(*known) == before);
        let mut taken = Vec::new();
        for value in body.values(block) {
            let Op::Phi(operands) = body.op(value) else { break };
            let place = place.expect("a phi where no block leads");
            taken.push((value, frame.get(operands[place])));
        }
        for (value, datum) in taken {
            self.set(frame, value, datum);
        }
    }

    fn handler(&self, body: &Body, block: Block, exception: usize) -> Option<Block> {
        let ty = self.heap[exception].ty;
        let fits = |catch: &Option<Type>| catch.is_none_or(|catch| self.program.is_subtype(ty, catch));
        body.block(block).handlers.iter().find(|(catch, _)| fits(catch)).map(|(_, handler)| *handler)
    }

    fn block(&mut self, frame: &mut Frame, block: Block) -> Outcome<Exit> {
        let body = Rc::clone(&frame.body);
        for value in body.values(block) {
            match body.op(value) {
                Op::Phi(_) => {}
                op if op.is_terminator() => return self.terminator(frame, op),
                op => {
                    if let Some(result) = self.instruction(frame, value, op)? {
                        self.set(frame, value, result);
                    }
                }
            }
        }
        panic!("a block without an end")
    }

    fn terminator(&mut self, frame: &Frame, op: &Op) -> Outcome<Exit> {
        Ok(match op {
            Op::Jump(to) => Exit::To(*to),
            Op::Branch(condition, a, b, then, otherwise) => {
                let holds = arithmetic::holds(*condition, frame.get(*a), b.map(|b| frame.get(b)));
                Exit::To(if holds { *then } else { *otherwise })
            }
            Op::Switch(value, default, cases) => {
                let wanted = frame.get(*value).int();
                Exit::To(cases.iter().find(|(case, _)| *case == wanted).map_or(*default, |(_, to)| *to))
            }
            Op::Return(value) => Exit::Out(value.map(|value| frame.get(value))),
            Op::Throw(value) => return Err(Thrown(self.object(frame.get(*value))?)),
            _ => panic!("{op:?} is no terminator"),
        })
    }

    /// Assigns a value of which the type must be that of its instruction.
    fn set(&self, frame: &mut Frame, value: Value, datum: Datum) {
        let ty = frame.body.instruction(value).ty;
        let fits = match datum {
            Datum::Reference(None) => ty.is_reference(),
            Datum::Reference(Some(place)) => self.is_instance(place, ty) || self.is_interface(ty),
            number => std::mem::discriminant(&number) == std::mem::discriminant(&Datum::zero(ty)),
        };
        let text = || frame.body.print(self.program);
        assert!(fits, "v{} is {datum:?} and should be {}\n{}", value.0, self.program.names().show(ty), text());
        frame.values[value.index()] = Some(datum);
    }

    fn is_interface(&self, ty: Type) -> bool {
        let Base::Class(name) = ty.base else { return false };
        self.program.find(name).is_some_and(|class| self.program.class(class).is_interface())
    }

    fn is_instance(&self, place: usize, ty: Type) -> bool {
        let object = &self.heap[place];
        self.program.is_subtype(object.ty, ty)
    }

    fn instruction(&mut self, frame: &mut Frame, value: Value, op: &Op) -> Outcome<Option<Datum>> {
        let ty = frame.body.instruction(value).ty;
        Ok(Some(match op {
            Op::Parameter(n) => frame.arguments[usize::from(*n)],
            Op::Caught => Datum::Reference(frame.caught.take()),
            Op::Null => Datum::NULL,
            Op::Constant(constant) => self.constant(constant),
            Op::Arithmetic(operation, a, b) => match arithmetic::compute(*operation, frame.get(*a), frame.get(*b)) {
                Some(result) => result,
                None => return Err(self.failure("java/lang/ArithmeticException")),
            },
            Op::Negate(a) => arithmetic::negate(frame.get(*a)),
            Op::Convert(a, to) => arithmetic::convert(frame.get(*a), *to),
            Op::InstanceOf(a, of) => {
                Datum::Int(frame.get(*a).reference().is_some_and(|place| self.is_instance(place, *of)).into())
            }
            Op::Cast(a) => match frame.get(*a).reference() {
                Some(place) if !self.is_instance(place, ty) => {
                    return Err(self.failure("java/lang/ClassCastException"));
                }
                place => Datum::Reference(place),
            },
            Op::Enter(_) | Op::Exit(_) => return self.monitor(frame, op).map(|()| None),
            Op::Invoke(..) | Op::InvokeDynamic(..) => return self.call(frame, op),
            Op::GetStatic(_) | Op::PutStatic(..) | Op::GetField(..) | Op::PutField(..) => return self.field(frame, op),
            Op::LoadElement(..) | Op::StoreElement(..) => return self.element(frame, op),
            _ => self.allocation(frame, ty, op)?,
        }))
    }

    fn constant(&mut self, constant: &Constant) -> Datum {
        match constant {
            Constant::Int(value) => Datum::Int(*value),
            Constant::Long(value) => Datum::Long(*value),
            Constant::Float(value) => Datum::Float(*value),
            Constant::Double(value) => Datum::Double(*value),
            Constant::String(text) => Datum::Reference(Some(self.string(*text))),
            Constant::Class(ty) => Datum::Reference(Some(self.class_object(*ty))),
            other => panic!("{other:?} is not known"),
        }
    }

    fn string(&mut self, text: Name) -> usize {
        if !self.strings.contains_key(&text) {
            let place = self.allocate(Type::class(Name::STRING), Contents::String(text));
            self.strings.insert(text, place);
        }
        self.strings[&text]
    }

    fn class_object(&mut self, ty: Type) -> usize {
        if !self.classes.contains_key(&ty) {
            let place = self.allocate(Type::class(Name::CLASS), Contents::Class);
            self.classes.insert(ty, place);
        }
        self.classes[&ty]
    }

    fn allocate(&mut self, ty: Type, contents: Contents) -> usize {
        self.heap.push(Object { ty, contents, locks: 0 });
        self.heap.len() - 1
    }

    /// An exception that the JVM throws by itself.
    fn failure(&mut self, class: &str) -> Thrown {
        let known = self.program.names().get(class.as_bytes()).filter(|name| self.program.find(*name).is_some());
        let name = known.unwrap_or_else(|| panic!("the fixture does not name {class}"));
        Thrown(self.allocate(Type::class(name), Contents::Fields(FxHashMap::default())))
    }

    fn object(&mut self, datum: Datum) -> Outcome<usize> {
        datum.reference().ok_or_else(|| self.failure("java/lang/NullPointerException"))
    }

    fn monitor(&mut self, frame: &Frame, op: &Op) -> Outcome<()> {
        let (Op::Enter(value) | Op::Exit(value)) = op else { panic!("{op:?} is no monitor instruction") };
        let place = self.object(frame.get(*value))?;
        let locks = &mut self.heap[place].locks;
        *locks = if matches!(op, Op::Enter(_)) { *locks + 1 } else { locks.checked_sub(1).expect("it is held") };
        Ok(())
    }
}

impl Frame {
    fn get(&self, value: Value) -> Datum {
        self.values[value.index()].unwrap_or_else(|| panic!("v{} was not computed", value.0))
    }

    fn get_all(&self, values: &[Value]) -> Vec<Datum> {
        values.iter().map(|value| self.get(*value)).collect()
    }
}
