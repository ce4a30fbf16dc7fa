//! Functions and procedures of the user: PL/pgSQL, and MySQL's own language.
//!
//! ```text
//!   CREATE PROCEDURE … BEGIN … END  ──read──► steps ──run──► the statements in them, one by one
//! ```
//!
//! Layer `routine`, above `run`. One half reads definitions into the steps that the catalog keeps; it
//! knows tokens and the parser. The other half carries steps out; it binds the SQL in them and gives it
//! to a run.

mod body;
mod call;
mod conditions;
mod cursors;
mod declare;
mod define_trigger;
mod dynamic;
mod interpret;
mod loops;
mod plain;
mod plain_sql;
mod read;
mod read_trigger;
mod returned_rows;
mod tokens;
mod triggers;
mod variables;

pub(crate) use call::Interpreted;
pub(crate) use define_trigger::{create_trigger, drop_trigger};
pub(crate) use read::{DroppedRoutine, read_block, read_drop, read_routine};
pub(crate) use read_trigger::{DroppedTrigger, TriggerDefinition, read_drop_trigger, read_trigger};
pub(crate) use variables::read_variables;
