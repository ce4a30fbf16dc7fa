//! What may be used, and which limit ended a piece of work.

use std::time::Duration;

/// What a piece of work may use. `None` stands for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of resident memory of the whole process. Where the system does not tell how much memory
    /// is resident, the estimates that were [reserved](crate::Budget::reserve) count instead.
    pub memory: Option<u64>,
}

/// Why a piece of work ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The time limit was reached.
    #[error("the time limit was reached")]
    Time,
    /// The memory limit was reached.
    #[error("the memory limit was reached")]
    Memory,
    /// The caller gave up waiting.
    #[error("the work was cancelled")]
    Cancelled,
}
