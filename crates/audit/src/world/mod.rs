//! The plain data of a possible past, with no behaviour that needs more than itself.
//!
//! ```text
//!   row.rs          a row and its name, a state and its number
//!   write.rs        what a transaction has written, and what it leaves behind
//!   at.rs           which committed rows a statement sees
//!   hidden.rs       which of them it does not see after all
//!   footprint.rs    what a transaction looked at
//!   explanation.rs  where the statements of a transaction read
//!   turn.rs         when a transaction read which states
//!   moments.rs      the turns of many transactions, as bounds for the others
//!   record.rs       an explanation in few bytes
//!   past.rs         a world: the commits that one possible past has beyond the store
//! ```
//!
//! Everything above (the store, the statements, the search, the replay) speaks in these terms.

mod at;
mod explanation;
mod footprint;
mod hidden;
mod moments;
mod past;
mod record;
mod row;
mod turn;
mod write;

pub(crate) use at::At;
pub(crate) use explanation::{Explanation, StepRead};
pub(crate) use footprint::Footprint;
pub(crate) use hidden::Hidden;
pub(crate) use moments::Moments;
pub(crate) use past::{Placed, World};
pub(crate) use record::Record;
pub(crate) use row::{
    Key, Position, Row, RowId, TableId, Value, Values, canonical, has_values, pick,
};
pub(crate) use turn::Turn;
pub(crate) use write::{Commit, Earlier, Own, Write};
