//! What keys hold at one moment.

use std::collections::BTreeMap;

use tristan_history::{KeyId, ValueId};

/// What keys hold; those that are not there are absent.
pub(crate) type State = BTreeMap<KeyId, Cell>;

/// What a key holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cell {
    Value(ValueId),
    List(Vec<ValueId>),
}
