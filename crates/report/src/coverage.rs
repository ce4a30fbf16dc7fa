//! How much an accept is worth, in words: what the trace could have shown, and what is missing from
//! it.

use tristan_verdict::{Coverage, Gaps, Overlap};

use crate::layout::{count, fold};

/// What is missing from a trace with so many operations, if anything.
pub fn gaps(gaps: &Gaps, operations: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if gaps.operations() > 0 {
        let seen = operations.saturating_sub(gaps.unseen + gaps.pending);
        let all = count(operations + gaps.unrecorded, "operation");
        let missing = [
            (gaps.unrecorded, "not recorded"),
            (gaps.unseen, "recorded without a result"),
            (gaps.pending, "never answered"),
        ];
        let missing: Vec<String> = missing
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{number} {} {what}", was(*number)))
            .collect();
        lines.push(format!("saw {seen} of {all}: {}", missing.join(", ")));
    }
    if let Some(why) = &gaps.ended {
        lines.push(format!("the trace ends before the run did: {}", fold(why, 300)));
    }
    lines
}

/// How much the trace put to the test, and what cannot show in it.
pub(crate) fn lines(coverage: &Coverage) -> Vec<String> {
    let pairs = match coverage.overlap {
        Overlap::Times => "overlapped",
        Overlap::Sessions => "may have overlapped",
    };
    let tested = format!(
        "tested by: {} of transactions that {pairs}; {} with at least two writers; {} of {} with one \
         possible source",
        count(coverage.concurrent_pairs as usize, "pair"),
        count(coverage.contended_keys, "key"),
        coverage.pinned_reads,
        count(coverage.reads, "read"),
    );
    let mut lines = vec![tested];
    if !coverage.blind_spots.is_empty() {
        lines.push(format!("not tested: {}", fold(&coverage.blind_spots.join("; "), 900)));
    }
    lines
}

fn was(number: usize) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_counted() {
        let missing = Gaps { unrecorded: 28, unseen: 1, pending: 2, ended: None };
        let expected = "saw 9 of 40 operations: 28 were not recorded, 1 was recorded without a \
                        result, 2 were never answered";
        assert_eq!(gaps(&missing, 12), [expected]);
        assert!(gaps(&Gaps::default(), 12).is_empty());
        let ended = Gaps { ended: Some("disk full".to_owned()), ..Gaps::default() };
        assert_eq!(gaps(&ended, 12), ["the trace ends before the run did: disk full"]);
    }
}
