//! Statements on declared tables that are operations on keys.
//!
//! ```text
//!   SELECT balance FROM accounts WHERE id = 7 FOR UPDATE     Get
//!   SELECT id, balance FROM accounts WHERE id >= 3           Scan
//!   UPDATE accounts SET balance = 5 WHERE id = 7             Update
//!   UPDATE accounts SET balance = balance + 5 WHERE id = 7   Update, of a computed value
//!   UPDATE accounts SET balance = balance + 5 WHERE id = 7 RETURNING balance   Derived
//!   INSERT INTO accounts (id, balance) VALUES (7, 5)         Insert
//!   DELETE FROM accounts WHERE id = 7                        Delete
//! ```

use super::clauses::{Conditions, Operand, Picks};

/// An operation on keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Reads keys. `more` says that the row had to fulfil other conditions too.
    Get { keys: Vec<Operand>, picks: Picks, lock: bool, more: bool, limit: Option<Operand> },
    /// Reads a range.
    Scan { found: Conditions, picks: Picks, lock: bool },
    /// Writes a key that is there.
    Update { key: Operand, value: Operand, more: bool },
    /// Writes a key that is there, with a value that only the answer shows; with `delta`, it is the
    /// old value plus (or minus, if `minus`) that much.
    Derived { key: Operand, delta: Option<(Operand, bool)>, picks: Picks, more: bool },
    /// Writes keys.
    Insert { rows: Vec<(Operand, Operand)>, mode: Mode },
    /// Deletes a key.
    Delete { key: Operand, more: bool },
    /// Neither keys nor values are touched.
    Harmless,
}

/// What an `INSERT` does about keys that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It fails.
    Fail,
    /// It leaves them alone.
    Leave,
    /// It replaces the value.
    Replace,
}
