//! A comparison as one page that needs nothing else: no script, no network.

use super::text::{agreement, cells, found_line, heading, headings, seconds, typed};
use super::{Comparison, Row, Subject};
use crate::html::{self, element, escape};

/// Colours are the reader's own, light or dark; wide tables scroll by themselves on a narrow screen.
const STYLE: &str = "
:root { color-scheme: light dark; --bar: light-dark(#3b6ea8, #7fb0e6); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; }
li { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; white-space: nowrap; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
svg { width: 100%; height: auto; margin: 1.5rem 0; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
svg rect { fill: var(--bar); }
svg path { stroke: currentColor; fill: none; }
svg .grid { opacity: .25; }
";

/// The plot in its own units: a line of text is 12 high.
const WIDTH: f64 = 420.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 60.0;
const LINE: f64 = 30.0;

/// The page.
pub fn page(comparison: &Comparison) -> String {
    let rows = comparison.rows();
    let title = element("h1", &format!("jrace compare: {}", heading(comparison)));
    let (table, plot, legend) = (table(comparison.subject, &rows), plot(&rows), legend(comparison.subject, &rows));
    let (typed, findings) = (typed(comparison).map(|typed| element("p", &typed)), findings(comparison));
    html::page("jrace compare", STYLE, &format!("{title}{table}{plot}{legend}{}{findings}", typed.unwrap_or_default()))
}

fn table(subject: Subject, rows: &[Row<'_>]) -> String {
    let headings: String = headings(subject).iter().map(|heading| element("th", heading)).collect();
    let line = |row: &Row<'_>| cells(subject, row).iter().map(|cell| element("td", cell)).collect::<String>();
    let lines: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", line(row))).collect();
    format!("<div class=\"wide\"><table>\n<thead><tr>{headings}</tr></thead>\n<tbody>{lines}</tbody>\n</table></div>\n")
}

/// A bar for each median, and a whisker from the shortest to the longest run.
fn plot(rows: &[Row<'_>]) -> String {
    let longest = rows.iter().map(|row| row.time.max.as_secs_f64()).fold(0.0, f64::max);
    let step = step(longest);
    let x = |time: f64| LEFT + (WIDTH - LEFT - RIGHT) * time / longest.max(step);
    let bottom = LINE * rows.len() as f64;
    let ticks = (0..=4).map(|tick| step * f64::from(tick)).filter(|time| *time <= longest);
    let ticks: String = ticks.map(|time| tick(time, x(time), bottom)).collect();
    let bars: String = rows.iter().enumerate().map(|(index, row)| bar(row, LINE * index as f64, &x)).collect();
    let height = bottom + 20.0;
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Median time of each mode, with its range\">\n\
         {ticks}{bars}</svg>\n"
    )
}

fn tick(time: f64, x: f64, bottom: f64) -> String {
    // Multiples such as 3 * 0.2 would show where their binary form ends.
    let time = (time * 1e6).round() / 1e6;
    let grid = format!("<path class=\"grid\" d=\"M{x:.1} 0V{bottom}\"/>");
    format!("{grid}<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{time} s</text>\n", bottom + 15.0)
}

fn bar(row: &Row<'_>, top: f64, x: &impl Fn(f64) -> f64) -> String {
    let [min, median, max] = [row.time.min, row.time.median, row.time.max].map(|time| x(time.as_secs_f64()));
    let (middle, baseline) = (top + LINE / 2.0, top + LINE / 2.0 + 4.0);
    let (width, height) = (median - LEFT, LINE - 10.0);
    let whisker = format!("M{min:.1} {middle}H{max:.1}M{min:.1} {0}v8M{max:.1} {0}v8", middle - 4.0);
    let (name, time) = (escape(row.column.name), seconds(row.time.median));
    format!(
        "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{name}</text>\
         <rect x=\"{LEFT}\" y=\"{}\" width=\"{width:.1}\" height=\"{height}\"/>\
         <path d=\"{whisker}\"/><text x=\"{:.1}\" y=\"{baseline}\">{time}</text>\n",
        LEFT - 6.0,
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

fn legend(subject: Subject, rows: &[Row<'_>]) -> String {
    let units = "Time is user and system time; bars are medians, whiskers reach from the shortest to the longest run. \
                 Overhead: what is added to base, as a part of it.";
    let gain = match subject {
        Subject::Races(..) => "Speedup: by which part that falls below full.",
        Subject::Atomicity => {
            "Interception: what recording adds to base. Checker: what looking into the traces takes. Speedup: by which \
             part that falls below unfocused. Fraction: which part of the time it is."
        }
    };
    let meaning = |row: &Row<'_>| element("li", &format!("{}: {}", row.column.name, row.column.meaning));
    let meanings: String = rows.iter().map(meaning).collect();
    format!("{}<ul>\n{meanings}</ul>\n", element("p", &format!("{units} {gain}")))
}

fn findings(comparison: &Comparison) -> String {
    let found = comparison.found();
    let differing = found.iter().filter(|found| found.differs());
    let lines: String = differing.map(|found| element("li", &found_line(found, comparison.rounds()))).collect();
    format!("{}<ul>\n{lines}</ul>\n", element("p", &agreement(comparison.subject, &found)))
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::comparison;
    use super::*;

    #[test]
    fn names_are_escaped_and_nothing_is_loaded() {
        let page = page(&comparison());
        assert!(page.contains("Main&lt;T&gt;") && page.contains("LOST by field") && !page.contains("<x>"), "{page}");
        assert!(!page.contains("http") && !page.contains("src="), "{page}");
        assert_eq!(page.matches("<rect").count(), 3);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!([0.0, 0.8, 1.0, 4.9, 37.0, 2300.0].map(step), [1.0, 0.2, 0.5, 1.0, 10.0, 500.0]);
    }
}
