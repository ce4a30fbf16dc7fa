//! Functions and operators of PostgreSQL's addresses and networks.
//!
//! Layer `plan`; names of functions only.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NetworkFunction {
    Host,
    /// `masklen(address)`.
    Length,
    Family,
    Network,
    Netmask,
    Broadcast,
    /// `text(address)`.
    Text,
    /// `<<`, or `<<=` if it may be equal.
    Within {
        equal: bool,
    },
    /// `&&`.
    Overlaps,
}
