//! The places where sessions look up names, with numbers.

use rustc_hash::FxHashMap;

/// Where the session looks that is being read, and the numbers of all such places.
#[derive(Clone, Debug, Default)]
pub(super) struct Sessions {
    /// The schema of its temporary tables.
    pub(super) own: String,
    /// Where names are looked up: in a path, and before that among temporary tables.
    pub(super) place: (Option<Vec<String>>, Option<String>),
    /// The number of the place.
    pub(super) number: u32,
    pub(super) numbers: FxHashMap<(Option<Vec<String>>, Option<String>), u32>,
}
