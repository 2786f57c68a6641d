//! The variables of locks that are held.

use crate::points_to::core::code::{Global, Local, Lock, Slot};
use crate::points_to::frontend::held::Held;
use crate::types::locks::Mode;
use crate::types::{Path, Root};

use super::Extraction;

impl Extraction<'_, '_> {
    pub(super) fn locks(&mut self, held: Held<'_>) -> Box<[Lock]> {
        let entry = self.entry;
        let taken = held.locks.iter().filter_map(|hold| {
            let local = self.named(&hold.whole())?;
            let (monitor, shared, is_flag) = (hold.monitor, hold.is_shared(false), hold.mode == Mode::Once);
            Some(Lock { local, monitor, shared, is_flag })
        });
        entry.into_iter().chain(taken).collect()
    }

    /// The variable of a final expression. Of one that only a helper has, it is loaded here, too.
    fn named(&mut self, path: &Path) -> Option<Local> {
        if let Some(value) = self.names.get(path) {
            return self.local(*value);
        }
        if let Some(known) = self.unnamed.get(path) {
            return *known;
        }
        let local = self.load_path(path);
        self.unnamed.insert(path.clone(), local);
        local
    }

    fn load_path(&mut self, path: &Path) -> Option<Local> {
        let Some((field, before)) = path.fields.split_last() else { return self.load_root(path.root) };
        let base = self.named(&Path { fields: before.to_vec(), ..path.clone() })?;
        let to = self.code.local();
        self.code.load(to, base, Slot::Field(*field));
        self.code.is_part(to, base, *field);
        Some(to)
    }

    fn load_root(&mut self, root: Root) -> Option<Local> {
        match root {
            Root::Parameter(n) => self.code.parameters.get(usize::from(n)).copied().flatten(),
            Root::Static(field) => {
                let to = self.code.local();
                self.code.global_loads.push((to, Global::Static(field), None));
                Some(to)
            }
            Root::Class(class) => Some(self.class_constant(class)),
            Root::Value(_) | Root::Text(_) | Root::Owner(_) => None,
        }
    }
}
