//! What else happened while the transactions of an answer ran.

use tristan_history::{History, TxnId};
use tristan_verdict::{Neighbour, Note, Scene};

use super::cards::{outcome, times};

/// A picture shows no more neighbours.
const MOST_NEIGHBOURS: usize = 120;
/// Nor more notes.
const MOST_NOTES: usize = 40;

/// The notes and the transactions around some transactions; nothing if there are none.
pub(super) fn scene(history: &History, shown: &[u32]) -> Option<Scene> {
    let window = Window::around(history, shown)?;
    let is_shown = |txn: &TxnId| shown.binary_search(&txn.0).is_ok();
    let mut sessions = vec![false; history.sessions.len()];
    shown.iter().for_each(|&txn| sessions[history.txn(TxnId(txn)).session.index()] = true);
    // Those of the same sessions are worth most.
    let (mut near, mut far, mut found) = (Vec::new(), Vec::new(), 0);
    for txn in history.txn_ids().filter(|txn| window.meets(history, *txn) && !is_shown(txn)) {
        found += 1;
        let same_session = sessions[history.txn(txn).session.index()];
        let list = if same_session { &mut near } else { &mut far };
        if list.len() < MOST_NEIGHBOURS {
            list.push(txn);
        }
    }
    let mut around: Vec<TxnId> = near.into_iter().chain(far).take(MOST_NEIGHBOURS).collect();
    around.sort_unstable();
    let notes = notes(history, &window);
    if notes.is_empty() && around.is_empty() {
        return None;
    }
    let more = found - around.len();
    Some(Scene { notes, around: around.iter().map(|txn| neighbour(history, *txn)).collect(), more })
}

/// From when to when: in time if all of the transactions have times, in lines otherwise.
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

    fn meets(&self, history: &History, txn: TxnId) -> bool {
        let txn = history.txn(txn);
        let span = times(txn).and_then(|times| times.span());
        match (self.times, span) {
            (Some((from, to)), Some((begin, end))) => begin <= to && end >= from,
            (Some(_), None) => false,
            (None, _) => txn.lines.0 <= self.lines.1 && txn.lines.1 >= self.lines.0,
        }
    }
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
        assert!(super::scene(&history, &[]).is_none());
    }
}
