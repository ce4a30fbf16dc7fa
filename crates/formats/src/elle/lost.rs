//! What may get lost of single operations, one sentence each.

/// Something about operations that is lost, or said in other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lost {
    Failed,
    Pending,
    Unseen,
    SeenInVain,
    Locks,
    OneStep,
    Conditions,
    Deletes,
    AfterDelete,
    Ranges,
    Savepoints,
    Undone,
    OwnReads,
}

impl Lost {
    /// What is lost, for people.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Failed => "operations that failed",
            Self::Pending => "operations that never returned (writes become certain)",
            Self::Unseen => "reads whose results were not recorded (they are left out)",
            Self::SeenInVain => {
                "results of reads in transactions that may not have committed (Elle ignores them)"
            }
            Self::Locks => "locks taken by reads",
            Self::OneStep => {
                "that read-modify-writes are one step (they become a read and a write)"
            }
            Self::Conditions => {
                "conditions of writes (what they show is kept only where the key was absent)"
            }
            Self::Deletes => {
                "deletes (a delete that removed nothing becomes a read that finds nothing)"
            }
            Self::AfterDelete => {
                "reads that found a deleted key absent (they would look like stale reads)"
            }
            Self::Ranges => "range reads",
            Self::Savepoints => "savepoints and rollbacks to them",
            Self::Undone => {
                "writes that were rolled back (other reads of them look like thin-air reads), and own reads of them"
            }
            Self::OwnReads => {
                "reads of keys that their own transactions had written (Elle expects own writes there)"
            }
        }
    }
}
