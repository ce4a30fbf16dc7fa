//! What range reads return.

use crate::{KeyId, ValueId};

/// What a range read returned. Few operations are range reads: elsewhere this takes one word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Items(Box<Box<[(KeyId, ValueId)]>>);

impl std::ops::Deref for Items {
    type Target = [(KeyId, ValueId)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl FromIterator<(KeyId, ValueId)> for Items {
    fn from_iter<I: IntoIterator<Item = (KeyId, ValueId)>>(items: I) -> Self {
        Self(Box::new(items.into_iter().collect()))
    }
}

impl From<Vec<(KeyId, ValueId)>> for Items {
    fn from(items: Vec<(KeyId, ValueId)>) -> Self {
        items.into_iter().collect()
    }
}

impl<'a> IntoIterator for &'a Items {
    type Item = &'a (KeyId, ValueId);
    type IntoIter = std::slice::Iter<'a, (KeyId, ValueId)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
