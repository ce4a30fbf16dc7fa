//! Typed dense identifiers. Every id is an index into a vector of [`crate::History`].

use tristan_ground::id;

id!(
    /// A transaction: its position in [`crate::History::txns`], in order of first appearance.
    pub struct TxnId
);
id!(
    /// A session (client connection): its position in [`crate::History::sessions`].
    pub struct SessionId
);
id!(
    /// An interned key.
    pub struct KeyId
);
id!(
    /// An interned value or list element.
    pub struct ValueId
);

/// One operation of one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpRef {
    /// The transaction of the operation.
    pub txn: TxnId,
    /// The position of the operation within the transaction, from 0.
    pub op: u32,
}
