//! A bank: money moves between accounts, and their sum stays what it was.
//!
//! ```text
//!   80 %  transfer   read two accounts and write both
//!   20 %  audit      read every account, up to a hundred of them
//! ```
//!
//! Accounts start empty and may be overdrawn. Balances repeat, so reads cannot always tell whose
//! transfer they saw.

use super::{Draw, Planner, Rng, Step};

/// Most accounts that are looked at.
const AUDITED: u64 = 100;
/// The largest amount that is transferred.
const MOST: u64 = 10;

pub(super) struct Bank {
    pub(super) accounts: u64,
    pub(super) keys: Draw,
}

impl Planner for Bank {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        if rng.percent(20) {
            return steps.extend((1..=self.accounts.min(AUDITED)).map(|id| Step::Read(id as i64)));
        }
        let from = self.keys.key(rng);
        let to = 1 + (from as u64 + rng.below(self.accounts - 1)) % self.accounts;
        let amount = 1 + rng.below(MOST) as i64;
        steps.extend([Step::Add(from, -amount), Step::Add(to as i64, amount)]);
    }
}
