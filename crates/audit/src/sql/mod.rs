//! Carries out the statements of a log.
//!
//! ```text
//!   start.rs    tables and rows that are there before the first transaction
//!   dump.rs     what pg_dump writes besides SQL
//!   paths.rs    where sessions look up names
//!   variables.rs  which variables of a session are known
//!   prepare.rs  calls of the log ──► statements that are ready to run
//!   machine.rs  a statement, the rows it sees ──► what it gives, and whether that was observed
//!   choices.rs  what the server is free to decide
//!   refused.rs  why a statement cannot be carried out
//!   remembered.rs  what is known besides tables and rows, for a file
//!   unfollowed.rs  what is then not judged: statements, and the tables that are lost with them
//!   told.rs     answers for people; text.rs, json.rs: texts and values of the log
//! ```

mod choices;
mod dump;
mod json;
mod machine;
mod paths;
mod prepare;
mod refused;
mod remembered;
mod start;
mod text;
mod told;
mod unfollowed;
mod variables;

pub(crate) use choices::Guess;
pub(crate) use machine::Sql;
pub(crate) use remembered::Remembered;
pub(crate) use text::{definitions, is_definition};
pub(crate) use told::{json_text, observed as told_observed, told, value_text};
