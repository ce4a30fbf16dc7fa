//! Time and memory against transactions, both axes logarithmic: a straight line is a power.
//!
//! One line per series, one colour each; nothing is drawn behind them, and the greys and colours
//! show on white and on black.

use crate::Row;
use crate::growth::{Point, series};
use crate::show_size;
use tristan_report::svg::{Anchor, Svg};

const COLOURS: [&str; 10] = [
    "#3b82c4", "#d97b29", "#3f9e53", "#c4504b", "#8a6fc0", "#9a6a4f", "#cc6fa8", "#7f8c2f",
    "#2fa3a3", "#a0902a",
];
/// Lines beyond the colours are dashed.
const DASHES: [&str; 3] = ["", "stroke-dasharray=\"6 3\" ", "stroke-dasharray=\"2 3\" "];

const PANEL: (f64, f64) = (420.0, 300.0);
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const GAP: f64 = 90.0;
const BELOW: f64 = 60.0;
const LEGEND_LINE: f64 = 18.0;

/// The picture of some rows, as SVG.
pub fn plot(rows: &[Row]) -> String {
    let series = series(rows);
    let width = LEFT + 2.0 * PANEL.0 + GAP + 30.0;
    let legend = TOP + PANEL.1 + BELOW;
    let lines = series.len().div_ceil(2).max(1) as f64;
    let mut svg = Svg::new(width, legend + LEGEND_LINE * lines + 10.0);
    let time =
        Panel { left: LEFT, title: "time of the check", show: seconds, cost: |point| point.wall };
    let memory = Panel {
        left: LEFT + PANEL.0 + GAP,
        title: "peak memory",
        show: bytes,
        cost: |point| point.peak,
    };
    for panel in [time, memory] {
        panel.draw(&mut svg, &series);
    }
    for (number, (name, _)) in series.iter().enumerate() {
        let column = LEFT + (number % 2) as f64 * (PANEL.0 + GAP);
        let y = legend + LEGEND_LINE * (number / 2) as f64;
        svg.line((column, y - 4.0), (column + 24.0, y - 4.0), &stroke(number));
        svg.text((column + 32.0, y), Anchor::Start, 12.0, name);
    }
    svg.finish()
}

/// One of the two diagrams.
struct Panel {
    left: f64,
    title: &'static str,
    show: fn(f64) -> String,
    cost: fn(&Point) -> f64,
}

impl Panel {
    fn draw(&self, svg: &mut Svg, series: &[(String, Vec<Point>)]) {
        let points = || series.iter().flat_map(|(_, points)| points);
        let across = Axis::of(points().map(|point| point.txns as f64), PANEL.0);
        let up = Axis::of(points().map(self.cost), PANEL.1);
        self.frame(svg, &across, &up);
        for (number, (name, points)) in series.iter().enumerate() {
            let place = |point: &Point| {
                let cost = (self.cost)(point);
                (self.left + across.place(point.txns as f64), TOP + PANEL.1 - up.place(cost))
            };
            let places: Vec<(f64, f64)> = points.iter().map(place).collect();
            svg.path(&places, &stroke(number));
            let fill = format!("fill=\"{}\"", COLOURS[number % COLOURS.len()]);
            for (point, at) in points.iter().zip(places) {
                let (txns, cost) = (show_size(point.txns as u64), (self.show)((self.cost)(point)));
                svg.circle(at, 3.0, &fill, &format!("{name}: {txns} transactions, {cost}"));
            }
        }
    }

    fn frame(&self, svg: &mut Svg, across: &Axis, up: &Axis) {
        let grid = "stroke=\"#808080\" stroke-width=\"0.5\" stroke-opacity=\"0.5\"";
        let (right, bottom) = (self.left + PANEL.0, TOP + PANEL.1);
        for power in across.powers() {
            let x = self.left + across.place(power);
            svg.line((x, TOP), (x, bottom), grid);
            svg.text((x, bottom + 16.0), Anchor::Middle, 11.0, &show_size(power as u64));
        }
        for power in up.powers() {
            let y = bottom - up.place(power);
            svg.line((self.left, y), (right, y), grid);
            svg.text((self.left - 6.0, y + 4.0), Anchor::End, 11.0, &(self.show)(power));
        }
        svg.text((self.left, TOP - 14.0), Anchor::Start, 14.0, self.title);
        svg.text((right, bottom + 34.0), Anchor::End, 12.0, "transactions");
    }
}

/// A logarithmic axis over whole powers of ten.
struct Axis {
    first: i32,
    last: i32,
    length: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>, length: f64) -> Self {
        let all: Vec<f64> = values.filter(|value| *value > 0.0).map(f64::log10).collect();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if all.is_empty() {
            return Self { first: 0, last: 1, length };
        }
        let first = least.floor() as i32;
        Self { first, last: (most.ceil() as i32).max(first + 1), length }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        share.clamp(0.0, 1.0) * self.length
    }

    fn powers(&self) -> impl Iterator<Item = f64> + use<> {
        (self.first..=self.last).map(|power| 10f64.powi(power))
    }
}

fn stroke(number: usize) -> String {
    let colour = COLOURS[number % COLOURS.len()];
    let dashes = DASHES[(number / COLOURS.len()) % DASHES.len()];
    format!("stroke=\"{colour}\" {dashes}stroke-width=\"2\"")
}

fn seconds(value: f64) -> String {
    match value {
        small if small < 0.000_999 => format!("{:.0} µs", small * 1e6),
        small if small < 0.999 => format!("{:.0} ms", small * 1e3),
        other => format!("{other:.0} s"),
    }
}

fn bytes(value: f64) -> String {
    match value {
        small if small < 999e3 => format!("{:.0} KB", small / 1e3),
        small if small < 999e6 => format!("{:.0} MB", small / 1e6),
        other => format!("{:.0} GB", other / 1e9),
    }
}
