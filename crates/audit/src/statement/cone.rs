//! The part of a log that can have to do with one statement.

use super::reach::{Reach, Region, meet};

/// Rows that a mistake is about, and all that what is written there depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cone {
    /// No region is inside another one.
    regions: Vec<Region>,
}

impl Cone {
    /// The cone of a statement among all those that write. Returns `None` if it is everything.
    pub(crate) fn of(statement: &Reach, writers: &[Reach]) -> Option<Self> {
        let mut cone = Self::default();
        cone.take(statement)?;
        let mut left: Vec<&Reach> = writers.iter().collect();
        loop {
            let before = left.len();
            let mut rest = Vec::with_capacity(before);
            for writer in left {
                match cone.is_written(writer) {
                    true => cone.take(writer)?,
                    false => rest.push(writer),
                }
            }
            if rest.len() == before {
                return Some(cone);
            }
            left = rest;
        }
    }

    fn take(&mut self, reach: &Reach) -> Option<()> {
        if reach.anything {
            return None;
        }
        for region in reach.reads.iter().chain(&reach.writes) {
            if !self.regions.iter().any(|known| region.is_inside(known)) {
                self.regions.retain(|known| !known.is_inside(region));
                self.regions.push(region.clone());
            }
        }
        Some(())
    }

    fn is_written(&self, reach: &Reach) -> bool {
        reach.anything || meet(&reach.writes, &self.regions)
    }

    /// Whether a statement matters: it writes there, or looks at nothing else, or at nothing at all.
    pub(crate) fn has(&self, reach: &Reach) -> bool {
        let inside = |region: &Region| self.regions.iter().any(|known| region.is_inside(known));
        self.is_written(reach) || !reach.may_write() && reach.reads.iter().all(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::super::reach::by_hand::{reach, region};
    use super::*;

    #[test]
    fn a_cone_has_what_is_written_there_and_nothing_else() {
        let update = |key: i64| reach(&[region(1, &[(0, key)])], &[region(1, &[(0, key)])]);
        let copy = reach(&[region(2, &[(0, 7)])], &[region(1, &[(0, 1)])]);
        let writers = [update(1), update(2), copy];
        let cone = Cone::of(&reach(&[region(1, &[(0, 1)])], &[]), &writers).expect("a cone");
        assert!(cone.has(&update(1)) && !cone.has(&update(2)));
        assert!(cone.has(&reach(&[region(2, &[(0, 7), (1, 3)])], &[])), "it is copied from there");
        assert!(!cone.has(&reach(&[region(2, &[])], &[])), "it looks at more than that");
    }
}
