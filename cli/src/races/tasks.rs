//! What clients of a library are unlikely to call: what threads, or the JVM, begin with.

use std::collections::HashSet;

use static_typer::points_to::{InstanceId, PointsTo};
use static_typer::program::{MethodId, Program};

const THREAD: &str = "java/lang/Thread";
/// How the names of classes of the JDK begin whose code runs tasks in threads.
const RUNNERS: [&str; 3] = [THREAD, "java/util/Timer", "java/util/concurrent/"];

/// The methods `main`, and those that the program has threads run.
pub struct Tasks<'a> {
    program: &'a Program,
    begun: HashSet<MethodId>,
}

impl<'a> Tasks<'a> {
    /// Those of a program.
    pub fn of(program: &'a Program, points_to: &PointsTo) -> Self {
        let runs_tasks = |caller: &InstanceId| {
            let class = points_to.code(*caller).method.map(|method| program.method(method).class);
            let name = class.map(|class| program.class_name(class));
            name.is_some_and(|name| RUNNERS.iter().any(|runner| name.starts_with(runner)))
        };
        let run = points_to.instances().filter(runs_tasks).flat_map(|caller| points_to.calls(caller));
        let methods = run.filter_map(|edge| points_to.code(edge.callee).method);
        let tasks = methods.filter(|method| has_name_of_task(program, *method));
        Self { program, begun: tasks.chain(program.main_methods()).collect() }
    }

    /// Whether a method is one of them, or the `run` of a thread: nobody calls that, whether it is started or not.
    pub fn has(&self, method: MethodId) -> bool {
        let mut above = self.program.superclasses(self.program.method(method).class);
        self.begun.contains(&method)
            || has_name_of_task(self.program, method) && above.any(|above| self.program.class_name(above) == THREAD)
    }
}

fn has_name_of_task(program: &Program, method: MethodId) -> bool {
    let name = program.names().text(program.method(method).name);
    matches!(&*name, "run" | "call") && program.signature(method).parameters.is_empty()
}
