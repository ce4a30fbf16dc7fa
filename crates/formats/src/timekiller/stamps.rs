//! Timestamps become stamps, and the order of sessions.

use super::item::Clock;
use tristan_history::{History, StampHint, TxnId};

/// When a transaction started and committed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) start: Clock,
    pub(super) commit: Clock,
}

/// Gives every transaction its stamps, orders the sessions, and warns of clocks that run backwards.
pub(super) fn apply(history: &mut History, moments: &[Moments]) {
    let start = |id: &TxnId| moments[id.index()].start.moment();
    for session in &mut history.sessions {
        session.txns.sort_by_key(start);
    }
    let ranks = Ranks::of(moments);
    let stamp = |id: TxnId| StampHint {
        txn: id,
        start: Some(ranks.of_clock(moments[id.index()].start)),
        commit: Some(ranks.of_clock(moments[id.index()].commit)),
        line: history.txn(id).lines.0,
    };
    history.hints.stamps = history.txn_ids().map(stamp).collect();
    let backwards = history.hints.stamps.iter().filter(|stamp| stamp.commit < stamp.start);
    let warnings = backwards.map(|stamp| {
        let txn = history.label(stamp.txn);
        format!("line {}: {txn} has a \"cts\" before its \"sts\"", stamp.line)
    });
    history.warnings.extend(warnings.collect::<Vec<_>>());
}

/// All moments, in order.
struct Ranks(Vec<(i128, i128)>);

impl Ranks {
    fn of(moments: &[Moments]) -> Self {
        let both = moments.iter().flat_map(|moments| [moments.start, moments.commit]);
        let mut all: Vec<_> = both.map(Clock::moment).collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    fn of_clock(&self, clock: Clock) -> i64 {
        let place = self.0.partition_point(|moment| *moment < clock.moment());
        i64::try_from(place).unwrap_or(i64::MAX)
    }
}
