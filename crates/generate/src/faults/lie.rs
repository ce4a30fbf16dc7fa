//! Changes what one operation returned.

use tristan_history::{Datum, History, KeyId, KeyOrder, Observed, OpKind, OpRef, ValueId};

/// A wrong result of one operation.
#[derive(Debug)]
pub(super) struct Lie {
    /// The operation that returns it.
    pub(super) op: OpRef,
    /// Keys with what the operation claims they hold; `None` is absent.
    pub(super) claims: Vec<(i64, Option<i64>)>,
    pub(super) description: String,
}

impl Lie {
    /// Puts the lie in place of the truth.
    pub(super) fn tell(&self, history: &mut History) {
        for (key, value) in &self.claims {
            let key = KeyId(history.keys.intern(Datum::from(*key)));
            let value = value.map(|value| ValueId(history.values.intern(Datum::from(value))));
            let first = history.txn(self.op.txn).first_op;
            let op = &mut history.ops[(first + self.op.op) as usize];
            match &mut op.kind {
                OpKind::Get { seen, .. } => {
                    *seen = value.map_or(Observed::Absent, Observed::Value);
                }
                OpKind::Scan { items: Some(items), .. }
                | OpKind::Iterate { items: Some(items), .. } => {
                    let mut told: Vec<_> =
                        items.iter().copied().filter(|item| item.0 != key).collect();
                    told.extend(value.map(|value| (key, value)));
                    let name = |item: &(KeyId, ValueId)| history.keys.get(item.0.0);
                    told.sort_by(|a, b| KeyOrder::Bytes.compare(name(a), name(b)));
                    *items = told.into();
                }
                _ => {}
            }
        }
    }
}
