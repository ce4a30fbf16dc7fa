//! Ambiguity: how little the reads of a history tell about the writes that they saw.

use tristan_ground::scrambled;

use crate::asg::Asg;

/// How many reads are looked at, about.
const SAMPLE: usize = 1000;

/// What some of the reads show.
pub(super) struct Ambiguity {
    /// How many reads were looked at.
    reads: usize,
    /// How many of them have several possible sources.
    ambiguous: usize,
    /// How much the reads of one transaction demand of the place where it stands: a read with one in
    /// 2ⁿ versions as a possible source demands n bits.
    bits: f64,
}

impl Ambiguity {
    /// The ambiguity of a history.
    pub(super) fn of(asg: &Asg<'_>) -> Self {
        let every = (asg.reads.end() / SAMPLE).max(1) as u64;
        let (mut reads, mut ambiguous, mut bits) = (0, 0, 0.0);
        let sample =
            (0..).zip(asg.reads.iter()).filter(|(at, _)| scrambled(*at).is_multiple_of(every));
        for (_, read) in sample {
            let mut sources = 0u32;
            asg.for_each_source(&read, |_| sources += 1);
            reads += 1;
            ambiguous += usize::from(sources > 1);
            let versions = asg.writes.of_key(read.key).len() + 1;
            bits += (versions as f64 / f64::from(sources.max(1))).log2();
        }
        let share = asg.reads.end() as f64 / (reads.max(1) * asg.history.txns.len().max(1)) as f64;
        Self { reads, ambiguous, bits: bits * share }
    }

    /// How much the reads of a transaction demand, on average.
    pub(super) fn bits(&self) -> f64 {
        self.bits
    }

    /// Whether most reads have several possible sources.
    pub(super) fn is_common(&self) -> bool {
        2 * self.ambiguous > self.reads
    }
}
