//! How large a level may get once its definitions are written out.
//!
//! Twenty definitions that each use the one before twice are a million parts. Parts are counted
//! before they are made.

use super::super::error::IsoErrorKind;
use super::super::parser::MAX_DEPTH;

/// How many parts a level may have.
const MAX_PARTS: u32 = 5_000;

/// What something costs whenever it is used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    parts: u32,
    depth: u32,
}

/// What has been spent so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    parts: u32,
    depth: u32,
    deepest: u32,
}

/// What had been spent when something began.
pub(super) struct Start {
    parts: u32,
    depth: u32,
    deepest: u32,
}

impl Budget {
    /// One step further inside, for one more part.
    pub(super) fn enter(&mut self) -> Result<(), IsoErrorKind> {
        self.spend(Cost { parts: 1, depth: 1 })?;
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Uses something whose cost is known.
    pub(super) fn spend(&mut self, cost: Cost) -> Result<(), IsoErrorKind> {
        self.parts = self.parts.saturating_add(cost.parts);
        self.deepest = self.deepest.max(self.depth + cost.depth);
        if self.parts > MAX_PARTS {
            return Err(IsoErrorKind::TooLarge(MAX_PARTS));
        }
        if self.deepest > MAX_DEPTH {
            return Err(IsoErrorKind::TooDeep(MAX_DEPTH));
        }
        Ok(())
    }

    /// Begins to measure.
    pub(super) fn start(&mut self) -> Start {
        let deepest = std::mem::replace(&mut self.deepest, self.depth);
        Start { parts: self.parts, depth: self.depth, deepest }
    }

    /// What was spent since then.
    pub(super) fn finish(&mut self, start: Start) -> Cost {
        let cost = Cost { parts: self.parts - start.parts, depth: self.deepest - start.depth };
        self.deepest = self.deepest.max(start.deepest);
        cost
    }
}
