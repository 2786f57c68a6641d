//! A plot as a picture that needs nothing else.

use askama::Template;

use crate::document::table::{self, Plot};

/// The plot in its own units: a line of text is 12 high.
const WIDTH: f64 = 420.0;
const RIGHT: f64 = 60.0;
/// A letter is about as wide, at the most.
const LETTER: f64 = 8.0;
const LINE: f64 = 30.0;

/// A bar for each median, and a whisker from the shortest to the longest.
#[derive(Template)]
#[template(path = "plot.html")]
pub struct Picture<'a> {
    label: &'a str,
    /// Where bars begin.
    left: f64,
    bottom: f64,
    ticks: Vec<Tick>,
    bars: Vec<Bar<'a>>,
}

struct Tick {
    seconds: f64,
    x: f64,
}

struct Bar<'a> {
    name: &'a str,
    text: &'a str,
    top: f64,
    /// Where the least, the median and the most are.
    x: [f64; 3],
}

impl<'a> Picture<'a> {
    /// Names stand left of the bars, and need as much room as the longest; so do the texts on the right.
    pub fn of(plot: &'a Plot) -> Self {
        let longest = plot.bars.iter().map(|bar| bar.seconds[2]).fold(0.0, f64::max);
        let step = step(longest);
        let left = LETTER * longest_of(plot.bars.iter().map(|bar| &bar.name)) + 12.0;
        let right = RIGHT.max(LETTER * longest_of(plot.bars.iter().map(|bar| &bar.text)));
        let x = |seconds: f64| left + (WIDTH - left - right) * seconds / longest.max(step);
        let ticks = (0..=4).map(|tick| step * f64::from(tick)).filter(|seconds| *seconds <= longest);
        let bar = |(index, bar): (usize, &'a table::Bar)| Bar {
            name: &bar.name,
            text: &bar.text,
            top: LINE * index as f64,
            x: bar.seconds.map(x),
        };
        Self {
            label: plot.label,
            left,
            bottom: LINE * plot.bars.len() as f64,
            // Multiples such as 3 * 0.2 would show where their binary form ends.
            ticks: ticks.map(|seconds| Tick { seconds: (seconds * 1e6).round() / 1e6, x: x(seconds) }).collect(),
            bars: plot.bars.iter().enumerate().map(bar).collect(),
        }
    }
}

fn longest_of<'a>(texts: impl Iterator<Item = &'a String>) -> f64 {
    texts.map(|text| text.chars().count()).max().unwrap_or_default() as f64
}

/// The distance of ticks: 1, 2 or 5 times a power of ten, so that at most five fit, zero included.
fn step(longest: f64) -> f64 {
    let least = longest / 4.9;
    if least <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= least).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!([0.0, 0.8, 1.0, 4.9, 37.0, 2300.0].map(step), [1.0, 0.2, 0.5, 1.0, 10.0, 500.0]);
    }
}
