//! The modes that are compared.

use std::path::PathBuf;

use anyhow::Result;

use crate::args::Focus;
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
    /// Where the focus sets are.
    pub folder: PathBuf,
}

impl Prepared<'_> {
    /// Where a focus set is.
    pub fn focus_set(&self, focus: Focus) -> PathBuf {
        self.folder.join(format!("{focus:?}"))
    }

    fn focused(&self, focus: Focus) -> Result<Settings> {
        self.settings.with("focus_set", &settings::text(&self.focus_set(focus))?)
    }
}

const BASE: Mode = Mode { name: "base", meaning: "without the agent", settings: |_| Ok(None) };

/// The modes of a search for races. The others are compared with the first, without the agent, and the second, which checks
/// everything.
pub const RACES: &[Mode] = &[
    BASE,
    Mode { name: "full", meaning: "everything is checked", settings: |prepared| Ok(Some(prepared.settings.clone())) },
    Mode {
        name: "field",
        meaning: "accesses that the static types prove race-free are not checked",
        settings: |prepared| prepared.focused(Focus::Field).map(Some),
    },
    Mode {
        name: "method",
        meaning: "nor those that hold the monitor of the object, where most do: the others are held to it, with more false alarms",
        settings: |prepared| prepared.focused(Focus::Method).map(Some),
    },
    Mode {
        name: "combined",
        meaning: "neither those that the types prove nor those of which a search over the whole program finds no race",
        settings: |prepared| prepared.focused(Focus::Combined).map(Some),
    },
];

/// The modes of a search for transactions that are not atomic; no races are looked for in the same runs.
pub const ATOMICITY: &[Mode] = &[
    BASE,
    Mode {
        name: "unfocused",
        meaning: "every access is recorded and checked",
        settings: |prepared| prepared.settings.with("check", "none").map(Some),
    },
    Mode {
        name: "focused",
        meaning: "accesses to what threads are proved not to share are neither recorded nor checked",
        settings: |prepared| prepared.focused(Focus::Unshared)?.with("check", "none").map(Some),
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
