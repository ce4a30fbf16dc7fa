//! What a recorder says about operations that are not in its trace. Notes are free text; those that
//! begin with one of these words are counted, so that every verdict reports what the trace lacks.

/// The first word of a note that stands for one operation which the recorder omitted.
pub const OMITTED: &str = "omitted";

/// The same in traces of earlier versions, which are still read.
const FORMERLY_OMITTED: &str = "not told";

/// How a note begins that says why nothing after it was recorded.
pub const ENDED: &str = "the trace ends here";

/// The rest of a note that begins with these words and a colon. Returns `None` for other notes.
pub fn behind<'n>(note: &'n str, words: &str) -> Option<&'n str> {
    note.strip_prefix(words)?.strip_prefix(':').map(str::trim_start)
}

/// Which operation a note says was omitted, and why. Returns `None` for other notes.
pub fn omitted(note: &str) -> Option<&str> {
    behind(note, OMITTED).or_else(|| behind(note, FORMERLY_OMITTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_notes_with_these_words_count() {
        for note in ["omitted: transaction 3, because …", "not told: transaction 3, because …"]
        {
            assert_eq!(omitted(note), Some("transaction 3, because …"));
        }
        for note in ["omitted", "not told", "values of 1 are omitted from here on", "server killed"]
        {
            assert_eq!(omitted(note), None);
        }
        assert_eq!(behind("the trace ends here: disk full", ENDED), Some("disk full"));
    }
}
