//! Lists that nearly always have one entry. There are very many of them, so one entry is kept in
//! place, several on the heap.

use std::ops::Deref;

use smallvec::SmallVec;

use super::{Source, Unit};

/// The possible sources of a read.
pub(crate) type Sources = Few<Source>;

/// The units that installed the versions of a key.
pub(crate) type Writers = Few<Unit>;

/// A short list that needs no allocation if it has exactly one entry.
#[derive(Clone, Debug)]
pub struct Few<T>(Kept<T>);

#[derive(Clone, Debug)]
enum Kept<T> {
    One(T),
    /// None, or several.
    Many(Box<[T]>),
}

impl<T: Copy> Few<T> {
    /// Keeps only the first ones.
    pub fn truncate(&mut self, count: usize) {
        if count < self.len() {
            *self = self[..count].into();
        }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Kept::One(one) => std::slice::from_ref(one),
            Kept::Many(many) => many,
        }
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self(Kept::Many(Box::default()))
    }
}

impl<T> From<T> for Few<T> {
    fn from(one: T) -> Self {
        Self(Kept::One(one))
    }
}

impl<T: Copy> From<&[T]> for Few<T> {
    fn from(all: &[T]) -> Self {
        match *all {
            [one] => one.into(),
            _ => Self(Kept::Many(all.into())),
        }
    }
}

impl<T: Copy> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let all: SmallVec<[T; 8]> = all.into_iter().collect();
        all.as_slice().into()
    }
}

impl<'a, T> IntoIterator for &'a Few<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Few<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_one_and_several_are_slices_alike() {
        let all = [Source::Initial, Source::Unit(Unit(1)), Source::Unit(Unit(7))];
        for count in 0..=all.len() {
            let sources: Sources = all[..count].iter().copied().collect();
            assert_eq!(sources[..], all[..count]);
            assert_eq!(sources, Sources::from(&all[..count]));
            let mut first = sources.clone();
            first.truncate(1);
            assert_eq!(first[..], all[..count.min(1)]);
        }
        assert_eq!(Sources::default().len(), 0);
    }

    #[test]
    fn what_there_is_much_of_is_small() {
        assert_eq!(size_of::<Sources>(), 16);
        assert_eq!(size_of::<crate::ir::Read>(), 40);
        assert_eq!(size_of::<crate::ir::VersionOrder>(), 48);
        assert_eq!(size_of::<crate::ir::UnitInfo>(), 12);
    }
}
