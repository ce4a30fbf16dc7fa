//! SQL statements, carried out exactly as PostgreSQL, MySQL and MariaDB do, over rows that the
//! caller keeps.
//!
//! ```text
//!   text ──► Statement ──► Prepared ──► StatementOutcome { answer, effects }
//!            (parsed)      (names and      ▲
//!                           types settled) │
//!                             Rows: what the statement can see
//!                          Choices: what the server is free to decide
//! ```
//!
//! A statement changes nothing by itself: its effects are a list of rows that were inserted, updated or
//! deleted. Whatever the server may decide, such as which of several ties a LIMIT shows, is asked of
//! [`Choices`]; run again with other answers, a statement shows its other possibilities. An [`Answer`]
//! knows which order of its rows matters and says whether it explains what a client saw.
//!
//! What is not supported is an [`Error`] that names it, never a wrong answer. Comments, and which statements
//! are about transactions or the session and touch no row, are the business of `tristan-sqltext`.
//!
//! # Layers
//!
//! A module knows only what is written below it:
//!
//! ```text
//!   statement  memory     reads, binds and runs a statement; tables in memory
//!   routine               PL/pgSQL and MySQL's own language: reads definitions, carries out steps
//!   run                   carries out plans over rows and choices; which rows a plan may touch
//!   bind                  from the syntax tree to a plan: names, types, conversions, constants
//!   eval                  what operators, functions and conversions do to values
//!   catalog    parse      tables and routines; from text to the syntax tree
//!   plan                  what is left of a statement when all names are known; its nodes have ids
//!   rows  choices  sequence  outcome  observed       what a statement sees, leaves open, answers and does
//!   value  types  dialect  text  error
//! ```
//!
//! A call that must go up goes through a trait of the layer below: `run` asks its `Routines` for the
//! body of a routine, and `eval` asks its `Environment` for a column. `scripts/check-modules` keeps it so.
//!
//! ```
//! use tristan_sql::{Dialect, Memory, ObservedValue};
//!
//! let mut database = Memory::new(Dialect::PostgreSql);
//! database.run("CREATE TABLE account (id INT PRIMARY KEY, balance NUMERIC(12, 2))")?;
//! database.run("INSERT INTO account VALUES (1, 10), (2, 20)")?;
//! let outcome = database.run("SELECT balance + 0.5 FROM account WHERE id = 2")?;
//! let answer = outcome.answer.expect("the server answers");
//! assert!(answer.explains(&[vec![ObservedValue::Text("20.50".to_owned())]]));
//! # Ok::<(), tristan_sql::Error>(())
//! ```

mod bind;
mod catalog;
mod choices;
mod dialect;
mod error;
mod eval;
mod memory;
mod observed;
mod outcome;
mod parse;
mod plan;
mod refresh;
mod routine;
mod rows;
mod run;
mod sequence;
mod special;
mod statement;
mod text;
mod types;
mod value;

pub use catalog::{Catalog, Column, Key, Names, Table};
pub use choices::{Choices, FirstChoice, Open};
pub use dialect::Dialect;
pub use error::{Error, ErrorClass, ServerError};
pub use memory::Memory;
pub use observed::ObservedValue;
pub use outcome::{Answer, Count, Effect, Rowset, StatementOutcome};
pub use rows::{First, RowId, Rows, TableId};
pub use run::{Displayed, Misshapen, Reach, Region, Stored};
pub use sequence::{Numbering, Numbers, Sequence, SequenceId};
pub use statement::{Context, Prepared, Session, Statement};
pub use types::{Digits, IntType, Type};
pub use value::{
    Asked, Collation, Decimal, Enumeration, Label, Letters, Network, Range, RangeOf, Row, Value,
    Zone, format_date, format_timestamp,
};
