//! A transaction, as one line of a log.

use serde_json::{Value as Json, json};

use crate::model::{Call, NEVER, Observed, Outcome, Txn};

/// The line of a transaction.
pub(crate) fn line(txn: &Txn) -> String {
    let end = if txn.end == NEVER { txn.commit.max(txn.begin) } else { txn.end };
    let mut line = json!({
        "txn": txn.number,
        "c": txn.session,
        "at": [txn.begin, end],
        "commit": [txn.commit, end.max(txn.commit)],
    });
    match txn.outcome {
        Outcome::Committed => {}
        Outcome::Aborted => line["outcome"] = json!("aborted"),
        Outcome::Unknown => line["outcome"] = json!("unknown"),
    }
    if let Some(stamp) = txn.stamp {
        line["stamp"] = json!(stamp);
    }
    line["do"] = txn.calls.iter().map(step).collect();
    line.to_string()
}

fn step(call: &Call) -> Json {
    let end = if call.end == NEVER { call.begin } else { call.end };
    let mut step = json!({"sql": &*call.sql});
    if !call.params.is_empty() {
        step["params"] = json!(call.params);
    }
    if !call.types.is_empty() {
        step["types"] = json!(call.types.as_ref());
    }
    match &call.observed {
        Observed::Rows { rows, cut } => {
            step["rows"] = json!(rows);
            if *cut > 0 {
                step["cut"] = json!(cut);
            }
        }
        Observed::Affected(count) => step["affected"] = json!(count),
        Observed::Error(code) => step["error"] = json!({"code": code}),
        Observed::Nothing => step["lost"] = json!(true),
        Observed::Skipped => step["skipped"] = json!(true),
        Observed::Done => {}
    }
    step["at"] = json!([call.begin, end.max(call.begin)]);
    step
}
