//! SQL text, read as far as its meaning does not depend on tables.
//!
//! ```text
//!   text ──► pieces ──► tokens ──► Words
//!              │           ├─────► control   what a statement does to transactions
//!              │           ├─────► subject   does it touch rows at all?
//!              │           ├─────► effects   which tables may it change?
//!              │           ├─────► question  does it ask about the schema or the session only?
//!              │           └─────► cursor    does it fetch what another one asked for?
//!              ├────────► split              one text, several statements
//!              └────────► plain              the same text without comments
//! ```
//!
//! Everything that reads SQL begins here: the proxy, the SQL log of `audit` and the parser of `sql`.
//! So they agree on where a comment ends, which text a server executes although it looks like a
//! comment, and which statement is a `ROLLBACK`.
//!
//! The lexer is tolerant: every text has pieces, and joined they are the text again. A place that
//! servers refuse, or that they read in different ways, is a token of its own
//! ([`TokenKind::Unclear`]), so that a caller can refuse the statement.
//!
//! | | PostgreSQL | MySQL, MariaDB | SQLite |
//! |---|---|---|---|
//! | names in quotes | `"name"` | `` `name` `` | `"name"`, `` `name` ``, `[name]` |
//! | texts | `'it''s'`, `E'it\'s'`, `$tag$it's$tag$` | `'it\'s'`, `"it's"` | `'it''s'` |
//! | parameters | `$1` | `?` | `?`, `?1` |
//! | comments | `--`, `/* /* nested */ */` | `-- `, `#`, `/* */` | `--`, `/* */` |
//! | executed | | `/*! … */`, `/*!50001 … */`, `/*M! … */` | |
//!
//! ```
//! use tristan_sqltext::{Control, Dialect, control, split};
//!
//! let parts = split("UPDATE t SET v = ';'; # done\nCOMMIT AND CHAIN", Dialect::MySql);
//! assert_eq!(parts.len(), 2);
//! assert_eq!(control(&parts[1].tokens, Dialect::MySql), Control::Commit { chain: true });
//! ```

mod control;
mod cursor;
mod dialect;
mod disguise;
mod effects;
mod harmless;
mod lexer;
mod locks;
mod plain;
mod question;
mod quotes;
mod server_functions;

mod split;
mod subject;
mod token;
mod version;
mod words;

pub use control::{Control, Scope, control};
pub use cursor::{CursorCommand, Rows as CursorRows, cursor};
pub use dialect::Dialect;
pub use disguise::disguised;
pub use effects::{Effects, effects};
pub use lexer::{Piece, PieceKind, Pieces, pieces};
pub use locks::locks_rows;
pub use plain::{UnclearTextError, plain};
pub use question::{is_of_the_system, is_question};
pub use split::{Part, split};
pub use subject::{SearchPath, Subject, subject};
pub use token::{Token, TokenKind, tokens};
pub use words::{Words, has_word};

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
