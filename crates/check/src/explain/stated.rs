//! What the trace states about itself, verified where that is possible.

use rustc_hash::FxHashMap;
use tristan_history::{History, KeyId, Observed, ValueId};

use crate::asg::program::written;

/// How a statement of the trace's header turns out.
pub(crate) fn status(history: &History, statement: &str) -> String {
    match statement {
        "unique-values" => match repeated(history) {
            None => "stated by the trace, holds".to_owned(),
            Some((key, value, lines)) => format!(
                "stated by the trace, does not hold: {} = {} is written on lines {} and {}",
                history.key(key),
                history.value(value),
                lines.0,
                lines.1
            ),
        },
        _ => "stated by the trace, not used".to_owned(),
    }
}

/// A value that is written twice to one key, and the lines.
fn repeated(history: &History) -> Option<(KeyId, ValueId, (u32, u32))> {
    let mut lines: FxHashMap<(KeyId, ValueId), u32> = FxHashMap::default();
    for op in &history.ops {
        if let Some((key, Observed::Value(value))) = written(op)
            && let Some(earlier) = lines.insert((key, value), op.line)
        {
            return Some((key, value, (earlier, op.line)));
        }
    }
    None
}
