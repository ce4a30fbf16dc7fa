//! What else happened while the transactions of an answer ran.
//!
//! Only times relate transactions of different sessions. Where a transaction of the answer has none,
//! no other transaction is said to have run meanwhile, and there is no timeline.

use tristan_history::{Clock, History, TxnId};
use tristan_verdict::{Neighbour, Note, Scene, Timeline};

use super::cards::{outcome, times};

/// A picture shows no more neighbours.
const MOST_NEIGHBOURS: usize = 120;
/// Nor more notes.
const MOST_NOTES: usize = 40;

/// The timeline, the notes and the transactions around some transactions; `None` if the trace tells
/// none of these.
pub(super) fn scene(history: &History, shown: &[u32]) -> Option<Scene> {
    let window = Window::around(history, shown)?;
    let notes = notes(history, &window);
    let Some(span) = window.times else {
        return (!notes.is_empty()).then(|| Scene { notes, ..Scene::default() });
    };
    let (around, more) = around(history, shown, span);
    let timeline = match history.header.clock {
        Clock::Nanoseconds => Timeline::Clock,
        Clock::Ordinal => Timeline::Entries,
    };
    Some(Scene { timeline, notes, around, more })
}

/// Other transactions that ran within a span of time, and how many more there are.
fn around(history: &History, shown: &[u32], span: (i64, i64)) -> (Vec<Neighbour>, usize) {
    let is_shown = |txn: &TxnId| shown.binary_search(&txn.0).is_ok();
    let mut sessions = vec![false; history.sessions.len()];
    shown.iter().for_each(|&txn| sessions[history.txn(TxnId(txn)).session.index()] = true);
    // Those of the same sessions are worth most.
    let (mut near, mut far, mut found) = (Vec::new(), Vec::new(), 0);
    for txn in history.txn_ids().filter(|txn| meets(history, *txn, span) && !is_shown(txn)) {
        found += 1;
        let same_session = sessions[history.txn(txn).session.index()];
        let list = if same_session { &mut near } else { &mut far };
        if list.len() < MOST_NEIGHBOURS {
            list.push(txn);
        }
    }
    let mut around: Vec<TxnId> = near.into_iter().chain(far).take(MOST_NEIGHBOURS).collect();
    around.sort_unstable();
    let more = found - around.len();
    (around.into_iter().map(|txn| neighbour(history, txn)).collect(), more)
}

/// From when to when: in lines, and in time if all of the transactions have times.
struct Window {
    lines: (u32, u32),
    times: Option<(i64, i64)>,
}

impl Window {
    fn around(history: &History, shown: &[u32]) -> Option<Self> {
        let txns = || shown.iter().map(|&txn| history.txn(TxnId(txn)));
        let from = txns().map(|txn| txn.lines.0).min()?;
        let to = txns().map(|txn| txn.lines.1).max()?;
        let spans: Option<Vec<(i64, i64)>> =
            txns().map(|txn| times(txn).and_then(|times| times.span())).collect();
        let times = spans.and_then(|spans| {
            let from = spans.iter().map(|span| span.0).min();
            from.zip(spans.iter().map(|span| span.1).max())
        });
        Some(Self { lines: (from, to), times })
    }
}

fn meets(history: &History, txn: TxnId, (from, to): (i64, i64)) -> bool {
    let span = times(history.txn(txn)).and_then(|times| times.span());
    span.is_some_and(|(begin, end)| begin <= to && end >= from)
}

fn neighbour(history: &History, id: TxnId) -> Neighbour {
    let txn = history.txn(id);
    Neighbour {
        label: history.label(id),
        session: history.sessions[txn.session.index()].name.clone(),
        outcome: outcome(txn.outcome).to_owned(),
        lines: txn.lines,
        times: times(txn),
    }
}

/// The notes between the first and the last line, and those right before and after.
fn notes(history: &History, window: &Window) -> Vec<Note> {
    let (from, to) = window.lines;
    let before = history.notes.iter().rfind(|(line, _)| *line < from);
    let inside = history.notes.iter().filter(|(line, _)| (from..=to).contains(line));
    let after = history.notes.iter().find(|(line, _)| *line > to);
    let shown = before.into_iter().chain(inside).chain(after).take(MOST_NOTES);
    // A note has no time of its own; the transactions above it tell about when it was.
    let about = |line: u32| {
        let above = history.txns.iter().filter(|txn| txn.lines.1 < line);
        above.filter_map(|txn| txn.end().ret).max()
    };
    shown
        .map(|(line, text)| Note { line: *line, about: about(*line), text: text.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use tristan_history::{HistoryBuilder, Outcome};

    use super::*;

    #[test]
    fn neighbours_are_those_that_ran_meanwhile() {
        let mut builder = HistoryBuilder::default();
        let txn = |builder: &mut HistoryBuilder, session: &str, from, to| {
            builder.begin(session).put("x", from).during(from, to).end(Outcome::Committed)
        };
        txn(&mut builder, "a", 0, 5);
        let shown = txn(&mut builder, "a", 10, 20);
        txn(&mut builder, "b", 4, 11);
        txn(&mut builder, "b", 21, 30);
        let history = builder.finish();
        let scene = scene(&history, &[shown.0]).expect("somebody is there");
        let names: Vec<&str> = scene.around.iter().map(|other| other.label.as_str()).collect();
        assert_eq!((names, scene.more), (vec!["T3"], 0));
        assert_eq!(scene.timeline, Timeline::Clock);
        assert!(super::scene(&history, &[]).is_none());
    }

    #[test]
    fn lines_relate_no_transactions_of_different_sessions() {
        let mut builder = HistoryBuilder::default();
        let shown = builder.begin("a").put("x", 1).end(Outcome::Committed);
        builder.begin("b").put("x", 2).end(Outcome::Committed);
        builder.history_mut().notes.push((1, "a fault".to_owned()));
        let scene = scene(&builder.finish(), &[shown.0]).expect("there is a note");
        assert_eq!((scene.timeline, scene.around.len(), scene.notes.len()), (Timeline::None, 0, 1));
    }
}
