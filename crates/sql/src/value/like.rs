//! LIKE.
//!
//! Ground: knows collations.

use super::collation::Collation;

/// A pattern of LIKE.
pub(crate) struct Like {
    parts: Vec<Part>,
    collation: Collation,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter(char),
    One,
    Many,
}

impl Like {
    /// Reads a pattern; `None` if it ends with its escape.
    pub(crate) fn new(pattern: &str, escape: Option<char>, collation: Collation) -> Option<Self> {
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
        Some(Self { parts, collation })
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
            Part::Letter(wanted) => self.collation.same_letter(wanted, letter),
            Part::One => true,
            Part::Many => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let like = Like::new(pattern, Some('\\'), Collation::Bytes).expect("a pattern");
            assert_eq!(like.matches(text), matches, "{text} {pattern}");
        }
        assert!(Like::new(r"a\", Some('\\'), Collation::Bytes).is_none());
    }

    #[test]
    fn ignores_what_the_collation_ignores() {
        let matches = |text: &str, pattern: &str, collation: Collation| {
            Like::new(pattern, None, collation).expect("a pattern").matches(text)
        };
        let general = Collation::General { padded: true };
        assert!(matches("\u{160}koda", "s%A", general));
        assert!(matches("Abc", "aB_", Collation::Caseless));
        assert!(!matches("\u{c9}", "e", Collation::Caseless));
        assert!(!matches("Abc", "abc", Collation::Bytes));
    }
}
