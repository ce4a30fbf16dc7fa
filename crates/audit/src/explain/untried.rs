//! What was left untried. While there is such a thing a failure proves nothing, and the verdict is *unknown*.

use std::fmt;

/// Something that was left untried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Untried {
    /// Orders of transactions, or states that they lead to: there are more than the options allow.
    Orders,
    /// Results of one statement: there are more than the options allow.
    Results,
    /// Combinations of the versions of rows: there are more than the options allow.
    Versions,
    /// Rows as of different moments, for a server that locks and reads one row after the other.
    RowByRow,
    /// What a statement sees besides the row that it waited for.
    BesidesLocked,
    /// Keys as of different moments, for an INSERT that leaves out rows whose keys are taken.
    Keys,
    /// What a server with snapshots shows to a transaction that has changed something itself.
    OwnChanges,
}

impl fmt::Display for Untried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Orders => "there are too many possible orders to try",
            Self::Results => "a statement of the transaction has too many possible results to try",
            Self::Versions => {
                "a statement of the transaction may have read each row at a different moment, and there are too \
                 many combinations to try"
            }
            Self::RowByRow => {
                "a statement of the transaction may have read each row at a different moment, because the server \
                 locks rows one after the other"
            }
            Self::BesidesLocked => {
                "a statement of the transaction waited for a row, and what it saw besides that row depends on the \
                 server's execution plan"
            }
            Self::Keys => {
                "an INSERT of the transaction skipped rows whose keys were taken, and may have checked the keys at \
                 different moments"
            }
            Self::OwnChanges => {
                "after a transaction has changed rows or rolled back to a savepoint, it is not always known which \
                 version of a row the server shows it"
            }
        })
    }
}
