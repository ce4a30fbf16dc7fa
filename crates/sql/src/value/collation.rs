//! How texts compare, and LIKE.

use std::cmp::Ordering;
use std::sync::Arc;

/// An order of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Collation {
    /// Byte by byte, as `C` in PostgreSQL and `…_bin` in MySQL.
    Bytes,
    /// Without regard to upper and lower case and accents of Latin letters, as MySQL's default.
    Folded {
        /// Are spaces at the end ignored?
        padded: bool,
    },
}

impl Collation {
    /// Which text comes first.
    pub fn compare(self, a: &str, b: &str) -> Ordering {
        match self {
            Self::Bytes => a.cmp(b),
            Self::Folded { padded: false } => a.chars().map(fold).cmp(b.chars().map(fold)),
            Self::Folded { padded: true } => compare_padded(a, b),
        }
    }

    /// One text for all that are equal.
    pub fn canonical(self, text: &Arc<str>) -> Arc<str> {
        match self {
            Self::Bytes => Arc::clone(text),
            Self::Folded { padded: false } => text.chars().map(fold).collect::<String>().into(),
            Self::Folded { padded: true } => {
                text.trim_end_matches(' ').chars().map(fold).collect::<String>().into()
            }
        }
    }
}

/// The shorter text goes on with spaces.
fn compare_padded(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.chars().map(fold), b.chars().map(fold));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (x, y) => match x.unwrap_or(' ').cmp(&y.unwrap_or(' ')) {
                Ordering::Equal => {}
                other => return other,
            },
        }
    }
}

/// The capital letter without its accent, for Latin letters; the capital letter for others.
pub(crate) fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_uppercase();
    }
    let capital = letter.to_uppercase().next().unwrap_or(letter);
    match capital {
        'À'..='Å' => 'A',
        'Ç' => 'C',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ñ' => 'N',
        'Ò'..='Ö' => 'O',
        'Ù'..='Ü' => 'U',
        'Ý' | 'Ÿ' => 'Y',
        'ß' => 'S',
        other => other,
    }
}

/// A pattern of LIKE.
pub(crate) struct Like {
    parts: Vec<Part>,
    folds: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter(char),
    One,
    Many,
}

impl Like {
    /// Reads a pattern; `None` if it ends with its escape.
    pub(crate) fn new(pattern: &str, escape: Option<char>, folds: bool) -> Option<Self> {
        let mut parts = Vec::new();
        let mut letters = pattern.chars();
        while let Some(letter) = letters.next() {
            parts.push(match letter {
                _ if Some(letter) == escape => Part::Letter(letters.next()?),
                '%' => Part::Many,
                '_' => Part::One,
                other => Part::Letter(other),
            });
        }
        Some(Self { parts, folds })
    }

    /// Whether a text is like this.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut at, mut part) = (0, 0);
        // Where to go on if what was tried behind the last `%` does not fit.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match self.parts.get(part) {
                Some(Part::Many) => {
                    retry = Some((at, part + 1));
                    part += 1;
                    continue;
                }
                Some(one) if at < text.len() && self.fits(*one, text[at]) => {
                    at += 1;
                    part += 1;
                    continue;
                }
                None if at == text.len() => return true,
                _ => {}
            }
            match retry {
                Some((from, next)) if from < text.len() => {
                    retry = Some((from + 1, next));
                    (at, part) = (from + 1, next);
                }
                _ => return false,
            }
        }
    }

    fn fits(&self, part: Part, letter: char) -> bool {
        match part {
            Part::Letter(wanted) if self.folds => fold(wanted) == fold(letter),
            Part::Letter(wanted) => wanted == letter,
            Part::One => true,
            Part::Many => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_case_accents_and_padding() {
        let padded = Collation::Folded { padded: true };
        assert_eq!(padded.compare("a", "A  "), Ordering::Equal);
        assert_eq!(padded.compare("é", "E"), Ordering::Equal);
        assert_eq!(padded.compare("a", "B"), Ordering::Less);
        assert_eq!(Collation::Folded { padded: false }.compare("a", "a "), Ordering::Less);
        assert_eq!(Collation::Bytes.compare("a", "B"), Ordering::Greater);
    }

    #[test]
    fn likes() {
        for (text, pattern, matches) in [
            ("abc", "a%", true),
            ("abc", "%c", true),
            ("abc", "a_c", true),
            ("abc", "a_", false),
            ("a%c", r"a\%c", true),
            ("abc", r"a\%c", false),
            ("aXbXc", "%X%c", true),
            ("", "%", true),
            ("", "_", false),
        ] {
            let like = Like::new(pattern, Some('\\'), false).expect("a pattern");
            assert_eq!(like.matches(text), matches, "{text} {pattern}");
        }
        assert!(Like::new(r"a\", Some('\\'), false).is_none());
    }
}
