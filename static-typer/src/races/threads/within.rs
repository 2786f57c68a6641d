//! What a thread runs, by what its own calls pass on: the points-to result has each variable once for all threads, and by it a
//! thread that prints a text runs the `toString` of whatever any other thread prints.
//!
//! Variables of the thread's code refer to what its own calls pass and return, and what it throws is what it catches; all else,
//! fields, elements and static fields, is as the points-to result has it. So nothing that the thread may run is left out as long
//! as that is right. A thread that is alone runs all that the points-to result has, which is what it is tested against.
//!
//! Only what is new to a variable moves on from it: where everything may refer to everything, as in programs whose values are all
//! functions, looking at all of it again whenever a little comes takes minutes.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::points_to::{
    CallEdge, CallSite, Code, CodeId, Dispatch, Global, InstanceId, Local, ObjectSet, PointsTo, Use,
};

/// Code that a thread begins with, or goes on with.
#[derive(Debug)]
pub struct Root {
    /// The code.
    pub instance: InstanceId,
    /// The parameters, by their places, that get what the thread itself has thrown; the others get what any thread is started
    /// with.
    pub thrown: Vec<usize>,
}

/// What one thread runs.
#[derive(Debug)]
pub struct Within<'a> {
    points_to: &'a PointsTo,
    runs: FxHashMap<InstanceId, Run>,
    moves: FxHashMap<CodeId, Rc<Moves>>,
    thrown: ObjectSet,
    /// The part of it that has not moved on.
    new_thrown: ObjectSet,
    /// Variables that what is thrown goes to.
    catching: Vec<(InstanceId, Local)>,
    /// Objects that the thread does not get.
    kept: &'a ObjectSet,
    /// Code that has come to be run, and variables with something new.
    begun: Vec<InstanceId>,
    open: VecDeque<(InstanceId, Local)>,
}

/// Code that the thread runs.
#[derive(Debug)]
struct Run {
    variables: Vec<Variable>,
    /// Whether each of its calls of code is made, in the order of the points-to result.
    made: Vec<bool>,
    /// The calls that are made of it, by caller and number.
    callers: Vec<(InstanceId, u32)>,
}

/// What a variable refers to in the thread.
#[derive(Clone, Default, Debug)]
struct Variable {
    objects: ObjectSet,
    /// Those that have not moved on.
    new: ObjectSet,
    /// How many more it may refer to; not known before the first comes.
    missing: Option<usize>,
}

/// Where else the objects of a variable go, besides its uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Move {
    Copied(Local),
    Thrown,
    /// The place of an argument of a call, by its number.
    Passed(u32, usize),
}

/// The moves of code, by the variables that they begin with.
#[derive(Debug)]
struct Moves(Vec<(Local, Move)>);

impl Moves {
    fn of(code: &Code) -> Self {
        let copies = code.copies.iter().map(|(to, from, _)| (*from, Move::Copied(*to)));
        let thrown = code.global_stores.iter().filter(|(global, _)| *global == Global::Thrown);
        let calls = (0..).zip(&code.calls).filter(|(_, site)| !site.is_fork);
        let passed = calls.flat_map(|(call, site)| {
            let arguments = site.arguments.iter().enumerate();
            arguments.filter_map(move |(place, argument)| Some(((*argument)?, Move::Passed(call, place))))
        });
        let mut moves: Vec<_> = copies.chain(thrown.map(|(_, from)| (*from, Move::Thrown))).chain(passed).collect();
        moves.sort_by_key(|(from, _)| *from);
        Self(moves)
    }

    fn from(&self, local: Local) -> impl Iterator<Item = Move> + '_ {
        let first = self.0.partition_point(|(from, _)| *from < local);
        self.0[first..].iter().take_while(move |(from, _)| *from == local).map(|(_, to)| *to)
    }
}

impl<'a> Within<'a> {
    /// Follows the calls from where the thread begins and goes on, without some objects that are kept from it.
    #[must_use]
    pub fn of(points_to: &'a PointsTo, roots: &[Root], kept: &'a ObjectSet) -> Self {
        let mut within = Self::new(points_to, roots, kept);
        while within.step().is_some() {}
        within
    }

    /// Whether the thread runs code of the program.
    #[must_use]
    pub fn is_entered(points_to: &'a PointsTo, roots: &[Root], kept: &'a ObjectSet) -> bool {
        let is_entered = |instance: &InstanceId| points_to.code(*instance).is_checked;
        let mut within = Self::new(points_to, roots, kept);
        while !within.begun.iter().any(is_entered) {
            if within.step().is_none() {
                return false;
            }
        }
        true
    }

    fn new(points_to: &'a PointsTo, roots: &[Root], kept: &'a ObjectSet) -> Self {
        let mut within = Self {
            points_to,
            runs: FxHashMap::default(),
            moves: FxHashMap::default(),
            thrown: ObjectSet::default(),
            new_thrown: ObjectSet::default(),
            catching: Vec::new(),
            kept,
            begun: Vec::new(),
            open: VecDeque::new(),
        };
        roots.iter().for_each(|root| within.begin(root));
        within
    }

    /// The code that it runs.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.runs.keys().copied()
    }

    /// What a variable refers to where this thread runs the code.
    #[must_use]
    pub fn local(&self, instance: InstanceId, local: Local) -> ObjectSet {
        let run = self.runs.get(&instance);
        run.map(|run| run.variables[local.0 as usize].objects.clone()).unwrap_or_default()
    }

    /// A thread begins with what it is started with, but ends by what it has itself thrown.
    fn begin(&mut self, root: &Root) {
        let (root, thrown) = (root.instance, &root.thrown);
        self.reach(root);
        for (place, local) in self.points_to.code(root).parameters.iter().enumerate() {
            let Some(local) = *local else { continue };
            if thrown.contains(&place) {
                self.catches(root, local);
            } else {
                self.add(root, local, self.points_to.local(root, local));
            }
        }
    }

    /// Lets something move on; none if everything has.
    fn step(&mut self) -> Option<()> {
        if let Some(instance) = self.begun.pop() {
            self.enter(instance);
        } else if let Some((instance, local)) = self.open.pop_front() {
            let run = self.runs.get_mut(&instance)?;
            let new = std::mem::take(&mut run.variables[local.0 as usize].new);
            self.move_on(instance, local, &new);
        } else {
            let new = Some(std::mem::take(&mut self.new_thrown)).filter(|new| !new.is_empty())?;
            for (instance, to) in self.catching.clone() {
                self.add(instance, to, &new);
            }
        }
        Some(())
    }

    fn reach(&mut self, instance: InstanceId) {
        let points_to = self.points_to;
        self.runs.entry(instance).or_insert_with(|| {
            self.begun.push(instance);
            Run {
                variables: vec![Variable::default(); points_to.code(instance).n_locals as usize],
                made: vec![false; points_to.calls(instance).len()],
                callers: Vec::new(),
            }
        });
    }

    fn add(&mut self, instance: InstanceId, local: Local, objects: &ObjectSet) {
        let all = self.points_to.local(instance, local);
        let Some(run) = self.runs.get_mut(&instance).filter(|_| !objects.is_empty()) else { return };
        let variable = &mut run.variables[local.0 as usize];
        let missing = variable.missing.get_or_insert_with(|| all.len());
        if *missing == 0 {
            return;
        }
        let new = objects.common(all).without(&variable.objects).without(self.kept);
        if new.is_empty() {
            return;
        }
        *missing -= new.len();
        variable.objects.insert_all(&new);
        if variable.new.is_empty() {
            self.open.push_back((instance, local));
        }
        variable.new.insert_all(&new);
    }

    /// Lets the objects of one variable be those of another.
    fn pass(&mut self, (from, of): (InstanceId, Local), (to, local): (InstanceId, Local)) {
        if (from, of) == (to, local) {
            return;
        }
        let place = of.0 as usize;
        let variable = self.runs.get_mut(&from).map(|run| std::mem::take(&mut run.variables[place].objects));
        let Some(objects) = variable else { return };
        self.add(to, local, &objects);
        if let Some(run) = self.runs.get_mut(&from) {
            run.variables[place].objects = objects;
        }
    }

    /// What code does whatever it is called with.
    fn enter(&mut self, instance: InstanceId) {
        let points_to = self.points_to;
        let code = points_to.code(instance);
        for (to, site, _) in &code.allocations {
            let made = points_to.local(instance, *to).iter();
            let made = made.filter(|object| points_to.objects.get(*object).site == *site).collect();
            self.add(instance, *to, &made);
        }
        for (to, global, _) in &code.global_loads {
            if *global == Global::Thrown {
                self.catches(instance, *to);
            } else {
                self.add(instance, *to, points_to.global(*global));
            }
        }
        for (number, edge) in points_to.calls(instance).iter().enumerate() {
            let site = &code.calls[edge.call as usize];
            if !site.is_fork && site.dispatch == Dispatch::Static {
                self.make(instance, number, *edge);
            }
        }
    }

    fn catches(&mut self, instance: InstanceId, to: Local) {
        self.catching.push((instance, to));
        let thrown = self.thrown.clone();
        self.add(instance, to, &thrown);
    }

    fn move_on(&mut self, instance: InstanceId, local: Local, new: &ObjectSet) {
        let points_to = self.points_to;
        let code = points_to.code(instance);
        let moves = self.moves.entry(points_to.code_id(instance)).or_insert_with(|| Rc::new(Moves::of(code))).clone();
        for to in moves.from(local) {
            match to {
                Move::Copied(to) => self.add(instance, to, new),
                Move::Thrown => {
                    let new = new.without(&self.thrown);
                    self.thrown.insert_all(&new);
                    self.new_thrown.insert_all(&new);
                }
                Move::Passed(call, place) => self.pass_new(instance, call, place, new),
            }
        }
        for (_, used) in code.uses(local) {
            self.use_new(instance, used, new);
        }
        if code.result == Some(local) {
            let callers = self.runs.get(&instance).map(|run| run.callers.clone()).unwrap_or_default();
            for (caller, call) in callers {
                if let Some(to) = points_to.code(caller).calls[call as usize].result {
                    self.add(caller, to, new);
                }
            }
        }
    }

    /// What is copied is not told apart by what it is a copy of.
    fn use_new(&mut self, instance: InstanceId, used: &Use, new: &ObjectSet) {
        let points_to = self.points_to;
        match used {
            Use::Load(slot, to, _) => {
                let mut last: Option<&ObjectSet> = None;
                for object in new.iter() {
                    let held = points_to.slot(object, *slot);
                    // Equal sets are one in most places.
                    if !last.is_some_and(|last| std::ptr::eq(last, held)) {
                        self.add(instance, *to, held);
                    }
                    last = Some(held);
                }
            }
            Use::Clone(to) | Use::Open(to) | Use::Resize(to, ..) | Use::ClassOf(to, _) => {
                self.add(instance, *to, points_to.local(instance, *to));
            }
            Use::Store(..) | Use::Call(_) => {}
        }
    }

    /// Passes an argument on to all that a call runs; what it is called on decides what that is.
    fn pass_new(&mut self, caller: InstanceId, call: u32, place: usize, new: &ObjectSet) {
        let points_to = self.points_to;
        let site = &points_to.code(caller).calls[call as usize];
        let edges = points_to.calls(caller);
        let first = edges.partition_point(|edge| edge.call < call);
        for (number, edge) in (first..).zip(&edges[first..]).take_while(|(_, edge)| edge.call == call) {
            let is_made = self.runs.get(&caller).is_some_and(|run| run.made[number]);
            if is_made {
                if let Some(parameter) = points_to.code(edge.callee).parameters.get(place).copied().flatten() {
                    self.add(edge.callee, parameter, new);
                }
            } else if self.is_received(site, place, new, edge.callee) {
                self.make(caller, number, *edge);
            }
        }
    }

    /// Whether the call may be made on an object that code is called on.
    fn is_received(&self, site: &CallSite, place: usize, objects: &ObjectSet, callee: InstanceId) -> bool {
        let this = self.points_to.code(callee).parameters.first().copied().flatten();
        let is_on = || this.is_none_or(|this| objects.intersects(self.points_to.local(callee, this)));
        site.dispatch != Dispatch::Static && place == 0 && is_on()
    }

    fn make(&mut self, caller: InstanceId, number: usize, edge: CallEdge) {
        let points_to = self.points_to;
        let (site, code) = (&points_to.code(caller).calls[edge.call as usize], points_to.code(edge.callee));
        self.reach(edge.callee);
        if let Some(run) = self.runs.get_mut(&caller) {
            run.made[number] = true;
        }
        if let Some(run) = self.runs.get_mut(&edge.callee) {
            run.callers.push((caller, edge.call));
        }
        for (argument, parameter) in site.arguments.iter().zip(&code.parameters) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.pass((caller, *argument), (edge.callee, *parameter));
            }
        }
        if let (Some(from), Some(to)) = (code.result, site.result) {
            self.pass((edge.callee, from), (caller, to));
        }
    }
}
