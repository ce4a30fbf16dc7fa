//! What is known of a list: nearly every read shows a part of it from the start, or a little more.

use tristan_history::{TxnId, ValueId};

/// The longest list that reads of one key have shown so far, if all was well with it.
#[derive(Debug, Default)]
pub(super) struct Growth {
    elements: Vec<ValueId>,
    /// The transactions that appended, each with the number of elements afterwards.
    appends: Vec<(TxnId, u32)>,
}

impl Growth {
    /// Whether elements and what is known go the same way; the elements that are new, if any.
    pub(super) fn news<'a>(&self, elements: &'a [ValueId]) -> Option<&'a [ValueId]> {
        let shared = elements.len().min(self.elements.len());
        let (known, rest) = elements.split_at(shared);
        (known == &self.elements[..shared]).then_some(rest)
    }

    /// Whether an element is in the list.
    pub(super) fn has(&self, element: ValueId) -> bool {
        self.elements.contains(&element)
    }

    /// A transaction appended these.
    pub(super) fn grow(&mut self, by: TxnId, elements: &[ValueId]) {
        self.elements.extend_from_slice(elements);
        self.appends.push((by, self.elements.len() as u32));
    }

    /// The transactions that appended this many first elements; `None` if that is not all that a transaction
    /// appended.
    pub(super) fn appenders(&self, length: usize) -> Option<Vec<TxnId>> {
        let count = match length {
            0 => 0,
            _ => 1 + self.appends.binary_search_by_key(&(length as u32), |&(_, end)| end).ok()?,
        };
        Some(self.appends[..count].iter().map(|&(by, _)| by).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_appends_count() {
        let [a, b, c] = [1, 2, 3].map(ValueId);
        let mut growth = Growth::default();
        growth.grow(TxnId(7), &[a, b]);
        assert_eq!(growth.news(&[a, b, c]), Some(&[c][..]));
        assert_eq!(growth.news(&[a]), Some(&[][..]));
        assert_eq!(growth.news(&[b]), None);
        assert!(growth.has(b) && !growth.has(c));
        assert_eq!(growth.appenders(0), Some(vec![]));
        assert_eq!(growth.appenders(1), None);
        assert_eq!(growth.appenders(2), Some(vec![TxnId(7)]));
    }
}
