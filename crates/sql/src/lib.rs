//! SQL statements, carried out exactly as PostgreSQL, MySQL and MariaDB do, over rows that somebody else
//! keeps.
//!
//! ```text
//!   text ──► Statement ──► Prepared ──► Outcome { answer, effects }
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
//! What is not supported is an [`Error`] that names it, never a wrong answer.
//!
//! ```
//! use tristan_sql::{Dialect, Memory, Observed};
//!
//! let mut database = Memory::new(Dialect::PostgreSql);
//! database.run("CREATE TABLE account (id INT PRIMARY KEY, balance NUMERIC(12, 2))")?;
//! database.run("INSERT INTO account VALUES (1, 10), (2, 20)")?;
//! let outcome = database.run("SELECT balance + 0.5 FROM account WHERE id = 2")?;
//! let answer = outcome.answer.expect("the server answers");
//! assert!(answer.explains(&[vec![Observed::Text("20.50".to_owned())]]));
//! # Ok::<(), tristan_sql::Error>(())
//! ```

mod bind;
mod catalog;
mod control;
mod dialect;
mod error;
mod memory;
mod observed;
mod outcome;
mod parse;
mod plan;
mod routine;
mod run;
mod statement;
mod types;
mod value;

pub use catalog::{Catalog, Column, Key, Table, TableId};
pub use control::Control;
pub use dialect::Dialect;
pub use error::{Class, Error, Failure};
pub use memory::{FirstChoice, Memory};
pub use observed::Observed;
pub use outcome::{Answer, Count, Effect, Outcome, Table as Rowset};
pub use run::{Choices, Open, Reach, Region, RowId, Rows};
pub use statement::{Context, Prepared, Session, Statement};
pub use types::{Digits, IntType, Type};
pub use value::{Collation, Decimal, Row, Value, format_date, format_timestamp};
