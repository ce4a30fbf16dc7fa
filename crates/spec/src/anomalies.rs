//! Anomalies with a name, each as the smallest history that shows it.
//!
//! Histories are written `w(x) > w(y) | r(y,2) r(x,0)`: sessions are divided by `|`, the
//! transactions of a session by `>`. Transactions are numbered from 1 as they appear; `r(x,2)`
//! reads the version of `x` that transaction 2 wrote, `r(x,0)` the initial one.

/// Something a level may forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// The name of the anomaly.
    pub name: &'static str,
    /// A history that shows it.
    pub history: &'static str,
}

const fn anomaly(name: &'static str, history: &'static str) -> Anomaly {
    Anomaly { name, history }
}

/// Two transactions read from each other.
pub const G1C: Anomaly = anomaly("G1c", "w(x) r(y,2) | w(y) r(x,1)");
/// A session does not see what it wrote.
pub const STALE_OWN_WRITE: Anomaly = anomaly("stale own write", "w(x) > r(x,0)");
/// A session sees something and then no longer.
pub const NON_MONOTONIC_READS: Anomaly = anomaly("non-monotonic reads", "w(x) | r(x,1) > r(x,0)");
/// A transaction sees the second write of a session and not the first.
pub const NON_MONOTONIC_WRITES: Anomaly =
    anomaly("non-monotonic writes", "w(x) > w(y) | r(y,2) r(x,0)");
/// A transaction sees a write and not what its session had seen before.
pub const WRITE_BEFORE_READ: Anomaly =
    anomaly("write does not follow read", "w(x) | r(x,1) > w(y) | r(y,3) r(x,0)");
/// A transaction sees one write of another transaction and not the other write.
pub const FRACTURED_READ: Anomaly = anomaly("fractured read", "w(x) w(y) | r(x,1) r(y,0)");
/// The same with two writers, each of which is seen in part.
pub const TWO_WRITER_FRACTURE: Anomaly =
    anomaly("two-writer fracture", "w(x) w(y) | w(x) w(y) | r(x,1) r(y,2)");
/// Two transactions read a version, and both replace it.
pub const LOST_UPDATE: Anomaly = anomaly("lost update", "r(x,0) w(x) | r(x,0) w(x)");
/// A transaction sees an effect and not its cause.
pub const CAUSALITY: Anomaly = anomaly("causality", "w(x) | r(x,1) w(y) | r(y,2) r(x,0)");
/// A transaction replaces what it has read, but misses another write of an earlier transaction.
pub const MISSED_UPDATE: Anomaly = anomaly(
    "update missed by an update",
    "r(x,0) w(x) w(y) | r(x,1) r(y,1) w(y) | r(x,0) r(y,2) w(y)",
);
/// Two sessions see two writes in different orders.
pub const VERSION_DISAGREEMENT: Anomaly =
    anomaly("version order disagreement", "w(x) | w(x) | r(x,1) > r(x,2) | r(x,2) > r(x,1)");
/// Two readers each see one of two writes and miss the other.
pub const LONG_FORK: Anomaly = anomaly("long fork", "w(x) | w(y) | r(x,1) r(y,0) | r(x,0) r(y,2)");
/// The same with readers that are sessions.
pub const LONG_FORK_OVER_SESSIONS: Anomaly =
    anomaly("long fork over sessions", "w(x) | w(y) | r(x,1) > r(y,0) | r(y,2) > r(x,0)");
/// Two transactions read both keys, and each writes one of them.
pub const WRITE_SKEW: Anomaly = anomaly("write skew", "r(x,0) r(y,0) w(x) | r(x,0) r(y,0) w(y)");
/// The same with three transactions in a ring.
pub const THREE_WAY_WRITE_SKEW: Anomaly =
    anomaly("three-way write skew", "r(x,0) w(y) | r(y,0) w(z) | r(z,0) w(x)");
/// Two updates could be ordered, were it not for a read-only transaction.
pub const READ_ONLY_ANOMALY: Anomaly =
    anomaly("read-only anomaly", "r(y,0) w(y) | r(x,0) r(y,1) | r(x,0) r(y,0) w(x)");

/// All anomalies.
pub const ALL: [Anomaly; 16] = [
    G1C,
    STALE_OWN_WRITE,
    NON_MONOTONIC_READS,
    NON_MONOTONIC_WRITES,
    WRITE_BEFORE_READ,
    FRACTURED_READ,
    TWO_WRITER_FRACTURE,
    LOST_UPDATE,
    CAUSALITY,
    MISSED_UPDATE,
    VERSION_DISAGREEMENT,
    LONG_FORK,
    LONG_FORK_OVER_SESSIONS,
    WRITE_SKEW,
    THREE_WAY_WRITE_SKEW,
    READ_ONLY_ANOMALY,
];
