//! What a recorder says about operations that are not in its trace. Notes are free text; those that
//! begin with one of these words are counted, so that no verdict passes over what it could not see.

/// How a note begins that stands for one operation which was left out.
pub const LEFT_OUT: &str = "not told";

/// How a note begins that says why nothing after it was recorded.
pub const ENDED: &str = "the trace ends here";

/// What a note says behind these words and a colon, if it begins with them.
pub fn behind<'n>(note: &'n str, words: &str) -> Option<&'n str> {
    note.strip_prefix(words)?.strip_prefix(':').map(str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_notes_with_these_words_count() {
        assert_eq!(
            behind("not told: transaction 3, because …", LEFT_OUT),
            Some("transaction 3, because …")
        );
        assert_eq!(behind("not told", LEFT_OUT), None);
        assert_eq!(behind("server killed", LEFT_OUT), None);
        assert_eq!(behind("the trace ends here: disk full", ENDED), Some("disk full"));
    }
}
