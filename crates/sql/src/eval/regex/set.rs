//! A set of characters.

/// ASCII characters one by one, and ranges of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set {
    ascii: u128,
    others: Vec<(char, char)>,
    /// Are the others those that are in no range?
    without: bool,
}

impl Set {
    pub(super) const NONE: Self = Self { ascii: 0, others: Vec::new(), without: false };

    pub(super) fn all() -> Self {
        Self::NONE.complement()
    }

    pub(super) fn add(&mut self, first: char, last: char) {
        for letter in first..=last.min('\x7f') {
            self.ascii |= 1 << u32::from(letter);
        }
        if !last.is_ascii() {
            self.others.push((first.max('\u{80}'), last));
        }
    }

    pub(super) fn add_ascii(&mut self, test: impl Fn(u8) -> bool) {
        for byte in (0..0x80u8).filter(|byte| test(*byte)) {
            self.ascii |= 1 << byte;
        }
    }

    /// Adds every ASCII letter in its other case.
    pub(super) fn fold(&mut self) {
        for byte in (0..0x80u8).filter(u8::is_ascii_alphabetic) {
            if self.ascii & (1 << byte) != 0 {
                self.ascii |= 1 << (byte ^ 0x20);
            }
        }
    }

    pub(super) fn complement(self) -> Self {
        Self { ascii: !self.ascii, without: !self.without, ..self }
    }

    pub(super) fn contains(&self, letter: char) -> bool {
        if letter.is_ascii() {
            return self.ascii & (1 << u32::from(letter)) != 0;
        }
        self.others.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != self.without
    }
}
