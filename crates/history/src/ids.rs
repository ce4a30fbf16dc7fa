//! Typed dense identifiers. Every id is an index into a vector of [`crate::History`].

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the `index`-th element.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 4 billion elements in one history"))
            }

            /// The position in the vector this id points into.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A transaction: its position in [`crate::History::txns`], in order of first appearance.
    TxnId
);
id!(
    /// A session (client connection): its position in [`crate::History::sessions`].
    SessionId
);
id!(
    /// An interned key.
    KeyId
);
id!(
    /// An interned value or list element.
    ValueId
);

/// One operation of one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpRef {
    /// The transaction.
    pub txn: TxnId,
    /// The position of the operation within the transaction, from 0.
    pub op: u32,
}
