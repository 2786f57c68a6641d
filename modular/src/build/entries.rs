//! Who comes to which region.

use super::Build;

impl<'p> Build<'_, '_, 'p> {
    /// The regions that the component comes to, by itself and in what it calls.
    pub(super) fn entries(&mut self) {
        for (region, thread, _) in &self.solver.entered {
            self.summary.entries.insert((region.clone(), thread.clone()));
        }
        for index in 0..self.solver.instances.len() {
            for (region, thread) in &self.solver.instances[index].summary.clone().entries {
                let thread = match thread {
                    Some(thread) => Some(self.solver.thread_of(index, thread)),
                    None => self.solver.instances[index].context.thread.clone(),
                };
                self.summary.entries.insert((region.clone(), thread));
            }
        }
    }
}
