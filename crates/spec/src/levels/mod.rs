//! The library of levels, one file each: definition, source and smallest rejected history.

use crate::Family;

pub mod causal;
pub mod consistent_view;
pub mod cursor_stability;
pub mod forward_consistent_view;
pub mod generalized_si;
pub mod mixed;
pub mod monotonic_atomic_view;
pub mod monotonic_reads;
pub mod monotonic_writes;
pub mod parallel_si;
pub mod prefix;
pub mod read_atomic;
pub mod read_committed;
pub mod read_uncommitted;
pub mod read_your_writes;
pub mod repeatable_read;
pub mod serializable;
pub mod snapshot_isolation;
pub mod update_atomic;
pub mod update_serializable;
pub mod writes_follow_reads;

/// Every built-in family, weakest first as far as they are comparable. [`mixed`] is not among
/// them: it asks what each transaction was promised, which most traces do not say.
pub const ALL: [&Family; 20] = [
    &read_uncommitted::FAMILY,
    &read_committed::FAMILY,
    &cursor_stability::FAMILY,
    &monotonic_atomic_view::FAMILY,
    &read_your_writes::FAMILY,
    &monotonic_reads::FAMILY,
    &monotonic_writes::FAMILY,
    &writes_follow_reads::FAMILY,
    &read_atomic::FAMILY,
    &update_atomic::FAMILY,
    &causal::FAMILY,
    &consistent_view::FAMILY,
    &parallel_si::FAMILY,
    &forward_consistent_view::FAMILY,
    &prefix::FAMILY,
    &snapshot_isolation::FAMILY,
    &generalized_si::FAMILY,
    &update_serializable::FAMILY,
    &repeatable_read::FAMILY,
    &serializable::FAMILY,
];
