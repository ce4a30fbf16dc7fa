//! The short methods of the builder say what their names say.

use tristan_history::{Datum, HistoryBuilder, OpKind, Outcome, Presence, Range, TxnId};

#[test]
fn range_reads_conditions_and_savepoints_in_one_breath() {
    let mut builder = HistoryBuilder::default();
    builder
        .begin("alice")
        .put_if("x", 1, Presence::Absent, Some(1))
        .savepoint("s")
        .rollback("s")
        .scan(Range::between("a", "z"), &[("x", 1)])
        .iterate(Range::everything(), &[], true)
        .end(Outcome::Committed);
    let history = builder.finish();
    let kinds: Vec<&OpKind> = history.ops.iter().map(|op| &op.kind).collect();
    assert!(matches!(kinds[0], OpKind::PutIf { when: Presence::Absent, rows: Some(1), .. }));
    assert!(matches!(kinds[1], OpKind::Savepoint { name } if **name == Datum::from("s")));
    assert!(matches!(kinds[2], OpKind::RollbackTo { name } if **name == Datum::from("s")));
    assert!(matches!(kinds[3], OpKind::Scan { items: Some(items), .. } if items.len() == 1));
    assert!(matches!(kinds[4], OpKind::Iterate { reached_end: true, .. }));
}

#[test]
fn a_finished_history_can_go_on() {
    let mut builder = HistoryBuilder::default();
    builder.begin("alice").put("x", 1).end(Outcome::Committed);
    let mut more = HistoryBuilder::from(builder.finish());
    more.begin("alice").get("x", Some(1)).end(Outcome::Committed);
    let history = more.finish();
    assert_eq!(history.sessions.len(), 1);
    assert_eq!(history.sessions[0].txns, [TxnId(0), TxnId(1)]);
}
