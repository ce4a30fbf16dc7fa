//! Lines, boxes and words.

use super::label::{LABEL_HEIGHT, Route};
use super::place::{HEAD, Place, ROW};
use super::{Arrow, Card, Drawing, Figure, Row};
use crate::svg::{Anchor, Svg};

const MARGIN: f64 = 10.0;

/// Draws cards and arrows.
pub(super) fn draw(figure: &Figure, places: &[Place], routes: &[Route]) -> Drawing {
    let (left, top, right, bottom) = extent(places, routes);
    let (width, height) = (right - left + 2.0 * MARGIN, bottom - top + 2.0 * MARGIN);
    let mut pen = Pen { svg: Svg::new(width, height), left: left - MARGIN, top: top - MARGIN };
    for (card, place) in figure.cards.iter().zip(places) {
        pen.card(card, place);
    }
    for (arrow, route) in figure.arrows.iter().zip(routes) {
        pen.arrow(arrow, route);
    }
    Drawing { width, height, body: pen.svg.into_body() }
}

/// Left, top, right and bottom of everything.
fn extent(places: &[Place], routes: &[Route]) -> (f64, f64, f64, f64) {
    let cards = places.iter().map(|p| (p.x, p.y, p.x + p.width, p.y + p.height));
    let labels = routes.iter().map(|route| {
        let ((x, y), half) = (route.label, route.label_width / 2.0);
        (x - half, y - LABEL_HEIGHT / 2.0, x + half, y + LABEL_HEIGHT / 2.0)
    });
    // A curve stays within three quarters of the way to the points that pull it.
    let curves = routes.iter().map(|route| {
        let [start, out, into, end] = route.curve;
        let reach = |at: f64, pull: f64| at + 0.75 * (pull - at);
        let xs = [start.0, end.0, reach(start.0, out.0), reach(end.0, into.0)];
        let ys = [start.1, end.1, reach(start.1, out.1), reach(end.1, into.1)];
        let low = |all: [f64; 4]| all.into_iter().fold(f64::INFINITY, f64::min);
        let high = |all: [f64; 4]| all.into_iter().fold(f64::NEG_INFINITY, f64::max);
        (low(xs), low(ys), high(xs), high(ys))
    });
    let mut all = cards.chain(labels).chain(curves);
    let first = all.next().unwrap_or((0.0, 0.0, 0.0, 0.0));
    all.fold(first, |a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))
}

/// Draws with the upper left corner of everything at the origin.
struct Pen {
    svg: Svg,
    left: f64,
    top: f64,
}

impl Pen {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (x - self.left, y - self.top)
    }

    fn card(&mut self, card: &Card, place: &Place) {
        let class = if card.txn.is_some() { "card" } else { "card many" };
        self.svg.open(&format!("class=\"{class}\""));
        let at = self.at(place.x, place.y);
        self.svg.styled_rect(at, (place.width, place.height), 8.0, "class=\"box\"");
        let at = self.at(place.x + 12.0, place.y + 22.5);
        self.svg.styled_text(at, Anchor::Start, "class=\"name\"", &card.title);
        let at = self.at(place.x + place.width - 12.0, place.y + 22.0);
        self.svg.styled_text(at, Anchor::End, "class=\"note\"", &card.note);
        if !card.rows.is_empty() {
            let ends = [place.x, place.x + place.width].map(|x| self.at(x, place.y + HEAD - 1.0));
            self.svg.line(ends[0], ends[1], "class=\"rule\"");
        }
        for (number, row) in card.rows.iter().enumerate() {
            self.row(card, row, place, place.y + HEAD + ROW * number as f64);
        }
        self.svg.close();
    }

    fn row(&mut self, card: &Card, row: &Row, place: &Place, top: f64) {
        let name = card.txn.zip(row.op).map(|(txn, op)| format!(" data-op=\"{txn}.{op}\""));
        let mut class = if row.op.is_some() { "op".to_owned() } else { "op gap".to_owned() };
        for (is_so, word) in [(row.range, " range"), (row.wrong, " wrong")] {
            class.push_str(if is_so { word } else { "" });
        }
        self.svg.open(&format!("class=\"{class}\"{}", name.unwrap_or_default()));
        self.svg.title(&row.full);
        let at = self.at(place.x + 4.0, top + 1.0);
        self.svg.styled_rect(at, (place.width - 8.0, ROW - 1.0), 4.0, "class=\"back\"");
        let at = self.at(place.x + 12.0, top + 17.0);
        self.svg.styled_text(at, Anchor::Start, "class=\"words\"", &row.text);
        self.svg.close();
    }

    fn arrow(&mut self, arrow: &Arrow, route: &Route) {
        let derived = if arrow.derived { " derived" } else { "" };
        let class = format!("class=\"arrow {}{derived}\" data-step=\"{}\"", arrow.kind, arrow.step);
        self.svg.open(&class);
        self.svg.title(&arrow.title);
        let curve = route.curve.map(|(x, y)| self.at(x, y));
        let (tip, back) = (curve[3], if route.ends_rightwards() { -9.0 } else { 9.0 });
        let short = (tip.0 + back * 0.8, tip.1);
        self.svg.curve([curve[0], curve[1], curve[2], short], "class=\"line\"");
        let base = tip.0 + back;
        self.svg.polygon(&[tip, (base, tip.1 - 5.0), (base, tip.1 + 5.0)], "class=\"tip\"");
        self.label(arrow, route);
        self.svg.close();
    }

    fn label(&mut self, arrow: &Arrow, route: &Route) {
        let ((x, y), half) = (route.label, route.label_width / 2.0);
        let at = self.at(x - half, y - LABEL_HEIGHT / 2.0);
        let size = (route.label_width, LABEL_HEIGHT);
        self.svg.styled_rect(at, size, LABEL_HEIGHT / 2.0, "class=\"pill\"");
        let at = self.at(x - half + LABEL_HEIGHT / 2.0, y);
        self.svg.dot(at, LABEL_HEIGHT / 2.0 - 2.0, "class=\"spot\"");
        self.svg.styled_text(
            (at.0, at.1 + 4.2),
            Anchor::Middle,
            "class=\"number\"",
            &arrow.step.to_string(),
        );
        let at = self.at(x - half + LABEL_HEIGHT + 3.0, y + 4.2);
        self.svg.styled_text(at, Anchor::Start, "class=\"label\"", &arrow.label);
    }
}
