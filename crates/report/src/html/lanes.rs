//! When? A lane per session with the transactions of the answer in colour, others around them in
//! grey, and faults and remarks below.
//!
//! Lanes are drawn only where the trace relates transactions of different sessions in time: by
//! clocks, or by the order of its entries. Elsewhere only the remarks are listed.

use tristan_verdict::{Answer, EdgeKind, Note, Timeline, Times, Verdict};

use super::Page;
use crate::layout::{count, fold};
use crate::markup::escaped;
use crate::names::Names;
use crate::proof::{Main, main};
use crate::svg::{Anchor, Svg};

const WIDTH: f64 = 1130.0;
const LEFT: f64 = 120.0;
const LANE: f64 = 32.0;
const TOP: f64 = 8.0;
const MOST_LANES: usize = 16;

/// The section with the lanes.
pub(super) fn lanes(page: &mut Page, verdict: &Verdict) {
    let Some(chart) = Chart::of(verdict) else { return remarks(page, verdict) };
    page.heading(match chart.timeline {
        Timeline::Clock => "When it happened",
        _ => "In which order it happened",
    });
    let (width, height) = (WIDTH, chart.height());
    page.push(&format!(
        "<div class=\"scroll\"><svg class=\"drawing lanes\" role=\"img\" aria-label=\"{}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">",
        chart.axis_name()
    ));
    page.push(&chart.draw(verdict));
    page.push("</svg></div>");
    page.push(&format!("<p class=\"meta\">{}</p>", escaped(&chart.caption(verdict))));
}

/// The faults and remarks of a trace without a timeline.
fn remarks(page: &mut Page, verdict: &Verdict) {
    let notes = verdict.context.scene.as_ref().map_or(&[][..], |scene| &scene.notes);
    if notes.is_empty() {
        return;
    }
    page.heading("Faults and notes in the trace");
    page.push("<ul>");
    for Note { line, text, .. } in notes {
        let text = escaped(&fold(text, 200));
        page.push(&format!("<li><span class=\"line\">line {line}</span> {text}</li>"));
    }
    page.push("</ul>");
}

/// A transaction in its lane.
struct Bar {
    /// Its number, if it is one of the answer.
    txn: Option<u32>,
    lane: usize,
    from: f64,
    to: f64,
    label: String,
    title: String,
    outcome: String,
}

struct Chart {
    sessions: Vec<String>,
    bars: Vec<Bar>,
    /// Notes: where, and what.
    notes: Vec<(f64, String)>,
    /// What the axis is: clocks or entries.
    timeline: Timeline,
    span: (f64, f64),
    hidden: usize,
}

/// What a bar is made from.
struct Run<'v> {
    txn: Option<u32>,
    label: &'v str,
    session: String,
    outcome: &'v str,
    lines: (u32, u32),
    times: Option<Times>,
}

impl Chart {
    fn of(verdict: &Verdict) -> Option<Self> {
        let timeline = verdict.context.scene.as_ref()?.timeline;
        if timeline.is_none() {
            return None;
        }
        let runs = runs(verdict);
        let mut sessions: Vec<String> = Vec::new();
        for run in &runs {
            if sessions.len() < MOST_LANES && !sessions.contains(&run.session) {
                sessions.push(run.session.clone());
            }
        }
        let mut bars = Vec::new();
        for run in &runs {
            let lane = sessions.iter().position(|session| *session == run.session);
            let ends = run.times.and_then(|times| times.span());
            let ends = ends.map(|(from, to)| (from as f64, to as f64));
            bars.extend(lane.zip(ends).map(|(lane, (from, to))| bar(run, lane, from, to)));
        }
        let hidden = runs.len() - bars.len();
        let from = bars.iter().map(|bar| bar.from).fold(f64::INFINITY, f64::min);
        let to = bars.iter().map(|bar| bar.to).fold(f64::NEG_INFINITY, f64::max);
        let notes = notes(verdict);
        let span = (from, to);
        (!bars.is_empty()).then_some(Self { sessions, bars, notes, timeline, span, hidden })
    }

    fn is_clock(&self) -> bool {
        self.timeline == Timeline::Clock
    }

    fn axis_name(&self) -> &'static str {
        match self.is_clock() {
            true => "sessions over time",
            false => "sessions over the entries of the trace",
        }
    }

    /// What the picture means and what it leaves out.
    fn caption(&self, verdict: &Verdict) -> String {
        let mut words = match self.is_clock() {
            true => "Times as the trace records them, from the first begin shown.".to_owned(),
            false => {
                "The trace records the order of its entries but no times, so distances have no meaning."
                    .to_owned()
            }
        };
        if self.bars.iter().any(|bar| bar.outcome == "unsure") {
            words.push_str(
                " Dashed: outcome unknown; such a transaction may take effect later than shown.",
            );
        }
        if !self.notes.is_empty() {
            words
                .push_str(" A note is shown at the end of the last transaction that ends before it in the trace.");
        }
        let hidden = self.hidden + verdict.context.scene.as_ref().map_or(0, |scene| scene.more);
        if hidden > 0 {
            words.push_str(&format!(" {} not shown.", count(hidden, "other transaction")));
        }
        words
    }

    fn height(&self) -> f64 {
        let lanes = self.sessions.len() + usize::from(!self.notes.is_empty());
        TOP + LANE * lanes as f64 + 26.0
    }

    fn x(&self, at: f64) -> f64 {
        let (from, to) = self.span;
        let part = if to > from { (at - from) / (to - from) } else { 0.5 };
        LEFT + 10.0 + part.clamp(0.0, 1.0) * (WIDTH - LEFT - 30.0)
    }

    fn draw(&self, verdict: &Verdict) -> String {
        let mut svg = Svg::new(WIDTH, self.height());
        self.axis(&mut svg);
        for (lane, session) in self.sessions.iter().enumerate() {
            let y = TOP + LANE * (lane as f64 + 0.5);
            let name = format!("session {}", fold(session, 10));
            svg.styled_text((LEFT - 10.0, y + 4.0), Anchor::End, "class=\"note\"", &name);
            svg.line((LEFT, y), (WIDTH - 10.0, y), "class=\"rule\"");
        }
        self.bars.iter().filter(|bar| bar.txn.is_none()).for_each(|bar| self.bar(&mut svg, bar));
        self.bars.iter().filter(|bar| bar.txn.is_some()).for_each(|bar| self.bar(&mut svg, bar));
        self.orders(&mut svg, verdict);
        self.draw_notes(&mut svg);
        svg.into_body()
    }

    fn bar(&self, svg: &mut Svg, bar: &Bar) {
        let (x, end) = (self.x(bar.from), self.x(bar.to));
        let width = (end - x).max(5.0);
        let y = TOP + LANE * bar.lane as f64 + 5.0;
        let class = if bar.txn.is_some() { "own" } else { "other" };
        svg.open(&format!("class=\"bar {class} {}\"", escaped(&bar.outcome)));
        svg.title(&bar.title);
        svg.styled_rect((x, y), (width, LANE - 10.0), 5.0, "class=\"run\"");
        let middle = (x + width / 2.0, y + 15.0);
        let room = bar.label.chars().count() as f64 * 7.6 + 6.0;
        if room <= width {
            svg.styled_text(middle, Anchor::Middle, "class=\"inside\"", &bar.label);
        } else if bar.txn.is_some() {
            let (at, anchor) = match end + room < WIDTH {
                true => ((x + width + 4.0, y + 15.0), Anchor::Start),
                false => ((x - 4.0, y + 15.0), Anchor::End),
            };
            svg.styled_text(at, anchor, "class=\"beside\"", &bar.label);
        }
        svg.close();
    }

    /// The edges of the cycle that come from clocks or sessions.
    fn orders(&self, svg: &mut Svg, verdict: &Verdict) {
        let Answer::Reject { refutation, .. } = &verdict.answer else { return };
        let Main::Cycle(edges, _) = main(refutation, Names::of(verdict)) else { return };
        let find = |txn: u32| self.bars.iter().find(|bar| bar.txn == Some(txn));
        for edge in edges {
            let Some((from, to)) = find(edge.from).zip(find(edge.to)) else { continue };
            let kind = match edge.kind {
                EdgeKind::So => "so",
                EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc => "rt",
                _ => continue,
            };
            let y = |bar: &Bar| TOP + LANE * (bar.lane as f64 + 0.5);
            // The clock orders commits or a begin and a commit; other orders are between the whole.
            let (leaves, arrives) = match edge.kind {
                EdgeKind::Cc => (from.to, to.to),
                EdgeKind::Bc => (from.from, to.to),
                _ => (from.to, to.from),
            };
            let start = (self.x(leaves), y(from));
            let end = (self.x(arrives), y(to));
            let back = if end.0 >= start.0 { -8.0 } else { 8.0 };
            svg.open(&format!("class=\"arrow {kind}\""));
            svg.title("the level requires this order");
            let bend = (end.0 - start.0) / 2.0;
            let curve =
                [start, (start.0 + bend, start.1), (end.0 - bend, end.1), (end.0 + back, end.1)];
            svg.curve(curve, "class=\"line\"");
            let base = end.0 + back;
            svg.polygon(&[end, (base, end.1 - 4.5), (base, end.1 + 4.5)], "class=\"tip\"");
            svg.close();
        }
    }

    fn draw_notes(&self, svg: &mut Svg) {
        if self.notes.is_empty() {
            return;
        }
        let y = TOP + LANE * (self.sessions.len() as f64 + 0.5);
        svg.styled_text((LEFT - 10.0, y + 4.0), Anchor::End, "class=\"note\"", "faults, notes");
        let mut free = LEFT;
        for (at, text) in &self.notes {
            let x = self.x(*at);
            svg.open("class=\"remark\"");
            svg.title(text);
            svg.line((x, TOP), (x, y + 8.0), "class=\"when\"");
            svg.polygon(&[(x, y - 7.0), (x + 6.0, y + 5.0), (x - 6.0, y + 5.0)], "class=\"flag\"");
            // What happened outside of the picture stands at its edge, and says so.
            let (from, to) = self.span;
            let outside = match *at {
                at if at < from => "earlier: ",
                at if at > to => "later: ",
                _ => "",
            };
            let words = format!("{outside}{}", fold(text, 40));
            let wide = words.chars().count() as f64 * 6.2;
            if x + 9.0 >= free && x + wide < WIDTH - 14.0 {
                svg.styled_text((x + 9.0, y + 4.0), Anchor::Start, "class=\"note\"", &words);
                free = x + 24.0 + wide;
            } else if x - 9.0 - wide >= free {
                svg.styled_text((x - 9.0, y + 4.0), Anchor::End, "class=\"note\"", &words);
                free = x + 9.0;
            }
            svg.close();
        }
    }

    fn axis(&self, svg: &mut Svg) {
        let (from, to) = self.span;
        let y = self.height() - 8.0;
        // Times count from the first begin; entries have their numbers.
        let zero = if self.is_clock() { from } else { 0.0 };
        let step = step((to - from) / 7.0).max(if self.is_clock() { 0.0 } else { 1.0 });
        let mut mark = ((from - zero) / step).ceil() * step;
        while step > 0.0 && zero + mark <= to {
            let x = self.x(zero + mark);
            let words = match self.is_clock() {
                true => duration(mark, to - from),
                false => format!("entry {mark:.0}"),
            };
            svg.styled_text((x, y), Anchor::Middle, "class=\"note\"", &words);
            svg.line((x, TOP), (x, y - 13.0), "class=\"tick\"");
            mark += step;
        }
    }
}

/// The next larger number that people like to count by: 1, 2 or 5 and zeros.
fn step(wanted: f64) -> f64 {
    if !(wanted.is_finite() && wanted > 0.0) {
        return 0.0;
    }
    let power = 10f64.powf(wanted.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    nice.into_iter().find(|nice| *nice >= wanted * 0.999).unwrap_or(nice[3])
}

/// All transactions that have a place in time: those of the answer first.
fn runs(verdict: &Verdict) -> Vec<Run<'_>> {
    let own = verdict.transactions.iter().map(|card| Run {
        txn: Some(card.id),
        label: &card.label,
        session: card.session.to_string(),
        outcome: &card.outcome,
        lines: card.lines,
        times: card.times,
    });
    let around = verdict.context.scene.iter().flat_map(|scene| &scene.around);
    let others = around.map(|other| Run {
        txn: None,
        label: &other.label,
        session: other.session.to_string(),
        outcome: &other.outcome,
        lines: other.lines,
        times: other.times,
    });
    own.take(80).chain(others).collect()
}

fn bar(run: &Run<'_>, lane: usize, from: f64, to: f64) -> Bar {
    let (first, last) = run.lines;
    let label = fold(run.label, 16);
    let title = format!("{} · {} · lines {first}–{last}", fold(run.label, 60), run.outcome);
    let outcome = match run.outcome {
        "aborted" => "aborted",
        "unknown" => "unsure",
        _ => "committed",
    };
    Bar { txn: run.txn, lane, from, to, label, title, outcome: outcome.to_owned() }
}

/// The notes that have a place on the timeline.
fn notes(verdict: &Verdict) -> Vec<(f64, String)> {
    let notes = verdict.context.scene.iter().flat_map(|scene| &scene.notes);
    notes
        .filter_map(|note| {
            let text = format!("{} (line {})", fold(&note.text, 200), note.line);
            note.about.map(|at| (at as f64, text))
        })
        .collect()
}

/// Nanoseconds in the unit that fits the whole.
fn duration(nanos: f64, whole: f64) -> String {
    let (unit, name) = match whole {
        whole if whole >= 2e9 => (1e9, "s"),
        whole if whole >= 2e6 => (1e6, "ms"),
        whole if whole >= 2e3 => (1e3, "µs"),
        _ => (1.0, "ns"),
    };
    let number = nanos / unit;
    let digits = if number.fract().abs() < 1e-9 || unit == 1.0 { 0 } else { 1 };
    format!("{number:.digits$} {name}")
}
