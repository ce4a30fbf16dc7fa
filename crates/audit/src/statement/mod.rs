//! The transactions of a log and their statements, ready to be tried in many places.
//!
//! ```text
//!   Task ─┬─ Step ── Statement ─┬─ plan, parameters
//!         │                     ├─ Expected: what was observed
//!         │                     └─ Reach: what it may look at and write, in whatever state
//!         └─ Reach of all statements, times
//!
//!   Path: a task on its way; Script: the answers to what its statements leave open
//! ```
//!
//! [`Cone`] and [`Readers`] answer questions about many reaches at once; `part.rs` reduces transactions to what they
//! have to do with the rows of a [`Focus`]. Nothing here carries anything out: [`crate::sql`] does.

mod around;
mod cone;
mod expected;
mod focus;
mod part;
mod path;
mod prepared;
mod probe;
mod ran;
mod reach;
mod readers;
mod script;
mod task;

pub(crate) use around::Around;
pub(crate) use cone::Cone;
pub(crate) use expected::{Expected, depends_on_no_rows};
pub(crate) use focus::{Focus, Shows};
pub(crate) use part::Unclear;
pub(crate) use path::{NEW_ROWS, Path};
pub(crate) use prepared::{Plan, Statement};
pub(crate) use probe::{Probe, Version};
pub(crate) use ran::{Change, Ran, UnsupportedError};
pub(crate) use reach::Reach;
pub(crate) use readers::Readers;
pub(crate) use script::Script;
pub(crate) use task::{Step, Task, Traits};
