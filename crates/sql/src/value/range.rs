//! Ranges of PostgreSQL: all values between two ends.
//!
//! ```text
//!   [1,5)   from 1 to 5, without 5       (,5)   all up to 5, without 5       empty   no value
//! ```
//!
//! A range of whole numbers or of days is kept as `[a,b)`, so that equal ranges look the same.

use std::cmp::Ordering;

use super::{Collation, Decimal, Value};

/// What a range is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RangeOf {
    /// `int4range`.
    Int4,
    /// `int8range`.
    Int8,
    /// `numrange`.
    Numeric,
    /// `daterange`.
    Date,
    /// `tsrange`.
    Timestamp,
    /// `tstzrange`.
    Instant,
}

/// A range of values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Range(Option<(End, End)>);

/// One end of a range: where it is, unless there is no limit, and whether that value belongs to the range.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct End {
    pub(crate) value: Option<Value>,
    pub(crate) included: bool,
}

/// Why there is no range between two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRange {
    /// The lower end is larger than the upper one.
    Reversed,
    /// The next whole number or day does not fit its type.
    TooLarge,
    /// The parts leave a gap.
    Gap,
}

impl RangeOf {
    /// What the type with this name is made of.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "int4range" => Self::Int4,
            "int8range" => Self::Int8,
            "numrange" => Self::Numeric,
            "daterange" => Self::Date,
            "tsrange" => Self::Timestamp,
            "tstzrange" => Self::Instant,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Int4 => "int4range",
            Self::Int8 => "int8range",
            Self::Numeric => "numrange",
            Self::Date => "daterange",
            Self::Timestamp => "tsrange",
            Self::Instant => "tstzrange",
        }
    }
}

impl End {
    fn open() -> Self {
        Self { value: None, included: false }
    }

    /// The same place, as an end on the other side of a range.
    fn turned(&self) -> Self {
        Self { value: self.value.clone(), included: !self.included }
    }
}

fn order(a: &Value, b: &Value) -> Ordering {
    a.compare(b, Collation::Bytes).unwrap_or(Ordering::Equal)
}

fn lower_order(a: &End, b: &End) -> Ordering {
    match (&a.value, &b.value) {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Less,
        (_, None) => Ordering::Greater,
        (Some(x), Some(y)) => order(x, y).then(b.included.cmp(&a.included)),
    }
}

fn upper_order(a: &End, b: &End) -> Ordering {
    match (&a.value, &b.value) {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
        (Some(x), Some(y)) => order(x, y).then(a.included.cmp(&b.included)),
    }
}

/// Whether no value is at or above a lower end and at or below an upper end.
fn is_apart(lower: &End, upper: &End) -> bool {
    let (Some(low), Some(high)) = (&lower.value, &upper.value) else { return false };
    match order(low, high) {
        Ordering::Less => false,
        Ordering::Equal => !(lower.included && upper.included),
        Ordering::Greater => true,
    }
}

/// Whether a range that ends here and one that begins there touch, without a value in common.
fn touches(upper: &End, lower: &End) -> bool {
    match (&upper.value, &lower.value) {
        (Some(high), Some(low)) => order(high, low).is_eq() && upper.included != lower.included,
        _ => false,
    }
}

/// The value after this one, if its type has such a thing.
fn next(of: RangeOf, value: &Value) -> Result<Option<Value>, NoRange> {
    let next = match (of, value) {
        (RangeOf::Int4, Value::Int(number)) => {
            let next = number.checked_add(1).filter(|next| i32::try_from(*next).is_ok());
            next.map(Value::Int)
        }
        (RangeOf::Int8, Value::Int(number)) => number.checked_add(1).map(Value::Int),
        (RangeOf::Date, Value::Date(day)) => day.checked_add(1).map(Value::Date),
        _ => return Ok(None),
    };
    next.map(Some).ok_or(NoRange::TooLarge)
}

impl Range {
    /// No value at all.
    pub(crate) const EMPTY: Self = Self(None);

    /// The range between two ends.
    pub(crate) fn new(of: RangeOf, lower: End, upper: End) -> Result<Self, NoRange> {
        let bounded = |end: End| End { included: end.included && end.value.is_some(), ..end };
        let (mut lower, mut upper) = (bounded(lower), bounded(upper));
        if let (Some(low), Some(high)) = (&lower.value, &upper.value) {
            match order(low, high) {
                Ordering::Greater => return Err(NoRange::Reversed),
                Ordering::Equal if !(lower.included && upper.included) => return Ok(Self::EMPTY),
                _ => {}
            }
        }
        if let (Some(low), false) = (&lower.value, lower.included)
            && let Some(next) = next(of, low)?
        {
            lower = End { value: Some(next), included: true };
        }
        if let (Some(high), true) = (&upper.value, upper.included)
            && let Some(next) = next(of, high)?
        {
            upper = End { value: Some(next), included: false };
        }
        match is_apart(&lower, &upper) {
            true => Ok(Self::EMPTY),
            false => Ok(Self(Some((lower, upper)))),
        }
    }

    /// Its ends; `None` if it is empty.
    pub(crate) fn ends(&self) -> Option<&(End, End)> {
        self.0.as_ref()
    }

    /// An empty range comes first, then the lower end decides.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (None, None) => Ordering::Equal,
            (None, _) => Ordering::Less,
            (_, None) => Ordering::Greater,
            (Some(a), Some(b)) => lower_order(&a.0, &b.0).then_with(|| upper_order(&a.1, &b.1)),
        }
    }

    /// The form that all equal ranges share: `1.0` and `1.00` are the same end.
    pub(crate) fn canonical(&self) -> Self {
        let end = |end: &End| End {
            value: end.value.as_ref().map(|value| value.canonical(Collation::Bytes)),
            included: end.included,
        };
        Self(self.0.as_ref().map(|(lower, upper)| (end(lower), end(upper))))
    }

    pub(crate) fn has(&self, value: &Value) -> bool {
        let point = End { value: Some(value.clone()), included: true };
        self.0.as_ref().is_some_and(|(low, high)| !is_apart(low, &point) && !is_apart(&point, high))
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (_, None) => true,
            (None, _) => false,
            (Some(a), Some(b)) => {
                lower_order(&a.0, &b.0).is_le() && upper_order(&a.1, &b.1).is_ge()
            }
        }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => !is_apart(&a.0, &b.1) && !is_apart(&b.0, &a.1),
            _ => false,
        }
    }

    /// Whether all of it is before the other range.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => is_apart(&b.0, &a.1),
            _ => false,
        }
    }

    /// Whether it does not extend behind the other range.
    pub(crate) fn ends_within(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Some(a), Some(b)) if upper_order(&a.1, &b.1).is_le())
    }

    /// Whether it does not begin before the other range.
    pub(crate) fn begins_within(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Some(a), Some(b)) if lower_order(&a.0, &b.0).is_ge())
    }

    pub(crate) fn is_adjacent(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => touches(&a.1, &b.0) || touches(&b.1, &a.0),
            _ => false,
        }
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) if self.overlaps(other) => {
                let lower = if lower_order(&a.0, &b.0).is_ge() { &a.0 } else { &b.0 };
                let upper = if upper_order(&a.1, &b.1).is_le() { &a.1 } else { &b.1 };
                Self(Some((lower.clone(), upper.clone())))
            }
            _ => Self::EMPTY,
        }
    }

    /// The smallest range that has both in it.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(a), Some(b)) => {
                let lower = if lower_order(&a.0, &b.0).is_le() { &a.0 } else { &b.0 };
                let upper = if upper_order(&a.1, &b.1).is_ge() { &a.1 } else { &b.1 };
                Self(Some((lower.clone(), upper.clone())))
            }
        }
    }

    /// Both, if they leave no gap.
    pub(crate) fn union(&self, other: &Self) -> Result<Self, NoRange> {
        let joined = self.0.is_none()
            || other.0.is_none()
            || self.overlaps(other)
            || self.is_adjacent(other);
        if joined { Ok(self.merged(other)) } else { Err(NoRange::Gap) }
    }

    /// What is left of it without the other range, if that is one range.
    pub(crate) fn without(&self, of: RangeOf, other: &Self) -> Result<Self, NoRange> {
        let (Some(a), Some(b)) = (&self.0, &other.0) else { return Ok(self.clone()) };
        let before = lower_order(&a.0, &b.0).is_lt();
        let behind = upper_order(&a.1, &b.1).is_gt();
        match (before, behind) {
            _ if !self.overlaps(other) => Ok(self.clone()),
            (true, true) => Err(NoRange::Gap),
            (true, false) => Self::new(of, a.0.clone(), b.0.turned()),
            (false, true) => Self::new(of, b.1.turned(), a.1.clone()),
            (false, false) => Ok(Self::EMPTY),
        }
    }
}

/// A range as it is written: the texts of its ends, `None` where there is no limit.
pub(crate) struct Written {
    pub(crate) lower: Option<String>,
    pub(crate) upper: Option<String>,
    pub(crate) includes: (bool, bool),
}

/// Reads the ends of a range: `Ok(None)` if it is empty, `Err(())` if the text is no range.
pub(crate) fn parse_range(text: &str) -> Result<Option<Written>, ()> {
    let text = text.trim_ascii();
    if text.eq_ignore_ascii_case("empty") {
        return Ok(None);
    }
    let mut letters = text.chars().peekable();
    let first = match letters.next() {
        Some('[') => true,
        Some('(') => false,
        _ => return Err(()),
    };
    let lower = read_end(&mut letters)?;
    if letters.next() != Some(',') {
        return Err(());
    }
    let upper = read_end(&mut letters)?;
    let last = match letters.next() {
        Some(']') => true,
        Some(')') => false,
        _ => return Err(()),
    };
    match letters.next() {
        None => Ok(Some(Written { lower, upper, includes: (first, last) })),
        Some(_) => Err(()),
    }
}

/// The text of one end, `None` if there is nothing.
fn read_end(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<Option<String>, ()> {
    let (mut text, mut quoted, mut any) = (String::new(), false, false);
    loop {
        match letters.peek() {
            None => return Err(()),
            Some(',' | ')' | ']') if !quoted => return Ok(any.then_some(text)),
            Some('"') => {
                letters.next();
                any = true;
                match quoted && letters.next_if_eq(&'"').is_some() {
                    true => text.push('"'),
                    false => quoted = !quoted,
                }
            }
            Some('\\') => {
                letters.next();
                any = true;
                text.push(letters.next().ok_or(())?);
            }
            Some(letter) => {
                any = true;
                text.push(*letter);
                letters.next();
            }
        }
    }
}

/// Writes a range with these ends.
pub(crate) fn format_range(
    lower: Option<&str>,
    upper: Option<&str>,
    (first, last): (bool, bool),
) -> String {
    let end = |text: Option<&str>| text.map(quoted).unwrap_or_default();
    let (open, close) = (if first { '[' } else { '(' }, if last { ']' } else { ')' });
    format!("{open}{},{}{close}", end(lower), end(upper))
}

fn quoted(text: &str) -> String {
    let special = |letter: char| letter.is_ascii_whitespace() || r#""\()[],"#.contains(letter);
    if !text.is_empty() && !text.contains(special) {
        return text.to_owned();
    }
    let doubled = text.replace('\\', r"\\").replace('"', r#""""#);
    format!("\"{doubled}\"")
}

impl End {
    /// An end that is a value, or none if that is NULL.
    pub(crate) fn at(value: &Value, included: bool) -> Self {
        match value {
            Value::Null => Self::open(),
            value => Self { value: Some(value.clone()), included },
        }
    }
}

/// A whole number as an end of a range of exact numbers.
pub(crate) fn exact_end(value: &Value) -> Value {
    match value.as_integer() {
        Some(whole) => Value::Decimal(Decimal::from_integer(whole)),
        None => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(low: i64, high: i64, includes: (bool, bool)) -> Range {
        let end = |value, included| End { value: Some(Value::Int(value)), included };
        Range::new(RangeOf::Int4, end(low, includes.0), end(high, includes.1)).expect("a range")
    }

    #[test]
    fn ranges_of_whole_numbers_have_one_form() {
        assert_eq!(whole(1, 4, (true, true)), whole(0, 5, (false, false)));
        assert_eq!(whole(1, 2, (false, false)), Range::EMPTY);
        assert_eq!(whole(1, 1, (true, false)), Range::EMPTY);
    }

    #[test]
    fn a_difference_is_one_range_or_none() {
        let (all, middle) = (whole(1, 9, (true, false)), whole(3, 5, (true, false)));
        assert_eq!(all.without(RangeOf::Int4, &middle), Err(NoRange::Gap));
        let end = whole(5, 9, (true, false));
        assert_eq!(all.without(RangeOf::Int4, &end), Ok(whole(1, 5, (true, false))));
        assert_eq!(whole(1, 3, (true, false)).union(&end), Err(NoRange::Gap));
        assert_eq!(middle.union(&end), Ok(whole(3, 9, (true, false))));
    }

    #[test]
    fn reads_quotes_and_missing_ends() {
        let read = parse_range(r#" ["a ""b""",) "#).ok().flatten().expect("a range");
        assert_eq!(read.lower.as_deref(), Some("a \"b\""));
        assert_eq!((read.upper, read.includes), (None, (true, false)));
        assert!(parse_range("[1,2").is_err() && parse_range("[1,2) x").is_err());
    }
}
