//! The modes that are compared.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::settings::{self, Settings};

/// One way to run a command.
pub struct Mode {
    /// What its column is called.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The options of the agent; `None` for no agent.
    pub settings: fn(&Prepared<'_>) -> Result<Option<Settings>>,
}

/// What modes choose from.
pub struct Prepared<'a> {
    /// The user's options.
    pub settings: &'a Settings,
    /// What the types prove about the command's classes.
    pub field: PathBuf,
    /// What a search for races proves besides.
    pub combined: PathBuf,
}

impl Prepared<'_> {
    fn focused(&self, focus_set: &Path) -> Result<Option<Settings>> {
        self.settings.with("focus_set", &settings::text(focus_set)?).map(Some)
    }
}

/// Every mode. The others are compared with the first, without the agent, and the second, which checks everything.
pub const MODES: &[Mode] = &[
    Mode { name: "base", meaning: "without the agent", settings: |_| Ok(None) },
    Mode { name: "full", meaning: "everything is checked", settings: |prepared| Ok(Some(prepared.settings.clone())) },
    Mode {
        name: "field",
        meaning: "accesses that the static types prove race-free are not checked",
        settings: |prepared| prepared.focused(&prepared.field),
    },
    Mode {
        name: "combined",
        meaning: "nor those of which a search over the whole program finds no race",
        settings: |prepared| prepared.focused(&prepared.combined),
    },
];

/// The order of a round: it begins one mode later than the round before, so that over the rounds every mode has every turn.
pub fn order(round: usize, n_modes: usize) -> impl Iterator<Item = usize> {
    (0..n_modes).map(move |turn| (turn + round) % n_modes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_every_turn() {
        let rounds: Vec<Vec<usize>> = (0..4).map(|round| order(round, 3).collect()).collect();
        assert_eq!(rounds, [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]);
    }
}
