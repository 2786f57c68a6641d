//! The modes that are compared.

use std::path::Path;

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
    /// What is proved about the command's classes.
    pub focus_set: &'a Path,
}

/// Every mode. The others are compared with the first, without the agent, and the second, which checks everything.
pub const MODES: &[Mode] = &[
    Mode { name: "base", meaning: "without the agent", settings: |_| Ok(None) },
    Mode { name: "full", meaning: "everything is checked", settings: |prepared| Ok(Some(prepared.settings.clone())) },
    Mode {
        name: "field",
        meaning: "accesses that the static types prove race-free are not checked",
        settings: |prepared| {
            let focus_set = settings::text(prepared.focus_set)?;
            prepared.settings.with("focus_set", &focus_set).map(Some)
        },
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
