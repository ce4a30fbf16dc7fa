//! Functions of regular expressions in PostgreSQL. No argument is NULL.
//!
//! Layer `eval`; knows values and the names of functions.

use std::ops::Range;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::PatternFunction;
use crate::value::Value;

use super::regex::{Flavour, Regex};

pub(super) fn pattern_call(function: PatternFunction, args: &[Value]) -> Result<Value> {
    use PatternFunction as P;
    let [Value::Text(text), Value::Text(pattern), rest @ ..] = args else {
        return unsupported("a pattern for something that is not a string");
    };
    let regex = |flavour, folds| Regex::new(pattern, flavour, folds);
    match (function, rest) {
        (P::Matches { negated, folds }, []) => {
            let regex = regex(Flavour::Advanced, folds)?;
            Ok(Value::Bool(regex.is_match(&regex.letters(text)?) != negated))
        }
        (P::Similar { negated }, []) => {
            let regex = regex(Flavour::Similar, false)?;
            Ok(Value::Bool(regex.is_whole_match(&regex.letters(text)?) != negated))
        }
        (P::Like, flags) => {
            let Flags { folds, .. } = Flags::read(flags, false)?;
            let regex = regex(Flavour::Advanced, folds)?;
            Ok(Value::Bool(regex.is_match(&regex.letters(text)?)))
        }
        (P::Replace, [Value::Text(replacement), flags @ ..]) => {
            let Flags { folds, all } = Flags::read(flags, true)?;
            let regex = regex(Flavour::Advanced, folds)?;
            let letters = regex.letters(text)?;
            Ok(Value::text(&replace(&regex, &letters, &Piece::read(replacement)?, all)?))
        }
        (P::Substring, []) => {
            let regex = regex(Flavour::Advanced, false)?;
            let letters = regex.letters(text)?;
            let Some((found, groups)) = regex.find_groups(&letters, 0)? else {
                return Ok(Value::Null);
            };
            let shown = groups.into_iter().next().unwrap_or(found);
            Ok(Value::text(&letters[shown].iter().collect::<String>()))
        }
        (P::Match, places) => {
            let regex = regex(Flavour::Advanced, false)?;
            let letters = regex.letters(text)?;
            let number = place(places.get(1))?;
            let found =
                all_matches(&regex, &letters, place(places.first())?)?.into_iter().nth(number);
            Ok(match found {
                Some(found) => Value::text(&letters[found].iter().collect::<String>()),
                None => Value::Null,
            })
        }
        (P::Count, places) => {
            let regex = regex(Flavour::Advanced, false)?;
            let letters = regex.letters(text)?;
            let found = all_matches(&regex, &letters, place(places.first())?)?.len();
            Ok(Value::Int(i64::try_from(found).unwrap_or(i64::MAX)))
        }
        (P::Groups, flags) => {
            let Flags { folds, .. } = Flags::read(flags, false)?;
            let all = groups(&regex(Flavour::Advanced, folds)?, text, false)?;
            Ok(all.into_iter().next().unwrap_or(Value::Null))
        }
        (P::AllGroups, flags) => {
            let Flags { folds, all } = Flags::read(flags, true)?;
            let all = groups(&regex(Flavour::Advanced, folds)?, text, all)?;
            Ok(Value::Array(all.into()))
        }
        (P::Split, flags) => {
            let Flags { folds, .. } = Flags::read(flags, false)?;
            split(&regex(Flavour::Advanced, folds)?, text)
        }
        _ => unsupported("this function of patterns"),
    }
}

/// For each match, its groups, or all that matches if the pattern has none.
fn groups(regex: &Regex, text: &str, all: bool) -> Result<Vec<Value>> {
    let letters = regex.letters(text)?;
    let shown = |range: Range<usize>| Value::text(&letters[range].iter().collect::<String>());
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some((matched, groups)) = regex.find_groups(&letters, from)? {
        if matched.is_empty() {
            return unsupported("empty matches of a pattern");
        }
        from = matched.end;
        let parts = if groups.is_empty() { vec![matched] } else { groups };
        found.push(Value::Array(parts.into_iter().map(shown).collect()));
        if !all {
            break;
        }
    }
    Ok(found)
}

/// The parts between the matches.
fn split(regex: &Regex, text: &str) -> Result<Value> {
    let letters = regex.letters(text)?;
    let (mut parts, mut from) = (Vec::new(), 0);
    for found in all_matches(regex, &letters, 0)? {
        parts.push(letters[from..found.start].iter().collect::<String>());
        from = found.end;
    }
    parts.push(letters[from..].iter().collect());
    Ok(Value::Array(parts.iter().map(|part| Value::text(part)).collect()))
}

/// What the letters of a last argument ask for.
struct Flags {
    folds: bool,
    all: bool,
}

impl Flags {
    fn read(flags: &[Value], may_be_all: bool) -> Result<Self> {
        let mut read = Self { folds: false, all: false };
        let letters = match flags {
            [] => "",
            [Value::Text(letters)] => letters,
            _ => return unsupported("flags of a pattern that are not a string"),
        };
        for letter in letters.chars() {
            match letter {
                'i' => read.folds = true,
                'g' if may_be_all => read.all = true,
                _ => return unsupported(format!("the flag {letter} of a pattern")),
            }
        }
        Ok(read)
    }
}

/// A place that is counted from one, counted from zero.
fn place(value: Option<&Value>) -> Result<usize> {
    match value.map_or(Some(1), Value::as_integer) {
        Some(number @ 1..) => Ok(usize::try_from(number - 1).unwrap_or(usize::MAX)),
        Some(_) => fail(ErrorClass::InvalidArgument, "a place before the text"),
        None => unsupported("a position that is not a number"),
    }
}

/// Matches that do not overlap. Empty ones are counted in a way of their own, which is not known here.
fn all_matches(regex: &Regex, letters: &[char], from: usize) -> Result<Vec<Range<usize>>> {
    let mut all = Vec::new();
    let mut at = from;
    while let Some(found) = regex.find(letters, at) {
        if found.is_empty() {
            return unsupported("empty matches of a pattern");
        }
        at = found.end;
        all.push(found);
    }
    Ok(all)
}

/// A part of what a match is replaced with.
enum Piece {
    Letter(char),
    /// The whole match, or one of its groups, counted from one.
    Group(usize),
}

impl Piece {
    fn read(replacement: &str) -> Result<Vec<Self>> {
        let mut pieces = Vec::new();
        let mut letters = replacement.chars();
        while let Some(letter) = letters.next() {
            pieces.push(match letter {
                '\\' => match letters.next() {
                    Some('\\') => Self::Letter('\\'),
                    Some('&') => Self::Group(0),
                    Some(digit @ '1'..='9') => Self::Group(digit as usize - '0' as usize),
                    _ => return unsupported(format!("the replacement {replacement}")),
                },
                letter => Self::Letter(letter),
            });
        }
        Ok(pieces)
    }
}

fn replace(regex: &Regex, letters: &[char], with: &[Piece], all: bool) -> Result<String> {
    let needs_groups = with.iter().any(|piece| matches!(piece, Piece::Group(1..)));
    let (mut text, mut copied, mut from) = (String::new(), 0, 0);
    while from <= letters.len() {
        let found = match needs_groups {
            true => regex.find_groups(letters, from)?,
            false => regex.find(letters, from).map(|found| (found, Vec::new())),
        };
        let Some((found, groups)) = found else { break };
        text.extend(&letters[copied..found.start]);
        for piece in with {
            match piece {
                Piece::Letter(letter) => text.push(*letter),
                Piece::Group(0) => text.extend(&letters[found.clone()]),
                Piece::Group(number) => match groups.get(number - 1) {
                    Some(group) => text.extend(&letters[group.clone()]),
                    None => return unsupported("a group that the pattern does not have"),
                },
            }
        }
        copied = found.end;
        // Behind an empty match, the next one begins a character later.
        from = found.end + usize::from(found.is_empty());
        if !all {
            break;
        }
    }
    text.extend(&letters[copied..]);
    Ok(text)
}
