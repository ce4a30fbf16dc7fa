//! Verdicts as a picture of their own, for tickets and papers: one below the other.

use tristan_verdict::{Answer, PointKind, Verdict, Witness};

use crate::figure::Drawing;
use crate::layout::fold;
use crate::markup::escaped;
use crate::names::Names;
use crate::proof;
use crate::summary::{headline, sentence};
use crate::svg::{Anchor, Svg};

const MARGIN: f64 = 14.0;
/// Above a drawing: the headline and the sentence.
const HEAD: f64 = 56.0;
/// A picture shows so many verdicts.
const MOST: usize = 20;
/// An order of more points loses its middle.
const MOST_POINTS: usize = 24;

/// A picture of some verdicts, usually one.
pub fn svg(verdicts: &[Verdict]) -> String {
    let parts: Vec<(String, String, Drawing)> = verdicts.iter().take(MOST).map(part).collect();
    let letters = |text: &str| text.chars().count() as f64;
    let widths = parts.iter().map(|(head, sentence, drawing)| {
        drawing.width.max(letters(head) * 9.0).max(letters(sentence) * 6.6)
    });
    let width = widths.fold(300.0, f64::max) + 2.0 * MARGIN;
    let height: f64 = parts.iter().map(|(.., drawing)| HEAD + drawing.height + MARGIN).sum();
    let mut body = String::new();
    let mut top = 0.0;
    for (head, sentence, drawing) in &parts {
        body.push_str(&format!(
            "<text x=\"{MARGIN}\" y=\"{:.1}\" class=\"name\">{}</text>\n\
             <text x=\"{MARGIN}\" y=\"{:.1}\" class=\"note\">{}</text>\n\
             <g transform=\"translate({MARGIN} {:.1})\">\n{}</g>\n",
            top + 24.0,
            escaped(head),
            top + 43.0,
            escaped(sentence),
            top + HEAD,
            drawing.body
        ));
        top += HEAD + drawing.height + MARGIN;
    }
    Drawing { width, height, body }.file()
}

fn part(verdict: &Verdict) -> (String, String, Drawing) {
    let drawing = match (&verdict.answer, proof::figure(verdict)) {
        (_, Some(figure)) => figure.draw(),
        (Answer::Accept { witness }, None) => order(Names::of(verdict), witness),
        (_, None) => Drawing { width: 0.0, height: 0.0, body: String::new() },
    };
    (fold(&headline(verdict), 120), fold(&sentence(verdict), 160), drawing)
}

/// The order of a witness: boxes from left to right, several rows of them.
fn order(names: Names<'_>, witness: &Witness) -> Drawing {
    const BOX: (f64, f64) = (128.0, 30.0);
    const STEP: (f64, f64) = (152.0, 46.0);
    const COLUMNS: usize = 6;
    let words: Vec<String> = shortened(names, witness);
    let mut pen = Svg::new(0.0, 0.0);
    for (number, text) in words.iter().enumerate() {
        let (column, row) = ((number % COLUMNS) as f64, (number / COLUMNS) as f64);
        let (x, y) = (column * STEP.0, row * STEP.1);
        pen.styled_rect((x, y), BOX, 6.0, "class=\"box\"");
        let middle = (x + BOX.0 / 2.0, y + 19.5);
        pen.styled_text(middle, Anchor::Middle, "class=\"words\"", text);
        if number + 1 < words.len() && number % COLUMNS + 1 < COLUMNS {
            let (from, to) = ((x + BOX.0 + 3.0, y + 15.0), (x + STEP.0 - 3.0, y + 15.0));
            pen.open("class=\"arrow rt\"");
            pen.line(from, (to.0 - 6.0, to.1), "class=\"line\"");
            let base = to.0 - 8.0;
            pen.polygon(&[to, (base, to.1 - 5.0), (base, to.1 + 5.0)], "class=\"tip\"");
            pen.close();
        }
    }
    let rows = words.len().div_ceil(COLUMNS) as f64;
    let columns = words.len().min(COLUMNS) as f64;
    Drawing { width: columns * STEP.0, height: rows * STEP.1, body: pen.into_body() }
}

/// The points in words, the middle left out when there are many.
pub(crate) fn shortened(names: Names<'_>, witness: &Witness) -> Vec<String> {
    let word = |point: &tristan_verdict::Point| {
        let name = names.txn(point.txn);
        match point.at {
            PointKind::Whole => fold(&name, 16),
            PointKind::Begin => format!("{} begins", fold(&name, 9)),
            PointKind::Commit => format!("{} commits", fold(&name, 8)),
        }
    };
    let points = &witness.order;
    if points.len() <= MOST_POINTS {
        return points.iter().map(word).collect();
    }
    let half = 6;
    let (first, last) = (&points[..half], &points[points.len() - half..]);
    let gap = format!("… {} more …", points.len() - 2 * half);
    first.iter().map(word).chain([gap]).chain(last.iter().map(word)).collect()
}
