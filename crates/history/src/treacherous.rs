//! Letters in keys, values and names that are dangerous to show.

/// Whether a terminal, a browser or a parser would obey a letter or reject it: control characters,
/// and those that reverse the direction of writing, so that a line does not show what it says.
pub fn is_treacherous(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(letter, '\u{fffe}' | '\u{ffff}' | '\u{fdd0}'..='\u{fdef}')
}
