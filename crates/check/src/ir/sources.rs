//! The possible sources of a read. Nearly every read has one, and there are many reads: one source
//! is kept in place, several on the heap.

use std::ops::Deref;

use smallvec::SmallVec;

use super::Source;

/// A few sources.
#[derive(Clone, Debug)]
pub struct Sources(Kept);

#[derive(Clone, Debug)]
enum Kept {
    One(Source),
    /// None, or several.
    Many(Box<[Source]>),
}

impl Sources {
    /// Keeps only the first ones.
    pub fn truncate(&mut self, count: usize) {
        if count < self.len() {
            *self = self[..count].into();
        }
    }
}

impl Deref for Sources {
    type Target = [Source];

    fn deref(&self) -> &[Source] {
        match &self.0 {
            Kept::One(source) => std::slice::from_ref(source),
            Kept::Many(sources) => sources,
        }
    }
}

impl Default for Sources {
    fn default() -> Self {
        Self(Kept::Many(Box::default()))
    }
}

impl From<Source> for Sources {
    fn from(source: Source) -> Self {
        Self(Kept::One(source))
    }
}

impl From<&[Source]> for Sources {
    fn from(sources: &[Source]) -> Self {
        match *sources {
            [one] => one.into(),
            _ => Self(Kept::Many(sources.into())),
        }
    }
}

impl FromIterator<Source> for Sources {
    fn from_iter<I: IntoIterator<Item = Source>>(sources: I) -> Self {
        let sources: SmallVec<[Source; 8]> = sources.into_iter().collect();
        sources.as_slice().into()
    }
}

impl<'a> IntoIterator for &'a Sources {
    type Item = &'a Source;
    type IntoIter = std::slice::Iter<'a, Source>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Sources {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Sources {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_one_and_several_are_slices_alike() {
        let all = [Source::Initial, Source::Unit(1), Source::Unit(7)];
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
    fn sources_and_reads_are_small() {
        assert_eq!(size_of::<Sources>(), 16);
        assert_eq!(size_of::<crate::ir::Read>(), 40);
        assert_eq!(size_of::<crate::ir::UnitInfo>(), 12);
    }
}
