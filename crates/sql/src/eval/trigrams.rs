//! `similarity(text, text)` of PostgreSQL's extension `pg_trgm`: how many groups of three letters two texts share.
//!
//! ```text
//!   'Cat!'  ─►  '  cat '  ─►  '  c', ' ca', 'cat', 'at '
//! ```
//!
//! Layer `eval`; knows values and errors.

use std::collections::BTreeSet;

use crate::error::{Result, unsupported};
use crate::value::Value;

pub(super) fn similarity(a: &str, b: &str) -> Result<Value> {
    if !a.is_ascii() || !b.is_ascii() {
        return unsupported("similarity() of letters outside ASCII");
    }
    let (a, b) = (trigrams(a), trigrams(b));
    let shared = a.intersection(&b).count();
    let all = a.len() + b.len() - shared;
    if a.is_empty() || b.is_empty() {
        return Ok(Value::Double(0.0));
    }
    #[allow(clippy::cast_precision_loss, reason = "this is what the server does")]
    let share = shared as f32 / all as f32;
    Ok(Value::Double(f64::from(share)))
}

/// The groups of three letters of each word, which has two spaces before it and one behind it.
fn trigrams(text: &str) -> BTreeSet<[u8; 3]> {
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut found = BTreeSet::new();
    for word in words.filter(|word| !word.is_empty()) {
        let padded = format!("  {word} ");
        found.extend(padded.as_bytes().windows(3).map(|three| [three[0], three[1], three[2]]));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_shared() {
        let share = |a, b| similarity(a, b).expect("ASCII");
        assert_eq!(share("word", "two words"), Value::Double(f64::from(4.0f32 / 11.0)));
        assert_eq!(share("", "a"), Value::Double(0.0));
        assert_eq!(share("Cat!", "cat"), Value::Double(1.0));
    }
}
