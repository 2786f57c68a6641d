//! How long the stages of a command took. Documents have that only where it was asked for: of the same input they are the same otherwise.

use schemars::JsonSchema;
use serde::Serialize;

use super::table::{Column, Table};
use crate::measure::Cost;

/// What a stage took, in seconds, to the millisecond.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Debug)]
pub struct StageTime {
    /// Its name.
    pub stage: &'static str,
    /// By the clock.
    pub seconds: f64,
    /// Of all processors.
    pub processor: f64,
}

impl StageTime {
    /// What a stage cost.
    pub fn of(stage: &'static str, cost: Cost) -> Self {
        let [seconds, processor] = [cost.wall, cost.processor].map(|time| (time.as_secs_f64() * 1e3).round() / 1e3);
        Self { stage, seconds, processor }
    }

    /// What stages took together.
    pub fn sum(stage: &'static str, times: &[Self]) -> Self {
        let sum = |of: fn(&Self) -> f64| times.iter().map(of).sum();
        Self { stage, seconds: sum(|time| time.seconds), processor: sum(|time| time.processor) }
    }

    /// Its times in words, as a row has them.
    pub fn words(&self) -> [String; 2] {
        [self.seconds, self.processor].map(|seconds| format!("{seconds:.3} s"))
    }
}

/// The stages in their order.
pub fn table(times: &[StageTime]) -> Table {
    let row = |time: &StageTime| std::iter::once(time.stage.to_owned()).chain(time.words()).collect();
    Table {
        id: "times",
        title: "Times",
        columns: vec![Column::words("stage"), Column::numbers("time"), Column::numbers("processor")],
        rows: times.iter().map(row).collect(),
    }
}
