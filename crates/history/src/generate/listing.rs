//! The order in which transactions are listed.

use crate::{History, TxnId};

/// The same history with its transactions listed session by session, so that their order in
/// the trace says nothing about the order in which they ran.
pub fn listed_by_session(history: &History) -> History {
    let mut listed = History {
        header: history.header.clone(),
        keys: history.keys.clone(),
        values: history.values.clone(),
        sessions: history.sessions.clone(),
        ..History::default()
    };
    for session in &mut listed.sessions {
        for id in &mut session.txns {
            let old = *id;
            *id = TxnId::new(listed.txns.len());
            let mut txn = history.txn(old).clone();
            txn.first_op = u32::try_from(listed.ops.len()).expect("no more operations than before");
            listed.ops.extend_from_slice(history.ops_of(old));
            listed.txns.push(txn);
        }
    }
    listed
}
