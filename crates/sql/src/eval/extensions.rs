//! Functions of extensions that come with PostgreSQL: `unaccent` and `pg_trgm`. No argument is NULL.
//!
//! Layer `eval`; knows values.
//!
//! A server has them only after `CREATE EXTENSION`. Letters that a locale or a file of rules decides about are refused.

use std::collections::BTreeSet;

use crate::error::{Result, unsupported};
use crate::value::Value;

/// Letters with accents, and below them the letters without.
const ACCENTED: &str = "\
    ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿĀāĂăĄąĆćĈĉĊ\
    ċČčĎďĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭĮįİĴĵĶķĹĺĻļĽľŃńŅņŇňŌōŎŏŐőŔŕŖŗŘřŚś\
    ŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž";
const PLAIN: &str = "\
    AAAAAACEEEEIIIINOOOOOUUUUYaaaaaaceeeeiiiinooooouuuuyyAaAaAaCcCcC\
    cCcDdEeEeEeEeEeGgGgGgGgHhIiIiIiIiIJjKkLlLlLlNnNnNnOoOoOoRrRrRrSs\
    SsSsSsTtTtUuUuUuUuUuUuWwYyYZzZzZz";

/// `unaccent(text)`, with the rules that all versions of PostgreSQL share.
pub(super) fn unaccent(text: &str) -> Result<Value> {
    let plain = |letter: char| match ACCENTED.chars().position(|one| one == letter) {
        Some(place) => PLAIN.chars().nth(place),
        None => letter.is_ascii().then_some(letter),
    };
    match text.chars().map(plain).collect::<Option<String>>() {
        Some(text) => Ok(Value::text(&text)),
        None => unsupported("unaccent of letters outside the Latin alphabets"),
    }
}

/// `similarity(text, text)`: of all trigrams that one of the texts has, the part that both have.
pub(super) fn similarity(one: &str, other: &str) -> Result<Value> {
    let (one, other) = (trigrams(one)?, trigrams(other)?);
    let both = one.intersection(&other).count();
    let all = one.len() + other.len() - both;
    #[allow(clippy::cast_precision_loss, reason = "the server counts in this precision, too")]
    let part = if both == 0 { 0.0 } else { both as f32 / all as f32 };
    Ok(Value::Double(f64::from(part)))
}

/// The trigrams of the words of a text: two spaces come in front of a word, and one behind it.
fn trigrams(text: &str) -> Result<BTreeSet<[u8; 3]>> {
    if !text.is_ascii() {
        return unsupported("trigrams of letters outside ASCII");
    }
    let text = text.to_ascii_lowercase();
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut found = BTreeSet::new();
    for word in words.filter(|word| !word.is_empty()) {
        let padded = format!("  {word} ");
        found.extend(
            padded.as_bytes().windows(3).filter_map(|three| <[u8; 3]>::try_from(three).ok()),
        );
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_match() {
        assert_eq!(ACCENTED.chars().count(), PLAIN.len());
    }
}
