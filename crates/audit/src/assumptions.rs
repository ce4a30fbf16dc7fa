//! What every verdict takes for granted.

use tristan_verdict::Assumption;

use crate::level::AuditLevel;
use crate::options::{AuditOptions, CommitOrder, ConflictRule};

/// What is taken for granted at a level.
pub(crate) fn assumptions(options: &AuditOptions) -> Vec<Assumption> {
    let mut all = Vec::new();
    let mut add = |what: String, status: &str| {
        all.push(Assumption { what, status: status.to_owned() });
    };
    match (options.order, options.level) {
        (CommitOrder::Free, _) => add("the times in the log are ignored".to_owned(), "given"),
        (_, AuditLevel::StrictSerializable) => {}
        (_, AuditLevel::Serializable) => add(
            "a transaction takes effect between its begin and the answer to its commit".to_owned(),
            "default",
        ),
        _ => add(
            "a transaction takes effect between the call of its commit and the answer".to_owned(),
            "default",
        ),
    }
    if options.order == CommitOrder::Exact {
        add("transactions took effect in the order of their stamps".to_owned(), "given");
    }
    if options.drift > 0 {
        add(format!("clocks differ by at most {} µs", options.drift / 1000), "given");
    }
    if options.conflict == ConflictRule::Value {
        add(
            "a write that leaves the row unchanged conflicts with no other write".to_owned(),
            "given",
        );
    }
    all
}
