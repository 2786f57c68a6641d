//! A graph as a picture: boxes below each other, so that it fits a narrow window, and arrows on their left.

use askama::Template;

use crate::document::graph::{Arrow, Graph, Line, Look, Node};

/// The picture in its own units, as [`super::plot`] has them.
const WIDTH: f64 = 420.0;
/// Where boxes begin.
const LEFT: f64 = 84.0;
/// What is free around text in a box, and between boxes.
const PADDING: f64 = 8.0;
const LINE: f64 = 17.0;
/// So many letters fit into a box.
const LETTERS: usize = 42;
/// How far arrows are from each other, at the most.
const LANE: f64 = 9.0;

/// Boxes and arrows.
#[derive(Template)]
#[template(path = "graph.html")]
pub struct Picture<'a> {
    label: &'a str,
    more: Option<&'a str>,
    height: f64,
    boxes: Vec<Shape>,
    arrows: Vec<Curve>,
}

struct Shape {
    class: &'static str,
    top: f64,
    height: f64,
    texts: Vec<Text>,
}

/// A line of text, by the foot of its letters.
struct Text {
    class: &'static str,
    y: f64,
    text: String,
}

struct Curve {
    class: &'static str,
    from: f64,
    /// How far left it goes.
    x: f64,
    to: f64,
}

impl Curve {
    fn path(&self) -> String {
        let Self { from, x, to, .. } = self;
        let end = LEFT - 1.0;
        format!(
            "M{LEFT} {from:.1}H{x:.1}V{to:.1}H{end}M{} {:.1}L{end} {to:.1}L{} {:.1}",
            end - 6.0,
            to - 4.0,
            end - 6.0,
            to + 4.0
        )
    }
}

/// An arrow before it has its place: where it begins and ends.
type Span = (f64, f64, Arrow);

impl<'a> Picture<'a> {
    /// The boxes from top to bottom.
    pub fn of(graph: &'a Graph) -> Self {
        let (mut boxes, mut starts, mut top) = (Vec::new(), Vec::new(), 1.0);
        for node in &graph.nodes {
            let (shape, lines) = shape(node, top);
            starts.extend(lines);
            top += shape.height + 1.5 * PADDING;
            boxes.push(shape);
        }
        // Arrows lead to the titles.
        let end = |to: usize| boxes.get(to).map(|shape| shape.top + PADDING + 1.5 * LINE);
        let spans = starts.iter().flat_map(|(y, line): &(f64, &Line)| {
            line.to.iter().filter_map(|to| Some((*y, end(*to)?, line.arrow))).collect::<Vec<Span>>()
        });
        let arrows = curves(spans.collect());
        Self { label: &graph.label, more: graph.more.as_deref(), height: top, boxes, arrows }
    }
}

/// A box, and where arrows begin.
fn shape(node: &Node, top: f64) -> (Shape, Vec<(f64, &Line)>) {
    let mut texts = Vec::new();
    let mut starts = Vec::new();
    let mut y = top + PADDING;
    let mut add = |class: &'static str, text: &str| {
        let first = y + LINE / 2.0;
        for part in wrapped(text) {
            y += LINE;
            texts.push(Text { class, y: y - 4.0, text: part });
        }
        first
    };
    add("kind", &node.kind);
    add("title", &node.title);
    for line in &node.lines {
        starts.push((add("line", &line.text), line));
    }
    let class = match node.look {
        Look::Actor => "actor",
        Look::Solid => "solid",
        Look::Open => "open",
    };
    (Shape { class, top, height: y - top + PADDING, texts }, starts)
}

/// Each arrow gets a lane, the shorter ones nearer to the boxes, so that no two of a lane meet.
fn curves(mut spans: Vec<Span>) -> Vec<Curve> {
    let length = |(from, to, _): &Span| (from - to).abs();
    spans.sort_by(|a, b| length(a).total_cmp(&length(b)).then(a.0.total_cmp(&b.0)).then(a.2.cmp(&b.2)));
    let mut lanes: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut lane_of = |from: f64, to: f64| {
        let (low, high) = (from.min(to), from.max(to));
        let is_free = |lane: &Vec<(f64, f64)>| lane.iter().all(|(a, b)| *b < low || *a > high);
        let lane = lanes.iter().position(is_free).unwrap_or(lanes.len());
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push((low, high));
        lane
    };
    let placed: Vec<(usize, Span)> = spans.into_iter().map(|span| (lane_of(span.0, span.1), span)).collect();
    let step = LANE.min((LEFT - 2.0 * PADDING) / lanes.len().max(1) as f64);
    let class = |arrow| match arrow {
        Arrow::Plain => "plain",
        Arrow::Dashed => "dashed",
        Arrow::Strong => "strong",
    };
    let curve = |(lane, (from, to, arrow)): (usize, Span)| Curve {
        class: class(arrow),
        from,
        x: LEFT - PADDING - 4.0 - step * lane as f64,
        to,
    };
    placed.into_iter().map(curve).collect()
}

/// A text in lines that fit: broken at spaces, long words after dots, or else anywhere.
fn wrapped(text: &str) -> Vec<String> {
    let width = |text: &str| text.chars().count();
    let (mut lines, mut line) = (Vec::new(), String::new());
    for part in text.split_inclusive(' ').flat_map(pieces) {
        if width(&line) + width(part.trim_end()) > LETTERS {
            lines.push(std::mem::take(&mut line));
        }
        for letter in part.chars() {
            if width(&line) >= LETTERS && letter != ' ' {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.push(line);
    lines.into_iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// Where a word may be broken: nowhere, unless it is too long.
fn pieces(word: &str) -> Vec<&str> {
    if word.chars().count() > LETTERS { word.split_inclusive('.').collect() } else { vec![word] }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn node(lines: Vec<Line>) -> Node {
        Node { look: Look::Solid, kind: "made <here>".into(), title: "a.B made at B.java:3".into(), lines }
    }

    fn line(to: &[usize]) -> Line {
        Line { text: "next".into(), arrow: Arrow::Strong, to: to.into() }
    }

    #[test]
    fn arrows_lead_from_lines_to_titles_and_text_stays_text() {
        let nodes = vec![node(vec![line(&[1]), line(&[0, 7])]), node(Vec::new())];
        let graph = Graph { label: "a \"graph\"".into(), nodes, more: Some("3 more nodes not shown".into()) };
        let picture = Picture::of(&graph);
        let titles: Vec<f64> = picture.boxes.iter().map(|shape| shape.texts[1].y - LINE / 2.0 + 4.0).collect();
        let mut ends: Vec<f64> = picture.arrows.iter().map(|arrow| arrow.to).collect();
        ends.sort_by(f64::total_cmp);
        assert_eq!(ends, titles);
        let page = picture.to_string();
        assert_eq!(page.matches("class=\"strong\"").count(), 2);
        assert!(page.contains("made &lt;here&gt;") && page.contains("3 more nodes not shown"), "{page}");
    }

    proptest! {
        #[test]
        fn nothing_of_a_text_is_lost_and_each_line_fits(text in "[a-z. ]{0,300}") {
            let lines = wrapped(&text);
            prop_assert!(lines.iter().all(|line| line.chars().count() <= LETTERS), "{lines:?}");
            let letters = |text: &str| text.replace(' ', "");
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }

        #[test]
        fn arrows_of_a_lane_do_not_meet(spans in prop::collection::vec((0..60_u8, 0..60_u8), 0..20)) {
            let spans: Vec<Span> = spans.into_iter().map(|(a, b)| (f64::from(a), f64::from(b), Arrow::Plain)).collect();
            let curves = curves(spans);
            for (n, a) in curves.iter().enumerate() {
                prop_assert!(a.x > 0.0 && a.x < LEFT);
                for b in &curves[n + 1..] {
                    let is_apart = a.from.max(a.to) < b.from.min(b.to) || b.from.max(b.to) < a.from.min(a.to);
                    prop_assert!(a.x.to_bits() != b.x.to_bits() || is_apart);
                }
            }
        }
    }
}
