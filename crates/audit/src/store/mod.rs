//! Every committed state at once.
//!
//! ```text
//!   position   0        1        2        3
//!   row a      5 ─────────────► 7 ───────►       versions: (0, 5) (2, 7)
//!   row b      1 ──────► gone                    versions: (0, 1) (1, –)
//! ```
//!
//! A state is a number of commits. A row keeps its versions, so any state can be read without copying
//! one. Versions that no transaction can read any more are dropped ([`Store::forget`]).

mod chain;
mod index;
mod ordered;
mod states;
mod table;
mod view;

pub(crate) use states::Store;
pub(crate) use table::WantedIndex;
pub(crate) use view::View;
