//! The stages of a command that takes a while: shown on a terminal while they last, and timed.

use indicatif::ProgressBar;

use crate::analysis::spinner;
use crate::document::time::StageTime;
use crate::measure::Stopwatch;

/// Stages, of which one lasts.
pub struct Stages {
    progress: ProgressBar,
    lasting: (&'static str, Stopwatch),
    ended: Vec<StageTime>,
}

impl Stages {
    /// The first stage begins.
    pub fn begin(stage: &'static str) -> Self {
        Self { progress: spinner(stage), lasting: (stage, Stopwatch::start()), ended: Vec::new() }
    }

    /// One stage ends and another begins.
    pub fn next(&mut self, stage: &'static str) {
        self.progress.set_message(stage);
        let (name, stopwatch) = std::mem::replace(&mut self.lasting, (stage, Stopwatch::start()));
        self.ended.push(StageTime::of(name, stopwatch.cost()));
    }

    /// Says how far the stage is.
    pub fn tell(&self, text: String) {
        self.progress.set_message(text);
    }

    /// The last stage ends.
    pub fn end(mut self) -> Vec<StageTime> {
        self.progress.finish_and_clear();
        self.ended.push(StageTime::of(self.lasting.0, self.lasting.1.cost()));
        self.ended
    }
}
