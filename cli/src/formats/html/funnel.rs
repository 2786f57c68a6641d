//! How many pairs of accesses each stage of a search leaves, as a picture.

use askama::Template;

/// The picture in its own units, as [`super::plot`] has them.
const WIDTH: f64 = 420.0;
const LEFT: f64 = 76.0;
const LINE: f64 = 26.0;

/// A bar for each stage, as long as the logarithm of the pairs that it leaves.
#[derive(Template)]
#[template(path = "funnel.html")]
pub struct Funnel<'a> {
    bars: Vec<Bar<'a>>,
}

struct Bar<'a> {
    stage: &'a str,
    pairs: u64,
    top: f64,
    length: f64,
}

impl<'a> Funnel<'a> {
    /// Nothing without stages.
    pub fn of(stages: &'a [(&'static str, u64)]) -> Option<Self> {
        let most = stages.iter().map(|(_, pairs)| *pairs).max()?;
        let longest = (1.0 + most as f64).ln().max(1.0);
        let bar = |(index, (stage, pairs)): (usize, &'a (&'static str, u64))| Bar {
            stage,
            pairs: *pairs,
            top: LINE * index as f64,
            length: (WIDTH - LEFT - 70.0) * (1.0 + *pairs as f64).ln() / longest,
        };
        Some(Self { bars: stages.iter().enumerate().map(bar).collect() })
    }

    fn height(&self) -> f64 {
        LINE * self.bars.len() as f64
    }
}

impl Bar<'_> {
    fn baseline(&self) -> f64 {
        self.top + LINE / 2.0 + 4.0
    }
}
