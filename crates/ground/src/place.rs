//! Where a piece of work is: the stage, and how far the stage has come.

use std::fmt;

/// A stage and how far it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The name of the stage; empty before the first one.
    pub stage: &'static str,
    /// So many units of work are done.
    pub done: u64,
    /// Of so many; 0 if the total is not known.
    pub total: u64,
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
