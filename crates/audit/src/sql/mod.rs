//! Carries out the statements of a log.
//!
//! ```text
//!   start.rs    tables and rows that are there before the first transaction
//!   dump.rs     what pg_dump and mysqldump write besides SQL
//!   referred_first.rs  tables of a dump in the order of their foreign keys
//!   paths.rs    where sessions look up names
//!   sessions.rs  what names mean in a session, and its temporary tables
//!   variables.rs  which variables of a session are known
//!   prepare.rs  calls of the log ──► statements that are ready to run
//!   definitions.rs  tables and views that the log itself defines and alters
//!   defined.rs  what a transaction defined, to take it back
//!   barriers.rs  who uses a table while it is altered
//!   machine.rs  a statement, the rows it sees ──► what it gives, and whether that was observed
//!   shown.rs    what a transaction is shown of its own changes
//!   choices.rs  what the server is free to decide
//!   previous.rs  what sessions know of the statement before
//!   server.rs   the numbers, times and counts that it probably chose
//!   refused.rs  why a statement cannot be carried out
//!   remembered.rs  what is known besides tables and rows, for a file
//!   unfollowed.rs  what is then not judged: statements, and the tables that are lost with them
//!   blurred.rs  columns with values that the log does not show, and why the rest can be judged
//!   told.rs     answers for people; text.rs, json.rs: texts and values of the log
//! ```

mod barriers;
mod blurred;
mod choices;
mod defined;
mod definitions;
mod dump;
mod json;
mod machine;
mod paths;
mod places;
mod prepare;
mod previous;
mod questions;
mod referred_first;
mod refused;
mod remembered;
mod server;
mod sessions;
mod shown;
mod start;
mod text;
mod told;
mod unfollowed;
mod variables;
mod zones;

pub(crate) use choices::Guess;
pub(crate) use machine::{Sql, shown_of};
pub(crate) use prepare::RETURNS_OPEN;
pub(crate) use remembered::Remembered;
pub(crate) use server::Server;
pub(crate) use shown::Shown;
pub(crate) use text::{alters, definitions, is_definition};
pub(crate) use told::{
    json_text, observed as told_observed, observed_text, rows as told_rows, told,
};
