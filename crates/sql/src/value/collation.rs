//! How texts compare.
//!
//! A log rarely shows which collation a server uses, and there are hundreds of them. So a collation here
//! compares any two texts, and also says whether the result is certain. A conclusion that rests on an
//! uncertain result must say so.
//!
//! | collation | equal texts | order |
//! |---|---|---|
//! | [`Collation::Bytes`], [`Collation::PaddedBytes`], [`Collation::General`] | certain | certain |
//! | [`Collation::Language`] | certain: PostgreSQL compares bytes in the end | certain for ASCII letters and digits in some languages |
//! | [`Collation::Folded`] | certain for ASCII | certain for ASCII up to a difference between letters and digits |
//! | [`Collation::Unknown`] | a text equals itself | uncertain |
//!
//! Ground: knows nothing but a table of weights.

use std::cmp::Ordering;
use std::sync::Arc;

use super::general_ci::weight;

/// An order of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Collation {
    /// Byte by byte, as `C` in PostgreSQL and `binary` in MySQL.
    Bytes,
    /// Byte by byte, without regard to spaces at the end, as MySQL's `…_bin`.
    PaddedBytes,
    /// The rules of a language in PostgreSQL.
    Language {
        /// How the letters and digits of ASCII are ordered.
        letters: Letters,
    },
    /// Without regard to upper and lower case, as in `ILIKE`.
    Caseless,
    /// MySQL's and MariaDB's `…_general_ci`.
    General {
        /// Are spaces at the end ignored?
        padded: bool,
    },
    /// Another collation of MySQL or MariaDB that ignores case and follows no language.
    Folded {
        /// Are spaces at the end ignored?
        padded: bool,
    },
    /// One of which nothing is known.
    Unknown,
}

/// How a language orders the letters and digits of ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Letters {
    /// As in an English dictionary.
    Dictionary,
    /// As in an English dictionary or byte by byte: some operating systems, such as those with musl, know no
    /// languages.
    DictionaryOrBytes,
    /// In a way of its own.
    Unknown,
}

/// What is asked about two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Are they equal?
    Equality,
    /// Which one comes first?
    Order,
}

impl Collation {
    /// Which text comes first, as far as it is known.
    pub fn compare(self, a: &str, b: &str) -> Ordering {
        match self {
            Self::Bytes | Self::Caseless | Self::Unknown => a.cmp(b),
            Self::PaddedBytes => compare_padded(a, b, u32::from),
            Self::Language { .. } => compare_words(a, b),
            Self::General { padded: true } | Self::Folded { padded: true } => {
                compare_padded(a, b, |letter| u32::from(weight(letter)))
            }
            Self::General { padded: false } | Self::Folded { padded: false } => {
                a.chars().map(weight).cmp(b.chars().map(weight))
            }
        }
    }

    /// Whether [`Collation::compare`] is right about two texts, whatever the server's collation is exactly.
    pub fn is_certain(self, asked: Asked, a: &str, b: &str) -> bool {
        match self {
            _ if a == b => true,
            Self::Bytes | Self::PaddedBytes | Self::General { .. } => true,
            Self::Language { letters } => asked == Asked::Equality || letters.are_certain(a, b),
            Self::Caseless => a.is_ascii() && b.is_ascii(),
            Self::Folded { .. } => {
                is_printable(a)
                    && is_printable(b)
                    && (asked == Asked::Equality || differs_in_a_letter(a, b))
            }
            Self::Unknown => false,
        }
    }

    /// Whether it is certain which texts equal this one.
    pub fn is_certain_of(self, text: &str) -> bool {
        match self {
            Self::Folded { .. } => is_printable(text),
            Self::Caseless => text.is_ascii(),
            Self::Unknown => false,
            _ => true,
        }
    }

    /// One text for all that are equal.
    pub fn canonical(self, text: &Arc<str>) -> Arc<str> {
        let trimmed = || text.trim_end_matches(' ');
        let folded = |text: &str| -> Arc<str> {
            // A weight is a letter itself, except for the halves of pairs, which no letter has as its weight.
            let letter = |letter| char::from_u32(u32::from(weight(letter))).unwrap_or(letter);
            text.chars().map(letter).collect::<String>().into()
        };
        match self {
            Self::Bytes | Self::Language { .. } | Self::Caseless | Self::Unknown => {
                Arc::clone(text)
            }
            Self::PaddedBytes => Arc::from(trimmed()),
            Self::General { padded: false } | Self::Folded { padded: false } => folded(text),
            Self::General { padded: true } | Self::Folded { padded: true } => folded(trimmed()),
        }
    }

    /// Whether two letters match in LIKE.
    pub(crate) fn same_letter(self, a: char, b: char) -> bool {
        match self {
            Self::General { .. } | Self::Folded { .. } => weight(a) == weight(b),
            Self::Caseless => a.eq_ignore_ascii_case(&b),
            _ => a == b,
        }
    }
}

impl Letters {
    /// Whether the order of two texts is that of a dictionary.
    fn are_certain(self, a: &str, b: &str) -> bool {
        let plain = is_alphanumeric(a) && is_alphanumeric(b);
        match self {
            Self::Dictionary => plain,
            Self::DictionaryOrBytes => plain && compare_words(a, b) == a.cmp(b),
            Self::Unknown => false,
        }
    }
}

/// The shorter text goes on with spaces.
fn compare_padded(a: &str, b: &str, weight: impl Fn(char) -> u32) -> Ordering {
    let (mut a, mut b) = (a.chars(), b.chars());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (x, y) => match weight(x.unwrap_or(' ')).cmp(&weight(y.unwrap_or(' '))) {
                Ordering::Equal => {}
                other => return other,
            },
        }
    }
}

/// As in a dictionary: the letters first, and their case only if the letters are the same.
fn compare_words(a: &str, b: &str) -> Ordering {
    let letter = |letter: char| (letter.is_alphabetic(), letter.to_ascii_lowercase());
    let case = |letter: char| letter.is_ascii_uppercase();
    (a.chars().map(letter).cmp(b.chars().map(letter)))
        .then_with(|| a.chars().map(case).cmp(b.chars().map(case)))
        .then_with(|| a.cmp(b))
}

fn is_alphanumeric(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Control characters may have no weight at all.
fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Whether the first difference that is not one of case is between letters or digits: collations agree on
/// their order, but not on where other characters come. The end of a text comes before everything.
fn differs_in_a_letter(a: &str, b: &str) -> bool {
    let fold = |byte: u8| byte.to_ascii_uppercase();
    let mut pairs = a.bytes().map(fold).zip(b.bytes().map(fold));
    match pairs.find(|(a, b)| a != b) {
        Some((a, b)) => a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric(),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENERAL: Collation = Collation::General { padded: true };
    const FOLDED: Collation = Collation::Folded { padded: true };
    const ENGLISH: Collation = Collation::Language { letters: Letters::Dictionary };

    #[test]
    fn folds_case_accents_and_padding() {
        assert_eq!(GENERAL.compare("a", "A  "), Ordering::Equal);
        assert_eq!(GENERAL.compare("\u{e9}", "E"), Ordering::Equal);
        assert_eq!(GENERAL.compare("\u{160}", "s"), Ordering::Equal);
        assert_eq!(GENERAL.compare("a", "B"), Ordering::Less);
        assert_eq!(Collation::General { padded: false }.compare("a", "a "), Ordering::Less);
        assert_eq!(Collation::Bytes.compare("a", "B"), Ordering::Greater);
        assert_eq!(Collation::PaddedBytes.compare("a", "a "), Ordering::Equal);
    }

    #[test]
    fn words_come_in_the_order_of_a_dictionary() {
        let mut words = ["B", "b", "a1", "A", "a", "Ab", "ab", "1"];
        words.sort_by(|a, b| ENGLISH.compare(a, b));
        assert_eq!(words, ["1", "a", "A", "a1", "ab", "Ab", "b", "B"]);
    }

    #[test]
    fn equal_texts_have_one_canonical_form() {
        let texts = ["a", "A", "a ", "\u{e4}", "b", "1", "\u{160}", "s"];
        for collation in [GENERAL, FOLDED, ENGLISH, Collation::Bytes, Collation::PaddedBytes] {
            for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (*a, *b))) {
                let same = collation.canonical(&Arc::from(a)) == collation.canonical(&Arc::from(b));
                assert_eq!(collation.compare(a, b).is_eq(), same, "{a} {b} {collation:?}");
            }
        }
    }

    #[test]
    fn says_what_it_is_not_certain_of() {
        use Asked::{Equality, Order};
        let czech = Collation::Language { letters: Letters::Unknown };
        let system = Collation::Language { letters: Letters::DictionaryOrBytes };
        for (collation, asked, a, b, certain) in [
            (ENGLISH, Order, "a", "B", true),
            (system, Order, "a", "B", false),
            (system, Order, "A", "b", true),
            (ENGLISH, Order, "a b", "ab", false),
            (ENGLISH, Equality, "a b", "ab", true),
            (czech, Order, "ch", "d", false),
            (czech, Order, "d", "d", true),
            (FOLDED, Equality, "S", "\u{160}", false),
            (FOLDED, Equality, "s", "S", true),
            (FOLDED, Order, "a_", "ab", false),
            (FOLDED, Order, "a", "a_", true),
            (FOLDED, Order, "a1", "ab", true),
            (FOLDED, Equality, "a", "a\t", false),
            (GENERAL, Equality, "S", "\u{160}", true),
            (Collation::Unknown, Equality, "a", "b", false),
        ] {
            assert_eq!(collation.is_certain(asked, a, b), certain, "{collation:?} {a} {b}");
        }
    }
}
