//! Numbers drawn at random.

use tristan_generate::Rng;

/// An index below `count`, which must not be zero.
pub(crate) fn pick(rng: &mut Rng, count: usize) -> usize {
    usize::try_from(rng.below(count as u64)).unwrap_or(0)
}

/// A number from `least` to `most`, large ones more often.
pub(crate) fn large(rng: &mut Rng, least: usize, most: usize) -> usize {
    let room = most.max(least) - least + 1;
    least + pick(rng, room).max(pick(rng, room))
}
