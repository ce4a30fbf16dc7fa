//! Where a piece of work is: the stage, how far the stage has come, and how fast.

use std::fmt;
use std::time::Duration;

/// A stage and how far it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The name of the stage; empty before the first one.
    pub stage: &'static str,
    /// So many units of work are done.
    pub done: u64,
    /// Of so many; 0 if the total is not known.
    pub total: u64,
    /// The time since the stage began.
    pub spent: Duration,
}

impl Place {
    /// Units of work per second; `None` if none is done, or if no time has passed.
    pub fn rate(&self) -> Option<f64> {
        (self.done > 0 && !self.spent.is_zero())
            .then(|| self.done as f64 / self.spent.as_secs_f64())
    }

    /// The time that the rest takes at this rate; `None` if the rate or the total is not known.
    pub fn left(&self) -> Option<Duration> {
        let rest = self.total.checked_sub(self.done).filter(|_| self.total > 0)?;
        Duration::try_from_secs_f64(rest as f64 / self.rate()?).ok()
    }
}

/// `reading`, `reading, 35 %`
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.stage)?;
        match self.total {
            0 => Ok(()),
            total => write!(out, ", {} %", u128::from(self.done) * 100 / u128::from(total)),
        }
    }
}
