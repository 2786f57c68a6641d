//! A plot as a picture that needs nothing else.

use crate::document::table::{Bar, Plot};
use crate::html::escape;

/// The plot in its own units: a line of text is 12 high.
const WIDTH: f64 = 420.0;
const RIGHT: f64 = 60.0;
/// A letter is about as wide, at the most.
const LETTER: f64 = 8.0;
const LINE: f64 = 30.0;

/// A bar for each median, and a whisker from the shortest to the longest.
pub fn svg(plot: &Plot) -> String {
    let longest = plot.bars.iter().map(|bar| bar.seconds[2]).fold(0.0, f64::max);
    let (step, left) = (step(longest), left(plot));
    let right = RIGHT.max(LETTER * longest_of(plot.bars.iter().map(|bar| &bar.text)));
    let x = |time: f64| left + (WIDTH - left - right) * time / longest.max(step);
    let bottom = LINE * plot.bars.len() as f64;
    let ticks = (0..=4).map(|tick| step * f64::from(tick)).filter(|time| *time <= longest);
    let ticks: String = ticks.map(|time| tick(time, x(time), bottom)).collect();
    let bars: String =
        plot.bars.iter().enumerate().map(|(index, one)| bar(one, LINE * index as f64, left, &x)).collect();
    let height = bottom + 20.0;
    format!(
        "<figure><svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n{ticks}{bars}</svg></figure>\n",
        escape(plot.label)
    )
}

/// Names stand left of the bars, and need as much room as the longest.
fn left(plot: &Plot) -> f64 {
    LETTER * longest_of(plot.bars.iter().map(|bar| &bar.name)) + 12.0
}

fn longest_of<'a>(texts: impl Iterator<Item = &'a String>) -> f64 {
    texts.map(|text| text.chars().count()).max().unwrap_or_default() as f64
}

fn tick(time: f64, x: f64, bottom: f64) -> String {
    // Multiples such as 3 * 0.2 would show where their binary form ends.
    let time = (time * 1e6).round() / 1e6;
    let grid = format!("<path class=\"grid\" d=\"M{x:.1} 0V{bottom}\"/>");
    format!("{grid}<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{time} s</text>\n", bottom + 15.0)
}

fn bar(bar: &Bar, top: f64, left: f64, x: &impl Fn(f64) -> f64) -> String {
    let [min, median, max] = bar.seconds.map(x);
    let (middle, baseline) = (top + LINE / 2.0, top + LINE / 2.0 + 4.0);
    let (width, height) = (median - left, LINE - 10.0);
    let whisker = format!("M{min:.1} {middle}H{max:.1}M{min:.1} {0}v8M{max:.1} {0}v8", middle - 4.0);
    let (name, text) = (escape(&bar.name), escape(&bar.text));
    format!(
        "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{name}</text>\
         <rect x=\"{left}\" y=\"{}\" width=\"{width:.1}\" height=\"{height}\"/>\
         <path d=\"{whisker}\"/><text x=\"{:.1}\" y=\"{baseline}\">{text}</text>\n",
        left - 6.0,
        top + 5.0,
        max + 6.0
    )
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
