//! `REGEXP` and its functions, for patterns that mean the same to everyone.
//!
//! MariaDB's patterns are those of PCRE, which takes the first way to match, and not the longest one. So only
//! patterns without escapes, counts and options are read; and where it matters how much is matched, at most one part
//! may be repeated, and there are no groups and alternatives: then the first way is the longest.
//!
//! Layer `eval`; knows values.

use crate::error::{Result, unsupported};
use crate::plan::LooseText;
use crate::value::Value;

use super::super::regex::{Flavour, Regex};

pub(super) fn pattern_call(function: LooseText, args: &[Value]) -> Result<Value> {
    use LooseText as T;
    let [Value::Text(text), Value::Text(pattern), rest @ ..] = args else {
        return unsupported("a pattern for something that is not a string");
    };
    if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return unsupported("a pattern for letters outside ASCII");
    }
    let folds = match function {
        T::Matches { folds, .. }
        | T::MatchedPart { folds }
        | T::MatchedPlace { folds }
        | T::ReplaceMatches { folds } => folds,
        _ => return unsupported("this function of patterns"),
    };
    refuse_odd(pattern, !matches!(function, T::Matches { .. }))?;
    let regex = Regex::new(pattern, Flavour::Advanced, folds)?;
    let letters = regex.letters(text)?;
    Ok(match (function, rest) {
        (T::Matches { negated, .. }, []) => {
            Value::Int(i64::from(regex.is_match(&letters) != negated))
        }
        (T::MatchedPart { .. }, []) => {
            let found = regex.find(&letters, 0).map(|found| letters[found].iter().collect());
            Value::text(&found.unwrap_or(String::new()))
        }
        (T::MatchedPlace { .. }, []) => {
            let place = regex.find(&letters, 0).map_or(0, |found| found.start + 1);
            Value::Int(i64::try_from(place).unwrap_or(i64::MAX))
        }
        (T::ReplaceMatches { .. }, [Value::Text(replacement)]) => {
            Value::text(&replaced(&regex, &letters, replacement)?)
        }
        _ => return unsupported("this function of patterns"),
    })
}

/// Refuses what is not the same in all kinds of patterns, and what could match in several ways.
fn refuse_odd(pattern: &str, exact: bool) -> Result<()> {
    let known =
        |byte: u8| byte.is_ascii_alphanumeric() || b" _-^$.[]+*?()|@,:;/#=<>!%&'\"".contains(&byte);
    let odd =
        ["(?", "[[", "[^]", "[]", "**", "*+", "*?", "+*", "++", "+?", "?*", "?+", "??", "^*", "()"];
    let repeated = pattern.bytes().filter(|byte| b"+*?".contains(byte)).count();
    if pattern.is_empty()
        || !pattern.bytes().all(known)
        || odd.iter().any(|part| pattern.contains(part))
    {
        return unsupported(format!("the pattern {pattern}"));
    }
    if exact && (repeated > 1 || pattern.contains(['(', '|'])) {
        return unsupported(format!("what is matched by the pattern {pattern}"));
    }
    Ok(())
}

/// A match of nothing is refused.
fn replaced(regex: &Regex, letters: &[char], replacement: &str) -> Result<String> {
    if replacement.contains('\\') {
        return unsupported("a replacement with escapes");
    }
    let (mut text, mut at) = (String::new(), 0);
    while let Some(found) = regex.find(letters, at) {
        if found.is_empty() || found.start < at {
            return unsupported("a pattern that matches nothing");
        }
        text.extend(&letters[at..found.start]);
        text.push_str(replacement);
        at = found.end;
    }
    text.extend(&letters[at..]);
    Ok(text)
}
